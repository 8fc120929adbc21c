"""Places that two schemas describe, side by side: one step below two nodes."""

from __future__ import annotations

from collections.abc import Iterator

from widgetschema.evolution.compare.obstacles import Token
from widgetschema.pointers import escape_token
from widgetschema.schema.tree import Node

Pair = tuple[Node, Node]  # the older and the newer schema of one place

_ANY = Token("*", "*")


def pairs_below(was: Node, now: Node) -> Iterator[tuple[Token, Node, Node]]:
    """Yield the members and items that both nodes describe, each with the step that leads there."""
    for name, child in was.properties.items():
        if name in now.properties:
            yield Token(name, name), child, now.properties[name]
    for index in range(min(was.tuple_length, now.tuple_length)):
        yield Token(str(index), index), was.item(index), now.item(index)
    yield _ANY, was.item(was.tuple_length), now.item(now.tuple_length)
    yield _ANY, was.other, now.other
    for pattern in was.patterns:
        if pattern in now.patterns:
            yield _ANY, _described(was, pattern), _described(now, pattern)


def branch_pairs(was: Node, now: Node) -> Iterator[Pair]:
    """Yield the branches of the choices of both nodes, in order, without the rest of the nodes."""
    for one, other in zip(was.choices, now.choices, strict=False):
        if one.keyword == other.keyword and len(one.branches) == len(other.branches):
            for a, b in zip(one.branches, other.branches, strict=True):
                yield was.tree.node(a.pointers), now.tree.node(b.pointers)


def _described(node: Node, pattern: str) -> Node:
    places = [
        f"{place}/{escape_token(pattern)}"
        for place, value in node.said("patternProperties")
        if pattern in value
    ]
    return node.tree.node(places)
