"""The preview beside the form in a real browser: live, by width, and without any rights."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from examples.countdown_preview import render
from tests.browser.test_editor import everybody_can_use
from tests.chromium import answered, watched
from tests.editing import TITLE, WIDGET, editor_of
from widgetschema.editor import RenderedPreview, serving

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Browser


# What a page would do to the editor, if it could.
HOSTILE = """<script>parent.document.body.dataset.hacked = 1; top.location = "/hacked"</script>
<img src="data:image/png," onerror="parent.document.body.dataset.hacked = 1">
<a id="out" href="/hacked" target="_top">out</a>
<form id="send" action="/live" method="post"><button>send</button></form>
<iframe src="/"></iframe><h1>{}</h1>"""
EXPECTED = (
    "Blocked script execution",
    "Content Security Policy",
    "Unsafe attempt to initiate navigation",
    "Blocked form submission",
    "net::ERR_BLOCKED_BY_CSP",
    "net::ERR_INVALID_URL",
)


def test_a_preview_beside_the_form(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "black-friday.json"
    shutil.copy(WIDGET, file)
    made: list[Any] = []

    def counted(data: Any) -> str:
        made.append(data)
        return render(data)

    size = {"width": 1280, "height": 800}
    with (
        serving(editor_of(file, preview=RenderedPreview(counted))) as address,
        watched(browser, viewport=size) as watch,
    ):
        page = watch.page()
        page.goto(address)
        pane, stage = page.locator("#ed-pane"), page.locator("#ed-preview .ws-stage")
        assert pane.is_visible()
        assert not stage.is_visible()
        tabs = page.get_by_role("group", name="Beside the form")
        tabs.get_by_role("button", name="Preview").click()
        assert not pane.is_visible()
        heading = page.frame_locator(".ws-frame:last-child").get_by_role("heading")
        expect(heading).to_have_text("Black Friday ends in")

        title = page.locator(f'[name="{TITLE}"]').last
        title.fill("Only today 👍")
        expect(heading).to_have_text("Only today 👍")
        expect(page.locator(".ws-frame")).to_have_count(1)
        before = len(made)
        with answered(page):
            page.locator("#ed").dispatch_event("widgetschema:check")
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(heading).to_have_text("Black Friday ends in")
        assert len(made) == before + 1  # the same data is not rendered again

        widths = page.get_by_role("group", name="Width of the preview")
        for name, width in (("Phone", 375), ("Tablet", 768), ("Desktop", 1280)):
            widths.get_by_role("button", name=name).click()
            shown = page.locator(".ws-frame:not(.ws-coming)")  # another one may come meanwhile
            expect(shown).to_have_js_property("clientWidth", width)
            over = stage.evaluate(
                """(stage) => stage.querySelector(".ws-frame:not(.ws-coming)")
                    .getBoundingClientRect().right - stage.getBoundingClientRect().right"""
            )
            assert over <= 1
        everybody_can_use(page)
        page.set_viewport_size(size)  # type: ignore[arg-type]
        with page.expect_navigation():
            page.keyboard.press("ControlOrMeta+S")
        expect(heading).to_have_text("Black Friday ends in")
        assert not pane.is_visible()  # the choice stays on the next page
        tabs.get_by_role("button", name="JSON").click()
        assert pane.is_visible()


def test_what_is_in_a_preview_reaches_nothing(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "black-friday.json"
    shutil.copy(WIDGET, file)

    def hostile(data: Any) -> str:
        return HOSTILE.replace("{}", data["content"]["timerTitle"])

    with (
        serving(editor_of(file, preview=RenderedPreview(hostile))) as address,
        watched(browser, allowed=EXPECTED) as watch,
    ):
        page = watch.page()
        page.goto(address)
        page.get_by_role("button", name="Preview", exact=True).click()
        frame = page.frame_locator(".ws-frame:last-child")
        expect(frame.get_by_role("heading")).to_have_text("Black Friday ends in")
        frame.get_by_role("link", name="out").click()
        frame.get_by_role("button", name="send").click()
        page.locator(f'[name="{TITLE}"]').last.fill("<script>parent.document.title = 1</script>x")
        expect(frame.get_by_role("heading")).to_contain_text("x")
        assert page.locator("body").get_attribute("data-hacked") is None
        assert page.title() == "black-friday.json · widgetschema"
        assert page.url.startswith(address.partition("/?")[0])
        assert "hacked" not in page.url
        page.evaluate("() => { window.onbeforeunload = null; }")
