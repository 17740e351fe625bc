.PHONY: lint types test
BIN := .venv/bin

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types:
	$(BIN)/mypy
	$(BIN)/basedpyright

test:
	$(BIN)/pytest
