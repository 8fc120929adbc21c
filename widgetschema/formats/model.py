"""The formats of texts, by the names of files, and the result of reading one, with its places."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from widgetschema.findings import Finding
from widgetschema.jsontext import Limits, SourceText

Format = Literal["json", "jsonc", "json5", "yaml"]

SUFFIXES: Final[dict[str, Format]] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json5": "json5",
    ".jsonc": "jsonc",
}

_BYTES_PER_VALUE: Final = 64
_LEAST_VALUES: Final = 1_000


def most_values(limits: Limits) -> int:
    """Return how many values a text may hold where each takes much more memory than its text."""
    return max(_LEAST_VALUES, limits.max_bytes // _BYTES_PER_VALUE)


def format_of(name: str) -> Format:
    """Return the format of a file, by its name in small letters."""
    return SUFFIXES.get(name[name.rfind(".") :], "json")


class Warned(NamedTuple):
    """A finding about the spelling of a value, and the offsets of what it is about."""

    finding: Finding
    start: int
    end: int


class Parsed(NamedTuple):
    """A value in a text, and the text, which knows its places.

    `warnings` do not keep the value from being read. `line` is where the value begins if the text
    has several. `schema` is the address of a schema that a comment names.
    """

    value: Any
    source: SourceText
    warnings: tuple[Warned, ...] = ()
    line: int | None = None
    schema: str | None = None
