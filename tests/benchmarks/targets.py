"""Measures each target for speed beside what it is compared with.

    python -m tests.benchmarks.targets [--corpus FOLDER] [--before COMMIT] [--only GROUP] [--write]

Prints a line for each target: met, missed, or not measured, and why. All sides take turns in one
run, and the best turn of each counts, in processor time, so that other work on the machine disturbs
little. Needs the extras `test` and `bench`. check-jsonschema is installed by pip into a temporary
folder, ajv by npm into `build/peers`: for that, Node.js and npm have to be there. With a folder of
schemas, the coverage sets and near-misses of those that take longest are measured beside those of an
earlier commit. With `--write` the lines go into `tables.md`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import jsonschema
import jsonschema_rs
import orjson

import widgetschema
from tests.benchmarks import peers
from tests.benchmarks.payloads import VALID, VARIANTS, broken, spoil
from tests.benchmarks.timing import (
    ROOT,
    Seconds,
    Task,
    all_turns,
    flat_schema,
    fresh,
    in_tables,
    processor_time,
    say,
)
from widgetschema import Catalog, WidgetType
from widgetschema.audit.collector import Collector
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.audit.runners.local import run_local

RECORDS: Final = 20_000
FILES: Final = 1_000
SAMPLES: Final = 500  # in a turn
SLOWEST: Final = 10  # schemas of a folder
BEFORE: Final = "64c24fc8"  # before texts of patterns were made by automata

MADE: Final = """
import json, sys, time
from widgetschema import WidgetSchemaError, WidgetType
with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
try:
    widget_type = WidgetType.from_data_schema(schema, id="measured")
    widget_type.is_valid(None)
    start = time.process_time()
    getattr(widget_type, sys.argv[2])()
    print(time.process_time() - start)
except WidgetSchemaError:
    print(0)
"""


class Target(NamedTuple):
    """A measurement and its bound: the most, or the least, that it should be."""

    name: str
    measured: float
    bound: float
    is_least: bool = False
    unit: str = ""

    def __str__(self) -> str:
        """One line: met or missed."""
        is_met = self.measured >= self.bound if self.is_least else self.measured <= self.bound
        said, at = "met" if is_met else "missed", "least" if self.is_least else "most"
        digits = 0 if self.bound >= 1_000 else 2
        measured, bound = (f"{one:,.{digits}f}{self.unit}" for one in (self.measured, self.bound))
        return f"{said}: {self.name}: {measured}, at {at} {bound}"


class Unknown(NamedTuple):
    """A target that was not measured, and why."""

    name: str
    why: str

    def __str__(self) -> str:
        return f"not measured: {self.name}: {self.why}"


Line = Target | Unknown


def main() -> None:
    """Print all targets."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.targets")
    parser.add_argument("--corpus", type=Path, help="a folder of schemas")
    parser.add_argument("--before", default=BEFORE, help="the commit to compare with")
    parser.add_argument("--only", choices=[*(one.__name__ for one in GROUPS), "case_sets"])
    parser.add_argument("--write", action="store_true", help="write the lines into tables.md")
    given = parser.parse_args()
    groups = {group.__name__: group for group in GROUPS}
    groups["case_sets"] = partial(case_sets, given.corpus, given.before)
    with in_tables("targets"):
        for name, group in groups.items():
            if given.only in (None, name):
                for line in group():
                    say(f"- {line}")


def audits() -> Iterator[Line]:
    """Audits of invalid records: with one mistake each, and after a schema got a new member."""
    countdown = widgetschema.widget_type("countdown")
    schema = json.loads(json.dumps(countdown.schema))
    valid = [*countdown.samples(RECORDS)]
    wrong = [case.data for case in countdown.near_misses() if type(case.data) is dict]
    content = schema["definitions"]["IPluginContent"]
    newer = {**content, "required": ["theme"]}
    newer["properties"] = {**content["properties"], "theme": {"type": "string"}}
    newer = {**schema, "definitions": {**schema["definitions"], "IPluginContent": newer}}
    tasks: dict[str, Task] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for share in (0, 1, 10):
            every = 100 // share if share else RECORDS + 1
            records = [
                wrong[index // every % len(wrong)] if index % every == every - 1 else data
                for index, data in enumerate(valid)
            ]
            file = folder / f"{share}.jsonl"
            file.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
            tasks[f"{share} %"] = audit_of(file, schema)
        file = folder / "0.jsonl"
        tasks["one mistake"] = audit_of(file, newer)
        tasks["findings"] = audit_of(file, newer, folder / "findings.ndjson")
        modules = peers.installed()
        if modules is not None:
            flat = folder / "flat.json"
            flat.write_text(json.dumps(flat_schema(WidgetType.from_schema(newer))), "utf-8")
            others = peers.Peers(modules, flat)
            tasks["ajv"] = lambda: Seconds(others.ajv_spent(file, RECORDS, invalid=RECORDS)[1])
        times = least(tasks, 5, 0)
    for key, most in (("1 %", 1.08), ("10 %", 1.25)):
        yield Target(f"audit, {key} invalid, times all valid", times[key] / times["0 %"], most)
    same = "audit, all invalid by one mistake"
    yield Target(f"{same}, times all valid", times["one mistake"] / times["0 %"], 2.5)
    beside = f"{same}: ajv with allErrors, times ours"
    if modules is None:
        yield Unknown(beside, peers.MISSING)
    else:
        yield Target(beside, times["ajv"] / times["one mistake"], 0.8, is_least=True)
    yield Target(f"{same}, --findings, times all valid", times["findings"] / times["0 %"], 5)


def audit_of(file: Path, schema: object, findings: Path | None = None) -> Task:
    """The audit of a file by this process, without an interpreter that starts.

    All findings go to a file, if one is named.
    """
    sources, partitions, problems = plan_sources([str(file)])
    assert not problems
    catalog = Catalog([{"countdown": schema}])
    settings = Settings(type_id="countdown", findings=findings is not None)
    plan = Plan(settings, catalog, tuple(sources), tuple(partitions))

    def audit() -> object:
        collector = Collector(plan)
        with ExitStack() as stack:
            write = None
            if findings is not None:
                write = stack.enter_context(findings.open("w", encoding="utf-8")).writelines
            for result in run_local(plan):
                collector.add(result)
                if write is not None:
                    write(collector.finding_lines(result))
        return collector.summary()

    return audit


def mistakes() -> Iterator[Line]:
    """The messages of a payload with five mistakes, which no payload before had."""
    countdown = widgetschema.widget_type("countdown")
    validator = jsonschema.Draft7Validator(flat_schema(countdown))
    data, numbers = broken(), count()

    def ours() -> object:
        spoil(data, next(numbers))
        return [finding.message for finding in countdown.check(data)]

    def theirs() -> object:
        return [error.message for error in validator.iter_errors(data)]

    assert len(countdown.check(data)) == 5
    times = least({"ours": ours, "theirs": theirs}, seconds=0.002)
    yield Target("five new mistakes", times["ours"] * 1e6, 30, unit=" µs")
    ratio = times["theirs"] / times["ours"]
    yield Target("five new mistakes: jsonschema, times ours", ratio, 8, is_least=True)


def one_payload() -> Iterator[Line]:
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


def one_text() -> Iterator[Line]:
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


def start() -> Iterator[Line]:
    """The command, installed as its users do, on one file and on many."""
    one = "the check of one small file, times python -c 'import click'"
    many = f"{FILES:,} JSON files in one process, times check-jsonschema"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peer = f"check-jsonschema=={version('check-jsonschema')}"
        try:
            ours = fresh(folder / "ours", str(ROOT), "widgetschema")
            theirs = fresh(folder / "theirs", peer)
        except subprocess.CalledProcessError:
            why = f"pip could not install this project, or {peer}, into a temporary folder"
            yield Unknown(one, why)
            yield Unknown(many, why)
            return
        schema, files = folder / "flat.json", []
        flat = flat_schema(widgetschema.widget_type("countdown"))
        schema.write_text(json.dumps(flat), encoding="utf-8")
        for number in range(FILES):
            files.append(f"{number:04}.json")
            (folder / files[-1]).write_text(json.dumps(VALID, indent=2), encoding="utf-8")
        check = [ours, "validate", "--jobs", "1", "--type", "countdown"]
        commands = {
            "click": [str(Path(ours).parent / "python"), "-c", "import click"],
            "one": [*check, files[0]],
            "many": [*check, *files],
            "theirs": [theirs, "--schemafile", str(schema), *files],
        }
        tasks: dict[str, Task] = {
            key: lambda command=command: processor_time(command, str(folder))  # type: ignore[misc]
            for key, command in commands.items()
        }
        times = least(tasks, 15, 0)
    yield Target(one, times["one"] / times["click"], 2.7)
    yield Target(many, times["many"] / times["theirs"], 0.25)


def samples() -> Iterator[Line]:
    """Verified samples of the countdown, beside checks that do nothing else."""
    countdown = widgetschema.widget_type("countdown")
    is_valid = jsonschema_rs.Draft7Validator(flat_schema(countdown)).is_valid
    typical, seeds = list(countdown.samples(SAMPLES)), count()

    def make() -> None:
        for _ in countdown.samples(SAMPLES, next(seeds)):
            pass

    def check() -> None:
        for data in typical:
            is_valid(data)

    times = least({"make": make, "check": check}, 100, 0)
    yield Target("verified samples per second", SAMPLES / times["make"], 70_000, is_least=True)
    yield Target(
        "a verified sample, times a check by the engine", times["make"] / times["check"], 14
    )


GROUPS: Final[tuple[Callable[[], Iterator[Line]], ...]] = (
    audits,
    mistakes,
    one_payload,
    one_text,
    start,
    samples,
)


def case_sets(corpus: Path | None, before: str) -> Iterator[Line]:
    """Coverage sets and near-misses beside those of an earlier commit, each made for the first time:
    of the countdown, and of the slowest schemas of a folder.
    """
    with tempfile.TemporaryDirectory() as name:
        old = Path(name) / "old"
        has_commit = extracted(before, old)
        countdown = Path(name) / "countdown.json"
        flat = flat_schema(widgetschema.widget_type("countdown"))
        countdown.write_text(json.dumps(flat), encoding="utf-8")
        of_slowest = f"of the {SLOWEST} schemas that take longest"
        for product, what, title in (
            ("near_misses", [countdown], "near-misses of the countdown"),
            ("near_misses", corpus, f"near-misses {of_slowest}"),
            ("coverage", corpus, f"coverage {of_slowest}"),
        ):
            title = f"{title}, times commit {before}"
            if not has_commit:
                yield Unknown(title, "the repository has no such commit; pass --before COMMIT")
            elif what is None:
                yield Unknown(title, "pass --corpus FOLDER, a folder of schemas")
            else:
                files = what if isinstance(what, list) else slowest(what, old, product)
                yield Target(title, beside(old, files, product), 0.5)


def slowest(corpus: Path, tree: Path, product: str) -> list[Path]:
    """The schemas of a folder for which the package in another folder takes longest."""
    times = {file: made(tree, file, product) for file in corpus.glob("*.json")}
    return sorted(times, key=times.__getitem__)[-SLOWEST:]


def beside(old: Path, files: list[Path], product: str) -> float:
    """The time for some schemas, times that of the package in another folder."""
    tasks: dict[str, Task] = {
        f"{tree} {file}": partial(made, tree, file, product)
        for file in files
        for tree in (old, ROOT)
    }
    times = least(tasks, 2, 0)
    ours, theirs = (sum(times[f"{tree} {file}"] for file in files) for tree in (ROOT, old))
    return ours / theirs


def extracted(commit: str, folder: Path) -> bool:
    """Put the package as it was at a commit into a folder; return whether Git has it."""
    command = ["git", "-C", str(ROOT), "archive", commit, "widgetschema"]
    archive = subprocess.run(command, capture_output=True, check=False)
    if archive.returncode:
        return False
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
        packed.extractall(folder, filter="data")
    return True


def made(tree: Path, file: Path, product: str) -> Seconds:
    """The processor time that the package in a folder takes to make a case set of a schema."""
    command = [sys.executable, "-c", MADE, str(file.resolve()), product]
    variables = {**os.environ, "PYTHONPATH": str(tree)}
    ran = subprocess.run(command, cwd=tree, env=variables, capture_output=True, check=True)
    return Seconds(ran.stdout)


def least(tasks: dict[str, Task], rounds: int = 300, seconds: float = 0.0005) -> dict[str, float]:
    """The best turn of each task, in seconds of processor time per call."""
    turns = all_turns(tasks, rounds, seconds, time.process_time)
    return {name: min(values) for name, values in turns.items()}


if __name__ == "__main__":
    main()
