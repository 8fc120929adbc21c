"""A JSON text while it is changed: nodes over its tree, opened where somebody looks.

Nothing is written until the end: then one rewriting makes the new text, in which all that nobody
touched has the bytes that it had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.layout import Around
from widgetschema.jsontext.rewriting import (
    Items,
    Keep,
    Members,
    NewMember,
    Raw,
    rewrite,
    value_of,
)
from widgetschema.jsontext.rewriting import Node as Written
from widgetschema.jsontext.tree import Element, Member, Tree, scanned
from widgetschema.jsontext.values import dump
from widgetschema.pointers import ANY, Patterns, Places, is_index, pointer_of, step

CONTAINERS: Final = ("object", "array")


class Slot(NamedTuple):
    """A member of an object: its value, and the member of the text whose place it has."""

    node: Node
    member: Member | None = None


class Node:
    """One value: an element of the text, or of another text (`is_own` is false).

    `place` is the element of the text in whose place it is, if it is in one.
    """

    __slots__ = ("_items", "_members", "changed", "element", "is_own", "place")

    def __init__(self, element: Element, *, is_own: bool = True) -> None:
        self.element = element
        self.is_own = is_own
        self.place = element if is_own else None
        self.changed = False  # which members or items it has, or their names
        self._members: dict[str, Slot] | None = None
        self._items: list[Node] | None = None

    @classmethod
    def of_text(cls, text: str) -> Node:
        """Return the node of another JSON text, which is known to be one."""
        return cls(scanned(text), is_own=False)

    @property
    def kind(self) -> str:
        """The name of its type in JSON; that never changes."""
        return self.element.kind

    @property
    def members(self) -> dict[str, Slot]:
        """The members of an object, in order; there are none of other values."""
        if self._members is None:
            self._members = {
                member.name: Slot(
                    Node(member.element, is_own=self.is_own), member if self.is_own else None
                )
                for member in self.element.members
            }
        return self._members

    @property
    def items(self) -> list[Node]:
        """The items of an array; there are none of other values."""
        if self._items is None:
            self._items = [Node(item, is_own=self.is_own) for item in self.element.items]
        return self._items

    @property
    def is_opened(self) -> bool:
        """True if its members or items may have been changed."""
        return self._members is not None or self._items is not None

    @property
    def children(self) -> list[Node]:
        """The values of members, or the items."""
        if self.kind == "object":
            return [slot.node for slot in self.members.values()]
        return [*self.items] if self.kind == "array" else []

    def child(self, token: str) -> Node | None:
        """Return the value that a reference token leads to (RFC 6901, section 4), if any."""
        if self.kind == "object":
            slot = self.members.get(token)
            return None if slot is None else slot.node
        if self.kind == "array" and is_index(token) and int(token) < len(self.items):
            return self.items[int(token)]
        return None

    def replace(self, token: str, node: Node) -> None:
        """Put another value in the place of a member or an item."""
        self.changed = True
        if self.kind == "object":
            old = self.members[token]
            node.place = old.node.place
            self.members[token] = Slot(node, old.member)
        else:
            node.place = self.items[int(token)].place
            self.items[int(token)] = node

    def add(self, name: str, node: Node) -> None:
        """Add a member, which comes last."""
        self.changed = True
        node.place = None
        self.members[name] = Slot(node)

    def rename(self, name: str, to: str) -> None:
        """Give a member another name; it keeps its place."""
        self.changed = True
        self._members = {to if one == name else one: slot for one, slot in self.members.items()}

    def remove(self, token: str) -> Node:
        """Remove a member or an item, and return its value."""
        self.changed = True
        if self.kind == "object":
            return self.members.pop(token).node
        return self.items.pop(int(token))

    def insert(self, index: int, node: Node) -> None:
        """Add an item to an array, before the one at an index or behind the last one."""
        self.changed = True
        node.place = None
        self.items.insert(index, node)

    def cut(self, length: int) -> None:
        """Remove the items of an array behind the first ones."""
        self.changed = True
        del self.items[length:]

    def copy(self) -> Node:
        """Return the same value for another place."""
        return Node.of_text(self.text) if self.is_opened else Node(self.element, is_own=self.is_own)

    @property
    def value(self) -> Any:
        """The Python value, a new one each time."""
        return self.element.value if not self.is_opened else value_of(written(self))

    @property
    def text(self) -> str:
        """The JSON text: as it was written, if nothing in it was changed."""
        node = written(self)
        if isinstance(node, Keep):
            return node.element.dedented
        parts: list[str] = []
        todo: list[str | Written] = [node]
        while todo:
            one = todo.pop()
            if isinstance(one, str):
                parts.append(one)
            elif isinstance(one, Keep):
                parts.append(one.element.raw)
            elif isinstance(one, Raw):
                parts.append(one.text)
            else:
                todo += reversed(_pieces(one))
        return "".join(parts)


def assign(put: Callable[[Node], None], top: Node, new: Any) -> bool:
    """Give a node another value, and return whether it had another one.

    What is equal in it stays as it was written. `put` puts another node in the place of `top`.
    """
    is_changed = False
    todo: list[tuple[Callable[[Node], None], Node, Any]] = [(put, top, new)]
    while todo:
        put, node, value = todo.pop()
        if type(value) is dict and node.kind == "object":
            for name in [*node.members]:
                if name not in value:
                    node.remove(name)
                    is_changed = True
            for name, item in value.items():
                slot = node.members.get(name)
                if slot is None:
                    node.add(name, Node.of_text(dump(item, indent=False)))
                    is_changed = True
                else:
                    todo.append((partial(node.replace, name), slot.node, item))
        elif type(value) is list and node.kind == "array":
            if len(value) < len(node.items):
                node.cut(len(value))
                is_changed = True
            for index, item in enumerate(value):
                if index < len(node.items):
                    todo.append((partial(node.replace, str(index)), node.items[index], item))
                else:
                    node.insert(index, Node.of_text(dump(item, indent=False)))
                    is_changed = True
        elif node.kind in CONTAINERS or canonical(value) != canonical(node.element.value):
            put(Node.of_text(dump(value, indent=False)))
            is_changed = True
    return is_changed


def _pieces(node: Items | Members) -> list[str | Written]:
    """Return the text of a container, with its children where they are."""
    pieces: list[str | Written] = []
    if isinstance(node, Items):
        for item in node.items:
            pieces += [", " if pieces else "[", item]
        return [*(pieces or ["["]), "]"]
    for member in node.members:
        pieces += [", " if pieces else "{", f"{dump(member.name, indent=False)}: ", member.node]
    return [*(pieces or ["{"]), "}"]


def written(top: Node) -> Written:
    """Return the edit by which `rewriting` writes a node, without recursion."""
    order: list[Node] = []
    todo = [top]
    while todo:
        node = todo.pop()
        order.append(node)
        if node.is_opened or not node.is_own:
            todo += node.children
    made: dict[int, Written] = {}
    for node in reversed(order):
        made[id(node)] = _written(node, made)
    return made[id(top)]


def _written(node: Node, made: dict[int, Written]) -> Written:
    element = node.element
    if node.kind not in CONTAINERS:
        return Keep(element) if node.is_own else Raw(element.raw, node.place)
    if node.is_own and not node.is_opened:
        return Keep(element)
    original = element if node.is_own else node.place
    if node.kind == "array":
        items = tuple(made[id(item)] for item in node.items)
        if node.is_own and not node.changed and all(isinstance(item, Keep) for item in items):
            return Keep(element)
        return Items(items, original)
    members = tuple(
        NewMember(name, made[id(slot.node)], slot.member) for name, slot in node.members.items()
    )
    if (
        node.is_own
        and not node.changed
        and all(isinstance(member.node, Keep) for member in members)
    ):
        return Keep(element)
    return Members(members, original)


def new_text(tree: Tree, root: Node, around: Callable[[], Around | None] | None = None) -> str:
    """Return the text of a tree as its nodes are now.

    `around` returns the layout of the text that it is a part of.
    """
    node = written(root)
    if node == Keep(tree.root):
        return tree.text
    return rewrite(tree, tree.root, node, None if around is None else around())


class Place(NamedTuple):
    """A value that a pattern leads to: `token` leads to it from `parent`, if it is not the root."""

    node: Node
    parent: Node | None
    token: str
    path: tuple[Any, ...]

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the value."""
        return pointer_of(self.path)


def places(root: Node, pattern: Patterns[bool]) -> list[Place]:
    """Return the places that a pattern leads to, in the order of the text, outer ones first."""
    found: list[Place] = []
    todo: list[tuple[Place, Places[bool]]] = [(Place(root, None, "", ()), pattern.root)]
    while todo:
        place, states = todo.pop()
        if any(state.value for state in states):
            found.append(place)
        below = []
        for token, child in _candidates(place.node, states):
            after = step(states, token)
            if after:
                index = int(token) if place.node.kind == "array" else token
                below.append((Place(child, place.node, token, (place.path, index)), after))
        todo += reversed(below)
    return found


def _candidates(node: Node, states: Places[bool]) -> Iterator[tuple[str, Node]]:
    """Yield the members or items that patterns may lead to, with their tokens."""
    if any(state.is_any_depth or ANY in state.children for state in states):
        if node.kind == "object":
            for name, slot in node.members.items():
                yield name, slot.node
        elif node.kind == "array":
            for index, item in enumerate(node.items):
                yield str(index), item
        return
    if node.kind in CONTAINERS:
        for token in dict.fromkeys(token for state in states for token in state.children):
            child = node.child(token)
            if child is not None:
                yield token, child
