"""The layout of forms and of the editor: any width, both directions, fingers, less motion."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.chromium import watched
from tests.editing import WIDGET, editor_of
from tests.unit.forms.test_html import FORMS, after
from widgetschema.editor import serving
from widgetschema.forms.html.themes import THEMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


WIDTHS: Final = (320, 600, 1280, 2560)
LEAST: Final = 44  # pixels, for a finger
# What is further right or left than the page, and what no finger can hit (links in a sentence and
# labels beside a switch are exempt: WCAG 2.2, 2.5.5, "inline" and "equivalent").
OUTSIDE: Final = """() => document.documentElement.scrollWidth > innerWidth
  ? [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => `${one.tagName}.${one.className}`) : []"""
SMALL: Final = """(least) => [...document.querySelectorAll(
    "button, summary, select, textarea, input:not([type=hidden]), .ws-choice, .ws-item, .ws-summary a, .ws-nav a")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".ws-hidden, .ws-more"))
  .filter((one) => !one.matches(".ws-choice > input, .ws-check"))
  .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < least - 0.5 || box.height < least - 0.5)
  .map(([what, { width, height }]) => `${what} ${width}x${height}`)"""


# A form says its own direction, since the page around it may be in another language.
TURN = """(direction) => {
  for (const one of document.querySelectorAll("html, .ws-form")) one.dir = direction;
}"""
# In a page from right to left, where what is to be typed is said at the other end than the typing begins.
AT_END = """() => [...document.querySelectorAll("input.ws-input:placeholder-shown")]
  .filter((one) => {
    const {direction, textAlign} = getComputedStyle(one);
    return textAlign !== (direction === "rtl" ? "start" : "end");
  })
  .map((one) => one.outerHTML.slice(0, 90))"""


def shown_forms() -> dict[str, str]:
    """Pages with every kind of field, with findings, and with each theme."""
    wrong = after(FORMS["countdown, mistakes"], **{"#/content/timerHours": "1,5"}).form
    forms = dict(zip(THEMES, (FORMS["lists"], wrong, FORMS["alternatives"]), strict=True))
    return {theme: form.page(theme=theme) for theme, form in forms.items()}


def is_in_order(page: Page, what: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for direction in ("ltr", "rtl"):
            page.evaluate(TURN, direction)
            assert page.evaluate(OUTSIDE) == [], (what, width, direction)
        assert page.evaluate(AT_END) == [], what


def test_nothing_scrolls_sideways_and_fingers_can_hit_everything(browser: Browser) -> None:
    with watched(browser, has_touch=True, is_mobile=True) as context:
        page = context.page()
        for what, markup in shown_forms().items():
            page.set_content(markup)
            is_in_order(page, what)
            assert page.evaluate(SMALL, LEAST) == [], what
        scheme = "() => getComputedStyle(document.querySelector('.ws-form')).colorScheme"
        for name, value, shown in (
            ("class", "dark", "dark"),
            ("class", "", "normal"),
            ("data-bs-theme", "dark", "dark"),
            ("data-bs-theme", "light", "light"),
        ):
            page.evaluate("(it) => document.documentElement.setAttribute(...it)", [name, value])
            assert page.evaluate(scheme) == shown, (name, value)


def test_the_editor_fits_into_any_width(browser: Browser, tmp_path: Path) -> None:
    file = Path(shutil.copy(WIDGET, tmp_path))
    with (
        serving(editor_of(file)) as address,
        watched(browser, reduced_motion="reduce", forced_colors="active") as context,
    ):
        page = context.page()
        page.goto(address)
        page.get_by_label("Timer days", exact=True).fill("soon")
        page.get_by_role("button", name="Check", exact=True).click()
        page.locator(".ws-summary").wait_for()
        is_in_order(page, "editor")
        durations = page.evaluate(
            "() => [...document.querySelectorAll('*')].map((one) => getComputedStyle(one).transitionDuration)"
        )
        assert {part for one in durations for part in one.split(", ")} == {"0s"}
        chosen = page.locator(".ws-choice > :checked + span").first
        style = "(one, name) => getComputedStyle(one)[name]"
        assert chosen.evaluate(style, "outlineStyle") == "solid"
        [undo, redo] = (page.locator(f"#ed-{name}") for name in ("back", "forward"))
        assert undo.evaluate(style, "color") != redo.evaluate(style, "color")
