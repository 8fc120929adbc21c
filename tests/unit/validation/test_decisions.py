"""Subschemas that the engine decides: the findings are those of a walk that does not ask it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.effort import calls
from tests.soundness import instance_of, whole_schema
from widgetschema import ReferenceLoop, Report
from widgetschema.jsontext.values import accepts_none
from widgetschema.validation import Validator
from widgetschema.validation.explain import walk

LIST = {
    "items": {"properties": {"a": {"minLength": 2}, "b": {"anyOf": [{"minimum": 2}, {"maximum": 0}]}}},
    "contains": {"required": ["a"]},
}  # fmt: skip


def asked(validator: Validator, instance: Any) -> Report:
    """Check an instance so often that the engine decides about what is in it."""
    for _ in range(len(validator.linked.at) + 1):
        validator.check(instance)
    return validator.check(instance)


def test_a_walk_comes_only_to_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = {"a": "long", "b": 5}, {"a": "s", "b": 5}
    instance = {"x": [right] * 100, "y": [right, wrong, right], "z": [wrong]}
    alone, helped = (
        Validator({"additionalProperties": LIST}),
        Validator({"additionalProperties": LIST}),
    )
    with monkeypatch.context() as patch:
        patch.setattr(walk, "_MOST_COMPILED", 0)
        before = asked(alone, instance)
    assert [one.path for one in before] == ["/y/1/a", "/z/0/a"]
    assert asked(helped, instance) == before
    assert 3 * calls(lambda: helped.check(instance)) < calls(lambda: alone.check(instance))


@pytest.mark.parametrize("engine", ["rust", "python"])
def test_few_subschemas_are_compiled(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    members = {f"m{number}": {"properties": {"a": {"minimum": 2}}} for number in range(9)}
    validator = Validator({"properties": members}, engine=engine)
    compiled: list[str] = []
    decision = walk.Explainer.decision

    def counting(self: walk.Explainer, pointer: str) -> Any:
        decide = decision(self, pointer)
        if decide is not accepts_none:
            compiled.append(pointer)
        return decide

    monkeypatch.setattr(walk.Explainer, "decision", counting)
    monkeypatch.setattr(walk, "_MOST_COMPILED", 5 * len(validator.linked.at))
    instance = {name: {"a": 1} for name in members}
    assert len(asked(validator, instance)) == 9
    assert len(compiled) == (5 if engine == "rust" else 0)


@given(st.integers(0, 2**32))
def test_what_the_engine_decides_changes_no_report(seed: int) -> None:
    rnd = random.Random(seed)
    schema = whole_schema(rnd)
    try:
        validator = Validator(schema)
    except ReferenceLoop:
        return
    instances = [instance_of(rnd, schema, schema) for _ in range(20)]
    for instance in [one for one in instances if not validator.is_valid(one)][:5]:
        asked(validator, instance)
    for instance in instances:
        for most in (None, 1):
            report = validator.check(instance, max_findings=most)
            expected = Validator(schema).check(instance, max_findings=most)
            assert report.as_dict() == expected.as_dict()
