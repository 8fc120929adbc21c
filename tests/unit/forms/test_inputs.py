"""Inputs for single values: suggestions, what cannot be edited, sliders, long texts."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import edited, entries, text_of
from tests.posting import forms_of
from widgetschema import Form, InvalidFormDescription

Json = Any


def form_of(schema: Json, text: str = "{}") -> Form:
    """The form of an object with the property `it`."""
    return forms_of({"properties": {"it": schema}}).form_json(text)


def parsed(form: Form) -> LexborHTMLParser:
    return LexborHTMLParser(form.render())


# Examples


@pytest.mark.parametrize(
    ("schema", "suggested"),
    [
        ({"type": "string", "examples": ["a", "b\nc", "", 3, "<d>", "a"]}, ["a", "<d>"]),
        ({"type": "number", "examples": [1.50, "x", True, 2]}, ["1.5", "2"]),
        ({"type": "string", "format": "uri", "examples": ["https://x.org/"]}, ["https://x.org/"]),
        ({"type": "string", "examples": [1]}, []),
    ],
)
def test_examples_are_suggested(schema: Json, suggested: list[str]) -> None:
    page = parsed(form_of(schema))
    control = page.css_first("[name='#/it']")
    assert control is not None
    found = page.css(f"datalist[id='{control.attributes.get('list')}'] > option")
    assert [one.attributes.get("value") for one in found] == suggested


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "object", "examples": [{"a": 1}]}, 'for example {"a": 1}'),
        ({"type": "string", "format": "css", "examples": ["a{}", "b{}"]}, "for example a{} · b{}"),
        ({"type": "array", "items": {"type": "string"}, "examples": [["a"]]}, 'for example ["a"]'),
    ],
)
def test_where_nothing_can_be_suggested_the_help_text_has_examples(schema: Json, said: str) -> None:
    markup = form_of(schema).render()
    assert said in text_of(markup)
    assert "<datalist" not in markup


def test_a_text_that_needs_a_text_area_has_no_suggestions() -> None:
    markup = form_of({"type": "string", "examples": ["a"]}, '{"it": "x\\ny"}').render()
    assert " list=" not in markup
    assert "<datalist" not in markup


# Read-only values

FIXED: Json = {"type": "string", "readOnly": True}
READ_ONLY: Json = {
    "properties": {
        "id": {**FIXED, "title": "Id"},
        "size": {"enum": ["s", "b"], "enumNames": ["Small", "Big"], "readOnly": True},
        "tags": {
            "type": "array",
            "uniqueItems": True,
            "items": {"enum": ["a", "b"]},
            "readOnly": True,
        },
        "owner": {
            "type": "object",
            "readOnly": True,
            "properties": {
                "name": {"type": "string"},
                "links": {"type": "array", "items": {"type": "string"}},
            },
            "additionalProperties": {"type": "number"},
        },
        "log": {"type": "array", "items": {"type": "integer", "readOnly": True}},
        "either": {"oneOf": [{**FIXED, "maxLength": 3}, {"type": "number"}]},
        "rows": {"type": "array", "items": {"properties": {"id": FIXED, "n": {"type": "number"}}}},
        "title": {"type": "string"},
    },
    "patternProperties": {"^x": FIXED},
    "additionalProperties": {"type": "string"},
}
READ_ONLY_TEXT: Final = """{
  "id": "7", "size": "b", "tags": ["b", "z"],
  "owner": {"name": "O", "links": ["l"], "more": 1.0},
  "log": [1, 2], "either": "abc", "rows": [{"id": "r", "n": 1}],
  "title": "T", "xa": "fixed", "other": "free"
}"""
FORGED: Final = [
    ("#/id", "8"), ("state#/id", "unset"), ("#/size", "0"), ("#/tags", "0"), ("present#/tags", "1"),
    ("state#/owner", "unset"), ("#/owner/name", "P"), ("order#/owner/links", ""),
    ("#/owner/links/0", "m"), ("order#/owner", ""), ("name#/owner/more", "less"), ("order#/log", "1"),
    ("#/log/0", "5"), ("kind#/either", "1"), ("#/either;1", "5"), ("#/either;0", "x"),
    ("#/rows/0/id", "s"), ("#/xa", "y"), ("name#/xa", "free"), ("order#", "other"),
]  # fmt: skip


def read_only() -> Form:
    return forms_of(READ_ONLY).form_json(READ_ONLY_TEXT)


def test_read_only_values_have_no_controls() -> None:
    form = read_only()
    page = parsed(form)
    names = {name.partition("#")[2] for name, _ in entries(form.render()) if "#" in name}
    assert {name for name in names if name and "xa" not in name} == {
        "/rows", "/rows/0/n", "/title", "/other",
    }  # fmt: skip
    values = [one.attributes.get("value") for one in page.css("input[readonly]")]
    assert {*values} == {
        "7",
        "Big",
        'b, "z" (kept)',
        "O",
        "l",
        "1.0",
        "1",
        "2",
        "abc",
        "r",
        "fixed",
    }
    assert "Cannot be changed here" in text_of(form.render())


@pytest.mark.parametrize("forged", [*([one] for one in FORGED), FORGED], ids=str)
def test_no_post_changes_a_read_only_value(forged: list[tuple[str, str]]) -> None:
    submission = read_only().submit(forged)
    assert submission.text == READ_ONLY_TEXT


def test_what_is_posted_for_read_only_values_is_reported() -> None:
    assert read_only().submit(FORGED).ignored == (
        "/id", "/size", "/tags", "/owner", "/log", "/either", "/rows/0/id", "/xa",
    )  # fmt: skip


@pytest.mark.parametrize("press", ["add#/log", "remove#/log/0", "use#/id?%228%22", "remove#/xa"])
def test_no_button_changes_a_read_only_value(press: str) -> None:
    assert read_only().submit({"do": press}).text == READ_ONLY_TEXT


def test_the_rest_can_be_edited() -> None:
    submission = read_only().submit({"#/title": "U", "#/rows/0/n": "2", "#/other": "o"})
    assert submission.ignored == ()
    text = READ_ONLY_TEXT.replace('"n": 1', '"n": 2').replace('"T"', '"U"').replace("free", "o")
    assert submission.text == text


def test_a_finding_about_a_read_only_value_has_no_button() -> None:
    form = form_of({"type": "integer", "readOnly": True}, '{"it": "3"}')
    [finding] = form.report
    assert form.button(finding) is None
    assert form_of({"type": "integer"}, '{"it": "3"}').report.valid is False


def test_a_new_row_has_its_read_only_members_empty() -> None:
    submission = read_only().submit({"do": "add#/rows"})
    assert submission.data["rows"] == [{"id": "r", "n": 1}, {}]


# Sliders


@pytest.mark.parametrize(
    ("bounds", "steps"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 100}, ("0", "100", "1")),
        ({"type": "integer", "minimum": 0, "maximum": 101}, None),
        ({"type": "integer", "minimum": 0}, None),
        ({"type": "integer", "minimum": 5, "maximum": 5}, None),
        ({"type": "integer", "minimum": 5, "maximum": 1e300}, None),
        ({"type": "integer", "minimum": -0.5, "maximum": 9.5}, ("0", "9", "1")),
        ({"type": "integer", "minimum": 0.5, "maximum": 9}, ("1", "9", "1")),
        (
            {"type": "integer", "minimum": -3, "exclusiveMaximum": 10, "multipleOf": 2},
            ("-2", "8", "2"),
        ),
        ({"type": "integer", "minimum": 0, "maximum": 5, "multipleOf": 0.5}, None),
        ({"type": "number", "minimum": 0, "maximum": 1}, None),
        ({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.05}, ("0", "1", "0.05")),
        (
            {"type": "number", "exclusiveMinimum": 0, "maximum": 9e1, "multipleOf": 2.5},
            ("2.5", "90", "2.5"),
        ),
        (
            {
                "type": "number",
                "minimum": 0,
                "maximum": 9,
                "allOf": [{"multipleOf": 2}],
                "multipleOf": 3,
            },
            None,
        ),
    ],
    ids=str,
)
def test_a_number_with_few_values_is_a_slider(
    bounds: Json, steps: tuple[str, str, str] | None
) -> None:
    field = form_of(bounds).field("/it")
    assert field is not None
    assert field.shape.steps == steps
    assert (field.kind == "slider") == (steps is not None)


def test_a_slider_is_a_number_in_a_text_field() -> None:
    schema = {"type": "integer", "minimum": 0, "maximum": 10}
    form = form_of(schema, '{"it": 3.0}')
    [control] = parsed(form).css("[name='#/it']")
    assert [control.attributes.get(f"data-{name}") for name in ("low", "high", "step")] == [
        "0", "10", "1",
    ]  # fmt: skip
    assert form.submit(entries(form.render())).text == form.text
    assert form.submit({"#/it": "7"}).text == '{"it": 7}'
    assert form.submit({"#/it": ""}).text == "{}"
    [finding] = form.submit({"#/it": "x"}).report
    assert finding.expected == ["integer"]


def test_a_ui_description_chooses_between_slider_and_number() -> None:
    small, large = ({"type": "integer", "minimum": 0, "maximum": most} for most in (10, 1_000))
    forms = forms_of({"properties": {"small": small, "large": large, "any": {"type": "integer"}}})
    ui = {"/small": {"kind": "integer"}, "/large": {"kind": "slider"}}
    form = forms.form_json("{}", ui=ui)
    assert [field.kind for field in form.root.children[:2]] == ["integer", "slider"]
    with pytest.raises(InvalidFormDescription, match="at most 10,000 steps"):
        forms.form_json("{}", ui={"/any": {"kind": "slider"}})


# Long texts


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "maxLength": 256}, "text"),
        ({"type": "string", "maxLength": 257}, "long-text"),
    ],
)
def test_long_texts_have_a_text_area(schema: Json, kind: str) -> None:
    field = form_of(schema).field("/it")
    assert field is not None
    assert field.kind == kind


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_keep_their_ends(end: str) -> None:
    text = end.join(["# Title", "", "* one  ", "* two", ""])
    form = form_of({"type": "string", "format": "markdown"}, json.dumps({"it": text}))
    posted = entries(form.render())
    assert form.submit(posted).text == form.text
    typed = text.replace("one", "1").replace(end, "\r\n") + "* three"
    submission = form.submit(edited(posted, "#/it", typed))
    assert submission.data["it"] == text.replace("one", "1") + "* three"
