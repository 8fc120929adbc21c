"""Undo and redo over HTTP, without a script, and the history that they walk through."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.editing import DAYS, HOURS, PANE, TITLE, WIDGET, Page, editing
from widgetschema.editor.history import EditHistory, PageState, Step
from widgetschema.editor.reconciliation import PREFIX


def can(page: Page) -> list[bool]:
    """Tell if there is something to undo, and to redo."""
    found = []
    for value in ("back", "forward"):
        _, _, after = page.markup.partition(f'value="{value}"')
        assert after
        found.append('aria-disabled="true"' not in after.partition(">")[0])
    return found


def content(page: Page) -> dict[str, object]:
    found: dict[str, object] = json.loads(page.pane)["data"]["content"]
    return found


def test_each_post_is_a_step(page: Page) -> None:
    whole = page.pane
    assert can(page) == [False, False]
    page.press("check", {TITLE: "One"}).press("check", {HOURS: "hrs"}).press("check")
    assert can(page) == [True, False]
    page.press("back")
    assert (page.value(TITLE), page.value(HOURS)) == ("One", "Hours")
    assert page.said("ed-status") == "Everything is fine Not saved Undone: Hours label"
    assert can(page) == [True, True]
    page.press("back")
    assert page.pane == whole
    assert page.said("ed-status") == "Everything is fine No changes Undone: Timer title"
    assert can(page) == [False, True]
    page.press("back")
    assert page.pane == whole
    page.press("forward").press("forward")
    assert page.said("ed-status") == "Everything is fine Not saved Redone: Hours label"
    assert (content(page)["timerTitle"], content(page)["hoursLabel"]) == ("One", "hrs")
    assert can(page) == [True, False]


def test_what_was_not_checked_yet_is_undone_and_redone_too(page: Page) -> None:
    page.press("check", {TITLE: "One", DAYS: "soon"})
    assert page.said("ed-status") == "1 problem Not saved"
    page.press("back").press("check", {DAYS: "soon"})
    assert page.said("ed-status") == "1 problem Not saved"  # although the text is the same
    page.press("back")
    page.press("check", {TITLE: "One"}).press("back", {TITLE: "Two"})
    assert page.value(TITLE) == "One"
    page.press("forward")
    assert page.value(TITLE) == "Two"
    page.press("back").press("back").press("check", {HOURS: "hrs"})
    assert can(page) == [True, False]
    page.press("back")
    assert page.value(HOURS) == "Hours"
    assert page.value(TITLE) == "Black Friday ends in"


def test_form_and_pane_have_one_history(page: Page) -> None:
    whole = page.pane
    page.press("check", {TITLE: "From the form"})
    page.press("merge", {PANE: page.pane.replace('"Hours"', '"From the pane"')})
    page.press("check", {DAYS: "soon"})
    page.press("merge", {PANE: page.pane.replace('"Hours', '"hrs').replace("{", "[", 1)})
    assert page.said("ed-status") == "The JSON cannot be read Not saved"
    broken = page.pane
    page.press("back")
    assert page.value(DAYS) == "soon"
    assert page.said("ed-refusals") == ""
    page.press("back")
    assert page.value(DAYS) == "3"
    assert page.said("ed-status") == "Everything is fine Not saved Undone: Timer days"
    page.press("back")
    assert page.value(HOURS) == "Hours"
    assert page.said("ed-status") == "Everything is fine Not saved Undone: Hours label"
    assert '"From the form"' in page.pane
    page.press("back")
    assert page.pane == whole
    for _ in range(4):
        page.press("forward")
    assert page.pane == broken
    assert page.value(DAYS) == "soon"


def test_an_edit_of_form_and_pane_at_once_is_undone(page: Page) -> None:
    whole = page.pane
    pane = page.pane.replace("Black Friday ends in", "Pane")
    page.press("check", {TITLE: "Form", PANE: pane})
    assert page.status == 409
    page.press("pane")
    assert page.value(TITLE) == "Pane"
    page.press("back")
    assert "Which one do you want to keep?" in page.said("ed-notices")
    page.press("form")
    assert page.value(TITLE) == "Form"
    page.press("back").press("back")
    assert page.pane == whole
    assert page.said("ed-notices") == ""


def test_undoing_a_button_keeps_what_was_typed_before_it(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('{"rows": ["a", "b"]}')
    schema = {"properties": {"rows": {"type": "array", "items": {"type": "string"}}}}
    with editing(path, kind="data", type_id="x", schemas={"x": schema}) as page:
        page.press("remove#/rows/0", {"#/rows/0": "typed"}).press("back")
        assert page.pane == '{"rows": ["typed", "b"]}'
        page.press("back")
        assert page.pane == '{"rows": ["a", "b"]}'
        page.press("forward").press("forward")
        assert page.pane == '{"rows": ["b"]}'


@pytest.mark.parametrize("button", ["add#/rows", "remove#/rows/0", "down#/rows/0", "open#/next"])
def test_buttons_are_steps(button: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('{"rows": ["a", "b", "c"], "kind": 5}')
    rows = {"type": "array", "items": {"type": "string"}}
    node = {"properties": {"title": {"type": "string"}, "next": {"$ref": "#/definitions/node"}}}
    data = {"properties": {"rows": rows, "next": {"$ref": "#/definitions/node"}}}
    schema = {"properties": {"data": data}, "definitions": {"node": node}}
    with editing(path, type_id="x", schemas={"x": schema}) as page:
        page.press("check", {"#/rows/1": "B"})
        before = form_of(page)
        page.press(button).press("check")
        changed = form_of(page)
        page.press("back")
        assert form_of(page) == before != changed
        page.press("forward")
        assert form_of(page) == changed
        page.press("save", {"editor.insist": "1"}).press("back").press("back")
        assert page.pane == '{"rows": ["a", "b", "c"], "kind": 5}'


def form_of(page: Page) -> list[str]:
    """The markup of the form, but for the digest of its controls and what gets the focus."""
    form = page.markup.partition('<div id="ed-form">')[2].partition("<section")[0]
    lines = form.replace(" autofocus", "").splitlines()
    return [line for line in lines if "#" in line and 'name="base#"' not in line]


def test_saving_is_no_step_and_ends_nothing(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "One"}).press("save", {HOURS: "hrs"})
    assert page.said("ed-status") == "Everything is fine Saved"
    assert can(page) == [True, False]
    page.press("back")
    assert page.value(HOURS) == "Hours"
    assert page.value(TITLE) == "One"
    assert page.said("ed-status") == "Everything is fine Not saved Undone: Hours label"
    assert b'"hrs"' in file.read_bytes()
    page.press("save")
    assert b'"hrs"' not in file.read_bytes()
    assert can(page) == [True, True]
    page.press("forward")
    assert page.value(HOURS) == "hrs"
    page.press("back").press("back")
    assert page.value(TITLE) == "Black Friday ends in"
    page.press("save")
    assert file.read_bytes() == WIDGET.read_bytes()


def test_the_undoing_of_a_save_is_a_step(page: Page, file: Path) -> None:
    page.press("save", {TITLE: "One"}).press("undo")
    assert file.read_bytes() == WIDGET.read_bytes()
    page.press("back")
    assert page.value(TITLE) == "One"
    assert page.said("ed-status").startswith("Everything is fine Not saved")
    assert file.read_bytes() == WIDGET.read_bytes()


def test_each_tab_has_its_own_way(page: Page) -> None:
    other = Page(page.client, page.url).open()
    page.press("check", {TITLE: "One"})
    other.press("check", {HOURS: "hrs"})
    assert can(page.press("back")) == [False, True]
    assert other.press("back").value(HOURS) == "Hours"
    assert page.press("forward").value(TITLE) == "One"
    assert other.press("forward").value(HOURS) == "hrs"
    assert other.value(TITLE) == "Black Friday ends in"


def test_a_step_that_nobody_knows_is_the_first(page: Page) -> None:
    page.press("check", {TITLE: "One", f"{PREFIX}step": "999"})
    assert page.value(TITLE) == "One"
    assert can(page) == [False, False]
    assert page.press("back").value(TITLE) == "One"
    assert page.open("/?step=../x&done=saved").value(TITLE) == "Black Friday ends in"


def test_the_file_of_somebody_else_is_not_touched_by_undo(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "One"})
    theirs = WIDGET.read_bytes().replace(b'"Hours"', b'"Theirs"')
    file.write_bytes(theirs)
    page.press("back")
    assert "The file has changed" in page.said("ed-notices")
    assert page.value(TITLE) == "Black Friday ends in"
    page.press("save")
    assert file.read_bytes() == theirs


def test_undo_goes_back_beyond_a_merge(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "One"}).press("check", {TITLE: "Two"})
    theirs = WIDGET.read_bytes().replace(b'"Hours"', b'"Theirs"')
    file.write_bytes(theirs)
    page.press("check")
    assert (page.value(TITLE), page.value(HOURS)) == ("Two", "Theirs")
    page.press("back")
    assert (page.value(TITLE), page.value(HOURS)) == ("Two", "Hours")
    page.press("back")
    assert (page.value(TITLE), page.value(HOURS)) == ("One", "Hours")
    page.press("save")  # with the edits of others
    assert (page.value(TITLE), page.value(HOURS)) == ("One", "Theirs")
    page.press("save")
    assert file.read_bytes() == theirs.replace(b"Black Friday ends in", b"One")
    page.press("back").press("back")
    assert file.read_bytes() == theirs.replace(b"Black Friday ends in", b"One")


def test_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b'{\r\n  "a": 1,\r\n "b": 2\r\n}\r\n')
    schema = {"properties": {"data": {"properties": {"a": {"type": "integer"}}}}}
    with editing(path, type_id="x", schemas={"x": schema}) as page:
        page.press("merge", {PANE: page.pane.replace("1", "5")}).press("check", {"#/a": "7"})
        page.press("back").press("save")
        assert path.read_bytes() == b'{\r\n  "a": 5,\r\n "b": 2\r\n}\r\n'
        page.press("back").press("save")
        assert path.read_bytes() == b'{\r\n  "a": 1,\r\n "b": 2\r\n}\r\n'


# The history itself


def state(text: str = "", of: str = "text", **controls: str) -> PageState:
    values = {f"#/{name}": [value] for name, value in controls.items()}
    return PageState(of, values, None, "", repr(values), text, "")


def way_back(history: EditHistory, step: Step) -> list[PageState]:
    found, one = [], history.before(step)
    while one is not None:
        found.append(one.state)
        one = history.before(one)
    return found


def test_a_check_that_comes_late_is_no_step() -> None:
    history = EditHistory()
    first = history.record("", state("0"))
    step = history.record(first.name, state("1", title="a"), "visit", 1)
    assert history.record(step.name, state("3", title="abc"), "visit", 3) is step
    assert history.record(step.name, state("2", title="ab"), "visit", 2) is step  # given up
    assert history.record(step.name, state("3", title="abc")) is step
    assert step.state == state("3", title="abc")
    assert history.before(step) is first


def test_typing_into_a_control_is_one_step_of_a_visit() -> None:
    history = EditHistory()
    first = history.record("", state("0"))
    step = history.record(first.name, state("1", title="a"), "visit 1")
    same = history.record(step.name, state("2", title="ab"), "visit 1")
    assert same.name == step.name
    other = history.record(same.name, state("3", title="ab", days="1"), "visit 1")
    again = history.record(other.name, state("4", title="abc", days="1"), "visit 2")
    assert way_back(history, again) == [
        state("3", title="ab", days="1"),
        state("2", title="ab"),
        state("0"),
    ]


def test_the_undo_of_a_browser_is_the_same_way() -> None:
    history = EditHistory()
    first = history.record("", state("0"))
    step = history.record(first.name, state("1", title="a"), "visit 1")
    back = history.record(step.name, state("0"), "visit 1")
    assert back is first
    assert history.record(back.name, state("1", title="a"), "visit 1") is step
    typed = history.record(step.name, state("0"), "visit 2")
    assert typed not in (first, step)


def test_only_the_last_steps_are_kept() -> None:
    history = EditHistory(most=3)
    step = history.record("", state("0"))
    for number in range(10):
        step = history.record(step.name, state(title=str(number)))
    assert way_back(history, step) == [state(title="8"), state(title="7")]
    history = EditHistory(most_characters=1000)
    step = history.record("", state("0"))
    for number in range(10):
        step = history.record(step.name, state(title=f"{number}" * 400))
    assert way_back(history, step) == [state(title="8" * 400)]
    history = EditHistory(most_characters=1000)
    step = history.record("", state(title="a" * 400))
    step = history.record(step.name, state(title="b" * 400), "visit")
    assert len(way_back(history, step)) == 1
    step = history.record(step.name, state(title="b" * 800), "visit")
    assert way_back(history, step) == []
    assert history.record(step.name, state(title="c" * 5000)).state.size > 5000


def test_answers_that_bring_fields_are_steps_too(tmp_path: Path) -> None:
    schema = {
        "properties": {"card": {"type": "boolean"}, "name": {"type": "string"}},
        "if": {"properties": {"card": {"const": True}}, "required": ["card"]},
        "then": {"properties": {"more": {"type": "string"}}},
    }
    file = tmp_path / "a.json"
    file.write_text("{}")
    with editing(file, kind="data", type_id="x", schemas={"x": schema}) as page:
        page.press("check", {"#/name": "Bob", "#/card": "true"})
        page.press("check", {"#/more": "1"}).press("check", {"#/name": "Rob"})
        assert json.loads(page.pane) == {"card": True, "name": "Rob", "more": "1"}
        page.press("back")
        assert json.loads(page.pane) == {"card": True, "name": "Bob", "more": "1"}
        page.press("back").press("back")
        assert json.loads(page.pane) == {}
        page.press("forward").press("forward").press("save")
    assert json.loads(file.read_text()) == {"card": True, "name": "Bob", "more": "1"}
