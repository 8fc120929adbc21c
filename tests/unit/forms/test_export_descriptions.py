"""UI descriptions in exports, and what they say that they leave out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.posting import forms_of
from widgetschema import Validator
from widgetschema.forms import CustomControl, register_control
from widgetschema.forms.exports import Export

TEXT: Any = {"type": "string"}
SCHEMA: Any = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["a", "b"], "default": "a"},
        "title": TEXT,
        "note": TEXT,
        "flag": {"type": "boolean"},
        "box": {"type": "object", "properties": {"x": TEXT, "y": TEXT}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"on": {"type": "boolean"}, "text": TEXT}}},
    },
}  # fmt: skip


def show(value: Any) -> dict[str, str]:
    return {"text": value or ""}


OWN = register_control(
    CustomControl("own-text", "<input {{ attributes }} value='{{ text }}'>", show, str)
)


def exports(ui: Any, data: Any = None) -> tuple[Export, Export]:
    form = forms_of(SCHEMA).form({} if data is None else data, ui)
    return form.to_rjsf(), form.to_jsonforms()


def layout_losses(export: Export) -> list[tuple[str, str]]:
    return [(loss.path, loss.message) for loss in export.losses if loss.kind == "layout"]


def test_placeholders_lines_and_read_only_values() -> None:
    ui = {
        "/note": {"kind": "long-text", "lines": 9, "placeholder": "Say it"},
        "/title": {"readonly": True},
        "/kind": {"choices": {"b": {"disabled": True, "picture": "/b.png"}}},
        "/flag": {"kind": "radios"},
    }
    rjsf, jsonforms = exports(ui)
    assert rjsf.ui_schema["note"]["ui:options"] == {"rows": 9}
    assert rjsf.ui_schema["note"]["ui:placeholder"] == "Say it"
    assert rjsf.ui_schema["title"]["ui:readonly"] is True
    assert rjsf.ui_schema["kind"]["ui:enumDisabled"] == ["b"]
    assert rjsf.ui_schema["flag"]["ui:widget"] == "radio"
    assert layout_losses(rjsf) == [("/kind", "pictures of values are left out")]
    by_scope = {one.get("scope"): one for one in jsonforms.ui_schema["elements"]}
    assert by_scope["#/properties/note"]["options"] == {"multi": True, "placeholder": "Say it"}
    assert by_scope["#/properties/title"]["options"] == {"readonly": True}
    assert layout_losses(jsonforms) == [
        ("/kind", "pictures of values are left out"),
        ("/kind", "values that are not offered can be chosen"),
        ("/note", "the number of lines is left out"),
    ]


def test_groups_and_tabs() -> None:
    ui = {
        "": {
            "groups": [{"label": "G", "members": ["title", "note"]}],
            "tabs": [{"label": "T", "members": ["box", "flag"]}],
            "columns": 2,
        }
    }
    rjsf, jsonforms = exports(ui)
    assert [message for _, message in layout_losses(rjsf)] == [
        "the number of columns is left out",
        "groups are left out",
        "tabs are left out",
    ]
    kind, group, rows, tabs = jsonforms.ui_schema["elements"]
    assert (kind["scope"], rows["scope"]) == ("#/properties/kind", "#/properties/rows")
    assert (group["type"], group["label"]) == ("Group", "G")
    assert [one["scope"] for one in group["elements"]] == ["#/properties/title", "#/properties/note"]  # fmt: skip
    assert tabs["type"] == "Categorization"
    [category] = tabs["elements"]
    assert (category["type"], category["label"]) == ("Category", "T")
    assert [one["type"] for one in category["elements"]] == ["Group", "Control"]
    assert layout_losses(jsonforms) == [("", "the number of columns is left out")]


CONDITIONS: list[tuple[Any, list[tuple[Any, bool]]]] = [
    ({"kind": "a"}, [({}, True), ({"kind": "a"}, True), ({"kind": "b"}, False)]),
    ({"kind": ["b"]}, [({}, False), ({"kind": "b"}, True)]),
    ({"box/x": {"minLength": 2}}, [({}, False), ({"box": {"x": "ab"}}, True), ({"box": {"x": "a"}}, False)]),
    ({"box/x": None}, [({}, True), ({"box": {}}, True), ({"box": {"x": "a"}}, False)]),
    ({"kind": "a", "flag": True}, [({"flag": True}, True), ({}, False)]),
]  # fmt: skip


@pytest.mark.parametrize(("when", "cases"), CONDITIONS)
def test_conditions_are_rules_of_json_forms(when: Any, cases: list[tuple[Any, bool]]) -> None:
    rjsf, jsonforms = exports({"/title": {"when": when}})
    assert layout_losses(rjsf) == [("/title", "the condition is left out: it is always shown")]
    [control] = [one for one in jsonforms.ui_schema["elements"] if one.get("label") == "Title"]
    rule = control["rule"]
    assert (rule["effect"], rule["condition"]["scope"]) == ("SHOW", "#")
    for data, is_shown in cases:
        assert Validator(rule["condition"]["schema"]).is_valid(data) == is_shown
        field = forms_of(SCHEMA).form(data, {"/title": {"when": when}}).field("/title")
        assert field is not None
        assert field.is_concealed != is_shown, "a form of ours does the same"


def test_rules_of_groups_and_of_items() -> None:
    ui = {
        "/box": {"when": {"flag": True}},
        "/box/x": {"when": {"y": "1"}},
        "/rows/*/text": {"when": {"on": True}},
        "/rows/*/on": {"when": {"/flag": True}},
    }
    _, jsonforms = exports(ui, {"rows": [{}]})
    labels = {one.get("label"): one for one in jsonforms.ui_schema["elements"]}
    assert labels["Box"]["rule"]["condition"]["schema"]["required"] == ["flag"]
    inner = labels["Box"]["elements"][0]["rule"]["condition"]["schema"]
    assert inner["properties"]["box"]["properties"]["y"] == {"enum": ["1"]}
    [on, text] = labels["Rows"]["options"]["detail"]["elements"]
    assert text["rule"]["condition"]["schema"]["properties"] == {"on": {"enum": [True]}}
    assert "rule" not in on
    assert ("/rows/*/on", "the condition on /flag is left out: it is always shown") in layout_losses(jsonforms)  # fmt: skip


def test_a_control_of_the_application_is_the_one_without_it() -> None:
    for export in exports({"/title": {"kind": OWN.name}}):
        assert ("/title", 'the control "own-text" is left out') in layout_losses(export)
    rjsf, _ = exports({"/title": {"kind": OWN.name}})
    assert rjsf.ui_schema["title"]["ui:widget"] == "text"
