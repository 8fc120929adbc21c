"""`Shapes`: what the schema says of each place, kept: the same in all forms of a type.

Which branch of a condition holds, and which alternative a value is, is asked here, by the value;
else no data is known. What is kept are parts (`parts`), by what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final
from weakref import WeakKeyDictionary

from widgetschema.forms.fields import description
from widgetschema.forms.fields.description import Description, Spots
from widgetschema.forms.fields.faces import Option
from widgetschema.forms.fields.fitting import narrower
from widgetschema.forms.fields.parts import Part, Slot, Wanted, made
from widgetschema.jsontext.tree import Element, Tree
from widgetschema.schema.tree import Choice as Condition
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.schema.tree.tree import needs_of

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
