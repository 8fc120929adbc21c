"""Undo and redo in a real browser, of edits in the form and in the JSON pane."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.chromium import answered, watched
from tests.editing import DAYS, HOURS, TITLE, WIDGET, editor_of
from widgetschema.editor import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Request


UNDO, REDO = "ControlOrMeta+Z", "ControlOrMeta+Shift+Z"


@contextmanager
def shown(browser: Browser, file: Path, **options: Any) -> Iterator[Page]:
    """The editor of a file."""
    size = {"width": 1280, "height": 800}
    with serving(editor_of(file, **options)) as address, watched(browser, viewport=size) as watch:
        page = watch.page()
        page.goto(address)
        yield page


def named(page: Page, name: str) -> Locator:
    return page.locator(f'[name="{name}"]').last


def status(page: Page, text: str) -> None:
    """Wait until the page says this of its state."""
    expect(page.locator("#ed-status")).to_contain_text(text)


def button(page: Page, name: str) -> Locator:
    return page.locator("header").get_by_role("button", name=name, exact=True)


def test_one_history_of_form_and_pane(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "black-friday.json"
    shutil.copy(WIDGET, file)
    whole = WIDGET.read_text()
    with shown(browser, file) as page:
        pane, title, hours = page.locator("#ed-pane"), named(page, TITLE), named(page, HOURS)
        undo, redo = button(page, "Undo"), button(page, "Redo")
        checks: list[Request] = []
        page.on("request", lambda one: checks.append(one) if one.url.endswith("/live") else None)
        expect(undo).to_have_attribute("aria-disabled", "true")

        # Typing into a field is one step, which a button takes back, again and again.
        title.fill("Ends")
        expect(pane).to_have_value(re.compile('"Ends"'))
        title.press("End")
        title.press_sequentially(" s")
        expect(pane).to_have_value(re.compile('"Ends s"'))
        title.press_sequentially("oon")
        expect(pane).to_have_value(re.compile('"Ends soon"'))
        # A check that the page gave up may come late, and is no step.
        with answered(page):
            hours.focus()
        late = next(one for one in checks if "Ends+s&" in str(one.post_data))
        again = page.request.post(late.url, data=late.post_data, headers=late.all_headers())
        assert again.ok
        undo.click()
        expect(title).to_have_value("Black Friday ends in")
        redo.click()
        expect(title).to_have_value("Ends soon")
        hours.fill("hrs")
        page.get_by_label("message", exact=True).first.focus()
        expect(pane).to_have_value(re.compile('"hrs"'))
        pane.fill(pane.input_value().replace('"timerDays": 3', '"timerDays": 5'))
        expect(named(page, DAYS)).to_have_value("5")
        undo.click()
        expect(named(page, DAYS)).to_have_value("3")
        status(page, "Undone: Timer days")
        expect(undo).to_be_focused()
        expect(named(page, DAYS)).to_be_in_viewport()
        page.keyboard.press("Enter")
        expect(hours).to_have_value("Hours")
        page.keyboard.press("Enter")
        expect(title).to_have_value("Black Friday ends in")
        expect(pane).to_have_value(whole)
        expect(undo).to_have_attribute("aria-disabled", "true")
        status(page, "No changes")

        # The keyboard leads to the field that changes, and ends a search that does not show it.
        page.get_by_role("searchbox", name="Find a field").fill("hours label")
        expect(title).to_be_hidden()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.keyboard.press(REDO)
        expect(title).to_have_value("Ends soon")
        redo.click()
        expect(hours).to_have_value("hrs")
        redo.focus()
        page.keyboard.press("Control+Y")
        expect(named(page, DAYS)).to_have_value("5")
        expect(redo).to_have_attribute("aria-disabled", "true")
        named(page, "#/data/styles/fontId").focus()
        page.keyboard.press(UNDO)
        expect(named(page, DAYS)).to_have_value("3")
        expect(named(page, DAYS)).to_be_focused()
        page.keyboard.press(UNDO)
        expect(hours).to_be_focused()

        # Within a text, the browser's own undo takes back what was typed since it has the focus.
        expect(hours).to_have_value("Hours")
        hours.press("End")
        page.keyboard.insert_text("XY")  # the browser undoes it as one
        expect(pane).to_have_value(re.compile('"HoursXY"'))
        page.keyboard.press(UNDO)
        expect(hours).to_have_value("Hours")
        expect(pane).to_have_value(re.compile('"Hours"'))
        assert "Undone" not in page.locator("#ed-status").inner_text()
        page.keyboard.press(REDO)
        expect(hours).to_have_value("HoursXY")
        expect(pane).to_have_value(re.compile('"HoursXY"'))
        page.keyboard.press(UNDO)
        expect(pane).to_have_value(re.compile('"Hours"'))
        page.keyboard.press(UNDO)
        expect(title).to_have_value("Black Friday ends in")
        expect(title).to_be_focused()
        expect(pane).to_have_value(whole)

        # What cannot be read comes and goes like everything else, in the pane as well.
        named(page, DAYS).fill("soon")
        named(page, DAYS).blur()
        status(page, "1 problem")
        pane.fill("{")
        status(page, "cannot be read")
        pane.evaluate("(one) => one.blur()")
        page.keyboard.press(UNDO)
        expect(pane).to_have_value(whole)
        expect(page.locator("#ed-refusals")).to_be_empty()
        expect(named(page, DAYS)).to_have_value("soon")
        undo.click()
        expect(named(page, DAYS)).to_have_value("3")
        status(page, "No changes")
        redo.click()
        expect(named(page, DAYS)).to_have_value("soon")
        redo.click()
        expect(pane).to_have_value("{")
        status(page, "cannot be read")
        undo.click()
        expect(pane).to_have_value(whole)
        undo.click()
        expect(named(page, DAYS)).to_have_value("3")

        # Saving ends nothing: what was before comes back as an edit that is not saved.
        title.fill("Saved")
        page.keyboard.press("ControlOrMeta+S")
        button(page, "Undo last save").wait_for()
        button(page, "Undo").click()
        expect(title).to_have_value("Black Friday ends in")
        status(page, "Not saved")
        assert json.loads(file.read_bytes())["data"]["content"]["timerTitle"] == "Saved"
        page.keyboard.press("ControlOrMeta+S")
        status(page, "Everything is fine Saved")
        assert file.read_bytes() == WIDGET.read_bytes()


def test_states_rows_alternatives_and_files(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "widget.json"
    text = (
        '{"rows": ["a", "b", "c"], "pick": "x", "either": {"name": "n"}, "flag": true, "logo": ""}'
    )
    file.write_text(text)
    either = {
        "oneOf": [
            {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
            {"type": "number"},
        ]
    }
    members = {
        "rows": {"type": "array", "items": {"type": "string"}},
        "pick": {"enum": ["x", "y", "z"]},
        "either": either,
        "flag": {"type": "boolean"},
        "logo": {"type": "string", "contentEncoding": "base64"},
    }
    schema = {"properties": {"data": {"properties": members}}}
    with shown(browser, file, type_id="x", schemas={"x": schema}) as page:
        pane = page.locator("#ed-pane")
        number = page.locator('[name="kind#/either"]').nth(1)
        states = [(text, False)]

        def press(control: Locator) -> None:
            """Press a button, or choose, and remember what the page shows then."""
            remember(control.click)

        def remember(edit: Callable[[], object]) -> None:
            # A press also sends what was done before it, and its answer may come first.
            step = page.locator('[id="editor.step"]')
            before = step.input_value()
            edit()
            expect(step).not_to_have_value(before)
            states.append((pane.input_value(), number.is_checked()))

        def shows(text: str, is_number: bool) -> None:
            expect(pane).to_have_value(text)
            expect(number).to_be_checked(checked=is_number)

        press(page.locator('button[value="add#/rows"]'))
        press(page.locator('button[value="remove#/rows/1"]'))
        press(page.locator('button[value="down#/rows/0"]'))
        file_control = page.get_by_label("Logo", exact=True)
        content: Any = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"}
        remember(lambda: file_control.set_input_files(content))
        assert '"logo": "YQ=="' in states[-1][0]
        press(number)
        assert states[-1] == (states[-2][0], True)  # there is no number yet
        press(page.get_by_label("z", exact=True))
        assert '"pick": "z"' in states[-1][0]
        for state in states[-2::-1]:
            button(page, "Undo").click()
            shows(*state)
        expect(button(page, "Undo")).to_have_attribute("aria-disabled", "true")
        for state in states[1:]:
            button(page, "Redo").click()
            shows(*state)
        expect(button(page, "Redo")).to_have_attribute("aria-disabled", "true")
        for state in states[-2:-5:-1]:
            button(page, "Undo").click()
            shows(*state)
        button(page, "Save").click()
        status(page, "Saved")
        assert file.read_text() == states[-4][0]  # without the file, which was chosen and undone
