"""The form of a schema that also refuses what is nested deep, and numbers that JSON has not.

An engine looks only where the schema says something, so this form says something about each place.
What it accepts is valid, and safe to encode: nobody has to walk through the value before. What it
refuses may be valid all the same.
"""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

from widgetschema.jsontext import dump

_SCALARS: Final = ["null", "boolean", "number", "string"]
_TYPES: Final = [*_SCALARS, "object", "array"]
_SCALAR_TYPES: Final = frozenset({*_SCALARS, "integer"})
_CONTAINER_KEYWORDS: Final = frozenset(
    {"properties", "patternProperties", "additionalProperties", "items"}
)
_REFERENCE: Final = "#/definitions/"
_REFERENCES: Final = re.compile(rf'"\$ref":"{_REFERENCE}(s[0-9]+)"')
_OPEN: Final = {"$ref": f"{_REFERENCE}open"}  # any value that is not nested too deep


def shallow_form(form: Any, levels: int) -> Any:
    """Return the form of a schema that accepts only what is in few containers.

    Args:
        form: A schema in engine form.
        levels: The most containers around a value, within each other.

    Returns:
        A schema that accepts nothing but what `form` accepts, and of that nothing that is nested
        deeper, or has NaN or an infinity in it. None if there is none that an engine may get: where
        `form` refers to itself, an engine follows a value as deep as it is.
    """
    definitions = form.get("definitions", {}) if type(form) is dict else {}
    uses = {name: _REFERENCES.findall(dump(one, indent=False)) for name, one in definitions.items()}
    forms = _Forms()
    try:
        for name in TopologicalSorter(uses).static_order():
            forms.define(name, definitions[name])
    except CycleError:
        return None
    body, height = forms.form(form)
    if height > levels:
        return None
    if type(body) is not dict:
        return body
    chain = {f"open{left}": _open(left) for left in range(levels - height)}
    opened = {"open": _open(levels - height)}
    return {**body, "definitions": {**definitions, **forms.definitions, **chain, **opened}}


def _open(levels: int) -> dict[str, Any]:
    """Return the schema of any value in so few containers."""
    if not levels:
        return {"type": _SCALARS}
    inner = {"$ref": f"{_REFERENCE}open{levels - 1}"}
    containers = {"type": ["object", "array"], "additionalProperties": inner, "items": inner}
    return {"anyOf": [{"type": _SCALARS}, containers]}


class _Forms:
    """One run of `shallow_form`: what has become of each definition, in the order of use."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self._known: dict[str, tuple[Any, int]] = {}  # by reference: the form, its height
        self._of_scalars: set[str] = set()  # references
        self._describing: set[str] = set()

    def define(self, name: str, schema: Any) -> None:
        """Add a definition; those that it refers to are there."""
        reference = f"{_REFERENCE}{name}"
        if self._accepts_only_scalars(schema):
            self._of_scalars.add(reference)
        if self._describes_members(schema):
            self._describing.add(reference)
        form, height = self.form(schema)
        if form is schema:
            self._known[reference] = {"$ref": reference}, height
        else:
            self.definitions[f"shallow-{name}"] = form
            self._known[reference] = {"$ref": f"{_REFERENCE}shallow-{name}"}, height

    def form(self, schema: Any) -> tuple[Any, int]:
        """Return the form of a schema, and how many containers it describes within each other."""
        if self._accepts_only_scalars(schema):
            return schema, 0
        if schema is True:
            return _OPEN, 0
        if "$ref" in schema:
            return self._known[schema["$ref"]]
        if _CONTAINER_KEYWORDS.isdisjoint(schema):
            for index, part in enumerate(schema.get("allOf", ())):
                if self._describes_members(part):
                    form, height = self.form(part)
                    parts = [*schema["allOf"]]
                    parts[index] = form
                    return {**schema, "allOf": parts}, height
            if "anyOf" in schema:  # not `oneOf`: of two that accept a value, one may be left
                forms, heights = zip(*map(self.form, schema["anyOf"]), strict=True)
                return {**schema, "anyOf": [*forms]}, max(heights)
        return self._with_members(schema)

    def _with_members(self, schema: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """Return the form of a schema that says something about each member and item itself."""
        types = schema.get("type", _TYPES)
        form, most = {**schema, "type": types}, 0

        def inner(subschema: Any) -> Any:
            nonlocal most
            inner_form, height = self.form(subschema)
            most = max(most, height)
            return inner_form

        if "object" in types:
            for keyword in ("properties", "patternProperties"):
                if keyword in schema:
                    form[keyword] = {name: inner(one) for name, one in schema[keyword].items()}
            form["additionalProperties"] = inner(schema.get("additionalProperties", True))
        if "array" in types:
            items = schema.get("items", True)
            if type(items) is list:
                form["items"] = [inner(one) for one in items]
                form["additionalItems"] = inner(schema.get("additionalItems", True))
            else:
                form["items"] = inner(items)
        return form, most + 1

    def _describes_members(self, schema: Any) -> bool:
        """Return whether a schema says something about members or items, itself or by `allOf`."""
        if type(schema) is not dict:
            return False
        if "$ref" in schema:
            return schema["$ref"] in self._describing
        return not _CONTAINER_KEYWORDS.isdisjoint(schema) or any(
            map(self._describes_members, schema.get("allOf", ()))
        )

    def _accepts_only_scalars(self, schema: Any) -> bool:
        """Return whether a schema certainly accepts neither objects nor arrays, nor NaN."""
        if type(schema) is not dict:
            return not schema
        if "$ref" in schema:
            return schema["$ref"] in self._of_scalars
        types = schema.get("type", _TYPES)
        if _SCALAR_TYPES.issuperset([types] if type(types) is str else types):
            return True
        values = schema["enum"] if "enum" in schema else [schema.get("const", [])]
        if not any(type(value) in (dict, list) for value in values):
            return True
        return any(map(self._accepts_only_scalars, schema.get("allOf", ()))) or any(
            schema.get(keyword) and all(map(self._accepts_only_scalars, schema[keyword]))
            for keyword in ("anyOf", "oneOf")
        )
