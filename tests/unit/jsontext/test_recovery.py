"""Recovery: of JSON the tree that parsing makes; of anything else the most plausible one, and no error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import calls
from tests.laid_out import texts
from tests.unit.jsontext.test_tree import of_python, walk
from widgetschema.jsontext import Element, Limits, parse
from widgetschema.jsontext.recovery import MISSING, recover, recovered_value

Place = tuple[str, str, int, int]


def places(root: Element) -> list[Place]:
    return [(pointer, one.kind, one.start, one.end) for pointer, one in walk(root)]


@given(texts())
def test_json_has_the_tree_that_parsing_makes(text: str) -> None:
    tree = recover(text)
    assert places(tree.root) == places(parse(text).root)
    assert repr(recovered_value(tree.root)) == repr(of_python(text))


@given(texts(), st.data())
def test_what_is_before_a_cut_stays_where_it_is(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    complete = [place for place in places(parse(text).root) if place[3] < cut]
    assert set(complete) <= set(places(recover(text[:cut]).root))


ODD = st.lists(
    st.sampled_from([*"{}[],:\"\\' \n/*", "1", "tru", "true", '"a"', "//", "\ud800", "é"])
)


@given(ODD.map("".join))
def test_every_text_has_a_tree(text: str) -> None:
    tree = recover(text)
    for _, element in walk(tree.root):
        assert 0 <= element.start <= element.end <= len(text)
    assert recovered_value(tree.root) == recovered_value(recover(text).root)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("  // nothing", None),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}),
        ('{"a" 1}', {"a": 1}),
        ('{"a": , "b": 2}', {"b": 2}),
        ('{"a":\n "b": 2}', {"b": 2}),
        ('{"a"\n "b": 2}', {"b": 2}),
        ('{"a": tru, "b": 2}', {"b": 2}),
        ('{"a": "x\n, "b": 2}', {"a": "x", "b": 2}),
        ('{"a": "x\\u00e9\\', {"a": "xé\\"}),
        ('{"a": {"b": [1, 2}, "c": 3}', {"a": {"b": [1, 2]}, "c": 3}),
        ('{"a": [1, 2], "c": {"d"', {"a": [1, 2], "c": {}}),
        ("{a: 'x', 'b': 2}", {"b": 2}),
        ('{"a": 1} // said\n', {"a": 1}),
        ('{/* a */"a" /* b */: 1}', {"a": 1}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ("[1,, 2, x]", [1, 2, None]),
        ("]}{", {}),
        ('{"a": 1}{"a": 2}', {"a": 1}),
        ("<<<<<<< HEAD\n", None),
    ],
)
def test_what_is_meant(text: str, value: Any) -> None:
    assert recovered_value(recover(text).root) == value


def test_members_without_a_value_are_there() -> None:
    root = recover('{"a": , "b').root
    assert [(one.name, one.element.kind) for one in root.members] == [
        ("a", MISSING),
        ("b", MISSING),
    ]


def test_what_is_too_deep_is_left_out() -> None:
    text = "[" * 1_000_000
    assert len([*walk(recover(text, Limits(max_depth=20)).root)]) == 21


@pytest.mark.parametrize("part", ['{"a":', "[]", "]", '"', "/*", ",", "x ", '{"a"'])
def test_effort_is_linear(part: str) -> None:
    few, many = (calls(lambda n=n: recover(part * n)) for n in (200, 2_000))  # type: ignore[misc]
    assert many < 15 * few + 200


def test_a_document_of_lines_is_its_first_value() -> None:
    lines = "".join(f"{json.dumps({'a': n})}\n" for n in range(3))
    assert recovered_value(recover(lines).root) == {"a": 0}
