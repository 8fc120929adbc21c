"""Overrides: values that the caller wants at certain places of the samples."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.findings import split_pointer
from widgetschema.samples.model import copy_json
from widgetschema.suggest import nearest

if TYPE_CHECKING:
    from widgetschema.samples.model import Chooser
    from widgetschema.samples.plan import Plan
    from widgetschema.schema.tree import Node

Supply = Sequence[Any] | Callable[[random.Random], Any]


_WILDCARD: Final = "*"  # any member, or any item


class _Override(NamedTuple):
    tokens: list[str]
    supply: Supply


class Overrides:
    """JSON Pointer patterns, and what shall be there.

    A pattern is a JSON Pointer in which `*` stands for any member or item, as in
    `/items/*/title`. Its value is a list of values, one of which is taken, or a callable that
    gets a `random.Random` made for the item, and returns a value. A member that is named is
    added where the object around it is there.

    Raises `ValueError` for what is no pointer, leads nowhere in the schema, or offers nothing.
    """

    def __init__(self, overrides: Mapping[str, Supply], plan: Plan) -> None:
        if not isinstance(overrides, Mapping) or not all(type(p) is str for p in overrides):
            raise ValueError("overrides map JSON Pointer patterns to lists of values or callables")
        self._overrides = []
        for pattern, supply in overrides.items():
            if pattern and not pattern.startswith("/"):
                raise ValueError(f"the override {pattern!r} is no JSON Pointer: begin with a slash")
            if not callable(supply):
                if isinstance(supply, (str, bytes, Mapping)) or not isinstance(supply, Sequence):
                    raise ValueError(
                        f"the override {pattern!r} needs a list of values, or a callable: "
                        f"write [{supply!r}] for one value"
                    )
                if not supply:
                    raise ValueError(f"the override {pattern!r} offers no value: its list is empty")
            tokens = split_pointer(pattern)
            _check_way(pattern, tokens, plan.tree.root)
            self._overrides.append(_Override(tokens, supply))

    def apply(self, value: Any, chooser: Chooser) -> Any:
        """Return the value with everything replaced; it may be the same object, changed."""
        holder = [value]
        for tokens, supply in self._overrides:
            for container, key in _places(holder, ["0", *tokens]):
                if callable(supply):
                    container[key] = supply(random.Random(chooser.randbelow(2**32)))  # noqa: S311
                else:
                    container[key] = copy_json(supply[chooser.randbelow(len(supply))])
        return holder[0]


def _places(value: Any, tokens: list[str]) -> list[tuple[Any, Any]]:
    """Return the containers and keys that tokens lead to."""
    name, *rest = tokens
    keys: list[Any] = []
    if type(value) is list:
        indices = range(len(value))
        keys = (
            [*indices] if name == _WILDCARD else [index for index in indices if str(index) == name]
        )
    elif type(value) is dict:
        keys = [*value] if name == _WILDCARD else [name] if name in value or not rest else []
    if not rest:
        return [(value, key) for key in keys]
    return [place for key in keys for place in _places(value[key], rest)]


def _check_way(pattern: str, tokens: list[str], node: Node) -> None:
    """Refuse a pattern that names a member which is surely unknown."""
    for token in tokens:
        if node.choices or not node.key.pointers:
            return
        containers = {"array", "object"}.intersection(node.kinds)
        if not containers or (
            containers == {"array"} and not (token == _WILDCARD or token.isdecimal())
        ):
            message = (
                f"the override {pattern!r} leads nowhere: there can be no {token!r} at its end"
            )
            raise ValueError(message)
        if token == _WILDCARD:
            return
        if node.kinds == ("object",):
            child = node.child(token)
            if not child.kinds and node.closed:
                close = nearest(token, [*node.properties])
                meant = f"; did you mean {close[0]!r}?" if close else ""
                message = f"the override {pattern!r} leads nowhere: there is no {token!r}{meant}"
                raise ValueError(message)
            node = child
        elif node.kinds == ("array",) and token.isdecimal():
            node = node.item(int(token[:9]))
        else:
            return
