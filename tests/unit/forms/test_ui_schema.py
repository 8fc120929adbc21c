"""A `uiSchema` of react-jsonschema-form as a UI description."""

from __future__ import annotations

from typing import Any

import pytest

from tests.posting import forms_of
from widgetschema import InvalidFormDescription
from widgetschema.forms import CustomControl, read_ui_schema, register_control

SCHEMA: Any = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "secret": {"type": "string"},
        "a/b": {"type": "string"},
        "size": {"enum": ["s", "m", 3, None]},
        "tags": {"type": "array", "uniqueItems": True, "items": {"enum": ["x", "y"]}},
        "share": {"type": "integer", "minimum": 0, "maximum": 9},
        "flag": {"type": "boolean"},
        "rows": {"type": "array", "items": {"properties": {"text": {"type": "string"}}}},
    },
}


@pytest.mark.parametrize(
    ("ui_schema", "unused"),
    [
        ({"title": {"ui:widget": "range"}}, "/title/ui:widget"),
        ({"share": {"ui:options": {"widget": "textarea"}}}, "/share/ui:options/widget"),
        ({"flag": {"ui:widget": "checkboxes"}}, "/flag/ui:widget"),
        ({"size": {"ui:enumDisabled": ["s", "xl"]}}, "/size/ui:enumDisabled"),
        ({"title": {"ui:enumNames": {"a": "A"}}}, "/title/ui:enumNames"),
        ({"title": {"inner": {"ui:title": "x"}}}, "/title/inner"),
        ({"title": {"ui:title": " "}}, None),
        ({"ui:order": ["none", "flag"]}, "/ui:order"),
        ({"tags": {"ui:order": ["a"]}}, "/tags/ui:order"),
        ({"ui:widget": "hidden"}, "/ui:widget"),
        ({"rows": {"items": {"ui:order": ["text", "more"], "text": {"ui:widget": "updown"}}}}, "/rows/items/ui:order"),
    ],
)  # fmt: skip
def test_what_a_form_would_refuse_is_not_used(ui_schema: Any, unused: str | None) -> None:
    reading = read_ui_schema(ui_schema, SCHEMA)
    forms_of(SCHEMA).form({}, reading.ui)
    assert unused is None or unused in [entry.path for entry in reading.unused]


def test_the_rest_of_an_order_is_used() -> None:
    reading = read_ui_schema({"ui:order": ["none", "flag"]}, SCHEMA)
    assert reading.ui == {"": {"order": ["flag"]}}
    [entry] = reading.unused
    assert str(entry) == '/ui:order: "none" is not a property that the schema names'


def test_what_can_be_used_is() -> None:
    reading = read_ui_schema(
        {
            "ui:order": ["rows", "*"],
            "title": {
                "ui:title": "Headline",
                "ui:options": {"widget": "textarea", "rows": 7},
                "ui:help": "Below.",
                "ui:description": "Above.",
            },
            "secret": {"ui:widget": "hidden"},
            "a/b": {"ui:placeholder": "x", "ui:help": "Help", "ui:disabled": True},
            "size": {
                "ui:enumNames": ["Small", "", "Three"],
                "ui:enumDisabled": ["m", 3],
                "ui:widget": "radio",
                "ui:options": {"inline": True},
            },
            "tags": {"ui:widget": "checkboxes", "items": {"ui:enumNames": ["X!", "Y!"]}},
            "share": {"ui:widget": "range", "ui:readonly": False},
            "flag": {"ui:widget": "select", "ui:readonly": True},
            "rows": {"items": {"text": {"ui:widget": "color"}}},
        },
        SCHEMA,
    )
    assert reading.unused == ()
    assert reading.ui["/title"] == {"label": "Headline", "kind": "long-text", "lines": 7, "help": "Above. Below."}  # fmt: skip
    assert reading.ui["/size"] == {
        "choices": {
            "s": {"label": "Small"},
            "m": {"disabled": True},
            "3": {"label": "Three", "disabled": True},
        },
        "kind": "radios",
    }
    assert reading.ui["/tags/*"] == {"choices": {"x": {"label": "X!"}, "y": {"label": "Y!"}}}
    form = forms_of(SCHEMA).form({"secret": "s", "rows": [{"text": "t"}]}, reading.ui)
    kinds = {one.name: (one.kind, one.label) for one in form}
    assert kinds["#/rows/0/text"] == ("colour", "Text")
    assert kinds["#/title"] == ("long-text", "Headline")
    assert kinds["#/share"] == ("slider", "Share")
    assert "#/secret" not in kinds
    assert [form.field(path).read_only for path in ("/flag", "/a~1b", "/title")] == [True, True, False]  # type: ignore[union-attr]  # fmt: skip


UNUSED: list[tuple[Any, dict[str, str]]] = [
    ({"title": {"ui:widget": "mine", "ui:autofocus": True}},
     {"/title/ui:widget": 'no kind of control is like "mine"',
      "/title/ui:autofocus": "there is no such option here"}),
    ({"ui:options": {"label": False}}, {"/ui:options/label": "there is no such option here"}),
    ({"ui:submitButtonOptions": {}}, {"/ui:submitButtonOptions": "there is no such option here"}),
    ({"rows": {"items": [{"ui:title": ""}]}}, {"/rows/items/0/ui:title": "a label is not empty"}),
    ({"a/b": 1, "oneOf": [], "*": {}},
     {"/oneOf": "options are for a place, and not for one of its alternatives",
      "/*": '"*" in a pattern means any property', "/a~1b": "1 is not an object"}),
    ({"ui:order": [1], "ui:options": 1},
     {"/ui:order": "it must be a list of names",
      "/ui:options": "react-jsonschema-form has no such option"}),
    ({"title": {"ui:plaecholder": "x"}},
     {"/title/ui:plaecholder":
      'react-jsonschema-form has no such option; did you mean "ui:placeholder"?'}),
    ({"size": {"ui:enumNames": ["a"], "ui:enumOrder": ["*"]}},
     {"/size/ui:enumNames": "they go by position: pass the `schema` of the data",
      "/size/ui:enumOrder": "there is no such option here"}),
    ({"size": {"ui:enumNames": {"s": 1}, "ui:enumDisabled": "s"}},
     {"/size/ui:enumNames": "labels must be texts",
      "/size/ui:enumDisabled": "it must be a list, or names by value"}),
    ({"ui:globalOptions": {"copyable": True}, "ui:definitions": {}},
     {"/ui:globalOptions/copyable": "there are no options for all fields",
      "/ui:definitions": "there is no such option here"}),
    ({"title": {"ui:field": "LayoutGridField", "ui:classNames": "big", "ui:style": {}}},
     {"/title/ui:field": 'no kind of control is like "LayoutGridField"',
      "/title/ui:classNames": "there is no such option here",
      "/title/ui:style": "there is no such option here"}),
    ({"title": {"ui:widget": "textarea", "ui:options": {"inputType": "tel", "rows": 900}}},
     {"/title/ui:options/inputType": 'no kind of control is like "tel"',
      "/title/ui:options/rows": "there is no such option here"}),
    ({"rows": {"additionalItems": {}}, "flag": {"ui:options": {"inline": False}}},
     {"/rows/additionalItems": "no pattern means only what the schema does not name",
      "/flag/ui:options/inline": "radio buttons are beside each other"}),
]  # fmt: skip


@pytest.mark.parametrize(("ui_schema", "unused"), UNUSED)
def test_what_cannot_be_used_is_said(ui_schema: Any, unused: dict[str, str]) -> None:
    reading = read_ui_schema(ui_schema)
    assert dict(reading.unused) == unused
    assert str(reading.unused[0]) == f"{reading.unused[0].path}: {reading.unused[0].reason}"


def test_a_widget_can_be_a_control_of_the_application() -> None:
    register_control(CustomControl("fancy-text", "<input {{ attributes }} value='{{ text }}'>", dict, str))  # fmt: skip
    for name in ("ui:widget", "ui:field"):
        reading = read_ui_schema({"title": {name: "fancy-text"}})
        assert reading == ({"/title": {"kind": "fancy-text"}}, ())


def test_names_by_value_need_no_schema() -> None:
    reading = read_ui_schema({"size": {"ui:enumNames": {"s": "Small", "3": "Three"}}})
    form = forms_of(SCHEMA).form({}, reading.ui)
    assert [choice.label for choice in form.field("/size").choices] == ["Not set", "Small", "m", "Three", "No value"]  # type: ignore[union-attr]  # fmt: skip


def test_the_export_can_be_read_again() -> None:
    ui = {"/secret": {"hidden": True}, "": {"order": ["title"]}, "/title": {"placeholder": "Type"}}
    form = forms_of(SCHEMA).form({"rows": {"not": "a list"}}, ui)
    reading = read_ui_schema(form.to_rjsf().ui_schema, SCHEMA)
    assert reading.ui["/secret"] == {"hidden": True}
    assert reading.ui["/rows"]["kind"] == "json"
    forms_of(SCHEMA).form({}, reading.ui)


@pytest.mark.parametrize("ui", [{"ui:order": ["*"]}, {"title": {"ui:widget": "textarea"}}])
def test_a_ui_schema_in_place_of_a_description_is_said(ui: Any) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        forms_of(SCHEMA).form({}, ui)
    [finding] = caught.value.report
    assert finding.message.startswith("this is a uiSchema of react-jsonschema-form")
    assert finding.hint == "read it with read_ui_schema"
