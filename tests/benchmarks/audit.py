"""Speed and memory of audits, beside their peers, in one run: `python -m tests.benchmarks.audit`.

Prints Markdown tables of ratios; `tests.benchmarks.timing` says how they are measured. All
records are payloads of the countdown, made by our sampler, a line each; all competitors read the
same file. "Pure work" is reading, parsing and checking: no start of an interpreter, no compiling
of schemas. The tables by spelling and by share of invalid records have wall and processor time.

With `--write` the tables go into `tables.md`. `--records N`, `--many N` and `--large BYTES`
make it smaller, `--only NAME` runs one table. Needs the extras `test` and `bench`; ajv and the C++
command are installed by npm, if it is there. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

import fastjsonschema
import jsonschema
import jsonschema_rs
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

import widgetschema
from tests import tables
from tests.benchmarks import peers
from tests.benchmarks.payloads import spoiled
from tests.benchmarks.timing import (
    ROOT,
    Seconds,
    Task,
    children_time,
    compare,
    flat_schema,
    fresh,
    in_tables,
    run,
    say,
    table,
    take_turns,
    versions,
)
from widgetschema.audit.collector import Collector
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.audit.runners.local import run_local
from widgetschema.catalog.catalog import Catalog
from widgetschema.jsontext import read

PEERS: Final = ("orjson", "jsonschema-rs", "fastjsonschema", "jsonschema")
SLOW: Final = 1000  # records that a slow competitor checks
OURS: Final = "widgetschema audit"
MB: Final = 1_000_000
SPELLED: Final = 20_000  # records of each spelling
SHARES: Final = (0, 1, 10, 100)  # percent of the records that are invalid


def compact(value: Any) -> str:
    """The text of a value without white space, as `JSON.stringify` writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def spaced(value: Any) -> str:
    """The text of a value as `json.dumps` writes it, but for its escapes."""
    return json.dumps(value, ensure_ascii=False)


def shuffled(value: Any, choose: random.Random) -> Any:
    """The same value with the members of its objects in another order."""
    if type(value) is not dict:
        return value
    names = choose.sample([*value], len(value))
    return {name: shuffled(value[name], choose) for name in names}


def as_jsonb(value: Any) -> Any:
    """The same value with its members in the order of Postgres: short names first."""
    if type(value) is not dict:
        return value
    return {name: as_jsonb(value[name]) for name in sorted(value, key=lambda one: (len(one), one))}


def with_members(data: Any, section: str, **members: Any) -> Any:
    """The data with other members in one of its sections, in the order that others have."""
    made = {**data[section], **members}
    ordered = {name: made[name] for name in FULL[section] if name in made}
    return {name: ordered if name == section else inner for name, inner in data.items()}


def document(data: Any) -> Any:
    """A document around data, as the platform has it."""
    return {
        "id": "5f0c7a52-6d0f-4a5e-9f0e-3f7b8f1f4d11",
        "name": "Sale",
        "description": "",
        "type": "countdown",
        "projectId": "0d9f6f4e-6a1e-4a57-8b2e-6f3f0f6f1c11",
        "status": "draft",
        "modelVersion": 3,
        "created": "2026-01-05T10:00:00.000Z",
        "data": data,
    }


CHOOSE: Final = random.Random(1)
FULL: Final = widgetschema.widget_type("countdown").maximal()
BRACKETS: Final = {"rows": [[number, {"at": number}] for number in range(12)]}
SPELLINGS: Final[dict[str, Callable[[Any], str]]] = {
    "compact": compact,
    "spaced (`json.dumps`)": spaced,
    "indented, on one line": lambda data: json.dumps(data, ensure_ascii=False, indent=2).replace(
        "\n", " "
    ),
    "`\\u` escapes": json.dumps,
    "`\\/`": lambda data: compact(data).replace("/", "\\/"),
    "members shuffled": lambda data: compact(shuffled(data, CHOOSE)),
    "Postgres `jsonb`": lambda data: spaced(as_jsonb(data)),
    "with a `null`": lambda data: compact(with_members(data, "content", expDate=None)),
    "with `-0.0` and `1e+21`": lambda data: compact(
        with_members(data, "content", timerDays=-0.0, timerHours=1e21)
    ),
    "more than 24 brackets": lambda data: compact(with_members(data, "styles", title=BRACKETS)),
    "documents": lambda data: compact(document(data)),
    "documents, spaced": lambda data: spaced(document(data)),
}
DOCUMENTS: Final = ("documents", "documents, spaced")

# What a process and those that it started took at most, the largest of them: kilobytes.
MEMORY: Final = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
LOADS: Final = """
import sys, orjson
with open(sys.argv[1], "rb") as file:
    for line in file:
        orjson.loads(line)
"""


class Sizes(NamedTuple):
    """Amounts to measure: records, records for two processes, bytes of the largest file."""

    records: int
    many: int
    large: int


class Bench(NamedTuple):
    """A folder for files, the installed command, a file of valid records, and how much."""

    folder: Path
    command: str
    valid: Path
    sizes: Sizes

    def audit(self, file: Path, *options: str, jobs: int = 1) -> list[str]:
        """The command about a file."""
        fixed = ["--type", "countdown", "--quiet", "--no-config", "--jobs", str(jobs)]
        return [self.command, "audit", *fixed, *options, str(file)]

    def again(self, times: int) -> Path:
        """A file that holds the valid records so many times."""
        content = self.valid.read_bytes()
        file = self.folder / "again.jsonl"
        with file.open("wb") as sink:
            for _ in range(times):
                sink.write(content)
        return file


def main() -> None:
    """All tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.audit")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--many", type=int, default=1_000_000)
    parser.add_argument("--large", type=int, default=5_000 * MB)
    parser.add_argument("--only", choices=[one.__name__ for one in TABLES])
    given = parser.parse_args()
    sizes = Sizes(given.records, given.many, given.large)
    with in_tables("audit"), tempfile.TemporaryDirectory(prefix="audits-") as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        command = fresh(folder / "ours", str(ROOT), "widgetschema")
        versions(*PEERS)
        bench = Bench(folder, command, folder / "valid.jsonl", sizes)
        run([command, *f"sample countdown --count {sizes.records} --output {bench.valid}".split()])
        size = bench.valid.stat().st_size
        say(f"{sizes.records:,} records of {size // sizes.records:,} bytes, {size // MB} MB.\n")
        for one in TABLES:
            if given.only in (None, one.__name__):
                one(bench)


def audited(plan: Plan, findings: Path | None = None) -> dict[str, Any]:
    """The summary of an audit by this process; all findings go to a file."""
    collector = Collector(plan)
    if findings is None:
        for result in run_local(plan):
            collector.add(result)
    else:
        with findings.open("w", encoding="utf-8") as file:
            for result in run_local(plan):
                collector.add(result)
                file.writelines(collector.finding_lines(result))
    return collector.summary()


def planned(file: Path, *, findings: bool = False) -> Plan:
    """The plan of the command about a file."""
    sources, partitions, problems = plan_sources([str(file)])
    assert not problems
    settings = Settings(type_id="countdown", findings=findings)
    return Plan(settings, Catalog.default(), tuple(sources), tuple(partitions))


# Time


def one_process(bench: Bench) -> None:
    """Valid records, pure work and whole commands."""
    flat = flat_schema(widgetschema.widget_type("countdown"))
    schema, one = bench.folder / "flat.json", bench.folder / "one.jsonl"
    schema.write_text(json.dumps(flat), encoding="utf-8")
    one.write_bytes(bench.valid.read_bytes().partition(b"\n")[0] + b"\n")
    records = bench.sizes.records
    plan = planned(bench.valid)
    assert audited(plan)["valid"] == records
    fast = fastjsonschema.compile(flat)
    raw = jsonschema_rs.Draft7Validator(flat).is_valid
    slow = jsonschema.Draft7Validator(flat).is_valid
    bundled = jsonschema.Draft7Validator(widgetschema.widget_type("countdown").linked)

    def linked(data: Any) -> bool:
        return bool(bundled.is_valid({"data": data}))

    work: dict[str, Task] = {
        OURS: lambda: audited(plan),
        "`orjson.loads` of each line, no check": lambda: parsed(bench.valid),
        "`orjson.loads`, jsonschema-rs": lambda: each(bench.valid, raw),
        "`orjson.loads`, fastjsonschema": lambda: each(bench.valid, fast),
        f"`orjson.loads`, jsonschema, of {SLOW:,} records": lambda: scaled(bench, slow),
        f"… by the linked schema, of {SLOW:,} records": lambda: scaled(bench, linked),
    }
    whole: dict[str, Task] = {
        OURS: lambda: run(bench.audit(bench.valid)),
        "`orjson.loads` of each line, no check": lambda: run(
            [sys.executable, "-c", LOADS, str(bench.valid)]
        ),
    }
    if (modules := peers.installed()) is not None:
        say(f"{peers.versions()}.\n")
        others = peers.Peers(modules, schema)
        work |= {
            "ajv, the file as one string": lambda: others.ajv_work(bench.valid, "whole", records),
            "ajv, in chunks": lambda: others.ajv_work(bench.valid, "chunks", records),
            "jsonschema (C++) `validate --fast`": lambda: others.command_work(bench.valid, one),
        }
        whole |= {
            "ajv, the file as one string": lambda: run(others.ajv(bench.valid, "whole")),
            "jsonschema (C++) `validate --fast`": lambda: run(others.command(bench.valid)),
        }
    title = f"{records:,} valid records, one process"
    compare(f"{title}: pure work", take_turns(work, 7, 0), OURS, 1, "s")
    compare(f"{title}: whole commands", take_turns(whole, 5, 0), OURS, 1, "s")


def each(file: Path, check: Callable[[Any], object]) -> None:
    """Read, parse and check each line."""
    loads = orjson.loads
    with file.open("rb") as lines:
        for line in lines:
            check(loads(line))


def parsed(file: Path) -> None:
    """Read and parse each line."""
    loads = orjson.loads
    with file.open("rb") as lines:
        for line in lines:
            loads(line)


def scaled(bench: Bench, is_valid: Callable[[Any], bool]) -> Seconds:
    """Extrapolate the time for all records from the time for some."""
    start, number = perf_counter(), 0
    with bench.valid.open("rb") as lines:
        for line in lines:
            assert is_valid(orjson.loads(line))
            number += 1
            if number == SLOW:
                break
    return Seconds((perf_counter() - start) * bench.sizes.records / number)


class Spent(NamedTuple):
    """The time that a task took: on the wall, and of processors."""

    wall: float
    processor: float


def spent(task: Callable[[], object]) -> Spent:
    """The time of one call; that of the task's own clocks, if it returns it."""
    before = perf_counter(), process_time(), children_time()
    told = task()
    after = perf_counter(), process_time(), children_time()
    if isinstance(told, Spent):
        return told
    return Spent(after[0] - before[0], after[1] - before[1] + after[2] - before[2])


def in_turns(tasks: dict[str, Task], rounds: int = 5) -> dict[str, Spent]:
    """The median times of each task, after a first call that is not measured."""
    every = [{name: spent(task) for name, task in tasks.items()} for _ in range(rounds + 1)][1:]
    return {
        name: Spent(*(median(column) for column in zip(*(one[name] for one in every), strict=True)))
        for name in tasks
    }


def shown(one: Spent, other: Spent) -> str:
    """The ratio of two times: on the wall, and of processors."""
    return f"{one.wall / other.wall:.2f} / {one.processor / other.processor:.2f}"


def written(file: Path, values: Iterable[Any], write: Callable[[Any], str]) -> Path:
    """A file with a line for each value."""
    with file.open("w", encoding="utf-8") as sink:
        sink.writelines(write(value) + "\n" for value in values)
    return file


def by_spelling(bench: Bench) -> None:
    """Valid records in the spellings that people have, beside parsing alone, and beside peers."""
    countdown = widgetschema.widget_type("countdown")
    values = [*countdown.samples(SPELLED // 2), *countdown.samples(SPELLED // 2, locale="de")]
    flat = flat_schema(countdown)
    of_data: dict[str, Any] = {"allOf": flat.pop("allOf")}
    of_documents = {"type": "object", "required": ["data"], "properties": {"data": of_data}}
    modules, rows = peers.installed(), []
    for spelling, write in SPELLINGS.items():
        file = written(bench.folder / "spelled.jsonl", values, write)
        one = written(bench.folder / "one.jsonl", values[:1], write)
        plan = planned(file)
        assert audited(plan)["valid"] == SPELLED
        tasks: dict[str, Task] = {
            "loads": lambda: parsed(file),  # noqa: B023 - called in this round
            "ours": lambda: audited(plan),  # noqa: B023
        }
        if modules is not None:
            schema = bench.folder / "schema.json"
            whole = {**flat, **(of_documents if spelling in DOCUMENTS else of_data)}
            schema.write_text(json.dumps(whole), encoding="utf-8")
            others = peers.Peers(modules, schema)
            tasks["ajv"] = lambda: Spent(*others.ajv_spent(file, SPELLED))  # noqa: B023
            tasks["command"] = lambda: run(others.command(file))  # noqa: B023
            tasks["one"] = lambda: run(others.command(one))  # noqa: B023
        times = in_turns(tasks)
        row = [spelling, shown(times["ours"], times["loads"])]
        if modules is not None:
            command = Spent(*(a - b for a, b in zip(times["command"], times["one"], strict=True)))
            row += [shown(times["ajv"], times["ours"]), shown(command, times["ours"])]
        rows.append(row)
    header = [
        "", "audit, times `orjson.loads` of each line", "ajv, times audit",
        "jsonschema (C++), times audit",
    ]  # fmt: skip
    title = f"{SPELLED:,} valid records by spelling, pure work: wall / processor time"
    table(title, header[: len(rows[0])], rows)


def by_share(bench: Bench) -> None:
    """Audits by the share of records that are invalid, a near-miss each."""
    countdown = widgetschema.widget_type("countdown")
    valid = [*countdown.samples(SPELLED)]
    # An array would be a list of records.
    wrong = [case.data for case in countdown.near_misses() if type(case.data) is dict]
    findings = bench.folder / "findings.ndjson"
    schema = bench.folder / "schema.json"
    schema.write_text(json.dumps(flat_schema(countdown)), encoding="utf-8")
    modules, rows = peers.installed(), []
    for spelling in ("compact", "spaced (`json.dumps`)", "members shuffled"):
        tasks: dict[str, Task] = {}
        for share in SHARES:
            number = SPELLED * share // 100
            every = SPELLED // number if number else SPELLED + 1
            values = [
                data if index % every != every - 1 else wrong[index // every % len(wrong)]
                for index, data in enumerate(valid)
            ]
            file = written(bench.folder / f"{share}.jsonl", values, SPELLINGS[spelling])
            plan, told = planned(file), planned(file, findings=True)
            assert audited(plan)["invalid"] == number
            tasks[f"{share}"] = lambda plan=plan: audited(plan)  # type: ignore[misc]
            tasks[f"{share} told"] = lambda told=told: audited(told, findings)  # type: ignore[misc]
        if modules is not None:
            others = peers.Peers(modules, schema)
            tasks["ajv"] = lambda: Spent(*others.ajv_spent(file, SPELLED, invalid=SPELLED))  # noqa: B023
        times = in_turns(tasks)
        for name, what in (("", spelling), (" told", f"{spelling}, `--findings`")):
            row = [what, *(shown(times[f"{one}{name}"], times["0"]) for one in SHARES[1:])]
            if modules is not None:
                row.append(shown(times["ajv"], times[f"100{name}"]))
            rows.append(row)
    header = [
        "",
        *(f"{one} % invalid" for one in SHARES[1:]),
        "ajv (`allErrors`), times all invalid",
    ]
    title = "Share of invalid records, times all valid, pure work: wall / processor time"
    table(title, header[: len(rows[0])], rows)


def by_source(bench: Bench) -> None:
    """The same documents as lines and as tables, beside lines."""
    countdown = widgetschema.widget_type("countdown")
    wrong = [case.data for case in countdown.near_misses() if type(case.data) is dict]
    valid = [*countdown.samples(SPELLED)]
    for one in valid:
        one["content"].pop("expDate", None)  # of any type, which no column can be
    rows = []
    for share in (0, 1):
        data = [
            wrong[index // 100 % len(wrong)] if share and index % 100 == 99 else one
            for index, one in enumerate(valid)
        ]
        plans = {name: of_many(file) for name, file in stored(bench.folder, data).items()}
        sums = {name: audited(plan)["invalid"] for name, plan in plans.items()}
        assert set(sums.values()) == {SPELLED * share // 100}, sums
        times = in_turns({name: partial(audited, plan) for name, plan in plans.items()})
        lines = times.pop("NDJSON")
        rows += [[name, f"{share} %", shown(one, lines)] for name, one in times.items()]
    title = f"{SPELLED:,} documents by source, pure work: wall / processor time"
    table(title, ["", "invalid", "times NDJSON"], rows)


def stored(folder: Path, data: list[Any]) -> dict[str, str]:
    """Files that hold the same documents; the last one has them only if they fit one type."""
    many = [
        {"id": f"w-{at}", "type": "countdown", "updated": "2026-11-03", "data": one}
        for at, one in enumerate(data)
    ]
    suffixes = {"NDJSON": "ndjson", "Parquet": "parquet", "Arrow": "arrow", "CSV": "csv"}
    files = {name: str(folder / f"stored.{suffix}") for name, suffix in suffixes.items()}
    files["SQLite"] = str(folder / "stored.db")
    Path(files["NDJSON"]).write_bytes(tables.as_lines(many))
    arrow = tables.as_table(many, pa.string(), pa.string())
    pq.write_table(arrow, files["Parquet"])
    with pa.ipc.new_file(files["Arrow"], arrow.schema) as writer:
        writer.write_table(arrow)
    Path(files["CSV"]).write_bytes(tables.as_csv(many))
    Path(files["SQLite"]).unlink(missing_ok=True)
    tables.write_sqlite(Path(files["SQLite"]), many)
    with contextlib.suppress(pa.ArrowInvalid):
        nested = arrow.drop_columns("data").append_column("data", pa.array(data))
        files["Parquet, nested"] = str(folder / "nested.parquet")
        pq.write_table(nested, files["Parquet, nested"])
    return files


def of_many(file: str) -> Plan:
    """The plan of the command about documents that say their type."""
    sources, partitions, problems = plan_sources([file])
    assert not problems
    return Plan(Settings(), Catalog.default(), tuple(sources), tuple(partitions))


def by_mistakes(bench: Bench) -> None:
    """The cost of a finding, beyond reading its record and deciding that it is invalid."""
    findings = bench.folder / "findings.ndjson"
    tasks: dict[str, Task] = {}
    decides = widgetschema.widget_type("countdown").validator.decides
    for mistakes in (0, 1, 5):
        file = bench.folder / f"{mistakes}-mistakes.jsonl"
        with file.open("w", encoding="utf-8") as sink:
            for number in range(SPELLED):
                data = shuffled(spoiled(number, mistakes), CHOOSE)
                sink.write(compact(data) + "\n")
        lines = file.read_bytes().splitlines()
        counted, told = planned(file), planned(file, findings=True)
        assert audited(told, findings)["findings"] == mistakes * SPELLED
        tasks[f"{mistakes} decided"] = lambda lines=lines: [  # type: ignore[misc]
            decides(read(line)) for line in lines
        ]
        tasks[f"{mistakes} counted"] = lambda plan=counted: audited(plan)  # type: ignore[misc]
        tasks[f"{mistakes} told"] = lambda plan=told: audited(plan, findings)  # type: ignore[misc]
    micros = {
        name: seconds / SPELLED * 1e6
        for name, seconds in take_turns(tasks, 5, 0, process_time).items()
    }
    rows = [
        [
            f"{mistakes} of each record",
            *(f"{micros[f'{mistakes} {name}']:.1f} µs" for name in ("decided", "counted", "told")),
            *(
                f"{(micros[f'{mistakes} {name}'] - micros[f'{mistakes} decided']) / mistakes:.1f} µs"
                if mistakes
                else ""
                for name in ("counted", "told")
            ),
        ]
        for mistakes in (0, 1, 5)
    ]
    more = [(micros[f"5 {name}"] - micros[f"1 {name}"]) / 4 for name in ("counted", "told")]
    rows.append(["each after the first", "", "", "", *(f"{one:.1f} µs" for one in more)])
    header = [
        "mistakes", "read and decided", "counted", "written", "a finding counted", "… written",
    ]  # fmt: skip
    table("The cost of a record, and of a finding beyond that, wrong values all new", header, rows)


def two_processes(bench: Bench) -> None:
    """Valid and invalid records, as lines and compressed, by one process and by two."""
    many = bench.again(bench.sizes.many // bench.sizes.records)
    wrong = [case.data for case in widgetschema.widget_type("countdown").near_misses()]
    few = bench.sizes.many // 10  # they take ten times as long
    invalid = written(bench.folder / "invalid.jsonl", islice(cycle(wrong), few), compact)
    header = ["", "1 process", "2 processes", "as fast", "processor time of two, times one"]
    rows = []
    for file, what in ((many, f"{bench.sizes.many:,} valid"), (invalid, f"{few:,} invalid")):
        packed = file.with_name(f"{file.name}.gz")
        with file.open("rb") as source, gzip.open(packed, "wb", 1) as sink:
            shutil.copyfileobj(source, sink)
        for one, name in ((file, what), (packed, f"{what}, one file of gzip")):
            times = in_turns(
                {f"{jobs}": partial(audit_all, bench, one, jobs) for jobs in (1, 2)}, 3
            )
            first, second = times["1"], times["2"]
            rows.append(
                [
                    name,
                    f"{first.wall:.2f} s",
                    f"{second.wall:.2f} s",
                    f"{first.wall / second.wall:.2f}",
                    f"{second.processor / first.processor:.2f}",
                ]
            )
            one.unlink()
    table("Two processes, whole commands", header, rows)


def audit_all(bench: Bench, file: Path, jobs: int) -> None:
    """A run of the command, whatever it finds."""
    command = bench.audit(file, jobs=jobs)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def start(bench: Bench) -> None:
    """The command on a single record, beside an interpreter that does nothing."""
    one = bench.folder / "single.ndjson"
    one.write_bytes(bench.valid.read_bytes().partition(b"\n")[0] + b"\n")
    python = str(Path(bench.command).parent / "python")
    tasks: dict[str, Task] = {
        "python -c pass": lambda: run([python, "-c", "pass"]),
        OURS: lambda: run(bench.audit(one)),
    }
    times = take_turns(tasks, 21, 0)
    least = times["python -c pass"]
    rows = [[name, f"{t * 1e3:.0f} ms", f"{(t - least) * 1e3:.0f} ms"] for name, t in times.items()]
    table("One record", ["", "median", "more than python -c pass"], rows)


# Memory


def memory(bench: Bench) -> None:
    """The most memory of any process, for a small file and a large one."""
    header = ["", "one process", "two processes, the larger"]
    rows = []
    for size in (100 * MB, bench.sizes.large):
        file = bench.again(-(-size // bench.valid.stat().st_size))
        row = [f"{file.stat().st_size / 1e9:.1f} GB"]
        for jobs in (1, 2):
            command = [sys.executable, "-c", MEMORY, *bench.audit(file, jobs=jobs)]
            ran = subprocess.run(command, check=True, capture_output=True, text=True)
            row.append(f"{int(ran.stdout) * 1024 / MB:.0f} MB")
        rows.append(row)
        file.unlink()
    table("Memory at most (resident)", header, rows)


# A cluster


def cluster(bench: Bench) -> None:
    """Many valid records by one worker of Dask and by two."""
    if shutil.which("dask") is None:
        print("the cluster is left out: install the extra cluster", file=sys.stderr)
        return
    from tests.dask_cluster import Cluster
    from widgetschema.audit.auditor import Auditor
    from widgetschema.audit.runners.cluster import run_cluster

    many = bench.again(bench.sizes.many // bench.sizes.records)
    plan = planned(many)
    (bench.folder / "one").mkdir()
    (bench.folder / "two").mkdir()
    with Cluster(bench.folder / "one") as one, Cluster(bench.folder / "two") as two:
        one.work(1)
        two.work(2)

        def by(address: str) -> None:
            assert sum(1 for _ in run_cluster(plan, address)) == len(plan.partitions)

        tasks: dict[str, Task] = {
            "1 worker": lambda: by(one.address),
            "2 workers": lambda: by(two.address),
            "this process, without a cluster": lambda: audited(plan),
        }
        times = take_turns(tasks, 3, 0)
    first = times["1 worker"]
    rows = [[name, f"{value:.2f} s", f"{first / value:.2f}"] for name, value in times.items()]
    title = f"{bench.sizes.many:,} valid records, by workers of Dask on this machine"
    table(title, ["", "median", "as fast"], rows)
    sizes = {
        "the plan, once to each worker": len(pickle.dumps(plan.portable())),
        "the result of a partition": len(pickle.dumps(Auditor(plan).audit(0))),
    }
    rows = [[name, f"{size:,} bytes"] for name, size in sizes.items()]
    table(f"What travels, for {len(plan.partitions)} partitions", ["", "size"], rows)
    many.unlink()


TABLES: Final[tuple[Callable[[Bench], None], ...]] = (
    one_process,
    by_spelling,
    by_share,
    by_source,
    by_mistakes,
    two_processes,
    memory,
    start,
    cluster,
)


if __name__ == "__main__":
    main()
