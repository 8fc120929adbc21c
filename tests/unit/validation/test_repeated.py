"""Mistakes that are made again and again: the same findings as of a validator that saw none."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.soundness import instance_of, whole_schema
from widgetschema import ReferenceLoop
from widgetschema.validation import Validator
from widgetschema.validation.engines import load_engine
from widgetschema.validation.explain.deferred import DeferredFinding
from widgetschema.validation.explain.repeated import RepeatedMistakes
from widgetschema.validation.explain.violations import Violation

OFTEN = 20

CLOSED = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"minimum": 3}}, "additionalProperties": False}  # fmt: skip
# A schema, and instances with one and the same mistake.
KNOWN: dict[str, tuple[Any, list[Any]]] = {
    "a missing member": ({**CLOSED, "required": ["a"]}, [{"b": 3}, {}, {"b": 4}]),
    "a missing member of an open object": (
        {"properties": {"title": {}}, "required": ["title"]},
        [{"titel": 1}, {"other": 2}, {}],
    ),
    "a type": ({**CLOSED, "required": ["a"]}, [{"a": 1}, {"a": None}, {"a": ["a"]}, {"b": 5, "a": 2}]),
    "a limit": (CLOSED, [{"b": 2}, {"b": 0, "a": ""}, {"b": 1.5}]),
    "listed values": ({"properties": {"x": {"enum": ["left", "right"]}}}, [{"x": "Left"}, {"x": 3}, {"x": "rihgt"}]),
    "inside, by a reference": (
        {
            "allOf": [{"$ref": "#/definitions/page"}],
            "definitions": {"page": {"properties": {"a/b": {"$ref": "#/definitions/c"}}}, "c": {**CLOSED, "required": ["a"]}},
        },
        [{"a/b": {}}, {"a/b": {"b": 7}, "more": [1]}],
    ),
    "described in two ways": (
        {"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {}, "b": {"items": {}}}}]},
        [{"a": 1}, {"a": 2, "b": [1]}],
    ),
    "the root": ({"type": "object"}, [1, "a", [], None]),
    "beside alternatives": (
        {"properties": {"x": {"anyOf": [{"type": "string"}, {"minimum": 2}]}, "y": {"type": "null"}}},
        [{"x": "a", "y": 1}, {"y": {}}],
    ),
    "a recursive schema": (
        {"properties": {"next": {"$ref": "#/definitions/n"}, "y": {"type": "null"}}, "definitions": {"n": {"properties": {"next": {"$ref": "#/definitions/n"}}}}},
        [{"y": 1, "next": {"next": {}}}, {"y": 2}],
    ),
}  # fmt: skip
NEVER: dict[str, tuple[Any, list[Any]]] = {
    "in an array": ({"items": {"type": "string"}}, [[1], ["a", 2]]),
    "by two ways": (
        {"properties": {"a": {"$ref": "#/definitions/x"}, "b": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"type": "string"}}},
        [{"a": 1}, {"b": 1}],
    ),
    "in an alternative": ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{}, {"c": 1}]),
    "in a condition": ({"if": {}, "then": {"required": ["a"]}}, [{}, {"c": 1}]),
    "by any member": ({"additionalProperties": {"type": "string"}}, [{"a": 1}, {"b": 2}]),
    "described in too many ways": (
        {"properties": {"a": {"type": "string"}}, "allOf": [{"properties": {"b": {}}}] * 17},
        [{"a": 1}, {"a": 2, "b": 1}],
    ),
    "members by pattern": (
        {"properties": {"a": {"type": "string"}}, "patternProperties": {"^b": {}}},
        [{"a": 1}, {"a": 2, "b": 1}],
    ),
    "members of an alternative": (
        {"properties": {"y": {"type": "null"}, "x": {"oneOf": [{"properties": {"a": {}}}, {"type": "null"}]}}},
        [{"y": 1}, {"y": 2, "x": {}}],
    ),
    "two mistakes": ({**CLOSED, "required": ["a"]}, [{"b": 1}, {"b": 2}]),
    "a renamed member": ({**CLOSED, "required": ["a"]}, [{"A": "x"}, {"aa": 1}]),
    "a pattern": ({"properties": {"a": {"pattern": "^a"}}}, [{"a": "b"}, {"a": "c"}]),
    "the root refers to itself": ({"properties": {"a": {"$ref": "#"}}, "type": "object"}, [1, 2, {"a": 1}]),
}  # fmt: skip


def mistakes_of(schema: Any) -> tuple[Validator, RepeatedMistakes]:
    """A validator, and what knows the mistakes that it is told of."""
    validator = Validator(schema, engine="rust")
    return validator, RepeatedMistakes(validator.linked, load_engine("rust"), True)


def violations(validator: Validator, instance: Any) -> list[Violation]:
    findings = [*validator.iter_findings(instance)]
    assert all(isinstance(one, DeferredFinding) for one in findings)
    return [one.violation for one in findings if isinstance(one, DeferredFinding)]


@pytest.mark.parametrize("name", list(KNOWN))
def test_a_known_mistake_is_found_without_a_walk(name: str) -> None:
    schema, instances = KNOWN[name]
    validator, repeated = mistakes_of(schema)
    for _ in range(OFTEN):
        for instance in instances[:1]:
            (violation,) = violations(Validator(schema), instance)
            repeated.note(violation)
    for instance in instances:
        (violation,) = violations(Validator(schema), instance)
        assert repeated.violation(instance) == violation
    for _ in range(OFTEN):
        for instance in instances:
            assert (
                validator.check(instance).as_dict() == Validator(schema).check(instance).as_dict()
            )


@pytest.mark.parametrize("name", list(NEVER))
def test_other_mistakes_are_never_known(name: str) -> None:
    schema, instances = NEVER[name]
    validator, repeated = mistakes_of(schema)
    for _ in range(OFTEN):
        for instance in instances:
            found = violations(Validator(schema), instance)
            if len(found) == 1:
                repeated.note(found[0])
            assert repeated.violation(instance) is None
            assert (
                validator.check(instance).as_dict() == Validator(schema).check(instance).as_dict()
            )


def test_the_mistakes_that_are_known_are_few() -> None:
    names = [f"a{number}" for number in range(10)]
    schema = {"properties": {name: {"type": "string"} for name in names}}
    validator, repeated = mistakes_of(schema)
    for name in names:
        (violation,) = violations(validator, {name: 1})
        for _ in range(8):
            repeated.note(violation)
    assert [name for name in names if repeated.violation({name: 2})] == names[-4:]
    (violation,) = violations(Validator(schema), {"a0": 1})
    for _ in range(8):
        repeated.note(violation)
    assert repeated.violation({"a0": 2})
    assert not repeated.violation({"a6": 2})


def test_the_slow_engine_is_not_asked_twice() -> None:
    validator = Validator({"type": "object"}, engine="python")
    repeated = RepeatedMistakes(validator.linked, load_engine("python"), True)
    for _ in range(OFTEN):
        (violation,) = violations(validator, 1)
        repeated.note(violation)
    assert repeated.violation(1) is None


@given(st.integers(0, 2**32))
def test_what_was_found_before_changes_no_report(seed: int) -> None:
    rnd = random.Random(seed)
    schema = whole_schema(rnd)
    try:
        validator = Validator(schema)
    except ReferenceLoop:
        return
    instances: list[Any] = []
    for _ in range(30):
        instance = instance_of(rnd, schema, schema)
        if not validator.is_valid(instance) and len(instances) < 5:
            instances.append(instance)
    for _ in range(9):
        for instance in instances:
            validator.check(instance, max_findings=rnd.choice([None, 1, 2, 5]))
    for instance in [*instances, *(instance_of(rnd, schema, schema) for _ in range(20))]:
        for most in (None, 1):
            report = validator.check(instance, max_findings=most)
            assert (
                report.as_dict() == Validator(schema).check(instance, max_findings=most).as_dict()
            )
