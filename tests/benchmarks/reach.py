"""The cost of samples for a folder of schemas: `python -m tests.benchmarks.reach FOLDER`.

Each schema has a process of its own with a limit of processor time, so that one that hangs is
counted. Per schema and product: processor time, and what came of it; for coverage and near-misses
also the counted steps. `--part K/N` takes every N-th schema from the K-th on, for a sample or a run
in parts. The last lines say how many schemas stay within the limits; with `--write` they go into the
manual. Instead of a folder, FOLDER may be a file with the lines of runs in parts: then nothing is
measured. Needs the extra `test`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, Final

from tests.benchmarks.timing import in_tables, say, table
from widgetschema import WidgetSchemaError, WidgetType
from widgetschema.samples import CaseSet

PRODUCTS: Final[tuple[str, ...]] = ("samples", "minimal", "maximal", "coverage", "near_misses")
QUICK: Final = PRODUCTS[:3]  # these have 2 s together
LIMITS: Final = {"quick": 2.0, "coverage": 20.0, "near_misses": 20.0}
TITLES: Final = {"quick": "20 samples, `minimal()` and `maximal()`"}
MEMORY: Final = 4 << 30


def main() -> None:
    """Measure all schemas, or one of them in this process."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.reach")
    parser.add_argument("place", type=Path, help="a folder of schemas, or one schema")
    parser.add_argument("--part", default="0/1", metavar="K/N")
    parser.add_argument("--limit", type=int, default=45, help="seconds of each schema")
    parser.add_argument("--products", default=",".join(PRODUCTS))
    parser.add_argument("--write", action="store_true", help="write the table into tables.md")
    given = parser.parse_args()
    products = given.products.split(",")
    if given.place.suffix == ".jsonl":
        with in_tables("reach"):
            summarize(rows_of(given.place), products)
        return
    if given.place.is_file():
        resource.setrlimit(resource.RLIMIT_CPU, (given.limit, given.limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        measure(given.place, products)
        return
    first, step = map(int, given.part.split("/"))
    rows = {}
    for file in sorted(given.place.glob("*.json"))[first::step]:
        options = ["--limit", str(given.limit), "--products", given.products]
        command = [sys.executable, "-m", "tests.benchmarks.reach", str(file), *options]
        ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        rows[file.stem] = [json.loads(line) for line in ran.stdout.splitlines()]
        sys.stdout.write(json.dumps([file.stem, rows[file.stem]]) + "\n")
        sys.stdout.flush()
    with in_tables("reach"):
        summarize(rows, products)


def rows_of(file: Path) -> dict[str, list[Any]]:
    """Read the rows of runs in parts: what is there of a schema in several lines is joined."""
    rows: dict[str, list[Any]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name, found = json.loads(line)
            rows.setdefault(name, []).extend(found)
    return rows


def measure(file: Path, products: list[str]) -> None:
    """Print a line before and after each product: what is missing did not end."""
    schema = json.loads(file.read_text(encoding="utf-8"))
    start = process_time()
    try:
        widget_type = WidgetType.from_data_schema(schema, id="measured")
        widget_type.is_valid(None)
    except WidgetSchemaError as error:
        report("link", process_time() - start, f"{type(error).__name__}")
        return
    makers: dict[str, Callable[[], Any]] = {
        "samples": lambda: len([*widget_type.samples(20)]),
        "minimal": lambda: len(json.dumps(widget_type.minimal())),
        "maximal": lambda: len(json.dumps(widget_type.maximal())),
        "coverage": widget_type.coverage,
        "near_misses": widget_type.near_misses,
    }
    for name in products:
        report(name)
        start = process_time()
        try:
            made = makers[name]()
        except WidgetSchemaError as error:
            made = f"{type(error).__name__}: {error}"[:200]
        spent = process_time() - start
        if isinstance(made, CaseSet):
            report(name, spent, made.summary, made.steps)
        else:
            report(name, spent, made)


def report(*row: Any) -> None:
    """Print one row."""
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def summarize(rows: dict[str, list[Any]], products: list[str]) -> None:
    """Print how many schemas stay within the limits, and those that do not."""
    usable = {name: found for name, found in rows.items() if found and found[0][0] != "link"}
    say(f"{len(usable)} of {len(rows)} schemas can be used; all times are processor time.\n")
    groups = {"quick": [one for one in QUICK if one in products]}
    groups.update({one: [one] for one in products if one not in QUICK})
    lines = []
    for title, names in groups.items():
        times: dict[str, float] = {}
        for schema, found in usable.items():
            ended = {one[0]: one[1] for one in found if len(one) > 1}
            is_complete = ended.keys() >= {*names}
            times[schema] = sum(ended[name] for name in names) if is_complete else math.inf
        order = sorted(times, key=times.__getitem__)
        beyond = [schema for schema in order if times[schema] > LIMITS[title]]
        within = len(order) - len(beyond)
        slowest = ", ".join(f"`{one}` {times[one]:.1f} s" for one in order[:-4:-1])
        lines.append(
            [
                TITLES.get(title, f"`{title}()`"),
                f"{LIMITS[title]:.0f} s",
                f"{within} of {len(order)} ({within / max(1, len(order)):.1%})",
                f"{times[order[len(order) // 2]]:.2f} s",
                slowest,
            ]
        )
    table("Products of public schemas", ["", "limit", "within", "median", "slowest"], lines)


if __name__ == "__main__":
    main()
