"""Suggestions of findings: buttons that fill in a control, as if a person had typed the value.

Nothing but posted controls is changed, so that what is saved follows the ordinary way.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from widgetschema.errors import UnreadableDocument
from widgetschema.forms import control_names as names
from widgetschema.forms.control_names import Action
from widgetschema.forms.custom_controls import control_of
from widgetschema.forms.model import (
    CHOICE_KINDS,
    NULL,
    NUMBER_KINDS,
    TEXT_KINDS,
    Field,
    PostedControls,
)
from widgetschema.forms.posted_controls import without_fields
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.rewriting import Keep, Members, NewMember, Raw, rewrite
from widgetschema.jsontext.tree import Element, Tree, parse

Accepts = Callable[[tuple[str, ...]], Callable[[Any], bool]]


def use_suggestion(
    posted: PostedControls, action: Action, root: Field, accepts: Accepts
) -> PostedControls:
    """Return the controls with what a button suggests; the same, if it does not fit."""
    field = root.find(action.name)
    try:
        value = parse(action.text).root
    except UnreadableDocument:
        return posted
    if field is None:
        return posted
    if action.verb == names.RENAME:
        if not field.has_key or value.kind != "string":
            return posted
        return {**posted, names.companion_name(names.KEY, field.name): [value.value]}
    return _with_value(posted, field, value, accepts)


def _with_value(
    posted: PostedControls, field: Field, value: Element, accepts: Accepts
) -> PostedControls:
    if field.kind == "alternatives":
        return _with_alternative(posted, field, value, accepts)
    text = content_of(field, value)
    if text is None:
        return posted
    changed = {**posted, field.name: [text]}
    if field.states:
        state = "null" if value.kind == "null" and field.kind != "json" else "set"
        changed[names.companion_name(names.STATE, field.name)] = [state]
    return changed


def content_of(field: Field, value: Element) -> str | None:
    """Return the content of a control for a value; None if the control cannot hold it."""
    if field.kind == "json":
        return value.raw
    if field.kind in CHOICE_KINDS:
        for choice in field.choices:
            if choice.value is None:
                continue
            if canonical(json.loads(choice.value)) == canonical(value.value):
                return choice.id
        return NULL if value.kind == "null" and field.shape.nullable else None
    if value.kind == "null" and field.shape.nullable:
        return ""
    if field.kind == "custom":
        control = control_of(field.shape)
        place = field.path or ""
        return control.text_of(value.value, place) if value.kind in control.types else None
    if field.kind in TEXT_KINDS and value.kind == "string":
        return str(value.value)
    return value.raw if field.kind in NUMBER_KINDS and value.kind == "number" else None


def _with_alternative(
    posted: PostedControls, field: Field, value: Element, accepts: Accepts
) -> PostedControls:
    """Return the controls with a value in the first alternative that accepts it."""
    for index, child in enumerate(field.children):
        branch = field.shape.branches[index]
        fits = any(accepts((pointer,))(value.value) for pointer in branch.branch_pointers)
        if not (fits if branch.branch_pointers else value.kind in branch.node.kinds):
            continue
        if index == field.shown.chosen and child.kind not in ("alternatives", "object", "list"):
            return _with_value(posted, child, value, accepts)
        changed = without_fields(posted, [child.name])
        changed[names.companion_name(names.KIND, field.name)] = [str(index)]
        changed[names.companion_name(names.FROM, child.name)] = [value.raw]
        return changed
    return posted


def edited_json(text: str, pointer: str, replacement: str, *, is_name: bool) -> str | None:
    """Return a JSON text with another value, or name, at a pointer; the rest stays as it is.

    Returns None if there is nothing at the pointer, or a member has the name already.
    """
    try:
        tree: Tree = parse(text)
    except UnreadableDocument:
        return None
    element = tree.at(pointer)
    if element is None:
        return None
    if not is_name:
        return rewrite(tree, element, Raw(replacement, element))
    around = tree.at(pointer.rpartition("/")[0])
    name = json.loads(replacement)
    if around is None or around.kind != "object" or around.member(name) is not None:
        return None
    members = tuple(
        NewMember(name if one.element is element else one.name, Keep(one.element), one)
        for one in around.members
    )
    return rewrite(tree, around, Members(members))
