"""Structs of Arrow that are certainly valid, found member by member.

No value is written as JSON, and none becomes an object of Python, unless the schema says more of a
scalar than its type: then each different value is decided once. A row is accepted only if it is
valid beyond doubt, as the JSON that `json_column` would write of it; all others are to be read.
Nothing is known about objects and arrays of which a schema says more than what they have inside,
about maps, and about decimal numbers: a row that has such a member is not accepted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import InvalidSchema, UnreadableDocument
from widgetschema.jsontext import read
from widgetschema.project.inputs.arrow_texts import is_list, is_text, pa, pc, unencoded
from widgetschema.schema.tree import Node
from widgetschema.validation import Validator

# Returns which values of a column are null or certainly valid; None if all of them are.
Accept = Callable[[Any], Any]

_BRANCHING: Final = ("enum", "const", "anyOf", "oneOf", "not", "if")
# Keywords that say more of a value than its type, or what it has inside.
_MORE: Final = {
    "string": (
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "contentEncoding",
        "contentMediaType",
    ),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "boolean": (),
    "null": (),
    "array": ("contains", "uniqueItems"),
    "object": ("dependencies", "propertyNames", "minProperties", "maxProperties"),
}
_ESCAPE: Final = 6  # bytes of the longest escape of a byte
_SCALAR: Final = 40  # bytes, more than a number has, or its name as in JavaScript


class MemberChecks:
    """Accepts rows of a column of structs of one Arrow type, as data or documents of one type."""

    def __init__(self, widget_type: WidgetType, kind: str, arrow_type: Any) -> None:
        self._validator = widget_type.validator
        self._limits = widget_type.validator.limits
        is_whole = kind == "document"
        tree = widget_type.document_tree if is_whole else widget_type.schema_tree
        self._accept = self._struct(arrow_type, tree.root, 0, ("data",) if is_whole else ())

    def accepted(self, rows: Any) -> Any:
        """Return which rows are certainly valid, as Arrow's booleans; None if all of them are."""
        if len(rows) and _most_bytes(rows) > self._limits.max_bytes:
            if len(rows) == 1:
                return pa.array([False])
            half = len(rows) // 2
            parts = [rows.slice(0, half), rows.slice(half)]
            accepted = [self.accepted(part) for part in parts]
            if accepted == [None, None]:
                return None
            return pa.concat_arrays(
                [
                    pa.array([True] * len(part)) if one is None else one
                    for part, one in zip(parts, accepted, strict=True)
                ]
            )
        return self._accept(rows)

    def _of(self, arrow_type: Any, node: Node, depth: int) -> Accept:
        """Return what accepts the values of a type at a place of the schema."""
        types = pa.types
        empty = unencoded(pa.nulls(0, arrow_type))
        kind = empty.type
        if kind != arrow_type:
            accept = self._of(kind, node, depth)
            return lambda column: accept(unencoded(column))
        if types.is_struct(kind):
            return self._struct(kind, node, depth)
        if types.is_list(kind) or types.is_large_list(kind):
            return self._list(kind, node, depth)
        if is_text(kind):
            return _all_of(_is_unicode, self._scalar("string", node))
        if types.is_boolean(kind):
            return self._scalar("boolean", node)
        if types.is_integer(kind):
            return self._scalar("number", node)
        if types.is_float32(kind) or types.is_float64(kind):
            return _all_of(_is_finite, self._scalar("number", node, has_fractions=True))
        return _nulls

    # Scalars

    def _scalar(self, kind: str, node: Node, *, has_fractions: bool = False) -> Accept:
        if kind not in node.kinds or node.key.refused:
            return _nulls
        if not _says_more(node, kind) and not (has_fractions and node.integer):
            return _all
        try:
            decide = self._decider(node)
        except InvalidSchema:
            return _nulls

        def accept(column: Any) -> Any:
            values = column.unique().drop_null()
            wrong = [not decide(value) for value in _json_values(values, has_fractions)]
            if not any(wrong):
                return None
            return pc.invert(pc.is_in(column, values.filter(pa.array(wrong))))

        return accept

    def _decider(self, node: Node) -> Callable[[Any], bool]:
        """Return the decision of the engine about values at a place."""
        linked = node.tree.linked.conjunction(node.key.pointers)
        own = self._validator
        return Validator.from_linked(linked, formats=own.formats, engine=own.engine).decides

    # Containers

    def _struct(
        self, arrow_type: Any, node: Node, depth: int, present: Iterable[str] = ()
    ) -> Accept:
        names = [field.name for field in arrow_type.fields]
        needed = {*node.required, *present}
        is_unknown = len({*names}) < len(names) or not needed.issubset(names)
        if is_unknown or self._is_unknown("object", node, depth):
            return _nulls
        node = node.of_kind("object")
        members = [
            (
                self._of(field.type, node.child(field.name), depth + 1),
                field.name in needed,
            )
            for field in arrow_type.fields
        ]

        def accept(column: Any) -> Any:
            accepted = None
            for values, (accept_values, is_needed) in zip(column.flatten(), members, strict=True):
                accepted = _both(accepted, accept_values(values))
                if is_needed and values.null_count:
                    accepted = _both(accepted, values.is_valid())
            if accepted is not None and column.null_count:
                accepted = pc.or_(accepted, column.is_null())
            return accepted

        return accept

    def _list(self, arrow_type: Any, node: Node, depth: int) -> Accept:
        if node.tuple_length or self._is_unknown("array", node, depth):
            return _nulls
        item, least, most = node.item(0), node.least("minItems"), node.most("maxItems")
        accept_items = self._of(arrow_type.value_type, item, depth + 1)
        has_nulls = "null" in item.kinds and not _says_more(item, "null")

        def accept(column: Any) -> Any:
            accepted, items = None, column.flatten()
            right = accept_items(items)
            if items.null_count and not has_nulls:
                right = _both(right, items.is_valid())
            if right is not None:
                wrong = pc.list_parent_indices(column).filter(pc.invert(right)).unique()
                rows = pa.array(range(len(column)), wrong.type)
                accepted = pc.invert(pc.is_in(rows, wrong))
            lengths = pc.list_value_length(column)
            if least:
                accepted = _both(accepted, pc.greater_equal(lengths, least).fill_null(True))
            if most is not None:
                accepted = _both(accepted, pc.less_equal(lengths, most).fill_null(True))
            return accepted

        return accept

    def _is_unknown(self, kind: str, node: Node, depth: int) -> bool:
        """Return whether the schema says more of a container than what is followed here."""
        return depth >= self._limits.max_depth or kind not in node.kinds or _says_more(node, kind)


def _says_more(node: Node, kind: str) -> bool:
    """Return whether a schema says more of values of a kind than their type, and what is inside."""
    if node.key.refused or node.key.decided:
        return True
    return any(True for word in (*_BRANCHING, *_MORE[kind]) for _ in node.said(word))


def _json_values(values: Any, has_fractions: bool) -> Sequence[Any]:
    """Return values as they are read from JSON; numbers as these are spelled there."""
    if not has_fractions:
        return values.to_pylist()  # type: ignore[no-any-return]
    return [_number(text) for text in values.cast(pa.large_string()).to_pylist()]


def _number(text: str) -> Any:
    try:
        return read(text)
    except UnreadableDocument:  # "nan", which is not accepted in any case
        return None


def _all(column: Any) -> Any:
    return None


def _nulls(column: Any) -> Any:
    return None if column.null_count == len(column) else column.is_null()


def _is_finite(column: Any) -> Any:
    finite = pc.is_finite(column).fill_null(True)
    return None if pc.all(finite).as_py() else finite


def _is_unicode(column: Any) -> Any:
    """Accept texts if all of them are UTF-8, which Arrow does not promise."""
    try:
        column.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:
        return _nulls(column)
    return None


def _both(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    return pc.and_(one, other)


def _all_of(first: Accept, second: Accept) -> Accept:
    """Return what accepts values that both accept; the second gets no others."""
    if second in (_all, _nulls):
        return first if second is _all else second

    def accept(column: Any) -> Any:
        accepted = first(column)
        return second(column) if accepted is None else _nulls(column)

    return accept


def _most_bytes(column: Any) -> int:
    """Return how many bytes the JSON texts of all values have at most."""
    column = unencoded(column)
    kind, size = column.type, len(column)
    if pa.types.is_struct(kind):
        return 2 * size + sum(
            size * (len(json.dumps(field.name).encode()) + 2) + _most_bytes(values)
            for field, values in zip(kind.fields, column.flatten(), strict=True)
        )
    if is_list(kind):
        items = column.flatten()
        return 2 * size + len(items) + _most_bytes(items)
    if is_text(kind):
        data = pc.sum(pc.binary_length(column.cast(pa.large_string()))).as_py() or 0
        return _ESCAPE * int(data) + 4 * size
    return _SCALAR * size
