"""Building: schema, text and what was posted become fields, in tables."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.form_fields import Builder, at, built, sketch
from widgetschema.errors import TooManyFields
from widgetschema.findings import Finding
from widgetschema.forms.model import Control, Field, PostedControls
from widgetschema.jsontext.tree import parse

Json = Any
TEXT: Final[Json] = {"type": "string"}
NUMBER: Final[Json] = {"type": "number"}
FLAG: Final[Json] = {"type": "boolean"}
ENUM: Final[Json] = {"enum": ["a", "b"]}

# Which fields there are

TREE: Final[Json] = {
    "type": "object",
    "properties": {"name": TEXT, "children": {"type": "array", "items": {"$ref": "#"}}},
}
FIELDS: list[tuple[str, Json, Json, list[str]]] = [
    (
        "members in the order of the schema, then others in that of the text",
        {"properties": {"a": TEXT, "b": NUMBER}},
        {"z": 1, "b": 2, "y": 3, "a": "x"},
        ["# object", "#/a text", "#/b number", "#/z alternatives", "#/z;1 number",
         "#/y alternatives", "#/y;1 number"],
    ),
    (
        "absent containers are closed if they may be absent",
        {"properties": {"o": {"properties": {"a": TEXT}}, "l": {"items": TEXT}}},
        {},
        ["# object", "#/o object closed", "#/l list closed"],
    ),
    (
        "absent containers are opened if they must be there",
        {"required": ["o", "l"], "properties": {"o": {"properties": {"a": TEXT}}, "l": {"items": TEXT}}},
        {},
        ["# object", "#/o object", "#/o/a text", "#/l list"],
    ),
    (
        "a recursive part is closed",
        {"required": ["a"], "properties": {"a": {"$ref": "#"}}},
        {},
        ["# object", "#/a object closed"],
    ),
    (
        "a recursive type",
        TREE,
        {"children": [{"name": "x"}, {"children": []}]},
        [
            "# object",
            "#/name text",
            "#/children list",
            "#/children/0 object",
            "#/children/0/name text",
            "#/children/0/children list closed",
            "#/children/1 object",
            "#/children/1/name text",
            "#/children/1/children list",
        ],
    ),
    (
        "a member that must be there, and nothing names",
        {"required": ["x"], "properties": {"a": TEXT}},
        {"x": 1},
        ["# object", "#/a text", "#/x alternatives", "#/x;1 number"],
    ),
    (
        "a forbidden member that is there",
        {"properties": {"a": False, "b": TEXT}, "additionalProperties": False},
        {"c": 1, "a": {"x": 1}},
        ["# object", "#/b text", "#/c json", "#/a json"],
    ),
    ("a forbidden member that is not there", {"properties": {"a": False}}, {}, ["# object"]),
    (
        "patterns apply beside names",
        {"properties": {"ab": {"minLength": 1}}, "patternProperties": {"^a": TEXT, "b$": ENUM}},
        {"ab": "a", "ax": "x", "xb": "a", "q": None},
        ["# object", "#/ab enum", "#/ax text", "#/xb enum", "#/q alternatives", "#/q;5 constant"],
    ),
    (
        "a map",
        {"additionalProperties": {"properties": {"n": NUMBER}}},
        {"de": {"n": 1}, "en": {}},
        ["# object", "#/de object", "#/de/n number", "#/en object", "#/en/n number"],
    ),
    (
        "a tuple shows what is missing",
        {"items": [ENUM, NUMBER, FLAG], "additionalItems": False},
        ["a"],
        ["# tuple", "#/0 enum", "#/1 number", "#/2 boolean"],
    ),
    (
        "a tuple with more items",
        {"items": [ENUM], "additionalItems": NUMBER},
        ["a", 1, "x"],
        ["# tuple", "#/0 enum", "#/1 number", "#/2 number"],
    ),
    (
        "a tuple that says nothing of more items",
        {"items": [ENUM]},
        ["a", [1]],
        ["# tuple", "#/0 enum", "#/1 alternatives", "#/1;3 list", "#/1;3/0 alternatives", "#/1;3/0;1 number"],
    ),
    ("items that must not be", {"type": "array", "items": False}, [1], ["# list", "#/0 json"]),
    (
        "alternatives, the others closed",
        {"oneOf": [TEXT, {"properties": {"a": TEXT}}, {"type": "array", "items": TEXT}]},
        {"a": "x"},
        ["# alternatives", "#;0 text", "#;1 object", "#;1/a text", "#;2 list closed"],
    ),
    (
        "two choices at one place",
        {"allOf": [{"anyOf": [TEXT, NUMBER]}, {"anyOf": [{"format": "date"}, {"pattern": "x"}, FLAG]}]},
        "x",
        ["# alternatives", "#;0 alternatives", "#;0;0 date", "#;0;1 text", "#;1 number"],
    ),
    (
        "alternatives in alternatives that are not chosen",
        {"anyOf": [NUMBER, {"type": "string", "anyOf": [{"format": "date"}, {"format": "time"}]}]},
        1,
        ["# alternatives", "#;0 number", "#;1 alternatives closed"],
    ),
    ("null where a container may be", {"items": TEXT}, None, ["# json"]),
    (
        "null where a container or null may be",
        {"type": ["array", "null"], "items": TEXT},
        None,
        ["# list closed"],
    ),
    ("nothing is allowed", False, {"a": 1}, ["# json"]),
    ("what excludes itself", {"allOf": [TEXT, NUMBER]}, 1, ["# json"]),
    (
        "a condition that holds",
        {"properties": {"m": TEXT}, "if": {"properties": {"m": {"const": "a"}}},
         "then": {"properties": {"x": TEXT}}, "else": {"properties": {"y": TEXT}}},
        {"m": "a"},
        ["# object", "#/m text", "#/x text"],
    ),
    (
        "a condition that does not hold",
        {"properties": {"m": TEXT}, "if": {"properties": {"m": {"const": "a"}}},
         "then": {"properties": {"x": TEXT}}, "else": {"properties": {"y": TEXT}}},
        {"m": "b", "x": 1},
        ["# object", "#/m text", "#/y text", "#/x text"],
    ),
    ("a condition without then", {"type": "string", "if": {"const": "a"}}, "a", ["# text"]),
    (
        "a condition about nothing",
        {"properties": {"o": {"if": {"required": ["a"]}, "then": {"properties": {"a": TEXT}},
                              "else": {"properties": {"b": TEXT}}}}, "required": ["o"]},
        {},
        ["# object", "#/o object", "#/o/b text"],
    ),
    (
        "a condition about a text that is not there",
        {"properties": {"a": {"type": "string", "if": {}, "then": {"format": "date"}}}},
        {},
        ["# object", "#/a text"],
    ),
    (
        "a condition in a condition",
        {"if": True, "then": {"if": {"required": ["a"]}, "then": {"properties": {"x": TEXT}},
                              "else": {"properties": {"y": TEXT}}}},
        {"a": 1},
        ["# object", "#/x text", "#/a alternatives", "#/a;1 number"],
    ),
    (
        "a dependency",
        {"properties": {"a": TEXT}, "dependencies": {"a": {"properties": {"b": TEXT}}, "c": ["d"]}},
        {"a": "x"},
        ["# object", "#/a text", "#/b text"],
    ),
    (
        "a dependency on what is not there",
        {"properties": {"a": TEXT}, "dependencies": {"a": {"properties": {"b": TEXT}}}},
        {},
        ["# object", "#/a text"],
    ),
    (
        "another type",
        {"properties": {"a": TEXT, "l": {"items": TEXT}, "o": {"properties": {"a": TEXT}}}},
        {"a": [1], "l": 5, "o": "x"},
        ["# object", "#/a json", "#/l json", "#/o json"],
    ),
    (
        "odd names",
        {"properties": {"": TEXT, "a/b": TEXT, "~": TEXT, "+1": TEXT, ";0": TEXT}},
        {".": 1, "__proto__": 2, "a\nb": 3, "]": 4, "\0": 5},
        ["# object", "#/ text", "#/a~1b text", "#/~0 text", "#/%2B1 text", "#/%3B0 text",
         *(f"#/{name}{one}" for name in (".", "__proto__", "a%0Ab", "%5D", "%00")
           for one in (" alternatives", ";1 number"))],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "data", "fields"), [row[1:] for row in FIELDS], ids=[row[0] for row in FIELDS]
)
def test_fields(schema: Json, data: Json, fields: list[str]) -> None:
    assert sketch(built(schema, data)) == fields


# What a field shows


def member(schema: Json, data: Json, **more: Any) -> Field:
    """The field of the property `it`; it is not there if `data` is `...`."""
    root = built({"properties": {"it": schema}, **more}, {} if data is ... else {"it": data})
    return at(root, "#/it")


SHOWN: list[tuple[str, Json, Json, tuple[str, str, str]]] = [
    ("a text", TEXT, "x", ("text", "set", "x")),
    ("an empty text", TEXT, "", ("text", "empty", "")),
    ("no text", TEXT, ..., ("text", "unset", "")),
    ("newlines", TEXT, "a\r\nb\rc\nd", ("long-text", "set", "a\nb\nc\nd")),
    ("a number for a text", TEXT, 1, ("text", "kept", "1")),
    ("null for a text", TEXT, None, ("text", "kept", "null")),
    ("null for a text that may be", {"type": ["string", "null"]}, None, ("text", "null", "")),
    ("an object for a text", TEXT, {"a": 1}, ("json", "set", '{"a": 1}')),
    ("what no control can hold", TEXT, "a\0", ("json", "set", '"a\\u0000"')),
    ("a number", NUMBER, 1.50, ("number", "set", "1.5")),
    ("a text for a number", NUMBER, "1", ("number", "kept", '"1"')),
    ("a list for a number", NUMBER, [], ("json", "set", "[]")),
    ("no number", NUMBER, ..., ("number", "unset", "")),
    ("a boolean", FLAG, True, ("boolean", "set", "true")),
    ("no boolean", FLAG, ..., ("boolean", "unset", "unset")),
    ("a text for a boolean", FLAG, "true", ("boolean", "kept", "kept")),
    ("null for a boolean", {"type": ["boolean", "null"]}, None, ("boolean", "null", "null")),
    ("a value", ENUM, "b", ("enum", "set", "1")),
    ("another value", ENUM, "c", ("enum", "kept", "kept")),
    ("an object for a value", ENUM, {"a": []}, ("enum", "kept", "kept")),
    ("null as a value", {"enum": ["a", "b", None]}, None, ("enum", "null", "null")),
    ("a constant", {"const": {"a": 1}}, {"a": 1.0}, ("constant", "set", "0")),
    ("another value for a constant", {"const": 1}, 2, ("constant", "kept", "kept")),
    ("anything", {}, None, ("alternatives", "set", "")),
    ("no object", {"properties": {"a": TEXT}}, ..., ("object", "unset", "")),
    ("null for an object", {"type": ["object", "null"], "properties": {"a": TEXT}}, None,
     ("object", "null", "")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "data", "shown"), [row[1:] for row in SHOWN], ids=[row[0] for row in SHOWN]
)
def test_shown(schema: Json, data: Json, shown: tuple[str, str, str]) -> None:
    field = member(schema, data)
    assert (field.kind, field.shown.state, field.shown.text) == shown
    assert field.shown is field.pristine


def test_tokens_are_shown_as_they_are_written() -> None:
    text = '{\n\t"n": 1.0e3,\n\t"m": 1e400,\n\t"o": {\n\t\t"a": 1.0,\n\t\t"b": []\n\t}\n}'
    root = Builder({"properties": {"n": NUMBER, "m": NUMBER, "o": False}}).build(parse(text))
    assert [child.shown.text for child in root.children] == [
        "1.0e3",
        "1e400",
        '{\n\t"a": 1.0,\n\t"b": []\n}',
    ]


OPTIONAL: Final[Json] = {}
REQUIRED: Final[Json] = {"required": ["it"]}
TO_CHOOSE: list[tuple[str, Json, Json, Json, tuple[str, ...]]] = [
    ("text", TEXT, "x", OPTIONAL, ("unset", "empty", "set")),
    ("text that must be there", TEXT, "x", REQUIRED, ()),
    ("text that is missing", TEXT, ..., REQUIRED, ("unset", "empty", "set")),
    ("text or null", {"type": ["string", "null"]}, "x", REQUIRED, ("null", "empty", "set")),
    ("text that is a number", TEXT, 1, REQUIRED, ("empty", "set", "kept")),
    ("number", NUMBER, 1, OPTIONAL, ()),
    ("number or null", {"type": ["number", "null"]}, 1, OPTIONAL, ("unset", "null", "set")),
    ("number that must be there", NUMBER, 1, REQUIRED, ()),
    ("number that is a text", NUMBER, "1", OPTIONAL, ()),
    ("JSON", {}, 1, OPTIONAL, ()),
    ("list", {"items": TEXT}, [], OPTIONAL, ("unset", "set")),
    ("list that must be there", {"items": TEXT}, [], REQUIRED, ()),
    ("list that is missing", {"items": TEXT}, ..., REQUIRED, ("unset", "set")),
    ("list or null", {"type": ["array", "null"], "items": TEXT}, [], REQUIRED, ("null", "set")),
    ("alternatives", {"type": ["string", "number"]}, 1, OPTIONAL, ()),
    ("a choice", ENUM, "a", OPTIONAL, ()),
]


@pytest.mark.parametrize(
    ("schema", "data", "more", "states"),
    [row[1:] for row in TO_CHOOSE],
    ids=[row[0] for row in TO_CHOOSE],
)
def test_states(schema: Json, data: Json, more: Json, states: tuple[str, ...]) -> None:
    assert member(schema, data, **more).states == states


CHOICES: list[tuple[str, Json, Json, Json, list[str]]] = [
    ("a boolean", FLAG, True, OPTIONAL, ["unset", "true", "false"]),
    ("a boolean that must be there is a checkbox", FLAG, True, REQUIRED, ["true", "false"]),
    ("a boolean that is missing", FLAG, ..., REQUIRED, ["true", "false"]),
    ("a boolean that is a text", FLAG, "true", REQUIRED, ["true", "false", "kept"]),
    ("a boolean or null", {"type": ["boolean", "null"]}, True, REQUIRED, ["true", "false", "null"]),
    ("an enum", ENUM, "a", OPTIONAL, ["unset", "0", "1"]),
    ("an enum that must be there", ENUM, "a", REQUIRED, ["0", "1"]),
    ("radio buttons just have none checked", ENUM, ..., REQUIRED, ["0", "1"]),
    ("a list to select from has to show nothing", {"enum": [1, 2, 3, 4, 5, 6]}, ..., REQUIRED,
     ["unset", "0", "1", "2", "3", "4", "5"]),
    ("another value", ENUM, "c", OPTIONAL, ["unset", "0", "1", "kept"]),
    ("an enum with null", {"enum": ["a", None, "b"]}, "a", OPTIONAL, ["unset", "0", "1", "null"]),
    ("a constant", {"const": 1}, 1, REQUIRED, ["0"]),
    ("a constant that may be absent", {"const": 1}, 1, OPTIONAL, ["unset", "0"]),
    ("a constant that is missing", {"const": 1}, ..., REQUIRED, ["unset", "0"]),
    ("another constant", {"const": 1}, 2, REQUIRED, ["0", "kept"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "data", "more", "ids"), [row[1:] for row in CHOICES], ids=[row[0] for row in CHOICES]
)
def test_choices(schema: Json, data: Json, more: Json, ids: list[str]) -> None:
    assert [choice.id for choice in member(schema, data, **more).choices] == ids


def test_a_value_that_is_kept_is_shown() -> None:
    field = member(ENUM, {"a": 1})
    assert field.choices[-1][:3] == ("kept", '{"a": 1} (kept)', '{"a": 1}')


ROWS: list[tuple[str, Json, Json, list[str]]] = [
    ("by the name of the list", {"items": TEXT}, ["a", "b"], ["It 1", "It 2"]),
    ("by the title of the item", {"items": {**TEXT, "title": "Slide"}}, ["a"], ["Slide 1"]),
    ("in the singular", {"title": "Days", "items": TEXT}, ["a"], ["Day 1"]),
    ("tuples", {"items": [TEXT, {**NUMBER, "title": "Size"}]}, [], ["It 1", "Size"]),
    ("maps by their names", {"additionalProperties": TEXT}, {"en-US": "x", "": "y"},
     ["en-US", "(empty name)"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "data", "said"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_labels_of_rows(schema: Json, data: Json, said: list[str]) -> None:
    assert [child.label for child in member(schema, data).children] == said


def test_rows_of_rows_are_told_apart() -> None:
    root = built({"title": "Rows", "items": {"type": "array", "items": TEXT}}, [["a"], ["b", "c"]])
    labels = [field.label for field in root.walk()]
    assert labels == ["Rows", "Row 1", "Row 1.1", "Row 2", "Row 2.1", "Row 2.2"]


# Names, paths, ids


def test_names_and_paths_are_those_in_the_whole_text() -> None:
    tree = parse(json.dumps({"id": 1, "data": {"a/b": {"c": ["x"]}}}))
    builder = Builder({"properties": {"a/b": {"properties": {"c": {"items": TEXT}}}}})
    root = builder.build(tree, at="/data")
    assert [(field.name, field.path, field.id) for field in root.walk()] == [
        ("#/data", "/data", "ws-data"),
        ("#/data/a~1b", "/data/a~1b", "ws-data-a_7E1b"),
        ("#/data/a~1b/c", "/data/a~1b/c", "ws-data-a_7E1b-c"),
        ("#/data/a~1b/c/0", "/data/a~1b/c/0", "ws-data-a_7E1b-c-0"),
    ]
    with pytest.raises(LookupError):
        builder.build(tree, at="/nothing", result=None)


def test_alternatives_that_are_not_chosen_are_at_no_path() -> None:
    root = built({"anyOf": [TEXT, {"properties": {"a": TEXT}}]}, {"a": "x"})
    assert [field.path for field in root.walk()] == ["", None, "", "/a"]
    assert at(root, "#;0").original is None
    assert at(root, "#;1").original is root.original


def test_fields_know_their_members() -> None:
    root = built({"properties": {"a": TEXT}}, {"b": 1, "a": "x"})
    a, b = root.children
    assert (a.row, a.has_key, a.shown.key) == ("", False, "")
    assert (b.row, b.has_key, b.shown.key) == ("b", True, "b")
    assert a.member is not None
    assert a.member.name == "a"
    assert b.member is not None
    assert b.member.element is b.original
    assert root.shown.rows == ("b",)


# What was posted

NAMED: Final[Json] = {"properties": {"a": TEXT, "n": NUMBER, "f": FLAG, "e": ENUM}}
SETS: Final[Json] = {"a": "x", "n": 1, "f": True, "e": "a"}
POSTED: list[tuple[str, Json, PostedControls, str, tuple[str, str]]] = [
    ("nothing", SETS, {}, "a", ("set", "x")),
    ("a text", SETS, {"#/a": ["y\r\nz", "no"]}, "a", ("set", "y\nz")),
    ("no text", SETS, {"#/a": [""]}, "a", ("set", "")),
    ("no values at all", SETS, {"#/a": []}, "a", ("set", "x")),
    ("a state", SETS, {"state#/a": ["unset"], "#/a": ["x"]}, "a", ("unset", "x")),
    ("a state that cannot be", SETS, {"state#/a": ["null"]}, "a", ("set", "x")),
    ("a state that there is not", SETS, {"state#/a": ["<b>"]}, "a", ("set", "x")),
    ("typing sets", {}, {"state#/a": ["unset"], "#/a": ["y"]}, "a", ("set", "y")),
    ("the same text sets nothing", {}, {"state#/a": ["unset"], "#/a": [""]}, "a", ("unset", "")),
    ("a number", SETS, {"#/n": [" 1,5"]}, "n", ("set", " 1,5")),
    ("a boolean", SETS, {"#/f": ["false"]}, "f", ("set", "false")),
    ("no boolean", SETS, {"#/f": ["unset"]}, "f", ("unset", "unset")),
    ("a checkbox", SETS, {"present#/f": ["1"]}, "f", ("set", "false")),
    (
        "a checked checkbox",
        {"f": False},
        {"present#/f": ["1"], "#/f": ["on"]},
        "f",
        ("set", "true"),
    ),
    ("a value", SETS, {"#/e": ["1"]}, "e", ("set", "1")),
    ("no value", SETS, {"#/e": ["unset"]}, "e", ("unset", "unset")),
    ("an id that there is not", SETS, {"#/e": ["x" * 500]}, "e", ("set", "x" * 100)),
]


@pytest.mark.parametrize(
    ("data", "posted", "name", "shown"), [row[1:] for row in POSTED], ids=[row[0] for row in POSTED]
)
def test_posted(data: Json, posted: PostedControls, name: str, shown: tuple[str, str]) -> None:
    root = Builder(NAMED).build(data, posted)
    field = at(root, f"#/{name}")
    assert (field.shown.state, field.shown.text) == shown
    assert field.pristine == at(built(NAMED, data), f"#/{name}").pristine


def test_a_text_with_newlines_needs_lines() -> None:
    assert at(Builder(NAMED).build(SETS, {"#/a": ["y\nz"]}), "#/a").kind == "long-text"


def test_a_constant_alone_cannot_be_chosen() -> None:
    assert Builder({"const": 1}).build(1, {"#": ["x"]}).shown == Control("set", "0")


LIST: Final[Json] = {"properties": {"it": {"items": {"properties": {"a": TEXT}}}}}
THREE: Final[Json] = {"it": [{"a": "0"}, {"a": "1"}, {"a": "2"}]}
ORDERS: list[tuple[str, str, list[tuple[str, str | None, str, str]]]] = [
    ("moved", "2,0,1", [("2", "/it/0", "2", "It 1"), ("0", "/it/1", "0", "It 2"),
                        ("1", "/it/2", "1", "It 3")]),
    ("removed", "2", [("2", "/it/0", "2", "It 1")]),
    ("all removed", "", []),
    ("added", "0,+3", [("0", "/it/0", "0", "It 1"), ("+3", "/it/1", "", "It 2")]),
    ("foreign and doubled", "1,7,-1,+0,1,x,,+x,01", [("1", "/it/0", "1", "It 1")]),
]  # fmt: skip


@pytest.mark.parametrize(("order", "rows"), [row[1:] for row in ORDERS], ids=[r[0] for r in ORDERS])
def test_rows(order: str, rows: list[tuple[str, str | None, str, str]]) -> None:
    root = Builder(LIST).build(THREE, {"order#/it": [order]})
    field = at(root, "#/it")
    assert field.pristine.rows == ("0", "1", "2")
    assert field.shown.rows == tuple(row[0] for row in rows)
    found = [
        (child.row, child.path, child.children[0].shown.text, child.label)
        for child in field.children
    ]
    assert found == rows
    assert [child.needs_value for child in field.children] == [row[0][:1] == "+" for row in rows]


FORCED: list[tuple[str, Json, Control]] = [
    ("text", TEXT, Control("empty")),
    ("text or null", {"type": ["string", "null"]}, Control("empty")),
    ("number", NUMBER, Control("set")),
    ("boolean", FLAG, Control("unset", "unset")),
    ("enum", ENUM, Control("unset", "unset")),
    ("constant", {"const": 1}, Control("set", "0")),
    ("object", {"properties": {"a": TEXT}}, Control("set")),
    ("list", {"items": TEXT}, Control("set")),
    ("alternatives", {"type": ["string", "number"]}, Control("unset")),
]


@pytest.mark.parametrize(
    ("schema", "shown"), [row[1:] for row in FORCED], ids=[r[0] for r in FORCED]
)
def test_a_new_row_has_a_value_from_the_start(schema: Json, shown: Control) -> None:
    builder = Builder({"items": schema})
    root = builder.build([], {"order#": ["+1"]})
    [row] = root.children
    assert row.needs_value
    assert row.opened
    assert row.shown == shown
    assert (row.pristine.state == "unset") == (row.original is None)
    assert "unset" not in row.states


def test_rows_beyond_the_limit_are_refused() -> None:
    posted = {"order#": [",".join(f"+{number}" for number in range(1, 30_000))]}
    with pytest.raises(TooManyFields):
        Builder({"items": TEXT}).build([], posted)
    posted = {"order#": [",".join(f"+{number}" for number in range(1, 15_000))]}
    with pytest.raises(TooManyFields):
        Builder({"items": NAMED}).build([], posted)


MAP: Final[Json] = {"properties": {"x": TEXT}, "additionalProperties": NUMBER}


def test_members_are_added_renamed_and_removed() -> None:
    posted: PostedControls = {
        "order#": ["c,+1,a"],
        "name#/a": ["A\r\nB"],
        "name#/+1": ["new/1"],
        "#/+1": ["5"],
        "name#/x": ["y"],
    }
    root = Builder(MAP).build({"a": 1, "b": 2, "c": 3, "x": ""}, posted)
    assert [(child.name, child.path, child.shown.key) for child in root.children] == [
        ("#/x", "/x", ""),
        ("#/c", "/c", "c"),
        ("#/+1", "/new~11", "new/1"),
        ("#/a", "/A\nB", "A\nB"),
    ]
    new, renamed = root.children[2:]
    assert new.needs_value
    assert new.member is None
    assert new.label == "new/1"
    assert new.pristine.key == ""
    assert renamed.pristine.key == "a"
    assert renamed.member is not None
    assert root.pristine.rows == ("a", "b", "c")


def test_a_new_member_has_the_type_of_others() -> None:
    patterns = {"patternProperties": {"^n": NUMBER}, "additionalProperties": False}
    kinds = [
        Builder(schema).build({}, {"order#": ["+1"]}).children[-1].kind
        for schema in (MAP, patterns, {**patterns, "patternProperties": {"^n": NUMBER, "^t": TEXT}})
    ]
    assert kinds == ["number", "number", "alternatives"]
    label = Builder(MAP).build({}, {"order#": ["+1"]}).children[1].label
    assert label == "New entry"


OPENS: list[tuple[str, PostedControls, bool]] = [
    ("nothing", {}, False),
    ("the button", {"open#/o": ["1"]}, True),
    ("a state", {"state#/o": ["set"]}, True),
    ("the same state", {"state#/o": ["unset"]}, False),
    ("what is below", {"#/o/a": [""]}, True),
    ("something about what is below", {"state#/o/a": ["unset"]}, True),
    ("its neighbour", {"#/oo/a": ["x"]}, False),
    ("rows", {"order#/o": ["+1"]}, True),
    ("no rows", {"order#/o": [""]}, False),
]


@pytest.mark.parametrize(
    ("posted", "opened"), [row[1:] for row in OPENS], ids=[r[0] for r in OPENS]
)
def test_parts_are_opened_on_demand(posted: PostedControls, opened: bool) -> None:
    schema = {"properties": {"o": {"properties": {"a": TEXT}, "additionalProperties": TEXT}}}
    field = at(Builder(schema).build({}, posted), "#/o")
    assert field.opened is opened
    assert bool(field.children) is opened


def test_parts_are_opened_one_by_one() -> None:
    part = {"properties": {"a": TEXT}}
    root = Builder({"properties": {"o": part, "p": part, "q": part}}).build({}, {"#/p/a": ["x"]})
    assert [child.opened for child in root.children] == [False, True, False]


BOTH: Final[Json] = {"properties": {"it": {"anyOf": [TEXT, {"properties": {"a": TEXT}}]}}}


def test_another_alternative_is_forced_and_the_draft_of_the_first_stays() -> None:
    posted = {"kind#/it": ["1"], "#/it;0": ["draft"]}
    field = at(Builder(BOTH).build({"it": "x"}, posted), "#/it")
    text, group = field.children
    assert (field.pristine.chosen, field.shown.chosen) == (0, 1)
    assert (text.path, text.shown.text, text.needs_value) == (None, "draft", False)
    assert (group.path, group.needs_value, group.opened, group.shown.state) == (
        "/it",
        True,
        True,
        "set",
    )
    assert group.children[0].path == "/it/a"


@pytest.mark.parametrize("index", ["2", "-1", "x", "", "٣", "1" * 5000])
def test_an_alternative_that_there_is_not(index: str) -> None:
    assert at(Builder(BOTH).build({"it": "x"}, {"kind#/it": [index]}), "#/it").shown.chosen == 0


def test_a_draft_opens_an_alternative_that_is_not_chosen() -> None:
    field = at(Builder(BOTH).build({"it": "x"}, {"#/it;1/a": ["draft"]}), "#/it")
    assert field.children[1].children[0].shown.text == "draft"
    assert field.children[1].children[0].path is None


# Conditions and what was posted

MODES: Final[Json] = {
    "properties": {"mode": ENUM},
    "additionalProperties": True,
    "if": {"properties": {"mode": {"const": "a"}}},
    "then": {"properties": {"x": TEXT}},
}


def test_the_condition_of_the_result_decides() -> None:
    builder = Builder(MODES)
    root = builder.build({"mode": "b", "x": "y"}, {"#/mode": ["0"]}, result={"mode": "a", "x": "y"})
    assert sketch(root) == ["# object", "#/mode enum", "#/x text"]


# What is too much


def test_of_what_is_too_much_the_rest_is_json() -> None:
    schema = {"properties": {"a": {"items": TEXT}, "b": {"items": TEXT}, "c": {"items": TEXT}}}
    data = {"a": ["x"] * 1_500, "b": ["x"] * 600, "c": ["x"] * 100}
    builder = Builder(schema)
    tree = parse(json.dumps(data))
    root = builder.build(tree)
    assert [child.kind for child in root.children] == ["list", "list", "list"]
    *rows, rest = root.children[1].children
    assert len(rows) > 200
    assert (rest.kind, rest.is_rest, len(rest.rest)) == ("json", True, 600 - len(rows))
    assert rest.note.startswith("This form has no room for more fields")
    assert len(root.children[2].children) == 100
    # It does not depend on what is posted: rows may go, and others come.
    posted = {"order#/a": [""], "order#/c": [",".join(f"+{n}" for n in range(1, 900))]}
    again = Builder(schema).build(parse(json.dumps(data)), posted)
    original = again.children[1].original
    assert original is not None
    assert again.children[1].children[-1].rest == original.items[len(rows) :]
    assert len(again.children[2].children) == 899


def test_of_a_whole_that_is_too_much_the_rest_is_json() -> None:
    root = built({"additionalProperties": TEXT}, {f"m{n}": "x" for n in range(2_500)})
    assert (root.kind, len(root.children)) == ("object", 1_999)
    assert len(root.children[-1].rest) == 502


def test_many_alternatives() -> None:
    many = {"oneOf": [{"const": {"a": n}} for n in range(300)] + [TEXT]}
    root = built({"items": many}, ["x"] * 30)
    kinds = [child.kind for child in root.children]
    assert kinds[0] == "alternatives"
    assert kinds[-1] == "json"
    crowd = {"anyOf": [{"properties": {f"m{n}": TEXT}} for n in range(600)]}
    root = built(crowd, {})
    assert root.kind == "json"
    assert root.note == "Shown as code (JSON), because there are too many kinds to choose from"


@pytest.mark.parametrize(
    ("schema", "note"),
    [
        (False, "Nothing can be entered here"),
        ({"allOf": [TEXT, NUMBER]}, "Nothing can be entered here"),
        ({"enum": []}, "Nothing can be entered here"),
    ],
    ids=repr,
)
def test_why_it_is_json(schema: Json, note: str) -> None:
    root = built(schema, {})
    assert (root.kind, root.note) == ("json", note)


def test_deep_data_is_json() -> None:
    data: Json = {}
    for _ in range(60):
        data = {"children": [data]}
    root = built(TREE, data)
    deepest = list(root.walk())[-1]
    assert max(field.name.count("/") for field in root.walk()) == 24
    jsons = [field for field in root.walk() if field.kind == "json"]
    assert [field.note for field in jsons] == [
        "Shown as code (JSON), because it has more levels than a form can show"
    ]
    assert deepest.name.startswith("#/children/0")


# Findings

FOUND: list[tuple[str, Json, Json, list[tuple[str, str]]]] = [
    ("at its path", NAMED, {"n": "x"}, [("#/n", "type")]),
    ("about a member that is missing", {**NAMED, "required": ["a", "n"]}, {"n": 1},
     [("#/a", "required")]),
    ("about a member that no field shows", {"dependencies": {"a": ["b"]}, "properties": {"a": TEXT, "b": False}},
     {"a": "x"}, [("#", "dependencies")]),
    ("inside of JSON", {"properties": {"o": {"additionalProperties": {"$ref": "#/properties/o"},
                                             "maxProperties": 1}}},
     {"o": {"a": {"b": {}, "c": {}}}}, [("#/o/a", "maxProperties")]),
    ("below what is shown as JSON", {"properties": {"l": {"type": "array", "items": NAMED}}}, {"l": {}},
     [("#/l", "type")]),
    ("about a choice", {"properties": {"it": {"anyOf": [TEXT, NUMBER]}}}, {"it": []},
     [("#/it", "anyOf")]),
    ("in an alternative", {"properties": {"it": {"oneOf": [{"type": "object", "properties":
     {"k": {"const": 1}, "a": TEXT}}, {"type": "array", "items": TEXT}]}}}, {"it": {"k": 1, "a": 2}},
     [("#/it;0/a", "type")]),
    ("about a member that must not be", {**NAMED, "additionalProperties": False}, {"z": 1},
     [("#/z", "additionalProperties")]),
    ("about rows", {"items": TEXT, "maxItems": 1}, ["a", 1], [("#", "maxItems"), ("#/1", "type")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "data", "places"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND]
)
def test_findings(schema: Json, data: Json, places: list[tuple[str, str]]) -> None:
    schema = {"type": "array" if isinstance(data, list) else "object", **schema}
    builder = Builder(schema)
    findings = builder.validator.check(data).findings
    root = builder.build(data, findings=findings)
    found = [(field.name, one.keyword) for field in root.walk() for one in field.findings]
    assert found == places


def test_findings_that_belong_to_nothing_are_left_out() -> None:
    root = Builder(NAMED).build(
        {"data": {"n": 1}, "z": 1},
        at="/data",
        findings=[Finding("type", "/z", "", "x"), Finding("type", "/data/n/x", "", "y")],
    )
    assert [(f.name, len(f.findings)) for f in root.walk() if f.findings] == [("#/data/n", 1)]


def test_fields_are_used_again_where_nothing_was_posted() -> None:
    item = {"type": "object", "properties": {"title": {"type": "string", "minLength": 3}}}
    schema = {"type": "object", "properties": {"rows": {"type": "array", "items": item}}}
    data = {"rows": [{"title": "one"}, {"title": "two"}, {"title": "x"}]}
    builder = Builder(schema)
    source = builder.source(data)
    untouched = source.build(None, data).children[0].children
    [rows] = source.build({"#/rows/1/title": ["TWO"]}, data).children
    assert [a is b for a, b in zip(rows.children, untouched, strict=True)] == [True, False, True]
    assert rows.children[1].children[0].shown.text == "TWO"
    findings = builder.validator.check(data).findings
    [rows] = source.build({}, data, findings).children
    assert [a is b for a, b in zip(rows.children, untouched, strict=True)] == [True, True, False]
    [rows] = source.build({"order#/rows": ["0,2,1"]}, data).children
    assert [row.path for row in rows.children] == ["/rows/0", "/rows/1", "/rows/2"]
    assert [row in untouched for row in rows.children] == [True, False, False]
