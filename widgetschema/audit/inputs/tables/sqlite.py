"""Tables in SQLite, which is opened for reading only."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from widgetschema.audit.inputs.sources import Block, Source, Span, stamp_of
from widgetschema.audit.inputs.tables.model import (
    ColumnNames,
    choose_columns,
    listed,
    missing,
    plain_cell,
)
from widgetschema.audit.inputs.tables.queries import (
    blocks_of,
    even_ranges,
    quoted,
    range_condition,
    relation,
    stepped_ranges,
)
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.text import printable

_CHANGED: Final = (
    "the database changed while it was audited: run the audit again, or audit a copy of it "
    "(VACUUM INTO)"
)
_ROWID: Final = "rowid"
_ELSEWHERE: Final = "name a table or columns that do not need it, by --table or --query"
_FOREIGN: Final = (
    "it needs a function, a collation or a module of the application that writes the database: "
    f"{_ELSEWHERE}, or export the table from there"
)
_ADVICE: Final = {  # by what an error of SQLite has in it
    "malformed database schema": (
        f"this Python has SQLite {sqlite3.sqlite_version}: use one like that which wrote the "
        "database, or export the table from there"
    ),
    "unsafe use of": f"a schema must not do this: {_ELSEWHERE}",
    "no such function": _FOREIGN,
    "unknown function": _FOREIGN,
    "no such collation": _FOREIGN,
    "no query solution": _FOREIGN,  # without the collation of its key
    "no such module": _FOREIGN,
    "no such tokenizer": _FOREIGN,
}


def sqlite_stamp(path: str) -> str:
    """Return a stamp that changes with the database, of which a part may be in its log."""
    stamps = [stamp_of(os.stat(path))]
    with suppress(OSError):
        log = os.stat(f"{path}-wal")
        stamps += [str(log.st_size), str(log.st_mtime_ns)] if log.st_size else []
    return " ".join(stamps)


def cut_sqlite(
    source: Source, asked: ColumnNames, part_bytes: int
) -> tuple[Source, Sequence[Span]]:
    """Return a database with the columns to read, and its rows in ranges of about so many bytes.

    Raises `SourceFailed`.
    """
    with _reading(source) as database:
        _require_all_pages(database, source)
        rows = relation(asked) or quoted(_only_table(database))
        names = _columns_of(database, rows, asked)
        table = choose_columns(names, asked)
        key = _key(database, rows, names, asked)
        source = source._replace(table=table._replace(relation=rows, key=key))
        if key is None:
            return source, [Span(0)]
        parts = max(1, -(-(source.size or 0) // part_bytes))
        [(least, greatest)] = _asked(database, f"SELECT min({key}), max({key}) FROM {rows}")
        if type(least) is int and type(greatest) is int:
            return source, _sized(even_ranges(least, greatest, parts), source)
        [(number,)] = _asked(database, f"SELECT count(*) FROM {rows}")
        step = max(1, -(-number // parts))

        def next_border(border: Any) -> Any:
            where = f" WHERE {key} IS NOT NULL" if border is None else f" WHERE {key} > ?"
            order = f"ORDER BY {key} LIMIT 1 OFFSET {step - 1}"
            there = f"SELECT {key} FROM {rows}{where}"
            found = _asked(database, f"{there} {order}", [] if border is None else [border])
            return next((_text(value) for (value,) in found), None)

        return source, _sized(stepped_ranges(next_border), source)


def sqlite_blocks(source: Source, span: Span, max_bytes: int) -> Iterator[Block]:
    """Yield the rows of a span. Raises `SourceFailed`."""
    table = source.table
    assert table is not None
    with _reading(source) as database:
        condition, values = range_condition(table, span, "?")
        columns = ", ".join(map(quoted, table.names))
        [(size,)] = _asked(
            database,
            "SELECT avg(size) FROM "
            f"(SELECT length({quoted(table.data)}) AS size FROM {table.relation} LIMIT 100)",
        )
        found = _asked(database, f"SELECT {columns} FROM {table.relation}{condition}", values)
        yield from blocks_of(table, found.fetchmany, size or 0, max_bytes)
    if source.stamp and sqlite_stamp(source.address) != source.stamp:
        raise SourceFailed(_CHANGED)


@contextmanager
def _reading(source: Source) -> Generator[sqlite3.Connection]:
    """Yield a connection that cannot write, in a transaction. Raises `SourceFailed`."""
    try:
        if source.stamp and sqlite_stamp(source.address) != source.stamp:
            raise SourceFailed(_CHANGED)
        address = f"file:{quote(os.path.abspath(source.address))}?mode=ro"
        database = sqlite3.connect(address, uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise SourceFailed(_explained(error)) from None
    with closing(database):
        database.text_factory = bytes  # whatever is in it
        try:
            trusted = "ON" if _json_needs_trust() else "OFF"
            for setting in (
                "query_only = ON",
                f"trusted_schema = {trusted}",
                "cell_size_check = ON",
            ):
                database.execute(f"PRAGMA {setting}")
            database.execute("BEGIN")
            yield database
        except sqlite3.Error as error:
            raise SourceFailed(_explained(error)) from None


def _require_all_pages(database: sqlite3.Connection, source: Source) -> None:
    """Raise `SourceFailed` if the last page was cut off: SQLite reads the rest as zeros."""
    [(page,)] = _asked(database, "PRAGMA page_size")
    [(number,)] = _asked(database, "PRAGMA page_count")
    size = source.size or 0
    if size % page and size < page * number:
        raise SourceFailed(f"it is cut off: it has {size:,} bytes of {page * number:,}")


@cache
def _json_needs_trust() -> bool:
    """Return whether this SQLite lets only a trusted schema call its JSON functions.

    Before 3.41, it does not know that they are harmless. Then every schema is trusted. Nothing is
    registered that could do any harm, and what runs code is refused in a schema even so.
    """
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIEW one AS SELECT json_array(1)")
        database.execute("PRAGMA trusted_schema = OFF")
        try:
            database.execute("SELECT * FROM one")
        except sqlite3.OperationalError as error:
            return "unsafe" in str(error)
    return False


def _asked(database: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
    return database.execute(query, values)


def _explained(error: sqlite3.Error) -> str:
    text = printable(" ".join(str(error).split())[:300])
    advice = next((advice for cause, advice in _ADVICE.items() if cause in text), "")
    return f"SQLite cannot read it: {text}{advice and f'; {advice}'}"


def _only_table(database: sqlite3.Connection) -> str:
    """Return the only table of a database. Raises `SourceFailed` if there are more."""
    names = _tables(database)
    if len(names) != 1:
        raise SourceFailed(f"name the table by --table, or pass --query; {listed(names, 'tables')}")
    return names[0]


def _columns_of(database: sqlite3.Connection, rows: str, asked: ColumnNames) -> list[str]:
    """Return the names of the columns. Raises `SourceFailed` if there is no such table."""
    try:
        return [one[0] for one in _asked(database, f"SELECT * FROM {rows} LIMIT 0").description]
    except sqlite3.OperationalError as error:
        if "unknown function" in str(error) and asked.query is None:  # in a generated column
            schema, _, table = rows.rpartition(".")
            info = f"PRAGMA {schema}{'.' * bool(schema)}table_xinfo({table})"
            return [str(_text(row[1])) for row in _asked(database, info)]
        names = [] if asked.table is None else _tables(database)
        if asked.table is None or asked.table.casefold() in map(str.casefold, names):
            raise  # it is something else, as in a view
        raise SourceFailed(missing(asked.table, names, "table")) from None


def _tables(database: sqlite3.Connection) -> list[str]:
    """Return the names of the tables and views of a database."""
    found = _asked(
        database,
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    return [str(_text(name)) for (name,) in found]


def _text(value: Any) -> Any:
    return plain_cell(value) if isinstance(value, bytes) else value


def _key(
    database: sqlite3.Connection, rows: str, names: Sequence[str], asked: ColumnNames
) -> str | None:
    """Return the key of the ranges, as SQL: the one asked for, or the number of a row."""
    if asked.key is not None:
        return quoted(asked.key)
    if asked.query is None and _ROWID not in map(str.lower, names):
        with suppress(sqlite3.OperationalError):  # a view, or a table without them
            _asked(database, f"SELECT {_ROWID} FROM {rows} LIMIT 0")
            return _ROWID
    return None


def _sized(spans: Sequence[Span], source: Source) -> list[Span]:
    return [span._replace(size=(source.size or 0) // len(spans)) for span in spans]
