"""Hints: what to write instead, one row per situation; and how many of them are certain."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema import Validator

NAME = {"required": ["name"]}
DAY = {"format": "date"}
TIME = {"format": "date-time"}
LIST = {"type": "array", "items": {"type": "string"}}
SIZES = {"enum": ["weekly", "monthly", "month-day"]}
ONE = {"oneOf": [{"required": ["url"]}, {"required": ["src"]}]}
KINDS = {
    "oneOf": [
        {"properties": {"kind": {"const": kind}}, "required": ["kind"]} for kind in ("a", "b")
    ]
}
VIDEO = {"if": {"properties": {"type": {"const": "video"}}}, "then": {"required": ["url"]}}

# schema, instance, the hint of the one finding
ROWS: list[tuple[str, Any, Any, str | None]] = [
    ("misspelled, required", NAME, {"nam": 1}, '"nam" may be a misspelling of "name"'),
    ("nothing is like it", NAME, {"title": 1}, None),
    ("like it, but known", {**NAME, "properties": {"nam": {}}}, {"nam": 1}, None),
    (
        "like another one that is missing",
        {"required": ["name"], "dependencies": {"x": ["names"]}},
        {"nameS": 1},
        '"nameS" may be a misspelling of "name"',
    ),
    ("two are like it", NAME, {"nam": 1, "nme": 1}, None),
    (
        "misspelled, required by another member",
        {"dependencies": {"a": ["link"]}},
        {"a": 1, "lnik": 2},
        '"lnik" may be a misspelling of "link"',
    ),
    (
        "misspelled discriminator of alternatives",
        KINDS,
        {"knid": "a"},
        '"knid" may be a misspelling of "kind"',
    ),
    (
        "misspelled discriminator of a condition",
        VIDEO,
        {"tpye": "video"},
        '"tpye" may be a misspelling of "type"',
    ),
    ("abbreviated", SIZES, "week", 'did you mean "weekly"?'),
    ("abbreviated, but what", SIZES, "mon", None),
    ("longer", {"enum": ["week", "day"]}, "weekly", 'did you mean "week"?'),
    ("too short to say", SIZES, "we", None),
    ("a number more is another one", {"enum": ["name"]}, "name1", None),
    (
        "abbreviated member",
        {"properties": {"description": {}}, "additionalProperties": False},
        {"desc": 1},
        'did you mean "description"?',
    ),
    ("one item for a list", LIST, "main", 'write it in a list: ["main"]'),
    ("one item of the wrong type for a list", LIST, 5, None),
    (
        "one item for a list or nothing",
        {"anyOf": [LIST, {"type": "null"}]},
        "m",
        'write it in a list: ["m"]',
    ),
    ("nothing for a list", LIST, None, None),
    ("a list of one item", {"type": "string"}, ["main"], 'write "main", without the list'),
    (
        "the text of an object",
        {"type": "object"},
        ' {"a": [1]} ',
        "write the object itself, not its JSON text",
    ),
    (
        "the text of a list",
        {"type": ["null", "array"], "items": {"type": "string"}},
        '["a"]',
        "write the array itself, not its JSON text",
    ),
    ("the text of a list for an object", {"type": "object"}, "[1]", None),
    ("braces that are not JSON", {"type": "object"}, "{name}", None),
    ("a list of two items", {"type": "string"}, ["a", "b"], None),
    ("short month and day", DAY, "2026-2-3", 'write "2026-02-03"'),
    ("other separators", DAY, "2026/12/3", 'write "2026-12-03"'),
    ("no such day", DAY, "2026-2-30", None),
    ("a day that may be read in two ways", DAY, "3/2/2026", None),
    ("pattern of a day", {"pattern": "^\\d{4}-\\d\\d-\\d\\d$"}, "2026-2-3", 'write "2026-02-03"'),
    (
        "short day in a date-time",
        TIME,
        "2026-2-3",
        'a date-time has a date, a time and an offset: "2026-02-03T00:00:00Z"',
    ),
    ("short day, time and offset", TIME, "2026-2-3 10:00:00Z", 'write "2026-02-03T10:00:00Z"'),
    (
        "a date-time without seconds and offset",
        TIME,
        "2026-02-03 10:00",
        'a date-time has a date, a time and an offset: "2026-02-03T10:00:00Z"',
    ),
    (
        "a time without offset",
        {"format": "time"},
        "10:00:00",
        'a time has hours, minutes, seconds and an offset: "10:00:00Z"',
    ),
    (
        "a time without seconds and offset",
        {"format": "time"},
        "10:00",
        'a time has hours, minutes, seconds and an offset: "10:00:00Z"',
    ),
    ("no time", {"format": "time"}, "25:00", None),
    ("a host", {"format": "uri"}, "example.com/a", 'write "https://example.com/a"'),
    ("the name of a file", {"format": "uri"}, "logo.png", None),
    (
        "a letter of an IRI",
        {"format": "uri"},
        "https://a.de/ü?b c",
        'write "https://a.de/%C3%BC?b%20c"',
    ),
    ("more than a letter of an IRI", {"format": "uri"}, "/ü", None),
    ("a path of Windows", {"format": "uri-reference"}, r"\\a\ü", None),
    ("one value in a list", {"enum": ["a", "b"]}, ["b"], 'write "b", without the list'),
    ("another value in a list", {"enum": ["a", "b"]}, ["c"], None),
    (
        "a misspelled member of alternatives",
        {"properties": {"url": {}, "src": {}}, **ONE},
        {"urll": 1},
        '"urll" may be a misspelling of "url"',
    ),
    ("a number with its unit", {"type": "number"}, "1.5px", 'write 1.5, not "1.5px"'),
    ("a fraction with its unit for an integer", {"type": "integer"}, "1.5px", None),
    ("a number with its unit, too large", {"type": "integer", "maximum": 9}, "10 px", None),
    ("a number with leading zeros", {"type": "integer"}, "010px", None),
    (
        "letter case",
        {"pattern": "^https?://"},
        "HTTP://A/",
        'write "http://a/": upper and lower case matter',
    ),
    ("an empty array for an object", {"type": "object"}, [], "write {}, not []"),
    ("an empty array for an object with members", {"type": "object", "minProperties": 1}, [], None),
    ("yes for true", {"type": "boolean"}, "yes", 'write true, not "yes"'),
    ("OFF for false", {"type": "boolean"}, "OFF", 'write false, not "OFF"'),
    ("yes for a number", {"type": "number"}, "yes", None),
    ("a number for text or null", {"type": ["null", "string"]}, 5, 'write "5", not 5'),
    ("inner space", {"pattern": "^\\d+px$"}, "10 px", 'write "10px"'),
    ("the type of a name", {"propertyNames": {"type": "array"}}, {"a": 1}, None),
    ("the type of a name that is JSON", {"propertyNames": {"type": "array"}}, {"[]": 1}, None),
    ("a name that is another value", {"propertyNames": {"enum": [True]}}, {"true": 1}, None),
    (
        "types of a name",
        {"propertyNames": {"anyOf": [{"type": "boolean"}, {"type": "array"}]}},
        {"true": 1},
        None,
    ),
    *(
        (
            f"a misspelled member by which {refusing} is refused",
            {
                "if": {"properties": {"mode": {"const": "basic"}}},
                "then": refusing,
                "definitions": {"none": False},
            },
            {"mod": 1},
            '"mod" may be a misspelling of "mode"',
        )
        for refusing in (
            False,
            {"allOf": [{"title": "x"}, False]},
            {"allOf": [True, {"allOf": [{}, False]}]},
            {"allOf": [{"$ref": "#/definitions/none"}]},
            {"$ref": "#/definitions/none"},
            {"dependencies": {"mod": {"allOf": [False]}}},
        )
    ),
    ("exclusive members", ONE, {"url": 1, "src": 2}, "remove all but one of them"),
]


@pytest.mark.parametrize(
    ("schema", "instance", "hint"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_hints(schema: Any, instance: Any, hint: str | None) -> None:
    [finding] = Validator(schema).check(instance)
    assert finding.hint == hint
    assert finding.fix is None  # these are advice: nothing here is certain
