"""Reasons why a text is not (strict) JSON, with line, column and, where certain, a hint.

It goes from token to token, because parsers stop at the first fault and many faults (duplicate
members, a number out of range) are none to them. It never builds values, never recurses,
and runs only on text that was refused.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from typing import Any, Final, NoReturn

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Fix, Report
from widgetschema.jsontext.limits import MOST_FAULTS
from widgetschema.jsontext.tokens import LITERAL, NUMBER, SPACE, STRING, string_value
from widgetschema.jsontext.values import (
    depth_message,
    number_message,
    preview,
    surrogate_message,
)
from widgetschema.pointers import indices_of, pointer_of
from widgetschema.text import escaped, shorten

_WORD: Final = re.compile(r"[\w$+.-]++")
_STRING_PART: Final = re.compile(r'[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_PYTHON: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
NUMBER_HINT: Final = "a number is written like 0.5, -1 or 1e3 (no leading zero, no +, no hex)"
_OTHER_QUOTES: Final = {"'": "single quotes", "`": "backquotes"}
_TYPOGRAPHIC: Final = re.compile("[\u2018-\u201f\u2039\u203a\u00ab\u00b4\u00bb\uff02\uff07]")
_OTHER_SPACE: Final = re.compile(r"[^\S \t\n\r\x00-\x1f]|[\u200b\u2060\ufeff]")
_BOM: Final = "\ufeff"
_REMOVE: Final = Fix("character", "")
_CONFLICT: Final = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|\Z)")
_COMMENT: Final = ("//", "/*", "#")
# A key and its colon, an item or a marker of YAML, perhaps behind comments.
_YAML: Final = re.compile(r"(?:#[^\n]*\n\s*)*([^\W\d][\w .-]*:\s|-\s|---\s|%YAML\s)")

_MARKUP: Final = re.compile(r"<(?:!doctype\b|html\b|\?xml\b|!--)", re.IGNORECASE)
_SCRIPT: Final = re.compile(
    r"(?:export\s+default|module\.exports\s*=|(?:const|let|var)\s+\w+\s*=)\s"
)


class _Stop(Exception):
    """A fault after which the rest of the text cannot be read."""


def diagnose(
    raw: bytes | str, max_depth: int, max_bytes: int, *, any_number: bool = False
) -> tuple[Finding, ...]:
    """Return the findings about a text that cannot be read, in its order (at most 1,000).

    `any_number`: a number may be as large as it likes, for it is kept as it is written.
    """
    try:
        text = text_of(raw, max_bytes, "")
    except UnreadableDocument as error:
        return error.report.findings
    scan = _Scanner(text, max_depth, any_number)
    with suppress(_Stop):
        scan.document()
    return tuple(scan.findings)


def text_of(raw: bytes | str, max_bytes: int, subject: str) -> str:
    """Return a text of UTF-8 that is not too large. Raises `UnreadableDocument`."""
    size = len(raw) if isinstance(raw, bytes) else len(raw.encode(errors="surrogatepass"))
    if size > max_bytes:
        message = f"the document has {size:,} bytes, more than the limit of {max_bytes:,}"
        finding = Finding("json.size", "", "", message, line=1, column=1, expected=max_bytes)
    elif isinstance(raw, str):
        return raw
    elif encoding := _other_encoding(raw):
        finding = _encoding(f"the text is encoded in {encoding}, not in UTF-8", 1, 1)
    else:
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            before = raw[: error.start].decode()
            line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
            message = f"the byte 0x{raw[error.start]:02x} is not valid UTF-8"
            finding = _encoding(message, line, column)
    raise UnreadableDocument(Report((finding,), subject))


def _other_encoding(raw: bytes) -> str | None:
    """Return the name of the encoding, if a text is certainly not encoded in UTF-8."""
    if raw.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "UTF-32"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    if raw[:4].count(0) == 3 and len(raw) % 4 == 0:
        return "UTF-32"
    return "UTF-16" if raw[:2].count(0) == 1 and len(raw) % 2 == 0 else None


def _encoding(message: str, line: int, column: int) -> Finding:
    return Finding("json.encoding", "", "", message, "write it as UTF-8", line, column)


class _Scanner:
    """One pass over a text: a cursor, the open containers, and what was found."""

    def __init__(self, text: str, max_depth: int, any_number: bool) -> None:
        self.text = text
        self.max_depth = max_depth
        self.any_number = any_number
        self.findings: list[Finding] = []
        self.at = 0
        self.end = 0  # of the token before
        self.line = 1
        self.line_start = 0
        self.counted = 0
        # one entry per open container: [path, names seen or None, number of items]
        self.open: list[list[Any]] = []
        self.path: tuple[Any, ...] = ()

    def document(self) -> None:
        """Read the whole text."""
        if self.text.startswith(_BOM):
            message = "the text begins with a byte order mark, which JSON does not allow"
            self.add(
                "json.encoding",
                message,
                "write it as UTF-8, without a byte order mark",
                fix=_REMOVE,
            )
            self.at = 1
        self.space()
        if self.at == len(self.text):
            empty = "the text is empty" if not self.text else "the text holds only white space"
            self.stop("json.empty", f"{empty}, but must hold one JSON value")
        yaml = _YAML.match(self.text, self.at)
        if yaml:
            self.at = yaml.start(1)
            self.stop("json.syntax", "this looks like YAML, not JSON", "name it .yaml")
        if _MARKUP.match(self.text, self.at):
            page = "it may be a page that a server sent instead of the data"
            self.stop("json.syntax", "this looks like HTML or XML, not JSON", page)
        if _SCRIPT.match(self.text, self.at):
            self.stop("json.syntax", "this looks like JavaScript, not JSON", "keep only the value")
        self.value()
        while self.open:
            self.end = self.at
            self.space()
            self.member()
        self.space()
        self.path = ()
        if self.at < len(self.text):
            hint = "remove the semicolon" if self.text[self.at] == ";" else None
            if self.text[self.at] in "{[":
                before = self.text[: self.at]
                gap = before[len(before.rstrip(" \t\r\n")) :]
                if "\n" in gap:
                    hint = "one JSON value per line is NDJSON: name the file .ndjson"
                elif "\r" in gap:
                    hint = "a carriage return alone does not end a line: convert it to a line feed"
                else:
                    hint = "several values need a line each, or an array around them"
            self.stop("json.syntax", f"unexpected {self.here()} after the end of the value", hint)

    def member(self) -> None:
        """Take one step inside the innermost container: its end, or one more member or item."""
        path, names, number = self.open[-1]
        closing = "]" if names is None else "}"
        if self.at == len(self.text):
            what = "array" if names is None else "object"
            self.path = path
            self.stop("json.syntax", f"the text ends inside an {what}: {closing!r} is missing")
        if self.text[self.at] == closing:
            self.at += 1
            self.open.pop()
            return
        if number and not self.comma(closing):
            return
        self.open[-1][2] += 1
        if names is None:
            self.path = (path, number)
        else:
            self.name(path, names)
        self.value()

    def comma(self, closing: str) -> bool:
        """Read the comma before a member or an item; return whether there is one behind it."""
        self.path = self.open[-1][0]
        if self.text[self.at] != ",":
            self.no_comma(closing)
        comma = self.at
        self.at += 1
        self.space()
        if self.text[self.at : self.at + 1] != closing:
            return True
        message = f"a comma before {closing!r} is not allowed"
        self.add("json.syntax", message, "remove the comma", comma, _REMOVE)
        return False

    def no_comma(self, closing: str) -> NoReturn:
        """Report what stands in the place of a comma, or that the comma is missing."""
        hint: str | None = None
        follows_string = self.end == self.at and self.text[self.end - 1] == '"'
        if follows_string and (self.text[self.at] == '"' or _WORD.match(self.text, self.at)):
            hint = 'write \\" for a quotation mark inside a string'
        elif self.text[self.at] == ";":
            hint = "write a comma instead of the semicolon"
        elif self.begins_next(closing):
            what = "items" if closing == "]" else "members"
            self.at = self.end
            self.stop("json.syntax", f"a comma between two {what} is missing", "write one here")
        self.stop("json.syntax", f"expected ',' or {closing!r}, found {self.here()}", hint)

    def begins_next(self, closing: str) -> bool:
        """Return whether a member or an item begins at the cursor."""
        if self.text[self.at] == '"':
            return True
        is_value = NUMBER.match(self.text, self.at) or LITERAL.match(self.text, self.at)
        return closing == "]" and (self.text[self.at] in "{[" or is_value is not None)

    def name(self, path: tuple[Any, ...], names: set[str]) -> None:
        """Read a member name and its colon."""
        self.path = path
        start = self.at
        if self.text[start : start + 1] != '"':
            quotes = self.other_quotes()
            message = f"expected a member name, found {self.here()}"
            if quotes:
                message = f"a member name in {quotes} is not allowed"
            is_name = quotes or _WORD.match(self.text, start)
            hint = 'put member names in double quotes: "name"' if is_name else None
            self.stop("json.syntax", message, hint)
        name = self.string()
        self.path = (path, name)
        if name in names:
            hint = "keep one of them"
            self.add(
                "json.duplicate-member", f"the member {preview(name)} appears twice", hint, start
            )
        names.add(name)
        self.space()
        if self.text[self.at : self.at + 1] != ":":
            self.stop("json.syntax", f"expected ':' after the member name, found {self.here()}")
        self.at += 1
        self.space()

    def value(self) -> None:
        """Read a scalar, or open a container."""
        start = self.at
        character = self.text[start : start + 1]
        if character in ("{", "["):
            if len(self.open) >= self.max_depth:
                self.stop("json.depth", depth_message(self.max_depth))
            self.open.append([self.path, set() if character == "{" else None, 0])
            self.at += 1
            return
        if character == '"':
            self.string()
            return
        number = NUMBER.match(self.text, start)
        if number and not _WORD.match(self.text, number.end()):
            if not self.any_number:
                self.number(number.group())
            self.at = number.end()
            return
        literal = LITERAL.match(self.text, start)
        if literal:
            self.at = literal.end()
            return
        self.not_a_value()

    def number(self, text: str) -> None:
        """Report a number that is out of the range of doubles."""
        if math.isinf(float(text)):
            self.add("json.number", number_message(text))

    def not_a_value(self) -> None:
        """Report what stands in the place of a value; go on behind `NaN` and the like."""
        word = _WORD.match(self.text, self.at)
        text = word.group() if word else ""
        if text.lstrip("+-") in ("NaN", "Infinity", "nan", "inf"):
            self.add("json.number", f"JSON has no {text}", "use null, or leave it out")
            self.at += len(text)
            return
        message = f"expected a value, found {self.here()}"
        hint: str | None = None
        if text in _PYTHON:
            message, hint = f"JSON has no {text}", f"write {_PYTHON[text]}"
        elif text[:1].isdigit() or text[:1] in ("+", "-", "."):
            hint = NUMBER_HINT
        elif quotes := self.other_quotes():
            message = f"a string in {quotes} is not allowed"
            hint = 'strings are written in double quotes: "text"'
        elif text:
            hint = f'if this is text, write "{preview_text(text)}"'
        self.stop("json.syntax", message, hint)

    def string(self) -> str:
        """Read a string, and return its value."""
        match = STRING.match(self.text, self.at)
        if match is None:
            self.string_fault()
        start, body = self.at, match.group()[1:-1]
        self.at = match.end()
        text = string_value(self.text, start, self.at) if "\\" in body else body
        if not self.surrogates(body, start):  # two halves are a pair only if both are escaped
            self.surrogates(text, start)
        return text

    def surrogates(self, text: str, start: int) -> bool:
        """Report the first unpaired surrogate; return whether there is one."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            code = ord(text[error.start])
            hint = "write both halves of the pair, or remove it"
            self.add("json.surrogate", surrogate_message(code), hint, start)
            return True
        return False

    def string_fault(self) -> NoReturn:
        """Report why a string is not one."""
        at = self.at + 1
        while part := _STRING_PART.match(self.text, at):
            at = part.end()
        started, self.at = self.at, at
        if self.text[at:] in ("", "\\"):
            self.at = started
            self.stop("json.syntax", "the string that begins here has no closing quote")
        character = self.text[at]
        if character == "\\":
            message = f"{preview_text(self.text[at : at + 2])} is not an escape that JSON has"
            if self.text[at + 1] == "u":
                message = "\\u must be followed by four hexadecimal digits"
            hint = (
                'write \\\\ for a backslash; escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'
            )
            self.stop("json.syntax", message, hint)
        if character in "\n\r":
            self.at = started
            hint = "close the string, or write a line break as \\n"
            typographic = _TYPOGRAPHIC.search(self.text, started, at)
            if typographic:
                hint = f'close the string with ", not with {typographic[0]}'
            self.stop("json.syntax", "the string that begins here is not closed on its line", hint)
        hint = "write \\t" if character == "\t" else f"write \\u{ord(character):04x}"
        message = f"the control character U+{ord(character):04X} must be escaped in a string"
        self.stop("json.syntax", message, hint)

    def other_quotes(self) -> str | None:
        """Return the name of the quotes at the cursor, if they are none of JSON."""
        if _TYPOGRAPHIC.match(self.text, self.at):
            return "typographic quotes"
        return _OTHER_QUOTES.get(self.text[self.at : self.at + 1])

    def space(self) -> None:
        """Skip white space; what only looks like it cannot be read."""
        match = SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        if _OTHER_SPACE.match(self.text, self.at):
            message = f"the character U+{ord(self.text[self.at]):04X} is not white space in JSON"
            self.stop("json.syntax", message, "replace it with a space, or remove it")

    def here(self) -> str:
        """Return the text at the cursor, for a sentence."""
        if self.at >= len(self.text):
            return "the end of the text"
        word = _WORD.match(self.text, self.at)
        shown = preview_text(word.group() if word else self.text[self.at])
        return f'"{shown}"' if shown == "'" else f"'{shown}'"

    def add(
        self,
        keyword: str,
        message: str,
        hint: str | None = None,
        at: int = -1,
        fix: Fix | None = None,
    ) -> None:
        """Report a finding, at the cursor or at an offset."""
        if len(self.findings) >= MOST_FAULTS:
            raise _Stop
        line, column = self.position(self.at if at < 0 else at)
        path = pointer_of(self.path).encode(errors="backslashreplace").decode()
        indices = indices_of(self.path)
        self.findings.append(
            Finding(keyword, path, "", message, hint, line, column, fix=fix, indices=indices)
        )

    def stop(self, keyword: str, message: str, hint: str | None = None) -> NoReturn:
        """Report a finding after which the rest cannot be read."""
        is_at_line_start = not self.at or self.text[self.at - 1] in "\n\r"
        if self.text.startswith(_COMMENT, self.at):
            message, hint = "JSON has no comments", "remove the comment"
        elif is_at_line_start and (marker := _CONFLICT.match(self.text, self.at)):
            message = f"there is a Git conflict marker, {marker.group()!r}"
            hint = "resolve the conflict: choose what to keep, and remove the lines of the markers"
        self.add(keyword, message, hint)
        raise _Stop

    def position(self, at: int) -> tuple[int, int]:
        """Return line and column of an offset, which never goes back."""
        newlines = self.text.count("\n", self.counted, at)
        if newlines:
            self.line += newlines
            self.line_start = self.text.rindex("\n", self.counted, at) + 1
        self.counted = max(at, self.counted)
        return self.line, at - self.line_start + 1


def preview_text(text: str) -> str:
    """Return raw text for a sentence: short, and with nothing in it that a terminal obeys."""
    return shorten(escaped(shorten(text, 40)), 40)
