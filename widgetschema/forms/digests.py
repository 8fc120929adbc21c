"""Digests by meaning: schemas and texts that mean the same have the same digest.

Titles, descriptions and the like mean nothing to a control, and neither do white space, escapes,
the order of members and the spelling of numbers. A form stays usable when only these change.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import dump
from widgetschema.jsontext.tree import Element, parse, scalar_value
from widgetschema.schema.linking import (
    ANNOTATIONS,
    MANY,
    NAMED,
    ONE,
    LinkedSchema,
    is_schema,
    subschemas,
)
from widgetschema.schema.metaschema import METASCHEMA

_SAID: Final = METASCHEMA["properties"].keys() - ANNOTATIONS - {"$id", "$ref"}
_NUMBER: Final = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,9}))?")


def short_digest(parts: Iterable[str]) -> str:
    """Return a short digest of texts in their order."""
    whole = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def schema_digest(linked: LinkedSchema) -> str:
    """Return the digest of everything that a schema asserts, wherever it is written."""
    root = linked.target(linked.root)
    numbers = {root: 0}
    said: list[str] = []
    todo = [root]
    for pointer in todo:  # which grows meanwhile
        schema = linked.at[pointer]
        below = []
        for place, keyword in sorted((at, word) for word, at, _ in subschemas(schema, pointer)):
            if keyword in _SAID:
                target = linked.target(place)
                if target not in numbers:
                    numbers[target] = len(numbers)
                    todo.append(target)
                below.append((place.removeprefix(pointer), numbers[target]))
        said.append(dump([_asserted(schema), below], indent=False))
    return short_digest(said)


def _asserted(schema: Any) -> Any:
    """Return what a schema asserts itself, without its subschemas."""
    if type(schema) is not dict:
        return schema
    return [[word, _own(word, schema[word])] for word in sorted(schema.keys() & _SAID)]


def _own(keyword: str, value: Any) -> Any:
    """Return the value of a keyword without the schemas in it."""
    if keyword in NAMED and type(value) is dict:
        return {name: None if is_schema(value[name]) else value[name] for name in sorted(value)}
    if keyword in MANY and type(value) is list:
        return len(value)
    return None if keyword in ONE else value


def ui_kinds(ui: Mapping[str, Any] | None) -> str:
    """Return the kinds of controls in a UI description, as a text."""
    kinds = [[place, said["kind"]] for place, said in (ui or {}).items() if "kind" in said]
    return dump(kinds, indent=False)


def value_digest(root: Element) -> str:
    """Return the digest of a JSON value: equal for equal values, however they are written."""
    order = [root]
    for element in order:  # which grows meanwhile
        order.extend(member.element for member in element.members)
        order.extend(element.items)
    known: dict[int, str] = {}
    for element in reversed(order):
        if element.kind == "object":
            members = sorted((member.name, known[id(member.element)]) for member in element.members)
            known[id(element)] = short_digest(
                ["object", *(part for pair in members for part in pair)]
            )
        elif element.kind == "array":
            known[id(element)] = short_digest(
                ["array", *(known[id(item)] for item in element.items)]
            )
        else:
            known[id(element)] = _scalar(element)
    return short_digest([known[id(root)]])


def _scalar(element: Element) -> str:
    if element.kind == "string":
        return f'"{scalar_value(element.raw)}'
    return _number(element.raw) if element.kind == "number" else element.raw


def _number(raw: str) -> str:
    """Return a number as digits and exponent: the same for 1, 1.0 and 10e-1."""
    match = _NUMBER.fullmatch(raw)
    if match is None:  # an exponent beyond reason
        return raw
    sign, whole, fraction, exponent = match.groups(default="")
    digits = (whole + fraction).lstrip("0")
    plain = digits.rstrip("0")
    if not plain:
        return "0"
    return f"{sign}{plain}e{int(exponent or 0) - len(fraction) + len(digits) - len(plain)}"


def is_same_value(one: str, other: str) -> bool:
    """Return True if two texts are the same JSON value."""
    try:
        return one == other or value_digest(parse(one).root) == value_digest(parse(other).root)
    except UnreadableDocument:
        return False
