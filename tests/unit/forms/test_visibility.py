"""Conditional visibility of a UI description: what is shown, and that nothing else depends on it."""

from __future__ import annotations

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browsing import entries
from tests.posting import forms_of
from widgetschema import Form, InvalidFormDescription

TEXT: Any = {"type": "string"}
SCHEMA: Any = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["text", "picture", "link"], "default": "text"},
        "title": TEXT,
        "picture": {"type": "object", "required": ["src"], "properties": {"src": TEXT, "alt": TEXT}},
        "count": {"type": "integer"},
        "on/off": {"type": "boolean"},
        "rows": {"type": "array", "items": {"$ref": "#/definitions/row"}},
    },
    "definitions": {
        "row": {
            "type": "object",
            "properties": {
                "kind": {"enum": ["a", "b"]},
                "only-b": TEXT,
                "rows": {"type": "array", "items": {"$ref": "#/definitions/row"}},
            },
        }
    },
}  # fmt: skip


def form_of(ui: Any, data: Any) -> Form:
    return forms_of(SCHEMA).form(data, ui)


def shown(form: Form) -> list[str]:
    """The paths of the fields with a control that are shown, on the page."""
    page = LexborHTMLParser(form.render())
    hidden = {one.attributes.get("id") for part in page.css("[hidden]") for one in part.css("[id]")}
    return [field.path or "" for field in form if field.id not in hidden and not field.children]


CONDITIONS: list[tuple[Any, Any, bool]] = [
    ({"kind": "text"}, {"kind": "text"}, True),
    ({"kind": "text"}, {"kind": "link"}, False),
    ({"kind": "text"}, {}, True),  # the default
    ({"kind": ["link", "picture"]}, {"kind": "picture"}, True),
    ({"kind": ["link", "picture"]}, {}, False),
    ({"/kind": "link"}, {"kind": "link"}, True),
    ({"count": {"minimum": 3}}, {"count": 3}, True),
    ({"count": {"minimum": 3}}, {"count": 2}, False),
    ({"count": {"minimum": 3}}, {"count": 3.0}, True),
    ({"count": {"minimum": 3}}, {}, False),
    ({"kind": {"minLength": 1}}, {}, True),  # the default
    ({"count": 3}, {"count": 3.0}, True),
    ({"count": {"type": "integer"}}, {}, False),
    ({"count": None}, {}, True),
    ({"count": None}, {"count": 1}, False),
    ({"on~1off": True}, {"on/off": True}, True),
    ({"on~1off": True}, {"on/off": 1}, False),
    ({"picture/src": "x"}, {"picture": {"src": "x"}}, True),
    ({"picture/src": "x"}, {"picture": 5}, False),
    ({"kind": "text", "count": 1}, {"count": 1}, True),
    ({"kind": "text", "count": 1}, {"count": 2}, False),
    ({"rows/1/kind": "a"}, {"rows": [{}, {"kind": "a"}]}, True),
    ({}, {}, True),
]


@pytest.mark.parametrize(("when", "data", "is_shown"), CONDITIONS)
def test_a_field_is_shown_where_other_values_are_so(when: Any, data: Any, is_shown: bool) -> None:
    form = form_of({"/title": {"when": when}}, {**data, "title": "kept"})
    assert ("/title" in shown(form)) == is_shown
    field = form.field("/title")
    assert field is not None
    assert field.is_concealed != is_shown
    assert form.submit(entries(form.render())).text == form.text


def test_in_rows_and_at_any_depth_a_condition_is_about_the_same_object() -> None:
    row = {"kind": "b", "only-b": "x", "rows": [{"kind": "a", "only-b": "y"}]}
    form = form_of({"/**/only-b": {"when": {"kind": "b"}}}, {"rows": [row, {"kind": "a"}]})
    texts = [path for path in shown(form) if path.endswith("only-b")]
    assert texts == ["/rows/0/only-b"]
    form = form_of(
        {"/rows/*/rows": {"when": {"../../kind": "link"}}}, {"kind": "link", "rows": [row]}
    )
    assert "/rows/0/rows/0/only-b" in shown(form)


def test_what_is_typed_into_a_field_stays_when_it_is_no_longer_shown() -> None:
    form = form_of({"/title": {"when": {"kind": "text"}}}, {"kind": "text", "title": "old"})
    typed = {**dict(entries(form.render())), "#/title": "new", "#/kind": "2"}
    checked = form.submit({**typed, "do": "check"})
    assert "/title" not in shown(checked.form)
    again = dict(entries(checked.form.render()))
    assert again["#/title"] == "new"
    assert form.submit(again).data == {"kind": "link", "title": "new"}
    assert checked.form.signature != form.signature, "the page is drawn again"


def test_what_has_a_finding_is_shown() -> None:
    ui = {"/picture": {"when": {"kind": "picture"}}, "/title": {"when": {"kind": "link"}}}
    form = form_of(ui, {"picture": {}, "title": 5})
    assert {"/picture/src", "/title"} <= {*shown(form)}
    assert "/picture/src" not in shown(form_of(ui, {"picture": {"src": "x"}}))
    posted = form_of({"/count": {"when": {"kind": "link"}}}, {"count": 1}).submit({"#/count": "x"})
    assert "/count" in shown(posted.form)
    schema = {**SCHEMA, "required": ["count"]}
    missing = forms_of(schema).form({"title": "t"}, {"/count": {"when": {"kind": "link"}}})
    assert "/count" in shown(missing)


def test_the_outline_counts_what_is_shown() -> None:
    ui = {
        "/picture": {"when": {"kind": "picture"}},
        "": {"groups": [{"label": "G", "members": ["picture", "title"]}]},
        "/title": {"when": {"kind": "link"}},
    }
    page = LexborHTMLParser(form_of(ui, {}).render())
    group = page.css_first("fieldset.ws-set")
    assert group is not None
    assert "hidden" in group.attributes
    assert not [link for link in page.css(".ws-nav a") if link.attributes["href"] == "#ws-picture"]


WRONG: list[tuple[str, Any, str]] = [
    ("/title", {"kidn": 1}, '"kidn" is nothing: the schema names no property "kidn"\n    hint: did you mean "kind"?'),
    ("/title", {"picture/scr": 1}, 'hint: did you mean "src"?'),
    ("/title", {"title/x": 1}, "is neither an object nor an array"),
    ("/title", {"../kind": 1}, '"../kind" leads out of the data'),
    ("/rows/*/only-b", {"knid": 1}, 'did you mean "kind"?'),
    ("/rows/*/only-b", {"../../../kind": 1}, "leads out of the data"),
    ("/title", {"a~2": 1}, "write ~0 for ~"),
    ("/title", {"kind": {"type": "strnig"}}, '"strnig"'),
    ("/title", {"kind": {"$ref": "#/nowhere"}}, "nowhere"),
    ("", {"kind": 1}, "the data as a whole cannot be hidden"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "when", "said"), WRONG)
def test_what_is_wrong_is_said(pattern: str, when: Any, said: str) -> None:
    with pytest.raises(InvalidFormDescription) as caught:
        form_of({pattern: {"when": when}}, {})
    assert said in str(caught.value.report)
    assert all("/when" in finding.path for finding in caught.value.report)


def test_a_pattern_that_may_match_nothing_is_noted() -> None:
    form = form_of({"/titel": {"label": "x"}, "/title": {"label": "y"}}, {})
    [note] = form.ui_notes
    assert (note.path, note.hint) == ("/~1titel", 'did you mean "title"?')
    assert "the schema names no property" in note.message
    assert form_of({"/rows/*/only-b": {}, "/**/x": {}}, {}).ui_notes == ()
