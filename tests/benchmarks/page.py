"""Speed of the editor's page in Chromium, in one run: `python -m tests.benchmarks.page`.

Prints Markdown tables: medians of several rounds, in which the documents take turns. Durations are
what a person waits on this machine; processor time, of the page's process and of the editor's, is
what other work on the machine does not disturb. With `--write` the tables go into `tables.md`. Needs the
extra `test` and Chromium. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from playwright.sync_api import sync_playwright

from tests.benchmarks.forms import flat_type
from tests.benchmarks.payloads import VALID
from tests.benchmarks.timing import in_tables, table
from tests.chromium import chromium_path
from tests.editing import editor_of
from widgetschema import WidgetType
from widgetschema.editor import serving

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

ROUNDS: Final = 5
CHECKS: Final = 5  # in each round
MANY: Final = 1_800  # fields
EDIT: Final = """(text) => {
  document.querySelector(".ws-form .ws-text input.ws-input").value = text;
  document.body.getBoundingClientRect(); // which a browser does while somebody types
}"""
# Without the pause in typing that is waited for, up to the page that shows the answer. What the page
# does when it has time is no part of that, but of the processor time.
CHECK: Final = """() => new Promise((done) => {
  const form = document.getElementById("ed");
  const pane = document.getElementById("ed-pane");
  const start = performance.now();
  form.addEventListener("widgetschema:answer", () => setTimeout(() => {
    document.body.getBoundingClientRect(); // it is laid out
    const wait = performance.now() - start;
    const rest = () => (pane.coming ? requestIdleCallback(rest) : done(wait));
    rest();
  }), { once: true });
  form.dispatchEvent(new CustomEvent("widgetschema:check", { bubbles: true }));
})"""
# All scripts have run, and the page is laid out and drawn.
READY: Final = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
  done([performance.getEntriesByType("navigation")[0].loadEventEnd, document.querySelectorAll(".ws-field").length]);
})))"""


class Cost(NamedTuple):
    """Milliseconds: what a person waits, the processor time of the page, that of the editor."""

    wait: float
    page: float
    editor: float


def documents() -> dict[str, tuple[WidgetType | None, Any]]:
    """Widget types and data, by how they are called in the tables."""
    many, data = flat_type(MANY)
    item = {"properties": {name: {"type": "string"} for name in ("title", "text", "link")}}
    rows = {"properties": {"rows": {"type": "array", "items": item}}}
    listed = WidgetType.from_schema({"properties": {"data": rows}}, id="listed")
    members = {"title": "A title", "text": "Some text", "link": "https://example.org/"}
    return {
        "countdown": (None, {"type": "countdown", "data": VALID}),
        "one section": (many, data),
        "a list of objects": (listed, {"rows": [members] * (MANY // 3)}),
    }


@contextmanager
def served(folder: Path, type: WidgetType | None, data: Any) -> Iterator[str]:
    """The address of the editor of a document."""
    file = folder / "widget.json"
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    options: Any = {} if type is None else {"type_id": type.id, "schemas": {type.id: type.schema}}
    with serving(editor_of(file, **options)) as address:
        yield address


def cost(session: CDPSession, work: Callable[[], float]) -> Cost:
    """Measure some work, which returns how long a person waits."""
    page, editor = rendering(session), time.process_time()
    wait = work()
    return Cost(wait, (rendering(session) - page) * 1000, (time.process_time() - editor) * 1000)


def rendering(session: CDPSession) -> float:
    """The processor time of all pages up to now, in seconds: hundredths of them."""
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return float(sum(one["cpuTime"] for one in found if one["type"] == "renderer"))


def mean(costs: list[Cost]) -> Cost:
    """The mean of several costs."""
    return Cost(*(statistics.fmean(those) for those in zip(*costs, strict=True)))


def measured(session: CDPSession, page: Page, address: str) -> tuple[Cost, Cost, int]:
    """Open the page, and check in it: what both cost, and the number of fields."""
    fields = 0

    def opened() -> float:
        nonlocal fields
        page.goto(address)
        ended, fields = page.evaluate(READY)
        return float(ended)

    opening = cost(session, opened)
    checks = []
    for number in range(CHECKS):
        page.evaluate(EDIT, f"Ends soon {number}")
        checks.append(cost(session, lambda: float(page.evaluate(CHECK))))
    return opening, mean(checks), fields


def main() -> None:
    """All tables."""
    with in_tables("page"), sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        session = browser.new_browser_cdp_session()
        costs: dict[str, list[tuple[Cost, Cost]]] = {}
        for _ in range(ROUNDS):
            for name, (type, data) in documents().items():
                with served(Path(folder), type, data) as address:
                    page = browser.new_page(viewport={"width": 1280, "height": 800})
                    measured(session, page, address)  # everything is loaded once before
                    opening, check, fields = measured(session, page, address)
                    page.close()
                costs.setdefault(f"{name}, {fields:,} fields", []).append((opening, check))
        browser.close()
        for index, title in enumerate(("Open the page", "A live check")):
            show(title, {name: [one[index] for one in found] for name, found in costs.items()})


def show(title: str, costs: dict[str, list[Cost]]) -> None:
    """One table."""
    medians = {
        name: Cost(*map(statistics.median, zip(*found, strict=True)))
        for name, found in costs.items()
    }
    least = next(iter(medians.values()))
    rows = [
        [
            name,
            f"{one.wait:.0f} ms",
            f"{one.page:.0f} ms",
            f"{one.editor:.0f} ms",
            f"{(one.page + one.editor) / (least.page + least.editor):.1f}",
        ]
        for name, one in medians.items()
    ]
    header = ["", "until it is shown", "processor time, page", "… editor", "times the first"]
    table(title, header, rows)


if __name__ == "__main__":
    main()
