"""Pictures of forms, of the editor and of reports, to look at: `python -m tests.pictures FOLDER`.

Each form, and the report of an audit, in light and dark, on a wide page and on a phone, as Chromium
shows it; `editor.png` and `audit.png` are those of the README. Not a test: nothing here passes or fails. Needs the extra `test`, and
Chromium.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.auditing import MADE, TITLE, summary
from tests.chromium import chromium_path
from tests.editing import editor_of
from tests.test_form_html import FORMS, after
from widgetschema.audit.page.report import render
from widgetschema.editor import serving

WIDTHS = (1280, 360)


def pages() -> dict[str, str]:
    """What is shown, by the names of the files."""
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


def main(folder: Path) -> None:
    """All pictures, as PNG files in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
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
        editor(browser, folder / "editor.png")
        audit(browser, folder / "audit.png")
        browser.close()


def editor(browser: Browser, path: Path) -> None:
    """The editor with a file in which one field has a mistake."""
    document = Path(__file__).parent / "data" / "widgets" / "black-friday.json"
    with TemporaryDirectory() as folder:
        file = shutil.copy(document, folder)
        with serving(editor_of(Path(file))) as address:
            page = browser.new_page(viewport={"width": 1180, "height": 980})
            page.goto(address)
            page.get_by_label("Timer title", exact=True).fill("The sale ends in")
            page.get_by_label("Timer days", exact=True).fill("soon")
            page.locator(".ws-summary").wait_for()
            page.evaluate("() => (document.activeElement.blur(), scrollTo(0, 0))")
            page.screenshot(path=path)
            page.close()


def audit(browser: Browser, path: Path) -> None:
    """The report of an audit: what is wrong, where, and since when."""
    page = browser.new_page(viewport={"width": 1180, "height": 1340})
    page.set_content(report())
    page.screenshot(path=path)
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
