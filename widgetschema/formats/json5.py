"""JSON5 and JSONC, by translation to JSON.

The translation replaces single tokens: comments and commas at the end become spaces, names get
quotes, numbers are written as JSON writes them. Everything else is unchanged, so JSON's readers,
diagnosis and search for places serve these formats, too. Only offsets are translated back.

JSONC is JSON with comments and trailing commas; JSON5 follows its specification 1.0.0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.formats.model import Parsed, most_values
from widgetschema.jsontext import DEFAULT_LIMITS, Element, Limits, Location, SourceText, dump, read
from widgetschema.jsontext.diagnosis import NUMBER_HINT
from widgetschema.jsontext.recovery import moved, recover, recovered_value
from widgetschema.jsontext.tokens import STRING
from widgetschema.schema.keywords import texts

_SPACE: Final = r"(?P<space>[ \t\n\r]++)"
_MORE_SPACE: Final = (
    r"(?P<space>[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]++)"
)
_COMMENT: Final = r"(?P<comment>//[^\n\r\u2028\u2029]*|/\*(?s:.*?)\*/)"
_OPEN_COMMENT: Final = r"(?P<open_comment>/\*)"
_JSON_STRING: Final = rf"(?P<string>{STRING.pattern})"
_STRING: Final = (
    r"(?P<string>\"(?:[^\"\\\n\r]|\\(?:\r\n|[\s\S]))*+\"|'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*+')"
)
_NUMBER: Final = (
    r"(?P<number>[+-]?(?:0[xX][0-9a-fA-F]++|(?:(?:0|[1-9][0-9]*+)(?:\.[0-9]*+)?|\.[0-9]++)"
    r"(?:[eE][+-]?[0-9]++)?)(?![\w$.+-]))"
)
_NAME: Final = (
    r"(?P<name>(?:[^\W\d]|[$]|\\u[0-9a-fA-F]{4})(?:[\w$\u200c\u200d]|\\u[0-9a-fA-F]{4})*)"
)
_MARK: Final = r"(?P<mark>[{}\[\]:,])"
_OTHER: Final = r"(?P<other>[\w$.+-]++|[\s\S])"

_JSONC_TOKEN: Final = re.compile(
    "|".join((_SPACE, _COMMENT, _OPEN_COMMENT, _JSON_STRING, _MARK, _OTHER))
)
_JSON5_TOKEN: Final = re.compile(
    "|".join((_MORE_SPACE, _COMMENT, _OPEN_COMMENT, _STRING, _NUMBER, _NAME, _MARK, _OTHER))
)
_NOT_BREAK: Final = re.compile(r"[^\n\r]")
_BLANK: Final = re.compile(r"[^\n\r\t ]")
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<x>x[0-9a-fA-F]{2})|(?P<u>u[0-9a-fA-F]{4})|(?P<gone>\r\n|[\n\r\u2028\u2029])"
    r"|(?P<zero>0(?![0-9]))|(?P<other>[^0-9xu]))"
)
_ESCAPES: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")


class _Change(NamedTuple):
    """A token from `start` to `end` that is `text` in the translation."""

    start: int
    end: int
    text: str


def parse_json5(text: str, limits: Limits, subject: str, *, extended: bool) -> Parsed:
    """Return the value of a text in JSON5, or else in JSONC. Raises `UnreadableDocument`."""
    most = most_values(limits)
    changes, fault = _translated(text, extended, most)
    source = Json5Text(text, changes, extended=extended)
    if fault is not None:
        offset, id = fault
        [(line, column)] = source.positions([offset])
        code, values = (
            ("json.size", {"number": most}) if id == "json5.size" else ("json.syntax", {})
        )
        finding = Finding(code, "", "", texts()[id](**values), None, line, column)
        raise UnreadableDocument(Report((finding,), subject))
    try:
        value = read(source.translation, limits, subject)
    except UnreadableDocument as error:
        raise UnreadableDocument(Report(source.placed_back(error.report), subject)) from None
    return Parsed(value, source)


def recover_json5(text: str, *, extended: bool) -> tuple[Element, Any]:
    """Return the value of a text that need not be JSON5 or JSONC, with places, and as a value."""
    changes, _ = _translated(text, extended, most_values(DEFAULT_LIMITS))
    source = Json5Text(text, changes, extended=extended)
    root = recover(source.translation, DEFAULT_LIMITS).root
    return moved(root, text, source.offset_before), recovered_value(root)


def _translated(
    text: str, extended: bool, most: int
) -> tuple[list[_Change], tuple[int, str] | None]:
    """Return the changed tokens; and the offset and the message id of the first invalid token.

    Nothing is translated after an invalid token, or after `most` changes, each of which takes much
    more than its text.
    """
    changes: list[_Change] = []

    def change(start: int, end: int, new: str) -> None:
        if text[start:end] != new:
            changes.append(_Change(start, end, new))

    comma: int | None = None  # the offset of a comma that may be a trailing one
    fault: tuple[int, str] | None = None
    before = ""  # the last token that is neither space nor comment
    around: list[str] = []  # the opening brackets
    token = _JSON5_TOKEN if extended else _JSONC_TOKEN
    for match in token.finditer(text):
        kind, raw = match.lastgroup, match.group()
        if len(changes) > most:
            fault = match.start(), "json5.size"
            break
        if kind == "space":
            if _BLANK.search(raw):
                change(*match.span(), _BLANK.sub(" ", raw))
            continue
        if kind == "comment":
            change(*match.span(), _NOT_BREAK.sub(" ", raw))
            continue
        if kind == "open_comment":
            fault = match.start(), "json5.comment"
            break
        if comma is not None:
            if raw in ("}", "]"):
                change(comma, comma + 1, " ")
            comma = None
        if kind == "mark":
            if raw in "{[":
                around.append(raw)
            elif raw in "}]" and around:
                around.pop()
            if raw == "," and before not in ("", "{", "[", ",", ":"):
                comma = match.start()
        elif kind == "string" and extended and not STRING.fullmatch(raw):
            value = _unescaped(raw[1:-1])
            if value is None:
                fault = match.start(), "json5.escape"
                break
            change(*match.span(), dump(value, indent=False))
        elif kind == "number":
            change(*match.span(), _number(raw))
        elif kind == "name" and before in ("{", ",") and around[-1:] == ["{"]:
            change(*match.span(), dump(_unescaped(raw) or raw, indent=False))
        elif kind == "other" and raw == "'" and extended:
            fault = match.start(), "json5.quote"
            break
        elif raw == "#":
            fault = match.start(), "json5.hash"
            break
        before = raw
    changes.sort()
    return changes, fault


def _number(raw: str) -> str:
    """Return a number of JSON5 as JSON writes it."""
    sign, digits = ("-", raw[1:]) if raw[0] == "-" else ("", raw.removeprefix("+"))
    if digits[:2] in ("0x", "0X"):
        # In decimal, long integers take long: none of these is a double anyway.
        return f"{sign}{int(digits, 16)}" if len(digits) < 300 else f"{sign}1e999"
    if digits.startswith("."):
        digits = f"0{digits}"
    return sign + re.sub(r"\.(?![0-9])", "", digits)


def _unescaped(raw: str) -> str | None:
    """Return the text of the inside of a string; None if it has an invalid escape."""
    if "\\" not in raw:
        return raw
    parts, at = [], 0
    while (start := raw.find("\\", at)) >= 0:
        match = _ESCAPE.match(raw, start)
        if match is None:
            return None
        parts += [raw[at:start], _escaped_text(match)]
        at = match.end()
    text = "".join((*parts, raw[at:]))
    # Two escapes may be the halves of one character.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _escaped_text(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind in ("x", "u"):
        return chr(int(match.group()[2:], 16))
    if kind == "other":
        return _ESCAPES.get(match["other"], match["other"])
    return "\0" if kind == "zero" else ""


def single_quoted(text: str) -> str:
    """Return a JSON string in the quotes of JSON5."""
    inner = text[1:-1].replace('\\"', '"').replace("'", "\\'")
    return f"'{inner}'"


class Json5Text(SourceText):
    """A text in JSON5 or JSONC; `translation` is the JSON that it stands for."""

    def __init__(self, text: str, changes: list[_Change], *, extended: bool) -> None:
        super().__init__(text)
        self._extended = extended
        self._changes = changes
        self._starts: list[int] = []  # of the changes, in the translation
        parts, at, shift = [], 0, 0
        for change in changes:
            parts += [self.text[at : change.start], change.text]
            self._starts.append(change.start + shift)
            shift += len(change.text) - (change.end - change.start)
            at = change.end
        self.translation = "".join((*parts, self.text[at:]))

    def locate(self, pointers: Iterable[str]) -> dict[str, Location]:
        """Return the location of each pointer that exists in the text."""
        located = SourceText(self.translation).locate(pointers)
        return {pointer: self._located(place) for pointer, place in located.items()}

    def token(self, start: int, end: int, text: str) -> str | None:
        """Return the JSON `text` as this format writes it, with the quotes that the token has."""
        token = self.text[start:end]
        if "\n" in token or "\r" in token:
            return None
        if token[:1] == "'" and text[:1] == '"':
            return single_quoted(text)
        if token[:1] in ("'", '"'):
            return text
        is_name = self._extended and token[:1] not in "+-.0123456789{["
        if is_name and text[:1] == '"' and token not in ("true", "false", "null"):
            return text[1:-1] if _PLAIN_NAME.match(text[1:-1]) else text
        return None

    def placed_back(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return findings about the translation with their lines and columns in the text."""
        starts = [0, *(match.end() for match in re.finditer("\n", self.translation))]
        placed = []
        for finding in findings:
            at = starts[(finding.line or 1) - 1] + (finding.column or 1) - 1
            [(line, column)] = self.positions([self.offset_before(at)])
            hint = finding.hint
            if self._extended and hint == NUMBER_HINT:
                hint = None  # some of these numbers are numbers here
            placed.append(replace(finding, hint=hint, line=line, column=column))
        return tuple(placed)

    def is_within(self, offset: int) -> bool:
        """Return whether an offset in the translation is within a token that was translated."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and 0 < offset - self._starts[index] < len(self._changes[index].text)

    def has_comment(self, start: int, end: int) -> bool:
        """Return whether there is a comment between two offsets in the text."""
        return any(
            start < change.end and change.start < end
            for change in self._changes
            if self.text.startswith(("//", "/*"), change.start)
        )

    def offset_before(self, offset: int) -> int:
        """Return the offset in the text of the beginning or the end of a token."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        change, start = self._changes[index], self._starts[index]
        beyond = offset - start - len(change.text)
        if beyond >= 0:
            return change.end + beyond
        return change.start + min(offset - start, change.end - change.start - 1)

    def _located(self, place: Location) -> Location:
        start, end = self.offset_before(place.start), self.offset_before(place.end)
        if place.key_start is None or place.key_end is None:
            return Location(start, end)
        key_end = self.offset_before(place.key_end)
        return Location(start, end, self.offset_before(place.key_start), key_end)
