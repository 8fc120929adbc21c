"""Where results are in their file: paths, lines and columns, and spans for the frames.

The results of one text are placed together, because one look at a text costs as much as
the text is long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from widgetschema.cli.inputs import Text
from widgetschema.documents import Location, SourceText
from widgetschema.findings import Finding, Report
from widgetschema.reporters import Checked, Problem

Result = Checked | Problem


def placed(results: Sequence[Result], text: Text) -> Iterator[Result]:
    """The results of one text, with paths and positions that begin at the file."""
    source = SourceText(text.raw, text.line_offset)
    results = [_from_the_top(result) for result in results]
    located = source.locate(pointer for result in results for pointer in _pointers(result))
    results = [_in_order(result, source, located) for result in results]
    offsets = sorted({at for result in results for at in _offsets(result, located)})
    positions = dict(zip(offsets, source.positions(offsets), strict=True))
    for result in results:
        if isinstance(result, Checked):
            findings = tuple(
                replace(finding, line=positions[start][0], column=positions[start][1])
                for finding, (start, _) in zip(result.report, result.spans, strict=True)
            )
            yield result._replace(report=Report(findings, result.report.subject))
        elif result.pointer or text.line is not None:
            yield result._replace(line=positions[located[result.pointer].start][0])
        else:
            yield result


def refused(text: Text, report: Report) -> Checked:
    """A text that is not JSON: its findings have positions, which begin at the text."""
    source = SourceText(text.raw, text.line_offset)
    spans = []
    line, start = 1, 0
    for finding in report:  # in the order of the text
        for _ in range((finding.line or 1) - line):
            start = source.text.index("\n", start) + 1
        line = finding.line or 1
        offset = start + (finding.column or 1) - 1
        spans.append((offset, offset))
    findings = tuple(_refusal(finding, text) for finding in report)
    report = Report(findings, text.file)
    return Checked(text.file, "", None, None, report, source, tuple(spans), readable=False)


def _refusal(finding: Finding, text: Text) -> Finding:
    finding = replace(finding, line=(finding.line or 1) + text.line_offset)
    if finding.keyword == "json.size":  # it was read no further, so its size is not known
        message = f"the document has more than {finding.expected:,} bytes, the limit"
        finding = replace(finding, message=message)
    return finding


def _from_the_top(result: Result) -> Result:
    if isinstance(result, Problem) or not result.pointer:
        return result
    findings = [replace(finding, path=result.pointer + finding.path) for finding in result.report]
    return result._replace(report=Report(tuple(findings), result.report.subject))


def _pointers(result: Result) -> list[str]:
    if isinstance(result, Problem):
        return [result.pointer]
    return [finding.path for finding in result.report]


def _in_order(result: Result, source: SourceText, located: dict[str, Location]) -> Result:
    """The findings in the order of the text, and where in it they are."""
    if isinstance(result, Problem):
        return result
    pairs = [(source.span(finding, located), finding) for finding in result.report]
    pairs.sort(key=lambda pair: pair[0][0])
    findings = tuple(finding for _, finding in pairs)
    spans = tuple(span for span, _ in pairs)
    return result._replace(
        report=Report(findings, result.report.subject), source=source, spans=spans
    )


def _offsets(result: Result, located: Mapping[str, Location]) -> list[int]:
    if isinstance(result, Problem):
        return [located[result.pointer].start]
    return [start for start, _ in result.spans]
