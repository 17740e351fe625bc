"""What a permission may be tied to. A rule may name only what some code carries out."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CARRIED_OUT: Final[Mapping[str, str]] = MappingProxyType({})
"""Name in ``@obligation("…")`` to the ``module:function`` that carries it out."""
