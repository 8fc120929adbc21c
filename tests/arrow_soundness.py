"""Check that rows of structs which are accepted member by member are valid.

Schemas and columns are random; the same rows are checked as JSON, too. `python -m
tests.arrow_soundness --schemas N` tries N schemas; `tests/unit/audit/test_arrow_members.py` tries
50.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

import pyarrow as pa

from tests.soundness import Rnd, instance_of, whole_schema
from widgetschema import ReferenceLoop, WidgetType
from widgetschema.audit import check_arrow
from widgetschema.audit.arrow import _is_takeable
from widgetschema.audit.arrow_members import MemberChecks
from widgetschema.audit.inputs.arrow_texts import json_column
from widgetschema.jsontext import Limits

BROKEN = pa.array([b"a\xff", b"\xed\xa0\x80", b"ok"])
FLOATS = [float("nan"), float("inf"), -0.0, 0.1, 1e21, 5.0, 2.0**53]


class Tally(NamedTuple):
    """The counts of a run: schemas, rows, valid and accepted rows, contradictions."""

    schemas: int = 0
    rows: int = 0
    valid: int = 0
    accepted: int = 0
    wrong: tuple[str, ...] = ()


def column_of(rnd: Rnd, values: Iterable[Any]) -> Any:
    """Return a column of structs with as many of the objects as fit one Arrow type."""
    kept: list[Any] = []
    for value in values:
        try:
            pa.array([*kept, value])
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            continue
        kept.append(value)
    column = varied(rnd, pa.array(kept, None if kept else pa.struct([])))
    missing = pa.array([rnd.random() < 0.05 for _ in range(len(column))], pa.bool_())
    column = pa.StructArray.from_arrays(column.flatten(), fields=column.type.fields, mask=missing)
    start = rnd.choice([0, 0, 1, len(column) // 2])
    return column.slice(start, rnd.choice([len(column), len(column) // 2]))


def varied(rnd: Rnd, column: Any) -> Any:
    """Return a column with the same values in another Arrow type, or with some other values."""
    kind, types = column.type, pa.types
    if types.is_struct(kind) and kind.fields:
        parts = [varied(rnd, part) for part in column.flatten()]
        names = [field.name for field in kind.fields]
        if rnd.random() < 0.03:
            names[-1] = names[0]
        return pa.StructArray.from_arrays(parts, names, mask=column.is_null())
    if types.is_list(kind) and rnd.random() < 0.3:
        return pa.array(column.to_pylist(), pa.large_list(kind.value_type))
    if types.is_string(kind):
        if rnd.random() < 0.03 and len(column):
            broken = BROKEN.take(pa.array([rnd.randrange(3) for _ in range(len(column))]))
            _, offsets, data = broken.buffers()
            return pa.Array.from_buffers(pa.string(), len(column), [None, offsets, data])
        if rnd.random() < 0.4:
            encoded = column.dictionary_encode()
            others = [column.cast(pa.large_string()), column.cast(pa.string_view())]
            return rnd.choice([encoded, *others])
    if types.is_floating(kind) and rnd.random() < 0.3:
        if rnd.random() < 0.5:
            return pa.array([rnd.choice(FLOATS) for _ in range(len(column))])
        return column.cast(pa.float32(), safe=False)
    if types.is_integer(kind) and rnd.random() < 0.2:
        return column.cast(rnd.choice([pa.float64(), pa.decimal128(38, 2)]), safe=False)
    return column


def try_schema(rnd: Rnd, schema: Any, number: int) -> Tally:
    """Check random rows with a schema, as structs and as texts, and compare the results."""
    limits = Limits(max_depth=rnd.choice([200, 200, 3]), max_bytes=rnd.choice([10**6, 10**4, 60]))
    try:
        widget_type = WidgetType.from_data_schema(schema, id="any", limits=limits)
    except ReferenceLoop:
        return Tally()
    values = [instance_of(rnd, schema, schema) for _ in range(number)]
    objects = [one for one in values if type(one) is dict]
    column = column_of(rnd, objects)
    if not len(column):
        return Tally(1)
    texts = json_column(column)
    expected = check_arrow(texts, widget_type)
    found = check_arrow(column, widget_type)
    wrong = [] if found.equals(expected) else [f"{schema!r} {limits} {column.type} {texts}"]
    valid = expected["valid"].to_pylist()
    rows = [one for one in valid if one is not None]
    if not _is_takeable(column):
        return Tally(1, len(rows), sum(rows), 0, tuple(wrong))
    present = column.filter(column.is_valid()) if column.null_count else column
    accepted = MemberChecks(widget_type, "data", column.type).accepted(present)
    taken = rows if accepted is None else accepted.to_pylist()
    if accepted is None and not all(rows):
        wrong.append(f"all accepted: {schema!r} {limits} {column.type} {texts}")
    return Tally(1, len(rows), sum(rows), sum(taken), tuple(wrong))


def total(tallies: list[Tally]) -> Tally:
    """Return the sums of the tallies."""
    counts = [sum(column) for column in zip(*(one[:4] for one in tallies), strict=True)]
    return Tally._make([*counts, tuple(wrong for one in tallies for wrong in one.wrong)])


def object_schema(rnd: Rnd) -> Any:
    """Return a random schema, mostly of objects."""
    while True:
        schema = whole_schema(rnd)
        if type(schema) is dict and ("properties" in schema or rnd.random() < 0.1):
            return schema


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemas", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rnd = Rnd(options.seed)
    tally = total([try_schema(rnd, object_schema(rnd), 40) for _ in range(options.schemas)])
    for wrong in tally.wrong[:10]:
        print(wrong)
    print(
        f"{tally.schemas:,} schemas; {tally.rows:,} rows, {tally.valid:,} valid, "
        f"{tally.accepted:,} accepted, {len(tally.wrong):,} columns wrong"
    )
    sys.exit(bool(tally.wrong))


if __name__ == "__main__":
    main()
