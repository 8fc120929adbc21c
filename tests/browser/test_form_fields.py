"""Fields as people use them: an empty one is not set, its menu has what is rare, Tab goes to the next.

With the script and without it, by mouse and by keyboard.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.test_editor import everybody_can_use
from tests.browser.test_form_script import (
    FORMS,
    address,
    button,
    choose_state,
    focused,
    form,
    named,
    saved,
    state_of,
    watch,
)
from tests.chromium import watched
from widgetschema import WidgetType

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["address", "form", "watch"]

TEXT: Final = {"type": "string"}
FORMS["fields"] = WidgetType.from_schema(
    {
        "properties": {
            "data": {
                "properties": {
                    "name": {"type": ["string", "null"]},
                    "must": TEXT,
                    "empty": TEXT,
                    "other": {"type": ["string", "null"], "default": "none"},
                    "count": {"type": "number", "default": 3},
                    "on": {"type": "boolean", "default": True},
                    "size": {"enum": ["small", "medium", "big"], "default": "medium"},
                    "sure": {"type": "boolean"},
                    "colour": {"type": "string", "format": "color"},
                    "when": {"type": "string", "format": "date-time"},
                    "rows": {"type": "array", "items": TEXT},
                },
                "required": ["must", "sure"],
            }
        }
    },
    id="fields",
).form({"name": "A", "must": "B", "empty": "", "sure": True, "rows": ["x", "y"]})
BEFORE: Final[dict[str, Any]] = FORMS["fields"].data
FORMS["delivery"] = WidgetType.from_data_schema(
    {
        "properties": {
            "method": {"enum": ["post", "pickup"]},
            "address": {"properties": {"street": TEXT}, "required": ["street"]},
            "shop": TEXT,
        },
        "required": ["method"],
        "if": {"properties": {"method": {"const": "post"}}},
        "then": {"required": ["address"]},
        "else": {"required": ["shop"]},
    },
    id="delivery",
).form()


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def either(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of the form, with the script and without it."""
    allowed = ("status of 422", "dialog: ")
    with watched(browser, allowed=allowed, java_script_enabled=request.param) as context:
        page = context.page()
        page.goto(f"{address}/fields")
        yield page


@pytest.fixture
def fields(form: Page, address: str) -> Page:
    form.goto(f"{address}/fields")
    return form


def result(page: Page) -> Any:
    page.locator(".ws-primary").click()
    return json.loads(saved(page))


def changed(**members: Any) -> dict[str, Any]:
    """The data with other members; those that are None are not there."""
    data = {**BEFORE, **members}
    return {name: value for name, value in data.items() if value is not None}


def placeholder(page: Page, name: str) -> str | None:
    text: str | None = named(page, name).get_attribute("placeholder")
    return text


def test_an_empty_field_says_what_that_means(either: Page) -> None:
    shown = [placeholder(either, f"#/{name}") for name in ("name", "must", "other", "count")]
    assert shown == ["Not set", "Empty text", "Default: none", "Default: 3"]
    assert placeholder(either, "#/empty") == "Empty text"
    assert either.get_by_label("Default (yes)").count() == 1
    assert either.get_by_label("Default (medium)").is_checked()


def test_an_empty_field_that_is_left_alone_stays_as_it_is(either: Page) -> None:
    named(either, "#/must").fill("C")
    assert result(either) == changed(must="C")


def test_a_group_is_not_asked_for_once_another_one_is_chosen(either: Page, address: str) -> None:
    either.goto(f"{address}/delivery")
    for method in ("post", "pickup"):
        either.get_by_label(method).check()
    named(either, "#/shop").fill("Main Street")
    assert result(either) == {"method": "pickup", "shop": "Main Street"}


def test_typing_sets_and_emptying_takes_back(either: Page) -> None:
    for name in ("other", "count", "empty"):
        named(either, f"#/{name}").fill("5")
    for name in ("name", "other", "count", "empty", "must"):
        named(either, f"#/{name}").fill("")
    assert result(either) == changed(name=None, must="")


def test_what_was_emptied_can_be_typed_again(either: Page) -> None:
    named(either, "#/name").fill("")
    button(either, "check").click()
    named(either, "#/name").fill("again")
    assert result(either) == changed(name="again")


@pytest.mark.parametrize(("label", "member"), [("Empty text", ""), ("No value", None)])
def test_the_menu_tells_nothing_from_an_empty_text(either: Page, label: str, member: Any) -> None:
    named(either, "#/other").fill("typed")
    button(either, "check").click()
    for name in ("name", "other"):
        choose_state(either, f"#/{name}", label)
    assert result(either) == changed() | {"name": member, "other": member}


def test_the_menu_takes_a_field_back(either: Page) -> None:
    named(either, "#/other").fill("typed")
    button(either, "check").click()
    for name in ("name", "other"):
        choose_state(either, f"#/{name}", "Not set")
    assert result(either) == changed(name=None)


def test_a_choice_goes_back_to_its_default(either: Page) -> None:
    named(either, "#/on").nth(2).check()
    named(either, "#/size").nth(3).check()
    button(either, "check").click()
    assert named(either, "#/on").nth(2).is_checked()
    named(either, "#/size").nth(0).check()
    assert result(either) == changed(on=False)


def test_without_a_script_a_switch_shows_all_menus(browser: Browser, address: str) -> None:
    with watched(browser, java_script_enabled=False) as context:
        page = context.page()
        page.goto(f"{address}/fields")
        menus = page.locator(".ws-more > summary")
        assert {menu.is_visible() for menu in menus.all()} == {False}
        page.get_by_label("Show the menu of each field").focus()
        page.keyboard.press("Space")
        assert {menu.is_visible() for menu in menus.all()} == {True}
        named(page, "#/name").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowUp")
        assert state_of(page, "#/name") == "empty"
        assert result(page) == changed(name="")


# With the script


def test_the_state_follows_what_is_typed(fields: Page) -> None:
    other = named(fields, "#/other")
    other.press_sequentially("ab")
    assert state_of(fields, "#/other") == "set"
    other.press("Backspace")
    assert state_of(fields, "#/other") == "set"
    other.press("Backspace")
    assert state_of(fields, "#/other") == "unset"


def test_a_text_comes_back_when_its_field_is_set_again(fields: Page) -> None:
    name = named(fields, "#/name")
    choose_state(fields, "#/name", "Empty text")
    assert (name.input_value(), placeholder(fields, "#/name")) == ("", "Empty text")
    assert focused(fields) == "#/name"
    choose_state(fields, "#/name", "Not set")
    assert placeholder(fields, "#/name") == "Not set"
    choose_state(fields, "#/name", "As entered")
    assert name.input_value() == "A"
    assert result(fields) == BEFORE


def test_the_menu_by_the_keyboard(fields: Page) -> None:
    other = named(fields, "#/other")
    other.focus()
    fields.keyboard.press("Control+.")
    menu = fields.locator(".ws-more[open]")
    assert menu.count() == 1
    fields.keyboard.press("ArrowDown")
    assert state_of(fields, "#/other") == "null"
    fields.keyboard.press("Escape")
    assert menu.count() == 0
    assert focused(fields) == "#/other"
    assert placeholder(fields, "#/other") == "No value"
    named(fields, "#/rows/0").focus()
    fields.keyboard.press("Control+.")  # no menu of its own: the buttons of the row
    assert fields.evaluate("document.activeElement.value") == "up#/rows/0"
    fields.keyboard.press("ArrowLeft")
    assert fields.evaluate("document.activeElement.value") == "remove#/rows/0"
    fields.keyboard.press("Control+.")
    assert fields.evaluate("document.activeElement.name") == "state#/rows"
    named(fields, "#/must").focus()
    assert menu.count() == 0


def test_clearing(fields: Page) -> None:
    name = named(fields, "#/name")
    name.focus()
    fields.keyboard.press("Alt+Delete")
    assert (name.input_value(), focused(fields)) == ("", "#/name")
    fields.keyboard.press("Control+z")
    assert name.input_value() == "A"
    fields.keyboard.press("Alt+Delete")
    assert result(fields) == changed(name=None)


def test_a_row_moves_by_the_keyboard(fields: Page) -> None:
    named(fields, "#/rows/0").focus()
    fields.keyboard.press("Alt+Shift+ArrowUp")  # it is the first one
    fields.keyboard.press("Alt+Shift+ArrowDown")
    fields.locator("[name='order#/rows'][value='1,0']").wait_for(state="attached")
    assert focused(fields) == "#/rows/0"
    fields.keyboard.type("!")
    assert result(fields) == changed(rows=["y", "!x"])


# What has the focus: null outside of the form, nothing for what belongs to the whole of it.
STOP: Final = """() => {
  const one = document.activeElement;
  if (!one.closest(".ws-main")) return null;
  return one.closest(".ws-actions, .ws-find") ? "" : one.outerHTML;
}"""


def stops(page: Page) -> list[str]:
    """Return the stops of the Tab key in the fields, in order: a name for each stop."""
    page.locator(".ws-main").focus()
    found: list[str] = []
    while True:
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            return found
        if stop:
            found.append(stop)


@pytest.mark.parametrize("key", ["fields", "countdown"])
@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_each_field_is_one_stop(browser: Browser, address: str, key: str, scripts: bool) -> None:
    with watched(browser, java_script_enabled=scripts) as context:
        page = context.page()
        page.goto(f"{address}/{key}")
        tools = page.locator(".ws-tool, .ws-type > *").count()
        switch = page.locator(".ws-all-menus:visible").count()
        # A browser stops at day, month, year, hours and minutes: a date with its time is the exception.
        stop_names = stops(page)
        assert stop_names
        found = [one for one in stop_names if "ws-part" not in one]
        found += page.locator(".ws-moment:visible").all_inner_texts()
        assert len(stop_names) - len(found) < 10 * page.locator(".ws-moment:visible").count() + 1
        assert len(found) - switch - (0 if scripts else tools) <= sum(1 for _ in FORMS[key])


def test_everybody_can_use_them(fields: Page) -> None:
    everybody_can_use(fields)
    named(fields, "#/other").focus()
    fields.keyboard.press("Control+.")
    everybody_can_use(fields)


# What is typed is not lost

FORMS["kept"] = WidgetType.from_data_schema(
    {
        "properties": {
            "key": {"type": "string", "writeOnly": True},
            "box": {"properties": {"group": {"type": "object", "properties": {"a": TEXT}}}},
            "either": {"oneOf": [TEXT, {"type": "number"}]},
        }
    },
    id="kept",
).form({"key": "stored", "box": {}, "either": "old"})


@pytest.fixture
def kept(either: Page, address: str) -> Page:
    either.goto(f"{address}/kept")
    return either


def test_a_secret_can_be_replaced_and_taken_away(kept: Page) -> None:
    choose_state(kept, "#/key", "Not set")
    named(kept, "#/key").fill("new")
    button(kept, "check").click()
    kept.wait_for_selector('[name="typed#/key"]', state="attached")
    assert named(kept, "#/key").input_value() == "new"
    choose_state(kept, "#/key", "Not set")
    assert result(kept) == {"box": {}, "either": "old"}


def test_a_new_group_that_is_not_set_can_be_brought_back(kept: Page) -> None:
    button(kept, "open#/box/group").click()
    named(kept, "#/box/group/a").fill("typed")
    button(kept, "check").click()
    choose_state(kept, "#/box/group", "Not set")
    button(kept, "check").click()
    button(kept, "restore#/box/group").click()
    assert named(kept, "#/box/group/a").input_value() == "typed"
    assert result(kept)["box"] == {"group": {"a": "typed"}}


def test_both_alternatives_keep_what_was_typed_into_them(kept: Page) -> None:
    for at, text in enumerate(("mine", "5", "mine")):
        kept.locator('[name="kind#/either"]').nth(at % 2).check()
        control = named(kept, f"#/either;{at % 2}")
        if at < 2:
            control.fill(text)
        button(kept, "check").click()
        kept.wait_for_load_state("networkidle")
        assert control.input_value() == text
    assert result(kept)["either"] == "mine"
