"""Whether a schema leads back to itself in a way that react-jsonschema-form does not get out of.

It resolves all that describes members ahead of the data, and stops where a reference comes
again; but not behind `allOf`, `patternProperties`, or a condition: then the stack overflows. What
is behind `items` is resolved when there is an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from widgetschema.schema.linking import subschemas

_LATER: Final = frozenset("additionalItems contains items not propertyNames".split())
_ENDLESS: Final = frozenset("allOf else if patternProperties then".split())


class _Edge(NamedTuple):
    source: str
    target: str
    is_endless: bool


def is_endless(schema: dict[str, Any]) -> bool:
    """Whether the schema, as `portable` gives it, overflows the stack."""
    definitions = {f"#/definitions/{n}": one for n, one in schema.get("definitions", {}).items()}
    edges = [
        edge for name, one in {"#": schema, **definitions}.items() for edge in _edges(name, one)
    ]
    components = _components({"#", *definitions}, edges)
    return any(
        edge.is_endless and components[edge.source] == components[edge.target] for edge in edges
    )


def _edges(name: str, schema: Any) -> Iterator[_Edge]:
    """The references in a definition that are followed ahead of the data."""
    todo: list[tuple[Any, bool]] = [(schema, False)]
    while todo:
        one, endless = todo.pop()
        if type(one) is not dict:
            continue
        if "$ref" in one:
            yield _Edge(name, one["$ref"], endless)
            continue
        endless = endless or "if" in one
        for keyword, _, part in subschemas(one, ""):
            if keyword not in _LATER and keyword != "definitions":
                todo.append((part, endless or keyword in _ENDLESS))


def _components(names: set[str], edges: list[_Edge]) -> dict[str, str]:
    """For each name one of those that it leads to and that lead back to it (Kosaraju)."""
    ahead: dict[str, list[str]] = {name: [] for name in names}
    back: dict[str, list[str]] = {name: [] for name in names}
    for edge in edges:
        ahead[edge.source].append(edge.target)
        back[edge.target].append(edge.source)
    order: list[str] = []
    seen: set[str] = set()
    for start in sorted(names):
        todo = [(start, iter(ahead[start]))] if start not in seen else []
        seen.add(start)
        while todo:
            name, rest = todo[-1]
            following = next((one for one in rest if one not in seen), None)
            if following is None:
                order.append(name)
                todo.pop()
            else:
                seen.add(following)
                todo.append((following, iter(ahead[following])))
    found: dict[str, str] = {}
    for start in reversed(order):
        stack = [start]
        while stack:
            name = stack.pop()
            if name not in found:
                found[name] = start
                stack.extend(back[name])
    return found
