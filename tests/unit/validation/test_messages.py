"""Texts of findings: keyword, path, sentence and hint, one row per situation."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from widgetschema import Validator

VIDEO_OR_IMAGE = {
    "oneOf": [
        {
            "title": "Video",
            "type": "object",
            "properties": {"kind": {"const": "video"}, "url": {"type": "string"}},
            "required": ["kind", "url"],
        },
        {
            "type": "object",
            "properties": {"kind": {"const": "image"}, "src": {"type": "string"}},
            "required": ["kind", "src"],
            "additionalProperties": False,
        },
    ]
}
RANGE = {
    "type": "object",
    "properties": {"from": {"type": "number"}, "to": {"type": "number"}},
    "required": ["from", "to"],
}
TEXT = {"type": "string"}
SECTIONS = {
    "properties": {
        "content": {
            "properties": {"timerTitle": {"type": "string"}, "postTitle": {"type": "string"}},
            "additionalProperties": False,
        },
        "styles": {"properties": {"fontId": {}, "a/b": {}}, "additionalProperties": False},
    },
    "required": ["content", "styles"],
    "additionalProperties": False,
}

# name: schema, instance, and the findings, each as `keyword path: message`, with its hint behind it
ROWS: dict[str, tuple[Any, Any, list[str]]] = {
    "number in quotes": (
        {"type": "number"},
        "5",
        ['type (root): "5" is a string, but must be a number', 'hint: write 5, not "5"'],
    ),
    "number in quotes, spaces": (
        {"type": "integer"},
        " 5 ",
        ['type (root): " 5 " is a string, but must be an integer', 'hint: write 5, not " 5 "'],
    ),
    "fraction in quotes for an integer": (
        {"type": "integer"},
        "5.5",
        ['type (root): "5.5" is a string, but must be an integer'],
    ),
    "fraction for an integer": (
        {"type": "integer"},
        5.5,
        ["type (root): 5.5 is not a whole number, but must be an integer"],
    ),
    "true in quotes": (
        {"type": "boolean"},
        "True",
        ['type (root): "True" is a string, but must be a boolean', 'hint: write true, not "True"'],
    ),
    "1 for true": (
        {"type": "boolean"},
        1,
        ["type (root): 1 is a number, but must be a boolean", "hint: write true, not 1"],
    ),
    "0 for false": (
        {"type": "boolean"},
        0,
        ["type (root): 0 is a number, but must be a boolean", "hint: write false, not 0"],
    ),
    "2 is no boolean": (
        {"type": "boolean"},
        2,
        ["type (root): 2 is a number, but must be a boolean"],
    ),
    "number for a string": (
        {"type": "string"},
        5,
        ["type (root): 5 is a number, but must be a string", 'hint: write "5", not 5'],
    ),
    "null in quotes": (
        {"type": "null"},
        "null",
        ['type (root): "null" is a string, but must be null', 'hint: write null, not "null"'],
    ),
    "null": (
        {"type": ["string", "array"]},
        None,
        ["type (root): null is not allowed here: the value must be a string or an array"],
    ),
    "three types": (
        {"type": ["string", "array", "null"]},
        {},
        ["type (root): {} is an object, but must be a string, an array or null"],
    ),
    "enum, letter case": (
        {"enum": ["small", "big"]},
        "Small",
        [
            'enum (root): "Small" is not one of the allowed values: "small", "big"',
            'hint: write "small": upper and lower case matter',
        ],
    ),
    "enum, surplus space": (
        {"enum": ["small", "big"]},
        "small ",
        [
            'enum (root): "small " is not one of the allowed values: "small", "big"',
            'hint: write "small", without the extra space',
        ],
    ),
    "enum, separators": (
        {"enum": ["layout-1", "grid"]},
        "layout_1",
        [
            'enum (root): "layout_1" is not one of the allowed values: "layout-1", "grid"',
            'hint: write "layout-1"',
        ],
    ),
    "enum, typing mistake": (
        {"enum": ["dissolve", "flip"]},
        "disolve",
        [
            'enum (root): "disolve" is not one of the allowed values: "dissolve", "flip"',
            'hint: did you mean "dissolve"?',
        ],
    ),
    "enum, two as near": (
        {"enum": ["layout-1", "layout-2"]},
        "layout-3",
        ['enum (root): "layout-3" is not one of the allowed values: "layout-1", "layout-2"'],
    ),
    "enum, number for its text": (
        {"enum": ["1", "2"]},
        1,
        ['enum (root): 1 is not one of the allowed values: "1", "2"', 'hint: write "1", not 1'],
    ),
    "enum, text for its number": (
        {"enum": [1, 2]},
        "1",
        ['enum (root): "1" is not one of the allowed values: 1, 2', 'hint: write 1, not "1"'],
    ),
    "enum, many values": (
        {"enum": list(range(20))},
        99,
        [
            (
                "enum (root): 99 is not one of the allowed values: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "
                "10, 11 and 8 more"
            )
        ],
    ),
    "const": (
        {"const": "default"},
        "Default",
        [
            'const (root): "Default" is not allowed: the value must be "default"',
            'hint: write "default": upper and lower case matter',
        ],
    ),
    "const, 1 is not true": (
        {"const": True},
        1,
        ["const (root): 1 is not allowed: the value must be true"],
    ),
    "minimum": ({"minimum": 3}, 2, ["minimum (root): 2 is less than the minimum, 3"]),
    "maximum": ({"maximum": 3}, 4.5, ["maximum (root): 4.5 is more than the maximum, 3"]),
    "exclusiveMinimum": (
        {"exclusiveMinimum": 3},
        3,
        ["exclusiveMinimum (root): 3 must be greater than 3"],
    ),
    "exclusiveMaximum": (
        {"exclusiveMaximum": 3},
        3,
        ["exclusiveMaximum (root): 3 must be less than 3"],
    ),
    "multipleOf": ({"multipleOf": 0.5}, 0.75, ["multipleOf (root): 0.75 is not a multiple of 0.5"]),
    "minLength": (
        {"minLength": 1},
        "",
        ['minLength (root): "" has no characters, but must have at least 1'],
    ),
    "maxLength, in characters not bytes": (
        {"maxLength": 1},
        "😀é",
        ['maxLength (root): "😀é" has 2 characters, but must have at most 1'],
    ),
    "minItems": (
        {"minItems": 2},
        [1],
        ["minItems (root): the array has 1 item, but must have at least 2"],
    ),
    "maxItems": (
        {"maxItems": 1},
        [1, 2],
        ["maxItems (root): the array has 2 items, but must have at most 1"],
    ),
    "minProperties": (
        {"minProperties": 1},
        {},
        ["minProperties (root): the object has no properties, but must have at least 1"],
    ),
    "maxProperties": (
        {"maxProperties": 1},
        {"a": 1, "b": 2},
        ["maxProperties (root): the object has 2 properties, but must have at most 1"],
    ),
    "pattern": (
        {"pattern": "^[a-z]+$"},
        "abc ",
        [
            'pattern (root): "abc " does not match the pattern ^[a-z]+$',
            'hint: write "abc", without the extra space',
        ],
    ),
    "date-time without a zone": (
        {"format": "date-time"},
        "2026-01-31 10:00:00",
        [
            'format (root): "2026-01-31 10:00:00" is not a date-time such as 2026-11-27T00:00:00Z',
            'hint: a date-time has a date, a time and an offset: "2026-01-31T10:00:00Z"',
        ],
    ),
    "date for a date-time": (
        {"format": "date-time"},
        "2026-01-31",
        [
            'format (root): "2026-01-31" is not a date-time such as 2026-11-27T00:00:00Z',
            'hint: a date-time has a date, a time and an offset: "2026-01-31T00:00:00Z"',
        ],
    ),
    "uri without a scheme": (
        {"format": "uri"},
        "www.example.com/page",
        [
            (
                'format (root): "www.example.com/page" is not an absolute URI such as '
                "https://example.com/page"
            ),
            'hint: write "https://www.example.com/page"',
        ],
    ),
    "content": (
        {"contentEncoding": "base64", "contentMediaType": "application/json"},
        "!",
        ['contentEncoding (root): "!" is not valid base64 and application/json'],
    ),
    "uniqueItems, each repetition": (
        {"uniqueItems": True},
        [1, 2, 1.0, 2],
        [
            "uniqueItems /2: 1.0 is a duplicate of item 1",
            "uniqueItems /3: 2 is a duplicate of item 2",
        ],
    ),
    "contains": (
        {"contains": {"type": "integer"}},
        ["a", "b"],
        ["contains (root): none of 2 items matches: at least one must be an integer"],
    ),
    "contains, of several demands": (
        {"contains": {"type": "integer", "minimum": 10, "multipleOf": 5}},
        ["a"],
        [
            (
                "contains (root): none of 1 item matches: at least one must be an integer and be "
                "at least 10 and be a multiple of 5"
            )
        ],
    ),
    "contains, empty": (
        {"contains": {"const": 1}},
        [],
        ["contains (root): the array is empty, but at least one item must be 1"],
    ),
    "contains, not simple": (
        {"contains": {"anyOf": [{"const": 1}]}},
        [2],
        ["contains (root): none of 1 item matches: at least one must match `contains`"],
    ),
    "tuple too long": (
        {"items": [{}], "additionalItems": False},
        [1, 2, 3],
        ["additionalItems /1: item 2 of 3 is too many: the array must have at most 1 item"],
    ),
    "missing, each its own": (
        {"required": ["a", "b"]},
        {},
        [
            'required (root): the property "a" is missing',
            'required (root): the property "b" is missing',
        ],
    ),
    "unknown, each its own": (
        {"properties": {"abc": {}}, "additionalProperties": False},
        {"abd": 1, "x": 2},
        [
            'additionalProperties /abd: unknown property "abd"',
            'hint: did you mean "abc"?',
            'additionalProperties /x: unknown property "x"',
        ],
    ),
    "misspelled and missing is one mistake": (
        SECTIONS,
        {"Content": {}, "styles": {}},
        [
            'additionalProperties /Content: unknown property "Content"',
            'hint: rename it to "content", which is missing',
        ],
    ),
    "wrong section": (
        SECTIONS,
        {"content": {"fontId": 1}, "styles": {"timer_title": 1, "timerTitle": "x"}},
        [
            'additionalProperties /content/fontId: unknown property "fontId"',
            'hint: "fontId" belongs in /styles',
            'additionalProperties /styles/timer_title: unknown property "timer_title"',
            'additionalProperties /styles/timerTitle: unknown property "timerTitle"',
            'hint: "timerTitle" belongs in /content',
        ],
    ),
    "wrong separators": (
        SECTIONS,
        {"content": {"timer_title": "x"}, "styles": {"a/c": 1}},
        [
            'additionalProperties /content/timer_title: unknown property "timer_title"',
            'hint: write "timerTitle"',
            'additionalProperties /styles/a~1c: unknown property "a/c"',
            'hint: did you mean "a/b"?',
        ],
    ),
    "propertyNames": (
        {"propertyNames": {"maxLength": 2}},
        {"abc": 1},
        [
            (
                'propertyNames /abc: the property name "abc" is not allowed: "abc" has 3 '
                "characters, but must have at most 2"
            )
        ],
    ),
    "propertyNames, enum": (
        {"propertyNames": {"enum": ["small", "big"]}},
        {"Small": 1},
        [
            (
                'propertyNames /Small: the property name "Small" is not allowed: "Small" is not '
                'one of the allowed values: "small", "big"'
            ),
            'hint: write "small": upper and lower case matter',
        ],
    ),
    "propertyNames false": (
        {"propertyNames": False},
        {"a": 1},
        ['propertyNames /a: the property name "a" is not allowed: the object must be empty'],
    ),
    "dependencies, names": (
        {"dependencies": {"a": ["b", "c"]}},
        {"a": 1, "c": 1},
        ['dependencies (root): the property "b" is missing: it is required because "a" is present'],
    ),
    "dependencies, schema": (
        {"dependencies": {"a": {"required": ["b"]}}},
        {"a": 1},
        [
            (
                'required (root): the property "b" is missing (required because the property "a" is '
                "present)"
            )
        ],
    ),
    "false": ({"properties": {"a": False}}, {"a": 1}, ["false /a: nothing is allowed here"]),
    "not, simple": (
        {"not": {"required": ["a", "b"]}},
        {"a": 1, "b": 2},
        ['not (root): {"a": 1, "b": 2} must not have the properties "a" and "b"'],
    ),
    "not, not simple": (
        {"not": {"anyOf": [True]}},
        1,
        ["not (root): 1 matches the schema of `not`, which it must not"],
    ),
    "if, then": (
        {
            "if": {"properties": {"kind": {"const": "video"}}, "required": ["kind"]},
            "then": {"required": ["url"]},
        },
        {"kind": "video"},
        ['required (root): the property "url" is missing (when "kind" is "video")'],
    ),
    "if, else": (
        {"if": {"required": ["a"]}, "else": {"required": ["b"]}},
        {},
        ['required (root): the property "b" is missing (unless "a" is present)'],
    ),
    "if, not simple": (
        {"if": {"minProperties": 1}, "then": {"properties": {"a": {"type": "string"}}}},
        {"a": 1},
        [
            "type /a: 1 is a number, but must be a string (the condition `if` of (root) holds)",
            'hint: write "1", not 1',
        ],
    ),
    "discriminator matches a branch": (
        VIDEO_OR_IMAGE,
        {"kind": "video", "src": 1},
        ['required (root): the property "url" is missing'],
    ),
    "discriminator matches none": (
        VIDEO_OR_IMAGE,
        {"kind": "vido", "url": "x"},
        [
            'oneOf /kind: "vido" is not one of the allowed values: "video", "image"',
            'hint: did you mean "video"?',
        ],
    ),
    "no discriminator: the nearest": (
        VIDEO_OR_IMAGE,
        {"url": "x"},
        ['oneOf (root): the property "kind" is missing: it must be one of "video", "image"'],
    ),
    "wrong type for every alternative": (
        VIDEO_OR_IMAGE,
        "x",
        ['oneOf (root): "x" is a string, but must be an object'],
    ),
    "alternatives of types": (
        {"anyOf": [{"type": "string"}, {"type": "number"}]},
        [],
        ["anyOf (root): [] is an array, but must be a string or a number"],
    ),
    "alternatives of types, which demand more than another type": (
        {
            "anyOf": [
                {"type": "object", "not": {"type": "array"}, "uniqueItems": True},
                {"type": "string"},
            ]
        },
        [1, 1],
        ["anyOf (root): [1, 1] is an array, but must be an object or a string"],
    ),
    "alternatives of types, sure hint": (
        {"anyOf": [{"type": "boolean"}, {"type": "number"}]},
        "12",
        [
            'anyOf (root): "12" is a string, but must be a boolean or a number',
            'hint: write 12, not "12"',
        ],
    ),
    "alternatives of values": (
        {"oneOf": [{"const": "a", "title": "A"}, {"const": "bcd"}]},
        "bce",
        [
            'oneOf (root): "bce" is not one of the allowed values: "a", "bcd"',
            'hint: did you mean "bcd"?',
        ],
    ),
    "alternatives of types and values": (
        {"anyOf": [{"type": "number"}, {"enum": ["auto"]}]},
        [],
        ['anyOf (root): [] is an array, but must be a number, or "auto"'],
    ),
    "a value that an alternative lists is no guess for an object": (
        {"oneOf": [{"const": "auto"}, {"const": {"a": 0}}, RANGE, {"enum": [None, 1]}]},
        {"from": 1},
        ['required (root): the property "to" is missing'],
    ),
    "a listed value of another type is no guess for a number": (
        {"anyOf": [{"const": "auto"}, {"enum": [True]}, {"not": {"minimum": 3}, "maximum": 4}]},
        5,
        [
            "maximum (root): 5 is more than the maximum, 4",
            "not (root): 5 must not be at least 3",
        ],
    ),
    "alternatives for objects beside another": (
        {"anyOf": [{"const": "auto"}, {"required": ["a"]}, {"required": ["b", "c"]}, TEXT]},
        {},
        ['anyOf (root): properties are missing: "a", or "b" and "c"'],
    ),
    "discriminator matches none of the alternatives for objects": (
        {"anyOf": [{"type": "null"}, *VIDEO_OR_IMAGE["oneOf"], {"const": "none"}]},
        {"kind": "vido"},
        [
            'anyOf /kind: "vido" is not one of the allowed values: "video", "image"',
            'hint: did you mean "video"?',
        ],
    ),
    "discriminator is missing beside an alternative for texts": (
        {"anyOf": [*VIDEO_OR_IMAGE["oneOf"], TEXT]},
        {"url": "x"},
        ['anyOf (root): the property "kind" is missing: it must be one of "video", "image"'],
    ),
    "alternatives of types and values, one is near": (
        {"anyOf": [{"type": "number"}, {"enum": ["auto"]}]},
        "Auto",
        [
            'anyOf (root): "Auto" is not allowed: the value must be a number, or "auto"',
            'hint: write "auto": upper and lower case matter',
        ],
    ),
    "a misspelled value is the alternative that was meant": (
        {"anyOf": [{"type": "string", "pattern": "^[0-9]+px$"}, {"enum": ["auto"]}]},
        "Auto",
        [
            (
                'anyOf (root): "Auto" is not allowed: the value must match the pattern '
                '^[0-9]+px$ or be "auto"'
            ),
            'hint: write "auto": upper and lower case matter',
        ],
    ),
    "all that alternatives allow": (
        {"anyOf": [{"type": "number"}, {"const": ""}, {"pattern": r"^\d+px"}]},
        "1 px",
        [
            (
                'anyOf (root): "1 px" is not allowed: the value must be a number, match the '
                'pattern ^\\d+px or be ""'
            ),
            'hint: write "1px"',
        ],
    ),
    "the hint of the nearest alternative": (
        {"oneOf": [{"type": "number"}, {"type": "string", "pattern": "^[$]"}]},
        "10",
        [
            (
                'oneOf (root): "10" is not allowed: the value must be a number or match the '
                "pattern ^[$]"
            ),
            'hint: write 10, not "10"',
        ],
    ),
    "one alternative beside null": (
        {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 2}]},
        "abc",
        ['maxLength (root): "abc" has 3 characters, but must have at most 2'],
    ),
    "alternatives of alternatives, and two demands of one": (
        {
            "anyOf": [
                {"oneOf": [{"enum": [7]}, {"type": "null"}]},
                {"type": "number", "maximum": 3, "multipleOf": 2},
                {"const": 7.0},
            ]
        },
        5,
        [
            (
                "anyOf (root): 5 is not allowed: the value must be null, be at most 3 and be a "
                "multiple of 2 or be 7"
            )
        ],
    ),
    "many alternatives": (
        {"anyOf": [{"minimum": limit} for limit in (10, 9, 8, 7, 6, 5)]},
        0,
        [
            (
                "anyOf (root): 0 is not allowed: the value must be at least 10, be at least 9, "
                "be at least 8, be at least 7 or match one of 2 other alternatives"
            )
        ],
    ),
    "a value for one alternative, of the type of another": (
        {"anyOf": [{"const": "auto"}, {"type": "number"}]},
        "12",
        [
            'anyOf (root): "12" is not allowed: the value must be a number, or "auto"',
            'hint: write 12, not "12"',
        ],
    ),
    "null for alternatives": (
        {"anyOf": [{"type": "string"}, {"type": "object"}]},
        None,
        ["anyOf (root): null is not allowed here: the value must be a string or an object"],
    ),
    "no discriminator, no alternative requires it": (
        {
            "anyOf": [
                {"properties": {"k": {"const": 1}, "a": {"type": "string"}}, "required": ["a"]},
                {"properties": {"k": {"const": 2}, "b": {}}, "required": ["b", "c"]},
            ]
        },
        {},
        ['anyOf (root): properties are missing: "a", or "b" and "c"'],
    ),
    "no hint that would be refused as well": (
        {"type": "string", "enum": ["a"]},
        5,
        ["type (root): 5 is a number, but must be a string"],
    ),
    "no hint that would be refused by a bound": (
        {"type": "number", "maximum": 3},
        "5",
        ['type (root): "5" is a string, but must be a number'],
    ),
    "no hint for a number that is none": (
        {"type": "number"},
        "1e400",
        ['type (root): "1e400" is a string, but must be a number'],
    ),
    "a home that has the property already is none": (
        {
            "properties": {
                "a": {"properties": {"x": {}}},
                "b": {"properties": {}, "additionalProperties": False},
            }
        },
        {"a": {"x": 1}, "b": {"x": 1}},
        ['additionalProperties /b/x: unknown property "x"'],
    ),
    "another home than one that has the property already": (
        {
            "properties": {
                "a": {"properties": {"x": {}}},
                "b": {"properties": {}, "additionalProperties": False},
                "c": {"properties": {"x": {}}},
            }
        },
        {"a": {"x": 1}, "b": {"x": 1}, "c": {}},
        ['additionalProperties /b/x: unknown property "x"', 'hint: "x" belongs in /c'],
    ),
    "two homes": (
        {
            "definitions": {"box": {"properties": {"size": {}}}},
            "properties": {
                "a": {"$ref": "#/definitions/box"},
                "b": {"$ref": "#/definitions/box"},
                "c": {"additionalProperties": False},
            },
        },
        {"a": {}, "b": {}, "c": {"size": 1}},
        [
            'additionalProperties /c/size: unknown property "size"',
            'hint: "size" belongs in /a or /b',
        ],
    ),
    "two rivals for one name": (
        {"properties": {"color": {}}, "required": ["color"], "additionalProperties": False},
        {"colr": 1, "Color": 2},
        [
            'required (root): the property "color" is missing',
            'additionalProperties /colr: unknown property "colr"',
            'additionalProperties /Color: unknown property "Color"',
        ],
    ),
    "another number or the opposite is no misspelling": (
        {"enum": ["version1", "visible", "include"]},
        "version2",
        [
            (
                'enum (root): "version2" is not one of the allowed values: "version1", '
                '"visible", "include"'
            )
        ],
    ),
    "the type is wrong: the value cannot be right": (
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}}},
                {"properties": {"a": {"enum": ["x"]}}},
            ]
        },
        {"a": 1},
        ["type /a: 1 is a number, but must be a string", 'hint: write "1", not 1'],
    ),
    "who lacks a member has too few": (
        {"minProperties": 1, "required": ["a"]},
        {},
        ['required (root): the property "a" is missing'],
    ),
    "alternatives inside alternatives": (
        {"anyOf": [{"anyOf": [{"type": "string"}, {"const": 1}]}, {"type": "boolean"}]},
        [],
        ["anyOf (root): [] is an array, but must be a string or a boolean, or 1"],
    ),
    "alternatives that allow nothing": (
        {"anyOf": [False, False]},
        1,
        ["anyOf (root): 1 matches none of the alternatives"],
    ),
    "two alternatives fit": (
        {"oneOf": [{"title": "Any"}, {"type": "number"}, {"type": "string"}]},
        1,
        [
            (
                'oneOf (root): the value matches "Any" and alternative 2, but must match exactly '
                "one alternative"
            )
        ],
    ),
    "a named definition is called by its name": (
        {
            "oneOf": [{"$ref": "#/definitions/Clock"}, {}],
            "definitions": {"Clock": {"type": "number"}},
        },
        1,
        [
            (
                'oneOf (root): the value matches "Clock" and alternative 2, but must match '
                "exactly one alternative"
            )
        ],
    ),
    "the same said twice is one finding": (
        {"allOf": [{"type": "object"}, {"type": "object"}, {"required": ["a"]}]},
        1,
        ["type (root): 1 is a number, but must be an object"],
    ),
    "in the order of the instance": (
        {
            "properties": {"a": {"type": "string"}, "b": {"items": {"minimum": 2}}},
            "minProperties": 3,
        },
        {"b": [1, 2, 0], "a": 1},
        [
            "minProperties (root): the object has 2 properties, but must have at least 3",
            "minimum /b/0: 1 is less than the minimum, 2",
            "minimum /b/2: 0 is less than the minimum, 2",
            "type /a: 1 is a number, but must be a string",
            'hint: write "1", not 1',
        ],
    ),
}


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    ROWS.values(),
    ids=ROWS,
)
def test_sentence(schema: Any, instance: Any, expected: list[str], engine: str) -> None:
    said: list[str] = []
    for one in Validator(schema, engine=engine).check(instance):
        said.append(f"{one.keyword} {one.path or '(root)'}: {one.message}")
        if one.hint is not None:
            said.append(f"hint: {one.hint}")
    assert said == expected


@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    [
        ({"type": ["string", "null"]}, 1, ["string", "null"]),
        ({"enum": [1, 2]}, 3, [1, 2]),
        ({"const": {"a": 1}}, 3, {"a": 1}),
        ({"minimum": 2}, 1, 2),
        ({"required": ["a"]}, {}, "a"),
        ({"pattern": "^a"}, "b", "^a"),
        ({"format": "date"}, "b", "date"),
        ({"dependencies": {"a": ["b"]}}, {"a": 1}, "b"),
        ({"items": [{}], "additionalItems": False}, [1, 2], 1),
        ({"additionalProperties": False}, {"a": 1}, None),
        ({"uniqueItems": True}, [1, 1], None),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, 1),
        ({"propertyNames": {"enum": ["x"]}}, {"ab": 1}, ["x"]),
        ({"anyOf": [{"type": "string"}, {"const": 1}]}, [], ["string", 1]),
        ({"oneOf": [{}, {}]}, 1, None),
        (VIDEO_OR_IMAGE, {"kind": 1}, ["video", "image"]),
        ({"not": {}}, 1, None),
    ],
    ids=str,
)
def test_expected_is_a_json_value(schema: Any, instance: Any, expected: Any) -> None:
    [finding] = Validator(schema).check(instance)
    assert finding.expected == expected
    assert type(finding.expected) is type(expected)


def test_values_are_shortened() -> None:
    report = Validator({"type": "number"}).check({"a": ["x" * 500] * 500})
    [finding] = report
    assert len(finding.message) < 130
    assert "…" in finding.message


def test_a_finding_in_a_branch_of_a_branch_keeps_the_nearest_reason() -> None:
    schema = {
        "if": {"required": ["a"]},
        "then": {"if": {"required": ["b"]}, "then": {"required": ["c"]}},
    }
    [finding] = Validator(schema).check({"a": 1, "b": 1})
    assert finding.message == 'the property "c" is missing (when "b" is present)'


@pytest.mark.parametrize(
    "of_item",
    [
        {"type": "number"},
        {"type": ["boolean", "integer"]},
        {"enum": ["one", "two", 3, 4.5, None]},
        {"const": "one"},
        {"anyOf": [{"const": "one"}, {"type": "object"}]},
        {"if": {"type": "string"}, "then": {"enum": ["one"]}, "else": {"type": "null"}},
        {"allOf": [{"enum": ["one", 1]}, {"enum": ["two", 2]}]},
    ],
    ids=str,
)
def test_a_mistake_is_said_alike_in_every_place(of_item: Any) -> None:
    mistakes = ["On", "TWO", "1", "3", 1, 1.0, True, 0, False, -0.0, 0.0, None, [], {"a": 1}]
    long_ones = ["x" * 99, "x" * 100, "x" * 99 + "y"]
    items: list[Any] = [*mistakes, *long_ones, *reversed(mistakes)]
    once = [[*Validator(of_item).check(item)] for item in items]
    every = Validator({"items": of_item})
    others = [str(number) for number in range(5_000)]  # more than are remembered
    for instance in (items, [*items, *others], items):
        found = iter(every.check(instance))
        for number, alone in enumerate(once):
            for one in alone:
                same = dataclasses.replace(
                    one,
                    path=f"/{number}{one.path}",
                    schema_path=f"/items{one.schema_path}",
                    indices=(-1 - one.path.count("/"), *one.indices),
                )
                other = next(found)
                assert (other, other.indices) == (same, same.indices)
