"""Forms as HTML: every page is read with a parser of HTML, and has to keep all that was promised."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

import widgetschema
from tests.benchmarks.payloads import VALID
from tests.browsing import buttons, entries
from tests.strategies import instances, schemas
from widgetschema import FormError, WidgetSchemaError, WidgetType
from widgetschema.forms import Form, Submission
from widgetschema.forms.html import render, script, stylesheet

MISTAKES: dict[str, Any] = {
    **VALID,
    "content": {**VALID["content"], "timerDays": "abc", "nonsense": 1},
    "settings": {**VALID["settings"], "showTitle": "yes"},
}
TREE = {
    "type": "object",
    "title": "Node",
    "properties": {
        "name": {"type": "string", "maxLength": 20},
        "children": {"type": "array", "items": {"$ref": "#/definitions/node"}},
        "next": {"$ref": "#/definitions/node"},
    },
    "required": ["name"],
}
SLIDES = {
    "type": "object",
    "properties": {
        "content": {
            "type": "object",
            "properties": {
                "slides": {
                    "type": "array",
                    "title": "Slides",
                    "items": {
                        "type": "object",
                        "required": ["title"],
                        "properties": {
                            "title": {"type": "string"},
                            "colour": {"type": "string"},
                            "links": {"type": "array", "items": {"type": "string"}},
                        },
                    },
                },
                "shown": {"type": "boolean"},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["shown"],
        },
        "settings": {
            "type": "object",
            "properties": {
                "size": {"enum": ["small", "medium", "big"]},
                "layout": {"enum": [f"layout-{number}" for number in range(9)]},
                "fixed": {"const": "v1"},
                "range": {"type": "array", "items": [{"type": "number"}, {"type": "number"}]},
                "note": {"type": ["string", "null"], "default": "none", "description": "A note."},
                "until": {"type": "string", "format": "date-time"},
                "style": {"type": "object"},
            },
            "required": ["fixed"],
        },
    },
}
BLOCK = {
    "oneOf": [
        {
            "title": "Picture",
            "properties": {"kind": {"const": "picture"}, "src": {"type": "string"}},
            "required": ["kind", "src"],
            "additionalProperties": False,
        },
        {
            "title": "Words",
            "properties": {"kind": {"const": "words"}, "text": {"type": "string"}},
            "required": ["kind", "text"],
            "additionalProperties": False,
        },
        {"type": "string"},
    ]
}
BLOCKS = {
    "type": "object",
    "properties": {"blocks": {"type": "array", "items": BLOCK}, "first": BLOCK},
}
SLIDES_LINKS = {"type": "array", "items": {"type": "string"}}
SLIDES_DATA = {
    "content": {
        "slides": [{"title": "One", "links": ["a", "b"]}, {"title": "Two", "colour": "#ff8800"}],
        "shown": True,
        "labels": {"a": "x", "b/c": "y", "new\nline": "z"},
    },
    "settings": {"size": "big", "fixed": "v1", "range": [1, 2.5], "other": {"a": [1]}},
}


def of(data_schema: Any, **definitions: Any) -> WidgetType:
    schema = {"properties": {"data": data_schema}, "definitions": definitions}
    return WidgetType.from_schema(schema, id="made-up", describes="document")


COUNTDOWN = widgetschema.widget_type("countdown")
NODES = of({"$ref": "#/definitions/node"}, node=TREE)
DECKS = of(SLIDES)
PILES = of(BLOCKS)
FORMS: dict[str, Form] = {
    "countdown": COUNTDOWN.form(VALID),
    "countdown, least": COUNTDOWN.form(),
    "countdown, mistakes": COUNTDOWN.form(MISTAKES),
    "lists": DECKS.form(SLIDES_DATA),
    "recursive": NODES.form({"name": "a", "children": [{"name": "b", "children": []}]}),
    "alternatives": PILES.form({"blocks": [{"kind": "words", "text": "a"}, "b"], "first": 5}),
    "no object": of({"type": "array", "items": {"type": "number"}}).form([1, 2]),
    "rows with a part to open": of({"type": "array", "items": {"properties": {"a": SLIDES}}}).form(
        []
    ),
    "lists in lists": of({"type": "array", "items": SLIDES_LINKS}).form([]),
    "a text": of({"type": "string"}).form("a"),
    "anything": of({}).form({"a": 1}),
}
EACH = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())

_FOCUSABLE = "input:not([type=hidden]), select, textarea, button"


def read(markup: str) -> LexborHTMLParser:
    return LexborHTMLParser(markup)


def attributes(node: LexborNode) -> dict[str, str]:
    return {name: value or "" for name, value in node.attributes.items()}


def first(page: LexborHTMLParser, selector: str) -> LexborNode:
    """The first element of those that are meant, which must be there."""
    node = page.css_first(selector)
    assert node is not None, selector
    return node


def by_id(page: LexborHTMLParser) -> dict[str, LexborNode]:
    """Elements by their ids, which are unique."""
    found: dict[str, LexborNode] = {}
    for node in page.css("[id]"):
        assert attributes(node)["id"] not in found, attributes(node)["id"]
        found[attributes(node)["id"]] = node
    return found


def named(markup: str, name: str) -> LexborNode:
    [node] = [
        one
        for one in read(markup).css("input, select, textarea")
        if attributes(one).get("name") == name
    ]
    return node


def has_name(node: LexborNode, page: LexborHTMLParser) -> bool:
    """Tell if a control has an accessible name, by a label, its content, or `aria-label`."""
    said = attributes(node)
    if said.get("aria-label", "").strip():
        return True
    if node.tag == "button":
        return bool(node.text(deep=True).strip())
    around = node.parent
    while around is not None:
        if around.tag == "label":
            return bool(around.text(deep=True).strip())
        around = around.parent
    labels = [one for one in page.css("label[for]") if attributes(one)["for"] == said.get("id")]
    return any(one.text(deep=True).strip() for one in labels)


def assert_well_made(markup: str) -> None:
    """Check what holds of every form, whatever is in it."""
    page = read(markup)
    ids = by_id(page)
    for node in page.css(_FOCUSABLE):
        assert has_name(node, page) or attributes(node).get("aria-hidden") == "true", node.html
    for node in page.css("fieldset"):
        first = next(one for one in node.iter() if one.tag != "-text")
        assert first.tag == "legend"
        assert first.text(deep=True).strip()
    for node in page.css("[for], [aria-describedby], [aria-labelledby]"):
        said = attributes(node)
        for attribute in ("for", "aria-describedby", "aria-labelledby"):
            for id in said.get(attribute, "").split():
                assert id in ids, f"{attribute} of {node.html} points nowhere"
    for link in page.css("a[href]"):
        assert attributes(link)["href"][1:] in ids
    refused = ("required", "maxlength", "minlength", "pattern", "min", "max", "step", "style")
    for node in page.css("*"):
        for name in attributes(node):
            assert name not in refused, node.html
            assert not name.startswith("on"), node.html
    assert not page.css("script, style, link, img, iframe, object, embed, base, meta")
    assert {attributes(node).get("type", "text") for node in page.css("input")} <= {
        "text", "hidden", "checkbox", "radio",
    }  # fmt: skip
    for group in ("checkbox", "text"):
        names = [attributes(node).get("name") for node in page.css(f"input[type={group}]")]
        names = [name for name in names if name]
        assert len(names) == len(set(names))


@EACH
def test_every_form_is_well_made(form: Form) -> None:
    assert_well_made(form.render())


@EACH
def test_enter_saves(form: Form) -> None:
    """The Enter key presses the first button of a form (HTML standard, section 4.10.22.2)."""
    first, *rest = read(form.render()).css("button")
    assert "name" not in attributes(first)
    assert attributes(first).get("type", "submit") == "submit"
    assert {attributes(node).get("name", "do") for node in rest} == {"do"}


@EACH
def test_what_is_shown_is_what_would_be_posted(form: Form) -> None:
    posted = dict(entries(form.render()))
    for field in form:
        if field.kind in ("text", "colour", "url", "number", "integer", "date-time"):
            assert posted[field.name] == field.shown.text
        elif field.kind in ("long-text", "css", "json") and field.opened:
            assert posted[field.name] == field.shown.text.replace("\n", "\r\n")
        if field.states and field.opened:
            assert posted[f"state{field.name}"] == field.shown.state
    assert posted["base#"] == form.base
    assert posted["shape#"] == form.signature


@EACH
def test_a_page_is_whole(form: Form) -> None:
    page = read(form.page(title="A & B"))
    assert first(page, "title").text() == "A & B"
    assert attributes(first(page, "html"))["lang"] == "en"
    assert first(page, "style").text().strip() == stylesheet().strip()
    assert first(page, "script").text().strip() == script().strip()
    assert form.page().startswith("<!doctype html>")


def test_a_page_refers_to_files_that_somebody_serves() -> None:
    page = read(FORMS["a text"].page(assets="/static/"))
    assert attributes(first(page, "link"))["href"] == "/static/forms.css"
    assert attributes(first(page, "script"))["src"] == "/static/forms.js"
    assert not page.css("style")


# What can be asked for


def test_two_forms_on_one_page() -> None:
    """Each id is there once, and what refers to one of them finds it in its own form."""
    one, other = (COUNTDOWN.form(MISTAKES, id=id) for id in ("ws", "second"))
    other = other.submit({"#/content/timerDays": "x"}).form
    found = by_id(read(one.render() + other.render()))
    assert {id.startswith("second") for id in found} == {True, False}
    assert by_id(read(other.render())).keys() == {id for id in found if id.startswith("second")}


@pytest.mark.parametrize("id", ["", "1", "a b", "a/b", 'a"b', "ä"])
def test_what_is_no_id(id: str) -> None:
    with pytest.raises(FormError, match="the id "):
        COUNTDOWN.form(id=id)


def test_options() -> None:
    form = FORMS["countdown"]
    markup = form.render(
        action="/save?a=1&b=2",
        method="get",
        hidden={"csrf": '"<token>"'},
        live="/check",
        submit="Store",
    )
    page = read(markup)
    said = attributes(first(page, "form"))
    assert (said["action"], said["method"]) == ("/save?a=1&b=2", "get")
    assert said.keys() >= {"novalidate", "accept-charset", "autocomplete"}
    assert ("csrf", '"<token>"') in entries(markup)
    assert attributes(first(page, ".ws-form"))["data-live"] == "/check"
    assert first(page, ".ws-primary").text() == "Store"
    assert "data-live" not in form.render()


def test_without_the_form_element_and_without_buttons() -> None:
    page = read(FORMS["a text"].render(tag=False, submit=None))
    assert not page.css("form, button")
    assert page.css(".ws-form .ws-notice")
    assert len(page.css(".ws-form")) == 1


def test_the_enter_key_adds_nothing_where_a_page_has_its_own_buttons() -> None:
    form = WidgetType.from_data_schema({"type": "array", "items": {"type": "string"}}).form(["x"])
    first_button, *others = read(form.render(tag=False, submit=None)).css("button")
    said = attributes(first_button)
    assert (said["name"], said["value"]) == ("do", "check")
    assert (said["aria-hidden"], said["tabindex"]) == ("true", "-1")
    assert [attributes(one)["value"] for one in others][-1] == "add#"
    submission = form.submit({"do": "check"})
    assert submission.action is not None
    assert submission.data == ["x"]


WITHOUT = """
import sys
sys.modules["jinja2"] = None
import widgetschema
form = widgetschema.widget_type("countdown").form()
for draw in (form.render, form.page):
    try:
        draw()
    except widgetschema.MissingExtra as error:
        assert error.extra == "forms"
        print(error)
"""


def test_without_the_extra_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert (
        lines
        == [
            "forms as HTML need the library Jinja2: install it with: pip install 'widgetschema[forms]'"
        ]
        * 2
    )


# Templates of somebody else


def test_templates_are_overridden_by_name(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        (folder / "kinds").mkdir(parents=True)
    (one / "kinds" / "colour.html").write_text(
        '<input {{ attributes }} value="{{ text }}" class="mine">'
    )
    (other / "kinds" / "colour.html").write_text("never")
    (other / "errors.html").write_text(
        '<b id="{{ field.id }}:error">{{ field.findings|length }}</b>'
    )
    form = DECKS.form({"content": {"slides": [{"title": 1, "colour": "#fff"}]}})
    page = read(form.render(templates=[one, str(other)]))
    [mine] = page.css(".mine")
    assert attributes(mine)["value"] == "#fff"
    assert page.css("b[id]")
    assert "never" not in form.render(templates=[one, other])
    assert len(read(form.render(templates=one)).css(".mine")) == 1
    with pytest.raises(FormError, match="the folder with templates does not exist"):
        form.render(templates=tmp_path / "nowhere")
    assert not read(form.render()).css(".mine")


# Findings


def test_findings_are_beside_their_fields_and_in_the_summary() -> None:
    form = FORMS["countdown, mistakes"]
    page = read(form.render())
    ids = by_id(page)
    summary = first(page, ".ws-summary")
    assert attributes(summary).keys() >= {"role", "tabindex"}
    lines = summary.css("li")
    assert len(lines) == len(form.report) == 3
    for line, finding in zip(lines, form.report, strict=True):
        assert form.sentence(finding) in line.text(deep=True)
    for link in summary.css("a"):
        target = ids[attributes(link)["href"][1:]]
        assert attributes(target).get("tabindex") == "-1" or target.tag in ("input", "textarea")
    field = form.field("/content/timerDays")
    assert field is not None
    control = attributes(ids[field.id])
    assert control["aria-invalid"] == "true"
    box = ids[f"{field.id}:error"]
    assert f"{field.id}:error" in control["aria-describedby"].split()
    assert box.text(deep=True).split("Problem: ")[1:] == ["Enter a number, for example 3\n"]
    details = first(page, ".ws-errors details:not([open])").text(deep=True)
    assert field.findings[0].message in details
    assert "/content/timerDays" in details
    assert first(page, "h2").text() == "There are 3 problems"
    assert [node.text(deep=True) for node in page.css(".ws-count:not([hidden])")] == [
        " problems: 2", " problems: 1",
    ]  # fmt: skip


def test_the_outline_says_nothing_of_a_section_without_fields() -> None:
    some = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    none = {"type": "object", "additionalProperties": False}
    schema = {"type": "object", "properties": {"none": none, "some": some}}
    page = read(of(schema).form({"none": {}, "some": {"a": "x"}}).render())
    assert first(page, "a[href='#ws-none'] .ws-filled").attributes.keys() == {"class", "hidden"}
    filled = first(page, "a[href='#ws-some'] .ws-filled")
    assert (filled.text(deep=True), "hidden" in filled.attributes) == ("set: 1/2", False)


@pytest.mark.parametrize("around", [None, "in"])  # beside others: a section is marked, too
@pytest.mark.parametrize("data", [{}, {"g": {}, "l": [{}]}])
def test_required_groups_and_lists_are_marked_as_fields_are(around: str | None, data: Any) -> None:
    group = {"type": "object", "properties": {"t": {"type": "string"}}}
    rows = {"type": "array", "items": group}
    schema = {"type": "object", "properties": {"g": group, "l": rows, "o": group, "p": rows}}
    required: dict[str, Any] = {**schema, "required": ["g", "l"]}
    if around is not None:
        required, data = {"type": "object", "properties": {around: required}}, {around: data}
    page = read(of(required).form(data).render())
    marked = page.css(":is(.ws-legend, .ws-label, summary:has(.ws-heading)):has(> .ws-required)")
    assert [one.text(deep=True) for one in marked] == ["G required", "L required"]


def test_a_form_without_findings_has_no_summary() -> None:
    page = read(FORMS["countdown"].render())
    assert not page.css(".ws-summary, .ws-errors, [aria-invalid], [autofocus]")


def test_one_problem() -> None:
    form = of({"type": "string"}).form(5)
    assert first(read(form.render()), "h2").text() == "There is 1 problem"


# Where the focus goes


def after(form: Form, do: str | None = None, **changed: str) -> Submission:
    """The form as it was shown comes back, with a button pressed."""
    posted = dict(entries(form.render(), press=do)) | changed
    return form.submit(posted)


def focused(submission: Submission) -> str | None:
    [*nodes] = read(submission.form.render()).css("[autofocus]")
    assert len(nodes) <= 1
    return attributes(nodes[0])["id"] if nodes else None


def test_the_focus_goes_to_the_findings() -> None:
    form = FORMS["countdown, mistakes"]
    assert focused(after(form)) == f"{form.root.id}:summary"
    assert focused(after(form, "check")) == f"{form.root.id}:summary"
    assert focused(after(FORMS["countdown"], "check")) is None


SLIDE_LIST = "#/content/slides"


@pytest.mark.parametrize(
    ("do", "place", "part"),
    [
        (f"add{SLIDE_LIST}", f"{SLIDE_LIST}/+1/title", ""),
        (f"remove{SLIDE_LIST}/0", SLIDE_LIST, ":add"),
        (f"up{SLIDE_LIST}/1", f"{SLIDE_LIST}/1", ":up"),
        (f"down{SLIDE_LIST}/0", f"{SLIDE_LIST}/0", ":down"),
        (f"add{SLIDE_LIST}/0/links", f"{SLIDE_LIST}/0/links/+1", ""),
        ("add#/content/labels", "#/content/labels/+1", ":key"),
        ("remove#/content/labels/a", "#/content/labels", ":add"),
    ],
)
def test_the_focus_goes_where_something_changed(do: str, place: str, part: str) -> None:
    submission = after(FORMS["lists"], do)
    [field] = [field for field in submission.form if field.name == place]
    assert focused(submission) == f"{field.id}{part}"


@pytest.mark.parametrize(
    ("form", "do", "expected"),
    [
        ("alternatives", "add#/blocks", "#/blocks/+1"),
        ("lists", "remove#/settings/other", "#/settings"),
        ("lists", "add#/content/slides/1/links", "#/content/slides/1/links/+1"),
        ("no object", "add#", "#/+1"),
        ("no object", "remove#/0", "#"),
        ("rows with a part to open", "add#", "#/+1/a:open"),
        ("lists in lists", "add#", "#/+1"),
        ("lists", "add#/nothing", None),
        ("lists", "remove#/nothing/0", None),
        ("lists", "up#/nothing/0", None),
    ],
)
def test_the_focus_without_a_script(form: str, do: str, expected: str | None) -> None:
    posted = dict(entries(FORMS[form].render())) | {"do": do}
    submission = FORMS[form].submit(posted)
    ids = {field.name: field.id for field in submission.form}
    found = focused(submission)
    name, _, part = (expected or "").partition(":")
    assert (found and found.removesuffix(":add")) == (
        f"{ids[name]}:{part}".rstrip(":") if name else None
    )


def test_a_choice_of_a_new_row_has_the_focus() -> None:
    type = of({"type": "array", "items": {"enum": ["a", "b"]}})
    form = type.form([])
    submission = after(form, "add#")
    [row] = submission.form.root.children
    markup = submission.form.render()
    assert attributes(first(read(markup), "[autofocus]"))["id"] == row.id
    assert first(read(markup), "[autofocus]").tag == "input"


def test_the_focus_goes_into_what_was_opened() -> None:
    submission = after(FORMS["recursive"], "open#/next")
    [field] = [field for field in submission.form if field.name == "#/next/name"]
    assert focused(submission) == field.id


# The answer to a live check


def test_an_answer_has_markup_only_if_the_controls_are_others() -> None:
    form = FORMS["lists"]
    answer = after(form).answer()
    assert answer["html"] is None
    assert answer["findings"] == []
    assert (answer["valid"], answer["complete"], answer["changed"]) == (True, True, False)
    assert answer["errors"] == {}
    assert answer["due"] == ""

    answer = after(form, f"add{SLIDE_LIST}").answer(live="/check", tag=False)
    page = read(answer["html"])
    assert attributes(first(page, ".ws-form"))["data-live"] == "/check"
    assert not page.css("form")
    assert answer["focus"] in by_id(page)
    assert json.loads(json.dumps(answer)) == answer


def test_an_answer_says_where_the_findings_are() -> None:
    form = FORMS["countdown"]
    name = "#/content/timerDays"
    assert after(form, **{name: "1,5"}).answer()["errors"] == {}  # while somebody types
    submission = after(form, **{name: "1,5", "due#": name})
    answer = submission.answer()
    field = form.field("/content/timerDays")
    assert field is not None
    [finding] = answer["findings"]
    assert finding.keys() == {"id", "path", "keyword", "message", "detail", "hint"}
    assert finding["id"] == field.id
    assert finding["message"] == "Enter a number, for example 3"
    assert finding["detail"] == '"1,5" is a string, but must be a number'
    assert first(read(answer["errors"][field.id]), ".ws-said").text(deep=True).endswith("3")
    assert answer["due"] == name
    assert finding["message"] in first(read(answer["summary"]), "li").text(deep=True)
    assert answer["html"] is None
    assert not answer["valid"]


# Each kind


@pytest.mark.parametrize(
    ("schema", "data", "selector"),
    [
        ({"type": "string"}, "a", 'input.ws-input[type=text][dir=auto][name="#/x"]'),
        ({"type": "string"}, "a\nb", 'textarea[name="#/x"][rows="2"]'),
        ({"type": "string", "format": "uri"}, "http://a/", 'input[inputmode=url][spellcheck=false]'),
        ({"type": "string", "format": "email"}, "a@b.example", "input[inputmode=email]"),
        ({"type": "string", "format": "date-time"}, "2026-01-01T00:00:00Z", "input[data-picker=date-time]"),
        ({"type": "string", "format": "date"}, "2026-01-01", "input[data-picker=date]"),
        ({"type": "string", "format": "time"}, "10:00:00Z", "input[data-picker=time]"),
        ({"type": "string", "format": "color"}, "#ff0000", "input[data-picker=colour]"),
        ({"type": "number"}, 1.5, 'input[inputmode=decimal][type=text]'),
        ({"type": "integer"}, 1, 'input[inputmode=numeric][type=text]'),
        ({"type": "object"}, "x", "textarea.ws-code"),
        ({"enum": ["a", "b"]}, "a", "fieldset[role=radiogroup] input[type=radio][checked]"),
        ({"enum": list("abcdefg")}, "c", 'select[name="#/x"] option[selected]'),
        ({"type": "boolean"}, True, "fieldset[role=radiogroup] input[value=true][checked]"),
        ({"const": "a"}, "a", "input[type=radio][value=unset]"),
        ({"type": "array", "items": {"type": "string"}}, ["a"], 'input[name="order#/x"][value="0"]'),
        ({"type": "array", "items": [{"type": "string"}]}, ["a"], 'input[name="order#/x"]'),
        ({"properties": {"y": {"type": "string"}}, "type": "object"}, {"y": "a"}, 'input[name="#/x/y"]'),
        (BLOCK, {"kind": "words", "text": "a"}, 'input[name="kind#/x"][value="1"][checked]'),
    ],
    ids=lambda value: json.dumps(value)[:60],
)  # fmt: skip
def test_each_kind_has_its_control(schema: Any, data: Any, selector: str) -> None:
    markup = of({"type": "object", "properties": {"x": schema}}).form({"x": data}).render()
    assert len(read(markup).css(selector)) == 1, markup
    assert_well_made(markup)


def test_a_required_boolean_is_a_checkbox_with_a_marker() -> None:
    type = of({"properties": {"x": {"type": "boolean"}}, "required": ["x"], "type": "object"})
    for value in (True, False):
        posted = entries(type.form({"x": value}).render())
        assert ("present#/x", "1") in posted
        assert (("#/x", "true") in posted) is value
        # "required" would say that it must be checked
        assert not read(type.form({"x": value}).render()).css("[aria-required], .ws-required")
    page = read(type.form({"x": "maybe"}).render())
    assert not page.css("input[type=checkbox]")


def test_a_constant_that_must_be_there_is_shown_and_not_submitted() -> None:
    type = of({"properties": {"x": {"const": "a"}}, "required": ["x"], "type": "object"})
    markup = type.form({"x": "a"}).render()
    [node] = read(markup).css("output")
    assert node.text() == "a"
    assert "#/x" not in dict(entries(markup))


def test_what_cannot_be_chosen_is_shown_all_the_same() -> None:
    """A browser selects the first of several options, if none is: that would change the data."""
    form = PILES.form({"first": "a"})
    sizes = of({"type": "object", "properties": {"x": {"enum": list("abcdefg")}}})
    submission = sizes.form({"x": "b"}).submit({"#/x": "nonsense"})
    assert ("#/x", "nonsense") in entries(submission.form.render())
    assert dict(entries(form.render()))["kind#/first"] == "2"


def test_help_limits_default_and_notes_describe_the_control() -> None:
    schema = {
        "type": "object",
        "properties": {
            "x": {"type": "number", "description": "How many.", "minimum": 0, "default": 3},
            "y": {"type": "string"},
        },
    }
    form = of(schema).form({"y": 5})
    page = read(form.render())
    [help] = [node for node in page.css(".ws-help") if "How many." in node.text(deep=True)]
    assert "at least 0" in help.text(deep=True)
    assert "Default: 3" in " ".join(help.text(deep=True).split())
    assert attributes(help)["id"] in attributes(named(form.render(), "#/x"))["aria-describedby"]


def test_a_name_with_newlines_keeps_them() -> None:
    posted = dict(entries(FORMS["lists"].render()))
    assert posted["name#/content/labels/new%0Aline"] == "new\r\nline"


# Exactness

# All that HTML can carry, the odd ones often.
TEXTS = st.text(
    st.one_of(
        st.sampled_from("\r\n\t\x0b\x0c\x01\x1f\x7f\x80\x85\x9f\u00a0\u2028\u2029\u202e\ufeff\ufffe &<>\"'{}%"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=12,
)  # fmt: skip
TEXT_TYPE = of({"type": "object", "additionalProperties": {"type": "string"}})


@given(TEXTS, TEXTS)
def test_every_text_survives(name: str, text: str) -> None:
    form = TEXT_TYPE.form({name: text})
    markup = form.render()
    [field] = form.root.children
    posted = dict(entries(markup))
    assert posted[field.name] == as_submitted(text)
    assert posted.get(f"name{field.name}", as_submitted(name)) == as_submitted(name)
    assert_well_made(markup)


def as_submitted(text: str) -> str:
    return re.sub("\r\n|\r|\n", "\r\n", text)


@given(schemas(), instances())
def test_every_form_of_any_schema_is_well_made(schema: Any, data: Any) -> None:
    try:
        type = of(schema)
    except WidgetSchemaError:
        return
    form = type.form_json(json.dumps(data), at="")
    assert_well_made(form.render())
    for button in buttons(form.render())[:8]:
        assert_well_made(after(form, button).form.render())


def test_what_no_html_can_carry_is_replaced() -> None:
    page = FORMS["a text"].page(title="a\ud800b\0c", hidden={"x": "\udfff"})
    assert "<h1>a\ufffdb\ufffdc</h1>" in page
    assert 'name="x" value="\ufffd"' in page
    page.encode()


def test_a_carriage_return_stays_one_until_it_is_submitted() -> None:
    markup = FORMS["a text"].render(hidden={"x": "a\rb"})
    assert 'value="a&#13;b"' in markup
    assert attributes(first(read(markup), "[name=x]"))["value"] == "a\rb"


def test_what_may_be_null_can_be_made_null_before_it_is_opened() -> None:
    schema = {"type": ["object", "null"], "properties": {"a": {"type": "string"}}}
    type = of({"type": "object", "properties": {"x": schema, "y": {**schema, "type": "object"}}})
    markup = type.form({}).render()
    assert sorted(buttons(markup)) == ["check", "open#/x", "open#/y"]
    posted = dict(entries(markup))
    assert posted["state#/x"] == "unset"
    assert "state#/y" not in posted


# Stylesheet and script


def test_the_stylesheet_stays_within_its_class_and_asks_for_nothing() -> None:
    css = re.sub(r"/\*.*?\*/", "", stylesheet(), flags=re.DOTALL)
    assert len(stylesheet().encode()) < 46_000
    for forbidden in ("url(", "@import", "@font-face", "!important", "expression"):
        assert forbidden not in css
    for selectors in re.findall(r"([^{}]+)\{", css):
        if not selectors.strip().startswith("@"):
            for selector in re.split(r",(?![^(]*\))", selectors):
                assert selector.strip().startswith((".ws-form", ".ws-page")), selector


def test_the_script_is_small_and_puts_no_data_into_markup() -> None:
    assert len(script().encode()) < 83_000
    assert re.findall(r"innerHTML = ([\w.]+)", script()) == ["answer.summary", "answer.html"]
    for forbidden in ("eval(", "new Function", "insertAdjacentHTML", "outerHTML", "document.write"):
        assert forbidden not in script()


def test_render_is_what_the_form_calls() -> None:
    form = FORMS["countdown"]
    assert render(form) == form.render() == form.render()


@pytest.mark.parametrize(
    ("schema", "id", "title"),
    [
        ({"title": "An offer", "properties": {"data": {"title": "The data"}}}, "offer", "The data"),
        ({"title": "An offer", "properties": {"data": {}}}, "offer", "An offer"),
        ({"properties": {"data": {}}}, "specialOffer", "Special offer"),
        ({"properties": {"data": {}}}, None, None),
    ],
)
def test_a_page_has_the_title_of_the_data_or_of_its_type(
    schema: dict[str, Any], id: str | None, title: str | None
) -> None:
    form = WidgetType.from_schema(schema, id=id, describes="document").form({})
    assert title is None or form.title == title
    assert f"<h1>{form.title}</h1>" in form.page()
    assert pickle.loads(pickle.dumps(form)).title == form.title
    assert "<h1>Another</h1>" in form.page(title="Another")
    described = WidgetType.from_schema(schema, id=id, describes="document").form(
        {}, ui={"": {"label": "Mine"}}
    )
    assert described.title == "Mine"


@pytest.mark.parametrize(
    ("address", "is_shown"),
    [
        ("https://example.com/a.png", True),
        ("https://example.com/a/b.JPEG?x=1#y", True),
        ("http://example.com/a.png", False),
        ("https://example.com/a.png/", False),
        ("https://example.com/?a.png", False),
        ("javascript:a.png", False),
        ('https://example.com/" onerror=x .png', False),
    ],
)
def test_a_picture_is_shown_beside_its_address(address: str, is_shown: bool) -> None:
    schema = {"properties": {"logo": {"type": "string", "format": "uri"}}}
    page = read(WidgetType.from_data_schema(schema).form({"logo": address}).render())
    shown = [one.attributes["src"] for one in page.css(".ws-field img")]
    assert shown == ([address] if is_shown else [])
