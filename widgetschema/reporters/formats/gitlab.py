"""Reports for GitLab: a code quality report.

The format: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from typing import Any, Final

from widgetschema.jsontext import dump
from widgetschema.project.checking.results import DocumentResult, Outcome, Problem
from widgetschema.project.report_formats import JSON_ESCAPE, ReportFormat
from widgetschema.reporters.entries import Entry, entries

_SEVERITIES: Final = {"error": "major", "warning": "minor", "note": "info"}
_WORST: Final = "critical"  # could not be checked at all


class GitlabReporter:
    """Writes a JSON array with an object per finding or problem, as they come.

    `severity` is critical for what could not be read or checked, major for errors, minor for
    warnings, info for notes. `location.path` is relative to `folder`; outside of it, it is
    absolute, and `-` is standard input. `fingerprint` is unique in the report, since GitLab shows
    only one of two equal ones.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._fingerprints: dict[str, int] = {}

    def document(self, document: DocumentResult) -> str:
        """Return an object for each finding."""
        worst = not document.readable
        return "".join(self._item(entry, worst) for entry in entries(document, self._folder))

    def problem(self, problem: Problem) -> str:
        """Return an object for the problem."""
        return "".join(self._item(entry, True) for entry in entries(problem, self._folder))

    def end(self, outcome: Outcome) -> str:
        """Return the end of the array, and its beginning if it is empty.

        An empty array contains a line end, which distinguishes it from empty data.
        """
        return "\n]\n" if self._fingerprints else "[\n]\n"

    def _item(self, entry: Entry, is_worst: bool) -> str:
        before = ",\n  " if self._fingerprints else "[\n  "
        advice = entry.advice.replace("\nhint: ", " — hint: ")
        item: dict[str, Any] = {
            "description": (f"{entry.place}: {advice}" if entry.place else advice) or entry.keyword,
            "check_name": entry.keyword,
            "fingerprint": self._unique(entry.fingerprint),
            "severity": _WORST
            if is_worst and entry.severity == "error"
            else _SEVERITIES[entry.severity],
            "location": {"path": entry.file, "lines": {"begin": entry.line or 1}},
        }
        return before + dump(item, indent=False)

    def _unique(self, fingerprint: str) -> str:
        """Return the fingerprint, with a number if it is not the first one."""
        number = self._fingerprints.get(fingerprint, 0) + 1
        self._fingerprints[fingerprint] = number
        # Our fingerprints contain no colon, so this is not one of them.
        return fingerprint if number == 1 else f"{fingerprint}:{number}"


FORMAT: Final = ReportFormat(
    "GitLab: a code quality report",
    lambda context: GitlabReporter(context.folder),
    begins=(
        rb"\[\n\]\n\Z",  # without findings
        (
            rb'\[\n  \{"description":"(?:[^"\\]|\\.)*+","check_name":"(?:[^"\\]|\\.)*+",'
            rb'"fingerprint":"'
        ),
    ),
    escape=JSON_ESCAPE,
)
