"""All that a schema says of the places to which a pattern leads, whatever choices are made there.

Only so can it be certain that a value is refused, or is the only one: an alternative may allow what
another one does not. How much is looked at is counted; what would be too much is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from widgetschema.evolution.compare import Subject
from widgetschema.pointers import ANY, ANY_DEPTH, escape_token, is_index, parse_pattern
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.validation import Validator

_MOST: Final = 200  # ways to make the choices on the way to a place
_EXAMINED: Final = 1_000  # nodes on the way to a place


class SchemaPlaces:
    """The places of one schema of data."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._known: dict[str, tuple[Node, ...] | None] = {}

    @cached_property
    def _tree(self) -> SchemaTree:
        return SchemaTree(self._subject.data.linked, self._subject.matches)

    def nodes(self, pattern: str) -> tuple[Node, ...] | None:
        """Return a node for each way to make all choices, on the way to a place and at it.

        What is valid at the place is valid by one of them. None if they are too many.

        Args:
            pattern: A pattern of JSON Pointers in the data.
        """
        if pattern not in self._known:
            self._known[pattern] = self._nodes(parse_pattern(pattern))
        return self._known[pattern]

    def _nodes(self, tokens: list[str]) -> tuple[Node, ...] | None:
        examined = 0
        level = [self._tree.root]
        for token in [*tokens, None]:
            found: dict[Any, Node] = {}
            todo = level
            while todo:
                examined += 1
                if token == ANY_DEPTH or examined > _EXAMINED or len(found) > _MOST:
                    return None
                one = todo.pop()
                if one.kinds == ("object",) and one.key.kind is None:
                    one = one.of_kind("object")  # which may bring choices
                if not one.kinds:
                    continue
                if one.choices:
                    choice = one.choices[0]
                    todo += [one.choose(choice, index) for index in range(len(choice.branches))]
                else:
                    found[one.key] = one
            if token is None:
                return tuple(found.values())
            below = (child for node in found.values() for child in _children(node, token))
            level = [*{child.key: child for child in below}.values()]
        raise AssertionError

    def refuses(self, pattern: str, values: list[Any]) -> bool:
        """Return True if it is certain that none of some values is allowed at a place."""
        nodes = self.nodes(pattern)
        if nodes is None:
            return False
        return not any(self._checker(node).is_valid(value) for node in nodes for value in values)

    def only_value(self, pattern: str) -> tuple[Any] | None:
        """Return the one value that may be at a place; None if there may be others."""
        nodes = self.nodes(pattern)
        if not nodes:
            return None
        values = [(None,) if node.kinds == ("null",) else node.values for node in nodes]
        first = values[0]
        if first is None or len(first) != 1 or any(one != first for one in values):
            return None
        return (first[0],)

    def requires(self, pattern: str) -> bool:
        """Return True if it is certain that each object around a member has the member."""
        around, _, _ = pattern.rpartition("/")
        name = parse_pattern(pattern)[-1]
        nodes = self.nodes(around)
        if nodes is None or name in (ANY, ANY_DEPTH):
            return False
        return all(name in node.required for node in nodes if "object" in node.kinds)

    def _checker(self, node: Node) -> Validator:
        linked = self._tree.linked
        refused = tuple(one for one in node.key.refused if one in linked.at)
        return Validator.from_linked(
            linked.conjunction(node.key.pointers, refused), formats=self._subject.data.formats
        )


def _children(node: Node, token: str) -> Iterator[Node]:
    """Yield the nodes of the members or items that a token may lead to."""
    if "object" in node.kinds:
        if token != ANY:
            yield node.child(token)
        else:
            yield from node.properties.values()
            yield node.other
            for pattern in node.patterns:
                yield node.tree.node(
                    f"{place}/{escape_token(pattern)}"
                    for place, value in node.said("patternProperties")
                    if pattern in value
                )
    if "array" in node.kinds:
        if token == ANY:
            yield from map(node.item, range(node.tuple_length + 1))
        elif is_index(token):
            yield node.item(int(token))
