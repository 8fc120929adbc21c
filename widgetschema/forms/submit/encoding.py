"""Encode the text of one control as JSON: strings, numbers as they were typed, JSON itself.

Text that is none of these raises `UnreadableInput` with a finding, in the words of the validator
and of `jsontext`.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Fix
from widgetschema.forms.custom_controls import control_of
from widgetschema.forms.model import (
    NUMBER_KINDS,
    Field,
    FormFinding,
    Message,
    Suggestion,
)
from widgetschema.forms.newlines import restore_newlines
from widgetschema.forms.secrecy import HIDDEN
from widgetschema.forms.uploads import refusal
from widgetschema.jsontext import Limits, preview
from widgetschema.jsontext.digests import is_same_value
from widgetschema.jsontext.rewriting import Items, Keep, Members, NewMember, Node, Raw
from widgetschema.jsontext.tokens import NUMBER
from widgetschema.jsontext.tree import Element, Member, parse, scanned
from widgetschema.schema.keywords import texts
from widgetschema.validation.explain.messages import MESSAGES
from widgetschema.validation.explain.violations import Violation

_SPACE: Final = " \t\n\r"
_NEVER_EMPTY: Final = (*NUMBER_KINDS, "date-time", "date", "time", "colour", "url", "email")
_MAX_LISTED: Final = 12  # values in a sentence
_DECIMAL_COMMA: Final = re.compile(r"([+-]?[0-9]{1,15}),([0-9]{1,15})")
_NEARLY_NUMBER: Final = re.compile(r"\+?(-?)0*([0-9]{0,15})(?:\.([0-9]{0,15}))?")


class UnreadableInput(Exception):
    """The typed text is no value of its kind; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


def encode_control(field: Field, is_removable: bool, limits: Limits) -> Node | None:
    """Return the value of a field that was typed into; None for none, if it `is_removable`.

    A control that was emptied has no value: a member that may be missing is removed, and one that
    may be null is null, unless it is a text that can be empty. The empty text is a state that is
    chosen. Raises `UnreadableInput`.
    """
    text = field.shown.text
    if not text and is_removable:
        return None
    if not text.strip() and field.original is not None and field.shape.nullable:
        if field.kind in _NEVER_EMPTY:
            return Raw("null", field.original)
    if field.kind == "custom":
        return _custom_value(field, text)
    if field.kind in NUMBER_KINDS or field.kind == "json":
        text = text.strip(_SPACE) if field.kind == "json" else text.strip()
        if not text and is_removable:
            return None
        text = (
            _number_text(field, text)
            if field.kind in NUMBER_KINDS
            else _json_text(field, text, limits)
        )
        return Raw(text, field.original)
    if field.kind == "upload" and (refused := refusal(text, field.shape)) is not None:
        said = Message(refused.id, refused.parameters)
        path = field.path or ""
        raise UnreadableInput(FormFinding("contentMediaType", path, "", refused.message, said=said))
    return Raw(encode_string(text, field.original), field.original)


def _custom_value(field: Field, text: str) -> Node:
    """Return the value of a control of the application; an equal one keeps its bytes."""
    try:
        raw = control_of(field.shape).json_of(text, field.path or "")
    except ValueError as error:
        message = f"{preview(text)} was not understood: {error}"
        said = str(error) or None
        raise UnreadableInput(
            FormFinding("form.control", field.path or "", "", message, said=said)
        ) from None
    if field.original is not None and is_same_value(raw, field.original.raw):
        return Keep(field.original)
    return Raw(raw, field.original)


def encode_rest(field: Field, limits: Limits) -> Items | Members:
    """Return the typed items, or members, that have no field of their own.

    Those that did not change keep their text. Raises `UnreadableInput`.
    """
    root = scanned(_json_text(field, field.shown.text.strip(_SPACE), limits))
    holds = "array" if field.shown.text.lstrip(_SPACE)[:1] == "[" else "object"
    wanted = "array" if field.pristine.text[:1] == "[" else "object"
    if holds != wanted:
        violation = Violation("type", (), "", root.value, (wanted,))
        message = MESSAGES["type"](texts(), root.value, (wanted,), preview)
        raise UnreadableInput(_finding(field, "type", message, None, violation))
    if wanted == "object":
        before = {one.name: one for one in field.rest if isinstance(one, Member)}
        return Members(tuple(_member_edit(one, before.get(one.name)) for one in root.members))
    elements = [one for one in field.rest if isinstance(one, Element)]
    known: dict[str, list[Element]] = {}
    for element in reversed(elements):
        known.setdefault(element.dedented, []).append(element)
    found: list[Node] = []
    for item in root.items:
        same = known.get(item.dedented)
        found.append(Keep(same.pop()) if same else Raw(item.dedented))
    return Items(tuple(found))


def _member_edit(typed: Member, old: Member | None) -> NewMember:
    if old is None:
        return NewMember(typed.name, Raw(typed.element.dedented))
    same = typed.element.dedented == old.element.dedented
    node = Keep(old.element) if same else Raw(typed.element.dedented, old.element)
    return NewMember(typed.name, node, old)


def nothing_chosen(field: Field) -> Finding:
    """Return the finding about a field without a choice, or with one that does not exist."""
    return _finding(field, "enum", "nothing is chosen here", "choose one of the values")


def not_offered(field: Field) -> Finding:
    """Return the finding about a choice that a UI description does not offer."""
    labels = [one.label for one in field.shape.choices if not one.disabled and one.value]
    parameters: dict[str, Any] = {"values": ", ".join(labels)}
    id = "enum.choose"
    if len(labels) > _MAX_LISTED:
        id, parameters = "enum.many", {"values": labels[0], "number": len(labels)}
    message = "the value that was chosen is not offered"
    said = Message(id, parameters)
    return FormFinding("enum", field.path or "", "", message, "choose one of the others", said=said)


def unread_text(field: Field) -> Finding:
    """Return the finding about a text that was typed for a value without a control for it now."""
    shown = HIDDEN if field.shape.secret else preview(field.shown.text)
    said = {"text": shown, "label": field.label}
    message = "{text} was typed for {label}, which cannot be it now".format_map(said)
    return FormFinding("stale", field.path or "", "", message, said=Message("stale.unread", said))


# Strings


def encode_string(text: str, original: Element | None = None) -> str:
    """Return a text as a JSON string, with the newlines and the escapes of the original."""
    if original is None or original.kind != "string":
        return json.dumps(text, ensure_ascii=False)
    raw = original.raw
    if "\n" in text or "\\r" in raw or "\\u000" in raw:
        text = restore_newlines(text, original.value)
    return json.dumps(text, ensure_ascii=raw.isascii() and _escapes_letters(raw))


def _escapes_letters(raw: str) -> bool:
    """Return True if a string token, of ASCII alone, has escapes of other characters."""
    return "\\u" in raw and not json.loads(raw).isascii()


# Numbers


def _number_text(field: Field, text: str) -> str:
    match = NUMBER.match(text)
    if match is None or match.end() != len(text):
        raise UnreadableInput(_type_finding(field, text))
    return text


def _type_finding(field: Field, text: str) -> Finding:
    kind = "integer" if field.shape.node.integer else "number"
    names = (kind, "null") if field.shape.nullable else (kind,)
    message = "nothing is typed here, but it must be a number"
    if text:
        message = MESSAGES["type"](texts(), text, names, preview)
    meant = _intended_number(text)
    if meant is not None and kind == "integer" and not float(meant).is_integer():
        meant = None  # it is refused as well
    hint = None if meant is None else f"write {meant}"
    place = field.shape.node.place("type")
    finding = _finding(field, "type", message, hint, Violation("type", (), place, text, names))
    suggestion = None if meant is None else Suggestion(Fix("value", meant))
    return replace(finding, schema_path=place, expected=list(names), suggestion=suggestion)


def _intended_number(text: str) -> str | None:
    """Return the JSON spelling of a number that is written as people do elsewhere."""
    text = text.replace("\u2212", "-")  # the minus sign of typography
    comma = _DECIMAL_COMMA.fullmatch(text)
    if comma is not None:
        whole, rest = comma.groups()
        if len(rest) == 3:  # ambiguous: thousands, or thousandths
            return None
        text = f"{whole}.{rest}"
    near = _NEARLY_NUMBER.fullmatch(text)
    if near is None or not (near[2] or near[3] or "0" in text):
        return None
    fraction = f".{near[3]}" if near[3] else ""
    return f"{near[1]}{near[2] or '0'}{fraction}"


# JSON


def _json_text(field: Field, text: str, limits: Limits) -> str:
    depth = 0 if field.path is None else field.path.count("/")
    try:
        parse(text, replace(limits, max_depth=max(limits.max_depth - depth, 0)))
    except UnreadableDocument as error:
        raise UnreadableInput(_json_finding(field, error.report.findings[0])) from None
    return text


def _json_finding(field: Field, finding: Finding) -> Finding:
    """Return the finding about typed JSON at the field; the line is that of the control."""
    message = finding.message
    if finding.line is not None and finding.keyword != "json.empty":
        message = f"{message} (line {finding.line}, column {finding.column})"
    said = None
    if finding.line is not None and finding.keyword == "json.syntax":
        said = Message("json.syntax.line", {"line": finding.line})
    path = f"{field.path or ''}{finding.path}"
    return FormFinding(finding.keyword, path, "", message, finding.hint, said=said)


def _finding(
    field: Field, keyword: str, message: str, hint: str | None, said: Violation | None = None
) -> FormFinding:
    return FormFinding(keyword, field.path or "", "", message, hint, said=said)
