"""Promises that samples make about themselves: ledgers, ids; each test was a bug once."""

from __future__ import annotations

from typing import Final

import pytest

from tests.properties.test_samples import FLAG, TEXT, WHOLE, Json, widget_type
from tests.unit.samples.test_coverage import CLAIMS, parsed, values_at
from tests.unit.samples.test_near_misses import at, near_misses, parts

BOTH = ["a", "b"]


@pytest.mark.parametrize(
    "schema",
    [
        {
            "type": "array",
            "items": {"type": "string", "pattern": "^[ab]$"},
            "uniqueItems": True,
            "minItems": 1,
            "maxItems": 4,
        },
        {
            "type": "object",
            "properties": {"a": {"type": "string", "pattern": "(?=b)a"}},
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"t": FLAG, "u": FLAG},
            "maxProperties": 1,
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"a": FLAG, "b": FLAG},
            "dependencies": {"a": ["b"]},
            "additionalProperties": False,
        },
    ],
)
@pytest.mark.filterwarnings("ignore:.*left out")
def test_what_is_said_to_be_covered_is_there(schema: Json) -> None:
    for case in widget_type(schema).coverage():
        for target in case.covers:
            word, place, answer = parsed(target)
            claim = CLAIMS.get(word, CLAIMS["present"])
            assert claim(list(values_at(case.data, place)), answer), (target, case)


def test_long_values_that_begin_alike() -> None:
    values = ["x" * 50 + "a", "x" * 50 + "b"]
    cases = widget_type({"enum": values}).coverage()
    assert [case.data for case in cases] == values
    assert len(cases.ledger) == 2


def test_children_in_lists_of_a_recursive_schema() -> None:
    tree = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": TEXT,
            "children": {"type": "array", "items": {"$ref": "#/properties/data"}},
        },
    }
    cases = widget_type(tree).coverage()
    assert {len(case.data.get("children", ())) for case in cases} >= {0, 1, 3}
    assert any(parts(case)[1] == "/children/0/name" for case in widget_type(tree).near_misses())


def test_a_pair_that_is_there_is_not_called_impossible() -> None:
    letters = {"enum": ["a", "b"]}
    schema = {
        "type": "array",
        "items": [letters, letters],
        "minItems": 2,
        "additionalItems": False,
        "not": {"items": [{"const": "a"}, {"const": "b"}]},
    }
    cases = widget_type(schema).coverage()
    assert [target.id for target in cases.uncovered] == ['enum@/0#"a" & enum@/1#"b"']


@pytest.mark.parametrize(
    ("schema", "id"),
    [
        (
            {"properties": {"m": {"enum": ["a", "b"], "not": {"const": "b"}}}, "type": "object"},
            'enum@/m#"b"',
        ),
        ({"properties": {"m": {"enum": [1, 3], "maximum": 2}}, "type": "object"}, "enum@/m#3"),
        ({"properties": {"a": False}, "type": "object"}, "present@/a"),
        ({"properties": {"a": FLAG}, "type": "object", "not": {"required": ["a"]}}, "present@/a"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "type": "string"}, "anyOf@#1"),
    ],
)
def test_what_can_never_be_has_a_line_in_the_ledger(schema: Json, id: str) -> None:
    reasons = {target.id: target.why for target in widget_type(schema).coverage().uncovered}
    assert reasons[id]


@pytest.mark.parametrize(
    "more",
    [
        {"dependencies": {"a": {"required": ["b"]}}},
        {"dependencies": {"a": {"required": ["b"]}, "c": ["a"]}},
        {"dependencies": {"a": {"not": {"required": ["b"]}}}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ],
)
def test_a_member_that_one_branch_excludes_and_another_one_requires_is_covered(more: Json) -> None:
    schema = {"type": "object", "properties": {"a": FLAG, "b": FLAG, "c": FLAG}, **more}
    cases = widget_type(schema).coverage()
    assert not [one for one in cases.uncovered if one.id.startswith("present@")]
    id = next(one.case for one in cases.ledger if one.id == "present@/a")
    (case,) = [case for case in cases if case.id == id]
    assert "a" in case.data
    assert "present@/a" in case.covers


def test_what_only_some_choices_exclude_is_not_called_impossible() -> None:
    nothing = {"type": "string", "pattern": "^a$", "not": {"pattern": "a"}}  # seen by trying only
    schema = {
        "type": "object",
        "properties": {"a": FLAG},
        "dependencies": {"a": {"required": ["b"], "properties": {"b": nothing}}},
    }
    reasons = {one.id: f"{one.why}" for one in widget_type(schema).coverage().uncovered}
    assert reasons["present@/a"].endswith("; not every way was tried")


def test_null_is_violated() -> None:
    assert any(case.findings == (("type", ""),) for case in near_misses({"type": "null"}))


def test_what_is_forbidden_by_false_is_violated() -> None:
    assert any(
        case.data
        for case in near_misses({"type": "array", "items": False})
        if isinstance(case.data, list)
    )
    assert any(
        "a" in case.data
        for case in near_misses({"type": "object", "properties": {"a": False}})
        if isinstance(case.data, dict)
    )
    cases = near_misses({"type": "object", "patternProperties": {"^x": False}})
    assert any(
        name.startswith("x") for case in cases if isinstance(case.data, dict) for name in case.data
    )


def test_a_refused_type_is_violated() -> None:
    (case,) = near_misses({"not": {"type": "string"}})
    assert case.findings == (("not", ""),)


def test_nearest_multiple_beyond_a_bound() -> None:
    assert at(near_misses({"multipleOf": 4, "minimum": -6}), "minimum@#below").data == -8


def test_pointers_in_the_ledger_are_escaped() -> None:
    schema = {"type": "object", "properties": {"a/b": {"anyOf": [{"type": "string"}, {}]}}}
    assert {target.id for target in near_misses(schema).uncovered} == {"type@/a~1b", "anyOf@/a~1b"}


@pytest.mark.parametrize(
    ("schema", "id"),
    [
        ({"type": "string", "minLength": 0}, "minLength@"),
        ({"type": "array", "minItems": 0}, "minItems@"),
        ({"type": "object", "minProperties": 0}, "minProperties@"),
        ({"type": "object", "required": []}, "required@"),
        ({"type": "string", "format": "unheard-of"}, "format@"),
        ({"type": "string", "maxLength": 1_000_000}, "maxLength@"),
    ],
)
def test_what_asks_for_nothing_has_a_reason(schema: Json, id: str) -> None:
    assert {target.id: target.why for target in near_misses(schema).uncovered}[id]


@pytest.mark.parametrize("values", [[1, "grid"], ["3", "grid"], [None, "grid"]])
def test_wrong_letter_case_of_a_later_value(values: list[Json]) -> None:
    assert at(near_misses({"enum": values}), "enum@#case").data.lower() == "grid"


def test_ids_of_pairs_are_unique() -> None:
    schema = {"minLength": 1, "maxLength": 0, "anyOf": [{}, {}]}
    targets = [target.id for target in widget_type(schema).coverage().ledger]
    assert len(set(targets)) == len(targets), [one for one in targets if targets.count(one) > 1]


CAPITALS: Final = {"pattern": "^[A-Z]+$"}
FEW_NAMES: Final = {"type": "object", "propertyNames": {"enum": ["a", "b", "c"]}}
PATTERN: Final = {
    "type": "object",
    "patternProperties": {"^p-": WHOLE},
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "schema",
    [
        {**PATTERN, "maxProperties": 2},
        {**PATTERN, "maxProperties": 2, "minProperties": 2},
        {**PATTERN, "patternProperties": {"^[ab]$": WHOLE, "^c$": {}}, "maxProperties": 2},
        {"type": "object", "propertyNames": CAPITALS, "maxProperties": 2},
        {
            "type": "object",
            "propertyNames": CAPITALS,
            "additionalProperties": WHOLE,
            "minProperties": 1,
            "maxProperties": 1,
        },
        {**FEW_NAMES, "maxProperties": 2},
        {
            "type": "object",
            "properties": {"a": FLAG, "z": False},
            "additionalProperties": WHOLE,
            "minProperties": 1,
            "maxProperties": 1,
        },
    ],
)
def test_names_of_properties_are_those_that_the_schema_allows(schema: Json) -> None:
    cases = near_misses(schema)
    assert cases.uncovered == ()
    assert {"maxProperties"} <= {parts(case)[0] for case in cases}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "integer", "multipleOf": 3}, {"type": "integer", "multipleOf": 5}),
        ({"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "b$"}),
        ({"enum": [1, 2]}, {"enum": [2, 3]}),
        ({"const": "x"}, {"type": "string"}),
    ],
)
def test_what_matches_two_branches_is_found(one: Json, other: Json) -> None:
    for schema, place in (
        ({"oneOf": [one, other]}, ""),
        ({"type": ["integer", "string"], "oneOf": [one, other]}, ""),
        ({"type": "object", "properties": {"m": {"allOf": [{"oneOf": [one, other]}]}}}, "/m"),
    ):
        validator = widget_type({"anyOf": [one, other]}), widget_type({"allOf": [one, other]})
        several = [case for case in near_misses(schema) if case.findings == (("oneOf", place),)]
        values = [case.data["m"] if place else case.data for case in several]
        assert any(all(one.is_valid(value) for one in validator) for value in values), schema


def test_a_place_with_two_choices_has_a_line_for_the_one_that_is_covered() -> None:
    inner = {"oneOf": [{"const": 1}, {"const": 2}]}
    cases = near_misses({"oneOf": [inner, WHOLE]})
    assert {case.id for case in cases} <= {one.id for one in cases.ledger if one.case is not None}


@pytest.mark.parametrize("most", [{}, {"maxProperties": 5}])
@pytest.mark.parametrize(
    "names", [PATTERN, {"type": "object", "propertyNames": {"pattern": "^p-"}}]
)
def test_enough_names_are_found(names: Json, most: Json) -> None:
    made = widget_type({**names, **most, "minProperties": 3})
    assert all(len(one) == 3 for one in (made.minimal(), *made.samples(5)))


def test_what_is_to_be_absent_takes_the_place_of_nothing_else() -> None:
    schema = {
        **PATTERN,
        "properties": {"a": FLAG, "b": FLAG, "c": FLAG, "d": FLAG},
        "minProperties": 2,
        "dependencies": {"c": ["b"]},
    }
    cases = widget_type(schema).coverage()
    assert cases.uncovered == ()
    assert any(case.data.keys().isdisjoint("ab") for case in cases)


def test_a_pair_that_a_dependency_excludes_is_no_target() -> None:
    schema = {
        "type": "object",
        "properties": {"a": FLAG, "b": FLAG, "c": FLAG},
        "dependencies": {"a": ["b"], "b": ["c"]},
        "additionalProperties": False,
    }
    assert widget_type(schema).coverage().uncovered == ()
