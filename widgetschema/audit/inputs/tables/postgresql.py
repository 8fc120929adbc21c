"""Tables and queries of PostgreSQL, read in transactions that cannot write.

All ranges of a run are read from one snapshot: a connection that stays open exports it, and each
reader imports it. Passwords come from the files and variables of the driver (`~/.pgpass`,
`PGPASSWORD`, a service file) and never pass through here.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final

from widgetschema.audit.inputs.sources import Block, Source, Span, Table
from widgetschema.audit.inputs.tables.model import ColumnNames, choose_columns, listed, missing
from widgetschema.audit.inputs.tables.queries import (
    blocks_of,
    even_ranges,
    quoted,
    range_condition,
    relation,
    stepped_ranges,
)
from widgetschema.errors import MissingExtra
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.text import printable

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

_PATIENCE: Final = 30  # seconds to connect, unless the address or the environment say otherwise
_BYTES: Final = 17  # the number of the type bytea
_TEXTS: Final = (25, 1042, 1043, 114, 3802, 705)  # text, char, varchar, json, jsonb, unknown
_INTEGERS: Final = (20, 21, 23)
_MARK: Final = "\0"  # which is in no text of PostgreSQL
_ABOUT: Final = "SELECT * FROM {} LIMIT 0"


class Unreachable(SourceFailed):
    """A database cannot be reached, or does not let this user in."""

    code = 5


def cut_postgresql(
    source: Source, asked: ColumnNames, part_bytes: int
) -> tuple[Source, Sequence[Span]]:
    """Return the source with its size and columns, and its rows in ranges of about so many bytes.

    Raises `SourceFailed`.
    """
    rows = relation(asked)
    with _reading(source) as connection, connection.cursor() as cursor:
        if rows is None:
            known = listed(_tables(cursor), "tables")
            raise SourceFailed(f"name the table by --table, or pass --query; {known}")
        if asked.table is not None and not _is_table(cursor, rows):
            raise SourceFailed(missing(asked.table, _tables(cursor), "table"))
        cursor.execute(_sql(_ABOUT.format(rows)))
        types = {one.name: one.type_code for one in cursor.description or ()}
        names = [one.name for one in cursor.description or ()]
        table = choose_columns(names, asked)
        key = asked.key or (None if asked.table is None else _primary_key(cursor, rows))
        cursor.execute(_sql(f"EXPLAIN (FORMAT JSON) SELECT * FROM {rows}"))
        [[[about]]] = cursor.fetchall()
        expected = max(1, int(about["Plan"]["Plan Rows"]))
        size = expected * max(1, int(about["Plan"]["Plan Width"]))
        table = table._replace(relation=rows, key=None if key is None else quoted(key))
        source = source._replace(size=size, table=table)
        if key is None:
            return source, [Span(0)]
        parts = -(-size // part_bytes)
        spans = _ranges(cursor, table, types[key] in _INTEGERS, parts, -(-expected // parts))
    return source, [span._replace(size=size // len(spans)) for span in spans]


def postgresql_blocks(source: Source, span: Span, max_bytes: int) -> Iterator[Block]:
    """Yield the rows of a span. Raises `SourceFailed`."""
    table = source.table
    assert table is not None
    with _reading(source) as connection:
        with connection.cursor() as cursor:
            cursor.execute(_sql(_ABOUT.format(table.relation)))
            types = {one.name: one.type_code for one in cursor.description or ()}
        wanted = [_selected(table, name, types.get(name, 0)) for name in table.names]
        condition, values = range_condition(table, span, _MARK)
        for value in values:
            condition = condition.replace(_MARK, _literal(value, connection), 1)
        query = f"SELECT {', '.join(wanted)} FROM {table.relation}{condition}"
        with connection.cursor(name="widgetschema") as cursor:
            _read_bytes(cursor)
            cursor.execute(_sql(query))
            yield from blocks_of(table, cursor.fetchmany, _ROW, max_bytes)


_ROW: Final = 1024.0  # bytes of a row, until they are known


@contextmanager
def one_snapshot(sources: Sequence[Source]) -> Generator[list[Source]]:
    """Yield the sources so that all parts of a database are read from one snapshot of it.

    Raises `SourceFailed`.
    """
    with ExitStack() as stack:
        found: list[Source] = []
        for source in sources:
            if source.layout == "postgresql":
                connection = stack.enter_context(_reading(source))
                # The server must not end it for doing nothing.
                connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                row = connection.execute("SELECT pg_export_snapshot()").fetchone()
                source = source._replace(snapshot=str(row[0]) if row else "")
            found.append(source)
        yield found


@contextmanager
def _reading(source: Source) -> Generator[Connection[Any]]:
    """Yield a connection in a transaction that cannot write. Raises `SourceFailed`."""
    try:
        import psycopg
    except ImportError:
        missing = MissingExtra("postgresql", "PostgreSQL needs the library psycopg")
        raise SourceFailed(str(missing), is_here=False) from None
    is_patient = "connect_timeout=" in source.address or "PGCONNECT_TIMEOUT" in os.environ
    more: dict[str, Any] = {} if is_patient else {"connect_timeout": _PATIENCE}
    try:
        connection = psycopg.connect(
            source.address,
            client_encoding="utf8",
            fallback_application_name="widgetschema audit",
            **more,
        )
    except psycopg.Error as error:
        raise Unreachable(_explained(error), is_here=False) from None
    try:
        with connection:
            connection.read_only = True
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            if source.snapshot:
                literal = psycopg.sql.Literal(source.snapshot)
                connection.execute(psycopg.sql.SQL("SET TRANSACTION SNAPSHOT {}").format(literal))
            yield connection
    except psycopg.Error as error:
        raise SourceFailed(_explained(error)) from None


def _explained(error: Exception) -> str:
    text = printable(" ".join(str(error).split())[:400])
    return f"PostgreSQL: {text or type(error).__name__}"


def _sql(query: str) -> bytes:
    """Return a query for the driver, which has no marks for values: a `%` is one."""
    return query.encode()


def _literal(value: Any, connection: Connection[Any]) -> str:
    from psycopg.sql import Literal

    return Literal(value).as_string(connection)


def _selected(table: Table, name: str, type_code: int) -> str:
    """Return a column as it is selected: as text, unless it is read as it is."""
    column = quoted(name)
    if name == table.data:
        is_plain = type_code == _BYTES
        as_text = f"{column}::text" if type_code in _TEXTS else f"to_json({column})::text"
        return column if is_plain else as_text
    return column if type_code in _INTEGERS else f"{column}::text"


def _read_bytes(cursor: Cursor[Any]) -> None:
    """Have texts and bytes read as they come."""
    from psycopg.adapt import Loader
    from psycopg.types.string import ByteaLoader

    class TextLoader(Loader):
        """Texts as bytes."""

        def load(self, data: Any) -> bytes:
            """Return the bytes."""
            return bytes(data)

    cursor.adapters.register_loader("text", TextLoader)
    cursor.adapters.register_loader("bytea", ByteaLoader)


def _is_table(cursor: Cursor[Any], rows: str) -> bool:
    """Return whether there is a table, a view or the like of this name."""
    cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [rows])
    return cursor.fetchone() == (True,)


def _tables(cursor: Cursor[Any]) -> list[str]:
    """Return the names of the tables and views that this user may read, as `--table` takes them."""
    cursor.execute(
        "SELECT CASE WHEN pg_table_is_visible(c.oid) THEN c.relname::text "
        "ELSE n.nspname || '.' || c.relname END AS name "
        "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition "
        "AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' "
        "AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') "
        "ORDER BY name"
    )
    return [str(name) for (name,) in cursor.fetchall()]


def _primary_key(cursor: Cursor[Any], rows: str) -> str | None:
    """Return the primary key of a table, if that is one column."""
    cursor.execute(
        "SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid "
        "AND a.attnum = ANY(i.indkey) WHERE i.indrelid = to_regclass(%s) AND i.indisprimary",
        [rows],
    )
    names = [str(name) for (name,) in cursor.fetchall()]
    return names[0] if len(names) == 1 else None


def _ranges(
    cursor: Cursor[Any], table: Table, is_integer: bool, parts: int, step: int
) -> list[Span]:
    """Return the ranges of the key."""
    key, rows = table.key, table.relation
    if is_integer:
        cursor.execute(_sql(f"SELECT min({key}), max({key}) FROM {rows}"))
        [(least, greatest)] = cursor.fetchall()
        return even_ranges(least, greatest, parts) if least is not None else [Span(0, 0, 1)]

    def next_border(border: Any) -> Any:
        condition = "IS NOT NULL"
        if border is not None:
            condition = f"> {_literal(border, cursor.connection)}"
        where = f" WHERE {key} {condition}"
        order = f"ORDER BY {key} LIMIT 1 OFFSET {step - 1}"
        cursor.execute(_sql(f"SELECT {key}::text FROM {rows}{where} {order}"))
        found = cursor.fetchone()
        return None if found is None else found[0]

    return stepped_ranges(next_border) if parts > 1 else [Span(0, 0, 1)]
