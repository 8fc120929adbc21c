"""Alternatives that the value of a member tells apart: whoever answers it, chooses.

That are the branches of `anyOf` or `oneOf` of objects that allow different values (`const`, `enum`)
of one member, which has a field of its own without them. Such a choice needs no control: the fields
of a branch appear upon the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from widgetschema.forms.fields.presentation import presentation
from widgetschema.jsontext.equality import canonical
from widgetschema.schema.tree import Choice, Node


@dataclass(frozen=True, eq=False)
class Answers:
    """A choice, the member that makes it, and the pointers of branches by the member's value."""

    choice: Choice
    name: str
    branches: Mapping[Any, tuple[str, ...]]

    def decided(self, node: Node, value: Any) -> Node:
        """Return the node in which a value has made the choice; no branch applies without one."""
        pointers: tuple[str, ...] = ()
        if type(value) is dict and self.name in value:
            pointers = self.branches.get(canonical(value[self.name]), ())
        key = node.key
        known = dict(key.deciders)
        described_by = known.get(self.name, key.pointers)
        return node.narrowed(
            pointers,
            decided=key.decided | {self.choice.place},
            deciders=tuple({**known, self.name: described_by}.items()),
        )


def answers_of(node: Node) -> Answers | None:
    """Return the first choice of a node that a member makes; None if there is none."""
    if "object" not in node.kinds:
        return None
    for choice in node.choices:
        if choice.keyword not in ("anyOf", "oneOf") or len(choice.branches) < 2:
            continue
        rest = node.narrowed(decided=node.key.decided | {choice.place})
        for name, own in rest.properties.items():
            branches = _branches_by_value(node, choice, name)
            if branches is not None and _can_be_answered(own):
                return Answers(choice, name, branches)
    return None


def _can_be_answered(own: Node) -> bool:
    """Return True if a field lets people choose among values."""
    shown = presentation(own)
    if shown.options:
        return False
    return bool(shown.kinds) and (shown.values is None or len(shown.values) > 1)


def _branches_by_value(
    node: Node, choice: Choice, name: str
) -> Mapping[Any, tuple[str, ...]] | None:
    """Return the pointers of branches by the values of a member; None if it tells not all apart."""
    found: dict[Any, tuple[str, ...]] = {}
    for branch in choice.branches:
        alone = node.tree.node(branch.pointers)
        values = alone.child(name).values
        if not values or name not in alone.properties:
            return None
        for value in map(canonical, values):
            if value in found:
                return None
            found[value] = branch.pointers
    return found
