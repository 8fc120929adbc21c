"""Results of a run over files: the values that reporters show and caches keep."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from widgetschema.findings import Finding, Provenance
from widgetschema.pointers import display_pointer
from widgetschema.schema.keywords import KEYWORDS
from widgetschema.text import plural, printable

_Found = TypeVar("_Found", "LocatedFinding", "Problem")

Severity = Literal["error", "warning", "note"]

MOST_FINDINGS: Final = 1_000  # that an audit looks for in one record
TRUNCATED: Final = "problem.truncated"
MOST_IN_A_TEXT: Final = 10_000  # that `validate` looks for in one text
MOST_DOCUMENTS: Final = 1_000_000  # that `validate` checks in one text
_WARNINGS: Final = frozenset({"yaml.version"})
_KEYWORDS: Final = {one.exit_code: code for code, one in KEYWORDS.items() if one.exit_code}


def severity_of(code: str) -> Severity:
    """Return the severity of findings with a code, if the configuration does not say."""
    return "warning" if code in _WARNINGS else "error"


def reason(error: Exception) -> str:
    """Return what went wrong, as the end of a sentence."""
    text = getattr(error, "strerror", None) or str(error)
    return f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text


class Excerpt(NamedTuple):
    """A window of a source line: the text before the finding, of the finding, and after it.

    Indentation is left out, and cuts are marked by an ellipsis.
    """

    before: str = ""
    marked: str = ""
    after: str = ""


class LocatedFinding(NamedTuple):
    """A finding in its file, with its end, excerpt, severity and fingerprint.

    Path, line and column of the finding begin at the file. `end_line` and `end_column` count from 1
    and are those behind its last character. The `fingerprint` identifies the finding within the run
    and stays the same when lines move and members change places.
    """

    finding: Finding
    end_line: int = 1
    end_column: int = 1
    excerpt: Excerpt = Excerpt()
    severity: Severity = "error"
    fingerprint: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return `Finding.as_dict` with `end_line`, `end_column`, `severity`, `fingerprint`."""
        return {
            **self.finding.as_dict(),
            "end_line": self.end_line,
            "end_column": self.end_column,
            "severity": self.severity,
            "fingerprint": self.fingerprint,
        }


class Suppressed(NamedTuple, Generic[_Found]):
    """A finding or a problem that does not count, with the reasons for that.

    `is_known` says that the baseline holds it; otherwise, ignores match it.
    """

    found: _Found
    reasons: tuple[str, ...]
    is_known: bool


class DocumentResult(NamedTuple):
    """The result of one document that was checked or could not be read.

    `file` is the name as given, `pointer` the path of the document in its file, `line` its line in
    NDJSON (else None), `kind` "data" or "document" (None if it could not be read). `hint` is about
    the document as a whole; `note` is printed once per file. `known` and `ignored` count findings
    that are left out because of the baseline and the ignores (or the options of the run);
    `suppressed` are those that the baseline or an ignore excuses. `hidden` counts errors that are
    not shown because there are too many.
    """

    file: str
    pointer: str = ""
    line: int | None = None
    kind: str | None = None
    type_id: str | None = None
    findings: tuple[LocatedFinding, ...] = ()
    readable: bool = True
    hint: str | None = None
    note: str | None = None
    known: int = 0
    ignored: int = 0
    hidden: int = 0
    suppressed: tuple[Suppressed[LocatedFinding], ...] = ()

    @property
    def name(self) -> str:
        """The name of the document: its file, with line and pointer if the file holds several."""
        line = "" if self.line is None else f":{self.line}"
        return f"{self.file}{line}{'#' + self.pointer if self.pointer else ''}"

    def prevents_check(self, finding: Finding) -> bool:
        """Return whether nothing was checked because of a finding, so no baseline excuses it.

        The text cannot be read, the type is unknown, or its schema allows no data: such a schema
        may be meant for something else, such as the data itself instead of a document.
        """
        if not self.readable or finding.keyword == "document.type":
            return True
        if self.kind == "document" and finding.path == f"{self.pointer}/data":
            return finding.keyword in ("additionalProperties", "false")
        is_conditional = finding.schema_path.endswith(("/then", "/else"))
        return finding.keyword == "false" and finding.path == self.pointer and not is_conditional

    @property
    def is_known_document(self) -> bool:
        """True if it is a widget document whose type has a schema."""
        return self.kind == "document" and self.type_id is not None

    @property
    def failed(self) -> bool:
        """True if there is an error that counts."""
        return self.hidden > 0 or any(one.severity == "error" for one in self.findings)

    def cut(self, most: int) -> DocumentResult:
        """Return the result with at most so many findings; it fails as before."""
        left_out = sum(one.severity == "error" for one in self.findings[most:])
        return self._replace(findings=self.findings[:most], hidden=self.hidden + left_out)

    @property
    def excused(self) -> bool:
        """True if it is valid only because findings were left out."""
        return not self.failed and bool(self.known or self.ignored or not self.readable)

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object; its member names are part of the contract.

        `file`, `pointer`, `kind`, `type` (the id of the widget type, or null), `readable`,
        `valid`, `hint` (about the document as a whole, or null), `findings`: each as
        `LocatedFinding.as_dict`.
        """
        return {
            "file": self.file,
            "pointer": self.pointer,
            "kind": self.kind,
            "type": self.type_id,
            "readable": self.readable,
            "valid": not self.failed and not self.excused,
            "hint": self.hint,
            "findings": [one.as_dict() for one in self.findings],
        }


class Problem(NamedTuple):
    """A reason why a document was not checked, with the exit code for it: 3 if it is unreadable.

    `pointer`, `line` and `column` locate the document in its file; they are empty or None for a
    problem with the whole file. If it is `truncated`, the document was checked and has more
    findings than were looked for. `cause` is the problem of the file of the schema, if it is that:
    reports have it once, in place of the problems of all documents.
    """

    file: str
    message: str
    code: int = 3
    pointer: str = ""
    line: int | None = None
    column: int | None = None
    fingerprint: str = ""
    truncated: bool = False
    cause: Problem | None = None

    @property
    def keyword(self) -> str:
        """The kind of problem, in place of the keyword of a finding: `problem.file` and so on."""
        return TRUNCATED if self.truncated else _KEYWORDS.get(self.code, "problem.file")

    def __str__(self) -> str:
        line = "" if self.line is None else f":{self.line}"
        place = f" at {display_pointer(self.pointer)}" if self.pointer else ""
        return f"{printable(self.file)}{line}{place}: {self.message}"

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object; its member names are part of the contract.

        `file`, `pointer`, `line`, `message`, `code`, `keyword`, `fingerprint`.
        """
        return {
            "file": self.file,
            "pointer": self.pointer,
            "line": self.line,
            "message": self.message,
            "code": self.code,
            "keyword": self.keyword,
            "fingerprint": self.fingerprint,
        }


Result = DocumentResult | Problem


class Summary(NamedTuple):
    """The counts of a run."""

    files: int = 0
    valid: int = 0
    invalid: int = 0
    excused: int = 0
    unreadable: int = 0
    findings: int = 0
    warnings: int = 0
    problems: int = 0
    known: int = 0
    ignored: int = 0
    fixed: int = 0
    code: int = 0

    def with_document(self, document: DocumentResult) -> Summary:
        """Return the counts with one more document."""
        if (
            not document.findings
            and not document.known
            and not document.ignored
            and document.readable
        ):
            return self._replace(valid=self.valid + 1)  # as most are
        errors = sum(one.severity == "error" for one in document.findings)
        counts = self._replace(
            known=self.known + document.known,
            ignored=self.ignored + document.ignored,
            warnings=self.warnings + len(document.findings) - errors,
        )
        if document.excused and not document.readable:  # it is ignored, so it does not fail
            return counts._replace(unreadable=self.unreadable + 1)
        if document.excused:
            return counts._replace(excused=self.excused + 1)
        if not errors:
            return counts._replace(valid=self.valid + 1)
        if not document.readable:
            return counts._replace(unreadable=self.unreadable + 1, code=max(self.code, 3))
        return counts._replace(
            invalid=self.invalid + (document.kind is not None),  # else: the configuration
            findings=self.findings + errors,
            code=max(self.code, 1),
        )

    def with_problem(self, problem: Problem) -> Summary:
        """Return the counts with one more problem."""
        return self._replace(problems=self.problems + 1, code=max(self.code, problem.code))

    def __str__(self) -> str:
        checked = self.valid + self.invalid + self.excused
        parts = [f"{self.valid:,} valid"] if self.valid or not self.invalid else []
        if self.invalid:
            parts.append(f"{self.invalid:,} invalid ({plural(self.findings, 'finding')})")
        elif self.findings:
            parts.append(f"{plural(self.findings, 'finding')} about the configuration")
        text = f"{plural(checked, 'document')} in {plural(self.files, 'file')}: {', '.join(parts)}"
        for number, what in (
            (self.unreadable, "unreadable"),
            (self.warnings, "warning" if self.warnings == 1 else "warnings"),
            (self.problems, "problem" if self.problems == 1 else "problems"),
        ):
            if number:
                text += f"; {number:,} {what}"
        for number, fate in (
            (self.fixed, "fixed"),
            (self.known, "in the baseline"),
            (self.ignored, "ignored"),
        ):
            if number:
                text += f"; {plural(number, 'finding')} {fate}"
        return text

    def as_dict(self) -> dict[str, int]:
        """Return a JSON object; its member names are part of the contract.

        `files` that could be opened; `documents` that were checked: `valid`, `invalid`, and
        `excused` (all their findings are left out); `unreadable` texts, also those that
        are ignored; `findings` about the invalid documents; `warnings`; `problems` that kept a
        document from being checked; findings that are left out because they are in the baseline
        (`known`) or `ignored`; findings that were `fixed`; `exit_code`.
        """
        return {
            "files": self.files,
            "documents": self.valid + self.invalid + self.excused,
            "valid": self.valid,
            "invalid": self.invalid,
            "excused": self.excused,
            "unreadable": self.unreadable,
            "findings": self.findings,
            "warnings": self.warnings,
            "problems": self.problems,
            "known": self.known,
            "ignored": self.ignored,
            "fixed": self.fixed,
            "exit_code": self.code,
        }


class Outcome(NamedTuple):
    """The end of a run, which reporters show last.

    `schemas` are those that were used; `hidden` counts findings that were not shown because there
    were too many; `resolved` are entries of the baseline that were not found, one line each.
    `suppressed` are problems that an ignore excuses. `has_baseline` says that findings were
    compared with a baseline.
    """

    summary: Summary
    problems: Sequence[Problem] = ()
    schemas: Sequence[Provenance] = ()
    hidden: int = 0
    resolved: Sequence[str] = ()
    suppressed: Sequence[Suppressed[Problem]] = ()
    has_baseline: bool = False

    @property
    def is_truncated(self) -> bool:
        """True if there may be findings that were not looked for."""
        return any(problem.truncated for problem in self.problems)

    @property
    def least(self) -> str:
        """The words before the number of findings that are hidden, if there may be more."""
        return "at least " if self.is_truncated else ""


def relative_uri(file: str, folder: str) -> str:
    """Return the name of a file as CI tools expect it: relative to `folder` if below it."""
    if file == "-":
        return file
    try:
        whole = os.path.abspath(file)
        path = os.path.relpath(whole, folder)
    except (OSError, ValueError):  # no working directory any more; another drive
        return file.replace(os.sep, "/")
    outside = path == os.pardir or path.startswith(os.pardir + os.sep)
    return (whole if outside else path).replace(os.sep, "/")
