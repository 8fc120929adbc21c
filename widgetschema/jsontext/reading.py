"""Bytes or text to a value, strictly (RFC 8259, and RFC 7493 where it leaves a choice).

The happy path is one fast parser and a few searches that prove that it lost nothing;
everything else goes to `diagnosis`, which says what is wrong, where.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable
from functools import lru_cache
from typing import Any, Final, NoReturn

import orjson

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.jsontext.limits import DEFAULT_LIMITS, Limits
from widgetschema.jsontext.values import BEYOND_DOUBLES, Guard, awaitable_message, plain_copy

_DIGITS_TO_ZERO: Final = bytes(0x30 if 0x30 <= code <= 0x39 else code for code in range(256))


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
        f"not {type(value).__name__}; to check a Python value, call check()"
    )


def read(raw: Text, limits: Limits = DEFAULT_LIMITS, subject: str = "document") -> Any:
    """Return the value of a JSON text.

    Refused, beyond what RFC 8259 calls an error: a byte order mark, duplicate member
    names, NaN and Infinity, numbers outside the range of a double (integers, too), unpaired
    surrogates, and anything over `limits`. Integers keep all their digits.

    Raises `UnreadableDocument`, whose report (about `subject`) has line and column, and
    `TypeError` for what is no text.
    """
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
        if _kept_everything(data, value, limits):
            return value
    try:
        value = json.loads(data.decode(), object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        _refuse(raw, limits, subject)
    if plain_copy(value, limits.max_depth)[1]:
        _refuse(raw, limits, subject)
    return value


def skim(data: bytes) -> Any:
    """Return about what a JSON text says, three times as fast as `read`.

    Of duplicate members it has the last, and integers of more than 64 bits are floats: for a first
    look at a text that is read or validated all the same. Raises `ValueError`.
    """
    return orjson.loads(data)


def _kept_everything(data: bytes, value: Any, limits: Limits) -> bool:
    """Return whether the fast parser's `value` says all that the text says.

    It keeps the last of duplicate members: then the value has fewer colons than the
    text (an escaped colon could hide that, so it is not accepted). It turns integers
    of more than 64 bits to floats: those have 20 digits, or 19 and a minus. A text that is
    what the value is written as has all of it.
    """
    guard = _guard(limits.max_depth)
    encoded = guard.rewritten(value, data)
    if encoded is None:
        return False
    if guard.is_text(encoded, data):
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
