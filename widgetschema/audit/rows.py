"""The audit of records that an application has at hand, such as the rows of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from widgetschema.audit.records import is_json_text, type_by_id, untyped_finding
from widgetschema.audit.tally import VALID, Tally
from widgetschema.catalog.catalog import Catalog
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Report
from widgetschema.jsontext import SourceText, json_text, read
from widgetschema.project.checking.checker import TYPE_MEMBER, Checker, TypeProblem
from widgetschema.project.checking.documents import Document
from widgetschema.project.checking.results import MOST_FINDINGS

Row = TypeVar("Row")
Status = Literal["valid", "invalid", "unreadable", "untyped"]
_OF_CHANGES: Final = ("invalid_before", "mended")  # there is no older schema
_NOT_READ: Final = "this is JSON text: pass is_json=True to check its content"
_UNREADABLE: Final = "json."  # what the keywords of findings about such texts begin with


class RowResult(NamedTuple):
    """The result of one record.

    Args:
        id: What `id_of` returned, else the number of the record, from 0.
        type_id: What `type_of` returned; without it, the type of the widget document, None if its
            text is not JSON or it has none.
        status: "valid", "invalid", "unreadable" (a text that is not JSON, or too large) or
            "untyped" (the type is unknown, or its schema cannot be used).
        report: The findings; their paths begin at the data, or at the widget document.
    """

    id: Any
    type_id: Any
    status: Status
    report: Report


class RowAudit(Iterator[RowResult], Generic[Row]):
    """The results of `check_many`, and the summary of those that were yielded so far.

    It holds one record at a time. A type is looked up once, so all of its records are checked by
    the same version of its schema.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        type_of: str | Callable[[Row], str] | None,
        data_of: Callable[[Row], Any] | None,
        id_of: Callable[[Row], Any] | None,
        catalog: Catalog,
        is_json: bool,
    ) -> None:
        if isinstance(rows, (str, bytes, bytearray, Mapping)):
            raise TypeError(
                f"records must be a list of records, or another iterable of them, not "
                f"{type(rows).__name__}; to check files, call audit"
            )
        self._rows = enumerate(rows)
        self._type_of = type_of
        self._data_of = data_of
        self._id_of = id_of
        self._checker = Checker(catalog, type_option="type_of", max_findings=MOST_FINDINGS)
        self._is_json = is_json
        self._tally = Tally()
        self._is_complete = False

    def __next__(self) -> RowResult:
        try:
            number, row = next(self._rows)
        except StopIteration:
            self._is_complete = True
            raise
        id = number if self._id_of is None else self._id_of(row)
        data = row if self._data_of is None else self._data_of(row)
        if self._type_of is None:
            type_id, status, report = self._check_document(data)
        else:
            type_id = self._type_of if isinstance(self._type_of, str) else self._type_of(row)
            status, report = self._check(type_id, data)
        self._count(type_id, status, report)
        return RowResult(id, type_id, status, report)

    def _check(self, type_id: Any, data: Any) -> tuple[Status, Report]:
        """Return the status and the report of data of a type."""
        widget_type = type_by_id(self._checker, type_id)
        if isinstance(widget_type, TypeProblem):
            return "untyped", Report((untyped_finding(widget_type),), "record")
        is_text = self._is_text(data)
        check = widget_type.check_json if is_text else widget_type.check
        report = check(data, max_findings=MOST_FINDINGS)
        if is_text and any(one.keyword.startswith(_UNREADABLE) for one in report):
            return "unreadable", report
        return _status(report), self._advised(data, report)

    def _advised(self, data: Any, report: Report) -> Report:
        """Return a report that says what to do if data is a str with JSON text."""
        if self._is_json or not is_json_text(data):
            return report
        return replace(
            report, findings=tuple(replace(one, hint=_NOT_READ) for one in report.findings)
        )

    def _check_document(self, data: Any) -> tuple[Any, Status, Report]:
        """Return the type that a widget document names, its status and its report."""
        raw = json_text(data) if self._is_text(data) else None
        try:
            value = data if raw is None else read(raw, self._checker.limits)
        except UnreadableDocument as error:
            return None, "unreadable", error.report
        document = Document("", "document", value)
        widget_type = self._checker.type_of("", document)
        if isinstance(widget_type, TypeProblem):
            own = value.get(TYPE_MEMBER) if isinstance(value, dict) else None
            return (
                own,
                "untyped",
                self._advised(data, Report((untyped_finding(widget_type),), "record")),
            )
        check = self._checker.report if raw is None else self._checker.report_plain
        report = check(widget_type, document)
        if raw is not None and not report.valid:
            report = replace(report, findings=SourceText(raw, value=value).place(report.findings))
        return widget_type.id, _status(report), report

    def _is_text(self, data: Any) -> bool:
        """Return whether data is JSON text. None never is: databases have it for no data."""
        if self._is_json:
            return data is not None
        return isinstance(data, (bytes, bytearray, memoryview))

    def _count(self, type_id: Any, status: Status, report: Report) -> None:
        tally = self._tally
        tally.findings += len(report)
        if status == "valid":
            tally.count(type_id, VALID)
        elif status == "invalid":
            tally.count_invalid(type_id, len(report))
            tally.truncated += report.truncated
        elif status == "unreadable":
            tally.unreadable += 1
        else:
            tally.untyped += 1

    @property
    def summary(self) -> dict[str, Any]:
        """The counts of the records so far, with the member names of the summary of `audit`.

        `records`, `valid`, `invalid`, `unreadable`, `untyped`, `findings`, `truncated` (records
        with more than 1,000 findings, of which the others were not looked for), `types` (the counts
        of each), `schemas` (where they came from), and `complete` (False until the last record).
        """
        counts = self._tally.record_counts()
        del counts["invalid_before"], counts["mended"]
        return {
            **counts,
            "complete": self._is_complete,
            "types": [
                {name: count for name, count in one.items() if name not in _OF_CHANGES}
                for one in self._tally.type_counts()
            ],
            "schemas": [
                one.as_dict() for one in self._checker.schemas_of(sorted(self._tally.types))
            ],
        }

    def __repr__(self) -> str:
        return f"<RowAudit: {self._tally.records:,} records so far>"


def _status(report: Report) -> Status:
    return "valid" if report.valid else "invalid"


def check_many(
    records: Iterable[Row],
    type_of: str | Callable[[Row], str] | None = None,
    *,
    data_of: Callable[[Row], Any] | None = None,
    id_of: Callable[[Row], Any] | None = None,
    catalog: Catalog | None = None,
    is_json: bool = False,
) -> RowAudit[Row]:
    """Check records, one at a time, as they are requested.

    Args:
        records: Widget data, or any objects that have it, such as the rows of a query. One is held
            at a time.
        type_of: The widget type id of all records, or a function that returns that of a record.
            Without it, each is a widget document, whose property `type` names its type.
        data_of: Returns the widget data (or document) of a record; by default, it is the record.
            Bytes are JSON text.
        id_of: Returns the id of a record; by default, they are numbered from 0.
        catalog: The catalog of the types; by default `Catalog.default()`.
        is_json: The data is JSON text, as bytes or a str; None is checked as null.

    Returns:
        An iterator of `RowResult`; its `summary` has the counts so far.
    """
    known = Catalog.default() if catalog is None else catalog
    return RowAudit(records, type_of, data_of, id_of, known, is_json)
