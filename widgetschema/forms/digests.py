"""Digests of schemas by meaning: those that assert the same have the same digest.

Titles, descriptions and the like mean nothing to a control: a form stays usable when only these
change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from widgetschema.jsontext import dump
from widgetschema.jsontext.digests import short_digest
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

_CONTROLS: Final = frozenset({"kind", "hidden", "readonly"})
_SAID: Final = METASCHEMA["properties"].keys() - ANNOTATIONS - {"$id", "$ref"}


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
    """Return the kinds of controls in a UI description, the hidden and read-only ones."""
    kinds = [
        [place, said.get("kind"), said.get("hidden", False), said.get("readonly", False)]
        for place, said in (ui or {}).items()
        if isinstance(said, Mapping) and not _CONTROLS.isdisjoint(said)
    ]
    return dump(kinds, indent=False)
