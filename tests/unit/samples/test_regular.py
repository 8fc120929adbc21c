"""Texts for patterns: they match, they are as long as asked, and the simplest is the shortest."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import bounded
from tests.strategies import PATTERNS
from widgetschema import Validator
from widgetschema.samples.values import RandBelow
from widgetschema.samples.values.regular import TextPattern
from widgetschema.validation.patterns import PatternError

# pattern, the text of the simplest choices, shortest, longest
TEXTS: list[tuple[str, str, int, int | None]] = [
    (r"^\d{4}-\d{2}-\d{2}$", "0000-00-00", 10, 10),
    (r"^#([0-9a-f]{3}|[0-9a-f]{6})$", "#aaa", 4, 7),
    (r"^[a-z0-9]+(?:-[a-z0-9]+)*$", "a", 1, None),
    (r"^\d+(px|em|%)$", "0%", 2, None),
    (r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$", "a@a.aa", 6, None),
    (r"^[0-9a-f]{4}(-[0-9a-f]{2}){3}$", "aaaa-aa-aa-aa", 13, 13),
    (r"^[A-Z]{2}\d{2}(?:[ ]?[0-9A-Z]{4}){3,7}$", "AA00000000000000", 16, 39),
    (r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$", "0", 1, None),
    (r"^https?://[^\s/$.?#].[^\s]*$", "http://aa", 9, None),
    (r"\.(png|jpe?g|gif)$", ".png", 4, None),
    (r"^(true|false|yes|no)$", "no", 2, 5),
    (r"^(foo|a{20})$", "foo", 3, 20),
    (r"^(?:[^\"\\]|\\.)*$", "", 0, None),
    (r"^a\/b\-c_\.$", "a/b-c_.", 7, 7),
    (r"^a{,5}$", "a{,5}", 5, 5),
    (r"^]}$", "]}", 2, 2),
    (r"^a{2,3}?$", "aa", 2, 3),
    (r"^(?:a|b)*?$", "", 0, None),
    (r"^.+?,.*?$", "a,", 2, None),
    (r"^(a+)+$", "a", 1, None),
    (r"^(?:a?){30}$", "", 0, 30),
    (r"^(?:[a-z]{1,3}-){40}$", "a-" * 40, 80, 160),
    (r"^((a{0}){1000}){1000}b$", "b", 1, 1),
    (r"x{500}", "x" * 500, 500, None),
    # where a match may begin and end
    (r"foo", "foo", 3, None),
    (r"^foo", "foo", 3, None),
    (r"foo$", "foo", 3, None),
    (r"^$", "", 0, 0),
    (r"", "", 0, None),
    (r"a|b|", "", 0, None),
    (r"^a|b$", "a", 1, None),
    (r"(^foo$)|(^bar$)", "foo", 3, 3),
    (r"^(?:^a|b)$", "a", 1, 1),
    (r"a?^b", "b", 1, None),
    (r"[]|a", "a", 1, None),
    (r"^(?:[]b|c[]|d)$", "d", 1, 1),
    # characters
    (r"^[^]$", "a", 1, 1),
    (r"^.$", "a", 1, 1),
    (r"^.+\n.+$", "a\na", 3, None),
    (r"^[\s\S]*$", "", 0, None),
    (r"^\s$", " ", 1, 1),
    (r"^[^a-z]+$", "0", 1, None),
    (r"^[^a-z0-9A-Z]$", "-", 1, 1),
    (r"^[\W\D]$", "a", 1, 1),
    (r"^[\w-]+$", "a", 1, None),
    (r"^[\]\[^&]$", "&", 1, 1),
    (r"^[\x00-\x1f]+$", "\x00", 1, None),
    (r"^[^\x20-\uffff]$", "😀", 1, 1),
    (r"^[\u2000-\u200a]$", "\u2000", 1, 1),
    (r"^[一-龥]{2,4}$", "中中", 2, 4),
    (r"^[à-ö]+$", "é", 1, None),
    (r"^[😀-😂]$", "😀", 1, 1),
    ("^\\ud83d\\ude00$", "😀", 1, 1),
    (r"^[\ud7ff-\ue005]$", "\ud7ff", 1, 1),
    (r"^\u{1F600}\x41\cA\0$", "😀A\x01\x00", 4, 4),
    (r"^\p{Lu}\p{Ll}+$", "Aa", 2, None),
    (r"^\p{Uppercase_Letter}$", "A", 1, 1),
    (r"^\P{L}+$", "0", 1, None),
    (r"^[\p{L}\d_-]+$", "a", 1, None),
    (r"^[^\p{L}]$", "0", 1, 1),
    (r"^\p{General_Category=Nd}$", "0", 1, 1),
    (r"^\p{Script=Greek}{3}$", "λλλ", 3, 3),
    (r"^\P{ASCII}$", "é", 1, 1),
    (r"^\p{Any}$", "a", 1, 1),
    # what looks back, and around
    (r"(a)\1|b", "b", 1, None),
    (r"^(a+)-\1$", "a-a", 3, None),
    (r"^(?<y>\d{4})-\k<y>$", "0000-0000", 9, 9),
    (r"^((a|b)\2)+$", "aa", 2, None),
    (r"^(?:(a)|b)c\1$", "bc", 2, 3),
    (r"^(?:([])\1|b)$", "b", 1, 1),
    (r"([\"']).*?\1", "''", 2, None),
    (r"(?=a)", "a", 1, None),
    (r"foo(?=bar)", "foobar", 6, None),
    (r"foo(?!bar)", "foo", 3, None),
    (r"(?<=\$)\d+", "$0", 2, None),
    (r"(?<!a)b", "b", 1, None),
    (r"^(?!-)[a-z0-9-]{1,63}(?<!-)$", "a", 1, 63),
    (r"^(?!.*--)[a-z-]{3,}$", "aaa", 3, None),
    (r"^(?!foo|bar)[a-z]{3}$", "aaa", 3, 3),
    (r"^(?!\s*$).+", "a", 1, None),
    (r"^(?:(?!ab)[a-z]){5}$", "aaaaa", 5, 5),
    (r"^(?=.*[0-9])(?=.*[a-z]).{8,}$", "0aaaaaaa", 8, None),
    (r"^(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,20}$", "A0!aaaaa", 8, 20),
    (r"(?=.*[0-9])(?=.*[a-z]).{8,}", "0aaaaaaa", 8, None),
    (r"^(?=(?:.*\d){2})\w{4,}$", "00aa", 4, None),
    (r"^(?=.*\d$)[a-z0-9]{3}$", "aa0", 3, 3),
    (r"^(?=[A-Z]).{5}$", "Aaaaa", 5, 5),
    (r"^(?=.{8,20}$)[a-z]+(-[a-z]+)*$", "a-aaaaaa", 8, 20),
    (r"^(?=.*\d|.*-)(?=.*\p{Lu})[\w-]{4}$", "0Aaa", 4, 4),
    (r"^(?=.*\d)(\w+\s?)*$", "0", 1, None),
    (r"\bfoo\b", "foo", 3, None),
    (r"^\w+\b.*\b$", "a", 1, None),
]
# a pattern, how few and how many characters are asked for
LENGTHS: list[tuple[str, int, int | None]] = [
    (r"^[a-z]+-[0-9]{2,}$", 30, None),
    (r"^[a-z]+-[0-9]{2,}$", 30, 30),
    (r"^[a-z]*$", 3, 3),
    (r"^[a-z]*$", 0, 0),
    (r"^(abc)*$", 31, 40),
    (r"^(abc)+x?$", 10, 10),
    (r"^(a{2}|b{5}|c{9})$", 4, 6),
    (r"^(a{2}|b{5}|c{9})$", 6, None),
    (r"^(foo|[a-z]{10,})$", 4, 40),
    (r"^(?:[a-z]+-?)*$", 500, 520),
    (r"^(?:[a-z]{1,3}-){40}$", 120, 121),
    (r"^(?:(?:a{0,9}b){0,50}c)*$", 700, 710),
    (r"^(?:[ab]c?){500}$", 700, 700),
    (r"^(?:a+b){500}$", 1700, 1700),
    (r"^((((((a+)+)+)+)+)+)+$", 100, 100),
    (r"^(a+)-\1$", 31, 40),
    (r"^(a+)\1\1\1$", 30, 40),
    (r"^(?=.*[0-9])(?=.*[a-z]).{8,}$", 30, 30),
    (r"^(?=.*[0-9])[a-z0-9]+$", 40, None),
    (r"foo", 10, 10),
    (r"^foo", 10, 10),
    (r"foo$", 10, 12),
    (r"^ab$|c", 5, 5),
    (r"^a|b$", 3, 3),
    (r"\bfoo\b", 12, 12),
    (r"a\b", 2, 9),
    (r"^\w+\b.*\b$", 50, 60),
]
IMPOSSIBLE = [
    r"(?!)",
    r"a^",
    r"$a",
    r"[]",
    r"a[]|[]b",
    r"[]+",
    r"(?=[])a",
    r"^\b$",
    r"^(?!a)a$",
    r"(?!a*)(?!)b",
    r"^(?=.*\d)[a-z]+$",
    r"^(?=.*\d)(a+)+$",
    r"^(?=abc)..$",
    "\\ud83d",
    "[\ud800-\udbff]",
]
HOSTILE = {
    "nested, twice each": "(" * 16 + "a?" + "){2}" * 16,
    "nested, any number": "^" + "(" * 90 + "a|b" + ")*" * 90 + "$",
    "nested, one or more": "(" * 99 + "a" + ")+" * 99,
    "nothing, often": "^" + "(" * 50 + "a{0}" + "){100000}" * 50 + "$",
    "large parts, repeated": "(?:((ab?){200}){200})+",
    "a text that doubles": "(a)" + "".join(rf"(\{i}\{i})" for i in range(1, 60)),
    "many alternatives": "^((" + "|".join(f"w{i}" for i in range(9_000)) + ")*)*$",
    "many optional parts": "^" + "a?" * 5_000 + "$",
    "many lookaheads": "^" + "(?=.*a)" * 300 + ".*$",
    "nested lookaheads": "(?=a" * 99 + ")" * 99,
    "backtracking": "^(?=.*!)(a+)+$",
    "backtracking in many places": "^(?!b)" + "[a-z]*" * 30 + "(?<!a)(?<!b)1$",
    "backtracking in alternatives": "^(?!b)(?:a|a|a|a)*b?(?<!b)$",
    "unbounded many times": ".*" * 50 + "(?=x)y",
}


@cache
def validator(pattern: str) -> Validator:
    return Validator({"type": "string", "pattern": pattern})


def simplest(limit: int) -> int:
    assert limit >= 1
    return 0


def streams(count: int) -> list[RandBelow]:
    return [simplest, *(Random(seed).randrange for seed in range(count))]


@pytest.mark.parametrize(("pattern", "simple", "shortest", "longest"), TEXTS)
def test_texts(pattern: str, simple: str, shortest: int, longest: int | None) -> None:
    texts = TextPattern(pattern)
    assert (texts.shortest, texts.longest) == (shortest, longest)
    assert texts.make(simplest) == simple
    assert validator(pattern).is_valid(simple)
    for seed in range(20):
        text = texts.make(Random(seed).randrange)
        assert text is not None
        assert validator(pattern).is_valid(text), text
        assert shortest <= len(text) <= (shortest + 200 if longest is None else longest)


def test_the_simplest_is_the_shortest() -> None:
    assert [pattern for pattern, simple, shortest, _ in TEXTS if len(simple) > shortest] == []


@pytest.mark.parametrize(("pattern", "low", "high"), LENGTHS)
def test_lengths(pattern: str, low: int, high: int | None) -> None:
    texts = TextPattern(pattern)
    for stream in streams(20):
        text = texts.make(stream, low, high)
        assert text is not None
        assert low <= len(text) <= (2 * low + 10 if high is None else high)
        assert validator(pattern).is_valid(text), text


@pytest.mark.parametrize("pattern", IMPOSSIBLE)
def test_impossible(pattern: str) -> None:
    texts = TextPattern(pattern)
    assert texts.make(simplest) is None
    assert texts.make(Random(1).randrange, 2, 9) is None


@pytest.mark.parametrize(
    ("pattern", "low", "high"),
    [
        (r"^a{3}$", 0, 2),
        (r"^a{3}$", 4, None),
        (r"^(aa)*$", 3, 3),
        (r"^(a{2}|b{5})$", 3, 4),
        (r"a", 3, 2),
        (r"^(?=.{1,5}$)a", 6, None),
        (r"a", 10**9, None),
        (r"(a{50000})" + r"\1" * 60, 0, None),
    ],
)
def test_impossible_lengths(pattern: str, low: int, high: int | None) -> None:
    assert TextPattern(pattern).make(simplest, low, high) is None
    assert TextPattern(pattern).make(Random(1).randrange, low, high) is None


def test_anchors_in_the_middle() -> None:
    texts = TextPattern(r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$")
    made = [texts.make(Random(seed).randrange) for seed in range(40)]
    found = [text for text in made if text is not None]
    assert len(found) > 20
    assert all(validator("^[0-9]+([.][0-9]+){3}$").is_valid(text) for text in found)


def test_a_group_that_is_refused() -> None:
    with pytest.raises(PatternError):
        TextPattern("(")


def test_what_no_engine_compiles() -> None:
    assert TextPattern("^(?:[]?b|(?=c)*[]*)$").make(simplest) == ""
    assert TextPattern("^(?:[]?b|[]+)$").make(simplest) == "b"


def test_long_texts() -> None:
    text = TextPattern("x{50000}").make(Random(1).randrange, 50_100)
    assert text is not None
    assert "x" * 50_000 in text  # the engine would take seconds
    assert 50_100 <= len(text) <= 50_110


def test_there_is_variety() -> None:
    def made(pattern: str) -> set[str | None]:
        return {TextPattern(pattern).make(Random(seed).randrange) for seed in range(100)}

    assert made(r"^(true|false|yes|no)$") == {"true", "false", "yes", "no"}
    assert {len(text or "") for text in made("^[a-z]*$")} == set(range(9))
    assert len(made("^.{5}$")) > 90
    assert not all((text or "").isascii() for text in made("^.{5}$"))
    assert made("^a|b$") > {"a", "b"}


@pytest.mark.parametrize("pattern", [*HOSTILE.values(), "x{50000}"], ids=[*HOSTILE, "long"])
def test_hostile_patterns_take_no_time(pattern: str) -> None:
    texts = TextPattern(pattern)
    limits: list[tuple[int, int | None]] = [(0, None), (30, 60), (5000, None), (99_999, None)]
    for stream, (low, high) in product(streams(2), limits):
        with bounded():
            text = texts.make(stream, low, high)
        assert text is None or low <= len(text) <= max(low + 50_000, 100_000)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(?:(a|(?=[^a]*?))b+|[^a]{0}(^b)*?((.|a{0}[]{0}(?:\2)|(?:\4))+|(?:\3))*?|(?<!^$))*$\B$",
        r"^(?:(?=(?:\2)[ab]+)*\b){1,2}((([]b?)??(?:\1)|([^a]??b*?)*?|[ab]*?a{1,2}){1,2}|[^a]??|(?:\4))*?(\w(?:\3)||(?:\3)\Bb?)+$",
    ],
    ids=["three levels", "many ways"],
)
def test_short_texts_of_loops_in_loops_take_no_time(pattern: str) -> None:
    texts, draw = TextPattern(pattern), Random(pattern).randrange
    for _ in range(5):
        with bounded():
            texts.make(draw)


def test_few_numbers_are_drawn() -> None:
    for pattern, most in [("^[a-z]{50000}$", 20), ("^([a-z]-){1000}$", 20), ("foo", 10)]:
        drawn: list[int] = []

        def below(limit: int, drawn: list[int] = drawn) -> int:
            drawn.append(limit)
            return limit - 1

        assert TextPattern(pattern).make(below) is not None
        assert len(drawn) <= most


@given(PATTERNS, st.integers(0, 12), st.integers(0, 12) | st.none(), st.data())
def test_any_length(pattern: str, low: int, more: int | None, data: st.DataObject) -> None:
    high = None if more is None else low + more
    texts = TextPattern(pattern)
    text = texts.make(lambda limit: data.draw(st.integers(0, limit - 1)), low, high)
    least = max(low, texts.shortest)
    limits = [limit for limit in (high, texts.longest) if limit is not None]
    if limits and least > min(limits):
        assert text is None
    else:
        assert text is not None
        assert validator(pattern).is_valid(text)
        assert low <= len(text)
        assert high is None or len(text) <= high
