"""Tests that others do in Chromium, in short, in Debian's Firefox: by WebDriver BiDi.

Firefox cannot switch scripts off for a page by that protocol. A page in a sandbox without scripts is
one for which they are off.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import widgetschema
from tests.benchmarks.payloads import VALID
from tests.browser.test_editor import changed_lines, committed, violations
from tests.browser.test_form_script import APP, FORMS
from tests.chromium import HANG, watched
from tests.editing import editor_of
from widgetschema.editor import serving as editor_serving
from widgetschema.local_server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


@pytest.fixture(scope="module")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.fail("Firefox is not installed")
    with playwright.firefox.launch(
        channel="moz-firefox", executable_path=path, timeout=HANG
    ) as firefox:
        yield firefox


def without_scripts(app: ASGIApp) -> ASGIApp:
    """The application in a sandbox in which no script runs."""

    async def sandboxed(scope: Scope, receive: Receive, send: Send) -> None:
        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                policy = b"sandbox allow-forms allow-same-origin"
                headers = [*message["headers"], (b"content-security-policy", policy)]
                message = {**message, "headers": headers}
            await send(message)

        await app(scope, receive, told)

    return sandboxed


def test_the_editor(firefox: Browser, tmp_path: Path) -> None:
    file = committed(tmp_path)
    with (
        editor_serving(editor_of(file)) as address,
        watched(firefox, viewport={"width": 1280, "height": 800}) as watch,
    ):
        page = watch.page()
        page.goto(address)
        pane = page.locator("#ed-pane")
        days = page.get_by_label("Timer days", exact=True)
        days.fill("soon")
        page.get_by_role("button", name="Check", exact=True).click()
        page.locator(".ws-summary a").click()
        expect(days).to_be_focused()
        expect(days).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".ed-marks button")).to_have_count(1)
        assert violations(page) == []
        days.fill("5")
        expect(page.locator(".ws-summary .ws-done")).to_have_count(1)

        title = page.get_by_label("Timer title", exact=True)
        title.fill("From the form")
        expect(pane).to_have_value(re.compile("From the form"))
        page.locator("#ed-back").click()
        expect(title).to_have_value("Black Friday ends in")
        page.locator("#ed-forward").click()
        expect(title).to_have_value("From the form")

        pane.fill(pane.input_value().replace("From the form", "From the JSON"))
        expect(title).to_have_value("From the JSON")
        page.get_by_label("Exp date", exact=True).fill("2027-12-24")
        expect(pane).to_have_value(re.compile('"expDate": "2027-12-24T'))
        page.keyboard.press("Control+S")
        page.get_by_role("button", name="Undo last save").wait_for()
    changed = changed_lines(tmp_path)
    assert [line for line in changed if line[0] == "+"] == [
        '+"timerTitle": "From the JSON",',
        '+"expDate": "2027-12-24T00:00:00Z",',
        '+"timerDays": 5,',
    ]


WIDTHS = """() => [...document.querySelectorAll(".ws-moment > :is([type='date'], [type='time'])")]
  .filter((one) => one.checkVisibility()).map((one) => {
    const copy = one.cloneNode();
    copy.value = one.value;
    copy.style.cssText = "flex: none; width: max-content";
    one.after(copy);
    const widths = [one.getBoundingClientRect().width, copy.getBoundingClientRect().width];
    copy.remove();
    return widths;
  })"""  # of each control, and of its content


@pytest.mark.parametrize("width", [360, 1280])
def test_dates_and_times_are_not_cut(firefox: Browser, width: int) -> None:
    with watched(firefox, viewport={"width": width, "height": 800}) as watch:
        page = watch.page()
        page.set_content(widgetschema.widget_type("countdown").form(VALID).page())
        widths = page.evaluate(WIDTHS)
        assert len(widths) == 2
        assert all(own >= content for own, content in widths)


def test_without_scripts(firefox: Browser) -> None:
    with (
        serving(without_scripts(APP), "127.0.0.1", 0, "forms") as origin,
        watched(firefox, allowed=("/favicon.ico",)) as watch,
    ):
        page = watch.page()
        page.goto(f"{origin}/made-up")
        assert page.locator(".ws-scripted, .ws-find").count() == 0
        page.get_by_label("Title", exact=True).fill("B")
        page.get_by_label("Count", exact=True).fill("many")
        page.locator("button[value='add#/names']").click()
        page.locator("[name='#/names/+1']").fill("z")
        page.locator(".ws-primary").click()
        page.locator(".ws-summary a").click()
        page.keyboard.press("Control+A")
        page.keyboard.type("4")
        page.keyboard.press("Enter")
        page.locator("pre").wait_for()
        saved = json.loads(page.locator("pre").inner_text())
        before = json.loads(FORMS["made-up"].text)
        assert saved == {**before, "title": "B", "count": 4, "names": [*before["names"], "z"]}
