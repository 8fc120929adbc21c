"""The outline of a form, by the schema and the data: the same for every target.

A form has one field for each place of the data. Forms of other libraries are described by
patterns: the description of list items holds for each of them. So an `Outline` stands for all
places with one pattern, and has their values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from widgetschema.forms.exports.export import Loss
from widgetschema.forms.exports.javascript import number_text
from widgetschema.forms.fields import labels
from widgetschema.forms.fields.builder import FormSource
from widgetschema.forms.fields.control_kinds import kind_for_value
from widgetschema.forms.fields.field_specs import (
    FieldSpec,
    FieldSpecs,
    MemberSlot,
    SpecRequest,
)
from widgetschema.forms.fields.initial_values import ABSENT
from widgetschema.forms.fields.presentation import title_of
from widgetschema.forms.fields.ui_description import without_options
from widgetschema.forms.model import HOLDER_KINDS, TEXT_KINDS, UiOptions, kind_label
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element
from widgetschema.pointers import escape_token, step
from widgetschema.schema.tree import Choice, Node

MAX_OUTLINES: Final = 2_000  # outlines; what is beyond is not looked into
MAX_BRANCHES: Final = 100  # of conditions inside each other, of one object
MAX_LEVELS: Final = 24  # levels of outlines inside each other
# Reasons why neither library has a control of its own for a place.
IS_CUT: Final = "the schema leads back to itself here, or the form would become too large"
MISMATCH: Final = "a value is of another type, or not among the choices"
NOT_PLAIN: Final = "the choices are no texts or numbers that can be told apart"
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


class Rule(NamedTuple):
    """A condition of an object: a schema, and whether it has to hold.

    `without` is True if an empty object meets the condition.
    """

    schema: Any
    holds: bool
    without: bool


class PresentValue(NamedTuple):
    """A value in the data: its JSON Pointer, its element in the text, and its Python value."""

    path: str
    element: Element
    value: Any


@dataclass(frozen=True, eq=False)
class Outline:
    """All places of the data with one pattern, `path`, in which `*` is any item.

    `kind` is that of the shape, for the present `values`. `members` are those that the schema
    names, `positions` the items that it describes one by one, `rows` all other items. `choice` is
    the `anyOf` or `oneOf` of the place, `branches` its branches. `undescribed` are members that the
    schema does not name. `rules` are the conditions by which the object around it has this member:
    all of one group have to be met; () for a member that is always there. It `applies` unless the
    present values meet none of them, and `varies` if it is another one under other conditions.
    `is_cut` is True if the outline ends here: because the schema is recursive, or because there is
    too much.
    """

    spec: FieldSpec
    kind: str
    label: str
    path: str
    values: tuple[PresentValue, ...]
    required: bool
    is_row: bool = False
    members: tuple[tuple[str, Outline], ...] = ()
    positions: tuple[Outline, ...] = ()
    rows: Outline | None = None
    choice: Choice | None = None
    branches: tuple[Outline, ...] = ()
    undescribed: tuple[PresentValue, ...] = ()
    rules: tuple[tuple[Rule, ...], ...] = ()
    applies: bool = True
    varies: bool = False
    is_cut: bool = False
    custom: str = ""  # the name of the control of the application that it has in a form

    @property
    def ui(self) -> UiOptions:
        """The options of the place in the UI description."""
        return self.spec.shape.ui

    @property
    def node(self) -> Node:
        """The schemas that apply to the place."""
        return self.spec.shape.node

    @property
    def is_plain(self) -> bool:
        """True if choices differ in their texts."""
        if self.kind == "boolean":
            return True
        values = self.node.values or ()
        plain = [value for value in values if type(value) in (str, int, float)]
        texts = {value if type(value) is str else number_text(float(value)) for value in plain}
        return len(plain) == len(values) == len(texts)

    @property
    def is_selection(self) -> bool:
        """True for a list of choices, each at most once."""
        return self.node.unique and self.rows is not None and self.rows.kind == "enum"

    def walk(self) -> Iterator[Outline]:
        """Yield the outline and all below it."""
        todo = [self]
        while todo:
            one = todo.pop()
            yield one
            rows = () if one.rows is None else (one.rows,)
            inner = (*(member for _, member in one.members), *one.positions, *rows, *one.branches)
            todo.extend(reversed(inner))

    def mismatches(self) -> Iterator[PresentValue]:
        """Yield the values that the kind cannot show."""
        made_for = VALUE_TYPES.get(self.kind)
        for one in self.values:
            if one.element.kind == "null" and self.spec.shape.nullable:
                continue
            if self.kind in ("enum", "constant"):
                is_odd = canonical(one.value) not in self.spec.choice_ids
            else:
                is_odd = made_for is not None and one.element.kind != made_for
            if is_odd:
                yield one


def left_out(one: Outline, *done: str) -> Iterator[Loss]:
    """Yield what a UI description says of a place that the target leaves out.

    `done` are the options that the target has.
    """
    ui, messages = one.ui, []
    if one.custom:
        messages.append(f"the control {preview(one.custom)} is left out")
    if any(choice.picture for choice in ui.choices.values()):
        messages.append("pictures of values are left out")
    if "disabled" not in done and any(choice.disabled for choice in ui.choices.values()):
        messages.append("values that are not offered can be chosen")
    for option, message in _LAYOUT.items():
        if option not in done and getattr(ui, option) not in (None, (), "", option in _ALLOWED):
            messages.append(message)
    for message in messages:
        yield Loss("layout", one.path, message)


_ALLOWED: Final = ("addable", "removable", "orderable")  # unless they are False
_LAYOUT: Final = {
    "columns": "the number of columns is left out",
    "wide": "the width of the field is left out",
    "lines": "the number of lines is left out",
    "placeholder": "the placeholder is left out",
    "bytes": "the largest size of a file is left out",
    "addable": "more can be added",
    "removable": "everything can be removed",
    "orderable": "items can be moved",
    "groups": "groups are left out",
    "tabs": "tabs are left out",
    "when": "the condition is left out: it is always shown",
}


def editing_losses(one: Outline) -> Iterator[Loss]:
    """Yield what cannot be typed or chosen in the controls of either library."""
    if one.kind in TEXT_KINDS:
        for value in one.values:
            if value.element.kind == "string" and "\r" in value.value:
                message = "line breaks CR LF and CR become LF when the text is edited"
                yield Loss("editing", value.path, message)
    if one.kind == "upload":
        yield Loss("control", one.path, "a file is shown as its text in base64")
    if one.spec.shape.nullable:
        yield Loss("editing", one.path, "null is kept, but cannot be chosen")


def outline_form(source: FormSource, label: str) -> Outline:
    """Return the outline of a form's data, with all members that conditions can bring."""
    specs, element = source.specs, source.element
    request = SpecRequest(specs.tree.root, label=label, required=True, ui_places=specs.ui_places)
    return _Outliner(specs).at(
        request, source.at, (PresentValue(source.at, element, element.value),), {}
    )


class _Outliner:
    """One run of `outline`."""

    def __init__(self, specs: FieldSpecs) -> None:
        self.specs = specs
        self.count = 0

    def at(
        self,
        request: SpecRequest,
        path: str,
        values: tuple[PresentValue, ...],
        ancestors: dict[Node, int],
        is_row: bool = False,
        label: str = "",
    ) -> Outline:
        """Return the outline of a place; `ancestors` counts the nodes that it is in."""
        self.count += 1
        specs = self.specs_of(request, values)
        custom = specs[0].shape.ui.kind or "" if specs[0].plain is not None else ""
        specs = [one.plain or one for one in specs]
        spec = specs[0]
        kind = "list" if spec.kind == "checkboxes" else spec.kind
        if kind == "slider":
            kind = "integer" if spec.shape.node.integer else "number"
        elif spec.shape.free:
            kind = "json"
        if kind in TEXT_KINDS:
            for one in values:
                if (
                    one.element.kind == "string"
                    and kind_for_value("text", one.value) == "long-text"
                ):
                    kind = kind if kind == "css" else "long-text"
        node = spec.shape.node
        seen_nodes = {**ancestors, node: ancestors.get(node, 0) + 1}
        # A list of itself is shown once more: its items are there to be edited.
        cut = (
            seen_nodes[node] > (2 if is_row else 1)
            or len(ancestors) >= MAX_LEVELS
            or self.count > MAX_OUTLINES
        )
        label = label or spec.shape.label
        outline = Outline(spec, kind, label, path, values, request.required, is_row, custom=custom)
        if cut and kind in HOLDER_KINDS:
            return replace(outline, is_cut=True)
        outline = self.with_branches(outline, request, seen_nodes)
        if kind == "object":
            return self.of_object(outline, specs, request, seen_nodes)
        if kind in ("list", "tuple"):
            return self.of_array(outline, request, seen_nodes)
        return outline

    def specs_of(self, request: SpecRequest, values: tuple[PresentValue, ...]) -> list[FieldSpec]:
        """Return the specs of the place: several if conditions depend on the data."""
        decide = self.specs.decide_conditions
        present = [one.value for one in values] or [ABSENT]
        nodes = [decide(request.node, value, answers=False) for value in present]
        # Alternatives that a condition brings are told apart by rules.
        own = {one.place for one in self.open_choices(request.node)}
        brought = [
            [one.place for one in self.open_choices(node) if one.place not in own] for node in nodes
        ]
        nodes = [
            node.narrowed(decided=node.key.decided.union(places))
            for node, places in zip(nodes, brought, strict=True)
        ]
        return [self.specs.get(request._replace(node=node)) for node in dict.fromkeys(nodes)]

    def with_branches(
        self, outline: Outline, request: SpecRequest, seen_nodes: dict[Node, int]
    ) -> Outline:
        """Return the outline with its alternatives, as the schema has them."""
        choices = [choice for choice in request.node.choices if choice.keyword in CHOICE_KEYWORDS]
        if len(choices) != 1 or outline.kind in ("enum", "constant", "boolean"):
            return outline
        choice = choices[0]
        branches = []
        for branch in choice.branches:
            decided = request.node.key.decided | {choice.place}
            node = request.node.narrowed(branch.pointers, decided=decided)
            title = title_of(self.specs.tree.schema(branch.pointer))
            inner = request._replace(node=node, ui_places=without_options(request.ui_places))
            fits = self.specs.checks.accepts(branch.pointers)
            values = tuple(one for one in outline.values if fits(one.value))
            one = self.at(inner, outline.path, values, seen_nodes)
            branches.append(replace(one, label=title or kind_label(one.kind)))
        names = labels.number_duplicates([one.label for one in branches])
        named = tuple(replace(one, label=name) for one, name in zip(branches, names, strict=True))
        return replace(outline, choice=choice, branches=named)

    def of_object(
        self,
        outline: Outline,
        specs: list[FieldSpec],
        request: SpecRequest,
        seen_nodes: dict[Node, int],
    ) -> Outline:
        """Return the outline with its members."""
        slots = {slot.name: slot for spec in reversed(specs) for slot in spec.slots}
        dependent = self.dependent(request)
        applying = slots.keys()
        slots = {name: found[0][0] for name, found in dependent.items()} | slots
        order = dict.fromkeys(slot.name for spec in specs for slot in spec.slots)
        order |= dict.fromkeys(dependent)
        objects = [one for one in outline.values if one.element.kind == "object"]
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
            child_request = slot.request._replace(ui_places=step(request.ui_places, name))
            path = f"{outline.path}/{slot.token}"
            described = self.at(child_request, path, tuple(found[name]), seen_nodes)
            if name in dependent:
                rules = tuple(rules for _, rules in dependent[name])
                nodes = {slot.request.node for slot, _ in dependent[name]}
                described = replace(
                    described, rules=rules, applies=name in applying, varies=len(nodes) > 1
                )
            members.append((name, described))
        return replace(outline, members=tuple(members), undescribed=tuple(others))

    def dependent(
        self, request: SpecRequest
    ) -> dict[str, list[tuple[MemberSlot, tuple[Rule, ...]]]]:
        """Return the members that an object has under conditions only, each with these."""
        always = {slot.name for slot in self.slots(request, request.node)}
        found: dict[str, list[tuple[MemberSlot, tuple[Rule, ...]]]] = {}
        own = (one.place for one in request.node.choices if one.keyword in CHOICE_KEYWORDS)
        root = request.node.narrowed(decided=request.node.key.decided.union(own))
        todo: list[tuple[Node, tuple[Rule, ...]]] = [(root, ())]
        for node, rules in islice(todo, MAX_BRANCHES):  # which grows meanwhile
            choices = self.open_choices(node)
            decided = node.key.decided.union(one.place for one in choices)
            for rule, pointers, needed in chain.from_iterable(map(self.branches, choices)):
                present = (*node.key.present, *needed)
                inner = node.narrowed(pointers, decided=decided, present=present)
                for slot in self.slots(request, inner):
                    if slot.name not in always:
                        found.setdefault(slot.name, []).append((slot, (*rules, rule)))
                todo.append((inner, (*rules, rule)))
        return found

    def open_choices(self, node: Node) -> list[Choice]:
        """Return the conditions of a node, and the alternatives that they bring."""
        choices = [one for one in node.choices if one.keyword in CHOICE_KEYWORDS]
        return [*self.specs.conditions_of(node), *choices]

    def slots(self, request: SpecRequest, node: Node) -> tuple[MemberSlot, ...]:
        """Return the members of a node where none of its conditions applies."""
        decided = node.key.decided.union(one.place for one in self.open_choices(node))
        return self.specs.get(request._replace(node=node.narrowed(decided=decided))).slots

    def branches(
        self, condition: Choice
    ) -> Iterator[tuple[Rule, tuple[str, ...], tuple[str, ...]]]:
        """Yield the branches of a condition: when they apply, their schemas, and what they require.

        Alternatives are told apart by members with constants.
        """
        if condition.keyword in CHOICE_KEYWORDS:
            for branch in condition.branches:
                tags = {
                    name: {"enum": [*node.values]}
                    for name, node in self.specs.tree.node([branch.pointer]).properties.items()
                    if node.values
                }
                rule = Rule({"properties": tags, "required": [*tags]}, True, not tags)
                yield rule, branch.pointers, ()
            return
        first, second = condition.branches
        if condition.keyword == "dependencies":
            name, *needed = second.present
            yield Rule({"required": [name]}, True, False), second.pointers, tuple(needed)
            return
        asked, *then = first.pointers
        schema, without = self.specs.tree.schema(asked), self.specs.checks.accepts((asked,))({})
        yield Rule(schema, True, without), tuple(then), ()
        yield Rule(schema, False, not without), second.pointers, ()

    def of_array(
        self, outline: Outline, request: SpecRequest, seen_nodes: dict[Node, int]
    ) -> Outline:
        """Return the outline with its items."""
        spec = outline.spec
        fixed = len(spec.positions)
        found: list[list[PresentValue]] = [[] for _ in range(fixed + 1)]
        for one in outline.values:
            if one.element.kind == "array":
                for at, item in enumerate(one.element.items):
                    inner = PresentValue(f"{one.path}/{at}", item, one.value[at])
                    found[min(at, fixed)].append(inner)
        label = labels.row_label(spec.shape.label)
        positions = []
        for at, node in enumerate(spec.positions):
            child_request = SpecRequest(
                node, request.name, label, ui_places=step(request.ui_places, str(at))
            )
            name = f"{self.specs.label(child_request)} {at + 1}"
            path = f"{outline.path}/{at}"
            positions.append(self.at(child_request, path, tuple(found[at]), seen_nodes, label=name))
        assert spec.rest is not None
        child_request = SpecRequest(
            spec.rest, request.name, label, ui_places=step(request.ui_places, "*")
        )
        rows = None
        if spec.rest.kinds or found[fixed]:
            rows = self.at(
                child_request, f"{outline.path}/*", tuple(found[fixed]), seen_nodes, True
            )
        return replace(outline, positions=tuple(positions), rows=rows)
