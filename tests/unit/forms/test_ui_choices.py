"""Choices and read-only values of a UI description."""

from __future__ import annotations

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import entries
from tests.posting import forms_of
from widgetschema import Form, InvalidFormDescription, WidgetType

TEXT: Any = {"type": "string"}
SCHEMA: Any = {
    "type": "object",
    "properties": {
        "few": {"enum": ["a", "b"]},
        "many": {"enum": [*"abcdefgh"]},
        "flag": {"type": "boolean"},
        "tags": {"type": "array", "uniqueItems": True, "items": {"enum": ["x", "y"]}},
        "words": {"type": "array", "items": TEXT},
        "map": {"type": "object", "additionalProperties": TEXT},
        "box": {"type": "object", "properties": {"x": TEXT}},
    },
    "required": ["flag"],
}
DATA: Any = {"few": "a", "many": "c", "flag": True, "tags": ["x"], "words": ["1", "2"], "map": {"k": "v"}, "box": {"x": "y"}}  # fmt: skip


def form_of(ui: Any) -> Form:
    return forms_of(SCHEMA).form(DATA, ui)


def controls(ui: Any) -> LexborHTMLParser:
    form = form_of(ui)
    assert form.submit(entries(form.render())).text == form.text
    return LexborHTMLParser(form.render())


@pytest.mark.parametrize(("pattern", "kind", "selector"), [
    ("/few", "select", 'select[name="#/few"]'),
    ("/many", "radios", 'input[type="radio"][name="#/many"]'),
    ("/flag", "radios", 'input[type="radio"][name="#/flag"]'),
    ("/flag", "select", 'select[name="#/flag"]'),
    ("/tags", "checkboxes", 'input[type="checkbox"][name="#/tags"]'),
    ("/tags", "list", 'select[name="#/tags/0"], input[name="#/tags/0"]'),
    ("/words", "json", 'textarea[name="#/words"]'),
])  # fmt: skip
def test_how_a_choice_is_made(pattern: str, kind: str, selector: str) -> None:
    assert controls({pattern: {"kind": kind}}).css(selector)


@pytest.mark.parametrize(("pattern", "kind", "said"), [
    ("/words", "checkboxes", 'the kind "checkboxes" is for a list of choices'),
    ("/box", "list", 'the kind "list" is for a list, which "/box" is not'),
    ("/words", "radios", 'the kind "radios" is for an enumeration or a boolean'),
])  # fmt: skip
def test_what_does_not_fit_is_said(pattern: str, kind: str, said: str) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        form_of({pattern: {"kind": kind}})
    assert said in str(caught.value.report)


def test_pictures_and_values_that_are_not_offered() -> None:
    choices = {
        "a": {"label": "An A", "picture": "/a.png?x=1&y=2"},
        "b": {"picture": "data:image/png;base64,AAAA", "disabled": True},
        "c": {"disabled": True},
    }
    page = controls({"/many": {"choices": choices}})
    options = page.css('[name="#/many"]')
    pictures = page.css(".ws-pictures img")
    assert [one.attributes["src"] for one in pictures] == ["/a.png?x=1&y=2", "data:image/png;base64,AAAA"]  # fmt: skip
    assert [one.attributes["alt"] for one in pictures] == ["", ""]
    off = [one.attributes["value"] for one in options if "disabled" in one.attributes]
    assert off == ["1"]  # the value that is there can be kept
    listed = controls({"/many": {"choices": {"a": "First", "b": {"disabled": True}}}})
    assert [one.text() for one in listed.css("option")][:3] == ["Not set", "First", "b"]
    assert "disabled" in listed.css("option")[2].attributes


def test_checkboxes_have_them_too() -> None:
    choices = {"x": {"disabled": True}, "y": {"label": "Why", "picture": "y.png", "disabled": True}}
    page = controls({"/tags/*": {"choices": choices}})
    boxes = page.css('input[type="checkbox"][name="#/tags"]')
    assert ["disabled" in one.attributes for one in boxes] == [False, True]  # x is there
    assert [one.attributes["src"] for one in page.css(".ws-picture")] == ["y.png"]
    assert "Why" in page.css_first(".ws-ticks").text()  # type: ignore[union-attr]


@pytest.mark.parametrize("picture", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", " javascript:x"])  # fmt: skip
def test_addresses_of_pictures_run_nothing(picture: str) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        form_of({"/few": {"choices": {"a": {"picture": picture}}}})
    assert [finding.path for finding in caught.value.report] == ["/~1few/choices/a/picture"]


@pytest.mark.parametrize(("pattern", "posted"), [
    ("/few", {"#/few": "1"}),
    ("/box", {"#/box/x": "z"}),
    ("/box/x", {"#/box/x": "z"}),
    ("/words", {"#/words/0": "z", "order#/words": "1"}),
    ("/words/*", {"#/words/0": "z", "order#/words": "1,0"}),
    ("/words/0", {"order#/words": "1"}),
    ("/map/*", {"#/map/k": "z", "name#/map/k": "q", "order#/map": ""}),
    ("/**", {"#/box/x": "z", "#/few": "1", "order#/map": ""}),
    ("", {"#/box/x": "z", "#/few": "1"}),
])  # fmt: skip
def test_no_post_changes_what_is_read_only(pattern: str, posted: Any) -> None:
    form = form_of({pattern: {"readonly": True}})
    submission = form.submit(posted)
    assert submission.text == form.text
    assert form.submit(entries(form.render())).text == form.text
    assert form_of(None).submit(posted).text != form.text
    assert form_of(None).base != form.base, "a page of the other form is stale"


def test_what_is_posted_for_a_read_only_value_is_listed() -> None:
    submission = form_of({"/few": {"readonly": True}}).submit({"#/few": "1", "#/many": "0"})
    assert submission.ignored == ("/few",)
    assert submission.data == {**DATA, "many": "a"}


# Values that are not offered


@pytest.mark.parametrize("many", [False, True])
def test_a_value_that_is_not_offered_is_refused_if_it_is_posted(many: bool) -> None:
    """A value that is there stays, as it may be from before."""
    values = ["small", "medium", "big", *(f"v{at}" for at in range(20 if many else 0))]
    listed = {"type": "array", "uniqueItems": True, "items": {"enum": values}}
    schema = {"properties": {"size": {"enum": values}, "sizes": listed}}
    disabled = {"medium": {"disabled": True}}
    ui = {"/size": {"choices": disabled}, "/sizes/*": {"choices": disabled}}
    type = WidgetType.from_data_schema(schema, id="x")
    form = type.form({"size": "small", "sizes": ["big"]}, ui=ui)
    submission = form.submit({"#/size": "1", "#/sizes": ["1", "2"]})
    assert not submission.valid
    assert submission.text == form.text
    size, sizes = submission.report
    assert (size.path, size.keyword, sizes.path) == ("/size", "enum", "/sizes")
    said = submission.form.sentence(size)
    if many:
        assert said == "Choose one of the 22 listed values, for example small"
    else:
        assert said == "Choose one of: small, big"
    before = type.form({"size": "medium", "sizes": ["medium"]}, ui=ui)
    assert before.submit({"#/size": "1", "#/sizes": ["1", "0"]}).data["sizes"] == [
        "medium",
        "small",
    ]
