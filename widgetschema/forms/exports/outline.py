"""What there is to show, by the schema and by the data: the same for every target.

A form shows one place of the data in one field. The forms of other libraries are described by
patterns: what is said of the items of a list holds for each of them. So an `Outline` stands for all
places with one pattern, and knows what is there. Nothing is known here of any library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from widgetschema.forms.exports.javascript import number_text
from widgetschema.forms.fields import labels
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.control_kinds import kind_for_value
from widgetschema.forms.fields.field_specs import ABSENT, FieldSpec, FieldSpecs, SpecRequest
from widgetschema.forms.fields.ui_description import below, silent
from widgetschema.forms.model import TEXT_KINDS
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element
from widgetschema.pointers import escape_token
from widgetschema.schema.tree import Choice, Node

MAX_OUTLINES: Final = 2_000  # outlines; what is beyond is not looked into
MAX_LEVELS: Final = 24  # levels of outlines inside each other
CHOICE_KEYWORDS: Final = frozenset({"anyOf", "oneOf"})
# What a value is, in JSON, for which a kind is made.
VALUE_TYPES: Final = {
    **dict.fromkeys(TEXT_KINDS, "string"),
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "object": "object",
    "list": "array",
    "tuple": "array",
}


class PresentValue(NamedTuple):
    """A value that is there: its JSON Pointer, where it is written, and its Python value."""

    path: str
    element: Element
    value: Any


@dataclass(frozen=True, eq=False)
class Outline:
    """All places of the data with one pattern, `path`, in which `*` is any item.

    `kind` is that of the shape, for the values that are there; `there` are these. `members` are
    those that the schema names, `positions` the items that it describes one by one, `rows` all
    other items. `choice` is the `anyOf` or `oneOf` of the place, `branches` its branches.
    `undescribed` are members that the schema does not name. `is_cut` says that it is not
    looked into: because the schema leads back to itself, or because there is too much.
    """

    part: FieldSpec
    kind: str
    label: str
    path: str
    there: tuple[PresentValue, ...]
    required: bool
    is_row: bool = False
    members: tuple[tuple[str, Outline], ...] = ()
    positions: tuple[Outline, ...] = ()
    rows: Outline | None = None
    choice: Choice | None = None
    branches: tuple[Outline, ...] = ()
    undescribed: tuple[PresentValue, ...] = ()
    is_cut: bool = False

    @property
    def node(self) -> Node:
        """What the schema says of the place."""
        return self.part.shape.node

    @property
    def is_plain(self) -> bool:
        """Whether choices are told apart by their texts alone."""
        if self.kind == "boolean":
            return True
        values = self.node.values or ()
        plain = [value for value in values if type(value) in (str, int, float)]
        texts = {value if type(value) is str else number_text(float(value)) for value in plain}
        return len(plain) == len(values) == len(texts)

    @property
    def is_selection(self) -> bool:
        """Whether it is a list of choices, each at most once."""
        return self.node.unique and self.rows is not None and self.rows.kind == "enum"

    def odd(self) -> Iterator[PresentValue]:
        """The values that the kind is not made for."""
        made_for = VALUE_TYPES.get(self.kind)
        for one in self.there:
            if one.element.kind == "null" and self.part.shape.nullable:
                continue
            if self.kind in ("enum", "constant"):
                is_odd = canonical(one.value) not in self.part.index
            else:
                is_odd = made_for is not None and one.element.kind != made_for
            if is_odd:
                yield one


def outline_form(source: FormSource, label: str) -> Outline:
    """Return the outline of a form's data."""
    specs, element = source.specs, source.element
    wanted = SpecRequest(specs.tree.root, label=label, required=True, spots=specs.spots)
    return _Outliner(specs).at(
        wanted, source.at, (PresentValue(source.at, element, element.value),), {}
    )


class _Outliner:
    """One run of `outline`."""

    def __init__(self, shapes: FieldSpecs) -> None:
        self.shapes = shapes
        self.count = 0

    def at(
        self,
        wanted: SpecRequest,
        path: str,
        there: tuple[PresentValue, ...],
        above: dict[Node, int],
        is_row: bool = False,
        label: str = "",
    ) -> Outline:
        """The outline of a place; `above` are the nodes that it is in, and how often."""
        self.count += 1
        parts = self.parts(wanted, there)
        part = parts[0]
        kind = part.kind
        if kind in TEXT_KINDS:
            for one in there:
                if (
                    one.element.kind == "string"
                    and kind_for_value("text", one.value) == "long-text"
                ):
                    kind = kind if kind == "css" else "long-text"
        node = part.shape.node
        known = {**above, node: above.get(node, 0) + 1}
        # A list of itself is shown once more: its items are there to be edited.
        cut = (
            known[node] > (2 if is_row else 1)
            or len(above) >= MAX_LEVELS
            or self.count > MAX_OUTLINES
        )
        label = label or part.shape.label
        made = Outline(part, kind, label, path, there, wanted.required, is_row)
        if cut and kind in ("object", "list", "tuple", "alternatives"):
            return replace(made, is_cut=True)
        made = self.with_branches(made, wanted, known)
        if kind == "object":
            return self.of_object(made, parts, wanted, known)
        if kind in ("list", "tuple"):
            return self.of_array(made, wanted, known)
        return made

    def parts(self, wanted: SpecRequest, there: tuple[PresentValue, ...]) -> list[FieldSpec]:
        """What is said of the place: more than one thing if conditions depend on the data."""
        nodes = [self.shapes.settled(wanted.node, one.value) for one in there]
        nodes = nodes or [self.shapes.settled(wanted.node, ABSENT)]
        return [self.shapes.part(wanted._replace(node=node)) for node in dict.fromkeys(nodes)]

    def with_branches(self, made: Outline, wanted: SpecRequest, known: dict[Node, int]) -> Outline:
        """The same with its alternatives, as the schema has them."""
        choices = [choice for choice in wanted.node.choices if choice.keyword in CHOICE_KEYWORDS]
        if len(choices) != 1 or made.kind in ("enum", "constant", "boolean"):
            return made
        choice = choices[0]
        branches = []
        for branch in choice.branches:
            decided = wanted.node.key.decided | {choice.place}
            node = wanted.node.narrowed(branch.pointers, decided=decided)
            schema = self.shapes.tree.schema(branch.pointer)
            title = schema.get("title") if type(schema) is dict else None
            inner = wanted._replace(node=node, spots=silent(wanted.spots))
            fits = self.shapes.holds(branch.pointers, ())
            there = tuple(one for one in made.there if fits(one.value))
            one = self.at(inner, made.path, there, known)
            name = title if type(title) is str and title.strip() else labels.KIND_LABELS[one.kind]
            branches.append(replace(one, label=name))
        names = labels.number_duplicates([one.label for one in branches])
        named = tuple(replace(one, label=name) for one, name in zip(branches, names, strict=True))
        return replace(made, choice=choice, branches=named)

    def of_object(
        self, made: Outline, parts: list[FieldSpec], wanted: SpecRequest, known: dict[Node, int]
    ) -> Outline:
        slots = {slot.name: slot for part in reversed(parts) for slot in part.slots}
        order = dict.fromkeys(slot.name for part in parts for slot in part.slots)
        objects = [one for one in made.there if one.element.kind == "object"]
        found: dict[str, list[PresentValue]] = {name: [] for name in order}
        others: list[PresentValue] = []
        for one in objects:
            for member in one.element.members:
                path = f"{one.path}/{escape_token(member.name)}"
                inner = PresentValue(path, member.element, one.value[member.name])
                found.get(member.name, others).append(inner)
        members = []
        for name in order:
            slot = slots[name]
            want = slot.wanted._replace(spots=below(wanted.spots, name))
            path = f"{made.path}/{slot.token}"
            members.append((name, self.at(want, path, tuple(found[name]), known)))
        return replace(made, members=tuple(members), undescribed=tuple(others))

    def of_array(self, made: Outline, wanted: SpecRequest, known: dict[Node, int]) -> Outline:
        part = made.part
        fixed = len(part.positions)
        found: list[list[PresentValue]] = [[] for _ in range(fixed + 1)]
        for one in made.there:
            if one.element.kind == "array":
                for at, item in enumerate(one.element.items):
                    inner = PresentValue(f"{one.path}/{at}", item, one.value[at])
                    found[min(at, fixed)].append(inner)
        label = labels.row_label(part.shape.label)
        positions = []
        for at, node in enumerate(part.positions):
            want = SpecRequest(node, wanted.name, label, spots=below(wanted.spots, str(at)))
            name = f"{self.shapes.label(want)} {at + 1}"
            path = f"{made.path}/{at}"
            positions.append(self.at(want, path, tuple(found[at]), known, label=name))
        assert part.rest is not None
        want = SpecRequest(part.rest, wanted.name, label, spots=below(wanted.spots, "*"))
        rows = None
        if part.rest.kinds or found[fixed]:
            rows = self.at(want, f"{made.path}/*", tuple(found[fixed]), known, True)
        return replace(made, positions=tuple(positions), rows=rows)
