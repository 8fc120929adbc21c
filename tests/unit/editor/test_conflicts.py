"""Two pages, another program and new schemas: edits are merged, or a person chooses, and is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from tests.browsing import text_of
from tests.editing import DAYS, HOURS, PANE, TITLE, WIDGET, Page, editor_of, tab
from widgetschema.catalog.catalog import Catalog
from widgetschema.editor import DocumentOpener, EditorSession, serving
from widgetschema.project.checking.checker import Checker
from widgetschema.project.edited_file import EditedFile


def replaced(before: str, after: str) -> bytes:
    text = WIDGET.read_text("utf-8")
    assert text.count(before) == 1
    return text.replace(before, after).encode()


def schema(**members: Any) -> dict[str, Any]:
    return {"properties": {"data": {"type": "object", "properties": members}}}


_TEXT = {"type": "string"}


def schema_of_rows(**members: Any) -> dict[str, Any]:
    row = {"type": "object", "properties": members}
    return schema(rows={"type": "array", "items": row})


def choices(page: Page) -> dict[str, list[str]]:
    """The names of the radio buttons of conflicts, with their values: mine, then theirs."""
    found: dict[str, list[str]] = {}
    for node in LexborHTMLParser(page.markup).css("#ed-notices input[type=radio]"):
        name, value = (node.attributes[one] or "" for one in ("name", "value"))
        found.setdefault(name, []).append(value)
    return found


def test_rows_that_a_new_text_does_not_know_come_back_with_undo(tmp_path: Path) -> None:
    file, schemas = tmp_path / "x.json", {"x": schema_of_rows(t=_TEXT)}
    file.write_text('{"data": {"rows": [{"t": "a"}, {"t": "b"}, {"t": "c"}]}}')
    session = editor_of(file, type_id="x", kind="document", schemas=schemas)
    with serving(session) as address, tab(address) as page:
        notice = "rows were removed. To get these back, press Undo"
        page.press("remove#/data/rows/2").press("remove#/data/rows/0")
        page.press("restore#/data/rows/0")
        assert notice not in page.text
        page.press("merge", {PANE: page.pane.replace('"b"', '"B"')})
        assert notice in page.said("ed-notices")
        assert "restore" not in page.markup
        page.press("check")
        assert notice in page.said("ed-notices")
        page.press("back")
        assert 'value="restore#/data/rows/2"' in page.markup
        assert notice not in page.text


# Edits at other places


def test_the_edits_of_another_program_come_in(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "Mine", DAYS: "soon"})
    file.write_bytes(replaced('"Hours"', '  "Theirs"'))
    answer = page.live()
    assert "The changes are here as well: Hours label" in answer["editor"]["notices"]
    assert answer["html"]
    page.press("save")
    assert page.status == 422  # what cannot be read is still there
    assert (page.value(TITLE), page.value(HOURS), page.value(DAYS)) == ("Mine", "Theirs", "soon")
    page.press("save", {DAYS: "4"})
    expected = replaced('"Hours"', '  "Theirs"').replace(b"Black Friday ends in", b"Mine")
    assert file.read_bytes() == expected.replace(b'"timerDays": 3', b'"timerDays": 4')


def test_nothing_is_saved_that_was_not_seen(page: Page, file: Path) -> None:
    theirs = replaced('"Hours"', '"Theirs"')
    file.write_bytes(theirs)
    page.press("save", {TITLE: "Mine"})
    assert page.status == 409
    assert "Not saved yet" in page.said("ed-notices")
    assert file.read_bytes() == theirs
    page.press("save")
    assert file.read_bytes() == theirs.replace(b"Black Friday ends in", b"Mine")
    assert "here as well" not in page.said("ed-notices")


def test_the_notice_stays_while_somebody_goes_on(page: Page, file: Path) -> None:
    file.write_bytes(replaced('"Hours"', '"Theirs"'))
    page.press("check", {TITLE: "Mine"})
    page.press("check", {TITLE: "More"})
    assert page.said("ed-notices").count("here as well: Hours label") == 1
    page.press("check", {"editor.said": "file:<b>made up</b>"})
    assert "<b>made" not in page.markup
    page.press("check", {"editor.said": "nonsense"})
    assert page.said("ed-notices") == ""


def test_another_tab_is_named_so(page: Page, file: Path) -> None:
    other = Page(page.client, page.url).open()
    page.press("save", {TITLE: "First"})
    other.press("save", {HOURS: "Second"})
    assert "in another tab. Those changes are here as well: Timer title" in other.said("ed-notices")
    other.press("save")
    content = json.loads(file.read_bytes())["data"]["content"]
    assert (content["timerTitle"], content["hoursLabel"]) == ("First", "Second")
    page.press("save", {DAYS: "9"}).press("save")
    content = json.loads(file.read_bytes())["data"]["content"]
    assert (content["hoursLabel"], content["timerDays"]) == ("Second", 9)


def test_a_page_without_edits_follows(page: Page, file: Path) -> None:
    file.write_bytes(replaced('"Hours"', '"Theirs"'))
    page.press("review")
    assert page.value(HOURS) == "Theirs"
    assert "here as well" in page.said("ed-notices")
    assert page.said("ed-status") == "Everything is fine No changes"


def test_edits_of_the_json_and_around_the_data_are_merged(page: Page, file: Path) -> None:
    pane = page.pane.replace('"Hours"', '"Pane"').replace('"data": {', '"note": 1.0, "data": {', 1)
    page.press("check", {PANE: pane, TITLE: "Form"})
    file.write_bytes(replaced('"timerDays": 3', '"timerDays": 5'))
    page.press("check")
    assert page.value(DAYS) == "5"
    page.press("save")
    text = file.read_text()
    assert '"note": 1.0' in text
    assert '"hoursLabel": "Pane"' in text
    assert '"timerTitle": "Form"' in text
    assert '"timerDays": 5' in text


# Edits at the same place


def test_both_values_are_shown_to_choose_from(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "Mine", HOURS: "My hours"})
    theirs = replaced('"Hours"', '"Their hours"').replace(b"Black Friday ends in", b"<Theirs>")
    file.write_bytes(theirs)
    page.press("save")
    assert page.status == 409
    said = page.said("ed-notices")
    assert "Content › Timer title It was: Black Friday ends in" in said
    assert "On this page: Mine In the file: <Theirs>" in said
    assert page.value(TITLE) == "Mine"
    found = choices(page)
    assert [*found] == [f"choice{TITLE}", f"choice{HOURS}"]

    page.press("merge", {f"choice{TITLE}": found[f"choice{TITLE}"][1]})
    assert page.status == 409  # one is open
    assert page.value(f"choice{TITLE}") == found[f"choice{TITLE}"][1]
    assert file.read_bytes() == theirs
    page.press("merge", {f"choice{HOURS}": found[f"choice{HOURS}"][0]})
    assert page.said("ed-notices") == ""  # nothing has come in that was not chosen
    assert (page.value(TITLE), page.value(HOURS)) == ("<Theirs>", "My hours")
    page.press("save")
    assert file.read_bytes() == theirs.replace(b"Their hours", b"My hours")


def test_a_choice_is_about_the_values_that_were_shown(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "Mine"})
    file.write_bytes(replaced("Black Friday ends in", "Theirs"))
    page.press("check")
    [[_, theirs]] = choices(page).values()
    file.write_bytes(replaced("Black Friday ends in", "Theirs again"))
    page.press("save", {f"choice{TITLE}": theirs})
    assert page.status == 409
    assert "Theirs again" in page.said("ed-notices")
    assert b"Theirs again" in file.read_bytes()


def test_form_and_json_are_decided_one_by_one(page: Page, file: Path) -> None:
    pane = page.pane.replace("Black Friday ends in", "Pane").replace('"Hours"', '"Pane hours"')
    page.press("check", {TITLE: "Form", HOURS: "Form hours", DAYS: "8", PANE: pane})
    assert page.status == 409
    assert "In the form: Form In the JSON: Pane" in page.said("ed-notices")
    form, json_pane = choices(page)[f"choice{TITLE}"][0], choices(page)[f"choice{HOURS}"][1]
    page.press("merge", {f"choice{TITLE}": form, f"choice{HOURS}": json_pane})
    assert page.said("ed-notices") == ""
    assert (page.value(TITLE), page.value(HOURS), page.value(DAYS)) == ("Form", "Pane hours", "8")
    assert '"hoursLabel": "Pane hours"' in page.pane
    assert file.read_bytes() == WIDGET.read_bytes()


def test_what_cannot_be_read_is_not_lost_where_the_json_was_edited(page: Page, file: Path) -> None:
    pane = page.pane.replace('"Hours"', '"Pane"')
    page.press("check", {PANE: pane}).press("check", {DAYS: "soon"})
    file.write_bytes(replaced("Black Friday ends in", "Theirs"))
    page.press("check")
    assert page.value(DAYS) == "soon"
    assert page.value(TITLE) == "Theirs"
    assert page.value(HOURS) == "Pane"


def test_all_that_cannot_be_read_stays_in_its_control_where_the_json_was_edited(
    tmp_path: Path,
) -> None:
    number = {"type": "number"}
    members = {"n": number, "v": {"anyOf": [number, _TEXT]}, "l": {"items": number}, "o": _TEXT}
    file = tmp_path / "x.json"
    file.write_text('{"data": {"n": 1, "v": 2, "l": [3], "o": "a"}}')
    typed = {"#/data/n": "abc", "#/data/v;0": "def", "#/data/l/0": "ghi"}
    session = editor_of(file, type_id="x", kind="document", schemas={"x": schema(**members)})
    with serving(session) as address, tab(address) as page:
        page.enter(typed)
        page.enter({PANE: page.pane.replace('"a"', '"pane"').replace('"v": 2', '"v": 4')})
        assert {name: page.value(name) for name in typed} == typed
        assert json.loads(page.pane)["data"] == {"n": 1, "v": 4, "l": [3], "o": "pane"}


def test_json_that_cannot_be_read_is_no_conflict_with_the_form(page: Page, file: Path) -> None:
    broken = page.pane.replace('"Hours"', '"Pane')
    page.press("check", {PANE: broken, TITLE: "Form"})
    assert "This JSON cannot be read" in page.said("ed-refusals")
    assert page.said("ed-notices") == ""
    assert (page.value(TITLE), page.pane) == ("Form", broken)
    page.press("save")
    assert page.status == 422
    page.press("check", {PANE: broken.replace('"Pane', '"Pane"')})
    assert (page.value(TITLE), page.value(HOURS)) == ("Form", "Pane")
    assert file.read_bytes() == WIDGET.read_bytes()


def test_a_choice_counts_only_when_its_button_is_pressed(page: Page, file: Path) -> None:
    page.press("check", {TITLE: "Mine"})
    file.write_bytes(replaced("Black Friday ends in", "Theirs"))
    page.press("check")
    [[_, theirs]] = choices(page).values()
    live = page.live({f"choice{TITLE}": theirs})
    assert "In the file: Theirs" in text_of(live["editor"]["notices"])
    page.press("merge", {f"choice{TITLE}": theirs})
    assert (page.value(TITLE), choices(page)) == ("Theirs", {})


def test_two_choices_about_the_same_list_are_made_at_once(tmp_path: Path) -> None:
    file, texts = tmp_path / "x.json", {"type": "object", "properties": {"n": {"type": "string"}}}
    row = schema_of_rows(id={"type": "string"}, sub={"type": "array", "items": texts})
    rows = [{"id": f"r{at}", "sub": [{"n": f"n{at}"}, {"n": "last"}]} for at in range(4)]
    file.write_text(json.dumps({"data": {"rows": rows}}))
    session = editor_of(file, type_id="x", schemas={"x": row}, kind="document")
    with serving(session) as address, tab(address) as page:
        page.press("down#/data/rows/0").press("remove#/data/rows/0/sub/0")
        rows[0]["sub"] = [{"n": "theirs"}, {"n": "last"}]
        others = [rows[0], rows[3], {"id": "new", "sub": []}, rows[1], rows[2]]
        file.write_text(json.dumps({"data": {"rows": others}}))
        page.press("save")
        found = choices(page)
        assert [*found] == ["choice#/data/rows", "choice#/data/rows/0/sub/0"]
        page.press("merge", {name: mine for name, [mine, _] in found.items()})
        assert (page.status, choices(page)) == (200, {})
        page.press("save")
    saved = json.loads(file.read_text())["data"]["rows"]
    assert [one["id"] for one in saved] == ["r1", "r0", "r2", "r3", "new"]
    assert saved[1]["sub"] == [{"n": "last"}]


def test_a_choice_stays_with_its_row_when_the_file_changes_again(tmp_path: Path) -> None:
    """Two rows with the same old value, and the same new one: only their places tell them apart."""
    file, schemas = tmp_path / "x.json", {"x": schema_of_rows(id=_TEXT, t=_TEXT)}

    def rows(*texts: str) -> str:
        found = [dict(zip(("id", "t"), text.split(), strict=True)) for text in texts]
        return json.dumps({"data": {"rows": found}})

    file.write_text(rows("1 old", "2 old"))
    session = editor_of(file, type_id="x", schemas=schemas, kind="document")
    with serving(session) as address, tab(address) as page:
        page.press("check", {f"#/data/rows/{at}/t": f"mine{at + 1}" for at in (0, 1)})
        file.write_text(rows("1 theirs", "2 theirs"))
        page.press("save")
        found = choices(page)
        assert [*found] == ["choice#/data/rows/0/t", "choice#/data/rows/1/t"]
        file.write_text(rows("2 theirs", "1 theirs"))
        page.press("merge", {name: found[name][at] for at, name in enumerate(found)})
        page.press("save")
    assert json.loads(file.read_text()) == json.loads(rows("2 theirs", "1 mine1"))


# New schemas


def test_a_new_schema_is_said_and_checked_with(tmp_path: Path) -> None:
    path, folder = tmp_path / "x.json", tmp_path / "schemas"
    folder.mkdir()
    path.write_text('{"a": "long", "n": 1.0}')
    text = {"type": "string"}
    (folder / "x.json").write_text(json.dumps(schema(a=text, n={"type": "number"})))
    catalog = Catalog([folder])
    session = EditorSession(
        EditedFile(str(path)),
        DocumentOpener(Checker(catalog, type_id="x", kind="data"), str(path)),
    )
    with serving(session) as address, tab(address) as page:
        page.press("check", {"#/n": "soon"})
        current = "current?version={}&type=x&schema={}".format(
            *(page.value(f"editor.{name}") for name in ("version", "schema"))
        )
        assert page.client.get(f"{page.url}{current}").json() == {"current": True}
        new = schema(a={**text, "maxLength": 3}, n={"type": "number"}, b={"enum": ["x", "y"]})
        (folder / "x.json").write_text(json.dumps(new))
        catalog.refresh()
        assert page.client.get(f"{page.url}{current}").json() == {"current": False}

        answer = page.live({"#/a": "longer"})
        assert "The rules of this widget have changed" in answer["editor"]["notices"]
        assert 'name="#/b"' in answer["html"]
        page.press("save", {"#/a": "longer"})
        assert (page.value("#/a"), page.value("#/n")) == ("longer", "soon")
        assert "The rules of this widget have changed" in page.said("ed-notices")
        assert "2 problems" in page.said("ed-status")
        page.press("save", {"#/a": "new", "#/n": "2", "#/b": "1"})
        assert json.loads(path.read_text()) == {"a": "new", "n": 2, "b": "y"}


# Secrets


def test_a_secret_that_another_program_replaces_is_a_choice_without_values(tmp_path: Path) -> None:
    file = tmp_path / "account.json"
    file.write_text('{"password": "before-1"}')
    schema = {"properties": {"data": {"properties": {"password": {"format": "password"}}}}}
    session = editor_of(file, type_id="x", schemas={"x": schema})
    with serving(session) as address, tab(address) as page:
        file.write_text('{"password": "theirs-2"}')
        page.press("save", {"#/password": "mine-3"})
        assert page.status == 409
        sides = [one.text() for one in LexborHTMLParser(page.markup).css("#ed-notices fieldset")]
        assert (
            "••••••" in sides[0]
        )  # the difference of the texts, like the JSON, has the file as it is
        assert not any(word in sides[0] for word in ("before-1", "theirs-2", "mine-3"))
        [(name, (mine, _))] = choices(page).items()
        page.press("save", {name: mine})
        page.press("save")
        assert json.loads(file.read_text()) == {"password": "mine-3"}
