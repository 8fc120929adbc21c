"""The audit of rows that an application has at hand, such as those of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from widgetschema.audit.tally import VALID, Tally, record_counts, type_counts
from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.findings import Finding, Report
from widgetschema.project.checking.checker import Checker, TypeProblem
from widgetschema.project.checking.results import MOST_FINDINGS, Problem
from widgetschema.text import shorten

Row = TypeVar("Row")
Status = Literal["valid", "invalid", "unreadable", "untyped"]
_OF_CHANGES: Final = ("invalid_before", "mended")  # there is no older schema
_LONGEST: Final = 1_000  # characters of a message, which may have the id of a type in it


class RowResult(NamedTuple):
    """The result of one row.

    Args:
        id: What `id_of` returned, else the number of the row, from 0.
        type_id: What `type_of` returned.
        status: "valid", "invalid", "unreadable" (the data is text that is not JSON, or too large)
            or "untyped" (the type is unknown, or its schema cannot be used).
        report: The findings; their paths begin at the data.
    """

    id: Any
    type_id: Any
    status: Status
    report: Report


class RowAudit(Iterator[RowResult], Generic[Row]):
    """The results of an audit of rows, and the summary of those that were yielded so far.

    It holds one row at a time. A type is looked up once, so all of its rows are checked by the same
    version of its schema.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        type_of: str | Callable[[Row], str],
        data_of: Callable[[Row], Any],
        id_of: Callable[[Row], Any] | None,
        catalog: Catalog,
        is_json: bool,
    ) -> None:
        self._rows = enumerate(rows)
        self._type_of = type_of
        self._data_of = data_of
        self._id_of = id_of
        self._checker = Checker(catalog)
        self._is_json = is_json
        self._tally = Tally()
        self._is_complete = False

    def __next__(self) -> RowResult:
        try:
            number, row = next(self._rows)
        except StopIteration:
            self._is_complete = True
            raise
        type_id = self._type_of if isinstance(self._type_of, str) else self._type_of(row)
        id = number if self._id_of is None else self._id_of(row)
        widget_type = self._widget_type(type_id)
        if isinstance(widget_type, TypeProblem):
            problem = Problem("", shorten(widget_type.message, _LONGEST), widget_type.code)
            finding = Finding(problem.keyword, "", "", problem.message)
            self._tally.untyped += 1
            self._tally.findings += 1
            return RowResult(id, type_id, "untyped", Report((finding,), "row"))
        status, report = self._check(widget_type, self._data_of(row))
        return RowResult(id, type_id, status, report)

    def _widget_type(self, type_id: Any) -> WidgetType | TypeProblem:
        if isinstance(type_id, str):
            return self._checker.widget_type(type_id)
        return TypeProblem(f"the type of this row is of type {type(type_id).__name__}, not str", 2)

    def _check(self, widget_type: WidgetType, data: Any) -> tuple[Status, Report]:
        tally = self._tally
        is_text = self._is_json or isinstance(data, (bytes, bytearray, memoryview))
        check = widget_type.check_json if is_text else widget_type.check
        report = check(data, max_findings=MOST_FINDINGS)
        if report.valid:
            tally.count(widget_type.id, VALID)
            return "valid", report
        tally.findings += len(report)
        if is_text and report.findings[0].keyword.startswith("json."):
            tally.unreadable += 1
            return "unreadable", report
        tally.count_invalid(widget_type.id, len(report))
        tally.truncated += report.truncated
        return "invalid", report

    @property
    def summary(self) -> dict[str, Any]:
        """The counts of the rows so far, with the member names of the summary of `audit`.

        `records`, `valid`, `invalid`, `unreadable`, `untyped`, `findings`, `truncated` (records
        with more than 1,000 findings, of which the others were not looked for), `types` (the counts
        of each), `schemas` (where they came from), and `complete` (False until the last row).
        """
        counts = record_counts(self._tally)
        del counts["invalid_before"], counts["mended"]
        return {
            **counts,
            "complete": self._is_complete,
            "types": [
                {name: count for name, count in one.items() if name not in _OF_CHANGES}
                for one in type_counts(self._tally)
            ],
            "schemas": [
                one.as_dict() for one in self._checker.schemas_of(sorted(self._tally.types))
            ],
        }

    def __repr__(self) -> str:
        return f"<RowAudit: {self._tally.records:,} records so far>"


def audit_records(
    rows: Iterable[Row],
    *,
    type_of: str | Callable[[Row], str],
    data_of: Callable[[Row], Any],
    id_of: Callable[[Row], Any] | None = None,
    catalog: Catalog | None = None,
    is_json: bool = False,
) -> RowAudit[Row]:
    """Check the widget data in rows, one at a time, as they are requested.

    Args:
        rows: Any objects, such as the rows of a query. One is held at a time.
        type_of: Returns the widget type id of a row; or the id, if all rows have the same.
        data_of: Returns the widget data of a row. Bytes are JSON text.
        id_of: Returns the id of a row; by default, rows are numbered from 0.
        catalog: The catalog of the types; by default `Catalog.default()`.
        is_json: `data_of` returns JSON text, as bytes or a str.

    Returns:
        An iterator of `RowResult`; its `summary` has the counts so far.
    """
    return RowAudit(rows, type_of, data_of, id_of, catalog or Catalog.default(), is_json)
