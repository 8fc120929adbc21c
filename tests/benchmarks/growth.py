"""The cost of an audit, by records and by workers: `python -m tests.benchmarks.growth`.

Everything is processor time, of the workers and of the process that adds up separately, since the
latter is what limits the number of workers. With `--write` the tables go into the page on 100
million records. Needs the extra `test`. Not a test: nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import os
import pickle
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

import orjson
import pyarrow as pa

import widgetschema
from tests.benchmarks.audit import MEMORY, audited, planned
from tests.benchmarks.timing import in_tables, say, table, take_turns, versions
from tests.dask_cluster import Cluster
from widgetschema.audit import check_arrow
from widgetschema.audit.auditor import Auditor
from widgetschema.audit.collector import Collector
from widgetschema.audit.plan import Plan
from widgetschema.audit.runners.cluster import run_cluster
from widgetschema.audit.runners.local import run_local

DISTINCT: Final = 50_000
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Seconds of processor time: of workers, of a scheduler, and of the process that adds up."""

    workers: float
    scheduler: float
    adding_up: float


def main() -> None:
    """All tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.growth")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--records", type=int, default=1_000_000)
    given = parser.parse_args()
    with (
        in_tables("growth"),
        tempfile.TemporaryDirectory(prefix="growth-") as name,
    ):
        folder = Path(name)
        versions("msgspec", "orjson", "distributed", "pyarrow")
        by_records(folder, given.records)
        by_workers(folder, given.records)
        by_results(folder)
        by_column()


def write_records(file: Path, records: int, invalid_every: int = 0) -> Path:
    """Write records of one type; every so many of them is a near-miss."""
    countdown = widgetschema.widget_type("countdown")
    valid = [orjson.dumps(data) + b"\n" for data in countdown.samples(min(records, DISTINCT))]
    wrong = cycle([orjson.dumps(case.data) + b"\n" for case in countdown.near_misses()])
    with file.open("wb") as sink:
        for number, line in zip(range(records), cycle(valid), strict=False):
            is_wrong = invalid_every and number % invalid_every == 0
            sink.write(next(wrong) if is_wrong else line)
    return file


def by_records(folder: Path, records: int) -> None:
    """Records by one process: time and memory."""
    rows = []
    for part in (4, 2, 1):
        file = write_records(folder / "records.ndjson", records // part)
        plan = planned(file)
        start = process_time()
        assert audited(plan)["valid"] == records // part
        seconds = process_time() - start
        command = [sys.executable, "-m", "widgetschema", "audit", "--jobs", "1", "--no-config"]
        command += ["--quiet", "--type", "countdown", str(file)]
        ran = subprocess.run(
            [sys.executable, "-c", MEMORY, *command], capture_output=True, text=True, check=True
        )
        rows.append(
            [
                f"{records // part:,}",
                f"{file.stat().st_size / 1e6:,.0f} MB",
                f"{len(plan.partitions)}",
                f"{seconds:.2f} s",
                f"{seconds / records * part * 1e6:.2f} µs",
                f"{int(ran.stdout) / 1024:.0f} MiB",
            ]
        )
    header = ["records", "size", "partitions", "processor time", "per record", "memory at most"]
    table("Valid records, one process", header, rows)


def by_workers(folder: Path, records: int) -> None:
    """The same records by processes of this machine, and by workers of Dask."""
    file = write_records(folder / "records.ndjson", records)
    plan = planned(file)
    tasks: dict[str, Callable[[], Cost]] = {
        "1 process": lambda: locally(plan, 1),
        "2 processes": lambda: locally(plan, 2),
        "1 worker of Dask": lambda: on_cluster(plan, folder / "one", 1),
        "2 workers of Dask": lambda: on_cluster(plan, folder / "two", 2),
    }
    rows, partitions = [], len(plan.partitions)
    for name, task in tasks.items():
        cost = task()
        each = [
            f"{cost.workers / records * 1e6:.2f} µs",
            f"{cost.workers / partitions * 1e3:.0f} ms",
            f"{cost.scheduler / partitions * 1e3:.1f} ms",
            f"{cost.adding_up / partitions * 1e3:.1f} ms",
        ]
        rows.append([name, f"{sum(cost):.2f} s", *each])
    header = [
        "", "processor time", "workers, per record", "… per partition",
        "scheduler, per partition", "adding up, per partition",
    ]  # fmt: skip
    table(f"{records:,} valid records in {partitions} partitions", header, rows)
    file.unlink()


def locally(plan: Plan, jobs: int) -> Cost:
    """The cost by processes of this machine; of one process, adding up is measured by itself."""
    if jobs == 1:
        start = process_time()
        results = [*run_local(plan)]
        work = process_time() - start
        start = process_time()
        collector = Collector(plan)
        for result in results:
            collector.add(result)
        return Cost(work, 0, process_time() - start)
    start, before = process_time(), children()
    collector = Collector(plan)
    for result in run_local(plan, jobs):
        collector.add(result)
    return Cost(children() - before, 0, process_time() - start)


def children() -> float:
    """The processor time of processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def on_cluster(plan: Plan, folder: Path, workers: int) -> Cost:
    """The cost on a cluster whose workers have done a partition before."""
    folder.mkdir()
    with Cluster(folder) as cluster:
        cluster.work(workers)
        first = plan._replace(partitions=plan.partitions[: 4 * workers])
        assert len([*run_cluster(first, cluster.address)]) == 4 * workers
        processes = [cluster.scheduler, *cluster.workers]
        before, start = [spent(one.pid) for one in processes], process_time()
        collector = Collector(plan)
        for result in run_cluster(plan, cluster.address):
            collector.add(result)
        here = process_time() - start
        scheduler, *others = (
            spent(one.pid) - was for one, was in zip(processes, before, strict=True)
        )
        return Cost(sum(others), scheduler, here)


def spent(process: int) -> float:
    """The processor time of a process that is running."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def by_results(folder: Path) -> None:
    """The bytes that travel: the plan, and the results of a partition."""
    rows = []
    for name, every in (("all valid", 0), ("1 % invalid", 100), ("10 % invalid", 10)):
        file = write_records(folder / "some.ndjson", 30_000, every)
        for findings in (False, True):
            plan = planned(file, findings=findings)
            auditor, collector = Auditor(plan), Collector(plan)
            results = [auditor.audit(number) for number in range(len(plan.partitions))]
            start = process_time()
            for result in results:
                collector.add(result)
                for _ in collector.finding_lines(result) if findings else ():
                    pass
            each = (process_time() - start) / len(results)
            size = sum(len(pickle.dumps(result)) for result in results) / len(results)
            records = f"{30_000 // len(results):,}"
            what = "the findings, too" if findings else "counts and examples"
            rows.append([name, what, records, f"{size:,.0f} bytes", f"{each * 1e3:.1f} ms"])
    header = ["", "", "records", "as it is sent", "adding it up"]
    table("The result of a partition", header, rows)
    say(f"The plan, sent once to each worker: {len(pickle.dumps(plan.portable())):,} bytes.\n")


def by_column() -> None:
    """A column of Arrow, beside an audit of the same lines."""
    countdown = widgetschema.widget_type("countdown")
    with tempfile.TemporaryDirectory(prefix="columns-") as name:
        rows = []
        for what, every in (("all valid", 0), ("1 % invalid", 100), ("10 % invalid", 10)):
            file = write_records(Path(name) / "records.ndjson", DISTINCT, every)
            plan = planned(file)
            texts = pa.array(file.read_text().splitlines())
            tasks: dict[str, Callable[[], object]] = {
                "audit": partial(audited, plan),
                "text": partial(check_arrow, texts, countdown),
            }
            if not every:
                values = pa.array([orjson.loads(text) for text in texts.to_pylist()])
                tasks["struct"] = partial(check_arrow, values, countdown)
            times = take_turns(tasks, 7, 0, process_time)
            first = times["audit"]
            rows += [
                [
                    what,
                    label,
                    f"{times[task] / DISTINCT * 1e6:.1f} µs",
                    f"{times[task] / first:.2f}",
                ]
                for task, label in _LABELS.items()
                if task in times
            ]
    table("A record in a column, by `check_arrow`", ["", "", "per record", "times an audit"], rows)


_LABELS: Final = {
    "audit": "audit of lines",
    "text": "a column of texts",
    "struct": "a column of structs",
}


if __name__ == "__main__":
    main()
