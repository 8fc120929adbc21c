"""Accept Arrow structs that are certainly valid, member by member.

No value is written as JSON. Values become Python objects only if the schema restricts a scalar by
more than its type; then each different value is checked once. A row is accepted only if the JSON
that `json_column` would write of it is certainly valid; the caller checks all other rows as JSON.
Rows are never accepted if they have a map, a decimal number, or an object or array with keywords
other than those for its members or items and for the length of an array.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from widgetschema.audit.inputs.arrow_texts import is_list, is_text, pa, pc, unencoded
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import InvalidSchema, UnreadableDocument
from widgetschema.jsontext import read
from widgetschema.schema.tree import Node
from widgetschema.validation import Validator

# Returns which values of a column are null or certainly valid; None if all of them are.
Accept = Callable[[Any], Any]

_BRANCHING: Final = ("enum", "const", "anyOf", "oneOf", "not", "if")
# Keywords that restrict a value, besides its type and its members or items.
_RESTRICTIONS: Final = {
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
    """Accept structs of one Arrow type, as data or documents of one widget type.

    Args:
        widget_type: The widget type of all rows.
        kind: `data` or `document`, which the rows are.
        arrow_type: The Arrow type of the column, a struct.
    """

    def __init__(self, widget_type: WidgetType, kind: str, arrow_type: Any) -> None:
        self._validator = widget_type.validator
        self._limits = widget_type.validator.limits
        is_whole = kind == "document"
        tree = widget_type.document_tree if is_whole else widget_type.schema_tree
        self._accept = self._struct(arrow_type, tree.root, 0, ("data",) if is_whole else ())

    def accepted(self, rows: Any) -> Any:
        """Return which rows are certainly valid.

        Args:
            rows: A `pyarrow.StructArray` of the Arrow type, without nulls.

        Returns:
            A `pyarrow.BooleanArray` with a value for each row; None if all of them are valid.
        """
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

    def _accept_type(self, arrow_type: Any, node: Node, depth: int) -> Accept:
        """Return a function that accepts values of an Arrow type at a place in the schema."""
        types = pa.types
        empty = unencoded(pa.nulls(0, arrow_type))
        kind = empty.type
        if kind != arrow_type:
            accept = self._accept_type(kind, node, depth)
            return lambda column: accept(unencoded(column))
        if types.is_struct(kind):
            return self._struct(kind, node, depth)
        if types.is_list(kind) or types.is_large_list(kind):
            return self._list(kind, node, depth)
        if is_text(kind):
            return _all_of(_accept_unicode, self._scalar("string", node))
        if types.is_boolean(kind):
            return self._scalar("boolean", node)
        if types.is_integer(kind):
            return self._scalar("number", node)
        if types.is_float32(kind) or types.is_float64(kind):
            return _all_of(_accept_finite, self._scalar("number", node, has_fractions=True))
        return _accept_nulls

    # Scalars

    def _scalar(self, kind: str, node: Node, *, has_fractions: bool = False) -> Accept:
        if kind not in node.kinds or node.key.refused:
            return _accept_nulls
        if not _is_restricted(node, kind) and not (has_fractions and node.integer):
            return _accept_all
        try:
            decide = self._decider(node)
        except InvalidSchema:
            return _accept_nulls

        def accept(column: Any) -> Any:
            values = column.unique().drop_null()
            wrong = [not decide(value) for value in _json_values(values, has_fractions)]
            if not any(wrong):
                return None
            return pc.invert(pc.is_in(column, values.filter(pa.array(wrong))))

        return accept

    def _decider(self, node: Node) -> Callable[[Any], bool]:
        """Return a function by which the engine decides whether a value is valid at a place."""
        linked = node.tree.linked.conjunction(node.key.pointers)
        own = self._validator
        return Validator.from_linked(linked, formats=own.formats, engine=own.engine).decides

    # Containers

    def _struct(
        self, arrow_type: Any, node: Node, depth: int, present: Iterable[str] = ()
    ) -> Accept:
        names = [field.name for field in arrow_type.fields]
        needed = {*node.required, *present}
        is_unsupported = len({*names}) < len(names) or not needed.issubset(names)
        if is_unsupported or self._is_unsupported("object", node, depth):
            return _accept_nulls
        node = node.of_kind("object")
        members = [
            (
                self._accept_type(field.type, node.child(field.name), depth + 1),
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
        if node.tuple_length or self._is_unsupported("array", node, depth):
            return _accept_nulls
        item, least, most = node.item(0), node.least("minItems"), node.most("maxItems")
        accept_items = self._accept_type(arrow_type.value_type, item, depth + 1)
        has_nulls = "null" in item.kinds and not _is_restricted(item, "null")

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

    def _is_unsupported(self, kind: str, node: Node, depth: int) -> bool:
        """Return whether the schema restricts a container in a way that is not checked here."""
        return (
            depth >= self._limits.max_depth or kind not in node.kinds or _is_restricted(node, kind)
        )


def _is_restricted(node: Node, kind: str) -> bool:
    """Return whether a schema restricts values of a kind, besides their type and contents."""
    if node.key.refused or node.key.decided:
        return True
    return any(True for word in (*_BRANCHING, *_RESTRICTIONS[kind]) for _ in node.said(word))


def _json_values(values: Any, has_fractions: bool) -> Sequence[Any]:
    """Return values as they would be read from the JSON that is written of them."""
    if not has_fractions:
        return values.to_pylist()  # type: ignore[no-any-return]
    return [_number(text) for text in values.cast(pa.large_string()).to_pylist()]


def _number(text: str) -> Any:
    try:
        return read(text)
    except UnreadableDocument:  # "nan", which is not accepted in any case
        return None


def _accept_all(column: Any) -> Any:
    return None


def _accept_nulls(column: Any) -> Any:
    return None if column.null_count == len(column) else column.is_null()


def _accept_finite(column: Any) -> Any:
    finite = pc.is_finite(column).fill_null(True)
    return None if pc.all(finite).as_py() else finite


def _accept_unicode(column: Any) -> Any:
    """Accept texts if all of them are UTF-8, which Arrow does not promise."""
    try:
        column.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:
        return _accept_nulls(column)
    return None


def _both(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    return pc.and_(one, other)


def _all_of(first: Accept, second: Accept) -> Accept:
    """Return a function that accepts by both: only nulls unless the first accepts all."""
    if second in (_accept_all, _accept_nulls):
        return first if second is _accept_all else second

    def accept(column: Any) -> Any:
        accepted = first(column)
        return second(column) if accepted is None else _accept_nulls(column)

    return accept


def _most_bytes(column: Any) -> int:
    """Return an upper bound of the bytes of the JSON texts of all values."""
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
