"""Checks of Arrow columns, for the engines that hold data in them.

The fast path of a type takes the texts straight from the buffers of a column; only what it does not
accept is read, and only what is invalid becomes rows of findings.
"""

from __future__ import annotations

import threading
from array import array as numbers
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

from widgetschema.audit.arrow_members import MemberChecks
from widgetschema.audit.inputs.arrow_texts import json_column, pa, pc, texts_of
from widgetschema.audit.inputs.tables.model import missing
from widgetschema.audit.line_filter import LineFilter
from widgetschema.audit.partition_result import path_pattern
from widgetschema.audit.plan import Settings
from widgetschema.audit.records import (
    STRING_HINT,
    RecordChecker,
    type_by_id,
    untyped_finding,
)
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.portable import PortableCatalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.jsontext import dump, read
from widgetschema.project.checking.checker import Checker, TypeProblem
from widgetschema.project.checking.documents import Document
from widgetschema.project.checking.results import MOST_FINDINGS
from widgetschema.text import plural, printable

Kind = Literal["data", "document"]

_MOST_CHECKERS: Final = 64  # of types that a thread keeps
_ROWS: Final = 16_384  # that are written as JSON at once
_HINTS: Final = {  # instead of those that name options of the command
    STRING_HINT: "the data is JSON in a string: decode it first"
}

FINDING: Final = pa.struct(
    [
        ("keyword", pa.string()),
        ("path", pa.string()),
        ("pattern", pa.string()),
        ("schema_path", pa.string()),
        ("message", pa.string()),
        ("hint", pa.string()),
        ("expected", pa.string()),
        ("line", pa.int32()),
        ("column", pa.int32()),
    ]
)
ARROW_RESULTS: Final = pa.schema([("valid", pa.bool_()), ("findings", pa.list_(FINDING))])


def check_arrow(
    data: pa.Array | pa.ChunkedArray | pa.RecordBatch | pa.Table,
    widget_type: str | WidgetType | pa.Array | pa.ChunkedArray,
    *,
    column: str = "data",
    kind: Kind = "data",
    catalog: Catalog | None = None,
    max_findings: int = MOST_FINDINGS,
) -> pa.RecordBatch:
    """Check the widget data in an Arrow column, one record in each row.

    Text and bytes are JSON texts. Structs, lists, maps and numbers are values; there, a property of
    a struct that is null counts as absent, since a struct has no other way to say so. Each value of
    a dictionary-encoded column is checked once.

    Args:
        data: The column; or a batch or a table that has it.
        widget_type: The widget type of all rows, by its id or itself; or a column with the id of
            each row.
        column: The name of the column, if `data` is a batch or a table.
        kind: "data" if the column has the data itself, "document" if it has widget documents.
        catalog: The catalog of the types; by default `Catalog.default()`.
        max_findings: At most this many findings of each row: a list that is as long may be cut.

    Returns:
        A batch with the rows of `data`, in its order. `valid` is null where the data is null, and
        False for what is not JSON, or of no known type. `findings` is an empty list where `valid`
        is true; else each has a `keyword`, a `path` (JSON Pointer) from the record, the same as a
        `pattern` with `*` for array items, `schema_path`, `message`, `hint`, `expected` (JSON), and
        for text that is not JSON, `line` and `column`.

    Raises:
        MissingExtra: The extra `arrow` is not installed.
        UnknownWidgetType: There is no type with the id `widget_type`.
        TypeError: `data` is not Arrow data, or `widget_type` is none of these; or the column, or
            something inside it, is of an Arrow type that has no JSON.
        KeyError: The batch or table has no such column, or several; the message lists its
            columns.
        ValueError: There are not as many ids as rows; or `kind` or `max_findings` is none of these.
    """
    if kind not in ("data", "document"):
        raise ValueError(f"kind must be 'data' or 'document', not {kind!r}")
    if max_findings < 1:
        raise ValueError(f"max_findings must be at least 1, not {max_findings}")
    is_table = isinstance(data, (pa.RecordBatch, pa.Table))
    values = _column(data, column) if is_table else data
    if not isinstance(values, (pa.Array, pa.ChunkedArray)):
        raise TypeError(
            "data must be an Arrow array, chunked array, record batch or table, not "
            f"{type(values).__name__}; convert a data frame with pa.table(frame), or one of its "
            "columns with pa.array(column); to check Python values, call check_many"
        )
    if not isinstance(widget_type, (str, WidgetType, pa.Array, pa.ChunkedArray)):
        raise TypeError(
            "widget_type must be an id, a WidgetType, or an Arrow column of ids, not "
            f"{type(widget_type).__name__}"
        )
    chunks = values.chunks if isinstance(values, pa.ChunkedArray) else [values]
    options = _Options(catalog, kind, max_findings)
    results = []
    if isinstance(widget_type, (pa.Array, pa.ChunkedArray)):
        if len(widget_type) != len(values):
            types, rows = plural(len(widget_type), "type"), plural(len(values), "row")
            raise ValueError(f"widget_type has {types}, but data has {rows}")
        start = 0
        for chunk in chunks:
            ids = widget_type.slice(start, len(chunk))
            ids = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
            results.append(options.by_ids(chunk, ids))
            start += len(chunk)
    else:
        known = widget_type if isinstance(widget_type, WidgetType) else options.catalog[widget_type]
        results += [options.of_type(chunk, known) for chunk in chunks]
    return _concatenated(results)


def _column(table: pa.RecordBatch | pa.Table, name: str) -> Any:
    """Return a column. Raises `KeyError` if there is none of this name, or more than one."""
    names = table.schema.names
    number = names.count(name)
    if number == 1:
        return table.column(name)
    kind = "batch" if isinstance(table, pa.RecordBatch) else "table"
    if number:
        raise KeyError(f'this {kind} has {number} columns "{printable(name)}": rename them')
    raise KeyError(f"this {kind} cannot be checked: {missing(name, names)}; pass column=NAME")


class _Options:
    """The options of one call."""

    def __init__(self, catalog: Catalog | None, kind: Kind, max_findings: int) -> None:
        self._catalog = catalog
        self._kind: Kind = kind
        self._most = max_findings

    @property
    def catalog(self) -> Catalog:
        return Catalog.default() if self._catalog is None else self._catalog

    def by_ids(self, column: Any, ids: Any) -> Any:
        """Return the results of rows that each have an id of a type."""
        if pa.types.is_run_end_encoded(ids.type):
            ids = pc.run_end_decode(ids)
        ids = ids if pa.types.is_dictionary(ids.type) else ids.dictionary_encode()
        column = column if _is_takeable(column) else json_column(column)
        checker = Checker(self.catalog)
        names = [*ids.dictionary.to_pylist(), None]
        codes = ids.indices.cast(pa.int64()).fill_null(len(names) - 1)
        results, order = [], []
        for code, name in enumerate(names):
            rows = pc.indices_nonzero(pc.equal(codes, code))
            if not len(rows):
                continue
            order.append(rows)
            found = type_by_id(checker, name)
            if isinstance(found, TypeProblem):
                results.append(_with_finding(column.take(rows), untyped_finding(found)))
            else:
                results.append(self.of_type(column.take(rows), found))
        if not order:
            return _concatenated([])
        return _concatenated(results).take(pc.sort_indices(pa.concat_arrays(order)))

    def of_type(self, column: Any, widget_type: WidgetType) -> Any:
        """Return the results of rows that are all of one type."""
        if isinstance(column.type, pa.BaseExtensionType):
            column = column.storage
        if pa.types.is_dictionary(column.type) and len(column.dictionary) <= len(column):
            return self.of_type(column.dictionary, widget_type).take(column.indices)
        # Values that are written as JSON have their members in one order, and texts in another.
        checker = _checker(widget_type, self._kind, self._most, str(column.type))
        members = checker.members(column)
        results = []
        for start in range(0, len(column), _ROWS):
            rows = column.slice(start, _ROWS)
            rows = rows if members is not None else json_column(rows)
            present = rows.drop_null() if rows.null_count else rows
            found = self._of_present(present, checker, members)
            results.append(_expanded(rows, found) if rows.null_count else found)
        return _concatenated(results)

    def _of_present(self, rows: Any, checker: _TextChecker, members: MemberChecks | None) -> Any:
        """Return the results of rows that are not null: JSON texts, if there are no `members`."""
        if members is None:
            return self._of_texts(rows, checker, range(len(rows)), len(rows))
        accepted = members.accepted(rows)
        if accepted is None:
            return _batch(bytearray(b"\1") * len(rows), numbers("i", [0]) * len(rows), [])
        doubtful = pc.indices_nonzero(pc.invert(accepted))
        texts = json_column(rows.take(doubtful))
        return self._of_texts(texts, checker, doubtful.to_pylist(), len(rows))

    def _of_texts(self, texts: Any, checker: _TextChecker, rows: Sequence[int], number: int) -> Any:
        """Return the results of a number of rows, of which some have texts that are to be read."""
        valid, found = bytearray(b"\1") * number, numbers("i", [0]) * number
        findings: list[dict[str, Any]] = []
        start = 0
        for block in texts_of(texts):
            for index, wrong in checker.wrong(block):
                valid[rows[start + index]] = 0
                found[rows[start + index]] = len(wrong)
                findings += wrong
            start += len(block)
        return _batch(valid, found, findings)


class _TextChecker:
    """Checks JSON texts of one widget type; it learns which texts there are."""

    def __init__(self, widget_type: WidgetType, kind: Kind, max_findings: int) -> None:
        self._limits = widget_type.validator.limits
        settings = Settings(type_id=widget_type.id, kind=kind)
        checker = Checker(
            PortableCatalog({widget_type.id: widget_type}),
            type_id=widget_type.id,
            kind=kind,
            limits=self._limits,
            max_findings=max_findings,
        )
        self._kind = kind
        self._widget_type = widget_type
        self._members: tuple[Any, MemberChecks] | None = None
        self._filter = LineFilter(settings, checker)
        self._records = RecordChecker(settings, checker)

    def members(self, column: Any) -> MemberChecks | None:
        """Return the checks of the members of structs; None for other columns.

        Raises `TypeError` if something inside of the column has no JSON.
        """
        if not pa.types.is_struct(column.type) or not _is_takeable(column):
            return None
        if self._members is None or self._members[0] != column.type:
            json_column(column.slice(0, 0))
            checks = MemberChecks(self._widget_type, self._kind, column.type)
            self._members = column.type, checks
        return self._members[1]

    def wrong(self, texts: list[bytes]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Yield the index and the findings of each text that is not valid, in order."""
        for index in self._filter.rejected(texts, lambda type_id, records: None):
            try:
                value = read(texts[index], self._limits)
            except UnreadableDocument as error:
                yield index, [_row(one, None) for one in error.report.findings]
                continue
            result = self._records.result(Document("", self._kind, value))
            if result.status == "valid":
                self._filter.note_valid(value, self._kind)
            else:
                yield index, [_row(one, value) for one in result.findings]


class _Checkers(threading.local):
    """The checkers of a thread: they are no use to another one, since they learn as they check."""

    def __init__(self) -> None:
        self.known: dict[tuple[WidgetType, Kind, int, str], _TextChecker] = {}


_CHECKERS: Final = _Checkers()


def _checker(widget_type: WidgetType, kind: Kind, most: int, arrow_type: str) -> _TextChecker:
    known, key = _CHECKERS.known, (widget_type, kind, most, arrow_type)
    checker = known.pop(key, None) or _TextChecker(widget_type, kind, most)
    known[key] = checker  # the last one, since it was used last
    if len(known) > _MOST_CHECKERS:
        del known[next(iter(known))]
    return checker


def _row(finding: Finding, value: Any) -> dict[str, Any]:
    expected = finding.expected
    return {
        "keyword": finding.keyword,
        "path": finding.path,
        "pattern": path_pattern(finding, value),
        "schema_path": finding.schema_path,
        "message": finding.message,
        "hint": _HINTS.get(finding.hint or "", finding.hint),
        "expected": None if expected is None else dump(expected, indent=False),
        "line": finding.line,
        "column": finding.column,
    }


def _is_takeable(column: Any) -> bool:
    """Return whether rows of a column can be taken, which is not so if there are views in it."""
    try:
        column.slice(0, 0).take(pa.array([], pa.int64()))
    except pa.ArrowNotImplementedError:
        return False
    return True


def _batch(valid: bytearray, found: numbers[int], findings: list[dict[str, Any]]) -> Any:
    """Return results from a byte and a number of findings for each row, without objects for it."""
    rows = len(valid)
    flags = pa.Array.from_buffers(pa.uint8(), rows, [None, pa.py_buffer(valid)]).cast(pa.bool_())
    sizes = pa.Array.from_buffers(pa.int32(), rows, [None, pa.py_buffer(found)])
    offsets = pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(sizes)])
    lists = pa.ListArray.from_arrays(offsets, pa.array(findings, FINDING), type=pa.list_(FINDING))
    return pa.RecordBatch.from_arrays([flags, lists], schema=ARROW_RESULTS)


def _with_finding(column: Any, finding: Finding) -> Any:
    """Return results of rows that all have the same finding, or are null."""
    rows = len(column)
    one = _batch(bytearray(1), numbers("i", [1]), [_row(finding, None)])
    return _expanded(column, one.take(pa.array([0] * (rows - column.null_count), pa.int64())))


def _expanded(column: Any, results: Any) -> Any:
    """Return the results of the rows that are not null, with null for the others."""
    is_there = column.is_valid()
    behind = pc.cumulative_sum(is_there.cast(pa.int64()))
    return results.take(pc.if_else(is_there, pc.subtract(behind, 1), pa.scalar(None, pa.int64())))


def _concatenated(results: list[Any]) -> Any:
    if len(results) == 1:
        return results[0]
    table = pa.Table.from_batches(results, schema=ARROW_RESULTS).combine_chunks()
    return next(iter(table.to_batches()), pa.RecordBatch.from_pylist([], schema=ARROW_RESULTS))
