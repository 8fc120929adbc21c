"""The results of a run as GitLab's code quality report.

The format: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from typing import Any, Final

from widgetschema.jsontext import dump
from widgetschema.project.checking.results import DocumentResult, Outcome, Problem
from widgetschema.project.report_formats import JSON_ESCAPE, ReportFormat
from widgetschema.reporters.entries import Entry, entries

_SEVERITIES: Final = {"error": "major", "warning": "minor", "note": "info"}
_WORST: Final = "critical"  # what could not be checked at all


class GitlabReporter:
    """A JSON array, an object per finding or problem, as they come.

    `severity` is critical for what could not be read or checked, major for errors, minor for
    warnings, info for notes. `location.path` counts from `folder`; outside of it, it is absolute,
    and `-` is standard input. `fingerprint` is unique in the report, since of two that are
    the same GitLab shows one.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._fingerprints: dict[str, int] = {}

    def checked(self, checked: DocumentResult) -> str:
        """An object for each finding."""
        worst = not checked.readable
        return "".join(self._item(entry, worst) for entry in entries(checked, self._folder))

    def problem(self, problem: Problem) -> str:
        """An object for the problem."""
        return "".join(self._item(entry, True) for entry in entries(problem, self._folder))

    def end(self, outcome: Outcome) -> str:
        """The end of the array, which is its beginning, too, if there was nothing.

        An empty array of ours has a line end in it, so that it is told from data that is empty.
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
        """The fingerprint, with a number if it was there before."""
        number = self._fingerprints.get(fingerprint, 0) + 1
        self._fingerprints[fingerprint] = number
        # A colon is in no fingerprint of ours, so this is none of them.
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
