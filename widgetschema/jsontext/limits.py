"""Limits of the size of a document."""

from __future__ import annotations

from typing import Final, NamedTuple


class Limits(NamedTuple):
    """The limits of a document: `max_depth` in nested containers, `max_bytes` in bytes.

    Where Python's parser has a lower limit on depth (below 1,000 at the least), that holds.
    """

    max_depth: int = 200
    max_bytes: int = 64 * 1024 * 1024


DEFAULT_LIMITS: Final = Limits()
