"""A countdown is made from nothing, in few steps, by somebody who sees the page and no code.

Each control is found by the label that a person reads. A click counts, and so does a text that is
typed, and with the keyboard each key that chooses or presses something; Tab only goes on.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from tests.chromium import watched
from tests.editing import started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MOST: Final = 45  # actions
MOST_TABS: Final = 200  # from one control to another: more would be round in circles

# What is done to each field of a section, in the order of the page.
STEPS: Final = {
    "Content": {
        "Timer title": ("type", "Weihnachtsverkauf endet in"),
        "Post title": ("type", "Der Verkauf ist vorbei"),
        "Countdown type": ("choose", "count-to-date"),
        "Exp date": ("type", "12122026"),  # whatever comes first, day or month
        "Exp date: time": ("type", "1200PM"),
        "Days label": ("type", "Tage"),
        "Hours label": ("type", "Stunden"),
        "Minutes label": ("type", "Minuten"),
        "Seconds label": ("type", "Sekunden"),
        "Post countdown type": ("choose", "message"),
        "Post button text": ("type", "Zum Shop"),
        "Post button link": ("type", "https://example.com/shop"),
    },
    "Settings": {"Show title": ("choose", "Yes"), "Show labels": ("choose", "Yes")},
    "Styles": {
        "Cards bg": ("add", "#fff4e0"),
        "Cards border color": ("type", "#8a1538"),
        "Colon color": ("type", "#ffcc00"),
        "Separator color": ("type", "#333333"),
        "Countdown size": ("choose", "small"),
    },
}
JSON: Final = """{
  "content": {
    "timerTitle": "Weihnachtsverkauf endet in",
    "postTitle": "Der Verkauf ist vorbei",
    "countdownType": "count-to-date",
    "expDate": "2026-12-12T12:00:00+01:00",
    "daysLabel": "Tage",
    "hoursLabel": "Stunden",
    "minutesLabel": "Minuten",
    "secondsLabel": "Sekunden",
    "postCountdownType": "message",
    "postButtonText": "Zum Shop",
    "postButtonLink": "https://example.com/shop"
  },
  "settings": {
    "showTitle": true,
    "showLabels": true
  },
  "styles": {
    "cardsBg": [
      "#fff4e0"
    ],
    "cardsBorderColor": "#8a1538",
    "colonColor": "#ffcc00",
    "separatorColor": "#333333",
    "countdownSize": "small"
  }
}
"""


class Person:
    """Somebody at the page, whose actions are counted: one too many fails."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def acts(self) -> None:
        self.actions += 1
        assert self.actions <= MOST, "that takes too many steps"

    def types(self, text: str) -> None:
        self.acts()
        self.page.keyboard.type(text)

    def goes_to(self, control: Locator) -> None:
        """Give the focus to a control."""
        raise NotImplementedError

    def presses(self, button: Locator) -> None:
        raise NotImplementedError

    def chooses(self, group: Locator, label: str) -> None:
        raise NotImplementedError


class WithTheMouse(Person):
    def goes_to(self, control: Locator) -> None:
        self.acts()
        control.click(position={"x": 12, "y": 12})

    def presses(self, button: Locator) -> None:
        self.acts()
        button.click()

    def chooses(self, group: Locator, label: str) -> None:
        self.acts()
        group.get_by_role("radio", name=label, exact=True).click()


class WithTheKeyboard(Person):
    def goes_to(self, control: Locator) -> None:
        one = control.element_handle()  # found once: names of controls are computed from the page
        for _ in range(MOST_TABS):
            there, focused = one.evaluate(
                "one => [one.isConnected, one === document.activeElement]"
            )
            if focused:
                return
            if not there:  # the form was drawn anew
                one = control.element_handle()
            else:
                self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {control}")

    def presses(self, button: Locator) -> None:
        self.goes_to(button)
        self.acts()
        self.page.keyboard.press("Enter")

    def chooses(self, group: Locator, label: str) -> None:
        self.goes_to(group.locator(":checked"))
        wanted = group.get_by_role("radio", name=label, exact=True)
        while not wanted.is_checked():
            self.acts()
            self.page.keyboard.press("ArrowRight")


def make_a_countdown(person: Person) -> None:
    """From the first field to the last one, as they stand on the page."""
    page = person.page
    for section, fields in STEPS.items():
        within = page.get_by_role("region", name=section, exact=True)
        for label, (step, value) in fields.items():
            if step == "choose":
                group = within.get_by_role("radiogroup", name=label, exact=True)
                person.chooses(group, value)
                continue
            if step == "add":
                person.presses(within.get_by_role("button", name=f"Add {label}", exact=True))
                add = within.get_by_role("button", name=f"Add to {label}", exact=True)
                expect(add).to_be_focused()
                person.presses(add)
                expect(within.get_by_label(f"{label} 1", exact=True)).to_be_focused()
            else:
                person.goes_to(within.get_by_label(label, exact=True))
            person.types(value)
    person.presses(page.get_by_role("button", name="Save", exact=True))


@contextmanager
def new_countdown(browser: Browser, folder: Path) -> Iterator[Page]:
    """The page for a file that does not exist yet; afterwards it does."""
    with started("form", "countdown", "sale.json", "--no-browser", cwd=folder) as command:
        with watched(browser, timezone_id="Europe/Berlin") as watch:
            page = watch.page()
            page.goto(command.address)
            assert not (folder / "sale.json").exists()
            yield page
            expect(page.get_by_role("button", name="Undo last save")).to_be_visible()
        command.end(signal.SIGINT)


def test_with_the_mouse(browser: Browser, tmp_path: Path) -> None:
    with new_countdown(browser, tmp_path) as page:
        make_a_countdown(WithTheMouse(page))
    assert (tmp_path / "sale.json").read_text("utf-8") == JSON


def test_with_the_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    with new_countdown(browser, tmp_path) as page:
        make_a_countdown(WithTheKeyboard(page))
    assert (tmp_path / "sale.json").read_text("utf-8") == JSON
