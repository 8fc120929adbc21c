"""Format text for people: escape, shorten, count and join it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

_LEAST_SHARE: Final = 0.0001  # percent that are shown exactly


def printable(text: str) -> str:
    """Return `text` with `·` for each control character, and a space for a tab."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else " " if character == "\t" else "·"
        for character in text
    )


def escaped(text: str) -> str:
    """Return `text`, escaped as in a JSON string if it has invisible characters."""
    if text.isprintable():
        return text
    return "".join(map(_visible, json.dumps(text, ensure_ascii=False)[1:-1]))


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"


def shorten(text: str, limit: int, tail: int = 0) -> str:
    """Return at most `limit` characters of `text`, with `…` for the omitted part.

    The last `tail` characters are kept: the omitted part is before them.
    """
    if len(text) <= limit:
        return text
    return f"{text[: limit - tail - 1]}…{text[len(text) - tail :]}"


def one_line(text: str, limit: int) -> str:
    """Return at most `limit` printable characters of `text`, with single spaces between words."""
    return shorten(printable(" ".join(text.split())), limit)


def common_length(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return how many items two sequences, such as texts, have in common at their beginnings."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_ends(one: str, other: str) -> tuple[int, int]:
    """Return how much two texts have in common at their beginnings, and in the rest at its end."""
    start = common_length(one, other)
    return start, common_length(one[start:][::-1], other[start:][::-1])


def plural(number: int, noun: str) -> str:
    """Return the number with its noun: `1 finding`, `2,000 findings`."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def join(words: Sequence[str], last: str = "and") -> str:
    """Return the words as a list in a sentence: `a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def duration(seconds: float) -> str:
    """Return a length of time in its largest unit: `3 minutes`, `2 days`."""
    seconds = max(0.0, seconds)
    for unit, noun in ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= unit:
            return plural(int(seconds // unit), noun)
    return plural(int(seconds), "second")


def share(part: int, whole: int) -> str:
    """Return percent in a few digits: never 0 % for some, never 100 % for less than all."""
    if not whole or not part:
        return "0 %"
    if part >= whole:
        return "100 %"
    import math  # rarely needed

    percent = 100 * part / whole
    if percent < _LEAST_SHARE:
        return f"under {_LEAST_SHARE:f} %".replace("00 %", " %")
    if percent >= 10:
        return "over 99.9 %" if percent > 99.9 else f"{short_number(f'{percent:.1f}')} %"
    return f"{short_number(f'{percent:.{1 - math.floor(math.log10(percent))}f}')} %"


def short_number(number: str) -> str:
    """Return the decimal digits of a number without zeros at its end."""
    return number.rstrip("0").rstrip(".") if "." in number else number
