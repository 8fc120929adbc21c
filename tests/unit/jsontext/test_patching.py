"""JSON Patch on text: the values of RFC 6902, and every other byte as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema.errors import PatchError, UnreadableDocument
from widgetschema.jsontext import parse, patch
from widgetschema.pointers import format_pointer

Patch = list[dict[str, Any]]


def op(op: str, path: str, **more: Any) -> dict[str, Any]:
    return {"op": op, "path": path, **more}


# The examples of RFC 6902, appendix A, and what it says between them.
EXAMPLES: list[tuple[Any, Patch, Any]] = [
    ({"foo": "bar"}, [op("add", "/baz", value="qux")], {"foo": "bar", "baz": "qux"}),
    ({"foo": ["bar", "baz"]}, [op("add", "/foo/1", value="qux")], {"foo": ["bar", "qux", "baz"]}),
    ({"baz": "qux", "foo": "bar"}, [op("remove", "/baz")], {"foo": "bar"}),
    ({"foo": ["bar", "qux", "baz"]}, [op("remove", "/foo/1")], {"foo": ["bar", "baz"]}),
    ({"baz": "qux"}, [op("replace", "/baz", value="boo")], {"baz": "boo"}),
    (
        {"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}},
        [op("move", "/qux/thud", **{"from": "/foo/waldo"})],
        {"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}},
    ),
    (
        {"foo": ["all", "grass", "cows", "eat"]},
        [op("move", "/foo/3", **{"from": "/foo/1"})],
        {"foo": ["all", "cows", "eat", "grass"]},
    ),
    ({"foo": ["a", 2]}, [op("test", "/foo/1", value=2.0)], {"foo": ["a", 2]}),
    ({"foo": "bar"}, [op("add", "/child", value={"grand": {}})], {"foo": "bar", "child": {"grand": {}}}),
    ({"foo": ["bar"]}, [op("add", "/foo/-", value=["abc"])], {"foo": ["bar", ["abc"]]}),
    ({"/": 9, "~1": 10}, [op("test", "/~01", value=10)], {"/": 9, "~1": 10}),
    ({"foo": "bar"}, [op("add", "", value=[1])], [1]),
    ({"foo": None}, [op("replace", "/foo", value={"a": [True]})], {"foo": {"a": [True]}}),
    ({"a": {"b": 1}}, [op("copy", "/c", **{"from": "/a"})], {"a": {"b": 1}, "c": {"b": 1}}),
    ({"a": 1, "b": 2}, [op("move", "/b", **{"from": "/a"})], {"b": 1}),
    ({"a": 1}, [op("move", "/a", **{"from": "/a"})], {"a": 1}),
    ({"a": [1]}, [op("move", "", **{"from": "/a"})], [1]),
    ({"a": [1]}, [op("add", "/a/0", value=2), op("copy", "/b", **{"from": "/a"})], {"a": [2, 1], "b": [2, 1]}),
    ({"a": 1}, [op("add", "/a", value=2), op("test", "/a", value=2)], {"a": 2}),
]  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(("before", "operations", "after"), EXAMPLES)
def test_the_value_is_what_the_rfc_says(
    before: Any, operations: Patch, after: Any, indent: int | None
) -> None:
    text = patch(json.dumps(before, indent=indent), operations)

    assert json.loads(text) == after
    assert patch(text, []) is text


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (op("remove", "/none"), "there is no value at /none"),
        (op("replace", "/none", value=1), "there is no value at /none"),
        (op("add", "/none/x", value=1), "there is no value at /none"),
        (op("add", "/text/x", value=1), "neither an object nor an array"),
        (op("add", "/list/3", value=1), '"3" is no index of the 2 items'),
        (op("add", "/list/01", value=1), '"01" is no index'),
        (op("remove", "/list/-"), "there is no value at /list/-"),
        (op("remove", ""), "the whole text cannot be removed"),
        (op("test", "/text", value="y"), "the value at /text is another one"),
        (op("test", "/list/0", value=True), "another one"),
        (op("move", "/list/0/x", **{"from": "/list"}), "cannot be moved into itself"),
        (op("copy", "/x"), '"from" must be a JSON Pointer such as /content/title: missing'),
        (op("add", "/x"), '"value" is missing'),
        (op("add", "/x", value=float("nan")), '"value": '),
        (op("add", "x", value=1), '"path" must be a JSON Pointer'),
        (
            {"op": "add", "value": 1},
            '"path" must be a JSON Pointer such as /content/title: missing',
        ),
        (op("put", "/x", value=1), '"op" must be one of add, remove'),
    ],
)
def test_what_cannot_be_applied_is_said(operation: dict[str, Any], reason: str) -> None:
    good = op("add", "/new", value=1)

    with pytest.raises(PatchError) as caught:
        patch('{"text": "x", "list": [1, 2]}', [good, operation])

    assert caught.value.index == 1
    assert str(caught.value).startswith("operation 2 of the patch: ")
    assert reason in caught.value.reason


def test_what_is_not_named_keeps_its_bytes() -> None:
    text = '{\r\n\t"a" : 1.0,\r\n\t"b":[ 1e400, "\\u00e9" ],\r\n\t"c": {"d": -0}\r\n}\r\n'

    renamed = patch(text, [op("move", "/z", **{"from": "/a"})])
    extended = patch(text, [op("add", "/b/-", value="x"), op("replace", "/c/d", value=5)])

    assert renamed == text.replace('"a"', '"z"')
    assert extended == text.replace('é" ]', 'é", "x" ]').replace(
        '"\\u00e9" ]', '"\\u00e9", "x" ]'
    ).replace("-0", "5")


def test_new_containers_are_laid_out_like_their_neighbours() -> None:
    text = '{\n  "a": [\n    1\n  ]\n}\n'

    assert patch(text, [op("add", "/b", value=[2, {"c": 3}])]) == (
        '{\n  "a": [\n    1\n  ],\n  "b": [\n    2,\n    {\n      "c": 3\n    }\n  ]\n}\n'
    )


def test_an_object_that_is_empty_meanwhile_keeps_its_layout() -> None:
    text = '{\n  "a": 1\n}\n'

    assert patch(text, [op("remove", "/a"), op("add", "/b", value=2)]) == text.replace(
        '"a": 1', '"b": 2'
    )


def test_an_unreadable_text_is_refused() -> None:
    with pytest.raises(UnreadableDocument):
        patch("{", [op("add", "/a", value=1)])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.data())
def test_adding_and_removing_again_gives_the_same_text(data: st.DataObject) -> None:
    value = data.draw(st.dictionaries(st.text(max_size=2), JSON, min_size=1, max_size=3))
    name = data.draw(st.text(max_size=3).filter(lambda text: text not in value))
    new = data.draw(JSON)
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 1])))
    path = format_pointer([name])

    added = patch(text, [op("add", path, value=new)])

    element = parse(added).at(path)
    assert element is not None
    assert element.value == new
    assert patch(added, [op("remove", path)]) == text
