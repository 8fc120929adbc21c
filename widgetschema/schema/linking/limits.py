"""References that lead back to themselves, or too far, are refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from widgetschema.errors import InvalidSchema, ReferenceLoop
from widgetschema.findings import Finding, Report
from widgetschema.schema.subschemas import IN_PLACE, subschemas

# References in a row without moving on in the instance: people need about 10; an engine
# spends stack on each, at each of the levels that a document may have.
MAX_CHAIN: Final = 64


# Applications of schemas to one value. Of 200 published schemas the worst has about 600.
MAX_APPLICATIONS: Final = 50_000

MAX_MERGED: Final = 5_000_000  # names that are counted, before it is given up as too many

# Applications to what is in a value: to any member, item or name of a member; after a slash, to the
# member of this name, or the item of this index.
_Below = dict[str, int]
_MEMBERS: Final = "members"
_ITEMS: Final = "items"
_NAMES: Final = "names"
# The schemas that each one leads to, with what of the value they apply to; None is the value.
_Edges = Mapping[str, list[tuple[str | None, str]]]


def check_references(name: str, at: Mapping[str, Any], references: Mapping[str, str]) -> None:
    """Refuse references that lead back to themselves, or by which too much applies to one value.

    Raises `ReferenceLoop` and `InvalidSchema`.
    """
    edges = {pointer: [*_edges(at, references, pointer)] for pointer in at}
    _check_chains(name, edges)
    pointer = _too_many(edges)
    if pointer is not None:
        message = (
            f"more than {MAX_APPLICATIONS:,} schemas apply to a single value, because schemas that "
            "are referred to more than once refer to others more than once; refer to each only once"
        )
        raise InvalidSchema(Report((Finding("$ref", pointer, "", message),), f"schema {name!r}"))


def _check_chains(name: str, edges: _Edges) -> None:
    """Refuse references that lead back to themselves at the same place of the instance.

    Such a schema says nothing, and an engine may never come back from it. Long chains
    are refused for the same reason.
    """
    length: dict[str, int] = {}  # pointer → schemas in the longest chain from it
    for start in edges:
        way: dict[str, None] = {}  # the pointers being walked, in order, from `start` down
        todo = [(start, False)]
        while todo:
            pointer, done = todo.pop()
            if done:
                del way[pointer]
                ahead = [length[place] for place in _in_place(edges, pointer)]
                length[pointer] = 1 + max(ahead, default=0)
                if length[pointer] + len(way) > MAX_CHAIN:
                    reason = f"more than {MAX_CHAIN} schemas apply to one place, one by one"
                    raise ReferenceLoop(name, [*way, pointer], reason)
                continue
            if pointer in length:
                continue
            if pointer in way:
                reason = "a reference leads back to itself without reaching any data"
                loop = list(way)
                raise ReferenceLoop(name, [*loop[loop.index(pointer) :], pointer], reason)
            way[pointer] = None
            todo.append((pointer, True))
            todo.extend((place, False) for place in _in_place(edges, pointer))


def _in_place(edges: _Edges, pointer: str) -> list[str]:
    """Return the schemas that a schema applies to the same value."""
    return [place for of, place in edges[pointer] if of is None]


def _too_many(edges: _Edges) -> str | None:
    """Return the pointer of a schema by which too many apply to one value, or None.

    Members of different names are different values, and so are the items of a tuple.
    """
    here: dict[str, int] = {}  # applications to the value itself
    below: dict[str, _Below] = {}
    most: dict[str, int] = {}  # to the value, or to any one value in it
    todo = MAX_MERGED
    for component in components({start: [end for _, end in edges[start]] for start in edges}):
        members = set(component)
        for pointer in _inner_first(component, edges):
            own: _Below = {}
            for name, place in edges[pointer]:
                if name is not None and place not in members:
                    own[name] = own.get(name, 0) + most[place]
            joined = _in_place(edges, pointer)
            here[pointer] = 1 + sum(here[place] for place in joined)
            for place in joined:
                if not own:
                    own = below[place]  # shared, since nothing is added to it
                    continue
                own = dict(own)
                for name, count in below[place].items():
                    own[name] = own.get(name, 0) + count
                todo -= len(own)
            below[pointer] = own
            most[pointer] = max(here[pointer], _worst(own))
            if most[pointer] > MAX_APPLICATIONS or todo < 0:
                return pointer
    return None


def _worst(below: _Below) -> int:
    return max(
        below.get(_MEMBERS, 0) + _most_of(below, f"{_MEMBERS}/"),
        below.get(_ITEMS, 0) + _most_of(below, f"{_ITEMS}/"),
        below.get(_NAMES, 0),
    )


def _most_of(below: _Below, prefix: str) -> int:
    return max((count for name, count in below.items() if name.startswith(prefix)), default=0)


def _edges(
    at: Mapping[str, Any], references: Mapping[str, str], pointer: str
) -> Iterator[tuple[str | None, str]]:
    """Yield the schemas that a schema leads to, each with a name; None for the same value."""
    if pointer in references:
        yield None, references[pointer]
        return
    for keyword, place, _ in subschemas(at[pointer], pointer):
        if keyword in IN_PLACE:
            yield None, place
        elif keyword == "properties":
            yield _MEMBERS + place[place.rindex("/") :], place
        elif keyword in ("patternProperties", "additionalProperties"):
            yield _MEMBERS, place
        elif keyword == "items" and place != f"{pointer}/items":
            yield _ITEMS + place[place.rindex("/") :], place
        elif keyword in ("items", "additionalItems", "contains"):
            yield _ITEMS, place
        elif keyword == "propertyNames":
            yield _NAMES, place


def _inner_first(component: list[str], edges: _Edges) -> list[str]:
    """Return the members of a component, each after those that apply to the same value by it."""
    if len(component) == 1:
        return component
    members, found = set(component), dict[str, None]()
    todo = [(pointer, False) for pointer in component]
    while todo:
        pointer, done = todo.pop()
        if done:
            found[pointer] = None
        elif pointer not in found:
            todo.append((pointer, True))
            todo += [(end, False) for end in _in_place(edges, pointer) if end in members]
    return [*found]


def components(below: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the components, each after those that it leads to (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for start in below:
        if start in order:
            continue
        todo = [(start, iter(below[start]))]
        order[start] = lowest[start] = len(order)
        stack.append(start)
        on_stack.add(start)
        while todo:
            node, rest = todo[-1]
            ahead = next(rest, None)
            if ahead is None:
                todo.pop()
                if todo:
                    lowest[todo[-1][0]] = min(lowest[todo[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    component = [stack.pop()]
                    while component[-1] != node:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    found.append(component)
            elif ahead not in order:
                order[ahead] = lowest[ahead] = len(order)
                stack.append(ahead)
                on_stack.add(ahead)
                todo.append((ahead, iter(below[ahead])))
            elif ahead in on_stack:
                lowest[node] = min(lowest[node], order[ahead])
    return found
