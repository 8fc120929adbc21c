"""The nodes that describe a place of data, in each of the branches that its author may have meant.

Data that is being written is incomplete, so branches are ruled out only by what contradicts them:
a type, a value of `enum` or `const`, a member that must not be there. Where all are ruled out, all
are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from widgetschema.jsontext.equality import Options
from widgetschema.pointers import is_index
from widgetschema.schema.tree.negation import PYTHON
from widgetschema.schema.tree.tree import Choice, Node

ANY: Final = "*"  # the token of any item, and of any additional member
UNKNOWN: Final[Any] = object()  # a value that is not there, or not known
_MOST_NODES: Final = 200  # that are looked at for one place
_MOST_PLACES: Final = 20  # nodes of different schemas that are followed


def with_branches(node: Node, value: Any = UNKNOWN) -> Iterator[Node]:
    """Yield a node, then those of its branches, of theirs, and so on, as far as it is useful.

    Args:
        node: The node of a place.
        value: The value there, which rules out branches.

    Yields:
        The nodes: in each, some choices have been made.
    """
    seen = {node.key}
    todo = [node]
    while todo and len(seen) < _MOST_NODES:
        one = todo.pop(0)
        yield one
        for choice in _choices(one):
            for other in _branches(one, choice, value):
                if other.key not in seen:
                    seen.add(other.key)
                    todo.append(other)


def alternatives(node: Node, value: Any = UNKNOWN) -> list[Node]:
    """Return the nodes in which all choices of a node have been made, as far as that is useful."""
    return [one for one in with_branches(node, value) if not _choices(one)] or [node]


def children(node: Node, token: str, value: Any = UNKNOWN) -> list[Node]:
    """Return the nodes of a member or an item, one for each thing that the branches say of it.

    Args:
        node: The node of the object or array.
        token: The reference token (RFC 6901); `*` is any item, or any additional member.
        value: The object or array, which rules out branches.

    Returns:
        The nodes, each once; if some are described by a schema, those alone.
    """
    found: dict[Any, Node] = {}
    for one in with_branches(node, value):
        if "object" in one.kinds and type(value) is not list:
            as_object = one.of_kind("object")
            if token in one.properties or not one.closed or _matches(as_object, token):
                below = as_object.child(token)
                found.setdefault(below.key, below)
        if "array" in one.kinds and type(value) is not dict and (token == ANY or is_index(token)):
            index = one.tuple_length if token == ANY else int(token)
            below = one.of_kind("array").item(index)
            found.setdefault(below.key, below)
    described = [one for one in found.values() if one.key.pointers]
    return described or [*found.values()]


def nodes_at(root: Node, tokens: Sequence[str], value: Any = UNKNOWN) -> list[Node]:
    """Return the nodes of a place in data.

    Args:
        root: The node of the data as a whole.
        tokens: The reference tokens of the place.
        value: The data, which rules out branches on the way; the value at the place rules out
            nothing, since it may be what is being written.

    Returns:
        The nodes; none if the schema allows nothing there.
    """
    nodes = [root]
    for depth, token in enumerate(tokens):
        here = _without(value, token) if depth == len(tokens) - 1 else value
        below = {child.key: child for node in nodes for child in children(node, token, here)}
        described = [one for one in below.values() if one.key.pointers]
        nodes = (described or [*below.values()])[:_MOST_PLACES]
        value = _below(value, token)
    return nodes


def named_members(nodes: Iterable[Node], value: Any = UNKNOWN) -> dict[str, list[Node]]:
    """Return the members that `properties` names in any of the branches, with their nodes."""
    found: dict[str, dict[Any, Node]] = {}
    for node in nodes:
        for one in with_branches(node, value):
            if "object" not in one.kinds:
                continue
            as_object = one.of_kind("object")
            for name, child in as_object.properties.items():
                if name not in as_object.absent and child.kinds:
                    found.setdefault(name, {}).setdefault(child.key, child)
    return {name: [*nodes.values()] for name, nodes in found.items()}


def _choices(node: Node) -> Sequence[Choice]:
    """Return the choices of a node, with those that it has as an object alone."""
    if "object" not in node.kinds or node.key.kind is not None:
        return node.choices
    known = {choice.place for choice in node.choices}
    others = [one for one in node.of_kind("object").choices if one.place not in known]
    return (*node.choices, *others)


def _branches(node: Node, choice: Choice, value: Any) -> list[Node]:
    of_object = choice.keyword == "dependencies" and node.key.kind is None
    narrowed = node.of_kind("object") if of_object else node
    nodes = [narrowed.choose(choice, index) for index in range(len(choice.branches))]
    if value is UNKNOWN:
        return nodes
    if choice.keyword == "if" and _holds(node.tree.node([choice.place]), value):
        return nodes[:1]
    return [one for one in nodes if _allows(one, value)] or nodes


def _holds(condition: Node, value: Any) -> bool:
    """Return whether a value meets a condition, whatever may still be written in it."""
    if type(value) is not dict or not _allows(condition, value):
        return False
    return value.keys() >= {*condition.required, *condition.of_kind("object").properties}


def _allows(node: Node, value: Any) -> bool:
    """Return whether nothing in a value contradicts a node, its choices left out."""
    if PYTHON[type(value)] not in node.kinds:
        return False
    if type(value) is not dict:
        return type(value) is list or node.values is None or value in Options([*node.values])
    as_object = node.of_kind("object")
    if not as_object.absent.isdisjoint(value):
        return False
    for name, child in as_object.properties.items():
        if name not in value or type(value[name]) in (dict, list):
            continue
        if child.values is not None and value[name] not in Options([*child.values]):
            return False
        if any(value[name] in options for options in child.excluded):
            return False
    return True


def _matches(node: Node, name: str) -> bool:
    return any(node.tree.matches(pattern, name) for pattern in node.patterns)


def _without(value: Any, token: str) -> Any:
    if type(value) is dict:
        return {name: item for name, item in value.items() if name != token}
    return value


def _below(value: Any, token: str) -> Any:
    if type(value) is dict:
        return value.get(token, UNKNOWN)
    if type(value) is list and is_index(token) and int(token) < len(value):
        return value[int(token)]
    return UNKNOWN
