"""Findings under conditions claim only what the data shows, and one missing member is one mistake."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema import Validator


def when(name: str, value: Any, then: Any, **more: Any) -> dict[str, Any]:
    """Return a schema that asks something of objects in which a member has a value."""
    return {"if": {"properties": {name: {"const": value}}, **more}, "then": then}


URL = {"required": ["url"]}
SRC = {"required": ["src"]}
CLOSED = {"properties": {"type": {}, "src": {}}, "additionalProperties": False}

# schema, instance, the findings as (path, message)
ROWS: list[tuple[str, Any, Any, list[tuple[str, str]]]] = [
    (
        "the member is there",
        when("type", "video", URL),
        {"type": "video"},
        [("", 'the member "url" is missing (when "type" is "video")')],
    ),
    (
        "the member is missing",
        when("type", "video", URL),
        {"title": "x"},
        [("", 'the member "url" is missing (when "type" is missing or "video")')],
    ),
    (
        "one of two members is missing",
        {
            "if": {"properties": {"type": {"const": "b"}, "hd": {"minimum": 2}}},
            "then": {"required": ["a"]},
        },
        {"type": "b"},
        [
            (
                "",
                'the member "a" is missing (when "type" is "b" and "hd" is missing or at least 2)',
            )
        ],
    ),
    (
        "the member is missing, and required",
        {"required": ["type"], "allOf": [when("type", "video", URL), when("type", "image", SRC)]},
        {"title": "x"},
        [("", 'the member "type" is missing')],
    ),
    (
        "what is required inside the value follows from the missing member, too",
        {
            "required": ["type"],
            **when("type", "video", {"properties": {"url": {"type": "string"}}}),
        },
        {"url": 5},
        [("", 'the member "type" is missing')],
    ),
    (
        "else follows from the missing member, if the condition requires it",
        {
            "required": ["type"],
            "if": {"properties": {"type": {"const": "a"}}, "required": ["type"]},
            "then": URL,
            "else": SRC,
        },
        {},
        [("", 'the member "type" is missing')],
    ),
    (
        "else does not follow, if another member decides against the condition",
        {
            "required": ["type"],
            "if": {"properties": {"a": {"const": 1}}, "required": ["type"]},
            "else": SRC,
        },
        {"a": 2},
        [
            ("", 'the member "type" is missing'),
            ("", 'the member "src" is missing (unless "a" is 1 and "type" is present)'),
        ],
    ),
    (
        "the member is misspelled",
        {
            "properties": {"type": {}, "title": {}},
            "additionalProperties": False,
            "required": ["type"],
            "allOf": [when("type", "video", URL), when("type", "image", SRC)],
        },
        {"tpye": "video"},
        [("/tpye", 'unknown member "tpye"')],
    ),
    (
        "the member is missing, and would decide",
        {"allOf": [when("type", 1, URL), when("type", 2, {**SRC, **CLOSED})]},
        {"title": "x"},
        [
            (
                "",
                'the member "type" is missing, so the rules for each of its values apply: 1, 2',
            )
        ],
    ),
    (
        "both conditions require the same",
        {"allOf": [when("type", "video", URL), when("type", "image", URL)]},
        {},
        [("", 'the member "url" is missing (when "type" is missing or "video")')],
    ),
    (
        "conditions that do not exclude each other",
        {
            "allOf": [
                when("type", "a", URL),
                {"if": {"properties": {"type": {"enum": ["a", "b"]}}}, "then": SRC},
            ]
        },
        {},
        [
            ("", 'the member "url" is missing (when "type" is missing or "a")'),
            ("", 'the member "src" is missing (when "type" is missing or "a" or "b")'),
        ],
    ),
    (
        "a condition about absence is decided",
        {"required": ["type"], "if": {"not": {"required": ["type"]}}, "then": URL},
        {},
        [
            ("", 'the member "type" is missing'),
            ("", 'the member "url" is missing (the condition `if` holds)'),
        ],
    ),
    (
        "a condition that asks nothing of a value of this type",
        when("type", "video", {"type": "object"}),
        5,
        [("", "5 is a number, but must be an object (the condition `if` holds)")],
    ),
    (
        "a condition that asks nothing of a member of this type",
        {"if": {"properties": {"type": {"pattern": "^v"}}}, "then": URL},
        {"type": 5},
        [("", 'the member "url" is missing (the condition `if` holds)')],
    ),
    (
        "a missing member of a member",
        {
            "if": {"properties": {"a": {"properties": {"b": {"const": 1}}}}},
            "then": URL,
        },
        {"a": {}},
        [("", 'the member "url" is missing (the condition `if` holds)')],
    ),
    (
        "a condition inside an undecided one",
        {
            "required": ["type"],
            **when("type", "video", when("hd", True, URL)),
        },
        {"hd": True},
        [("", 'the member "type" is missing')],
    ),
    (
        "required anyhow",
        {"required": ["url"], **when("type", "video", URL)},
        {"type": "video"},
        [("", 'the member "url" is missing')],
    ),
    (
        "required anyhow, said later",
        {"allOf": [when("type", "video", URL), URL]},
        {"type": "video"},
        [("", 'the member "url" is missing')],
    ),
    (
        "required under two conditions",
        {"allOf": [when("type", "video", URL), when("hd", True, URL)]},
        {"type": "video", "hd": True},
        [("", 'the member "url" is missing (when "type" is "video")')],
    ),
    (
        "the name and the value of a member are both wrong",
        {"propertyNames": {"const": "a"}, "additionalProperties": {"type": "string"}},
        {"abc": 1},
        [
            ("/abc", 'the member name "abc" is not allowed: "abc" is not allowed: the value must be "a"'),
            ("/abc", "1 is a number, but must be a string"),
        ],
    ),
    (
        "an unknown member with a value of the wrong type",
        {"additionalProperties": False, "allOf": [{"properties": {"a": {"type": "string"}}}]},
        {"a": 1},
        [("/a", 'unknown member "a"'), ("/a", "1 is a number, but must be a string")],
    ),
]  # fmt: skip


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    [row[1:] for row in ROWS],
    ids=[row[0] for row in ROWS],
)
def test_conditions(
    schema: Any, instance: Any, expected: list[tuple[str, str]], engine: str
) -> None:
    report = Validator(schema, engine=engine).check(instance)
    assert {(f.path, f.message) for f in report} == {*expected}
    assert len(report.findings) == len(expected)


def test_a_hundred_conditions_about_a_missing_member_are_one_finding() -> None:
    schema = {
        "items": {
            "allOf": [when("type", f"t{one}", {"required": [f"m{one}"]}) for one in range(100)]
        }
    }
    report = Validator(schema).check([{}, {"type": "t7"}])
    assert [(f.keyword, f.path, f.schema_path, f.expected) for f in report] == [
        ("if", "/0", "/items/allOf/0/if", "type"),
        ("required", "/1", "/items/allOf/7/then/required", "m7"),
    ]
