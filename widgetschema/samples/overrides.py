"""`Overrides`: the caller's own values at given places of samples."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from widgetschema.pointers import (
    ANY,
    ANY_DEPTH,
    Patterns,
    Places,
    PointerError,
    parse_pattern,
    step,
)
from widgetschema.samples.model import copy_json
from widgetschema.suggest import did_you_mean

if TYPE_CHECKING:
    from widgetschema.samples.model import Chooser
    from widgetschema.samples.plan import Plan
    from widgetschema.schema.tree import Node

Supply = Sequence[Any] | Callable[[random.Random], Any]


class _Override(NamedTuple):
    pattern: Patterns[bool]
    supply: Supply


class Overrides:
    """JSON Pointer patterns, and the values at their places.

    A pattern is a JSON Pointer in which `*` stands for any member or item and `**` for any number
    of them, as in `/items/*/title`. Its value is a list of values, one of which is taken, or a
    callable that gets a `random.Random` made for the item, and returns a value. A member that is
    named is added where the object around it is there, but not directly after `**`, since that
    would be everywhere. Of two matches, one within the other, the outer one is replaced.

    Raises `ValueError` for an invalid pattern, one without a place in the schema, or no values.
    """

    def __init__(self, overrides: Mapping[str, Supply], plan: Plan) -> None:
        if not isinstance(overrides, Mapping) or not all(type(p) is str for p in overrides):
            raise ValueError("overrides map JSON Pointer patterns to lists of values or callables")
        self._overrides = []
        for pattern, supply in overrides.items():
            try:
                tokens = parse_pattern(pattern)
            except PointerError as error:
                hint = f": {error.hint}" if error.hint else ""
                raise ValueError(f"the override {pattern!r}: {error.reason}{hint}") from None
            if not callable(supply):
                if isinstance(supply, (str, bytes, Mapping)) or not isinstance(supply, Sequence):
                    raise ValueError(
                        f"the override {pattern!r} needs a list of values, or a callable: "
                        f"write [{supply!r}] for one value"
                    )
                if not supply:
                    raise ValueError(f"the override {pattern!r} offers no value: its list is empty")
            _check_way(pattern, tokens, plan.tree.root)
            self._overrides.append(_Override(Patterns({pattern: True}), supply))

    def apply(self, value: Any, chooser: Chooser) -> Any:
        """Return the value with everything replaced; it may be the same object, changed."""
        holder = [value]
        for pattern, supply in self._overrides:
            for container, key in _matching(holder, 0, pattern.root):
                if callable(supply):
                    container[key] = supply(random.Random(chooser.randbelow(2**32)))  # noqa: S311
                else:
                    container[key] = copy_json(supply[chooser.randbelow(len(supply))])
        return holder[0]


def _matching(container: Any, key: Any, places: Places[bool]) -> list[tuple[Any, Any]]:
    """Return the containers and keys that a pattern leads to, from the value at a key on."""
    if any(place.value for place in places):
        return [(container, key)]
    if type(container) is dict and key not in container:
        return []
    value = container[key]
    keys: list[Any] = []
    if type(value) is list:
        keys = [*range(len(value))]
    elif type(value) is dict:
        keys = [*dict.fromkeys([*value, *_named(places)])]
    found: list[tuple[Any, Any]] = []
    for one in keys:
        after = step(places, str(one))
        if after:
            found += _matching(value, one, after)
    return found


def _named(places: Places[bool]) -> list[str]:
    """Return the names that come next in a pattern, except directly after `**`."""
    return [
        name
        for place in places
        for name in place.children
        if not place.is_any_depth and name not in (ANY, ANY_DEPTH)
    ]


def _check_way(pattern: str, tokens: list[str], node: Node) -> None:
    """Raise `ValueError` for a pattern that names a member that the schema cannot have."""
    for token in tokens:
        if node.choices or not node.key.pointers or token == ANY_DEPTH:
            return
        containers = {"array", "object"}.intersection(node.kinds)
        if not containers or (containers == {"array"} and not (token == ANY or token.isdecimal())):
            message = (
                f"the override {pattern!r} leads nowhere: there can be no {token!r} at its end"
            )
            raise ValueError(message)
        if token == ANY:
            return
        if node.kinds == ("object",):
            child = node.child(token)
            if not child.kinds and node.closed:
                meant = did_you_mean(token, node.properties)
                message = f"the override {pattern!r} leads nowhere: there is no {token!r}{meant}"
                raise ValueError(message)
            node = child
        elif node.kinds == ("array",) and token.isdecimal():
            node = node.item(int(token[:9]))
        else:
            return
