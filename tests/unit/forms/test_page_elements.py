"""Pages speak as the schema's author does: order, labels, buttons, defaults."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from tests.browsing import buttons, text_of
from tests.posting import forms_of
from widgetschema import Form
from widgetschema.forms.html.page_elements import placed_findings
from widgetschema.languages import shipped_languages

Json = dict[str, Any]

TEXT: Final = {"type": "string"}
GROUP: Final = {"type": "object", "properties": {"text": TEXT}}


def places(form: Form) -> list[str]:
    """Return the names of the members of the root in the order of the page."""
    found = re.findall(r'id="ws-([a-z]+)(?::start)?"', form.render())
    return list(dict.fromkeys(found))


MIXED: Final = {"type": "object", "properties": {"a": TEXT, "b": GROUP, "c": TEXT, "d": GROUP}}


@pytest.mark.parametrize(
    ("ui", "order"),
    [
        ({}, "abcd"),
        ({"": {"order": ["d", "c"]}}, "dcab"),
        ({"": {"order": ["*", "a"]}}, "bcda"),
        ({"": {"groups": [{"label": "G", "members": ["c", "a"]}]}}, "cabd"),
        ({"": {"tabs": [{"label": "T", "members": ["a", "b"]}]}}, "cdab"),
    ],
)
def test_members_are_in_the_order_of_the_schema_or_of_the_description(ui: Json, order: str) -> None:
    form = forms_of(MIXED).form({"b": {}, "d": {}}, ui)
    assert places(form) == [*order]


def test_further_members_come_last() -> None:
    schema = {**MIXED, "additionalProperties": TEXT}
    page = forms_of(schema).form({"x": "1", "b": {}}).render()
    assert page.index('id="ws-d"') < page.index('id="ws-x"') < page.index("add#")
    assert page.count('name="order#"') == 1


FULL: Final = {
    "type": "object",
    "maxProperties": 5,
    "additionalProperties": TEXT,
    "properties": {
        "rows": {"type": "array", "maxItems": 2, "items": {**GROUP, "title": "Slide"}},
        "tuple": {"items": [TEXT], "additionalItems": TEXT, "maxItems": 2},
    },
}


@pytest.mark.parametrize(
    ("data", "offered"),
    [
        ({"rows": [{}], "tuple": ["a"]}, {"add#", "add#/rows", "copy#/rows/0", "add#/tuple"}),
        ({"rows": [{}, {}], "tuple": ["a", "b"]}, {"add#"}),
        ({"rows": [{}, {}], "tuple": ["a"], "x": "", "y": "", "z": ""}, {"add#/tuple"}),
    ],
)
def test_nothing_is_added_to_what_is_full(data: Json, offered: set[str]) -> None:
    form = forms_of(FULL).form(data)
    shown = {one for one in buttons(form.render()) if one.startswith(("add", "copy"))}
    assert shown == offered
    for press in ("add#", "add#/rows", "copy#/rows/0", "add#/tuple"):
        after = form.submit({"do": press, "name#/+1": "new"}).data
        assert (after == data) == (press not in offered)


@pytest.mark.parametrize(
    ("schema", "language", "label"),
    [
        ({"title": "Slides", "items": GROUP}, "en", "Add slide"),
        ({"items": {**GROUP, "title": "Picture"}}, "en", "Add picture"),
        ({"items": {**GROUP, "title": "FAQ"}}, "en", "Add FAQ"),
        ({"items": {**GROUP, "title": "Bild"}}, "de", "Bild hinzufügen"),
        ({"title": "Media", "items": GROUP}, "en", None),
        ({"title": "Bilder", "items": GROUP}, "de", None),
    ],
)
def test_a_button_says_what_it_adds(schema: Json, language: str, label: str | None) -> None:
    lists = forms_of({"properties": {"list": {"type": "array", **schema}}})
    page = lists.form({"list": []}, language=shipped_languages().best(language)).render()
    said = re.findall('<span class="ws-added">(.*?)</span>', page)
    assert said == ([] if label is None else [label])


def test_a_finding_names_the_rows_that_it_is_in() -> None:
    link = {
        "type": "object",
        "required": ["url"],
        "properties": {"url": TEXT, "tags": {"items": TEXT}},
    }
    schema = {"properties": {"slides": {"items": {"properties": {"links": {"items": link}}}}}}
    form = forms_of(schema).form({"slides": [{}, {"links": [{"tags": [1]}]}]})
    labels = [problem.label for problem in placed_findings(form)]
    assert labels == ["Slide 2 › Link 1 › URL", "Slide 2 › Link 1 › Tag 1"]
    assert "Slide 2 › Link 1 › URL</b>" in form.render()


def test_positions_are_called_by_their_titles_or_numbered() -> None:
    size = {"items": [{"title": "Width"}, {"title": "Height"}, {}]}
    form = forms_of({"title": "Sizes", **size, "type": "array"}).form([1, 2, 3])
    assert [child.label for child in form.root.children] == ["Width", "Height", "Size 3"]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "default": 640}, "640"),
        ({"type": "boolean", "default": True}, "Yes"),
        ({"type": "string", "default": "left"}, "left"),
        ({"type": "string", "default": ""}, "(empty text)"),
        ({"type": "string", "default": "a\nb"}, '"a\\nb"'),
        ({"type": ["string", "null"], "default": None}, "No value"),
        ({"type": "array", "items": TEXT, "default": ["x", "y"]}, "x, y"),
        ({"type": "array", "items": GROUP, "default": [{"text": ""}]}, ""),
        ({**GROUP, "default": {"text": "x"}}, ""),
        ({"enum": ["s", "m"], "enumNames": ["Small", "Medium"], "default": "m"}, "Medium"),
    ],
)
def test_a_default_is_said_in_words(schema: Json, words: str) -> None:
    form = forms_of({"properties": {"it": schema}}).form({})
    assert form.root.children[0].shape.default_words == words
    assert '{"' not in text_of(form.render())


def test_the_only_value_is_shown_as_text() -> None:
    schema = {"properties": {"kind": {"const": "big"}, "other": {"const": 2}}, "required": ["kind"]}
    page = forms_of(schema).form({"kind": "big"}).render()
    assert re.findall("<output[^>]*>(.*?)</output>", page) == ["big"]
    assert "ws-required" not in page


def test_the_description_of_the_data_is_shown() -> None:
    page = forms_of({**MIXED, "description": "For <b>."}).form({}).render()
    assert '<p class="ws-help ws-about">For &lt;b&gt;.</p>' in page


def test_what_applies_is_marked_as_chosen() -> None:
    flags = {"a": {"type": "boolean", "default": True}, "b": {"type": "boolean"}}
    page = forms_of({"properties": flags}).form({}).render()
    assert page.count("ws-applies") == 1
    assert "Default (yes)" in page


ROWS: Final = {
    "properties": {"list": {"items": TEXT}, "map": {"type": "object", "additionalProperties": TEXT}}
}


@pytest.mark.parametrize(
    ("option", "gone", "posted", "data"),
    [
        ("addable", {"add#/list", "copy#/list/0", "copy#/list/1"}, {"order#/list": "0,+1,1", "#/list/+1": "c"}, ["a", "b"]),
        ("addable", {"add#/list"}, {"do": "copy#/list/0"}, ["a", "b"]),
        ("removable", {"remove#/list/0", "remove#/list/1"}, {"order#/list": "1,+1", "#/list/+1": "c"}, ["a", "b", "c"]),
        ("removable", {"remove#/list/0"}, {"do": "remove#/list/0"}, ["a", "b"]),
        ("removable", {"remove#/list/0"}, {"state#/list": "unset"}, ["a", "b"]),
        ("orderable", {"up#/list/1", "down#/list/0"}, {"order#/list": "1,+1,0", "#/list/+1": "c"}, ["a", "c", "b"]),
        ("orderable", {"up#/list/1"}, {"do": "up#/list/1"}, ["a", "b"]),
    ],
)  # fmt: skip
def test_a_description_forbids_what_is_done_with_items(
    option: str, gone: set[str], posted: Json, data: list[str]
) -> None:
    stored = {"list": ["a", "b"]}
    plain = set(buttons(forms_of(ROWS).form(stored).render()))
    form = forms_of(ROWS).form(stored, {"/list": {option: False}})
    assert gone <= plain - {*buttons(form.render())}
    assert form.submit(posted).data == {"list": data}


def test_what_a_description_forbids_holds_for_further_members() -> None:
    form = forms_of(ROWS).form(
        {"map": {"a": "1"}}, {"/map": {"addable": False, "removable": False}}
    )
    assert not [one for one in buttons(form.render()) if "/map" in one]
    assert form.submit({"order#/map": "+1", "name#/map/+1": "b"}).data == {"map": {"a": "1"}}
