"""The script of the editor's page in a real browser: what is on the page alone is not lost.

The whole story of an edit is in `test_browser_editor`.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_form_script import wait_here
from tests.chromium import watched
from tests.editing import TITLE, WIDGET, editor_of
from tests.listening import reserved_port
from widgetschema.editor import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from playwright.sync_api import Route as Held


# A server that ends may also reset a connection, or give no answer.
REFUSED = (
    *("status of 422", "status of 409", "status of 403"),
    *("ERR_CONNECTION_", "ERR_EMPTY_RESPONSE"),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "black-friday.json"
    shutil.copy(WIDGET, path)
    return path


@pytest.fixture
def page(file: Path, browser: Browser) -> Iterator[Page]:
    with serving(editor_of(file)) as address, watched(browser, allowed=REFUSED) as watch:
        page = watch.page()
        page.goto(address)
        yield page


def named(page: Page, name: str) -> Any:
    return page.locator(f'[name="{name}"]').last


def wait_for(page: Page, id: str, text: str) -> None:
    page.locator(f"#{id}", has_text=text).wait_for()


def test_what_has_to_be_decided_is_said_where_one_looks(page: Page) -> None:
    pane = page.locator("#ed-pane")
    text = pane.input_value().replace("Black Friday ends in", "In JSON")
    pane.fill(text.replace('"Hours"', '"hrs'))
    wait_for(page, "ed-status", "cannot be read")
    named(page, TITLE).fill("Ends soon")
    pane.fill(text)
    link = page.locator("#ed-status a", has_text="You need to choose")
    link.wait_for()
    link.click()
    keep = page.get_by_role("button", name="Keep the form")
    assert keep.evaluate("(one) => one.getBoundingClientRect().top") > 64
    keep.click()
    expect(pane).to_have_value(re.compile('"Ends soon"'))
    expect(link).to_have_count(0)


def test_a_section_without_a_value_has_a_button_for_one(file: Path, browser: Browser) -> None:
    for has_script in (True, False):
        file.write_text('{"settings": {}, "styles": {}}')
        with (
            serving(editor_of(file, type_id="countdown", kind="data")) as address,
            watched(browser, java_script_enabled=has_script) as watch,
        ):
            page = watch.page()
            page.goto(address)
            start = page.get_by_role("button", name="Add Content", exact=True)
            expect(page.get_by_role("button", name="Add Settings")).to_be_hidden()
            expect(named(page, "#/content/timerTitle")).to_be_hidden()
            start.press("Enter")
            expect(named(page, "#/content/timerTitle")).to_be_focused()
            expect(start).to_be_hidden()
            named(page, "#/content/timerTitle").fill("Ends soon")
            page.get_by_role("button", name="Save", exact=True).click()
            expect(page.locator("#ed-status")).to_contain_text("Saved")
            assert json.loads(file.read_text()) == {
                "settings": {},
                "styles": {},
                "content": {"timerTitle": "Ends soon"},
            }


def test_what_a_search_finds_is_shown_and_said(page: Page) -> None:
    search, matches = page.get_by_role("searchbox"), page.locator(".ws-matches")
    expect(matches).to_be_hidden()
    search.fill("nothing like that")
    expect(matches).to_have_text("0 fields found")
    expect(page.get_by_role("status").filter(has_text="0 fields found")).to_have_count(1)
    search.fill("days label")
    expect(matches).to_have_text("1 field found")
    search.fill("")
    expect(matches).to_be_hidden()


def test_a_difference_fits_on_a_phone(page: Page, file: Path) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    named(page, TITLE).fill("Mine")
    theirs = b"word " * 50
    file.write_bytes(WIDGET.read_bytes().replace(b"Black Friday ends in", theirs))
    page.get_by_role("button", name="Check", exact=True).click()
    page.get_by_text("What has changed in the file").click()
    page.locator("#ed-notices ins").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("#ed-notices input[type=radio]").nth(1).check()
    assert named(page, TITLE).input_value() == "Mine"  # until the button is pressed
    page.get_by_role("button", name="Continue with these").click()
    page.locator("#ed-notices").filter(has_not=page.locator("*")).wait_for(state="attached")
    assert named(page, TITLE).input_value() == theirs.decode()


@pytest.mark.parametrize("button", ["Save", "Review changes"])
def test_a_page_stays_when_the_editor_has_ended(button: str, file: Path, browser: Browser) -> None:
    with watched(browser, allowed=REFUSED) as watch, reserved_port() as port:
        page = watch.page()
        with serving(editor_of(file), port=port) as address:
            page.goto(address)
            named(page, TITLE).fill("Ends soon")
            wait_for(page, "ed-status", "Not saved")
        page.locator("header").get_by_role("button", name=button).click()
        wait_for(page, "ed-status", "does not answer")
        assert named(page, TITLE).input_value() == "Ends soon"

        with serving(editor_of(file), port=port):  # another one, which does not know this page
            with page.expect_response("**/current*"):
                page.locator("header").get_by_role("button", name=button).click()
            wait_for(page, "ed-status", "does not answer")
            assert named(page, TITLE).input_value() == "Ends soon"
    assert file.read_bytes() == WIDGET.read_bytes()


def test_half_a_date_that_stops_a_save_does_not_stop_the_looks_at_the_file(
    file: Path, browser: Browser
) -> None:
    with serving(editor_of(file)) as address, watched(browser) as watch:
        page = watch.page()
        page.goto(address)
        named(page, TITLE).fill("Unsaved")
        wait_for(page, "ed-status", "Not saved")
        date = page.locator(".ws-picked > input[type=date]:visible")
        date.evaluate(
            "(one) => one.addEventListener('invalid', () => { window.isStopped = true; })"
        )
        held: list[Held] = []
        page.route("**/current*", lambda route: held.append(route))
        page.locator("header").get_by_role("button", name="Save").click()
        wait_here(page, lambda: bool(held))
        date.fill("")
        page.keyboard.type("11")  # only a month
        while held:
            held.pop().continue_()
        page.wait_for_function("() => window.isStopped")
        with page.expect_request("**/current*"):
            page.evaluate("window.dispatchEvent(new Event('focus'))")
