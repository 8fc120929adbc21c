"""The result of reading a text in any format: a value and its places."""

from __future__ import annotations

from typing import Any, NamedTuple

from widgetschema.findings import Finding
from widgetschema.jsontext import SourceText


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
