"""Pictures of forms, of the editor, of reports and of the command, as Chromium shows them.

`python -m tests.pictures FOLDER` makes each form, and the report of an audit, in light and dark, on a wide
page and on a phone: to look at. `python -m tests.pictures` makes those of the manual. Not a test: nothing
here passes or fails. Needs the extras `test` and `docs`, Chromium and Neovim.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from examples import countdown_preview
from tests.auditing import MADE, TITLE, summary
from tests.checkout import ROOT
from tests.chromium import chromium_path
from tests.editing import editor_of
from tests.gallery import gallery, reduce_colors
from tests.manual import Reader, check_out, read
from tests.neovim import Neovim
from tests.unit.forms.test_html import FORMS, after
from widgetschema.audit.page import render
from widgetschema.editor import RenderedPreview, serving

WIDTHS = (1280, 360)
MANUAL = ROOT / "docs" / "_static" / "pictures"
TERMINAL = """<!doctype html><style>
pre { display: inline-block; margin: 0; padding: 20px 24px; border-radius: 8px; background: #fbfbfc;
  border: 1px solid #d7dade; color: #24292f; font: 13px/1.5 "DejaVu Sans Mono", monospace;
  max-width: 940px; white-space: pre-wrap; }
.c1 { font-weight: bold } .c2 { opacity: .65 } .c31 { color: #b3261e } .c32 { color: #19692c }
.c33 { color: #7a5900 } .c34 { color: #0b57a4 } .c36 { color: #00696d }
</style><pre>{}</pre>"""

MISTAKES = "widgetschema validate tests/data/mistakes/summer-sale.json"
DIFFERENCE = "widgetschema diff countdown tests/data/drift/countdown.json"
EDITED = """{
  "content": {
    "timerTitle": "The sale ends in",
    "timerDays": "3"
  },
  "setings": {"showDays": true},
  "styles": {
    "countdownSize": "large",
    "layout": "layout-2"
  }
}
"""


def pages() -> dict[str, str]:
    """The pages to show, by the names of the files."""
    edited = {"#/content/timerHours": "1,5"}
    forms = {
        "countdown": FORMS["countdown"],
        "least": FORMS["countdown, least"],
        "mistakes": after(FORMS["countdown, mistakes"], **edited).form,
        "lists": FORMS["lists"],
        "recursive": after(FORMS["recursive"], "open#/next").form,
        "alternatives": FORMS["alternatives"],
    }
    drawn = {name: form.page(title=f"{name}.json") for name, form in forms.items()}
    return {**drawn, "audit": report()}


def report() -> str:
    """The report of an audit."""
    return render(summary("many"), title=TITLE, made=MADE)


def main() -> None:
    """Make the pictures as PNG files."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        if len(sys.argv) > 1:
            every(browser, Path(sys.argv[1]))
        else:
            terminal(browser, MANUAL / "terminal.png", MISTAKES)
            terminal(browser, MANUAL / "diff.png", DIFFERENCE)
            form(browser, MANUAL / "form.png")
            editor(browser, MANUAL / "editor.png")
            preview(browser, MANUAL / "preview.png")
            audit(browser, MANUAL / "audit.png")
            migration(browser, MANUAL / "migration.png")
            neovim(browser, MANUAL)
            for path in MANUAL.glob("*.png"):
                reduce_colors(Image.open(path).convert("RGB"), 192).save(path, optimize=True)
            gallery(browser, MANUAL / "gallery")
        browser.close()


def every(browser: Browser, folder: Path) -> None:
    """Make all pages, light and dark, wide and narrow."""
    folder.mkdir(parents=True, exist_ok=True)
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": 800},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            page = context.new_page()
            for name, markup in pages().items():
                page.set_content(markup)
                path = folder / f"{name}-{scheme}-{width}.png"
                page.screenshot(path=path, full_page=True)
            context.close()


def terminal(browser: Browser, path: Path, command: str) -> None:
    """A command in a terminal: what a reader sees in a checkout."""
    program, *arguments = command.split()
    with TemporaryDirectory() as folder:
        check_out(Path(folder))
        run = subprocess.run(
            [Path(sys.executable).parent / program, *arguments, "--color", "always"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
    page = browser.new_page(viewport={"width": 1000, "height": 400}, device_scale_factor=2)
    page.set_content(TERMINAL.replace("{}", f"<b>$</b> {command}\n{colored(run.stdout)}"))
    page.locator("pre").screenshot(path=path)
    page.close()


def colored(text: str) -> str:
    """Turn text with SGR sequences (ECMA-48, section 8.3.117) into HTML."""
    parts, opened = [], 0
    for part in re.split(r"(\x1b\[\d*m)", text):
        code = re.fullmatch(r"\x1b\[(\d*)m", part)
        if code is None:
            parts.append(html.escape(part))
        elif code[1] in ("", "0"):
            parts.append("</span>" * opened)
            opened = 0
        else:
            parts.append(f'<span class="c{code[1]}">')
            opened += 1
    return "".join(parts)


def form(browser: Browser, path: Path) -> None:
    """A form with a finding beside its field."""
    page = browser.new_page(viewport={"width": 1000, "height": 760})
    shown = after(FORMS["countdown, mistakes"], **{"#/content/timerHours": "1,5"}).form
    page.set_content(shown.page(title="Countdown"))
    page.screenshot(path=path)
    page.close()


def editor(browser: Browser, path: Path) -> None:
    """The editor with a file in which one field has a finding."""
    document = ROOT / "tests" / "data" / "widgets" / "black-friday.json"
    with TemporaryDirectory() as folder:
        file = shutil.copy(document, folder)
        with serving(editor_of(Path(file))) as address:
            page = browser.new_page(viewport={"width": 1180, "height": 980})
            page.goto(address)
            page.get_by_label("Timer title", exact=True).fill("The sale ends in")
            page.get_by_label("Timer days", exact=True).fill("soon")
            page.get_by_role("button", name="Check", exact=True).click()
            page.locator(".ws-summary").wait_for()
            page.evaluate("() => (document.activeElement.blur(), scrollTo(0, 0))")
            page.screenshot(path=path)
            page.close()


def preview(browser: Browser, path: Path) -> None:
    """The editor with the example's preview of a countdown."""
    document = ROOT / "tests" / "data" / "widgets" / "black-friday.json"
    now = datetime(2027, 11, 22, 9, 30, tzinfo=UTC)
    shown = RenderedPreview(lambda data: countdown_preview.render(data, now))
    with TemporaryDirectory() as folder:
        file = shutil.copy(document, folder)
        with serving(editor_of(Path(file), preview=shown)) as address:
            page = browser.new_page(viewport={"width": 1180, "height": 720})
            page.goto(address)
            page.get_by_label("Timer title", exact=True).fill("The sale ends in")
            page.get_by_role("button", name="Preview", exact=True).click()
            frame = page.frame_locator(".ws-frame:last-child")
            frame.get_by_text("The sale ends in").wait_for()
            page.evaluate("() => (document.activeElement.blur(), scrollTo(0, 0))")
            page.mouse.move(0, 0)
            page.screenshot(path=path)
            page.close()


def audit(browser: Browser, path: Path) -> None:
    """The report of an audit: what is wrong, where, and since when."""
    page = browser.new_page(viewport={"width": 1180, "height": 1340})
    page.set_content(report())
    page.screenshot(path=path)
    page.close()


def migration(browser: Browser, path: Path) -> None:
    """The page for the reviewers of the plan that the guide of migrations ends with."""
    guide = read(ROOT / "docs" / "guides" / "migrating.md")
    with TemporaryDirectory() as folder, ExitStack() as stack:
        reader = Reader(guide, Path(folder), stack)
        for block in guide.blocks:
            reader.follow(block)
            if "plan.toml: every record comes out valid" in block.code:
                break
        reader.run("widgetschema migrate check plan.toml --html plan.html")
        page = browser.new_page(viewport={"width": 1180, "height": 890})
        page.goto((reader.folder / "plan.html").as_uri())
        page.screenshot(path=path)
        page.close()


def neovim(browser: Browser, folder: Path) -> None:
    """Neovim with the language server: findings with their fixes, and completion."""
    with TemporaryDirectory() as project:
        (Path(project) / "widgetschema.toml").write_text('[files]\n"*.json" = "countdown"\n')
        file = Path(project) / "sale.json"
        file.write_text(EDITED)
        with Neovim(file) as editor:
            editor.wait_for("●")
            editor.press(":4\rf3:lua vim.lsp.buf.code_action()\r")
            editor.wait_for("Type number")
            screen(browser, editor, folder / "neovim-fixes.png")
            editor.press("1\r")
            editor.wait_for('"timerDays": 3')
            editor.press('9GA,\r"co\x18\x0f')
            editor.wait_for("containerBg")
            screen(browser, editor, folder / "neovim-completion.png")


def screen(browser: Browser, editor: Neovim, path: Path) -> None:
    """Take a picture of the editor."""
    page = browser.new_page(viewport={"width": 1000, "height": 600}, device_scale_factor=2)
    page.set_content(TERMINAL.replace("{}", editor.as_html()))
    page.locator("pre").screenshot(path=path)
    page.close()


if __name__ == "__main__":
    main()
