"""The examples of the guide on engines, run on many records: `python -m tests.engines --records N NAME...`.

It prints the processor time of each, and fails unless the sums are those of an audit.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

import widgetschema
from tests.checkout import ROOT
from tests.manual import read
from widgetschema.audit import Summary, audit

ENGINES: Final = ("PySpark", "DuckDB", "Polars", "pandas", "Dask", "Ray")
_USES: Final = {"Dask": ("pandas", "Dask")}  # functions of other sections
_DISTINCT: Final = 1_000  # valid records; the wrong ones are all near-misses
LINES: Final = "widgets.ndjson"
TABLE: Final = "widgets.parquet"
_CHECKED: Final = "checked.parquet"


class Sums(NamedTuple):
    """The sums of an audit, from whatever engine."""

    valid: int
    invalid: int
    unreadable: int
    untyped: int
    mistakes: Counter[tuple[str, str]]


def make_records(folder: Path, records: int) -> None:
    """Write the same records as a table and as lines: a twentieth invalid, some not even JSON."""
    countdown = widgetschema.widget_type("countdown")
    choose = Random(1)
    valid = [orjson.dumps(data).decode() for data in countdown.samples(_DISTINCT)]
    wrong = [orjson.dumps(case.data).decode() for case in countdown.near_misses()]
    with pq.ParquetWriter(folder / TABLE, _SCHEMA) as table, open(folder / LINES, "w") as lines:
        for start in range(0, records, 20_000):
            numbers = range(start, min(start + 20_000, records))
            data = [choose.choice(wrong if number % 20 == 7 else valid) for number in numbers]
            types = ["count-up" if number % 1_000 == 3 else "countdown" for number in numbers]
            data = [
                BROKEN if n % 1_000 == 5 else text for n, text in zip(numbers, data, strict=True)
            ]
            ids = [f"w{number}" for number in numbers]
            table.write_table(pa.table([ids, types, data], schema=_SCHEMA), row_group_size=10_000)
            for id, type, text in zip(ids, types, data, strict=True):
                lines.write(f'{{"id":"{id}","type":"{type}","data":{text}}}\n')


BROKEN: Final = '{"content" 1}'  # not JSON, but the rest of an array around it can be read
_SCHEMA: Final = pa.schema([("id", pa.string()), ("type", pa.string()), ("data", pa.string())])


def sums_of_audit(summary: Summary) -> Sums:
    """Return the sums of an audit of the lines, with places that begin at the data."""
    mistakes: Counter[tuple[str, str]] = Counter()
    for one in summary.mistakes:
        mistakes[one.keyword, one.path.removeprefix("/data")] += one.findings
    assert sum(mistakes.values()) == summary.findings
    return _sums(summary.valid, summary.invalid, summary.unreadable, summary.untyped, mistakes)


def _sums(
    valid: int, invalid: int, unreadable: int, untyped: int, mistakes: Counter[tuple[str, str]]
) -> Sums:
    """Return sums without the keywords about records that were not checked, which have counts."""
    checked = {key: n for key, n in mistakes.items() if not key[0].startswith(_NOT_CHECKED)}
    return Sums(valid, invalid, unreadable, untyped, Counter(checked))


_NOT_CHECKED: Final = ("json.", "document.", "problem.")


def sums_of_results(folder: Path) -> Sums:
    """Return the sums of what an example has written."""
    table = ds.dataset(folder / _CHECKED, format="parquet").to_table()
    assert len(set(table["id"].to_pylist())) == len(table)
    valid = pc.sum(table["valid"]).as_py()
    keywords: list[str] = []
    mistakes: Counter[tuple[str, str]] = Counter()
    for findings in table.filter(pc.invert(table["valid"]))["findings"].to_pylist():
        keywords.append(findings[0]["keyword"])
        mistakes.update((one["keyword"], one["pattern"]) for one in findings)
    unreadable = sum(keyword.startswith("json.") for keyword in keywords)
    untyped = sum(keyword.startswith("problem.") for keyword in keywords)
    return _sums(valid, len(keywords) - unreadable - untyped, unreadable, untyped, mistakes)


def sums_in_rows(rows: Iterable[Any]) -> Counter[tuple[str, str]]:
    """Return the findings in rows of keyword, pattern and number, as engines sum them up."""
    return _sums(0, 0, 0, 0, Counter({(row[0], row[1]): row[2] for row in rows})).mistakes


def run_example(engine: str, folder: Path) -> None:
    """Run the code of the guide for an engine in a folder; sums that it has must be right."""
    page = read(ROOT / "docs" / "guides" / "engines.md")
    names: dict[str, Any] = {"__name__": "__main__"}
    for name in _USES.get(engine, (engine,)):
        checked = folder / _CHECKED
        shutil.rmtree(checked) if checked.is_dir() else checked.unlink(missing_ok=True)
        blocks = [block for block in page.blocks if block.skipped == f"needs {name}"]
        assert blocks
        with contextlib.chdir(folder):
            for block in blocks:
                exec(compile(block.code, f"engines.md, {name}", "exec"), names)
            if (mistakes := names.get("mistakes")) is not None:
                rows = mistakes.collect() if name == "PySpark" else mistakes.fetchall()
                assert sums_in_rows(rows) == sums_of_results(folder).mistakes


def run_apart(engine: str, folder: Path, timeout: float | None = None) -> None:
    """Run the code of the guide for an engine in a process of its own, and compare its own sums."""
    command = [sys.executable, "-m", "tests.engines", "--folder", str(folder), engine]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, check=True, cwd=ROOT, env=environment, timeout=timeout)


def main() -> None:
    """Run examples, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m tests.engines")
    parser.add_argument("engines", nargs="*", default=[*ENGINES])
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.folder is not None:
        run_example(given.engines[0], Path(given.folder))
        return
    with tempfile.TemporaryDirectory(prefix="engines-") as name:
        folder = Path(name)
        make_records(folder, given.records)
        before = sum(os.times()[:2])
        expected = sums_of_audit(audit(folder / LINES))
        print(f"{given.records:,} records: {expected[:4]}, {expected.mistakes.total():,} findings")
        print(f"audit, one process: {sum(os.times()[:2]) - before:.1f} s of processor time")
        for engine in given.engines:
            began, spent = time.monotonic(), _children()
            run_apart(engine, folder)
            seconds, spent = time.monotonic() - began, _children() - spent
            assert sums_of_results(folder) == expected, engine
            print(f"{engine}: the same sums; {spent:.1f} s of processor time, {seconds:.0f} s")


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
