"""The form pages that FastAPI and Flask mount, in a real browser: each finding is at its field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from fastapi import FastAPI
from flask import Flask
from playwright.sync_api import expect

import widgetschema
from tests.browser.test_editor import SCRIPTS, everybody_can_use
from tests.chromium import watched
from tests.form_apps import wsgi_served
from tests.unit.forms.test_html import NODES, PILES
from widgetschema import WidgetType
from widgetschema.integrations import fastapi, flask
from widgetschema.integrations.form_views import StoredData
from widgetschema.local_server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


BROKEN: Final = '{"content": {"timerDays": 3,}, "settings": {}, "styles": {}}'
TREE: Final = {"name": "a", "children": [{"name": "b", "children": [{"name": 5}]}]}
COUNTDOWN: Final = widgetschema.widget_type("countdown")
ROWS: Final[dict[str, tuple[WidgetType, str]]] = {
    "plain": (COUNTDOWN, '{"content": {"timerDays": 3}, "settings": {}, "styles": {}}'),
    "recursive": (NODES, json.dumps(TREE)),
    "alternatives": (PILES, '{"blocks": [{"kind": "words", "text": 7}]}'),
    "no json": (COUNTDOWN, BROKEN),
}


class Rows:
    """The stored widgets. FastAPI passes the request before the key, Flask does not."""

    def __init__(self) -> None:
        self.texts = {key: text for key, (_, text) in ROWS.items()}

    def load(self, *where: Any) -> StoredData | None:
        key = where[-1]
        return StoredData(ROWS[key][0], self.texts[key]) if key in ROWS else None

    def save(self, *what: Any) -> bool:
        key, text, before = what[-3:]
        if self.texts[key] != before:
            return False
        self.texts[key] = text
        return True


class Site(NamedTuple):
    """A running application: the address of its forms, and what is stored."""

    forms: str
    rows: Rows


@pytest.fixture(params=["fastapi", "flask"])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    rows = Rows()
    if request.param == "fastapi":
        asgi = FastAPI()
        asgi.mount("/forms", fastapi.form_router(rows))
        with serving(asgi, "127.0.0.1", 0, "an application") as origin:
            yield Site(f"{origin}/forms", rows)
        return
    wsgi = Flask(__name__)
    wsgi.register_blueprint(flask.form_blueprint(rows), url_prefix="/forms")
    with wsgi_served(wsgi) as origin:
        yield Site(f"{origin}/forms", rows)


def finding_at(page: Page, name: str, message: str) -> None:
    """A finding is in the summary, and beside the control, which names it for screen readers."""
    control = page.locator(f'[name="{name}"]')
    expect(page.locator(".ws-summary")).to_contain_text(message)
    expect(control).to_have_attribute("aria-invalid", "true")
    described = (control.get_attribute("aria-describedby") or "").split()
    assert any(message in page.locator(f'[id="{id}"]').inner_text() for id in described)


@SCRIPTS
def test_each_finding_is_at_its_field(browser: Browser, site: Site, scripts: bool) -> None:
    with watched(browser, allowed=("status of",), java_script_enabled=scripts) as watch:
        page = watch.page()
        page.goto(f"{site.forms}/plain")
        days = page.locator('[name="#/content/timerDays"]')
        days.fill("soon")
        page.get_by_role("button", name="Check", exact=True).click()
        finding_at(page, "#/content/timerDays", "Enter a number, for example 3")
        with page.expect_navigation():
            page.locator(".ws-primary").click()
        finding_at(page, "#/content/timerDays", "Enter a number, for example 3")
        assert site.rows.texts["plain"] == ROWS["plain"][1]
        days.fill("4")
        with page.expect_response(lambda response: response.status == 303):
            page.locator(".ws-primary").click()
        assert site.rows.texts["plain"] == ROWS["plain"][1].replace("3", "4")

        page.goto(f"{site.forms}/recursive")
        finding_at(page, "#/children/0/children/0/name", "This must be text, not a number")
        page.goto(f"{site.forms}/alternatives")
        finding_at(page, "#/blocks/0;1/text", "This must be text, not a number")


@SCRIPTS
def test_the_page_after_saving_says_so(browser: Browser, site: Site, scripts: bool) -> None:
    with watched(
        browser, allowed=("status of",), java_script_enabled=scripts, locale="de-DE"
    ) as watch:
        page = watch.page()
        page.goto(f"{site.forms}/plain")
        saved = page.locator(".ws-saved")
        expect(saved).to_have_count(0)
        seconds = page.locator('[name="#/content/timerSeconds"]')
        seconds.fill("4")
        place = seconds.bounding_box()
        with page.expect_navigation():
            seconds.press("Enter")
        expect(saved).to_have_text("Gespeichert.")
        expect(saved).to_be_in_viewport()
        # A theme has two colours for what is chosen, which can be read on each other.
        colour = "document.body.style.setProperty('--ws-chosen', 'rgb(1, 2, 3)')"
        page.evaluate(colour)
        expect(saved).to_have_css("color", "rgb(1, 2, 3)")
        if scripts:  # where one was
            page.evaluate("document.body.removeAttribute('style')")
            expect(seconds).to_be_focused()
            assert seconds.bounding_box() == place
            seconds.fill("5")
            expect(saved).to_be_hidden()
            assert seconds.bounding_box() == place
            with page.expect_navigation():  # of a page with the notice
                seconds.press("Enter")
            expect(seconds).to_be_focused()
            assert seconds.bounding_box() == place
            expect(page).to_have_url(f"{site.forms}/plain")
            everybody_can_use(page)
            page.keyboard.type("5")
            expect(saved).not_to_be_in_viewport()
        else:
            expect(saved).to_be_focused()
            expect(page).to_have_url(f"{site.forms}/plain?saved=1")
        seconds.fill("bald")
        with page.expect_navigation():
            seconds.press("Enter")
        expect(page.locator(".ws-summary")).to_be_focused()
        expect(saved).to_have_count(0)
        expect(page).to_have_url(f"{site.forms}/plain")


@SCRIPTS
def test_a_text_that_is_not_json_is_corrected(browser: Browser, site: Site, scripts: bool) -> None:
    with watched(browser, allowed=("status of",), java_script_enabled=scripts) as watch:
        page = watch.page()
        page.goto(f"{site.forms}/no json")
        finding_at(page, "#", "Check the commas, quotes and brackets near line 1")
        text = page.locator('[name="#"]')
        expect(text).to_have_value(BROKEN)
        text.fill(BROKEN.replace("3,", '"x"'))
        if not scripts:
            page.locator(".ws-primary").click()
        finding_at(page, "#", "Timer days: Enter a number, for example 3")
        text.fill(BROKEN.replace("3,", "5"))
        with page.expect_response(lambda response: response.status == 303):
            page.locator(".ws-primary").click()
        expect(page.locator('[name="#/content/timerDays"]')).to_have_value("5")
        assert site.rows.texts["no json"] == BROKEN.replace("3,", "5")


def test_everybody_can_read_them(browser: Browser, site: Site) -> None:
    with watched(browser, allowed=("status of",)) as watch:
        page = watch.page()
        for key in ("alternatives", "no json", "nothing"):
            page.goto(f"{site.forms}/{key}")
            everybody_can_use(page)
