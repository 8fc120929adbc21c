"""Checks that no type can express, left to the engine: of a whole value, or of some members.

`if`, `not`, `dependencies` and alternatives between objects mostly look at a few members only.
The engine then gets these alone, as an object of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import msgspec

from widgetschema.audit.fast_path.value_types import Check, Inexpressible
from widgetschema.jsontext.values import is_shallow
from widgetschema.schema.linking import LinkedSchema, subschemas
from widgetschema.schema.tree import Node

# Keywords that are about the same value as the schema that they stand in.
_BRANCHING: Final = frozenset("allOf anyOf oneOf not if then else dependencies".split())
_LEFT: Final = _BRANCHING - {"allOf"}  # the tree has taken that apart
_OF_ALL_MEMBERS: Final = ("propertyNames", "minProperties", "maxProperties")
_ROOT: Final = "residual#"  # no JSON Pointer begins like this: no name clashes
_MOST: Final = 100  # schemas that are compiled for one fast path

Compile = Callable[[LinkedSchema], Check]


class ResidualCheck(NamedTuple):
    """A check that a type of an object leaves open, about some of its members (None: all)."""

    decide: Check
    names: frozenset[str] | None


class ResidualChecks:
    """The engine's answers about the nodes of one tree, compiled once each."""

    def __init__(self, compile: Compile) -> None:
        self._compile = compile
        self._known: dict[Any, Check] = {}

    def whole(self, node: Node) -> Check:
        """Return the check that a plain value is valid by all schemas of a node."""
        return self._check(
            node.key.pointers, lambda: node.tree.linked.conjunction(node.key.pointers)
        )

    def of_members(self, node: Node) -> ResidualCheck | None:
        """Return the check of `anyOf`, `if`, `not` … of an object; None if it has none."""
        said = [
            (pointer, {word: schema[word] for word in schema if _is_left(node, pointer, word)})
            for pointer, schema in node.schemas
            if type(schema) is dict
        ]
        said = [(pointer, schema) for pointer, schema in said if schema]
        if not said:
            return None
        linked = _conjunction(node.tree.linked, said)
        key = tuple((pointer, *schema) for pointer, schema in said)
        names: set[str] = set()
        places = [f"{_ROOT}/allOf/{number}" for number in range(len(said))]
        some = all(_mentions(linked, place, names, set()) for place in places)
        return ResidualCheck(self._check(key, lambda: linked), frozenset(names) if some else None)

    def _check(self, key: Any, linked: Callable[[], LinkedSchema]) -> Check:
        if key not in self._known:
            if len(self._known) >= _MOST:
                raise Inexpressible
            self._known[key] = self._compile(linked())
        return self._known[key]


def _is_left(node: Node, pointer: str, word: str) -> bool:
    return word in _LEFT and f"{pointer}/{word}" not in node.key.decided


def _conjunction(linked: LinkedSchema, said: list[tuple[str, dict[str, Any]]]) -> LinkedSchema:
    """Return a schema of some keywords of some schemas, by the pointers of these."""
    at, references = dict(linked.at), dict(linked.references)
    for number, (pointer, schema) in enumerate(said):
        place = f"{_ROOT}/allOf/{number}"
        at[place] = schema
        for _, inner, _ in subschemas(schema, pointer):
            here = place + inner.removeprefix(pointer)
            at[here] = {"$ref": f"#{inner}"}
            references[here] = inner
    at[_ROOT] = {"allOf": [schema for _, schema in said]}
    return replace(linked, at=at, references=references, root=_ROOT)


def _mentions(linked: LinkedSchema, pointer: str, names: set[str], seen: set[str]) -> bool:
    """Collect the members that a schema looks at; False if it looks at all there are."""
    pointer = linked.target(pointer)
    schema = linked.at[pointer]
    if pointer in seen or type(schema) is not dict:
        return True
    seen.add(pointer)
    others = schema.get("additionalProperties", True)
    if (others is not True and others != {}) or schema.get("patternProperties"):
        return False
    if any(word in schema for word in _OF_ALL_MEMBERS):
        return False
    if any(type(value) is dict for value in (schema.get("const"), *schema.get("enum", ()))):
        return False
    names.update(schema.get("properties", ()), schema.get("required", ()))
    for name, needed in schema.get("dependencies", {}).items():
        names.add(name)
        names.update(needed if type(needed) is list else ())
    return all(
        _mentions(linked, place, names, seen)
        for word, place, _ in subschemas(schema, pointer)
        if word in _BRANCHING
    )


def shallow(decide: Check, levels: int) -> Check:
    """Return the engine's answer about a container nested no deeper than so many levels."""
    return lambda value: is_shallow(value, levels) and decide(value)


def some_members(attributes: Mapping[str, str], fixed: Mapping[str, Any], decide: Check) -> Check:
    """Return the engine's answer about some members of a class: attribute → name."""
    unset, pairs = msgspec.UNSET, tuple(attributes.items())

    def check(value: Any) -> bool:
        members = dict(fixed)
        for attribute, name in pairs:
            member = getattr(value, attribute)
            if member is not unset:
                members[name] = member
        return decide(members)

    return check


def count_members(names: int, least: int, most: int | None) -> Check:
    """Return the check that a class of members `m0`, `m1` … has enough and not too many."""
    attributes, unset = tuple(f"m{number}" for number in range(names)), msgspec.UNSET

    def check(value: Any) -> bool:
        there = sum(getattr(value, one) is not unset for one in attributes)
        return least <= there and (most is None or there <= most)

    return check
