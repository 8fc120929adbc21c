"""Typing while a live check is on its way: nothing is lost, nor where people are.

The answers are held back, so that things happen in the order in which they hurt.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_form_script import (
    FORMS,
    PICK,
    SET_TEXT,
    address,
    button,
    choose_state,
    focused,
    form,
    named,
    saved,
    state_of,
    wait,
    wait_here,
    watch,
)
from tests.chromium import Watched
from widgetschema import WidgetType

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from playwright.sync_api import Route as Held

__all__ = ["address", "form", "watch"]

FORMS["checks"] = WidgetType.from_schema(
    {
        "properties": {
            "data": {
                "properties": {
                    "title": {"type": "string"},
                    "on": {"type": "boolean"},
                    "colour": {"type": "string", "format": "color"},
                    "names": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["on"],
                "if": {"properties": {"title": {"const": "more"}}, "required": ["title"]},
                "then": {"properties": {"extra": {"type": "string"}}},
            }
        }
    },
    id="checks",
).form({"title": "A", "on": True, "colour": "#ff0000", "names": ["x", "y"]})


@pytest.fixture
def checks(form: Page, address: str) -> Page:
    form.goto(f"{address}/checks")
    return form


class Holding:
    """Live checks that are answered when the test says so."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.held: list[Held] = []
        self.is_over = False
        page.route("**/live/*", self.come)

    def come(self, route: Held) -> None:
        if self.is_over:
            route.continue_()
        else:
            self.held.append(route)

    def wait(self, text: str = "") -> None:
        """Wait for a check that sends a text."""
        wait_here(
            self.page, lambda: any(text in (one.request.post_data or "") for one in self.held)
        )

    def end(self) -> None:
        """Answer everything, now and from now on."""
        self.is_over = True
        while self.held:
            self.held.pop(0).continue_()

    def go(self) -> None:
        """Answer the last one; the page has given up those before it."""
        self.wait()
        self.held.pop().continue_()
        self.held.clear()


def test_looking_changes_nothing(watch: Watched, checks: Page, address: str) -> None:
    button(checks, "check").click()
    wait(checks, "document.querySelector('.ws-notice').textContent === 'Check: done'")
    checks.goto(f"{address}/made-up")
    assert watch.said == []


def test_what_is_clicked_meanwhile_stays(checks: Page) -> None:
    holding = Holding(checks)
    named(checks, "#/title").fill("more")
    holding.wait()
    named(checks, "#/on").uncheck()
    button(checks, "add#/names").click()
    choose_state(checks, "#/title", "Not set")
    holding.end()
    named(checks, "#/names/2").wait_for()  # of the text in which the title brings other fields
    assert not named(checks, "#/on").is_checked()
    assert state_of(checks, "#/title") == "unset"


def test_unchecked_while_a_row_comes(checks: Page) -> None:
    holding = Holding(checks)
    button(checks, "add#/names").click()
    holding.wait()
    named(checks, "#/on").uncheck()
    holding.go()
    named(checks, "#/names/+1").wait_for()
    assert not named(checks, "#/on").is_checked()


def test_focus_is_not_taken_from_where_somebody_types(checks: Page) -> None:
    holding = Holding(checks)
    button(checks, "add#/names").click()
    holding.wait()
    named(checks, "#/title").focus()
    checks.keyboard.press("End")
    checks.keyboard.type("B")
    holding.go()
    named(checks, "#/names/+1").wait_for()
    checks.keyboard.type("C")
    assert named(checks, "#/title").input_value() == "ABC"
    assert focused(checks) == "#/title"


def test_saving_waits_for_what_was_pressed(checks: Page) -> None:
    holding = Holding(checks)
    button(checks, "remove#/names/0").click()
    holding.wait()
    checks.keyboard.press("Control+s")
    holding.go()
    assert json.loads(saved(checks))["names"] == ["y"]


def test_a_check_that_another_script_asks_for_waits_for_what_was_pressed(checks: Page) -> None:
    holding = Holding(checks)
    button(checks, "add#/names").click()
    holding.wait()
    checks.locator("form").dispatch_event("widgetschema:check")
    holding.go()
    named(checks, "#/names/+1").wait_for()
    holding.wait()
    holding.end()


def test_an_answer_is_not_used_after_an_edit_while_the_mouse_was_pressed(checks: Page) -> None:
    checks.evaluate(
        """() => {
            window.answers = [];
            addEventListener("widgetschema:answer", ({ detail }) => answers.push(detail.html));
        }"""
    )
    holding = Holding(checks)
    title = named(checks, "#/title")
    checks.locator(".ws-main").hover(position={"x": 1, "y": 1})
    checks.mouse.down()
    title.evaluate(SET_TEXT, "more")
    holding.wait()
    with checks.expect_response("**/live/*") as response:
        holding.go()
    response.value.finished()
    title.evaluate(SET_TEXT, "A")
    checks.mouse.up()
    holding.wait("title=A")
    holding.end()
    wait(checks, "answers.length")
    assert checks.evaluate("answers") == [None]


def test_what_was_pressed_after_saving_is_done_if_the_page_stays(checks: Page) -> None:
    checks.locator("form").evaluate(
        "form => form.addEventListener('submit', (event) => event.preventDefault())"
    )
    holding = Holding(checks)
    button(checks, "remove#/names/0").click()
    holding.wait()
    checks.keyboard.press("Control+s")
    button(checks, "add#/names").click()
    holding.end()
    named(checks, "#/names/+1").wait_for()


def test_nothing_that_was_pressed_after_saving_is_done_while_the_page_is_left(checks: Page) -> None:
    holding = Holding(checks)
    button(checks, "remove#/names/0").click()
    holding.wait()
    checks.keyboard.press("Control+s")
    button(checks, "add#/names").click()
    saving: list[Held] = []
    checks.route("**/checks", lambda route: saving.append(route))
    holding.go()
    wait_here(checks, lambda: bool(saving))
    assert holding.held == []
    saving.pop().continue_()
    assert json.loads(saved(checks))["names"] == ["y"]


def test_saving_that_waited_for_what_has_failed_is_not_done_later(form: Page) -> None:
    form.evaluate(
        "addEventListener('submit', (event) => { event.preventDefault(); window.sent = true; })"
    )
    holding = Holding(form)
    named(form, "kind#/what").nth(1).check()
    holding.wait("do=")
    form.keyboard.press("Control+s")
    holding.held.pop().fulfill(status=500, body="no")
    wait(form, "document.querySelector('.ws-notice').textContent.includes('answers 500')")
    holding.end()
    button(form, "add#/names").click()
    named(form, "#/names/+1").wait_for()
    assert form.evaluate("window.sent") is None


def test_a_value_goes_along_in_a_row_that_got_another_name(form: Page) -> None:
    """As those of Django do, while the answer is on its way."""
    holding = Holding(form)
    named(form, "kind#/what").nth(1).check()
    holding.wait("do=")
    form.evaluate(
        """() => {
            document.querySelector(".ws-form").dataset.live += "?again";
            for (const one of document.querySelectorAll("[data-do]")) one.dataset.do = "other.do";
        }"""
    )
    with form.expect_request("**/live/*again") as again:
        holding.end()
    assert "other.do=" in (again.value.post_data or "")


def test_what_was_typed_before_the_script_came_is_not_left_in_silence(
    watch: Watched, address: str
) -> None:
    page = watch.page()
    scripts: list[Held] = []
    page.route("**/forms.js", lambda route: scripts.append(route))
    page.goto(f"{address}/checks", wait_until="commit")
    named(page, "#/title").fill("typed")
    wait_here(page, lambda: bool(scripts))
    scripts.pop().continue_()
    page.locator(".ws-scripted").wait_for()
    with page.expect_event("dialog"):
        page.close(run_before_unload=True)


def test_nothing_is_checked_while_the_page_is_left(checks: Page) -> None:
    """An application would answer that somebody else has changed what has just been saved."""
    holding = Holding(checks)
    named(checks, "#/title").fill("B")
    holding.wait()
    saving: list[Held] = []
    checks.route("**/checks", lambda route: saving.append(route))
    with checks.expect_event("requestfailed"):
        checks.keyboard.press("Control+s")
        wait_here(checks, lambda: bool(saving))
    saving.pop().continue_()
    assert json.loads(saved(checks))["title"] == "B"


def test_saving_twice_saves_once(checks: Page) -> None:
    """A second press within a second is none; later ones are, since there may be no answer."""
    named(checks, "#/title").fill("B")
    sent = checks.evaluate(
        """([button, times]) => {
            const events = [];
            addEventListener("submit", (event) => {
                Object.defineProperty(event, "timeStamp", { value: times[events.length] });
                events.push(event);
            }, true);
            const found = document.querySelector(button);
            for (const _ of times) found.form.requestSubmit(found);
            return events.map((event) => !event.defaultPrevented);
        }""",
        [".ws-primary", [5_000, 5_001, 6_000, 6_001, 7_001]],
    )
    assert sent == [True, False, False, True, False]
    assert json.loads(saved(checks))["title"] == "B"


def test_composing_is_not_interrupted(checks: Page) -> None:
    holding = Holding(checks)
    client = checks.context.new_cdp_session(checks)
    button(checks, "add#/names").click()
    holding.wait()
    title = named(checks, "#/title")
    title.focus()
    checks.keyboard.press("End")

    def compose(text: str) -> None:
        client.send(
            "Input.imeSetComposition",
            {"text": text, "selectionStart": len(text), "selectionEnd": len(text)},
        )

    compose("k")
    holding.go()
    named(checks, "#/names/+1").wait_for()
    compose("か")
    client.send("Input.insertText", {"text": "か"})
    assert title.input_value() == "Aか"


def test_the_picker_keeps_the_focus(checks: Page) -> None:
    named(checks, "#/title").fill("more")
    checks.locator(".ws-picker").focus()
    named(checks, "#/extra").wait_for()
    assert checks.evaluate("document.activeElement.type") == "color"


@pytest.mark.parametrize("body", ["null", "[]", "{}", '"x"', '{"findings": null}', "<html>"])
def test_an_answer_that_is_none(checks: Page, body: str) -> None:
    checks.route("**/live/*", lambda route: route.fulfill(status=200, body=body))
    named(checks, "#/title").fill("kept")
    wait(checks, "document.querySelector('.ws-notice').textContent.startsWith('Not checked')")
    button(checks, "add#/names").click()
    named(checks, "#/names/+1").wait_for()
    assert named(checks, "#/title").input_value() == "kept"


OTHER_COLOURS = (
    "color(display-p3 1 0 0 / 0.5)",
    "oklch(60% 0.15 50)",
    "lab(50% 40 59.5 / 0.5)",
    "var(--x)",
)


def test_a_colour_of_another_space_is_none_for_the_picker(checks: Page) -> None:
    picker = checks.locator(".ws-picker")
    for text in OTHER_COLOURS:
        named(checks, "#/colour").fill(text)
        assert "ws-blank" in (picker.get_attribute("class") or "")
        picker.evaluate(PICK, "#0000ff")
        assert named(checks, "#/colour").input_value() == "#0000ff"


def test_what_was_typed_can_be_undone_when_controls_have_come(checks: Page) -> None:
    title = named(checks, "#/title")
    title.focus()
    checks.keyboard.press("End")
    checks.keyboard.press("Backspace")
    checks.keyboard.type("more")
    named(checks, "#/extra").wait_for()
    checks.keyboard.type("x")
    named(checks, "#/extra").wait_for(state="detached")
    for _ in range(3):
        checks.keyboard.press("Control+z")
    assert title.input_value() == "A"


def test_rows_are_the_same_elements_wherever_they_move(checks: Page) -> None:
    for name in ("#/names/0", "#/names/1"):
        named(checks, name).evaluate("element => { element.was = element.name; }")
    button(checks, "down#/names/0").click()
    wait(checks, """document.querySelector('[name="order#/names"]').value === '1,0'""")
    wait(checks, "document.activeElement.value === 'down#/names/0'")
    names = "[...document.querySelectorAll(\".ws-row [name^='#/names']\")]"
    assert checks.evaluate(f"{names}.map(element => element.was)") == ["#/names/1", "#/names/0"]
    assert checks.evaluate(f"{names}.map(element => element.labels[0].textContent)") == [
        "Name 1",
        "Name 2",
    ]
