"""`widgetschema audit` of SQLite: the same sums as of lines, nothing written, nothing left out."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.integration.test_cli_audit_tables import audit, here, many, results
from tests.tables import Records, as_lines, compact, records, write_sqlite
from widgetschema.audit import audit as python_audit
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.inputs.tables.model import ColumnNames
from widgetschema.audit.plan import plan_sources
from widgetschema.project.inputs.model import SourceFailed

COLUMNS = ColumnNames()
__all__ = ["here", "many"]  # fixtures


class TestTheSameRecords:
    def test_in_any_ranges(self, many: Records, capsys: pytest.CaptureFixture[str]) -> None:
        Path("lines.ndjson").write_bytes(as_lines(many))
        expected = results(capsys, "lines.ndjson", "--data-pointer=/data")

        write_sqlite(Path("w.db"), many)
        before = Path("w.db").read_bytes()

        for more in ([], ["--partition-size=8KiB", "--jobs=2"], ["--table=widgets"]):
            assert results(capsys, "w.db", *more) == expected
        query = "SELECT id, type, updated, data FROM widgets ORDER BY rowid; "
        assert results(capsys, "sqlite:///w.db", f"--query={query}") == expected
        assert Path("w.db").read_bytes() == before
        assert sorted(os.listdir()) == ["findings.ndjson", "ids.txt", "lines.ndjson", "w.db"]

    @pytest.mark.parametrize("key", ["id", "updated", "data"])
    def test_in_the_order_of_a_key(
        self, many: Records, capsys: pytest.CaptureFixture[str], key: str
    ) -> None:
        """No row is lost or read twice: not those without a key, nor those with the same."""
        write_sqlite(Path("w.db"), many)
        expected = audit(capsys, "w.db", "--invalid-ids=whole.txt").out.splitlines()[0]

        found = audit(
            capsys, "w.db", f"--key={key}", "--partition-size=8KiB", "--invalid-ids=parts.txt"
        )

        assert found.out.splitlines()[0] == expected
        ids = [sorted(Path(name).read_text().splitlines()) for name in ("whole.txt", "parts.txt")]
        assert ids[0] == ids[1]
        assert len(ids[0]) > 10

    def test_ranges_of_integers_cover_all(self) -> None:
        with closing(sqlite3.connect("n.db")) as database, database:
            database.execute("CREATE TABLE t (n, data)")
            numbers = [-(2**63), -5, 0, 0, 17, 1023, 1024, 2**63 - 1, None, 1.5, "x", b"y"]
            database.executemany("INSERT INTO t VALUES (?, ?)", ((one, "{}") for one in numbers))
        for where in ("", " WHERE n = 17", " WHERE n IS NULL", " WHERE typeof(n) = 'integer'"):
            with closing(sqlite3.connect("n.db")) as database:
                [(expected,)] = database.execute(f"SELECT count(*) FROM t{where}")
            columns = COLUMNS._replace(query=f"SELECT * FROM t{where}", key="n")

            [source], partitions, problems = plan_sources(
                ["n.db"], partition_bytes=512, columns=columns
            )

            assert not problems
            spans = [span for spans in partitions for span in spans]
            found = [
                len(block.lines) for one in spans for block in blocks(source, one, max_bytes=9)
            ]
            assert sum(found) == expected


def test_from_python(many: Records, capsys: pytest.CaptureFixture[str]) -> None:
    write_sqlite(Path("w.db"), many)
    table = ["--table=widgets", "--id-column=updated", "--by=/id", "--format=json"]
    expected = json.loads(audit(capsys, "w.db", *table).out)

    found = python_audit("w.db", table="widgets", id_column="updated", by=["/id"]).as_dict()

    untyped = [
        next(one for one in of["places"] if one["keyword"] == "problem.type")
        for of in (found, expected)
    ]
    for one, option in zip(untyped, ("type_id", "--type ID"), strict=True):
        assert f"pass {option} (known" in one.pop("message")
        for example in one["examples"]:
            assert f"pass {option} (known" in example.pop("message")
    assert found == expected
    assert (
        python_audit("w.db", query="SELECT 1 AS one")
        .problems[0]
        .message.startswith('it has no column "data"')
    )


class TestWhatIsWrong:
    def test_tables_that_are_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        write_sqlite(Path("w.db"), records(3))
        write_sqlite(Path("w.db"), records(4), "other one")

        assert (
            "w.db: name the table by --table, or pass --query; its tables are: other one, widgets"
        ) in audit(capsys, "w.db").out
        assert audit(capsys, "w.db", "--table=other one").out == (
            "4 records in 1 source: all valid\n"
        )
        found = audit(capsys, "w.db", "--table=widgetz")
        assert found.code == 3
        assert (
            'w.db: it has no table "widgetz"; did you mean "widgets"? '
            "its tables are: other one, widgets\n"
        ) in found.out
        [problem] = python_audit("w.db", table="nothing").problems
        assert problem.message == 'it has no table "nothing"; its tables are: other one, widgets'
        with closing(sqlite3.connect("w.db")) as database, database:
            database.execute("CREATE VIEW broken AS SELECT * FROM gone")
        found = audit(capsys, "w.db", "--table=Broken")
        assert "w.db: SQLite cannot read it: no such table: main.gone" in found.out
        found = audit(capsys, "w.db", "--table=widgets", "--key=ids")
        assert 'it has no column "ids"; did you mean "id"? its columns are: ' in found.out

    def test_a_query_begins_as_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        write_sqlite(Path("w.db"), records(3))

        for query in ("selec", "widgets", "", "-- SELECT", "selection"):
            found = audit(capsys, "w.db", f"--query={query}")
            assert found.code == 3
            assert "w.db: --query is not a query: it must begin with SELECT or WITH" in found.out
        for query in (
            "-- all\n/* of * them **/ select * from widgets",
            "with w as (select * from widgets) select * from w",
        ):
            assert "3 records in 1 source" in audit(capsys, "w.db", f"--query={query}").out

    def test_nothing_can_be_written(self, capsys: pytest.CaptureFixture[str]) -> None:
        write_sqlite(Path("w.db"), records(3))

        for query in (
            "DELETE FROM widgets RETURNING *",
            "SELECT 1 AS data); DROP TABLE widgets --",
        ):
            assert audit(capsys, "w.db", f"--query={query}").code == 3

        assert "3 records" in audit(capsys, "w.db").out

    def test_infinite_data_is_unreadable(self, capsys: pytest.CaptureFixture[str]) -> None:
        with closing(sqlite3.connect("w.db")) as database, database:
            database.execute("CREATE TABLE w (id, data)")
            database.execute("INSERT INTO w VALUES (1, 1e999), (2, -1e999), (3, 1.5)")

        found = audit(capsys, "w.db", "--type=countdown")

        assert "1 invalid, 2 unreadable" in found.out
        assert "Infinity" in found.out
        assert "null is not allowed" not in found.out

    def test_cells_that_are_no_texts(self, capsys: pytest.CaptureFixture[str]) -> None:
        data = compact({"content": {}, "settings": {}, "styles": {}})
        with closing(sqlite3.connect("w.db")) as database, database:
            database.execute("CREATE TABLE w (id, data)")
            rows = [(1, data), (2.5, data.encode()), (b"\xff", 17), (None, ""), (5, b"\xff")]
            database.executemany("INSERT INTO w VALUES (?, ?)", rows)

        audit(capsys, "w.db", "--type=countdown", "--findings=f.ndjson")

        findings = [json.loads(line) for line in Path("f.ndjson").read_text().splitlines()]
        assert [(one["line"], one["id"], one["keyword"]) for one in findings] == [
            (3, "\\xff", "type"),
            (4, None, "json.empty"),
            (5, 5, "json.encoding"),
        ]

    def test_a_change_in_the_middle(self) -> None:
        write_sqlite(Path("w.db"), records(100))
        [source], partitions, _ = plan_sources(["w.db"], partition_bytes=4096)
        write_sqlite(Path("w.db"), records(1), "more")

        with pytest.raises(SourceFailed, match="the database changed while it was audited"):
            list(blocks(source, partitions[0][0], max_bytes=1 << 20))

    @pytest.mark.parametrize("option", ["--table=t", "--query=SELECT 1", "--key=id"])
    def test_options_for_databases(self, capsys: pytest.CaptureFixture[str], option: str) -> None:
        Path("a.ndjson").write_bytes(b"{}\n")

        found = audit(capsys, "a.ndjson", option)

        assert found.code == 2
        assert f"{option.partition('=')[0]} is for databases, and no input is one." in found.err

    @pytest.mark.parametrize(
        "address",
        [
            "postgresql://ann:s3cret@host/db",
            "postgres://ann:s3/c#r?e@t@host/db",
            "postgresql://host/db?user=ann&password=s3cret",
            "postgresql://host/db?sslPassword=s3cret",
            "postgresql://:s3cret@/db",
            "postgresql:///db?user=ann&pass%77ord=s3cret",
            "postgresql:ann:s3cret@host/db",
            "postgresql+psycopg://ann:s3cret@host/db",
            "host=/tmp dbname=db password=s3cret",
            "password = 's3cret' dbname=db",
        ],
    )
    def test_passwords_are_refused(self, capsys: pytest.CaptureFixture[str], address: str) -> None:
        found = audit(capsys, address, "--table=t", "--html=p.html")

        assert found.code == 2
        assert "an address must not hold a password: use ~/.pgpass" in found.err
        assert "s3" not in found.out + found.err
        assert os.listdir() == []

    def test_without_the_extra(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "psycopg", None)

        found = audit(capsys, "postgresql://host/db", "--table=t")

        assert found.code == 3
        assert "pip install 'widgetschema[postgresql]'" in found.out

    def test_a_server_that_is_not_there(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PGPASSWORD", "s3cret")

        found = audit(capsys, "postgresql://ann@/db?host=/not/there", "--table=t")

        assert found.code == 5
        assert "failed: No such file or directory" in found.out
        assert "s3cret" not in found.out + found.err


DATA = '{"title":"x"}'
TABLE = "CREATE TABLE t (id INTEGER PRIMARY KEY, data TEXT)"
WITH_JSON: dict[str, list[str]] = {
    "an index": [TABLE, "CREATE INDEX i ON t (json_extract(data, '$.title'))"],
    "an index by an operator": [TABLE, "CREATE INDEX i ON t (data ->> '$.title')"],
    "a partial index": [TABLE, "CREATE INDEX i ON t (id) WHERE json_valid(data)"],
    "a virtual column": [f"{TABLE[:-1]}, title AS (json_extract(data, '$.title')) VIRTUAL)"],
    "a stored column": [f"{TABLE[:-1]}, title AS (json_extract(data, '$.title')) STORED)"],
    "a constraint": [f"{TABLE[:-1]} CHECK (json_valid(data)))"],
    "a default": [f"{TABLE[:-1]} DEFAULT (json('{{}}')))"],
    "a trigger": [
        TABLE,
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT json(new.data); END",
    ],
    "a view": [
        TABLE.replace(" t ", " u "),
        "CREATE VIEW t AS SELECT id, json(data) AS data FROM u",
    ],
    "a view of members": [
        TABLE.replace(" t ", " u "),
        "CREATE VIEW t AS SELECT u.id, u.data FROM u, json_each(u.data) WHERE key = 'title'",
    ],
    "a view beside it": [
        TABLE,
        "CREATE VIEW v AS SELECT json_extract(data, '$.title'), load_extension('x') FROM t",
    ],
}


def with_schema(statements: list[str]) -> None:
    """Write a database of two rows, by an application with a function and a collation."""
    with closing(sqlite3.connect("w.db")) as database, database:
        database.create_function("of_app", 1, lambda value: value, deterministic=True)
        database.create_collation("by_app", lambda a, b: (a > b) - (a < b))
        for statement in statements:
            database.execute(statement)
        table = "u" if " u " in statements[0] else "t"
        for number in range(2):
            database.execute(f"INSERT INTO {table} (id, data) VALUES (?, ?)", (number, DATA))


def audited(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    Path("s.json").write_text('{"properties": {"title": {"type": "string"}}, "type": "object"}')
    options = [*(more or ["--table=t"]), "--data-schema=s.json"]
    return audit(capsys, "w.db", *options).out


@pytest.mark.parametrize("statements", WITH_JSON.values(), ids=WITH_JSON)
def test_a_schema_that_calls_functions_of_json(
    here: Path, capsys: pytest.CaptureFixture[str], statements: list[str]
) -> None:
    with_schema(statements)
    assert audited(capsys) == "2 records in 1 source: all valid\n"


UNNEEDED: dict[str, list[str]] = {
    "an index": [TABLE, "CREATE INDEX i ON t (of_app(data))"],
    "a constraint": [f"{TABLE[:-1]} CHECK (of_app(data) IS NOT NULL))"],
    "a virtual column": [f"{TABLE[:-1]}, of AS (of_app(data)) VIRTUAL)"],
    "a stored column": [f"{TABLE[:-1]}, of AS (of_app(data)) STORED)"],
    "a collation of the data": [f"{TABLE[:-1]} COLLATE by_app)"],
}


@pytest.mark.parametrize("statements", UNNEEDED.values(), ids=UNNEEDED)
def test_functions_of_an_application_that_are_not_needed(
    here: Path, capsys: pytest.CaptureFixture[str], statements: list[str]
) -> None:
    with_schema(statements)
    assert audited(capsys) == "2 records in 1 source: all valid\n"


NEEDED: dict[str, tuple[list[str], str, str]] = {
    "a view": (
        [TABLE.replace(" t ", " u "), "CREATE VIEW t AS SELECT of_app(data) AS data FROM u"],
        "no such function: of_app",
        "SELECT data FROM u",
    ),
    "a column": (
        ["CREATE TABLE u (id INTEGER, data TEXT)",
         "CREATE TABLE t (raw TEXT, data AS (of_app(raw)))"],
        "unknown function: of_app()",
        "SELECT data FROM u",
    ),
    "what a schema must not call": (
        [TABLE.replace(" t ", " u "),
         "CREATE VIEW t AS SELECT data, load_extension(data) AS x FROM u"],
        "unsafe use of load_extension()",
        "SELECT data FROM u",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("statements", "cause", "query"), NEEDED.values(), ids=NEEDED)
def test_what_cannot_be_read_has_a_cause_and_a_remedy(
    here: Path, capsys: pytest.CaptureFixture[str], statements: list[str], cause: str, query: str
) -> None:
    with_schema(statements)
    out = audited(capsys)
    assert f"SQLite cannot read it: {cause}" in out
    assert "by --table or --query" in out
    assert audited(capsys, f"--query={query}") == "2 records in 1 source: all valid\n"


def test_a_damaged_schema_names_the_version(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_schema([TABLE])
    with closing(sqlite3.connect("w.db")) as database, database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_schema SET sql = 'CREATE TABLE t (id, data) NEWER'")
    out = audited(capsys)
    assert "malformed database schema (t)" in out
    assert f"this Python has SQLite {sqlite3.sqlite_version}" in out


def test_a_database_that_was_cut_off_is_not_read(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_schema([TABLE])
    whole = Path("w.db").read_bytes()
    for size in (len(whole) - 1, len(whole) - 3000):
        Path("w.db").write_bytes(whole[:size])
        assert f"it is cut off: it has {size:,} bytes of {len(whole):,}" in audited(capsys)
    Path("w.db").write_bytes(whole + b"x")  # which SQLite does not look at
    assert audited(capsys) == "2 records in 1 source: all valid\n"
