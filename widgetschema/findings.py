"""Findings and reports: frozen values, and the one text in which people read them.

Only values live here: nothing is checked, read or written. `Finding` is one problem
at one place; `Report` is all findings of one check; `Provenance` says where a schema is from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from widgetschema.pointers import display_pointer
from widgetschema.text import duration, plural


@dataclass(frozen=True, slots=True)
class Fix:
    """A certain fix of a finding, which loses nothing: JSON text for one place.

    Args:
        replace: What is replaced: the value at the finding's path, or the name of the member.
        text: The JSON text to put there, such as `30`, `true` or `"showTitle"`.
    """

    replace: Literal["value", "name"]
    text: str

    def as_dict(self) -> dict[str, str]:
        """Return the fix as a JSON object; its member names are part of the contract."""
        return {"replace": self.replace, "text": self.text}


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem at one place.

    Args:
        keyword: The keyword of the schema, or another code, such as `json.syntax`.
        path: The JSON Pointer (RFC 6901) into the instance.
        schema_path: The JSON Pointer of the keyword in the linked schema; empty where no schema is
            involved, as for text that is not JSON.
        message: A sentence that says what is wrong.
        hint: What to do about it.
        line: The line in the source text, from 1; None without a source text.
        column: The column in characters, from 1; None without a source text.
        expected: The JSON value that was expected: the allowed values of `enum`, the type names of
            `type`, the limit of `minimum`, the member name of `required`.
        fix: The fix, where it is certain.
    """

    keyword: str
    path: str
    schema_path: str
    message: str
    hint: str | None = None
    line: int | None = None
    column: int | None = None
    expected: Any = field(default=None, hash=False)
    fix: Fix | None = None

    def __str__(self) -> str:
        hint = "" if self.hint is None else f"\n    hint: {self.hint}"
        return f"{self.headline}{hint}"

    @property
    def headline(self) -> str:
        """The finding in one line: position, keyword, JSON Pointer, message."""
        where = "" if self.line is None else f"{self.line}:{self.column} "
        return f"{where}{self.keyword} {display_pointer(self.path)}: {self.message}"

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as a JSON object; its member names are part of the contract."""
        return {
            "keyword": self.keyword,
            "path": self.path,
            "schema_path": self.schema_path,
            "message": self.message,
            "hint": self.hint,
            "line": self.line,
            "column": self.column,
            "expected": self.expected,
            "fix": None if self.fix is None else self.fix.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a schema.

    Args:
        id: The id of the schema.
        source: "bundled", "given" (as a value), a file, or the address of the platform.
        digest: The sha256 of its text, in hexadecimal.
        origin: The address from which it was fetched, if it was.
        fetched: The time when it was fetched (ISO 8601, UTC).
        stale: True if it could not be checked whether the source still has this text.
        unpinned: True if it is a file that no manifest verifies.
        own_id: The `$id` of the schema, if it names another schema than `id`.
    """

    id: str
    source: str
    digest: str
    origin: str | None = None
    fetched: str | None = None
    stale: bool = False
    unpinned: bool = False
    own_id: str | None = None

    def __str__(self) -> str:
        parts = [self.digest[:12]]
        if self.origin is not None and self.origin != self.source:
            parts.append(f"from {self.origin}")
        if self.fetched is not None:
            parts.append(f"fetched {self.age}")
        if self.stale:
            parts.append("stale")
        if self.unpinned:
            parts.append("unpinned")
        if self.own_id is not None:
            parts.append(f"its $id is {self.own_id!r}")
        return f"{self.id}: {self.source} ({', '.join(parts)})"

    @property
    def age(self) -> str | None:
        """The time since it was fetched, in words; None if it was not."""
        if self.fetched is None:
            return None
        from datetime import UTC, datetime  # nobody else pays for it

        try:
            moment = datetime.fromisoformat(self.fetched)
        except ValueError:
            return "at an unknown time"
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return f"{duration((datetime.now(UTC) - moment).total_seconds())} ago"

    @property
    def lint(self) -> Finding | None:
        """The finding that the schema may be another type's; None if it is not."""
        if self.own_id is None:
            return None
        message = f"this is the schema of widget type {self.id!r}, but its $id is {self.own_id!r}"
        hint = "the schema of another type may have been served or saved under this id"
        return Finding("$id", "/$id", "", message, hint)

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object; its member names are part of the contract.

        `unpinned` and `own_id` are there only if they say something.
        """
        return {
            "id": self.id,
            "source": self.source,
            "digest": self.digest,
            "origin": self.origin,
            "fetched": self.fetched,
            "stale": self.stale,
            **({"unpinned": True} if self.unpinned else {}),
            **({} if self.own_id is None else {"own_id": self.own_id}),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All findings of one check, in the order of the instance.

    A report has no truth value, because both readings of `if report:` are tempting: use
    `report.valid`.

    Args:
        findings: The findings.
        subject: What was checked, such as `data of widget type "countdown"`.
        schemas: The origin of the schema, and of each that it refers to, where that is known.
        truncated: True if there are more findings than these, since no more were requested.
    """

    findings: tuple[Finding, ...] = ()
    subject: str = "instance"
    schemas: tuple[Provenance, ...] = field(default=(), compare=False)
    truncated: bool = False

    @property
    def lints(self) -> tuple[Finding, ...]:
        """Warnings about the schemas: a `$id` that is another type's."""
        return tuple(one.lint for one in self.schemas if one.lint is not None)

    @property
    def valid(self) -> bool:
        """True if there are no findings."""
        return not self.findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        raise TypeError("a Report has no truth value: use report.valid (or len(report))")

    @property
    def heading(self) -> str:
        """The subject, and the number of findings, in one line."""
        if not self.findings:
            return f"{self.subject}: valid"
        least = "at least " if self.truncated else ""
        return f"{self.subject}: {least}{plural(len(self.findings), 'finding')}"

    def __repr__(self) -> str:
        return f"<Report of {self.heading}>"

    def __str__(self) -> str:
        return "\n".join([self.heading, *(f"  {finding}" for finding in self.findings)])

    def as_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object; its member names are part of the contract.

        These are `subject`, `valid`, `findings`, `truncated` and `schemas`.
        """
        return {
            "subject": self.subject,
            "valid": self.valid,
            "findings": [finding.as_dict() for finding in self.findings],
            "truncated": self.truncated,
            "schemas": [schema.as_dict() for schema in self.schemas],
        }

    def to_json(self) -> str:
        """Return `as_dict()` as indented JSON text."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)
