"""Messages about JSON Forms, and about what is lost; its behavior: `test_exports`."""

from __future__ import annotations

from typing import Any

import pytest

import widgetschema
from tests.browser.test_exports import SCHEMAS, forms_of
from widgetschema.forms.exports import Export
from widgetschema.forms.exports.jsonforms import without_pickers

TEXT: dict[str, Any] = {"type": "string"}
PAIR: dict[str, Any] = {"type": "object", "properties": {"x": TEXT, "y": {"type": "number"}}}


def export(schema: Any, text: str = "{}") -> Export:
    return forms_of(schema).form_json(text).to_jsonforms()


def lost(made: Export, kind: str = "control") -> dict[str, str]:
    return {loss.path: loss.message for loss in made.losses if loss.kind == kind}


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        pytest.param(TEXT, "{}", [("#/properties/a", {})], id="text"),
        pytest.param(TEXT, '{"a":"b\\nc"}', [("#/properties/a", {"multi": True})], id="lines"),
        pytest.param({"type": "boolean"}, "{}", [("#/properties/a", {})], id="boolean"),
        pytest.param({"const": "x"}, "{}", [("#/properties/a", {})], id="constant"),
        pytest.param({"anyOf": [{}, TEXT, {"type": "number"}]}, '{"a":"x"}', [("#/properties/a/anyOf/1/", {})], id="alternative"),
        pytest.param({"oneOf": [TEXT, PAIR]}, '{"a":{"x":"q"}}',
                     [("#/properties/a/oneOf/1/properties/x", {}), ("#/properties/a/oneOf/1/properties/y", {})], id="alternative with members"),
        pytest.param({"type": "array", "items": TEXT}, "{}", [("#/properties/a", {})], id="list"),
        pytest.param({"allOf": [PAIR]}, "{}", [("#/properties/a/properties/x", {}), ("#/properties/a/properties/y", {})], id="members"),
    ],
)  # fmt: skip
def test_controls(schema: Any, text: str, expected: list[tuple[str, Any]]) -> None:
    made = export({"type": "object", "properties": {"a": schema}}, text)
    found = []
    for element in made.ui_schema["elements"]:
        elements = element["elements"] if element["type"] == "Group" else [element]
        found += [(one["scope"], one.get("options", {})) for one in elements]
    assert found == expected
    assert lost(made) == {}


def test_items_have_a_layout_of_their_own() -> None:
    made = export(SCHEMAS["nested lists"], '{"slides":[{}]}')
    [slides] = made.ui_schema["elements"]
    detail = slides["options"]["detail"]
    assert detail["type"] == "VerticalLayout"
    title, style, tags, grid = detail["elements"]
    assert (title["scope"], title["label"]) == ("#/properties/title", "Title")
    assert style["label"] == "Style"
    assert style["elements"][0]["scope"] == "#/properties/style/properties/size"
    assert tags == {"type": "Control", "scope": "#/properties/tags", "label": "Tags"}
    assert grid["options"]["detail"]["elements"][0]["scope"] == "#"


@pytest.mark.parametrize(
    ("schema", "text", "why"),
    [
        ({}, "{}", "there is no control for JSON of any kind"),
        ({"type": "null"}, "{}", "there is no control for null"),
        ({"type": "array", "items": [TEXT]}, "{}", "there is no control for items that are described one by one"),
        ({"type": ["string", "number"]}, "{}", "there is no control for a value of several types"),
        (TEXT, '{"a":1}', "a value is of another type, or not among the choices"),
        ({"enum": ["x", {"y": 1}]}, "{}", "the choices are no texts or numbers that can be told apart"),
        ({"minLength": 2}, "{}", "JSON Forms cannot tell which type it has"),
        ({"anyOf": [{}, {"type": "array", "items": [TEXT]}]}, "{}", "there is no control for any of the alternatives"),
        ({"$ref": "#"}, "{}", "the schema leads back to itself here, or the form would become too large"),
    ],
)  # fmt: skip
def test_why_there_is_no_control(schema: Any, text: str, why: str) -> None:
    made = export({"type": "object", "properties": {"a": schema}}, text)
    assert made.ui_schema["elements"] == []
    assert lost(made) == {"/a": why}


@pytest.mark.parametrize("name", ["", ".", "a[0]", "__proto__", "constructor", "~~", "7", 'a"b'])
def test_names_that_paths_cannot_hold(name: str) -> None:
    made = export({"type": "object", "properties": {name: TEXT}})
    assert made.ui_schema["elements"] == []
    assert list(lost(made).values()) == ["paths of JSON Forms cannot contain its name"]


def test_names_that_look_like_keywords() -> None:
    schema = {"type": "object", "properties": {"then": PAIR, "lengthen": TEXT, "a/b": TEXT}}
    made = export(schema)
    assert list(lost(made)) == ["/then"]
    scopes = [one["scope"] for one in made.ui_schema["elements"]]
    assert scopes == ["#/properties/lengthen", "#/properties/a~1b"]


def test_members_that_only_a_dependency_describes_have_a_rule() -> None:
    made = export(SCHEMAS["conditions"], '{"kind":"a","third":1}')
    assert lost(made) == {}
    [third] = [one for one in made.ui_schema["elements"] if one["label"] == "Third"]
    assert third["rule"]["effect"] == "SHOW"


def test_members_that_the_schema_does_not_name() -> None:
    made = export(SCHEMAS["others"], '{"z":"1"}')
    assert lost(made) == {"/z": "there is no control for a property that the schema lacks"}
    assert lost(made, "editing")[""]
    schema = {
        "type": "object",
        "properties": {"a": {"enum": [1, 2]}, "b": {"type": ["boolean", "null"]}},
    }
    assert set(lost(export(schema), "editing")) == {"/a", "/b", ""}


def test_formats_are_checked_and_choose_no_control() -> None:
    moment = {"type": "string", "format": "date-time"}
    schema = {
        "properties": {"a": moment, "b": True, "format": {"format": "email"}},
        "items": [moment, moment],
        "additionalItems": moment,
        "anyOf": [{"format": "date", "allOf": [TEXT]}],
        "dependencies": {"a": ["b"], "b": moment},
        "const": {"format": "date"},
    }
    moved = {"type": "string", "allOf": [{"format": "date-time"}]}
    assert without_pickers(schema) == {
        "properties": {"a": moved, "b": True, "format": {"format": "email"}},
        "items": [moved, moved],
        "additionalItems": moved,
        "anyOf": [{"allOf": [TEXT, {"format": "date"}]}],
        "dependencies": {"a": ["b"], "b": moved},
        "const": {"format": "date"},
    }


def test_the_types_of_the_package_have_exports() -> None:
    countdown = widgetschema.widget_type("countdown")
    made = countdown.form(countdown.sample()).to_jsonforms()
    assert made.keeps_data
    assert [one["label"] for one in made.ui_schema["elements"]] == ["Content", "Settings", "Styles"]
    free = {path for path, why in lost(made).items() if "JSON of any kind" in why}
    styles = countdown.linked["definitions"]["IPluginStyles"]["properties"]
    assert free == {f"/styles/{name}" for name, one in styles.items() if one == {"type": "object"}}
