"""The UI description: what somebody says of a form beside the schema, by patterns of JSON Pointers.

A description is a JSON object: a pattern leads into the data, and says `label`, `help`, `kind`,
`example` or `choices` of the places there. It is checked like data, with the same findings.
Nothing of fields is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final

from widgetschema.errors import InvalidFormDescription
from widgetschema.findings import Finding, Report
from widgetschema.forms.fields.presentation import Presentation, presentation
from widgetschema.forms.model import JSON_KINDS, NUMBER_KINDS, TEXT_KINDS, UiOptions
from widgetschema.jsontext import dump, preview
from widgetschema.pointers import (
    ANY,
    ANY_DEPTH,
    Patterns,
    Places,
    PointerError,
    escape_token,
    parse_pattern,
    step,
)
from widgetschema.schema.tree import Node
from widgetschema.suggest import nearest
from widgetschema.validation import Validator

# Kinds that can be asked for: the others follow from the schema.
UI_KINDS: Final = (*TEXT_KINDS, *NUMBER_KINDS, *JSON_KINDS)
_SUBJECT: Final = "the UI description"
_TEXT: Final = {"type": "string"}
_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "label": {"type": "string", "minLength": 1},
            "help": _TEXT,
            "kind": {"enum": [*UI_KINDS]},
            "example": _TEXT,
            "choices": {"type": "object", "additionalProperties": _TEXT},
        },
    },
}


Spots = Places[UiOptions]  # of the patterns, that a place of the data matches


class Description:
    """A UI description, by token."""

    def __init__(self, said: Mapping[str, UiOptions]) -> None:
        self.root: Spots = Patterns(said).root
        self.said = said


def parse_ui_description(ui: Any) -> Description | None:
    """A UI description; None if nothing is said. Raises `InvalidFormDescription`."""
    if ui is None:
        return None
    findings = list(_validator().check(ui))
    if not findings:
        findings = [fault for fault in map(_pattern_fault, ui) if fault is not None]
    _raise_for(findings)
    return Description({pattern: UiOptions(**said) for pattern, said in ui.items()})


def _pattern_fault(pattern: str) -> Finding | None:
    try:
        parse_pattern(pattern)
    except PointerError as error:
        path, hint = f"/{escape_token(pattern)}", error.hint
        if not pattern.startswith("/"):
            hint = f"begin with a slash: {preview('/' + pattern.lstrip('#/'))}"
        return Finding("form.pointer", path, "", f"{preview(pattern)}: {error.reason}", hint)
    return None


def check_against_schema(description: Description, root: Node) -> None:
    """Refuse a description that cannot be about data of this schema, as far as that is certain.

    Raises `InvalidFormDescription`.
    """
    found = (_pattern_finding(pattern, said, root) for pattern, said in description.said.items())
    _raise_for([finding for finding in found if finding is not None])


def below(spots: Spots, token: str) -> Spots:
    """The places of the patterns that a member or an item matches."""
    return step(spots, token)


def silent(spots: Spots) -> Spots:
    """The same places, with nothing said of them."""
    return tuple(spot.bare for spot in spots)


def said(spots: Spots) -> UiOptions | None:
    """All that is said of a place: of two, what the more exact one says."""
    those = [spot.value for spot in spots if spot.value is not None]
    if len(those) < 2:
        return those[0] if those else None
    merged = {
        one.name: next((v for v in (getattr(c, one.name) for c in those) if v), None)
        for one in fields(UiOptions)
    }
    return UiOptions(**{name: value for name, value in merged.items() if value is not None})


def _raise_for(findings: Iterable[Finding]) -> None:
    report = Report(tuple(findings), _SUBJECT)
    if not report.valid:
        raise InvalidFormDescription(report)


@cache
def _validator() -> Validator:
    return Validator(_SCHEMA)


def _pattern_finding(pattern: str, said: UiOptions, root: Node) -> Finding | None:
    """What is wrong with what is said of a pattern; None where the schema leaves it open."""
    node, path = root, f"/{escape_token(pattern)}"
    for token in parse_pattern(pattern):
        if _depends_on_data(node):
            return None
        if token in (ANY, ANY_DEPTH):
            return None
        shown = presentation(node)
        is_item = token.isdecimal() and token.isascii()
        if shown.kinds == ("object",):
            child = shown.node.child(token)
            if not child.kinds and token not in shown.node.properties:
                close = nearest(token, shown.node.properties)
                hint = f"did you mean {preview(close[0])}?" if close else None
                message = f"{preview(pattern)} leads nowhere: there is no member {preview(token)}"
                return Finding("form.pointer", path, "", message, hint)
            node = child
        elif shown.kinds == ("array",) and is_item:
            node = shown.node.item(int(token[:9]))
        else:
            what = "array, whose items are 0, 1 … or *" if shown.kinds == ("array",) else "object"
            message = f"{preview(pattern)} leads nowhere: {preview(token)} is in no {what}"
            return Finding("form.pointer", path, "", message)
    return _options_finding(pattern, said, node)


def _depends_on_data(node: Node) -> bool:
    """Whether it depends on the data what may be at a place."""
    shown = presentation(node)
    conditional = any(c.keyword == "if" for c in node.choices) or any(node.said("dependencies"))
    return bool(shown.options) or shown.anything or conditional or not shown.kinds


def _options_finding(pattern: str, said: UiOptions, node: Node) -> Finding | None:
    """A kind for a value of another type, or a label for a value that cannot be chosen."""
    if _depends_on_data(node):
        return None
    shown, path = presentation(node), f"/{escape_token(pattern)}"
    known = _choice_names(shown)
    wrong = next((name for name in said.choices if name not in known), None)
    if wrong is not None:
        close = nearest(wrong, known)
        hint = f"did you mean {preview(close[0])}?" if close else None
        message = f"{preview(wrong)} is not one of the values that {preview(pattern)} may have"
        if not known:
            message = f"there are no choices for {preview(pattern)}, which is no enumeration"
        return Finding("form.choices", f"{path}/choices/{escape_token(wrong)}", "", message, hint)
    if said.kind is None or said.kind in JSON_KINDS:
        return None
    wanted = "string" if said.kind in TEXT_KINDS else "number"
    if wanted in node.kinds and shown.values is None:
        return None
    message = f"the kind {preview(said.kind)} is for a {wanted}, which {preview(pattern)} cannot be"
    if wanted in node.kinds:
        message = (
            f"the kind {preview(said.kind)} is for any {wanted}, and {preview(pattern)} is a choice"
        )
    return Finding("form.kind", f"{path}/kind", "", message)


def _choice_names(shown: Presentation) -> list[str]:
    """What choices may be called by: a text as it is, each value as JSON."""
    if shown.kinds == ("boolean",) and shown.values is None:
        return ["true", "false"]
    values = [value for value, _ in shown.values or ()]
    values += [None] if shown.nullable and values else []
    texts = [value for value in values if type(value) is str]
    return [*texts, *(dump(value, indent=False) for value in values)]
