"""`widgetschema audit` of PostgreSQL: the same sums as of lines, from one snapshot, nothing written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.benchmarks.same_sums import ADDRESS, KINDS, without_broken
from tests.engines import make_records, sums_of_audit
from tests.integration.test_cli_audit_tables import (
    assert_resumed,
    audit,
    here,
    many,
    results,
)
from tests.tables import Records, as_lines, compact
from widgetschema.audit.inputs.reading import blocks, consistent
from widgetschema.audit.inputs.tables.model import ColumnNames
from widgetschema.audit.plan import plan_sources

__all__ = ["here", "many"]  # fixtures

BY_DATA = "--data-pointer=/data"


@pytest.fixture
def database() -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(ADDRESS, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA audited; SET search_path = audited")
        yield connection


def fill(database: psycopg.Connection[Any], many: Records, kind: str) -> None:
    """Create a table of the records, whose data has this type."""
    database.execute(
        f"CREATE TABLE widgets (number bigint PRIMARY KEY, id text, type text, "
        f"updated text, data {kind})"
    )
    with database.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO widgets VALUES (%s, %s, %s, %s, %s::{kind})",
            [
                (
                    number * 3,
                    one["id"],
                    one.get("type"),
                    one["updated"],
                    None if one["data"] is None else compact(one["data"]),
                )
                for number, one in enumerate(many)
            ],
        )
    database.execute("ANALYZE widgets")


@pytest.mark.parametrize("kind", ["jsonb", "json", "text"])
def test_the_same_records(
    many: Records,
    database: psycopg.Connection[Any],
    capsys: pytest.CaptureFixture[str],
    kind: str,
) -> None:
    Path("lines.ndjson").write_bytes(as_lines(many))
    expected = results(capsys, "lines.ndjson", BY_DATA)
    fill(database, many, kind)
    table = "--table=audited.widgets"

    for more in ([], ["--partition-size=16KiB", "--jobs=2"], ["--partition-size=16KiB"]):
        found = results(capsys, ADDRESS, table, *more)
        if kind == "jsonb":  # which has members in an order of its own: so have findings
            for one in (found, expected):
                one[0]["places"] = sorted(one[0]["places"], key=repr)
                one[1].sort(key=repr)
        assert found == expected
    query = "--query=SELECT *, 'a%b' AS other FROM audited.widgets WHERE type LIKE '%' -- all"
    first = audit(capsys, ADDRESS, query).out.splitlines()[0]
    parts = audit(capsys, ADDRESS, query, "--key=id", "--partition-size=16KiB").out.splitlines()[0]
    assert first == parts
    assert first.startswith(f"{sum('type' in one for one in many)} records in 1 source: ")


def test_the_same_sums_from_every_kind_of_source(tmp_path: Path) -> None:
    make_records(tmp_path, 3000)
    expected = None
    for name, kind in KINDS.items():
        kind.make(tmp_path)
        sums = sums_of_audit(kind.audit(tmp_path))
        expected = expected or sums
        assert sums == (expected if kind.keeps_broken else without_broken(expected)), name
    assert expected is not None
    assert min(expected[:4]) > 0


def test_one_snapshot(many: Records, database: psycopg.Connection[Any]) -> None:
    fill(database, many, "text")
    columns = ColumnNames(table="audited.widgets")
    sources, partitions, _ = plan_sources([ADDRESS], partition_bytes=16 * 1024, columns=columns)
    assert len(partitions) > 4

    with consistent(sources) as [source]:
        rows = 0
        for [span] in partitions:
            database.execute("DELETE FROM audited.widgets WHERE number % 2 = 0")
            database.execute(
                "INSERT INTO audited.widgets SELECT max(number) + 1, 'new' FROM audited.widgets"
            )
            rows += sum(len(block.lines) for block in blocks(source, span, max_bytes=1 << 20))

    assert rows == len(many)


def test_it_cannot_write(
    many: Records, database: psycopg.Connection[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    fill(database, many, "text")
    database.execute(
        "CREATE FUNCTION audited.gone() RETURNS text LANGUAGE sql AS "
        "'DELETE FROM audited.widgets RETURNING data'"
    )

    found = audit(capsys, ADDRESS, "--query=SELECT audited.gone() AS data", "--type=countdown")

    assert found.code == 3
    assert "cannot execute DELETE in a read-only transaction" in found.out
    [(number,)] = database.execute("SELECT count(*) FROM widgets").fetchall()
    assert number == len(many)


@pytest.mark.parametrize(
    ("column", "value", "findings"),
    [
        ("bytea", "'{}'::bytea", ["required", "required", "required"]),
        ("bytea", r"'\xff'::bytea", ["json.encoding"]),
        ("text[]", "ARRAY['a']", ["type"]),
        ("integer", "17", ["type"]),
        ("text", "''", ["json.empty"]),
        ("jsonb", "'null'", ["type"]),
        ("jsonb", "NULL", ["type"]),
    ],
)
def test_columns_of_any_type(
    database: psycopg.Connection[Any],
    capsys: pytest.CaptureFixture[str],
    column: str,
    value: str,
    findings: list[str],
) -> None:
    database.execute(f"CREATE TABLE one (id uuid, data {column})")
    id = "a2b1f7c0-2f43-4d3e-bf0c-7a526f8e4a3f"
    database.execute(f"INSERT INTO one VALUES ('{id}', {value})")

    audit(capsys, ADDRESS, "--table=audited.one", "--type=countdown", "--findings=f.ndjson")

    told = [json.loads(line) for line in Path("f.ndjson").read_text().splitlines()]
    assert [(one["id"], one["keyword"]) for one in told] == [(id, name) for name in findings]


def test_what_is_wrong(
    database: psycopg.Connection[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    database.execute("CREATE TABLE w (id int, payload text)")

    for more, code, message in (
        (["--table=audited.w"], 3, 'it has no column "data": name the column with the data by '),
        (
            ["--table=audited.x"],
            3,
            'no table "audited.x"; did you mean "audited.w"? its tables are:',
        ),
        (["--table=audited.W"], 3, 'no table "audited.W"; did you mean "audited.w"? its tables'),
        (["--table=public.pg_class"], 3, 'it has no table "public.pg_class"'),
        (["--query=SELEC"], 3, "--query is not a query: it must begin with SELECT or WITH"),
        (["--query=SELECT FROM FROM"], 3, "syntax error"),
        ([], 3, "name the table by --table, or pass --query; its tables are: audited.w"),
    ):
        found = audit(capsys, ADDRESS, *more)
        assert found.code == code
        assert message in found.out
    found = audit(capsys, "postgresql:///nowhere", "--table=t")
    assert found.code == 5
    assert 'database "nowhere" does not exist' in found.out


def test_killed_and_resumed(
    many: Records, database: psycopg.Connection[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    fill(database, many, "text")

    assert_resumed(capsys, ADDRESS, "--table=audited.widgets")
