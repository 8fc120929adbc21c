"""Findings and reports: frozen values, and the one text in which people read them.

Only values live here: nothing is checked, read or written. `Finding` is one problem
at one place; `Report` is all findings of one check; `Provenance` says where a schema is from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

from widgetschema.pointers import (
    display_pointer,
    escape_token,
    fragment_of,
    is_pointer,
    parse_pointer,
)
from widgetschema.text import duration, plural, shorten


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix of a finding, which loses nothing: text for one place.

    Args:
        replace: What is replaced: the value at the finding's path, the name of the property, or, in
            a text that is not JSON, the character at the finding's line and column.
        text: The JSON text to put there, such as `30`, `true` or `"showTitle"`; empty for a
            character to remove.
        applicability: `safe` if the fix changes only how a value or a name is written, where that
            is certain; `unsafe` if it picks the word that was probably meant.
    """

    replace: Literal["value", "name", "character"]
    text: str
    applicability: Literal["safe", "unsafe"] = "safe"

    @property
    def is_safe(self) -> bool:
        """True if it can be applied without anybody looking."""
        return self.applicability == "safe"

    def as_dict(self) -> dict[str, str]:
        """Return the fix as a JSON object; its member names are part of the contract."""
        return {
            "replace": self.replace,
            "text": self.text,
            "applicability": self.applicability,
        }


MOST_ERRORS: Final = 100  # findings that a response lists
_LONGEST_TEXT: Final = 1_000  # characters of a text in problem details
_LONGEST_POINTER: Final = 1_000  # characters of a pointer in problem details

# The keywords whose `expected`, if it is a text, is the name of a member that is missing.
_NAME_A_MEMBER: Final = frozenset({"required", "dependencies", "if", "anyOf", "oneOf"})


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
            `type`, the limit of `minimum`, the property name of `required`.
        fix: The fix, where it is certain. It is tried out when it is read: a value or a name that,
            checked again, does not end the finding or causes another one is no fix.
        indices: Which tokens of `path` are indices of arrays, counted from its end: -1 is the last
            one. A property of an object may be named "0", so `path` alone cannot tell.
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
    indices: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @property
    def target(self) -> str:
        """The JSON Pointer of what has to change: `path`, or the missing property in it.

        A missing property (`required`, `dependencies`) has the path of the object, because nothing
        is at its own; forms and clients want its own. An unknown property has its own path anyway.
        """
        if self.keyword in _NAME_A_MEMBER and type(self.expected) is str:
            return f"{self.path}/{escape_token(self.expected)}"
        return self.path

    @property
    def loc(self) -> tuple[str | int, ...]:
        """`target` as property names and indices of arrays, such as `("questions", 0, "title")`."""
        location: list[str | int] = [*parse_pointer(self.path)]
        for position in self.indices:
            location[position] = int(location[position])
        return (*location, *parse_pointer(self.target.removeprefix(self.path)))

    @property
    def fragment(self) -> str:
        """`target` as a URI fragment identifier (RFC 6901, section 6), such as `#/a%20b/0`."""
        return fragment_of(self.target)

    # `dataclasses.replace` takes several times as long as these.

    def with_path(self, path: str, indices: tuple[int, ...]) -> Finding:
        """Return the same finding at another path."""
        return make_finding(
            self.keyword,
            path,
            self.schema_path,
            self.message,
            self.hint,
            self.line,
            self.column,
            self.expected,
            self.fix,
            indices,
        )

    def with_position(self, line: int | None, column: int | None) -> Finding:
        """Return the same finding at a line and a column."""
        return make_finding(
            self.keyword,
            self.path,
            self.schema_path,
            self.message,
            self.hint,
            line,
            column,
            self.expected,
            self.fix,
            self.indices,
        )

    def with_hint(self, hint: str | None) -> Finding:
        """Return the same finding with another hint."""
        return make_finding(
            self.keyword,
            self.path,
            self.schema_path,
            self.message,
            hint,
            self.line,
            self.column,
            self.expected,
            self.fix,
            self.indices,
        )

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


class _Draft:
    """A finding while it is written: a frozen dataclass takes four times as long to fill."""

    __slots__ = Finding.__slots__


def make_finding(
    keyword: str,
    path: str,
    schema_path: str,
    message: str,
    hint: str | None,
    line: int | None,
    column: int | None,
    expected: Any,
    fix: Fix | None,
    indices: tuple[int, ...],
) -> Finding:
    """Return a `Finding`; the same as its constructor, for those that make very many."""
    draft: Any = _Draft()
    draft.keyword = keyword
    draft.path = path
    draft.schema_path = schema_path
    draft.message = message
    draft.hint = hint
    draft.line = line
    draft.column = column
    draft.expected = expected
    draft.fix = fix
    draft.indices = indices
    draft.__class__ = Finding
    finding: Finding = draft
    return finding


class ExtendedFinding(Finding):
    """A finding that knows more: equal to one with the same fields, which a pickle of it is."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and all(
            getattr(self, one.name) == getattr(other, one.name)
            for one in fields(Finding)
            if one.compare
        )

    __hash__ = Finding.__hash__

    def __repr__(self) -> str:
        return repr(Finding(*self.__reduce__()[1]))

    def __reduce__(self) -> tuple[Any, ...]:
        return Finding, tuple(getattr(self, one.name) for one in fields(Finding))


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
        describes: What the schema of a type describes: "document", or "data" for the data itself.
    """

    id: str
    source: str
    digest: str
    origin: str | None = None
    fetched: str | None = None
    stale: bool = False
    unpinned: bool = False
    own_id: str | None = None
    describes: Literal["data", "document"] | None = None

    def __str__(self) -> str:
        parts = [self.digest[:12]]
        if self.origin is not None and self.origin != self.source:
            parts.append(f"from {self.origin}")
        if self.fetched is not None:
            parts.append(f"fetched {self.age}")
        if self.stale:
            parts.append("stale")
        if self.describes == "data":
            parts.append("of the data itself")
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
        from datetime import UTC, datetime  # rarely needed

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

        `unpinned`, `own_id` and `describes` (the data itself) are there only if they say something.
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
            **({"describes": "data"} if self.describes == "data" else {}),
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
        truncated: True if there may be more findings than these: no more were requested, or the
            search was cut off at its limit of effort.
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

    def by_path(self) -> dict[str, tuple[Finding, ...]]:
        """Return the findings by their `path`, in the order of the report."""
        found: dict[str, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.path, []).append(finding)
        return {path: tuple(findings) for path, findings in found.items()}

    def nested(
        self,
        own: str = "non_field_errors",
        entry: Callable[[str, Finding], Any] = lambda message, _: message,
    ) -> dict[str | int, Any]:
        """Return the messages in the shape of the data, as serializers of Django REST framework do.

        Args:
            own: The key for messages about an object or an array itself.
            entry: Makes the entry for a message (with its hint) and its finding; by default, the
                message is the entry.

        Returns:
            Dicts by property name, or by index of an item, down to the `loc` of each finding;
            there, the list of its messages: `{"questions": {2: {"title": ["…"]}}}`.
        """
        root = _Messages()
        for finding in self.findings:
            node = root
            for token in finding.loc:
                node = node.inner.setdefault(token, _Messages())
            hint = "" if finding.hint is None else f" ({finding.hint})"
            node.own.append(entry(f"{finding.message}{hint}", finding))
        return root.nested(own)

    def to_problem(
        self, *, status: int = 422, prefix: str = "", most: int = MOST_ERRORS
    ) -> dict[str, Any]:
        """Return problem details (RFC 9457), to be sent as `application/problem+json`.

        Their size is bounded: long texts are shortened, and a pointer that is very long is that of
        something around the place.

        Args:
            status: The HTTP status of the response.
            prefix: The JSON Pointer of the data in the body of the request, such as `/data`.
            most: The number of errors to list; `truncated` is then true if there are more.

        Returns:
            The members `type`, `title`, `status` and `detail`, and `errors`: for each finding its
            `detail`, the `pointer` to its `target` as a URI fragment, `code`, and `hint`, `line`
            and `column` where there are any.

        Raises:
            ValueError: If `prefix` is not a JSON Pointer, or `status` not that of a response.
        """
        if not is_pointer(prefix):
            escaping = ", with ~0 for ~ and ~1 for / in a name" if "~" in prefix else ""
            raise ValueError(
                f"prefix must be a JSON Pointer such as '/data'{escaping}, not {prefix!r}"
            )
        problem: dict[str, Any] = {
            "type": "about:blank",
            "title": status_title(status),
            "status": status,
            "detail": shorten(self.heading, _LONGEST_TEXT),
            "errors": [_error(finding, prefix) for finding in self.findings[:most]],
        }
        if self.truncated or len(self.findings) > most:
            problem["truncated"] = True
        return problem

    def to_json(self) -> str:
        """Return `as_dict()` as indented JSON text."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)


class _Messages:
    """The messages about one place, and about what is inside it."""

    def __init__(self) -> None:
        self.own: list[Any] = []
        self.inner: dict[str | int, _Messages] = {}

    def nested(self, own: str) -> dict[str | int, Any]:
        """Return these messages as dicts and lists; without recursion, since data may be deep."""
        result: dict[str | int, Any] = {}
        todo = [(self, result)]
        while todo:
            node, shape = todo.pop()
            for token, inner in node.inner.items():
                if inner.inner:
                    below: dict[str | int, Any] = {}
                    shape[token] = below
                    todo.append((inner, below))
                else:
                    shape[token] = inner.own
            if node.own:
                known = shape.get(own)  # a member of the data may have this very name
                if type(known) is dict:
                    known[own] = [*node.own, *known.get(own, ())]
                else:
                    shape[own] = [*node.own, *(known or ())]
        return result


def status_title(status: int) -> str:
    """Return the name of an HTTP status (RFC 9110, section 15)."""
    from http import HTTPStatus  # few need it

    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        return "Unprocessable Content"  # Python before 3.13 has the older name
    return HTTPStatus(status).phrase


def _error(finding: Finding, prefix: str) -> dict[str, Any]:
    """Return one of the `errors` of problem details."""
    target = f"{prefix}{finding.target}"
    while len(target) > _LONGEST_POINTER:
        target = target[: _LONGEST_POINTER + 1].rpartition("/")[0]
    error: dict[str, Any] = {
        "detail": shorten(finding.message, _LONGEST_TEXT),
        "pointer": fragment_of(target),
        "code": finding.keyword,
    }
    if finding.hint is not None:
        error["hint"] = shorten(finding.hint, _LONGEST_TEXT)
    if finding.line is not None:
        error |= {"line": finding.line, "column": finding.column}
    return error
