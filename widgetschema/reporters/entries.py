"""Findings and problems as entries, for the formats that list both alike."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from widgetschema.findings import Provenance
from widgetschema.pointers import display_pointer
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Problem,
    Severity,
    Suppressed,
    relative_uri,
)
from widgetschema.text import printable


class Entry(NamedTuple):
    """An entry of a report: a finding at its position, or a problem with a file.

    `file` is its name as `relative_uri` gives it, `path` a JSON Pointer into the file. Lines and
    columns count from 1; they are None where there are none. `found` is there for a finding.
    `is_input` says that it is about standard input: there may be a file with the name `-`, too.
    `suppressed` is there for an entry that does not count.
    """

    file: str
    keyword: str
    path: str
    message: str
    fingerprint: str
    hint: str | None = None
    severity: Severity = "error"
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    found: LocatedFinding | None = None
    is_input: bool = False
    suppressed: Suppressed[Any] | None = None

    @property
    def headline(self) -> str:
        """The entry in one line, without its file: position, keyword, JSON Pointer, sentence."""
        position = "" if self.line is None else f"{self.line}:{self.column or 1} "
        return printable(f"{position}{self.weight}{self.about}: {self.message}")

    @property
    def about(self) -> str:
        """Keyword and JSON Pointer."""
        return f"{self.keyword} {self.place}" if self.place else self.keyword

    @property
    def place(self) -> str:
        """The JSON Pointer for people; empty for a problem with the file as a whole."""
        return printable(display_pointer(self.path)) if self.path or self.found else ""

    @property
    def weight(self) -> str:
        """The severity as a prefix of the message; empty for an error."""
        return "" if self.severity == "error" else f"{self.severity}: "

    @property
    def advice(self) -> str:
        """The sentence, and the hint in a line of its own, if there is one."""
        hint = f"\nhint: {printable(self.hint)}" if self.hint else ""
        return f"{printable(self.message)}{hint}"

    @property
    def is_outside(self) -> bool:
        """True if the entry is about standard input or a file outside the folder."""
        return self.is_input or is_absolute(self.file)

    @property
    def name(self) -> str:
        """The file for people."""
        return "standard input" if self.is_input else printable(self.file)


def entries(result: DocumentResult | Problem, folder: str) -> list[Entry]:
    """Return the entries of a result; file names are relative to `folder`.

    The hint of a document as a whole joins that of its first finding.
    """
    if isinstance(result, DocumentResult) and not result.findings:
        return []  # most results
    file = relative_uri(result.file, folder)
    if isinstance(result, Problem):
        return [_problem(result, file)]
    is_input = result.file == "-"
    items = [_finding(found, file, is_input) for found in result.findings]
    if result.hint and items:
        hints = filter(None, (items[0].hint, result.hint))
        items[0] = items[0]._replace(hint="; ".join(hints))
    return items


def suppressed_entries(
    suppressed: Iterable[Suppressed[LocatedFinding] | Suppressed[Problem]], file: str, folder: str
) -> list[Entry]:
    """Return the entries of what the baseline or ignores excuse in a file."""
    name = relative_uri(file, folder)
    items = [
        (one, _problem(one.found, name))
        if isinstance(one.found, Problem)
        else (one, _finding(one.found, name, file == "-"))
        for one in suppressed
    ]
    return [entry._replace(suppressed=one) for one, entry in items]


def is_absolute(name: str) -> bool:
    """Return whether a name from `relative_uri` is that of a file outside the folder."""
    return name.startswith("/") or (os.name == "nt" and name[1:3] == ":/")


def without_home(schema: Provenance, folder: str) -> Provenance:
    """Return the provenance without folders of this machine, since reports are published."""
    if not os.path.isabs(schema.source):
        return schema
    name = relative_uri(schema.source, folder)
    return replace(schema, source=name.rpartition("/")[2] if is_absolute(name) else name)


def schema_line(schema: Provenance, folder: str) -> str:
    """Return a line on where a schema came from, without folders of this machine."""
    return printable(str(without_home(schema, folder)))


def _finding(found: LocatedFinding, file: str, is_input: bool) -> Entry:
    finding = found.finding
    is_placed = finding.line is not None
    return Entry(
        file,
        finding.keyword,
        finding.path,
        finding.message,
        found.fingerprint or _digest(file, finding.keyword, finding.path, finding.message),
        finding.hint,
        found.severity,
        finding.line,
        finding.column,
        found.end_line if is_placed else None,
        found.end_column if is_placed else None,
        found,
        is_input,
    )


def _problem(problem: Problem, file: str) -> Entry:
    message = problem.message.replace("\n  ", "; ")  # that of a schema has a line for each finding
    return Entry(
        file,
        problem.keyword,
        problem.pointer,
        message,
        problem.fingerprint or _digest(file, problem.keyword, problem.pointer, problem.message),
        line=problem.line,
        column=problem.column,
        is_input=problem.file == "-",
    )


def _digest(*parts: str) -> str:
    """Return a fingerprint for a result without one."""
    import hashlib  # findings of a run have fingerprints

    text = "\0".join(parts)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:20]
