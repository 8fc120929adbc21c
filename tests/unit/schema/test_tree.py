"""The schema tree: what all schemas together say of each place, keyword by keyword."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from widgetschema.jsontext.equality import Options
from widgetschema.schema.linking import link
from widgetschema.schema.tree import KINDS, Branch, Limit, Node, SchemaTree

ALL: Final = " ".join(KINDS)
TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}


def matches(pattern: str, name: str) -> bool:
    return re.search(pattern, name) is not None


def root(schema: Any, resources: dict[str, Any] | None = None) -> Node:
    return SchemaTree(link(schema, resources or {}), matches).root


def pointers(node: Node) -> list[str]:
    return [*node.key.pointers]


def without(kinds: str) -> str:
    return " ".join(kind for kind in KINDS if kind not in kinds.split())


def object_of(schema: Any) -> Node:
    """The root, once it is an object: then `dependencies` are choices, too."""
    return root(schema).of_kind("object")


# Any type ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        ({}, ALL),
        (True, ALL),
        (False, ""),
        ({"minLength": 3}, ALL),
        (TEXT, "string"),
        ({"type": ["object", "null"]}, "null object"),
        (WHOLE, "number"),
        ({"type": ["integer", "number"]}, "number"),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["null", "array"]}]}, "null"),
        ({"type": "number", "allOf": [WHOLE]}, "number"),
        ({"allOf": [TEXT, WHOLE]}, ""),
        ({"allOf": [TEXT, False]}, ""),
        ({"const": None}, "null"),
        ({"enum": ["a", 1, 2.5, True]}, "boolean number string"),
        ({"enum": ["a", 1], "type": "string"}, "string"),
        ({"enum": ["a", 1], "type": "null"}, ""),
        ({"enum": [1], "const": True}, ""),
        ({"const": {}, "type": ["object", "array"]}, "object"),
        ({"not": TEXT}, without("string")),
        ({"not": {"type": ["string", "array"]}}, without("string array")),
        ({"not": {"type": ["integer", "null"]}}, without("null")),
        ({"not": {"type": ["integer", "number"]}}, without("number")),
        ({"not": {}}, ""),
        ({"not": True}, ""),
        ({"not": False}, ALL),
        ({"not": {"title": "says nothing"}}, ""),
        ({"enum": ["a", 1], "not": {"const": "a"}}, "number"),
        ({"enum": ["a", 1], "not": TEXT}, "number"),
    ],
)
def test_kinds(schema: Any, kinds: str) -> None:
    assert " ".join(root(schema).kinds) == kinds


@pytest.mark.parametrize(
    ("schema", "integer"),
    [
        ({}, False),
        (WHOLE, True),
        ({"type": "number"}, False),
        ({"type": ["integer", "number"]}, False),
        ({"type": ["integer", "null"]}, True),
        ({"type": "number", "allOf": [WHOLE]}, True),
        ({"not": WHOLE}, False),
    ],
)
def test_integers(schema: Any, integer: bool) -> None:
    assert root(schema).integer is integer


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (TEXT, None),
        ({"const": None}, (None,)),
        ({"enum": [3, "b", None, 1]}, (3, "b", None, 1)),
        ({"enum": [3, 2, 1], "allOf": [{"enum": [1, 5, 2, 6]}]}, (2, 1)),
        ({"enum": [3, 2, 1], "const": 2}, (2,)),
        ({"enum": [3, 2, 1], "const": 4}, ()),
        ({"enum": [3, 2, 1], "not": {"const": 2}}, (3, 1)),
        ({"enum": [3, 2, 1], "not": {"enum": [1, 3]}}, (2,)),
        ({"enum": [1, True, "1"], "not": {"const": 1}}, (True, "1")),
        ({"enum": [1, True, "1"], "not": {"const": True}}, (1, "1")),
        ({"enum": [1, True], "not": {"const": 1.0}}, (True,)),
        ({"enum": [1, 0], "allOf": [{"enum": [True, False, 2]}]}, ()),
        ({"enum": [1], "allOf": [{"enum": [1.0, 2]}]}, (1,)),
        ({"enum": [1.0], "allOf": [{"enum": [1, 2]}]}, (1.0,)),
        ({"enum": [{"a": 1, "b": 2}, [1]], "const": {"b": 2.0, "a": 1}}, ({"b": 2.0, "a": 1},)),
        ({"enum": ["a", 1, None], "type": ["null", "string"]}, ("a", None)),
        ({"enum": ["a", 1, None], "not": TEXT}, (1, None)),
        ({"enum": ["a", 1], "not": {"enum": ["a", 1], "type": "string"}}, (1,)),
        ({"enum": [1, 2], "not": {"enum": [1, 2], "const": 1}}, (2,)),
        ({"enum": ["a", 1], "allOf": [False]}, ()),
    ],
)
def test_values(schema: Any, values: Any) -> None:
    assert repr(root(schema).values) == repr(values)  # which tells 1, 1.0 and True apart


def test_excluded_values_are_kept_where_nothing_is_listed() -> None:
    node = root({"allOf": [{"not": {"const": 1}}, {"not": {"enum": ["a", None]}}]})

    assert node.values is None
    assert {*node.excluded} == {Options([1]), Options([None, "a"])}
    assert not node.vague


# Numbers, counts, texts -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "minimum", "maximum"),
    [
        ({}, None, None),
        ({"minimum": 1}, Limit(1, False, "/minimum"), None),
        ({"exclusiveMaximum": 1.5}, None, Limit(1.5, True, "/exclusiveMaximum")),
        ({"minimum": 1, "exclusiveMinimum": 1}, Limit(1, True, "/exclusiveMinimum"), None),
        ({"minimum": 2, "exclusiveMinimum": 1}, Limit(2, False, "/minimum"), None),
        ({"maximum": 1, "exclusiveMaximum": 1.0}, None, Limit(1.0, True, "/exclusiveMaximum")),
        ({"maximum": 1, "exclusiveMaximum": 2}, None, Limit(1, False, "/maximum")),
        (
            {"minimum": 1, "maximum": 9, "allOf": [{"minimum": -1, "maximum": 7}, {"minimum": 3}]},
            Limit(3, False, "/allOf/1/minimum"),
            Limit(7, False, "/allOf/0/maximum"),
        ),
        ({"minimum": 2**53, "exclusiveMinimum": 2**53 + 1}, Limit(2**53 + 1, True, "/exclusiveMinimum"), None),
    ],
)  # fmt: skip
def test_bounds_are_the_tightest(schema: Any, minimum: Limit | None, maximum: Limit | None) -> None:
    node = root(schema)
    assert (node.minimum, node.maximum) == (minimum, maximum)


def test_multiples_lengths_and_texts_of_a_conjunction() -> None:
    node = root(
        {
            "multipleOf": 2,
            "minLength": 1.0,
            "maxItems": 4,
            "pattern": "^a",
            "format": "date",
            "allOf": [
                {"multipleOf": 0.5, "minLength": 3, "maxItems": 2.0, "pattern": "^a"},
                {"multipleOf": 2, "minProperties": 1, "pattern": "z$", "format": "email"},
            ],
        }
    )

    assert node.multiples == (2, 0.5)
    assert (node.least("minLength"), node.least("minItems"), node.least("minProperties")) == (3, 0, 1)  # fmt: skip
    assert (node.most("maxItems"), node.most("maxLength")) == (2, None)
    assert node.texts("pattern") == ("^a", "z$")
    assert node.texts("format") == ("date", "email")
    assert node.texts("contentEncoding") == ()


# Arrays -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "length", "items"),
    [
        ({}, 0, [[], []]),
        ({"items": TEXT}, 0, [["/items"], ["/items"]]),
        ({"items": True, "additionalItems": False}, 0, [[], []]),
        ({"items": [TEXT]}, 1, [["/items/0"], []]),
        ({"items": [TEXT], "additionalItems": WHOLE}, 1, [["/items/0"], ["/additionalItems"]]),
        ({"items": [TEXT], "additionalItems": False}, 1, [["/items/0"], ["/additionalItems"]]),
        ({"additionalItems": False}, 0, [[], []]),
        ({"items": TEXT, "additionalItems": False}, 0, [["/items"], ["/items"]]),
        (
            {
                "items": [TEXT],
                "additionalItems": WHOLE,
                "allOf": [{"items": [{"minLength": 1}, {"minimum": 1}]}, {"items": {"not": {"const": 0}}}],
            },
            2,
            [
                ["/items/0", "/allOf/0/items/0", "/allOf/1/items"],
                ["/additionalItems", "/allOf/0/items/1", "/allOf/1/items"],
                ["/additionalItems", "/allOf/1/items"],
            ],
        ),
    ],
)  # fmt: skip
def test_items(schema: Any, length: int, items: list[list[str]]) -> None:
    node = root(schema)
    assert node.tuple_length == length
    assert [pointers(node.item(index)) for index in range(len(items))] == items
    assert node.item(1000) is node.item(len(items) - 1)


def test_unique_and_contains() -> None:
    node = root({"uniqueItems": False, "allOf": [{"contains": TEXT}, {"contains": False}]})
    assert node.contains == ("/allOf/0/contains", "/allOf/1/contains")
    assert not node.unique
    assert root({"uniqueItems": False, "allOf": [{"uniqueItems": True}]}).unique


# Objects ----------------------------------------------------------------------------------


def test_properties_are_in_the_order_of_the_text() -> None:
    node = root(
        {
            "properties": {"z": {}, "a": TEXT, "m": {}},
            "allOf": [{"properties": {"b": {}, "a": {"minLength": 1}}}, {"properties": {"0": {}}}],
        }
    )
    assert [*node.properties] == ["z", "a", "m", "b", "0"]
    assert pointers(node.properties["a"]) == ["/properties/a", "/allOf/0/properties/a"]


CLOSED_TWICE: Final = {
    "allOf": [
        {"properties": {"a": TEXT, "b": TEXT}, "additionalProperties": False},
        {
            "properties": {"b": {"minLength": 1}, "c": TEXT},
            "patternProperties": {"^x": WHOLE, "y$": {"minimum": 1}},
            "additionalProperties": False,
        },
    ]
}


@pytest.mark.parametrize(
    ("schema", "name", "expected"),
    [
        ({}, "a", []),
        ({"properties": {"a": TEXT}}, "b", []),
        ({"additionalProperties": TEXT}, "a", ["/additionalProperties"]),
        ({"properties": {"a": True}, "additionalProperties": False}, "a", []),
        ({"patternProperties": {"^x": WHOLE}, "additionalProperties": TEXT}, "x1", ["/patternProperties/^x"]),
        ({"properties": {"x": TEXT}, "patternProperties": {"x": {"minLength": 1}}}, "x", ["/properties/x", "/patternProperties/x"]),
        ({"patternProperties": {"^a/~": TEXT}}, "a/~b", ["/patternProperties/^a~1~0"]),
        ({"properties": {"a/b~1": TEXT}}, "a/b~1", ["/properties/a~1b~01"]),
        ({"properties": {"": TEXT}}, "", ["/properties/"]),
        (CLOSED_TWICE, "a", ["/allOf/0/properties/a", "/allOf/1/additionalProperties"]),
        (CLOSED_TWICE, "b", ["/allOf/0/properties/b", "/allOf/1/properties/b"]),
        (CLOSED_TWICE, "c", ["/allOf/0/additionalProperties", "/allOf/1/properties/c"]),
        (CLOSED_TWICE, "xy", ["/allOf/0/additionalProperties", "/allOf/1/patternProperties/^x", "/allOf/1/patternProperties/y$"]),
        (CLOSED_TWICE, "q", ["/allOf/0/additionalProperties", "/allOf/1/additionalProperties"]),
    ],
)  # fmt: skip
def test_members(schema: Any, name: str, expected: list[str]) -> None:
    assert pointers(root(schema).child(name)) == expected


def test_of_two_closed_objects_only_what_both_name_is_allowed() -> None:
    node = root(CLOSED_TWICE)

    assert [name for name, child in node.properties.items() if child.kinds] == ["b"]
    assert node.patterns == ("^x", "y$")
    assert node.closed
    assert node.other.kinds == ()
    assert not root({"additionalProperties": TEXT}).closed
    assert root({"not": {"type": ["null"]}, "additionalProperties": {"not": {}}}).closed


@pytest.mark.parametrize(
    ("schema", "required", "absent"),
    [
        ({}, [], []),
        ({"required": ["b", "a"], "allOf": [{"required": ["c", "a"]}]}, ["b", "a", "c"], []),
        ({"required": ["b"], "not": {"required": ["a"]}}, ["b"], ["a"]),
        ({"not": {"properties": {"a": TEXT}}}, ["a"], []),
        ({"not": {"properties": {"a": TEXT}, "required": ["a"]}}, [], []),
        ({"not": {"required": ["a", "b"]}}, [], []),
        ({"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}, [], ["a", "b"]),
    ],
)
def test_required_and_absent(schema: Any, required: list[str], absent: list[str]) -> None:
    node = root(schema)
    assert ([*node.required], sorted(node.absent)) == (required, absent)


def test_dependencies_on_names_and_on_schemas() -> None:
    node = object_of(
        {
            "dependencies": {"a": ["b"], "c/~": {"required": ["d"]}, "e": False, "f": True, "g": []},
            "allOf": [{"dependencies": {"a": ["c", "b"]}}],
        }
    )  # fmt: skip

    assert {name: [*dict.fromkeys(names)] for name, names in node.dependencies.items()} == {"a": ["b", "c"], "g": []}  # fmt: skip
    assert [choice.keyword for choice in node.choices] == ["dependencies"] * 3
    assert [choice.place for choice in node.choices] == ["/dependencies/c~1~0", "/dependencies/e", "/dependencies/f"]  # fmt: skip
    first, second, third = node.choices
    absent, present = node.choose(first, 0), node.choose(first, 1)
    assert ([*absent.required], sorted(absent.absent)) == ([], ["c/~"])
    assert ([*present.required], sorted(present.absent)) == (["d", "c/~"], [])
    assert node.choose(second, 1).kinds == ()
    assert node.choose(third, 1).kinds == ("object",)
    assert not root({"dependencies": {"e": False}}).choices, "there is none before it is an object"


def test_names_of_members() -> None:
    node = root({"propertyNames": {"minLength": 2}, "allOf": [{"propertyNames": {"maxLength": 3}}]})
    assert (node.names.least("minLength"), node.names.most("maxLength")) == (2, 3)
    assert node.names.kinds == ("string",)
    assert root({"propertyNames": False}).names.kinds == ()
    assert root({"propertyNames": {"type": "number"}}).names.kinds == ()
    assert root({"propertyNames": {"enum": ["a", 1]}}).names.values == ("a",)


# Choices ----------------------------------------------------------------------------------


def test_any_of_and_one_of() -> None:
    branches = [TEXT, {"const": 1}, {}]
    [any_of] = root({"anyOf": branches}).choices
    [one_of] = root({"oneOf": branches}).choices

    assert (any_of.keyword, any_of.place) == ("anyOf", "/anyOf")
    assert any_of.branches == tuple(Branch(f"/anyOf/{i}", (f"/anyOf/{i}",)) for i in range(3))
    assert (one_of.keyword, one_of.place) == ("oneOf", "/oneOf")
    assert one_of.branches[1] == Branch("/oneOf/1", ("/oneOf/1",), ("/oneOf/0", "/oneOf/2"))


def test_a_choice_refuses_the_siblings_of_one_of() -> None:
    node = root({"oneOf": [{"type": ["string", "null"]}, {"type": ["null", "number"]}, {"const": 1}]})  # fmt: skip
    [choice] = node.choices

    assert [node.choose(choice, index).kinds for index in range(3)] == [("string",), ("number",), ()]  # fmt: skip
    assert node.choose(choice, 1).excluded == (Options([1]),)
    assert not node.choose(choice, 0).choices, "it has been made"


@pytest.mark.parametrize(
    "second",
    [
        {"$ref": "#/definitions/pair"},
        {"anyOf": [{"$ref": "#/definitions/pair"}, {"$ref": "#/definitions/range"}]},
    ],
    ids=["a reference", "alternatives"],
)
def test_how_the_other_branches_are_missed_is_no_choice(second: Any) -> None:
    node = root(
        {
            "oneOf": [{"maxProperties": 9}, second],
            "definitions": {
                "pair": {"required": ["a", "b"], "maxProperties": 2},
                "range": {"required": ["from", "to"], "minProperties": 3},
            },
        }
    )
    (choice,) = node.choices

    chosen = node.choose(choice, 0)
    assert chosen.vague
    assert chosen.choices == ()


def test_a_schema_that_applies_and_must_not_leaves_nothing() -> None:
    name = {"$ref": "#/definitions/name"}
    assert (
        root({"allOf": [name, {"not": name}], "definitions": {"name": {"minLength": 2}}}).kinds
        == ()
    )


def test_if_then_else() -> None:
    condition = {"properties": {"a": {"const": 1}}, "required": ["a"]}
    node = root({"if": condition, "then": {"required": ["b"]}, "else": {"required": ["c"]}})
    [choice] = node.choices

    assert (choice.keyword, choice.place) == ("if", "/if")
    assert [branch.pointer for branch in choice.branches] == ["/then", "/else"]
    then, other = node.choose(choice, 0), node.choose(choice, 1)
    assert ([*then.required], then.child("a").values) == (["a", "b"], (1,))
    assert ([*other.required], other.child("a").values) == (["c"], None)
    assert other.child("a").excluded == (Options([1]),)


@pytest.mark.parametrize(
    ("schema", "branches"),
    [
        ({"if": TEXT}, None),
        ({"then": TEXT, "else": TEXT}, None),
        ({"if": TEXT, "then": {"minLength": 1}}, [("/then", ["/if", "/then"], []), ("/if", [], ["/if"])]),
        ({"if": TEXT, "else": WHOLE}, [("/if", ["/if"], []), ("/else", ["/else"], ["/if"])]),
    ],
)  # fmt: skip
def test_if_with_half_of_it(schema: Any, branches: Any) -> None:
    choices = root(schema).choices
    if branches is None:
        assert choices == ()
    else:
        [choice] = choices
        assert [(b.pointer, [*b.pointers], [*b.refused]) for b in choice.branches] == branches


def test_choices_come_in_order_and_each_brings_its_own() -> None:
    node = object_of(
        {
            "dependencies": {"a": TEXT},
            "if": {},
            "then": {},
            "oneOf": [{}],
            "anyOf": [{"anyOf": [{}, TEXT]}, {"allOf": [{"oneOf": [{}, TEXT]}]}],
            "allOf": [{"anyOf": [{}]}],
        }
    )
    places = ["/anyOf", "/oneOf", "/if", "/allOf/0/anyOf", "/dependencies/a"]
    assert [choice.place for choice in node.choices] == places
    for index, inner in enumerate(["/anyOf/0/anyOf", "/anyOf/1/allOf/0/oneOf"]):
        chosen = node.choose(node.choices[0], index)
        assert sorted(choice.place for choice in chosen.choices) == sorted([*places[1:], inner])


def test_choices_of_a_place_say_nothing_of_places_below() -> None:
    node = root({"anyOf": [{"properties": {"a": {"$ref": "#"}}}, TEXT]})
    chosen = node.choose(node.choices[0], 0)

    assert chosen.choices == ()
    assert chosen.child("a") is node


# Refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "vague"),
    [
        ({}, False),
        ({"not": TEXT}, False),
        ({"not": WHOLE}, True),
        ({"not": {"type": ["integer", "number"]}}, False),
        ({"not": {"enum": [1, "a"]}}, False),
        ({"not": {"enum": [1, "a"], "type": "string", "title": "a"}}, False),
        ({"not": {"required": ["a"]}}, False),
        ({"not": {"required": ["a", "b"]}}, True),
        ({"not": {"type": "object", "required": ["a"]}}, False),
        ({"not": {"type": ["object"], "required": ["a"]}}, True),
        ({"not": {"type": "array", "required": ["a"]}}, True),
        ({"not": {"properties": {"a": TEXT}}}, False),
        ({"not": {"properties": {"a": TEXT, "b": TEXT}}}, True),
        ({"not": {"properties": {"a": TEXT}, "required": ["b"]}}, True),
        ({"not": {"properties": {}}}, True),
        ({"not": {"multipleOf": 2}}, True),
        ({"not": {"minimum": 1}}, False),
        ({"not": {"minLength": 1, "maxLength": 3}}, True),
        ({"not": {"contains": TEXT}}, False),
        ({"not": {"not": {"multipleOf": 2}}}, False),
        ({"not": {"anyOf": [TEXT, {"const": 1}]}}, False),
        ({"not": {"anyOf": [TEXT, {"pattern": "a"}]}}, False),
        ({"not": {"anyOf": [TEXT, {"format": "date"}]}}, True),
        ({"not": {"allOf": [TEXT, {"minLength": 1}]}}, True),
        ({"not": {"$ref": "#/definitions/a"}, "definitions": {"a": TEXT}}, False),
        ({"allOf": [{"not": TEXT}, {"not": {"format": "date"}}]}, True),
    ],
)
def test_vague(schema: Any, vague: bool) -> None:
    assert root(schema).vague is vague


@pytest.mark.parametrize(
    ("refused", "kinds", "required", "absent", "member"),
    [
        ({"required": ["a"]}, "object", [], ["a"], []),
        ({"type": "object", "required": ["a"]}, ALL, [], ["a"], []),
        ({"properties": {"a": TEXT}}, "object", ["a"], [], ["/not/properties/a"]),
        ({"properties": {"a": TEXT}, "type": "object"}, ALL, ["a"], [], ["/not/properties/a"]),
        ({"properties": {"a": TEXT}, "required": ["a"]}, "object", [], [], ["/not/properties/a"]),
        ({"properties": {"a": TEXT}, "required": []}, "object", ["a"], [], ["/not/properties/a"]),
        ({"properties": {"a": False}}, "object", ["a"], [], []),
        ({"properties": {"a": TEXT}, "minProperties": 1}, ALL, [], [], []),
    ],
)
def test_what_a_refused_object_must_be(
    refused: Any, kinds: str, required: list[str], absent: list[str], member: list[str]
) -> None:
    node = root({"not": refused})

    assert " ".join(node.kinds) == kinds
    assert ([*node.required], [*node.absent]) == (required, absent)
    assert [*node.child("a").key.refused] == member
    assert ("string" in node.child("a").kinds) == (not member)
    assert node.child("b").kinds == KINDS


@pytest.mark.parametrize(
    ("refused", "kinds", "least", "most"),
    [
        ({"minLength": 3}, "string", {}, {"maxLength": 2}),
        ({"maxLength": 3}, "string", {"minLength": 4}, {}),
        ({"minLength": 0}, "", {}, {}),
        ({"minItems": 1}, "array", {}, {"maxItems": 0}),
        ({"maxItems": 1}, "array", {"minItems": 2}, {}),
        ({"minProperties": 2}, "object", {}, {"maxProperties": 1}),
        ({"maxProperties": 2}, "object", {"minProperties": 3}, {}),
    ],
)
def test_a_refused_count_is_the_other_bound(
    refused: Any, kinds: str, least: dict[str, int], most: dict[str, int]
) -> None:
    node = root({"not": refused})

    assert " ".join(node.kinds) == kinds
    for what in ("Length", "Items", "Properties"):
        assert node.least(f"min{what}") == least.get(f"min{what}", 0)
        assert node.most(f"max{what}") == most.get(f"max{what}")


@pytest.mark.parametrize(
    ("refused", "minimum", "maximum"),
    [
        ({"minimum": 3}, None, Limit(3, True, "/not")),
        ({"exclusiveMinimum": 3}, None, Limit(3, False, "/not")),
        ({"maximum": 3}, Limit(3, True, "/not"), None),
        ({"exclusiveMaximum": 3}, Limit(3, False, "/not"), None),
    ],
)
def test_a_refused_bound_is_the_other_one(
    refused: Any, minimum: Limit | None, maximum: Limit | None
) -> None:
    node = root({"not": refused})
    assert (node.kinds, node.minimum, node.maximum) == (("number",), minimum, maximum)


def test_if_no_item_may_match_it_is_refused_of_each() -> None:
    node = root({"not": {"contains": TEXT}})
    assert node.kinds == ("array",)
    assert [*node.item(7).kinds] == without("string").split()


def test_a_refused_schema_of_several_statements_is_a_choice_of_the_broken_one() -> None:
    node = root({"not": {"type": "object", "required": ["a", "b"], "maxProperties": 3}})
    [choice] = node.choices
    broken = [node.choose(choice, index) for index in range(len(choice.branches))]

    assert (choice.keyword, choice.place, node.vague) == ("not", "/not", True)
    assert [" ".join(one.kinds) for one in broken] == [without("object"), *["object"] * 3]
    assert [sorted(one.absent) for one in broken] == [[], ["a"], ["b"], []]
    assert broken[3].least("minProperties") == 4
    assert not any(one.choices for one in broken)


def test_what_is_refused_twice_applies() -> None:
    node = root({"not": {"not": {"type": "string", "not": {"const": "a"}, "anyOf": [{"minLength": 1}]}}})  # fmt: skip

    assert pointers(node) == ["", "/not/not"]
    assert node.kinds == ("string",)
    assert node.excluded == (Options(["a"]),)
    assert [choice.place for choice in node.choices] == ["/not/not/anyOf"]
    assert not node.vague
