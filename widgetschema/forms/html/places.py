"""Where on the page a finding belongs, and where the focus goes: ids of elements.

No markup is made here. Parts of a field have its id with a mark behind it: `:help`, `:error`,
`:state`, `:add`, `:open`, `:up`, `:down`, `:remove`, `:key`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from widgetschema.findings import Finding, Report
from widgetschema.forms import names
from widgetschema.forms.model import CONTAINER_KINDS, Field, Posted
from widgetschema.forms.names import Action
from widgetschema.forms.walking import every


class Rendered(Protocol):
    """What is needed of a form to show it."""

    @property
    def root(self) -> Field:
        """All fields."""
        ...

    @property
    def sections(self) -> Sequence[Field]:
        """The members of the root that are shown as sections of the page."""
        ...

    @property
    def report(self) -> Report:
        """All findings, in the order of the form."""
        ...

    @property
    def base(self) -> str:
        """Which text the form was made of."""
        ...

    @property
    def prefix(self) -> str:
        """What the names of its controls begin with."""
        ...

    @property
    def signature(self) -> str:
        """Which controls there are."""
        ...

    @property
    def posted(self) -> Posted | None:
        """What came back; None if the form is shown for the first time."""
        ...

    @property
    def action(self) -> Action | None:
        """The button that was pressed, if it was not the one that saves."""
        ...


class Place(NamedTuple):
    """A finding, and the field that it is shown beside; None if there is none."""

    finding: Finding
    field: Field | None


def places(form: Rendered) -> list[Place]:
    """All findings with their fields, in the order of the report."""
    if form.report.valid:
        return []
    beside: dict[Finding, Field] = {}
    for field in every(form.root):
        for finding in field.findings:
            beside.setdefault(finding, field)
    return [Place(finding, beside.get(finding)) for finding in form.report]


def part(field: Field, name: str) -> str:
    """The id of a part of a field."""
    return f"{field.id}:{name}"


def summary_id(form: Rendered) -> str:
    """The id of the summary of findings."""
    return part(form.root, "summary")


def can_add(field: Field) -> bool:
    """Whether rows or members can be added."""
    return field.kind == "list" or (field.kind in ("object", "tuple") and field.shape.open)


def focus(form: Rendered) -> str | None:
    """The id of the element that gets the focus when the form is shown; None for none.

    After a button that changed the form, this is where it changed; else the findings.
    """
    if form.posted is None:
        return None
    action = form.action
    if action is not None and action.verb == names.CARRY:
        return None  # it stays on the alternative that was chosen
    if action is None or action.verb == names.CHECK:
        return None if form.report.valid else summary_id(form)
    if action.verb == names.REMOVE:  # the row is gone: its list is not
        holder = _named(form, action.name.rpartition("/")[0])
        if holder is None:
            return None
        return part(holder, names.ADD) if can_add(holder) else holder.id
    field = _named(form, action.name)
    if field is None:
        return None
    if action.verb in (names.UP, names.DOWN):
        return part(field, action.verb)
    if action.verb == names.ADD:
        rows = [child for child in field.children if child.row]
        return first_control(rows[-1]) if rows else field.id
    return first_control(field)


def first_control(field: Field) -> str:
    """The id of the first control of a field that can have the focus."""
    return next(_controls(field), field.id)


def _named(form: Rendered, name: str) -> Field | None:
    return next((field for field in every(form.root) if field.name == name), None)


def _controls(field: Field) -> Iterator[str]:
    if field.has_key:
        yield part(field, "key")
    if not field.opened:
        yield part(field, names.OPEN)
    elif field.kind not in CONTAINER_KINDS:
        yield field.id
    for child in field.children:
        yield from _controls(child)
    if can_add(field):
        yield part(field, names.ADD)
