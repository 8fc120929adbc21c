"""Everything that is made: for the schemas of a table, and for random ones."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, event, example, given, settings
from hypothesis import strategies as st

import widgetschema
from tests.strategies import instances, schemas
from widgetschema import ReferenceLoop, Validator, WidgetType
from widgetschema.errors import CannotGenerate
from widgetschema.samples import CaseSet, Products

Json = Any
TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
FLAG: Final = {"type": "boolean"}
LETTERS: Final = {"enum": ["a", "b", "c"]}
# fmt: off
SCHEMAS: Final[dict[str, Json]] = {
    "tree": {"$ref": "#/definitions/tree"},
    "told apart by a constant": {"oneOf": [
        {"type": "object", "required": ["kind"], "additionalProperties": False,
         "properties": {"kind": {"const": "image"}, "alt": TEXT, "wide": FLAG}},
        {"type": "object", "required": ["kind", "seconds"], "additionalProperties": False,
         "properties": {"kind": {"const": "video"}, "seconds": WHOLE, "loop": FLAG}},
    ]},
    "patterns of names, and a condition": {
        "type": "object", "required": ["mode"], "additionalProperties": False,
        "properties": {"mode": {"enum": ["date", "user"]}, "date": TEXT,
                       "days": {"type": "integer", "minimum": 1}},
        "patternProperties": {"^x-[a-z]{1,4}$": FLAG},
        "if": {"properties": {"mode": {"const": "date"}}},
        "then": {"required": ["date"]}, "else": {"required": ["days"]},
    },
    "tuple": {"type": "array", "items": [{"enum": ["px", "em"]}, {"type": "number"}, FLAG],
              "additionalItems": False, "minItems": 1},
    "dependencies": {
        "type": "object", "additionalProperties": False,
        "properties": {"link": TEXT, "label": TEXT, "target": {"enum": ["_self", "_blank"]}},
        "dependencies": {"link": ["label"], "target": {"required": ["link"]}},
    },
    "map": {"type": "object", "propertyNames": {"pattern": "^[a-z]{1,8}$"},
            "additionalProperties": {"type": ["boolean", "null"]}},
    "any of some types": {"anyOf": [{"type": "string", "maxLength": 5}, WHOLE, FLAG]},
    "nullable": {"type": "object", "properties": {
        "size": {"type": ["number", "null"]}, "image": {"type": ["string", "null"]}}},
    "bounds": {"type": "object", "required": ["columns"], "properties": {
        "columns": {"type": "integer", "minimum": 1, "maximum": 12},
        "opacity": {"type": "number", "minimum": 0, "maximum": 1},
        "name": {"type": "string", "minLength": 2, "maxLength": 6},
        "tags": {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 7},
        "some": {"type": "array", "items": WHOLE},
    }},
    "multiples": {"type": "object", "properties": {
        "gap": {"type": "integer", "multipleOf": 4, "minimum": -6, "maximum": 30},
        "share": {"type": "number", "multipleOf": 0.05, "minimum": 0, "exclusiveMaximum": 1},
    }},
    "different items": {"type": "array", "items": {"enum": ["mon", "tue", "wed", "thu"]},
                        "uniqueItems": True, "minItems": 1},
    "contains": {"type": "array", "items": WHOLE, "contains": {"minimum": 100}},
    "mixed values": {"type": "object", "additionalProperties": False, "properties": {
        "value": {"enum": [1, "1", None, True, False, "", 1.5, ["a"], {"a": [0]}, [], {}]},
        "other": {"const": {"b": 1}},
    }},
    "not": {"type": "object", "not": {"required": ["secret"]}, "properties": {
        "count": {"type": "integer", "minimum": 0, "maximum": 9, "not": {"enum": [0, 1]}},
        "mark": {"enum": ["a", "b", "c"], "not": {"const": "b"}},
    }},
    "open objects": {"type": "object", "required": ["style"], "properties": {
        "style": {"type": "object"}, "more": {"properties": {"on": FLAG}}}},
    "all of": {"allOf": [
        {"type": "object", "required": ["a"], "properties": {"a": {"enum": [1, 2, 3]}}},
        {"properties": {"a": {"maximum": 2}, "b": FLAG, "c": TEXT}},
    ]},
    "branches in branches": {"type": "object", "properties": {"box": {"anyOf": [
        {"oneOf": [{"const": "auto"}, {"type": "integer", "minimum": 3}]},
        {"type": "array", "items": {"enum": ["l", "r"]}, "maxItems": 2},
    ]}}},
    "names that pointers escape": {
        "type": "object", "additionalProperties": False,
        "properties": {"a/b": FLAG, "m~n": LETTERS, "": FLAG, "x#y": FLAG},
    },
    "true": True,
    "no optional members": {"type": "object", "required": ["a", "b"],
                            "properties": {"a": FLAG, "b": LETTERS}, "additionalProperties": False},
}
DEFINITIONS: Final = {
    "tree": {
        "type": "object", "required": ["name"], "additionalProperties": False,
        "properties": {
            "name": {"enum": ["leaf", "node"]},
            "open": FLAG,
            "left": {"$ref": "#/definitions/tree"},
            "right": {"anyOf": [{"$ref": "#/definitions/tree"}, {"type": "null"}]},
        },
    }
}
# fmt: on
@cache
def named(name: str) -> WidgetType:
    """The widget type of an entry of the table, or the countdown."""
    if name == "countdown":
        return widgetschema.widget_type("countdown")
    return widget_type(SCHEMAS[name])


def widget_type(schema: Json, **options: Any) -> WidgetType:
    """A widget type with this schema for its data."""
    whole = {"properties": {"data": schema}, "definitions": DEFINITIONS}
    return WidgetType.from_schema(whole, id="x", describes="document", **options)


ALL: Final = pytest.mark.parametrize("name", ["countdown", *SCHEMAS])
BOTH: Final = pytest.mark.parametrize("what", ["coverage", "near_misses"])


@cache
def made(name: str, what: str) -> CaseSet:
    """The coverage set or the near-misses of an entry of the table."""
    cases: CaseSet = getattr(named(name), what)()
    return cases


# The schemas of the table


@BOTH
@ALL
def test_ids_are_unique(name: str, what: str) -> None:
    assert_unique(made(name, what))


def assert_unique(cases: CaseSet) -> None:
    ids = [case.id for case in cases]
    targets = [target.id for target in cases.ledger]
    assert len(set(ids)) == len(ids)
    assert len(set(targets)) == len(targets)


@BOTH
@ALL
def test_the_ledger_says_by_what_it_is_covered_or_why_it_is_not(name: str, what: str) -> None:
    cases = made(name, what)
    assert_accounted_for(cases)
    if name != "true":
        assert len(cases) > 1
        assert len(cases.ledger) > 1


def assert_accounted_for(cases: CaseSet) -> None:
    by_id = {case.id: case for case in cases}
    for target in cases.ledger:
        if target.case is None:
            assert target.why, target
        else:
            assert target.why is None
            assert target.case in by_id, target
    assert cases.uncovered == tuple(target for target in cases.ledger if target.case is None)


@ALL
def test_cases_and_ledger_of_a_coverage_set_agree(name: str) -> None:
    cases = made(name, "coverage")
    by_id = {case.id: case for case in cases}
    covering = {target.id: target.case for target in cases.ledger if target.case is not None}
    for id, case in covering.items():
        if not id.startswith("pairs"):
            assert id in by_id[case].covers
    for one in cases:
        assert len(set(one.covers)) == len(one.covers)
        assert set(one.covers) <= covering.keys(), one.id


@BOTH
@pytest.mark.parametrize("name", ["countdown", "tree", "told apart by a constant", "multiples"])
def test_two_runs_are_equal(name: str, what: str) -> None:
    one = named(name)
    again = WidgetType.from_schema(one.schema, id=one.id, describes="document")

    assert getattr(again, what)() == made(name, what)


_PROGRAM: Final = """
import sys
from tests.properties.test_samples import made, digest
for name in sys.argv[1:]:
    print(digest(made(name, "coverage")), digest(made(name, "near_misses")))
"""


def digest(cases: CaseSet) -> str:
    text = json.dumps([[case.id, case.data, case.findings, case.covers] for case in cases])
    return hashlib.sha256(f"{text}{cases}".encode()).hexdigest()


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_other_processes_make_the_same(seed: str) -> None:
    names = ["countdown", "patterns of names, and a condition", "map", "branches in branches"]
    theirs = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *names],
        env={"PYTHONHASHSEED": seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    ours = [f"{digest(made(one, 'coverage'))} {digest(made(one, 'near_misses'))}" for one in names]
    assert theirs.stdout.splitlines() == ours


# fmt: off
IMPOSSIBLE: Final[list[Json]] = [
    False,
    {"type": "string", "enum": [1]},
    {"type": "integer", "minimum": 3, "maximum": 2},
    {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 4},
    {"type": "integer", "multipleOf": 5, "minimum": 11, "maximum": 14},
    {"type": "string", "minLength": 3, "maxLength": 2},
    {"type": "array", "minItems": 1, "items": False},
    {"type": "array", "minItems": 3, "items": {"enum": ["a", "b"]}, "uniqueItems": True},
    {"type": "array", "items": {"type": "string"}, "contains": {"type": "integer"}},
    {"type": "object", "required": ["a"], "properties": {"a": False}},
    {"type": "object", "required": ["a", "b"], "maxProperties": 1},
    {"type": "object", "required": ["a"], "propertyNames": {"minLength": 2}},
    {"type": "object", "minProperties": 1, "additionalProperties": False},
    {"allOf": [{"type": "string"}, {"type": "null"}]},
    {"oneOf": [{}, {}]},
    {"not": {}},
    {"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#/properties/data"}}},
]
# fmt: on


@pytest.mark.parametrize("schema", IMPOSSIBLE, ids=json.dumps)
@pytest.mark.parametrize("what", ["sample", "minimal", "coverage", "near_misses", "strategy"])
def test_what_cannot_be_generated(schema: Json, what: str) -> None:
    with pytest.raises(CannotGenerate) as caught:
        getattr(widget_type(schema), what)()

    assert caught.value.pointer.startswith("/properties/data")
    assert caught.value.reason


# Random schemas


SETTINGS: Final = settings(suppress_health_check=list(HealthCheck))
MAX_CASES: Final = 40


def validators(schema: Json) -> tuple[Validator, Validator]:
    """The validators of both engines, unless the schema is one that cannot be linked."""
    # 1e300 is no integer to one of the engines, and one to the other.
    assume("1e+300" not in json.dumps(schema))
    try:
        return Validator(schema, engine="rust"), Validator(schema, engine="python")
    except ReferenceLoop:
        assume(False)
        raise


def products(validator: Validator) -> Products:
    return Products(validator)


@SETTINGS
@given(schema=schemas())
@example(schema={"properties": {"a": {"type": "null"}}, "dependencies": {"a": {}, "b": {}}})
@example(schema={"properties": {"a": {}, "b": {}}, "dependencies": {"a": {}}})
@example(schema={"not": {"properties": {"a": {"minimum": 3}}}})
@example(schema={"items": [True, {"$ref": "#"}], "minItems": 2, "uniqueItems": True})
def test_what_is_generated_is_valid(schema: Json) -> None:
    rust, python = validators(schema)
    makers = products(rust)
    try:
        made = [makers.sampler().sample("seed", index) for index in range(4)]
    except CannotGenerate:
        event("cannot generate")
        return
    made += [makers.sampler().minimal(), makers.sampler().maximal()]
    cases = makers.coverage(max_cases=MAX_CASES)
    made += [case.data for case in cases]

    for value in made:
        assert rust.is_valid(value), value
        assert python.is_valid(value), value
    assert len(cases) <= MAX_CASES
    assert len({case.id for case in cases}) == len(cases)
    assert_accounted_for(cases)


@SETTINGS
@given(schema=schemas())
@example(schema={"type": "integer", "not": {"enum": [0, 1]}})
@example(schema={"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object"})
def test_near_misses_give_what_they_promise(schema: Json) -> None:
    rust, python = validators(schema)
    try:
        cases = products(rust).near_misses(max_cases=MAX_CASES)
    except CannotGenerate:
        return
    for case in cases:
        assert len(case.findings) == 1
        for validator in (rust, python):
            assert [(one.keyword, one.path) for one in validator.check(case.data)] == [
                *case.findings
            ]
            assert not validator.is_valid(case.data)
    assert_unique(cases)
    assert_accounted_for(cases)


def keywords(schema: Json) -> Iterator[str]:
    """All names of members in a schema, those of data among them."""
    if isinstance(schema, dict):
        for name, value in schema.items():
            yield name
            yield from keywords(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from keywords(item)


@SETTINGS
@given(schema=schemas(), some=st.lists(instances(), max_size=12))
@example(schema={"type": "array", "minItems": 2, "items": {"const": 1}}, some=[[1, 1]])
@example(schema={"required": ["a"], "maxProperties": 1}, some=[{"a": 1}, 3])
def test_what_cannot_be_generated_is_nothing(schema: Json, some: list[Json]) -> None:
    rust, _ = validators(schema)
    try:
        products(rust).sampler().sample()
    except CannotGenerate:
        event("cannot generate")
        # What must not be is avoided by trial, which may fail.
        if not {"not", "if", "oneOf"} & {*keywords(schema)}:
            assert not any(rust.is_valid(one) for one in some), schema


@settings(SETTINGS)
@given(schema=schemas(), realistic=st.booleans(), data=st.data())
def test_strategies_make_what_they_promise(schema: Json, realistic: bool, data: Any) -> None:
    rust, python = validators(schema)
    strategies = products(rust).strategies
    try:
        valid = strategies.valid(realistic=realistic)
    except CannotGenerate:
        return
    value = data.draw(valid)

    assert rust.is_valid(value)
    assert python.is_valid(value)
