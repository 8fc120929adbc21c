"""The buttons of a form: each changes the posted controls, and nothing else.

A button whose field does not exist does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from widgetschema.forms import control_names as names
from widgetschema.forms.control_names import Action
from widgetschema.forms.fields.overlay import Overlay
from widgetschema.forms.fields.value_transfer import (
    merge_with_draft,
    reads_alike,
    transferable_text,
)
from widgetschema.forms.model import Field, PostedControls
from widgetschema.forms.posted_controls import without_fields
from widgetschema.forms.submit.edit_plan import field_text
from widgetschema.jsontext import Limits
from widgetschema.jsontext.tree import Tree, scanned

_NEW: Final = re.compile(r"\+([1-9][0-9]{0,8})")


def press_button(
    posted: PostedControls, action: Action, root: Field, tree: Tree, limits: Limits
) -> PostedControls:
    """Return the controls after a button was pressed on the form of `root`.

    `tree` is the text that the form was made of.
    """
    if action.verb == names.CARRY:
        around, _, index = action.name.rpartition(";")
        field = root.find(around)
        if field is None or field.kind != "alternatives" or index not in _alternative_ids(field):
            return posted
        return _transferred(posted, field, int(index), tree, limits)
    if action.verb == names.CHECK:
        return posted
    if action.verb == names.OPEN:
        return _opened_part(posted, action.name, root)
    if action.verb == names.ADD:
        field = root.find(action.name)
        if field is None:
            return posted
        rows = (*field.shown.rows, new_row_id(field.shown.rows))
        return _with_rows(posted, field, rows)
    around, _, row = action.name.rpartition("/")
    field = root.find(around)
    if field is None or row not in field.shown.rows:
        return posted
    if action.verb == names.REMOVE:
        posted = without_fields(posted, [action.name])
    return _with_rows(posted, field, _moved_rows(field.shown.rows, row, action.verb))


def follow_choices(
    posted: PostedControls, root: Field, tree: Tree, limits: Limits
) -> PostedControls:
    """Return the controls with typed input moved to the alternative that was chosen after it.

    That is for a page without a script. An alternative that was typed into itself keeps that.
    """
    asked = (
        names.companion_name(names.KIND, names.ROOT),
        names.companion_name(names.WAS, names.ROOT),
    )
    if not any(name.startswith(asked) for name in posted):
        return posted
    overlay = Overlay(posted)
    for field in root.walk():
        if field.kind != "alternatives" or not field.children:
            continue
        was = overlay.first(names.companion_name(names.WAS, field.name))
        index = int(was) if was in _alternative_ids(field) else field.pristine.chosen
        source, target = field.children[index], field.children[field.shown.chosen]
        if source is target or overlay.is_about(target.name):
            continue
        if overlay.is_about(source.name):
            posted = _transferred(posted, field, index, tree, limits)
    return posted


def _alternative_ids(field: Field) -> list[str]:
    return [str(at) for at in range(len(field.children))]


def _transferred(
    posted: PostedControls, field: Field, index: int, tree: Tree, limits: Limits
) -> PostedControls:
    """Return the controls with the value of an alternative in the one that is chosen.

    What that cannot hold stays where it is, and the chosen one keeps its draft.
    """
    source, target = field.children[index], field.children[field.shown.chosen]
    text = None if source is target else field_text(source, tree, limits)
    if text is None:
        return posted
    held = transferable_text(scanned(text), target.shape, source.shape.node)
    if held is None:
        return posted
    changed, original = without_fields(posted, [target.name]), field.original
    is_back = field.shown.chosen == field.pristine.chosen
    draft = field_text(target, tree, limits) if is_back or len(changed) < len(posted) else None
    if draft is not None:
        held = merge_with_draft(scanned(draft), scanned(held))
    if original is not None:
        if is_back and reads_alike(scanned(held), original):
            return changed  # as it was
        if draft is None and text == original.raw:
            return changed  # it is shown there by itself
    changed[names.companion_name(names.FROM, target.name)] = [held]
    return changed


def new_row_id(rows: tuple[str, ...]) -> str:
    """Return the id of the next new row."""
    return f"+{next_row_number(rows)}"


def next_row_number(rows: Iterable[str]) -> int:
    """Return the number of the next new row."""
    numbers = [int(match[1]) for match in map(_NEW.fullmatch, rows) if match]
    return max(numbers, default=0) + 1


def is_new_row(row: str) -> bool:
    """Return True if an id is that of a new row."""
    return _NEW.fullmatch(row) is not None


def _moved_rows(rows: tuple[str, ...], row: str, verb: str) -> tuple[str, ...]:
    at = rows.index(row)
    rest = [*rows[:at], *rows[at + 1 :]]
    if verb != names.REMOVE:
        rest.insert(max(at - 1, 0) if verb == names.UP else at + 1, row)
    return tuple(rest)


def _with_rows(posted: PostedControls, field: Field, rows: tuple[str, ...]) -> PostedControls:
    changed = {**posted, names.companion_name(names.ORDER, field.name): [",".join(rows)]}
    if field.shown.state != "set" and field.states:
        changed[names.companion_name(names.STATE, field.name)] = ["set"]
    if not field.opened:
        changed[names.companion_name(names.OPEN, field.name)] = ["1"]
    return changed


def _opened_part(posted: PostedControls, name: str, root: Field) -> PostedControls:
    field = root.find(name)
    if field is None:
        return posted
    changed = {**posted, names.companion_name(names.OPEN, name): ["1"]}
    if field.shown.state != "set":
        changed[names.companion_name(names.STATE, name)] = ["set"]
    return changed
