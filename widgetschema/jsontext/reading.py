"""Bytes or text to a value, strictly (RFC 8259, and RFC 7493 where it leaves a choice).

The happy path is one fast parser and a few searches that prove that it lost nothing;
everything else goes to `diagnosis`, which says what is wrong, where.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, Final, NoReturn

import orjson

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.jsontext.limits import DEFAULT_LIMITS, Limits
from widgetschema.jsontext.values import (
    BEYOND_DOUBLES,
    Guard,
    accepts_none,
    awaitable_message,
    plain_copy,
    shallow_text,
)

_DIGITS_TO_ZERO: Final = bytes(0x30 if 0x30 <= code <= 0x39 else code for code in range(256))
_WHITE_SPACE: Final = b" \t\n\r"
_BY_TWO: Final = orjson.OPT_INDENT_2
_INDENTED: Final = b'{\n  "'  # by two
_MANY_DIGITS: Final = b"0" * len(str(BEYOND_DOUBLES))
_STRETCH: Final = 30
_SOME_DIGITS: Final = b"0" * (len(_MANY_DIGITS) // _STRETCH)
_STEP: Final = 6  # of 19 digits in a row, at least three are met
_FEW_DIGITS: Final = b"0" * 3

Text = bytes | bytearray | memoryview | str


def json_text(raw: Text) -> bytes | str:
    """Return a JSON text as `bytes` or `str`.

    Raises `TypeError` for everything else: a list of numbers is a value, not the bytes of a text.
    """
    if isinstance(raw, (bytes, str)):
        return raw
    if isinstance(raw, (bytearray, memoryview)):
        return bytes(raw)
    raise TypeError(_not_text_message(raw))


def _not_text_message(value: object) -> str:
    if isinstance(value, Awaitable):
        return awaitable_message(value, "a JSON text")
    return (
        "a JSON text must be bytes, bytearray, memoryview or str, "
        f"not {type(value).__name__}; for a Python value, use the method without _json in its name"
    )


def read(raw: Text, limits: Limits = DEFAULT_LIMITS, subject: str = "document") -> Any:
    """Return the value of a JSON text.

    Refused, beyond what RFC 8259 calls an error: a byte order mark, duplicate member
    names, NaN and Infinity, numbers outside the range of a double (integers, too), unpaired
    surrogates, and anything over `limits`. Integers keep all their digits.

    Raises `UnreadableDocument`, whose report (about `subject`) has line and column, and
    `TypeError` for what is no text.
    """
    return read_and_decide(raw, accepts_none, limits, subject)[0]


def read_and_decide(
    raw: Text, accepts: Callable[[Any], bool], limits: Limits, subject: str
) -> tuple[Any, bool]:
    """Return the value of a JSON text as `read` does, and whether `accepts` has accepted it.

    `accepts` is asked about most values. It accepts none of more levels than the guard vouches for,
    so that nothing else has to count these.
    """
    if type(raw) is bytes:  # each call costs something here
        data = raw
    else:
        raw = json_text(raw)
        try:
            data = raw.encode() if isinstance(raw, str) else raw
        except UnicodeEncodeError:
            _refuse(raw, limits, subject)
    if len(data) > limits.max_bytes:
        _refuse(raw, limits, subject)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:  # it refuses integers of 309 digits, too
        pass
    else:
        if accepts(value):
            # A text that begins with another complete one has only white space behind it.
            if data.startswith(_INDENTED) and data.startswith(shallow_text(value, None, _BY_TWO)):
                return value, True
            if _says_all(data, shallow_text(value)):
                return value, True
        else:
            text = _guard(limits.max_depth).rewritten(value, data)
            if text is not None and _says_all(data, text):
                return value, False
    try:
        value = json.loads(data.decode(), object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        _refuse(raw, limits, subject)
    if plain_copy(value, limits.max_depth)[1]:
        _refuse(raw, limits, subject)
    return value, False


def skim(data: bytes) -> Any:
    """Return about what a JSON text says, three times as fast as `read`.

    Of duplicate members it has the last, and integers of more than 64 bits are floats: for a first
    look at a text that is read or validated all the same. Raises `ValueError`.
    """
    return orjson.loads(data)


def _says_all(data: bytes, encoded: bytes) -> bool:
    """Return whether `encoded`, the text of what the fast parser made of `data`, says all of it.

    The parser turns integers of more than 64 bits to floats, which are written otherwise, and keeps
    the last of duplicate members. A text of the same tokens has neither, whatever white space is
    between them. If it only spells the same values in other ways, it has as many colons (unless an
    escape hides one), and no 20 digits in a row, or 19 and a minus.
    """
    if data == encoded:
        return True
    if data.translate(None, _WHITE_SPACE) == encoded.replace(b" ", b""):  # also those in strings
        return True
    if data.count(b":") != encoded.count(b":") or has_escaped_colon(data):
        return False
    if _FEW_DIGITS not in data[::_STEP].translate(_DIGITS_TO_ZERO):
        return True
    digits = data.translate(_DIGITS_TO_ZERO)
    return b"0" * 20 not in digits and b"-" + b"0" * 19 not in digits


def has_escaped_colon(data: bytes) -> bool:
    """Return whether a text may have a colon as an escape, so that colons cannot be counted."""
    return b"\\" in data and (b"\\u003a" in data or b"\\u003A" in data)


def may_exceed_doubles(data: bytes) -> bool:
    """Return whether a text has as many digits in a row as the least integer beyond doubles.

    So many have some in each stretch of a few bytes: it is enough to look there, nearly always.
    """
    if _SOME_DIGITS not in data[::_STRETCH].translate(_DIGITS_TO_ZERO):
        return False
    return _MANY_DIGITS in data.translate(_DIGITS_TO_ZERO)


@lru_cache(maxsize=8)
def _guard(max_depth: int) -> Guard:
    return Guard(max_depth)


def _refuse(raw: bytes | str, limits: Limits, subject: str) -> NoReturn:
    from widgetschema.jsontext import diagnosis  # most runs refuse nothing

    findings = diagnosis.diagnose(raw, limits.max_depth, limits.max_bytes)
    if not findings:  # the parsers refuse what the diagnosis finds no fault with
        message = "the parser cannot read this: nested too deep"
        findings = (Finding("json.syntax", "", "", message, line=1, column=1),)
    raise UnreadableDocument(Report(findings, subject)) from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate member names")
    return members
