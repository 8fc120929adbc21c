"""Schemas of draft-04, read as what they say: the same schema in draft-07.

The differences are those of the draft-06 release notes: `exclusiveMinimum` and `exclusiveMaximum`
were booleans beside a bound, and `$id` was `id`. Keywords that draft-04 does not have are ignored,
as it says. That 1.0 is an integer, which draft-04 leaves open, is taken for granted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from widgetschema.pointers import resolve_pointer
from widgetschema.schema.linking import subschemas
from widgetschema.schema.metaschema import DRAFT7

_DRAFT4: Final = "json-schema.org/draft-04/schema"
_BOUNDS: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_LATER: Final = frozenset(
    "const contains propertyNames if then else contentEncoding contentMediaType".split()
)


class Converted(NamedTuple):
    """A schema in draft-07, and the keywords that the schema of draft-04 could not have."""

    schema: Any
    ignored: tuple[str, ...]

    @property
    def note(self) -> str:
        """The conversion in one line."""
        without = f", which ignores {', '.join(self.ignored)}" if self.ignored else ""
        return f"read as draft-04{without}"


def from_draft_04(schema: Any) -> Converted | None:
    """Return a schema of draft-04 in draft-07; None if it is of another draft.

    A schema is of draft-04 if its `$schema` says so. Without `$schema` it is if a bound is excluded
    by a boolean, which is possible in no later draft.
    """
    if type(schema) is not dict:
        return None
    dialect = schema.get("$schema")
    if dialect is None:
        places = _places(schema)
        is_draft_04 = any(type(one.get(word)) is bool for one in places for word in _BOUNDS)
    else:
        plain = dialect.partition("://")[2] if type(dialect) is str else ""
        is_draft_04 = plain.removesuffix("#") == _DRAFT4
    if not is_draft_04:
        return None
    copy = json.loads(json.dumps(schema))
    ignored = {word for one in _places(copy) for word in _convert(one)}
    copy["$schema"] = f"{DRAFT7}#"
    return Converted(copy, tuple(sorted(ignored)))


def _places(root: Any) -> Iterator[dict[str, Any]]:
    """Yield all subschemas that are objects, also where only a `$ref` leads to."""
    todo = [root]
    known: set[int] = set()
    while todo:
        one = todo.pop()
        if type(one) is not dict or id(one) in known:
            continue
        known.add(id(one))
        reference = one.get("$ref")
        yield one
        todo += [below for _, _, below in subschemas(one, "")]
        if type(reference) is str and reference.startswith("#/"):
            todo.append(resolve_pointer(root, reference.removeprefix("#")))


def _convert(schema: dict[str, Any]) -> frozenset[str]:
    """Change a subschema in place, and return the keywords that it loses."""
    ignored = _LATER & schema.keys()
    for word in ignored:
        del schema[word]
    schema.pop("$schema", None)
    if type(schema.get("id")) is str:
        schema["$id"] = schema.pop("id")
    for excluded, bound in _BOUNDS.items():
        if type(schema.get(excluded)) is bool:
            is_excluded = schema.pop(excluded)
            if is_excluded and bound in schema:
                schema[excluded] = schema.pop(bound)
    return ignored
