"""Limits of the size of a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MOST_LEVELS: Final = 1_000
"""The highest limit on depth. The engine calls itself for each level of a value and each schema
there, and ends the process where its stack ends. By default, no schema leads it so far."""
MOST_FAULTS: Final = 1_000  # findings about a text that cannot be read, and warnings about one


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a document: `max_depth` in nested containers, `max_bytes` in bytes.

    Where Python's parser has a lower limit on depth (below 1,000 at the least), that holds.

    Raises:
        ValueError: `max_depth` is more than 1,000.
    """

    max_depth: int = 200
    max_bytes: int = 64 * 1024 * 1024

    def __post_init__(self) -> None:
        """Refuse a depth at which the engine may crash."""
        if self.max_depth > MOST_LEVELS:
            raise ValueError(f"max_depth must be at most {MOST_LEVELS:,}, not {self.max_depth:,}")


DEFAULT_LIMITS: Final = Limits()
