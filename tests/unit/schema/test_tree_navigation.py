"""Navigation: what describes a place of data that is incomplete, in the branches that were meant."""

from __future__ import annotations

from typing import Any

import pytest

import widgetschema
from widgetschema.schema.tree import Node
from widgetschema.schema.tree.navigation import (
    UNKNOWN,
    alternatives,
    named_members,
    nodes_at,
    with_branches,
)

SHAPES = {
    "properties": {
        "shape": {
            "oneOf": [
                {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}},
                {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}},
                {"type": "string"},
            ]
        },
        "list": {"type": "array", "items": [{"type": "string"}], "additionalItems": {"type": "null"}},
        "plain": {"type": "object", "additionalProperties": False, "patternProperties": {"^x": {"type": "null"}}},
    },
    "if": {"properties": {"size": {"const": "big"}}, "required": ["size"]},
    "then": {"properties": {"height": {"type": "number"}}},
    "else": {"properties": {"width": {"type": "number"}}},
    "dependencies": {"b": {"properties": {"c": {"const": 1}}}},
}  # fmt: skip


def root_of(schema: Any) -> Node:
    return widgetschema.WidgetType.from_data_schema(schema, id="x").schema_tree.root


def members(tokens: list[str], value: Any) -> set[str]:
    nodes = nodes_at(root_of(SHAPES), tokens, value)
    below = value
    for token in tokens:
        below = below[token]
    return set(named_members(nodes, below))


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ({}, {"kind", "radius", "side"}),
        ({"kind": "circle"}, {"kind", "radius"}),
        ({"kind": "square", "radius": 1}, {"kind", "side"}),
        ({"kind": "triangle"}, {"kind", "radius", "side"}),  # all are ruled out, so all are taken
        ({"kind": {"deep": 1}}, {"kind", "radius", "side"}),
    ],
)
def test_data_rules_out_branches(shape: Any, expected: set[str]) -> None:
    assert members(["shape"], {"shape": shape}) == expected


def test_an_item_to_come_has_the_node_of_its_index() -> None:
    root = root_of({"items": [{"items": {"const": 1}}], "additionalItems": {"items": {"const": 2}}})
    for size, expected in ((1, [(1,)]), (0, [(1,)])):
        [node] = nodes_at(root, ["0", "0"], [[]] * size)
        assert [node.values] == expected
    [node] = nodes_at(root, ["1", "0"], [[]])
    assert node.values == (2,)


def test_what_is_being_written_rules_out_nothing() -> None:
    nodes = nodes_at(root_of(SHAPES), ["shape", "kind"], {"shape": {"kind": "circle"}})
    assert [node.values for node in nodes] == [("circle",), ("square",)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"size": "big"}, {"height", "c"}),  # "b", which "c" depends on, may still be written
        ({"size": "small"}, {"width", "c"}),
        ({"size": "small", "c": 2}, {"width"}),
        ({}, {"height", "width", "c"}),
    ],
)
def test_conditions_and_dependencies_follow_the_data(value: Any, expected: set[str]) -> None:
    assert members([], value) & {"height", "width", "c"} == expected


@pytest.mark.parametrize(
    ("tokens", "kinds"),
    [
        (["list", "0"], ("string",)),
        (["list", "7"], ("null",)),
        (["list", "*"], ("null",)),
        (["plain", "x1"], ("null",)),
        (["plain", "y"], None),
        (["list", "name"], None),
    ],
)
def test_items_and_patterns(tokens: list[str], kinds: tuple[str, ...] | None) -> None:
    found = nodes_at(root_of(SHAPES), tokens)
    assert [node.kinds for node in found] == ([] if kinds is None else [kinds])


def test_alternatives_have_no_choice_left() -> None:
    inner = {"anyOf": [{"type": "null"}, {"type": "boolean"}]}
    found = alternatives(root_of({"oneOf": [{"type": "string"}, inner]}))
    assert [node.kinds for node in found] == [("string",), ("null",), ("boolean",)]
    assert len(alternatives(root_of({}))) == 1


def test_the_branches_of_a_schema_without_end_are_bounded() -> None:
    tree: Any = {"anyOf": [{"properties": {f"m{n}": {}}} for n in range(30)]}
    schema = {"allOf": [tree, {"anyOf": [*tree["anyOf"]]}, {"oneOf": [*tree["anyOf"]]}]}
    assert len([*with_branches(root_of(schema), UNKNOWN)]) <= 200
