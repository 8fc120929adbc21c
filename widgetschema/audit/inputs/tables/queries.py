"""The SQL that reads some rows of a database, in ranges of a key.

A range is what is above one value of the key, and up to another. The first one has the rows without
a key, too, so that each row is in one range.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from widgetschema.audit.inputs.sources import Block, Span, Table
from widgetschema.audit.inputs.tables.model import (
    ColumnNames,
    plain_cell,
    row_blocks,
    row_columns,
)
from widgetschema.project.inputs.model import SourceFailed

MOST_RANGES: Final = 100_000
_QUERY: Final = re.compile(
    r"(?:\s|\(|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*(?:SELECT|WITH|VALUES|TABLE)\b", re.IGNORECASE
)
_BATCH: Final = 256 * 1024  # bytes of data that are read at a time, about
_MOST_ROWS: Final = 4096  # … and rows


def quoted(name: str) -> str:
    """Return a name as SQL."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def relation(asked: ColumnNames) -> str | None:
    """Return the relation behind `FROM`, by the options; None if they name none.

    Raises `SourceFailed` for what is no query.
    """
    if asked.query is not None:
        query = asked.query.strip().removesuffix(";")
        if not _QUERY.match(query):  # else it would be the name of a table
            raise SourceFailed("--query is not a query: it must begin with SELECT or WITH")
        return f"({query}\n) AS widget_rows"
    if asked.table is not None:
        return ".".join(quoted(name) for name in asked.table.split("."))
    return None


def range_condition(table: Table, span: Span, mark: str) -> tuple[str, list[Any]]:
    """Return the clauses behind `FROM …` for the rows of a span, and their parameters."""
    if table.key is None:
        return "", []
    key = table.key
    above, most = span.keys or (None, None)
    bounds = [(f"{key} > {mark}", above), (f"{key} <= {mark}", most)]
    given = [(text, value) for text, value in bounds if value is not None]
    condition = " AND ".join(text for text, _ in given)
    if condition and above is None:
        condition = f"({condition} OR {key} IS NULL)"
    where = f" WHERE {condition}" if condition else ""
    return f"{where} ORDER BY {key}", [value for _, value in given]


def even_ranges(least: int, greatest: int, parts: int) -> list[Span]:
    """Return ranges of integers whose borders stay where they are if more are added."""
    width = 1
    while width * parts < greatest - least + 1:
        width *= 2
    borders = range((least // width + 1) * width - 1, greatest, width)
    return spans_between(borders)


def stepped_ranges(next_border: Callable[[Any], Any]) -> list[Span]:
    """Return ranges whose borders are found one by one, each by the one before; None ends them."""

    def borders() -> Iterator[Any]:
        border = None
        for _ in range(MOST_RANGES):
            before, border = border, next_border(border)
            if border is None or border == before:
                return
            yield border
        raise SourceFailed(f"more than {MOST_RANGES:,} ranges: pass a larger --partition-size")

    return spans_between([*borders()])


def spans_between(borders: Sequence[Any]) -> list[Span]:
    """Return spans with these borders between them; the first and the last one have no end."""
    return [
        Span(0, index, index + 1, None, keys)
        for index, keys in enumerate(pairwise([None, *borders, None]))
    ]


def blocks_of(
    table: Table,
    fetch: Callable[[int], Sequence[Sequence[Any]]],
    row_bytes: float,
    max_bytes: int,
) -> Iterator[Block]:
    """Yield rows as blocks; `fetch` returns so many of the next ones, with the columns by name."""
    places = {name: index for index, name in enumerate(table.names)}
    data = places[table.data]
    count = max(1, min(_MOST_ROWS, int(_BATCH / max(1.0, row_bytes))))
    first = 1
    while rows := fetch(count):
        texts = [_json_text(row[data]) for row in rows]
        columns = row_columns(table, rows, places, plain_cell)
        stored = sum(len(one or b"") for one in texts)
        yield from row_blocks(texts, columns, first, max_bytes, stored)
        first += len(rows)


def _json_text(value: Any) -> bytes | None:
    """Return a cell as a JSON text; texts and bytes are one already.

    A number that is not finite is spelled as in JavaScript: whoever reads the text says so.
    """
    if value is None or type(value) is bytes:
        return value
    return (
        value.encode("utf-8", "surrogateescape")
        if type(value) is str
        else json.dumps(value).encode()
    )
