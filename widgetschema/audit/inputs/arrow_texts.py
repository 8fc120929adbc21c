"""Columns of Arrow as JSON texts, for files of tables and for engines that hold them.

A column of text or of bytes holds JSON texts already. Any other column (objects as structs, lists,
maps, numbers) is written as JSON, column by column: no value becomes an object of Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from widgetschema.errors import MissingExtra

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError:
    raise MissingExtra("arrow", "tables need the library pyarrow") from None

__all__ = [
    "is_list",
    "is_text",
    "json_column",
    "pa",
    "pc",
    "texts_of",
    "unencoded",
]  # without the extra, none of them

_BLOCK: Final = 4 * 1024 * 1024  # bytes of texts that are held as objects at once
_ROWS: Final = 4096
# What a JSON string cannot hold as it is: the backslash first, since escapes have one.
_ESCAPES: Final = {
    "\\": "\\\\",
    '"': '\\"',
    **{chr(code): json.dumps(chr(code))[1:-1] for code in range(0x20)},
}
_ESCAPED: Final = "".join(_ESCAPES).encode()
_NULL: Final = pa.scalar(None, pa.large_string())
# As JavaScript spells numbers that JSON does not have: whoever reads the text says so.
_NOT_NUMBERS: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


def json_column(column: Any) -> Any:
    """Return the JSON texts of a column, as Arrow's large strings or large binaries.

    A null of the column stays null. Within values, a member of a struct that is null is left out,
    since a struct has no other way to say that it is not there; a null in a list or a map is the
    JSON `null`.

    Args:
        column: A `pyarrow.Array` of text, bytes, structs, lists, maps, numbers or booleans, or
            a dictionary of these, or runs. Text and bytes are JSON texts.

    Raises:
        TypeError: A type, of the column or of what is inside it, has no JSON.
    """
    column = unencoded(column)
    kind = column.type
    if is_text(kind):
        return column.cast(pa.large_string())
    if _is_bytes(kind):
        return column.cast(pa.large_binary())
    return _written(column)


def texts_of(column: Any) -> Iterator[list[bytes]]:
    """Yield the texts that `json_column` returned, in order, some at a time.

    The text of a null may be anything.
    """
    offset_view, data = _buffers(column)
    offsets = offset_view.tolist()
    start = 0
    while start < len(column):
        end, most = start + 1, offsets[start] + _BLOCK
        last = min(start + _ROWS, len(column))
        while end < last and offsets[end + 1] <= most:
            end += 1
        begin = offsets[start]
        block = bytes(data[begin : offsets[end]])
        yield [block[a - begin : b - begin] for a, b in pairwise(offsets[start : end + 1])]
        start = end


def _buffers(column: Any) -> tuple[memoryview, memoryview]:
    """Return the offsets of the texts of a large column, and the buffer that holds them."""
    _, offsets, data = column.buffers()
    first, last = column.offset, column.offset + len(column) + 1
    view = memoryview(offsets).cast("q")[first:last] if len(column) else memoryview(b"")
    return view, memoryview(data or b"")


def unencoded(column: Any) -> Any:
    """Return a column without encodings such as dictionaries, runs and extension types.

    Args:
        column: Any `pyarrow.Array`.

    Returns:
        A `pyarrow.Array` of the same values.
    """
    while True:
        if isinstance(column.type, pa.BaseExtensionType):
            column = column.storage
        elif pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        elif pa.types.is_run_end_encoded(column.type):
            column = pc.run_end_decode(column)
        else:
            return column


def is_text(kind: Any) -> bool:
    """Return whether the values of an Arrow type are texts."""
    types = pa.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def is_list(kind: Any) -> bool:
    """Return whether the values of an Arrow type are lists."""
    types = pa.types
    return bool(
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
        or types.is_fixed_size_list(kind)
    )


def _is_bytes(kind: Any) -> bool:
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
        or types.is_fixed_size_binary(kind)
    )


def _written(column: Any) -> Any:
    """Return values as JSON texts; nulls stay null."""
    column = unencoded(column)
    kind, types = column.type, pa.types
    if is_text(kind):
        return _joined('"', _escaped(column.cast(pa.large_string())), '"')
    if types.is_struct(kind):
        return _objects(column)
    if types.is_map(kind):
        return _maps(column)
    if is_list(kind):
        return _lists(column)
    if types.is_floating(kind):
        texts = column.cast(pa.large_string())
        for name, spelling in _NOT_NUMBERS.items():
            texts = pc.if_else(pc.equal(texts, name), _text(spelling), texts)
        return texts
    if types.is_null(kind) or types.is_boolean(kind) or _is_exact_number(kind):
        return column.cast(pa.large_string())
    raise TypeError(
        f"values of the Arrow type {kind} have no JSON: cast the column to the text or the number "
        "that the data has there"
    )


def _is_exact_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def _text(value: str) -> Any:
    return pa.scalar(value, pa.large_string())


def _joined(*parts: Any) -> Any:
    """Return texts put together, row by row; null where one is."""
    columns = [_text(part) if isinstance(part, str) else part for part in parts]
    return pc.binary_join_element_wise(*columns, _text(""))


def _escaped(column: Any) -> Any:
    """Return texts as they are inside of JSON strings."""
    offsets, data = _buffers(column)
    inside = bytes(data[offsets[0] : offsets[-1]]) if len(column) else b""
    if len(inside.translate(None, _ESCAPED)) < len(inside):
        for character, escape in _ESCAPES.items():
            if character.encode() in inside:
                column = pc.replace_substring(column, character, escape)
    return column


def _quoted_keys(keys: Any) -> Any:
    keys = unencoded(keys)
    if not is_text(keys.type):
        raise TypeError(f"keys of the Arrow type {keys.type} cannot be names of JSON members")
    return _written(keys)


def _items(column: Any) -> Any:
    return pc.fill_null(_written(column), "null")


def _objects(column: Any) -> Any:
    """Return structs as JSON objects, without the members that are null."""
    members = [
        _member(f",{json.dumps(field.name, ensure_ascii=False)}:", unencoded(values))
        for field, values in zip(column.type.fields, column.flatten(), strict=True)
    ]
    if not members:
        members = [pc.if_else(column.is_valid(), _text(""), _NULL)]
    # Not `null_handling="skip"`, which drops a row where all are null.
    body = pc.binary_join_element_wise(
        *members, _text(""), null_handling="replace", null_replacement=""
    )
    texts = pc.replace_substring(_joined("{", body, "}"), "{,", "{", max_replacements=1)
    return _where_valid(column, texts)


def _member(name: str, values: Any) -> Any:
    """Return members of objects; texts are copied once, since there are many."""
    if is_text(values.type):
        return _joined(f'{name}"', _escaped(values.cast(pa.large_string())), '"')
    return _joined(name, _written(values))


def _maps(column: Any) -> Any:
    """Return maps as JSON objects."""
    # Not by a cast to lists, which leaves the values of some types behind the end of their array.
    offsets = column.offsets.cast(pa.int64())
    first, entries = offsets[0].as_py(), offsets[-1].as_py() - offsets[0].as_py()
    keys, values = column.keys.slice(first, entries), column.items.slice(first, entries)
    items = _joined(_quoted_keys(keys), ":", _items(values))
    return _enclosed(column, pc.subtract(offsets, first), items, "{", "}")


def _lists(column: Any) -> Any:
    """Return lists as JSON arrays."""
    lengths = pc.fill_null(pc.list_value_length(column), 0).cast(pa.int64())
    offsets = pa.concat_arrays([pa.array([0], pa.int64()), pc.cumulative_sum(lengths)])
    return _enclosed(column, offsets, _items(column.flatten()), "[", "]")


def _enclosed(column: Any, offsets: Any, items: Any, begin: str, end: str) -> Any:
    """Return values that have items as JSON texts; `items` are the texts, one after the other."""
    lists = pa.LargeListArray.from_arrays(offsets, items)
    return _where_valid(column, _joined(begin, pc.binary_join(lists, _text(",")), end))


def _where_valid(column: Any, texts: Any) -> Any:
    return pc.if_else(column.is_valid(), texts, _NULL)
