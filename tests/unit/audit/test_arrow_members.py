"""Structs of Arrow that are accepted member by member: only what is valid, and most of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

import widgetschema
from tests.arrow_soundness import BROKEN, object_schema, total, try_schema
from tests.effort import calls, scaled
from tests.soundness import Rnd
from widgetschema import WidgetType
from widgetschema.audit import check_arrow
from widgetschema.audit.arrow_members import MemberChecks
from widgetschema.audit.inputs.arrow_texts import json_column
from widgetschema.jsontext import DEFAULT_LIMITS, Limits

TEXT, WHOLE, FRACTION = pa.string(), pa.int64(), pa.float64()
WORDS, TREE = pa.list_(TEXT), pa.struct([("b", TEXT)])


def of_member(schema: Any, **more: Any) -> dict[str, Any]:
    """A schema of objects whose member "a" has this one."""
    return {"type": "object", "properties": {"a": schema}, **more}


def column(arrow_type: Any, *values: Any) -> Any:
    """Structs with these values in their member "a"."""
    return pa.array([{"a": value} for value in values], pa.struct([("a", arrow_type)]))


def accepted(
    schema: Any, rows: Any, *, kind: str = "data", limits: Limits = DEFAULT_LIMITS
) -> list[bool]:
    """Return which rows are accepted; none of these may be invalid."""
    own = WidgetType.from_data_schema(schema, id="own", limits=limits)
    found = MemberChecks(own, kind, rows.type).accepted(rows)
    taken: list[bool] = [True] * len(rows) if found is None else found.to_pylist()
    results = check_arrow(rows, own, kind=kind)  # type: ignore[arg-type]
    assert results.equals(check_arrow(json_column(rows), own, kind=kind))  # type: ignore[arg-type]
    valid = results["valid"].to_pylist()
    assert all(valid[index] is not False for index, one in enumerate(taken) if one)
    return taken


CASES: list[tuple[str, Any, Any, list[bool]]] = [
    ("a type", of_member({"type": "string"}), column(TEXT, "x", None), [True, True]),
    ("another type", of_member({"type": "boolean"}), column(TEXT, "x", None), [False, True]),
    ("a required member", of_member({}, required=["a"]), column(TEXT, "x", None), [True, False]),
    ("a required member that no row has", of_member({}, required=["b"]), column(TEXT, "x"), [False]),
    ("no other members", {"additionalProperties": False}, column(TEXT, "x", None), [False, True]),
    ("other members", {"additionalProperties": {"type": "integer"}}, column(TEXT, "x", None), [False, True]),
    ("members by pattern", {"patternProperties": {"^a": {"type": "integer"}}}, column(WHOLE, 1), [True]),
    ("an enum", of_member({"enum": ["x", "y"]}), column(TEXT, "x", "z", None), [True, False, True]),
    ("a constant", of_member({"const": True}), column(pa.bool_(), True, False), [True, False]),
    ("a length", of_member({"maxLength": 1}), column(TEXT, "😀", "xy"), [True, False]),
    ("a pattern", of_member({"pattern": "^x"}), column(TEXT, "x", "y"), [True, False]),
    ("a format", of_member({"format": "date"}), column(TEXT, "2026-11-03", "3.11."), [True, False]),
    ("alternatives", of_member({"anyOf": [{"maxLength": 1}, {"const": "xyz"}]}), column(TEXT, "xyz", "xy"), [True, False]),
    ("bounds", of_member({"minimum": 1, "exclusiveMaximum": 3}), column(WHOLE, 0, 1, 3), [False, True, False]),
    ("large integers", of_member({"minimum": 2**53 + 1}), column(pa.uint64(), 2**53, 2**53 + 1, 2**64 - 1), [False, True, True]),
    ("integers", of_member({"type": "integer"}), column(WHOLE, 1), [True]),
    ("integers as fractions", of_member({"type": "integer"}), column(FRACTION, 1.0, 1.5), [True, False]),
    ("fractions", of_member({"type": "number"}), column(FRACTION, 0.1, float("nan"), float("inf")), [True, False, False]),
    ("small fractions", of_member({"const": 0.1}), column(pa.float32(), 0.1, 0.2), [True, False]),
    ("items", of_member({"items": {"enum": ["x"]}}), column(WORDS, ["x", "x"], ["y"], [], None), [True, False, True, True]),
    ("null among items", of_member({"items": {"type": "string"}}), column(WORDS, ["x", None]), [False]),
    ("null as an item", of_member({"items": {"type": ["string", "null"]}}), column(WORDS, ["x", None]), [True]),
    ("numbers of items", of_member({"minItems": 1, "maxItems": 2}), column(WORDS, [], ["x"], ["x"] * 3, None), [False, True, False, True]),
    ("different items", of_member({"uniqueItems": True}), column(WORDS, ["x"], None), [False, True]),
    ("items one by one", of_member({"items": [{"type": "string"}]}), column(WORDS, ["x"]), [False]),
    ("members inside", of_member(of_member({"type": "string"}, required=["b"])), column(TREE, {"b": "x"}, {"b": None}, None), [True, False, True]),
    ("no object", of_member({"type": "string"}), column(TREE, {"b": "x"}, None), [False, True]),
    ("a condition", of_member({"type": "object", "if": {}, "then": {}}), column(TREE, {"b": "x"}, None), [False, True]),
    ("a number of members", of_member({"minProperties": 1}), column(TREE, {"b": "x"}, None), [False, True]),
    ("maps", of_member({}), column(pa.map_(TEXT, TEXT), [("x", "y"), ("x", "z")], None), [False, True]),
    ("words", of_member({"maxLength": 1}), column(pa.dictionary(pa.int8(), TEXT), "x", "xy", None), [True, False, True]),
    ("names twice", {}, pa.StructArray.from_arrays([pa.array(["x"])] * 2, ["a", "a"]), [False]),
    ("nothing said", {}, column(WORDS, ["x", None]), [True]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "rows", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_rows_are_accepted_if_they_are_certainly_valid(
    schema: Any, rows: Any, expected: list[bool]
) -> None:
    assert accepted(schema, rows) == expected
    assert accepted(schema, pa.concat_arrays([rows, rows])[1:-1]) == (expected * 2)[1:-1]


def test_texts_that_are_not_utf_8_are_not_accepted() -> None:
    _, offsets, data = BROKEN.buffers()
    texts = pa.Array.from_buffers(TEXT, 3, [None, offsets, data])
    assert accepted({}, pa.StructArray.from_arrays([texts], ["a"])) == [False] * 3
    assert accepted({}, pa.StructArray.from_arrays([texts[2:]], ["a"])) == [True]


def test_documents_without_data_are_not_accepted() -> None:
    kind = pa.struct([("id", TEXT), ("data", TREE)])
    rows = pa.array([{"data": {"b": "x"}}, {"id": "1"}], kind)
    assert accepted({"type": "object"}, rows, kind="document") == [True, False]
    lax = WidgetType.from_schema({"properties": {"data": {}}}, id="lax", describes="document")
    assert MemberChecks(lax, "document", kind).accepted(rows).to_pylist() == [True, False]
    assert check_arrow(rows, lax, kind="document")["valid"].to_pylist() == [True, False]


def test_rows_may_not_be_larger_or_deeper_than_the_limits() -> None:
    rows = column(TEXT, "x", "x" * 1_000, "y")
    limits = Limits(max_bytes=300)
    assert accepted({}, rows, limits=limits) == [True, False, True]
    assert accepted({}, column(TREE, {"b": "x"}), limits=replace(limits, max_depth=1)) == [False]


def test_a_column_with_something_that_has_no_json_is_refused() -> None:
    rows = column(pa.timestamp("s"), None)
    with pytest.raises(TypeError, match="have no JSON"):
        check_arrow(rows, WidgetType.from_data_schema({}, id="any"))


def test_no_row_is_written_if_all_are_accepted() -> None:
    countdown = widgetschema.widget_type("countdown")
    samples = [*countdown.samples(20)]
    for one in samples:
        one["content"].pop("expDate", None)  # of any type, which no column can be
    few = pa.array(samples)
    many = pa.concat_arrays([few] * 100)
    check_arrow(few, countdown)
    assert calls(lambda: check_arrow(many, countdown)) < 2 * calls(
        lambda: check_arrow(few, countdown)
    )


@pytest.mark.hypothesis  # all of them in the thorough tests
def test_accepted_rows_of_random_schemas_and_columns_are_valid() -> None:
    rnd = Rnd("columns")
    tally = total([try_schema(rnd, object_schema(rnd), 40) for _ in range(max(12, scaled(50)))])
    assert not tally.wrong
    assert tally.accepted > tally.valid / 5, "too few valid rows are accepted to be of use"
