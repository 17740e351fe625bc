"""The real local models."""

from tests.models import model_server, recogniser, synthesiser  # noqa: F401
