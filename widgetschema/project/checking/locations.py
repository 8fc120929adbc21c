"""Locations of findings in their file: paths, lines and columns, and an excerpt of the line.

The results of one text are located together, since each search goes through the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from widgetschema.findings import Finding, Report
from widgetschema.formats.model import Parsed, Warned
from widgetschema.jsontext import Location, SourceText, preview
from widgetschema.pointers import resolve_pointer
from widgetschema.project.checking.fingerprints import finding_identity
from widgetschema.project.checking.results import (
    DocumentResult,
    Excerpt,
    LocatedFinding,
    Problem,
    Result,
    severity_of,
)
from widgetschema.project.inputs.model import Text
from widgetschema.schema.keywords import texts

_WIDTH: Final = 96  # characters of a source line that are shown
_BEFORE: Final = 40  # of these, at most so many before what is marked
_INDENT: Final = re.compile(r"[ \t]*")
_NUMBER: Final = re.compile(r"[0-9a-zA-Z.+-]{1,40}")  # as YAML and JSON5 write one


class UnlocatedResult(NamedTuple):
    """The result of a document whose findings have paths that begin at the document.

    It is `truncated` if there are more findings, which were not looked for.
    """

    document: DocumentResult
    findings: tuple[Finding, ...] = ()
    truncated: bool = False


def locate(
    results: Sequence[UnlocatedResult | Problem], parsed: Parsed, *, has_lines: bool = False
) -> Iterator[Result]:
    """Yield the results of a value in a text, with locations that begin at the file.

    `has_lines` says that the value is one of several in the file, each on lines of its own.
    """
    source, value = parsed.source, parsed.value
    results = [_with_absolute_paths(result) for result in results]
    located = source.locate(pointer for result in results for pointer in _pointers(result))
    if type(source) is not SourceText:
        results = [_with_possible_fixes(result, parsed, located) for result in results]
        results = [_as_written(result, parsed, located) for result in results]
    spans = [
        _with_warnings(_spans(result, source, located), result, parsed.warnings)
        for result in results
    ]
    offsets = sorted({offset for pairs in spans for span, _ in pairs for offset in span})
    positions = dict(zip(offsets, source.positions(offsets), strict=True))
    for result, pairs in zip(results, spans, strict=True):
        if isinstance(result, UnlocatedResult):
            found = [
                _found(finding, span, positions, source.text, finding_identity(finding, value))
                for span, finding in pairs
                if finding is not None
            ]
            yield result.document._replace(findings=tuple(found))
        elif result.pointer or has_lines:
            [((start, _), _)] = pairs
            yield result._replace(line=positions[start][0], column=positions[start][1])
        else:
            yield result


def unreadable_result(text: Text, report: Report) -> DocumentResult:
    """Return the result of a text that is not JSON; positions in the report begin at the text."""
    source = SourceText(text.raw, text.line_offset)
    found = []
    line, start = 1, 0
    for finding in report:  # in the order of the text
        for _ in range((finding.line or 1) - line):
            start = source.text.index("\n", start) + 1
        line = finding.line or 1
        column = finding.column or 1
        at = start + column - 1
        width = 0 if finding.fix is None else 1  # a character to replace
        places = {at + n: (line + text.line_offset, column + n) for n in range(width + 1)}
        finding = _with_limit(finding)
        identity = finding_identity(finding, None)
        found.append(_found(finding, (at, at + width), places, source.text, identity))
    return DocumentResult(text.file, line=text.line, findings=tuple(found), readable=False)


def _with_possible_fixes(
    result: UnlocatedResult | Problem, parsed: Parsed, located: dict[str, Location]
) -> UnlocatedResult | Problem:
    """Return a result without the fixes that no edit can make without losing something.

    Fixes and hints write a number as the format does.
    """
    if isinstance(result, Problem) or not result.findings:
        return result
    from widgetschema.fixes.edits import token  # valid documents need no edits

    findings = []
    for finding in result.findings:
        fix = finding.fix
        if fix is not None:
            text = None if parsed.line is not None else token(finding, parsed.source, located)
            if text is None:
                finding = replace(finding, fix=None)
            elif fix.text[0] in "-0123456789" and text != fix.text:
                say = texts()["hint.write-not"]
                wrong = preview(resolve_pointer(parsed.value, finding.path))
                is_hint = finding.hint == say(value=fix.text, wrong=wrong)
                hint = say(value=text, wrong=wrong) if is_hint else finding.hint
                finding = replace(finding, fix=replace(fix, text=text), hint=hint)
        findings.append(finding)
    return result._replace(findings=(*findings,))


def _as_written(
    result: UnlocatedResult | Problem, parsed: Parsed, located: dict[str, Location]
) -> UnlocatedResult | Problem:
    """Return a result whose hints to put a number in quotes keep how it is written, as in 01234."""
    if isinstance(result, Problem):
        return result
    say = texts()["hint.write-not"]
    findings = []
    for finding in result.findings:
        if finding.keyword == "type" and finding.hint is not None:
            number = preview(resolve_pointer(parsed.value, finding.path))
            place = located[finding.path]
            written = parsed.source.text[place.start : place.end].rpartition(" ")[2]  # `&a 1.10`
            is_number = _NUMBER.fullmatch(written) is not None
            if is_number and finding.hint == say(value=preview(number), wrong=number):
                hint = say(value=preview(written), wrong=written)
                finding = replace(finding, hint=hint)
        findings.append(finding)
    return result._replace(findings=(*findings,))


def _with_warnings(
    spans: list[tuple[tuple[int, int], Finding | None]],
    result: UnlocatedResult | Problem,
    warnings: Sequence[Warned],
) -> list[tuple[tuple[int, int], Finding | None]]:
    """Return the spans of the findings and the warnings about a document, in order."""
    if not warnings or isinstance(result, Problem):
        return spans
    above = result.document.pointer
    spans += [
        ((one.start, one.end), one.finding)
        for one in warnings
        if f"{one.finding.path}/".startswith(f"{above}/")
    ]
    return sorted(spans, key=lambda pair: pair[0])


def _with_limit(finding: Finding) -> Finding:
    if (
        finding.keyword == "json.size" and finding.expected is not None
    ):  # it was not read to its end, so its size is not known
        message = f"the document has more than {finding.expected:,} bytes, the limit"
        finding = replace(finding, message=message)
    return finding


def _found(
    finding: Finding,
    span: tuple[int, int],
    positions: Mapping[int, tuple[int, int]],
    text: str,
    identity: str,
) -> LocatedFinding:
    start, end = span
    line, column = positions[start]
    excerpt = _excerpt(text, start - (column - 1), start, end)
    finding = finding.with_position(line, column)
    severity = severity_of(finding.keyword)
    return LocatedFinding(finding, *positions[end], excerpt, severity, identity)


def _excerpt(text: str, line_start: int, start: int, end: int) -> Excerpt:
    """Return a window of the source line, divided by `start` and `end`.

    Only the window is read, however long the line is.
    """
    indent = _INDENT.match(text, line_start, start)
    assert indent is not None
    left = max(indent.end(), start - _BEFORE)
    window = text[left : left + _WIDTH].partition("\n")[0].rstrip("\r")
    right = left + len(window)
    is_cut = text[right : right + 1] not in ("", "\r", "\n")
    end = max(start, min(end, right))
    return Excerpt(
        ("…" if left > indent.end() else "") + text[left:start],
        text[start:end],
        text[end:right] + ("…" if is_cut else ""),
    )


def _with_absolute_paths(result: UnlocatedResult | Problem) -> UnlocatedResult | Problem:
    if isinstance(result, Problem) or not result.document.pointer:
        return result
    above = result.document.pointer
    findings = [replace(finding, path=above + finding.path) for finding in result.findings]
    return result._replace(findings=tuple(findings))


def _pointers(result: UnlocatedResult | Problem) -> list[str]:
    if isinstance(result, Problem):
        return [result.pointer]
    return [finding.path for finding in result.findings]


def _spans(
    result: UnlocatedResult | Problem, source: SourceText, located: dict[str, Location]
) -> list[tuple[tuple[int, int], Finding | None]]:
    """Return the spans of the findings, in order; of a problem, that of its document."""
    if isinstance(result, Problem):
        place = located[result.pointer]
        return [((place.start, place.start), None)]
    pairs = [(source.span(finding, located), finding) for finding in result.findings]
    pairs.sort(key=lambda pair: pair[0][0])
    return [*pairs]
