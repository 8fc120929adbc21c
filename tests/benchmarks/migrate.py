"""Cost of migrating one record, in validations: `python -m tests.benchmarks.migrate`.

A countdown is migrated by plans of different kinds: where no step applies, and where some do. Each
is compared with `is_valid_json` of the same text, in turns and by processor time. With `--write`
the table goes into `tables.md`. Needs the extra `test`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import copy
import json
import time
from functools import partial

from tests.benchmarks.payloads import VALID
from tests.benchmarks.timing import Task, in_tables, table, take_turns, versions
from tests.migrating import migration, step
from widgetschema import WidgetType
from widgetschema.catalog.store import bundled

RENAME = step("rename", "/content/title", to="'timerTitle'")
MAP = step("map", "/styles/countdownSize", values='{large = "big"}')
DEFAULT = step("default", "/settings/showTitle", value="true")
DROP = step("drop", "/**/obsolete")
CHANGED = step("rename", "/content/postTitle", to="'timerTitle2'")
PLANS = {
    "no step applies: a renamed member is not there": RENAME,
    "no step applies: nor are old values": RENAME + MAP,
    "no step applies: a default is there": RENAME + MAP + DEFAULT,
    "no step applies: a pattern with `**`": RENAME + MAP + DEFAULT + DROP,
    "a member is renamed": CHANGED,
}


def versions_of_countdown() -> tuple[WidgetType, WidgetType]:
    """The countdown, and a newer version with another member."""
    older = bundled()["countdown"]
    newer = copy.deepcopy(older)
    content = newer["definitions"]["IPluginContent"]["properties"]
    content["timerTitle2"] = {"type": "string"}
    return WidgetType.from_schema(older, plugin="bundled"), WidgetType.from_schema(
        newer, plugin="bundled"
    )


def main() -> None:
    """Measure, and print the table."""
    old, new = versions_of_countdown()
    compact = json.dumps(VALID, separators=(",", ":")).encode()
    spaced = json.dumps(VALID, indent=2).encode()
    with in_tables("migrate"):
        versions("jsonschema-rs", "orjson")
        rows = []
        for name, steps in PLANS.items():
            plan = migration(steps, old, new)
            status = plan.migrate_json(compact).status
            assert status == ("migrated" if steps == CHANGED else "unchanged")
            cells = []
            for text in (compact, spaced):
                tasks: dict[str, Task] = {
                    "validation": partial(new.is_valid_json, text),
                    "migration": partial(plan.migrate_json, text),
                }
                times = take_turns(tasks, rounds=9, clock=time.process_time)
                cells.append(f"{times['migration'] / times['validation']:.1f}")
            rows.append([name, *cells])
        table(
            "`migrate_json`, in `is_valid_json` of the same record",
            ["", "compact text", "indented text"],
            rows,
        )


if __name__ == "__main__":
    main()
