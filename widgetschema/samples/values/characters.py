"""The characters that a regular expression's classes and properties allow, nicest first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

_NICE: Final = (
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "-_. !#$%&()*+,/:;=?@[]{}'\"<>\\^`|~éüßñøŁλЖא中あ한€…–😀"
)
_MIN_NICE: Final = 8  # with fewer nice characters than this, others are looked for
_MAX_CODE_POINT: Final = 0x10FFFF
_KNOWN_UNTIL: Final = 0x3200  # properties are known of the characters before this one
_MEMBER: Final = re.compile(
    r"(\\[pP]\{[^}]*\})|(\\x[0-9a-f]{2}|.)(?:-(\\x[0-9a-f]{2}|.))?", re.DOTALL
)
PROPERTY: Final = re.compile(r"\\[pP]\{[^}]*\}")
_PROPERTIES: Final = {
    "Letter": "L", "Alphabetic": "L", "Alpha": "L", "Lowercase_Letter": "Ll", "Lowercase": "Ll",
    "Uppercase_Letter": "Lu", "Uppercase": "Lu", "Titlecase_Letter": "Lt", "Mark": "M",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Number": "N", "Decimal_Number": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "Dash_Punctuation": "Pd",
    "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Separator": "Z",
    "Space_Separator": "Zs", "White_Space": "Z", "Other": "C", "Control": "Cc",
}  # fmt: skip
_Ranges = Sequence[tuple[int, int]]
_EMOJI: Final = ((0x1F300, 0x1F320), (0x1F600, 0x1F64F))  # some that all the properties have
_LIKE_EMOJI: Final = (  # all that have any of the properties, and what is between
    (0x23, 0x23), (0x2A, 0x2A), (0x30, 0x39), (0xA9, 0xA9), (0xAE, 0xAE), (0x200D, _MAX_CODE_POINT),
)  # fmt: skip
_EMOJI_NAMES: Final = frozenset(
    "Emoji Emoji_Presentation EPres Extended_Pictographic ExtPict".split()
)


@lru_cache(maxsize=4096)
def ranges_of(members: str, negated: bool) -> tuple[tuple[int, int], ...] | None:
    """Return all characters that the inside of a bracket expression allows.

    None if it names a property: which characters have one is known only in part.
    """
    found = _MEMBER.findall(members)
    if any(known for known, _, _ in found):
        return None
    ranges = [(_code(first), _code(final or first)) for _, first, final in found]
    return tuple(_complement(ranges, _MAX_CODE_POINT) if negated else ranges)


@lru_cache(maxsize=4096)
def nicest_of(members: str, negated: bool) -> str:
    """Return characters that the inside of a bracket expression allows, nicest first."""
    ranges: list[tuple[int, int]] = []
    last = _MAX_CODE_POINT
    for known, first, final in _MEMBER.findall(members):
        if known:
            last = last if known[3:-1] in _EMOJI_NAMES else _KNOWN_UNTIL - 1
            ranges += property_ranges(known, negated)
        else:
            ranges.append((_code(first), _code(final or first)))
    return _nicest(_complement(ranges, last) if negated else ranges)


def _code(member: str) -> int:
    return int(member[2:], 16) if len(member) > 1 else ord(member)


def _complement(ranges: _Ranges, last: int) -> _Ranges:
    others = []
    at = 0
    for first, final in sorted(ranges):
        if first > at:
            others.append((at, first - 1))
        at = max(at, final + 1)
    return [*others, (at, last)] if at <= last else others


def _nicest(ranges: _Ranges) -> str:
    """Return some characters of the ranges; invisible ones only if there are no others."""
    nice = [one for one in _NICE if any(first <= ord(one) <= last for first, last in ranges)]
    if len(nice) >= _MIN_NICE:
        return "".join(nice)
    others = []
    for first, last in ranges[:64]:
        spread = range(first, last + 1, 1 + (last - first) // _MIN_NICE)
        others += [chr(code) for code in (*spread, last) if not 0xD800 <= code < 0xE000]
    printable = nice + [one for one in others if unicodedata.category(one)[0] not in "CZ"]
    return "".join(dict.fromkeys(printable or others))


@lru_cache(maxsize=128)
def property_ranges(escape: str, rather_more: bool = False) -> _Ranges:
    """Return the characters that have a property, as far as they are sampled; unknown:
    letters.

    Of emoji only some are known for sure; `rather_more` is for what is to be left out.
    """
    key, _, value = escape[3:-1].rpartition("=")
    if value in _EMOJI_NAMES:
        other = escape[1] == "P"
        ranges = _EMOJI if rather_more == other else _LIKE_EMOJI
        return _complement(ranges, _MAX_CODE_POINT) if other else ranges
    if value in ("Any", "ASCII"):
        having = [(0, _MAX_CODE_POINT if value == "Any" else 127)]
    else:
        script = value.upper().replace("_", " ") + " " if key[:2].lower() == "sc" else ""
        category = _PROPERTIES.get(value, value)
        if category[0] not in "LMNPSZC" or len(category) > 2:
            category = "L"
        categories = ("Lu", "Ll", "Lo") if script else (category,)
        having = [
            (code, code)
            for code in range(_KNOWN_UNTIL)
            if unicodedata.category(chr(code)).startswith(categories)
            and (not script or unicodedata.name(chr(code), "").startswith(script))
        ]
    without = _complement(having, _KNOWN_UNTIL - 1)
    return without if escape[1] == "P" else _complement(without, _KNOWN_UNTIL - 1)
