"""The presentation of a node of the schema tree: as one thing, or as alternatives to choose from.

Branches of `anyOf` or `oneOf` that differ in what a form shows (type, members, values) are
alternatives; those that only add assertions (`required`, bounds) are not. `null` beside something
else is no alternative either: the value is nullable. Conditions (`if`, schemas in `dependencies`)
are ignored here: the data decides which branch holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from widgetschema.forms.fields.control_kinds import kind_of_format
from widgetschema.jsontext.equality import canonical
from widgetschema.schema.tree import KIND_OF, Choice, Node

_DEPTH: Final = 3  # levels of members that are compared
_EFFORT: Final = 3_000  # places that are looked at, to compare the branches of one choice
MAX_ALTERNATIVES: Final = 500  # alternatives for one value, all choices made
_CHOICE_KEYWORDS: Final = frozenset({"anyOf", "oneOf"})

Appearance = Any  # hashable; equal for what looks the same


class ShownTypes(NamedTuple):
    """The types, without null, that are shown; `anything` if the schema names none."""

    kinds: tuple[str, ...]
    nullable: bool
    anything: bool


@dataclass(frozen=True, eq=False)
class Alternative:
    """An alternative: its node, the branches that it stands for, and their title.

    `branch_pointers` are the schemas of the branches: it accepts what one of them accepts. `merged`
    is True if there are several, which look the same.
    """

    node: Node
    branch_pointers: tuple[str, ...] = ()
    title: str | None = None
    merged: bool = False


@dataclass(frozen=True, eq=False)
class Presentation:
    """The way a node is shown: as one thing, or as one of several `options`.

    `values` are the allowed values with their titles; None if any value will do. `null_title` is
    the title of null beside them. `strict` is the node whose assertions hold in any case, if `node`
    is that of one of several branches. `crowded` is True if there are more alternatives than a form
    can show.
    """

    node: Node
    kinds: tuple[str, ...]
    nullable: bool = False
    anything: bool = False
    options: tuple[Alternative, ...] = ()
    values: tuple[tuple[Any, str | None], ...] | None = None
    null_title: str | None = None
    strict: Node | None = None
    crowded: bool = False


def shown_types(node: Node) -> ShownTypes:
    """Return the types that are shown; where any type is allowed, those that keywords imply.

    An object with a member that is required and impossible is shown, so that the answer that
    requires the member can be taken back.
    """
    allowed = node.own_kinds
    kinds = tuple(kind for kind in allowed if kind != "null")
    if len(kinds) < 5:
        return ShownTypes(kinds, "null" in allowed, False)
    spoken = {
        KIND_OF[word]
        for _, schema in node.schemas
        if type(schema) is dict
        for word in schema
        if word in KIND_OF
    }
    kinds = tuple(kind for kind in kinds if kind in spoken)
    return ShownTypes(kinds, False, not kinds)


def _shown_kinds(node: Node) -> tuple[str, ...]:
    """Return the types, without null, that are shown or allowed as a value of any type."""
    types = shown_types(node)
    return tuple(kind for kind in node.kinds if kind != "null") if types.anything else types.kinds


def can_have_value(node: Node) -> bool:
    """Return True if there can be a value, as far as one look tells."""
    if not node.kinds or not node.choices:
        return bool(node.kinds)
    shown = presentation(node)
    return bool(shown.kinds or shown.values or shown.anything or shown.nullable)


def can_be_checkboxes(node: Node) -> bool:
    """Return True for a list of choices, each at most once."""
    return bool(node.unique and presentation(node.item(0)).values)


def presentation(node: Node) -> Presentation:
    """Return how a node is shown."""
    nullable = False
    null_title: str | None = None
    strict: Node | None = None
    shown: list[tuple[Choice, list[Alternative]]] = []
    while True:
        if node.values is not None:
            return _of_values(node, _with_titles(node, node.values), nullable, null_title)
        choice = next((c for c in node.choices if c.keyword in _CHOICE_KEYWORDS), None)
        if choice is None:
            break
        options, null = _alternatives(node, choice)
        if null is not None:
            nullable, null_title = True, null.title
        values = _values(options)
        if values is not None:
            return _of_values(node, values, nullable, null_title)
        if len(options) > 1:
            shown.append((choice, options))
            node = _without_choice(node, choice)
            continue
        rest = _without_choice(node, choice)
        if options and options[0].merged:
            compare = _AppearanceComparison()
            same = compare.face(rest, _DEPTH) == compare.face(options[0].node, _DEPTH)
            strict = strict or (None if same else rest)
            node = rest if same else options[0].node
        elif options:
            node = options[0].node
        elif nullable:
            return Presentation(node, (), True)
        else:
            return Presentation(node, ())
    if shown:
        return _of_alternatives(node, shown, nullable)
    types = shown_types(node)
    nullable = nullable or types.nullable
    if len(types.kinds) > 1:
        options = [Alternative(node.of_kind(kind)) for kind in types.kinds]
        return Presentation(node, types.kinds, nullable, options=tuple(options))
    if len(types.kinds) == 1 and node.key.kind is None:
        node = node.of_kind(types.kinds[0])
    if types.kinds == ("boolean",) and any(node.said("enumNames")):
        return _of_values(node, _with_titles(node, (True, False)), nullable, null_title)
    return Presentation(node, types.kinds, nullable, types.anything, strict=strict)


def _of_alternatives(
    node: Node, shown: list[tuple[Choice, list[Alternative]]], nullable: bool
) -> Presentation:
    """Return the presentation of alternatives; further choices are made inside of them."""
    crowded = math.prod(len(options) for _, options in shown) > MAX_ALTERNATIVES
    (_, options), *others = shown
    rest = {choice.place for choice, _ in others}
    # The first choice is shown; in its branches the others are still to be made.
    undone = [
        Alternative(
            _with_open_choices(node, one.node, rest), one.branch_pointers, one.title, one.merged
        )
        for one in options
    ]
    kinds = tuple(dict.fromkeys(kind for one in undone for kind in _shown_kinds(one.node)))
    return Presentation(node, kinds, nullable, options=tuple(undone), crowded=crowded)


def _with_open_choices(node: Node, branch: Node, places: set[str]) -> Node:
    """Return the node of a branch, with these choices still to be made in it."""
    decided = (node.key.decided | branch.key.decided) - places
    return node.tree.node_of(
        node.key._replace(
            pointers=tuple(dict.fromkeys((*node.key.pointers, *branch.key.pointers))),
            decided=decided,
        )
    )


def _of_values(
    node: Node,
    values: Iterable[tuple[Any, str | None]],
    nullable: bool,
    null_title: str | None,
) -> Presentation:
    found = list(values)
    others = [pair for pair in found if pair[0] is not None]
    if others and len(others) < len(found):
        null_title = next(title for value, title in found if value is None) or null_title
        nullable, found = True, others
    return Presentation(node, node.kinds, nullable, values=tuple(found), null_title=null_title)


def _with_titles(node: Node, values: Iterable[Any]) -> list[tuple[Any, str | None]]:
    """Return allowed values, each with its title, if it has one.

    Titles are `enumNames`, by position (without an `enum`, of true and false), or those of branches
    that allow one value (`const`).
    """
    titles: dict[Any, str] = {}
    branches = (
        branch.pointer
        for choice in node.choices
        if choice.keyword in _CHOICE_KEYWORDS
        for branch in choice.branches
    )
    for schema in (*(one for _, one in node.schemas), *map(node.tree.schema, branches)):
        if type(schema) is not dict:
            continue
        names = schema.get("enumNames")
        if "const" in schema:
            pairs = [(schema["const"], title_of(schema))]
        elif type(names) is list:
            pairs = [*zip(schema.get("enum", (True, False)), names, strict=False)]
        else:
            continue
        for value, title in pairs:
            if type(title) is str and title.strip():
                titles.setdefault(canonical(value), title)
    return [(value, titles.get(canonical(value))) for value in values]


def title_of(schema: Any) -> str | None:
    """Return the title of a schema; None if it has none, or a blank one."""
    title = schema.get("title") if type(schema) is dict else None
    return title if type(title) is str and title.strip() else None


def _without_choice(node: Node, choice: Choice) -> Node:
    """Return the node without a choice, whatever its branches assert."""
    return node.narrowed(decided=node.key.decided | {choice.place})


def _alternatives(node: Node, choice: Choice) -> tuple[list[Alternative], Alternative | None]:
    """Return the branches to show, merged where they look the same, and that for null, if any."""
    found: dict[Appearance, Alternative] = {}
    null: Alternative | None = None
    compare = _AppearanceComparison()
    others = {c.place for c in node.choices if c.keyword in _CHOICE_KEYWORDS}
    for branch in choice.branches:
        applied = node.narrowed(branch.pointers, decided=node.key.decided | {choice.place})
        if not applied.kinds:
            continue
        title = title_of(node.tree.schema(branch.pointer))
        if applied.kinds == ("null",):
            null = null or Alternative(applied, branch.pointers, title)
            continue
        alone = applied.narrowed(decided=applied.key.decided | others)
        face = compare.face(alone, _DEPTH)
        known = found.get(face)
        if known is None:
            found[face] = Alternative(applied, branch.pointers, title)
        else:
            found[face] = Alternative(
                known.node, (*known.branch_pointers, *branch.pointers), None, merged=True
            )
    return list(found.values()), null


def _values(options: list[Alternative]) -> list[tuple[Any, str | None]] | None:
    """Return the values that the branches list, with titles, if they do nothing else."""
    if len(options) < 2 or any(one.node.values is None or one.merged for one in options):
        return None
    found: dict[Any, tuple[Any, str | None]] = {}
    for one in options:
        pairs = _with_titles(one.node, one.node.values or ())
        for value, title in pairs:
            title = (one.title if len(pairs) == 1 else None) or title
            found.setdefault(canonical(value), (value, title))
    return list(found.values())


class _AppearanceComparison:
    """Appearances of nodes, with a limit on the effort: beyond it, each is unlike any other."""

    def __init__(self) -> None:
        self.left = _EFFORT
        self.known: dict[tuple[Node, int], Appearance] = {}

    def face(self, node: Node, depth: int) -> Appearance:
        """Return the appearance of a node."""
        key = (node, depth)
        if key not in self.known:
            self.left -= 1
            self.known[key] = ("unlike", id(node)) if self.left < 0 else self._face(node, depth)
        return self.known[key]

    def _face(self, node: Node, depth: int) -> Appearance:
        if node.values is not None:
            return ("values", frozenset(map(canonical, node.values)))
        if not depth:
            return shown_types(node)
        choice = next((c for c in node.choices if c.keyword in _CHOICE_KEYWORDS), None)
        if choice is not None:
            decided = node.key.decided | {choice.place}
            faces = [
                self.face(node.narrowed(branch.pointers, decided=decided), depth - 1)
                for branch in choice.branches
            ]
            return faces[0] if len(set(faces)) == 1 else ("one of", tuple(faces))
        types = shown_types(node)
        return (types, *(self._of_kind(node, kind, depth) for kind in types.kinds))

    def _of_kind(self, node: Node, kind: str, depth: int) -> Appearance:
        if kind == "string":
            return kind_of_format(node)
        if kind == "number":
            return node.integer
        if kind == "array":
            at = range(min(node.tuple_length, 20) + 1)
            return tuple(self.face(node.item(index), depth - 1) for index in at)
        if kind == "object":
            names = dict.fromkeys([*node.properties, *node.patterns])
            members = [(name, self.face(node.child(name), depth - 1)) for name in names]
            return (frozenset(members), self.face(node.other, depth - 1))
        return None
