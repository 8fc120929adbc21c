"""Speed and memory of audits, beside their peers, in one run: `python -m tests.benchmarks.audit`.

Prints Markdown tables of ratios; `tests.benchmarks.timing` says how they are measured. All
records are payloads of the countdown, made by our sampler, a line each; all competitors read the
same file. "Pure work" is reading, parsing and checking: no start of an interpreter, no compiling
of schemas.

With `--write` the tables go into the manual. `--records N`, `--many N` and `--large BYTES`
make it smaller, `--only NAME` runs one table. Needs the extras `test` and `bench`; ajv and the C++
command are installed by npm, if it is there. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple

import fastjsonschema
import jsonschema
import jsonschema_rs
import orjson

import widgetschema
from tests.benchmarks import peers
from tests.benchmarks.payloads import spoiled
from tests.benchmarks.timing import (
    ROOT,
    Seconds,
    Task,
    compare,
    flat_schema,
    in_readme,
    run,
    say,
    table,
    take_turns,
    versions,
)
from tests.benchmarks.validate import fresh
from widgetschema.audit.collector import Collector
from widgetschema.audit.plan import Plan, Settings, plan_sources
from widgetschema.audit.runners.local import run_local
from widgetschema.catalog.catalog import Catalog
from widgetschema.jsontext import read

PEERS: Final = ("orjson", "jsonschema-rs", "fastjsonschema", "jsonschema")
SLOW: Final = 1000  # records that a slow competitor checks
OURS: Final = "widgetschema audit"
MB: Final = 1_000_000
SPELLED: Final = 10_000  # records of each spelling
SPELLINGS: Final[dict[str, Callable[[Any], str]]] = {
    "compact": lambda data: json.dumps(data, ensure_ascii=False, separators=(",", ":")),
    "spaced": lambda data: json.dumps(data, ensure_ascii=False),
    "spaced and escaped": json.dumps,
}

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
    with in_readme("audit"), tempfile.TemporaryDirectory(prefix="audits-") as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
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


def with_mistakes(bench: Bench) -> None:
    """Every tenth record a near-miss, all findings written."""
    mixed, findings = bench.folder / "mixed.jsonl", bench.folder / "findings.ndjson"
    cases = widgetschema.widget_type("countdown").near_misses()
    wrong = cycle(orjson.dumps(case.data) + b"\n" for case in cases)
    with bench.valid.open("rb") as lines, mixed.open("wb") as file:
        for number, line in enumerate(lines):
            file.write(next(wrong) if number % 10 == 9 else line)
    valid, invalid = planned(bench.valid), planned(mixed, findings=True)
    summary = audited(invalid, findings)
    assert summary["invalid"] == bench.sizes.records // 10
    say(f"{len(cases)} different near-misses; {summary['findings']:,} findings.\n")
    title = "Every tenth record a near-miss, all findings written"
    for what, tasks in (
        (
            "pure work",
            {
                "all valid": lambda: audited(valid),
                "10 % invalid, `--findings`": lambda: audited(invalid, findings),
            },
        ),
        (
            "whole commands",
            {
                "all valid": lambda: run(bench.audit(bench.valid)),
                "10 % invalid, `--findings`": lambda: told(bench, mixed, findings),
            },
        ),
    ):
        compare(f"{title}: {what}", take_turns(dict(tasks), 7, 0), "all valid", 1, "s")
    mixed.unlink()


def by_spelling(bench: Bench) -> None:
    """Audits of text as people have it, by the share of records that are invalid."""
    countdown = widgetschema.widget_type("countdown")
    valid = [*countdown.samples(SPELLED)]
    wrong = [case.data for case in countdown.near_misses()]
    findings = bench.folder / "findings.ndjson"
    choose = random.Random(1)
    rows = []
    for spelling, write in SPELLINGS.items():
        tasks: dict[str, Task] = {}
        numbers = {}
        for every in (0, 100, 10, 1):
            file = bench.folder / f"{spelling}-{every}.jsonl"
            with file.open("w", encoding="utf-8") as sink:
                for number, data in enumerate(valid):
                    is_wrong = every and number % every == 0
                    data = wrong[number // every % len(wrong)] if is_wrong else data
                    sink.write(write(shuffled(data, choose)) + "\n")
            plan = planned(file, findings=True)
            numbers[file.stem] = audited(plan, findings)["findings"]
            tasks[file.stem] = lambda plan=plan: audited(plan, findings)  # type: ignore[misc]
        times = take_turns(tasks, 5, 0, process_time)
        *_, (last, most) = times.items()
        shown = [f"{one * 1e3:,.0f} ms" for one in times.values()]
        rows.append([spelling, *shown, f"{most / numbers[last] * 1e6:.1f} µs"])
    header = ["", "all valid", "1 % invalid", "10 % invalid", "all invalid", "all, per finding"]
    table(f"{SPELLED:,} records with shuffled members, all findings written", header, rows)


def by_mistakes(bench: Bench) -> None:
    """The cost of a finding, beyond reading its record and deciding that it is invalid."""
    findings = bench.folder / "findings.ndjson"
    choose = random.Random(1)
    tasks: dict[str, Task] = {}
    decides = widgetschema.widget_type("countdown").validator.decides
    for mistakes in (0, 1, 5):
        file = bench.folder / f"{mistakes}-mistakes.jsonl"
        with file.open("w", encoding="utf-8") as sink:
            for number in range(SPELLED):
                data = shuffled(spoiled(number, mistakes), choose)
                sink.write(SPELLINGS["compact"](data) + "\n")
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


def shuffled(value: Any, choose: random.Random) -> Any:
    """The same value with the members of its objects in another order."""
    if type(value) is not dict:
        return value
    names = choose.sample([*value], len(value))
    return {name: shuffled(value[name], choose) for name in names}


def told(bench: Bench, file: Path, findings: Path) -> None:
    """A run of the command that finds mistakes, and writes each."""
    command = bench.audit(file, "--findings", str(findings))
    ran = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    assert ran.returncode == 1


def two_processes(bench: Bench) -> None:
    """Many valid records by one process and by two."""
    many = bench.again(bench.sizes.many // bench.sizes.records)
    tasks: dict[str, Task] = {
        f"{jobs} process{'es' * (jobs > 1)}": partial(run, bench.audit(many, jobs=jobs))
        for jobs in (1, 2)
    }
    times = take_turns(tasks, 3, 0)
    one = times["1 process"]
    rows = [[name, f"{value:.2f} s", f"{one / value:.2f}"] for name, value in times.items()]
    table(f"{bench.sizes.many:,} valid records, whole commands", ["", "median", "as fast"], rows)
    many.unlink()


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
    from widgetschema.audit.runners.portable_plan import portable_plan

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
        "the plan, once to each worker": len(pickle.dumps(portable_plan(plan))),
        "the result of a partition": len(pickle.dumps(Auditor(plan).audit(0))),
    }
    rows = [[name, f"{size:,} bytes"] for name, size in sizes.items()]
    table(f"What travels, for {len(plan.partitions)} partitions", ["", "size"], rows)
    many.unlink()


TABLES: Final[tuple[Callable[[Bench], None], ...]] = (
    one_process,
    with_mistakes,
    by_spelling,
    by_mistakes,
    two_processes,
    memory,
    start,
    cluster,
)


if __name__ == "__main__":
    main()
