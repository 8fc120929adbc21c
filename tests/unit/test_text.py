"""Text for people: what a terminal may get, lengths, counts and lists."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.text import (
    common_length,
    duration,
    escaped,
    join,
    one_line,
    plural,
    printable,
    share,
    shorten,
)


@pytest.mark.parametrize(
    ("text", "seen", "escapes"),
    [
        ("", "", ""),
        ("é ü – 😀", "é ü – 😀", "é ü – 😀"),
        ("a\tb", "a b", r"a\tb"),
        ("a\r\nb", "a··b", r"a\r\nb"),
        ("\x1b[31mred", "·[31mred", r"\u001b[31mred"),
        ("é\u202eabc", "é·abc", r"é\u202eabc"),
        ("\ud800", "·", r"\ud800"),
        ("\U000e0001", "·", r"\udb40\udc01"),
        ('"\\', '"\\', '"\\'),
        ('"\\\0', '"\\·', r"\"\\\u0000"),
    ],
)
def test_what_a_terminal_may_get(text: str, seen: str, escapes: str) -> None:
    assert printable(text) == seen
    assert escaped(text) == escapes


@given(st.text())
def test_escapes_are_those_of_json(text: str) -> None:
    assert printable(text).isprintable()
    assert escaped(text).isprintable()
    if not text.isprintable():
        assert json.loads(f'"{escaped(text)}"') == text


@pytest.mark.parametrize(
    ("limit", "tail", "short"),
    [(9, 0, "abcdefgh"), (8, 3, "abcdefgh"), (7, 0, "abcdef…"), (5, 2, "ab…gh"), (1, 0, "…")],
)
def test_shorten(limit: int, tail: int, short: str) -> None:
    assert shorten("abcdefgh", limit, tail) == short


@given(st.text(), st.integers(1, 20))
def test_one_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert line.isprintable()
    assert "  " not in line


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files"), (12_000, "12,000 files")]
)
def test_plural(number: int, text: str) -> None:
    assert plural(number, "file") == text


@pytest.mark.parametrize(
    ("words", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_join(words: list[str], text: str) -> None:
    assert join(words) == text
    assert join(words, last="or") == text.replace("and", "or")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-3, "0 seconds"),
        (1.9, "1 second"),
        (119, "1 minute"),
        (7_200, "2 hours"),
        (200_000, "2 days"),
    ],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@given(st.binary(), st.binary(), st.binary())
def test_the_length_that_two_texts_have_in_common(both: bytes, one: bytes, other: bytes) -> None:
    length = common_length(both + one, both + other)
    assert length >= len(both)
    assert (both + one)[:length] == (both + other)[:length]
    rest, other_rest = (both + one)[length:], (both + other)[length:]
    assert not rest or not other_rest or rest[0] != other_rest[0]


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [
        (0, 5, "0 %"),
        (0, 0, "0 %"),
        (5, 5, "100 %"),
        (1, 3, "33.3 %"),
        (1, 10, "10 %"),
        (999, 1_000, "99.9 %"),
        (9_999, 10_000, "over 99.9 %"),
        (1, 300, "0.33 %"),
        (1, 1_000_000, "0.0001 %"),
        (1, 1_000_001, "under 0.0001 %"),
    ],
)
def test_a_share_is_never_none_of_some_nor_all_of_less(part: int, whole: int, shown: str) -> None:
    assert share(part, whole) == shown
