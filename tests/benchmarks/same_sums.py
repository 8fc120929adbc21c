"""The same records from every kind of source: `python -m tests.benchmarks.same_sums`.

Fails unless the sums are the same everywhere: in each spelling and form of JSON, compressed, in
tables, in databases, and through the engines of the guide. The processor time of each audit is
compared with that of compact lines. With `--write` the table goes into `tables.md`. Needs the extras
`test` and `engines`, Java, and Debian's package `postgresql`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from time import process_time
from typing import Any, Final, NamedTuple

import psycopg
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from tests import engines
from tests.benchmarks.timing import in_tables, say, table, versions
from tests.engines import (
    LINES,
    TABLE,
    Sums,
    make_records,
    run_apart,
    sums_of_audit,
    sums_of_results,
)
from tests.services import postgresql
from widgetschema.audit import Summary, audit

ADDRESS: Final = "postgresql://"  # libpq finds the server by its variables
BY_DEFAULT: Final = ("PySpark", "DuckDB")
MEMBERS: Final = 100_000  # records in each member of a gzip file
_INDENTED: Final = 2


class Kind(NamedTuple):
    """A kind of source: it is made in a folder that has the records, and then audited.

    It `keeps_broken` records, which are no JSON, unless a column refuses them.
    """

    make: Callable[[Path], object]
    audit: Callable[[Path], Summary]
    keeps_broken: bool = True


def _in_file(name: str, make: Callable[[Path], object]) -> Kind:
    return Kind(make, lambda folder: audit(folder / name))


def _nothing(_: Path) -> None:
    """Make nothing, because `make_records` has already made the file."""


def _rows(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield id, type and data of the records."""
    for batch in pq.ParquetFile(folder / TABLE).iter_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _spelt(folder: Path, name: str, spell: Callable[[str], str], begin: str, between: str) -> None:
    """Write the records as JSON texts, many of which have the same data."""
    known: dict[str, str] = {}
    end = {"[": "]\n"}.get(begin[:1], "\n")
    with open(folder / name, "w", encoding="utf-8") as file:
        file.write(begin)
        for number, (id, type, data) in enumerate(_rows(folder)):
            key = f"{type} {data}"
            if key not in known:
                known[key] = spell(f'{{"id":"@","type":"{type}","data":{data}}}')
            file.write(between if number else "")
            file.write(known[key].replace('"@"', f'"{id}"', 1))
        file.write(end)


def _with(**options: Any) -> Callable[[str], str]:
    def spell(text: str) -> str:
        try:
            return json.dumps(json.loads(text), ensure_ascii=False, **options)
        except json.JSONDecodeError:
            return text

    return spell


def _json(name: str, spell: Callable[[str], str], begin: str, between: str) -> Kind:
    return _in_file(name, lambda folder: _spelt(folder, name, spell, begin, between))


def _write_gzip(folder: Path) -> None:
    with open(folder / LINES, "rb") as lines, open(folder / "w.ndjson.gz", "wb") as file:
        while member := b"".join(line for _, line in zip(range(MEMBERS), lines, strict=False)):
            file.write(gzip.compress(member, 1))


def _write_sqlite(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "w.sqlite")) as database, database:
        database.execute("CREATE TABLE widgets (id TEXT PRIMARY KEY, type TEXT, data TEXT)")
        database.executemany("INSERT INTO widgets VALUES (?, ?, ?)", _rows(folder))


def _fill(name: str, kind: str) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        with psycopg.connect(ADDRESS) as connection, connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLE {name} (id text PRIMARY KEY, type text, data {kind})")
            with cursor.copy(f"COPY {name} FROM STDIN") as copy:
                for row in _rows(folder):
                    if kind == "text" or row[2] != engines.BROKEN:
                        copy.write_row(row)

    return fill


def _in_postgresql(kind: str) -> Kind:
    name = f"widgets_{kind}"
    make = _fill(name, kind)
    return Kind(make, lambda _: audit(ADDRESS, table=name), keeps_broken=kind == "text")


def _write_csv(folder: Path) -> None:
    pa.csv.write_csv(pq.read_table(folder / TABLE), folder / "w.csv")


COMPACT: Final = "compact NDJSON"
KINDS: Final[Mapping[str, Kind]] = {
    COMPACT: _in_file(LINES, _nothing),
    "spaced NDJSON": _json("spaced.ndjson", _with(), "", "\n"),
    "one JSON array": _json("array.json", str, "[", ","),
    "one JSON array, indented": _json("indented.json", _with(indent=_INDENTED), "[\n", ",\n"),
    "indented texts, one after the other": _json("texts.json", _with(indent=1), "", "\n"),
    "a JSON text sequence": _json("w.json-seq", str, "\x1e", "\n\x1e"),
    "gzip, several members": _in_file("w.ndjson.gz", _write_gzip),
    "Parquet": _in_file(TABLE, _nothing),
    "CSV": _in_file("w.csv", _write_csv),
    "SQLite": Kind(_write_sqlite, lambda folder: audit(folder / "w.sqlite", table="widgets")),
    "PostgreSQL, `text`": _in_postgresql("text"),
    "PostgreSQL, `jsonb`": _in_postgresql("jsonb"),
}


def without_broken(sums: Sums) -> Sums:
    """Return the sums without the records that are not JSON, which `jsonb` refuses."""
    return sums._replace(unreadable=0)


def main() -> None:
    """Compare all sources."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.same_sums")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--engines", nargs="*", default=BY_DEFAULT, choices=engines.ENGINES)
    given = parser.parse_args()
    with (
        in_tables("same sums"),
        tempfile.TemporaryDirectory(prefix="same-sums-") as name,
        postgresql.running() as environment,
    ):
        os.environ.update(environment)
        compare(Path(name), given.records, given.engines)


def compare(folder: Path, records: int, names: list[str]) -> None:
    """Compare the sums of all sources; all are made from the same records."""
    versions("pyarrow", "psycopg", *(_LIBRARIES[name] for name in names))
    make_records(folder, records)
    rows: list[list[str]] = []
    expected, first = None, 1.0
    for name, kind in KINDS.items():
        kind.make(folder)
        before = process_time()
        sums = sums_of_audit(kind.audit(folder))
        seconds = process_time() - before
        if expected is None:
            expected, first = sums, seconds
        wanted = expected if kind.keeps_broken else without_broken(expected)
        rows.append([name, _compared(sums, wanted), f"{seconds / first:.2f}"])
        for file in folder.iterdir():
            if file.name not in (LINES, TABLE):
                file.unlink()  # a million records are more than a gigabyte
    assert expected is not None
    for name in names:
        run_apart(name, folder)
        rows.append([name, _compared(sums_of_results(folder), expected), ""])
    valid, invalid, unreadable, untyped, mistakes = expected
    say(
        f"{records:,} records: {valid:,} valid, {invalid:,} invalid with {mistakes.total():,} "
        f"findings at {len(mistakes):,} places and keywords, {unreadable:,} unreadable, "
        f"{untyped:,} of an unknown type.\n"
    )
    table("Sums, and processor time", ["source", "sums", f"times {COMPACT}"], rows)
    if any(is_same != _SAME for _, is_same, _ in rows):
        sys.exit("the sums are not the same everywhere")


def _compared(sums: Sums, wanted: Sums) -> str:
    if sums != wanted:
        print(f"{sums}\nis not {wanted}", file=sys.stderr)
    return _SAME if sums == wanted else "others"


_SAME: Final = "the same"
_LIBRARIES: Final = {one: one.lower() for one in engines.ENGINES}


if __name__ == "__main__":
    main()
