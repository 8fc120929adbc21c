"""The form of a schema that accepts only what nobody has to walk through before it is encoded."""

from __future__ import annotations

import enum
import json
import math
import random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.soundness import schema_of
from tests.unit.jsontext.test_values import ODD
from widgetschema import ReferenceLoop
from widgetschema.jsontext import Guard, Limits, plain_copy
from widgetschema.validation import Validator
from widgetschema.validation.engines import engine_form
from widgetschema.validation.engines.shallow import shallow_form

LEVELS = 5
NAN = math.nan


def nested(levels: int, inner: Any = 0) -> Any:
    for level in range(levels):
        inner = [inner] if level % 2 else {"a": inner}
    return inner


class Held(enum.Enum):
    DEEP = nested(LEVELS + 1)
    NAN = (NAN,)
    FINE = nested(LEVELS)


SCHEMAS: dict[str, Any] = {
    "anything": True,
    "an empty schema": {},
    "any object": {"type": "object"},
    "any array": {"type": "array"},
    "some members": {"properties": {"a": {"type": "number"}, "b": {}}},
    "members by pattern": {"patternProperties": {"^a": {}}, "additionalProperties": {"items": {}}},
    "closed": {"properties": {"a": True, "b": {"items": True}}, "additionalProperties": False},
    "a tuple": {"items": [{"type": "number"}, {}]},
    "a tuple with more": {"items": [{}], "additionalItems": {"properties": {"a": {}}}},
    "items, and what has no effect": {"items": {}, "additionalItems": False},
    "a limit alone": {"minimum": 0},
    "alternatives": {"anyOf": [{"type": "string"}, {"type": "array"}, {"properties": {"a": {}}}]},
    "one of": {"oneOf": [{"type": ["object", "number"]}, {"type": "array"}]},
    "one of, the narrower one wins": {"oneOf": [{}, {"required": ["a"]}]},
    "scalars or anything": {"anyOf": [{"type": "string"}, {}]},
    "all of": {"allOf": [{"required": []}, {"properties": {"a": {}}}, {"type": "object"}]},
    "all of, beside members": {"allOf": [{"properties": {"a": {}}}], "properties": {"b": {}}},
    "a negation": {"not": {"type": "string"}},
    "a condition": {"if": {"type": "array"}, "then": {"maxItems": 1}, "else": {"minimum": 0}},
    "listed": {"enum": [1, None, nested(3), nested(9)]},
    "constant": {"const": nested(3)},
    "a reference": {
        "properties": {"a": {"$ref": "#/definitions/x"}, "b": {"$ref": "#/definitions/x"}},
        "items": {"$ref": "#/definitions/y"},
        "definitions": {"x": {"allOf": [{"$ref": "#/definitions/y"}]}, "y": {"items": {}}},
    },
    "unique": {"uniqueItems": True},
    "deep": {"properties": {"a": {"items": {"properties": {"a": {"items": {"type": "number"}}}}}}},
}
VALUES: list[Any] = [
    0, "a", None, True, [], {}, [0], {"a": 0}, {"b": [0]}, [["a"], {"a": 1}], {"a": [1], "ab": [[2]]},
    *(nested(levels) for levels in range(1, LEVELS + 3)),
    *([nested(levels)] for levels in range(1, LEVELS + 3)),
    *({"b": nested(levels, [])} for levels in range(1, LEVELS + 2)),
]  # fmt: skip
NOT_JSON: list[Any] = [NAN, math.inf, -math.inf, *Held]


def levels_of(value: Any) -> int:
    if isinstance(value, (list, dict)):
        items = value.values() if isinstance(value, dict) else value
        return 1 + max(map(levels_of, items), default=0)
    return 0


def compiled(schema: Any, levels: int = LEVELS) -> Any:
    form = shallow_form(engine_form(Validator(schema).linked, True), levels)
    assert form is not None
    return jsonschema_rs.Draft7Validator(form).is_valid


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_what_is_shallow_and_valid_is_accepted_and_nothing_else(name: str) -> None:
    schema = SCHEMAS[name]
    accepts, decides = compiled(schema), Validator(schema).decides
    accepted = 0
    for value in VALUES:
        is_accepted = accepts(value)
        assert not is_accepted or (decides(value) and levels_of(value) <= LEVELS)
        accepted += is_accepted
        assert is_accepted or not decides(value) or levels_of(value) > 2
    assert accepted
    for odd in NOT_JSON:
        for value in (odd, [odd], {"a": odd}, {"b": odd}, {"c": {"d": odd}}, [0, [odd]]):
            plain, findings = plain_copy(value, LEVELS)
            assert not accepts(value) or (not findings and decides(plain))


def test_a_form_of_more_levels_than_asked_for_is_none() -> None:
    form = engine_form(Validator(SCHEMAS["deep"]).linked, True)
    assert shallow_form(form, 3) is None
    assert compiled(SCHEMAS["deep"], 4)({"a": [{"a": [1]}]})
    assert compiled({"type": "string"}, 0)("a")
    assert compiled({"enum": [1]}, 0)(1)
    assert not compiled({"enum": [1]}, 0)([])


@pytest.mark.parametrize(
    "schema",
    [
        {"items": {"$ref": "#"}},
        {"properties": {"a": {"not": {"$ref": "#/definitions/x"}}}, "definitions": {"x": {"items": {"$ref": "#/definitions/x"}}}},
        {"$ref": "#/definitions/x", "definitions": {"x": {"items": {"$ref": "#/definitions/y"}}, "y": {"anyOf": [{}, {"$ref": "#/definitions/x"}]}}},
    ],
)  # fmt: skip
def test_a_schema_that_refers_to_itself_has_none(schema: Any) -> None:
    validator = Validator(schema)
    assert shallow_form(engine_form(validator.linked, True), 24) is None
    knot: list[Any] = []
    knot.append(knot)
    assert not validator.is_valid(knot)  # which an engine would follow for ever
    assert validator.is_valid([[], [[]]])
    assert validator.is_valid_json("[[], [[]]]")


def test_a_name_like_a_reference_is_none() -> None:
    accepts = compiled({"properties": {"$ref": {"const": {"$ref": "#/definitions/s0"}}}})
    assert accepts({"$ref": {"$ref": "#/definitions/s0"}})
    assert not accepts({"$ref": 1})


def test_many_uses_of_definitions_stay_few() -> None:
    uses = {f"x{n}": {"properties": {"a": {"$ref": f"#/definitions/x{n + 1}"}, "b": {"$ref": f"#/definitions/x{n + 1}"}}} for n in range(20)}  # fmt: skip
    schema = {"$ref": "#/definitions/x0", "definitions": {**uses, "x20": {}}}
    form = shallow_form(engine_form(Validator(schema).linked, True), 24)
    assert len(json.dumps(form)) < 20_000


def long_answer(validator: Validator, value: Any) -> bool:
    """The answer by a walk and a copy."""
    plain, findings = plain_copy(value, validator.limits.max_depth)
    return not findings and validator.decides(plain)


@given(st.integers(0, 2**32), ODD, st.sampled_from([0, 1, 3, 24, 200]))
def test_random_schemas_and_odd_values(seed: int, value: Any, depth: int) -> None:
    rnd = random.Random(seed)
    schema = {**(body if type(body := schema_of(rnd)) is dict else {}), "definitions": {"x": schema_of(rnd)}}  # fmt: skip
    try:
        validator = Validator(schema, limits=Limits(max_depth=depth))
    except ReferenceLoop:
        return
    for instance in (value, [value], {"a": value, "b": [value]}):
        assert validator.is_valid(instance) is long_answer(validator, instance)
    form = shallow_form(engine_form(validator.linked, True), Guard(depth).levels)
    if form is not None:
        accepts = jsonschema_rs.Draft7Validator(form).is_valid
        plain, findings = plain_copy(value, depth)
        if not findings and accepts(plain):
            assert validator.decides(plain)
            assert levels_of(plain) <= Guard(depth).levels
