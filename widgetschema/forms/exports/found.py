"""What JSON Forms finds in a schema: it looks for each member by itself, and not everywhere.

It follows references, and tries `oneOf`, `allOf`, `anyOf`, `then` and `else`, in this order, for
the first that knows a member; in `dependencies` and `patternProperties` it does not look. The type
that it finds there decides about the control.
"""

from __future__ import annotations

from typing import Any, Final

from widgetschema.forms.exports.outline import Outline
from widgetschema.forms.model import TEXT_KINDS

_TRIED: Final = ("oneOf", "allOf", "anyOf")
_NAMES: Final = {"string": TEXT_KINDS, "number": ("number", "integer"), "integer": ("integer",)}


class Found:
    """Where JSON Forms looks, in one schema."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.definitions = schema.get("definitions", {})

    def resolved(self, schema: Any) -> dict[str, Any]:
        """A schema, references followed."""
        while type(schema) is dict and "$ref" in schema:
            schema = self.definitions[schema["$ref"].removeprefix("#/definitions/")]
        return schema if type(schema) is dict else {}

    def member(self, schema: Any, name: str) -> Any:
        """The schema of a member; None if it is not found."""
        todo, seen = [schema], set()
        while todo:
            one = self.resolved(todo.pop())
            if id(one) in seen:
                continue
            seen.add(id(one))
            if name in one.get("properties", ()):
                return one["properties"][name]
            parts = [part for keyword in _TRIED for part in one.get(keyword, ())]
            parts += [one[keyword] for keyword in ("then", "else") if keyword in one]
            todo.extend(reversed(parts))
        return None

    def items(self, schema: Any) -> Any:
        """The schema of the items of a list."""
        return self.resolved(schema).get("items")

    def branches(self, schema: Any, keyword: str) -> list[Any]:
        """The alternatives."""
        parts: list[Any] = self.resolved(schema).get(keyword, [])
        return parts

    def kinds(self, schema: Any, one: Outline) -> tuple[str, ...]:
        """For which kinds the library has a control here."""
        if schema is None:
            return ()
        schema = self.resolved(schema)
        if one.kind == "object":
            return ("object",)
        if "enum" in schema or "const" in schema:
            return ("enum", "constant", "boolean")
        titled = schema.get("oneOf", ())
        if titled and all("const" in self.resolved(part) for part in titled):
            return ("enum",)
        said = schema.get("type", ())
        found: list[str] = []
        for name in [said] if type(said) is str else said:
            found += _NAMES.get(name, ())
        if "boolean" in said:
            found.append("boolean")
        if said == "array" and "items" in schema:
            found.append("list")
        return tuple(found)
