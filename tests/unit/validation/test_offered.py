"""Findings whose fix is tried out when it is read: wherever it is read, it is one."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from widgetschema import Validator, WidgetType
from widgetschema.findings import Finding, Fix, Report

NUMBER = {"properties": {"a": {"type": "integer"}}, "additionalProperties": False}
THREE = Fix("value", "3")
NAME = Fix("name", '"title"', "unsafe")
TITLE: dict[str, Any] = {"properties": {"title": {}}, "additionalProperties": False}
CASES = [
    pytest.param(NUMBER, {"a": "3"}, [THREE], id="fine"),
    pytest.param(NUMBER, {"a": "3", "zzz": 1}, [THREE, None], id="beside-another-finding"),
    pytest.param({"uniqueItems": True, "items": {"type": "integer"}}, ["3", 3], [None], id="unique"),
    pytest.param({**NUMBER, "not": {"enum": [{"a": 3}]}}, {"a": "3"}, [None], id="not"),
    pytest.param(
        {**NUMBER, "if": {"properties": {"a": {"const": 3}}}, "then": {"required": ["b"]}},
        {"a": "3"},
        [None],
        id="if",
    ),
    pytest.param(
        {**NUMBER, "oneOf": [{"properties": {"a": {"type": "string"}}}, {"required": ["b"]}]},
        {"a": "3"},
        [None],
        id="oneOf",
    ),
    pytest.param({"items": {"type": "integer"}, "contains": {"const": "3"}}, ["3"], [None], id="contains"),
    pytest.param({"items": {"format": "date"}}, [" 2026-01-31"], [Fix("value", '"2026-01-31"')], id="space"),
    pytest.param(TITLE, {"titel": 1}, [NAME], id="name"),
    pytest.param({**TITLE, "dependencies": {"title": ["x"]}}, {"titel": 1}, [None], id="dependency"),
    pytest.param({**TITLE, "properties": {"title": {"type": "null"}}}, {"titel": 1}, [None], id="value"),
    pytest.param(
        {**TITLE, "properties": {"title": {"type": "integer"}}}, {"titel": "3"}, [NAME], id="two-steps"
    ),
    pytest.param({**TITLE, "maxProperties": 1}, {"titel": 1, "tilte": 1}, [None, None, None], id="twice"),
    pytest.param(
        {"properties": {"n": {"$ref": "#"}, "a": {"type": "integer"}}, "not": {"required": ["zz"]}},
        {"n": {"n": {"a": "3"}}},
        [THREE],
        id="recursive",
    ),
    pytest.param({"additionalProperties": {"enum": [10**30]}}, {"é/~": str(10**30)}, [None], id="huge"),
    pytest.param({"additionalProperties": {"type": "integer"}}, {"é/~ ": "3"}, [THREE], id="odd-name"),
]  # fmt: skip


def data_type(schema: Any) -> WidgetType:
    return WidgetType.from_data_schema(schema)


def document_type(schema: Any) -> WidgetType:
    document = {"properties": {"data": {"$ref": "inner"}}}
    return WidgetType.from_schema(document, resources={"inner": schema}, describes="document")


WAYS: list[Callable[[Any, Any], Sequence[Finding]]] = [
    lambda schema, data: data_type(schema).check(data).findings,
    lambda schema, data: data_type(schema).check_json(json.dumps(data)).findings,
    lambda schema, data: data_type(schema).check_json(json.dumps(data), max_findings=9).findings,
    lambda schema, data: document_type(schema).check_document({"data": data}).findings,
    lambda schema, data: (
        document_type(schema).check_document_json(json.dumps({"data": data}, indent=1)).findings
    ),
    lambda schema, data: [*Validator(schema).iter_findings(data)],
    lambda schema, data: Validator(schema).check_plain(data).findings,
    lambda schema, data: Validator(schema, engine="python").check(data).findings,
    lambda schema, data: data_type(schema).form(data).report.findings,
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("schema", "data", "expected"), CASES)
def test_what_does_not_help_is_no_fix(
    schema: Any, data: Any, expected: list[Fix | None], way: Callable[[Any, Any], Sequence[Finding]]
) -> None:
    assert [one.fix for one in way(schema, data)] == expected


def test_nothing_is_tried_before_a_fix_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []

    def trying(text: bytes, check: Any) -> dict[Any, Any]:
        tried.append(text)
        return {}

    monkeypatch.setattr("widgetschema.validation.explain.walk.effective_fixes", trying)
    report = data_type(NUMBER).check_json('{"a": "3", "b": "4"}')
    assert [one.with_hint("x").with_position(1, 2).line for one in report] == [1, 1]
    assert str(report)
    assert tried == []

    assert [one.fix for one in report] == [None, None]
    assert tried == [b'{"a":"3","b":"4"}']


def test_the_fixes_of_many_findings_are_tried_at_once() -> None:
    validator = Validator({"items": {"type": "integer"}})
    report = validator.check(["1"] * 200)
    assert {one.fix for one in report} == {Fix("value", "1")}
    too_many = validator.check(["1"] * 10_001)
    assert too_many.findings[0].fix is None


def test_data_may_change_before_the_fix_is_read() -> None:
    data: dict[str, Any] = {"a": "3"}
    [finding] = data_type(NUMBER).check(data)
    data.clear()
    assert finding.fix == THREE


def test_copies_have_the_fix() -> None:
    def found() -> Finding:
        [finding] = data_type(NUMBER).check({"a": "3"})
        return finding

    for one in (copy.copy(found()), pickle.loads(pickle.dumps(found()))):
        assert type(one) is Finding
        assert one == found()
        assert hash(one) == hash(found())
        assert one.fix == found().with_hint("x").fix == found().with_position(1, 2).fix == THREE
    moved = found().with_path("/b", ())
    assert (moved.path, moved.fix) == ("/b", THREE)
    assert found().as_dict()["fix"] == THREE.as_dict()
    with pytest.raises(AttributeError, match="other"):
        _ = found().other  # type: ignore[attr-defined]


def test_values_that_python_alone_has() -> None:
    report = data_type(NUMBER).check({"a": "3", "b": (1, 2)})
    assert [one.fix for one in report] == [THREE, None]
    report = data_type(NUMBER).check({"a": "3", "b": float("nan")})
    assert {one.path: one.fix for one in report}["/a"] == THREE
    assert Report(report.findings).findings == report.findings
