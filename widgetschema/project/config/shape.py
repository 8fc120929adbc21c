"""The quick yes: whether a table certainly is what `schema.json` asks for.

It may only ever accept what the schema accepts (a property test says so), and accepts what people
write. Whatever it does not accept goes to the validator, which is heavy to start, and decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from widgetschema.project.config.members import (
    LONGEST_GLOB,
    LONGEST_TEXT,
    MEMBERS,
    MOST_ENTRIES,
    Member,
)
from widgetschema.project.report_formats import own_names

if TYPE_CHECKING:
    from datetime import date

_SEVERITIES: Final = ("error", "warning", "note")
_LONGEST_ID: Final = 200
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OWN_KEYWORD: Final = re.compile(r"(?!json\.|problem\.)[a-z]{1,40}\.[a-z-]{1,40}")
_KEYWORDS: Final = frozenset(
    "additionalItems additionalProperties anyOf const contains contentEncoding contentMediaType "
    "dependencies enum exclusiveMaximum exclusiveMinimum false format maxItems maxLength "
    "maxProperties maximum minItems minLength minProperties minimum multipleOf not oneOf pattern "
    "propertyNames required schema type uniqueItems json.depth json.duplicate-member json.empty "
    "json.encoding json.number json.size json.surrogate json.syntax problem.document problem.file "
    "problem.network problem.schema problem.truncated problem.type".split()
)


def fits(table: Any) -> bool:
    """Whether a table is what the schema asks for, without doubt."""
    return type(table) is dict and all(
        name in _CHECKS and _CHECKS[name](value) for name, value in table.items()
    )


def date_of(text: str) -> date | None:
    """The day that a full-date (RFC 3339, section 5.6) names; None if it is none."""
    if _DATE.fullmatch(text) is None:
        return None
    from datetime import date  # reading a file has brought it along

    try:
        return date.fromisoformat(text)
    except ValueError:  # there is no such day
        return None


def _text(most: int, least: int = 1) -> Callable[[Any], bool]:
    return lambda value: type(value) is str and least <= len(value) <= most


def _member(member: Member) -> Callable[[Any], bool]:
    if member.kind == "boolean":
        return lambda value: type(value) is bool
    if member.kind == "integer":
        return lambda value: type(value) is int and member.least <= value <= member.most
    if member.kind == "choice":
        return lambda value: type(value) is str and value in member.choices
    return _text(LONGEST_TEXT)


def _list(check: Callable[[Any], bool], most: int, least: int = 0) -> Callable[[Any], bool]:
    return lambda value: (
        type(value) is list and least <= len(value) <= most and all(map(check, value))
    )


def _table(check: Callable[[str, Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        type(value) is dict
        and len(value) <= MOST_ENTRIES
        and all(check(name, item) for name, item in value.items())
    )


def _limit(name: str, value: Any) -> bool:
    return f"limits.{name}" in _LIMITS and _LIMITS[f"limits.{name}"](value)


def _keyword(value: Any) -> bool:
    return type(value) is str and (value in _KEYWORDS or _OWN_KEYWORD.fullmatch(value) is not None)


def _severity(name: str, value: Any) -> bool:
    if not _keyword(name) or type(value) is not str:
        return False
    may_be_off = not name.startswith(("json.", "problem."))
    return value in _SEVERITIES or (may_be_off and value == "off")


def _reporter(value: Any) -> bool:
    if not _text(LONGEST_TEXT)(value):
        return False
    format, equals, file = value.partition("=")
    return format in own_names() and (not equals or (file[:1].isprintable() and file != ""))


def _file(name: str, value: Any) -> bool:
    return _text(LONGEST_GLOB)(name) and _text(_LONGEST_ID)(value)


def _ignore(value: Any) -> bool:
    return (
        type(value) is dict
        and not value.keys().isdisjoint(("path", "pointer", "keyword"))
        and "reason" in value
        and all(name in _IGNORE and _IGNORE[name](item) for name, item in value.items())
    )


_glob: Final = _text(LONGEST_GLOB)
_LIMITS: Final = {one.name: _member(one) for one in MEMBERS if one.name.startswith("limits.")}
_IGNORE: Final[dict[str, Callable[[Any], bool]]] = {
    "path": _glob,
    "pointer": _text(LONGEST_GLOB, 0),
    "keyword": _keyword,
    "reason": lambda value: _text(LONGEST_TEXT)(value) and any(map(str.isalnum, value)),
    "expires": lambda value: type(value) is str and date_of(value) is not None,
}
_CHECKS: Final[dict[str, Callable[[Any], bool]]] = {
    **{
        one.name: _member(one)
        for one in MEMBERS
        if "." not in one.name and one.kind not in ("table", "reporters")
    },
    "limits": _table(_limit),
    "severities": _table(_severity),
    "reporters": _list(_reporter, 100, 1),
    "include": _list(_glob, MOST_ENTRIES),
    "exclude": _list(_glob, MOST_ENTRIES),
    "files": _table(_file),
    "ignores": _list(_ignore, MOST_ENTRIES),
}
