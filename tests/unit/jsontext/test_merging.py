"""Merges of JSON texts, case by case; `tests/properties/test_merges.py` has the properties."""

from __future__ import annotations

import pytest

from widgetschema.jsontext.merging import Merge, Side, merge
from widgetschema.jsontext.rewriting import rewrite
from widgetschema.jsontext.tree import parse


def merged(base: str, mine: str, theirs: str, side: Side | None = None) -> tuple[str, Merge]:
    tree = parse(theirs)
    found = merge(parse(base).root, parse(mine).root, tree.root, choose=lambda _: side)
    assert found.node is not None
    return rewrite(tree, tree.root, found.node), found


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "both"),
    [
        ("1", "2", "1", "2"),
        ("1", "1", "2", "2"),
        ("1", "2", "2.0", "2.0"),
        ("1", "1.0", "1", "1.0"),
        ("1", "1.0", "10e-1", "1.0"),
        ('{"a":1,"b":2}', '{"a":3,"b":2}', '{"a": 1,\n "b":  5}', '{"a": 3,\n "b":  5}'),
        ('{"a":1}', '{"a":1,"m":2}', '{"t":3,"a":1}', '{"t":3,"a":1,"m":2}'),
        ("{}", '{"o":{"m":1}}', '{"o":{"t":2}}', '{"o":{"t":2,"m":1}}'),
        ('{"a":{"b":[1]}}', "{}", '{"a":{"b":[1]},"c":1}', '{"c":1}'),
        ("[1,2,3]", "[2,3,9]", "[1,2,3,4]", "[2,3,4,9]"),
        ("[1,2,3]", "[3,1,2]", "[1,2,3,4]", "[3,4,1,2]"),
        ("[1,2,3]", "[7,2,3]", "[3,1,2]", "[3,7,2]"),
        ("[1]", "[1,5]", "[1,5]", "[1,5]"),
        ("[1]", "[5,1]", "[6,1]", "[6,5,1]"),
        ("[]", "[1]", "[2]", "[2,1]"),
        ('["a","a"]', '["a","m"]', '["t","a"]', '["t","m"]'),
        ('[{"a":1,"b":2}]', '[{"a":1,"b":3}]', '[{"n":0},{"a":1,"b":2}]', '[{"n":0},{"a":1,"b":3}]'),
    ],
)  # fmt: skip
def test_what_does_not_overlap_is_merged(base: str, mine: str, theirs: str, both: str) -> None:
    text, found = merged(base, mine, theirs)
    assert (text, found.conflicts) == (both, ())


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "paths", "kept", "taken"),
    [
        ("1", "2", "3", [""], "2", "3"),
        ('{"a":1}', "{}", '{"a":2}', ["/a"], "{}", '{"a":2}'),
        ('{"a":1}', '{"a":2}', "{} ", ["/a"], '{"a":2} ', "{} "),
        ("{}", '{"a":1}', '{"a":[]}', ["/a"], '{"a":1}', '{"a":[]}'),
        ("[1,2]", "[1,5]", "[1]", ["/1"], "[1,5]", "[1]"),
        ("[1,2,3]", "[3,1,2]", "[2,1,3]", [""], "[3,1,2]", "[2,1,3]"),
        ('{"a":[1,2],"b":1}', '{"a":[1],"b":2}', '{"a":{},"b":3}', ["/a", "/b"],
         '{"a":[1],"b":2}', '{"a":{},"b":3}'),
    ],
)  # fmt: skip
def test_what_overlaps_is_a_conflict(
    base: str, mine: str, theirs: str, paths: list[str], kept: str, taken: str
) -> None:
    text, found = merged(base, mine, theirs)
    assert ([one.path for one in found.conflicts], text) == (paths, kept)
    for side, result in (("mine", kept), ("theirs", taken)):
        text, found = merged(base, mine, theirs, "mine" if side == "mine" else "theirs")
        assert (text, found.conflicts) == (result, ())


def test_places_of_mine_are_found_in_the_result() -> None:
    _, found = merged('{"r":[1,2]}', '{"r":[1,7,9],"n":1}', '{"r":[0,1,2]}')
    places = ["", "/r/0", "/r/1", "/r/2", "/n", "/r/2/x"]
    assert [found.path_of(one) for one in places] == ["", "/r/1", "/r/2", "/r/3", "/n", "/r/3/x"]
    assert found.tokens_in_rest() == {
        "": {"r": "r", "n": "n"},
        "/r": {"0": "0", "1": "1"},
    }


def test_what_does_not_hold_of_mine_is_known() -> None:
    base, mine = '{"r":{"v":1},"n":1}', '{"r":{"v":2},"n":2}'
    _, found = merged(base, mine, '{"r":{"v":3},"n":1}', "theirs")
    assert [(at, mine.raw) for at, _, mine in found.overruled()] == [("/r/v", "2")]


def test_long_arrays_are_aligned_without_comparing_all() -> None:
    items = [f'{{"id":{at},"v":0}}' for at in range(1_000)]
    theirs = [*items[500:], *items[:500]]
    mine = [*items[:700], '{"id":700,"v":1}', *items[701:]]
    base, edited, other = (f"[{','.join(one)}]" for one in (items, mine, theirs))
    text, found = merged(base, edited, other)
    assert found.conflicts == ()
    assert text == f"[{','.join([*theirs[:200], mine[700], *theirs[201:]])}]"
