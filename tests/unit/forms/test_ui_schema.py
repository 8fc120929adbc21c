"""A `uiSchema` of react-jsonschema-form as a UI description."""

from __future__ import annotations

from typing import Any

import pytest

from tests.posting import forms_of
from widgetschema.forms.fields.ui_schema import read_ui_schema

SCHEMA: Any = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "secret": {"type": "string"},
        "a/b": {"type": "string"},
        "rows": {"type": "array", "items": {"properties": {"text": {"type": "string"}}}},
    },
}


def test_what_can_be_used_is() -> None:
    reading = read_ui_schema(
        {
            "ui:order": ["rows", "*"],
            "title": {"ui:title": "Headline", "ui:options": {"widget": "textarea"}},
            "secret": {"ui:widget": "hidden"},
            "a/b": {"ui:placeholder": "x", "ui:help": "Help"},
            "rows": {"items": {"text": {"ui:widget": "color"}}},
        }
    )
    assert reading.unused == ()
    form = forms_of(SCHEMA).form({"secret": "s", "rows": [{"text": "t"}]}, reading.ui)
    assert [(one.name, one.kind, one.label) for one in form if "/" in one.name] == [
        ("#/rows", "list", "Rows"),
        ("#/rows/0", "object", "Row 1"),
        ("#/rows/0/text", "colour", "Text"),
        ("#/title", "long-text", "Headline"),
        ("#/a~1b", "text", "A b"),
    ]
    shape = form.root.children[-1].shape
    assert (shape.example, shape.help) == ("x", "Help")


@pytest.mark.parametrize(
    ("ui_schema", "unused"),
    [
        ({"title": {"ui:widget": "mine", "ui:autofocus": True}},
         ["/title/ui:widget", "/title/ui:autofocus"]),
        ({"ui:options": {"label": False}}, ["/ui:options/label"]),
        ({"ui:submitButtonOptions": {}}, ["/ui:submitButtonOptions"]),
        ({"rows": {"items": [{"ui:title": ""}]}}, ["/rows/items/0/ui:title"]),
        ({"a/b": 1, "oneOf": [], "*": {}}, ["/oneOf", "/*", "/a~1b"]),
        ({"ui:order": [1], "ui:options": 1}, ["/ui:order", "/ui:options"]),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said(ui_schema: Any, unused: list[str]) -> None:
    assert read_ui_schema(ui_schema) == ({}, tuple(unused))


def test_of_two_texts_for_the_same_one_is_used() -> None:
    reading = read_ui_schema({"title": {"ui:help": "One", "ui:description": "Other"}})
    assert reading == ({"/title": {"help": "One"}}, ("/title/ui:description",))


def test_the_export_can_be_read_again() -> None:
    form = forms_of(SCHEMA).form({}, {"/secret": {"hidden": True}, "": {"order": ["title"]}})
    reading = read_ui_schema(form.to_rjsf().ui_schema)
    assert reading.ui["/secret"] == {"hidden": True}
