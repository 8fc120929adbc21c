"""Rows that are copied, removed and restored: the buttons, and what is posted by nobody."""

from __future__ import annotations

import json

import pytest

from tests.browsing import buttons, entries, text_of, without
from tests.posting import forms_of
from widgetschema import Form, FormError
from widgetschema.forms.conflicts import choice_names
from widgetschema.forms.html.page_elements import focused_id
from widgetschema.forms.submit.removed_rows import removed_rows

ITEM = {
    "properties": {
        "title": {"type": "string"},
        "count": {"type": "number"},
        "inner": {"type": "array", "items": {"type": "string"}},
        "either": {"anyOf": [{"type": "number"}, {"properties": {"q": {"type": "string"}}}]},
    },
    "required": ["title"],
    "type": "object",
}
FORMS = forms_of(
    {
        "properties": {
            "list": {"type": "array", "items": ITEM},
            "tuple": {"type": "array", "items": [ITEM], "additionalItems": {"type": "number"}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "type": "object",
    }
)
TEXT = """{
  "list": [
    {"title": "\\u00e9", "count": 1.0,
     "other": [1,   2], "inner": ["x"], "either": {"q": "\\/"}},
    {"title": "b"}
  ],
  "tuple": [{"title": "c"}, 1e0, 2],
  "map": {"k": "v", "l": "w"}
}"""


def pressed(form: Form, button: str, **typed: str) -> Form:
    """Return the form after its buttons, of a page that nobody remembers."""
    names = {f"#/{name.replace('_', '/')}": value for name, value in typed.items()}
    pairs = entries(form.render(), press=button)
    pairs = [(name, names.get(name, value)) for name, value in pairs]
    return FORMS.form_json(TEXT).submit(pairs).form


def text_after(form: Form) -> str:
    return FORMS.form_json(TEXT).submit(entries(form.render())).text


def test_a_copy_has_the_text_of_the_row() -> None:
    form = pressed(FORMS.form_json(TEXT), "copy#/list/0")
    text = text_after(form)
    first = TEXT[TEXT.index('{"title": "\\u00e9"') : TEXT.index(',\n    {"title": "b"')]
    assert text == TEXT.replace(first, f"{first},\n    {first}")
    copied = form.root.find("#/list/+1/title")
    assert copied is not None
    assert focused_id(form) == copied.id


def test_members_and_positions_have_no_copy() -> None:
    found = [one for one in buttons(FORMS.form_json(TEXT).render()) if one.startswith("copy")]
    found.remove("copy#/list/0/inner/0")
    found = [one for one in found if "other" not in one]  # a list that the schema does not describe
    assert found == ["copy#/list/0", "copy#/list/1", "copy#/tuple/1", "copy#/tuple/2"]
    assert text_after(pressed(FORMS.form_json(TEXT), "copy#/tuple/1")) == TEXT.replace(
        "1e0, 2", "1e0, 1e0, 2"
    )
    unchanged = FORMS.form_json(TEXT).submit({"do": "copy#/map/k"})
    assert unchanged.text == TEXT


def test_a_copy_of_a_copy_has_what_was_typed_and_cannot_be_read() -> None:
    form = pressed(FORMS.form_json(TEXT), "copy#/list/0")
    form = pressed(form, "copy#/list/+1", **{"list_+1_count": "soon", "list_+1_title": "new"})
    shown = {field.name: field.shown.text for field in form}
    assert shown["#/list/+2/count"] == "soon"
    assert shown["#/list/+2/title"] == "new"
    assert len(form.report) == 2
    items = json.loads(text_after(form))["list"]
    assert [item["title"] for item in items] == ["é", "new", "new", "b"]
    assert [item.get("count") for item in items] == [1, 1, 1, None]


def test_a_copy_of_a_row_without_room_for_its_fields_has_the_same_ones() -> None:
    numbers = list(range(3_000))
    many = forms_of({"type": "array", "items": {"type": "array", "items": {"type": "number"}}})
    text = f"[{json.dumps(numbers)}, [1]]"
    form = many.form_json(text)
    rest = next(field.name for field in form if field.is_rest)
    pairs = [(rest, "[7]") if name == rest else (name, one) for name, one in entries(form.render())]
    copied = many.form_json(text).submit([*pairs, ("do", "copy#/0")])
    first, second, third = copied.data
    assert first == second
    assert first[-1] == 7
    assert third == [1]
    assert many.form_json(text).submit(entries(copied.form.render())).text == copied.text


@pytest.mark.parametrize("id", ["0", "1"])
def test_a_row_comes_back_where_it_was(id: str) -> None:
    form = pressed(FORMS.form_json(TEXT), f"remove#/list/{id}", **{f"list_{id}_title": "typed"})
    assert f"Removed: List {int(id) + 1} (typed)" in text_of(form.render())
    form = pressed(form, f"restore#/list/{id}")
    assert json.loads(text_after(form))["list"][int(id)]["title"] == "typed"
    assert "Removed" not in text_of(form.render())


def test_rows_come_back_one_after_the_other_beside_new_ones() -> None:
    form = FORMS.form_json(TEXT)
    for button in ("add#/list", "remove#/list/+1", "remove#/list/0", "remove#/list/1", "add#/list"):
        form = pressed(form, button)
    assert [row.id for row in removed_rows(form.posted, "#/list")] == ["+1", "0", "1"]
    rows = [field.name for field in form if field.name.startswith("#/list/") and field.row]
    assert "#/list/+1" not in rows  # an id of a row that can come back is not used again
    for button in ("restore#/list/1", "restore#/list/0", "restore#/list/+1"):
        form = pressed(form, button)
    assert form.root.find("#/list").shown.rows == ("0", "1", "+1", "+2")  # type: ignore[union-attr]
    assert "restore" not in form.render()


def test_a_member_and_a_value_come_back() -> None:
    form = pressed(FORMS.form_json(TEXT), "remove#/map/k")
    assert text_after(form) == TEXT.replace('"k": "v", ', "")
    assert text_after(pressed(form, "restore#/map/k")) == TEXT
    form = pressed(FORMS.form_json(TEXT), "check", list_0_count="")
    assert "restore#/list/0/count" in buttons(form.render())
    assert text_after(pressed(form, "restore#/list/0/count")) == TEXT


@pytest.mark.parametrize(
    "stored",
    [
        "x",
        "{}",
        '[1, ["", "", "", {}], ["0", "", "", []], ["0", "", "", {"#": "x"}]]',
        '[["0", "", "", {"do": ["x"]}], ["0", "", "", {"x#": ["x"]}], ["0", "", "", {"#": [[]]}]]',
        "[" * 100_000,
    ],
)
def test_what_nobody_removed_does_not_come_back(stored: str) -> None:
    form = FORMS.form_json(TEXT)
    submission = form.submit({"removed#/list": stored, "do": "restore#/list/7"})
    assert submission.text == TEXT
    assert "restore#" not in submission.form.render()
    made_up = '[["7", "", "<b>", {"#": ["x"]}]]'
    submission = form.submit({"removed#/list": made_up, "do": "restore#/list/7"})
    assert submission.text == TEXT
    assert "<b>" not in submission.form.render()


def test_a_removed_row_has_its_secrets_in_controls_of_their_own() -> None:
    item = {"properties": {"key": {"type": "string", "writeOnly": True}}, "type": "object"}
    group = {"properties": {"list": {"type": "array", "items": item}}, "type": "object"}
    form = forms_of({"type": "array", "items": group}).form([{"list": [{}]}])
    page = form.submit({"#/0/list/0/key": "s3cret", "do": "remove#/0/list/0"}).form
    for pressed_now in ("check", "remove#/0", "check"):
        page = form.submit(entries(page.render(), press=pressed_now)).form
        posted = dict(entries(page.render()))
        assert [name for name in posted if "s3cret" in posted[name]] == ["aside#0"]
    lost = without(entries(page.render()), ["aside#0"])
    with pytest.raises(FormError, match="arrived incomplete"):
        form.submit(lost)
    for pressed_now in ("restore#/0", "restore#/0/list/0"):
        page = form.submit(entries(page.render(), press=pressed_now)).form
    assert form.submit(entries(page.render())).data == [{"list": [{"key": "s3cret"}]}]


def test_a_row_stays_removed_on_a_page_of_other_data() -> None:
    form = pressed(FORMS.form_json(TEXT), "remove#/list/0")
    pairs = entries(form.render())
    assert without(pairs, ["removed#/list"]) != pairs
    other = FORMS.form_json(TEXT.replace("1e0", "5"))
    done = other.submit(pairs, on_stale="rebase")
    assert [item["title"] for item in done.data["list"]] == ["b"]
    done = other.submit(entries(done.form.render(), press="restore#/list/+1"))
    assert [item["title"] for item in done.data["list"]] == ["é", "b"]


def test_removed_rows_come_back_after_edits_of_others_were_merged() -> None:
    form = pressed(FORMS.form_json(TEXT), "remove#/list/0", list_0_title="typed")
    form = pressed(pressed(form, "add#/list"), "remove#/list/+1", **{"list_+1_title": "new"})
    form = pressed(form, "remove#/map/l")
    now = FORMS.form_json(TEXT.replace('"list": [', '"list": [{"title": "theirs"},'))
    form = now.submit(entries(form.render()), on_stale="rebase").form
    for button in ("restore#/list/+2", "restore#/list/+1", "restore#/map/+1"):
        assert button in buttons(form.render())
        form = now.submit(entries(form.render(), press=button)).form
    data = json.loads(now.submit(entries(form.render())).text)
    assert [row["title"] for row in data["list"]] == ["theirs", "typed", "b", "new"]
    assert data["list"][1]["other"] == [1, 2]
    assert data["map"] == {"k": "v", "l": "w"}


def test_a_removed_row_that_others_have_edited_is_a_conflict_and_does_not_come_back() -> None:
    form = pressed(FORMS.form_json(TEXT), "remove#/list/0")
    form = pressed(form, "remove#/list/1", list_1_title="typed")  # its button is the first
    now = FORMS.form_json(TEXT.replace('"b"', '"theirs"'))
    submission = now.submit(entries(form.render()), on_stale="rebase")
    [conflict] = submission.conflicts
    assert conflict.path == "/list/1"
    _, mine, _ = choice_names(conflict)
    pairs = [*entries(submission.form.render()), ("choice#/list/1", mine)]
    form = now.submit(pairs, on_stale="rebase").form
    assert [one for one in buttons(form.render()) if "restore#" in one] == ["restore#/list/+1"]
    assert json.loads(now.submit(entries(form.render())).text)["list"] == []
    form = now.submit(entries(form.render(), press="restore#/list/+1")).form
    assert [row["title"] for row in form.data["list"]] == ["é"]
