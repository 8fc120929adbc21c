"""The editor's page over HTTP, without a script: nothing is lost, nothing overwritten unseen."""

from __future__ import annotations

import json
import os
import re
import stat
from difflib import ndiff
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.browsing import buttons, edited, entries
from tests.django_suite.schemas import MEDIA
from tests.editing import DAYS, HOURS, PANE, TITLE, WIDGET, Page, editing, editor_of
from widgetschema.forms.newlines import normalize_newlines, restore_newlines

INSIST = {"editor.insist": "1"}


def changed_lines(before: bytes, after: bytes) -> list[str]:
    lines = ndiff(before.decode().splitlines(), after.decode().splitlines())
    return [line for line in lines if line[0] in "+-"]


# Editing and saving


def test_three_fields_one_broken_and_fixed_are_three_lines(page: Page, file: Path) -> None:
    edits = {TITLE: "Ends soon", HOURS: "hrs", DAYS: "four"}
    page.press("check", edits)
    assert '"four" is a string, but must be a number' in page.text
    assert page.value(DAYS) == "four"
    assert '"Ends soon"' in page.pane
    assert '"timerDays": 3' in page.pane
    assert page.said("ed-status") == "1 problem Not saved"

    page.press("save")
    assert page.status == 422
    assert "Something you entered cannot be used" in page.said("ed-notices")
    assert file.read_bytes() == WIDGET.read_bytes()

    page.press("check", {DAYS: "4"})
    assert page.said("ed-status") == "Everything is fine Not saved"
    page.press("review")
    assert "3 lines removed, 3 lines added" in page.said("ed-review")
    assert "Content › Timer days : 3 → 4" in page.said("ed-review")
    assert '+ "timerTitle": "Ends soon",' in page.said("ed-review")
    page.press("save")

    assert page.said("ed-status") == "Everything is fine Saved"
    assert page.said("ed-notices") == "Saved."
    changes = changed_lines(WIDGET.read_bytes(), file.read_bytes())
    assert [line.split(":")[1].strip(' ,"') for line in changes if line[0] == "+"] == [
        "Ends soon", "hrs", "4",
    ]  # fmt: skip
    assert len(changes) == 6


def test_nothing_changed_is_nothing_written(page: Page, file: Path) -> None:
    before = file.stat()
    for button in ("save", "review"):
        page.press(button)
        assert "nothing to save" in page.said("ed-notices")
        assert page.said("ed-review") == ""
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_the_enter_key_shows_the_changes_and_writes_nothing(page: Page, file: Path) -> None:
    page.enter({TITLE: "x"})
    assert "Changes to black-friday.json" in page.said("ed-review")
    assert file.read_bytes() == WIDGET.read_bytes()


def test_the_tab_key_goes_through_the_bar_as_it_is_seen(page: Page) -> None:
    page.press("save", {TITLE: "x"})
    check, *bar = buttons(page.markup)
    assert check == "check"  # which the Enter key presses, since it is the first
    assert bar[:6] == ["undo", "back", "forward", "check", "review", "save"]
    style = page.open("/assets/editor.css").markup
    assert ".ed-bar" in style
    assert not re.search(r"\border:|row-reverse", style)


def test_what_was_looked_at_is_what_is_saved(page: Page, file: Path) -> None:
    page.press("review", {TITLE: "LoggedRequest"}).press("save", {TITLE: "Not seen"})
    assert page.status == 422
    assert "changed since you looked at it" in page.said("ed-notices")
    assert file.read_bytes() == WIDGET.read_bytes()
    page.press("save")
    assert b'"Not seen"' in file.read_bytes()


def test_what_is_not_valid_is_saved_if_the_person_insists(page: Page, file: Path) -> None:
    page.press("merge", {PANE: page.pane.replace('"Black Friday ends in"', "3")})
    page.press("save")
    assert page.status == 422
    assert "There is 1 problem: fix it, or save anyway." in page.said("ed-notices")
    assert "Save anyway, with 1 problem" in page.said("ed-review")
    assert b'"timerTitle": 3' not in file.read_bytes()

    page.press("save", INSIST)
    assert page.said("ed-status") == "1 problem Saved anyway"
    assert json.loads(file.read_bytes())["data"]["content"]["timerTitle"] == 3
    assert page.open().said("ed-status") == "1 problem Saved anyway"


def test_what_is_around_the_data_is_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "faq.json"
    path.write_text('{"type": "faq", "name": 3, "size": 1e400, "data": {"a": 1}}')
    schema = {"properties": {"name": {"type": "string"}, "data": {"type": "object"}}}
    with editing(path, schemas={"faq": schema}) as page:
        assert (
            "“Name”: Enter text Details type /name 3 is a number, but must be a string"
            in page.said("ed-document-findings")
        )
        assert "/size" in page.said("ed-document-findings")
        assert page.said("ed-status") == "2 problems No changes"
        answer = page.live({"#/data/a": "2"})
        assert "/name" in answer["editor"]["document-findings"]
        assert answer["findings"] == []


def test_permissions_and_links_stay(page: Page, file: Path) -> None:
    real = file.with_name("real.json")
    file.rename(real)
    file.symlink_to(real)
    real.chmod(0o640)
    page.press("save", {TITLE: "x"})
    assert file.is_symlink()
    assert b'"x"' in real.read_bytes()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert {*file.parent.iterdir()} == {real, file}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{\r\n  "a": 1,\r\n  "b": 2\r\n}', b'{\r\n  "a": 5,\r\n  "b": 2\r\n}'),
        (b'{"a": 1, "b": 2}', b'{"a": 5, "b": 2}'),
        (b'\n\n{"b":2,\t"a" : 1}\r', b'\n\n{"b":2,\t"a" : 5}\r'),
        (b'\xef\xbb\xbf{"a": 1}\n', b'{"a": 5}\n'),
    ],
    ids=["crlf", "no last newline", "odd spaces", "byte order mark"],
)
@pytest.mark.parametrize("by", ["form", "pane"])
def test_bytes_that_were_not_edited_stay(
    before: bytes, after: bytes, by: str, tmp_path: Path
) -> None:
    path = tmp_path / "faq.json"
    path.write_bytes(before)
    schema = {"properties": {"data": {"properties": {"a": {"type": "integer"}, "b": {}}}}}
    with editing(path, type_id="faq", schemas={"faq": schema}) as page:
        if by == "form":
            page.press("save", {"#/a": "5"})
        else:
            page.press("save", {PANE: page.pane.replace("1", "5")})
        assert page.said("ed-notices") == "Saved."
        assert path.read_bytes() == after
        page.press("undo")
        assert path.read_bytes() == before


# The JSON pane


def test_the_pane_and_the_form_are_about_the_same_document(page: Page) -> None:
    page.press("merge", {PANE: page.pane.replace('"Hours"', '"From the pane"')})
    assert page.value(HOURS) == "From the pane"
    assert page.said("ed-status") == "Everything is fine Not saved"
    page.press("check", {TITLE: "From the form"})
    assert '"From the pane"' in page.pane
    assert '"From the form"' in page.pane


def test_an_edit_of_the_form_is_posted_with_one_of_the_pane(page: Page) -> None:
    page.press("merge", {TITLE: "Form", PANE: page.pane.replace('"Hours"', '"Pane"')})
    assert (page.value(TITLE), page.value(HOURS)) == ("Form", "Pane")
    page.press("merge", {TITLE: "Again", PANE: page.pane.replace('"Form"', '"Other"')})
    assert page.status == 409
    assert page.value(TITLE) == "Again"
    assert '"Other"' in page.pane


def test_what_cannot_be_read_in_the_form_survives_an_edit_of_the_pane(page: Page) -> None:
    page.press("check", {DAYS: "1,5"})
    page.press("merge", {PANE: page.pane.replace('"Hours"', '"hrs"')})
    assert page.value(DAYS) == "1,5"
    assert page.value(HOURS) == "hrs"
    assert page.said("ed-status") == "1 problem Not saved"
    page.press("merge", {PANE: page.pane.replace('"timerDays": 3', '"timerDays": 5')})
    assert page.value(DAYS) == "1,5"


def test_json_that_cannot_be_read_stays_and_says_where(page: Page, file: Path) -> None:
    broken = page.pane.replace('"Hours",', '"Hours"')
    page.press("merge", {PANE: broken})
    assert page.pane == broken
    assert page.value(HOURS) == "Hours"
    assert "Line 20, column 28" in page.said("ed-refusals")
    assert page.said("ed-status") == "The JSON cannot be read Not saved"
    for button in ("save", "review"):
        page.press(button)
        assert page.status == 422
        assert page.pane == broken
    assert file.read_bytes() == WIDGET.read_bytes()
    page.press("form")
    assert page.pane == WIDGET.read_text()


def test_a_type_that_nobody_knows_is_said_beside_the_pane(page: Page) -> None:
    page.press("merge", {PANE: page.pane.replace('"type": "countdown"', '"type": "countup"')})
    assert "unknown widget type 'countup'" in page.said("ed-refusals")
    assert page.said("ed-status") == "Cannot be checked Not saved"
    assert page.value(HOURS) == "Hours"


@pytest.mark.parametrize(("button", "title"), [("form", "Form"), ("pane", "Pane")])
def test_if_both_were_changed_somebody_chooses(
    button: str, title: str, page: Page, file: Path
) -> None:
    pane = page.pane.replace("Black Friday ends in", "Pane")
    page.press("save", {TITLE: "Form", PANE: pane})
    assert page.status == 409
    assert page.value(TITLE) == "Form"
    assert page.pane == pane
    assert '- "timerTitle": "Form",' in page.said("ed-notices")
    assert file.read_bytes() == WIDGET.read_bytes()

    page.press(button)
    assert page.value(TITLE) == title
    assert f'"timerTitle": "{title}"' in page.pane
    page.press("save")
    assert json.loads(file.read_bytes())["data"]["content"]["timerTitle"] == title


def test_edits_in_both_are_merged_where_they_do_not_overlap(page: Page, file: Path) -> None:
    pane = page.pane.replace('"Hours"', '  "Pane"')
    assert pane != page.pane
    page.press("review", {TITLE: "Form", PANE: pane})
    assert page.status == 200
    assert page.pane == pane.replace("Black Friday ends in", "Form")
    assert (page.value(TITLE), page.value(HOURS)) == ("Form", "Pane")
    page.press("review", {TITLE: "Again", PANE: page.pane.replace('"Pane"', '"More"')})
    assert (page.value(TITLE), page.value(HOURS)) == ("Again", "More")
    assert file.read_bytes() == WIDGET.read_bytes()


def test_the_same_edit_in_both_is_no_question(page: Page) -> None:
    pane = page.pane.replace("Black Friday ends in", "Same")
    page.press("review", {TITLE: "Same", PANE: pane})
    assert (page.status, page.said("ed-notices")) == (200, "")


def test_a_file_that_cannot_be_read_is_fixed_in_the_pane(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"content": {}, "settings": {}, "styles": {},}')
    with editing(path, type_id="countdown") as page:
        assert "The form appears when the JSON can be read" in page.said("ed-form")
        assert "Line 1, column" in page.said("ed-refusals")
        page.press("merge", {PANE: '{"content": {}'})
        assert "Line 1, column 15" in page.said("ed-refusals")
        page.press("merge", {PANE: '{"content": {}, "settings": {}, "styles": {}}'})
        assert page.said("ed-refusals") == ""
        page.press("save", {"#/content/timerTitle": "x"})
        assert page.said("ed-notices") == "Saved."
        assert json.loads(path.read_bytes())["content"] == {"timerTitle": "x"}


# Documents in a list


def test_one_document_of_a_list(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    document = json.loads(WIDGET.read_bytes())
    path.write_text(json.dumps({"total": 2, "docs": [document, document]}, indent=1))
    before = path.read_bytes()
    with editing(path) as page:
        assert "2 documents: say which one" in page.said("ed-refusals")
    for at in ("/docs/1", "/docs/1/data"):
        path.write_bytes(before)
        with editing(path, at=at) as page:
            page.press("save", {"#/docs/1/data/content/timerTitle": "Second"})
            docs = json.loads(path.read_bytes())["docs"]
            titles = [one["data"]["content"]["timerTitle"] for one in docs]
            assert titles == ["Black Friday ends in", "Second"]
            assert len(changed_lines(before, path.read_bytes())) == 2


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ('{"docs": [], "total": 0}', None, "there is no document in this list"),
        ('{"a": 1}', "/b", 'there is nothing at "/b"'),
        ('{"type": "countdown", "name": "x"}', None, "pass --type ID"),
        ('{"a": {"docs": [], "total": 0}}', "/a", 'no single document at "/a"'),
    ],
    ids=["empty", "nowhere", "no data", "a list"],
)
def test_what_there_is_no_form_of(text: str, at: str | None, says: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    with editing(path, at=at) as page:
        assert says in page.said("ed-refusals")
        page.press("save", {PANE: f"{text} "})
        assert page.status == 422
        assert path.read_text() == text


def test_a_part_of_the_data_of_a_type(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{"mine": {"content": {}, "settings": {}, "styles": {}}}')
    with editing(path, at="/mine", type_id="countdown") as page:
        page.press("save", {"#/mine/content/timerTitle": "x"})
        assert json.loads(path.read_bytes())["mine"]["content"] == {"timerTitle": "x"}


def test_a_document_without_data_has_no_form(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{"name": "x"}')
    with editing(path, kind="document", type_id="countdown") as page:
        assert 'the property "data" is missing' in page.said("ed-refusals")
        page.press("merge", {PANE: '{"name": "x", "data": {}}'})
        assert page.said("ed-status") == "3 problems Not saved"


# The file changes


def test_a_file_that_is_no_json_any_more_is_never_overwritten_unseen(
    page: Page, file: Path
) -> None:
    page.press("check", {TITLE: "Mine"})
    theirs = WIDGET.read_bytes().replace(b'"Hours"', b'"Theirs')
    file.write_bytes(theirs)

    assert "The file has changed" in page.live()["editor"]["notices"]
    for button in ("check", "save", "review"):
        page.press(button)
        assert "The file has changed" in page.said("ed-notices")
        assert '+ "hoursLabel": "Theirs,' in page.said("ed-notices")
        assert page.value(TITLE) == "Mine"
    assert file.read_bytes() == theirs

    page.press("overwrite")
    assert '- "hoursLabel": "Theirs,' in page.said("ed-review")
    assert '+ "timerTitle": "Mine",' in page.said("ed-review")
    assert file.read_bytes() == theirs
    page.press("save")
    assert json.loads(file.read_bytes())["data"]["content"]["timerTitle"] == "Mine"
    page.press("undo")
    assert file.read_bytes() == theirs


def test_the_file_is_loaded_again(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "Mine"})
    file.write_bytes(WIDGET.read_bytes().replace(b'"Hours"', b'"Theirs"'))
    page.open("/")
    assert page.value(HOURS) == "Theirs"
    assert page.said("ed-status") == "Everything is fine No changes"


def test_the_same_written_by_somebody_else_is_no_change(page: Page, file: Path) -> None:
    file.write_bytes(WIDGET.read_bytes().replace(b"Black Friday ends in", b"Same"))
    page.press("save", {TITLE: "Same"})
    assert page.status == 200
    assert "nothing to save" in page.said("ed-notices")


def test_a_file_that_is_gone_is_written_again_if_that_is_wanted(page: Page, file: Path) -> None:
    file.unlink()
    page.press("save", {TITLE: "x"})
    assert page.status == 409
    assert "The file is gone" in page.said("ed-notices")
    assert not file.exists()
    page.press("overwrite").press("save")
    assert b'"x"' in file.read_bytes()
    page.press("undo")
    assert not file.exists()
    assert page.open().said("ed-notices").startswith("This is a new file")
    assert page.pane.count('"x"') == 1


def test_undo_takes_back_the_last_save_alone(page: Page, file: Path) -> None:
    assert 'value="undo"' not in page.markup
    page.press("save", {TITLE: "One"})
    page.press("save", {TITLE: "Two"})
    page.press("undo", {HOURS: "edited since"})
    assert "Your edits are still here" in page.said("ed-notices")
    assert b'"One"' in file.read_bytes()
    assert page.value(HOURS) == "edited since"
    assert page.said("ed-status") == "Everything is fine Not saved"
    page.press("save")
    content = json.loads(file.read_bytes())["data"]["content"]
    assert (content["timerTitle"], content["hoursLabel"]) == ("Two", "edited since")


def test_undo_of_what_is_no_longer_there_does_nothing(page: Page, file: Path) -> None:
    page.press("save", {TITLE: "One"})
    file.write_bytes(WIDGET.read_bytes().replace(b'"Hours"', b'"Theirs"'))
    page.press("undo")
    assert page.status == 409
    assert "Nothing was undone" in page.said("ed-notices")
    assert b'"Theirs"' in file.read_bytes()


@pytest.mark.parametrize("content", [b"\xff\xfe{}", b'{"a": "\0"}'], ids=["not utf-8", "nul"])
def test_a_file_that_no_page_can_show(content: bytes, page: Page, file: Path) -> None:
    file.write_bytes(content)
    page.press("save", {TITLE: "Mine"})
    assert page.status == 409
    assert page.value(TITLE) == "Mine"
    kept = page.markup
    assert page.open().status == 500
    assert "not text in UTF-8" in page.text
    page.markup = kept
    page.press("overwrite").press("save")
    assert b'"Mine"' in file.read_bytes()
    assert ('value="undo"' in page.markup) == (content == b'{"a": "\0"}')


@pytest.mark.parametrize("button", ["check", "review", "save", "undo"])
def test_a_folder_in_place_of_the_file(button: str, page: Page, file: Path) -> None:
    page.press("save", {TITLE: "Saved"})
    file.unlink()
    file.mkdir()
    assert page.client.get(f"{page.url}current?version=x").json() == {"current": False}
    page.press(button, {TITLE: "Mine"})
    assert page.status == {"check": 200, "undo": 500}.get(button, 409)
    assert re.search("it is not a regular file|it is a folder", page.said("ed-notices"))
    assert page.value(TITLE) == "Mine"
    assert 'value="overwrite"' not in page.markup
    kept = page.markup
    assert page.open().status == 500
    assert re.search("it is not a regular file|it is a folder", page.text)

    file.rmdir()
    page.markup = kept
    page.press("check").press("overwrite").press("save")
    assert b'"Mine"' in file.read_bytes()


def test_a_byte_order_mark_is_said_to_go(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    with editing(path, type_id="faq", schemas={"faq": {"type": "object"}}) as page:
        assert "begins with an invisible mark" in page.said("ed-notices")
        page.press("save")
        assert path.read_bytes() == b'{"a": 1}'
        assert page.said("ed-notices") == "Saved."


def test_what_the_system_refuses_to_write_is_said(page: Page, file: Path) -> None:
    edits = {TITLE: "Mine"}
    os.rename(file.parent, file.parent.with_name("elsewhere"))
    file.parent.mkdir()
    page.press("save", edits)  # the file is gone: it may be written anew
    file.parent.rmdir()
    page.press("overwrite")
    page.press("save")
    assert page.status == 500
    assert "cannot be written: the file or its folder does not exist" in page.said("ed-notices")
    assert page.value(TITLE) == "Mine"


# Live


def test_the_live_answer(page: Page) -> None:
    answer = page.live({TITLE: "x", DAYS: "y"})
    assert answer["errors"] == {}  # while somebody types
    assert answer["editor"]["places"]["findings"] == []
    assert "Not complete yet" in answer["editor"]["status"]
    answer = page.live({TITLE: "x", DAYS: "y", "due#": DAYS})
    assert [found["path"] for found in answer["findings"]] == ["/data/content/timerDays"]
    assert len(answer["errors"]) == len(answer["editor"]["places"]["findings"]) == 1
    assert (answer["valid"], answer["complete"], answer["changed"]) == (False, False, True)
    said = answer["editor"]
    assert '"timerTitle": "x"' in said["pane"]
    assert "1 problem" in said["status"]
    assert answer["html"] is None
    assert not said["fromPane"]


def test_the_live_answer_about_the_pane_has_the_form(page: Page) -> None:
    answer = page.live({PANE: page.pane.replace('"Hours"', '"hrs"'), "editor.typed": "7"})
    said = answer["editor"]
    assert 'value="hrs"' in answer["html"]
    assert (said["typed"], said["fromPane"]) == ("7", True)
    assert said["of"] != page.value("editor.of")


def test_the_live_answer_about_json_that_cannot_be_read(page: Page) -> None:
    answer = page.live({PANE: "{"})
    assert answer["editor"]["refused"]
    assert "Line 1, column 2" in answer["editor"]["refusals"]
    assert answer["editor"]["of"] == page.value("editor.of")


def test_without_a_form_the_live_answer_has_one_when_there_is_one(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("{")
    with editing(path, type_id="countdown") as page:
        assert "findings" not in page.live()
        assert "The form appears when the JSON can be read" in page.live({PANE: "{]"})["html"]
        answer = page.live({PANE: '{"content": {}, "settings": {}, "styles": {}}'})
        assert "Timer title" in answer["html"]


def test_a_new_row_is_not_red_before_somebody_checks(tmp_path: Path) -> None:
    path = tmp_path / "faq.json"
    path.write_text('{"items": []}')
    item = {"properties": {"q": {"type": "string", "minLength": 3}}, "required": ["q"]}
    items = {"type": "array", "items": {"type": "object", **item}}
    schema = {"properties": {"data": {"properties": {"items": items}}}}
    with editing(path, type_id="faq", schemas={"faq": schema}) as page:
        page.press("add#/items")
        assert "aria-invalid" not in page.markup
        assert "Not complete yet" in page.markup
        page.press("add#/items")
        page.press("back")
        assert 'aria-invalid="true"' not in page.markup
        page.press("add#/items", {"#/items/+1/q": "W"})  # which leaves the field
        assert page.markup.count('aria-invalid="true"') == 1
        page.press("check")
        assert page.markup.count('aria-invalid="true"') == 2


def test_buttons_that_change_the_form_save_nothing(tmp_path: Path) -> None:
    path = tmp_path / "faq.json"
    path.write_text('{"items": ["a"]}')
    items = {"type": "array", "items": {"type": "string"}}
    schema = {"properties": {"data": {"properties": {"items": items}}}}
    with editing(path, type_id="faq", schemas={"faq": schema}) as page:
        page.press("add#/items")
        assert path.read_text() == '{"items": ["a"]}'
        page.press("check", {"#/items/+1": "b"})
        assert json.loads(page.pane) == {"items": ["a", "b"]}
        assert page.said("ed-status") == "Everything is fine Not saved"


def test_whether_the_file_is_current(page: Page, file: Path) -> None:
    version = page.value("editor.version")
    current = f"{page.url}current?version={version}"
    assert page.client.get(current).json() == {"current": True}
    file.write_bytes(b"{}")
    assert page.client.get(current).json() == {"current": False}


def test_a_page_that_nobody_remembers_keeps_its_json(page: Page, file: Path) -> None:
    pane = page.pane.replace('"Hours"', '"hrs"')
    page.press("save", {"editor.of": "unknown", PANE: pane})
    assert page.status == 409
    assert page.pane == pane
    assert page.value(HOURS) == "hrs"
    assert "the editor has lost track" in page.said("ed-notices")
    page.press("save")
    assert b'"hrs"' in file.read_bytes()


def test_a_page_that_nobody_remembers_keeps_the_ends_of_lines(page: Page, file: Path) -> None:
    before = file.read_bytes().replace(b"\n", b"\r\n")
    file.write_bytes(before)
    page.open().press("check", {"editor.of": "unknown"})
    page.press("save", {HOURS: "hrs"})
    assert file.read_bytes() == before.replace(b'"Hours"', b'"hrs"')


def test_a_post_of_nothing_shows_the_file(page: Page) -> None:
    token = page.value("editor.csrf")
    response = page.client.post(page.url, data={"editor.csrf": token})
    assert response.status_code == 409
    assert "Timer title" in response.text


def test_a_new_file_is_written_when_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    initial = '{"content": {}, "settings": {}, "styles": {}}\n'
    with editing(path, type_id="countdown", initial=initial) as page:
        assert page.said("ed-notices").startswith("This is a new file")
        assert not path.exists()
        page.press("save", {"#/content/timerTitle": "x"})
        assert json.loads(path.read_bytes())["content"] == {"timerTitle": "x"}
        page.press("undo")
        assert not path.exists()
        assert page.said("ed-notices").startswith("The last save is undone.")
        assert '"x"' in page.pane  # nothing is lost
        path.write_text(initial)
        assert page.press("save", {"#/content/timerTitle": "y"}).status == 409


def test_a_ui_description_holds(file: Path) -> None:
    with editing(file, ui={"/content/timerTitle": {"label": "Headline"}}) as page:
        assert "Headline" in page.text
        page.press("check", {TITLE: "x"})
        assert "Headline" in page.text


# Ends of lines, and what is remembered

_LINES = st.lists(st.tuples(st.sampled_from("abc "), st.sampled_from(["\n", "\r\n", "\r"])))


@given(_LINES, st.sampled_from(["", "x"]))
def test_a_text_that_was_only_shown_is_as_it_was(lines: list[tuple[str, str]], last: str) -> None:
    text = "".join(line + end for line, end in lines) + last
    assert restore_newlines(normalize_newlines(text).replace("\n", "\r\n"), text) == text


@given(_LINES, _LINES, _LINES)
def test_lines_that_stay_keep_their_ends(
    head: list[tuple[str, str]], new: list[tuple[str, str]], tail: list[tuple[str, str]]
) -> None:
    before = "".join(line + end for line, end in [*head, ("old", "\n"), *tail]) + "last"
    lines = [*(line for line, _ in head), *(f"new{line}" for line, _ in new)]
    posted = "\r\n".join([*lines, *(line for line, _ in tail), "last"])
    after = restore_newlines(posted, before)
    assert normalize_newlines(after) == normalize_newlines(posted)
    if "\r" in before and new:
        assert after.startswith("".join(line + end for line, end in head).rstrip("\r\n"))
        assert after.endswith("".join(line + end for line, end in tail) + "last")


def test_forms_are_kept_ready_but_not_all(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{"content": {}, "settings": {}, "styles": {}}')
    editing_it = editor_of(path, type_id="countdown")
    view = editing_it.show()
    for number in range(30):
        pane = view.pane.replace("{}", f'{{"timerTitle": "{number}"}}', 1)
        shown = editing_it.live_view({"editor.of": [view.of], "editor.pane-of": [view.pane_of],
                                 "editor.version": [view.version], PANE: [pane]})  # fmt: skip
        assert shown.text == pane
    assert editing_it.live_view({"editor.of": [view.of]}).text == view.text


def test_a_theme_of_the_page(file: Path, tmp_path: Path) -> None:
    with editing(file, theme="compact") as page:
        assert '<body class="ws-page ws-theme-compact">' in page.markup
        assert "theme.css" not in page.markup
    own = tmp_path / "brand.css"
    own.write_text(".ws-form { --ws-accent: #080; }", encoding="utf-8")
    with editing(file, theme=own) as page:
        assert '<body class="ws-page">' in page.markup
        [address] = re.findall(r'href="([^"]+theme\.css)"', page.markup)
        assert page.markup.index("editor.css") < page.markup.index("theme.css")
        found = page.client.get(f"{page.url}{address.removeprefix('/')}")
        assert found.text == own.read_text("utf-8")
        assert found.headers["content-type"].startswith("text/css")


def test_a_file_is_uploaded_and_what_is_stored_stays(tmp_path: Path) -> None:
    path = tmp_path / "media.json"
    path.write_text('{"image": "R0lG\\nODdh", "alt": "a"}')
    with editing(path, type_id="media", schemas={"media": MEDIA}) as page:
        assert 'enctype="multipart/form-data"' in page.markup

        def send(*chosen: tuple[str, tuple[str, bytes]]) -> httpx.Response:
            """Press the button that saves, as a browser without a script does."""
            pairs = edited(entries(page.markup, press="save"), "#/alt", "b")
            parts = [(name, (None, value)) for name, value in pairs]
            return page.client.post(page.url, files=[*parts, *chosen])

        assert send(("file#/image", ("", b""))).status_code == 200
        assert path.read_text() == '{"image": "R0lG\\nODdh", "alt": "b"}'
        page.open()
        assert "Choose a file of the type" in send(("file#/image", ("a", b"%PDF-"))).text
        empty = ("file#/image", ("", b""))
        send(*[empty] * 1_000, ("file#/image", ("a.gif", b"GIF89a")))  # 1,000 without a choice
        assert path.read_text() == '{"image": "R0lGODlh", "alt": "b"}'
