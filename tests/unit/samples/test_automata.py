"""Texts of patterns: what is found matches, and what is not found is nowhere."""

from __future__ import annotations

from itertools import product

import pytest

from tests.effort import calls
from widgetschema import Validator
from widgetschema.samples.values.automata import Answer, find_text

TEXTS = ["".join(some) for size in range(5) for some in product("ab-\n", repeat=size)]
PATTERNS = (
    *(
        "",
        "^",
        "$",
        "a",
        "^a",
        "a$",
        "^a$",
        "^$",
        "$^",
        "b-",
        "[^a]",
        "^[^a]*$",
        ".",
        "^.*$",
        "\\s",
    ),
    *(
        "^(a|b)*$",
        "^[ab]+$",
        "^(ab)*$",
        "^a{2}$",
        "a{2,}",
        "^a{1,2}b?$",
        "^(a|)b$",
        "(^|-)a",
        "a|^b$",
    ),
    *(
        "^(a*b*)*$",
        "^\\w+$",
        "^[-ab]{0,3}$",
        "^(?:a(b|-))+",
        "[^]",
        "^[]$",
        "(a$|b)",
        "^((a|b)-)*a?$",
    ),
)


@pytest.fixture(scope="module")
def matching() -> dict[str, frozenset[str]]:
    return {
        pattern: frozenset(filter(Validator({"pattern": pattern}).is_valid, TEXTS))
        for pattern in PATTERNS
    }


@pytest.mark.parametrize("matched", PATTERNS)
def test_a_text_is_found_if_there_is_one(matched: str, matching: dict[str, frozenset[str]]) -> None:
    for missed in PATTERNS:
        answer = find_text(frozenset({matched}), frozenset({missed}))
        expected = matching[matched] - matching[missed]
        assert answer.decided
        if answer.text is None:
            assert not expected, missed
        else:
            assert Validator({"pattern": matched}).is_valid(answer.text)
            assert not Validator({"pattern": missed}).is_valid(answer.text)
            assert not any(len(text) < len(answer.text) for text in expected)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_lengths_are_kept(pattern: str, matching: dict[str, frozenset[str]]) -> None:
    for low, high in ((0, 0), (1, 1), (2, 3), (4, 4)):
        answer = find_text(frozenset({pattern}), frozenset(), low, high)
        some = {text for text in matching[pattern] if low <= len(text) <= high}
        assert answer.decided
        assert (answer.text is not None) >= bool(some)
        if answer.text is not None:
            assert low <= len(answer.text) <= high
            assert Validator({"pattern": pattern}).is_valid(answer.text)


def test_three_at_once() -> None:
    both = frozenset({"^a*$", "^b*$"})
    assert find_text(frozenset({"^[ab]*$"}), both)[:2] == (True, "ba")
    assert find_text(frozenset({"^[ab]*$", "^a"}), both)[:2] == (True, "ab")
    assert find_text(both, frozenset(), 1).none


@pytest.mark.parametrize(
    ("matched", "missed"),
    [
        ("^[a-z0-9-]+$", "^[a-z0-9-]{1,20}$"),
        ("", "^[^\\s]*$"),
        ("^[\\u4e00-\\u9fff]+$", "^x"),
        ("[\\ud800-\\udfff]|€$", "^$"),
    ],
)
def test_a_text_that_is_found_is_what_the_engine_says(matched: str, missed: str) -> None:
    text = find_text(frozenset({matched}), frozenset({missed})).text
    assert text is not None
    assert Validator({"pattern": matched, "not": {"pattern": missed}}).is_valid(text)


@pytest.mark.parametrize(
    "pattern",
    [
        *("(?!a)b", "^(?<=a)b", "(a)\\1", "\\p{L}", "\\b", "(", "^(a{0,99}b){0,99}$"),
        "^(a|b)*a(a|b){30}$",
        "|".join(f"[{chr(0x4E00 + 2 * at)}]" for at in range(300)),
    ],
)
def test_what_is_not_regular_or_too_large_is_not_decided(pattern: str) -> None:
    def ask() -> None:
        asked.append(find_text(frozenset({pattern}), frozenset({"^c"}), 2))

    asked: list[Answer] = []
    assert calls(ask) < 1_500_000
    assert [answer.decided for answer in asked] == [False]
