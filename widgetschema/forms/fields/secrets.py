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

_ALTERNATIVES: Final = ("anyOf", "oneOf")
_BRANCHES: Final = ("allOf", *_ALTERNATIVES)
_INNER = ("if", "then", "else")

_CHILDREN: Final = {
    "object": ("properties", "patternProperties", "additionalProperties"),
    "array": ("items", "additionalItems", "contains"),
}
_ALL: Final = frozenset(chain(*_CHILDREN.values()))

_MOST_LEVELS: Final = 30  # of alternatives inside each other

Pointers = tuple[str, ...]
_Schemas = Sequence[tuple[str, dict[str, Any]]]


def is_secret(node: Node) -> bool:
    """Return True if the schemas of a place say that its value is a secret."""
    return any(_says_secret(schema) for _, schema in node.schemas)


def has_secrets(linked: LinkedSchema) -> bool:
    """Return True if any schema speaks of a secret."""
    return any(map(_says_secret, linked.at.values()))


class SecretRule:
    """The secrets among values by their schemas, for one walk over data."""

    def __init__(self, tree: SchemaTree) -> None:
        self._tree = tree
        self._applicable: dict[Pointers, _Schemas] = {}
        self._of_kinds: dict[tuple[Pointers, str], bool] = {}

    def says(self, pointers: Pointers) -> bool:
        """Return True if a schema that may apply to a value calls it a secret, whatever it is."""
        return any(_says_secret(schema) for _, schema in self._schemas(pointers))

    def is_secret(self, pointers: Pointers, element: Element) -> bool:
        """Return True if a value is a secret.

        Null is none: it tells nothing. A value in place of a container with secrets, but of a type
        that no schema allows, is one.
        """
        if element.kind == "null":
            return False
        schemas = self._schemas(pointers)
        return self._is_of_kind(pointers, element.kind) or _is_misplaced(
            self._tree, schemas, element
        )

    def of_member(self, pointers: Pointers, name: str) -> Pointers:
        """Return the schemas of a member."""
        return _of_member(self._tree, self._schemas(pointers), name)

    def of_item(self, pointers: Pointers, at: int) -> Pointers:
        """Return the schemas of an item."""
        return _of_item(self._schemas(pointers), at)

    def of_child(self, pointers: Pointers, token: str) -> Pointers:
        """Return the schemas of a member or an item."""
        items = self.of_item(pointers, int(token)) if token.isdecimal() and len(token) < 9 else ()
        return (*self.of_member(pointers, token), *items)

    def _schemas(self, pointers: Pointers) -> _Schemas:
        if pointers not in self._applicable:
            self._applicable[pointers] = _applicable(self._tree, pointers)
        return self._applicable[pointers]

    def _is_of_kind(self, pointers: Pointers, kind: str, level: int = 0) -> bool:
        """Return True if a schema calls a value of a type a secret.

        That of an alternative counts, unless only others describe values of this type.
        """
        if level == _MOST_LEVELS or not self.says(pointers):
            return self.says(pointers)
        known = self._of_kinds.get((pointers, kind))
        if known is None:
            self._of_kinds[pointers, kind] = False  # an alternative inside itself adds nothing
            known = self._of_kinds[pointers, kind] = self._decide(pointers, kind, level)
        return known

    def _decide(self, pointers: Pointers, kind: str, level: int) -> bool:
        for pointer, schema in _applicable(self._tree, pointers, ("allOf",)):
            if _says_secret(schema):
                return True
            for keyword in _ALTERNATIVES:
                count = len(schema.get(keyword, ()))
                options = [(f"{pointer}/{keyword}/{at}",) for at in range(count)]
                fitting = [one for one in options if self._describes(one, kind)]
                for option in fitting or options:
                    if self._is_of_kind(option, kind, level + 1):
                        return True
        return False

    def _describes(self, pointers: Pointers, kind: str) -> bool:
        """Return True if schemas are for values of a type; if these hold others, also for those."""
        schemas = _applicable(self._tree, pointers, ("allOf",))
        if not all(kind in kinds_of(schema["type"]) for _, schema in schemas if "type" in schema):
            return False
        below = _CHILDREN.get(kind, ())
        return not below or any(word in one for _, one in self._schemas(pointers) for word in below)


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


def _of_member(tree: SchemaTree, schemas: _Schemas, name: str) -> Pointers:
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


def _of_item(schemas: _Schemas, at: int) -> Pointers:
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
