"""The formats of texts, by the names of files, and the result of reading one, with its places."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from widgetschema.findings import Finding
from widgetschema.jsontext import SourceText

Format = Literal["json", "jsonc", "json5", "yaml"]

SUFFIXES: Final[dict[str, Format]] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json5": "json5",
    ".jsonc": "jsonc",
}


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
