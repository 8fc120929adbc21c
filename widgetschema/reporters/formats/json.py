"""Reports for programs: one JSON object."""

from __future__ import annotations

from typing import Any, Final

from widgetschema.jsontext import dump
from widgetschema.project.checking.results import DocumentResult, Outcome, Problem
from widgetschema.project.report_formats import JSON_ESCAPE, ReportFormat


class JsonReporter:
    """Writes `{"version": 1, "summary": {…}, "schemas": […], "documents": […], "problems": […],
    …}`.

    `summary` is `Summary.as_dict`, `schemas` say where the schemas came from as
    `Provenance.as_dict`, `documents` those with findings as `DocumentResult.as_dict`, `problems`
    as `Problem.as_dict`, `resolved` lines about findings of the baseline that are no longer found.
    `truncated` says whether findings were left out; `summary` counts all.
    """

    def __init__(self) -> None:
        self._documents: list[dict[str, Any]] = []

    def document(self, document: DocumentResult) -> str:
        """Keep the document for the end."""
        if document.findings:
            self._documents.append(document.as_dict())
        return ""

    def problem(self, problem: Problem) -> str:
        """Return nothing: the end has all problems."""
        return ""

    def end(self, outcome: Outcome) -> str:
        """Return the whole object."""
        return dump(
            {
                "version": 1,
                "summary": outcome.summary.as_dict(),
                "schemas": [schema.as_dict() for schema in outcome.schemas],
                "truncated": outcome.hidden > 0 or outcome.is_truncated,
                "documents": self._documents,
                "problems": [problem.as_dict() for problem in outcome.problems],
                "resolved": list(outcome.resolved),
            }
        )


FORMAT: Final = ReportFormat(
    "programs: one object at the end",
    lambda context: JsonReporter(),
    begins=(rb'\{\n  "version": 1,\n  "summary": \{\n    "files": \d',),
    escape=JSON_ESCAPE,
)
