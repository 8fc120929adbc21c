"""Reports for programs that read results as they come: lines of JSON."""

from __future__ import annotations

from typing import Any, Final

from widgetschema.jsontext import dump
from widgetschema.project.checking.results import DocumentResult, Outcome, Problem
from widgetschema.project.report_formats import JSON_ESCAPE, ReportFormat

# Some readers take these for line ends, unlike JSON; in strings they can be escaped.
_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


class NdjsonReporter:
    """Writes a JSON object per line: each finding, each problem, and at last the summary.

    A finding: `file` (as given), `document` (JSON Pointer in the file where the document begins),
    `type` (id of its widget type, or null), and the members of `Found.as_dict`. A problem: `file`,
    `document`, `type` (null) and the members of `Problem.as_dict`, with `severity` and `column`.
    Both have `keyword`, `message`, `severity`, `line`, `column` and `fingerprint`; only problems
    have `code`. The last line is the only one with `summary`: `Summary.as_dict`; `schemas`,
    `truncated` and `resolved` are as in the JSON report.
    """

    def document(self, document: DocumentResult) -> str:
        """Return a line for each finding."""
        about = {"file": document.file, "document": document.pointer, "type": document.type_id}
        return "".join(_line({**about, **found.as_dict()}) for found in document.findings)

    def problem(self, problem: Problem) -> str:
        """Return a line for the problem."""
        return _line(
            {
                "file": problem.file,
                "document": problem.pointer,
                "type": None,
                **problem.as_dict(),
                "column": problem.column,
                "severity": "error",
            }
        )

    def end(self, outcome: Outcome) -> str:
        """Return the line with the summary."""
        return _line(
            {
                "summary": outcome.summary.as_dict(),
                "schemas": [schema.as_dict() for schema in outcome.schemas],
                "truncated": outcome.hidden > 0 or outcome.is_truncated,
                "resolved": list(outcome.resolved),
            }
        )


def _line(value: dict[str, Any]) -> str:
    text = dump(value, indent=False)
    return f"{text if text.isascii() else text.translate(_LINE_ENDS)}\n"


FORMAT: Final = ReportFormat(
    "programs: one object per line, as results come",
    lambda context: NdjsonReporter(),
    begins=(
        rb'\{"summary":\{"files":\d+,"documents":\d',
        (
            rb'\{"file":"(?:[^"\\]|\\.)*+","document":"(?:[^"\\]|\\.)*+",'
            rb'"type":(?:null|"[^\n]*?"),"keyword"'
        ),
    ),
    escape=JSON_ESCAPE,
)
