"""Places of subschemas in a draft-07 schema: the one table, and the one walk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import KEYWORDS, codes

Schema = dict[str, Any] | bool


def _holding(*kinds: str) -> frozenset[str]:
    return frozenset(code for code, one in KEYWORDS.items() if one.value in kinds)


# Where subschemas are (draft-07 validation specification, sections 6.4 to 6.7 and 9).
ONE: Final = _holding("schema", "schema or schemas")
MANY: Final = _holding("schemas", "schema or schemas")
NAMED: Final = _holding("schemas by name", "schemas or names by name")
# Subschemas applied to the same place in the instance as the schema that holds them.
IN_PLACE: Final = frozenset("allOf anyOf dependencies else if not oneOf then".split())

ANNOTATIONS: Final = frozenset(codes("annotation"))


def subschemas(schema: Any, pointer: str) -> Iterator[tuple[str, str, Any]]:
    """Yield the direct subschemas of a schema: (keyword, pointer, subschema), in order.

    `pointer` is the JSON Pointer of `schema`. Beside `$ref` only `definitions` count.
    """
    if type(schema) is not dict:
        return
    for keyword, value in schema.items():
        if "$ref" in schema and keyword != "definitions":
            continue
        here = f"{pointer}/{keyword}"
        if keyword in NAMED and type(value) is dict:
            for name, item in value.items():
                if is_schema(item):
                    yield keyword, f"{here}/{escape_token(name)}", item
        elif keyword in MANY and type(value) is list:
            for index, item in enumerate(value):
                if is_schema(item):
                    yield keyword, f"{here}/{index}", item
        elif keyword in ONE and is_schema(value):
            yield keyword, here, value


def is_schema(value: Any) -> bool:
    """Return whether a value has the shape of a schema: an object or a boolean."""
    return type(value) is dict or type(value) is bool


def member_names(schema: Any) -> set[str]:
    """Return the names in all `properties` of a schema, and those that it requires."""
    names: set[str] = set()
    todo = [schema]
    while todo:
        value = todo.pop()
        if type(value) is dict:
            properties, required = value.get("properties"), value.get("required")
            if type(properties) is dict:
                names |= properties.keys()
            if type(required) is list:
                names |= {name for name in required if type(name) is str}
            todo += value.values()
        elif type(value) is list:
            todo += value
    return names
