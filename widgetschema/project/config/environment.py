"""The variables of the environment that configure: their texts, as the values they mean.

An empty variable says nothing. What a variable holds is not repeated if it may be a secret.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from widgetschema.errors import ConfigurationError
from widgetschema.findings import Finding, Report
from widgetschema.project.config.addresses import address_fault, without_user
from widgetschema.project.config.members import LONGEST_TEXT, MEMBERS, Member

_YES: Final = ("1", "true", "yes", "on")
_NO: Final = ("0", "false", "no", "off")
_INTEGER: Final = re.compile(r"[0-9]{1,15}")


class _Refused(ValueError):
    """What is wrong with a text, as the end of a sentence, and a hint."""


def from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """The members that variables set, by name. Raises `ConfigurationError`: all that is wrong."""
    values: dict[str, Any] = {}
    findings: list[Finding] = []
    for member in MEMBERS:
        text = "" if member.variable is None else environ.get(member.variable, "").strip()
        if not text:
            continue
        try:
            values[member.name] = _value(member, text)
        except _Refused as refused:
            message, hint = refused.args
            message = without_user(f"{member.variable} {message}")
            findings.append(Finding("environment", "", "", message, hint))
    if findings:
        raise ConfigurationError(Report(tuple(findings), "environment")) from None
    return values


def _value(member: Member, text: str) -> Any:
    if len(text) > LONGEST_TEXT:
        raise _Refused(f"is longer than {LONGEST_TEXT:,} characters", None)
    if member.kind == "address":
        fault = address_fault(text)
        if fault is not None:
            raise _Refused(f"cannot be used: {fault}", None)
        return text
    if not text.isprintable():
        raise _Refused("has a character that cannot be seen", "set it anew")
    if member.kind == "boolean":
        return _boolean(text)
    if member.kind == "integer":
        return _integer(member, text)
    if member.kind == "choice" and text not in member.choices:
        from widgetschema.suggest import nearest  # only for what is wrong

        close = nearest(text, member.choices)
        known = ", ".join(member.choices)
        hint = f"did you mean {close[0]}?" if close else None
        raise _Refused(f"is {_quoted(text)}, but must be one of {known}", hint)
    if member.kind == "path" and "://" in text:
        raise _Refused("is an address, but must be a path", None)
    return _reporters(text) if member.kind == "reporters" else text


def _boolean(text: str) -> bool:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise _Refused(f"is {_quoted(text)}, but must be true or false", None)


def _integer(member: Member, text: str) -> int:
    if _INTEGER.fullmatch(text) and member.least <= int(text) <= member.most:
        return int(text)
    limits = f"a whole number from {member.least} to {member.most:,}"
    raise _Refused(f"is {_quoted(text)}, but must be {limits}", None)


def _reporters(text: str) -> tuple[str, ...]:
    from widgetschema.project.config.rules import reporter_fault  # only if it is set

    reporters = tuple(one.strip() for one in text.split(",") if one.strip())
    if not reporters:
        raise _Refused(f"is {_quoted(text)}, but must name a format", None)
    for one in reporters:
        fault = reporter_fault(one)
        if fault is not None:
            raise _Refused(f"cannot be used: {fault[0]}", fault[1])
    return reporters


def _quoted(text: str) -> str:
    from widgetschema.jsontext import preview  # only for what is wrong

    return preview(text)
