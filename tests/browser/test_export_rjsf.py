"""Messages about react-jsonschema-form, and about what is lost; its behavior: `test_exports`."""

from __future__ import annotations

import json
from typing import Any

import pytest

import widgetschema
from tests.browser.test_exports import DATA, NODE, SCHEMAS, forms_of
from widgetschema.forms.exports import Export, Loss

TEXT: dict[str, Any] = {"type": "string"}
SHOWN: dict[str, Any] = {"ui:widget": "text", "ui:emptyValue": ""}
JSON: dict[str, Any] = {"ui:field": "widgetschemaJson", "ui:fieldReplacesAnyOrOneOf": True}


def titled(title: str, said: dict[str, Any]) -> dict[str, Any]:
    return {"ui:title": title, **said}


def export(schema: Any, text: str, ui: Any = None) -> Export:
    return forms_of(schema).form_json(text, ui=ui).to_rjsf()


def ui_of(schema: Any, text: str = "{}", ui: Any = None) -> Any:
    """Return what is said of the one member `a`."""
    whole = {"type": "object", "properties": {"a": schema}}
    return export(whole, text, ui).ui_schema["a"]


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        pytest.param(TEXT, "{}", SHOWN, id="text"),
        pytest.param({"type": "string", "format": "date-time"}, "{}",
                     {**SHOWN, "ui:placeholder": "2026-11-27T00:00:00Z"}, id="moment"),
        pytest.param(TEXT, '{"a":"b\\nc"}', {**SHOWN, "ui:widget": "textarea"}, id="lines"),
        pytest.param({"type": "number"}, "{}", {"ui:options": {"inputType": "text"}}, id="number"),
        pytest.param({"type": "number"}, '{"a":"x"}', {"ui:options": {"inputType": "text"}}, id="text for a number"),
        pytest.param({"type": "number"}, '{"a":{}}', JSON, id="object for a number"),
        pytest.param(TEXT, '{"a":5}', JSON, id="number for a text"),
        pytest.param({"type": "boolean"}, "{}", {"ui:widget": "select"}, id="boolean"),
        pytest.param({"enum": ["x", "y"]}, "{}", {"ui:widget": "select"}, id="choices"),
        pytest.param({"enum": ["x", 1]}, "{}", {"ui:widget": "select"}, id="mixed choices"),
        pytest.param({"enum": ["1", 1]}, "{}", JSON, id="choices with one text"),
        pytest.param({"enum": ["x", None]}, '{"a":null}', JSON, id="choices and null"),
        pytest.param({"const": "x"}, '{"a":"x"}', {"ui:readonly": True}, id="constant"),
        pytest.param({"const": "x"}, "{}", {}, id="constant that is not there"),
        pytest.param({"type": "object"}, "{}", JSON, id="free"),
        pytest.param({"minLength": 1}, "{}", JSON, id="no type"),
        pytest.param({"type": ["string", "number"]}, "{}", JSON, id="types"),
        pytest.param({"type": "array", "items": TEXT}, "{}", {"items": titled("A", SHOWN)}, id="list"),
        pytest.param({"type": "array", "items": TEXT}, '{"a":[1]}', {"items": titled("A", JSON)}, id="number in a list"),
        pytest.param({"type": "array", "items": {"enum": ["x", "y"]}, "uniqueItems": True}, '{"a":["z"]}', JSON, id="selection"),
        pytest.param({"type": "array", "items": [TEXT]}, "{}", JSON, id="tuple that is not there"),
        pytest.param({"type": "array", "items": [TEXT]}, '{"a":["x"]}', {"items": [titled("A 1", SHOWN)], "additionalItems": titled("A", JSON)}, id="tuple"),
        pytest.param({"type": "array", "items": [TEXT]}, '{"a":["x","y"]}', JSON, id="tuple and more"),
        pytest.param({"type": "object", "properties": {"2": TEXT, "1": TEXT}}, "{}",
                     {"2": titled("2", SHOWN), "1": titled("1", SHOWN), "ui:order": ["2", "1", "*"]}, id="order"),
        pytest.param({"type": "object", "properties": {"ui:x": TEXT, "valueOf": TEXT}}, "{}",
                     {"valueOf": titled("Value of", JSON)}, id="names"),
        pytest.param({"type": "object", "additionalProperties": TEXT}, '{"a":{"z":"x"}}', {"additionalProperties": SHOWN}, id="other members"),
        pytest.param({"type": "object", "additionalProperties": TEXT}, '{"a":{"z":[]}}',
                     {"additionalProperties": {"ui:field": "widgetschemaJson"}}, id="other members of another type"),
        pytest.param({"anyOf": [TEXT, {"type": "number", "title": "Pixels"}]}, '{"a":3}',
                     {"anyOf": [titled("Text", SHOWN), {"ui:title": "Pixels", "ui:options": {"inputType": "text"}}]}, id="alternatives"),
        pytest.param({"anyOf": [TEXT, {"type": "number"}]}, '{"a":[]}', JSON, id="no alternative"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_place(schema: Any, text: str, expected: Any) -> None:
    assert ui_of(schema, text) == {"ui:title": "A", **expected}


def test_what_somebody_says_beside_the_schema_holds() -> None:
    ui = {"/a": {"label": "Name", "help": "Of the person", "kind": "long-text", "example": "Eve"}}
    expected: dict[str, Any] = {
        "ui:title": "Name",
        "ui:description": "Of the person",
        "ui:placeholder": "Eve",
    }
    assert ui_of(TEXT, "{}", ui) == {**expected, "ui:widget": "textarea", "ui:emptyValue": ""}
    choices = {"/a": {"choices": {"x": "Left", "y": "Right"}}}
    assert ui_of({"enum": ["x", "y"]}, "{}", choices)["ui:enumNames"] == ["Left", "Right"]


def test_what_leads_back_to_itself_is_shown_once_more() -> None:
    schema = {"$ref": "#/definitions/node", "definitions": {"node": NODE}}
    made = export(schema, "{}")
    items = made.ui_schema["children"]["items"]
    assert made.ui_schema["next"]["ui:field"] == items["next"]["ui:field"] == "widgetschemaJson"
    assert items["children"]["ui:field"] == "widgetschemaJson"
    cut = {loss.path for loss in made.losses if loss.kind == "control"}
    assert cut == {"/next", "/children/*/next", "/children/*/children"}


def test_losses_say_where_and_what() -> None:
    form = forms_of({"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"format": "iri", "type": "string"}}})  # fmt: skip
    made = form.form_json('{"d":{"a":"x\\r\\n","z":1e400,"valueOf":2.0}}', at="/d").to_rjsf()
    assert made.losses == (
        Loss("data", "/d/z", "1e400 becomes null: it is beyond the range of a double"),
        Loss("spelling", "/d/valueOf", "2.0 is written 2"),
        Loss("data", "/d/valueOf", "a property of this name is left out"),
        Loss("editing", "/d/a", "line breaks CR LF and CR become LF when the text is edited"),
        Loss("editing", "/d/a", "null is kept, but cannot be chosen"),
        Loss("control", "/d/z", "there is no field for a property that the schema does not describe"),
        Loss("control", "/d/valueOf", "there is no field for a property that the schema does not describe"),
        Loss("editing", "", 'a text that is cleared becomes "": it cannot be removed again'),
        Loss("checking", "", "Ajv does not check format iri (/properties/b/format of the schema)"),
    )  # fmt: skip
    assert not made.keeps_data
    assert str(made.losses[0]).startswith("/d/z: 1e400")
    assert str(made.losses[-1]).startswith("(whole): Ajv")
    assert made.data == {"a": "x\r\n", "z": 1.7976931348623157e308, "valueOf": 2.0}


@pytest.mark.parametrize(("name", "text"), DATA, ids=[f"{n}-{name}" for n, (name, _) in enumerate(DATA)])  # fmt: skip
def test_exports_are_json(name: str, text: str) -> None:
    form = forms_of(SCHEMAS[name]).form_json(text)
    for made, ui in ((form.to_rjsf(), "uiSchema"), (form.to_jsonforms(), "uischema")):
        members = ["target", "schema", ui, "data", "props", "fields", "keepsData", "losses"]
        assert list(made.as_dict()) == members
        again = json.loads(json.dumps(made.as_dict(), allow_nan=False))
        assert again["keepsData"] == made.keeps_data
        assert made.uischema is made.ui_schema
        assert {loss.kind for loss in made.losses} <= {
            "data",
            "spelling",
            "control",
            "editing",
            "checking",
        }


def test_large_and_deep_data_has_an_export() -> None:
    forms = forms_of(SCHEMAS["recursive"])
    deep = '{"next":' * 150 + "{}" + "}" * 150
    wide = json.dumps({"children": [{"name": str(n)} for n in range(5000)]})
    for text in (deep, wide):
        made = forms.form_json(text).to_rjsf()
        assert made.keeps_data
        assert len(json.dumps(made.ui_schema)) < 3000


def test_a_schema_with_more_places_than_a_form_is_cut() -> None:
    definitions: dict[str, Any] = {
        f"d{n}": {
            "type": "object",
            "properties": {m: {"$ref": f"#/definitions/d{n + 1}"} for m in "ab"},
        }
        for n in range(30)
    }
    schema = {"$ref": "#/definitions/d0", "definitions": {**definitions, "d30": TEXT}}
    for made in (export(schema, "{}"), forms_of(schema).form_json("{}").to_jsonforms()):
        assert any("too large" in loss.message for loss in made.losses)
        assert len(json.dumps(made.as_dict())) < 2_000_000


def test_the_types_of_the_package_have_exports() -> None:
    countdown = widgetschema.widget_type("countdown")
    made = countdown.form(countdown.sample()).to_rjsf()
    assert made.keeps_data
    assert made.fields == ("widgetschemaJson",)
    assert made.ui_schema["styles"]["customCSS"]["ui:widget"] == "textarea"
