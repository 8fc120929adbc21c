"""The decision what a schema describes: widget documents, the data itself, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema.errors import UnclearSchema
from widgetschema.schema.describes import (
    RECORD_MEMBERS,
    Describes,
    asserts,
    base_places,
    decide,
    is_resource,
    without_assertion,
)
from widgetschema.schema.linking import LinkedSchema, link

BASE = {"type": "object", "properties": {"data": {"type": "object"}}}
TEXT = {"type": "string"}
DATA = {"properties": {"data": TEXT}}


def linked(schema: Any) -> LinkedSchema:
    """The schema, linked with a base schema and another one that refers to it."""
    return link(schema, {"plugin": BASE, "own-base": {"allOf": [{"$ref": "plugin"}]}}, id="x")


class TestDecide:
    @pytest.mark.parametrize(
        "schema",
        [
            pytest.param({"$ref": "plugin"}, id="reference"),
            pytest.param({"allOf": [{"$ref": "plugin"}]}, id="as-the-platform-writes-it"),
            pytest.param({"allOf": [TEXT, {"allOf": [{"$ref": "plugin#"}]}]}, id="nested"),
            pytest.param({"allOf": [{"$ref": "plugin.json"}]}, id="name-of-a-file"),
            pytest.param({"allOf": [{"$ref": "own-base"}]}, id="through-another-schema"),
            pytest.param(
                {
                    "$ref": "#/definitions/A",
                    "definitions": {
                        "A": {"$ref": "#/definitions/B"},
                        "B": {"allOf": [{"$ref": "plugin"}]},
                    },
                },
                id="through-definitions",
            ),
            pytest.param(
                {
                    "$id": "https://platform.example/types/x",
                    "allOf": [{"$ref": "https://platform.example/types/plugin"}],
                },
                id="address-on-the-same-origin",
            ),
            pytest.param(
                {"allOf": [{"$ref": "plugin"}], "properties": {"data": {}, "options": {}}},
                id="whatever-else-it-names",
            ),
            pytest.param(DATA, id="data-alone"),
            pytest.param({"required": ["data"]}, id="data-required"),
            pytest.param({"properties": {"name": TEXT}, "required": ["data"]}, id="both-keywords"),
            pytest.param(
                {"properties": dict.fromkeys([*sorted(RECORD_MEMBERS), "data"], True)},
                id="every-member-of-a-record",
            ),
            pytest.param(
                {"$ref": "#/definitions/Document", "definitions": {"Document": DATA}},
                id="data-by-a-reference-at-the-root",
            ),
            pytest.param({"allOf": [{"required": ["id"]}, DATA]}, id="data-in-all-of"),
        ],
    )
    def test_documents(self, schema: Any) -> None:
        assert decide(linked(schema), "x") == "document"

    @pytest.mark.parametrize(
        "schema",
        [
            pytest.param(True, id="true"),
            pytest.param(False, id="false"),
            pytest.param({}, id="nothing"),
            pytest.param({"type": "array"}, id="no-object"),
            pytest.param({"properties": {"title": TEXT}, "required": ["title"]}, id="ordinary"),
            pytest.param({"properties": {"type": TEXT, "name": TEXT}}, id="no-data"),
            pytest.param({"patternProperties": {"^data$": TEXT}}, id="pattern"),
            pytest.param({"additionalProperties": TEXT}, id="additional"),
            pytest.param({"propertyNames": {"enum": ["data"]}}, id="names"),
            pytest.param({"dependencies": {"data": ["title"]}}, id="dependency"),
            pytest.param({"if": DATA, "then": DATA, "else": DATA}, id="conditions"),
            pytest.param({"anyOf": [DATA, {"$ref": "plugin"}]}, id="any-of"),
            pytest.param({"oneOf": [DATA]}, id="one-of"),
            pytest.param({"not": {"$ref": "plugin"}}, id="not"),
            pytest.param({"properties": {"a": DATA, "b": {"$ref": "plugin"}}}, id="below"),
            pytest.param({"items": {"$ref": "plugin"}}, id="items"),
            pytest.param({"definitions": {"A": {"$ref": "plugin"}}, "type": "object"}, id="unused"),
            pytest.param(
                {"$ref": "#/definitions/A", "definitions": {"A": TEXT}, "properties": DATA},
                id="beside-a-reference",
            ),
            pytest.param({"properties": {"child": {"$ref": "#"}}}, id="recursion"),
        ],
    )
    def test_the_data_itself(self, schema: Any) -> None:
        assert decide(linked(schema), "x") == "data"

    @pytest.mark.parametrize(
        "schema",
        [
            pytest.param({"properties": {"type": {}, "data": {}, "options": {}}}, id="chart"),
            pytest.param({"properties": {"data": {}}, "required": ["options"]}, id="required"),
            pytest.param({"allOf": [DATA, {"properties": {"options": {}}}]}, id="in-all-of"),
            pytest.param({"properties": {"data": {}, "Type": {}, "options": {}}}, id="spelling"),
        ],
    )
    def test_what_nobody_can_know(self, schema: Any) -> None:
        with pytest.raises(UnclearSchema) as caught:
            decide(linked(schema), "my chart")

        assert caught.value.schema == "my chart"
        assert "options" in caught.value.reason
        for way in ('[types."my chart"] describes = "data"', "describes=", "from_data_schema"):
            assert way in caught.value.advice
        for decided in ("data", "document"):
            assert decide(linked(schema), "x", decided=decided) == decided

    def test_the_platform_serves_documents(self) -> None:
        schemas: list[Any] = [True, {"type": "object"}, {"required": ["data", "options"]}]
        for schema in schemas:
            assert decide(linked(schema), "x", from_platform=True) == "document"
            assert decide(linked(schema), "x", from_platform=True, decided="data") == "data"

    def test_a_decision_that_contradicts_the_schema(self) -> None:
        schema = linked({"allOf": [{"$ref": "plugin"}]})

        assert decide(schema, "x", decided="document") == "document"
        with pytest.raises(UnclearSchema, match="not the data itself"):
            decide(schema, "x", decided="data")

    def test_a_decision_that_is_none(self) -> None:
        misspelled: Any = "documents"
        with pytest.raises(ValueError, match='"data", "document" or None, not \'documents\''):
            decide(linked({"type": "object"}), "x", decided=misspelled)


class TestAsserts:
    @pytest.mark.parametrize(
        ("schema", "expected"),
        [
            (True, False),
            (False, True),
            ({}, False),
            ({"title": "x", "default": 1, "x-order": 2, "$comment": "x"}, False),
            ({"properties": {"a": {}, "b": True}, "items": [{}], "additionalItems": {}}, False),
            ({"properties": {"a": {"items": {"additionalProperties": False}}}}, True),
            ({"minimum": 0}, True),
            ({"minLength": 0, "minItems": 0, "minProperties": 0}, False),
            ({"minLength": 1}, True),
            ({"required": [], "uniqueItems": False, "dependencies": {"a": [], "b": {}}}, False),
            ({"dependencies": {"a": ["b"]}}, True),
            ({"dependencies": {"a": {"required": ["b"]}}}, True),
            ({"const": False}, True),
            ({"enum": [0]}, True),
            ({"contains": True}, True),
            ({"contains": False}, True),
            ({"not": {}}, True),
            ({"not": False}, False),
            ({"oneOf": [{}, {}]}, True),
            ({"oneOf": [{}]}, False),
            ({"anyOf": [{}, TEXT]}, True),
            ({"if": TEXT}, False),
            ({"if": TEXT, "then": {}}, False),
            ({"if": {}, "else": TEXT}, True),
            ({"then": TEXT, "else": TEXT}, False),
            ({"items": {}, "additionalItems": TEXT}, False),
            ({"items": [], "additionalItems": TEXT}, True),
            ({"propertyNames": {"pattern": "a"}}, True),
            ({"format": "date"}, True),
            ({"definitions": {"A": TEXT}}, False),
            ({"definitions": {"A": TEXT}, "allOf": [{"$ref": "#/definitions/A"}]}, True),
            ({"definitions": {"A": {}}, "$ref": "#/definitions/A", "type": "object"}, False),
            ({"properties": {"child": {"$ref": "#"}}}, False),
            ({"unevaluatedProperties": False, "prefixItems": [TEXT]}, False),
        ],
    )
    def test_by_keywords(self, schema: Any, expected: bool) -> None:
        assert asserts(link(schema)) is expected

    def test_what_a_base_schema_asserts_may_not_count(self) -> None:
        schema = linked({"allOf": [{"$ref": "plugin"}]})

        assert asserts(schema)
        assert not asserts(schema, ignored=base_places(schema))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"definitions": {"A": TEXT}}, True),
        ({"$defs": {"A": TEXT}, "title": "shared"}, True),
        ({"$id": "x", "definitions": {"A": {}}, "properties": {"a": {}}}, True),
        ({"definitions": {"A": TEXT}, "$ref": "#/definitions/A"}, False),
        ({"definitions": {"A": TEXT}, "items": {"$ref": "#/definitions/A"}}, False),
        ({"definitions": {"A": TEXT}, "type": "object"}, False),
        ({"definitions": {}}, False),
        ({}, False),
        (True, False),
        ({"definitions": {"A": TEXT}, "oneOf": 5, "dependencies": 1, "properties": None}, True),
    ],
)
def test_resources(schema: Any, expected: bool) -> None:
    assert is_resource(schema) is expected


class TestWithoutAssertion:
    @pytest.mark.parametrize(
        ("schema", "describes", "decided", "found"),
        [
            ({"type": "object"}, "data", False, None),
            (True, "data", False, "can refuse no data"),
            ({"title": "x"}, "data", False, "can refuse no data"),
            (True, "data", True, None),
            ({"title": "x"}, "data", True, None),
            ({"definitions": {"A": TEXT}}, "data", False, "it is not a widget type"),
            ({"definitions": {"A": TEXT}}, "data", True, "it is not a widget type"),
            (DATA, "document", False, None),
            ({"properties": {"data": {}}}, "document", False, "can refuse no data"),
            ({"properties": {"data": {}, "name": TEXT}}, "document", True, None),
            ({"required": ["title"]}, "document", False, "the schema says nothing about 'data'"),
            ({"required": ["title"]}, "document", True, "the schema says nothing about 'data'"),
            ({}, "document", True, None),
            ({"additionalProperties": False}, "document", True, None),
        ],
    )
    def test_types(
        self, schema: Any, describes: Describes, decided: bool, found: str | None
    ) -> None:
        whole = link(schema)
        whole = whole.as_member("data") if describes == "data" else whole
        error = without_assertion(
            whole, whole.for_member("data"), schema, "x", (), is_decided=decided
        )

        assert (error is None) is (found is None)
        assert found is None or found in str(error)
