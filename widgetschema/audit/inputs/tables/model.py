"""The columns of a table that are read, and its rows as blocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, overload

from widgetschema.audit.inputs.sources import Block, RowColumns, Table, blocks_within
from widgetschema.project.inputs.formats import CSV, Layout, uncompressed_name
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.suggest import nearest
from widgetschema.text import printable

WHOLE_ROW: Final = "*"  # in place of the column with the data: the row is the record
DATA_OPTION: Final = "--data-column"
_DATA: Final = "data"  # the default
_MOST_NAMED: Final = 40  # columns in a message
_ARROW: Final = (".parquet", ".pq", ".arrow", ".arrows", ".feather", ".ipc")
DATABASE_LAYOUTS: Final[frozenset[Layout]] = frozenset({"sqlite", "postgresql"})


class NoColumn(SourceFailed):
    """A table with widget data has no column for what is asked of its records.

    It must not be passed over, wherever it was found.
    """


def is_table_name(name: str) -> bool:
    """Return whether a file has the name of a table."""
    return uncompressed_name(name).endswith((*CSV, *_ARROW))


class ColumnNames(NamedTuple):
    """The columns that are asked for; None for one that was not named, and need not be there.

    A column that was not named is the one of the `default_…` name, if there is one. So are those
    of `more`, which must be there if the rows stand for records: their type is in a column, or it
    `has_type` besides. Of a database, `table` or `query` say which rows are read, and `key` is the
    column by whose values they are divided.
    """

    data: str | None = None
    type: str | None = None
    id: str | None = None
    default_type: str | None = "type"
    default_id: str | None = "id"
    default_date: str | None = "updated"
    more: tuple[str, ...] = ()
    has_type: bool = False
    table: str | None = None
    query: str | None = None
    key: str | None = None


_NONE_ASKED: Final = ColumnNames()


def choose_columns(names: Sequence[str], asked: ColumnNames, *, whole_rows: bool = False) -> Table:
    """Return the columns to read of those that a table has.

    `whole_rows` says whether its rows can be records. Raises `SourceFailed` if a column is not
    there that must be, or is there more than once.
    """
    if asked.data == WHOLE_ROW:
        if not whole_rows:
            raise SourceFailed(
                f"its rows cannot be records: name the column with the data by {DATA_OPTION}"
            )
        _require(asked.more, names)
        return Table(WHOLE_ROW)
    data = asked.data or _DATA
    if asked.data is None and data not in names:
        rows = f", or pass {DATA_OPTION} '{WHOLE_ROW}' if each row is a record"
        raise SourceFailed(
            f'it has no column "data": name the column with the data by {DATA_OPTION}'
            f"{rows if whole_rows else ''}; {listed(names)}"
        )
    table = Table(
        data,
        _chosen(names, asked.type, asked.default_type, data),
        _chosen(names, asked.id, asked.default_id, data),
        _chosen(names, None, asked.default_date, data),
        tuple(name for name in dict.fromkeys(asked.more) if name in names and name != data),
    )
    if table.type is not None or asked.has_type:
        _require(asked.more, names, table, asked)
    for name in (*table.names, *([] if asked.key is None else [asked.key])):
        if name not in names:
            raise SourceFailed(missing(name, names))
        if names.count(name) > 1:
            raise SourceFailed(f"it has {names.count(name)} columns {_quoted(name)}: rename them")
    return table


def _require(
    more: Sequence[str],
    names: Sequence[str],
    table: Table | None = None,
    asked: ColumnNames = _NONE_ASKED,
) -> None:
    """Raise `NoColumn` if a record has no member that is asked for, since no column has it."""
    members = {*names}
    if table is not None:
        members = members - {table.data} | {_DATA}
        own = ((table.type, asked.default_type), (table.id, asked.default_id))
        members |= {member for column, member in own if column is not None and member is not None}
    for name in more:
        if name in members:
            continue
        if name in names:
            raise NoColumn(
                f"its column {_quoted(name)} has the data: that is the property /{_DATA} of "
                "a record"
            )
        raise NoColumn(missing(name, names))


def _chosen(names: Sequence[str], named: str | None, default: str | None, data: str) -> str | None:
    if named is not None:
        return named
    return default if default in names and default != data else None


def missing(name: str, names: Sequence[str], what: str = "column") -> str:
    """Return the message about a missing column or table; it lists those that exist."""
    near = nearest(name, names, 1)
    meant = f"; did you mean {_quoted(near[0])}?" if near else ";"
    return f"it has no {what} {_quoted(name)}{meant} {listed(names, f'{what}s')}"


def listed(names: Sequence[str], what: str = "columns") -> str:
    """Return the names of the columns, or tables, that there are, as the end of a sentence."""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    some = ", ".join(printable(name) for name in names[:_MOST_NAMED])
    return f"its {what} are: {some}{more}" if names else f"it has no {what}"


def _quoted(name: str) -> str:
    return f'"{printable(name)}"'


def row_blocks(
    texts: Sequence[bytes | None],
    columns: RowColumns | None,
    first: int,
    max_bytes: int,
    stored: int = 0,
) -> Iterator[Block]:
    """Return rows as blocks; `first` is the number of the first one, `texts` are their data.

    A row without data has the text `null`. A row of more than `max_bytes` is a block of its own.
    """
    lines = [b"null" if text is None else text for text in texts]
    return blocks_within(lines, first, max_bytes, stored, columns)


class LazyCells(Sequence[Any]):
    """The cells of a column, of which each is made when it is looked at."""

    def __init__(self, number: int, cell: Callable[[int], Any]) -> None:
        self._number = number
        self._cell = cell

    def __len__(self) -> int:
        return self._number

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self._cell(one) for one in range(self._number)[index]]
        return self._cell(index)


def row_columns(
    table: Table,
    rows: Sequence[Sequence[Any]],
    places: Mapping[str, int],
    plain: Callable[[Any], Any],
) -> RowColumns:
    """Return the cells of some rows beside the data; `places` say where each column is in a row."""

    def cells(name: str) -> list[Any]:
        at = places[name]
        return [plain(row[at]) for row in rows]

    def some(name: str) -> LazyCells:
        at = places[name]
        return LazyCells(len(rows), lambda index: plain(rows[index][at]))

    return table.columns(cells, some)


def plain_cell(value: Any) -> Any:
    """Return a cell as a value of JSON, as it is in the document that a row stands for.

    Of objects, members that are null are left out, as in the data. Numbers that are not finite are
    null, since JSON has none.
    """
    if type(value) is float:
        return value if math.isfinite(value) else None
    if value is None or type(value) in (int, bool):
        return value
    if type(value) is dict:
        return {str(name): plain_cell(item) for name, item in value.items() if item is not None}
    if type(value) in (list, tuple):
        return [plain_cell(item) for item in value]
    if type(value) is str:
        return plain_text(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "backslashreplace")
    isoformat = getattr(value, "isoformat", None)
    return str(value) if isoformat is None else isoformat()


def plain_text(text: str) -> str:
    """Return a text, with escapes for what is not UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
