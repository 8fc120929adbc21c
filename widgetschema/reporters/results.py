"""What a run produces, one value per document, and what a reporter must be able to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from widgetschema.documents import SourceText
from widgetschema.findings import Provenance, Report, count, display_path

NO_TEXT: Final = SourceText("")


def safe(text: str) -> str:
    """Text with nothing in it that a terminal would obey: such characters become `·`."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else " " if character == "\t" else "·"
        for character in text
    )


class Checked(NamedTuple):
    """One document that was checked (or could not be read).

    `file` is the name as given, `pointer` where in the file the document begins, `kind`
    "data" or "document" (None if it could not be read). Paths and positions of the
    findings are those in the file. `source` is the text, for showing lines of it, and
    `spans` the offsets in it where each finding begins and ends.
    """

    file: str
    pointer: str
    kind: str | None
    type_id: str | None
    report: Report
    source: SourceText = NO_TEXT
    spans: tuple[tuple[int, int], ...] = ()
    readable: bool = True
    hint: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """A JSON object; its member names are part of the contract.

        `file`, `pointer`, `kind`, `type` (the id of the widget type, or null), `readable`,
        `valid`, `hint` (about the document as a whole, or null), `findings`: each as
        `Finding.as_dict`.
        """
        return {
            "file": self.file,
            "pointer": self.pointer,
            "kind": self.kind,
            "type": self.type_id,
            "readable": self.readable,
            "valid": self.report.valid,
            "hint": self.hint,
            "findings": [finding.as_dict() for finding in self.report],
        }


class Problem(NamedTuple):
    """Something that kept a document from being checked; `code` is the exit code for it.

    `pointer` says where in the file the document begins, `line` on which line: None for a
    problem with the file as a whole.
    """

    file: str
    message: str
    code: int
    pointer: str = ""
    line: int | None = None

    def __str__(self) -> str:
        line = "" if self.line is None else f":{self.line}"
        place = f" at {display_path(self.pointer)}" if self.pointer else ""
        return f"{safe(self.file)}{line}{place}: {self.message}"

    def as_dict(self) -> dict[str, Any]:
        """A JSON object; its member names are part of the contract.

        `file`, `pointer`, `line`, `message`, `code`.
        """
        return {
            "file": self.file,
            "pointer": self.pointer,
            "line": self.line,
            "message": self.message,
            "code": self.code,
        }


class Summary(NamedTuple):
    """The counts of a run so far."""

    files: int = 0
    valid: int = 0
    invalid: int = 0
    unreadable: int = 0
    findings: int = 0
    problems: int = 0
    code: int = 0

    def with_checked(self, checked: Checked) -> Summary:
        """The counts with one more document."""
        if not checked.readable:
            code = max(self.code, 3)
            return self._replace(unreadable=self.unreadable + 1, code=code)
        if checked.report.valid:
            return self._replace(valid=self.valid + 1)
        return self._replace(
            invalid=self.invalid + 1,
            findings=self.findings + len(checked.report),
            code=max(self.code, 1),
        )

    def with_problem(self, problem: Problem) -> Summary:
        """The counts with one more problem."""
        return self._replace(problems=self.problems + 1, code=max(self.code, problem.code))

    def __str__(self) -> str:
        checked = self.valid + self.invalid
        parts = [f"{self.valid:,} valid"] if self.valid or not self.invalid else []
        if self.invalid:
            parts.append(f"{self.invalid:,} invalid ({count(self.findings, 'finding')})")
        text = f"{count(checked, 'document')} in {count(self.files, 'file')}: {', '.join(parts)}"
        if self.unreadable:
            text += f"; {self.unreadable:,} unreadable"
        if self.problems:
            text += f"; {count(self.problems, 'problem')}"
        return text

    def as_dict(self) -> dict[str, int]:
        """A JSON object; its member names are part of the contract.

        `files` that could be opened; `documents` that were checked, `valid` and `invalid`;
        `unreadable` texts; `findings` about the invalid documents; `problems` that kept a
        document from being checked; `exit_code`.
        """
        return {
            "files": self.files,
            "documents": self.valid + self.invalid,
            "valid": self.valid,
            "invalid": self.invalid,
            "unreadable": self.unreadable,
            "findings": self.findings,
            "problems": self.problems,
            "exit_code": self.code,
        }


class Reporter(Protocol):
    """Turns results into text: some as they come, some only at the end."""

    def checked(self, checked: Checked) -> str:
        """The text for one document, possibly empty."""

    def end(
        self, summary: Summary, problems: list[Problem], schemas: Sequence[Provenance] = ()
    ) -> str:
        """The text that closes the output, possibly empty; `schemas` are those that decided."""
