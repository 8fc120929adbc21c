"""The layer over the JSON pane in a real browser: what is drawn, marked and shown.

Work is counted in the nodes that are made, never in time.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import expect

from tests.browser.test_editor import COLOURS, violations
from tests.chromium import answered, watched
from tests.editing import editor_of
from widgetschema.editor import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


SCHEMA: Final = {
    "properties": {
        "data": {
            "properties": {
                "title": {"type": "string"},
                "days": {"type": "number"},
                "hours": {"type": "number"},
                "inner": {"type": "object", "properties": {"list": {"items": {"type": "string"}}}},
                "much": {"type": "object"},
            }
        }
    }
}
ODD: Final = [
    '"tabs":\t"a\tb",',
    '"عربي": "שלום עולם", "x": [1, 2],',
    '"👍👩‍👩‍👧": "e\u0301 \U00020000 漢字", "n": -1.5e+3, "t": true, "a\\"b\\\\": null,',
    '"fi ffi -> !=": "<b>bold</b> & </textarea>",',
    *(f'"{number}": [{number}],' for number in range(200)),
]
# How many nodes a script adds below the layer while it works.
COUNTED: Final = """async (work) => {
  let added = 0;
  const count = (changes) => { for (const one of changes) added += one.addedNodes.length; };
  const watch = new MutationObserver(count);
  watch.observe(document.getElementById("ed-code"), { childList: true, subtree: true });
  const pane = document.getElementById("ed-pane");
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await eval(work);
  await frame();
  count(watch.takeRecords());
  watch.disconnect();
  return added;
}"""
# How many pixels of two pictures differ by more than half, and how many are dark.
COMPARED: Final = """async (pictures) => {
  const pixels = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  };
  const [one, other] = [await pixels(pictures[0]), await pixels(pictures[1])];
  let [differ, dark] = [0, 0];
  for (let at = 0; at < one.length; at += 4) {
    differ += Math.abs(one[at] - other[at]) > 128;
    dark += one[at] < 128;
  }
  return [differ, dark];
}"""
# Show the text of the text area alone, or that of the layer alone, both in black.
SHOW: Final = """(area) => {
  document.getElementById("ed-pane").style.setProperty("color", area ? "black" : "transparent", "important");
  document.querySelector(".ed-lines").style.visibility = area ? "hidden" : "visible";
  for (const one of document.querySelectorAll(".ed-lines *"))
    one.style.cssText = "color: black !important; background: none; text-decoration: none";
}"""


# The classes of what axe-core has seen in the layer.
DECIDED: Final = """() => axe.run(".ed-lines", { runOnly: ["color-contrast"] }).then(({ passes }) =>
  passes.flatMap(({ nodes }) => nodes).map(({ target }) => document.querySelector(target[0]).className)
    .filter((name) => name.startsWith("ed-") && name !== "ed-current"))"""
# A busy machine may paint what was scrolled into sight after a picture: so many more are taken.
PICTURES: Final = 20


@contextmanager
def shown(browser: Browser, path: Path, **options: Any) -> Iterator[Page]:
    """The editor of a file."""
    with (
        serving(editor_of(path, type_id="x", schemas={"x": SCHEMA})) as address,
        watched(browser, viewport={"width": 1280, "height": 800}, **options) as watch,
    ):
        page = watch.page()
        page.goto(address)
        yield page


def put_caret(page: Page, text: str) -> None:
    """Put the caret into the pane, before a text."""
    page.locator("#ed-pane").evaluate(
        """(pane, text) => {
          pane.focus();
          const at = pane.value.indexOf(text) + 1;
          pane.setSelectionRange(at, at);
        }""",
        text,
    )
    page.keyboard.press("ArrowLeft")


def line_of(page: Page, text: str) -> int:
    """The number of the line in the pane on which a text is."""
    before, found, _ = page.locator("#ed-pane").input_value().partition(text)
    assert found
    return before.count("\n") + 1


def compared(page: Page) -> tuple[int, int]:
    """Count the pixels of the text area and of the layer that differ, and those that are dark."""
    pictures = []
    for area in (True, False):
        page.evaluate(SHOW, area)
        picture = page.locator(".ed-sheet").screenshot()
        pictures.append(base64.b64encode(picture).decode())
    differ, dark = page.evaluate(COMPARED, pictures)
    return differ, dark


def test_the_layer_shows_what_the_text_area_holds(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(("{\r\n" + "\r\n".join(ODD) + '\r\n"last": 1}').encode())
    with shown(browser, path) as page:
        pane = page.locator("#ed-pane")
        assert page.locator(".ed-lines > div").all_inner_texts()[1:5] == ODD[:4]
        kinds = {name: page.locator(f".ed-lines .ed-{name}") for name in ("key", "string", "word")}
        assert kinds["key"].all_inner_texts()[3] == '"👍👩‍👩‍👧"'
        assert kinds["string"].all_inner_texts()[:2] == ['"a\tb"', '"שלום עולם"']
        assert kinds["word"].all_inner_texts() == ["true", "null"]
        assert page.locator(".ed-lines b").count() == 0
        for top, left in ((0, 0), (37, 90), (2000, 0), (9000, 0)):
            pane.evaluate("(one, [y, x]) => one.scrollTo(x, y)", [top, left])
            for _ in range(PICTURES):
                differ, dark = compared(page)
                if (differ, dark > 500) == (0, True):
                    break
            assert (differ, dark > 500) == (0, True), (top, left)
        first = int(page.locator(".ed-numbers > div").first.inner_text())
        assert first > 100
        page.reload()
        pane.evaluate(f"(one) => {{ one.value = '[\"{'x' * 5000}\"]'; }}")
        with answered(page):  # to the check when it gets the focus
            pane.press("End")
        pane.press("a")
        expect(page.locator("#ed-code")).not_to_have_class(re.compile("ed-coloured"))
        expect(pane).not_to_have_css("color", "rgba(0, 0, 0, 0)")
        page.emulate_media(forced_colors="active")
        expect(page.locator(".ed-lines")).to_be_hidden()
        pane.fill("{}")
        expect(page.locator("#ed-code")).to_have_class(re.compile("ed-coloured"))
        expect(pane).not_to_have_css("color", "rgba(0, 0, 0, 0)")
        page.evaluate("() => { window.onbeforeunload = null; }")


def test_the_colours_of_the_layer(browser: Browser, tmp_path: Path) -> None:
    """The text area is transparent, and what is below it hidden: axe-core decides neither."""
    path = tmp_path / "widget.json"
    data = {"title": "Sale", "days": "soon", "much": {"a": [1, True]}}
    path.write_text(json.dumps(data, indent=2))
    with shown(browser, path) as page:
        put_caret(page, "Sale")
        expect(page.locator(".ed-lines > .ed-current")).to_have_count(1)
        page.evaluate("""() => {
          document.querySelector(".ed-lines").inert = false;
          document.getElementById("ed-pane").style.visibility = "hidden";
        }""")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(page, rules=COLOURS) == []
            decided = page.evaluate(DECIDED)
            assert sorted(set(decided)) == ["ed-key", "ed-number", "ed-string", "ed-word"], scheme


def test_findings_fields_and_lines(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "widget.json"
    much = {f"member {number}": number for number in range(60)}
    data = {"title": "👍 Sale", "days": "soon", "much": much, "inner": {"list": ["a", 2]}}
    path.write_text(json.dumps({**data, "hours": "many"}, indent=2, ensure_ascii=False))
    with shown(browser, path) as page:
        marks, tip = page.locator(".ed-marks button"), page.locator("#ed-tip")
        lines = [line_of(page, text) for text in ('"soon"', " 2\n", '"many"')]
        names = [one.get_attribute("aria-label") or "" for one in marks.all()]
        assert [name.partition(":")[0] for name in names] == [f"Line {line}" for line in lines]
        assert '"soon" is a string, but must be a number' in names[0]
        assert page.locator(".ed-marks").get_attribute("aria-label") == "Problems in the JSON"

        marks.first.hover()
        expect(tip).to_contain_text('"soon" is a string')
        page.keyboard.press("Escape")
        expect(tip).to_be_hidden()
        marks.first.focus()
        expect(tip).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("End")
        expect(marks.last).to_be_focused()
        expect(tip).to_contain_text('"many" is a string')
        expect(marks.last).to_be_in_viewport()
        assert [one.get_attribute("tabindex") for one in marks.all()] == ["-1", "-1", "0"]
        page.keyboard.press("Enter")
        expect(page.locator("#ed-pane")).to_be_focused()
        expect(page.locator(".ed-here")).to_contain_text('"many" is a string')
        page.keyboard.press("F8")
        expect(page.locator(".ed-position")).to_have_text(f"Line {lines[0]}, column 11")
        page.keyboard.press("Shift+F8")
        expect(page.locator(".ed-position")).to_contain_text(f"Line {lines[-1]},")

        # The caret in a value shows its field, and a button leads there.
        go = page.locator(".ed-go")
        put_caret(page, "Sale")
        expect(go).to_have_text("Go to Title")
        expect(page.locator(".ed-position")).to_have_text("Line 2, column 15")
        assert page.locator(".ed-shown").get_by_label("Title", exact=True).count() == 1
        current = page.locator(".ed-numbers .ed-current")
        expect(current).to_have_text(["2"])
        go.click()
        expect(page.get_by_label("Title", exact=True)).to_be_focused()
        assert page.locator(".ed-shown").count() == 0
        page.keyboard.press(
            "ControlOrMeta+."
        )  # the menu of the field, which is about the same value
        expect(page.locator(".ws-more[open]")).to_have_count(1)
        expect(current).to_have_text(["2"])
        page.keyboard.press("Escape")
        put_caret(page, "2\n")
        expect(go).to_have_text(re.compile("Go to .*2"))
        put_caret(page, '"member 3"')
        expect(go).to_have_text("Go to member 3")
        expect(page.locator(".ed-shown")).to_have_count(1)

        # The focus in a field shows its lines, although they were far away.
        pane = page.locator("#ed-pane")
        hours = page.locator('[name="#/hours"]')
        hours.focus()
        expect(current).to_have_text([str(lines[-1])])
        assert pane.evaluate("(one) => one.scrollTop") > 100
        hours.fill("3")
        expect(marks).to_have_count(2)
        expect(current).to_have_text([str(lines[-1])])
        page.get_by_label("Title", exact=True).focus()
        expect(current).to_have_text(["2"])

        # While nothing can be read, the reasons are marked.
        pane.fill('{\n"👍": 1,\n}')
        expect(marks).to_have_count(1)
        expect(marks).to_have_attribute("aria-label", re.compile("^Line [23]: "))
        expect(go).to_be_hidden()
        page.evaluate("() => { window.onbeforeunload = null; }")


def test_a_large_text_costs_what_is_in_sight(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    much = {f"member {number}": "x" * 20 for number in range(26_000)}
    path.write_text(json.dumps({"title": "a", "days": 1, "much": much, "hours": 2}, indent=1))
    assert path.stat().st_size > 1_000_000
    with shown(browser, path) as page:
        counted = {
            "nothing": "frame()",
            "a line": "(pane.scrollTop = 24, frame())",
            "the end": "(pane.scrollTop = 1e7, frame())",
            "typing": "(pane.focus(), pane.setSelectionRange(20, 20), frame())"
            '.then(() => document.execCommand("insertText", false, "x"))',
        }
        added = {name: page.evaluate(COUNTED, work) for name, work in counted.items()}
        drawn = page.locator(".ed-lines > div").count()
        nodes = page.locator(".ed-code *").count()
        assert drawn < 40
        assert nodes < 40 * 6
        assert added["nothing"] == 0
        assert 0 < added["a line"] <= 4  # a line, a number, a tooltip's text
        assert added["the end"] < 40 * 3
        assert added["typing"] < 40 * 3 + 2  # the lines at the beginning come back
        pane = page.locator("#ed-pane")
        pane.evaluate("(one) => { one.scrollTop = one.scrollHeight; }")
        last = page.locator(".ed-numbers > div").last
        expect(last).to_have_text("26007")


def test_the_text_area_of_a_long_text_follows_before_anybody_uses_it(
    browser: Browser, tmp_path: Path
) -> None:
    """The lines show an edit of the form at once; here, the browser never has time for more."""
    path = tmp_path / "long.json"
    much = {str(number): number for number in range(600)}
    path.write_text(json.dumps({"title": "One", "days": 1, "much": much}, indent=2))
    with (
        serving(editor_of(path, type_id="x", schemas={"x": SCHEMA})) as address,
        watched(browser, viewport={"width": 1280, "height": 800}) as watch,
    ):
        watch.context.add_init_script("window.requestIdleCallback = () => 0")
        page = watch.page()
        page.goto(address)
        pane = page.locator("#ed-pane")
        for title in ("Two", "Three"):
            page.locator("[name='#/title']").fill(title)
            expect(page.locator(".ed-lines > div").nth(1)).to_have_text(f'  "title": "{title}",')
            assert '"title": "One"' in pane.input_value()
        put_caret(page, '"days": 1')
        assert '"title": "Three"' in pane.input_value()
        page.keyboard.insert_text('"hours": 7, ')
        expect(page.locator("[name='#/hours']")).to_have_value("7")
        page.locator("[data-save]").click()
        expect(page.locator("#ed-status")).to_contain_text("Saved")
    found = json.loads(path.read_text())
    assert (found["title"], found["days"], found["hours"]) == ("Three", 1, 7)
