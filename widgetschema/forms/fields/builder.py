"""Build the fields of a form: one walk over schema, text and posted controls.

Each place is a node of the schema tree, the element of the text that is there, if any, and the
value by which conditions are decided. What an untouched form shows (`pristine`) follows from
schema and text; posted controls are laid over it. A value that is too large for a form, nested
too deeply, or of another type than its control is shown as JSON: no part of the data is without
a field. A finding goes to the field at its path; if there is none, to the container around it.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, ClassVar, Final

from widgetschema.errors import TooManyFields, UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.forms import control_names as names
from widgetschema.forms.checking import SchemaChecks
from widgetschema.forms.control_names import control_name
from widgetschema.forms.fields import labels
from widgetschema.forms.fields.control_kinds import kind_for_value
from widgetschema.forms.fields.field_specs import (
    ABSENT,
    Cuts,
    FieldSpec,
    FieldSpecs,
    MemberSlot,
    SpecRequest,
    html_id_part,
)
from widgetschema.forms.fields.overlay import Overlay, selectable_states
from widgetschema.forms.fields.ui_description import Spots, below, silent
from widgetschema.forms.fields.value_transfer import transferable_text
from widgetschema.forms.model import (
    CHOICE_KINDS,
    CONTAINER_KINDS,
    ID,
    KEPT,
    NULL,
    NUMBER_KINDS,
    UNSET,
    Choice,
    Control,
    Field,
    PostedControls,
    Shape,
    State,
    TransferredValue,
)
from widgetschema.forms.posted_controls import MAX_CONTROLS, normalize_newlines
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element, Member, Tree, parse, scanned
from widgetschema.pointers import escape_token
from widgetschema.text import plural

_UNSET: Final = Control("unset")
_NULL_CONTROL: Final = Control("null")
_NOT_CHOSEN: Final = Control("unset", UNSET)
_NULL_CHOSEN: Final = Control("null", NULL)
_KEPT_CHOSEN: Final = Control("kept", KEPT)
_ROOT_LABEL: Final = "Data"

UNTYPEABLE: Final = "shown as JSON: it has a character that no control can hold"
MAX_FIELDS: Final = 2_000  # of an untouched form; what is left is shown as JSON
_MIN_VISIBLE: Final = 10  # fields: with room for fewer, a container is shown as JSON altogether
MAX_LEVELS: Final = 24  # of fields inside each other

TOO_MANY: Final = "shown as JSON: the form has as many fields as it can"
REST: Final = "the form has as many fields as it can: all others are here, as JSON"
TOO_DEEP: Final = "shown as JSON: it is nested deeper than the form"
NOT_OF_TYPE: Final = "shown as JSON: it is of another type than is asked for"


@dataclass(slots=True)
class FieldContext:
    """Where a field is built, filled in by the field around it.

    `value` is what would come back there, or `shapes.ABSENT`. `key` is the name of an additional
    member, None of all others; `shown_key` the one that was posted. `shelved` says that it belongs
    to an alternative that is not chosen. `conditional` that a condition had a say in its schema.
    `moved` that the element was in another alternative, `carried` in which text it is then, if it
    is not in that of the form.
    """

    name: str
    id: str
    path: str | None
    element: Element | None
    value: Any
    label: str = ""
    level: int = 0
    spots: Spots = ()
    member: Member | None = None
    row: str = ""
    key: str | None = None
    shown_key: str | None = None
    forced: bool = False
    shelved: bool = False
    conditional: bool = False
    moved: bool = False
    carried: TransferredValue | None = None


@dataclass(frozen=True, eq=False)
class FormSource:
    """What a form is made of: the specs of a schema, a text, and the place of the data in it.

    `at` is the JSON Pointer of the data. The ids of all fields begin with `id`.
    """

    specs: FieldSpecs
    checks: SchemaChecks
    tree: Tree
    at: str
    id: str = ID

    @cached_property
    def element(self) -> Element:
        """The element of the data in the text."""
        element = self.tree.at(self.at)
        if element is None:
            raise LookupError(self.at)
        return element

    def build(
        self, posted: PostedControls | None, data: Any, findings: Sequence[Finding] = ()
    ) -> Field:
        """Return the field of the data, with all fields below it.

        `posted` are the controls that were submitted; one that is missing leaves its value
        unchanged. `data` is the value that results, by which conditions are decided. `findings`,
        whose paths are those in the whole text, go to the fields that they are about; those about
        other parts of the text are left out.

        Raises `TooManyFields`.
        """
        specs, at = self.specs, self.at
        cuts = specs.cuts.setdefault(self.tree, {})
        if posted is None:
            walk = _FieldBuilder(specs, None, findings, None)
            root = walk.whole(at, self.element, data, self.id)
            cuts[at] = walk.cut, walk.hidden
            return root
        if at not in cuts:  # what is too much for the form does not depend on what was posted
            self.build(None, self.element.value)
        walk = _FieldBuilder(specs, Overlay(posted), findings, cuts[at])
        return walk.whole(at, self.element, data, self.id)


class _FieldBuilder:
    """One walk; `cut` says of containers that are too large for the form how much they show.

    `hidden` are the names of those members of such objects that have no field of their own:
    the same whatever was posted, even if a condition of the schema brings other fields.
    """

    def __init__(
        self,
        shapes: FieldSpecs,
        overlay: Overlay | None,
        findings: Sequence[Finding],
        cut: Cuts | None,
    ) -> None:
        self.shapes = shapes
        self.overlay = overlay
        self.placed = UnclaimedFindings(findings) if findings else None
        self.cut, self.hidden = ({}, {}) if cut is None else cut
        self.limit = MAX_FIELDS
        self.is_first = cut is None
        self.count = 0

    def whole(self, at: str, element: Element, data: Any, id: str) -> Field:
        """The field of the whole."""
        name = control_name(at)
        place = FieldContext(
            name, id + html_id_part(name[1:]), at, element, data, spots=self.shapes.spots
        )
        wanted = SpecRequest(
            self.shapes.tree.root, "", _ROOT_LABEL, required=True, spots=place.spots
        )
        return self.field(place, wanted)

    def field(
        self, place: FieldContext, wanted: SpecRequest, part: FieldSpec | None = None
    ) -> Field:
        """The field of a place; `part` is its part, if that is known already."""
        self.count += 1
        if self.count > MAX_CONTROLS:
            raise TooManyFields(self.count, MAX_CONTROLS)
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

    def _typed(self, place: FieldContext, part: FieldSpec) -> Field:
        """Text, a number, or JSON."""
        kind, element = part.kind, place.element
        if element is None:
            pristine = _UNSET
        elif kind == "json":
            return self.as_json(place, part)
        elif kind in NUMBER_KINDS:
            if element.kind in ("object", "array"):
                return self.as_json(place, part, NOT_OF_TYPE)
            pristine = _scalar_control(element, "number", part.shape)
        else:
            if element.kind in ("object", "array"):
                return self.as_json(place, part, NOT_OF_TYPE)
            if element.kind == "string":
                text = element.value
                if "\0" in text:
                    return self.as_json(place, part, UNTYPEABLE)
                text = normalize_newlines(text)
                pristine = Control("set" if text else "empty", text)
                kind = kind_for_value(kind, text)
            else:
                pristine = _scalar_control(element, "", part.shape)
        is_text = kind not in NUMBER_KINDS and kind != "json"
        return self._with_states(place, part, kind, pristine, is_text=is_text)

    def as_json(self, place: FieldContext, part: FieldSpec, note: str = "") -> Field:
        """A value as JSON text, whatever it is."""
        element = place.element
        pristine = _UNSET if element is None else Control("set", element.dedented)
        return self._with_states(place, part, "json", pristine, note=note)

    def _with_states(
        self,
        place: FieldContext,
        part: FieldSpec,
        kind: str,
        pristine: Control,
        *,
        is_text: bool = False,
        note: str = "",
    ) -> Field:
        shape = part.shape_as(kind)
        note = note or part.note
        optional = not (shape.required or place.forced or place.row)
        state: State = "set" if place.forced and pristine is _UNSET else pristine.state
        states = selectable_states("text" if is_text else "other", optional, shape.nullable, state)
        shown = pristine
        if self.overlay is not None:
            shown = self.overlay.typed(
                pristine, place.name, states, forced=place.forced, is_text=is_text
            )
            if is_text and "\n" in shown.text:
                shape = part.shape_as(kind_for_value(kind, shown.text))
        return self.made(place, shape, pristine, shown, states=states, note=note)

    def _choice(self, place: FieldContext, part: FieldSpec) -> Field:
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
        place: FieldContext,
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

    # Objects

    def _object(self, place: FieldContext, part: FieldSpec, wanted: SpecRequest) -> Field:
        element = place.element
        members = element.members if element is not None else ()
        extra = {
            names.row_id(member.name): member for member in members if member.name not in part.names
        }
        note = self._note(place, part, "object")
        if note:
            return self.as_json(place, part, note)
        size = len(part.slots) + len(extra)
        made = (self._named(place, slot) for slot in part.slots)
        more = (self._extra(place, part, id, extra[id]) for id in extra)
        fit = self._fit(place, size, chain(made, more))
        if not fit and size:
            return self.as_json(place, part, TOO_MANY)
        if self.is_first and fit < size:
            order = (*(slot.name for slot in part.slots), *(one.name for one in extra.values()))
            self.hidden[place.name] = frozenset(order[fit:])
        hidden = self.hidden.get(place.name, frozenset())
        slots = [slot for slot in part.slots if slot.name not in hidden]
        extra = {id: member for id, member in extra.items() if member.name not in hidden}
        pristine, shown, states = self._controls(place, part, tuple(extra))
        if place.conditional and self.overlay is not None:
            # A member that a condition named when the form was shown was no row then.
            overlay, known = self.overlay, frozenset(shown.rows)
            left = [id for id in extra if id not in known]
            left = [id for id in left if overlay.is_about(names.row_name(place.name, id))]
            shown = shown._replace(rows=(*shown.rows, *left)) if left else shown
        if not self._is_open(place, part):
            return self.made(place, part.shape, pristine, shown, states=states, opened=False)
        children = [self._named(place, slot) for slot in slots]
        children += [self._extra(place, part, id, extra.get(id)) for id in shown.rows]
        if hidden:
            rest = tuple(member for member in members if member.name in hidden)
            children.append(self._rest(place, part, rest, "member"))
        shown = _set_if_filled(children, pristine, shown)
        if shown.state == "set" and (pristine.state != "set" or place.moved):
            children = [_with_constant_set(child) for child in children]
        return self.made(
            place, part.shape, pristine, shown, states=states, children=tuple(children)
        )

    def _named(self, place: FieldContext, slot: MemberSlot) -> Field:
        """The member that a slot names."""
        element = place.element
        member = element.member(slot.name) if element is not None else None
        child = FieldContext(
            f"{place.name}/{slot.control}",
            f"{place.id}-{slot.id}",
            None if place.path is None else f"{place.path}/{slot.token}",
            None if member is None else member.element,
            _member_value(place.value, slot.name),
            "",
            place.level + 1,
            slot.wanted.spots,
            member,
            shelved=place.shelved,
            moved=place.moved,
        )
        part = slot.ready[0] if slot.ready else self.shapes.ready(slot)
        return self.field(child, slot.wanted, part)

    def _extra(self, place: FieldContext, part: FieldSpec, id: str, member: Member | None) -> Field:
        """A member that the schema does not name: a row with a key."""
        name = names.row_name(place.name, id)
        key = "" if member is None else member.name
        posted = self._posted(names.companion_name(names.KEY, name))
        shown = key if posted is None or posted == normalize_newlines(key) else posted
        path = None if place.path is None else f"{place.path}/{escape_token(shown)}"
        label = labels.literal_label(shown) if shown or member else labels.NEW_MEMBER
        child = FieldContext(
            name,
            f"{place.id}-{html_id_part(id)}",
            path,
            None if member is None else member.element,
            _member_value(place.value, shown),
            label,
            place.level + 1,
            below(place.spots, key) if place.spots else (),
            member,
            row=id,
            key=normalize_newlines(key),
            shown_key=normalize_newlines(shown),
            forced=member is None,
            shelved=place.shelved,
        )
        node = part.shape.node.child(key) if member is not None else part.rest
        assert node is not None
        return self.field(child, SpecRequest(node, key, label, True, spots=child.spots))

    # Arrays

    def _array(self, place: FieldContext, part: FieldSpec, wanted: SpecRequest) -> Field:
        items = place.element.items if place.element is not None else ()
        note = self._note(place, part, "array")
        if note:
            return self.as_json(place, part, note)
        fixed = len(part.positions)
        label = labels.row_label(part.shape.label)

        def position(at: int) -> Field:
            element = items[at] if at < len(items) else None
            child = self._item(place, str(at), at, element)
            node = part.positions[at]
            want = SpecRequest(node, wanted.name, label, False, at < part.least, spots=child.spots)
            return self._numbered(place, child, want, at)

        def row(at: int, id: str) -> Field:
            is_new = id.startswith("+")
            child = self._item(place, id, at, None if is_new else items[int(id)])
            child.row, child.forced = id, is_new
            assert part.rest is not None
            want = SpecRequest(part.rest, wanted.name, label, spots=child.spots)
            return self._numbered(place, child, want, at)

        size = max(len(items), fixed)
        more = (row(at, str(at)) for at in range(fixed, len(items)))
        fit = self._fit(place, size, chain(map(position, range(fixed)), more))
        if size and fit < max(fixed, 1):
            return self.as_json(place, part, TOO_MANY)
        pristine, shown, states = self._controls(place, part, tuple(map(str, range(fixed, fit))))
        if not self._is_open(place, part):
            return self.made(place, part.shape, pristine, shown, states=states, opened=False)
        children = [position(at) for at in range(fixed)]
        children += [row(at, id) for at, id in enumerate(shown.rows, fixed)]
        if fit < size:
            children.append(self._rest(place, part, items[fit:], "item"))
        shown = _set_if_filled(children, pristine, shown)
        return self.made(
            place, part.shape, pristine, shown, states=states, children=tuple(children)
        )

    def _item(self, place: FieldContext, id: str, at: int, element: Element | None) -> FieldContext:
        return FieldContext(
            f"{place.name}/{id}",
            f"{place.id}-{html_id_part(id)}",
            None if place.path is None else f"{place.path}/{at}",
            element,
            _item_value(place.value, at),
            level=place.level + 1,
            spots=below(place.spots, str(at)) if place.spots else (),
            shelved=place.shelved,
        )

    def _numbered(
        self, around: FieldContext, place: FieldContext, wanted: SpecRequest, at: int
    ) -> Field:
        """The field of an item: "Slide 2", and in a list in a list "Row 2.1"."""
        label = self.shapes.label(wanted)
        if around.row and around.key is None and label == wanted.label:
            place.label = f"{around.label}.{at + 1}"
        else:
            place.label = f"{label} {at + 1}"
        return self.field(place, wanted)

    # Alternatives

    def _alternatives(self, place: FieldContext, part: FieldSpec, wanted: SpecRequest) -> Field:
        note = self._note(place, part, "")
        if note:
            return self.as_json(place, part, note)
        if not self._fit(place, len(part.options), ()):
            return self.as_json(place, part, TOO_MANY)
        element = place.element
        state: State = "unset" if element is None else "set"
        if element is not None and element.kind == "null" and part.shape.nullable:
            state = "null"
        pristine = shown = Control(state, chosen=self.shapes.chosen(part, element))
        if self.overlay is not None:
            count = len(part.options)
            chosen = self.overlay.alternative(place.name, pristine.chosen, count)
            if chosen != pristine.chosen:
                shown = pristine._replace(chosen=chosen)
        is_open = element is not None or not place.shelved or self._opens(place)
        if not is_open:
            return self.made(place, part.shape, pristine, shown, opened=False)
        findings: tuple[Finding, ...] = ()
        if self.placed is not None and place.path is not None:
            findings = self.placed.of_choice(place.path)
        spots = silent(place.spots) if place.spots else ()
        children = [
            self._branch(place, part, wanted, at, pristine.chosen, shown.chosen, spots)
            for at in range(len(part.options))
        ]
        return self.made(
            place, part.shape, pristine, shown, children=tuple(children), findings=findings
        )

    def _branch(
        self,
        place: FieldContext,
        part: FieldSpec,
        wanted: SpecRequest,
        at: int,
        was: int,
        chosen: int,
        spots: Spots,
    ) -> Field:
        """One of the alternatives."""
        is_chosen, is_there = at == chosen, at == was
        name = names.branch_name(place.name, at)
        element, carried = place.element, self._carried(name)
        if carried is not None:
            element = carried.tree.root
        elif not is_there and element is not None:
            element, carried = self._moved(name, element, part, at, was, is_chosen=is_chosen)
        child = FieldContext(
            name,
            f"{place.id}{html_id_part(f';{at}')}",
            place.path if is_chosen else None,
            element,
            place.value if is_chosen else ABSENT,
            level=place.level,
            spots=spots,
            member=place.member if is_there else None,
            forced=is_chosen and (place.forced or chosen != was),
            shelved=place.shelved or not is_chosen,
            moved=element is not None and (carried is not None or not is_there),
            carried=carried,
        )
        label, required = part.shape.branches[at].label, wanted.required or bool(place.row)
        node = part.options[at].node
        ways = wanted.ways * len(part.options)
        want = SpecRequest(
            node, wanted.name, label, True, required, part.shape.nullable, spots, ways
        )
        if child.moved and element is not None and _is_large(element):
            return self.as_json(child, self.shapes.part(want), TOO_MANY)
        return self.field(child, want)

    def _carried(self, name: str) -> TransferredValue | None:
        """What was typed into another alternative, and came to this one."""
        text = self._posted(names.companion_name(names.FROM, name))
        if text is None:
            return None
        try:
            return TransferredValue(parse(text), typed=True)
        except UnreadableDocument:
            return None

    def _moved(
        self, name: str, element: Element, part: FieldSpec, at: int, was: int, *, is_chosen: bool
    ) -> tuple[Element | None, TransferredValue | None]:
        """What an alternative can hold of a value that is in another one.

        It is shown before the alternative is chosen, too, as long as it is not in many controls.
        """
        shape, source = part.shape.branches[at], part.shape.branches[was]
        is_large = shape.kind in CONTAINER_KINDS or shape.kind == "alternatives"
        if is_large and not is_chosen and not (self.overlay and self.overlay.opens(name)):
            return None, None
        if element.kind == "null" and part.shape.nullable:
            return (element if shape.nullable else None), None
        text = transferable_text(element, shape, source.node)
        if text is None or text == element.raw:
            return (None if text is None else element), None
        tree = Tree(text, scanned(text))
        return tree.root, TransferredValue(tree, typed=False)

    # What all of them need

    def _rest(
        self, place: FieldContext, part: FieldSpec, rest: tuple[Element | Member, ...], what: str
    ) -> Field:
        """The members or items that have no field of their own, as JSON in one control."""
        texts = [
            f"{json.dumps(one.name, ensure_ascii=False)}: {one.element.dedented}"
            if isinstance(one, Member)
            else one.dedented
            for one in rest
        ]
        first, last = "{}" if what == "member" else "[]"
        text = "\n".join((first, ",\n".join(texts), last)) if texts else f"{first}{last}"
        label = f"{part.shape.label}: {plural(len(rest), f'further {what}')}"
        shape = Shape("json", label, part.shape.node, required=True)
        child = FieldContext(names.rest_name(place.name), f"{place.id}-_r", None, None, ABSENT)
        pristine = shown = Control("set", text)
        if self.overlay is not None:
            shown = self.overlay.typed(pristine, child.name, (), forced=False, is_text=False)
        field = self.made(child, shape, pristine, shown, note=REST)
        return replace(field, is_rest=True, rest=rest)

    def _fit(self, place: FieldContext, size: int, made: Iterable[Field]) -> int:
        """How many of the children of a container are shown, each in fields of its own.

        If there is not room for all, those that are `made` first get half of what there is (all
        of it at the top), so that something is left for what comes after the container.
        """
        if place.name in self.cut:
            return self.cut[place.name]
        if not self.is_first or self.count + size <= self.limit:
            return size
        room, fit = self.limit - self.count, 0
        if place.level:
            room //= 2
        if room >= _MIN_VISIBLE:
            before = self.count, self.limit, self.placed
            self.limit, self.placed = self.count + room, None
            for _ in takewhile(lambda _: self.count < self.limit, made):
                fit += 1
            self.count, self.limit, self.placed = before
        self.cut[place.name] = fit
        return fit

    def _note(self, place: FieldContext, part: FieldSpec, type: str) -> str:
        """Why a container is shown as JSON; empty if it is not."""
        element = place.element
        if element is not None and type and element.kind != type:
            if element.kind != "null" or not part.shape.nullable:
                return NOT_OF_TYPE
        if place.level >= MAX_LEVELS:
            return TOO_DEEP
        return ""

    def _controls(
        self, place: FieldContext, part: FieldSpec, rows: tuple[str, ...]
    ) -> tuple[Control, Control, tuple[State, ...]]:
        """What a container shows, untouched and now, and the states to choose from."""
        element, shape = place.element, part.shape
        state: State = "set"
        if element is None:
            state = "unset"
        elif element.kind == "null":
            state = "null"
        optional = not (shape.required or place.forced or place.row)
        known: State = "set" if place.forced and element is None else state
        states = selectable_states("other", optional, shape.nullable, known)
        pristine = shown = Control(state, rows=rows)
        if self.overlay is not None:
            now = self.overlay.state(state, place.name, states, forced=place.forced)
            order = self.overlay.rows(rows, place.name)
            order = rows if order is None else order
            if now != state or order != rows:
                shown = Control(now, rows=order)
        return pristine, shown, states

    def _is_open(self, place: FieldContext, part: FieldSpec) -> bool:
        """Whether a container is shown with what is in it, or is to be opened on demand."""
        if place.element is not None and place.element.kind != "null":
            return True
        if place.forced or self._opens(place):
            return True
        if place.shelved or place.element is not None:
            return False
        return part.shape.required and not part.shape.recursive

    def _opens(self, place: FieldContext) -> bool:
        """Whether somebody opened a part."""
        return self.overlay is not None and self.overlay.opens(place.name)

    def _posted(self, control: str) -> str | None:
        return None if self.overlay is None else self.overlay.first(control)

    BUILT: ClassVar[dict[str, Callable[[Any, FieldContext, FieldSpec, SpecRequest], Field]]] = {
        "object": _object,
        "list": _array,
        "tuple": _array,
        "alternatives": _alternatives,
    }


def _scalar_control(element: Element, kind: str, shape: Shape) -> Control:
    """What a control shows of a scalar; one of another type is kept."""
    if element.kind == kind:
        return Control("set", element.raw)
    if element.kind == "null" and shape.nullable:
        return _NULL_CONTROL
    return Control("kept", element.raw)


def _set_if_filled(children: list[Field], pristine: Control, shown: Control) -> Control:
    """What a container shows that was not there: it is, if anything in it is."""
    if shown.state == "set" or shown.state != pristine.state or not any(map(_has_value, children)):
        return shown
    return shown._replace(state="set")


def _has_value(field: Field) -> bool:
    while field.kind == "alternatives" and field.children:
        field = field.children[field.shown.chosen]
    return field.shown.state != "unset"


def _with_constant_set(child: Field) -> Field:
    """A member of a new object: what must be there, and can be but one value, is."""
    if child.kind != "constant" or not child.shape.required or child.shown.state != "unset":
        return child
    choices = tuple(choice for choice in child.choices if choice.id != UNSET)
    shown = child.shown._replace(state="set", text=child.shape.choices[0].id)
    return replace(child, shown=shown, choices=choices)


def _is_large(element: Element) -> bool:
    """Whether a value has more parts than a form has fields."""
    found = [element]
    for one in found:  # which grows meanwhile
        if len(found) > MAX_FIELDS:
            return True
        found.extend(member.element for member in one.members)
        found.extend(one.items)
    return False


def _member_value(value: Any, name: str) -> Any:
    return value.get(name, ABSENT) if type(value) is dict else ABSENT


def _item_value(value: Any, at: int) -> Any:
    return value[at] if type(value) is list and at < len(value) else ABSENT


# A finding about a member that is missing has the path of the object.
_MEMBER_KEYWORDS = frozenset({"required", "dependencies"})
_CHOICE_KEYWORDS = frozenset({"anyOf", "oneOf"})  # beside the control that chooses


class UnclaimedFindings:
    """Findings that wait for their fields."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._left: dict[str, list[tuple[int, Finding]]] = {}
        for at, finding in enumerate(findings):
            self._left.setdefault(_finding_path(finding), []).append((at, finding))
        self._paths = sorted(self._left)

    def of_choice(self, path: str) -> tuple[Finding, ...]:
        """What is found at a path about the choice of an alternative."""
        found = self._left.get(path, ())
        chosen = [one for one in found if one[1].keyword in _CHOICE_KEYWORDS]
        if chosen:
            self._left[path] = [one for one in found if one[1].keyword not in _CHOICE_KEYWORDS]
        return _in_order(chosen)

    def below(self, path: str) -> tuple[Finding, ...]:
        """What is left at a path, and below it."""
        found = [*self._left.pop(path, ())]
        begin = f"{path}/"
        for at in range(bisect_left(self._paths, begin), len(self._paths)):
            if not self._paths[at].startswith(begin):
                break
            found += self._left.pop(self._paths[at], ())
        return _in_order(found)


def _finding_path(finding: Finding) -> str:
    if finding.keyword in _MEMBER_KEYWORDS and type(finding.expected) is str:
        return f"{finding.path}/{escape_token(finding.expected)}"
    return finding.path


def _in_order(found: Sequence[tuple[int, Finding]]) -> tuple[Finding, ...]:
    return tuple(finding for _, finding in sorted(found, key=lambda one: one[0]))
