"""The cost of samples for a folder of schemas: `python -m tests.benchmarks.reach FOLDER`.

Each schema has a process of its own with a limit of processor time, so that one that hangs is
counted. Per schema and product: processor time, and what came of it; for coverage and near-misses
also the counted steps. `--part K/N` takes every N-th schema from the K-th on, for a sample or a run
in parts. The last lines say how many schemas stay within the limits. Needs the extra `test`. Not a
test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any, Final

from widgetschema import WidgetSchemaError, WidgetType
from widgetschema.samples import CaseSet

PRODUCTS: Final[tuple[str, ...]] = ("samples", "minimal", "maximal", "coverage", "near_misses")
QUICK: Final = PRODUCTS[:3]  # these have 2 s together
LIMITS: Final = {"quick": 2.0, "coverage": 20.0, "near_misses": 20.0}
MEMORY: Final = 4 << 30


def main() -> None:
    """Measure all schemas, or one of them in this process."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.reach")
    parser.add_argument("place", type=Path, help="a folder of schemas, or one schema")
    parser.add_argument("--part", default="0/1", metavar="K/N")
    parser.add_argument("--limit", type=int, default=45, help="seconds of each schema")
    parser.add_argument("--products", default=",".join(PRODUCTS))
    given = parser.parse_args()
    products = given.products.split(",")
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
    summarize(rows, products)


def measure(file: Path, products: list[str]) -> None:
    """Print a line before and after each product: what is missing did not end."""
    schema = json.loads(file.read_text(encoding="utf-8"))
    start = process_time()
    try:
        widget_type = WidgetType.from_data_schema(schema, id="measured")
        widget_type.is_valid(None)
    except WidgetSchemaError as error:
        say("link", process_time() - start, f"{type(error).__name__}")
        return
    makers: dict[str, Callable[[], Any]] = {
        "samples": lambda: len([*widget_type.samples(20)]),
        "minimal": lambda: len(json.dumps(widget_type.minimal())),
        "maximal": lambda: len(json.dumps(widget_type.maximal())),
        "coverage": widget_type.coverage,
        "near_misses": widget_type.near_misses,
    }
    for name in products:
        say(name)
        start = process_time()
        try:
            made = makers[name]()
        except WidgetSchemaError as error:
            made = f"{type(error).__name__}: {error}"[:200]
        spent = process_time() - start
        if isinstance(made, CaseSet):
            say(name, spent, made.summary, made.steps)
        else:
            say(name, spent, made)


def say(*row: Any) -> None:
    """Print one row."""
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def summarize(rows: dict[str, list[Any]], products: list[str]) -> None:
    """Print the share of schemas within the limits, and those that are not."""
    linked = {name: found for name, found in rows.items() if found and found[0][0] != "link"}
    sys.stdout.write(f"{len(linked)} of {len(rows)} schemas can be used\n")
    groups = {"quick": [one for one in QUICK if one in products]}
    groups.update({one: [one] for one in products if one not in QUICK})
    for title, names in groups.items():
        beyond = {}
        for schema, found in linked.items():
            ended = {one[0]: one[1] for one in found if len(one) > 1}
            if len(ended.keys() & {*names}) < len(names):
                beyond[schema] = "not ended"
            elif sum(ended[name] for name in names) > LIMITS[title]:
                beyond[schema] = f"{sum(ended[name] for name in names):.1f} s"
        within = len(linked) - len(beyond)
        share = within / max(1, len(linked))
        said = f"{title}: {within} of {len(linked)} ({share:.1%}) within {LIMITS[title]:.0f} s"
        sys.stdout.write(f"{said}; beyond: {beyond}\n")


if __name__ == "__main__":
    main()
