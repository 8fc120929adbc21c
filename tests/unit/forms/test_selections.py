"""Checkboxes for lists of choices: what they show, and what comes back."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.browsing import edited, entries, without
from tests.posting import forms_of
from widgetschema import Form, StaleForm
from widgetschema.forms import FormFactory

NAME: Final = "#/tags"
PRESENT: Final = "present#/tags"
STATE: Final = "state#/tags"
TAGS: Final = {
    "type": "array",
    "title": "Tags",
    "uniqueItems": True,
    "items": {"enum": ["red", "green", None, 4.0], "enumNames": ["Red", "Green", "None", "Four"]},
}
FORMS: Final[FormFactory] = forms_of({"properties": {"tags": TAGS}})
ODD: Final = '{"tags": [4e0, "x", "red",\n  "red"], "z": 1}'


def form_of(text: str) -> Form:
    return FORMS.form_json(text)


def boxes(form: Form) -> dict[str, str]:
    """The ids of all boxes, by their labels."""
    field = form.field("/tags")
    assert field is not None
    return {choice.label: choice.id for choice in field.choices}


@pytest.mark.parametrize("text", [ODD, "{}", '{"tags": []}', '{"tags": [null, "green"]}'])
def test_untouched_boxes_are_the_same_bytes(text: str) -> None:
    form = form_of(text)
    assert form.submit(entries(form.render())).text == text


def test_items_that_are_no_choices_have_boxes_of_their_own() -> None:
    assert [*boxes(form_of(ODD))] == ["Red", "Green", "Four", "None", '"x" (kept)', '"red" (kept)']


@pytest.mark.parametrize(
    ("ids", "after"),
    [
        (["0", "1", "2", "k1", "k3"], '[4e0, "x", "red",\n  "red", "green"]'),
        (["2", "0"], '[4e0, "red"]'),
        (["3"], "[null]"),
        ([], "[]"),
    ],
)
def test_what_stays_keeps_its_text_and_its_place(ids: list[str], after: str) -> None:
    submission = form_of(ODD).submit([(PRESENT, "1"), *((NAME, id) for id in ids)])
    assert submission.complete
    assert submission.data["tags"] == json.loads(after)
    kept = [one for one in ("4e0", '"x"') if one in after]
    assert all(one in submission.text for one in kept)
    assert submission.text.endswith(', "z": 1}')


@pytest.mark.parametrize(
    ("text", "posted", "after"),
    [
        ("{}", [(PRESENT, "1"), (STATE, "unset"), (NAME, "1")], {"tags": ["green"]}),
        ("{}", [(PRESENT, "1"), (STATE, "unset")], {}),
        ("{}", [(PRESENT, "1"), (STATE, "set")], {"tags": []}),
        ("{}", [(PRESENT, "1"), (STATE, "reset"), (NAME, "1")], {}),
        ('{"tags": ["red"]}', [(PRESENT, "1"), (STATE, "unset"), (NAME, "0")], {}),
        ('{"tags": ["red"]}', [(PRESENT, "1"), (STATE, "set")], {"tags": []}),
        ('{"tags": ["red"]}', [(STATE, "set")], {"tags": ["red"]}),
    ],
)
def test_unset_differs_from_nothing_chosen(
    text: str, posted: list[tuple[str, str]], after: Any
) -> None:
    assert form_of(text).submit(posted).data == after


@pytest.mark.parametrize("id", ["red", "k0", "99", "unset"])
def test_a_box_that_does_not_exist_is_a_finding(id: str) -> None:
    submission = form_of(ODD).submit([(PRESENT, "1"), (NAME, id), (NAME, "0")])
    assert not submission.complete
    assert submission.text == ODD
    sentence = submission.form.sentence(next(iter(submission.report)))
    assert sentence == "Choose one of: Red, Green, Four, None"


def test_another_type_is_shown_as_json() -> None:
    form = form_of('{"tags": "red"}')
    field = form.field("/tags")
    assert field is not None
    assert field.kind == "json"
    assert form.submit(entries(form.render())).text == form.text


def test_changes_and_findings_speak_of_titles() -> None:
    form = form_of('{"tags": ["red"]}')
    submission = form.submit([(PRESENT, "1"), (NAME, "0"), (NAME, "2")])
    assert [str(change) for change in submission.changes] == ["Tags: Red → Red, Four"]
    wrong = form_of('{"tags": ["x"]}')
    [finding] = wrong.report
    assert wrong.sentence(finding) == "item 1: Choose one of: Red, Green, None, Four"


def test_edits_of_two_people_are_merged() -> None:
    shown = form_of('{"tags": ["red", "x"], "a": 1}')
    posted = [*entries(shown.render()), (NAME, "1")]
    now = form_of('{"tags": ["x", "red", 4], "a": 2}')
    merged = now.submit(posted, on_stale="rebase")
    assert merged.data == {"tags": ["x", "green", "red", 4], "a": 2}
    with pytest.raises(StaleForm) as caught:
        now.submit(posted)
    field = caught.value.form.field("/tags")
    assert field is not None
    assert "1" in field.shown.text.split(",")


def test_the_boxes_are_named_as_a_group() -> None:
    markup = form_of(ODD).render()
    assert '<legend class="ws-label">Tags</legend>' in markup
    assert without(entries(markup), [NAME]) != entries(markup)
    assert edited(entries(markup), PRESENT, "1") == entries(markup)


def test_options_of_the_items_label_the_boxes() -> None:
    form = FORMS.form_json("{}", ui={"/tags/*": {"choices": {"red": "Rot"}}})
    assert "Rot" in boxes(form)
