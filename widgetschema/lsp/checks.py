"""The findings about a document: those of `validate`, after severities, ignores and baseline.

A document is checked if the configuration maps its file, or if it names its type. Any other may be
no widget at all: nothing is said about it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, NamedTuple

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.findings import Finding
from widgetschema.lsp.documents import LANGUAGES, Document
from widgetschema.lsp.projects import Project
from widgetschema.project.checking.artifacts import artifact_kind
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Problem,
    Result,
    Severity,
)
from widgetschema.project.checking.triage import Triage
from widgetschema.project.inputs.model import SourceFailed, Text
from widgetschema.project.inputs.texts import texts_in, unreadable

MOST_ISSUES: Final = 1_000  # findings of one document that are looked for


class Issue(NamedTuple):
    """A message about the text between two offsets; `finding` is set if it is about data."""

    start: int
    end: int
    severity: Severity
    code: str
    message: str
    finding: Finding | None = None


def checker_of(document: Document, project: Project) -> Checker:
    """Return a checker for a document."""
    configuration = project.configuration
    return Checker(
        project.catalog,
        type_for=lambda file: None if document.path is None else configuration.type_for(file),
        limits=configuration.limits,
        foreign_types=configuration.foreign_types,
        max_findings=MOST_ISSUES,
    )


def is_checked(document: Document, project: Project, checker: Checker) -> bool:
    """Return whether a document is mapped, or names its type and is not left out."""
    configuration, path = project.configuration, document.path
    if path is not None:
        if configuration.maps(path):
            return True
        rules = configuration.rules_in(os.path.dirname(path))
        if configuration.is_own(path) or rules.excludes(os.path.basename(path)):
            return False
    elif document.language not in LANGUAGES:
        return False
    return checker.why_untyped(Text(document.name, document.raw)) is None


def is_one_widget(document: Document, project: Project, checker: Checker) -> bool:
    """Return whether a document is one widget of a known type, so that it can be a form."""
    if document.format != "json" or document.has_lines:
        return False
    if not is_checked(document, project, checker):
        return False
    match checker.documents(document.file, document.part_at(0).value):
        case [part] if not part.pointer:
            return isinstance(checker.type_of(document.file, part), WidgetType)
        case _:
            return False


def check(document: Document, project: Project) -> list[Issue]:
    """Return the issues of a document, in the order of the text."""
    checker = checker_of(document, project)
    if artifact_kind(document.raw) is not None or not is_checked(document, project, checker):
        return []
    results: list[Result] = []
    try:
        for text in texts_in(document.name, document.raw, project.configuration.limits.max_bytes):
            results += (one._replace(file=document.file) for one in checker.check(text))
            if sum(len(one.findings) for one in results if isinstance(one, DocumentResult)) > (
                MOST_ISSUES
            ):
                break
    except SourceFailed as error:
        results.append(unreadable(document.file, error))
    triage = Triage(project.configuration, project.baseline, project.configuration.folder)
    triage.begin(document.file)
    kept = [one for one in map(triage.result, results) if one is not None]
    issues = [issue for result in kept for issue in _issues(document, result)]
    return sorted(issues, key=lambda issue: issue.start)[: MOST_ISSUES + 1]


def _issues(document: Document, result: Result) -> Iterator[Issue]:
    if isinstance(result, Problem):
        start = document.offset_at(result.line or 1, result.column or 1)
        severity: Severity = "note" if result.truncated else "error"
        yield Issue(start, document.line_end(start), severity, result.keyword, result.message)
        return
    for located in result.findings:
        yield _issue(document, located)
    if result.findings and result.hint is not None:
        start = document.offset_at(result.findings[0].finding.line or 1, 1)
        yield Issue(start, document.line_end(start), "note", "hint", result.hint)


def _issue(document: Document, located: LocatedFinding) -> Issue:
    """Return the issue of a finding; of one about several lines, the first is marked."""
    finding = located.finding
    start = document.offset_at(finding.line or 1, finding.column or 1)
    end = document.offset_at(located.end_line, located.end_column)
    hint = "" if finding.hint is None else f"\nhint: {finding.hint}"
    end = max(start, min(end, document.line_end(start)))
    return Issue(start, end, located.severity, finding.keyword, f"{finding.message}{hint}", finding)
