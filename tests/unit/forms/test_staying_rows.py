"""Answers without the rows that a page has already."""

from __future__ import annotations

import pickle
import re
from typing import Any, Final

import pytest

from tests.browsing import edited, entries
from widgetschema import WidgetType
from widgetschema.forms import Form, Submission

TEXT: Final = {"type": "string"}
GROUP: Final = {"properties": {"title": TEXT, "tags": {"type": "array", "items": TEXT}}}
BIG: Final = {
    "properties": {"big": {"type": "boolean"}},
    "if": {"properties": {"big": {"const": True}}, "required": ["big"]},
    "then": {"properties": {"size": {"type": "number"}}},
}
TEXTS: Final = {"rows": ["a", "b", "c", "d"]}
GROUPS: Final = {"rows": [{"title": one, "tags": [one]} for one in "abcd"]}
BIGS: Final = {"rows": [{}, {"big": True, "size": 2}, {"big": True}, {}]}
ALL: Final = {"#/rows/0", "#/rows/1", "#/rows/2", "#/rows/3"}


def form_of(items: Any, data: Any, **more: Any) -> Form:
    schema = {"properties": {"rows": {"type": "array", "items": items, **more}}}
    return WidgetType.from_data_schema(schema, id="rows").form(data)


def pressed(form: Form, button: str, **texts: str) -> Submission:
    pairs = entries(form.render(live="/live"))
    for name, value in texts.items():
        pairs = edited(pairs, name, value)
    return form.submit([*pairs, ("do", button)])


def staying(submission: Submission, **options: Any) -> set[str]:
    """The rows that the answer leaves to the page."""
    html = submission.answer(live="/live", **options)["html"]
    stubs = re.findall(r'<li class="ws-row" data-row="([^"]+)"[^>]*data-stays></li>', html)
    assert html.count("data-stays") == len(stubs)
    return {*stubs}


@pytest.mark.parametrize(
    ("button", "rows"),
    [
        ("up#/rows/2", ALL),
        ("down#/rows/0", ALL - {"#/rows/0", "#/rows/1"}),  # another one is the first
        ("copy#/rows/1", ALL),
        ("remove#/rows/1", ALL - {"#/rows/1"}),
        ("add#/rows", ALL - {"#/rows/3"}),  # which can be moved down now
    ],
)
@pytest.mark.parametrize(("items", "data"), [(TEXT, TEXTS), (GROUP, GROUPS)])
def test_rows_stay(items: Any, data: Any, button: str, rows: set[str]) -> None:
    found = staying(pressed(form_of(items, data), button))
    assert {name for name in found if "/tags/" not in name} == rows


def test_rows_of_a_form_of_another_text_stay_under_other_names() -> None:
    submission = pressed(form_of(BIG, BIGS), "remove#/rows/1", **{"#/rows/3/big": "true"})
    assert submission.moved == {"#/rows/2": "#/rows/1", "#/rows/3": "#/rows/2"}
    assert staying(submission) == {"#/rows/0", "#/rows/1"}  # in the last one is a new field


def test_a_row_in_a_row_that_changed_stays() -> None:
    form = form_of(GROUP, GROUPS)
    answer = pressed(form, "add#/rows/1/tags")
    assert staying(answer) == ALL - {"#/rows/1"}
    answer = pressed(form, "copy#/rows/1/tags/0", **{"#/rows/1/title": "other"})
    assert staying(answer) == ALL - {"#/rows/1"}  # its inner one can be moved now


def test_what_was_edited_or_has_findings_is_sent() -> None:
    form = form_of(TEXT | {"minLength": 2}, {"rows": ["a", "bb", "cc", "dd"]})
    submission = pressed(form, "up#/rows/2", **{"#/rows/3": "de"})
    assert staying(submission) == {"#/rows/1", "#/rows/2"}


def test_nothing_stays_that_the_page_may_not_have() -> None:
    form = form_of(TEXT, TEXTS)
    submission = pressed(form, "up#/rows/2")
    assert staying(pickle.loads(pickle.dumps(submission))) == set()
    removed = pressed(form, "remove#/rows/1").form
    pairs = entries(removed.render(live="/live"))
    assert "#/rows/1" not in dict(pairs)
    restored = form.submit([*pairs, ("do", "restore#/rows/1")])
    assert "#/rows/1" not in staying(restored)


def test_a_list_that_is_full_has_other_buttons() -> None:
    form = form_of(TEXT, TEXTS, maxItems=5)
    assert staying(pressed(form, "add#/rows")) == set()


def test_templates_of_an_application_show_what_they_like(tmp_path: Any) -> None:
    assert staying(pressed(form_of(TEXT, TEXTS), "up#/rows/2"), templates=tmp_path) == set()


def test_a_page_without_a_script_has_all_rows() -> None:
    assert "data-stays" not in pressed(form_of(TEXT, TEXTS), "up#/rows/2").form.render()
