"""Inputs for single values: suggestions."""

from __future__ import annotations

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import text_of
from tests.posting import forms_of
from widgetschema import Form

Json = Any


def form_of(schema: Json, text: str = "{}") -> Form:
    """The form of an object with the member `it`."""
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
