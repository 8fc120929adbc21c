"""The UI description: what it changes, and what is said of one that cannot be used."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import widgetschema
from tests.browsing import entries
from tests.form_fields import Builder, at, built, sketch
from tests.posting import forms_of
from widgetschema.errors import InvalidFormDescription
from widgetschema.forms import model
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.fields.ui_description import (
    UI_KINDS,
    parse_ui_description,
    ui_description_schema,
)
from widgetschema.forms.model import UiOptions

Json = Any
SCHEMA: Json = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "title": {"type": "string", "title": "Of the schema", "description": "Help."},
        "size": {"enum": [1, "big", None, "1"]},
        "shown": {"type": "boolean"},
        "count": {"type": "integer"},
        "expDate": {"anyOf": [{"type": "string"}, {"type": "string", "format": "date-time"}, {}]},
        "box": {"type": "object", "properties": {"a/b": {"type": "string"}}},
        "slides": {
            "type": "array",
            "items": {"additionalProperties": False, "properties": {"text": {"type": "string"}}},
        },
        "pair": {"type": "array", "items": [{"type": "string"}, {"type": "number"}]},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "free": {"type": "object"},
    },
}
DATA: Json = {
    "title": "x",
    "size": "big",
    "expDate": "123",
    "box": {"a/b": "y"},
    "slides": [{"text": "one"}, {"text": "two"}],
    "pair": ["a", 1],
    "map": {"k": "v"},
    "free": {},
}


def test_labels_and_help_and_examples() -> None:
    ui = {"/title": {"label": "A title", "help": "", "example": "Sale!"}, "": {"label": "Widget"}}
    root = built(SCHEMA, DATA, ui)
    shape = at(root, "#/title").shape
    assert (shape.label, shape.help, shape.example) == ("A title", "", "Sale!")
    assert root.label == "Widget"
    assert at(built(SCHEMA, DATA), "#/title").shape.label == "Of the schema"


def test_any_number_of_levels() -> None:
    ui = {
        "/**/text": {"label": "Words", "help": "Short."},
        "/slides/1/**": {"help": "The last one."},
        "/map/**": {"kind": "colour"},
    }
    root = built(SCHEMA, DATA, ui)
    first, last = at(root, "#/slides/0/text").shape, at(root, "#/slides/1/text").shape
    assert (first.label, first.help) == ("Words", "Short.")
    assert (last.label, last.help) == ("Words", "Short.")  # named: more exact than `**` at the end
    assert at(root, "#/slides/1").shape.help == "The last one."
    assert at(root, "#/map/k").kind == "colour"
    assert at(root, "#/title").label == "Of the schema"


def test_a_pattern_leads_anywhere() -> None:
    ui = {
        "/slides/*/text": {"label": "Words", "kind": "long-text"},
        "/slides/1/text": {"label": "Last words"},
        "/box/a~1b": {"label": "Odd"},
        "/pair/1": {"label": "How many"},
        "/map/*": {"kind": "colour"},
        "/map/k": {"label": "Key colour"},
        "/slides": {"label": "Pictures"},
        "/free/x/y": {"label": "never"},
    }
    root = built(SCHEMA, DATA, ui)
    assert at(root, "#/slides/0/text").label == "Words"
    assert at(root, "#/slides/1/text").label == "Last words"
    assert at(root, "#/slides/1/text").kind == "long-text"
    assert at(root, "#/box/a~1b").label == "Odd"
    assert at(root, "#/pair/1").label == "How many"
    assert at(root, "#/map/k").kind == "colour"
    assert at(root, "#/slides").label == "Pictures"
    assert [child.label for child in at(root, "#/slides").children] == ["Picture 1", "Picture 2"]


def test_choices_are_called_by_their_values() -> None:
    ui = {
        "/size": {"choices": {"1": "One", "big": "Large", "null": "None at all"}},
        "/shown": {"choices": {"true": "Shown", "false": "Hidden"}},
    }
    root = built(SCHEMA, DATA, ui)
    assert [choice.label for choice in at(root, "#/size").shape.choices] == ["One", "Large", "One"]
    assert at(root, "#/size").choices[-1].label == "None at all"
    ui = {"/size": {"choices": {"1": "One", '"1"': "A text", "big": "Large"}}}
    shape = at(built(SCHEMA, DATA, ui), "#/size").shape
    assert [choice.label for choice in shape.choices] == ["One", "Large", "A text"]
    shown = at(root, "#/shown")
    assert [choice.label for choice in shown.choices] == ["Not set", "Shown", "Hidden"]


KINDS: list[tuple[str, str, str]] = [
    ("/title", "css", "css"),
    ("/title", "json", "json"),
    ("/expDate", "date-time", "date-time"),
    ("/expDate", "json", "json"),
    ("/expDate", "number", "alternatives"),
    ("/count", "number", "number"),
    ("/box", "json", "json"),
    ("/slides", "json", "json"),
]


@pytest.mark.parametrize(("pattern", "asked", "kind"), KINDS)
def test_kinds(pattern: str, asked: str, kind: str) -> None:
    root = built(SCHEMA, DATA, {pattern: {"kind": asked}})
    field = at(root, f"#{pattern}")
    assert field.kind == kind
    assert (kind == "alternatives") == bool(field.children)


def test_what_is_said_of_alternatives_is_not_said_of_each() -> None:
    root = built(SCHEMA, DATA, {"/expDate": {"label": "Ends", "help": "When?"}})
    field = at(root, "#/expDate")
    assert field.label == "Ends"
    assert [child.label for child in field.children] == ["Text", "Date and time", "Free-form value"]
    assert not any(child.shape.help for child in field.children)


def test_what_is_said_below_alternatives_counts() -> None:
    schema = {"oneOf": [{"type": "string"}, {"properties": {"a": {"type": "string"}}}]}
    root = built(schema, {"a": "x"}, {"/a": {"label": "Inside"}, "": {"label": "Both"}})
    assert (root.label, at(root, "#;1/a").label) == ("Both", "Inside")


DEEP: Json = {
    "properties": {"text": {"type": "string"}, "children": {"items": {"$ref": "#"}}},
}


def test_any_depth() -> None:
    data = {"text": "a", "children": [{"text": "b", "children": [{"text": "c"}]}]}
    root = built(DEEP, data, {"/**/text": {"label": "Words", "kind": "long-text"}})
    texts = [field for field in root.walk() if field.name.endswith("/text")]
    assert {(field.label, field.kind) for field in texts} == {("Words", "long-text")}
    assert len(texts) >= 3
    assert at(root, "#/children").label == "Children"


def test_any_depth_is_no_level_or_all_below() -> None:
    data = {"text": "a", "children": []}
    assert built(DEEP, data, {"/**": {"label": "All"}}).label == "All"
    assert at(built(DEEP, data, {"/**": {"label": "All"}}), "#/text").label == "All"
    root = built(SCHEMA, DATA, {"/slides/**": {"help": "About slides."}})
    helped = [field.name for field in root.walk() if field.shape.help == "About slides."]
    assert helped[:3] == ["#/slides", "#/slides/0", "#/slides/0/text"]
    assert all(name.startswith("#/slides") for name in helped)


def test_the_most_exact_pattern_decides_about_each_option() -> None:
    ui = {
        "/**/text": {"label": "Deep", "help": "Deep help.", "example": "deep"},
        "/slides/*/text": {"label": "Any", "help": "Any help."},
        "/slides/1/text": {"label": "Second"},
    }
    root = built(SCHEMA, DATA, ui)
    shapes = [at(root, f"#/slides/{index}/text").shape for index in (0, 1)]
    assert [shape.label for shape in shapes] == ["Any", "Second"]
    assert [shape.help for shape in shapes] == ["Any help.", "Any help."]
    assert [shape.example for shape in shapes] == ["deep", "deep"]


def test_any_depth_passes_through_alternatives() -> None:
    schema = {"properties": {"a": {"anyOf": [DEEP["properties"]["text"], {"properties": {"text": {}}, "type": "object"}]}}}  # fmt: skip
    root = built(schema, {"a": {"text": "x"}}, {"/**/text": {"label": "Words"}})
    assert at(root, "#/a;1/text").label == "Words"
    assert "Words" not in {at(root, "#/a;0").label, at(root, "#/a").label}


def test_no_description_says_nothing() -> None:
    assert parse_ui_description(None) is None
    assert sketch(built(SCHEMA, DATA, {})) == sketch(built(SCHEMA, DATA))


WRONG: list[tuple[str, Json, str]] = [
    ("a list", [], "type (root): [] is an array, but must be an object"),
    ("a text", {"/title": "x"}, 'type /~1title: "x" is a string, but must be an object'),
    ("an unknown property", {"/title": {"lable": "x"}}, 'unknown property "lable"'),
    ("an unknown kind", {"/title": {"kind": "color"}}, '"color" is not a kind of control'),
    (
        "no pointer",
        {"title": {}},
        '"title": it is not a JSON Pointer\n    hint: begin with a slash',
    ),
    (
        "no member",
        {"/titel": {}},
        '"/titel" matches nothing: there is no property "titel"\n    hint: did you mean "title"?',
    ),
    ("no property like it", {"/zzz": {}}, '"/zzz" matches nothing: there is no property "zzz"'),
    ("no property in an item", {"/slides/0/test": {}}, 'there is no property "test"'),
    (
        "no index",
        {"/slides/first": {}},
        '"first" is not an item of an array; items are 0, 1 … or *',
    ),
    (
        "below a text",
        {"/title/x": {}},
        'the value that should hold "x" is neither an object nor an array',
    ),
    ("a fragment", {"#/title": {}}, 'hint: begin with a slash: "/title"'),
    (
        "a value that is none",
        {"/size": {"choices": {"bigg": "Large"}}},
        '"bigg" is not one of the values that "/size" may have\n    hint: did you mean "big"?',
    ),
    (
        "a value of a boolean that is none",
        {"/shown": {"choices": {"yes": "Yes!"}}},
        '"yes" is not one of the values that "/shown" may have',
    ),
    (
        "choices of a text",
        {"/title": {"choices": {"x": "X"}}},
        'there are no choices for "/title", which is not an enumeration',
    ),
    (
        "a kind of a choice",
        {"/size": {"kind": "text"}},
        'the kind "text" is for any string, and "/size" is a choice',
    ),
    (
        "a text kind for a number",
        {"/count": {"kind": "css"}},
        'the kind "css" is for a string, which "/count" cannot be',
    ),
    (
        "a number kind for a text",
        {"/title": {"kind": "integer"}},
        'the kind "integer" is for a number, which "/title" cannot be',
    ),
]


@pytest.mark.parametrize(("ui", "said"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_is_wrong_is_said(ui: Json, said: str) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        Builder(SCHEMA, ui)
    assert said in str(caught.value.report)
    assert len(caught.value.report) == 1


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        Builder(SCHEMA, {"/a": {}, "/b": {}, "/title": {}})
    assert len(caught.value.report) == 2


OPEN: list[tuple[str, Json, str]] = [
    ("any member", SCHEMA, "/*/x"),
    ("a member of anything", SCHEMA, "/free/x/0/y"),
    ("a member of a map", SCHEMA, "/map/any"),
    ("an alternative", SCHEMA, "/expDate/x"),
    (
        "a condition",
        {"properties": {}, "if": {}, "then": {"properties": {"a": {}}}},
        "/a",
    ),
    ("a dependency", {"properties": {"b": {}}, "dependencies": {"b": {"properties": {}}}}, "/a"),
    ("a forbidden member", {"properties": {"a": False, "b": {}}}, "/a"),
    ("a later item", SCHEMA, "/slides/999999999999999999999999/text"),
]


@pytest.mark.parametrize(("schema", "pattern"), [row[1:] for row in OPEN], ids=[r[0] for r in OPEN])
def test_what_may_be_there_is_not_refused(schema: Json, pattern: str) -> None:
    Builder(schema, {pattern: {"label": "x", "kind": "css"}}).build({})


def test_each_kind_has_a_label_a_template_and_a_place_in_the_schema() -> None:
    templates = Path(widgetschema.__file__).parent / "forms" / "html" / "templates" / "kinds"
    options = ui_description_schema()["definitions"]["options"]["properties"]
    assert all(model.kind_label(kind) for kind in model.KINDS)
    assert all((templates / f"{kind}.html").is_file() for kind in UI_KINDS)
    assert options["kind"]["anyOf"][0]["enum"] == [*UI_KINDS]
    assert options.keys() == {option.name for option in dataclasses.fields(UiOptions)}


@pytest.mark.parametrize(
    ("order", "names"),
    [
        (["count", "title"], ["count", "title", "size", "shown"]),
        (["count", "*", "title"], ["count", "size", "shown", "expDate"]),
        (["*", "size"], ["title", "shown", "count", "expDate"]),
        ([], ["title", "size", "shown", "count"]),
    ],
)
def test_the_order_of_members(order: list[str], names: list[str]) -> None:
    root = built(SCHEMA, DATA, {"": {"order": order}})
    assert [child.name.removeprefix("#/") for child in root.children][:4] == names
    form = forms_of(SCHEMA).form(DATA, {"": {"order": order}})
    assert form.submit(entries(form.render())).text == form.text


def test_an_order_of_members_that_there_are_not() -> None:
    with pytest.raises(InvalidFormDescription) as error:
        forms_of(SCHEMA).form(DATA, {"": {"order": ["title", "cuont"]}})
    [finding] = error.value.report
    assert (finding.keyword, finding.path) == ("form.members", "//order/1")
    assert finding.hint == 'did you mean "count"?'


HIDDEN: Json = {"/title": {"hidden": True}, "/**/text": {"hidden": True}}


def test_hidden_members_stay_as_they_are() -> None:
    form = forms_of(SCHEMA).form(DATA, HIDDEN)
    assert form.field("/title") is None
    assert form.submit(entries(form.render())).text == form.text
    posted = {"#/title": "forged", "state#/title": "unset", "#/count": "5", "order#/slides": "1"}
    assert form.submit(posted).data == {**DATA, "count": 5, "slides": [{"text": "two"}]}
    shown = forms_of(SCHEMA).form(DATA, {**HIDDEN, "/title": {"hidden": False}})
    assert shown.field("/title") is not None
    assert forms_of(SCHEMA).form(DATA).base != form.base, "a page of the other form is stale"


def test_what_is_posted_for_hidden_members_is_ignored_and_reported() -> None:
    schema = {
        "properties": {
            "title": {"type": "string"},
            "on/off": {"type": "object", "properties": {"text": {"type": "string"}}},
            "shown": {"type": "string"},
        }
    }
    data = {"title": "a", "on/off": {"text": "b"}, "shown": "c"}
    form = forms_of(schema).form(data, {"/title": {"hidden": True}, "/on~1off": {"hidden": True}})
    posted = {"state#/title": "unset", "#/on~1off/text": "x", "#/shown": "d"}
    submission = form.submit(posted)
    assert submission.data == {**data, "shown": "d"}
    assert submission.ignored == ("/title", "/on~1off")
    assert submission.valid
    assert form.submit({"#/shown": "d", "#/titles": "x"}).ignored == ()
    now = forms_of(schema).form({**data, "shown": "c "}, form.ui)
    stale = {**posted, "base#": form.base, "text#": form.data_text, "#/shown": "c"}
    merged = now.submit(stale, on_stale="rebase")
    assert merged.ignored == ("/title", "/on~1off")
    assert merged.data == {**data, "shown": "c "}


def test_no_row_takes_the_place_of_a_hidden_member() -> None:
    schema = {"type": "object", "properties": {"secret": {"type": "string"}, "a": {}}}
    for data in ({"a": 1, "b": 2}, {"a": 1, "b": 2, "secret": "kept"}):
        form = forms_of(schema).form(data, {"/secret": {"hidden": True}})
        renamed = {"order#": "b,+1", "name#/b": "secret", "name#/+1": "secret", "#/+1": "1"}
        submission = form.submit(renamed)
        assert (submission.text, submission.complete) == (form.text, False)
        assert "appears twice" in str(submission.report)


def test_a_forged_text_brings_no_hidden_value() -> None:
    """The text of a page decides what was edited, and never what is written."""
    ui = {"/slides/*/text": {"hidden": True}, "/title": {"hidden": True}}
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"]}}
    schema["properties"]["slides"] = {
        "type": "array",
        "items": {"type": "object", "properties": {"text": {}, "n": {"type": "number"}}},
    }
    now = forms_of(schema).form({"title": "x", "slides": []}, ui)
    forged = '{"title": "forged", "slides": [{"text": "forged", "n": 1}]}'
    page = forms_of(schema).form_json(forged, ui=ui)
    posted = {"base#": page.base, "text#": forged, "#/slides/0/n": "2"}
    submission = now.submit(posted, on_stale="rebase")
    assert submission.text == now.text
    [(name, mine, _)] = map(choice_names, submission.conflicts)
    kept = now.submit({**posted, name: mine}, on_stale="rebase")
    assert (kept.text, kept.valid, kept.conflicts) == (now.text, False, submission.conflicts)
    moved = {"base#": page.base, "text#": forged, "#/count": "5"}
    assert now.submit(moved, on_stale="rebase").data == {"title": "x", "slides": [], "count": 5}


def test_the_export_has_the_order_and_hides_the_same() -> None:
    ui = {**HIDDEN, "": {"order": ["count", "*"]}}
    exported = forms_of(SCHEMA).form(DATA, ui).to_rjsf().ui_schema
    assert exported["ui:order"][:2] == ["count", "size"]
    assert exported["title"] == {"ui:widget": "hidden"}
