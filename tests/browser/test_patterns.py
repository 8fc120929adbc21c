"""Patterns mean what they mean in Node, in both engines; `python -m tests.random_patterns` tries more."""

from __future__ import annotations

import shutil

from tests.browser.bundling import missing
from tests.random_patterns import compare


def test_random_patterns_match_as_in_node() -> None:
    if shutil.which("node") is None:
        missing("node", "install Node.js to compare patterns with it")

    counts, wrong = compare(count=2_000, seed=1)

    assert wrong == []
    assert counts["patterns with references"] > 800
    assert counts["decided by the automata of comparisons"] > 800
