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
A, B = {"required": ["a"]}, {"required": ["b"]}
NO_URL = {"properties": {"url": False}}
CLOSED = {"properties": {"type": {}, "src": {}}, "additionalProperties": False}
# name: schema, instance, and the findings, each as `path: message`
ROWS: dict[str, tuple[Any, Any, list[str]]] = {
    "the member is there": (
        when("type", "video", URL),
        {"type": "video"},
        ['(root): the property "url" is missing (when "type" is "video")'],
    ),
    "the member is missing": (
        when("type", "video", URL),
        {"title": "x"},
        ['(root): the property "url" is missing (when "type" is missing or "video")'],
    ),
    "both branches of an inner condition ask it": (
        when("cta", "link", URL, required=["cta"])
        | {"else": when("cta", "phone", NO_URL, required=["cta"]) | {"else": NO_URL}},
        {"cta": "none", "url": "x"},
        ['/url: nothing is allowed here (unless "cta" is "link")'],
    ),
    "the outer condition alone asks it, too": (
        when("cta", "link", URL, required=["cta"])
        | {"else": {**when("cta", "phone", {}, required=["cta"]), "else": NO_URL, **NO_URL}},
        {"cta": "none", "url": "x"},
        ['/url: nothing is allowed here (unless "cta" is "link")'],
    ),
    "one of two members is missing": (
        {
            "if": {"properties": {"type": {"const": "b"}, "hd": {"minimum": 2}}},
            "then": {"required": ["a"]},
        },
        {"type": "b"},
        [
            (
                '(root): the property "a" is missing (when "type" is "b" and "hd" is missing or at '
                "least 2)"
            )
        ],
    ),
    "the member is missing, and required": (
        {"required": ["type"], "allOf": [when("type", "video", URL), when("type", "image", SRC)]},
        {"title": "x"},
        ['(root): the property "type" is missing'],
    ),
    "what is required inside the value follows from the missing member, too": (
        {
            "required": ["type"],
            **when("type", "video", {"properties": {"url": {"type": "string"}}}),
        },
        {"url": 5},
        ['(root): the property "type" is missing'],
    ),
    "else follows from the missing member, if the condition requires it": (
        {
            "required": ["type"],
            "if": {"properties": {"type": {"const": "a"}}, "required": ["type"]},
            "then": URL,
            "else": SRC,
        },
        {},
        ['(root): the property "type" is missing'],
    ),
    "else does not follow, if another member decides against the condition": (
        {
            "required": ["type"],
            "if": {"properties": {"a": {"const": 1}}, "required": ["type"]},
            "else": SRC,
        },
        {"a": 2},
        [
            '(root): the property "type" is missing',
            '(root): the property "src" is missing (unless "a" is 1 and "type" is present)',
        ],
    ),
    "the member is misspelled": (
        {
            "properties": {"type": {}, "title": {}},
            "additionalProperties": False,
            "required": ["type"],
            "allOf": [when("type", "video", URL), when("type", "image", SRC)],
        },
        {"tpye": "video"},
        ['/tpye: unknown property "tpye"'],
    ),
    "the member is missing, and would decide": (
        {"allOf": [when("type", 1, URL), when("type", 2, {**SRC, **CLOSED})]},
        {"title": "x"},
        ['(root): the property "type" is missing, so the rules for each of its values apply: 1, 2'],
    ),
    "both conditions require the same": (
        {"allOf": [when("type", "video", URL), when("type", "image", URL)]},
        {},
        ['(root): the property "url" is missing (when "type" is missing or "video")'],
    ),
    "conditions that do not exclude each other": (
        {
            "allOf": [
                when("type", "a", URL),
                {"if": {"properties": {"type": {"enum": ["a", "b"]}}}, "then": SRC},
            ]
        },
        {},
        [
            '(root): the property "url" is missing (when "type" is missing or "a")',
            '(root): the property "src" is missing (when "type" is missing or "a" or "b")',
        ],
    ),
    "a condition about absence is decided": (
        {"required": ["type"], "if": {"not": {"required": ["type"]}}, "then": URL},
        {},
        [
            '(root): the property "type" is missing',
            '(root): the property "url" is missing (unless "type" is present)',
        ],
    ),
    "if not, else": (
        {"if": {"not": {"required": ["type"]}}, "else": URL},
        {"type": 1},
        ['(root): the property "url" is missing (when "type" is present)'],
    ),
    "if not, then: false": (
        {"if": {"not": {"required": ["type"]}}, "then": False},
        {},
        ['(root): the property "type" is missing'],
    ),
    "a condition in the words of a sentence": (
        {
            "if": {
                "properties": {
                    "a": {"pattern": "^https"},
                    "b": {"type": "string", "minLength": 2},
                    "c": {"required": ["x", "y"]},
                    "d": {"properties": {"e": {"const": 1}}, "required": ["e"]},
                    "f": {"properties": {"g": {"maxLength": 1}}},
                    "h": {"enum": [*"klmnopqrs"]},
                    "i": True,
                },
                "required": ["i"],
            },
            "then": URL,
        },
        {
            "a": "https:",
            "b": "bc",
            "c": {"x": 1, "y": 2},
            "d": {"e": 1},
            "f": {"g": "g"},
            "h": "s",
            "i": 1,
        },
        [
            (
                '(root): the property "url" is missing (when "a" matches the pattern ^https and '
                '"b" is a string and has at least 2 characters and "c" has the properties "x" and '
                '"y" and "d" has "e" as 1 and "f" has a property "g" that has at most 1 character '
                'and "h" is one of "k", "l", "m", "n", "o", "p" and 3 more and "i" is present)'
            )
        ],
    ),
    "a condition about an absent member, in the words of a sentence": (
        {"if": {"properties": {"src": {"pattern": "^h"}}}, "then": URL},
        {},
        ['(root): the property "url" is missing (when "src" is missing or matches the pattern ^h)'],
    ),
    "a condition about the value itself": (
        {"if": {"type": "string"}, "then": {"minLength": 3}, "else": {"type": "number"}},
        "a",
        ['(root): "a" has 1 character, but must have at least 3 (when the value is a string)'],
    ),
    "what follows from a wrong value of the member that a condition tests": (
        {"properties": {"v": {"enum": [1, 3]}}, **when("v", 3, URL), "else": SRC},
        {"v": "3"},
        ['/v: "3" is not one of the allowed values: 1, 3'],
    ),
    "a condition that holds because a member has a wrong value": (
        {
            "allOf": [{"properties": {"v": {"type": "string"}}}],
            "if": {"properties": {"v": {"pattern": "^a"}}},
            "then": {"properties": {"w": {"const": 1}}},
        },
        {"v": None, "w": 2},
        ["/v: null is not allowed here: the value must be a string"],
    ),
    "a condition that does not hold, whatever a wrong value should have been": (
        {
            "properties": {"v": {"type": "integer"}},
            "if": {"properties": {"v": {"const": 1}, "w": {"const": 1}}},
            "else": URL,
        },
        {"v": "1", "w": 2},
        [
            '/v: "1" is a string, but must be an integer',
            '(root): the property "url" is missing (unless "v" is 1 and "w" is 1)',
        ],
    ),
    "a value that a condition tests, beside members by pattern": (
        {"patternProperties": {"^x": {"minimum": 1}}, **when("v", "a", URL)},
        {"v": "a", "x": 0},
        [
            '(root): the property "url" is missing (when "v" is "a")',
            "/x: 0 is less than the minimum, 1",
        ],
    ),
    "a wrong value in alternatives that a condition tests": (
        {
            "oneOf": [{"properties": {"v": {"const": one}}} for one in "ab"],
            **when("v", "a", URL),
            "else": SRC,
        },
        {"v": "c"},
        ['/v: "c" is not one of the allowed values: "a", "b"'],
    ),
    "a misspelled member that one schema requires and another does not know": (
        {"required": ["src"], "allOf": [CLOSED]},
        {"type": 1, "srcc": 2},
        ['/srcc: unknown property "srcc"'],
    ),
    "a misspelled member of alternatives": (
        {"oneOf": [SRC, URL], "allOf": [CLOSED]},
        {"srcc": 2},
        ['/srcc: unknown property "srcc"'],
    ),
    "a misspelled member that is unknown under a condition": (
        {"required": ["src"], **when("type", 1, CLOSED)},
        {"type": 1, "srcc": 2},
        ['(root): the property "src" is missing'],
    ),
    "values of which one schema allows fewer": (
        {"allOf": [{"enum": [1, 2, 3]}, {"oneOf": [{"const": 1}, {"const": 2}]}, {"const": 2}]},
        9,
        ["(root): 9 is not allowed: the value must be 2"],
    ),
    "values of which no schema allows fewer": (
        {"allOf": [{"enum": [1, 2]}, {"enum": [2, 3]}]},
        9,
        [
            "(root): 9 is not one of the allowed values: 1, 2",
            "(root): 9 is not one of the allowed values: 2, 3",
        ],
    ),
    "many alternatives that require one member each": (
        {"anyOf": [{"required": [one]} for one in "abcdefgh"]},
        {},
        ['(root): the property "a", "b", "c", "d", "e", "f" or one of 2 others is missing'],
    ),
    "alternatives of which one does not know any member": (
        {
            "oneOf": [
                {"properties": {"a": {}}, "additionalProperties": False},
                {
                    "properties": {"b": {"required": ["x", "y"]}},
                    "additionalProperties": False,
                },
            ]
        },
        {"b": {}},
        [
            '/b: the property "x" is missing (as alternative 2, the nearest of 2 alternatives)',
            '/b: the property "y" is missing (as alternative 2, the nearest of 2 alternatives)',
        ],
    ),
    "alternatives with conditions": (
        {"oneOf": [{**when("type", one, {"required": [one]}), "else": False} for one in "ab"]},
        {"type": "b"},
        ['(root): the property "b" is missing (when "type" is "b")'],
    ),
    "a condition that asks nothing of a value of this type": (
        when("type", "video", {"type": "object"}),
        5,
        ["(root): 5 is a number, but must be an object (the condition `if` holds)"],
    ),
    "a condition that asks nothing of a member of this type": (
        {"if": {"properties": {"type": {"pattern": "^v"}}}, "then": URL},
        {"type": 5},
        ['(root): the property "url" is missing (the condition `if` holds)'],
    ),
    "a missing member of a member": (
        {
            "if": {"properties": {"a": {"properties": {"b": {"const": 1}}}}},
            "then": URL,
        },
        {"a": {}},
        ['(root): the property "url" is missing (the condition `if` holds)'],
    ),
    "a condition inside an undecided one": (
        {
            "required": ["type"],
            **when("type", "video", when("hd", True, URL)),
        },
        {"hd": True},
        ['(root): the property "type" is missing'],
    ),
    "required anyhow": (
        {"required": ["url"], **when("type", "video", URL)},
        {"type": "video"},
        ['(root): the property "url" is missing'],
    ),
    "required anyhow, said later": (
        {"allOf": [when("type", "video", URL), URL]},
        {"type": "video"},
        ['(root): the property "url" is missing'],
    ),
    "required under two conditions": (
        {"allOf": [when("type", "video", URL), when("hd", True, URL)]},
        {"type": "video", "hd": True},
        ['(root): the property "url" is missing (when "type" is "video")'],
    ),
    "the name and the value of a member are both wrong": (
        {"propertyNames": {"const": "a"}, "additionalProperties": {"type": "string"}},
        {"abc": 1},
        [
            (
                '/abc: the property name "abc" is not allowed: "abc" is not allowed: the value '
                'must be "a"'
            ),
            "/abc: 1 is a number, but must be a string",
        ],
    ),
    "an unknown property with a value of the wrong type": (
        {"additionalProperties": False, "allOf": [{"properties": {"a": {"type": "string"}}}]},
        {"a": 1},
        ['/a: unknown property "a"', "/a: 1 is a number, but must be a string"],
    ),
    "then: false": (
        when("type", "video", False, required=["url"]),
        {"type": "video", "url": 1},
        ['(root): "type" is "video" and "url" is present, which is not allowed'],
    ),
    "then: false, and the member is missing": (
        when("type", "video", False),
        {},
        ['(root): "type" is missing or "video", which is not allowed'],
    ),
    "then: false, and a condition without words": (
        {"if": {"maxProperties": 1, "not": {"required": ["a"]}}, "then": False},
        {},
        ["(root): the value matches the condition `if`, which it must not"],
    ),
    "else: false": (
        {"if": {"properties": {"type": {"const": "a"}}}, "then": URL, "else": False},
        {"type": "b"},
        ['/type: "b" is not allowed: the value must be "a"'],
    ),
    "a dependency that is false": (
        {"dependencies": {"a": False}},
        {"a": 1},
        ["/a: nothing is allowed here"],
    ),
    "alternatives that require one member each": (
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}, {"required": ["b", "c"]}]},
        {},
        ['(root): the property "a" or "b" is missing'],
    ),
    "alternatives that require several members": (
        {"anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]},
        {},
        ['(root): properties are missing: "a", or "b" and "c"'],
    ),
    "several alternatives match, because a required member is missing": (
        {
            "required": ["file"],
            "oneOf": [{"properties": {"file": {"pattern": end}}} for end in ("js$", "css$")],
        },
        {},
        ['(root): the property "file" is missing'],
    ),
    "several alternatives match, because the member is missing that names one": (
        {"oneOf": [{"properties": {"type": {"const": one}}} for one in (1, 2)]},
        {},
        ['(root): the property "type" is missing: it must be one of 1, 2'],
    ),
    "several alternatives match, whatever is missing": (
        {"required": ["file"], "oneOf": [A, {"minProperties": 1}]},
        {"a": 1},
        [
            '(root): the property "file" is missing',
            (
                "(root): the value matches alternative 1 and alternative 2, but must match "
                "exactly one alternative"
            ),
        ],
    ),
    "two exclusive members": (
        {"oneOf": [URL, SRC]},
        {"url": 1, "src": 2},
        ['(root): the properties "url" and "src" exclude each other'],
    ),
    "two exclusive members of alternatives that have titles": (
        {"oneOf": [{"title": "U", "allOf": [A]}, {"title": "S", **B}]},
        {"a": 1, "b": 2},
        [
            (
                '(root): the properties "a" and "b" exclude each other: the value matches "U" and '
                '"S", but must match exactly one alternative'
            )
        ],
    ),
    "an alternative in an embedded resource": (
        {
            "oneOf": [{"$ref": "#/definitions/r/definitions/Foo~1Bar"}, {"required": list("xyz")}],
            "definitions": {
                "r": {"definitions": {"Foo/Bar": {"properties": {"z": {"type": "string"}}}}}
            },
        },
        {"z": 5},
        [('/z: 5 is a number, but must be a string (as "Foo/Bar", the nearest of 2 alternatives)')],
    ),
}


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    ROWS.values(),
    ids=ROWS,
)
def test_conditions(schema: Any, instance: Any, expected: list[str], engine: str) -> None:
    report = Validator(schema, engine=engine).check(instance)
    said = [f"{one.path or '(root)'}: {one.message}" for one in report]
    assert sorted(said) == sorted(expected)


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


def test_a_member_that_is_missing_anyhow_is_told_beside_a_misspelled_one() -> None:
    both = when("type", "a", {"required": ["type"]}) | {"else": {"required": ["type"]}}
    closed = {"properties": {"type": {}}, "additionalProperties": False}
    schema = {"required": ["type"], "allOf": [when("type", "a", closed), both]}
    report = Validator(schema).check({"tpye": 1})
    assert [(f.keyword, f.path, f.expected) for f in report] == [("required", "", "type")]
