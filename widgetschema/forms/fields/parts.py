"""`Part`: a shape, and what it takes to build fields of it; made from what a place looks like.

The members that the schema names, the alternatives, the ids of allowed values: everything about a
place that is the same in all forms of a type. No data is known here, and nothing is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from widgetschema.findings import escape_token
from widgetschema.forms.fields import kinds, labels
from widgetschema.forms.fields.description import Spots, below
from widgetschema.forms.fields.faces import MOST_ALTERNATIVES, Look, Option, is_possible, look
from widgetschema.forms.model import (
    NULL,
    TEXT_KINDS,
    UNSET,
    Choice,
    Choosing,
    Shape,
)
from widgetschema.forms.names import encoded
from widgetschema.jsontext import dump, preview
from widgetschema.jsontext.equality import canonical
from widgetschema.schema.tree import Node

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
                changes["example"] = self.shape.example or kinds.EXAMPLES.get(kind, "")
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
    example = said.example if said and said.example is not None else kinds.example(node, kind)
    shape = Shape(
        kind=kind,
        label=wanted.label,
        node=node,
        help=help or "",
        required=wanted.required,
        nullable=nullable,
        limits=kinds.bounds(strict, type),
        example=example,
        default=kinds.default(node),
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
        return kinds.of_text(node, name)
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
