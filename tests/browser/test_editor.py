"""The editor in a real browser, as people use it: the whole story, with and without JavaScript.

The file is in a repository, and Git says what has become of it: whoever changes three fields
changes three lines.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.bundling import packages
from tests.checkout import git
from tests.chromium import watched
from tests.editing import editor_of
from tests.unit.forms.test_html import DECKS, NODES, PILES, SLIDES_DATA
from widgetschema import WidgetType
from widgetschema.editor import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, ViewportSize

FOLDER = Path(__file__).parents[1] / "data"
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
PHONE: ViewportSize = {"width": 360, "height": 740}
WIDE: ViewportSize = {"width": 1280, "height": 800}
BOXES: Final = "all => all.map((one) => one.getBoundingClientRect().toJSON())"  # at one moment
ODD = '</script><img src=x onerror="hacked=1">'

TREE = {"name": "a", "children": [{"name": "b", "children": [{"name": "c", "children": []}]}]}
PILE = {"blocks": [{"kind": "words", "text": "a"}, {"kind": "picture", "src": "b"}]}
# Name → widget type (None: the countdown), data, the control of a text, what is there.
TYPES: dict[str, tuple[WidgetType | None, Any, str, str]] = {
    "countdown": (None, None, "#/data/content/timerTitle", "Black Friday ends in"),
    "nested lists": (DECKS, SLIDES_DATA, "#/content/slides/0/title", "One"),
    "recursive": (NODES, TREE, "#/children/0/name", "b"),
    "oneOf": (PILES, PILE, "#/blocks/0;1/text", "a"),
}


@contextmanager
def edited(
    browser: Browser,
    file: Path,
    *,
    type: WidgetType | None = None,
    scripts: bool = True,
    allowed: tuple[str, ...] = (),
    **more: Any,
) -> Iterator[Page]:
    """The page about a file, in a context of its own; whatever the browser complains of fails."""
    options: dict[str, Any] = (
        {} if type is None else {"type_id": type.id, "schemas": {type.id: type.schema}}
    )
    with (
        serving(editor_of(file, **options)) as address,
        watched(
            browser, allowed=allowed, java_script_enabled=scripts, **{"viewport": WIDE, **more}
        ) as watch,
    ):
        page = watch.page()
        page.goto(address)
        yield page


def committed(folder: Path, name: str = "widget.json", text: str | None = None) -> Path:
    """A file in a repository: the countdown of the README, or a text."""
    file = folder / name
    if text is None:
        shutil.copy(FOLDER / "widgets" / "black-friday.json", file)
    else:
        file.write_text(text, encoding="utf-8", newline="")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "before")
    return file


def changed_lines(folder: Path) -> list[str]:
    """The lines that Git says have changed, without their indentation."""
    lines = git(folder, "diff", "--unified=0").splitlines()
    return [f"{line[0]}{line[1:].strip()}" for line in lines if re.match(r"[-+](?![-+]{2})", line)]


def written(name: str) -> tuple[str | None, str, str]:
    """The text of a file about a type, the control of a text in it, and that text."""
    type, data, control, value = TYPES[name]
    text = None if type is None else json.dumps(data, indent=2) + "\n"
    return text, control, value


@SCRIPTS
def test_three_fields_are_three_lines(browser: Browser, tmp_path: Path, scripts: bool) -> None:
    file = committed(tmp_path)
    with edited(browser, file, scripts=scripts) as page:
        page.get_by_label("Timer title", exact=True).fill("The sale ends in")
        page.get_by_label("Skin ID", exact=True).fill("2")
        days = page.get_by_label("Timer days", exact=True)
        days.fill("soon")
        page.get_by_role("button", name="Check", exact=True).click()
        sentence = "Enter a number, for example 3"
        summary = page.locator(".ws-summary")
        summary.get_by_role("link", name=sentence).click()
        days = page.get_by_label("Timer days", exact=True)
        assert days.input_value() == "soon"
        assert days.get_attribute("aria-invalid") == "true"
        described = (days.get_attribute("aria-describedby") or "").split()
        said = [page.locator(f'[id="{id}"]').inner_text() for id in described]
        assert any(sentence in text for text in said)
        days.fill("5")
        if scripts:
            summary.locator(".ws-done").wait_for()
        page.get_by_role("button", name="Review changes").click()
        page.locator("#ed-review").wait_for()
        page.wait_for_load_state()  # then all of it is there
        fields = page.locator(".ed-changes li").all_inner_texts()
        assert any("Content › Timer days: 3" in one for one in fields)
        assert len(fields) == 3
        page.locator("#ed-review summary").click()
        shown = page.locator(".ed-difference").first
        shown.wait_for()
        assert shown.locator("ins").count() == shown.locator("del").count() == 3
        page.locator("#ed-review").get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("button", name="Undo last save").wait_for()
    assert changed_lines(tmp_path) == [
        '-"timerTitle": "Black Friday ends in",',
        '+"timerTitle": "The sale ends in",',
        '-"timerDays": 3,',
        '+"timerDays": 5,',
        '-"skinId": 4,',
        '+"skinId": 2,',
    ]


@SCRIPTS
@pytest.mark.parametrize("name", TYPES)
def test_what_was_not_edited_stays(
    browser: Browser, tmp_path: Path, name: str, scripts: bool
) -> None:
    text, control, value = written(name)
    file = committed(tmp_path, text=text)
    with edited(browser, file, type=TYPES[name][0], scripts=scripts) as page:
        with page.expect_navigation():  # the script asks the editor first: the click is over before
            page.get_by_role("button", name="Save", exact=True).first.click()
        assert changed_lines(tmp_path) == []
        text_control = page.locator(f'[name="{control}"]')
        assert text_control.input_value() == value
        text_control.fill("Zwölf 👍")
        page.get_by_role("button", name="Save", exact=True).first.click()
        page.get_by_role("button", name="Undo last save").wait_for()
        before, after = changed_lines(tmp_path)
        assert after == before.replace(f'"{value}"', '"Zwölf 👍"').replace("-", "+", 1)
        page.get_by_role("button", name="Undo last save").click()
        page.get_by_role("button", name="Undo last save").wait_for(state="detached")
        assert changed_lines(tmp_path) == []


def test_the_form_and_the_json_are_one_document(browser: Browser, tmp_path: Path) -> None:
    file = committed(tmp_path)
    with edited(browser, file) as page:
        pane = page.locator("#ed-pane")
        page.get_by_label("Timer title", exact=True).fill("From the form")
        expect(pane).to_have_value(re.compile("From the form"))
        pane.fill(pane.input_value().replace("From the form", "From the JSON"))
        expect(page.locator('[name="#/data/content/timerTitle"]')).to_have_value("From the JSON")
        page.get_by_role("button", name="Save", exact=True).first.click()
        page.get_by_role("button", name="Undo last save").wait_for()
    assert changed_lines(tmp_path)[1:] == ['+"timerTitle": "From the JSON",']


# What can be reached by Tab: of radio buttons the one that is chosen.
REACHABLE = """() => [...document.querySelectorAll('a[href], button, input, select, textarea')]
    .filter(one => one.checkVisibility() && one.tabIndex >= 0 && !one.disabled)
    .filter(one => one.type != 'radio' || one.checked)
    .map((one, index) => (one.dataset.number = index))
"""


def test_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    file = committed(tmp_path)
    with edited(browser, file) as page:
        missed = set(map(str, page.evaluate(REACHABLE)))
        assert 60 < len(missed) < 80  # a stop for each of 65 fields, and the buttons of the page
        title = page.locator('[name="#/data/content/timerTitle"]').get_attribute("data-number")
        stops = 0
        while missed:
            page.keyboard.press("Tab")
            stops += 1
            assert stops < 200, missed
            reached = page.evaluate("() => document.activeElement.dataset.number")
            missed.discard(reached)
            if reached == title:
                page.keyboard.press("ControlOrMeta+A")
                page.keyboard.type("By keyboard")
        assert missed == set()
        assert stops <= 85  # with the parts of a date
        page.keyboard.press("ControlOrMeta+S")
        page.get_by_role("button", name="Undo last save").wait_for()
    assert changed_lines(tmp_path)[1:] == ['+"timerTitle": "By keyboard",']


@pytest.mark.parametrize("keys", ["Control+S", "Meta+S", None])
def test_saving_leaves_one_where_one_was(
    browser: Browser, tmp_path: Path, keys: str | None
) -> None:
    file = committed(tmp_path)
    with edited(browser, file) as page:
        title = page.locator('[name="#/data/styles/title;0/fontSize;1"]')
        title.fill("33")
        top = page.evaluate("scrollY")
        assert top > 500
        if keys is None:  # by the mouse itself: `click` would scroll the page
            box = page.locator("header [value=save]").bounding_box()
            assert box is not None
            page.mouse.click(box["x"] + 5, box["y"] + 5)
        else:
            page.keyboard.press(keys)
        page.get_by_role("button", name="Undo last save").wait_for()
        page.wait_for_load_state()  # then its scripts have run
        assert page.evaluate("scrollY") == top
        expect(title if keys else page.locator("header [value=save]")).to_be_focused()
        expect(page.locator("#ed-status")).to_be_in_viewport()
    assert changed_lines(tmp_path)[-1] == '+"fontSize": 33,'


def test_what_was_saved_is_said_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    with edited(browser, committed(tmp_path), viewport=PHONE, has_touch=True) as page:
        size = page.locator('[name="#/data/styles/title;0/fontSize;1"]')
        size.fill("33")
        page.set_viewport_size({"width": 320, "height": 640})
        legend = page.locator("legend").filter(has_text=re.compile("^Container$"))
        kind = legend.locator("xpath=../span[@class='ws-type']/select")
        label, select = legend.or_(kind).evaluate_all(BOXES)
        assert label["height"] < 30  # in one line, beside the middle of its type
        middles = [one["y"] + one["height"] / 2 for one in (label, select)]
        assert abs(middles[0] - middles[1]) < 4
        page.set_viewport_size(PHONE)
        page.get_by_role("button", name="Save", exact=True).first.click()
        page.get_by_role("button", name="Undo last save").wait_for()
        page.wait_for_load_state()
        assert page.evaluate("scrollY") > 500
        expect(page.locator("#ed-status")).to_be_in_viewport(ratio=1)
        expect(page.locator("#ed-status")).to_contain_text("Saved")


@cache
def axe() -> str:
    """The script of axe-core."""
    return (packages() / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


# What axe-core cannot decide, as it says of each, and what decides it instead.
UNDECIDED: Final = {
    # The text area is not painted where the layer below it is: `test_the_colours_of_the_layer`.
    "#ed-pane": "Element has a 1:1 contrast ratio with the background",
    # A preview is the page of an application, or a text in Markdown, and runs no script.
    ".ws-frame, .ws-rendered > iframe": "The iframe still has to be tested with axe-core",
    # A line that the edge of the pane cuts; those beside it have the same colours, and are decided.
    ".ed-numbers > div": "partially obscured by another element",
}
# The rules whose results depend on colours. All others say on a dark page what they say on a light one.
COLOURS: Final = ("color-contrast", "link-in-text-block")
# The colour schemes, with the rules to check in each: None for all.
SCHEMES: Final[dict[Literal["light", "dark"], tuple[str, ...] | None]] = {
    "light": None,
    "dark": COLOURS,
}
# What a bar covers that stays in its place is looked at again in the middle of the window, and with it
# all that is still undecided. What an open menu, list or tip covers cannot be read, and is decided when
# that is closed.
RUN_AXE: Final = """async ([expected, within, rules]) => {
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));  // such as of colors
  const sayings = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message);
  const isExpected = (node) => Object.entries(expected).some(([selector, reason]) =>
    document.querySelector(node.target.at(-1))?.matches(selector) && sayings(node).every((one) => one.endsWith(reason)));
  const options = {
    checks: { "color-contrast": { options: { ignoreUnicode: false, ignoreLength: true } } },
    resultTypes: ["violations", "incomplete"],  // the others are not read
    iframes: false,  // none of them runs a script that could answer
  };
  const run = async (include, runOnly) => {
    const { violations, incomplete } = await axe.run({ include }, { ...options, ...(runOnly && { runOnly }) });
    const nodes = (rules) => rules.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, ...node })));
    return [nodes(violations), nodes(incomplete).filter((node) => !isExpected(node))];
  };
  const shown = (kind, nodes) =>
    nodes.map((node) => `${kind} ${node.id}: ${node.html.slice(0, 200)} (${sayings(node).join(", ")})`);
  let [violated, undecided] = await run([within], rules);
  const again = [];
  const top = scrollY;
  while (undecided.length) {
    if (undecided.some(({ target }) => !document.querySelector(target.at(-1)))) return null;  // replaced meanwhile
    const [looked, ...others] = undecided;
    const isOne = (node) => (other) => other.id === node.id && `${other.target}` === `${node.target}`;
    const element = document.querySelector(looked.target.at(-1));
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    if (document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".ws-menu, .ws-options, .ed-tip")) {
      undecided = others;
      continue;
    }
    const ids = [...new Set(undecided.map(({ id }) => id))];
    const [worse, still] = await run(undecided.map(({ target }) => target), ids);
    violated.push(...worse);
    again.push(...still.filter(isOne(looked)));
    undecided = others.filter((node) => still.some(isOne(node)));
  }
  scrollTo({ top, behavior: "instant" });
  return [...shown("violated", violated), ...shown("undecided", again)];
}"""


def violations(
    page: Page, within: str = ":root", *, rules: tuple[str, ...] | None = None
) -> list[str]:
    """Return what axe-core finds or cannot decide: WCAG up to 2.2 AA, and best practice, or `rules`."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe())
    found: list[str] | None = None
    while found is None:  # what is looked at again was replaced meanwhile, as a preview is
        # axe-core looks into frames
        page.wait_for_function("() => !document.querySelector('.ws-coming')")
        found = page.evaluate(RUN_AXE, [UNDECIDED, within, rules])
    return found


NO_SCRIPTS: Final = ("Content Security Policy", "net::ERR_FAILED")  # what the browser says of it


def without_scripts(page: Page) -> None:
    """Load the page again without its scripts. With none at all, axe-core could not run, either."""

    def answer(route: Route) -> None:
        if route.request.resource_type == "script":
            route.abort()
        elif route.request.is_navigation_request() and route.request.method == "GET":
            response = route.fetch()
            headers = {**response.headers, "content-security-policy": "script-src 'none'"}
            route.fulfill(response=response, headers=headers)
        else:
            route.continue_()

    page.route("**", answer)
    page.reload()
    assert page.locator(".ws-scripted").count() == 0


def everybody_can_use(page: Page) -> None:
    """Check the page, wide and on a phone, light and dark."""
    page.wait_for_load_state()
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        for scheme, rules in SCHEMES.items():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(page, rules=rules) == [], (page.url, size, scheme)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], (page.url, size, scheme)


@pytest.mark.parametrize("name", TYPES)
def test_everybody_can_use_it(browser: Browser, tmp_path: Path, name: str) -> None:
    text, control, value = written(name)
    file = committed(tmp_path, text=text)
    with edited(browser, file, type=TYPES[name][0]) as page:
        everybody_can_use(page)
        pane = page.locator("#ed-pane")
        whole = pane.input_value()
        pane.fill(whole.replace(json.dumps(value), "[1]"))
        page.locator(".ws-errors").first.wait_for()
        everybody_can_use(page)
        pane.fill("{")
        expect(page.locator("#ed-refusals")).not_to_be_empty()
        everybody_can_use(page)
        pane.fill(whole.replace(json.dumps(value), '"Other"'))
        expect(page.locator(f'[name="{control}"]')).to_have_value("Other")
        page.get_by_role("button", name="Review changes").click()
        page.locator("#ed-review").wait_for()
        everybody_can_use(page)


def test_everybody_can_use_it_without_scripts(browser: Browser, tmp_path: Path) -> None:
    with edited(browser, committed(tmp_path), allowed=NO_SCRIPTS) as page:
        without_scripts(page)
        page.get_by_label("Timer title", exact=True).fill("The sale ends in")
        page.get_by_role("button", name="Review changes").click()
        page.locator("#ed-review").wait_for()
        everybody_can_use(page)


def test_nobody_else_writes_on_the_page(browser: Browser, tmp_path: Path) -> None:
    schema = {
        "properties": {
            "data": {
                "title": ODD,
                "description": ODD,
                "properties": {
                    ODD: {"title": ODD, "description": ODD, "enum": [ODD, "b"]},
                    "a": {"type": "string", "title": ODD, "default": ODD, "examples": [ODD]},
                    "b": {"oneOf": [{"title": ODD, "type": "string"}, {"const": ODD}]},
                },
            }
        }
    }
    type = WidgetType.from_schema(schema, id="odd")
    data = {ODD: ODD, "a": ODD, "b": ODD, f"{ODD}2": {ODD: [ODD]}, "c": 5}
    name = "<img src=x onerror=hacked=1>.json"
    file = committed(tmp_path, name, json.dumps(data, indent=2))
    with edited(browser, file, type=type) as page:
        page.locator("#ed-pane").fill(json.dumps({**data, "a": 5, "d": ODD}, indent=1))
        page.locator(".ws-summary").wait_for()
        page.get_by_role("button", name="Review changes").click()
        page.locator("#ed-review").wait_for()
        page.get_by_role("button", name="Check", exact=True).click()
        page.locator("#ed-review").wait_for(state="detached")
        assert page.evaluate("typeof hacked") == "undefined"
        assert page.locator("img").count() == 0
        assert page.get_by_role("heading", name=name).count() >= 1
