"""Values put at places of data, and data built around a value from the inside out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from widgetschema.evolution.compare.making import Maker, schemas_around
from widgetschema.evolution.compare.obstacles import Obstacle, Token, at_path
from widgetschema.samples.objects import closure
from widgetschema.schema.tree import Node

_MAX_SUITED: Final = 3  # values that get data around them of their own


class Surroundings:
    """Builds data of the older schema around values, place by place.

    A value is put into the smallest data of its parent that has this member or item, and so on up
    to the root. Only these places are visited, and their data is reused for all places below.
    """

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._carriers: dict[tuple[Any, str | int], tuple[Any] | None] = {}

    def data(self, obstacle: Obstacle, leaf: Any) -> Iterator[Any]:
        """Yield data with a value at the place of an obstacle that is valid by `leaf`."""
        for value in self._maker.made(leaf):
            yield from self._around(obstacle.trail, obstacle.path, value)
        for value in islice(self._maker.made(leaf), _MAX_SUITED):
            yield from self._suited(obstacle.trail, obstacle.path, value)
        if not obstacle.against:
            return
        # The choice whose other branches must not match is made as a whole.
        depth = len(obstacle.path) - max(steps for steps, _ in obstacle.against)
        outside, inside = obstacle.trail[:depth], obstacle.trail[depth:]
        around: dict[int, list[Any]] = {}
        for steps, refused in obstacle.against:
            around.setdefault(steps, []).append(refused)
        for steps, node in enumerate(reversed(inside), 1):
            around.setdefault(steps, []).extend(schemas_around(node))
        for value in self._maker.made(at_path(obstacle.path[depth:], leaf, around)):
            yield from self._around(outside, obstacle.path[:depth], value)

    def _around(self, trail: Sequence[Node], path: Sequence[Token], value: Any) -> Iterator[Any]:
        """Yield a value with the smallest data around it, if there is any."""
        for node, token in zip(reversed(trail), reversed(path), strict=True):
            carrier = self._carrier(node, token.actual)
            if carrier is None:
                return
            value = put(carrier[0], token.actual, value)
        yield value

    def _suited(self, trail: Sequence[Node], path: Sequence[Token], value: Any) -> Iterator[Any]:
        """Yield a value with data around it that is made for this value."""
        for node, token in zip(reversed(trail), reversed(path), strict=True):
            suits = at_path((token,), {"const": value}, {1: schemas_around(node)})
            found = self._maker.first(suits)
            if found is None:
                return
            value = found[0]
        yield value

    def _carrier(self, node: Node, step: str | int) -> tuple[Any] | None:
        """Return the smallest data of a node that has a member or item at a place."""
        key = (node.key, step)
        if key not in self._carriers:
            found = self._frame(node, step)
            if found is None:
                wanted = at_path((Token("", step),), True, {1: schemas_around(node)})
                found = self._maker.first(wanted)
            self._carriers[key] = found
        return self._carriers[key]

    def _frame(self, node: Node, step: str | int) -> tuple[Any] | None:
        """Return an array or object with no more than must be there, put together item by item."""
        frame: Any = {}
        inner: list[tuple[Any, Node]]
        if type(step) is int:
            frame = [None] * max(node.least("minItems"), step)
            inner = [(at, node.item(at)) for at in range(len(frame)) if at != step]
        else:
            there = closure(node.required, node.dependencies)
            inner = [(name, node.child(name)) for name in there if name != step]
        for name, child in inner:
            least = self._maker.first({"allOf": [True, *schemas_around(child)]})
            if least is None:
                return None
            frame[name] = least[0]
        return (frame,)


def put(data: Any, step: str | int, value: Any) -> Any:
    """Return a copy of an array or object with a value at a place, which may be a new one."""
    if type(data) is list:
        assert type(step) is int
        return [*data[:step], value, *data[step + 1 :]]
    return {**data, step: value}
