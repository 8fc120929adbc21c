"""Changes in the words of a form."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema import WidgetType
from widgetschema.forms.changes import Part, Side, compare, marked

SCHEMA: Final[dict[str, Any]] = {
    "properties": {
        "content": {
            "type": "object",
            "properties": {
                "timerDays": {"type": "number"},
                "headline": {"title": "Title", "type": "string"},
                "size": {"oneOf": [{"const": "s", "title": "Small"}, {"const": "m", "title": "Medium"}]},
                "on": {"type": "boolean"},
                "free": {},
            },
        },
        "buttons": {
            "type": "array",
            "items": {"type": "object", "properties": {"text": {"type": "string"}, "url": {"type": "string"}}},
        },
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "additionalProperties": {"type": "string"},
}  # fmt: skip
TYPE: Final = WidgetType.from_data_schema(SCHEMA, id="x")


def said(before: Any, after: Any) -> list[str]:
    old, new = TYPE.form(before), TYPE.form(after)
    return [str(one) for one in compare(Side(before, "", old.words), Side(after, "", new.words))]


A, B, C = ({"text": text, "url": f"u{text}"} for text in "ABC")


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({"content": {"timerDays": 3}}, {"content": {"timerDays": 5}}, ["Content › Timer days: 3 → 5"]),
        ({"content": {}}, {"content": {"headline": "Sale"}}, ["Content › Title: added, Sale"]),
        ({"content": {"headline": "Sale"}}, {"content": {}}, ["Content › Title: removed, Sale"]),
        ({"content": {"size": "s", "on": True}}, {"content": {"size": "m", "on": False}}, ["Content › Size: Small → Medium", "Content › On: Yes → No"]),
        ({"content": {"headline": ""}}, {"content": {"headline": None}}, ["Content › Title: an empty text → empty"]),
        ({"content": {"timerDays": 5}}, {"content": {"timerDays": "5"}}, ["Content › Timer days: 5 (a number) → “5” (text)"]),
        ({"content": {"timerDays": 1}}, {"content": {"timerDays": 1.0}}, []),
        ({"content": {"on": True}, "tags": []}, {"tags": [], "content": {"on": True}}, []),
        ({"buttons": [A, B]}, {"buttons": [A]}, ["Buttons › Button 2: removed"]),
        ({"buttons": [A]}, {"buttons": [B, A]}, ["Buttons › Button 1: added"]),
        ({"buttons": [A, B, C]}, {"buttons": [C, A, B]}, ["Buttons › Button 3: moved, 3 → 1"]),
        ({"buttons": [A, B]}, {"buttons": [A, {**B, "url": "new"}]}, ["Buttons › Button 2 › URL: uB → new"]),
        ({"buttons": [A, B]}, {"buttons": [{**B, "url": "new"}]}, ["Buttons › Button 1: removed", "Buttons › Button 1 › URL: uB → new"]),
        ({"tags": ["a", "b"]}, {"tags": ["a", "c"]}, ["Tags › Tag 2: b → c"]),
        ({"tags": ["a"]}, {"tags": ["a", "a"]}, ["Tags › Tag 2: added, a"]),
        ({"foo": "abc"}, {"bar": "abc"}, ["bar: renamed, foo → bar"]),
        ({"foo": "abc"}, {"bar": "b"}, ["foo: removed, abc", "bar: added, b"]),
        ({}, {"content": {"on": True}, "buttons": [A]}, ["Content › On: added, Yes", "Buttons: added"]),
        ({"content": {"free": {"a": {"b-c": 1}}}}, {"content": {"free": {"a": {"b-c": 2}}}}, ["Content › Free › a › b-c: 1 → 2"]),
        ({"content": {"free": 1}}, {"content": {"free": [1]}}, ["Content › Free: 1 → [1]"]),
        ([], {}, ["Data: [] → {}"]),
    ],
)  # fmt: skip
def test_changes(before: Any, after: Any, changes: list[str]) -> None:
    assert said(before, after) == changes


def test_a_submission_has_its_changes() -> None:
    form = TYPE.form_json('{"id": 1, "data": {"content": {"timerDays": 3}}}', at="/data")
    submission = form.submit({"#/data/content/timerDays": "5"})
    [change] = submission.changes
    assert (change.kind, change.path, change.before, change.after) == (
        "changed", "/data/content/timerDays", 3, 5,
    )  # fmt: skip
    assert change.labels == ("Content", "Timer days")
    assert change.label == "Timer days"
    assert form.submit({}).changes == ()
    assert form.submit({"#/data/content/timerDays": "x"}).changes == ()


def test_a_long_text_is_shortened_around_what_differs() -> None:
    before, after = (f"{'word ' * 40}spring{' word' * 40}", f"{'word ' * 40}autumn{' word' * 40}")
    old, new = marked(before, after)
    assert [part.text for part in old if part.changed] == ["spring"]
    assert [part.text for part in new if part.changed] == ["autumn"]
    assert len("".join(part.text for part in old)) < 60
    assert marked("a", "b") == ((Part("a", changed=True),), (Part("b", changed=True),))


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_the_marked_parts_are_all_that_differs(begin: str, one: str, other: str) -> None:
    old, new = marked(begin + one, begin + other)
    if begin + one != begin + other:
        assert any(part.changed for part in (*old, *new))
    for part in (*old, *new):
        assert len(part.text) <= 130


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=12,
)  # fmt: skip


@given(VALUES, VALUES)
def test_there_are_changes_exactly_if_values_differ(before: Any, after: Any) -> None:
    from widgetschema.jsontext.equality import canonical

    anything = WidgetType.from_data_schema({}, id="any")
    words = anything.form({}).words
    found = compare(Side(before, "", words), Side(after, "", words))
    assert bool(found) == (canonical(before) != canonical(after))
    assert all(str(one) for one in found)


def test_an_item_that_was_moved_in_a_long_list() -> None:
    numbers = [*range(3_000)]
    anything = WidgetType.from_data_schema({}, id="any").form({}).words
    [found] = compare(Side(numbers, "", anything), Side([*numbers[1:], 0], "", anything))
    assert (found.kind, found.before, found.after) == ("moved", 1, 3_000)
