"""Rows and new groups that were removed from a form and can be restored, until the page is left.

The holder of them has a control for them: a JSON text with the controls of each, in the order
in which they were removed. Nothing is remembered outside the page. What comes in that control is
trusted as little as any other: it can only bring back what a person could have typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.forms.control_names import (
    KEY,
    KIND,
    OPEN,
    PRESENT,
    REMOVED,
    RESET,
    ROLES,
    ROOT,
    STATE,
    TYPED,
    companion_name,
    row_name,
)
from widgetschema.forms.model import CONTAINER_KINDS, Field, PostedControls
from widgetschema.forms.posted_controls import controls_of, is_typed_since, without_fields
from widgetschema.jsontext import dump, read
from widgetschema.text import shorten

_KNOWN: Final = frozenset(("", *ROLES))
_OWN: Final = (KEY, TYPED)  # of a field that is reset, what stays
_MAX_LABEL: Final = 80  # characters


@dataclass(frozen=True, slots=True)
class RemovedRow:
    """A row that was removed.

    `id` is its id, `after` that of the row before it, "" for none. `controls` are those about the
    row, by their role and what follows the name of the row in theirs. A page has numbers in place
    of some texts (see `steps.page_controls`).
    """

    id: str
    after: str
    label: str
    controls: PostedControls

    def restored(self, name: str) -> PostedControls:
        """Return the controls for the row that has this name now."""
        return renamed(self.controls, ROOT, name)


def renamed(controls: PostedControls, before: str, after: str) -> PostedControls:
    """Return the controls about a field as those about the field of another name."""
    found = {}
    for name, values in controls.items():
        role, mark, rest = name.partition(ROOT)
        found[f"{role}{after}{(mark + rest).removeprefix(before)}"] = values
    return found


def removed_row(
    posted: PostedControls, name: str, rows: Sequence[str], row: str, label: str
) -> RemovedRow:
    """Return a row, of the field `name`, that is to be removed from among `rows`."""
    at = rows.index(row)
    whole = f"{name}/{row}"
    controls = renamed(controls_of(posted, whole), whole, ROOT)
    return RemovedRow(row, rows[at - 1] if at else "", shorten(label, _MAX_LABEL), controls)


def with_resets(posted: PostedControls, root: Field) -> PostedControls:
    """Return the controls with all fields as they were that were reset; `root` are the fields.

    What was typed since the page was shown stays: without a script, nobody knows which was first.
    A group that was new can be restored.
    """
    begin = companion_name(STATE, ROOT)
    reset = [name for name, values in posted.items() if name.startswith(begin) and RESET in values]
    for name in (one.removeprefix(STATE) for one in reset):
        field = root.find(name)
        is_typed = field is not None and field.kind != "checkboxes"
        if field is not None and is_typed and is_typed_since(field, posted):
            posted = {**posted, companion_name(STATE, name): ["set"]}
            continue
        about = controls_of(posted, name)
        kept = {one: about[one] for role in _OWN if (one := companion_name(role, name)) in about}
        posted = {**without_fields(posted, [name]), **kept}
        if field is not None and field.kind in CONTAINER_KINDS:
            posted = with_removed_group(posted, field, about)
    return posted


def with_removed_group(
    posted: PostedControls, field: Field, about: PostedControls
) -> PostedControls:
    """Return the controls with a group that was taken away, and what is `about` it, to restore it.

    That is not needed if nothing was typed into it.
    """
    around, _, last = field.name.rpartition("/")
    typed = (any(about[one]) for one in about if one.startswith((ROOT, REMOVED, PRESENT)))
    if not around or not any(typed):
        return posted
    id, *alternatives = last.split(";")
    about, name = {**about}, row_name(around, id)
    for index in alternatives:
        about[companion_name(KIND, name)] = [index]
        name = f"{name};{index}"
    about |= {companion_name(STATE, name): ["set"], companion_name(OPEN, name): ["1"]}
    row = removed_row(about, around, (id,), id, field.label)
    return with_removed_rows(posted, around, (*removed_rows(posted, around), row))


def removed_rows(posted: PostedControls | None, name: str) -> tuple[RemovedRow, ...]:
    """Return the rows that were removed from a field, the last one last."""
    text = ((posted or {}).get(companion_name(REMOVED, name)) or [""])[0]
    if not text:
        return ()
    try:
        found = read(text)
    except UnreadableDocument:
        return ()
    rows = map(_row, found if type(found) is list else ())
    return tuple(row for row in rows if row is not None)


def with_removed_rows(
    posted: PostedControls, name: str, rows: Sequence[RemovedRow]
) -> PostedControls:
    """Return the controls with the rows that were removed from a field."""
    control = companion_name(REMOVED, name)
    if not rows:
        return {one: values for one, values in posted.items() if one != control}
    return {**posted, control: [_stored_text(rows)]}


def with_other_texts(control: str, text: str, change: Callable[[str, Any], Any]) -> str:
    """Return the text of a control of removed rows, with each text in it changed.

    `change` gets the name of the control that has the text in its row, and the text.
    """
    holder = control.removeprefix(REMOVED)
    found = []
    for row in removed_rows({control: [text]}, holder):
        whole, controls = row_name(holder, row.id), dict[str, Any]()
        for name, values in row.controls.items():
            [inside] = renamed({name: []}, ROOT, whole)
            controls[name] = [change(inside, value) for value in values]
        found.append(replace(row, controls=controls))
    return _stored_text(found) if found else text


def _stored_text(rows: Sequence[RemovedRow]) -> str:
    return dump([[row.id, row.after, row.label, row.controls] for row in rows], indent=False)


def _row(stored: Any) -> RemovedRow | None:
    match stored:
        case [str(id), str(after), str(label), dict(controls)] if id and _are_controls(controls):
            return RemovedRow(id, after, shorten(label, _MAX_LABEL), controls)
    return None


def _are_controls(controls: Mapping[str, Any]) -> bool:
    return all(
        name.partition(ROOT)[0] in _KNOWN
        and ROOT in name
        and type(values) is list
        and len(values) > 0
        and all(type(value) in (str, int) for value in values)
        for name, values in controls.items()
    )
