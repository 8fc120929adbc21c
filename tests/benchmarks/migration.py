"""Cost of migrations in bulk: `python -m tests.benchmarks.migration`.

A file of countdowns is audited by its newer schema, and migrated by a plan of five steps: once as
it was, so that every record is changed, and once again, so that none is. One process does the work,
in turns, round by round, and what counts is processor time.

With `--write` the table goes into `tables.md`. Needs the extra `test`. Not a test: nothing here
passes or fails.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import widgetschema
from tests.benchmarks.timing import in_tables, table, take_turns, versions
from tests.migrating import plan_of, step
from widgetschema import Migration, WidgetType
from widgetschema.audit.collector import Collector
from widgetschema.audit.migration.rewriter import InPlace, Rewriter
from widgetschema.audit.migration.undo import open_undo
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.audit.runners.local import run_local
from widgetschema.catalog.portable import PortableCatalog
from widgetschema.jsontext import dump

RECORDS = 20_000
DIFFERENT = 1_000
ROUNDS = 5
STEPS = "".join(
    (
        step("rename", "/content/timerTitle", to='"heading"'),
        step("map", "/styles/animationType", values='{ flip = "turn" }'),
        step("cast", "/styles/skinId", to='"string"'),
        step("drop", "/styles/customCSS"),
        step("default", "/settings/showTitle", value="true"),
    )
)


def types(*, closed: bool) -> tuple[WidgetType, WidgetType]:
    """Return the two versions of the type, whose objects have no members but theirs if closed."""
    old = json.loads(json.dumps(widgetschema.widget_type("countdown").schema))
    names = [f"IPlugin{name}" for name in ("Content", "Settings", "Styles")]
    for name in names:
        old["definitions"][name]["additionalProperties"] = not closed
    new = json.loads(json.dumps(old))
    content, settings, styles = (new["definitions"][name] for name in names)
    content["properties"]["heading"] = content["properties"].pop("timerTitle")
    styles["properties"]["animationType"] = {"enum": ["dissolve", "turn", "tick", "normal"]}
    styles["properties"]["skinId"] = {"type": "string"}
    del styles["properties"]["customCSS"]
    settings["required"] = ["showTitle"]
    before, after = (WidgetType.from_schema(schema, id="countdown") for schema in (old, new))
    return before, after


def write(path: Path, old: WidgetType, number: int) -> None:
    """Write records, each of which is to be changed."""
    with path.open("wb") as file:
        for data in old.samples(number):
            data["content"]["timerTitle"] = "Black Friday"
            data["settings"].pop("showTitle", None)
            file.write(dump(data, indent=False).encode() + b"\n")


def plan(path: Path, new: WidgetType, migration: Migration | None) -> Plan:
    """Return the plan of an audit, or of a migration."""
    sources, partitions, problems = plan_sources([str(path)])
    assert not problems
    settings = Settings("countdown")
    catalog = PortableCatalog({"countdown": new})
    return Plan(settings, catalog, tuple(sources), tuple(partitions), migration=migration)


def audit(path: Path, new: WidgetType) -> Collector:
    """Audit the file."""
    made = plan(path, new, None)
    collector = Collector(made)
    for result in run_local(made):
        collector.add(result)
    return collector


def migrate(path: Path, new: WidgetType, migration: Migration, undo: Path) -> Collector:
    """Migrate the file."""
    made = plan(path, new, migration)
    collector = Collector(made)
    with open_undo(str(undo)) as file:
        file.recover()
        rewriter = Rewriter(made.sources, InPlace(file))
        for result in run_local(made):
            collector.add(result)
            for part in collector.edits(result):
                rewriter.add(*part)
        rewriter.finish()
    return collector


def measured(folder: Path, *, closed: bool) -> None:
    """Say what one record costs."""
    old, new = types(closed=closed)
    migration = old.migration(new, plan_of(STEPS, old, new))
    first, work, done = (folder / f"{name}.ndjson" for name in ("first", "work", "done"))
    undo = folder / "undo"
    write(first, old, DIFFERENT)

    def change() -> Collector:
        """Migrate a file anew."""
        work.write_bytes(first.read_bytes())
        undo.unlink(missing_ok=True)
        return migrate(work, new, migration, undo)

    counts = change().migration
    assert counts["migrated"] == DIFFERENT, counts
    done.write_bytes(work.read_bytes() * (RECORDS // DIFFERENT))
    assert audit(done, new).summary()["valid"] == RECORDS
    numbers = {
        "audit": RECORDS,
        "migrate, no record is changed": RECORDS,
        "migrate, every record is changed": DIFFERENT,
    }
    tasks: list[Callable[[], object]] = [
        lambda: audit(done, new),
        lambda: migrate(done, new, migration, folder / "other"),
        change,
    ]
    times = take_turns(dict(zip(numbers, tasks, strict=True)), ROUNDS, 0, time.process_time)
    each = {name: spent / numbers[name] for name, spent in times.items()}
    kind = "closed" if closed else "open"
    table(
        f"Records of {first.stat().st_size // DIFFERENT:,} bytes, five steps, {kind} schemas",
        ["", "records", "µs per record", "ratio to the audit"],
        [
            [name, f"{numbers[name]:,}", f"{spent * 1e6:.1f}", f"{spent / each['audit']:.2f}"]
            for name, spent in each.items()
        ],
    )


def main() -> None:
    """Measure, and say it."""
    with in_tables("migration"), TemporaryDirectory() as folder:
        versions("msgspec", "jsonschema-rs")
        for closed in (True, False):
            measured(Path(folder), closed=closed)


if __name__ == "__main__":
    main()
