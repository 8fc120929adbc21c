"""Documents: the text of an open file as the editor has it, and the way to its positions and back.

Values that never change: an edit makes a new document. So work on one in another thread can go on
while somebody types, and whether its result is out of date is whether the document still is the
one that is open.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

import orjson

from widgetschema.jsontext import Tree
from widgetschema.jsontext.recovery import recover, recovered_value
from widgetschema.jsontext.tree import scanned

Encoding = Literal["utf-8", "utf-16", "utf-32"]

UNTITLED: Final = "-"  # the file of a document that is not saved: like standard input, it has none
_LINE_END: Final = re.compile(r"\r\n?|\n")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_UNITS: Final = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2)}


class Position(NamedTuple):
    """A position of the protocol: a line, and units of the encoding from its beginning."""

    line: int
    character: int


class Change(NamedTuple):
    """The text between two positions becomes `text`; all of it if there are none."""

    text: str
    start: Position | None = None
    end: Position | None = None


@dataclass(frozen=True, eq=False)
class Document:
    """A version of an open file.

    `path` is that of the file on this machine, None if there is none. `encoding` is the one that
    positions count in.
    """

    uri: str
    path: str | None
    version: int
    text: str
    encoding: Encoding = "utf-16"

    @property
    def file(self) -> str:
        """The name of the file for the checker."""
        return UNTITLED if self.path is None else self.path

    @property
    def folder(self) -> str | None:
        """The folder of the file, None if there is none."""
        return None if self.path is None else os.path.dirname(self.path)

    @cached_property
    def raw(self) -> bytes:
        """The text as the file has it when it is saved; what is no text is no UTF-8."""
        return self.text.encode("utf-8", "surrogatepass")

    @cached_property
    def _parsed(self) -> tuple[Any] | None:
        """The value of the text, None if it is not JSON: without a diagnosis, which takes long."""
        try:
            return (orjson.loads(self.raw),)
        except orjson.JSONDecodeError:
            return None

    @cached_property
    def tree(self) -> Tree:
        """The tree of the text, recovered if it is not JSON at the moment."""
        if self._parsed is None:
            return recover(self.text)
        return Tree(self.text, scanned(self.text))

    @cached_property
    def value(self) -> Any:
        """The value of the text, as far as it can be read; large integers are floats."""
        return recovered_value(self.tree.root) if self._parsed is None else self._parsed[0]

    def changed(self, version: int, changes: Iterable[Change]) -> Document:
        """Return the document after some edits, each of which is about the text after the last."""
        document = self
        for text, start, end in changes:
            if start is not None and end is not None:
                begin, stop = sorted((document.offset(start), document.offset(end)))
                text = document.text[:begin] + text + document.text[stop:]
            document = replace(self, version=version, text=_joined(text))
        return replace(document, version=version)

    def offset(self, position: Position) -> int:
        """Return the offset of a position; one behind the end of a line is its end."""
        line, character = position
        if line >= len(self._line_starts):
            return len(self.text)
        start = self._line_starts[line]
        content = self.text[start : self.line_end(start)]
        return start + _characters(content, character, self.encoding)

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        line = bisect_right(self._line_starts, offset) - 1
        before = self.text[self._line_starts[line] : offset]
        return Position(line, _units(before, self.encoding))

    def offset_at(self, line: int, column: int) -> int:
        """Return the offset of a line and a column of a finding: both from 1, in characters."""
        starts = self._line_feeds
        return min(starts[min(line, len(starts)) - 1] + column - 1, len(self.text))

    def line_end(self, offset: int) -> int:
        """Return the offset of the end of the line of an offset."""
        line = bisect_right(self._line_starts, offset)
        if line == len(self._line_starts):
            return len(self.text)
        end = self._line_starts[line]
        return end - (2 if self.text.endswith("\r\n", 0, end) else 1)

    @cached_property
    def _line_starts(self) -> list[int]:
        if "\r" not in self.text:
            return self._line_feeds
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    @cached_property
    def _line_feeds(self) -> list[int]:
        """Where the lines of findings start: they end with a line feed alone."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]


def _joined(text: str) -> str:
    """Return a text in which two halves of a character, typed one by one, are the character."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    codec, width = _UNITS[encoding]
    return len(text.encode(codec, "surrogatepass")) // width


def _characters(text: str, units: int, encoding: Encoding) -> int:
    """Return how many characters some units are; a position within a character is its beginning."""
    if encoding == "utf-32" or text.isascii():
        return min(units, len(text))
    codec, width = _UNITS[encoding]
    raw = text.encode(codec, "surrogatepass")
    end = min(units * width, len(raw))
    while 0 < end < len(raw) and _is_within(raw, end, encoding):
        end -= width
    return len(raw[:end].decode(codec, "surrogatepass"))


def _is_within(raw: bytes, at: int, encoding: Encoding) -> bool:
    """Return whether a character begins before an offset in an encoded text and ends behind it."""
    if encoding == "utf-8":
        return raw[at] & 0xC0 == 0x80
    return raw[at + 1] & 0xFC == 0xDC and raw[at - 1] & 0xFC == 0xD8
