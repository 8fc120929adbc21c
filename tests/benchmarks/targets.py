"""Measures the short ways beside the least that they could cost.

    python -m tests.benchmarks.targets

Prints a line for each target: met or missed. Both sides take turns in one process, and the best turn
of each counts, so that other work on the machine disturbs little.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jsonschema_rs
import orjson

import widgetschema
from tests.benchmarks.payloads import VALID, VARIANTS
from tests.benchmarks.timing import Task, all_turns, flat_schema
from widgetschema import Catalog
from widgetschema.audit.collector import Collector
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.audit.runners.local import run_local

RECORDS = 20_000


class Target(NamedTuple):
    """A ratio of two processor times, and the most that it should be."""

    name: str
    ratio: float
    most: float

    def __str__(self) -> str:
        """One line: met or missed."""
        said = "met   " if self.ratio <= self.most else "missed"
        return f"{said} {self.name}: {self.ratio:.2f}, at most {self.most:.2f}"


def main() -> None:
    """Print all targets."""
    for target in targets():
        print(target, flush=True)


def targets() -> Iterator[Target]:
    """Measure each target."""
    yield from one_payload()
    yield from one_text()
    yield from audits()


def one_payload() -> Iterator[Target]:
    """`is_valid` of a dict."""
    countdown = widgetschema.widget_type("countdown")
    ours, engine = (
        countdown.is_valid,
        jsonschema_rs.Draft7Validator(flat_schema(countdown)).is_valid,
    )
    with_nulls = VARIANTS["with two nulls"]
    times = least(
        {
            "ours": lambda: ours(VALID),
            "engine": lambda: engine(VALID),
            "nulls": lambda: ours(with_nulls),
        }
    )
    yield Target("is_valid, times the engine alone", times["ours"] / times["engine"], 2.2)
    yield Target("is_valid with nulls, times without", times["nulls"] / times["ours"], 1.15)


def one_text() -> Iterator[Target]:
    """`is_valid_json` and `check_json` of a text in three layouts."""
    countdown = widgetschema.widget_type("countdown")
    engine = jsonschema_rs.Draft7Validator(flat_schema(countdown)).is_valid
    texts = {
        "compact": json.dumps(VALID, separators=(",", ":")).encode(),
        "with a space between tokens": json.dumps(VALID).encode(),
        "indented": json.dumps(VALID, indent=2).encode(),
    }
    for layout, text in texts.items():
        times = least(
            {
                "is_valid_json": lambda text=text: countdown.is_valid_json(text),  # type: ignore[misc]
                "check_json": lambda text=text: countdown.check_json(text),  # type: ignore[misc]
                "least": lambda text=text: engine(orjson.loads(text)),  # type: ignore[misc]
            }
        )
        for name in ("is_valid_json", "check_json"):
            said = f"{name}, {layout}, times orjson.loads and the engine"
            yield Target(said, times[name] / times["least"], 1.5)


def audits() -> Iterator[Target]:
    """Audits of invalid records: with one mistake each, and after a schema got a new member."""
    countdown = widgetschema.widget_type("countdown")
    schema = json.loads(json.dumps(countdown.schema))
    valid = [*countdown.samples(RECORDS)]
    wrong = [case.data for case in countdown.near_misses() if type(case.data) is dict]
    tasks: dict[str, Task] = {}
    with tempfile.TemporaryDirectory() as folder:
        for share in (0, 1, 10):
            every = 100 // share if share else RECORDS + 1
            records = [
                wrong[index // every % len(wrong)] if index % every == every - 1 else data
                for index, data in enumerate(valid)
            ]
            file = Path(folder) / f"{share}.jsonl"
            file.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
            tasks[f"{share} %"] = audit_of(file, schema)
        content = schema["definitions"]["IPluginContent"]
        newer = {**content, "required": ["theme"]}
        newer["properties"] = {**content["properties"], "theme": {"type": "string"}}
        definitions = {**schema["definitions"], "IPluginContent": newer}
        file = Path(folder) / "0.jsonl"
        tasks["one mistake"] = audit_of(file, {**schema, "definitions": definitions})
        times = least(tasks, 5, 0)
    for name, most in (("1 %", 1.08), ("10 %", 1.25), ("one mistake", 2.5)):
        said = "all invalid by one mistake" if name == "one mistake" else f"{name} invalid"
        yield Target(f"audit, {said}, times all valid", times[name] / times["0 %"], most)


def audit_of(file: Path, schema: object) -> Task:
    """The audit of a file by this process, without an interpreter that starts."""
    sources, partitions, problems = plan_sources([str(file)])
    assert not problems
    catalog = Catalog([{"countdown": schema}])
    plan = Plan(Settings(type_id="countdown"), catalog, tuple(sources), tuple(partitions))

    def audit() -> object:
        collector = Collector(plan)
        for result in run_local(plan):
            collector.add(result)
        return collector.summary()

    return audit


def least(tasks: dict[str, Task], rounds: int = 300, seconds: float = 0.0005) -> dict[str, float]:
    """The best turn of each task, in seconds of processor time per call."""
    turns = all_turns(tasks, rounds, seconds, time.process_time)
    return {name: min(values) for name, values in turns.items()}


if __name__ == "__main__":
    main()
