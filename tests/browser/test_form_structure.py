"""The structure of a form: sections and rows that close, rows with names, lists that are searched."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.test_editor import everybody_can_use
from tests.browser.test_form_script import (
    FORMS,
    address,
    button,
    focused,
    form,
    named,
    saved,
    wait,
    watch,
)
from tests.chromium import watched
from widgetschema import WidgetType

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["address", "form", "watch"]

TEXT: Final = {"type": "string"}
FONTS: Final = [f"Font {number}" for number in range(40)]
SLIDE: Final = {"properties": {"note": TEXT, "title": TEXT, "count": {"type": "number"}}}
BEFORE: Final[dict[str, Any]] = {
    "content": {
        "slides": [{"title": "One"}, {"note": "only a note"}, {"title": "Three"}, {"count": 4}]
    },
    "styles": {"font": "Font 7"},
}
FORMS["structure"] = WidgetType.from_schema(
    {
        "properties": {
            "data": {
                "properties": {
                    "content": {"properties": {"slides": {"type": "array", "items": SLIDE}}},
                    "styles": {
                        "properties": {"font": {"enum": FONTS}, "must": {"enum": FONTS}},
                        "required": ["font"],
                    },
                }
            }
        }
    },
    id="structure",
).form(BEFORE)


@pytest.fixture
def page(form: Page, address: str) -> Page:
    form.goto(f"{address}/structure")
    return form


def fold(page: Page, name: str) -> Locator:
    """The button that closes a section."""
    return page.locator(f"#ws-{name} > .ws-fold")


def rows(page: Page) -> Locator:
    return page.locator(".ws-row .ws-fold")


def remembered(page: Page, *, closed: bool) -> None:
    """Wait until the browser has remembered that a section was closed, or opened."""
    page.wait_for_function(
        "closed => Object.values(localStorage).join(' ').includes('ws-content') === closed",
        arg=closed,
    )


def test_a_section_stays_closed(page: Page) -> None:
    fold(page, "content").locator("> summary").click()
    assert fold(page, "content").get_attribute("open") is None
    remembered(page, closed=True)
    page.reload()
    assert fold(page, "content").get_attribute("open") is None
    assert fold(page, "styles").get_attribute("open") is not None
    page.locator(".ws-nav a", has_text="Content").click()
    assert fold(page, "content").get_attribute("open") is not None
    remembered(page, closed=False)
    page.reload()
    assert fold(page, "content").get_attribute("open") is not None


def test_a_finding_opens_what_it_is_in(page: Page) -> None:
    rows(page).nth(3).locator("> summary").click()
    named(page, "#/content/slides/3/count").fill("x")
    button(page, "check").click()
    page.locator(".ws-summary a").wait_for()
    rows(page).nth(3).locator("> summary").click()
    fold(page, "content").locator("> summary").click()
    assert not named(page, "#/content/slides/3/count").is_visible()
    page.locator(".ws-summary a").click()
    assert focused(page) == "#/content/slides/3/count"
    page.locator(".ws-primary").click()  # comes back with the finding, and opened
    page.locator(".ws-summary[role]").wait_for()
    expect(named(page, "#/content/slides/3/count")).to_be_visible()


def test_rows_have_the_names_of_their_items(page: Page) -> None:
    names = page.locator(".ws-row > .ws-group > .ws-fold > summary")
    assert names.all_inner_texts() == [
        "Slide 1\nOne",
        "Slide 2\nonly a note",
        "Slide 3\nThree",
        "Slide 4",
    ]
    assert [one.get_attribute("open") for one in rows(page).all()] == [None] * 4
    names.nth(0).click()
    named(page, "#/content/slides/0/title").fill("First <b>")
    assert names.nth(0).inner_text() == "Slide 1\nFirst <b>"


def test_a_row_stays_open_where_it_moves_and_a_new_one_is_open(page: Page) -> None:
    rows(page).nth(2).locator("> summary").click()
    button(page, "up#/content/slides/2").click()
    page.locator("[name='order#/content/slides'][value='0,2,1,3']").wait_for(state="attached")
    assert [one.get_attribute("open") for one in rows(page).all()] == [None, "", None, None]
    button(page, "add#/content/slides").click()
    named(page, "#/content/slides/+1/note").wait_for()
    assert focused(page) == "#/content/slides/+1/note"


def test_without_a_script(browser: Browser, address: str) -> None:
    with watched(browser, java_script_enabled=False) as context:
        page = context.page()
        page.goto(f"{address}/structure")
        title = named(page, "#/content/slides/0/title")
        assert not title.is_visible()
        rows(page).nth(0).locator("> summary").click()
        title.fill("Edited")
        fold(page, "content").locator("> summary").click()
        assert page.get_by_label("Font").evaluate("element => element.localName") == "select"
        page.locator(".ws-primary").click()
        after = json.loads(saved(page))
        assert after["content"]["slides"][0] == {"title": "Edited"}
        after["content"]["slides"][0] = {"title": "One"}
        assert after == BEFORE


# Lists that are searched


def test_a_long_list_is_searched(page: Page) -> None:
    search = page.get_by_role("combobox", name="Font")
    assert search.input_value() == "Font 7"
    search.click()
    options = page.get_by_role("option")
    assert options.count() == 40
    assert page.get_by_role("option", selected=True).inner_text() == "Font 7"
    search.fill("3 font")
    assert options.all_inner_texts() == [
        "Font 3",
        "Font 13",
        "Font 23",
        *(f"Font {n}" for n in range(30, 40)),
    ]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert (search.input_value(), options.count()) == ("Font 13", 0)
    assert named(page, "#/styles/font").input_value() == "13"
    search.fill("no such")
    assert options.all_inner_texts() == ["Nothing found"]
    page.keyboard.press("Escape")
    assert search.input_value() == "Font 13"
    search.press("ArrowUp")
    options.filter(has_text="Font 2").first.click()
    page.locator(".ws-primary").click()
    assert json.loads(saved(page))["styles"] == {"font": "Font 2"}


def test_the_search_stands_for_its_list(page: Page) -> None:
    must = page.get_by_role("combobox", name="Must")
    assert must.input_value() == "Not set"
    page.locator("#ws-styles .ws-label", has_text="Must").click()
    assert must.evaluate("element => element === document.activeElement")
    page.keyboard.press("ArrowDown")
    everybody_can_use(page)
    page.keyboard.press("Tab")
    assert page.get_by_role("option").count() == 0
    page.locator(".ws-primary").click()
    assert json.loads(saved(page)) == BEFORE


# The outline, and finding fields


def outline(page: Page) -> list[str]:
    """The sections in the outline, with how many of their fields are set."""
    texts = page.locator(".ws-nav > ul > li > a").all_inner_texts()
    return [" ".join(text.split()).replace(" ,", ",") for text in texts]


def visible_labels(page: Page) -> list[str]:
    return page.locator(".ws-main .ws-field:visible > .ws-label:visible").all_inner_texts()


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_the_outline_counts_what_is_set(browser: Browser, address: str, scripts: bool) -> None:
    with watched(browser, java_script_enabled=scripts) as context:
        page = context.page()
        page.goto(f"{address}/structure")
        assert outline(page) == ["Content set: 4/12", "Styles set: 1/2"]
        page.goto(f"{address}/countdown")
        counted = [text.split()[-1] for text in outline(page)]
        assert counted == ["18/18", "10/10", "21/21"]


def test_the_outline_names_the_rows_of_a_list_of_groups(page: Page) -> None:
    links = page.locator(".ws-nav ul ul a")
    assert [" ".join(one.split()) for one in links.all_inner_texts()][:2] == [
        "Slide 1 One",
        "Slide 2 only a note",
    ]
    named(page, "#/content/slides/0/title").evaluate("(one) => one.closest('details').open = true")
    named(page, "#/content/slides/0/title").fill("First")
    expect(links.first).to_have_text(re.compile("First"))
    button(page, "add#/content/slides").click()
    expect(links).to_have_count(5)
    links.nth(3).click()
    assert rows(page).nth(3).get_attribute("open") == ""


def test_the_outline_follows(page: Page) -> None:
    rows(page).nth(0).locator("> summary").click()
    named(page, "#/content/slides/0/note").fill("x")
    assert outline(page)[0] == "Content set: 5/12"
    named(page, "#/content/slides/0/title").fill("")
    assert outline(page)[0] == "Content set: 4/12"
    page.set_viewport_size({"width": 1200, "height": 300})
    current = page.locator(".ws-nav [aria-current]")
    expect(current).to_have_attribute("href", re.compile("^#ws-content-slides-"))
    page.locator("#ws-styles").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    wait(page, "document.querySelector('.ws-nav [aria-current]').hash === '#ws-styles'")


def test_fields_are_found_by_their_labels_and_values(page: Page) -> None:
    page.keyboard.press("/")
    search = page.get_by_role("searchbox", name="Find a field")
    assert search.evaluate("element => element === document.activeElement")
    search.fill("three")
    assert visible_labels(page) == ["Note", "Title", "Count"]  # of the slide with this name
    assert page.locator(".ws-tools:visible").count() == 1  # and of no other
    assert rows(page).nth(2).get_attribute("open") is not None
    page.keyboard.press("Enter")
    assert focused(page) == "#/content/slides/2/note"
    search.fill("styles font")
    assert visible_labels(page) == ["Font required"]
    search.press("Escape")
    assert [one.get_attribute("open") for one in rows(page).all()] == [None] * 4
    assert page.locator(".ws-out").count() == 0


def test_what_leads_to_a_field_that_is_not_found_ends_the_search(page: Page) -> None:
    search = page.get_by_role("searchbox", name="Find a field")
    only_set = page.get_by_role("button", name="Only set")
    rows(page).nth(3).locator("> summary").click()
    named(page, "#/content/slides/3/count").fill("x")
    button(page, "check").click()
    page.locator(".ws-summary").wait_for()
    search.fill("font")
    page.locator(".ws-summary a").click()
    assert focused(page) == "#/content/slides/3/count"
    assert search.input_value() == ""
    named(page, "#/content/slides/3/count").fill("4")
    page.locator(".ws-summary .ws-done").wait_for()
    only_set.click()
    search.fill("three")
    page.locator(".ws-add").click()  # what is added has none of these words
    wait(page, "document.activeElement.name === '#/content/slides/+1/note'")
    assert named(page, "#/content/slides/+1/note").is_visible()
    assert only_set.get_attribute("aria-pressed") == "false"
    assert [one.get_attribute("open") for one in rows(page).all()] == [None] * 3 + [""] * 2
    page.locator(".ws-row").last.get_by_role("button", name="Remove").click()
    wait(page, "document.querySelectorAll('.ws-row').length === 4")
    page.locator(".ws-primary").click()
    assert json.loads(saved(page)) == BEFORE


def test_only_what_is_set_and_only_with_problems(page: Page) -> None:
    only_set = page.get_by_role("button", name="Only set")
    only_set.click()
    assert visible_labels(page) == ["Title", "Note", "Title", "Count", "Font required"]
    everybody_can_use(page)
    only_set.click()
    rows(page).nth(3).locator("> summary").click()
    named(page, "#/content/slides/3/count").fill("x")
    button(page, "check").click()
    page.locator(".ws-summary").wait_for()
    page.get_by_role("button", name="Only with problems").click()
    assert visible_labels(page) == ["Count"]
    button(page, "check").click()
    wait(page, "document.querySelector('.ws-notice').textContent === 'Check: done'")
    assert visible_labels(page) == ["Count"]
    page.get_by_role("button", name="Only with problems").click()
    named(page, "#/content/slides/3/count").fill("4")
    page.locator(".ws-summary .ws-done").wait_for()
    page.locator(".ws-primary").click()
    assert json.loads(saved(page)) == BEFORE


def slides(page: Page) -> list[str]:
    return page.locator(".ws-item-name").all_text_contents()


def drag(page: Page, at: int, to: Locator, share: float, *, drop: bool = True) -> None:
    """Drag a row by its grip to a place in another row."""
    start, end = page.locator(".ws-grip").nth(at).bounding_box(), to.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 50, end["y"] + share * end["height"], steps=3)
    if drop:
        page.mouse.up()


STUCK = """(list) => [...list.children].map((row) =>
  [...row.querySelectorAll(":scope > .ws-tools > [aria-disabled='true']")].map((one) => one.value.split("#")[0]).join())"""


def test_the_arrows_of_dragged_rows(browser: Browser, address: str) -> None:
    with watched(browser, viewport={"width": 900, "height": 1_200}) as context:
        page = context.page()
        page.goto(f"{address}/structure")
        rows_of_list = page.locator(".ws-rows", has=page.locator(".ws-grip")).first
        for at, to, share in ((3, 0, 0.1), (0, 3, 0.9), (1, 2, 0.9)):
            with page.expect_response("**"):
                drag(page, at, rows(page).nth(to), share)
            assert rows_of_list.evaluate(STUCK) == ["up", "", "", "down"]
        drag(page, 3, rows(page).nth(0), 0.1)
        first = rows_of_list.locator("> .ws-row > .ws-tools > [value^='down#']").first
        value = first.get_attribute("value")
        first.click()
        page.locator(f".ws-row:nth-child(2) > .ws-tools > [value='{value}']").wait_for()
        assert rows_of_list.evaluate(STUCK) == ["up", "", "", "down"]


def test_rows_are_dragged_duplicated_and_brought_back(browser: Browser, address: str) -> None:
    order = "#/content/slides"
    with watched(browser, has_touch=True, viewport={"width": 900, "height": 1_200}) as context:
        page = context.page()
        page.goto(f"{address}/structure")
        drag(page, 0, rows(page).nth(2), 0.9, drop=False)
        assert page.locator("[data-drop='before']").count() == 1
        page.mouse.up()
        assert slides(page) == ["only a note", "Three", "One", ""]
        assert named(page, f"order{order}").input_value() == "1,2,0,3"
        page.get_by_text("Slide 1 is number 3 of 4 now").wait_for()
        page.locator(".ws-row:nth-child(3) summary", has_text="Slide 3").wait_for()

        # What Escape lets go stays where it is. A finger drags, too.
        drag(page, 1, rows(page).nth(3), 0.9, drop=False)
        page.keyboard.press("Escape")
        page.mouse.up()
        assert named(page, f"order{order}").input_value() == "1,2,0,3"
        assert page.locator(".ws-dragged, [data-drop]").count() == 0
        start, above = (
            one.bounding_box() for one in (page.locator(".ws-grip").nth(2), rows(page).nth(0))
        )
        assert start is not None
        assert above is not None
        x = start["x"] + 5
        touch = page.context.new_cdp_session(page)
        for kind, heights in (
            ("touchStart", [start["y"] + 5]),
            ("touchMove", [above["y"] + 2]),
            ("touchEnd", []),
        ):
            points = [{"x": x, "y": y} for y in heights]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        wait(page, f"document.querySelector(`[name='order{order}']`).value === '0,1,2,3'")

        button(page, f"copy{order}/0").click()
        named(page, f"{order}/+1/note").wait_for()
        assert focused(page) == f"{order}/+1/note"
        assert slides(page) == ["One", "One", "only a note", "Three", ""]
        named(page, f"{order}/+1/note").fill("a copy")
        button(page, f"remove{order}/+1").click()
        restore = button(page, f"restore{order}/+1")
        restore.wait_for()
        assert slides(page) == ["One", "only a note", "Three", ""]
        everybody_can_use(page)
        restore.click()
        named(page, f"{order}/+1/note").wait_for()
        assert named(page, f"{order}/+1/note").input_value() == "a copy"

        title = named(page, f"{order}/+1/title")
        title.fill("")
        title.blur()
        page.get_by_role("button", name="Undo: bring back Title").click()
        assert title.input_value() == "One"
        assert page.locator(".ws-removed button").count() == 0


def test_a_row_comes_back_without_a_script(browser: Browser, address: str) -> None:
    with watched(browser, allowed=("status of 422",), java_script_enabled=False) as context:
        page = context.page()
        page.goto(f"{address}/structure")
        button(page, "remove#/content/slides/1").click()
        button(page, "copy#/content/slides/0").click()
        assert slides(page) == ["One", "One", "Three", ""]
        button(page, "restore#/content/slides/1").click()
        page.locator(".ws-primary").click()
        after = json.loads(saved(page))["content"]["slides"]
        assert [slide.get("title") for slide in after] == ["One", None, "One", "Three", None]
        assert after[1] == BEFORE["content"]["slides"][1]


IS_DRAWN: Final = "row => row.firstElementChild.checkVisibility({ contentVisibilityAuto: true })"


def test_rows_far_away_are_drawn_when_they_come_into_sight(form: Page, address: str) -> None:
    rows = {"type": "array", "items": {"properties": {"name": TEXT}}}
    data = {"rows": [{"name": f"{number}"} for number in range(150)]}
    FORMS["long"] = WidgetType.from_schema(
        {"properties": {"data": {"properties": {"rows": rows}}}}, id="long"
    ).form(data)
    form.goto(f"{address}/long")
    near, far = form.locator(".ws-row").nth(98), form.locator(".ws-row").nth(140)
    for row, is_drawn in ((near, True), (far, False)):  # a browser decides when it draws a frame
        form.wait_for_function(
            f"([row, is]) => ({IS_DRAWN})(row) === is", arg=[row.element_handle(), is_drawn]
        )
    far.locator("summary").first.focus()
    form.wait_for_function(IS_DRAWN, arg=far.element_handle())
    form.keyboard.press("Enter")
    named(form, "#/rows/140/name").fill("Edited")
    form.locator(".ws-primary").click()
    assert json.loads(saved(form))["rows"][140] == {"name": "Edited"}
