"""`FieldSpecs`: everything about the fields of a widget type that is the same in all its forms.

A `FieldSpec` holds what it takes to build the field of one place: its shape, the members that
the schema names, the alternatives, the ids of allowed values. Specs are made on demand and
cached. Only two questions look at a value: which branch of a condition holds, and which
alternative a value belongs to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from widgetschema.findings import escape_token
from widgetschema.forms.control_names import encoded
from widgetschema.forms.fields import control_kinds, labels
from widgetschema.forms.fields import ui_description as description
from widgetschema.forms.fields.presentation import (
    MOST_ALTERNATIVES,
    Look,
    Option,
    is_possible,
    look,
)
from widgetschema.forms.fields.ui_description import Description, Spots, below
from widgetschema.forms.fields.value_transfer import narrower
from widgetschema.forms.model import (
    NULL,
    TEXT_KINDS,
    UNSET,
    Choice,
    Choosing,
    Shape,
)
from widgetschema.jsontext import dump, preview
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tree import Element, Tree
from widgetschema.schema.tree import Choice as Condition
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.schema.tree.tree import needs_of

_MOST_RADIOS: Final = 4
_MOST_NAMES: Final = 3  # of members, by which groups are told apart
_BOOLEANS: Final = (Choice("true", "Yes", "true"), Choice("false", "No", "false"))
_UNSET: Final = Choice(UNSET, "Not set", None)
_NULL: Final = Choice(NULL, "Null", "null")

CROWDED: Final = "shown as JSON: there are more alternatives than a form can show"
NOTHING: Final = "the schema allows no value here"


class Wanted(NamedTuple):
    """Which part is wanted: of a node, for a member of this name.

    `label` is what it is called if the schema has no title, or in any case if it is `fixed`. `ways`
    is how many alternatives there are already for the value, if it is one of these.
    """

    node: Node
    name: str = ""
    label: str = ""
    fixed: bool = False
    required: bool = False
    nullable: bool = False
    spots: Spots = ()
    ways: int = 1


class Slot(NamedTuple):
    """A member that the schema names: its parts of JSON Pointers, of control names, of ids.

    `ready` holds its part, once it is known, unless a condition has a say in it.
    """

    name: str
    token: str
    control: str
    id: str
    wanted: Wanted
    ready: list[Part]


@dataclass(frozen=True, eq=False)
class Part:
    """A shape, and what it takes to build fields of it.

    `slots` are the members that the schema names, `names` their names; `positions` the items that
    it describes one by one, `rest` the node of all other items or new members. `index` has the ids
    of choices by the canonical form of the value. `note` says why it is JSON, if one would wonder.
    """

    shape: Shape
    kind: str
    options: tuple[Option, ...] = ()
    accepted: tuple[tuple[str, ...], ...] = ()  # the types that each option shows
    slots: tuple[Slot, ...] = ()
    names: frozenset[str] = frozenset()
    positions: tuple[Node, ...] = ()
    least: int = 0
    rest: Node | None = None
    index: Mapping[Any, str] = field(default_factory=dict)
    note: str = ""
    null: Choice = _NULL  # how null is chosen, where it is allowed
    kept: dict[Any, Any] = field(default_factory=dict)  # what is made when it is asked for

    def shape_as(self, kind: str) -> Shape:
        """The same shape for another control."""
        if kind == self.kind:
            return self.shape
        made: Shape | None = self.kept.get(kind)
        if made is None:
            changes: dict[str, Any] = {"kind": kind}
            if kind in TEXT_KINDS:
                changes["example"] = self.shape.example or control_kinds.EXAMPLES.get(kind, "")
            else:
                changes.update(choices=(), branches=(), example="", nullable=False, open=False)
            made = self.kept[kind] = replace(self.shape, **changes)
        return made

    def choices(self, unset: bool) -> tuple[Choice, ...]:
        """The choices, with `unset` if it may be chosen, and null if that is allowed."""
        made: tuple[Choice, ...] | None = self.kept.get(unset)
        if made is None:
            made = self.shape.choices
            made = (_UNSET, *made) if unset else made
            made = (*made, self.null) if self.shape.nullable else made
            self.kept[unset] = made
        return made


def made(wanted: Wanted, said: Choosing | None, part: Callable[[Wanted], Part]) -> Part:
    """The part that is wanted; `said` is what a UI description says, `part` gives those inside."""
    shown = look(wanted.node)
    if said is not None and said.kind is not None:
        shown = _as_asked(shown, said.kind)
    label = wanted.label
    title = shown.node.annotation("title")
    if not wanted.fixed and type(title) is str and title.strip():
        label = title
    if said is not None and said.label:
        label = said.label
    wanted = wanted._replace(label=label, nullable=wanted.nullable or shown.nullable)
    return _of_look(wanted, shown, said, part)


def _of_look(
    wanted: Wanted, shown: Look, said: Choosing | None, part: Callable[[Wanted], Part]
) -> Part:
    kind = _kind(wanted, shown)
    if said is not None and said.kind is not None and _may_be(shown, kind, said.kind):
        kind = said.kind
    nullable = wanted.nullable and kind not in ("json", "constant")
    node = shown.node
    strict = shown.strict or node
    help = said.help if said and said.help is not None else node.annotation("description")
    type = shown.kinds[0] if len(shown.kinds) == 1 and shown.values is None else ""
    example = (
        said.example if said and said.example is not None else control_kinds.example(node, kind)
    )
    shape = Shape(
        kind=kind,
        label=wanted.label,
        node=node,
        help=help or "",
        required=wanted.required,
        nullable=nullable,
        limits=control_kinds.bounds(strict, type),
        example=example,
        default=control_kinds.default(node),
        recursive=node.recursive,
    )
    if kind in ("enum", "constant", "boolean"):
        return _of_choices(shape, shown, said)
    if kind == "alternatives":
        return _of_options(shape, wanted, shown, part)
    if kind == "object":
        return _of_object(shape, strict, wanted.spots)
    if kind in ("list", "tuple"):
        return _of_array(shape, strict)
    return Part(shape, kind, note=_note(shown, said) if kind == "json" else "")


def _note(shown: Look, said: Choosing | None) -> str:
    """Why a place is shown as JSON, where nothing else tells."""
    if said is not None and said.kind == "json":
        return ""
    if shown.options:
        return CROWDED
    return "" if shown.kinds or shown.anything else NOTHING


def _kind(wanted: Wanted, shown: Look) -> str:
    if shown.values is not None:
        values = [value for value, _ in shown.values]
        if len(values) == 2 and all(type(value) is bool for value in values):
            return "boolean"
        if len(values) < 2 and not (values and wanted.nullable and values[0] is not None):
            return "constant" if values or wanted.nullable else "json"
        return "enum"
    if shown.options:
        is_crowded = shown.crowded or wanted.ways * len(shown.options) > MOST_ALTERNATIVES
        return "json" if is_crowded else "alternatives"
    if not shown.kinds:
        return "constant" if wanted.nullable else "json"
    return _of_type(shown.kinds[0], shown.node, wanted.name)


def _of_type(type: str, node: Node, name: str) -> str:
    if type == "number":
        return "integer" if node.integer else "number"
    if type == "string":
        return control_kinds.of_text(node, name)
    if type == "array":
        if node.tuple_length:
            return "tuple"
        return "json" if look(node.item(0)).anything else "list"
    if type == "object":
        return "object" if _is_described(node) else "json"
    return type


def _of_options(shape: Shape, wanted: Wanted, shown: Look, part: Callable[[Wanted], Part]) -> Part:
    inside = wanted._replace(
        label="",
        fixed=True,
        nullable=shape.nullable,
        spots=(),
        ways=wanted.ways * len(shown.options),
    )
    parts = [part(inside._replace(node=option.node)) for option in shown.options]
    branches = tuple(
        replace(one.shape, label=label, accepting=option.accepting)
        for one, label, option in zip(
            parts, _told_apart(shown.options, parts), shown.options, strict=True
        )
    )
    accepted = tuple(look(option.node).kinds or option.node.kinds for option in shown.options)
    return Part(replace(shape, branches=branches), "alternatives", shown.options, accepted)


def _as_asked(shown: Look, kind: str) -> Look:
    """Of alternatives the one that somebody asked for by its kind."""
    type = "string" if kind in TEXT_KINDS else "number"
    if not shown.options or kind == "json":
        return shown
    for option in shown.options:
        inner = look(option.node)
        if inner.kinds == (type,) and inner.values is None:
            return replace(inner, nullable=inner.nullable or shown.nullable)
    return shown


def _may_be(shown: Look, kind: str, asked: str) -> bool:
    """Whether a kind that somebody asked for can be shown in the place of ours."""
    if asked == "json":
        return True
    if asked in TEXT_KINDS:
        return kind in TEXT_KINDS
    return kind in ("number", "integer")


def _is_described(node: Node) -> bool:
    """Whether anything is said of the members of an object."""
    if node.properties or node.patterns or node.required:
        return True
    others = [value for _, value in node.said("additionalProperties")]
    return any(value is False or value for value in others if value is not True)


def _of_object(shape: Shape, strict: Node, spots: Spots) -> Part:
    node = shape.node
    required = frozenset(strict.required)
    slots = []
    for name in dict.fromkeys([*node.properties, *strict.required]):
        child = node.child(name)
        if is_possible(child):
            control = encoded(name)
            label, inside = labels.in_words(name), below(spots, name) if spots else ()
            wanted = Wanted(child, name, label, required=name in required, spots=inside)
            slots.append(Slot(name, escape_token(name), control, as_id(control), wanted, []))
    said = any(node.said("additionalProperties")) or bool(node.patterns)
    is_open = said and not (node.closed and not node.patterns) and bool(node.names.kinds)
    shape = replace(shape, open=is_open)
    return Part(
        shape,
        "object",
        slots=tuple(slots),
        names=frozenset(slot.name for slot in slots),
        rest=_of_new(node),
    )


def _of_new(node: Node) -> Node:
    """The node of a new member, before it has a name."""
    if not node.closed:
        return node.other
    places = [
        f"{place}/{escape_token(pattern)}"
        for place, value in node.said("patternProperties")
        for pattern in value
    ]
    return node.tree.node(places if len(places) == 1 else ())


def _of_array(shape: Shape, strict: Node) -> Part:
    node = shape.node
    length = node.tuple_length
    rest = node.item(length)
    return Part(
        replace(shape, open=bool(rest.kinds)),
        shape.kind,
        positions=tuple(node.item(at) for at in range(length)),
        least=strict.least("minItems"),
        rest=rest,
    )


def _of_choices(shape: Shape, shown: Look, said: Choosing | None) -> Part:
    [null] = _named((_NULL,), said)
    if shape.kind == "boolean":
        shape = replace(shape, choices=_named(_BOOLEANS, said), as_radio=True)
        index = {canonical(True): "true", canonical(False): "false"}
        return Part(shape, "boolean", index=index, null=null)
    values = shown.values or ((None, None),)
    others = {preview(value) for value, _ in values if type(value) is not str}
    choices, index = [], {}
    for at, (value, title) in enumerate(values):
        index.setdefault(canonical(value), str(at))
        label = title or _of_value(value, others)
        choices.append(Choice(str(at), label, dump(value, indent=False)))
    as_radio = len(choices) <= _MOST_RADIOS
    shape = replace(shape, choices=_named(tuple(choices), said), as_radio=as_radio)
    return Part(shape, shape.kind, index=index, null=null)


def _of_value(value: Any, others: set[str]) -> str:
    """An allowed value as a label; a text is quoted if it could be taken for another value."""
    if type(value) is not str or value in others:
        return preview(value)
    return labels.as_it_is(value) if value else "(empty text)"


def _named(choices: tuple[Choice, ...], said: Choosing | None) -> tuple[Choice, ...]:
    """The choices as a UI description calls them, by the value: a text, or JSON."""
    if said is None or not said.choices:
        return choices
    names = said.choices
    found = []
    for choice in choices:
        text = choice.value or ""
        plain = _plain(text)
        found.append(choice._replace(label=names.get(text, names.get(plain, choice.label))))
    return tuple(found)


def _plain(text: str) -> str:
    """The text that a JSON string stands for; another value as it is."""
    return str(json.loads(text)) if text.startswith('"') else text


def _told_apart(options: Sequence[Option], parts: Sequence[Part]) -> list[str]:
    """What alternatives are called; groups by the members that not all of them have."""
    found = [_label(option, part) for option, part in zip(options, parts, strict=True)]
    groups = [part for part in parts if part.kind == "object"]
    shared = frozenset.intersection(*(part.names for part in groups)) if groups else frozenset()
    group = labels.OF_KINDS["object"]
    for at, part in enumerate(parts if found.count(group) > 1 else ()):
        own = [slot.wanted.label for slot in part.slots if slot.name not in shared]
        if found[at] == group and own:
            found[at] = f"{group} with {', '.join(own[:_MOST_NAMES])}"
    return labels.numbered(found)


def _label(option: Option, part: Part) -> str:
    """What an alternative is called: its title, else its tag, else its kind."""
    if option.title:
        return option.title
    for slot in part.slots:
        values = slot.wanted.node.values
        if values is not None and len(values) == 1 and type(values[0]) is str:
            return labels.as_it_is(values[0])
    if part.kind == "constant":
        return part.shape.choices[0].label
    return labels.OF_KINDS[part.kind]


def as_id(control: str) -> str:
    """A part of a control's name as a part of an HTML id: letters, digits, `_` and `-` alone.

    Different names have different ids.
    """
    return control.translate(_AS_ID)


# `%2B` is a plus in a member's name: the marks of `names` have small letters.
_AS_ID: Final = {ord(one): f"_{ord(one):02X}" for one in "_-.~"} | {
    ord(one): other for one, other in (("%", "_"), ("/", "-"), ("+", "_n"), (";", "_k"))
}


Holds = Callable[[tuple[str, ...], tuple[str, ...]], Callable[[Any], bool]]
Cuts = tuple[dict[str, int], dict[str, frozenset[str]]]  # see `building`

ABSENT: Final[Any] = object()  # no value at all
MOST_PARTS: Final = 4_000  # that are kept; the names of additional members are endless


class Shapes:
    """The shapes of one schema, as one UI description wants them.

    `holds(pointers, refused)` gives the function that says whether these schemas accept a value,
    and none of the refused ones does. Safe to share among threads.

    Raises `InvalidFormDescription` if the description does not fit the schema.
    """

    def __init__(self, tree: SchemaTree, holds: Holds, choosing: Description | None = None) -> None:
        self.tree = tree
        self.holds = holds
        self.spots: Spots = () if choosing is None else choosing.root
        self.cuts: WeakKeyDictionary[Tree, dict[str, Cuts]] = WeakKeyDictionary()
        self._parts: dict[Wanted, Part] = {}
        self._conditions: dict[Node, tuple[Condition, ...]] = {}
        if choosing is not None:
            description.fitting(choosing, tree.root)

    @property
    def size(self) -> int:
        """How many parts are kept."""
        return len(self._parts)

    def part(self, wanted: Wanted) -> Part:
        """The part that is wanted, made once."""
        part = self._parts.get(wanted)
        if part is None:
            if len(self._parts) >= MOST_PARTS:
                self._parts.clear()
                self._conditions.clear()
                self.tree.forget()
            part = self._parts.setdefault(wanted, self._made(wanted))
        return part

    def ready(self, slot: Slot) -> Part | None:
        """The part of a slot; None if it depends on the data."""
        if not slot.ready and not self._conditions_of(slot.wanted.node):
            slot.ready.append(self.part(slot.wanted))
        return slot.ready[0] if slot.ready else None

    def label(self, wanted: Wanted) -> str:
        """What a place is called, by its title or as it is wanted."""
        return self.part(wanted).shape.label

    def chosen(self, part: Part, element: Element | None) -> int:
        """The alternative for a value: the narrowest that accepts it, else the first of its type.

        Of no value, the narrowest one that there is.
        """
        if element is None:
            return self._narrowest(part, 0, range(1, len(part.options)))
        kind = element.kind
        fitting = [at for at, those in enumerate(part.accepted) if kind in those]
        if not fitting:
            fitting = [at for at, one in enumerate(part.options) if kind in one.node.kinds]
        if len(fitting) > 1:
            value = element.value
            for at in fitting:
                if self._accepts(part.options[at], value):
                    return self._narrowest(part, at, [one for one in fitting if one > at], value)
        return fitting[0] if fitting else 0

    def _accepts(self, option: Option, value: Any) -> bool:
        accepting = option.accepting
        return not accepting or any(self.holds((one,), ())(value) for one in accepting)

    def _narrowest(self, part: Part, at: int, others: Iterable[int], value: Any = ABSENT) -> int:
        """The narrowest of an alternative and others; of those that accept a value, if any."""
        for other in others:
            if not self._is_narrower(part, other, at):
                continue
            if value is ABSENT or self._accepts(part.options[other], value):
                at = other
        return at

    def _is_narrower(self, part: Part, at: int, other: int) -> bool:
        key = ("narrower", at, other)
        known: bool | None = part.kept.get(key)
        if known is None:
            options = part.options
            known = part.kept[key] = narrower(options[at], options[other], self._accepts)
        return known

    # Conditions

    def settled(self, node: Node, value: Any) -> Node:
        """The node in which all conditions are decided by a value."""
        while conditions := self._conditions_of(node):
            applied: list[str] = []
            for condition in conditions:
                applied += self._branch(condition, node, value)
            places = [condition.place for condition in conditions]
            node = node.narrowed(tuple(applied), decided=node.key.decided.union(places))
        return node

    def _conditions_of(self, node: Node) -> tuple[Condition, ...]:
        known = self._conditions.get(node)
        if known is None:
            found = [choice for choice in node.choices if choice.keyword == "if"]
            for place, value in node.said("dependencies"):
                found += needs_of(place, value)
            open_ones = (one for one in found if one.place not in node.key.decided)
            known = self._conditions[node] = tuple({one.place: one for one in open_ones}.values())
        return known

    def _branch(self, condition: Condition, node: Node, value: Any) -> tuple[str, ...]:
        """The schemas that apply by a condition; of no value, as of the least one there can be."""
        if value is ABSENT:
            if "object" not in node.kinds:
                return ()
            value = {}
        if condition.keyword == "dependencies":
            name = condition.branches[1].present[0]
            there = type(value) is dict and name in value
            return condition.branches[1].pointers if there else ()
        then, other = condition.branches
        # The condition itself is no demand: it applies already.
        asked, *then_pointers = then.pointers
        return tuple(then_pointers) if self.holds((asked,), ())(value) else other.pointers

    def _made(self, wanted: Wanted) -> Part:
        return made(wanted, description.said(wanted.spots), self.part)
