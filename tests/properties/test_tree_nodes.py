"""Nodes of the schema tree: which are the same, and that they exclude nothing that is valid."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from tests.strategies import instances, schemas
from widgetschema import ReferenceLoop, Validator, WidgetType
from widgetschema.jsontext.equality import Options
from widgetschema.schema.linking import LinkedSchema, link
from widgetschema.schema.metaschema import METASCHEMA
from widgetschema.schema.tree import Node, SchemaTree

KIND: Final = {type(None): "null", bool: "boolean", str: "string", list: "array", dict: "object"}
TEXT: Final = {"type": "string"}


def matches(pattern: str, name: str) -> bool:
    return re.search(pattern, name) is not None


def root_of(schema: Any, resources: dict[str, Any] | None = None) -> Node:
    return SchemaTree(link(schema, resources or {}), matches).root


def pointers(node: Node) -> list[str]:
    return [*node.key.pointers]


# Nodes and pointers -----------------------------------------------------------------------


def test_what_says_the_same_is_the_same_node() -> None:
    node = root_of(
        {
            "properties": {
                "self": {"$ref": "#"},
                "one": {"$ref": "#/definitions/a"},
                "two": {"allOf": [{"$ref": "#/definitions/a"}, True]},
                "open": {},
                "free": True,
            },
            "definitions": {"a": TEXT},
        }
    )
    assert node.child("self") is node
    assert node.child("self").child("self").child("one") is node.child("one")
    assert node.child("one") is node.child("two")
    assert node.child("free") is node.child("elsewhere") is node.tree.node([])
    assert pointers(node.child("two")) == ["/definitions/a"]
    assert repr(node.child("two")) == "<Node /definitions/a>"
    assert repr(node.child("free")) == "<Node anything>"


def test_which_nodes_are_recursive() -> None:
    node = root_of(
        {
            "properties": {"next": {"$ref": "#/definitions/a"}, "other": {"$ref": "#/definitions/c"}},
            "definitions": {
                "a": {"items": {"allOf": [{"$ref": "#/definitions/b"}]}},
                "b": {"anyOf": [TEXT, {"additionalProperties": {"$ref": "#/definitions/a"}}]},
                "c": {"properties": {"d": TEXT}, "definitions": {"x": {"$ref": "#/definitions/c"}}},
            },
        }
    )  # fmt: skip
    following = node.child("next")

    assert not node.recursive
    assert following.recursive
    assert following.item(0).recursive
    assert not node.child("other").recursive
    assert not node.child("other").child("d").recursive
    assert following.item(0).choose(following.item(0).choices[0], 1).child("x") is following


def test_annotations_and_places() -> None:
    node = root_of({"title": "A", "allOf": [{"title": "B", "default": None, "pattern": "a"}, {"default": 1, "minLength": 1}]})  # fmt: skip

    assert node.annotation("title") == "A"
    assert node.annotation("default") is None
    assert node.annotation("description") is None
    assert [*node.said("title")] == [("/title", "A"), ("/allOf/0/title", "B")]
    assert node.place("pattern") == "/allOf/0/pattern"
    assert node.place("format") == ""
    assert node.pointer == ""
    assert root_of({"not": {"minimum": 1}, "properties": {"a": TEXT}}).child("a").pointer == "/properties/a"  # fmt: skip


def test_siblings_of_a_reference_are_ignored() -> None:
    node = root_of(
        {
            "properties": {
                "a": {"$ref": "#/definitions/a", "type": "null", "not": {}, "anyOf": [False]}
            },
            "definitions": {"a": TEXT},
        }
    )
    assert node.child("a").kinds == ("string",)
    assert node.child("a").choices == ()


def test_references_into_an_embedded_resource() -> None:
    plugin = {
        "$id": "https://base.example/plugin",
        "properties": {"data": {"$ref": "#/definitions/a~1b"}},
        "definitions": {"a/b": {"type": "object", "properties": {"self": {"$ref": "#"}}}},
    }
    node = root_of({"$id": "t", "allOf": [{"$ref": "plugin"}, {"required": ["data"]}]}, {"plugin": plugin})  # fmt: skip
    data = node.child("data")

    assert pointers(data) == ["/definitions/plugin/definitions/a~1b"]
    assert data.kinds == ("object",)
    assert pointers(data.child("self")) == ["/definitions/plugin"]
    assert data.child("self").child("data") is data
    assert [*node.required] == ["data"]


def test_the_root_of_a_member() -> None:
    schema = {
        "properties": {"data": {"type": "object", "properties": {"a": TEXT}}},
        "allOf": [{"properties": {"data": {"required": ["a"]}}}],
    }
    data = WidgetType.from_schema(schema, id="t", describes="document").validator.linked
    node = SchemaTree(data, matches).root

    assert pointers(node) == ["/properties/data", "/allOf/0/properties/data"]
    assert (node.kinds, [*node.required]) == (("object",), ["a"])
    assert pointers(node.child("a")) == ["/properties/data/properties/a"]


def test_a_large_recursive_schema_costs_what_is_looked_at() -> None:
    node = root_of(METASCHEMA)
    level, seen = [node], {node}
    for _ in range(4):
        options = [one.choose(c, i) for one in level for c in one.choices for i in range(len(c.branches))]  # fmt: skip
        below = [child for one in (*level, *options) for child in one.properties.values()]
        below += [part for one in (*level, *options) for part in (one.item(0), one.other)]
        level = [*dict.fromkeys(below)]
        seen.update(level)

    assert node in level
    assert all(one.recursive for one in (node, node.child("not"), node.child("allOf").item(0)))
    assert len(seen) < 100


# Nothing that is valid is excluded ----------------------------------------------------------


def validator_of(schema: Any, engine: str | None = None) -> Validator:
    try:
        return Validator(schema, engine=engine)
    except ReferenceLoop:
        assume(False)
        raise


def engine_matches(pattern: str, name: str) -> bool:
    return Validator({"pattern": pattern}).is_valid(name)


def kind_of(value: Any) -> str:
    return KIND.get(type(value), "number")


def allows(node: Node, value: Any) -> bool:
    """Tell if a node allows a value, in one of the ways to make its choices."""
    kind = kind_of(value)
    if kind not in node.kinds or any(value in some for some in node.excluded):
        return False
    node = node.of_kind(kind)
    if node.choices:
        choice = node.choices[0]
        return any(allows(node.choose(choice, i), value) for i in range(len(choice.branches)))
    if node.values is not None and value not in Options([*node.values]):
        return False
    further = {
        "number": allows_number,
        "string": allows_text,
        "array": allows_array,
        "object": allows_object,
    }
    return kind not in further or further[kind](node, value)


def allows_number(node: Node, value: Any) -> bool:
    for limit, sign in ((node.minimum, 1), (node.maximum, -1)):
        if limit is not None:
            if sign * value < sign * limit.value or (limit.excluded and value == limit.value):
                return False
    return not node.integer or value == int(value)


def allows_text(node: Node, value: Any) -> bool:
    return counted(node, value, "Length")


def allows_array(node: Node, value: Any) -> bool:
    return (
        counted(node, value, "Items")
        and all(allows(node.item(index), item) for index, item in enumerate(value))
        and all(any(allows(node.tree.node([p]), item) for item in value) for p in node.contains)
    )


def allows_object(node: Node, value: Any) -> bool:
    return (
        counted(node, value, "Properties")
        and value.keys() >= {*node.required}
        and value.keys().isdisjoint(node.absent)
        and all(value.keys() >= {*node.dependencies.get(name, ())} for name in value)
        and all(allows(node.names, name) for name in value)
        and all(allows(node.child(name), item) for name, item in value.items())
    )


def counted(node: Node, value: Any, what: str) -> bool:
    most = node.most(f"max{what}")
    return len(value) >= node.least(f"min{what}") and (most is None or len(value) <= most)


@settings(suppress_health_check=[*HealthCheck])
@given(schema=schemas(), values=st.lists(instances(), min_size=6, max_size=6), refuse=st.booleans())
@example({"oneOf": [{"type": "string"}, {"type": "number"}]}, ["a", 1, None, [], {}], True)
@example({"type": "integer", "not": {"type": "integer", "minimum": 1}}, [0, -1.0, 2], False)
def test_nothing_that_is_valid_is_excluded(schema: Any, values: list[Any], refuse: bool) -> None:
    if refuse and isinstance(schema, dict):
        schema = {"not": schema, "definitions": schema.get("definitions", {})}
    validator = validator_of(schema)
    # Of a refused oneOf with more branches only the first two are tried together.
    every = [part for part in validator.linked.at.values() if isinstance(part, dict)]
    assume(all(len(part.get("oneOf", ())) < 3 for part in every))
    node = SchemaTree(validator.linked, engine_matches).root
    for value in values:
        if validator.is_valid(value):
            assert kind_of(value) in node.kinds
            assert allows(node, value), value


def at(linked: LinkedSchema, places: Sequence[str], engine: str) -> list[Validator]:
    return [Validator.from_linked(replace(linked, root=place), engine=engine) for place in places]


@pytest.mark.parametrize("engine", ["rust", "python"])
@settings(suppress_health_check=[*HealthCheck])
@given(
    schema=schemas(),
    values=st.lists(instances(), min_size=4, max_size=4),
    picked=st.randoms(use_true_random=False),
)
def test_a_conjunction_is_all_of_some_and_none_of_others(
    engine: str, schema: Any, values: list[Any], picked: Random
) -> None:
    linked = validator_of(schema, engine).linked
    places = sorted(linked.at)
    applied = picked.sample(places, min(len(places), picked.randrange(4)))
    refused = picked.sample(places, min(len(places), picked.randrange(3)))
    both = Validator.from_linked(linked.conjunction(applied, refused), engine=engine)
    yes, no = at(linked, applied, engine), at(linked, refused, engine)

    for value in values:
        expected = all(v.is_valid(value) for v in yes) and not any(v.is_valid(value) for v in no)
        assert both.is_valid(value) is expected
        assert both.check(value).valid is expected


def test_a_conjunction_leaves_the_schema_as_it_was() -> None:
    linked = link({"properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}}})
    before = dict(linked.at), dict(linked.references), linked.digest
    empty, both = linked.conjunction([]), linked.conjunction(["/properties/a"], ["/properties/b"])

    assert (dict(linked.at), dict(linked.references), linked.digest) == before
    assert all(Validator.from_linked(empty).is_valid(value) for value in ("a", 1, None))
    assert not any(Validator.from_linked(both).is_valid(value) for value in ("a", 1, None))
