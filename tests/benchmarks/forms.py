"""Speed of forms, in one run: `python -m tests.benchmarks.forms`.

Prints Markdown tables; `tests.benchmarks.timing` says how they are measured. Schemas are compiled
and templates loaded before anything is timed, as in a server that runs. With `--write` the
tables go into `tables.md`. Needs the extra `test`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import json
import statistics
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import widgetschema
from tests.benchmarks.payloads import VALID
from tests.benchmarks.timing import (
    Task,
    all_turns,
    in_tables,
    say,
    table,
    take_turns,
    versions,
)
from tests.browsing import entries
from tests.editing import editing
from widgetschema import WidgetType

SIZES = (40, 1_000)


def main() -> None:
    """All tables."""
    with in_tables("forms"):
        versions("jinja2", "starlette", "uvicorn")
        one_form()
        sizes()
        live()


def one_form() -> None:
    """The countdown, step by step."""
    countdown = widgetschema.widget_type("countdown")
    form = countdown.form(VALID)
    posted = entries(form.render())
    edited = [
        (name, "Ends soon" if name.endswith("/timerTitle") else value) for name, value in posted
    ]
    tasks: dict[str, Task] = {
        "made and rendered": lambda: countdown.form(VALID).render(),
        "made": lambda: countdown.form(VALID),
        "rendered": form.render,
        "came back untouched": lambda: form.submit(posted).text,
        "came back with an edit": lambda: form.submit(edited).text,
    }
    times = all_turns(tasks, rounds=60, clock=time.process_time)
    number = sum(1 for _ in form.root.walk())
    rows = [
        [name, f"{min(found) * 1000:.2f} ms", f"{statistics.median(found) * 1000:.2f} ms"]
        for name, found in times.items()
    ]
    say("Processor time, of 60 rounds.\n")
    table(
        f"The form of a countdown, {number} fields, after the first", ["", "best", "median"], rows
    )


def sizes() -> None:
    """Many fields cost as much more as they are more."""
    tasks: dict[str, Task] = {}
    for size in SIZES:
        type, data = flat_type(size)
        tasks[f"{size:,} fields"] = partial(drawn, type, data)
    times = take_turns(tasks, clock=time.process_time)
    least = min(times.values())
    rows = [
        [name, f"{value * 1000:.2f} ms", f"{value / least:.1f}"] for name, value in times.items()
    ]
    table("Forms made and rendered", ["", "median", "times the smallest"], rows)


def drawn(type: WidgetType, data: Any) -> str:
    """A form of data, as HTML."""
    return type.form(data).render()


def flat_type(size: int) -> tuple[WidgetType, dict[str, Any]]:
    """A widget type with so many fields, of the usual kinds in turn, and data for all of them."""
    kinds: tuple[tuple[dict[str, Any], Any], ...] = (
        ({"type": "string"}, "Some text"),
        ({"type": "number", "minimum": 0}, 7),
        ({"type": "boolean"}, True),
        ({"enum": ["small", "medium", "big"]}, "medium"),
        ({"type": "string", "format": "date-time"}, "2027-11-26T00:00:00Z"),
    )
    properties = {f"member{at}": kinds[at % len(kinds)][0] for at in range(size)}
    schema = {"properties": {"data": {"type": "object", "properties": properties}}}
    data = {f"member{at}": kinds[at % len(kinds)][1] for at in range(size)}
    return WidgetType.from_schema(schema, id=f"flat-{size}"), data


def live() -> None:
    """One answer of the editor's live check, over loopback."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "countdown.json"
        file.write_text(json.dumps({"type": "countdown", "data": VALID}, indent=2) + "\n")
        with editing(file) as page:
            times = take_turns({"the editor's live check": page.check}, rounds=50)
    rows = [[name, f"{value * 1000:.2f} ms"] for name, value in times.items()]
    say("An edit to one field is posted with the whole form; what comes back is every finding.\n")
    table("From request to answer, over loopback", ["", "median"], rows)


if __name__ == "__main__":
    main()
