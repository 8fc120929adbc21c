"""Tabs, groups and conditions of a UI description, with and without the script, by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.test_editor import everybody_can_use
from tests.browser.test_form_script import FORMS, address, focused, form, named, watch
from tests.chromium import watched
from widgetschema import WidgetType

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["address", "form", "watch"]

TEXT: Final = {"type": "string"}
SCHEMA: Final[dict[str, Any]] = {
    "properties": {
        "data": {
            "type": "object",
            "properties": {
                "kind": {"enum": ["text", "picture"], "default": "text"},
                "words": TEXT,
                "source": TEXT,
                **{f"more{number}": TEXT for number in range(8)},
                "count": {"type": "number"},
                "box": {"type": "object", "properties": {"deep": TEXT}},
            },
        }
    }
}
UI: Final[dict[str, Any]] = {
    "": {
        "tabs": [
            {"label": "First", "members": ["kind", "words", "source"]},
            {"label": "Second", "members": ["count", "box"]},
        ],
        "groups": [{"label": "Texts", "members": ["words", "source"], "closed": False}],
    },
    "/words": {"when": {"kind": "text"}},
    "/source": {"when": {"kind": "picture"}},
}
FORMS["layout"] = WidgetType.from_schema(SCHEMA, id="layout").form(
    {"words": "here", "box": {}}, ui=UI
)


@pytest.fixture
def page(form: Page, address: str) -> Page:
    form.goto(f"{address}/layout")
    return form


def tab(page: Page, label: str) -> Locator:
    return page.locator(".ws-tab > summary", has_text=label)


def test_tabs_show_one_part_and_lead_to_what_is_wrong(page: Page) -> None:
    everybody_can_use(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    words, count = named(page, "#/words"), named(page, "#/count")
    assert (words.is_visible(), count.is_visible()) == (True, False)
    tab(page, "First").click()  # the open one stays open
    assert words.is_visible()
    tab(page, "First").focus()
    page.keyboard.press("Tab")  # by keyboard
    page.keyboard.press("Shift+Tab")
    tab(page, "Second").focus()
    page.keyboard.press("Enter")
    assert (words.is_visible(), count.is_visible()) == (False, True)
    count.fill("x")
    page.get_by_role("button", name="Check", exact=True).click()
    page.locator(".ws-summary a").wait_for()
    assert tab(page, "Second").locator(".ws-count").inner_text().split() == ["problems:", "1"]
    tab(page, "First").click()
    assert not count.is_visible()
    assert tab(page, "Second").locator(".ws-count").is_visible()
    page.locator(".ws-summary a").click()
    assert focused(page) == "#/count"
    named(page, "#/count").fill("1")
    page.locator(".ws-summary .ws-done").wait_for()
    assert not tab(page, "Second").locator(".ws-count").is_visible()
    page.locator(".ws-nav a, .ws-find input").first.wait_for()
    page.keyboard.press("Escape")
    page.locator(".ws-find input").fill("deep")
    named(page, "#/box/deep").wait_for()
    assert not tab(page, "First").is_visible()
    page.locator(".ws-find input").press("Escape")
    assert tab(page, "First").is_visible()
    assert sum(one.is_visible() for one in page.locator(".ws-tab-body").all()) == 1


def test_fields_come_and_go_with_the_values_of_others(page: Page) -> None:
    words, source = named(page, "#/words"), named(page, "#/source")
    assert (words.is_visible(), source.is_visible()) == (True, False)
    words.fill("typed")
    page.locator("label", has_text="picture").click()
    source.wait_for()
    assert not words.is_visible()
    source.fill("a.png")
    page.locator("label", has_text="Default (text)").click()
    words.wait_for()
    assert words.input_value() == "typed"
    assert (source.is_visible(), source.input_value()) == (False, "a.png")


def test_without_a_script_and_without_room(browser: Browser, address: str) -> None:
    for width in (1280, 360):
        options = {"java_script_enabled": False, "viewport": {"width": width, "height": 800}}
        with watched(browser, allowed=("status of 422",), **options) as watch:
            page = watch.page()
            page.goto(f"{address}/layout")
            assert not named(page, "#/count").is_visible()
            tab(page, "Second").focus()
            page.keyboard.press("Enter")
            named(page, "#/count").fill("x")
            with page.expect_navigation():
                page.locator(".ws-primary").click()
            tab(page, "First").click()
            assert not named(page, "#/count").is_visible()
            page.locator(".ws-summary a").click()  # the browser opens what the link leads to
            named(page, "#/count").wait_for()
            tab(page, "First").click()
            page.locator("label", has_text="picture").click()
            with page.expect_navigation():
                page.locator("button", has_text="Check").click()
            tab(page, "First").click()  # the address still leads to the other one
            named(page, "#/source").wait_for()
            assert named(page, "#/words").input_value() == "here"
            assert not named(page, "#/words").is_visible()
