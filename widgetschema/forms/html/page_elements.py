"""Ids of elements on the page: the one that shows a finding, and the one that gets the focus.

Elements of a field have its id and a suffix: `:help`, `:error`, `:state`, `:add`, `:open`, `:up`,
`:down`, `:copy`, `:remove`, `:restore`, `:key`. No markup is made here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from widgetschema.findings import Finding
from widgetschema.forms import control_names as names
from widgetschema.forms.advice import Button
from widgetschema.forms.form_state import FormState
from widgetschema.forms.model import CONTAINER_KINDS, Field
from widgetschema.forms.row_names import naming_field, shown_field
from widgetschema.forms.submit.buttons import is_new_row
from widgetschema.pointers import display_pointer

_MAX_OPEN_ROWS: Final = 3  # rows of groups that are open when a form is shown
_MOST_BUTTONS: Final = 20  # of one field; each in a JSON text has a copy of it


class Fold(NamedTuple):
    """A group that can be closed: whether it is open at first, and the field that names it."""

    open: bool
    named: Field | None


def row_fold(holder: Field, row: Field) -> Fold:
    """Return how a row that is a group is folded: open if it is new, or something is wrong in it.

    Of a few rows, all are open.
    """
    is_open = (
        len(holder.shown.rows) <= _MAX_OPEN_ROWS
        or is_new_row(row.row)
        or any(field.findings for field in row.walk())
    )
    return Fold(is_open, naming_field(row))


class Problem(NamedTuple):
    """A finding as a form shows it: `sentence` says what to do, `place` is its pointer.

    `field` is the field that shows it; None if no field does. `label` is that of its value.
    """

    finding: Finding
    field: Field | None
    sentence: str
    label: str
    button: Button | None = None

    @property
    def place(self) -> str:
        """The JSON Pointer, for developers."""
        return display_pointer(self.finding.path)


def problems_of(form: FormState, field: Field) -> list[Problem]:
    """Return the findings that a field shows, the first of them with their buttons."""
    label = form.label(field)
    return [
        Problem(
            finding,
            field,
            form.sentence(finding),
            label,
            form.button(finding) if number < _MOST_BUTTONS else None,
        )
        for number, finding in enumerate(field.findings)
    ]


def placed_findings(form: FormState) -> list[Problem]:
    """Return all findings with their fields, in the order of the report."""
    if form.report.valid:
        return []
    shown: dict[Finding, tuple[Field, str]] = {}
    for field, rows in _with_rows(form.root):
        for finding in field.findings:
            if finding not in shown:
                shown[finding] = field, " › ".join((*rows, form.label(field)))
    found = ((finding, *shown.get(finding, (None, ""))) for finding in form.report)
    return [
        Problem(finding, field, form.sentence(finding), label) for finding, field, label in found
    ]


def _with_rows(root: Field) -> Iterator[tuple[Field, tuple[str, ...]]]:
    """Yield all fields on the page in its order, with the labels of the rows that they are in."""
    todo: list[tuple[Field, tuple[str, ...]]] = [(root, ())]
    while todo:
        field, rows = todo.pop()
        if field.omitted:
            continue
        yield field, rows
        inside = (*rows, field.label) if field.row else rows
        todo += ((child, inside) for child in reversed(field.children))


def element_id(field: Field, suffix: str) -> str:
    """Return the id of an element of a field."""
    return f"{field.id}:{suffix}"


def summary_id(form: FormState) -> str:
    """Return the id of the summary of findings."""
    return element_id(form.root, "summary")


def can_add(field: Field) -> bool:
    """Return True if rows or members can be added."""
    if field.read_only or field.is_full:
        return False
    return field.kind == "list" or (field.kind in ("object", "tuple") and field.shape.open)


class RowTools(NamedTuple):
    """The buttons of a row: those that move it, with those that have no effect, and others."""

    moves: tuple[str, ...]
    stuck: tuple[str, ...]
    copy: bool
    remove: bool


def tools_of_rows(holder: Field) -> Callable[[Field], RowTools]:
    """Return a function that returns the buttons of a row of this holder."""
    rows, ui = holder.shown.rows, holder.shape.ui
    is_list = holder.kind != "object"
    can_move = is_list and len(rows) > 1 and ui.orderable is not False
    moves = (names.UP, names.DOWN) if can_move else ()
    can_copy = is_list and not holder.is_full

    def tools(row: Field) -> RowTools:
        """Return the buttons of a row."""
        if row.read_only:
            return RowTools((), (), False, False)
        ends = ((names.UP, rows[:1]), (names.DOWN, rows[-1:]))
        stuck = tuple(verb for verb, end in ends if (row.row,) == end)
        can_remove = ui.removable is not False or is_new_row(row.row)
        return RowTools(moves, stuck, can_copy, can_remove)

    return tools


def offered_names(field: Field) -> list[str]:
    """Return the names that are offered where one is typed: those that no member has."""
    rows = [child for child in field.children if child.has_key] if field.offered else ()
    if all(is_said_in_words(field, row) for row in rows):
        return []
    present = {row.shown.key for row in rows}
    return [name for name in field.offered if name not in present]


def is_said_in_words(holder: Field, row: Field) -> bool:
    """Return True if the label of a free value says its name, which is in its menu then."""
    is_there = row.member is not None and row.shown.key == row.pristine.key
    return is_there and row.shape.free and row.opened and row.shown.key in holder.offered


def focused_id(form: FormState) -> str | None:
    """Return the id of the element that gets the focus when the form is shown; None for none.

    After a button that changed the form, this is where it changed; otherwise the findings.
    """
    if form.posted is None:
        return None
    action = form.action
    if action is not None and action.verb == names.CARRY:
        return None  # it stays on the alternative that was chosen
    if action is None or action.verb == names.CHECK:
        return None if form.report.valid else summary_id(form)
    if action.verb == names.REMOVE:  # the row is gone: its list is not
        holder = form.root.find(action.name.rpartition("/")[0])
        if holder is None:
            return None
        return element_id(holder, names.ADD) if can_add(holder) else holder.id
    field = form.root.find(action.name)
    if field is None:
        return None
    if action.verb == names.COPY:
        return _focus_of_copy(form.root, action.name)
    if action.verb in (names.UP, names.DOWN):
        return element_id(field, action.verb)
    if action.verb == names.ADD:
        rows = [child for child in field.children if child.row]
        return _first_control(rows[-1]) if rows else field.id
    return _first_control(field)


def _focus_of_copy(root: Field, name: str) -> str | None:
    """Return the id of the first control of the row after a row that was copied."""
    holder = root.find(name.rpartition("/")[0])
    rows = [] if holder is None else [child for child in holder.children if child.row]
    at = next((at for at, row in enumerate(rows) if row.name == name), len(rows))
    return _first_control(rows[at + 1]) if at + 1 < len(rows) else None


def _first_control(field: Field) -> str:
    """Return the id of the first control of a field that can have the focus."""
    return next(_focusable_ids(field), field.id)


def _focusable_ids(field: Field) -> Iterator[str]:
    if field.has_key:
        yield element_id(field, "key")
    field = shown_field(field)
    if not field.opened:
        yield element_id(field, names.OPEN)
    elif field.kind not in CONTAINER_KINDS:
        yield field.id
    for child in field.children:
        yield from _focusable_ids(child)
    if can_add(field):
        yield element_id(field, names.ADD)
