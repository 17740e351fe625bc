# What people type. Python 3.11 (or 3.12, 3.13) and make are enough; see README.

BUILD ?= build
VENV ?= .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null \
	&& echo $$p && break; done)
SET_UP := $(or $(PYTHON),$(error Python 3.11, 3.12 or 3.13 is needed)) scripts/set_up.py
SET_UP += --venv $(VENV) --build $(BUILD)
FRONT := $(wildcard frontend/package.json)
ARGS ?=
export PATH := $(abspath $(BUILD))/tools/bin:$(PATH)

.PHONY: up test check lint types front test-python test-front bench fmt docs lock wheel clean
.PHONY: set-up-up set-up-test

up: set-up-up  ## start everything and print the address
	@exec $(BIN)/earwitness up $(ARGS)

test: set-up-test  ## all that a contributor must see pass, browser included
	@$(MAKE) --no-print-directory test-python test-front

check: set-up-test  ## what CI runs: lint, types, imports, tests
	@$(MAKE) --no-print-directory lint types front test-python test-front

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types:
	$(BIN)/mypy
	$(BIN)/basedpyright --level error --pythonpath $(BIN)/python

front:
	$(if $(FRONT),cd frontend && npm run lint && npm run types)

test-python:
	$(BIN)/pytest $(ARGS)

test-front:
	$(if $(FRONT),cd frontend && npm test)

bench: set-up-test  ## figures; ONLY=heard runs a part
	$(BIN)/python -m tests.benchmarks $(if $(ONLY),--only $(ONLY)) $(ARGS)

fmt:
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs:  ## rewrite what is generated from declarations
	PYTHONPATH=. $(BIN)/python scripts/docs.py

lock:  ## rewrite the lock files from pyproject.toml; ARGS=--upgrade takes newer versions
	$(BIN)/python scripts/lock.py $(ARGS)

wheel: set-up-test  ## the wheel, with page, rules, prompts and migrations, in dist/
	rm -rf build/lib build/bdist.*
	$(BIN)/python -m build --wheel --no-isolation

clean:
	rm -rf build dist frontend/dist frontend/node_modules .venv *.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

set-up-up:
	@$(SET_UP) up

set-up-test:
	@$(SET_UP) test
