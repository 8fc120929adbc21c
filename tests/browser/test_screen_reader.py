"""A form as a screen reader has it: Chromium's accessibility tree, in lines that a person can read.

What is only looked at is not in it: texts, paragraphs, boxes. Roles have the words that screen readers
say, as far as they have any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import expect

from tests.browser.test_form_script import FORMS, address, named, watch
from widgetschema import WidgetType

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.chromium import Watched

__all__ = ["address", "watch"]

TEXT: Final = {"type": "string"}
FORMS["spoken"] = WidgetType.from_schema(
    {
        "properties": {
            "data": {
                "properties": {
                    "content": {
                        "properties": {
                            "title": {**TEXT, "description": "Shown above the timer"},
                            "days": {"type": "number", "minimum": 0},
                            "until": {**TEXT, "format": "date-time"},
                            "shown": {"type": "boolean"},
                            "size": {"enum": ["small", "big"]},
                            "tags": {
                                "type": "array",
                                "uniqueItems": True,
                                "items": {"enum": ["a", "b"]},
                            },
                            "slides": {"type": "array", "items": {"properties": {"name": TEXT}}},
                        },
                        "required": ["title", "tags"],
                    },
                    "styles": {
                        "properties": {
                            "colour": {**TEXT, "format": "color"},
                            "font": {"enum": [f"Font {number}" for number in range(20)]},
                        }
                    },
                }
            }
        }
    },
    id="spoken",
).form({"content": {"title": "Sale", "days": 3, "tags": ["b"], "slides": [{"name": "One"}]}})

# Role → what is said. What is not here is no more than its content.
SAID: Final = {
    "alert": "alert",
    "button": "button",
    "checkbox": "checkbox",
    "ColorWell": "colour picker",
    "combobox": "combobox",
    "Date": "date",
    "DisclosureTriangle": "disclosure",
    "DisclosureTriangleGrouped": "disclosure",
    "group": "group",
    "heading": "heading",
    "InputTime": "time",
    "link": "link",
    "list": "list",
    "main": "main",
    "navigation": "navigation",
    "radio": "radio",
    "radiogroup": "radio group",
    "region": "region",
    "search": "search",
    "searchbox": "searchbox",
    "status": "status",
    "textbox": "textbox",
}
WHOLE: Final = {"Date", "InputTime"}  # their parts belong to the browser, in its language
UNNAMED: Final = {"alert", "list", "main", "search", "status"}
STATES: Final = ("required", "invalid", "disabled", "checked", "expanded", "pressed")


def spoken(page: Page) -> list[str]:
    """The tree: in each line a role, a name, a value, states, and a description after a dash."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    by_id = {node["nodeId"]: node for node in nodes}
    lines: list[str] = []

    def walk(node: Any, depth: int) -> None:
        role = _value(node, "role")
        said = SAID.get(role) if not node["ignored"] else None
        name = " ".join(_value(node, "name").split())
        if said and (name or role in UNNAMED):
            lines.append("  " * depth + _line(node, said, name))
            depth += 1
        if role not in WHOLE:
            for child in filter(None, map(by_id.get, node.get("childIds", []))):
                walk(child, depth)

    walk(nodes[0], 0)
    return lines


def _line(node: Any, said: str, name: str) -> str:
    states = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
    parts = [said, f'"{name}"' if name else ""]
    parts += [f"= {value}" if (value := _value(node, "value")) and said == "textbox" else ""]
    parts += [state for state in STATES if states.get(state) in (True, "true")]
    description = _value(node, "description")
    return " ".join(filter(None, parts)) + (f" - {description}" if description else "")


def _value(node: Any, name: str) -> str:
    return str(node.get(name, {}).get("value", ""))


READ: Final = """
main
  heading "spoken"
  navigation "Sections"
    list
      link "Content set: 4/7"
      list
        link "Slide 1 One"
      link "Styles"
  region "Content"
    disclosure "Content" expanded
      heading "Content"
    textbox "Title" = Sale required - Shown above the timer
    textbox "Days" = 3 - at least 0
    date "Until"
    time "Until: time"
    combobox "Until: time zone"
    disclosure "More for Until" - More
    radio group "Shown"
      radio "Not set" checked
      radio "Yes"
      radio "No"
    radio group "Size"
      radio "Not set" checked
      radio "small"
      radio "big"
    group "Tags required"
      checkbox "a"
      checkbox "b" checked
    group "Slides"
      disclosure "More for Slides" - More
      list
        group "Slide 1"
          disclosure "Slide 1 One" expanded
          textbox "Name" = One
          disclosure "More for Name" - More
        button "Duplicate Slide 1" - Duplicate
        button "Remove Slide 1" - Remove
      button "Add slide"
    disclosure "More for Content" - More
  group "Styles"
    button "Add Styles"
  button "Save"
  button "Check"
  status
"""
SENTENCE: Final = "Enter a number, for example 3"
# Where the Tab key stops: once in a group; no menu and no tool of a row, to which other keys lead.
STOPS: Final = [
    "Content set: 4/7", "Slide 1 One", "Styles", "Content", "Title", "Days", "Until", "Until: time", "Until: time zone",
    "Shown", "Size", "a", "Slide 1 One", "Name", "Add slide", "Add Styles", "Save", "Check",
]  # fmt: skip


def changes(before: list[str], after: list[str]) -> list[str]:
    """The lines that are new, without their indentation."""
    return [line.strip() for line in after if line not in before]


def test_a_form_is_read_as_it_is_meant(watch: Watched, address: str) -> None:
    page = watch.page()
    page.goto(f"{address}/spoken")
    before = spoken(page)
    assert before == READ.strip().splitlines()

    # A mistake is said beside its control, in the outline, and politely by itself.
    days = named(page, "#/content/days")
    days.fill("soon")
    days.blur()
    notice = page.locator(".ws-notice")
    expect(notice).to_have_text("1 problem")
    assert notice.get_attribute("role") == "status"
    assert changes(before, spoken(page)) == [
        'link "Content set: 4/7 problems: 1"',
        f'textbox "Days" = soon invalid - at least 0 Problem: {SENTENCE}',
        'disclosure "Details for developers: Days"',
    ]
    days.fill("3")
    expect(notice).to_have_text("No problems")
    assert spoken(page) == before

    # A form that comes back with a mistake is an alert, which has the focus.
    days.fill("soon")
    page.locator(".ws-primary").click()
    summary = page.locator(".ws-summary[role=alert]")
    expect(summary).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(days).to_be_focused()


def test_the_tab_key_goes_through_it_in_this_order(watch: Watched, address: str) -> None:
    page = watch.page()
    page.goto(f"{address}/spoken")
    for stop in STOPS:
        page.keyboard.press("Tab")
        while page.evaluate(IS_INSIDE):  # the parts of a date, and the button of its calendar
            page.keyboard.press("Tab")
        assert focused_name(page) == stop


# Whether the key has only gone to another part of the same control.
IS_INSIDE: Final = """() => {
  const { activeElement } = document;
  const isSame = window.lastStop === activeElement;
  window.lastStop = activeElement;
  return isSame;
}"""


def focused_name(page: Page) -> str:
    """The name of what has the focus; of a radio button, that of its group."""
    session = page.context.new_cdp_session(page)
    active = "(document.activeElement.closest('[role=radiogroup]') ?? document.activeElement)"
    found = session.send("Runtime.evaluate", {"expression": active})["result"]["objectId"]
    tree = {"objectId": found, "fetchRelatives": False}
    [node] = session.send("Accessibility.getPartialAXTree", tree)["nodes"]
    session.detach()
    return " ".join(_value(node, "name").split())
