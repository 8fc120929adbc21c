"""Content of samples: the least and the most, numbers, texts, arrays, objects; hostile schemas."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import widgetschema
from widgetschema import WidgetType
from widgetschema.jsontext import dump
from widgetschema.samples.choosers import DEFAULT_DEPTH
from widgetschema.samples.values.likely import examples_in
from widgetschema.samples.values.locales import LOCALES, load_locale

HERE: Final = {"$ref": "#/properties/data"}  # what is described is described again
DEFINED: Final = "#/properties/data/definitions/"
TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
COUNTDOWN: Final = widgetschema.widget_type("countdown")
EN: Final = load_locale("en")


def of(data: Any) -> WidgetType:
    """The widget type whose data has this schema."""
    return WidgetType.from_schema(
        {"$id": "test", "properties": {"data": data}}, describes="document"
    )


def made(data: Any, number: int = 50) -> list[Any]:
    """Samples, the least and the most; all of them valid, and JSON."""
    type_ = of(data)
    values = [*type_.samples(number), type_.minimal(), type_.maximal()]
    for value in values:
        assert type_.check(value).valid
        assert type_.is_valid_json(dump(value))
    return values


def depth(value: Any) -> int:
    parts: Iterable[Any] = value.values() if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)):
        return 0
    return 1 + max(map(depth, parts), default=0)


# The least --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "least"),
    [
        ({}, None),
        ({"type": ["string", "boolean"]}, False),
        (TEXT, ""),
        (WHOLE, 0),
        ({"type": "number", "minimum": 3}, 3),
        ({"type": "number", "exclusiveMinimum": 3}, 4),
        ({"type": "integer", "maximum": -3}, -3),
        ({"type": "integer", "exclusiveMaximum": 0}, -1),
        ({"type": "array", "items": TEXT}, []),
        ({"type": "array", "items": WHOLE, "minItems": 2}, [0, 0]),
        ({"type": "array", "items": [TEXT, WHOLE], "minItems": 2}, ["", 0]),
        ({"type": "array", "contains": {"const": "x"}}, ["x"]),
        ({"type": "array", "items": {"type": "integer", "maximum": 5}, "uniqueItems": True, "minItems": 3}, [0, 1, -1]),
        ({"type": "object", "properties": {"a": TEXT}}, {}),
        ({"type": "object", "properties": {"a": TEXT, "b": WHOLE}, "required": ["b"]}, {"b": 0}),
        ({"type": "object", "required": ["a"], "dependencies": {"a": ["b"]}, "properties": {"b": WHOLE, "a": WHOLE}}, {"b": 0, "a": 0}),
        ({"type": "object", "patternProperties": {"^x": WHOLE}}, {}),
        ({"enum": ["b", "a"]}, "b"),
        ({"const": {"a": [1]}}, {"a": [1]}),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, 1),
        ({"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": HERE}}, {"const": "end"}]}, "end"),
        ({"type": "object", "properties": {"a": HERE}, "required": []}, {}),
        ({"if": {"type": "null"}, "then": {}, "else": TEXT}, None),
        ({"type": "string", "pattern": "^#[0-9a-f]{3}$"}, "#000"),
        ({"not": {"type": ["null", "boolean", "number"]}}, ""),
        ({"type": "integer", "not": {"const": 0}, "minimum": 0, "maximum": 1}, 1),
    ],
)  # fmt: skip
def test_the_least(schema: Any, least: Any) -> None:
    value = of(schema).minimal()
    if isinstance(schema, dict) and "pattern" in schema:  # of several that are as short
        assert len(value) == len(least)
    else:
        assert repr(value) == repr(least)


# The most ---------------------------------------------------------------------------------


def members(*names: str) -> Callable[[Any], bool]:
    return lambda value: [*value] == [*names]


@pytest.mark.parametrize(
    ("schema", "check"),
    [
        ({"type": "object", "properties": {"b": TEXT, "a": WHOLE}}, members("b", "a")),
        ({"type": "object", "properties": {"b": TEXT, "a": False, "c": TEXT}}, members("b", "c")),
        ({"type": "object", "properties": {"a": TEXT}, "not": {"required": ["a"]}, "additionalProperties": False}, members()),
        ({"type": "object", "properties": dict.fromkeys("abcdef", TEXT), "maxProperties": 2}, lambda v: len(v) == 2),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "(?!)"}, "b": TEXT}}, members("b")),
        ({"type": "object", "properties": {"a": TEXT}, "dependencies": {"a": ["b"]}}, members("a", "b")),
        ({"type": "object", "patternProperties": {"^x": WHOLE}, "additionalProperties": False}, lambda v: v and all(name[0] == "x" for name in v)),
        ({"type": "object", "additionalProperties": WHOLE}, lambda v: len(v) > 1),
        ({"type": "array", "items": WHOLE}, lambda v: len(v) > 1),
        ({"type": "array", "items": WHOLE, "maxItems": 2}, lambda v: len(v) == 2),
        ({"type": "array", "items": [WHOLE, TEXT], "additionalItems": False}, lambda v: len(v) == 2),
        ({"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True}, lambda v: sorted(v) == [1, 2]),
        ({"type": "object", "properties": {"next": HERE, "a": TEXT}}, lambda v: 2 <= depth(v) <= 4),
        ({"type": "array", "items": HERE}, lambda v: 2 <= depth(v) <= 4),
        ({"type": "object", "properties": {"a": {"anyOf": [TEXT, {"type": "object", "properties": {"b": HERE}}]}}}, lambda v: depth(v) <= 6),
    ],
)  # fmt: skip
def test_the_most(schema: Any, check: Callable[[Any], bool]) -> None:
    value = of(schema).maximal()
    assert check(value), value


# Numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"minimum": 1e-300, "maximum": 2e-300},
        {"exclusiveMinimum": 0, "exclusiveMaximum": 1e-300},
        {"exclusiveMinimum": 0, "exclusiveMaximum": 1},
        {"exclusiveMinimum": 1, "exclusiveMaximum": 1.0000000000000004},
        {"minimum": 1.2, "maximum": 1.8},
        {"minimum": 1e308},
        {"minimum": -1e308, "maximum": 1e308},
        {"minimum": 2**53, "maximum": 2**53 + 2},
        {"minimum": 2**63},
        {"maximum": -5},
        {"exclusiveMaximum": 0},
        {"maximum": -1e300},
        {"type": "integer", "minimum": 10**30},
        {"type": "integer", "maximum": -(10**30)},
        {"type": "integer", "minimum": 0.5, "maximum": 1.5},
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 3},
        {"multipleOf": 0.01},
        {"multipleOf": 0.01, "minimum": 0.005, "maximum": 0.015},
        {"type": "integer", "multipleOf": 0.1},
        {"type": "integer", "multipleOf": 1.5},
        {"multipleOf": 0.3, "minimum": 1, "maximum": 2},
        {"multipleOf": 2.5, "maximum": -10},
        {"multipleOf": 7, "minimum": 1_000_000},
        {"multipleOf": 1e-300},
        {"multipleOf": 1e300},
        {"multipleOf": 1e-10, "minimum": 1, "maximum": 1.0000001},
        {"allOf": [{"multipleOf": 0.2}, {"multipleOf": 0.3}], "minimum": 1},
        {"allOf": [{"multipleOf": 2}, {"multipleOf": 3}, {"multipleOf": 5}], "minimum": 1},
        {"allOf": [{"minimum": 3}, {"exclusiveMinimum": 3}, {"maximum": 9}, {"maximum": 4}]},
        {"not": {"const": 0}},
        {"minimum": 0, "maximum": 1, "not": {"enum": [0, 1]}},
        {"not": {"type": "integer"}},
        {"minimum": 5, "maximum": 5.5, "not": {"type": "integer"}},
        {"not": {"multipleOf": 2}, "type": "integer"},
        {"not": {"minimum": 3}},
    ],
    ids=dump,
)
def test_numbers(schema: Any) -> None:
    for value in made({"type": "number", **schema}):
        assert type(value) in (int, float)
        assert math.isfinite(value)


def test_numbers_vary_and_are_whole_where_they_have_to_be() -> None:
    assert len({*made({"type": "integer", "minimum": 1, "maximum": 1000})}) > 20
    assert len({*made({"type": "number", "minimum": 0.1, "maximum": 0.9})}) > 5
    assert {type(value) for value in made({"type": "integer", "multipleOf": 0.5})} == {int}
    assert {*made({"type": "integer", "minimum": 1, "maximum": 3})} == {1, 2, 3}


# Texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ({"maxLength": 0}, ""),
        ({"maxLength": 1}, "(?s).?"),
        ({"minLength": 1, "maxLength": 2}, "(?s).{1,2}"),
        ({"minLength": 300, "maxLength": 300}, "(?s).{300}"),
        ({"pattern": "^#[0-9a-fA-F]{6}$"}, "#[0-9a-fA-F]{6}"),
        ({"pattern": "^#[0-9a-fA-F]{6}$", "maxLength": 7}, "#[0-9a-fA-F]{6}"),
        ({"pattern": r"^\d{3}$", "minLength": 3}, "[0-9]{3}"),
        ({"pattern": "^[a-z]+$", "minLength": 20}, "[a-z]{20,}"),
        ({"pattern": "^[a-z]*$", "maxLength": 2}, "[a-z]{0,2}"),
        ({"pattern": "a", "maxLength": 3}, "(?s)(?=.*a).{1,3}"),
        ({"pattern": "^[^a-z]*$"}, "[^a-z]*"),
        ({"pattern": r"^(?=.*\d)(?=.*[a-z]).{8,}$"}, r"(?=.*\d)(?=.*[a-z]).{8,}"),
        ({"pattern": r"^\p{L}+$"}, r"\w+"),
        ({"pattern": "^(a|b)(c|d)$", "not": {"const": "ac"}}, "ad|bc|bd"),
        ({"allOf": [{"pattern": "^a"}, {"pattern": "z$"}]}, "(?s)a.*z"),
        ({"format": "date"}, r"\d{4}-\d\d-\d\d"),
        ({"format": "date", "minLength": 10, "maxLength": 10}, r"\d{4}-\d\d-\d\d"),
        ({"format": "date-time", "pattern": "Z$"}, r"\d{4}-\d\d-\d\dT[\d:.]+Z"),
        ({"format": "email", "minLength": 40}, r"(?=.{40})\S+@\S+"),
        ({"format": "email", "pattern": r"@example\.com$"}, r"\S+@example\.com"),
        ({"format": "uri", "minLength": 100, "maxLength": 100}, r"\S{100}"),
        ({"format": "uri", "pattern": "^https://"}, r"https://\S*"),
        ({"format": "uuid"}, "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
        ({"format": "ipv6"}, "[0-9a-f:.]+"),
        ({"contentEncoding": "base64"}, "[A-Za-z0-9+/]+=*"),
        ({"format": "unheard-of", "maxLength": 4}, "(?s).{0,4}"),
    ],
)  # fmt: skip
def test_texts(schema: Any, pattern: str) -> None:
    values = made({"type": "string", **schema})
    assert [value for value in values if not re.fullmatch(pattern, value)] == []


# Arrays and objects -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "check"),
    [
        ({"items": [WHOLE], "additionalItems": TEXT, "minItems": 3}, lambda v: len(v) >= 3 and isinstance(v[2], str)),
        ({"items": WHOLE, "contains": {"const": 5}, "minItems": 2}, lambda v: 5 in v and len(v) > 1),
        ({"contains": TEXT, "allOf": [{"contains": WHOLE}], "maxItems": 2}, lambda v: len(v) == 2),
        ({"contains": {"minimum": 5}, "allOf": [{"contains": {"type": "number"}}], "minItems": 1, "maxItems": 1}, lambda v: v[0] >= 5),
        ({"items": {"type": "boolean"}, "uniqueItems": True, "minItems": 2}, lambda v: sorted(v) == [False, True]),
        ({"items": {"type": "integer", "minimum": 1, "maximum": 10}, "uniqueItems": True, "minItems": 10}, lambda v: sorted(v) == [*range(1, 11)]),
        ({"items": {"type": "string", "pattern": "^[abc]$"}, "uniqueItems": True, "minItems": 3}, lambda v: sorted(v) == [*"abc"]),
        ({"items": {"type": ["string", "null"]}, "uniqueItems": True, "minItems": 2}, lambda v: len({*v}) == len(v)),
        ({"items": [TEXT, False, TEXT]}, lambda v: len(v) <= 1),
        ({"not": {"items": TEXT}}, lambda v: not all(isinstance(item, str) for item in v)),
    ],
)  # fmt: skip
def test_arrays(schema: Any, check: Callable[[Any], bool]) -> None:
    assert [value for value in made({"type": "array", **schema}, 2) if not check(value)] == []


CLOSED: Final = {"additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "check"),
    [
        ({"allOf": [{"properties": {"a": TEXT, "b": TEXT}, **CLOSED}, {"properties": {"b": {"minLength": 30}}, **CLOSED}]}, lambda v: v.keys() <= {"b"}),
        ({"patternProperties": {"^[ab]$": WHOLE}, **CLOSED, "minProperties": 2}, lambda v: sorted(v) == ["a", "b"]),
        ({"propertyNames": {"pattern": "^[a-z]{2}$"}, "minProperties": 3}, lambda v: len(v) >= 3 and all(len(name) == 2 for name in v)),
        ({"propertyNames": {"enum": ["x", "y"]}, "minProperties": 2}, lambda v: v.keys() == {"x", "y"}),
        ({"required": ["zz"], "additionalProperties": WHOLE}, lambda v: isinstance(v["zz"], int)),
        ({"properties": {"a": {}}, "not": {"required": ["a"]}}, lambda v: "a" not in v),
        ({"properties": {"a": {}}, "not": {"properties": {"a": TEXT}}}, lambda v: not isinstance(v["a"], str)),
        ({"properties": dict.fromkeys("abc", True), "minProperties": 2, **CLOSED}, lambda v: len(v) >= 2),
        ({"properties": dict.fromkeys("abc", True), "dependencies": {"a": ["b"], "b": ["c"]}}, lambda v: "a" not in v or "c" in v),
        ({"properties": dict.fromkeys("ab", WHOLE), "dependencies": {"a": {"required": ["b"]}}}, lambda v: "a" not in v or "b" in v),
        ({"properties": {"k": {"enum": ["x", "y"]}}, "required": ["k"], "if": {"properties": {"k": {"const": "x"}}}, "then": {"required": ["v"]}, "else": {"not": {"required": ["v"]}}}, lambda v: (v["k"] == "x") == ("v" in v)),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": dict.fromkeys("ab", WHOLE)}, lambda v: ("a" in v) != ("b" in v)),
        ({"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, "properties": dict.fromkeys("abc", WHOLE)}, lambda v: not v.keys() & {"a", "b"}),
    ],
)  # fmt: skip
def test_objects(schema: Any, check: Callable[[Any], bool]) -> None:
    assert [value for value in made({"type": "object", **schema}) if not check(value)] == []


def test_every_branch_and_value_and_type_comes_up() -> None:
    assert {*made({"enum": [1, "a", None]})} == {1, "a", None}
    assert {*made({"oneOf": [{"const": 1}, {"enum": [2, 3]}]})} == {1, 2, 3}
    kinds = {type(value) for value in made({"type": ["string", "integer", "null"]}, 100)}
    assert kinds == {str, int, type(None)}
    assert {tuple(value) for value in made({"type": "object", "properties": {"a": WHOLE}, **CLOSED})} == {(), ("a",)}  # fmt: skip


def test_examples_and_defaults_of_the_schema_come_up() -> None:
    kind = WidgetType.from_data_schema(
        {
            "type": "object",
            "properties": {
                "city": {"type": "string", "examples": ["Ulm", "Bonn", 7], "default": "Rome"},
                "size": {"type": "integer", "maximum": 9, "default": 8},
                "wrong": {"type": "string", "maxLength": 3, "default": "too long"},
                "tags": {
                    "type": "array",
                    "items": {"type": "integer", "examples": [5]},
                    "minItems": 3,
                    "uniqueItems": True,
                },
            },
        },
        id="places",
    )
    made = [*kind.samples(200, fill=1)]

    cities = [data["city"] for data in made]
    assert {"Ulm", "Bonn"} <= {*cities}
    assert 50 < sum(city in ("Ulm", "Bonn") for city in cities) < 150
    assert "Rome" not in cities, "the examples say more"
    assert 30 < sum(data["size"] == 8 for data in made) < 120
    assert all(5 in data["tags"] or len({*data["tags"]}) >= 3 for data in made)
    assert "Ulm" not in {data["city"] for data in kind.samples(200, fill=1, examples=False)}
    assert kind.minimal() == {}


def test_examples_of_objects_and_lists_come_up_whole() -> None:
    shop = {"name": "Oak & Ash", "tags": ["wood"], "open": True}
    large = {"tags": ["wood"] * 20}
    kind = WidgetType.from_data_schema(
        {
            "type": "object",
            "required": ["shop", "sizes"],
            "properties": {
                "shop": {
                    "type": "object",
                    "properties": {"name": TEXT, "tags": {"type": "array", "items": TEXT}},
                    "examples": [shop, large, {"name": 7}, {}, "Oak"],
                },
                "sizes": {"type": "array", "items": WHOLE, "default": [38, 40, 42]},
            },
        },
        id="whole",
    )
    made = [*kind.samples(400)]

    assert 60 < sum(data["shop"] in (shop, large) for data in made) < 140
    assert 25 < sum(data["sizes"] == [38, 40, 42] for data in made) < 80
    assert all(kind.is_valid(data) for data in made)
    next(data for data in made if data["shop"] == shop)["shop"]["tags"].append("mine")
    assert [*kind.samples(400)] != made, "samples share nothing with the schema"
    assert shop not in [data["shop"] for data in kind.samples(200, examples=False)]
    assert "name" in kind.maximal()["shop"], "every member is to be there"


TEXTS_TOGETHER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "faq": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/entry"}},
        "visit": {
            "type": "object",
            "properties": dict.fromkeys(("street", "zip", "city", "country"), TEXT),
            "additionalProperties": False,
        },
        "colors": {
            "type": "object",
            "properties": dict.fromkeys(("background", "title", "accent"), TEXT),
            "additionalProperties": False,
        },
        "titleColor": TEXT,
        "cardsBg": {"type": "array", "items": TEXT},
        "daysLabel": TEXT,
        "later": {
            "type": "object",
            "properties": {"hoursLabel": TEXT, "secondsLabel": {"type": "string", "maxLength": 3}},
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
    "definitions": {
        "entry": {
            "type": "object",
            "required": ["question", "answer"],
            "properties": {"question": TEXT, "answer": TEXT},
            "additionalProperties": False,
        }
    },
}


@pytest.mark.parametrize("locale", LOCALES)
def test_texts_of_a_record_belong_together(locale: str) -> None:
    kind = WidgetType.from_data_schema(TEXTS_TOGETHER, id="together")
    labels, _, answers, places, *_, palettes = load_locale(locale).ensembles
    rows_of_answers = {*zip(answers["question"], answers["answer"], strict=True)}
    zip_codes = dict(zip(places["city"], places["postcode"], strict=True))
    countries = dict(zip(places["city"], places["country"], strict=True))
    rows = [*zip(*palettes.values(), strict=True)]
    styles = {*zip(labels["label_days"], labels["label_hours"], strict=True)}
    made = [*kind.samples(60, fill=1, locale=locale)]

    for data in made:
        assert {(one["question"], one["answer"]) for one in data["faq"]} <= rows_of_answers
        visit = data["visit"]
        assert visit["zip"] == zip_codes[visit["city"]]
        assert visit["country"] == countries[visit["city"]]
        assert (data["daysLabel"], data["later"]["hoursLabel"]) in styles
        assert len(data["later"]["secondsLabel"]) <= 3
        background, title, accent, line = next(
            row for row in rows if row[:3] == tuple(data["colors"].values())
        )
        assert data["titleColor"] == title
        assert {*data["cardsBg"]} <= {background, line}
        assert accent in palettes["colour_accent"]
    assert len({data["visit"]["city"] for data in made}) == len(zip_codes)
    assert len({data["colors"]["background"] for data in made}) > 3


def test_texts_with_rules_of_their_own_are_left_as_they_are() -> None:
    kind = WidgetType.from_data_schema(
        {
            "type": "object",
            "required": ["question", "answer", "city", "zip"],
            "properties": {
                "question": {"enum": ["Why?", "How?"]},
                "answer": {"type": "string", "minLength": 80},
                "city": {"type": "string", "examples": ["Ulm"]},
                "zip": {"type": "string", "pattern": "^[0-9]{5}$"},
            },
        },
        id="rules",
    )
    for data in kind.samples(60):
        assert kind.is_valid(data)
        assert data["question"] in ("Why?", "How?")
    assert "Ulm" in {data["city"] for data in kind.samples(20)}


def filled_samples(properties: Any, number: int = 60, **options: Any) -> list[Any]:
    """Samples of an object with these members, all of them there."""
    kind = WidgetType.from_data_schema({"type": "object", "properties": properties}, id="record")
    return [*kind.samples(number, fill=1, **options)]


def test_texts_with_a_pattern_are_what_their_names_ask_for() -> None:
    month = "^[1-2][0-9]{3}-[0-1][0-9]$"
    for data in filled_samples(
        {
            "startDate": {"type": "string", "pattern": month},
            "projectName": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
            "logLevel": {"type": "string", "pattern": "^LOG_[A-Z]+$"},
        }
    ):
        assert re.fullmatch("20[23][0-9]-(0[1-9]|1[0-2])", data["startDate"])
        assert data["projectName"].replace("_", " ").title() in EN.pools["project_name"]
        assert re.fullmatch("LOG_[A-Z]+", data["logLevel"])
    names = {"additionalProperties": False, "patternProperties": {"^[a-z]+$": TEXT}}
    for data in filled_samples({"translations": {"type": "object", **names}}):
        assert {*data["translations"]} <= {*EN.pools["language"]}


def test_what_a_pattern_alone_asks_for_is_written_in_letters() -> None:
    made = [data["x"] for data in filled_samples({"x": {"type": "string", "pattern": "<.{4,8}~"}})]
    assert all(re.fullmatch("<[a-z]{4,}~", text) for text in made), made


def test_examples_of_a_description_come_up() -> None:
    level = {"type": "string", "description": "e.g. Fluent, Beginner"}
    made = {data["x"] for data in filled_samples({"x": level})}
    assert {"Fluent", "Beginner"} < made
    made = {data["x"] for data in filled_samples({"x": level}, examples=False)}
    assert not made & {"Fluent", "Beginner"}


@pytest.mark.parametrize(
    ("description", "found"),
    [
        ("e.g. Facebook or Twitter", ["Facebook", "Twitter"]),
        ("e.g. Increased profits by 20% through advertising", ["Increased profits by 20% through advertising"]),
        ('The size, for example "12px", "2rem" or "auto".', ["12px", "2rem", "auto"]),
        ("A grade, e.g. 3.67/4.0", ["3.67/4.0"]),
        ("Turn it off, e.g. when there is no network.", []),
        ("The (e.g. Git) commit hash.", []),
        ("The host (e.g. Git)", ["Git"]),
        ("The name of it.", []),
        ("e.g.", []),
    ],
)  # fmt: skip
def test_examples_in_a_description(description: str, found: list[str]) -> None:
    assert examples_in(description) == found


def test_starts_come_before_ends() -> None:
    day = {"type": "string", "format": "date", "examples": ["2020-01-01", "2031-05-05"]}
    size = {"type": "integer", "minimum": 0, "maximum": 9}
    for data in filled_samples(
        {"endDate": day, "startDate": day, "size_min": size, "size_max": size}
    ):
        assert data["startDate"] <= data["endDate"]
        assert data["size_min"] <= data["size_max"]
    late = {"type": "string", "enum": ["9"]}
    assert filled_samples({"from": late, "to": {"type": "string", "enum": ["1"]}}, 1) == [
        {"from": "9", "to": "1"}
    ], "what the schema says stays"


def test_dates_are_within_the_horizon() -> None:
    moment, day = ({"type": "string", "format": name} for name in ("date-time", "date"))
    stamp = {"type": "integer"}
    properties = {
        "createdAt": moment,
        "startDate": day,
        "endDate": day,
        "publishedTimestamp": stamp,
        "expires": stamp,
        "year": stamp,
        "birthday": day,
        "month": {"type": "string", "format": "date", "pattern": "-01$"},
    }
    kind = WidgetType.from_schema(
        {"$id": "x", "properties": {"data": {"type": "object", "properties": properties}}}
    )
    made = [kind.sample_document(1, n, fill=1, horizon="2026-03-01/2026-09-30") for n in range(80)]
    for document in made:
        data = document["data"]
        for text in (document["created"], document["updated"], data["createdAt"]):
            assert "2026-03-01" <= text[:10] <= "2026-09-30"
        assert document["created"] <= document["updated"]
        assert "2026-03-01" <= data["startDate"] <= data["endDate"] <= "2026-09-30"
        assert "2026-03-01" <= data["month"] <= "2026-09-30"
        for name in ("publishedTimestamp", "expires"):
            at = datetime.fromtimestamp(data[name] / 1000, UTC)
            assert "2026-03-01" <= f"{at:%Y-%m-%d}" <= "2026-09-30"
        assert data["year"] == 2026
        assert data["birthday"] < "2001", "people were born before"
    single = kind.sample(fill=1, horizon="2026-03-01/2026-03-01")
    assert (single["startDate"], single["endDate"]) == ("2026-03-01", "2026-03-01")


def dated_type() -> WidgetType:
    """Return a widget type whose members are dates, spelled in several ways."""
    day, stamp = {"type": "string", "format": "date"}, {"type": "integer"}
    properties = {
        "createdAt": {"type": "string", "format": "date-time"},
        "startDate": day,
        "month": {**day, "pattern": "-01$"},
        "dueDate": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        "expires": stamp,
        "year": stamp,
        "oldDate": {"type": "string", "pattern": "^1999-"},
        "endTimestamp": {**stamp, "maximum": 1000},
    }
    schema = {"type": "object", "properties": properties, "required": [*properties]}
    return WidgetType.from_data_schema(schema, id="dated")


def outside(data: Any) -> set[str]:
    """Return the dates of a value that are not from March to September 2026."""
    days = {name: str(data[name])[:10] for name in ("createdAt", "startDate", "month", "dueDate")}
    days["year"] = f"{data['year']}-06-01"
    seconds = max(0, min(data["expires"] / 1000, 1e10))
    days["expires"] = f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"
    return {name for name, day in days.items() if not "2026-03-01" <= day <= "2026-09-30"}


def test_each_product_has_its_dates_within_the_horizon() -> None:
    kind, horizon = dated_type(), "2026-03-01/2026-09-30"

    for data in (kind.minimal(horizon=horizon), kind.maximal(horizon=horizon)):
        assert kind.is_valid(data), "also where the schema wants dates that are outside"
        assert not outside(data)
        assert data["oldDate"].startswith("1999-")
    cases = kind.coverage(horizon=horizon)
    assert [case.id for case in cases] == [case.id for case in kind.coverage()]
    for case in cases:
        assert kind.is_valid(case.data)
        assert outside(case.data) <= {case.id.partition("#")[0].rpartition("/")[2]}
    for case in kind.near_misses(horizon=horizon):
        found = [(finding.keyword, finding.path) for finding in kind.check(case.data)]
        assert found == [*case.findings]
        if case.id.startswith("type@/oldDate"):
            assert not outside(case.data)
    assert outside(kind.minimal()) == {
        "createdAt",
        "startDate",
        "month",
        "dueDate",
        "expires",
        "year",
    }
    least = kind.minimal(horizon=horizon)
    assert least["endTimestamp"] == 0, "none of the horizon is allowed"
    midnight = datetime(2026, 7, 31, tzinfo=UTC)
    assert least["expires"] == midnight.timestamp() * 1000, "what ends, ends late in the horizon"
    assert kind.coverage()[0].data["startDate"] > "2027", "nothing is kept of another horizon"


def test_a_date_that_no_day_of_the_horizon_can_be_is_said() -> None:
    first = {"type": "string", "format": "date", "pattern": "-01$"}
    properties = {"month": first, "birthday": first, "startDate": {**first, "format": "date-time"}}
    properties["startDate"]["pattern"] = "-01T"
    schema = {"type": "object", "required": [*properties], "properties": properties}
    kind = WidgetType.from_data_schema(schema, id="month")

    with pytest.warns(UserWarning, match="was found that the schema allows") as said:
        made = [*kind.samples(9, horizon="2026-05-10/2026-05-20")]

    assert sorted(str(one.message).partition(":")[0] for one in said) == ["/month", "/startDate"]
    assert {data["month"] for data in made} == {"2026-05-01"}
    # The only such day among many is found, and nothing is said.
    month = WidgetType.from_data_schema({"type": "object", "required": ["month"], "properties": {"month": first}}, id="month")  # fmt: skip
    for data in [*month.samples(9, horizon="2026-05-02/2026-06-30"), month.minimal(horizon="2026-05-02/2026-06-30")]:  # fmt: skip
        assert data == {"month": "2026-06-01"}


@pytest.mark.parametrize("product", ["minimal", "maximal", "coverage", "near_misses"])
def test_a_product_refuses_what_is_no_horizon(product: str) -> None:
    with pytest.raises(ValueError, match="a horizon is two dates in ISO 8601 from 1900 on"):
        getattr(COUNTDOWN, product)(horizon="2026")


@pytest.mark.parametrize("text", ["2026", "", "2026-13-01/2027-01-01", "2027-01-01/2026-01-01", "0001-01-01/2026-01-01"])  # fmt: skip
def test_what_is_no_horizon_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a horizon is two dates in ISO 8601 from 1900 on"):
        COUNTDOWN.sample(horizon=text)


def test_a_country_of_a_list_fits_the_city() -> None:
    codes = {"type": "string", "enum": ["AT", "DE", "GB", "IE", "NO"]}
    city = {"type": "string", "minLength": 1}
    rows = {"Vienna": "AT", "Berlin": "DE", "Bath": "GB", "Cork": "IE"}
    made = filled_samples({"city": city, "country": codes})
    assert {data["city"] for data in made} >= rows.keys()
    for data in made:
        assert data["country"] == rows.get(data["city"], data["country"])


def test_lists_of_texts_do_not_repeat_them() -> None:
    tags = {"type": "array", "items": {"type": "string"}}
    courses = {"type": "array", "items": {"type": "string", "examples": ["First aid"]}}
    for data in filled_samples({"keywords": tags, "courses": courses}):
        assert len({*data["keywords"]}) == len(data["keywords"])
        assert len({*data["courses"]}) == len(data["courses"])
    for data in filled_samples({"license": {**tags, "minItems": 3}}):  # of which there are four
        assert 3 <= len({*data["license"]}) == len(data["license"])
    for data in filled_samples({"license": {**tags, "minItems": 6}}, 9):
        assert len(data["license"]) >= 6


def test_texts_fit_what_the_schema_is_about() -> None:
    text = {"type": "string"}
    for data in filled_samples({"button": text, "color": text, "description": text}):
        assert data["description"] in load_locale("en").pools["description"]


def test_the_title_of_the_schema_says_what_its_names_are_of() -> None:
    schema = {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}
    for title, pool in (("Countdown", "timer_title"), ("Product file", "product"), ("A", "title")):
        kind = WidgetType.from_data_schema({**schema, "title": title}, id="titled")
        assert {data["title"] for data in kind.samples(9)} <= {*load_locale("en").pools[pool]}


def test_lists_have_no_empty_and_no_repeated_items() -> None:
    name = {"type": "string", "minLength": 1}
    person = {"type": "object", "properties": {"name": name, "level": name}}
    jobs = {"anyOf": [{"enum": ["build", "test", "lint", "docs"]}, {"type": "null"}]}
    properties = {
        "people": {"type": "array", "items": person},
        "jobs": {"type": "array", "items": {"allOf": [jobs, {"type": "string"}]}},
    }
    schema = {"type": "object", "required": ["people", "jobs"], "properties": properties}
    kind = WidgetType.from_data_schema(schema, id="lists")
    for data in kind.samples(100, fill=0.5):
        names = [one["name"] for one in data["people"] if "name" in one]
        assert len({*names}) == len(names)
        assert len({*data["jobs"]}) == len(data["jobs"])
    assert sum({} in data["people"] for data in kind.samples(100, fill=0.5)) < 3
    assert any({} in data["people"] for data in kind.samples(20, fill=0))


def test_examples_that_only_say_so_are_not_used() -> None:
    text = {"type": "string", "examples": ["Sample city", "SampleCity", "https://sample/url"]}
    made = {data["city"] for data in filled_samples({"city": text})}
    assert made <= {*load_locale("en").pools["city"]}


def test_an_open_enumeration_rarely_has_other_texts() -> None:
    options = {"anyOf": [{"enum": ["a", "b"]}, {"type": "string", "minLength": 0}]}
    made = [data["kind"] for data in filled_samples({"kind": options}, 200)]
    assert 0 < sum(one not in ("a", "b") for one in made) < 20


def test_values_that_may_be_anything_are_mostly_single() -> None:
    anything: Any = {
        "oneOf": [
            {"type": "string"},
            {"type": "number"},
            {"type": "boolean"},
            {"type": "object", "additionalProperties": {"$ref": "#/definitions/anything"}},
            {"type": "array", "items": {"$ref": "#/definitions/anything"}},
        ]
    }
    schema = {"definitions": {"anything": anything}, "$ref": "#/definitions/anything"}
    made = [*WidgetType.from_data_schema(schema, id="anything").samples(100)]
    assert 2 < sum(isinstance(one, list | dict) for one in made) < 30
    assert {type(one) for one in made} >= {str, int, bool, list, dict}


def test_objects_have_the_member_that_identifies_them() -> None:
    members = {"fluency": TEXT, "title": {"type": "array"}, "id": TEXT, "language": TEXT}
    languages = {"type": "array", "items": {"type": "object", "properties": members}}
    type_ = of({"type": "object", "required": ["all"], "properties": {"all": languages}})
    items = [one for data in type_.samples(50, fill=0.3) for one in data["all"]]
    assert all("language" in one for one in items)
    assert {True, False} == {"fluency" in one for one in items} == {"id" in one for one in items}
    assert not any(one for data in type_.samples(20, fill=0) for one in data["all"])


def test_a_default_is_one_of_the_options() -> None:
    options = {"type": "array", "items": TEXT, "minItems": 1}
    for default, kind in ((WHOLE, int), (TEXT, str)):
        members = {"options": options, "default": default}
        field = {"type": "object", "properties": members, "required": [*members]}
        for data in filled_samples({"field": field}):
            one = data["field"]
            assert type(one["default"]) is kind
            assert one["default"] in (range(len(one["options"])) if kind is int else one["options"])
    members = {"options": options, "default": {"const": "none"}}
    field = {"type": "object", "properties": members, "required": [*members]}
    assert {data["field"]["default"] for data in filled_samples({"field": field})} == {"none"}


@pytest.mark.parametrize("pattern", [r"^\$\{\{.*\}\}$", r"\{\{ [a-z]+ \}\}", r"^\$\{[a-z]+\}$"])
def test_plain_values_are_more_likely_than_templates(pattern: str) -> None:
    template = {"type": "string", "pattern": pattern}
    plain: list[dict[str, Any]] = [
        {"type": "boolean"},
        {"type": "object", "properties": {"a": TEXT}},
        {"type": "string", "enum": ["a", "b", "c"]},
    ]
    for one in plain:
        values = made(
            {"definitions": {"t": template}, "anyOf": [{"$ref": f"{DEFINED}t"}, one]}, 100
        )
        templates = sum(type(value) is str and "{" in value for value in values)
        assert 0 < templates < 30


def test_members_with_rules_of_their_own_follow_the_others() -> None:
    places = next(one for one in load_locale("en").ensembles if "postcode" in one)
    codes = dict(zip(places["city"], places["postcode"], strict=True))
    either = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "number"}]}
    digits = {"type": "string", "pattern": "^[0-9]{5}$"}
    properties = {"city": {"type": "string"}, "zip": either, "postcode": digits}
    followed = 0
    for data in filled_samples({**properties, "postalCode": {"type": "integer"}}):
        code = codes[data["city"]]
        assert data["zip"] == code
        if len(code) == 5 and code.isdigit():
            followed += 1
            assert (data["postcode"], data["postalCode"]) == (code, int(code))
    assert followed


def test_lists_of_numbers_are_as_long_as_they_have_to_be() -> None:
    position = {"type": "array", "minItems": 2, "items": {"type": "number"}}
    data = filled_samples({"position": position, "sizes": {**position, "minItems": 1}})
    assert {len(one["position"]) for one in data} == {2}
    assert len({len(one["sizes"]) for one in data}) > 1


def test_members_that_are_merely_allowed_are_not_made_up() -> None:
    kind = WidgetType.from_data_schema(
        {"type": "object", "properties": {"a": WHOLE}, "additionalProperties": True}, id="open"
    )
    assert {name for data in kind.samples(40) for name in data} == {"a"}


def test_levels_and_items_are_spread_up_to_what_is_asked_for() -> None:
    kind = WidgetType.from_data_schema(
        {
            "type": "object",
            "properties": {
                "children": {"type": "array", "items": {"$ref": "#"}},
                "tags": {"type": "array", "items": {"type": "string"}},
                "pair": {"type": "array", "items": {"type": "string"}, "minItems": 2},
            },
        },
        id="tree",
    )

    def levels(value: Any) -> int:
        return 1 + max(map(levels, value.get("children", ())), default=0)

    def counts(values: Iterable[Any], name: str) -> set[int]:
        return {len(value[name]) for value in values if name in value}

    usual = [*kind.samples(400)]
    assert {*range(1, 6)} <= {*map(levels, usual)}
    assert {1, 2, 3, 4, 8} <= counts(usual, "tags") <= {*range(13)}
    deep = {*map(levels, kind.samples(200, max_depth=60))}
    assert max(deep) > 10
    flat = [*kind.samples(50, max_depth=1, max_items=1)]
    assert {*map(levels, flat)} == {1}
    assert counts(flat, "tags") == {1}
    assert counts(flat, "pair") == {2}, "what the schema asks for"


def test_the_most_and_the_coverage_set_go_as_far_as_is_asked_for() -> None:
    kind = WidgetType.from_data_schema(
        {
            "type": "object",
            "properties": {
                "next": {"$ref": "#"},
                "tags": {"type": "array", "items": TEXT},
                "many": {"type": "array", "items": WHOLE, "minItems": 1, "maxItems": 20},
            },
        },
        id="tree",
    )

    def counts(values: Iterable[Any], name: str) -> set[int]:
        return {len(value[name]) for value in values if name in value}

    most = kind.maximal()
    assert (depth(most), len(most["tags"]), len(most["many"])) == (3, 3, 3)
    most = kind.maximal(max_depth=6, max_items=30)
    assert (depth(most), len(most["tags"]), len(most["many"])) == (7, 30, 20)
    most = kind.maximal(max_depth=0, max_items=0)
    assert most == {}

    reaches: tuple[dict[str, Any], ...] = (
        {},
        {"max_depth": 6, "max_items": 7},
        {"max_depth": 1, "max_items": 2},
    )
    for cases in (kind.coverage, kind.near_misses):
        usual, far, near = (
            [case.data for case in cases(**reach) if isinstance(case.data, dict)]
            for reach in reaches
        )
        assert max(map(depth, near)) < max(map(depth, usual)) < max(map(depth, far)) - 3
    reaches = ({}, {"max_items": 7}, {"max_items": 2})
    usual, far, near = ([case.data for case in kind.coverage(**reach)] for reach in reaches)
    assert counts(usual, "tags") == {0, 1, 3}
    assert counts(usual, "many") == {1, 2, 3, 19, 20}
    assert counts(far, "tags") == {0, 1, 3, 7}
    assert counts(far, "many") == {1, 2, 3, 7}
    assert counts(near, "tags") == {0, 1, 2}
    assert counts(near, "many") == {1, 2}


@pytest.mark.parametrize("name", ["sample", "maximal", "coverage", "near_misses", "strategy"])
@pytest.mark.parametrize("reach", [{"max_depth": -1}, {"max_depth": 1.5}, {"max_items": 101}, {"max_items": True}])  # fmt: skip
def test_reach_is_checked_by_all(name: str, reach: Any) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(reach))} is an int from 0 to 100"):
        getattr(COUNTDOWN, name)(**reach)


def test_recursion_ends() -> None:
    tree = {"type": "object", "properties": {"left": HERE, "right": HERE, "value": WHOLE}}
    assert max(map(depth, made(tree))) <= DEFAULT_DEPTH + 2
    linked = {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"next": HERE}, "required": ["next"]}]}  # fmt: skip
    depths = {*map(depth, made(linked))}
    assert {0, 1, 2} <= depths
    node = {"type": "object", "required": ["next"], "properties": {"next": HERE}}
    for levels in (1, 2, 3):
        found = of({"anyOf": [node, TEXT, WHOLE]}).samples(300, max_depth=levels)
        assert max(map(depth, found)) <= levels + 1


def test_a_strategy_draws_lists_of_each_length() -> None:
    lengths = set()

    @settings(phases=[Phase.generate], suppress_health_check=[*HealthCheck], max_examples=100)
    @given(of({"type": "array", "items": WHOLE, "minItems": 1, "maxItems": 3}).strategy())
    def keep(items: list[int]) -> None:
        lengths.add(len(items))

    keep()
    assert lengths == {1, 2, 3}


# The countdown ----------------------------------------------------------------------------


def test_the_countdown_looks_like_one() -> None:
    for data in COUNTDOWN.samples(30, "real", fill=1):
        content, styles = data["content"], data["styles"]
        assert all(content[name].strip() for name in ("timerTitle", "postTitle", "postDescription"))
        assert len(content["postDescription"]) > len("Time is up")
        assert datetime.fromisoformat(content["expDate"]).year > 2020
        assert 0 <= content["timerHours"] <= 23
        assert all(0 <= content[f"timer{unit}"] <= 59 for unit in ("Minutes", "Seconds"))
        for unit in ("days", "hours", "minutes", "seconds"):
            assert content[f"{unit}Label"].lower().startswith(unit[0])
            assert len(content[f"{unit}Label"]) < 12
        assert content["postButtonLink"].startswith("https://")
        assert 0 < len(content["postButtonText"]) < 40
        colours = [*styles["containerBg"], *styles["cardsBg"], *styles["postContainerBg"]]
        colours += [styles[f"{name}Color"] for name in ("cardsBorder", "colon", "separator")]
        assert [one for one in colours if not re.fullmatch("#[0-9a-f]{6}", one)] == []
        assert "{" in styles["customCSS"]
        assert re.fullmatch("[A-Za-z0-9 -]+", styles["fontId"])
        assert all(0 <= styles[f"{name}BorderRadius"] < 100 for name in ("container", "cards"))
        assert all(isinstance(value, bool) for value in data["settings"].values())
    assert len({data["content"]["timerTitle"] for data in COUNTDOWN.samples(40, fill=1)}) > 5


# Hostile schemas --------------------------------------------------------------------------


def chain(levels: int, required: bool) -> dict[str, Any]:
    """Objects in objects, each a definition of its own."""
    definitions: dict[str, Any] = {
        f"l{i}": {"type": "object", "properties": {"a": {"$ref": f"{DEFINED}l{i + 1}"}}, "required": ["a"] * required}
        for i in range(levels)
    }  # fmt: skip
    definitions[f"l{levels}"] = TEXT
    return {"definitions": definitions, "allOf": [{"$ref": f"{DEFINED}l0"}]}


def inline(levels: int) -> Any:
    return TEXT if not levels else {"type": "object", "properties": {"a": inline(levels - 1)}}


def choices(levels: int, number: int = 1) -> Any:
    """Two ways, each of them two ways …"""
    if not levels:
        return {"const": number}
    return {"oneOf": [choices(levels - 1, number * 2), choices(levels - 1, number * 2 + 1)]}


def choices_within(levels: int, number: int = 1) -> Any:
    """The same, each below a member of its own."""
    if not levels:
        return {"type": "string", "minLength": number}
    ways = [
        {"properties": {"k": {"const": way}, "v": choices_within(levels - 1, number * 2 + way)}}
        for way in range(2)
    ]
    return {"type": "object", "oneOf": [{**way, "required": ["k"]} for way in ways]}


def without_end() -> dict[str, Any]:
    return {"type": "object", "properties": {f"p{i}": HERE for i in range(30)}}


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(inline(90), id="90 levels"),
        pytest.param(chain(198, required=False), id="198 levels by reference"),
        pytest.param(chain(50, required=True), id="50 levels that must be there"),
        pytest.param({"type": "object", "properties": {f"p{i}": TEXT for i in range(2000)}}, id="2000 members"),
        pytest.param({"enum": [f"v{i}" for i in range(10_000)]}, id="10000 values"),
        pytest.param({"type": "string", "minLength": 50_000}, id="50000 characters"),
        pytest.param({"type": "string", "minLength": 5_000, "pattern": "^[a-z]*$"}, id="5000 by pattern"),
        pytest.param({"type": "array", "minItems": 5_000, "items": WHOLE}, id="5000 items"),
        pytest.param({"type": "string", "pattern": "^(a+)+$"}, id="nested repeats"),
        pytest.param({"type": "string", "pattern": "^(a|a)*b$", "minLength": 40}, id="alike branches"),
        pytest.param({"type": "string", "pattern": "^(([a-z])+.)+[A-Z]([a-z])+$"}, id="known to explode"),
        pytest.param(choices(10), id="10 levels of choices"),
        pytest.param(choices_within(2), id="choices within choices"),
        pytest.param(without_end(), id="30 ways without end"),
        pytest.param({"type": "array", "items": {"anyOf": [TEXT, HERE, HERE]}}, id="arrays without end"),
        pytest.param({"type": "object", "additionalProperties": HERE}, id="maps without end"),
        pytest.param({"allOf": [{"minimum": i} for i in range(1000)], "type": "number"}, id="1000 conjuncts"),
        pytest.param({"type": "object", "required": [f"p{i}" for i in range(500)]}, id="500 required"),
        pytest.param({"type": "object", "dependencies": {f"p{i}": [f"p{i + 1}"] for i in range(300)}, "properties": {"p0": {}}}, id="300 dependencies"),
        pytest.param({"type": "object", "dependencies": {f"p{i}": {"required": [f"p{i + 1}"]} for i in range(8)}}, id="8 dependent schemas"),
        pytest.param({"type": "string", "not": {"enum": [f"v{i}" for i in range(5000)]}}, id="5000 refused"),
    ],
)  # fmt: skip
def test_hostile_schemas_have_samples(schema: Any) -> None:
    assert len(made(schema, 2)) == 4
