"""A second opinion from hypothesis-jsonschema, which makes data from schemas, too.

What it makes, our validator accepts; what we make of the same schema, jsonschema accepts.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis_jsonschema import from_schema
from jsonschema import Draft7Validator

import widgetschema
from tests.benchmarks.timing import flat_schema
from tests.effort import scaled
from widgetschema import Validator, WidgetType

# The same lines, thousands of times: a tracer would only double the time.
TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
SCHEMAS: Final[dict[str, Any]] = {
    "objects": {
        "type": "object",
        "properties": {
            "title": TEXT,
            "size": {"type": "number", "minimum": 0, "exclusiveMaximum": 100},
            "style": {"type": "object", "properties": {"bold": {"type": "boolean"}}},
        },
        "required": ["title", "style"],
        "additionalProperties": False,
    },
    "other members": {
        "type": "object",
        "properties": {"title": TEXT},
        "patternProperties": {"^x-[a-z]{1,8}$": WHOLE},
        "additionalProperties": {"type": ["boolean", "null"]},
        "minProperties": 1,
        "maxProperties": 4,
    },
    "names of members": {
        "type": "object",
        "propertyNames": {"pattern": "^[a-z]+$", "maxLength": 8},
        "additionalProperties": {"type": "array", "items": WHOLE, "maxItems": 2},
        "minProperties": 2,
    },
    "arrays": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 5},
    "tuples": {
        "type": "array",
        "items": [TEXT, {"type": "boolean"}],
        "additionalItems": WHOLE,
        "minItems": 1,
        "maxItems": 4,
    },
    "different items": {
        "type": "array",
        "items": {"enum": [1, 2, 3, "1", None, True]},
        "uniqueItems": True,
        "minItems": 2,
    },
    "contains": {
        "type": "array",
        "items": {"type": ["integer", "string"]},
        "contains": {"const": "here"},
        "maxItems": 4,
    },
    "enums and bounds": {
        "type": "object",
        "properties": {
            "layout": {"enum": ["grid", "list", 3, None, {"columns": 2}]},
            "id": {"const": "default"},
            "columns": {"type": "integer", "minimum": 1, "maximum": 12},
            "gap": {"type": "integer", "multipleOf": 4, "minimum": -8, "exclusiveMaximum": 64},
        },
        "required": ["layout", "columns", "gap"],
    },
    "texts": {
        "type": "object",
        "properties": {
            "colour": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
            "name": {"type": "string", "minLength": 2, "maxLength": 5},
            "code": {"type": "string", "pattern": "[A-Z]-[0-9]", "maxLength": 12},
        },
        "required": ["colour", "name", "code"],
    },
    "alternatives": {
        "anyOf": [
            {"type": "string", "maxLength": 3},
            {"type": "integer", "minimum": 10},
            {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
        ]
    },
    "just one": {
        "oneOf": [
            {"type": "integer", "multipleOf": 3},
            {"type": "integer", "multipleOf": 5},
            {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "none"}}},
        ]
    },
    "all of them": {
        "allOf": [
            {"type": "object", "required": ["a"], "properties": {"a": {"minimum": 2}}},
            {"properties": {"a": {"type": "integer", "maximum": 9}, "b": TEXT}},
        ],
    },
    "conditions": {
        "type": "object",
        "properties": {"mode": {"enum": ["date", "user"]}, "days": WHOLE, "date": TEXT},
        "required": ["mode"],
        "if": {"properties": {"mode": {"const": "date"}}},
        "then": {"required": ["date"]},
        "else": {"required": ["days"]},
    },
    "dependencies": {
        "type": "object",
        "properties": {"link": TEXT, "text": TEXT, "target": {"enum": ["_self", "_blank"]}},
        "dependencies": {"link": ["text"], "target": {"required": ["link"]}},
    },
    "exclusions": {
        "type": "object",
        "properties": {"count": {"type": "integer", "not": {"enum": [0, 1]}}},
        "required": ["count"],
        "not": {"required": ["secret"]},
    },
    "formats": {
        "type": "object",
        "properties": {
            name: {"type": "string", "format": name}
            for name in ("date", "time", "date-time", "ipv4", "ipv6", "json-pointer")
        },
        "minProperties": 3,
    },
    "countdown": flat_schema(widgetschema.widget_type("countdown")),
}
EACH: Final = pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
FEW: Final = settings(max_examples=scaled(25), suppress_health_check=list(HealthCheck))


def widget_type(schema: Any) -> WidgetType:
    """A widget type whose data the schema is about."""
    definitions = schema.get("definitions", {})
    whole = {"properties": {"data": schema}, "definitions": definitions}
    return WidgetType.from_schema(whole, id="x", describes="document")


@EACH
def test_our_validator_accepts_what_hypothesis_jsonschema_makes(schema: Any) -> None:
    validator = Validator(schema)

    @FEW
    @given(from_schema(schema))
    def accepted(instance: Any) -> None:
        assert validator.is_valid(instance), validator.check(instance)

    accepted()


@EACH
def test_jsonschema_accepts_our_samples(schema: Any) -> None:
    judge = Draft7Validator(schema)

    for sample in widget_type(schema).samples(60):
        judge.validate(sample)


@EACH
@pytest.mark.parametrize("realistic", [False, True])
def test_jsonschema_accepts_examples_of_our_strategy(schema: Any, realistic: bool) -> None:
    judge = Draft7Validator(schema)

    @FEW
    @given(widget_type(schema).strategy(realistic=realistic))
    def accepted(example: Any) -> None:
        judge.validate(example)

    accepted()
