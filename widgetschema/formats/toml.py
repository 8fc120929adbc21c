"""Read the TOML of configuration files and UI descriptions: values, errors and positions.

The parser of the standard library does not tell where values are. A scan finds their positions in
a text that this parser has accepted: it goes to the values that are asked for, and skips the rest.
It is linear in the text, and never recurses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from widgetschema.jsontext import SourceText
from widgetschema.pointers import parse_pointer

_MOST_DEPTH: Final = 64
_BASIC: Final = r'"(?:[^"\\\n]++|\\.)*+"'
_LITERAL: Final = r"'[^'\n]*+'"
_PART: Final = rf"(?:[A-Za-z0-9_-]++|{_BASIC}|{_LITERAL})"  # of a key
_KEY: Final = re.compile(_PART)
_BLANK: Final = re.compile(r"[ \t]*+")
_SPACE: Final = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")  # comments are space, too
_STRING: Final = (
    r'"""(?:[^"\\]++|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']++|'(?!''))*'{3,5}"
    rf"|{_BASIC}|{_LITERAL}"
)
# Strings, or text between commas, brackets and comments: numbers, dates (with a space), words.
_SCALAR: Final = re.compile(rf"{_STRING}|[^\s,\[\]{{}}#]++(?: [0-9][^\s,\[\]{{}}#]*+)?", re.DOTALL)
_TO_BRACKET: Final = re.compile(rf"(?:[^\"'#\[\]{{}}]++|#[^\n]*+|{_STRING})*+[\[\]{{}}]", re.DOTALL)
# More dotted names than a person writes.
MOST_PARTS: Final = 64


class TomlError(Exception):
    """A text that is not TOML, or that cannot be read: `keyword` says why, `place` is its line.

    `place` is a line and a column from 1.
    """

    def __init__(
        self, keyword: str, message: str, hint: str | None, place: tuple[int, int]
    ) -> None:
        super().__init__(message)
        self.keyword = keyword
        self.message = message
        self.hint = hint
        self.place = place


def decode(raw: bytes) -> str:
    """Return the text of a file. Raise `TomlError` unless it is UTF-8 without a mark."""
    if raw.startswith(b"\xef\xbb\xbf"):
        hint = "save the file as UTF-8 without a byte order mark"
        raise TomlError("toml.encoding", "the file begins with a byte order mark", hint, (1, 1))
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        place = line_and_column(before, len(before))
        message = f"the byte 0x{raw[error.start]:02x} is not UTF-8"
    raise TomlError("toml.encoding", message, "save the file as UTF-8", place)


def parse(text: str) -> dict[str, Any]:
    """Return the table of a text. Raise `TomlError`."""
    import tomllib  # only where there is a file

    offset = long_key(text)
    if offset is not None:
        message = "this key has too many parts"
        raise TomlError("toml.depth", message, None, line_and_column(text, offset))
    try:
        return tomllib.loads(text)
    except RecursionError:
        place = line_and_column(text, deep_nesting(text, _MOST_DEPTH))
        message, hint, keyword = "this is nested too deeply", None, "toml.depth"
    except ValueError as error:  # its text may be long, and its frames hold the file
        message, place = _syntax_fault(error, text)
        hint, keyword = _syntax_hint(text, place[0]), "toml.syntax"
    raise TomlError(keyword, message, hint, place)


class Position(NamedTuple):
    """Line and column, from 1, columns in characters: of a value, and of its name.

    For a table, both are where its name is first written; for an item of an array, both are
    where it begins.
    """

    line: int
    column: int
    key_line: int
    key_column: int


def _syntax_fault(error: ValueError, text: str) -> tuple[str, tuple[int, int]]:
    """Return the message of the parser and its place; one without is about a number or the end."""
    message = str(error)
    match = re.search(r" \(at line ([0-9]+), column ([0-9]+)\)$", message)
    if match is not None:
        said = message[: match.start()]
        return f"not TOML: {said[:1].lower()}{said[1:]}", (int(match[1]), int(match[2]))
    if "(at end of document)" in message:
        said = message.partition(" (at")[0]
        end = len(text.rstrip())
        return f"not TOML: {said[:1].lower()}{said[1:]}, at the end", line_and_column(text, end)
    long = re.search(r"(?<![0-9_])[0-9_]{4000}", text)
    if long is not None:
        return "this integer has too many digits", line_and_column(text, long.start())
    return "not TOML", (1, 1)


def _syntax_hint(text: str, line: int) -> str | None:
    """Return the hint for the mistake that patterns invite: `widgets/*.json = …` without quotes."""
    found = text.split("\n")[line - 1 : line]
    key, equals, _ = found[0].partition("=") if found else ("", "", "")
    key = key.strip()
    if (
        equals
        and key[:1] not in ("", '"', "'", "[", "#")
        and re.search(r"[^\w.\s\"'-]", key, re.ASCII)
    ):
        return "quote a key that has other characters than letters, digits, _ and -"
    return None


class _Node:
    """A value that is asked for, or that contains one."""

    __slots__ = ("children", "count", "key", "value")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.key = self.value = -1  # offsets
        self.count = 0  # items so far, in an array of tables


def positions(text: str, pointers: Iterable[str], base: str = "") -> dict[str, Position]:
    """Return the positions of pointers (RFC 6901) below `base` in a text that is TOML.

    A missing value has the position of its nearest container; `""` is the beginning.
    """
    text = text.replace("\r\n", "\n")
    root = _Node()
    root.key = root.value = 0
    paths: dict[str, list[_Node]] = {}
    for pointer in pointers:
        paths[pointer] = path = [root]
        for token in parse_pointer(base + pointer):
            path.append(path[-1].children.setdefault(token, _Node()))
    _Scan(text, root).run()
    found = {
        pointer: next(node for node in reversed(path) if node.key >= 0)
        for pointer, path in paths.items()
    }
    offsets = sorted({at for node in found.values() for at in (node.key, node.value)})
    at = dict(zip(offsets, SourceText(text).positions(offsets), strict=True))
    return {pointer: Position(*at[one.value], *at[one.key]) for pointer, one in found.items()}


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def long_key(text: str) -> int | None:
    """Return the offset of a key with too many parts; None if there is none.

    Reading such a key takes memory that grows with the square of its parts. The same text in a
    string or a comment counts, too.
    """
    if text.count(".") < MOST_PARTS:
        return None
    # It begins only where a key can: else the search would take quadratic time.
    key = rf"(?:^|(?<=[\s\[{{,])){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}"
    match = re.search(key, text, re.MULTILINE)
    return None if match is None else match.start()


def deep_nesting(text: str, most: int) -> int:
    """Return the offset of the first bracket that is nested deeper than `most`, or 0."""
    depth = at = 0
    while match := _TO_BRACKET.match(text, at):
        at = match.end()
        depth += 1 if text[at - 1] in "[{" else -1
        if depth > most:
            return at - 1
    return 0


class _UnexpectedText(Exception):
    """The scan ends here, with what it found so far."""


class _Scan:
    """One walk through the text."""

    def __init__(self, text: str, root: _Node) -> None:
        self.text = text
        self.root = root
        self.table: _Node | None = root  # of the last header; None if it is not asked for

    def run(self) -> None:
        """Walk through the text."""
        at = 0
        try:
            while (at := self._end(_SPACE, at)) < len(self.text):
                at = self._header(at) if self.text[at] == "[" else self._pair(at, self.table)
        except _UnexpectedText:
            return

    def _header(self, at: int) -> int:
        """Skip the header `[table]` or `[[item]]`, and enter its table."""
        start = at
        is_item = self.text.startswith("[[", at)
        node, at = self._key(self._end(_BLANK, at + 1 + is_item), self.root)
        if node is not None and is_item:
            node.count += 1
            node = node.children.get(str(node.count - 1))
            if node is not None:
                node.key = node.value = start
        self.table = node
        return at + 1 + is_item

    def _pair(self, at: int, table: _Node | None) -> int:
        """Skip `key = value`."""
        node, at = self._key(at, table)
        at = self._end(_BLANK, at + 1)
        if node is not None:
            node.value = at
        return self._value(at, node)

    def _key(self, at: int, node: _Node | None) -> tuple[_Node | None, int]:
        """Skip a key below `node`, which may be dotted; return its node and its end."""
        while True:
            end = self._end(_KEY, at)
            if node is not None:
                if node.count:  # a header below an array of tables means its last one
                    node = node.children.get(str(node.count - 1))
                node = None if node is None else node.children.get(self._name(at, end))
            if node is not None and node.key < 0:
                node.key = node.value = at
            at = self._end(_BLANK, end)
            if self.text[at : at + 1] != ".":
                return node, at
            at = self._end(_BLANK, at + 1)

    def _name(self, at: int, end: int) -> str:
        raw = self.text[at:end]
        if raw[0] not in "\"'":
            return raw
        if raw[0] == '"' and "\\" in raw:
            import tomllib  # it has read the text: it is here already

            try:
                return str(tomllib.loads(f"name = {raw}")["name"])
            except ValueError:
                raise _UnexpectedText from None
        return raw[1:-1]

    def _value(self, at: int, node: _Node | None) -> int:
        """Skip a value with its contents; return its end."""
        # per open container: its node, whether it is a table, the index of the next item
        opened: list[tuple[_Node, bool, int]] = []
        at = self._enter(at, node, opened)
        while opened:
            container, is_table, index = opened[-1]
            at = self._end(_SPACE, at)
            if self.text[at : at + 1] == ",":
                at = self._end(_SPACE, at + 1)
            if self.text[at : at + 1] in ("]", "}"):
                opened.pop()
                at += 1
                continue
            if is_table:
                item, at = self._key(at, container)
                at = self._end(_SPACE, at + 1)
                if item is not None:
                    item.value = at
            else:
                opened[-1] = (container, False, index + 1)
                item = container.children.get(str(index))
                if item is not None:
                    item.key = item.value = at
            at = self._enter(at, item, opened)
        return at

    def _enter(self, at: int, node: _Node | None, opened: list[tuple[_Node, bool, int]]) -> int:
        """Skip the value at `at`, or open it if something in it is asked for."""
        character = self.text[at : at + 1]
        if character not in ("[", "{"):
            return self._end(_SCALAR, at)
        at += 1
        if node is not None and node.children:
            opened.append((node, character == "{", 0))
            return at
        depth = 1
        while depth:
            at = self._end(_TO_BRACKET, at)
            depth += 1 if self.text[at - 1] in "[{" else -1
        return at

    def _end(self, pattern: re.Pattern[str], at: int) -> int:
        match = pattern.match(self.text, at)
        if match is None:
            raise _UnexpectedText
        return match.end()
