"""Hostile schemas and payloads are normal input: an answer or a clear error, never a crash."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from widgetschema import ReferenceLoop, Validator, WidgetSchemaError
from widgetschema.schema.linking import MAX_CHAIN

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
        f"d{index}": {"allOf": [{"$ref": f"#/definitions/d{index + 1}"}] * 2} for index in range(12)
    }
    definitions["d12"] = {"type": "integer"}
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


def test_many_mistakes() -> None:
    validator = Validator(
        {"items": {"properties": {"a": {"type": "string"}}, "additionalProperties": False}}
    )
    report = validator.check([{"a": 1}] * 5_000)
    assert len(str(report).splitlines()) > len(report) == 5_000
    unknown = {f"member {number}": number for number in range(10_000)}
    report = validator.check([unknown])
    assert [f.path for f in report] == [f"/0/{name}" for name in unknown]
    assert len(str(report).splitlines()) > len(report)


def test_unknown_keywords_and_other_drafts_are_ignored() -> None:
    schema = {
        "$defs": {"a": {"$id": "nonsense", "$ref": "nowhere"}},
        "unevaluatedProperties": False,
        "minContains": 5,
        "x": {"$ref": "nowhere"},
    }
    assert Validator(schema).is_valid({"a": 1})


KINDS = ["row", "column", "card", "grid", "tabs"]
BLOCK = {
    "$ref": "#/definitions/block",
    "definitions": {
        "block": {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "text"}, "text": {"type": "string"}},
                    "required": ["kind", "text"],
                },
                *(
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"const": kind},
                            "children": {"type": "array", "items": {"$ref": "#/definitions/block"}},
                        },
                        "required": ["kind", "children"],
                    }
                    for kind in KINDS
                ),
            ]
        }
    },
}


def blocks(depth: int, width: int) -> Any:
    if depth == 0:
        return {"kind": "text", "text": 3}
    return {"kind": "row", "children": [blocks(depth - 1, width) for _ in range(width)]}


@pytest.mark.parametrize(("depth", "width"), [(6, 3), (60, 1)])
def test_recursive_alternatives_cost_no_more_than_the_data(depth: int, width: int) -> None:
    """Five containers that may hold each other: 5 ** 60 ways for the last one."""
    report = Validator(BLOCK).check(blocks(depth, width))
    assert len(str(report).splitlines()) > len(report) == width**depth
    assert {finding.keyword for finding in report} == {"type"}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_doubled_references_cost_no_more_than_single_ones(keyword: str) -> None:
    definitions: dict[str, Any] = {
        f"d{index}": {keyword: [{"$ref": f"#/definitions/d{index + 1}"}] * 2} for index in range(12)
    }
    definitions["d12"] = {"type": "integer"}
    validator = Validator({"$ref": "#/definitions/d0", "definitions": definitions})
    [finding] = validator.check("x")
    assert finding.message


def test_guessing_what_was_meant_never_takes_longer_than_finding() -> None:
    schema = {
        "properties": {f"member{index}x": {} for index in range(3_000)},
        "additionalProperties": False,
    }
    report = Validator(schema).check({f"mmeber{index}x": 1 for index in range(300)})
    assert len(str(report).splitlines()) > len(report) == 300


def test_an_instance_that_shares_its_parts_is_reported_in_every_place() -> None:
    part = {"a": 1}
    schema = {"additionalProperties": {"anyOf": [{"properties": {"a": {"type": "string"}}}]}}
    report = Validator(schema).check({"x": part, "y": part})
    assert [finding.path for finding in report] == ["/x/a", "/y/a"]


def test_a_deep_stack_is_no_traceback() -> None:
    schema = {
        "anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"$ref": "#"}}]
    }
    validator = Validator(schema)

    def at(frames: int) -> Any:
        return at(frames - 1) if frames else validator.check(nested(190))

    assert not at(600).valid


def test_what_json_cannot_carry_does_not_hide_the_rest() -> None:
    schema = {"properties": {"a": {"type": "number"}, "b": {"type": "string"}}}
    report = Validator(schema).check({"a": float("nan"), "b": 5})
    assert [(f.keyword, f.path) for f in report] == [("json.number", "/a"), ("type", "/b")]
