"""Outlines: what a schema allows, within a size, and where to ask for more."""

from __future__ import annotations

from typing import Any

import pytest

import widgetschema
from widgetschema.mcp.outline import ToolFailure, outline
from widgetschema.schema.tree import Node

COUNTDOWN = widgetschema.widget_type("countdown").schema_tree.root


def root_of(schema: Any) -> Node:
    return widgetschema.WidgetType.from_data_schema(schema, id="x").schema_tree.root


def test_the_parts_are_in_the_words_of_the_schema() -> None:
    schema = {
        "type": "object",
        "required": ["size"],
        "additionalProperties": False,
        "properties": {
            "size": {"enum": ["small", "big"], "default": "small", "title": "Size"},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "description": "How\nmany"},
            "pair": {"type": "array", "items": [{"type": "string"}, {"type": "null"}]},
            "tags": {"type": "array", "items": {"type": "string", "minLength": 2}},
        },
        "patternProperties": {"^x-": {"type": "number"}},
    }

    assert outline(root_of(schema)).text.splitlines() == [
        "data: object, no other properties",
        '  size: string, required, one of "small", "big", default "small", “Size”',
        "  count: integer, maximum 9, minimum 1, “How many”",
        "  pair: array",
        "    item 0: string",
        "    item 1: null",
        "  tags: array",
        "    each item: string, minLength 2",
        "  properties whose name matches ^x-: number",
    ]


@pytest.mark.parametrize(
    ("schema", "others"),
    [
        ({"additionalProperties": {"type": "null"}}, ["other properties: null"]),
        (
            {"patternProperties": {"^x": True}},
            ["properties whose name matches ^x: any value", "other properties: any value"],
        ),
        (
            {"patternProperties": {"^x": True}, "additionalProperties": False},
            ["properties whose name matches ^x: any value"],
        ),
        ({"properties": {"a": {"type": "null"}}}, ["a: null"]),
    ],
)
def test_other_members_are_described_where_something_is_said_of_them(
    schema: dict[str, Any], others: list[str]
) -> None:
    lines = outline(root_of({"type": "object", **schema})).text.splitlines()[1:]
    assert [line.strip() for line in lines] == others


def test_what_does_not_fit_has_a_place_to_ask_for() -> None:
    text = {"type": "string", "title": "words " * 30}
    lists: dict[str, dict[str, Any]] = {
        "pair": {"items": [text]},
        "tags": {"items": text},
        "any": {},
    }
    schema = {"properties": {n: {"type": "array", **one} for n, one in lists.items()}}

    assert outline(root_of({"type": "object", **schema}), max_chars=120).text.splitlines() == [
        "data: object",
        "  pair: array, more at /pair",
        "  tags: array, more at /tags",
        "  any: array",
    ]


@pytest.mark.parametrize(("count", "more"), [(30, []), (31, ["and 1 more"])])
def test_very_many_alternatives_are_counted(count: int, more: list[str]) -> None:
    found = outline(root_of({"oneOf": [{"const": number} for number in range(count)]}))
    lines = found.text.splitlines()
    assert lines[1] == f"  one of {count} alternatives:"
    assert [line.strip() for line in lines[32:]] == more
    assert found.complete is not bool(more)


def test_members_by_a_pattern_have_a_place() -> None:
    uses = {"type": "string", "title": "words " * 30}
    steps = {"type": "object", "properties": {"uses": uses}}
    jobs = {
        "patternProperties": {"^a/b": steps, "^c": {"type": "null"}},
        "additionalProperties": False,
    }
    root = root_of({"type": "object", "properties": {"jobs": {"anyOf": [jobs, {"type": "null"}]}}})

    short = outline(root_of(jobs), max_chars=200).text
    assert "  properties whose name matches ^a/b: object, more at /^a~1b" in short.splitlines()
    assert outline(root, "/jobs/^a~1b").text.startswith("^a~1b: object\n  uses: string")
    assert outline(root, "/jobs/a~1bc/uses").text.startswith("uses: string")
    with pytest.raises(ToolFailure, match=r'has no "\*"; it has \^a/b, \^c'):
        outline(root_of({"type": "object", **jobs}), "/*")


def test_alternatives_and_conditions_are_told_apart() -> None:
    schema = {
        "oneOf": [{"type": "string"}, {"type": "object", "required": ["a"]}],
        "if": {"required": ["video"]},
        "then": {"required": ["url"], "properties": {"url": {"type": "string"}}},
        "dependencies": {"b": {"properties": {"c": {"const": 1}}}},
    }

    assert outline(root_of(schema)).text.splitlines() == [
        "data: any value",
        "  one of 2 alternatives:",
        "    alternative 1: string",
        "    alternative 2: object, required properties: a",
        '  if {"required": ["video"]} holds: any value',
        "    url: string, required",
        '  with the property "b": any value',
        "    c: number, always 1",
    ]


def test_a_long_condition_is_cut() -> None:
    schema = {"if": {"const": "x" * 200}, "then": {"minLength": 1}}
    lines = outline(root_of(schema)).text.splitlines()
    assert f'if {{"const": "{"x" * 48}… holds: ' in "".join(lines)


def test_as_many_levels_are_shown_as_fit() -> None:
    small, whole = outline(COUNTDOWN, max_chars=300), outline(COUNTDOWN, max_chars=6000)

    assert not small.complete
    assert "more at /content" in small.text
    assert len(small.text) <= 300
    assert whole.complete
    assert "timerDays: number" in whole.text
    assert "more at" not in whole.text


def test_a_part_by_its_pointer() -> None:
    part = outline(COUNTDOWN, "/styles/cardsBg/*")

    assert part.text == "*: string"
    assert len(part.schema_pointers) == 1


def test_parts_of_alternatives_are_found() -> None:
    schema = {"anyOf": [{"type": "null"}, {"properties": {"deep": {"type": "array"}}}]}

    assert outline(root_of(schema), "/deep").text == "deep: array"


def test_recursion_ends_with_the_size() -> None:
    schema = {
        "definitions": {"n": {"properties": {"n": {"$ref": "#/definitions/n"}}}},
        "$ref": "#/definitions/n",
    }

    found = outline(root_of(schema), max_chars=400)

    assert len(found.text) <= 400
    assert not found.complete
    assert "more at /n/n" in found.text


def test_a_wide_object_is_cut() -> None:
    schema = {"properties": {f"m{number}": {"type": "string"} for number in range(1000)}}

    found = outline(root_of(schema), max_chars=500)

    assert not found.complete
    assert found.text.splitlines()[1] == "  m0: string"
    assert len(found.text) <= 500


def test_hostile_texts_are_short_and_printable() -> None:
    schema = {"title": "a\x1b[31m" + "b" * 9999, "enum": ["x" * 9999], "description": "\u202e"}

    found = outline(root_of(schema))

    assert found.text.isprintable()
    assert len(found.text) < 700


@pytest.mark.parametrize(
    ("pointer", "reason"),
    [
        ("/stylez", "did you mean /styles?"),
        ("/styles/cardsBg/x", "/styles/cardsBg has no"),
        ("/content/timerDays/0", "/content/timerDays has no"),
    ],
)
def test_a_place_that_is_not_there_is_said(pointer: str, reason: str) -> None:
    with pytest.raises(ToolFailure, match="the schema describes nothing at") as caught:
        outline(COUNTDOWN, pointer)

    assert reason in str(caught.value)
