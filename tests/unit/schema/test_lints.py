"""Lints: what is reported about keywords without effect, and what is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema.catalog.store import bundled
from widgetschema.schema.keywords import ANNOTATION_WORDS, KEYWORDS, OTHER_DRAFTS
from widgetschema.schema.linking import link
from widgetschema.schema.lints import lints, seems_data
from widgetschema.schema.metaschema import METASCHEMA

TEXT = {"type": "string"}


def found(schema: Any, resources: Any = None) -> list[tuple[str, str, str | None]]:
    """Code, path and hint of each lint."""
    return [(one.keyword, one.path, one.hint) for one in lints(link(schema, resources))]


@pytest.mark.parametrize(
    ("word", "value", "meant"),
    [
        ("proprties", {"a": TEXT}, "properties"),
        ("Properties", {"a": TEXT}, "properties"),
        ("rpoperties", {"a": TEXT}, "properties"),
        ("requird", ["a"], "required"),
        ("required_", ["a"], None),
        ("typ", "string", "type"),
        ("tpye", ["string", "null"], "type"),
        ("itmes", TEXT, "items"),
        ("enmu", [1], "enum"),
        ("additonalProperties", False, "additionalProperties"),
        ("additional_properties", True, "additionalProperties"),
        ("minLenght", 1, "minLength"),
        ("exclusiveMinimun", 1.5, "exclusiveMinimum"),
        ("patern", "^a", "pattern"),
        ("fromat", "date", "format"),
        ("anyof", [TEXT], "anyOf"),
        ("one-of", [TEXT], "oneOf"),
        ("cosnt", 1, "const"),
        ("elese", TEXT, "else"),
        ("uniqueitems", True, "uniqueItems"),
        ("dependancies", {"a": ["b"]}, "dependencies"),
        ("$reff", "#", "$ref"),
        ("ref", "#/definitions/a", "$ref"),
        ("titel", "Title", "title"),
        ("required ", ["a"], "required"),
        (" const", 1, "const"),
    ],
)
def test_misspelt_keywords(word: str, value: Any, meant: str | None) -> None:
    hint = f'did you mean "{meant}"?'
    expected = [] if meant is None else [("keyword.unknown", f"/properties/x/{word}", hint)]

    assert found({"properties": {"x": {word: value}}}) == expected


@pytest.mark.parametrize(
    ("schema", "word", "meant"),
    [
        ({"properties": {"a": TEXT}, "proprties": {"b": TEXT}}, "proprties", "properties"),
        ({"properties": {"data": {}}, "Properties": {"type": TEXT}}, "Properties", "properties"),
        ({"required": ["a"], "requird": ["b"]}, "requird", "required"),
        ({"allOf": [TEXT], "allof": [TEXT]}, "allof", "allOf"),
        ({"items": TEXT, "itmes": TEXT}, "itmes", "items"),
        ({"minLength": 1, "min_length": 2}, "min_length", "minLength"),
        ({"type": "string", "tpye": "string"}, "tpye", "type"),
        ({"title": "a", "titel": "b"}, "titel", "title"),
    ],
)
@pytest.mark.parametrize("at", ["", "/properties/data"])
def test_misspelt_keywords_beside_the_right_ones(
    schema: Any, word: str, meant: str, at: str
) -> None:
    expected = [("keyword.unknown", f"{at}/{word}", f'did you mean "{meant}"?')]

    assert found({"properties": {"data": schema}} if at else schema) == expected


@pytest.mark.parametrize(
    ("word", "value"),
    [
        *((word, value) for word in sorted(ANNOTATION_WORDS) for value in (TEXT, "text", ["a"])),
        ("markdownDescription", "text"),
        ("enumNames", ["a"]),
        ("enumDescriptions", ["a"]),
        ("discriminator", {"propertyName": "kind"}),
        ("nullable", True),
        ("deprecated", True),
        ("writeOnly", True),
        ("x-type", "string"),
        ("x-typ", "string"),
        ("ui:title", "text"),
        ("_type", "string"),
        ("@type", "string"),
        ("dtype", "number"),
        ("xtype", "string"),
        ("type2", "string"),
        ("note", {"type": "string"}),
        ("cost", 5),
        ("when", {"const": 1}),
        ("id", "a"),
        ("ref", "ticket"),
        ("schema", "text"),
        ("comment", "text"),
        ("example", ["a"]),
        ("types", ["a", "b"]),
        ("items_", TEXT),
        ("propertyName", "kind"),
        ("maxItem", "many"),
        ("required!", ["a"]),
        ("", "string"),
        ("größe", 1),
    ],
)
def test_annotations_of_people(word: str, value: Any) -> None:
    assert found({word: value}) == []


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"proprties": TEXT, "requird": TEXT, "$defs": TEXT}},
        {"definitions": {"typ": TEXT}, "patternProperties": {"^typ$": TEXT}},
        {"enum": [{"typ": "string"}], "examples": [{"typ": "string"}]},
        {"const": {"typ": "string"}, "default": {"typ": "string"}},
        {"dependencies": {"typ": ["requird"], "requird": TEXT}},
        {"x-mine": {"typ": "string", "minimum": 1, "type": "string"}},
        {"type": "string", "typ": "string"},  # a short word beside the keyword may be another one
        {"type": "object", "types": ["string"], "enum": [1], "enums": [1]},
        {"$ref": "#/definitions/a", "definitions": {"a": {}}, "typ": "string"},
    ],
)
def test_what_is_no_keyword_is_not_looked_at(schema: Any) -> None:
    assert found(schema) == []


@pytest.mark.parametrize("keyword", OTHER_DRAFTS)
def test_keywords_of_other_drafts(keyword: str) -> None:
    [(code, path, hint)] = found({"items": {keyword: {"a": ["b"]}}})

    assert (code, path) == ("keyword.unsupported", f"/items/{keyword}")
    assert hint
    assert found({keyword: True}) == found({keyword: {}}) == []


def test_definitions_of_a_later_draft_are_useful_if_a_reference_leads_into_them() -> None:
    schema = {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"typ": "string"}}}

    assert found(schema) == [("keyword.unknown", "/$defs/a/typ", 'did you mean "type"?')]
    assert found({"$defs": {"a": {"typ": "string"}}}) == [
        ("keyword.unsupported", "/$defs", 'write "definitions"')
    ]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "string", "minimum": 1}, "/minimum"),
        ({"type": ["string", "null"], "items": TEXT}, "/items"),
        ({"type": "array", "required": ["a"]}, "/required"),
        ({"type": "object", "maxLength": 1}, "/maxLength"),
        ({"type": "string", "additionalProperties": False}, "/additionalProperties"),
        ({"then": TEXT}, "/then"),
        ({"if": TEXT}, "/if"),
        ({"items": {}, "additionalItems": False}, "/additionalItems"),
        ({"type": "integer", "minimum": 1}, None),
        ({"type": ["string", "number"], "minimum": 1}, None),
        ({"minimum": 1, "items": {}}, None),
        ({"type": "string", "required": [], "items": {}, "minItems": 0}, None),
        ({"type": "integer", "format": "date", "contentEncoding": "base64"}, None),
        ({"if": TEXT, "else": False}, None),
        ({"items": [{}], "additionalItems": False}, None),
        ({"additionalItems": True}, None),
    ],
)
def test_keywords_without_effect(schema: Any, path: str | None) -> None:
    assert [(code, place) for code, place, _ in found(schema)] == (
        [] if path is None else [("keyword.no-effect", path)]
    )


def test_embedded_schemas_are_looked_at_but_not_the_meta_schema() -> None:
    schema = {"allOf": [{"$ref": "plugin"}, {"$ref": METASCHEMA["$id"]}]}

    assert [path for _, path, _ in found(schema, {"plugin": {"requird": ["a"]}})] == [
        "/definitions/plugin/requird"
    ]


@pytest.mark.parametrize("schema", [True, False, {}])
def test_schemas_without_keywords(schema: Any) -> None:
    assert found(schema) == []


@pytest.mark.parametrize(
    ("schema", "is_data"),
    [
        ({"title": "a", "color": "red"}, True),
        ({"color": "red", "requird": ["a"]}, False),  # a misspelled keyword
        ({"title": "a", "$defs": {}}, False),
        ({}, False),
        (True, False),
    ],
)
def test_an_object_without_a_keyword_seems_data(schema: Any, is_data: bool) -> None:
    assert seems_data(schema) is is_data


def test_our_own_schemas_have_none() -> None:
    for id in bundled():
        assert found(bundled()[id], bundled()) == []


def test_the_registry_knows_the_codes() -> None:
    codes = {code for code, one in KEYWORDS.items() if one.category == "lint"}

    assert codes == {"keyword.unknown", "keyword.unsupported", "keyword.no-effect"}
    assert {*OTHER_DRAFTS}.isdisjoint(METASCHEMA["properties"])
    assert {*ANNOTATION_WORDS}.isdisjoint({*METASCHEMA["properties"], *OTHER_DRAFTS})
