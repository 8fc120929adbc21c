"""Schemas with which making data once failed, hung or gave too little; each was reported."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest

import widgetschema
from widgetschema import CannotGenerate, MissingExtra, WidgetType
from widgetschema.errors import InvalidSchema

HERE: Final = {"$ref": "#/properties/data"}
TEXT: Final = {"type": "string"}
CLOSED: Final = {"additionalProperties": False}


def of(data: Any, **members: Any) -> WidgetType:
    properties = {"data": data, **members.pop("properties", {})}
    schema = {"$id": "test", "properties": properties, **members}
    return WidgetType.from_schema(schema, plugin=True, describes="document")


def conditions(number: int) -> dict[str, Any]:
    """One `if` for each value of a member."""
    return {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"enum": [*range(number)]}, "b": {"type": "integer"}},
        "allOf": [
            {
                "if": {"properties": {"a": {"const": index}}},
                "then": {"properties": {"b": {"const": index * 7}}, "required": ["b"]},
            }
            for index in range(number)
        ],
    }


def dependents(number: int) -> dict[str, Any]:
    needs = {f"p{i}": {"required": [f"q{i}"]} for i in range(number)}
    return {"type": "object", "properties": dict.fromkeys(needs, TEXT), "dependencies": needs}


def chained(number: int) -> dict[str, Any]:
    needs = {f"p{i}": {"required": [f"p{i + 1}"]} for i in range(number)}
    return {"type": "object", "dependencies": needs}


def alternatives(number: int, keyword: str) -> dict[str, Any]:
    return {
        "type": "object",
        "allOf": [{keyword: [{"required": [f"{x}{i}"]} for x in "ab"]} for i in range(number)],
    }


def union(levels: int) -> Any:
    """Closed objects in closed objects, told apart by a member."""
    if not levels:
        return TEXT
    branches = [{"kind": {"const": i}, "v": union(levels - 1)} for i in range(3)]
    return {
        "oneOf": [
            {"type": "object", "properties": one, "required": ["kind"], **CLOSED}
            for one in branches
        ]
    }


def arrays(levels: int) -> Any:
    return {"type": "array", "items": arrays(levels - 1)} if levels else TEXT


def doubled(levels: int) -> dict[str, Any]:
    """Each level has the next one twice."""
    place = "#/properties/data/definitions/l"
    definitions: dict[str, Any] = {
        f"l{i}": {"type": "object", "properties": {n: {"$ref": f"{place}{i + 1}"} for n in "ab"}}
        for i in range(levels)
    }
    return {"definitions": {**definitions, f"l{levels}": TEXT}, "allOf": [{"$ref": f"{place}0"}]}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(conditions(20), id="20 conditions"),
        pytest.param(dependents(20), id="20 members that need others"),
        pytest.param(chained(20), id="20 members in a chain"),
        pytest.param(alternatives(16, "oneOf"), id="16 times one of two"),
        pytest.param(alternatives(16, "anyOf"), id="16 times any of two"),
        pytest.param(union(3), id="unions of closed objects"),
        pytest.param(arrays(40), id="40 arrays in arrays"),
        pytest.param(doubled(40), id="each level twice"),
    ],
)
def test_choices_upon_choices_come_to_an_end(data: Any) -> None:
    type_ = of(data)
    for made in (*type_.samples(30), type_.minimal(), type_.maximal()):
        assert type_.is_valid(made)


def test_every_condition_is_met_in_some_sample() -> None:
    type_ = of(conditions(6))
    assert {made["a"] for made in type_.samples(200)} == {*range(6)}
    covered = {(case.data["a"], case.data.get("b")) for case in type_.coverage()}
    assert {(index, index * 7) for index in range(6)} <= covered


TEXTS: Final[list[tuple[dict[str, Any], str]]] = [
    ({"format": "date", "pattern": "^2024-"}, r"2024-\d\d-\d\d"),
    ({"format": "date", "pattern": r"^20(1|2)\d-"}, r"20[12]\d-\d\d-\d\d"),
    ({"format": "uri", "pattern": r"\.png$"}, r"\S+:\S+\.png"),
    ({"format": "date-time", "pattern": r"\.\d{3}Z$"}, r"\S+\.\d{3}Z"),
    ({"format": "ipv4", "pattern": r"^10\."}, r"10(\.\d+){3}"),
    ({"format": "ipv6", "pattern": "^fe80:"}, r"fe80:\S+"),
    ({"format": "hostname", "maxLength": 5}, r"\S{1,5}"),
    ({"format": "uri", "maxLength": 9}, r"\w+:\S+"),
    ({"format": "email", "maxLength": 7}, r"\S+@\S+"),
    ({"format": "email", "minLength": 40}, r"\S+@\S+"),
    (
        {
            "minLength": 8,
            "maxLength": 20,
            "allOf": [{"pattern": p} for p in ("[0-9]", "[a-z]", "[A-Z]", "[^a-zA-Z0-9]")],
        },
        r"(?s).{8,20}",
    ),
    ({"not": {"pattern": "[a-z]"}, "minLength": 3}, r"(?s)[^a-z]{3,}"),
    ({"pattern": r"^\p{Emoji}$"}, r"(?s)."),
    (
        {"allOf": [{"pattern": "^a"}, {"pattern": "z$"}, {"pattern": "m"}], "maxLength": 6},
        r"a.*m.*z",
    ),
]


@pytest.mark.parametrize(("text", "pattern"), TEXTS)
def test_texts_of_which_several_things_are_asked(text: dict[str, Any], pattern: str) -> None:
    for made in of({"type": "string", **text}).samples(200):
        assert re.fullmatch(pattern, made), made


@pytest.mark.parametrize(
    "items",
    [
        TEXT,
        {"type": "string", "minLength": 1, "maxLength": 1},
        {"type": "object", "required": ["title"], "properties": {"title": TEXT}},
        {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 1},
        {"type": "integer", "minimum": 0, "maximum": 31},
        {"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.03125},
        {"enum": [*range(30)]},
    ],
)
def test_many_items_that_have_to_be_different(items: Any) -> None:
    type_ = of({"type": "array", "uniqueItems": True, "minItems": 30, "items": items})
    assert all(len(made) >= 30 for made in (*type_.samples(5), type_.minimal()))


@pytest.mark.parametrize(
    "data",
    [
        {"type": "array", "contains": HERE},
        {"type": "object", "required": ["a"], "dependencies": {"a": ["b"]}, "properties": {"b": HERE}},
        {"type": "object", "minProperties": 1, "additionalProperties": HERE},
        {"type": "object", "minProperties": 1, "properties": {"a": HERE}, **CLOSED},
    ],
)  # fmt: skip
def test_what_never_ends_cannot_be_made(data: Any) -> None:
    for make in (of(data).sample, of(data).minimal, of(data).maximal):
        with pytest.raises(CannotGenerate, match="without end"):
            make()


@pytest.mark.parametrize(
    ("data", "valid"),
    [
        ({"enum": [1.5], "not": {"type": "integer", "enum": [1.5]}}, 1.5),
        ({"type": "number", "minimum": 0.1, "maximum": 0.1}, 0.1),
        ({"not": {"oneOf": [{"type": "string"}, {"type": "number"}, {"minLength": 1}]}}, 5),
        ({"not": {"dependencies": {"a": {"type": "integer"}}}}, {"a": 1}),
        ({"not": {"multipleOf": 1}, "exclusiveMinimum": -3}, -0.5),
    ],
)
def test_what_is_valid_can_be_made(data: Any, valid: Any) -> None:
    type_ = of(data)
    assert type_.is_valid(valid)
    assert all(map(type_.is_valid, type_.samples(20)))


def test_an_open_object_with_many_members() -> None:
    assert all(len(made) >= 40 for made in of({"type": "object", "minProperties": 40}).samples(5))


def test_the_least_and_the_most() -> None:
    nested = {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": ["a", "b"]}, "sub": {"enum": ["x", "y"]}},
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"required": ["sub"]},
        "else": {"properties": {"sub": False}},
    }
    assert of(nested).minimal() == {"kind": "b"}
    assert of(nested).maximal().keys() == {"kind", "sub"}
    different = {"type": "array", "uniqueItems": True, "minItems": 2, "items": TEXT}
    assert len(of(different).minimal()) == 2


@pytest.mark.parametrize(
    "members",
    [
        {"required": ["slug"], "properties": {"slug": TEXT}},
        {"type": "object", "properties": {"id": TEXT}, "additionalProperties": False},
    ],
)
def test_documents_of_schemas_that_say_little_or_much(members: Any) -> None:
    type_ = of({"type": "object"}, **members)
    assert type_.check_document(type_.sample_document()).valid


@pytest.mark.parametrize("pattern", ["/text/deeper", "/list/x"])
def test_overrides_below_what_has_no_members(pattern: str) -> None:
    type_ = of({"type": "object", "properties": {"text": TEXT, "list": {"type": "array"}}})
    with pytest.raises(ValueError, match="leads nowhere"):
        type_.sample(overrides={pattern: [1]})


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"seed": None}, "a seed is an int or a text, not None"),
        ({"seed": 1.5}, "a seed is"),
        ({"seed": True}, "a seed is"),
        ({"index": -1}, "an index is an int, 0 or more, not -1"),
        ({"index": 1.0}, "an index is"),
        ({"fill": "x"}, "fill is a share"),
        ({"overrides": {5: [1]}}, "overrides map JSON Pointer patterns"),
        ({"overrides": [1]}, "overrides map"),
    ],
)
def test_arguments_that_mean_nothing(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        widgetschema.widget_type("countdown").sample(**arguments)


@pytest.mark.parametrize(("n", "start"), [(-1, 0), (1.5, 0), (1, -1)])
def test_numbers_of_samples_that_mean_nothing(n: Any, start: int) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        widgetschema.widget_type("countdown").samples(n, start=start)


def test_any_text_is_a_seed() -> None:
    countdown = widgetschema.widget_type("countdown")
    seeds = ["", "\n", "ä", "\ud800", "1", "x" * 10_000]
    assert len({str(countdown.sample(seed)) for seed in seeds}) == len(seeds)


def test_a_missing_extra_is_named() -> None:
    error = MissingExtra("hypothesis", "strategies need Hypothesis")
    assert isinstance(error, ImportError)
    assert "pip install 'widgetschema[hypothesis]'" in str(error)


def test_several_conditions_at_one_place_have_a_line_each() -> None:
    countries = {"us": "^[0-9]{5}$", "ca": "^[A-Z][0-9][A-Z] [0-9][A-Z][0-9]$", "nl": "^[0-9]{4}$"}
    type_ = of(
        {
            "type": "object",
            "required": ["country", "zip"],
            "properties": {"country": {"enum": [*countries]}, "zip": TEXT},
            "additionalProperties": False,
            "allOf": [
                {
                    "if": {"properties": {"country": {"const": country}}},
                    "then": {"properties": {"zip": {"pattern": pattern}}},
                }
                for country, pattern in countries.items()
            ],
        }
    )
    ledger = {target.id for target in type_.coverage().ledger}
    assert {"if@#then", "if@~2#then", "if@~3#then"} <= ledger
    broken = {case.data["country"] for case in type_.near_misses() if "pattern" in case.id}
    assert broken == {*countries}


def test_items_that_are_described_one_by_one_are_each_broken() -> None:
    type_ = of({"type": "array", "items": [TEXT, TEXT, {**TEXT, "maxLength": 3}], "minItems": 3})
    ids = {case.id for case in type_.near_misses()}
    assert {"type@/0#null", "type@/1#null", "type@/2#null", "maxLength@/2#long"} <= ids


def test_a_member_that_never_is_is_not_said_to_be_covered() -> None:
    number = {"type": "integer", "minimum": 3, "maximum": 2}
    type_ = of({"type": "object", "properties": {"p": {"enum": ["x", "y"]}, "r": number}})
    why = {target.id: target.why for target in type_.coverage().uncovered}
    assert why["present@/r"]
    assert not any("r" in case.data for case in type_.coverage())


def test_a_value_that_is_there_is_not_said_to_be_excluded() -> None:
    ledger = of(conditions(4)).coverage().ledger
    lines = {target.id: target.case for target in ledger if target.id.startswith("enum@/a#")}
    assert lines.keys() == {f"enum@/a#{index}" for index in range(4)}
    assert all(lines.values())


def test_steps_that_are_let_go_of_change_nothing() -> None:
    """Of choices upon choices not every way is kept: what is made again is the same."""
    type_ = of(alternatives(12, "oneOf"))
    made = [*type_.samples(600)]
    assert made[:5] == [type_.sample(index=index) for index in range(5)]
    assert made[-1] == of(alternatives(12, "oneOf")).sample(index=599)


def test_what_leads_back_to_itself_and_is_impossible_is_said() -> None:
    again = {"properties": {"a": {"$ref": "#/definitions/x"}}, "required": ["a"], "not": {}}
    schema = {
        "properties": {"data": {"$ref": "#/definitions/x"}},
        "definitions": {"x": again},
    }
    with pytest.raises(CannotGenerate, match="refers to itself"):
        WidgetType.from_schema(schema, id="x").sample()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 10**400},
        {"type": "number", "minimum": 10**400, "maximum": 10**401},
        {"type": "integer", "enum": [10**400]},
        {"type": "number", "multipleOf": 10**400},
        {"type": "number", "minimum": 10**400, "maximum": 1.5},
    ],
)
def test_numbers_beyond_a_double_are_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(InvalidSchema, match="too large for a double"):
        WidgetType.from_schema({"properties": {"data": schema}}, id="x")


def levels(number: int, level: Callable[[Any], Any], last: Any) -> WidgetType:
    """A definition that refers to the next one, and so on."""
    definitions = {f"d{i}": level({"$ref": f"#/definitions/d{i + 1}"}) for i in range(number)}
    definitions[f"d{number}"] = last
    return of({"$ref": "#/definitions/d0"}, definitions=definitions)


def two_members(below: Any) -> Any:
    return {"type": "object", "required": ["a", "b"], "properties": {"a": below, "b": below}}


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize("make", [WidgetType.sample, WidgetType.minimal, WidgetType.coverage])
def test_choices_that_multiply_and_lead_to_nothing(keyword: str, make: Callable[..., Any]) -> None:
    text = {"type": "string", "pattern": "^a$", "minLength": 2}
    last = {"type": "object", "required": ["x"], "properties": {"x": text}}
    kind = levels(12, lambda below: {keyword: [below, {"allOf": [below]}]}, last)
    with pytest.raises(CannotGenerate, match="no text was found that fits all of") as caught:
        make(kind)
    assert caught.value.pointer == "/definitions/d12/properties/x/pattern"
    if keyword == "anyOf":  # of oneOf, most are seen to be impossible
        assert "gave up after 6,000 attempts" in caught.value.reason


@pytest.mark.parametrize("make", [WidgetType.sample, WidgetType.minimal, WidgetType.coverage])
@pytest.mark.parametrize(
    "level", [two_members, lambda below: {"type": "array", "minItems": 2, "items": below}]
)
def test_data_that_multiplies_beyond_measure(
    level: Callable[[Any], Any], make: Callable[..., Any]
) -> None:
    kind = levels(30, level, TEXT)
    reason = "the least data is larger than 50,000 arrays and objects; gave up"
    with pytest.raises(CannotGenerate, match=reason) as caught:
        make(kind)
    assert caught.value.pointer.startswith("/definitions/d")


def test_data_that_multiplies_is_covered_in_part() -> None:
    kind = levels(12, two_members, TEXT)
    covered = kind.coverage()
    assert len(covered.cases) < 50
    assert any("left out: more than" in (one.why or "") for one in covered.ledger)
    near = kind.near_misses()
    assert 1 < len(near.cases) < 500
    assert any("left out: more than" in (one.why or "") for one in near.ledger)
