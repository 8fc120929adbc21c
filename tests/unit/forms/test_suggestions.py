"""Buttons that do what a hint says: they fill in a control, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

import widgetschema
from widgetschema import WidgetType
from widgetschema.forms import Form, Submission
from widgetschema.forms.control_names import RENAME, USE, Action, parse_action
from widgetschema.forms.submit.suggestions import edited_json


def form_of(schema: Any, data: Any) -> Form:
    return WidgetType.from_data_schema({"properties": {"x": schema}}, id="x").form({"x": data})


def pressed(form: Form, *typed: tuple[str, str]) -> tuple[list[str], Submission]:
    """The labels of all buttons, and what pressing the first one makes of the form."""
    shown = form.submit(typed).form if typed else form
    buttons = [one for one in map(shown.button, shown.report) if one is not None]
    return [one.label for one in buttons], form.submit([*typed, ("do", buttons[0].value)])


SUGGESTED: list[tuple[Any, Any, str, Any]] = [
    ({"type": "number"}, "3", "Use 3", 3),
    ({"type": "number"}, "1.50 ", "Use 1.5", 1.5),
    ({"type": ["number", "null"]}, "3", "Use 3", 3),
    ({"type": "string"}, 5, "Use “5”", "5"),
    ({"type": "string"}, ["a"], "Use “a”", "a"),
    ({"type": "boolean"}, "true", "Use Yes", True),
    ({"type": "boolean"}, 0, "Use No", False),
    ({"enum": ["count-to-date", "other"]}, "Count-to-date", "Use “count-to-date”", "count-to-date"),
    ({"enum": ["a", "b", "c", "d", "countdown"]}, "cuontdown", "Use “countdown”", "countdown"),
    ({"oneOf": [{"const": "medium", "title": "Middle"}, {"const": "s"}]}, "Medium", "Use “Middle”", "medium"),
    ({"const": "video"}, "Video", "Use “video”", "video"),
    ({"pattern": "^#[0-9a-f]{6}$"}, "#1A2B3C", "Use “#1a2b3c”", "#1a2b3c"),
    ({"format": "date-time"}, "2026-11-27", "Use “2026-11-27T00:00:00Z”", "2026-11-27T00:00:00Z"),
    ({"format": "uri"}, "www.example.com", "Use “https://www.example.com”", "https://www.example.com"),
    ({"type": "array", "items": {"type": "string"}}, "a", "Make it a list", ["a"]),
    ({"type": "object", "properties": {"a": {}}}, [{"a": 1}], "Take it out of the list", {"a": 1}),
    ({"anyOf": [{"type": "number", "minimum": 5}, {"enum": ["auto", "none"]}]}, "atuo", "Use “auto”", "auto"),
    ({"type": ["array", "number"], "items": {"type": "number"}}, "7", "Use 7", 7),
    (
        {"properties": {"titleText": {"type": "string"}}, "additionalProperties": False},
        {"titelText": "a"},
        "Rename to “titleText”",
        {"titleText": "a"},
    ),
    ({"properties": {"titleText": {"type": "string"}}, "required": ["titleText"]}, {"titelText": "a"}, "Rename “titelText” to “titleText”", {"titleText": "a"}),
    ({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}}, {"Abc": 1}, "Rename to “abc”", {"abc": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "data", "label", "value"), SUGGESTED)
def test_a_button_does_what_the_hint_says(schema: Any, data: Any, label: str, value: Any) -> None:
    labels, submission = pressed(form_of(schema, data))
    assert labels == [label]
    assert submission.data == {"x": value}
    assert submission.valid
    assert submission.action is not None  # the form is shown again, and nothing is saved


def test_the_rest_of_the_text_stays_as_it_is() -> None:
    text = '{"timerDays":   "3",  "b": 1e3,\n\t"titel" : [ 1.0 ]}'
    schema = {"properties": {"timerDays": {"type": "number"}}}
    form = WidgetType.from_data_schema(schema, id="x").form_json(text)
    _, submission = pressed(form)
    assert submission.text == text.replace('"3"', "3")


def test_what_was_typed_is_replaced_and_what_was_typed_elsewhere_stays() -> None:
    schema = {"properties": {"n": {"type": "number"}, "t": {"type": "string"}}}
    form = WidgetType.from_data_schema(schema, id="x").form({"n": 1, "t": "a"})
    labels, submission = pressed(form, ("#/n", "3,5"), ("#/t", "b"))
    assert labels == ["Use 3.5"]
    assert submission.data == {"n": 3.5, "t": "b"}


def test_inside_json_only_the_value_changes() -> None:
    schema = {
        "type": "array",
        "items": {},
        "contains": True,
        "allOf": [{"items": {"type": "number"}}],
    }
    form = WidgetType.from_data_schema({"properties": {"x": schema}}, id="x").form_json(
        '{"x": [1.0,   "2", 3]}', ui={"/x": {"kind": "json"}}
    )
    labels, submission = pressed(form)
    assert labels == ["Use 2"]
    assert submission.text == '{"x": [1.0,   2, 3]}'


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        ({"type": "number"}, "many"),
        ({"enum": ["a", "b"]}, "xyz"),
        ({"minimum": 3}, 1),
        ({"properties": {"a": {}, "b": {}}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a": 1, "b": 1}),
        ({"type": "object", "properties": {"a": {}}}, "{}"),
    ],
)  # fmt: skip
def test_where_nothing_is_meant_there_is_no_button(schema: Any, data: Any) -> None:
    form = form_of(schema, data)
    assert [form.button(one) for one in form.report] == [None]
    assert "ws-use" not in form.render()


@pytest.mark.parametrize(
    "do",
    [
        "use#/x?",
        "use#/x?{",
        "use#/nowhere?3",
        "use#/x",
        "use?3",
        "rename#/x?%22a%22",
        "use#/x?%5B1%5D",
        "use#/x?%7B%22a%22%3A%22b%22%7D",
        "rename#/x?3",
        "use#/x?" + "%5B" * 2_000,
    ],
)
def test_a_request_that_no_button_makes_changes_nothing(do: str) -> None:
    form = form_of({"type": "number"}, "3")
    submission = form.submit({"do": do})
    assert submission.data == {"x": "3"}
    assert not submission.changed


def test_buttons_of_near_misses_resolve_their_findings() -> None:
    countdown = widgetschema.widget_type("countdown")
    pressed_buttons = 0
    for case in countdown.near_misses():
        form = countdown.form(case.data)
        for finding in form.report:
            button = form.button(finding)
            if button is not None:
                pressed_buttons += 1
                left = form.submit({"do": button.value}).report
                assert (finding.keyword, finding.path) not in {
                    (one.keyword, one.path) for one in left
                }
    assert pressed_buttons > 50


def test_the_request_of_a_button_is_read_back() -> None:
    for action in (Action(USE, "#/a%3Fb", '{"a?b#c": "é&=\\n"}'), Action(RENAME, "#/a", '"?"')):
        assert parse_action(action.value) == action


def test_edited_json() -> None:
    assert edited_json('{"a": 1,  "b": [1]}', "/b/0", "2", is_name=False) == '{"a": 1,  "b": [2]}'
    assert edited_json('{"a": 1,  "b": 2}', "/a", '"c"', is_name=True) == '{"c": 1,  "b": 2}'
    assert edited_json('{"a": 1, "b": 2}', "/a", '"b"', is_name=True) is None
    assert edited_json("{", "/a", "1", is_name=False) is None
    assert edited_json("{}", "/a", "1", is_name=False) is None
    assert json.loads(edited_json("[1]", "/0", "2", is_name=False) or "") == [2]
