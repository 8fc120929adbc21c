"""`build`: one walk over schema, text and what was posted, that makes the fields of a form.

Each place is a node of the schema tree, the element of the text that is there, if any, and the
value by which conditions are decided. What an untouched form shows (`pristine`) follows from
schema and text; what was posted is laid over it. What is too much for a form, too deep, or of
another type than its control, is shown as JSON: nothing in the data is without a field.

Nothing becomes of the fields here (`outcomes`), and nothing is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from widgetschema.errors import TooManyFields
from widgetschema.findings import Finding
from widgetschema.forms.fields.containers import MOST_FIELDS, NOT_OF_TYPE, Containers
from widgetschema.forms.fields.kinds import with_value
from widgetschema.forms.fields.overlay import Overlay, states_of
from widgetschema.forms.fields.parts import Part, Wanted, as_id
from widgetschema.forms.fields.place import Place
from widgetschema.forms.fields.placing import Placed
from widgetschema.forms.fields.shapes import Cuts, Shapes
from widgetschema.forms.model import (
    CHOICE_KINDS,
    ID,
    KEPT,
    NULL,
    NUMBER_KINDS,
    UNSET,
    Choice,
    Control,
    Field,
    Posted,
    Shape,
    State,
)
from widgetschema.forms.names import name_of
from widgetschema.forms.posted import MOST_CONTROLS, with_lf
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element, Tree

_NOTHING: Final = Control("unset")
_NULL_CONTROL: Final = Control("null")
_NOT_CHOSEN: Final = Control("unset", UNSET)
_NULL_CHOSEN: Final = Control("null", NULL)
_KEPT_CHOSEN: Final = Control("kept", KEPT)
_ROOT_LABEL: Final = "Data"

CARRIED_AS_JSON: Final = "shown as JSON: it has a character that no control can hold"


def build(
    shapes: Shapes,
    tree: Tree,
    at: str,
    posted: Posted | None,
    data: Any,
    findings: Sequence[Finding] = (),
    id: str = ID,
) -> Field:
    """The field of the value at `at`, a JSON Pointer, in a text, with all fields below it.

    `posted` are the controls that came back; one that did not means: unchanged. `data` is the
    value that would come back, by which conditions are decided. `findings`, whose paths are those
    in the whole text, go to the fields that they are about; those about other places are left out.
    The ids of all fields begin with `id`.

    Raises `TooManyFields`.
    """
    element = tree.at(at)
    if element is None:
        raise LookupError(at)
    cuts = shapes.cuts.setdefault(tree, {})
    if posted is None:
        walk = _Walk(shapes, None, findings, None)
        root = walk.whole(at, element, data, id)
        cuts[at] = walk.cut, walk.hidden
        return root
    if at not in cuts:  # what is too much for the form does not depend on what was posted
        build(shapes, tree, at, None, element.value)
    return _Walk(shapes, Overlay(posted), findings, cuts[at]).whole(at, element, data, id)


class _Walk(Containers):
    """One walk; `cut` says of containers that are too large for the form how much they show.

    `hidden` are the names of those members of such objects that have no field of their own:
    the same whatever was posted, even if a condition of the schema brings other fields.
    """

    def __init__(
        self,
        shapes: Shapes,
        overlay: Overlay | None,
        findings: Sequence[Finding],
        cut: Cuts | None,
    ) -> None:
        self.shapes = shapes
        self.overlay = overlay
        self.placed = Placed(findings) if findings else None
        self.cut, self.hidden = ({}, {}) if cut is None else cut
        self.limit = MOST_FIELDS
        self.is_first = cut is None
        self.count = 0

    def whole(self, at: str, element: Element, data: Any, id: str) -> Field:
        """The field of the whole."""
        name = name_of(at)
        place = Place(name, id + as_id(name[1:]), at, element, data, spots=self.shapes.spots)
        wanted = Wanted(self.shapes.tree.root, "", _ROOT_LABEL, required=True, spots=place.spots)
        return self.field(place, wanted)

    def field(self, place: Place, wanted: Wanted, part: Part | None = None) -> Field:
        """The field of a place; `part` is its part, if that is known already."""
        self.count += 1
        if self.count > MOST_CONTROLS:
            raise TooManyFields(self.count, MOST_CONTROLS)
        if part is None:
            node = self.shapes.settled(wanted.node, place.value)
            if node is not wanted.node:
                wanted = wanted._replace(node=node)
                place.conditional = True
            part = self.shapes.part(wanted)
        if part.kind in CHOICE_KINDS:
            return self._choice(place, part)
        if part.kind in self.BUILT:
            return self.BUILT[part.kind](self, place, part, wanted)
        return self._typed(place, part)

    # One control

    def _typed(self, place: Place, part: Part) -> Field:
        """Text, a number, or JSON."""
        kind, element = part.kind, place.element
        if element is None:
            pristine = _NOTHING
        elif kind == "json":
            return self.as_json(place, part)
        elif kind in NUMBER_KINDS:
            if element.kind in ("object", "array"):
                return self.as_json(place, part, NOT_OF_TYPE)
            pristine = _one(element, "number", part.shape)
        else:
            if element.kind in ("object", "array"):
                return self.as_json(place, part, NOT_OF_TYPE)
            if element.kind == "string":
                text = element.value
                if "\0" in text:
                    return self.as_json(place, part, CARRIED_AS_JSON)
                text = with_lf(text)
                pristine = Control("set" if text else "empty", text)
                kind = with_value(kind, text)
            else:
                pristine = _one(element, "", part.shape)
        is_text = kind not in NUMBER_KINDS and kind != "json"
        return self._with_states(place, part, kind, pristine, is_text=is_text)

    def as_json(self, place: Place, part: Part, note: str = "") -> Field:
        """A value as JSON text, whatever it is."""
        element = place.element
        pristine = _NOTHING if element is None else Control("set", element.dedented)
        return self._with_states(place, part, "json", pristine, note=note)

    def _with_states(
        self,
        place: Place,
        part: Part,
        kind: str,
        pristine: Control,
        *,
        is_text: bool = False,
        note: str = "",
    ) -> Field:
        shape = part.shape_as(kind)
        note = note or part.note
        optional = not (shape.required or place.forced or place.row)
        state: State = "set" if place.forced and pristine is _NOTHING else pristine.state
        states = states_of("text" if is_text else "other", optional, shape.nullable, state)
        shown = pristine
        if self.overlay is not None:
            shown = self.overlay.typed(
                pristine, place.name, states, forced=place.forced, is_text=is_text
            )
            if is_text and "\n" in shown.text:
                shape = part.shape_as(with_value(kind, shown.text))
        return self.made(place, shape, pristine, shown, states=states, note=note)

    def _choice(self, place: Place, part: Part) -> Field:
        """One of several values."""
        shape, element = part.shape, place.element
        optional = not (shape.required or place.forced or place.row)
        if element is None:
            pristine = _NOT_CHOSEN
            # A list to select from has to show that nothing is chosen; radio buttons just do.
            placeholder = not shape.as_radio or (part.kind == "constant" and not place.forced)
            choices = part.choices(optional or placeholder)
        elif element.kind == "null" and shape.nullable:
            pristine = _NULL_CHOSEN
            choices = part.choices(optional)
        else:
            value = element.value
            id = part.index.get(canonical(value))
            choices = part.choices(optional)
            pristine = _KEPT_CHOSEN if id is None else Control("set", id)
            if id is None:
                choices = (*choices, Choice(KEPT, f"{preview(value)} (kept)", element.raw))
        shown = pristine
        if self.overlay is not None:
            if part.kind != "constant" or len(choices) > 1:
                shown = self.overlay.chosen(pristine, place.name)
            if place.forced and part.kind == "constant" and shown.state == "unset":
                shown = Control("set", shape.choices[0].id)
        return self.made(place, shape, pristine, shown, choices=choices)

    # What all have in common

    def made(
        self,
        place: Place,
        shape: Shape,
        pristine: Control,
        shown: Control,
        *,
        states: tuple[State, ...] = (),
        choices: tuple[Choice, ...] = (),
        children: tuple[Field, ...] = (),
        opened: bool = True,
        findings: tuple[Finding, ...] = (),
        note: str = "",
    ) -> Field:
        """The field of a place, with what is found there and below."""
        if place.key is not None:
            shown_key = place.key if place.shown_key is None else place.shown_key
            unchanged = shown is pristine and shown_key == place.key
            pristine = pristine._replace(key=place.key)
            shown = pristine if unchanged else shown._replace(key=shown_key)
        if self.placed is not None and place.path is not None:
            findings = (*findings, *self.placed.below(place.path))
        return Field(
            shape,
            place.name,
            place.id,
            place.path,
            place.element,
            pristine,
            shown,
            place.label or shape.label,
            place.member,
            states,
            choices,
            children,
            place.row,
            place.key is not None,
            place.forced,
            opened,
            findings,
            note,
            place.carried,
        )


def _one(element: Element, kind: str, shape: Shape) -> Control:
    """What a control shows of a scalar; one of another type is kept."""
    if element.kind == kind:
        return Control("set", element.raw)
    if element.kind == "null" and shape.nullable:
        return _NULL_CONTROL
    return Control("kept", element.raw)
