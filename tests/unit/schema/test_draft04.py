"""Schemas of draft-04 as schemas of draft-07."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema.schema.draft04 import from_draft_04
from widgetschema.schema.metaschema import DRAFT7

DRAFT4 = "http://json-schema.org/draft-04/schema#"

CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"minimum": 0, "exclusiveMinimum": True}, {"exclusiveMinimum": 0}),
    ({"minimum": 0, "exclusiveMinimum": False}, {"minimum": 0}),
    ({"maximum": 1.5, "exclusiveMaximum": True}, {"exclusiveMaximum": 1.5}),
    ({"exclusiveMaximum": True}, {}),
    ({"id": "http://example.com/a"}, {"$id": "http://example.com/a"}),
    (
        {"properties": {"id": {"id": "#a"}, "exclusiveMinimum": {"type": "integer"}}},
        {"properties": {"id": {"$id": "#a"}, "exclusiveMinimum": {"type": "integer"}}},
    ),
    (
        {"enum": [{"id": "a", "exclusiveMinimum": True}]},
        {"enum": [{"id": "a", "exclusiveMinimum": True}]},
    ),
    ({"const": 1, "if": {}, "then": False, "contains": {}, "propertyNames": {}}, {}),
    *(
        (
            {word: {"a": {"maximum": 1, "exclusiveMaximum": True}}},
            {word: {"a": {"exclusiveMaximum": 1}}},
        )
        for word in ("properties", "patternProperties", "definitions", "dependencies")
    ),
    *(
        ({word: {"maximum": 1, "exclusiveMaximum": True}}, {word: {"exclusiveMaximum": 1}})
        for word in ("items", "additionalItems", "additionalProperties", "not")
    ),
    *(
        ({word: [{"maximum": 1, "exclusiveMaximum": True}]}, {word: [{"exclusiveMaximum": 1}]})
        for word in ("items", "allOf", "anyOf", "oneOf")
    ),
    (
        {
            "items": {"$ref": "#/shared/a"},
            "shared": {"a": {"maximum": 1, "exclusiveMaximum": True}},
        },
        {"items": {"$ref": "#/shared/a"}, "shared": {"a": {"exclusiveMaximum": 1}}},
    ),
    ({"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}),
]


@pytest.mark.parametrize(("schema", "expected"), CASES)
def test_a_schema_says_the_same_in_draft_07(
    schema: dict[str, Any], expected: dict[str, Any]
) -> None:
    original = {"$schema": DRAFT4, **schema}
    before = repr(original)
    converted = from_draft_04(original)
    assert converted is not None
    assert converted.schema == {"$schema": f"{DRAFT7}#", **expected}
    assert repr(original) == before


@pytest.mark.parametrize("dialect", [DRAFT4, DRAFT4[:-1], DRAFT4.replace("http:", "https:")])
def test_each_way_to_name_the_draft_is_known(dialect: str) -> None:
    assert from_draft_04({"$schema": dialect}) is not None


@pytest.mark.parametrize(
    "schema",
    [
        True,
        [],
        {},
        {"id": "a"},
        {"exclusiveMinimum": 1},
        {"$schema": 4, "exclusiveMinimum": True},
        {"$schema": f"{DRAFT7}#", "exclusiveMinimum": True},
        {"$schema": "http://json-schema.org/draft-03/schema#"},
        {"properties": {"exclusiveMinimum": True}},
        {"enum": [{"exclusiveMinimum": True}]},
    ],
)
def test_other_schemas_are_left_alone(schema: Any) -> None:
    assert from_draft_04(schema) is None


def test_without_a_dialect_a_boolean_beside_a_bound_shows_the_draft() -> None:
    converted = from_draft_04({"items": {"minimum": 0, "exclusiveMinimum": True}})
    assert converted is not None
    assert converted.schema["items"] == {"exclusiveMinimum": 0}
    assert converted.note == "read as draft-04"


def test_ignored_keywords_are_named() -> None:
    converted = from_draft_04({"$schema": DRAFT4, "not": {"const": 1}, "if": {}})
    assert converted is not None
    assert converted.note == "read as draft-04, which ignores const, if"
