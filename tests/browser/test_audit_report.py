"""The report of an audit in a real browser: everybody can read it, everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.auditing import MADE, TITLE, full, largest, summary
from tests.browser.test_editor import BOXES, PHONE, WIDE, violations
from tests.chromium import watched
from widgetschema.audit.page import render

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SMALLEST: Final = {"width": 320, "height": 640}  # WCAG 2.2, 1.4.10: reflow
OPEN: Final = "() => document.querySelectorAll('details').forEach(one => { one.open = true })"
WIDTHS: Final = "() => [document.documentElement.scrollWidth, innerWidth]"


@cache
def markup(name: str) -> str:
    of = full() if name == "full" else largest() if name == "largest" else summary(name)
    if name == "largest":  # as wide as can be, and not as long
        of["places"], of["types"] = of["places"][:25], of["types"][:12]
        of["places"][0] |= {"message": "x" * 400, "type": "t" * 200}
    return render(of, title=TITLE if name != "largest" else "t" * 300, made=MADE)


@contextmanager
def shown(browser: Browser, name: str, **options: Any) -> Iterator[Page]:
    """A page; whatever the browser complains of fails."""
    with watched(browser, **{"viewport": WIDE, **options}) as watch:
        page = watch.page()
        page.set_content(markup(name))
        yield page


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [
        ("full", WIDE, "light"),
        ("full", PHONE, "dark"),
        ("nothing", PHONE, "light"),
        ("unfinished", PHONE, "dark"),
    ],
)
def test_everybody_can_read_it(
    browser: Browser, name: str, size: dict[str, int], scheme: str
) -> None:
    with shown(browser, name, viewport=size, color_scheme=scheme) as page:
        page.evaluate(OPEN)
        assert violations(page) == []


@pytest.mark.parametrize("name", ["largest", "full", "nothing"])
def test_nothing_is_beside_the_screen(browser: Browser, name: str) -> None:
    with shown(browser, name, viewport=SMALLEST) as page:
        page.evaluate(OPEN)
        for size in (SMALLEST, PHONE, {"width": 760, "height": 800}, WIDE):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            assert page.evaluate(WIDTHS) == [size["width"]] * 2


def test_pictures_are_as_large_as_what_they_show(browser: Browser) -> None:
    with shown(browser, "many") as page:
        bars = page.locator("[aria-labelledby=members] .au-fill").evaluate_all(BOXES)
        told = page.locator("[aria-labelledby=members] li").all_inner_texts()
        values = [int(re.findall(r"([\d,]+) ·", text)[0].replace(",", "")) for text in told]
        assert bars[0]["width"] > 300
        for bar, value in zip(bars, values, strict=True):
            assert bar["width"] == pytest.approx(bars[0]["width"] * value / values[0], abs=3)
        columns = page.locator(".au-plot .au-fill")
        titles = columns.locator("title").all_text_contents()
        assert titles[9] == "week of 19 Oct 2026: 1,349"
        boxes = columns.evaluate_all(BOXES)
        assert len(boxes) == len(titles) == 14
        assert len({round(box["bottom"]) for box in boxes}) == 1
        assert max(boxes, key=lambda box: box["height"]) is boxes[9]
        assert boxes[9]["height"] == pytest.approx(192 * 1349 / 1500, abs=2)


def test_light_and_dark_and_paper(browser: Browser) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    with shown(browser, "many", color_scheme="light") as page:
        light = page.evaluate(ground)
        page.emulate_media(color_scheme="dark")
        dark = page.evaluate(ground)
        assert (light, dark) == ("rgb(255, 255, 255)", "rgb(25, 28, 33)")
        bright, dim = (page.screenshot() for _ in range(2))
        assert bright == dim  # nothing moves
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate(ground) == light
        page.set_viewport_size({"width": 690, "height": 1000})  # A4
        assert page.evaluate(WIDTHS) == [690, 690]


def test_it_can_be_used_by_keyboard(browser: Browser) -> None:
    with shown(browser, "many", java_script_enabled=False) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator("[aria-labelledby=dates] table").is_visible()
        page.keyboard.press("Tab")  # the first type is open
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.locator(".au-examples").first.is_visible()
        assert page.locator(".au-examples").nth(1).is_hidden()


def test_the_script_filters_downloads_and_opens_all_on_paper(browser: Browser) -> None:
    with shown(browser, "full") as page:
        types = page.locator(".au-type")
        assert types.count() == 4
        page.get_by_label("Filter").fill("slides alt")
        assert types.locator("visible=true").count() == 1
        assert page.get_by_role("status").inner_text() == "1 of 15 properties"
        page.get_by_label("Filter").fill("")
        assert types.locator("visible=true").count() == 4
        with page.expect_download() as download:
            page.locator("[data-table=types] > button").click()
        assert download.value.suggested_filename == "types.csv"
        text = download.value.path().read_text("utf-8-sig")
        assert text.splitlines()[:2] == ["type,widgets,invalid", "faq,133026,2004"]
        closed = page.locator("main > section details:not([open])")
        before = closed.count()
        assert before > 5
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        assert closed.count() == 0
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        assert closed.count() == before


def test_cells_that_a_spreadsheet_would_run_are_text(browser: Browser) -> None:
    of = full()
    of["by"][0]["values"][0]["value"] = '=cmd|"/c calc"!A1'
    of["by"][0]["values"][1]["value"] = "-1, 2\n3"
    with watched(browser) as watch:
        page = watch.page()
        page.set_content(render(of, title=TITLE, made=MADE))
        with page.expect_download() as download:
            page.locator("[data-table=by-1] > button").click()
        text = download.value.path().read_text("utf-8-sig")
    lines = text.splitlines()
    assert lines[1] == '"\'=cmd|""/c calc""!A1",9000,900'
    assert lines[2] == '"\'-1, 2·3",8950,860'
