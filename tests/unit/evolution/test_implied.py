"""Schemas that say the same in other words: each pair is compared in both directions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.properties.test_compare import compared
from widgetschema import Validator

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
WHOLE = {"type": "integer"}
LIST = {"type": "array"}
OBJECT = {"type": "object"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
A_ONLY = {**OBJECT, "properties": {"a": {}}, "additionalProperties": False}
NESTED = {
    **OBJECT,
    "properties": {
        "a": {
            "type": "array",
            "items": [
                {"const": 1},
                {
                    **OBJECT,
                    "properties": {"b": {"type": "null"}},
                    "required": ["b"],
                    "additionalProperties": False,
                },
            ],
            "minItems": 2,
            "additionalItems": False,
        }
    },
    "required": ["a"],
    "additionalProperties": False,
}


def refusing(value: Any, schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "not": {"const": value}}


def times(*divisors: float, **more: Any) -> dict[str, Any]:
    return {**NUMBER, "allOf": [{"multipleOf": divisor} for divisor in divisors], **more}


SAME: list[tuple[Any, Any]] = [
    # Numbers: one step
    (times(6), times(2, 3)),
    (times(0.2, 0.3), times(0.6)),
    (times(2, 3, 4), {**NUMBER, "multipleOf": 12}),
    ({**WHOLE, "multipleOf": 1.5}, {**WHOLE, "multipleOf": 3}),
    (times(1), WHOLE),
    (times(1.0), WHOLE),
    (times(0.5, 0.2), WHOLE),
    (times(2), {**WHOLE, "multipleOf": 2}),
    (times(2.0), {**WHOLE, "multipleOf": 2}),
    ({"type": ["number", "string"], "multipleOf": 1}, {"type": ["integer", "string"]}),
    # Numbers: bounds next to a step, or to what is excluded
    (times(1, exclusiveMinimum=0), {**WHOLE, "minimum": 1}),
    (times(0.5, exclusiveMaximum=1), times(0.5, maximum=0.5)),
    ({**WHOLE, "multipleOf": 5, "minimum": 1}, {**WHOLE, "multipleOf": 5, "minimum": 5}),
    ({**WHOLE, "minimum": -2.5}, {**WHOLE, "exclusiveMinimum": -3}),
    (refusing(0, {**WHOLE, "minimum": 0}), {**WHOLE, "minimum": 1}),
    (refusing(0, {**NUMBER, "minimum": 0}), {**NUMBER, "exclusiveMinimum": 0}),
    (refusing(1, {**NUMBER, "maximum": 1.0}), {**NUMBER, "exclusiveMaximum": 1}),
    ({**WHOLE, "minimum": 0, "not": {"enum": [0, 1]}}, {**WHOLE, "minimum": 2}),
    ({**NUMBER, "minimum": 1, "not": {"enum": [0, -1]}}, {**NUMBER, "minimum": 1}),
    # Few values
    (times(1, minimum=0, maximum=3), {"enum": [0, 1, 2, 3]}),
    (times(0.5, minimum=0, maximum=1), {"enum": [0, 0.5, 1]}),
    ({**NUMBER, "minimum": 3, "maximum": 3}, {"const": 3}),
    ({**NUMBER, "minimum": 3, "exclusiveMaximum": 3}, False),
    ({**TEXT, "pattern": "^(a|b)$"}, {"enum": ["a", "b"]}),
    ({**TEXT, "pattern": "^[ab]{1,2}$"}, {"enum": ["a", "b", "aa", "ab", "ba", "bb"]}),
    ({**TEXT, "pattern": "^x$"}, {"const": "x"}),
    ({**TEXT, "pattern": "^(\\||\\.|\\\\|é|\n)$"}, {"enum": ["|", ".", "\\", "é", "\n"]}),
    ({**TEXT, "pattern": "^[a-z]\\d$"}, {"enum": [f"{a}{n}" for a in LETTERS for n in range(10)]}),
    ({**TEXT, "pattern": "^a*$", "maxLength": 2}, {"enum": ["", "a", "aa"]}),
    ({**TEXT, "maxLength": 0}, {"const": ""}),
    ({"type": ["null", "string"], "pattern": "^(a|b)$"}, {"enum": [None, "a", "b"]}),
    ({**TEXT, "pattern": "^(a|b)$"}, {"anyOf": [{"const": "a"}, {"const": "b"}]}),
    (refusing("b", {**TEXT, "pattern": "^(a|b)$"}), {"const": "a"}),
    # What is empty
    (refusing("", TEXT), {**TEXT, "minLength": 1}),
    ({**TEXT, "not": {"enum": [""]}}, {**TEXT, "minLength": 1}),
    ({**TEXT, "not": {"maxLength": 0}}, {**TEXT, "minLength": 1}),
    ({**TEXT, "pattern": "[^]"}, refusing("", TEXT)),
    (refusing([], LIST), {**LIST, "minItems": 1}),
    (refusing({}, OBJECT), {**OBJECT, "minProperties": 1}),
    ({**LIST, "maxItems": 0}, {"const": []}),
    ({**LIST, "items": False}, {"const": []}),
    ({**OBJECT, "maxProperties": 0}, {"const": {}}),
    ({**OBJECT, "additionalProperties": False}, {"const": {}}),
    ({**TEXT, "not": {"pattern": "^$"}}, {**TEXT, "minLength": 1}),
    # Types without a value, and bounds that contradict
    (refusing(None, {"type": ["string", "null"]}), TEXT),
    ({"type": ["string", "boolean"], "not": {"enum": [True, False]}}, TEXT),
    ({"type": ["string", "number"], "minimum": 1, "maximum": 0}, TEXT),
    ({**TEXT, "minLength": 2, "maxLength": 1}, False),
    ({**LIST, "minItems": 2, "maxItems": 1}, False),
    ({**OBJECT, "minProperties": 2, "maxProperties": 1}, False),
    ({**OBJECT, "required": ["a", "b"], "maxProperties": 1}, False),
    # Items
    (
        {**LIST, "items": {"type": "boolean"}, "uniqueItems": True},
        {**LIST, "items": {"type": "boolean"}, "uniqueItems": True, "maxItems": 2},
    ),
    ({**LIST, "items": [{}, False]}, {**LIST, "maxItems": 1}),
    # Members
    ({**A_ONLY, "dependencies": {"a": ["b"]}}, {**OBJECT, "maxProperties": 0}),
    ({**A_ONLY, "minProperties": 1}, {**A_ONLY, "required": ["a"]}),
    (refusing({}, A_ONLY), {**A_ONLY, "required": ["a"]}),
    (
        {**OBJECT, "propertyNames": {"enum": ["a"]}, "minProperties": 1},
        {**OBJECT, "propertyNames": {"const": "a"}, "required": ["a"]},
    ),
    ({**OBJECT, "propertyNames": {"const": "a"}}, A_ONLY),
    (
        {
            **OBJECT,
            "patternProperties": {"^(a|b)$": {}},
            "additionalProperties": False,
            "minProperties": 2,
        },
        {
            **OBJECT,
            "properties": {"a": {}, "b": {}},
            "additionalProperties": False,
            "required": ["a", "b"],
        },
    ),
    (
        {
            **OBJECT,
            "properties": {"a": {}, "b": False},
            "additionalProperties": False,
            "minProperties": 1,
        },
        {**A_ONLY, "required": ["a"]},
    ),
    ({**OBJECT, "required": ["a"], "maxProperties": 1}, {**A_ONLY, "required": ["a"]}),
    (
        {**OBJECT, "required": ["a"], "dependencies": {"a": ["b"]}, "maxProperties": 2},
        {
            **OBJECT,
            "properties": {"a": {}, "b": {}},
            "additionalProperties": False,
            "required": ["a", "b"],
        },
    ),
    # Constants of several values
    (
        {"const": {"a": 1, "b": "x"}},
        {
            **OBJECT,
            "properties": {"a": {"const": 1}, "b": {"enum": ["x"]}},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
    ),
    (
        {"enum": [{"a": 1}, {"a": 2}]},
        {
            **OBJECT,
            "properties": {"a": {"enum": [1, 2]}},
            "required": ["a"],
            "additionalProperties": False,
        },
    ),
    (
        {"enum": [{}, {"a": True}, {"a": False}]},
        {**OBJECT, "properties": {"a": {"type": "boolean"}}, "additionalProperties": False},
    ),
    (
        {"const": [1, "x"]},
        {**LIST, "items": [{"const": 1}, {"const": "x"}], "minItems": 2, "additionalItems": False},
    ),
    (
        {"const": [1, "x"]},
        {**LIST, "items": [{"const": 1}, {"const": "x"}], "minItems": 2, "maxItems": 2},
    ),
    ({"enum": [[], [None]]}, {**LIST, "items": {"type": "null"}, "maxItems": 1}),
    ({"const": {"a": [1, {"b": None}]}}, NESTED),
]
WIDER: list[tuple[Any, Any]] = [
    (times(0.5), times(0.25)),
    (times(0.01), times(0.001)),
    (times(3.3), times(1.1)),
    (times(1e-6), times(1e-7)),
    (times(2), WHOLE),
    (times(2, minimum=1), {**NUMBER, "minimum": 2}),
    ({**TEXT, "pattern": "^(a|b)$"}, {"enum": ["a", "b", "c"]}),
    ({**TEXT, "pattern": "^a"}, refusing("b", TEXT)),
    ({**NUMBER, "minimum": 1}, {**NUMBER, "not": {"enum": [0, -1]}}),
    ({**WHOLE, "multipleOf": 2}, refusing(3, WHOLE)),
    (A_ONLY, {**OBJECT, "maxProperties": 1}),
    (
        {
            **OBJECT,
            "properties": {"a": {}, "b": {}},
            "additionalProperties": False,
            "minProperties": 1,
        },
        {**OBJECT, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ),
]
BREAKING: list[tuple[Any, Any]] = [
    (times(0.5), times(0.2)),
    (times(0.5), WHOLE),
    (times(6), times(4, 3)),
    (times(1, exclusiveMinimum=0), {**WHOLE, "minimum": 2}),
    (refusing(0, {**NUMBER, "minimum": 0}), {**NUMBER, "minimum": 1}),
    ({**TEXT, "pattern": "^(a|b|c)$"}, {"enum": ["a", "b"]}),
    ({**TEXT, "pattern": "^[a-z]\\d$"}, {"enum": ["a1", "b2"]}),
    (refusing("", TEXT), {**TEXT, "minLength": 2}),
    (A_ONLY, {**A_ONLY, "required": ["a"]}),
    ({**OBJECT, "required": ["a"], "maxProperties": 2}, A_ONLY),
    (NESTED, {"const": {"a": [1, {"b": 0}]}}),
    ({**LIST, "items": {"type": "null"}, "maxItems": 2}, {"enum": [[], [None]]}),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_said_in_other_words_is_the_same(one: Any, other: Any) -> None:
    for old, new in ((one, other), (other, one)):
        assert compared(Validator(old), Validator(new)).verdict == "same"


@pytest.mark.parametrize(("narrow", "wide"), WIDER)
def test_what_follows_is_a_widening(narrow: Any, wide: Any) -> None:
    old, new = Validator(narrow), Validator(wide)
    assert compared(old, new).verdict == "widening"
    assert compared(new, old).verdict == "breaking"


@pytest.mark.parametrize(("before", "after"), BREAKING)
def test_what_does_not_follow_breaks(before: Any, after: Any) -> None:
    old, new = Validator(before), Validator(after)
    comparison = compared(old, new)
    assert comparison.verdict == "breaking"
    for change in comparison:
        if change.witness is not None:
            assert old.is_valid(change.witness.data)
            assert not new.is_valid(change.witness.data)


def test_what_no_double_tells_apart_is_not_tightened() -> None:
    """The next multiple is no double of its own, so the bound stays what it was."""
    schema = {**NUMBER, "multipleOf": 1e-20, "exclusiveMinimum": 1}
    wider = {**NUMBER, "exclusiveMinimum": 1}
    assert compared(Validator(schema), Validator(wider)).verdict == "widening"
    large = {**NUMBER, "multipleOf": 1.5, "exclusiveMinimum": 1e300}
    assert compared(Validator(large), Validator({**large, "minimum": 1e300})).harmless


MESSAGES: list[tuple[Any, Any, str]] = [
    (
        {"format": "date-time"},
        {"anyOf": [{"format": "date-time"}, {"format": "date"}]},
        'the format was "date-time", and an alternative now has the format "date"',
    ),
    (
        {"anyOf": [{"format": "date-time"}, {"format": "date"}]},
        {"format": "date-time"},
        'an alternative had the format "date", and the format is now "date-time"',
    ),
    (
        {**NUMBER, "minimum": 5},
        {**NUMBER, "anyOf": [{"minimum": 5}, {"maximum": 0}]},
        "the minimum was 5, and an alternative now has none",
    ),
    (
        {**NUMBER, "anyOf": [{"minimum": 5}, {"maximum": 0}]},
        {**NUMBER, "minimum": 5},
        "an alternative had no minimum, and it is now 5",
    ),
    (
        {"anyOf": [{**TEXT, "maxLength": 5}, {"type": "null"}]},
        {"anyOf": [{**TEXT, "maxLength": 3}, {"type": "null"}]},
        "the maxLength was 5 and is 3",
    ),
    (LIST, {"const": [1, 2]}, "values were not listed, and are now limited to [1, 2]"),
    ({"enum": [1, 2]}, {}, "values were limited to 1, 2, and others are now allowed"),
    ({"const": None}, {}, "values were limited to null, and others are now allowed"),
]


@pytest.mark.parametrize(("before", "after", "message"), MESSAGES)
def test_a_sentence_is_true_of_all_alternatives(before: Any, after: Any, message: str) -> None:
    comparison = compared(Validator(before), Validator(after))
    assert [change.message for change in comparison] == [message]
