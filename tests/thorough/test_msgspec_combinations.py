"""The types that the fast path is built of, and real schemas: decoded in other processes."""

from __future__ import annotations

import json
import subprocess
import sys

from tests import real_schemas
from tests.checkout import ROOT
from tests.type_combinations import cases, in_processes


def test_every_combination_of_types_agrees_with_the_engine() -> None:
    indices = [*range(len(cases()))]
    outcome = in_processes("tests.type_combinations", indices, 2)
    assert not outcome.wrong
    assert outcome.cases == len(indices)
    assert outcome.fast_paths > 0.9 * outcome.cases
    assert outcome.accepted > 0.9 * outcome.valid, "rejecting everything is sound, and of no use"


def test_real_schemas_agree_with_the_engine() -> None:
    outcome = real_schemas.outcome_of(None, 2)
    assert not outcome.wrong
    assert outcome.cases == len(real_schemas.schema_files(None))
    assert outcome.fast_paths > outcome.cases / 2
    assert outcome.accepted > outcome.valid / 2


BULK = """
import json
import sys
import pyarrow as pa
from widgetschema import WidgetType
from widgetschema.audit import check_arrow

numbers = [{"type": "integer"}, {"type": "integer"}]
pair = {"type": "array", "items": numbers, "minItems": 2, "maxItems": 2}
for other, valid, invalid in json.loads(sys.argv[1]):
    size = {"anyOf": [other, pair]}
    kind = WidgetType.from_data_schema({"type": "object", "properties": {"size": size}}, id="size")
    for value, answer in ((valid, True), (invalid, False), ([1, 2], True), ([1], False)):
        texts = pa.array([json.dumps({"size": value})] * 3_000)
        assert set(check_arrow(texts, kind)["valid"].to_pylist()) == {answer}, (other, value)
print("fine")
"""


def test_a_bound_beside_an_array_of_two_is_that_of_its_own_type() -> None:
    cases = [
        ({"type": "integer", "minimum": 10}, 12, 2),
        ({"type": "number", "maximum": 3}, 2.5, 4),
        ({"type": "string", "minLength": 3}, "abc", "ab"),
        ({"type": "string", "maxLength": 3}, "abc", "abcd"),
        ({"type": "object", "minProperties": 2}, {"a": 1, "b": 2}, {"a": 1}),
        ({"type": "object", "maxProperties": 1}, {"a": 1}, {"a": 1, "b": 2}),
    ]
    result = subprocess.run(
        [sys.executable, "-c", BULK, json.dumps(cases)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, "fine\n"), result.stderr
