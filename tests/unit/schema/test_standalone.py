"""Self-contained schemas: what they look like; `tests/properties` has what they accept."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest

import widgetschema
from widgetschema import WidgetType
from widgetschema.schema.standalone import safe_name

COMPONENTS = "#/components/schemas/"


def written(schema: Any, dialect: Any = "2020-12", **options: Any) -> Any:
    """A schema of data, written without `$schema`."""
    made = WidgetType.from_data_schema(schema, id="t").data_schema(dialect=dialect, **options)
    made.pop("$schema")
    return made


@pytest.mark.parametrize(
    ("schema", "newer"),
    [
        ({"items": [{}, False]}, {"prefixItems": [{}, False]}),
        ({"items": [{}], "additionalItems": False}, {"prefixItems": [{}], "items": False}),
        ({"additionalItems": False, "items": {}}, {"items": {}}),
        (
            {"dependencies": {"a": ["b"], "c": {"type": "object"}, "d": False}},
            {
                "dependentRequired": {"a": ["b"]},
                "dependentSchemas": {"c": {"type": "object"}, "d": False},
            },
        ),
        (
            {"properties": {"a": {"$ref": "#/definitions/x%20y", "title": "A", "minimum": 3}},
             "definitions": {"x y": {"type": "number"}, "unused": {}}},
            {"properties": {"a": {"$ref": "#/$defs/NAME", "title": "A"}},
             "$defs": {"NAME": {"type": "number"}}},
        ),
        ({"minContains": 0, "contains": {}, "unevaluatedProperties": False}, {"contains": {}}),
        ({"$anchor": "x", "$dynamicRef": "#y", "nullable": True, "$id": "urn:x"}, {}),
        (
            {"properties": {"a": {"$ref": "urn:y#z"}},
             "definitions": {"1": {"$id": "urn:y", "definitions": {"0": {"$id": "#z", "type": "null"}}}}},
            {"properties": {"a": {"$ref": "#/$defs/0"}}, "$defs": {"0": {"type": "null"}}},
        ),
        (True, {}),
        (False, {"not": {}}),
    ],
    ids=lambda one: next(iter(one), "empty") if isinstance(one, dict) else str(one),
)  # fmt: skip
def test_what_2020_12_has_instead(schema: Any, newer: Any) -> None:
    def named(value: Any) -> Any:
        return re.sub(safe_name("x y"), "NAME", repr(value))

    assert named(written(schema)) == repr(newer)


def test_siblings_of_a_reference_mean_nothing_in_draft_07() -> None:
    tree = {"items": {"$ref": "#/definitions/a"}}
    schema = {"$ref": "#/definitions/a", "definitions": {"a": tree}, "minimum": 1}
    assert written(schema, "draft-07") == {
        "definitions": {"a": tree},
        "allOf": [{"$ref": "#/definitions/a"}],
    }


def test_definitions_of_several_types_go_into_one_object() -> None:
    names: set[str] = set()
    for id in ("a", "a.b", "a b", "a-b", "ä"):
        schema = {"$ref": "#/definitions/c/definitions/d", "definitions": {
            "d": {"$ref": "#"}, "c": {"definitions": {"d": {"items": {"$ref": "#/definitions/e"}}}},
            "e": {"items": {"$ref": "#/definitions/d"}},
        }}  # fmt: skip
        widget = WidgetType.from_data_schema(schema, id=id)
        made = widget.data_schema(ref_prefix=COMPONENTS)
        assert all(re.fullmatch("[A-Za-z0-9._-]+", name) for name in made["$defs"])
        references = set(re.findall(rf"'{COMPONENTS}([^']*)'", repr(made)))
        assert references == made["$defs"].keys()
        assert not names & references
        names |= references


def test_the_result_is_a_new_value() -> None:
    countdown = widgetschema.widget_type("countdown")
    before = countdown.data_schema()
    before["$defs"].popitem()[1].clear()
    assert countdown.data_schema() != before


@pytest.mark.parametrize("dialect", ["draft-07", "2020-12"])
def test_the_countdown(dialect: Any) -> None:
    countdown = widgetschema.widget_type("countdown")
    schema = countdown.data_schema(dialect=dialect)
    jsonschema_rs.meta.validate(schema)
    validator = jsonschema_rs.validator_for(schema)
    for case in countdown.near_misses():
        assert not validator.is_valid(case.data)
    for case in countdown.coverage():
        assert validator.is_valid(case.data)


def test_another_dialect() -> None:
    with pytest.raises(ValueError, match="draft-07 or 2020-12"):
        written({}, "draft-04")
