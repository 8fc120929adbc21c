"""Merges of JSON texts, case by case; `tests/properties/test_merges.py` has the properties."""

from __future__ import annotations

import json

import pytest

from widgetschema.jsontext.merging import Merge, Origin, Side, merge
from widgetschema.jsontext.rewriting import rewrite
from widgetschema.jsontext.tree import Tree, parse


def merged(
    base: str,
    mine: str,
    theirs: str,
    side: Side | None = None,
    origins: tuple[int | str | None, ...] | None = None,
    fixed: int = 0,
) -> tuple[str, Merge]:
    """Merge texts; `origins` are those of the children of mine, `fixed` the positions of a tuple."""
    tree, before, now = parse(theirs), parse(base).root, parse(mine).root
    found = merge(
        before,
        now,
        tree.root,
        origins=None if origins is None else {id(now): Origin(before, origins)},
        positions={id(before): fixed},
        choose=lambda _: side,
    )
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


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "both"),
    [
        ("[0,1,2,3]", "[0,2,3]", "[0,1,3]", "[0,3]"),
        ("[0,1,2,3]", "[0,3,1,2]", "[0,1,2,3,4]", "[0,3,4,1,2]"),
        ("[0,1,2]", "[0,1,2,5]", "[0,2]", "[0,2,5]"),
        ("[0,1,1]", "[1,1,1]", "[0,1,5,1]", "[1,1,5,1]"),
        ("[0,1]", "[0]", "[9,1]", "[9]"),
        ("[0]", "[0,1]", "[9]", "[9,1]"),
        ("[]", "[1]", "[1]", "[1]"),
    ],
)
def test_items_after_those_by_position_are_a_list(
    base: str, mine: str, theirs: str, both: str
) -> None:
    text, found = merged(base, mine, theirs, fixed=1)
    assert (text, found.conflicts) == (both, ())


@pytest.mark.parametrize(
    ("base", "mine", "theirs"),
    [
        ("[0]", "[0,1]", "[0,2]"),
        ("[0,1]", "[0]", "[0,1,2]"),
        ("[0,1]", "[0,1,2]", "[0]"),
        ("[0,1]", "[0]", "[0,2]"),
        ("[]", "[1]", "[2,3]"),
    ],
)
def test_what_would_get_another_position_is_a_conflict(base: str, mine: str, theirs: str) -> None:
    for side, result in (("mine", mine), ("theirs", theirs)):
        text, _ = merged(base, mine, theirs, "mine" if side == "mine" else "theirs", fixed=2)
        assert text == result
    _, found = merged(base, mine, theirs, fixed=2)
    assert [(one.path, one.mine, one.theirs) for one in found.conflicts] == [("", mine, theirs)]


@pytest.mark.parametrize(
    ("mine", "origins", "theirs", "both"),
    [
        ('{"x":1,"b":2}', ("a", "b"), '{"a":3,"b":2}', '{"x":3,"b":2}'),
        ('{"b":1,"a":2}', ("a", "b"), '{"a":1,"b":2,"c":3}', '{"a":2,"b":1,"c":3}'),
        ('{"x":1,"a":5,"b":2}', ("a", None, "b"), '{"a":1,"b":3}', '{"x":1,"a":5,"b":3}'),
        ('{"x":1,"b":2}', ("a", "b"), '{"x":1,"b":3}', '{"x":1,"b":3}'),
        ('{"a":1,"b":2}', ("a", "b"), '{"b":1,"a":2}', '{"b":1,"a":2}'),
    ],
)
def test_renamed_members_are_merged(
    mine: str, origins: tuple[str | None, ...], theirs: str, both: str
) -> None:
    text, found = merged('{"a":1,"b":2}', mine, theirs, origins=origins)
    assert (text, found.conflicts) == (both, ())


@pytest.mark.parametrize(
    ("mine", "origins", "theirs", "sides"),
    [
        ('{"x":1,"b":2}', ("a", "b"), '{"b":2}', ('{"a": 1}', '{"x": 1}', None)),
        ('{"b":2}', ("b",), '{"x":1,"b":2}', ('{"a": 1}', None, '{"x": 1}')),
        ('{"x":1,"b":2}', ("a", "b"), '{"y":1,"b":2}', ('{"a": 1}', '{"x": 1}', '{"y": 1}')),
        ('{"x":1,"b":2}', ("a", "b"), '{"a":1,"b":2,"x":3}',
         ('{"a": 1}', '{"x": 1}', '{"a": 1, "x": 3}')),
        ('{"b":1,"a":2}', ("a", "b"), '{"a":3,"b":2}',
         ('{"a": 1, "b": 2}', '{"a": 2, "b": 1}', '{"a": 3, "b": 2}')),
        ('{"x":1,"a":5,"b":2}', ("a", None, "b"), '{"a":4,"b":2}',
         ('{"a": 1}', '{"a": 5, "x": 1}', '{"a": 4}')),
        ('{"a":5,"b":2}', ("a", "b"), '{"a":2,"b":1}',
         ('{"a": 1, "b": 2}', '{"a": 5, "b": 2}', '{"a": 2, "b": 1}')),
        ('{"b":1,"c":2}', ("a", "b"), '{"a":1,"b":4}',
         ('{"a": 1, "b": 2}', '{"b": 1, "c": 2}', '{"a": 1, "b": 4}')),
    ],
)  # fmt: skip
def test_members_that_a_rename_joins_are_one_conflict(
    mine: str, origins: tuple[str | None, ...], theirs: str, sides: tuple[str | None, ...]
) -> None:
    """Each side says all of them, with their names; one that is chosen holds as a whole."""
    base = '{"a":1,"b":2}'
    text, found = merged(base, mine, theirs, origins=origins)
    [conflict] = found.conflicts
    assert (conflict.base, conflict.mine, conflict.theirs) == sides
    assert json.loads(text) == json.loads(mine)
    assert found.rest is not None
    assert found.root.theirs is not None
    rest = rewrite(Tree(theirs, found.root.theirs), found.root.theirs, found.rest)
    assert json.loads(rest) == json.loads(base)
    for side, result in (("mine", mine), ("theirs", theirs)):
        text, _ = merged(base, mine, theirs, "mine" if side == "mine" else "theirs", origins)
        assert json.loads(text) == json.loads(result)


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
