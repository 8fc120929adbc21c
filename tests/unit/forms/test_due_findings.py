"""Findings that are due: after a field was left, after Check or Save, and never in a new row."""

from __future__ import annotations

import pickle
from typing import Any, Final

import pytest

from tests.browsing import edited, entries
from widgetschema import WidgetType
from widgetschema.forms import Form, Submission

SCHEMA: Final[dict[str, Any]] = {
    "properties": {
        "title": {"type": "string"},
        "rows": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer"},
                    "name": {"type": "string", "minLength": 1},
                },
                "required": ["number", "name"],
            },
        },
    },
    "required": ["title"],
}
TYPE: Final = WidgetType.from_data_schema(SCHEMA, id="rows")


def sent(form: Form, shown: Form, *, press: str | None = None) -> Submission:
    """Submit the controls of a page, as a browser without a script does."""
    return form.submit(entries(shown.render(), press=press))


def red(form: Form) -> list[str]:
    """The names of the fields that show findings."""
    return [field.name for field in form.shown.root.walk() if field.findings]


def test_nothing_is_due_in_a_new_row_until_it_is_edited() -> None:
    form = TYPE.form({"title": "A", "rows": []})
    added = sent(form, form, press="add#/rows").form
    assert not added.report.valid
    assert red(added) == []
    assert 'aria-invalid="true"' not in added.render()
    pairs = edited(entries(added.render(), press="add#/rows"), "#/rows/+1/number", "x")
    again = form.submit(pairs).form
    assert red(again) == ["#/rows/+1/number"]
    assert red(pickle.loads(pickle.dumps(again))) == ["#/rows/+1/number"]
    whole = sent(form, again, press="check").form
    assert red(whole) == [
        f"#/rows/{row}/{name}" for row in ("+1", "+2") for name in ("number", "name")
    ]
    assert red(sent(form, whole, press="add#/rows").form) == red(whole)
    assert red(sent(form, added).form) == ["#/rows/+1/number", "#/rows/+1/name"]  # by Save


def test_what_the_page_showed_stays_shown_where_its_row_is() -> None:
    form = TYPE.form(
        {"title": "A", "rows": [{"number": 1, "name": "a"}, {"number": 2, "name": ""}]}
    )
    assert red(form) == ["#/rows/1/name"]
    removed = sent(form, form, press="remove#/rows/0").form
    assert [field.path for field in removed.shown if field.findings] == ["/rows/0/name"]


def test_a_new_document_lacks_nothing_after_a_button() -> None:
    form = TYPE.form({})
    assert red(sent(form, form, press="open#/rows").form) == []
    assert "#/title" in red(sent(form, form, press="check").form)


@pytest.mark.parametrize(
    "items",
    [{"type": "number"}, {"type": "string", "format": "email"}, {"type": "string", "minLength": 2}],
)
def test_a_new_row_is_not_red_before_something_was_typed(items: Any) -> None:
    schema = {"properties": {"list": {"type": "array", "items": items}}}
    form = WidgetType.from_data_schema(schema, id="list").form({"list": []})
    added = sent(form, form, press="add#/list").form
    twice = sent(form, added, press="add#/list").form
    assert red(added) == red(twice) == []
    pairs = edited(entries(twice.render(), press="add#/list"), "#/list/+1", "x")
    assert red(form.submit(pairs).form) == ["#/list/+1"]
    assert red(sent(form, twice, press="check").form) == ["#/list/+1", "#/list/+2"]


def test_a_client_that_says_nothing_gets_all_findings() -> None:
    form = TYPE.form({"title": "A", "rows": []})
    submission = form.submit({"do": "add#/rows"})
    assert red(submission.form) == ["#/rows/+1/number", "#/rows/+1/name"]
    assert len(submission.answer()["errors"]) == 2


def test_an_answer_is_about_what_is_due() -> None:
    form = TYPE.form({"title": "A", "rows": [{"number": 1, "name": "a"}]})
    pairs = edited(entries(form.render()), "#/rows/0/number", "x")
    answer = form.submit(pairs).answer()
    assert (answer["errors"], answer["due"], answer["valid"]) == ({}, "", False)
    assert [finding["path"] for finding in answer["findings"]] == ["/rows/0/number"]
    answer = form.submit(edited(pairs, "due#", "#/rows/0/number #/gone")).answer()
    assert len(answer["errors"]) == 1
    assert answer["due"] == "#/rows/0/number"
    assert form.submit([*pairs, ("do", "check")]).answer()["due"] == "#/rows/0/number"
