"""Only so many findings: the first ones, at a price that does not depend on how many there are."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgetschema import Validator, WidgetType
from widgetschema.catalog.store import bundled

MANY: Final = 200_000
MESSY: Final[dict[str, Any]] = {
    "definitions": {"text": {"type": "string", "minLength": 2, "pattern": "^[a-z]+$"}},
    "type": ["object", "array"],
    "required": ["a", "b"],
    "minProperties": 2,
    "propertyNames": {"maxLength": 3},
    "properties": {
        "a": {"$ref": "#/definitions/text"},
        "b": {"items": {"anyOf": [{"type": "integer"}, {"$ref": "#/definitions/text"}]}},
        "c": {
            "uniqueItems": True,
            "items": [{"type": "integer"}],
            "additionalItems": {"enum": [1]},
        },
    },
    "patternProperties": {"^d": {"type": "integer"}},
    "additionalProperties": {"type": "null"},
    "allOf": [
        {
            "properties": {
                "b": {"maxItems": 2, "items": {"not": {"const": 3}}},
                "a": {"enum": ["x"]},
            }
        },
        {"if": {"required": ["c"]}, "then": {"properties": {"a": {"type": "null"}}}},
        {"dependencies": {"c": {"properties": {"b": {"minItems": 1}}}, "d": ["e"]}},
    ],
    "items": {"oneOf": [{"type": "integer"}, {"type": "object", "required": ["x"]}]},
}
SCALARS: Final = st.sampled_from([None, True, 1, 3, 2.5, "", "x", "ab", "long text"])
VALUES: Final = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["a", "b", "c", "d", "dd", "e", "other"]), inner)
    ),
    max_leaves=25,
)
VALIDATORS: Final = {engine: Validator(MESSY, engine=engine) for engine in ("rust", "python")}


@pytest.mark.parametrize("engine", VALIDATORS)
@given(instance=VALUES, most=st.integers(1, 6))
def test_the_first_findings_are_those_of_all(engine: str, instance: Any, most: int) -> None:
    validator = VALIDATORS[engine]
    every = validator.check(instance)

    some = validator.check(instance, max_findings=most)

    assert some.findings == every.findings[:most]
    assert some.truncated == (len(every) > most)
    assert not every.truncated
    assert [*validator.iter_findings(instance)] == [*every]


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ({"items": {"type": "string"}}, [1] * MANY),
        ({"items": {"properties": {"a": {"type": "string"}}}}, [{"a": 1}] * MANY),
        ({"items": {"anyOf": [{"type": "string"}, {"maximum": 0}]}}, [1] * MANY),
        ({"items": [True], "additionalItems": {"type": "string"}}, [1] * MANY),
        ({"uniqueItems": True}, [1] * MANY),
        ({"anyOf": [{"items": {"type": "string"}}, {"items": {"maximum": 0}}]}, [1] * MANY),
        ({"allOf": [{"items": {"allOf": [{"type": "null"}]}}]}, [1] * MANY),
    ],
)
def test_memory_does_not_grow_with_the_findings(engine: str, schema: Any, instance: Any) -> None:
    validator = Validator(schema, engine=engine)
    assert not validator.check([], max_findings=1).truncated

    # What the engine needs to decide is no part of it.
    findings = validator._explainer.findings(instance, 10)
    tracemalloc.start()
    try:
        told = [next(findings) for _ in range(11)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len({one.path for one in told}) == 11
    assert peak < 5_000_000  # bytes; all problems would be 100 MB


def test_members_without_end() -> None:
    instance = {f"m{number}": 1 for number in range(MANY)}
    for additional in (False, {"type": "string"}):
        validator = Validator({"properties": {"a": {}}, "additionalProperties": additional})
        report = validator.check(instance, max_findings=3)
        assert [one.path for one in report] == ["/m0", "/m1", "/m2"]
        assert report.truncated


def test_every_check_of_a_type_has_the_limit() -> None:
    countdown = WidgetType.from_schema(bundled()["countdown"], id="countdown")
    data = {"content": {}, "settings": {"a": 1, "b": 2}, "styles": {"c": 3}}
    raw = json.dumps(data)
    reports = [
        countdown.check(data, max_findings=2),
        countdown.check_json(raw, max_findings=2),
        countdown.check_document({"data": data}, max_findings=2),
    ]
    for report in reports:
        assert (len(report), report.truncated) == (2, True)
        assert str(report).splitlines()[0].endswith(": at least 2 findings")
        assert report.as_dict()["truncated"] is True
    assert [one.path for one in reports[0]] == [one.path for one in reports[1]]
    assert reports[1].findings[0].line == 1
    none = countdown.check_document({"id": 1, "type": "countdown"}, max_findings=1)
    assert (len(none), none.findings[0].expected) == (1, "data")


@pytest.mark.parametrize("most", [0, -1])
def test_a_limit_that_is_none(most: int) -> None:
    with pytest.raises(ValueError, match="max_findings must be at least 1"):
        Validator({}).check(None, max_findings=most)


@pytest.mark.parametrize("keyword", ["additionalProperties", "uniqueItems", "propertyNames"])
@pytest.mark.parametrize("most", [1, 999, 1_000, 1_001, 2_999, 3_000])
def test_more_findings_at_one_place_than_are_wanted(keyword: str, most: int) -> None:
    names = [f"x{index}" for index in range(3_000)]
    schema, instance = {
        "additionalProperties": ({"additionalProperties": False}, dict.fromkeys(names, 1)),
        "uniqueItems": ({"uniqueItems": True}, [1] * 3_001),
        "propertyNames": ({"propertyNames": {"maxLength": 1}}, dict.fromkeys(names, 1)),
    }[keyword]
    report = Validator(schema).check(instance, max_findings=most)

    assert len(report) == most
    assert report.truncated == (most < 3_000)


def test_findings_that_are_said_twice_leave_room_for_others() -> None:
    twice = {"additionalProperties": False}
    instance = {"a": dict.fromkeys((f"x{index}" for index in range(2_500)), 1)}
    report = Validator({"properties": {"a": {"allOf": [twice, {**twice}]}}}).check(
        instance, max_findings=2_000
    )

    assert (len(report), report.truncated) == (2_000, True)
