"""Speed of making data, beside its peers, in one run: `python -m tests.benchmarks.samples`.

Prints Markdown tables of ratios; `tests.benchmarks.timing` says how they are measured. All
data is of the countdown. What others make is not checked within the time they take; what we
make always is.

With `--write` the tables go into `tables.md`. Needs the extras `test` and `bench`;
json-schema-faker is installed into a temporary folder, if `node` and `npm` are there. Not a
test: nothing here passes or fails.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import jsonschema_rs
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from hypothesis_jsonschema import from_schema

import widgetschema
from tests.benchmarks.timing import (
    Seconds,
    Task,
    flat_schema,
    in_tables,
    say,
    table,
    take_turns,
    versions,
)
from widgetschema import WidgetType
from widgetschema.samples import CaseSet

PEERS = ("jsonschema-rs", "jsf", "hypothesis", "hypothesis-jsonschema")
AT_ONCE = 500  # payloads that are made in one turn
EXAMPLES = 100
CHECKED = 500  # payloads of each competitor that our validator is asked about

# As many payloads first for the machine to warm up; the last line says how long the others
# took. With "show", payloads are the lines before.
FAKER = """
import { readFileSync } from "node:fs";
import { createGenerator } from "json-schema-faker";
const [file, number, show] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(file, "utf8"));
const generator = createGenerator({ seed: 1 });
for (let i = 0; i < Number(number); i++) {
  const made = await generator.generate(schema);
  if (show) console.log(JSON.stringify(made));
}
const start = process.hrtime.bigint();
for (let i = 0; i < Number(number); i++) await generator.generate(schema);
console.log(Number(process.hrtime.bigint() - start) / 1e9);
"""


def main() -> None:
    """All tables."""
    countdown = widgetschema.widget_type("countdown")
    with in_tables("samples"), tempfile.TemporaryDirectory() as folder:
        faker = Faker(Path(folder), easiest_schema(countdown))
        versions(*PEERS)
        if faker.version:
            say(f"node {faker.node}; json-schema-faker {faker.version}.\n")
        against_checks(countdown)
        against_generators(countdown, faker)
        against_strategies(countdown)
        case_sets(countdown)


def easiest_schema(widget_type: WidgetType) -> dict[str, Any]:
    """The schema of the data alone, without even the `allOf` of the flat one."""
    definitions = flat_schema(widget_type)["definitions"]
    named = {name: schema for name, schema in definitions.items() if name != "plugin"}
    return {"$ref": "#/definitions/IPluginData", "definitions": named}


def against_checks(widget_type: WidgetType) -> None:
    """Measure how many checks a sample is worth, by an engine that does nothing but check."""
    is_valid = jsonschema_rs.Draft7Validator(flat_schema(widget_type)).is_valid
    rows = []
    for title, fill in (("default settings", 0.75), ("everything there, `fill=1`", 1.0)):
        typical = list(widget_type.samples(AT_ONCE, fill=fill))
        assert all(map(is_valid, typical))
        times = take_turns(
            {
                "make": lambda fill=fill: counted(fresh(widget_type, fill)),  # type: ignore[misc]
                "check": partial(check_all, is_valid, typical),
            },
            seconds=0.05,
            clock=process_time,
        )
        make, check = times["make"] / AT_ONCE, times["check"] / AT_ONCE
        size = mean_size(typical)
        rows.append([title, f"{size:,} bytes", rate(make), rate(check), f"{make / check:.1f}"])
    header = ["", "size", "payloads per second", "checks per second", "checks' worth per payload"]
    table("Verified payloads, beside raw checks of jsonschema-rs", header, rows)


SEEDS = count()


def fresh(widget_type: WidgetType, fill: float = 0.75) -> Iterator[Any]:
    """Payloads that were never made before."""
    return widget_type.samples(AT_ONCE, next(SEEDS), fill=fill)


def counted(payloads: Iterable[Any]) -> int:
    """Count the samples; none is kept."""
    return sum(1 for _ in payloads)


def check_all(is_valid: Callable[[Any], bool], payloads: Sequence[Any]) -> None:
    """One check of each."""
    for payload in payloads:
        is_valid(payload)


def against_generators(widget_type: WidgetType, faker: Faker) -> None:
    """Payloads per second, beside the other generators."""
    schema = easiest_schema(widget_type)
    generate = import_module("jsf").JSF(schema).generate
    strategy = from_schema(schema)
    made: dict[str, Callable[[int], Iterable[Any]]] = {
        "widgetschema": widget_type.samples,
        "jsf": lambda number: (generate() for _ in range(number)),
        "hypothesis-jsonschema": lambda number: drawn(strategy, number),
    }
    tasks: dict[str, Task] = {
        "widgetschema": lambda: per_payload(lambda: fresh(widget_type)),
        "jsf": lambda: per_payload(lambda: made["jsf"](AT_ONCE)),
        "hypothesis-jsonschema": lambda: per_payload(lambda: drawn(strategy, EXAMPLES)),
    }
    if faker.version:
        made["json-schema-faker"] = faker.payloads
        tasks["json-schema-faker"] = lambda: Seconds(faker.seconds(AT_ONCE) / AT_ONCE)
    times = take_turns(tasks, rounds=7, seconds=0)
    rows = []
    for name, time in times.items():
        payloads = list(made[name](CHECKED))
        valid = sum(map(widget_type.is_valid, payloads)) / len(payloads)
        slower = f"{time / times['widgetschema']:,.2f}"
        rows.append([name, rate(time), slower, f"{mean_size(payloads):,} bytes", f"{valid:.1%}"])
    if not faker.version:
        rows.append(["json-schema-faker", f"not measured: {faker.why}", "", "", ""])
    header = ["", "payloads per second", "times slower", "size", "valid, says widgetschema"]
    table("Payloads, beside other generators", header, rows)


def per_payload(make: Callable[[], Iterable[Any]]) -> Seconds:
    """The time per payload, however many there are."""
    start = perf_counter()
    number = counted(make())
    return Seconds((perf_counter() - start) / number)


def drawn(strategy: SearchStrategy[Any], number: int) -> list[Any]:
    """Examples that Hypothesis hands to a test."""
    examples: list[Any] = []

    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(strategy)
    def keep(example: Any) -> None:
        examples.append(example)

    keep()
    return examples


def against_strategies(widget_type: WidgetType) -> None:
    """Examples for a test, from our strategies and from that of hypothesis-jsonschema."""
    strategies = {
        "strategy()": widget_type.strategy(),
        "strategy(realistic=True)": widget_type.strategy(realistic=True),
        "hypothesis-jsonschema": from_schema(easiest_schema(widget_type)),
    }
    tasks: dict[str, Task] = {
        name: partial(drawn, strategy, EXAMPLES) for name, strategy in strategies.items()
    }
    times = take_turns(tasks, rounds=7, seconds=0)
    rows = []
    for name, time in times.items():
        examples = drawn(strategies[name], EXAMPLES)
        slower = [f"{time / times[one]:.2f}" for one in times if one.startswith("strategy")]
        size = f"{mean_size(examples):,} bytes"
        rows.append([name, str(len(examples)), size, f"{time * 1e3:,.0f} ms", *slower])
    header = ["", "examples", "size", "median", "times `strategy()`", "times `realistic`"]
    table(f"{EXAMPLES} examples for a test of Hypothesis", header, rows)


def case_sets(widget_type: WidgetType) -> None:
    """The coverage set and the near-misses: of a widget type just loaded, and once more."""
    made: dict[str, Callable[[WidgetType], CaseSet]] = {
        "coverage()": WidgetType.coverage,
        "near_misses()": WidgetType.near_misses,
    }
    tasks: dict[str, Task] = {}
    for name, make in made.items():
        tasks[f"{name} first"] = partial(at_first, make, widget_type)
        tasks[f"{name} again"] = partial(make, widget_type)
    times = take_turns(tasks, rounds=7, seconds=0)
    rows = []
    for name, make in made.items():
        cases = len(make(widget_type))
        shown = [times[f"{name} {turn}"] * 1e3 for turn in ("first", "again")]
        rows.append([f"`{name}`", f"{cases:,}", *(f"{value:,.0f} ms" for value in shown)])
    header = ["", "cases", "first call", "every other call"]
    table("The coverage set and the near-misses of the countdown", header, rows)


def at_first(make: Callable[[WidgetType], CaseSet], widget_type: WidgetType) -> Seconds:
    """The time of the first call, after the schema is linked and compiled."""
    fresh = WidgetType.from_schema(widget_type.schema)
    start = perf_counter()
    make(fresh)
    return Seconds(perf_counter() - start)


def rate(seconds: float) -> str:
    """Per second, to three digits."""
    return f"{float(f'{1 / seconds:.3g}'):,.0f}"


def mean_size(payloads: Sequence[Any]) -> int:
    """The mean size as JSON text."""
    return round(sum(len(json.dumps(one).encode()) for one in payloads) / len(payloads))


class Faker:
    """json-schema-faker, installed into a folder; `why` says why it is not, if it is not."""

    version = ""
    why = ""

    def __init__(self, folder: Path, schema: dict[str, Any]) -> None:
        self.folder = folder
        programs = {name: shutil.which(name) for name in ("node", "npm")}
        missing = [name for name, path in programs.items() if path is None]
        if missing:
            self.why = f"no {missing[0]}"
            return
        (folder / "package.json").write_text("{}", encoding="utf-8")
        (folder / "schema.json").write_text(json.dumps(schema), encoding="utf-8")
        (folder / "faker.mjs").write_text(FAKER, encoding="utf-8")
        try:
            self.run("npm", "install", "--no-audit", "--no-fund", "json-schema-faker")
        except subprocess.CalledProcessError:
            self.why = "npm could not install it"
            return
        package = folder / "node_modules" / "json-schema-faker" / "package.json"
        self.version = str(json.loads(package.read_text(encoding="utf-8"))["version"])
        self.node = self.run("node", "--version").strip().lstrip("v")

    def run(self, *command: str) -> str:
        """Return the output of a command."""
        done = subprocess.run(
            command, cwd=self.folder, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout

    def seconds(self, number: int) -> float:
        """Return the time for so many payloads, by the clock of node."""
        return float(self.run("node", "faker.mjs", "schema.json", str(number)))

    def payloads(self, number: int) -> list[Any]:
        """So many payloads."""
        lines = self.run("node", "faker.mjs", "schema.json", str(number), "show").splitlines()
        return [json.loads(line) for line in lines[:-1]]


if __name__ == "__main__":
    main()
