"""A value is explained once against a subschema, however many ways lead there."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import calls
from widgetschema import Report, Validator, WidgetType

N: Final = {"$ref": "#/definitions/n"}
INSIDE: Final = {"properties": {"x": N}}
# Schemas by which the property `x` of an object is a node again, in one of the ways there are.
OBJECTS: Final[dict[str, dict[str, Any]]] = {
    "properties": INSIDE,
    "patternProperties": {"patternProperties": {"^x": N}},
    "additionalProperties": {"additionalProperties": N},
    "then": {"if": {"required": ["x"]}, "then": INSIDE},
    "else": {"if": {"required": ["y"]}, "then": False, "else": INSIDE},
    "if": {"if": INSIDE, "else": INSIDE},
    "not-if": {"if": {"not": INSIDE}, "then": INSIDE},
    "dependencies": {"dependencies": {"x": INSIDE}},
    "allOf": {"allOf": [INSIDE, {"properties": {"x": {"allOf": [N, N]}}}]},
    "anyOf": {"anyOf": [INSIDE, {**INSIDE, "required": ["y"]}]},
    "oneOf": {"oneOf": [INSIDE, {**INSIDE, "required": ["y"]}]},
    "not": {"not": {"not": INSIDE}},
    "propertyNames": {"propertyNames": {"anyOf": [{"const": "x"}, N]}, **INSIDE},
}
ARRAYS: Final[dict[str, dict[str, Any]]] = {
    "items": {"items": N},
    "tuple": {"items": [N], "additionalItems": N},
    "contains": {"contains": N},
    "then": {"if": {"minItems": 1}, "then": {"items": N}},
    "allOf": {"allOf": [{"items": N}, {"items": {"allOf": [N]}}]},
    "oneOf": {"oneOf": [{"items": N}, {"items": N, "minItems": 2}]},
}
PAIRS: Final = [
    *((OBJECTS[one], OBJECTS[other]) for one, other in combinations(OBJECTS, 2)),
    *((ARRAYS[one], ARRAYS[other]) for one, other in combinations(ARRAYS, 2)),
]


def schema_of(*parts: dict[str, Any]) -> dict[str, Any]:
    kind = "array" if any(parts[0] is one for one in ARRAYS.values()) else "object"
    return {**N, "definitions": {"n": {"type": kind, "allOf": [*parts]}}}


def nested(levels: int, schema: Any, value: Any) -> Any:
    is_array = schema["definitions"]["n"]["type"] == "array"
    for _ in range(levels):
        value = [value] if is_array else {"x": value}
    return value


def soon(report_of: Callable[[], Report]) -> Report:
    """Return a report that takes few steps to find, and to put into words."""
    reports: list[Report] = []
    calls(lambda: reports.append(report_of()), 2_000_000)
    calls(lambda: str(reports[0]), 2_000_000)
    return reports[0]


@pytest.mark.parametrize("engine", ["rust", "python"])
@given(parts=st.sampled_from(PAIRS))
def test_the_steps_do_not_double_with_each_level(engine: str, parts: Any) -> None:
    schema = schema_of(*parts)
    validator = Validator(schema, engine=engine)
    assert not validator.check(nested(2, schema, 1)).valid  # compiles what is compiled once

    few, many = (nested(levels, schema, 1) for levels in (5, 15))
    # Three times the levels: at most all pairs of levels, and not a thousand times the steps.
    most = 15 * calls(lambda: str(validator.check(few)), 100_000)
    calls(lambda: str(validator.check(many)), most)
    calls(lambda: str(validator.check(many, max_findings=1)), most)


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("kind", [OBJECTS, ARRAYS], ids=["object", "array"])
def test_all_ways_at_once(kind: Any, engine: str) -> None:
    schema = schema_of(*kind.values())
    validator = Validator(schema, engine=engine)
    deepest = "/0" if kind is ARRAYS else "/x"
    report = soon(lambda: validator.check(nested(30, schema, 1)))
    assert deepest * 30 in {finding.path for finding in report}


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("parts", [("then", "dependencies"), ("anyOf", "patternProperties")])
def test_as_deep_as_the_limit(parts: Any, engine: str) -> None:
    schema = schema_of(*(OBJECTS[part] for part in parts))
    validator = Validator(schema, engine=engine)
    [finding] = soon(lambda: validator.check(nested(199, schema, 1)))
    assert finding.path == "/x" * 199


def test_forms_explain_it_as_fast() -> None:
    schema = schema_of(OBJECTS["then"], OBJECTS["dependencies"], OBJECTS["properties"])
    tree = WidgetType.from_data_schema(
        {"properties": {"x": N}, "definitions": schema["definitions"]}
    )
    text = json.dumps(nested(60, schema, 1))
    [finding] = soon(lambda: tree.form_json(text).report)
    assert finding.path == "/x" * 60


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("schema", "message"),
    [
        # What holds anyway is said without the condition under which it holds as well.
        ({**INSIDE, **OBJECTS["then"]}, "1 is a number, but must be an object"),
        (OBJECTS["then"], '1 is a number, but must be an object (when "x" is present)'),
        (
            {"allOf": [OBJECTS["dependencies"], OBJECTS["then"]]},
            '1 is a number, but must be an object (required because the property "x" is present)',
        ),
    ],
)
def test_what_is_found_by_two_ways_is_said_once(engine: str, schema: Any, message: str) -> None:
    validator = Validator({**N, "definitions": {"n": {**schema, "type": "object"}}}, engine=engine)
    for levels in (1, 2, 5, 60):
        data = nested(levels, {"definitions": {"n": {"type": "object"}}}, 1)
        [finding] = soon(partial(validator.check, data))
        assert (finding.path, finding.message) == ("/x" * levels, message)
        assert finding.schema_path == "/definitions/n/type"


def test_the_same_object_in_two_places_is_found_in_both() -> None:
    others = {"patternProperties": {"": {"anyOf": [N, {"type": "null"}]}}}
    schema = schema_of(OBJECTS["anyOf"], others)
    shared = {"x": 1}
    for check in (Validator(schema).check, Validator(schema).check_plain):
        report = check({"x": shared, "z": shared, "w": [shared]})
        assert [one.path for one in report] == ["/x/x", "/z/x", "/w"]


@pytest.mark.parametrize("most", [None, 1, 100])
def test_findings_say_if_the_search_was_cut_off(most: int | None) -> None:
    wrong = {f"k{number}": {"type": "string"} for number in range(9)}
    schema = schema_of(OBJECTS["anyOf"], OBJECTS["oneOf"], {"properties": wrong})
    data: Any = 1
    for _ in range(20):
        data = {"x": data, **dict.fromkeys(wrong, 1)}
    validator = Validator(schema)
    every = soon(lambda: validator.check(data))
    assert (len(every), every.truncated) == (20 * 9 + 1, False)

    validator._explainer.effort = 300
    report = validator.check(data, max_findings=most)

    assert report.truncated
    assert "at least" in report.heading
    told = {(one.path, one.message) for one in every}
    *found, last = report
    assert told.issuperset((one.path, one.message) for one in found)
    if most is None:
        assert last.keyword == "schema"
        assert last.message.endswith("was cut off at its limit of effort")
        assert 9 <= len(found) < len(every)
        assert [*validator.iter_findings(data)] == [*report]


def test_the_limit_of_effort_grows_with_the_instance() -> None:
    schema = schema_of(OBJECTS["anyOf"], OBJECTS["oneOf"])
    validator = Validator(schema)
    validator._explainer.effort = 0
    data = {"x": {"x": 1}}
    assert not validator.check(data).truncated
    assert not validator.check([data] * 100).truncated


def test_a_hint_that_takes_too_much_effort_is_left_out() -> None:
    parts = [{"properties": {"x": {"minimum": -number}}} for number in range(30)]
    validator = Validator({"type": "object", "allOf": parts})
    [finding] = validator.check([{"x": 1}])
    assert finding.hint is not None
    validator._explainer.effort = 0
    [finding] = validator.check([{"x": 1}])
    assert (finding.keyword, finding.hint, finding.fix) == ("type", None, None)
