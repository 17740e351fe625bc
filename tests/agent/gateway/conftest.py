"""Logs as a house writes them, caught."""

import io
import logging
from collections.abc import Iterator

import pytest
import structlog

from config.logging import configure_logging


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    stream = io.StringIO()
    configure_logging(level="debug", json=True, stream=stream)
    yield stream
    structlog.reset_defaults()
    root.handlers[:], root.level = before
