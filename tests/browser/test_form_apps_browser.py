"""The applications of the manual in a real browser: everybody can read and use their forms.

On a light and on a dark system, wide and on a phone, in a page that follows the system by
`color-scheme`, one that says nothing of it, and one with colours of its own.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.test_editor import (
    COLOURS,
    NO_SCRIPTS,
    PHONE,
    SCHEMES,
    WIDE,
    everybody_can_use,
    violations,
    without_scripts,
)
from tests.chromium import watched
from tests.form_apps import FOLDER, application, wsgi_served
from widgetschema.jsontext import read
from widgetschema.local_server import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


APPS: Final = sorted(path.stem for path in FOLDER.glob("*.py"))
DOCUMENT: Final = Path(__file__).parents[1] / "data" / "widgets" / "black-friday.json"
# What the page around a form says of its colours.
# A canvas that is dark by that alone is one that axe-core takes for white: it is told the colours.
HOSTS: Final = {
    "follows the system": ":root { color-scheme: light dark; background: Canvas; color: CanvasText }",
    "says nothing": ":root { color-scheme: normal }",
    "is always dark": ":root { color-scheme: dark; background: Canvas; color: CanvasText }",
    "has colours of its own": ":root { color-scheme: normal } body { background: #111; color: #eee }",
}


@contextmanager
def served(name: str) -> Iterator[str]:
    """The origin of one of the applications."""
    app: Any = application(name)
    if name == "fastapi_app":
        with serving(app.app, "127.0.0.1", 0, "an application") as origin:
            yield origin
        return
    with wsgi_served(app.app if name == "flask_app" else app.application) as origin:
        yield origin


@pytest.fixture(params=APPS)
def page(
    request: pytest.FixtureRequest, browser: Browser, tmp_path: Path, monkeypatch: Any
) -> Iterator[Page]:
    shutil.copy(DOCUMENT, tmp_path / "widget.json")
    monkeypatch.chdir(tmp_path)
    with (
        served(request.param) as origin,
        watched(browser, allowed=("status of", *NO_SCRIPTS)) as watch,
    ):
        page = watch.page()
        page.goto(origin)
        yield page


def test_everybody_can_read_them(page: Page) -> None:
    page.locator('[name="#/data/content/timerDays"]').fill("soon")
    with page.expect_navigation():  # a live check may show a summary before that
        page.keyboard.press("Enter")
    page.locator(".ws-summary").wait_for()
    for host, styles in HOSTS.items():
        page.evaluate("document.querySelector('meta[name=color-scheme]')?.remove()")
        page.evaluate("document.querySelector('style[data-host]')?.remove()")
        page.add_style_tag(content=styles).evaluate("one => one.dataset.host = ''")
        for size in (WIDE, PHONE):
            page.set_viewport_size(size)
            for scheme, rules in SCHEMES.items():
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                if host != "follows the system":  # hosts differ in colours alone
                    rules = COLOURS
                assert violations(page, rules=rules) == [], (host, size, scheme)
                width = page.evaluate("document.documentElement.scrollWidth")
                assert width <= size["width"], (host, size, scheme)


def test_everybody_can_read_them_without_scripts(page: Page) -> None:
    without_scripts(page)
    page.locator('[name="#/data/content/timerDays"]').fill("soon")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.locator(".ws-summary").wait_for()
    page.add_style_tag(content=HOSTS["follows the system"])
    everybody_can_use(page)


def test_what_is_edited_is_saved(page: Page) -> None:
    page.locator('[name="#/data/content/timerTitle"]').fill("Ends soon")
    with page.expect_navigation():
        page.locator(".ws-primary").click()
    expect(page.locator('[name="#/data/content/timerTitle"]')).to_have_value("Ends soon")
    saved: Any = read(Path("widget.json").read_bytes())
    assert saved["data"]["content"]["timerTitle"] == "Ends soon"
