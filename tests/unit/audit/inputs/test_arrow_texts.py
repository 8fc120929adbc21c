"""Columns of Arrow as JSON texts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from widgetschema.audit.inputs.arrow_texts import json_column, texts_of

OBJECTS: list[Any] = [
    {"a": 1, "b": 'x"\\\n\x00é\u2028', "c": [1, None, 3], "d": {"e": None}},
    None,
    {"a": None, "b": "", "c": [], "d": None},
    {"a": None, "b": None, "c": None, "d": None},
]
WRITTEN = [
    '{"a":1,"b":"x\\"\\\\\\n\\u0000é\u2028","c":[1,null,3],"d":{}}',
    None,
    '{"b":"","c":[]}',
    "{}",
]
PAIRS = [[("a", 1)], None, [("b", None), ('c"', 2)], []]
MAPS = ['{"a":1}', None, '{"b":null,"c\\"":2}', "{}"]
LISTS = [[1, 2], None, [3, None]]
ARRAYS = ["[1,2]", None, "[3,null]"]
INTEGER, TEXT = pa.int64(), pa.string()

COLUMNS: list[tuple[str, Any, list[str | None]]] = [
    ("objects", pa.array(OBJECTS), WRITTEN),
    ("no members", pa.array([{}, None], pa.struct([])), ["{}", None]),
    ("braces", pa.array([{"a": None, "b": "{,{,"}]), ['{"b":"{,{,"}']),
    ("maps", pa.array(PAIRS, pa.map_(TEXT, INTEGER)), MAPS),
    ("maps of lists of nulls", pa.array([[("a", [None])], [("b", [])]], pa.map_(TEXT, pa.list_(pa.null()))), ['{"a":[null]}', '{"b":[]}']),
    ("lists", pa.array(LISTS, pa.list_(INTEGER)), ARRAYS),
    ("large lists", pa.array(LISTS, pa.large_list(INTEGER)), ARRAYS),
    ("lists of two", pa.array(LISTS, pa.list_(INTEGER, 2)), ARRAYS),
    ("views of lists", pa.array(LISTS, pa.list_view(INTEGER)), ARRAYS),
    ("lists in lists", pa.array([[[{"a": [1]}], None, []], [[{"a": None}]]]), ['[[{"a":[1]}],null,[]]', "[[{}]]"]),
    ("texts", pa.array(["[1]", None, ""], TEXT), ["[1]", None, ""]),
    ("large texts", pa.array(["[1]", None], pa.large_string()), ["[1]", None]),
    ("views of texts", pa.array(["[1]", None, "[2]"], pa.string_view()), ["[1]", None, "[2]"]),
    ("bytes", pa.array([b"[1]", None, b"\xff"]), ["[1]", None, "\udcff"]),
    ("large bytes", pa.array([b"[1]"], pa.large_binary()), ["[1]"]),
    ("views of bytes", pa.array([b"[1]"], pa.binary_view()), ["[1]"]),
    ("two bytes", pa.array([b"{}"], pa.binary(2)), ["{}"]),
    ("a dictionary", pa.array(["[1]", None, "[1]"]).dictionary_encode(), ["[1]", None, "[1]"]),
    ("runs", pa.RunEndEncodedArray.from_arrays([2, 3], ["[1]", None]), ["[1]", "[1]", None]),
    ("words in objects", pa.array([{"a": "x"}], pa.struct([("a", pa.dictionary(pa.int8(), TEXT))])), ['{"a":"x"}']),
    ("JSON", pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}"])), ["{}"]),
    ("large integers", pa.array([2**64 - 1], pa.uint64()), ["18446744073709551615"]),
    ("numbers", pa.array([1.5, 1e300, -0.0, None]), ["1.5", "1e+300", "-0", None]),
    ("not numbers", pa.array([float("nan"), float("inf"), -float("inf")]), ["NaN", "Infinity", "-Infinity"]),
    ("small numbers", pa.array([0.1], pa.float32()), ["0.1"]),
    ("decimals", pa.array([Decimal("1.50"), Decimal("1E-10")], pa.decimal128(20, 10)), ["1.5000000000", "1E-10"]),
    ("answers", pa.array([True, False, None]), ["true", "false", None]),
    ("nulls", pa.array([None, None]), [None, None]),
    ("nothing", pa.array([], TEXT), []),
]  # fmt: skip


def read_back(column: Any) -> list[str | None]:
    """Return the texts of a column, by way of its buffers."""
    texts = json_column(column)
    blocks = [text.decode(errors="surrogateescape") for block in texts_of(texts) for text in block]
    nulls = texts.is_null().to_pylist()
    return [None if is_null else text for text, is_null in zip(blocks, nulls, strict=True)]


@pytest.mark.parametrize(
    ("column", "texts"), [row[1:] for row in COLUMNS], ids=[row[0] for row in COLUMNS]
)
def test_a_column_has_the_texts_of_its_values(column: Any, texts: list[str | None]) -> None:
    assert read_back(column) == texts


@pytest.mark.parametrize(
    ("column", "texts"), [row[1:] for row in COLUMNS], ids=[row[0] for row in COLUMNS]
)
def test_a_slice_has_the_texts_of_its_rows(column: Any, texts: list[str | None]) -> None:
    for start in range(len(column)):
        for length in range(len(column) - start + 1):
            assert read_back(column.slice(start, length)) == texts[start : start + length]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([{"at": 1}], pa.struct([("at", pa.timestamp("us"))])), r"timestamp\[us\] have no JSON: cast"),
        (pa.array([{"a": b"1"}]), "binary have no JSON"),
        (pa.array([[(1, 2)]], pa.map_(INTEGER, INTEGER)), "int64 cannot be names of JSON members"),
    ],
)  # fmt: skip
def test_what_has_no_json_is_refused(column: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        json_column(column)


def test_many_texts_come_in_blocks() -> None:
    texts = [f'"{number}"' for number in range(10_000)]
    blocks = [*texts_of(json_column(pa.array(texts)))]
    assert len(blocks) > 1
    assert [text.decode() for block in blocks for text in block] == texts


def test_a_text_that_is_larger_than_a_block_comes_whole() -> None:
    texts = ["1", "x" * 9_000_000, "2", "3"]
    blocks = [*texts_of(json_column(pa.array(texts)))]
    assert [len(block) for block in blocks] == [1, 1, 2]
    assert [text.decode() for block in blocks for text in block] == texts
