"""Lay posted controls over what an untouched form shows.

A control that was not posted leaves its value unchanged. Schemas are not known here, and no text
is read as a value.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from functools import cache
from typing import Final

from widgetschema.cached import cached_property
from widgetschema.errors import TooManyFields
from widgetschema.forms import control_names as names
from widgetschema.forms.model import (
    KEPT,
    NULL,
    STATES,
    UNSET,
    Control,
    PostedControls,
    State,
    selection_text,
)
from widgetschema.forms.newlines import normalize_newlines
from widgetschema.forms.posted_controls import MAX_CONTROLS

_NEW: Final = re.compile(r"\+[1-9][0-9]{0,8}")
_STATE_OF: Final[dict[str, State]] = {UNSET: "unset", NULL: "null", KEPT: "kept"}
_STATES: Final[dict[str, State]] = {state: state for state in STATES}
_LEFT: Final = {value: state for state, value in names.LEFT.items()}
_MARKS: Final = re.compile("[/;]")  # in names, before the part inside a field
_MAX_CHOICE_ID: Final = 100  # of a choice


@cache
def selectable_states(
    kind: str, optional: bool, nullable: bool, pristine: State
) -> tuple[State, ...]:
    """Return the states to choose from; empty if the text alone decides.

    `kind` is "text" for texts, which may be empty, "container", or "other" for numbers and JSON:
    for those, an empty control means no value. A state that is there can be kept.
    """
    found: list[State] = []
    if optional or pristine == "unset":
        found.append("unset")
    if nullable or pristine == "null":
        found.append("null")
    if kind == "text":
        found.append("empty")
    found.append("set")
    if pristine == "kept":
        found.append("kept")
    if kind == "other" and "null" not in found:
        return ()
    return tuple(found) if {*found} - {"empty", "set"} else ()


class Overlay:
    """The posted controls, by the name of the field that they are about."""

    def __init__(self, posted: PostedControls) -> None:
        self.posted = posted

    def first(self, name: str) -> str | None:
        """Return the first value that was posted for a control; None if there is none."""
        values = self.posted.get(name)
        return normalize_newlines(values[0]) if values else None

    def _state(self, name: str) -> str | None:
        """Return the state that was posted for a field."""
        state = self.first(names.companion_name(names.STATE, name))
        return None if state is None else _LEFT.get(state, state)

    def typed(
        self,
        pristine: Control,
        name: str,
        states: Container[str],
        *,
        needs_value: bool,
        is_text: bool,
    ) -> Control:
        """Return what a control for typing shows.

        Typing into an unset value, or into the empty text, sets it; if nothing is typed, it stays
        what it was, even if it is to be set. A value that is needed is set from the start.
        """
        text, state = self.first(name), self._state(name)
        if state == names.EMPTIED and "empty" in states:
            text, state = "", "empty"
        text = pristine.text if text is None else text
        shown: State = pristine.state
        if state is not None and state in states:
            shown = _STATES[state]
        if shown == pristine.state and text != pristine.text:
            shown = "set"
        if needs_value and shown == "unset":
            shown = "set" if text or not is_text else "empty"
        elif shown == "set" and not text and not pristine.text and not needs_value:
            return pristine
        if shown == "empty":
            shown, text = ("set", text) if text not in ("", pristine.text) else ("empty", "")
        if shown == pristine.state and text == pristine.text:
            return pristine
        return pristine._replace(state=shown, text=text)

    def chosen(self, pristine: Control, name: str) -> Control:
        """Return what a control for choosing a value shows."""
        id = self.first(name)
        if self.first(names.companion_name(names.PRESENT, name)) is not None:  # a checkbox
            id = "false" if id is None else id if id in ("true", "false") else "true"
        if id is None or id == pristine.text:
            return pristine
        return pristine._replace(state=_STATE_OF.get(id, "set"), text=id[:_MAX_CHOICE_ID])

    def selected(
        self,
        pristine: Control,
        name: str,
        known: Iterable[str],
        states: Container[str],
        *,
        needs_value: bool,
    ) -> Control:
        """Return what checkboxes show: their ids as before, then further ones, `known` first."""
        text, shown = pristine.text, pristine.state
        if name in self.posted or names.companion_name(names.PRESENT, name) in self.posted:
            text = selection_text(self.posted.get(name, ()), pristine.text, known)
        state = self._state(name)
        if state is not None and state in states:
            shown = _STATES[state]
        if (shown == pristine.state and text != pristine.text) or (
            needs_value and shown == "unset"
        ):
            shown = "set"
        if shown == pristine.state and text == pristine.text:
            return pristine
        return pristine._replace(state=shown, text=text)

    def alternative(self, name: str, pristine: int, count: int) -> int:
        """Return the index of the chosen alternative."""
        index = self.first(names.companion_name(names.KIND, name))
        if index is None or not (index.isascii() and index.isdecimal() and len(index) < 6):
            return pristine
        return int(index) if int(index) < count else pristine

    def state(
        self, pristine: State, name: str, states: Container[str], *, needs_value: bool
    ) -> State:
        """Return the state of a container or of a value with alternatives."""
        state = self._state(name)
        shown = _STATES[state] if state is not None and state in states else pristine
        return "set" if needs_value and shown == "unset" else shown

    def rows(self, pristine: Sequence[str], name: str) -> tuple[str, ...] | None:
        """Return the ids of rows in their order; None if no order was posted.

        Raises `TooManyFields`.
        """
        order = self.first(names.companion_name(names.ORDER, name))
        if order is None:
            return None
        known = frozenset(pristine)
        if order.count(",") >= MAX_CONTROLS:
            raise TooManyFields(order.count(",") + 1, MAX_CONTROLS)
        ids = dict.fromkeys(order.split(","))
        return tuple(id for id in ids if id in known or _NEW.fullmatch(id))

    def opens(self, name: str) -> bool:
        """Return True if an on-demand part was opened, or anything below it was posted."""
        about = names.companion_name
        if self.first(about(names.OPEN, name)) or self.first(about(names.ORDER, name)):
            return True
        return self.first(about(names.STATE, name)) == "set" or self.has_below(name)

    def has_below(self, name: str) -> bool:
        """Return True if anything below a field was posted."""
        return name in self._around

    def unread_in(self, name: str) -> list[str]:
        """Return the controls of a container with texts that no control of a value can show."""
        return self._unread.get(name, [])

    @cached_property
    def _unread(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, values in self.posted.items():
            if names.UNREAD not in name or not any(values):
                continue
            around = name.rpartition("/")[0]
            if name == names.unread_name(around, names.unread_parts(name)):
                found.setdefault(around, []).append(name)
        return found

    def typed_below(self, name: str) -> set[str]:
        """Return the names of the controls of a field, and below it, that have content."""
        typed = (control for control, values in self.posted.items() if any(values))
        return {control for control in typed if names.is_within(control, name)}

    def is_about(self, name: str) -> bool:
        """Return True if any control of a field, or of one below it, was posted."""
        return name in self._names or name in self._around

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of the fields that controls were posted for."""
        return frozenset([name[name.find(names.ROOT) :] for name in self.posted])

    @cached_property
    def _around(self) -> frozenset[str]:
        """The names of the fields around those."""
        found: set[str] = set()
        for name in self._names:
            for mark in reversed([*_MARKS.finditer(name)]):
                around = name[: mark.start()]
                if around in found:
                    break
                found.add(around)
        return frozenset(found)
