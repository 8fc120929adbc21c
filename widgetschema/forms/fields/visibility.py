"""Conditional visibility: fields that are shown where other values are as a UI description says.

A condition names a value by a reference: a JSON Pointer from the data, such as `/content/type`, or
a path from the object that has the field, such as `type`, `link/target` or `../type`. A value that
is not set counts as its `default`, and else as null. No schema holds for null.

A field that is not shown keeps its control, with all that was typed: nothing depends on whether a
field is shown. It is shown in any case if there is a finding in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from widgetschema.forms.model import Condition, Field, Reference, changed_fields
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import (
    PointerError,
    format_pointer,
    is_pointer,
    parse_pointer,
    resolve_pointer,
)
from widgetschema.validation import Validator

_UP: Final = ".."
_ABSENT: Final[Any] = object()


def parse_reference(text: str) -> Reference:
    """Return the reference that a text means. Raises `PointerError`."""
    if not is_pointer(text if text.startswith("/") else f"/{text}"):
        raise PointerError("write ~0 for ~, and ~1 for / within a name")
    if text.startswith("/"):
        return Reference(tuple(parse_pointer(text)))
    tokens = parse_pointer(f"/{text}")
    up = next((at for at, token in enumerate(tokens) if token != _UP), len(tokens))
    return Reference(tuple(tokens[up:]), up)


def parse_condition(reference: str, wanted: Any) -> Condition:
    """Return a condition: `wanted` is a value, a list of values, or a JSON Schema.

    Raises `PointerError` for the reference, and `SchemaError` for the schema.
    """
    if isinstance(wanted, Mapping):
        is_valid = Validator(wanted).is_valid
        schema = {"allOf": [wanted, {"not": {"type": "null"}}]}
        return Condition(
            reference,
            parse_reference(reference),
            lambda value: value is not None and is_valid(value),
            schema,
        )
    values = wanted if isinstance(wanted, list) else [wanted]
    known = {canonical(value) for value in values}
    parsed = parse_reference(reference)
    return Condition(reference, parsed, lambda value: canonical(value) in known, {"enum": values})


def conceal(root: Field, data: Any, at: str) -> Field:
    """Return the fields with those `concealed` whose conditions do not hold.

    `data` is the value of the data, and `at` its JSON Pointer in the text.
    """
    fields = list(root.walk())
    if not any(field.shape.ui.when for field in fields):
        return root
    defaults = {
        field.path: field.shape.default
        for field in reversed(fields)
        if field.path is not None and field.shape.default is not None
    }

    def value_at(tokens: list[str] | None) -> Any:
        if tokens is None:
            return None
        pointer = format_pointer(tokens)
        value = resolve_pointer(data, pointer, _ABSENT)
        if value is not _ABSENT:
            return value
        default = defaults.get(at + pointer)
        return None if default is None else json.loads(default)

    def concealed(field: Field) -> Field:
        """Return a field as its conditions show it."""
        conditions = field.shape.ui.when
        if not conditions or field.path is None or field.row or field is root:
            return field
        holder = parse_pointer(field.path.removeprefix(at))[:-1]
        values = ((one, value_at(one.reference.resolve(holder))) for one in conditions)
        is_shown = all(condition.holds(value) for condition, value in values)
        return field if is_shown else field._replace(concealed=True)

    return changed_fields(root, concealed)
