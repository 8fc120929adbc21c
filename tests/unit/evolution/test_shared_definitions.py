"""A change in a definition that is used at several places is one change, with one witness."""

from __future__ import annotations

from typing import Any

import pytest

from widgetschema import WidgetType
from widgetschema.evolution.compare import Comparison, StoredData
from widgetschema.pointers import matches
from widgetschema.reporters.comparison import comparison_dict, comparison_text

FEW = {"type": "object", "additionalProperties": False}


def used(definition: Any, places: int = 3, *, depth: int = 1) -> WidgetType:
    """A type that uses a definition as each of some members, nested so many times."""
    definitions = {"d0": definition}
    for level in range(depth):
        below = {f"m{index}": {"$ref": f"#/definitions/d{level}"} for index in range(places)}
        definitions[f"d{level + 1}"] = {"type": "object", "properties": below}
    schema = {"$ref": f"#/definitions/d{depth}", "definitions": definitions}
    return WidgetType.from_data_schema(schema, id="t")


def members(**schemas: Any) -> dict[str, Any]:
    return {**FEW, "properties": schemas}


CHANGES: dict[str, tuple[Any, Any, list[str]]] = {
    "narrower": ({"type": "string"}, {"type": "string", "minLength": 2}, ["breaking"]),
    "wider": ({"type": "string", "minLength": 2}, {"type": "string"}, ["widening"]),
    "required": ({"type": "object"}, {"type": "object", "required": ["a"]}, ["breaking"]),
    "one member": (members(a={}), members(), ["breaking"]),
    "value": ({"enum": ["a", "b"]}, {"enum": ["a"]}, ["breaking"]),
    "values": ({"enum": [1, 2, 3, 4]}, {"enum": [1, 2]}, ["breaking"]),
    "renamed value": ({"enum": ["a", "grey"]}, {"enum": ["a", "gray"]}, ["breaking"]),
    "renamed": (
        members(titel={"type": "string"}),
        members(title={"type": "string"}),
        ["breaking"],
    ),
    "in items": (
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "items": {"type": "string", "format": "date"}},
        ["breaking"],
    ),
    "alternative": (
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
        ["breaking"],
    ),
    "two": (
        {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "number"}, "b": {"maxLength": 1}}},
        ["breaking", "breaking", "widening"],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize(("places", "depth"), [(1, 1), (2, 1), (3, 2), (300, 1)])
def test_a_change_in_a_definition_is_one_change(name: str, places: int, depth: int) -> None:
    before, after, kinds = CHANGES[name]
    old, new = (used(one, places, depth=depth) for one in (before, after))
    comparison = old.compare(new)
    assert [one.kind for one in comparison] == kinds
    for change in comparison:
        assert len(change.others) == places**depth - 1
        paths = {single.path for single in change.everywhere}
        assert len(paths) == places**depth
        assert all(single.witness == change.witness for single in change.others)
        if change.witness is not None:
            assert old.is_valid(change.witness.data)
            assert not new.is_valid(change.witness.data)
            assert any(matches(change.path, one.path) for one in change.witness.findings)


def test_the_least_witness_is_shown() -> None:
    inner = {"$ref": "#/definitions/d"}
    wide = {"type": "object", "required": ["id", "name", "d"], "properties": {"d": inner}}
    schema = {"type": "object", "properties": {"a": wide, "b": inner, "c": wide}}
    old, new = (
        WidgetType.from_data_schema({**schema, "definitions": {"d": definition}}, id="t")
        for definition in ({"type": "integer"}, {"type": "integer", "minimum": 1})
    )
    (change,) = old.compare(new)
    assert change.path == "/b"
    assert [one.path for one in change.others] == ["/a/d", "/c/d"]
    assert change.witness is not None
    assert change.witness.data == {"b": 0}


def test_what_two_definitions_have_in_common_is_two_changes() -> None:
    def schema(least: int) -> dict[str, Any]:
        text = {"type": "string", "minLength": least}
        uses = {name: {"$ref": f"#/definitions/{name}"} for name in ("a", "b")}
        return {"properties": uses, "definitions": {"a": text, "b": text}}

    old, new = (WidgetType.from_data_schema(schema(least), id="t") for least in (1, 2))
    assert [len(change.others) for change in old.compare(new)] == [0, 0]


def test_a_definition_that_replaces_others_is_proven_for_each() -> None:
    """The new definition breaks one place; at the other one the old schema asked for no less."""
    uses = {name: {"$ref": "#/definitions/d"} for name in ("a", "b")}
    before = {"type": "object", "properties": {"a": {"minimum": 0}, "b": {"minimum": 5}}}
    after = {"type": "object", "properties": uses, "definitions": {"d": {"minimum": 5}}}
    comparison = WidgetType.from_data_schema(before, id="t").compare(
        WidgetType.from_data_schema(after, id="t")
    )
    assert [(one.path, len(one.others)) for one in comparison] == [("/a", 0)]


def compared(places: int = 3) -> Comparison:
    before, after, _ = CHANGES["renamed"]
    return used(before, places).compare(used(after, places))


def test_text_has_the_number_of_places_or_all_of_them() -> None:
    comparison = compared()
    heading, change, *_ = comparison_text(comparison).splitlines()
    assert heading == "t: breaking: 1 change (1 breaking)"
    assert change.startswith('  breaking /m0/titel and at 2 other places: "titel" is gone')
    listed = comparison_text(comparison, all_places=True).splitlines()
    assert listed[-2:] == ["      also at /m1/titel", "      also at /m2/titel"]
    assert "at 1 other place:" in str(compared(2))


def test_json_has_every_place_and_each_guess() -> None:
    (change,) = comparison_dict(compared())["changes"]
    assert [one["path"] for one in change["others"]] == ["/m1/titel", "/m2/titel"]
    assert change["others"][1]["guess"]["pairs"] == [{"old": "/m2/titel", "new": "/m2/title"}]


def test_each_place_has_its_own_change_for_those_who_need_it() -> None:
    comparison = compared()
    assert [one.path for one in comparison.each_place] == ["/m0/titel", "/m1/titel", "/m2/titel"]
    assert comparison.each_place.each_place == comparison.each_place
    assert comparison.each_place.verdict == comparison.verdict


def test_records_are_counted_once_for_all_places() -> None:
    before, after, _ = CHANGES["renamed"]
    old, new = used(before), used(after)
    stored = StoredData(old.compare(new))
    record = {"m0": {"titel": ""}, "m2": {"titel": ""}}
    for value in (record, {"m1": {"title": ""}}):
        stored.add(value, is_document=False)
    stored.add_broken(record, new.check(record).findings, is_document=False)
    (affected,) = stored.by_change
    assert affected.records == 1
    assert affected.evidence is not None
    assert affected.evidence.as_dict() == {"old": 1, "new": 1, "both": 0}


def test_a_migration_has_steps_for_each_place() -> None:
    before, after, _ = CHANGES["required"]
    old, new = used(before), used({**after, "properties": {"a": {"default": 5}}})
    migrated = old.migration(new).apply({f"m{index}": {} for index in range(3)})
    assert migrated == {f"m{index}": {"a": 5} for index in range(3)}


@pytest.mark.parametrize(
    ("name", "rest", "start"),
    [
        (10, 10, "    was valid: {"),
        (50, 50, '    was valid at /list: [{"name": "x'),
        (79, 0, '    was valid at /list/0: {"name": "x'),
        (120, 0, "    was valid at /list/0/x: 0"),
    ],
)
def test_a_witness_is_shown_from_the_place_of_the_change_up(
    name: int, rest: int, start: str
) -> None:
    def schema(least: int) -> dict[str, Any]:
        item = {
            "type": "object",
            "required": ["name", "x"],
            "properties": {
                "name": {"const": "x" * name},
                "x": {"type": "integer", "minimum": least},
            },
        }
        around = {
            "list": {"type": "array", "minItems": 1, "items": item},
            "rest": {"const": "x" * rest},
        }
        return {"type": "object", "required": ["list", "rest"], "properties": around}

    old, new = (WidgetType.from_data_schema(schema(least), id="t") for least in (0, 1))
    (change,) = old.compare(new)
    assert change.proof.startswith(start)
    assert change.witness is not None
    assert old.is_valid(change.witness.data)  # it is all there
