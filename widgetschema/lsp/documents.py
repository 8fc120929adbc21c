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
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple

import orjson

from widgetschema.cached import cached_property
from widgetschema.formats.model import Format
from widgetschema.formats.parsing import Recovered, recover_value
from widgetschema.formats.schema_comments import schema_comment
from widgetschema.jsontext import Element
from widgetschema.jsontext.recovery import recover, recovered_value
from widgetschema.jsontext.tree import scanned
from widgetschema.project.inputs.formats import format_of_file, has_lines

Encoding = Literal["utf-8", "utf-16", "utf-32"]

UNTITLED: Final = "-"  # the file of a document that is not saved: like standard input, it has none
# The ids of languages that are checked, each with a suffix of its files.
LANGUAGES: Final = {
    "json": ".json",
    "jsonl": ".jsonl",
    "ndjson": ".ndjson",
    "jsonc": ".jsonc",
    "json5": ".json5",
    "yaml": ".yaml",
}
_MOST_CHARACTERS: Final = 250_000
_LINE_END: Final = re.compile(r"\r\n?|\n")
_LINE_FEED: Final = re.compile(r"\n")
_YAML_MARK: Final = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
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


class Lines(NamedTuple):
    """The offsets at which the lines of a text start.

    What is typed within a line shifts all lines behind it: `shift` is added to those behind `line`,
    so that a key costs nothing, however many lines there are.
    """

    starts: list[int]
    line: int = 0
    shift: int = 0

    def start(self, line: int) -> int:
        """Return the offset at which a line starts."""
        return self.starts[line] + (self.shift if line > self.line else 0)

    def at(self, offset: int) -> int:
        """Return the line of an offset."""
        behind = self.line + 1
        if behind < len(self.starts) and offset >= self.starts[behind] + self.shift:
            return bisect_right(self.starts, offset - self.shift, behind) - 1
        return bisect_right(self.starts, offset, 0, behind) - 1

    def shifted(self, line: int, by: int) -> Lines:
        """Return the lines after so many characters were typed in one, fewer than 0 if removed."""
        if line == self.line or not self.shift:
            return Lines(self.starts, line, self.shift + by)
        behind = self.line + 1
        moved = [start + self.shift for start in self.starts[behind:]]
        return Lines([*self.starts[:behind], *moved], line, by)


@dataclass(frozen=True, eq=False)
class Part:
    """One of the values of a document: a line, a document of a YAML stream, else the whole text.

    `text` begins at the offset `start`. The offsets in `root` count from there.
    """

    start: int
    text: str
    format: Format

    @cached_property
    def _parsed(self) -> tuple[Any] | None:
        """The value of a JSON text, None if it is none: without a diagnosis, which takes long."""
        try:
            return (orjson.loads(self.text.encode("utf-8", "surrogatepass")),)
        except orjson.JSONDecodeError:
            return None

    @property
    def is_large(self) -> bool:
        """True if reading the text takes so long that only its findings are shown."""
        return self.format != "json" and len(self.text) > _MOST_CHARACTERS

    @cached_property
    def _recovered(self) -> Recovered:
        return recover_value(self.text, self.format)

    @cached_property
    def root(self) -> Element:
        """The tree of the text, recovered if it cannot be read at the moment."""
        if self.format != "json":
            return self._recovered.root
        return recover(self.text).root if self._parsed is None else scanned(self.text)

    @cached_property
    def value(self) -> Any:
        """The value of the text, as far as it can be read; large integers are floats."""
        if self.format != "json":
            return self._recovered.value
        return recovered_value(self.root) if self._parsed is None else self._parsed[0]


@dataclass(frozen=True, eq=False)
class Document:
    """A version of an open file.

    `path` is that of the file on this machine, None if there is none. `encoding` is the one that
    positions count in, `language` the id that the editor has for the text. `known_lines` are those
    of the text, if they are known already.
    """

    uri: str
    path: str | None
    version: int
    text: str
    encoding: Encoding = "utf-16"
    language: str = "json"
    known_lines: Lines | None = field(default=None, repr=False)

    @property
    def file(self) -> str:
        """The name of the file for the checker."""
        return UNTITLED if self.path is None else self.path

    @property
    def name(self) -> str:
        """A name that says in which format the text is: without a file, the language does."""
        return self.file + LANGUAGES.get(self.language, "") if self.path is None else self.path

    @property
    def folder(self) -> str | None:
        """The folder of the file, None if there is none."""
        return None if self.path is None else os.path.dirname(self.path)

    @cached_property
    def raw(self) -> bytes:
        """The text as the file has it when it is saved; what is no text is no UTF-8."""
        return self.text.encode("utf-8", "surrogatepass")

    @property
    def format(self) -> Format:
        """The format of the text."""
        return format_of_file(self.name)

    @property
    def schema(self) -> str | None:
        """The address of a schema that a comment names before the first value."""
        return schema_comment(self.text) if self.format == "yaml" else None

    @cached_property
    def has_lines(self) -> bool:
        """True if each line is a JSON text."""
        return has_lines(self.name, self.raw)

    def part_at(self, offset: int) -> Part:
        """Return the part that an offset is in."""
        start, end = 0, len(self.text)
        if self.has_lines:
            start = self.text.rfind("\n", 0, offset) + 1
            end = self.text.find("\n", offset)
            end = len(self.text) if end < 0 else end
        elif self.format == "yaml":
            index = bisect_right(self._marks, offset)
            start = self._marks[index - 1] if index else 0
            end = self._marks[index] if index < len(self._marks) else end
        return self._part(start, end)

    def _part(self, start: int, end: int) -> Part:
        """Return a part; one that was asked for before is the same, since reading it takes long."""
        part = self._parts.get(start)
        if part is None:
            part = self._parts[start] = Part(start, self.text[start:end], self.format)
        return part

    @cached_property
    def _parts(self) -> dict[int, Part]:
        return {}

    @cached_property
    def _marks(self) -> list[int]:
        """The offsets at which documents of a YAML stream begin; the first may begin before."""
        return [match.start() for match in _YAML_MARK.finditer(self.text)]

    def changed(self, version: int, changes: Iterable[Change]) -> Document:
        """Return the document after some edits, each of which is about the text after the last."""
        document = self
        for change in changes:
            document = document._changed(change)
        return replace(document, version=version)

    def _changed(self, change: Change) -> Document:
        text, start, end = change
        if start is None or end is None:
            return replace(self, text=_joined(text), known_lines=None)
        begin, stop = sorted((self.offset(start), self.offset(end)))
        whole = self.text[:begin] + text + self.text[stop:]
        joined = whole
        if _SURROGATE.search(whole, max(begin - 1, 0), begin + len(text) + 1):
            joined = _joined(whole)
        line, lines = self._lines.at(begin), None
        is_within = line == self._lines.at(stop) and "\n" not in text and "\r" not in whole
        if is_within and joined == whole:
            lines = self._lines.shifted(line, len(text) - (stop - begin))
        return replace(self, text=joined, known_lines=lines)

    def offset(self, position: Position) -> int:
        """Return the offset of a position; one behind the end of a line is its end."""
        line, character = position
        if line >= len(self._lines.starts):
            return len(self.text)
        start = self._lines.start(line)
        content = self.text[start : self.line_end(start)]
        return start + _characters(content, character, self.encoding)

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        line = self._lines.at(offset)
        before = self.text[self._lines.start(line) : offset]
        return Position(line, _units(before, self.encoding))

    def offset_at(self, line: int, column: int) -> int:
        """Return the offset of a line and a column of a finding: both from 1, in characters."""
        line = min(line, len(self._line_feeds.starts))
        return min(self._line_feeds.start(line - 1) + column - 1, len(self.text))

    def line_end(self, offset: int) -> int:
        """Return the offset of the end of the line of an offset."""
        line = self._lines.at(offset) + 1
        if line == len(self._lines.starts):
            return len(self.text)
        end = self._lines.start(line)
        return end - (2 if self.text.endswith("\r\n", 0, end) else 1)

    @cached_property
    def _lines(self) -> Lines:
        if self.known_lines is not None:
            return self.known_lines
        if "\r" not in self.text:
            return self._line_feeds
        return Lines([0, *(match.end() for match in _LINE_END.finditer(self.text))])

    @cached_property
    def _line_feeds(self) -> Lines:
        """The lines of findings, which end with a line feed alone."""
        if self.known_lines is not None:
            return self.known_lines
        return Lines([0, *(match.end() for match in _LINE_FEED.finditer(self.text))])


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
    """Return the characters in some units; a position within a character is its beginning."""
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
