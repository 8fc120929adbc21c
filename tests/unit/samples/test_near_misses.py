"""Near-misses: one human mistake each, and exactly the findings that were promised."""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import pytest

import widgetschema
from tests.properties.test_samples import (
    ALL,
    DEFINITIONS,
    FLAG,
    SCHEMAS,
    TEXT,
    WHOLE,
    Json,
    made,
    named,
    widget_type,
)
from widgetschema import Validator, WidgetType
from widgetschema.samples import Case, CaseSet, ExpectedFinding, Products

NULL: Final = {"type": "null"}
ID: Final = re.compile(r"[A-Za-z]+@(/.*)?#.+", re.DOTALL)


def near_misses(schema: Json) -> CaseSet:
    return widget_type(schema).near_misses()


def at(cases: CaseSet, id: str) -> Case:
    """The case with an id."""
    (case,) = (case for case in cases if case.id == id)
    return case


def parts(case: Case) -> tuple[str, str, str]:
    """Keyword, pointer and mistake of the id of a case."""
    keyword, _, rest = case.id.partition("@")
    pointer, _, mistake = rest.rpartition("#")
    return keyword, pointer, mistake


def tokens(pointer: str) -> list[str]:
    return [one.replace("~1", "/").replace("~0", "~") for one in pointer.split("/")[1:]]


def value_at(data: Json, pointer: str) -> Json:
    for token in tokens(pointer):
        data = data[int(token)] if isinstance(data, list) else data[token]
    return data


def replaced(data: Json, pointer: str, value: Json) -> Json:
    if not pointer:
        return value
    result = copy.deepcopy(data)
    above, _, last = pointer.rpartition("/")
    holder = value_at(result, above)
    (key,) = tokens(f"/{last}")
    holder[int(key) if isinstance(holder, list) else key] = value
    return result


@cache
def python_engine(name: str) -> WidgetType:
    if name == "countdown":
        return WidgetType.from_schema(named(name).schema, engine="python")
    whole = {"properties": {"data": SCHEMAS[name]}, "definitions": DEFINITIONS}
    return WidgetType.from_schema(whole, id="x", engine="python", describes="document")


# Each case


@ALL
def test_each_has_exactly_the_findings_that_were_promised(name: str) -> None:
    for case in made(name, "near_misses"):
        assert case.kind == "near-miss"
        assert not case.valid
        assert case.covers == ()
        assert all(isinstance(one, ExpectedFinding) for one in case.findings)
        for judge in (named(name), python_engine(name)):
            findings = [(one.keyword, one.path) for one in judge.check(case.data)]
            assert findings == [*case.findings], (case, judge)
            assert not judge.is_valid(case.data)


@ALL
def test_each_id_says_what_where_and_how(name: str) -> None:
    for case in made(name, "near_misses"):
        assert ID.fullmatch(case.id), case.id
        keyword, place, _ = parts(case)
        ((found, path),) = case.findings
        assert found == keyword
        above = path.rpartition("/")[0]
        assert place in (path, above), case.id
        assert place == path or keyword in NAMED, case.id


# Their findings are about a member or an item of the place where the mistake was made.
NAMED: Final = ("additionalProperties", "propertyNames", "additionalItems", "uniqueItems")


@ALL
def test_each_differs_from_valid_data_at_one_place(name: str) -> None:
    valid = [case.data for case in made(name, "coverage")]
    for case in made(name, "near_misses"):
        _, place, _ = parts(case)
        assert any(
            reaches(data, place) and replaced(data, place, wrong(case, place)) == case.data
            for data in valid
        ), case


def wrong(case: Case, place: str) -> Json:
    return value_at(case.data, place)


def reaches(data: Json, pointer: str) -> bool:
    try:
        value_at(data, pointer)
    except (LookupError, TypeError, ValueError):
        return False
    return True


@ALL
def test_each_mistake_is_made_once_at_each_place(name: str) -> None:
    cases = made(name, "near_misses")
    ledger = [target for target in cases.ledger if target.case is not None]

    assert [(target.id, target.case) for target in ledger] == [(case.id,) * 2 for case in cases]
    assert all(target.why for target in cases.uncovered)


# The countdown


def constraints(schema: Json, root: Json, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Each keyword that asserts something in the countdown's schema, and the place in the data."""
    while "$ref" in schema:
        schema = value_at(root, schema["$ref"].removeprefix("#"))
    for keyword in ("type", "enum", "const"):
        if keyword in schema:
            yield keyword, pointer
    for name in schema.get("required", ()):
        yield f"required {name}", pointer
    if schema.get("additionalProperties") is False:
        yield "additionalProperties", pointer
    for name, inner in schema.get("properties", {}).items():
        if "anyOf" not in inner:  # the one that accepts anything
            yield from constraints(inner, root, f"{pointer}/{name}")
    if "items" in schema:
        yield from constraints(schema["items"], root, f"{pointer}/0")


def test_every_constraint_of_the_countdown_is_violated() -> None:
    root = widgetschema.widget_type("countdown").linked
    wanted = [*constraints(value_at(root, "/definitions/IPluginData"), root)]
    found: set[tuple[str, str]] = set()
    for case in made("countdown", "near_misses"):
        keyword, place, mistake = parts(case)
        found.add((keyword, place))
        found.add((f"{keyword} {mistake.removeprefix('missing-')}", place))

    assert len(wanted) > 70
    assert [one for one in wanted if one not in found] == []


def test_nothing_else_of_the_countdown_is_violated() -> None:
    root = widgetschema.widget_type("countdown").linked
    wanted = {*constraints(value_at(root, "/definitions/IPluginData"), root)}
    for case in made("countdown", "near_misses"):
        keyword, place, mistake = parts(case)
        if keyword == "required":
            keyword = f"required {mistake.removeprefix('missing-')}"
        assert (keyword, place) in wanted, case.id


def test_what_the_countdown_does_not_forbid_is_in_the_ledger() -> None:
    uncovered = made("countdown", "near_misses").uncovered

    assert {target.id for target in uncovered} == {
        "type@/content/expDate",
        "format@/content/expDate",
        "anyOf@/content/expDate",
    }
    assert all("left the data valid" in (target.why or "") for target in uncovered)


def test_members_of_the_countdown_in_the_wrong_section() -> None:
    members = value_at(widgetschema.widget_type("countdown").linked, "/definitions")
    for section in ("content", "settings", "styles"):
        case = at(made("countdown", "near_misses"), f"additionalProperties@/{section}#section")
        own = members[f"IPlugin{section.title()}"]["properties"]
        (stray,) = case.data[section].keys() - own.keys()
        assert any(stray in one["properties"] for one in members.values())
        assert case.findings == (("additionalProperties", f"/{section}/{stray}"),)


# Mistakes that people make


def test_wrong_letter_case() -> None:
    case = at(near_misses({"enum": ["grid", "list"]}), "enum@#case")

    assert case.data not in ("grid", "list")
    assert case.data.lower() in ("grid", "list")
    assert at(near_misses({"const": "Ab"}), "const@#case").data.lower() == "ab"


def test_space_too_many() -> None:
    assert at(near_misses({"enum": ["grid", "list"]}), "enum@#space").data in ("grid ", "list ")


@pytest.mark.parametrize("type", ["integer", "number"])
def test_number_in_quotes(type: str) -> None:
    data = at(near_misses({"type": type, "minimum": 1, "maximum": 9}), "type@#quoted").data

    assert isinstance(data, str)
    assert 1 <= float(data) <= 9


def test_number_for_a_boolean() -> None:
    data = at(near_misses(FLAG), "type@#number").data

    assert type(data) is int
    assert data in (0, 1)
    assert at(near_misses(FLAG), "type@#quoted").data in ("true", "false")


@pytest.mark.parametrize("schema", [TEXT, WHOLE, FLAG, {"type": "array"}, {"type": "object"}])
def test_null(schema: Json) -> None:
    assert at(near_misses(schema), "type@#null").data is None


@pytest.mark.parametrize("schema", [{"type": ["string", "null"]}, {"type": "string"}])
def test_null_is_no_mistake_where_it_is_allowed(schema: Json) -> None:
    inside = {"type": "object", "properties": {"a": schema}}
    ids = [case.id for case in near_misses(inside)]

    assert ("type@/a#null" in ids) is (schema["type"] == "string")


NAMES: Final = {"type": "object", "additionalProperties": False, "properties": {"showTitle": FLAG}}


def test_member_misspelt() -> None:
    case = at(near_misses(NAMES), "additionalProperties@#misspelled-showTitle")
    (name,) = case.data

    assert name != "showTitle"
    assert difflib.SequenceMatcher(None, name, "showTitle").ratio() > 0.8
    assert case.findings == (("additionalProperties", f"/{name}"),)


def test_member_in_wrong_letter_case() -> None:
    (name,) = at(near_misses(NAMES), "additionalProperties@#case-showTitle").data

    assert name != "showTitle"
    assert name.lower() == "showtitle"


def test_member_unknown() -> None:
    case = at(near_misses(NAMES), "additionalProperties@#unknown")

    assert len(case.data.keys() - {"showTitle"}) == 1


def test_member_missing() -> None:
    schema = {"type": "object", "required": ["a", "b/c"], "properties": {"a": FLAG, "d": FLAG}}
    cases = near_misses(schema)

    assert "a" not in at(cases, "required@#missing-a").data
    assert "b/c" not in at(cases, "required@#missing-b/c").data
    assert at(cases, "required@#missing-a").findings == (("required", ""),)


@pytest.mark.parametrize(
    ("schema", "id", "beyond"),
    [
        ({"type": "integer", "maximum": 12}, "maximum@#above", 13),
        ({"type": "integer", "minimum": 1}, "minimum@#below", 0),
        ({"type": "number", "maximum": 0.5}, "maximum@#above", 0.6),
        ({"type": "number", "minimum": 0.25}, "minimum@#below", 0.24),
        ({"type": "integer", "exclusiveMaximum": 12}, "exclusiveMaximum@#above", 12),
        ({"type": "number", "exclusiveMinimum": 0}, "exclusiveMinimum@#below", 0),
        ({"multipleOf": 4, "minimum": -6, "maximum": 30}, "maximum@#above", 32),
        ({"minimum": 0, "maximum": 0}, "minimum@#below", -1),
    ],
)
def test_bound_exceeded_by_a_step(schema: Json, id: str, beyond: float) -> None:
    assert at(near_misses(schema), id).data == beyond


@pytest.mark.parametrize(
    ("schema", "id", "size"),
    [
        ({"type": "string", "minLength": 3}, "minLength@#short", 2),
        ({"type": "string", "maxLength": 5}, "maxLength@#long", 6),
        ({"type": "string", "pattern": "^[a-z]*$", "maxLength": 5}, "maxLength@#long", 6),
        ({"type": "array", "items": WHOLE, "minItems": 2}, "minItems@#few", 1),
        ({"type": "array", "items": WHOLE, "maxItems": 4}, "maxItems@#many", 5),
        ({"type": "object", "minProperties": 2}, "minProperties@#few", 1),
        ({"additionalProperties": WHOLE, "maxProperties": 3, "type": "object"}, "maxProperties@#many", 4),
    ],
)  # fmt: skip
def test_one_too_many_and_one_too_few(schema: Json, id: str, size: int) -> None:
    assert len(at(near_misses(schema), id).data) == size


def test_one_bad_item_in_a_list() -> None:
    schema = {"type": "array", "items": {"type": "integer", "minimum": 1}}
    cases = [case for case in near_misses(schema) if parts(case)[1] == "/0"]
    fits = Validator(schema["items"]).is_valid

    assert {parts(case)[0] for case in cases} == {"type", "minimum"}
    for case in cases:
        assert [fits(item) for item in case.data] == [False, True, True]


def test_items_that_are_described_one_by_one_are_broken_one_by_one() -> None:
    places = {parts(case)[:2] for case in made("tuple", "near_misses")}

    assert places >= {("enum", "/0"), ("type", "/1"), ("type", "/2"), ("additionalItems", "")}


def test_each_branch_is_broken() -> None:
    ids = {case.id for case in made("patterns of names, and a condition", "near_misses")}

    assert {"required@#missing-date", "required@#missing-days", "enum@/mode#case"} <= ids
    places = {parts(case)[1] for case in made("told apart by a constant", "near_misses")}
    assert {"/kind", "/alt", "/wide", "/seconds", "/loop"} <= places


def test_inner_levels_of_a_tree_are_broken() -> None:
    assert any(parts(case)[1] == "/left/name" for case in made("tree", "near_misses"))


# Keyword by keyword


BASE64: Final = {"type": "string", "contentEncoding": "base64"}
# fmt: off
KEYWORDS: Final[dict[str, tuple[Json, str]]] = {
    "type": (TEXT, ""),
    "enum": ({"enum": ["a", 1, None]}, ""),
    "const": ({"const": {"a": 1}}, ""),
    "multipleOf": ({"multipleOf": 0.1}, ""),
    "maximum": ({"maximum": 3}, ""),
    "exclusiveMaximum": ({"exclusiveMaximum": 3.5}, ""),
    "minimum": ({"minimum": -3}, ""),
    "exclusiveMinimum": ({"exclusiveMinimum": 3}, ""),
    "maxLength": ({"type": "string", "maxLength": 0}, ""),
    "minLength": ({"type": "string", "minLength": 1}, ""),
    "pattern": ({"type": "string", "pattern": "^#[0-9a-f]{6}$"}, ""),
    "format": ({"type": "string", "format": "date-time"}, ""),
    "maxItems": ({"type": "array", "maxItems": 2}, ""),
    "minItems": ({"type": "array", "minItems": 1}, ""),
    "uniqueItems": ({"type": "array", "items": WHOLE, "uniqueItems": True, "minItems": 2}, "/1"),
    "contains": ({"type": "array", "items": WHOLE, "contains": {"const": 7}}, ""),
    "maxProperties": ({"type": "object", "maxProperties": 1}, ""),
    "minProperties": ({"type": "object", "minProperties": 1}, ""),
    "required": ({"type": "object", "required": ["a"]}, ""),
    "dependencies": ({"type": "object", "properties": {"a": FLAG}, "dependencies": {"a": ["b"]}}, ""),
    "propertyNames": ({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"},
                       "additionalProperties": FLAG, "minProperties": 1}, "/*"),
    "additionalProperties": ({"type": "object", "additionalProperties": False}, "/*"),
    "additionalItems": ({"type": "array", "items": [FLAG, WHOLE], "additionalItems": False}, "/2"),
    "not": ({"type": "integer", "not": {"enum": [0, 1]}}, ""),
    "oneOf": ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ""),
    "anyOf": ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, ""),
    "contentEncoding": (BASE64, ""),
    "contentMediaType": ({"type": "string", "contentMediaType": "application/json"}, ""),
}
# What these ask for is said by the schemas in them.
THROUGH: Final[dict[str, tuple[Json, str, str]]] = {
    "properties": ({"type": "object", "properties": {"a": WHOLE}}, "type", "/a"),
    "patternProperties": ({"type": "object", "patternProperties": {"^[xy]$": WHOLE}, "minProperties": 1,
                           "additionalProperties": False}, "type", "/[xy]"),
    "additionalProperties": ({"type": "object", "additionalProperties": WHOLE}, "type", "/*"),
    "items": ({"type": "array", "items": WHOLE}, "type", "/0"),
    "items, one by one": ({"type": "array", "items": [FLAG, {"maximum": 3}], "minItems": 2}, "maximum", "/1"),
    "additionalItems": ({"type": "array", "items": [FLAG], "additionalItems": WHOLE}, "type", "/1"),
    "dependencies": ({"type": "object", "properties": {"a": FLAG, "b": FLAG},
                      "dependencies": {"a": {"required": ["b"]}}}, "required", ""),
    "allOf": ({"allOf": [{"type": "integer"}, {"maximum": 9}]}, "maximum", ""),
    "then": ({"type": "object", "required": ["m"], "properties": {"m": FLAG},
              "if": {"properties": {"m": {"const": True}}}, "then": {"required": ["n"]}}, "required", ""),
    "else": ({"type": "object", "required": ["m"], "properties": {"m": FLAG},
              "if": {"properties": {"m": {"const": True}}}, "else": {"properties": {"n": WHOLE}}}, "type", "/n"),
    "$ref": ({"type": "object", "properties": {"tree": {"$ref": "#/definitions/tree"}}}, "enum", "/tree/name"),
}
# fmt: on


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("keyword", KEYWORDS)
def test_every_keyword_is_violated(keyword: str, engine: str) -> None:
    schema, path = KEYWORDS[keyword]
    assert_violated(schema, keyword, path, engine)


@pytest.mark.parametrize("engine", ["rust", "python"])
@pytest.mark.parametrize("through", THROUGH)
def test_what_is_asked_for_by_inner_schemas_is_violated(through: str, engine: str) -> None:
    schema, keyword, path = THROUGH[through]
    assert_violated(schema, keyword, path, engine)


def assert_violated(schema: Json, keyword: str, path: str, engine: str) -> None:
    one = widget_type(schema, engine=engine)
    cases = [case for case in one.near_misses() if parts(case)[0] == keyword]
    pattern = re.compile(path.replace("*", "[^/]+"))

    assert any(pattern.fullmatch(case.findings[0].path) for case in cases)
    for case in cases:
        assert [(f.keyword, f.path) for f in one.check(case.data)] == [*case.findings]


# What cannot be violated


# fmt: off
INVIOLABLE: Final[list[tuple[Json, str]]] = [
    ({"type": "boolean", "enum": [True, False]}, "enum@"),
    ({"anyOf": [{"type": "string"}, {}]}, "anyOf@"),
    ({"anyOf": [{"type": "string"}, {}]}, "type@"),
    ({"type": "string", "pattern": ""}, "pattern@"),
    ({"type": "integer", "multipleOf": 1}, "multipleOf@"),
    ({"type": "array", "uniqueItems": True, "maxItems": 1}, "uniqueItems@"),
    ({"type": ["null", "boolean", "number", "string", "array", "object"]}, "type@"),
    ({"contentEncoding": "base64", "contentMediaType": "application/json"}, "contentMediaType@"),
]
# fmt: on


@pytest.mark.parametrize(("schema", "id"), INVIOLABLE)
def test_what_cannot_be_violated_has_a_reason(schema: Json, id: str) -> None:
    cases = near_misses(schema)
    reasons = {target.id: target.why for target in cases.uncovered}

    assert reasons[id]
    assert not any(case.id.startswith(f"{id}#") for case in cases)


def test_data_that_breaks_for_two_reasons_is_not_said_to_be_valid() -> None:
    schema = {"type": "object", "required": ["a", "b"], "dependencies": {"a": ["b"]}}
    reasons = {target.id: target.why for target in near_misses(schema).uncovered}

    assert reasons["dependencies@"] == (
        "not broken alone: of 3 values tried, 3 broke something else, such as required at "
        "(root), dependencies at (root)"
    )


def test_the_reason_says_what_else_would_object() -> None:
    cases = near_misses({"type": "boolean", "enum": [True, False]})
    (why,) = [target.why for target in cases.uncovered]

    assert why is not None
    assert why.startswith("not broken alone: ")
    assert why.endswith(" broke something else, such as type at (root)")
    assert f"not covered: enum@: {why}" in str(cases)


def test_of_a_schema_that_accepts_everything_there_is_no_near_miss() -> None:
    for schema in (True, {}, {"title": "Anything"}, {"default": 3}):
        assert len(near_misses(schema)) == 0


def test_no_more_than_asked_for() -> None:
    whole = Validator(SCHEMAS["bounds"])
    assert len(Products(whole).near_misses(max_cases=4)) < len(Products(whole).near_misses())


MODES: Final[list[Callable[[WidgetType], CaseSet]]] = [
    lambda widget_type: widget_type.near_misses(),
    lambda widget_type: widget_type.near_misses(locale="de"),
]


def test_locales_differ_in_texts_only() -> None:
    english, german = (make(widgetschema.widget_type("countdown")) for make in MODES)

    assert {case.id for case in english} == {case.id for case in german}
    assert {case.findings for case in english} == {case.findings for case in german}
    assert [case.data for case in english] != [case.data for case in german]


def test_what_has_to_be_explained_counts_as_steps() -> None:
    steps = []
    for number in (2, 300):
        refused = [{"required": [f"member{one}"]} for one in range(number)]
        type_ = WidgetType.from_data_schema(
            {"type": "object", "properties": {"a": {"type": "string"}}, "not": {"anyOf": refused}}
        )
        steps.append(type_.near_misses().steps)
    assert steps[1] > 10 * steps[0]


@pytest.mark.parametrize(
    ("schema", "ids"),
    [
        ({"dependencies": {"a": ["b"]}}, {"dependencies@#a-without-b"}),
        (
            {"type": "object", "properties": {"b": TEXT}, "dependencies": {"a": ["b", "c"]}},
            {"dependencies@#a-without-b", "dependencies@#a-without-c"},
        ),
        (
            {"dependencies": {"a": ["b"], "b": ["c"]}, "additionalProperties": WHOLE},
            {"dependencies@#a-without-b", "dependencies@#b-without-c"},
        ),
        (
            {
                "type": "object",
                "properties": {"a": TEXT, "b": WHOLE},
                "not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            },
            {"not@#refused-0", "not@#refused-1"},
        ),
        (
            {
                "type": "object",
                "properties": {"a": TEXT, "b": WHOLE, "c": FLAG},
                "not": {"anyOf": [{"required": ["a", "b"]}, {"required": ["b", "c"]}]},
            },
            {"not@#refused-0", "not@#refused-1"},
        ),
        (
            {"type": "object", "properties": {"a": WHOLE}, "not": {"required": ["a"]}},
            {"not@#refused"},
        ),
        *(
            (
                {"type": "string", "format": name, keyword: value},
                {"format@#malformed", f"{keyword}@#{broken}"},
            )
            for name, keyword, value, broken in (
                ("date", "pattern", "-02-29$", "mismatch"),
                ("ipv4", "pattern", "^10\\.", "mismatch"),
                ("email", "pattern", "@gmail\\.", "mismatch"),
                ("uri", "maxLength", 40, "long"),
                ("time", "minLength", 12, "short"),
                ("hostname", "maxLength", 10, "long"),
                ("ipv6", "minLength", 30, "short"),
            )
        ),
    ],
)
def test_what_has_a_near_miss(schema: Json, ids: set[str]) -> None:
    kind = WidgetType.from_data_schema(schema, id="x")
    cases = kind.near_misses()
    assert ids <= {case.id for case in cases}
    for case in cases:
        for engine in ("rust", "python"):
            found = [
                (one.keyword, one.path) for one in Validator(schema, engine=engine).check(case.data)
            ]
            assert found == list(case.findings)
