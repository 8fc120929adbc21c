"""The check of the rows of a table: each stands for a record that has its cells as members.

The data of a row is a text of its own, so the fast path of its type reads that alone. Findings are
those of the whole record, with paths that begin at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from widgetschema.audit.inputs.sources import RowColumns
from widgetschema.audit.line_filter import LineFilter
from widgetschema.audit.plan import Settings
from widgetschema.audit.records import RecordChecker, RecordResult
from widgetschema.jsontext import dump_line, read
from widgetschema.pointers import parse_pointer, resolve_pointer
from widgetschema.project.checking.checker import Checker

_DATA: Final = "data"  # the member of the record that a row stands for


class RowReader:
    """Checks rows whose data is in a cell of its own, and whose type is known besides."""

    def __init__(self, settings: Settings, checker: Checker, older: Checker | None) -> None:
        self._type_id = settings.type_id
        self._has_documents = settings.has_documents
        self._limits = checker.limits
        # For a filter, any type is given besides.
        given = settings._replace(kind="data", type_id=settings.type_id or "")
        self._filter = LineFilter(given, checker)
        self._older_filter = None if older is None else LineFilter(given, older)
        at_data = settings._replace(data_pointer=f"/{_DATA}")
        self._records = RecordChecker(at_data, checker, older)
        pointers = (settings.id_pointer, settings.type_pointer, settings.date_pointer)
        self._names = [parse_pointer(pointer)[-1] for pointer in pointers]
        self._by = settings.by
        self._by_data = any(parse_pointer(pointer)[0] == _DATA for pointer in self._by)

    def holds_data(self, columns: RowColumns) -> bool:
        """Return whether the texts of rows with these columns are data, not whole records."""
        is_typed = columns.types is not None or self._type_id is not None
        return is_typed and not self._has_documents

    def rejected(
        self,
        texts: list[bytes],
        columns: RowColumns,
        count: Callable[[str, int], None],
        *,
        by_older: bool = False,
    ) -> Iterable[int]:
        """Return the indices of the rows that need a second look, and count the others.

        With `by_older`, these may not have been valid by the older schemas.
        """
        line_filter = self._older_filter if by_older else self._filter
        assert line_filter is not None
        if self._type_id is not None or columns.types is None:
            return line_filter.rejected(texts, count)
        return line_filter.rejected_by_type(texts, columns.types, count)

    def results(self, data: Any, columns: RowColumns, index: int) -> Iterator[RecordResult]:
        """Yield the result of one row; its paths begin at the record that it stands for."""
        value = {**self._cells(columns, index), _DATA: data}
        return self._records.results(value)

    def values(self, text: bytes, columns: RowColumns, index: int) -> tuple[Any, ...]:
        """Return the values by which a row is counted."""
        record = self._cells(columns, index)
        if self._by_data:
            record[_DATA] = read(text, self._limits)
        return tuple(resolve_pointer(record, pointer) for pointer in self._by)

    def text(self, text: bytes, columns: RowColumns, index: int) -> bytes:
        """Return the record that a row stands for as JSON, with the text of its data as it is."""
        record = dump_line({**self._cells(columns, index), _DATA: 0})
        return b"%b%b}" % (record[:-2], text)

    def _cells(self, columns: RowColumns, index: int) -> dict[str, Any]:
        """Return the record that a row stands for, without its data."""
        known = (columns.ids, columns.types, columns.dates)
        named = (*zip(self._names, known, strict=True), *columns.more)
        return {
            name: cells[index]
            for name, cells in named
            if cells is not None and cells[index] is not None
        }
