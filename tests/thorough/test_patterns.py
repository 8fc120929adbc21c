"""Patterns mean what they mean in Node, in both engines; `python -m tests.random_patterns` tries more."""

from __future__ import annotations

from tests.random_patterns import compare


def test_random_patterns_match_as_in_node() -> None:
    counts, wrong = compare(count=500, seed=1)

    assert wrong == []
    assert counts["patterns with references"] > 200
    assert counts["decided by the automata of comparisons"] > 200
