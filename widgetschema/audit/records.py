"""The check of the records in one JSON text: the same results as those of `validate`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.catalog.widget_type import RECORD_MEMBERS
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import SourceText
from widgetschema.project.checking.checker import Checker, TypeProblem
from widgetschema.project.checking.documents import Document, documents_in, kind_hint
from widgetschema.project.checking.results import Problem

_LONGEST: Final = 1_000  # characters of a message about a type, which may have the id in it
_TELLING: Final = RECORD_MEMBERS | {"data", "docs"}  # no data has a hint without one of these
_UNKNOWN: Final = 2  # the exit code for a type that nobody knows
_NOT_COMPARED: Final = (
    "the older schemas have no widget type {!r}: its invalid records cannot be compared, and are "
    "counted as invalid before"
)


class RecordResult(NamedTuple):
    """The result of one record; no findings if it is valid, or was not before.

    `status` is "valid", "invalid", "before" or "untyped": then its type is not known (`type_id` is
    None), or cannot be used, and the finding says so. It is `truncated` if there are more findings
    than these. `problem` is a problem with the older schema, or that there is none.
    """

    part: Document
    type_id: str | None
    status: str = "valid"
    findings: tuple[Finding, ...] = ()
    truncated: bool = False
    problem: str | None = None


class RecordChecker:
    """Checks the records of texts that were read.

    `older` checks whether a record was valid before; without it, nobody asks.
    """

    def __init__(self, checker: Checker, older: Checker | None = None) -> None:
        self._checker = checker
        self._older = older

    def results(self, value: Any) -> Iterator[RecordResult]:
        """Yield the result of each record in the value of a text; findings have no position."""
        checker = self._checker
        for part in documents_in(value, checker.kind):
            widget_type = checker.type_of("", part)
            if isinstance(widget_type, TypeProblem):
                yield _untyped(part, widget_type)
                continue
            report = checker.report_plain(widget_type, part)
            if not report.findings:
                yield RecordResult(part, widget_type.id)
                continue
            problem = None
            if self._older is not None:
                was_valid, problem = self._was_valid(self._older, widget_type.id, part)
                if not was_valid:
                    yield RecordResult(part, widget_type.id, "before", problem=problem)
                    continue
            yield RecordResult(
                part, widget_type.id, "invalid", _hinted(report, part), report.truncated, problem
            )

    def _was_valid(self, older: Checker, type_id: str, part: Document) -> tuple[bool, str | None]:
        """Return whether a record was valid before, and why that cannot be known, if so.

        It was, if its older schema is broken; it was not, if there is none.
        """
        widget_type = older.widget_type(type_id)
        if isinstance(widget_type, TypeProblem):
            if widget_type.code == _UNKNOWN:  # a new type, or the older schemas are not all there
                return False, _NOT_COMPARED.format(type_id)[:_LONGEST]
            return True, f"the older {widget_type.message.removeprefix('the ')}"[:_LONGEST]
        if part.kind == "data" and not older.has_extras(part.value):
            return widget_type.validator.decides(part.value), None
        return older.report_plain(widget_type, part).valid, None


def _untyped(part: Document, why: TypeProblem) -> RecordResult:
    problem = Problem("", why.message[:_LONGEST], why.code, part.pointer)
    return RecordResult(
        part, why.type_id, "untyped", (Finding(problem.keyword, "", "", problem.message),)
    )


def _hinted(report: Report, part: Document) -> tuple[Finding, ...]:
    """Return the findings, with a hint if what was checked as data looks like something else."""
    value = part.value
    if part.kind == "document" or (type(value) is dict and _TELLING.isdisjoint(value)):
        return report.findings
    hint = kind_hint(part)
    if hint is None:
        return report.findings
    first, *others = report.findings
    both = "; ".join(filter(None, (first.hint, hint)))
    return (replace(first, hint=both), *others)


def with_positions(raw: bytes, said: list[RecordResult]) -> list[RecordResult]:
    """Return the results with lines and columns, findings in the order of the text."""
    positions = _positions(raw, said)
    return [
        one._replace(
            findings=tuple(
                replace(finding, line=line, column=column)
                for (line, column), finding in sorted(
                    zip(at, one.findings, strict=True), key=lambda pair: pair[0]
                )
            )
        )
        for one, at in zip(said, positions, strict=True)
    ]


def with_columns(line: bytes, said: list[RecordResult]) -> list[RecordResult]:
    """Return the results with the columns that findings have on their line."""
    if not any(one.findings for one in said):
        return said
    return [
        one._replace(
            findings=tuple(
                replace(finding, column=column)
                for (_, column), finding in zip(at, one.findings, strict=True)
            )
        )
        for one, at in zip(said, _positions(line, said), strict=True)
    ]


def _positions(raw: bytes, said: list[RecordResult]) -> list[list[tuple[int, int]]]:
    """Return the line and column of each finding."""
    source = SourceText(raw)
    absolute = [
        [replace(finding, path=one.part.pointer + finding.path) for finding in one.findings]
        for one in said
    ]
    located = source.locate(finding.path for findings in absolute for finding in findings)
    offsets = [[source.offset(finding, located) for finding in findings] for findings in absolute]
    every = sorted({offset for ones in offsets for offset in ones})
    positions = dict(zip(every, source.positions(every), strict=True))
    return [[positions[offset] for offset in ones] for ones in offsets]
