"""The check of the records in one JSON text: the same results as those of `validate`."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import msgspec

from widgetschema.audit.plan import Settings
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import SourceText, read
from widgetschema.pointers import parse_pointer, resolve_pointer
from widgetschema.project.checking.checker import Checker, TypeProblem
from widgetschema.project.checking.documents import Document, kind_hint
from widgetschema.project.checking.results import Problem
from widgetschema.schema.describes import RECORD_MEMBERS
from widgetschema.text import shorten
from widgetschema.validation import Validator
from widgetschema.validation.explain.deferred import DeferredFinding

_LONGEST: Final = 1_000  # characters of a message about a type, which may have the id in it
_TELLING: Final = RECORD_MEMBERS | {"data", "docs"}  # no data has a hint without one of these
STRING_HINT: Final = "the data is JSON in a string: pass --decode-strings to check it"
_TWICE: Final = "the data is encoded twice: the string that was read holds JSON in a string"
_INTO_LIST: Final = (
    "--data-pointer leads through objects only: {!r} is the name of a property, "
    "not the number of an item"
)
_NOT_THERE: Final = "this record has nothing at {}"
_NOT_THERE_HINT: Final = "--at says that the document of a record is there"
_UNKNOWN: Final = 2  # the exit code for a type that nobody knows
_NOT_COMPARED: Final = (
    "the older schemas have no widget type {!r}: its invalid records cannot be compared, and are "
    "counted as invalid before"
)


class RecordResult(NamedTuple):
    """The result of one record; no findings if it is valid, or was not before.

    `status` is "valid", "mended" (valid, and was not before), "invalid", "before" (and it was not
    valid then, either), or "untyped": then its type is not known (`type_id` is None), or cannot be
    used, and the finding says so. It is `truncated` if there are more findings
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

    `older` checks whether a record was valid before; without it, nobody asks. `file` is the one
    that the texts are in.
    """

    def __init__(self, settings: Settings, checker: Checker, older: Checker | None = None) -> None:
        self.file = ""
        self._checker = checker
        self._older = older
        self._type_id = settings.type_id
        self._data_pointer = settings.data_pointer
        self._at = settings.at
        self._decodes = settings.decode_strings
        self._string_hint = _TWICE if self._decodes else STRING_HINT
        self._validators: dict[WidgetType, Validator] = {}
        # Of a value without these, nothing is said but what the type's schema says.
        self._special = _TELLING | checker.extras
        is_plain = settings.kind in ("auto", "data") and settings.data_pointer is None
        self._checks_plain_data = (
            settings.type_id is not None
            and is_plain
            and not (settings.at or settings.decode_strings or older)
        )

    @property
    def default_type(self) -> str | None:
        """The type of the records of the file that name none, if the configuration maps it."""
        return self._checker.type_for(self.file)

    def results(self, value: Any) -> Iterator[RecordResult]:
        """Yield the result of each record in the value of a text; findings have no position.

        Raises `UnreadableDocument` as `documents` does.
        """
        parts = self.documents(value)
        return map(self.result, map(self._decoded, parts) if self._decodes else parts)

    def repeated_finding(self, value: Any) -> DeferredFinding | None:
        """Return the only finding about the value of a text, if it is one record like many before.

        None does not say that there is none.
        """
        if not self._checks_plain_data or type(value) is not dict:
            return None
        if not self._special.isdisjoint(value):
            return None
        widget_type = self._checker.widget_type(self._type_id or "")
        if isinstance(widget_type, TypeProblem):
            return None
        validator = widget_type.validator
        if validator.limits.max_depth < self._checker.limits.max_depth:
            return None
        finding = validator.repeated_finding(value)
        if not isinstance(finding, DeferredFinding) or is_json_text(finding.violation.value):
            return None  # of JSON in a string, something is said
        return finding

    def documents(self, value: Any) -> Sequence[Document]:
        """Return the records in the value of a text; null, where records have theirs, is none.

        Raises `UnreadableDocument` if there is nothing at that place, or a string that is to be
        read and cannot be.
        """
        inner = resolve_pointer(value, self._at, self)
        if inner is self:  # nothing that was read
            finding = Finding("required", "", "", _NOT_THERE.format(shorten(self._at, _LONGEST)))
            raise UnreadableDocument(Report((finding.with_hint(_NOT_THERE_HINT),)))
        if self._at and inner is None:
            return []
        inner = self._read(inner, self._at)
        if self._data_pointer is not None:
            return [Document(self._at, "document", inner)]
        if self._type_id is None and inner == {"docs": []}:
            return []  # a list of widgets; if there is one type, it may be data of that
        parts = self._checker.documents(self.file, inner)
        return [part._replace(pointer=self._at + part.pointer) for part in parts]

    def _read(self, value: Any, path: str) -> Any:
        """Return a value; if it is a string, and these are to be read, what that holds."""
        if not self._decodes or type(value) is not str:
            return value
        try:
            return read(value, self._checker.limits)
        except UnreadableDocument as error:
            raise UnreadableDocument(_in_string(error.report, path)) from None

    def _decoded(self, part: Document) -> Document:
        """Return a record whose data is read if it is a string."""
        is_data = part.kind == "data"
        if is_data and (part.pointer == self._at or type(part.value) is not str):
            return part  # a string there was read
        pointer = "" if is_data else self._data_pointer or "/data"
        data = resolve_pointer(part.value, pointer)
        value = self._read(data, part.pointer + pointer)
        if value is data:
            return part
        return part._replace(value=with_value(part.value, parse_pointer(pointer), value))

    def result(self, part: Document) -> RecordResult:
        """Return the result of one record; findings have no position."""
        widget_type = self._checker.type_of(self.file, part)
        if isinstance(widget_type, TypeProblem):
            finding = untyped_finding(widget_type, part.pointer)
            if is_json_text(part.value):
                finding = finding.with_hint(self._string_hint)
            return RecordResult(part, widget_type.type_id, "untyped", (finding,))
        report = self._report(self._checker, widget_type, part)
        if not report.findings:
            is_mended = self._older is not None and self._is_mended(widget_type.id, part)
            return RecordResult(part, widget_type.id, "mended" if is_mended else "valid")
        problem = None
        if self._older is not None:
            was_valid, problem = self._was_valid(self._older, widget_type.id, part)
            if not was_valid:
                return RecordResult(part, widget_type.id, "before", problem=problem)
        return RecordResult(
            part,
            widget_type.id,
            "invalid",
            self._hinted(report, part),
            report.truncated,
            problem,
        )

    def _hinted(self, report: Report, part: Document) -> tuple[Finding, ...]:
        """Return the findings, with a hint if the data looks like something else."""
        value, findings = part.value, report.findings
        first, others = findings[0], findings[1:]
        wrong = _value_of(first, value) if first.keyword == "type" else None
        if is_json_text(wrong):
            if first.path.count("/") <= 1 or first.path == self._data_pointer:
                return (first.with_hint(self._string_hint), *others)
        if self._data_pointer is not None and type(wrong) is list:
            below = self._data_pointer.removeprefix(f"{first.path}/")
            if below != self._data_pointer:
                name = parse_pointer(f"/{below}")[0]
                return (first.with_hint(_INTO_LIST.format(name)), *others)
        if part.kind == "document" or (type(value) is dict and _TELLING.isdisjoint(value)):
            return findings
        hint = kind_hint(part)
        if hint is None:
            return findings
        return (first.with_hint("; ".join(filter(None, (first.hint, hint)))), *others)

    def _report(self, checker: Checker, widget_type: WidgetType, part: Document) -> Report:
        if self._data_pointer is None:
            return checker.report_plain(widget_type, part)
        validator = self._validators.get(widget_type)
        if validator is None:
            validator = self._validators[widget_type] = widget_type.validator_at(self._data_pointer)
        return validator.check_plain(part.value, max_findings=checker.max_findings)

    def _is_mended(self, type_id: str, part: Document) -> bool:
        """Return whether a record that is valid certainly was not before."""
        assert self._older is not None
        was_valid, problem = self._was_valid(self._older, type_id, part)
        return not was_valid and problem is None

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
        return self._report(older, widget_type, part).valid, None


def with_value(value: Any, tokens: Sequence[str], new: Any) -> Any:
    """Return a copy of a value with another one at a place that is there."""
    if not tokens:
        return new
    first, *rest = tokens
    if type(value) is dict:
        return {**value, first: with_value(value[first], rest, new)}
    items = [*value]
    items[int(first)] = with_value(items[int(first)], rest, new)
    return items


def _in_string(report: Report, path: str) -> Report:
    """Return a report about a text that is in a string: its places are not those of the record."""
    return Report(
        tuple(
            replace(
                one,
                path=path,
                line=1,
                column=1,
                message=f"the data is a string, but not JSON: {one.message}",
            )
            for one in report.findings[:1]
        ),
        report.subject,
    )


def type_by_id(checker: Checker, id: Any) -> WidgetType | TypeProblem:
    """Return the widget type that a row names, or the reason why there is none."""
    if isinstance(id, str):
        return checker.widget_type(id)
    is_there = (
        "no type" if id is None else f"a type of the Python type {type(id).__name__}, not str"
    )
    return TypeProblem(f"this row has {is_there}", _UNKNOWN)


def untyped_finding(why: TypeProblem, pointer: str = "") -> Finding:
    """Return the finding about a record without a type, or with one that cannot be used."""
    if why.finding is not None:
        return why.finding
    problem = Problem("", shorten(why.message, _LONGEST), why.code, pointer)
    return Finding(problem.keyword, "", "", problem.message)


def is_json_text(value: Any) -> bool:
    """Return whether a value is a str that seems to be JSON text of an object or an array."""
    return type(value) is str and value.lstrip()[:1] in ("{", "[")


def _value_of(finding: Finding, record: Any) -> Any:
    """Return the value that a finding about a record is about."""
    if isinstance(finding, DeferredFinding):
        return finding.violation.value
    return resolve_pointer(record, finding.path)


def with_positions(raw: bytes, value: Any, said: list[RecordResult]) -> list[RecordResult]:
    """Return the results with lines and columns, findings in the order of the text."""
    source, offsets = _offsets(raw, value, said)
    every = sorted({offset for ones in offsets for offset in ones})
    positions = dict(zip(every, source.positions(every), strict=True))
    return [
        one._replace(
            findings=tuple(
                finding.with_position(*positions[offset])
                for offset, finding in sorted(
                    zip(ones, one.findings, strict=True), key=lambda pair: pair[0]
                )
            )
        )
        for one, ones in zip(said, offsets, strict=True)
    ]


def record_texts(raw: bytes, value: Any, pointers: Sequence[str]) -> Iterator[bytes]:
    """Yield the texts of records in a text, each as it is; one of several lines on one line."""
    if not any(pointers):
        yield from [on_one_line(raw)] * len(pointers)
        return
    source = SourceText(raw, value=value)
    located = source.locate(pointers)
    for pointer in pointers:
        place = located[pointer]
        yield on_one_line(source.text[place.start : place.end].encode())


def on_one_line(text: bytes) -> bytes:
    """Return a JSON text without white space between its tokens, if it has several lines."""
    text = text.removeprefix(codecs.BOM_UTF8).strip()
    if b"\n" not in text and b"\r" not in text:
        return text
    return msgspec.json.format(text, indent=-1)


def columns(line: bytes, value: Any, said: list[RecordResult]) -> list[list[int]]:
    """Return the columns that the findings of each result have on their line."""
    if not any(one.findings for one in said):
        return [[] for _ in said]
    _, offsets = _offsets(line, value, said)
    return [[offset + 1 for offset in ones] for ones in offsets]


def _offsets(
    raw: bytes, value: Any, said: list[RecordResult]
) -> tuple[SourceText, list[list[int]]]:
    """Return a text, and the offset of each finding in it."""
    source = SourceText(raw, value=value)
    absolute = [_absolute(one) for one in said]
    located = source.locate(finding.path for findings in absolute for finding in findings)
    offsets = [[source.offset(finding, located) for finding in findings] for findings in absolute]
    return source, offsets


def _absolute(one: RecordResult) -> Sequence[Finding]:
    """Return the findings of a record with paths that begin at the text."""
    if not one.part.pointer:
        return one.findings
    pointer = one.part.pointer
    return [Finding(found.keyword, pointer + found.path, "", "") for found in one.findings]
