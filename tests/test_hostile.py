"""Hostile schemas and payloads are normal input: an answer or a clear error, never a crash."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from widgetschema import ReferenceLoop, Validator, WidgetSchemaError
from widgetschema.resolver import MAX_CHAIN

RECURSIVE = {"additionalProperties": {"$ref": "#"}, "items": {"$ref": "#"}}


def nested(levels: int, kind: str = "dict") -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if kind == "dict" else [value]
    return value


@pytest.mark.parametrize("kind", ["dict", "list"])
@pytest.mark.parametrize("levels", [201, 254, 255, 1_000, 50_000, 200_000])
def test_deep_python_values_are_a_finding(levels: int, kind: str) -> None:
    validator = Validator(RECURSIVE)
    value = nested(levels, kind)

    assert not validator.is_valid(value)
    [finding] = validator.check(value)
    assert finding.keyword == "json.depth"
    # what is nested this deep must not be freed by recursion either
    while isinstance(value, (dict, list)):
        value = value["a"] if isinstance(value, dict) else value[0]


def test_the_longest_chain_at_the_greatest_depth_fits_the_stack() -> None:
    links = MAX_CHAIN // 2 - 2
    definitions: dict[str, Any] = {
        f"d{index}": {"allOf": [{"$ref": f"#/definitions/d{index + 1}"}]} for index in range(links)
    }
    definitions[f"d{links}"] = {
        "type": ["object", "string"],
        "additionalProperties": {"$ref": "#/definitions/d0"},
    }
    validator = Validator({"$ref": "#/definitions/d0", "definitions": definitions})
    results: list[Any] = []

    def check() -> None:  # in a thread, whose stack is smaller than that of the process
        results.append(validator.check(nested(200)))

    thread = threading.Thread(target=check)
    thread.start()
    thread.join()
    [report] = results
    assert [finding.keyword for finding in report] == ["type"]


def test_alternatives_within_alternatives_down_to_the_greatest_depth() -> None:
    schema = {
        "anyOf": [
            {"type": "string"},
            {"type": "object", "additionalProperties": {"$ref": "#"}},
        ]
    }
    report = Validator(schema).check(nested(200))
    assert not report.valid
    assert {finding.path for finding in report} == {"/a" * 200}


def test_a_loop_of_references_is_an_error() -> None:
    for schema in (
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"definitions": {"a": {"not": {"$ref": "#/definitions/a"}}}},
    ):
        with pytest.raises(ReferenceLoop):
            Validator(schema)


def test_branches_that_double_at_each_level_end() -> None:
    definitions: dict[str, Any] = {
        f"d{index}": {"allOf": [{"$ref": f"#/definitions/d{index + 1}"}] * 2} for index in range(14)
    }
    definitions["d14"] = {"type": "integer"}
    validator = Validator({"$ref": "#/definitions/d0", "definitions": definitions})
    assert validator.is_valid(1)
    assert [finding.keyword for finding in validator.check("x")] == ["type"]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:9/schema.json"},
        {"$ref": "file:///etc/hostname"},
        {"$schema": "http://127.0.0.1:9/dialect"},
        {"$ref": "//example.com/x"},
        {"$ref": "http://[::1"},
        {"$id": "http://[::1", "allOf": [{"$ref": "x"}]},
        {"$ref": "#/%ff"},
        {"$ref": "#/definitions/" + "a" * 100_000},
        {"properties": 5},
        {"type": "strin"},
        {"required": "a"},
        {"definitions": 5, "allOf": [{"$ref": "plugin"}]},
        {"items": {"$ref": 5}},
        {"minimum": "x"},
        {"$ref": "#/x", "x": {"pattern": 12}},
        {"$ref": "#/x", "x": {"properties": 12}},
        {"$ref": "#/x", "x": {"y": {"required": 12}, "$ref": "#/x/y"}},
    ],
    ids=lambda schema: repr(schema)[:50],
)
def test_bad_schemas_are_clear_errors(schema: Any) -> None:
    with pytest.raises(WidgetSchemaError) as caught:
        Validator(schema)
    assert len(str(caught.value)) > 20
    assert "Traceback" not in str(caught.value)


def test_a_hundred_thousand_mistakes() -> None:
    validator = Validator(
        {"items": {"properties": {"a": {"type": "string"}}, "additionalProperties": False}}
    )
    assert len(validator.check([{"a": 1}] * 50_000)) == 50_000
    unknown = {f"member {number}": number for number in range(100_000)}
    report = validator.check([unknown])
    assert [f.path for f in report] == [f"/0/{name}" for name in unknown]


def test_unknown_keywords_and_other_drafts_are_ignored() -> None:
    schema = {
        "$defs": {"a": {"$id": "nonsense", "$ref": "nowhere"}},
        "unevaluatedProperties": False,
        "minContains": 5,
        "x": {"$ref": "nowhere"},
    }
    assert Validator(schema).is_valid({"a": 1})
