"""Changed lines: whatever the texts, the changes lead from one to the other, and are few."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.fixes import unified_diff
from widgetschema.fixes.diff import changed_lines, longest_increasing


def changes(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The changes as `old/new`, once it is clear that they lead from one text to the other."""
    made: list[str] = []
    at = new = 0
    found = []
    for a, b, c, d in changed_lines(before, after):
        assert a - at == c - new
        assert a > at or (a, at) == (0, 0), "two changes touch"
        assert (a, c) != (b, d), "a change of nothing"
        made += [*before[at:a], *after[c:d]]
        at, new = b, d
        found.append("".join(before[a:b]) + "/" + "".join(after[c:d]))
    assert [*made, *before[at:]] == list(after)
    return found


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("abc", "abc", []),
        ("abc", "aXc", ["b/X"]),
        ("abcdef", "aXYdeZ", ["bc/XY", "f/Z"]),
        ("", "a", ["/a"]),
        ("a", "", ["a/"]),
        ("abc", "", ["abc/"]),
        ("abcdefgh", "aXbcdefgY", ["/X", "h/Y"]),
        ("abcdefgh", "bcdXefgh", ["a/", "/X"]),
        ("abcdefghi", "abYdefghiZ", ["c/Y", "/Z"]),
        ("abcd", "bcde", ["a/", "/e"]),
        ("abcdefgh", "dabcefgh", ["/d", "d/"]),
        ("ab" * 8, "ab" * 4 + "X" + "ab" * 4, ["/X"]),
        ("ab" * 8, "ab" * 3 + "X" + "ab" * 4 + "Y", ["/X", "ab/Y"]),
        ("aXbYcZd", "aabbccdd", ["X/a", "Y/b", "Z/cd"]),
        ("xyx", "r" + "xy" * 120, ["/r", "/" + "yx" * 118 + "y"]),
    ],
    ids=lambda value: value or "nothing" if isinstance(value, str) else "",
)
def test_few_lines_change(before: str, after: str, expected: list[str]) -> None:
    assert changes(before, after) == expected


@given(st.text("abcdef", max_size=40), st.text("abcdef", max_size=40))
def test_changes_lead_from_one_text_to_the_other(before: str, after: str) -> None:
    found = changes(before, after)
    assert sum(map(len, found)) - len(found) <= len(before) + len(after)
    assert (found == []) == (before == after)


@given(st.data())
def test_edits_of_lines_that_differ_are_found(data: st.DataObject) -> None:
    before = [f"{n}" for n in range(data.draw(st.integers(1, 60)))]
    after: list[str] = []
    edits = 0
    for line in before:
        edit = data.draw(st.sampled_from(["keep"] * 6 + ["drop", "add", "change"]))
        edits += {"keep": 0, "change": 2}.get(edit, 1)
        after += {"keep": [line], "drop": [], "add": [line, f"{line}+"]}.get(edit, [f"{line}!"])
    found = changed_lines(before, after)
    changes(before, after)
    assert sum(b - a + d - c for a, b, c, d in found) == edits


def test_in_a_large_text_too() -> None:
    before = [f"{n}" for n in range(20_000)]
    after = [line for line in before if int(line) % 100]
    after[1000:1000] = ["new"] * 50
    found = changes(before, after)
    assert len(found) == 201
    assert found.count("/" + "new" * 50) == 1


@pytest.mark.parametrize("letters", ["ab", "abcdefghijklmnopqrstuvwxyz"], ids=len)
def test_what_tells_nothing_is_a_block(letters: str) -> None:
    chance = random.Random(7)
    before = ["start", *chance.choices(letters, k=30_000), "end"]
    after = ["start", *chance.choices(letters, k=30_500), "end"]
    assert len(changes(before, after)) == 1
    rare = [f"{n}" for n in range(400)]
    before = [line for mark in rare for line in (mark, *chance.choices(letters, k=90))]
    after = [line for mark in rare for line in (mark, *chance.choices(letters, k=91))]
    found = changes(before, after)
    assert len(found) > 1000  # as long as it may take time
    assert max(map(len, found)) > 150  # then what is between two anchors is one


def test_anchors_are_looked_for_between_anchors() -> None:
    def text(mark: str) -> list[str]:
        half = [mark, *["x", mark] * 60]
        return [line for n in range(5) for line in (f"anchor {n}", *half, "middle", *half)]

    assert len(changes(text("a"), [*text("b"), "z"])) == 10


def test_a_row_that_is_added_and_a_value_that_is_changed() -> None:
    rows = [{"name": f"row {n}", "show": True} for n in range(8)]
    old = json.dumps({"rows": rows, "title": "a", "days": 3}, indent=2) + "\n"
    rows.insert(2, {"name": "new", "show": True})
    new = json.dumps({"rows": rows, "title": "a", "days": 4}, indent=2) + "\n"
    assert unified_diff(old, new, "a.json") == (
        "--- a/a.json\n+++ b/a.json\n"
        '@@ -9,6 +9,10 @@\n       "show": true\n     },\n     {\n'
        '+      "name": "new",\n+      "show": true\n+    },\n+    {\n'
        '       "name": "row 2",\n       "show": true\n     },\n'
        '@@ -34,5 +38,5 @@\n     }\n   ],\n   "title": "a",\n-  "days": 3\n+  "days": 4\n }\n'
    )


def test_the_longest_increasing_row_of_pairs() -> None:
    def longest(*numbers: int) -> list[int]:
        return [number for _, number in longest_increasing([*enumerate(numbers)])]

    assert longest(2, 0, 1) == [0, 1]
    assert longest(0, 1, 2) == [0, 1, 2]
    assert len(longest(2, 1, 0)) == 1
    assert longest() == []
