"""Findings that are put into words when these are read."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import widgetschema
from tests.unit.validation.test_offered import NUMBER
from widgetschema import Validator
from widgetschema.findings import Finding
from widgetschema.validation.explain.deferred import DeferredFinding, with_proposed_fix


def deferred(schema: Any, value: Any) -> list[DeferredFinding]:
    report = Validator(schema).check_plain(value)
    assert all(isinstance(one, DeferredFinding) for one in report)
    return [one for one in report if isinstance(one, DeferredFinding)]


def test_they_are_those_of_a_check() -> None:
    validator = widgetschema.widget_type("countdown").validator
    for case in widgetschema.widget_type("countdown").near_misses():
        found = validator.check_plain(case.data).findings
        every = validator.check(case.data).findings
        assert found == every
        assert every == found
        assert [one.indices for one in found] == [one.indices for one in every]
        assert [hash(one) for one in found] == [hash(one) for one in every]


def test_nothing_is_tried_before_a_fix_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []

    def trying(text: bytes, check: Any) -> dict[Any, Any]:
        tried.append(text)
        return {}

    monkeypatch.setattr("widgetschema.validation.explain.walk.effective_fixes", trying)
    [finding] = deferred(NUMBER, {"a": "3"})
    assert finding.with_hint("x").message
    assert tried == []
    assert finding.with_hint("x").fix is None
    assert tried == [b'{"a":"3"}']


def test_words_are_made_when_they_are_read() -> None:
    value = {"a": ["x"]}
    [finding] = deferred({"properties": {"a": {"items": {"type": "integer"}}}}, value)
    assert (finding.keyword, finding.path, finding.pattern) == ("type", "/a/0", "/a/*")
    assert (finding.line, finding.column) == (None, None)
    value["a"] = ["changed"]
    assert finding.message == '"x" is a string, but must be an integer'
    with pytest.raises(AttributeError, match="sentence"):
        _ = finding.sentence
    with pytest.raises(FrozenInstanceError):
        finding.line = 3  # type: ignore[misc]


def test_words_alone_are_those_of_the_finding() -> None:
    countdown = widgetschema.widget_type("countdown")
    for case in countdown.near_misses():
        found = countdown.validator.check_plain(case.data).findings
        every = countdown.validator.check(case.data).findings
        words = [(one.message, one.hint) for one in found]
        assert words == [(one.message, one.hint) for one in every]
        general = [one.general for one in found if isinstance(one, DeferredFinding)]
        for one, (message, shown) in zip(found, general, strict=True):
            if shown is None and isinstance(one, DeferredFinding) and one.is_general:
                assert one.message == message
    [finding] = deferred({"type": "integer"}, "5")
    assert finding.with_hint("ask").message == finding.message
    assert finding.with_hint("ask").hint == "ask"


def test_copies_keep_what_is_counted_by() -> None:
    [finding] = deferred({"type": "integer"}, "5")
    there = finding.with_position(3, 7)
    assert (there.line, there.column, there.pattern) == (3, 7, "")
    hinted = there.with_hint("ask")
    assert (hinted.line, hinted.hint, hinted.message) == (3, "ask", finding.message)
    moved = hinted.with_position(4, 8)
    assert (moved.line, moved.hint, moved.general) == (4, "ask", finding.general)
    assert finding.hint not in (None, "ask")
    assert moved.proposed.hint == with_proposed_fix(moved).hint == "ask"
    for one in (copy.copy(moved), pickle.loads(pickle.dumps(moved))):
        assert type(one) is Finding
        assert one == moved


WHEN = {"if": {"type": "string"}, "then": {"minLength": 4}}


@pytest.mark.parametrize(
    ("schema", "values", "general"),
    [
        ({"type": "string"}, [1, 2.5], "the value is a number, but must be a string"),
        ({"type": "string"}, [None], "the value is not allowed here: the value must be a string"),
        ({"enum": ["a", "b"]}, ["c", 5, []], 'the value is not one of the allowed values: "a", "b"'),
        ({"maximum": 5}, [6, 7], "the value is more than the maximum, 5"),
        ({"pattern": "^a/1 *$"}, ["b", "c"], "the value does not match the pattern ^a/1 *$"),
        ({"not": {"type": "string"}}, ["a", "b"], "the value must not be a string"),
        ({"anyOf": [{"type": "string"}, {"const": 5}]}, [1, 2],
         "the value is not allowed: the value must be a string, or 5"),
        ({"contentMediaType": "application/json"}, ["{", "["],
         "the value is not valid application/json"),
        ({"uniqueItems": True}, [[1, 1], [2, 3, 3]], "the value is a duplicate"),
        ({"format": "regex"}, ["[a", "a{2,1}"], "the value is not an ECMA 262 regular expression"),
    ],
)  # fmt: skip
def test_the_general_message_of_what_shows_the_value(
    schema: Any, values: list[Any], general: str
) -> None:
    for value in values:
        [finding] = deferred(schema, value)
        said, shown = finding.general
        assert said == general
        assert shown is not None
        assert finding.message.startswith(f"{shown} ")


@pytest.mark.parametrize(
    ("schema", "values", "general"),
    [
        ({"minLength": 4}, ["", "abc"], "the value must have at least 4 characters"),
        ({"maxItems": 1}, [[1, 2], [1, 2, 3]], "the value must have at most 1 item"),
        (WHEN, ["", "abc"], "the value must have at least 4 characters (when the value is a string)"),
        ({"items": [True], "additionalItems": False}, [[1, 2], [1, 2, 3]],
         "the array must have at most 1 item"),
        ({"contains": {"type": "string"}}, [[1], [1, 2]], "at least one item must be a string"),
        ({"contains": {"minProperties": 1, "anyOf": [True]}}, [[{}], [{}, {}]],
         "at least one item must match `contains`"),
        ({"contains": {"type": "string"}}, [[]],
         "the array is empty, but at least one item must be a string"),
        ({"required": ["a/1 b"]}, [{}, {"c": 1}], 'the property "a/1 b" is missing'),
        ({"items": {"if": {"type": "array"}, "then": {"items": {"required": ["a"]}}}},
         [[[{}]], [[], [{"b": 1}]]],
         'the property "a" is missing (the condition `if` of /* holds)'),
    ],
)  # fmt: skip
def test_the_general_message_of_what_does_not_show_it(
    schema: Any, values: list[Any], general: str
) -> None:
    for value in values:
        [finding] = deferred(schema, value)
        assert finding.general == (general, None)
        assert not finding.is_general or finding.message == general
        assert finding.is_general or finding.keyword != "required" or finding.violation.because


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_data_may_change_before_findings_are_read(engine: str) -> None:
    schema = {"properties": {"a": {"required": ["title"]}, "b": {"maxItems": 1}}}
    data: dict[str, Any] = {"a": {"titel": 1}, "b": [1, 2]}
    validator = Validator(schema, engine=engine)
    unread: list[Iterable[Finding]] = [validator.check(data), [*validator.iter_findings(data)]]
    read = [one.as_dict() for one in validator.check(data)]
    assert [one["hint"] is None for one in read] == [False, True]
    data["a"].clear()
    data["b"].clear()
    for findings in unread:
        assert [one.as_dict() for one in findings] == read
