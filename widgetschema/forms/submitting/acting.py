"""What the buttons of a form do: they change the controls that were posted, nothing else.

A button whose field is not there does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from widgetschema.forms import names
from widgetschema.forms.model import Field, Posted
from widgetschema.forms.names import Action
from widgetschema.forms.posted import without
from widgetschema.forms.walking import named

_NEW: Final = re.compile(r"\+([1-9][0-9]{0,8})")


def acted(posted: Posted, action: Action, root: Field) -> Posted:
    """The controls after a button was pressed; `root` has the fields before."""
    if action.verb == names.CHECK:
        return posted
    if action.verb == names.OPEN:
        return _opened(posted, action.name, root)
    if action.verb == names.ADD:
        field = named(root, action.name)
        if field is None:
            return posted
        rows = (*field.shown.rows, new_id(field.shown.rows))
        return _with_rows(posted, field, rows)
    around, _, row = action.name.rpartition("/")
    field = named(root, around)
    if field is None or row not in field.shown.rows:
        return posted
    if action.verb == names.REMOVE:
        posted = without(posted, [action.name])
    return _with_rows(posted, field, _moved(field.shown.rows, row, action.verb))


def new_id(rows: tuple[str, ...]) -> str:
    """The id of the next new row."""
    return f"+{next_number(rows)}"


def next_number(rows: Iterable[str]) -> int:
    """The number of the next new row."""
    numbers = [int(match[1]) for match in map(_NEW.fullmatch, rows) if match]
    return max(numbers, default=0) + 1


def is_new(row: str) -> bool:
    """Whether an id is that of a new row."""
    return _NEW.fullmatch(row) is not None


def _moved(rows: tuple[str, ...], row: str, verb: str) -> tuple[str, ...]:
    at = rows.index(row)
    rest = [*rows[:at], *rows[at + 1 :]]
    if verb != names.REMOVE:
        rest.insert(max(at - 1, 0) if verb == names.UP else at + 1, row)
    return tuple(rest)


def _with_rows(posted: Posted, field: Field, rows: tuple[str, ...]) -> Posted:
    changed = {**posted, names.about(names.ORDER, field.name): [",".join(rows)]}
    if field.shown.state != "set" and field.states:
        changed[names.about(names.STATE, field.name)] = ["set"]
    if not field.opened:
        changed[names.about(names.OPEN, field.name)] = ["1"]
    return changed


def _opened(posted: Posted, name: str, root: Field) -> Posted:
    field = named(root, name)
    if field is None:
        return posted
    changed = {**posted, names.about(names.OPEN, name): ["1"]}
    if field.shown.state != "set":
        changed[names.about(names.STATE, name)] = ["set"]
    return changed
