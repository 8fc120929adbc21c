"""Shapes: what a schema says of a place, in a table of schemas."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.form_fields import Builder, at, built
from tests.posting import forms_of
from widgetschema.forms.fields.control_kinds import kind_for_value, kind_of_text
from widgetschema.forms.fields.field_specs import MAX_SPECS
from widgetschema.forms.model import Field, Shape
from widgetschema.schema.linking import link
from widgetschema.schema.tree import SchemaTree

Json = Any
TEXT: Json = {"type": "string"}
NUMBER: Json = {"type": "number"}
FLAG: Json = {"type": "boolean"}


def shape(schema: Json, data: Json = None) -> Shape:
    """The shape of the property `it` of an object; it is not there if `data` is None."""
    root = built({"properties": {"it": schema}}, {} if data is None else {"it": data})
    return at(root, "#/it").shape


# Kinds

KINDS: list[tuple[str, Json, str]] = [
    ("a text", TEXT, "text"),
    ("a number", NUMBER, "number"),
    ("an integer", {"type": "integer"}, "integer"),
    ("integer or number is a number", {"type": ["integer", "number"]}, "number"),
    ("both demanded is an integer", {"allOf": [{"type": "integer"}, NUMBER]}, "integer"),
    ("a boolean", FLAG, "boolean"),
    ("both booleans", {"enum": [True, False]}, "boolean"),
    ("one boolean", {"enum": [True]}, "constant"),
    ("const", {"const": 3}, "constant"),
    ("const null", {"const": None}, "constant"),
    ("type null", {"type": "null"}, "constant"),
    ("an enum of one", {"enum": ["a"]}, "constant"),
    ("an enum of one, or null", {"enum": ["a", None]}, "enum"),
    ("an enum", {"enum": ["a", "b"]}, "enum"),
    ("an enum of objects", {"enum": [{"a": 1}, {"a": 2}]}, "enum"),
    ("an enum and a const", {"enum": ["a", "b"], "const": "b"}, "constant"),
    ("an enum and a type", {"enum": ["a", 1, 2], "type": "number"}, "enum"),
    ("an enum that excludes itself", {"enum": ["a"], "not": {"const": "a"}}, ""),
    ("consts with titles", {"oneOf": [{"const": 1, "title": "One"}, {"const": 2}]}, "enum"),
    ("enums together", {"anyOf": [{"enum": ["a", "b"]}, {"const": "c"}]}, "enum"),
    ("an open enum", {"anyOf": [{"enum": ["a", "b"]}, TEXT]}, "alternatives"),
    ("one of one", {"oneOf": [TEXT]}, "text"),
    ("a list", {"type": "array", "items": TEXT}, "list"),
    (
        "any of some values",
        {"type": "array", "uniqueItems": True, "items": {"enum": ["a"]}},
        "checkboxes",
    ),
    ("values that may be the same", {"type": "array", "items": {"enum": ["a", "b"]}}, "list"),
    (
        "any of very many values",
        {"type": "array", "uniqueItems": True, "items": {"enum": list(range(61))}},
        "list",
    ),
    ("a list of lists", {"type": "array", "items": {"type": "array", "items": TEXT}}, "list"),
    ("a list of nothing", {"type": "array", "items": False}, "list"),
    ("a list of anything", {"type": "array"}, "alternatives"),
    ("a list of anything, said", {"type": "array", "items": {}}, "alternatives"),
    ("a tuple", {"type": "array", "items": [TEXT, NUMBER]}, "tuple"),
    ("a tuple and nothing else", {"items": [TEXT], "additionalItems": False}, "tuple"),
    ("an object", {"type": "object", "properties": {"a": TEXT}}, "object"),
    ("a map", {"type": "object", "additionalProperties": TEXT}, "object"),
    ("names by a pattern", {"patternProperties": {"^a": TEXT}}, "object"),
    ("required alone", {"required": ["a"]}, "object"),
    ("an empty object", {"type": "object", "additionalProperties": False}, "object"),
    ("a free-form object", {"type": "object"}, "alternatives"),
    ("a free-form object, said", {"type": "object", "additionalProperties": True}, "alternatives"),
    ("a free-form object with a count", {"type": "object", "minProperties": 1}, "alternatives"),
    ("anything", {}, "alternatives"),
    ("true", True, "alternatives"),
    ("false", False, ""),
    (
        "all types",
        {"type": ["null", "boolean", "number", "string", "array", "object"]},
        "alternatives",
    ),
    ("nothing is left", {"allOf": [TEXT, NUMBER]}, ""),
    ("no type, but members", {"properties": {"a": TEXT}}, "object"),
    ("no type, but a length", {"maxLength": 3}, "text"),
    ("no type, but a bound", {"minimum": 3}, "number"),
    ("no type, but two things", {"minimum": 3, "minLength": 2}, "alternatives"),
    ("two types", {"type": ["integer", "string"]}, "alternatives"),
    ("a type or null", {"type": ["string", "null"]}, "text"),
    ("any of a type and null", {"anyOf": [{"type": "null"}, NUMBER]}, "number"),
    ("two types or null", {"anyOf": [TEXT, {"type": "null"}, NUMBER]}, "alternatives"),
    ("branches that only demand", {"type": "string", "anyOf": [{"minLength": 1}, {}]}, "text"),
    (
        "branches that ask for members",
        {"properties": {"a": TEXT, "b": TEXT}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        "object",
    ),
    (
        "branches with the same members",
        {"anyOf": [{"properties": {"a": TEXT}}, {"properties": {"a": {"minLength": 1}}}]},
        "object",
    ),
    (
        "branches with other members",
        {"anyOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}]},
        "alternatives",
    ),
    (
        "branches with members of another type",
        {"oneOf": [{"properties": {"a": TEXT}}, {"properties": {"a": NUMBER}}]},
        "alternatives",
    ),
    (
        "lists of other things",
        {"oneOf": [{"type": "array", "items": TEXT}, {"type": "array", "items": NUMBER}]},
        "alternatives",
    ),
    ("formats", {"anyOf": [TEXT, {"type": "string", "format": "date"}]}, "alternatives"),
    ("impossible branches", {"type": "string", "anyOf": [NUMBER, FLAG, TEXT]}, "text"),
    ("no possible branch", {"type": "string", "anyOf": [NUMBER, FLAG]}, ""),
    ("null alone is possible", {"type": ["null"], "anyOf": [{"type": "null"}, TEXT]}, "constant"),
    ("a branch in allOf", {"allOf": [{"anyOf": [TEXT, NUMBER]}]}, "alternatives"),
    ("what is refused", {"type": "string", "not": {"maxLength": 3}}, "text"),
    ("date-time", {"type": "string", "format": "date-time"}, "date-time"),
    ("date", {"type": "string", "format": "date"}, "date"),
    ("time", {"type": "string", "format": "time"}, "time"),
    ("email", {"type": "string", "format": "idn-email"}, "email"),
    ("uri", {"type": "string", "format": "uri-reference"}, "url"),
    ("another format", {"type": "string", "format": "ipv4"}, "text"),
    ("css", {"type": "string", "contentMediaType": "text/css"}, "css"),
    ("other content", {"type": "string", "contentMediaType": "text/html"}, "long-text"),
    ("much text", {"type": "string", "maxLength": 5000}, "long-text"),
    (
        "a reference",
        {"$ref": "#/properties/it/definitions/x", "definitions": {"x": FLAG}},
        "boolean",
    ),
]


@pytest.mark.parametrize(("schema", "kind"), [row[1:] for row in KINDS], ids=[r[0] for r in KINDS])
def test_kind(schema: Json, kind: str) -> None:
    root = built({"type": "object", "properties": {"it": schema}}, {})
    fields = [field.kind for field in root.walk() if field.name == "#/it"]
    assert fields == ([kind] if kind else []), "what can never be there is not shown"


NAMES: list[tuple[str, str]] = [
    ("customCSS", "css"),
    ("cardsBorderColor", "colour"),
    ("containerBg", "colour"),
    ("colors", "colour"),
    ("colorPrimary", "colour"),
    ("colour2", "colour"),
    ("colorScheme", "text"),
    ("postButtonLink", "url"),
    ("linkText", "text"),
    ("imageUrl", "url"),
    ("contactEmail", "email"),
    ("postDescription", "long-text"),
    ("title", "text"),
    ("fontId", "text"),
    ("cssCode", "css"),
    ("styleSheet", "css"),
    ("cssClass", "text"),
    ("emailAddress", "email"),
    ("address", "text"),
    ("emailLabel", "text"),
    ("colorOnHover", "colour"),
    ("colorCode", "colour"),
    ("colorTheme", "text"),
    ("colorPalette", "text"),
    ("colorful", "text"),
    ("backgroundImage", "text"),
    ("answer", "long-text"),
    ("bodyText", "long-text"),
    ("embedCode", "long-text"),
    ("customJS", "long-text"),
    ("descriptionLength", "text"),
    ("showDescription", "text"),
    ("isHtml", "text"),
    ("hasUrl", "text"),
    ("", "text"),
    ("42", "text"),
]


@pytest.mark.parametrize(("name", "kind"), NAMES)
def test_kind_of_a_text_by_its_name(name: str, kind: str) -> None:
    tree = SchemaTree(link({"type": "string"}), lambda pattern, name: True)
    assert kind_of_text(tree.root, name) == kind


def test_a_short_description_is_a_line() -> None:
    root = built({"properties": {"description": {"type": "string", "maxLength": 60}}}, {})
    assert at(root, "#/description").kind == "text"


VALUES: list[tuple[str, str, str]] = [
    ("text", "abc", "text"),
    ("text", "two\nlines", "long-text"),
    ("text", "two\rlines", "long-text"),
    ("date-time", "two\nlines", "long-text"),
    ("css", "a {\n}", "css"),
    ("text", "x" * 121, "long-text"),
    ("text", "#1c1c28", "colour"),
    ("text", "#1c1c2880", "colour"),
    ("text", "#add", "text"),
    ("text", "rgba(0, 0, 0, 0.5)", "colour"),
    ("text", "rebeccapurple", "text"),
    ("text", "2027-11-26T00:00:00Z", "date-time"),
    ("text", "2027-11-26T00:00:00.123+05:30", "date-time"),
    ("text", "2027-11-26", "text"),
    ("text", "https://example.com/offers", "url"),
    ("text", "https://example.com/" + "x" * 200, "url"),
    ("long-text", "https://example.com/", "long-text"),
    ("url", "#1c1c28", "url"),
]


@pytest.mark.parametrize(
    ("kind", "text", "shown"), VALUES, ids=[f"{r[0]} {r[1][:20]!r}" for r in VALUES]
)
def test_kind_of_a_text_that_is_there(kind: str, text: str, shown: str) -> None:
    assert kind_for_value(kind, text) == shown


# What else is said

LIMITS: list[tuple[Json, str]] = [
    ({"type": "number", "minimum": 0, "maximum": 100}, "0 to 100"),
    ({"type": "number", "minimum": 0}, "at least 0"),
    ({"type": "number", "exclusiveMinimum": 0}, "more than 0"),
    ({"type": "number", "minimum": 1, "exclusiveMaximum": 2.5}, "at least 1, less than 2.5"),
    ({"type": "integer", "multipleOf": 5, "maximum": 9}, "at most 9, a multiple of 5"),
    ({"type": "string", "maxLength": 10}, "at most 10 characters"),
    ({"type": "string", "minLength": 1}, "at least 1 character"),
    ({"type": "string", "minLength": 2, "maxLength": 2}, "exactly 2 characters"),
    ({"type": "string", "minLength": 2, "maxLength": 6000}, "2 to 6,000 characters"),
    ({"type": "string", "pattern": "^a\n"}, ""),
    ({"type": "string", "pattern": "^[0-9]+$"}, "use only digits"),
    ({"type": "array", "items": TEXT, "maxItems": 7}, "at most 7 items"),
    ({"type": "array", "items": TEXT, "uniqueItems": True}, "no two alike"),
    ({"type": "object", "additionalProperties": TEXT, "minProperties": 1}, "at least 1 entry"),
    ({"allOf": [{"type": "number", "minimum": 1}, {"minimum": 3}]}, "at least 3"),
    # Of several branches, one of which has to hold, no bound is certain.
    ({"anyOf": [{"type": "string", "maxLength": 3}, {"type": "string", "pattern": "a"}]}, ""),
    (
        {"type": "string", "maxLength": 9, "anyOf": [{"maxLength": 3}, {"pattern": "a"}]},
        "at most 9 characters",
    ),
    ({"enum": [1, 2], "minimum": 1}, ""),
    ({"type": "boolean"}, ""),
]


@pytest.mark.parametrize(("schema", "limits"), LIMITS, ids=[row[1] or "none" for row in LIMITS])
def test_bounds_in_words(schema: Json, limits: str) -> None:
    assert shape(schema).limits == limits


def test_what_the_schema_says_beside() -> None:
    said = shape(
        {
            "type": "integer",
            "title": "How many",
            "description": "Columns of the grid.",
            "default": 3,
            "examples": [["no"], None, 4],
        }
    )
    assert (said.label, said.help, said.default, said.example) == (
        "How many",
        "Columns of the grid.",
        "3",
        "4",
    )
    assert not said.required
    assert shape({"type": ["string", "null"], "default": None}).default == "null"
    assert shape({"type": "string", "default": None}).default is None
    assert shape({"type": "string", "format": "date"}).example == "2026-11-27"
    assert shape({"type": "string", "examples": ["\n", "a"]}).example == "a"
    assert shape({"type": "string", "title": " "}).label == "It"


def test_values_that_look_alike_are_told_apart() -> None:
    said = shape({"enum": [1, "1", True, "true", "", {"a": 1}, "x\ny", None]})
    assert [choice.label for choice in said.choices] == [
        "1",
        '"1"',
        "true",
        '"true"',
        "(empty text)",
        '{"a": 1}',
        '"x\\ny"',
    ]
    assert [choice.value for choice in said.choices][:5] == ["1", '"1"', "true", '"true"', '""']
    assert said.nullable
    assert not said.as_radio


@pytest.mark.parametrize(
    ("data", "id"),
    [(1.0, "0"), (1, "0"), ("1", "1"), (True, "2"), ({"b": [], "a": 1.0}, "3"), (2, "kept")],
    ids=repr,
)
def test_which_value_is_there(data: Json, id: str) -> None:
    root = built({"enum": [1, "1", True, {"a": 1, "b": []}, 1.0, "2"]}, data)
    assert root.shown.text == id


def test_five_values_are_radio_buttons_and_six_are_not() -> None:
    assert shape({"enum": [1, 2, 3, 4, 5]}).as_radio
    assert not shape({"enum": [1, 2, 3, 4, 5, 6]}).as_radio


TITLED: list[tuple[str, Json, list[str]]] = [
    ("by position", {"enum": ["s", 2, None], "enumNames": ["Small", "Two"]}, ["Small", "Two"]),
    ("fewer than values", {"enum": ["s", "m", "b"], "enumNames": ["Small"]}, ["Small", "m", "b"]),
    ("no texts", {"enum": ["s", "m"], "enumNames": [1, " "]}, ["s", "m"]),
    ("no list", {"enum": ["s", "m"], "enumNames": "Small"}, ["s", "m"]),
    (
        "alike",
        {"enum": ["s", "m", "b"], "enumNames": ["Size", "Size", "Big"]},
        ["Size (s)", "Size (m)", "Big"],
    ),
    (
        "of a referenced branch",
        {"anyOf": [{"enum": [1, 2], "enumNames": ["One", "Two"]}, {"const": 3, "title": "Three"}]},
        ["One", "Two", "Three"],
    ),
    (
        "of branches beside an enum",
        {"enum": ["s", "b"], "oneOf": [{"const": "b", "title": "Big"}, {"const": "s"}]},
        ["s", "Big"],
    ),
    ("of a boolean", {"type": "boolean", "enumNames": ["On", "Off"]}, ["On", "Off"]),
    (
        "of the branches of a boolean",
        {"type": "boolean", "oneOf": [{"const": False, "title": "Off"}, {"const": True}]},
        ["Yes", "Off"],
    ),
]


@pytest.mark.parametrize(
    ("schema", "labels"), [row[1:] for row in TITLED], ids=[r[0] for r in TITLED]
)
def test_values_are_shown_by_their_titles(schema: Json, labels: list[str]) -> None:
    assert [choice.label for choice in shape(schema).choices] == labels


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["a", "b", None], "enumNames": ["A", "B", "Neither"]},
        {"oneOf": [{"const": "a"}, {"const": "b"}, {"const": None, "title": "Neither"}]},
        {"enum": ["a", "b", None], "oneOf": [{"const": None, "title": "Neither"}, {"enum": ["a"]}]},
    ],
)
def test_null_has_a_title(schema: Json) -> None:
    field = at(built({"properties": {"it": schema}}, {}), "#/it")
    assert [choice.label for choice in field.choices if choice.value == "null"] == ["Neither"]


def test_a_titled_value_stays_the_same_json() -> None:
    schema = {"enum": [1.0, "1", {"a": [1]}], "enumNames": ["Number", "Text", "Group"]}
    forms = forms_of({"properties": {"it": schema}})
    assert forms.form_json("{}").submit({"#/it": "0"}).text == '{"it":1.0}'
    text = '{"it": 1e0}'
    form = forms.form_json(text)
    assert form.field("/it").shown.text == "0"  # type: ignore[union-attr]
    assert form.submit({"#/it": "0"}).text == text
    assert [str(change) for change in form.submit({"#/it": "1"}).changes] == ["It: Number → Text"]


def test_titles_of_branches_are_labels_of_choices() -> None:
    said = shape(
        {"oneOf": [{"const": "s", "title": "Small"}, {"const": "b"}, {"enum": ["x", "y"]}]}
    )
    assert [choice.label for choice in said.choices] == ["Small", "b", "x", "y"]
    assert [choice.id for choice in said.choices] == ["0", "1", "2", "3"]


BRANCHES: list[tuple[str, Json, list[str]]] = [
    (
        "titles",
        {"oneOf": [{**TEXT, "title": "A name"}, {**NUMBER, "title": "A size"}]},
        ["A name", "A size"],
    ),
    (
        "kinds",
        {"anyOf": [TEXT, NUMBER, FLAG, {"type": "array", "items": TEXT}, {}]},
        ["Text", "Number", "Yes or no", "List", "Free-form value"],
    ),
    ("types", {"type": ["integer", "object"]}, ["Whole number", "Free-form group"]),
    (
        "tags",
        {
            "oneOf": [
                {"properties": {"type": {"const": "image"}, "alt": TEXT}},
                {"properties": {"type": {"enum": ["video"]}, "loop": FLAG}},
            ]
        },
        ["image", "video"],
    ),
    (
        "members",
        {
            "anyOf": [
                {"properties": {"id": TEXT, "postTitle": TEXT}},
                {"properties": {"id": TEXT, "link": TEXT}},
            ]
        },
        ["Group with Post title", "Group with Link"],
    ),
    (
        "numbers",
        {"anyOf": [{"required": ["a"], "properties": {"a": TEXT}}, {"properties": {"a": NUMBER}}]},
        ["Group 1", "Group 2"],
    ),
    (
        "formats",
        {"anyOf": [TEXT, {"type": "string", "format": "date-time"}, {}]},
        ["Text", "Date and time", "Free-form value"],
    ),
    ("values", {"anyOf": [{"const": "auto"}, NUMBER]}, ["auto", "Number"]),
    ("looks alike", {"anyOf": [{"maxLength": 3}, {"pattern": "a"}, NUMBER]}, ["Text", "Number"]),
]


@pytest.mark.parametrize(
    ("schema", "said"), [r[1:] for r in BRANCHES], ids=[r[0] for r in BRANCHES]
)
def test_what_alternatives_are_called(schema: Json, said: list[str]) -> None:
    assert [branch.label for branch in shape(schema).branches] == said


CHOSEN: list[tuple[str, Json, Json, int]] = [
    ("the first that accepts it", {"anyOf": [TEXT, {"type": "string", "format": "date"}]}, "x", 0),
    ("not the first of its type", {"anyOf": [{"enum": ["a", "b"]}, TEXT]}, "c", 1),
    ("the first of its type", {"oneOf": [NUMBER, {"type": "string", "format": "date"}]}, "no", 1),
    ("by its type alone", {"type": ["integer", "string"]}, 1.5, 0),
    (
        "the first of its type, if none accepts it",
        {"anyOf": [NUMBER, {"format": "date"}, {"format": "time"}]},
        "x",
        1,
    ),
    ("else the first", {"anyOf": [TEXT, NUMBER]}, [], 0),
    ("anything accepts it", {"anyOf": [TEXT, NUMBER, {}]}, [], 2),
    (
        "one of several that look alike",
        {"anyOf": [{"maxLength": 1}, {"pattern": "x"}, {}]},
        "xx",
        0,
    ),
    ("nothing is there", {"anyOf": [NUMBER, TEXT]}, None, 0),
    (
        "by its tag",
        {
            "oneOf": [
                {"properties": {"type": {"const": "a"}, "x": TEXT}},
                {"properties": {"type": {"const": "b"}, "y": TEXT}},
            ]
        },
        {"type": "b"},
        1,
    ),
]


@pytest.mark.parametrize(
    ("schema", "data", "index"), [row[1:] for row in CHOSEN], ids=[row[0] for row in CHOSEN]
)
def test_which_alternative_is_shown(schema: Json, data: Json, index: int) -> None:
    root = built({"properties": {"it": schema}}, {} if data is None else {"it": data})
    assert at(root, "#/it").shown.chosen == index


# How much work it is


def test_shapes_are_made_once_and_kept_within_bounds() -> None:
    builder = Builder({"additionalProperties": {"type": "string"}})
    one, two = builder.build({"a": "x"}), builder.build({"a": "y"})
    assert one.shape is two.shape
    assert one.children[0].shape is two.children[0].shape
    for start in range(0, 6_000, 1_000):
        builder.build({f"name {start + index}": "x" for index in range(1_000)})
    assert builder.shapes.size <= MAX_SPECS


def visited(schema: Json, data: Json) -> int:
    """Count the functions that are called to build a form."""
    builder = Builder(schema)
    calls = 0

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        builder.build(data)
    finally:
        sys.setprofile(None)
    return calls


def _chain(levels: int, *, inside: bool) -> Json:
    """Definitions, each of which has two ways to the next: at the same place, or in a member."""
    definitions: Json = {f"d{levels}": TEXT}
    for level in range(levels):
        then = {"$ref": f"#/definitions/d{level + 1}"}
        if inside:
            branches: Json = [{"properties": {"x": then}}, {"properties": {"y": then}}]
        else:
            branches = [{"allOf": [then]}, {"allOf": [then], "properties": {f"y{level}": TEXT}}]
        definitions[f"d{level}"] = {"anyOf": branches}
    return {"definitions": definitions, "$ref": "#/definitions/d0"}


def _required(levels: int) -> Json:
    definitions: Json = {f"d{levels}": TEXT}
    for level in range(levels):
        then = {"$ref": f"#/definitions/d{level + 1}"}
        definitions[f"d{level}"] = {"required": ["a", "b"], "properties": {"a": then, "b": then}}
    return {"definitions": definitions, "$ref": "#/definitions/d0"}


def _choices(number: int, *, members: bool) -> Json:
    def branch(name: str) -> Json:
        return {"properties": {name: TEXT}} if members else {"required": [name]}

    choices = [{"anyOf": [branch(f"a{i}"), branch(f"b{i}")]} for i in range(number)]
    return {"type": "object", "allOf": choices}


WORK: list[tuple[str, Json, Json]] = [
    ("alternatives in members", _chain(40, inside=True), {}),
    ("alternatives of alternatives", _chain(12, inside=False), {}),
    ("members that must be there", _required(25), {}),
    ("choices at one place", _choices(20, members=True), {}),
    ("demands at one place", _choices(20, members=False), {}),
    ("many branches", {"items": {"oneOf": [{"const": [i]} for i in range(300)]}}, [[7]] * 20),
]


@pytest.mark.parametrize(("schema", "data"), [row[1:] for row in WORK], ids=[r[0] for r in WORK])
def test_a_small_schema_is_no_endless_form(schema: Json, data: Json) -> None:
    assert visited(schema, data) < 800_000


def _flat(size: int) -> tuple[Json, Json]:
    kinds = [(TEXT, "x"), (NUMBER, 1), (FLAG, True), ({"enum": ["a", "b"]}, "b")]
    properties = {f"m{index}": kinds[index % 4][0] for index in range(size)}
    return {"properties": properties}, {f"m{index}": kinds[index % 4][1] for index in range(size)}


def test_the_work_grows_with_the_fields() -> None:
    few, many = (visited(*_flat(size)) for size in (100, 1_000))
    assert many < 11 * few


def test_fields_are_no_shapes() -> None:
    root: Field = built(TEXT, "x")
    assert root.kind == root.shape.kind == "text"
    assert root.label == "Data"


MOMENT: Json = {"type": "string", "format": "date-time"}
USUAL: list[tuple[list[Json], int | None]] = [
    ([TEXT, MOMENT, {}], 1),
    ([MOMENT, TEXT], 0),
    ([TEXT, {"type": "string", "format": "color"}], 1),
    ([MOMENT, {"type": "string", "format": "date"}], None),  # neither allows what the other does
    ([MOMENT, {"type": "number"}], None),
    ([TEXT, {"enum": ["a", "b"]}], None),
    ([{"type": "object", "properties": {"a": TEXT}}, {}], None),
]


@pytest.mark.parametrize(("branches", "usual"), USUAL)
def test_alternatives_that_are_one_control(branches: list[Json], usual: int | None) -> None:
    schema = {"properties": {"v": {"anyOf": branches}}, "type": "object"}
    [field] = built(schema, {}).children
    assert field.kind == "alternatives"
    assert field.shape.usual == usual


def test_fields_depend_on_data_if_a_condition_was_met() -> None:
    flat: Json = {"properties": {"a": TEXT}}
    condition: Json = {"if": {"required": ["a"]}, "then": {"properties": {"b": NUMBER}}}
    for schema, expected in ((flat, False), ({**flat, **condition}, True)):
        builder = Builder({"properties": {"inner": schema}})
        builder.build({"inner": {"a": "x"}})
        assert builder.shapes.depends_on_data is expected
