"""All that a schema says of the places to which a pattern leads, whatever choices are made there.

Only so can it be certain that a value is refused, or is the only one: an alternative may allow what
another one does not. How much is looked at is counted; what would be too much is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.evolution.compare import Subject
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import ANY, ANY_DEPTH, is_index, parse_pattern
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.validation import Validator

_MOST: Final = 200  # ways to make the choices on the way to a place
_LINKED: Final = 300_000  # subschemas that are linked to check the values at one place
_EXAMINED: Final = 1_000  # nodes on the way to a place


class SchemaPlaces:
    """The places of one schema of data."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    @cached_property
    def _tree(self) -> SchemaTree:
        return SchemaTree(self._subject.data.linked, self._subject.data.matches)

    def nodes(self, pattern: str) -> tuple[Node, ...] | None:
        """Return a node for each way to make all choices, on the way to a place and at it.

        What is valid at the place is valid by one of them. None if they are too many.

        Args:
            pattern: A pattern of JSON Pointers in the data.
        """
        search = _Search()
        level = search.chosen([self._tree.root])
        for token in parse_pattern(pattern):
            if token == ANY_DEPTH:
                return None
            level = search.chosen(child for node in level for child in _children(node, token))
        return None if search.is_over else tuple(level)

    def inside(self, pattern: str) -> tuple[Node, ...] | None:
        """Return the nodes of all places inside of those of a pattern; None if they are too many.

        Those of the pattern are among them where the schema leads back to them.

        Args:
            pattern: A pattern of JSON Pointers in the data.
        """
        search = _Search()
        found: dict[Any, Node] = {}
        level = self.nodes(pattern)
        if level is None:
            return None
        while level and not search.is_over:
            below = (child for node in level for child in _children(node, ANY))
            level = tuple(node for node in search.chosen(below) if node.key not in found)
            found.update((node.key, node) for node in level)
        return None if search.is_over else tuple(found.values())

    def leads_back(self, pattern: str) -> bool:
        """Return True if the schema of the places of a pattern describes places inside of them."""
        inside = {node.key for node in self.inside(pattern) or ()}
        return any(node.key in inside for node in self.nodes(pattern) or ())

    def never_has(self, pattern: str, name: str) -> bool:
        """Return True if certainly no object at or inside of the places of a pattern has a member.

        Args:
            pattern: A pattern of JSON Pointers in the data.
            name: The name of the member.
        """
        here, inside = self.nodes(pattern), self.inside(pattern)
        if here is None or inside is None:
            return False
        objects = (node for node in (*here, *inside) if "object" in node.kinds)
        return not any(node.child(name).kinds for node in objects)

    def described_by(self, pattern: str) -> str | None:
        """Return the pointer of the one schema that describes a place; None if it depends."""
        level = [self._tree.root]
        for token in parse_pattern(pattern):
            if token == ANY_DEPTH or any(node.choices for node in level):
                return None
            level = [child for node in level for child in _children(node, token)]
        pointers = {pointer for node in level for pointer in node.key.pointers}
        return pointers.pop() if len(pointers) == 1 else None

    def refuses(self, pattern: str, values: list[Any]) -> bool:
        """Return True if it is certain that none of some values is allowed at a place."""
        linked = self._tree.linked
        ways = {
            (node.key.pointers, tuple(one for one in node.key.refused if one in linked.at))
            for node in self.nodes(pattern) or ()
        }
        if not ways or len(ways) * len(linked.at) > _LINKED:
            return False
        return not any(
            validator.is_valid(value)
            for validator in (
                Validator.from_linked(linked.conjunction(*way), formats=self._subject.data.formats)
                for way in ways
            )
            for value in values
        )

    def only_value(self, pattern: str) -> tuple[Any] | None:
        """Return the one value that may be at a place; None if there may be others."""
        nodes = self.nodes(pattern)
        if not nodes:
            return None
        values = [(None,) if node.kinds == ("null",) else node.values for node in nodes]
        first = values[0]
        if first is None or len(first) != 1:
            return None
        # 1 is not true.
        same = all(
            value is not None and canonical([*value]) == canonical([*first]) for value in values
        )
        return (first[0],) if same else None

    def requires(self, pattern: str) -> bool:
        """Return True if it is certain that each object around a member has the member."""
        around, _, _ = pattern.rpartition("/")
        name = parse_pattern(pattern)[-1]
        nodes = self.nodes(around)
        if nodes is None or name in (ANY, ANY_DEPTH):
            return False
        return all(name in node.required for node in nodes if "object" in node.kinds)


class _Search:
    """One search for nodes, of which the effort is counted."""

    def __init__(self) -> None:
        self._examined = 0
        self.is_over = False

    def chosen(self, nodes: Iterable[Node]) -> list[Node]:
        """Return the nodes that allow anything, each once, with all their choices made.

        None are returned after the limit is reached: then the search is over.
        """
        found: dict[Any, Node] = {}
        todo = [*{node.key: node for node in nodes}.values()]
        while todo:
            self._examined += 1
            if self._examined > _EXAMINED or len(found) > _MOST:
                self.is_over = True
                return []
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
        return [*found.values()]


def _children(node: Node, token: str) -> Iterator[Node]:
    """Yield the nodes of the members or items that a token may lead to."""
    if "object" in node.kinds:
        if token != ANY:
            yield node.child(token)
        else:
            yield from node.properties.values()
            yield node.other
            yield from map(node.described_by, node.patterns)
    if "array" in node.kinds:
        if token == ANY:
            yield from map(node.item, range(node.tuple_length + 1))
        elif is_index(token):
            yield node.item(int(token))
