"""Check a UI description against the schema of the data: what can never apply is a finding.

What depends on the data is accepted. A pattern that names a member that the schema does not name,
where further members are allowed, is noted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from widgetschema.findings import Finding
from widgetschema.forms.custom_controls import find_control
from widgetschema.forms.fields.control_kinds import MAX_ASKED_STEPS, slider_steps
from widgetschema.forms.fields.presentation import Presentation, can_be_checkboxes, presentation
from widgetschema.forms.fields.ui_description import OTHERS, UI_KINDS, UiDescription, raise_for
from widgetschema.forms.model import (
    CHOICE_LOOKS,
    TEXT_KINDS,
    Condition,
    UiOptions,
)
from widgetschema.jsontext import dump, preview
from widgetschema.pointers import ANY, ANY_DEPTH, escape_token, parse_pattern
from widgetschema.schema.tree import Node
from widgetschema.suggest import nearest


class _Step(NamedTuple):
    """One step down in the schema: the node there; None if it depends on the data.

    `misfit` says why nothing can be there, `note` why that is unlikely.
    """

    node: Node | None
    misfit: str = ""
    note: str = ""
    hint: str | None = None


def check_against_schema(ui: UiDescription, root: Node) -> tuple[Finding, ...]:
    """Check a UI description against a schema.

    Args:
        ui: The description.
        root: The schema of the data.

    Returns:
        Notes on patterns that name members which the schema does not name, but allows.

    Raises:
        InvalidFormDescription: A pattern or an option can never apply.
    """
    notes: list[Finding] = []
    found = [_find_misfit(pattern, said, root, notes) for pattern, said in ui.options.items()]
    raise_for(finding for finding in found if finding is not None)
    return tuple(notes)


def _find_misfit(
    pattern: str, options: UiOptions, root: Node, notes: list[Finding]
) -> Finding | None:
    """Return a finding if a pattern matches nothing, or its options do not fit what it matches."""
    tokens, path = parse_pattern(pattern), f"/{escape_token(pattern)}"
    if not tokens and (options.hidden or options.when):
        option = "hidden" if options.hidden else "when"
        message = "the data as a whole cannot be hidden"
        return Finding("form.pointer", f"{path}/{option}", "", message)
    chain = [root]
    for token in tokens:
        step = _step(chain[-1], token)
        if step.misfit:
            message = f"{preview(pattern)} matches nothing: {step.misfit}"
            return Finding("form.pointer", path, "", message, step.hint)
        if step.note:
            message = f"{preview(pattern)} may match nothing: {step.note}"
            notes.append(Finding("form.pointer", path, "", message, step.hint))
        if step.node is None:
            return None
        chain.append(step.node)
    for condition in options.when:
        where = f"{path}/when/{escape_token(condition.text)}"
        finding = _find_misplaced_condition(condition, chain[:-1], where)
        if finding is not None:
            return finding
    return _find_misfit_options(pattern, options, chain[-1])


def _step(node: Node, token: str) -> _Step:
    if _depends_on_data(node) or token == ANY_DEPTH:
        return _Step(None)
    shown = presentation(node)
    if shown.kinds == ("object",):
        return _Step(None) if token == ANY else _member_step(shown.node, token)
    if shown.kinds == ("array",) and token == ANY:
        return _Step(None if shown.node.tuple_length else shown.node.item(0))
    if shown.kinds == ("array",) and token.isdecimal() and token.isascii():
        return _Step(shown.node.item(int(token[:9])))
    if shown.kinds == ("array",):
        return _Step(None, f"{preview(token)} is not an item of an array; items are 0, 1 … or *")
    name = "a property or an item" if token == ANY else preview(token)
    return _Step(None, f"the value that should hold {name} is neither an object nor an array")


def _member_step(node: Node, name: str) -> _Step:
    child, hint = node.child(name), _did_you_mean(name, node.properties)
    if name in node.properties or name in node.required:
        return _Step(child)
    if not child.kinds:
        return _Step(None, f"there is no property {preview(name)}", hint=hint)
    is_said = any(node.said("additionalProperties")) or bool(node.patterns)
    if node.properties and (hint is not None or not is_said):
        return _Step(child, note=f"the schema names no property {preview(name)}", hint=hint)
    return _Step(child)


def _find_misplaced_condition(
    condition: Condition, holders: Sequence[Node], path: str
) -> Finding | None:
    """Return a finding for a condition about a value that cannot be there."""
    tokens, up = condition.reference
    what = preview(condition.text)
    if up is not None and up >= len(holders):
        return Finding("form.pointer", path, "", f"{what} leads out of the data")
    node = holders[0 if up is None else len(holders) - 1 - up]
    for token in tokens:
        step = _step(node, token)
        if step.misfit or step.note:
            message = f"{what} is nothing: {step.misfit or step.note}"
            return Finding("form.pointer", path, "", message, step.hint)
        if step.node is None:
            return None
        node = step.node
    return None


def _depends_on_data(node: Node) -> bool:
    """Return True if the data decides what is allowed below a place."""
    shown = presentation(node)
    conditional = any(c.keyword == "if" for c in node.choices) or any(node.said("dependencies"))
    return bool(shown.options) or shown.anything or conditional or not shown.kinds


def _find_misfit_options(pattern: str, options: UiOptions, node: Node) -> Finding | None:
    """Return a finding for an option that does not fit the value it is about."""
    if _depends_on_data(node):
        return None
    shown, path = presentation(node), f"/{escape_token(pattern)}"
    members = shown.node.properties if shown.kinds == ("object",) else {}
    misplaced = _find_misplaced(options, members, path)
    if misplaced is not None:
        return misplaced
    known = _choice_names(shown)
    wrong = next((name for name in options.choices if name not in known), None)
    if wrong is not None:
        message = f"{preview(wrong)} is not one of the values that {preview(pattern)} may have"
        if not known:
            message = f"there are no choices for {preview(pattern)}, which is not an enumeration"
        path = f"{path}/choices/{escape_token(wrong)}"
        return Finding("form.choices", path, "", message, _did_you_mean(wrong, known))
    if options.kind is None or options.kind == "json":
        return None
    kind = preview(options.kind)
    if options.kind not in UI_KINDS:
        control = find_control(options.kind)
        if control is None or not {*control.types}.isdisjoint(node.kinds):
            return None
        types = " or ".join(control.types)
        message = f"the control {kind} is for {types}, which {preview(pattern)} cannot be"
        return Finding("form.kind", f"{path}/kind", "", message)
    type = "string" if options.kind in TEXT_KINDS else "number"
    if options.kind in CHOICE_LOOKS:
        if shown.values is not None or shown.kinds == ("boolean",):
            return None
        message = f"the kind {kind} is for an enumeration or a boolean, not for {preview(pattern)}"
    elif options.kind in ("list", "checkboxes"):
        if shown.kinds == ("array",) and not shown.node.tuple_length:
            if options.kind == "list" or can_be_checkboxes(shown.node):
                return None
        what = "a list" if options.kind == "list" else "a list of choices with `uniqueItems`"
        message = f"the kind {kind} is for {what}, which {preview(pattern)} is not"
    elif type not in node.kinds:
        message = f"the kind {kind} is for a {type}, which {preview(pattern)} cannot be"
    elif shown.values is not None:
        message = f"the kind {kind} is for any {type}, and {preview(pattern)} is a choice"
    elif options.kind == "slider" and slider_steps(shown.node, MAX_ASKED_STEPS) is None:
        message = (
            f"the kind {kind} is for a number with a minimum, a maximum and at most "
            f"{MAX_ASKED_STEPS:,} steps, which {preview(pattern)} is not"
        )
    else:
        return None
    return Finding("form.kind", f"{path}/kind", "", message)


def _find_misplaced(options: UiOptions, members: Collection[str], path: str) -> Finding | None:
    """Return a finding for a member that is not there, or that is in two places."""
    lists: list[tuple[str, str, Sequence[str]]] = [("order", "order", options.order)]
    lists += [
        ("groups", f"groups/{at}/members", group.members) for at, group in enumerate(options.groups)
    ]
    lists += [("tabs", f"tabs/{at}/members", tab.members) for at, tab in enumerate(options.tabs)]
    places: dict[tuple[str, str], str] = {}
    for kind, place, names in lists:
        for at, name in enumerate(names):
            if kind == "order" and name == OTHERS:
                continue
            where = f"{path}/{place}/{at}"
            if name not in members:
                message = f"{preview(name)} is not a property that the schema names"
                hint = _did_you_mean(name, members)
                return Finding("form.members", where, "", message, hint)
            if (kind, name) in places:
                message = f"{preview(name)} is in another of these {kind} already"
                return Finding("form.members", where, "", message)
            places[kind, name] = place
    for number, group in enumerate(options.groups if options.tabs else ()):
        tabs = {name: places.get(("tabs", name)) for name in group.members}
        if len({*tabs.values()}) > 1:
            message = f"the properties of the group {preview(group.label)} are in different tabs"
            hint = "list all of them in one tab"
            return Finding("form.members", f"{path}/groups/{number}/members", "", message, hint)
    return None


def _did_you_mean(name: str, known: Iterable[str]) -> str | None:
    close = nearest(name, known)
    return f"did you mean {preview(close[0])}?" if close else None


def _choice_names(shown: Presentation) -> list[str]:
    """Return the names that values can have in `choices`: texts as they are, and any as JSON."""
    if shown.kinds == ("boolean",) and shown.values is None:
        return ["true", "false"]
    values = [value for value, _ in shown.values or ()]
    values += [None] if shown.nullable and values else []
    texts = [value for value in values if type(value) is str]
    return [*texts, *(dump(value, indent=False) for value in values)]
