"""Secrets in data: values that a schema calls `writeOnly`, or whose `format` is `password`.

People can replace a secret, and no page shows it. Whether a value is one is decided in the cautious
way: it is enough that some schema says so that may apply to the place, such as one behind a
condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

from widgetschema.jsontext.tree import Element
from widgetschema.pointers import escape_token
from widgetschema.schema.linking import LinkedSchema, is_schema, subschemas
from widgetschema.schema.tree import Node, SchemaTree, kinds_of

_BRANCHES = ("allOf", "anyOf", "oneOf")
_INNER = ("if", "then", "else")

_CHILDREN: Final = {
    "object": ("properties", "patternProperties", "additionalProperties"),
    "array": ("items", "additionalItems", "contains"),
}
_ALL: Final = frozenset(chain(*_CHILDREN.values()))

_Schemas = Sequence[tuple[str, dict[str, Any]]]


def is_secret(node: Node) -> bool:
    """Return True if the schemas of a place say that its value is a secret."""
    return any(_says_secret(schema) for _, schema in node.schemas)


def has_secrets(linked: LinkedSchema) -> bool:
    """Return True if any schema speaks of a secret."""
    return any(map(_says_secret, linked.at.values()))


def secret_elements(node: Node, element: Element, tokens: Iterable[str] = ()) -> list[Element]:
    """Return the secrets in a value at a place below a node, none inside another one.

    A value in place of a container with secrets, but of a type that no schema allows, is one.
    """
    tree, found = node.tree, []
    pointers = tuple(node.key.pointers)
    for token in tokens:
        pointers = _of_child(tree, _applicable(tree, pointers), token)
    todo = [(pointers, element)]
    while todo:
        pointers, one = todo.pop()
        schemas = _applicable(tree, pointers)
        if any(_says_secret(schema) for _, schema in schemas) or _is_misplaced(tree, schemas, one):
            found.append(one)
            continue
        for member in one.members:
            todo.append((_of_member(tree, schemas, member.name), member.element))
        todo += [(_of_item(schemas, at), item) for at, item in enumerate(one.items)]
    return found


def is_secret_place(node: Node, tokens: Iterable[str]) -> bool:
    """Return True if a secret may be at a place below a node, or around it."""
    pointers = tuple(node.key.pointers)
    for token in (*tokens, None):
        schemas = _applicable(node.tree, pointers)
        if any(_says_secret(schema) for _, schema in schemas):
            return True
        if token is not None:
            pointers = _of_child(node.tree, schemas, token)
    return False


class SecretPlaces:
    """The places of secrets below a node, for one walk over the data there.

    `at` is the JSON Pointer of the node's value, with which all others begin.
    """

    def __init__(self, node: Node, at: str) -> None:
        self._tree = node.tree
        self._pointers = {at: tuple(node.key.pointers)}
        self._known: dict[tuple[tuple[str, ...], bool], _Schemas] = {}

    def is_secret(self, path: str, *, choices: bool) -> bool:
        """Return True if a schema of a place calls its value a secret, whatever the data is.

        Without `choices`, the alternatives of the value itself do not count.
        """
        return any(_says_secret(one) for _, one in self._schemas(path, choices=choices))

    def _schemas(self, path: str, *, choices: bool) -> _Schemas:
        if path not in self._pointers:
            around, _, token = path.rpartition("/")
            schemas = self._schemas(around, choices=True)
            token = token.replace("~1", "/").replace("~0", "~")
            self._pointers[path] = _of_child(self._tree, schemas, token)
        key = self._pointers[path], choices
        if key not in self._known:
            branches = _BRANCHES if choices else ("allOf",)
            self._known[key] = _applicable(self._tree, key[0], branches)
        return self._known[key]


def _says_secret(schema: Any) -> bool:
    return type(schema) is dict and (
        schema.get("writeOnly") is True or schema.get("format") == "password"
    )


def _is_misplaced(tree: SchemaTree, schemas: _Schemas, element: Element) -> bool:
    """Return True if an element is in place of a container that may hold secrets.

    So is a container about whose children no schema says anything.
    """
    kinds = [kinds_of(schema["type"]) for _, schema in schemas if "type" in schema]
    described = _CHILDREN.get(element.kind, ())
    if not kinds or any(element.kind in those for those in kinds):
        return False
    if any(keyword in schema for _, schema in schemas for keyword in described):
        return False
    seen: set[str] = set()
    todo = [pointer for pointer, _ in schemas]
    while todo:
        for pointer, schema in _applicable(tree, [todo.pop()]):
            if pointer in seen:
                continue
            seen.add(pointer)
            if _says_secret(schema):
                return True
            todo += [place for word, place, _ in subschemas(schema, pointer) if word in _ALL]
    return False


def _applicable(
    tree: SchemaTree, pointers: Iterable[str], branches: Sequence[str] = _BRANCHES
) -> _Schemas:
    """Return all schemas that may apply to a value, with those of branches and conditions."""
    found: dict[str, dict[str, Any]] = {}
    todo = [*pointers]
    while todo:
        pointer = tree.linked.target(todo.pop())
        schema = tree.linked.at.get(pointer)
        if type(schema) is not dict or pointer in found:
            continue
        found[pointer] = schema
        for keyword in branches:
            todo += [f"{pointer}/{keyword}/{at}" for at in range(len(schema.get(keyword, ())))]
        todo += [f"{pointer}/{keyword}" for keyword in _INNER if keyword in schema]
        for name, needed in schema.get("dependencies", {}).items():
            if is_schema(needed):
                todo.append(f"{pointer}/dependencies/{escape_token(name)}")
    return [*found.items()]


def _of_child(tree: SchemaTree, schemas: _Schemas, token: str) -> tuple[str, ...]:
    """Return the schemas of a member or an item."""
    items = _of_item(schemas, int(token)) if token.isdecimal() and len(token) < 9 else ()
    return (*_of_member(tree, schemas, token), *items)


def _of_member(tree: SchemaTree, schemas: _Schemas, name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_describing(tree, schemas, name)))


def _describing(tree: SchemaTree, schemas: _Schemas, name: str) -> Iterator[str]:
    for pointer, schema in schemas:
        if name in schema.get("properties", ()):
            yield f"{pointer}/properties/{escape_token(name)}"
        for pattern in schema.get("patternProperties", ()):
            if tree.matches(pattern, name):
                yield f"{pointer}/patternProperties/{escape_token(pattern)}"
        if "additionalProperties" in schema:
            yield f"{pointer}/additionalProperties"


def _of_item(schemas: _Schemas, at: int) -> tuple[str, ...]:
    found = []
    for pointer, schema in schemas:
        items = schema.get("items")
        if type(items) is list and at < len(items):
            found.append(f"{pointer}/items/{at}")
        elif type(items) is list and "additionalItems" in schema:
            found.append(f"{pointer}/additionalItems")
        elif is_schema(items):
            found.append(f"{pointer}/items")
        if "contains" in schema:
            found.append(f"{pointer}/contains")
    return tuple(found)
