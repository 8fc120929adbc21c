"""What a check found: frozen values, and the one text in which people read them.

Only values live here: nothing is checked, read or written. `Finding` is one problem
at one place; `Report` is all findings of one check.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

_LONGEST_PATH: Final = 500  # characters that are shown of a JSON Pointer


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem at one place.

    `path` and `schema_path` are JSON Pointers (RFC 6901): `path` into the instance,
    `schema_path` to the keyword in the linked schema (empty where no schema is
    involved, as for text that is not JSON). `line` and `column` count from 1, columns
    in characters; they are None where there is no source text. `expected` is a JSON
    value that says what was expected: the allowed values of `enum`, the type names of
    `type`, the limit of `minimum`, the member name of `required`.
    """

    keyword: str
    path: str
    schema_path: str
    message: str
    hint: str | None = None
    line: int | None = None
    column: int | None = None
    expected: Any = field(default=None, hash=False)

    def __str__(self) -> str:
        hint = "" if self.hint is None else f"\n    hint: {self.hint}"
        return f"{self.headline}{hint}"

    @property
    def headline(self) -> str:
        """The finding in one line: position, keyword, JSON Pointer, sentence."""
        where = "" if self.line is None else f"{self.line}:{self.column} "
        return f"{where}{self.keyword} {display_path(self.path)}: {self.message}"

    def as_dict(self) -> dict[str, Any]:
        """The finding as a JSON object; its member names are part of the contract."""
        return {
            "keyword": self.keyword,
            "path": self.path,
            "schema_path": self.schema_path,
            "message": self.message,
            "hint": self.hint,
            "line": self.line,
            "column": self.column,
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """All findings of one check, in the order of the instance.

    `subject` names what was checked, for the heading of the text (for example
    `data of widget type "countdown"`). A report has no truth value, because both
    readings of `if report:` are tempting; ask `report.valid`.
    """

    findings: tuple[Finding, ...] = ()
    subject: str = "instance"

    @property
    def valid(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> NoReturn:
        raise TypeError("a Report has no truth value: use report.valid (or len(report))")

    def __str__(self) -> str:
        if not self.findings:
            return f"{self.subject}: valid"
        heading = f"{self.subject}: {count(len(self.findings), 'finding')}"
        return "\n".join([heading, *(f"  {finding}" for finding in self.findings)])

    def as_dict(self) -> dict[str, Any]:
        """The report as a JSON object: `subject`, `valid`, `findings`."""
        return {
            "subject": self.subject,
            "valid": self.valid,
            "findings": [finding.as_dict() for finding in self.findings],
        }

    def to_json(self) -> str:
        """`as_dict()` as indented JSON text."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)


def display_path(path: str) -> str:
    """A JSON Pointer as people read it: the empty one, which nobody sees, is named.

    What a terminal would obey is escaped; a very long one is cut in the middle.
    """
    if len(path) > _LONGEST_PATH:
        path = f"{path[: _LONGEST_PATH - 100]}…{path[-99:]}"
    return (path if path.isprintable() else json.dumps(path)[1:-1]) or "(root)"


def count(number: int, noun: str) -> str:
    """`1 finding`, `2 findings`: for every sentence with a count in it."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def escape_token(token: str) -> str:
    """One member name as a reference token of a JSON Pointer (RFC 6901, section 3)."""
    if "~" in token or "/" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


def split_pointer(pointer: str) -> list[str]:
    """The unescaped reference tokens of a JSON Pointer (RFC 6901, section 4)."""
    if not pointer:
        return []
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]
