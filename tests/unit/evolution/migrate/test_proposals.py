"""Proposals of steps: certain only where nothing is lost, and all old data comes out valid."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.migrating import plan_of
from widgetschema import WidgetType
from widgetschema.evolution.compare import Change, Comparison, StoredData, Version
from widgetschema.evolution.migrate import PlanSchema, format_plan, parse_plan
from widgetschema.evolution.migrate.proposals import Proposals, propose

TEXT = {"type": "string", "maxLength": 50}


def one_object(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*required],
        "additionalProperties": False,
    }


def widget_type(schema: Any) -> WidgetType:
    return WidgetType.from_data_schema(schema, id="card")


def proposed(old: Any, new: Any, records: tuple[Any, ...] = ()) -> Proposals:
    older, newer = widget_type(old), widget_type(new)
    comparison = older.compare(newer)
    stored = None
    if records:
        stored = StoredData(comparison)
        for record in records:
            stored.add(record, is_document=False)
            stored.add_broken(record, newer.check(record).findings, is_document=False)
    migration = older.migration(newer, plan_of("", older, newer))
    return propose(comparison, migration.old, migration.new, stored)


def tables(found: Proposals, *, active: bool) -> list[dict[str, Any]]:
    return [
        one.step.as_table()
        for one in found.entries
        if one.step is not None and one.is_active is active
    ]


TITLE = {**TEXT, "description": "The text above the clock."}
STREET: dict[str, Any] = {"street": TEXT, "city": {"type": "string"}}

CERTAIN: dict[str, tuple[Any, Any, list[dict[str, Any]]]] = {
    "a renamed member": (
        one_object(("subTitle",), subTitle=TEXT),
        one_object(("subtitle",), subtitle=TEXT),
        [{"kind": "rename", "at": "/subTitle", "to": "subtitle"}],
    ),
    "a renamed member with its description": (
        one_object(heading=TITLE),
        one_object(headingText=TITLE),
        [{"kind": "rename", "at": "/heading", "to": "headingText"}],
    ),
    "renamed members of items": (
        {"type": "array", "items": one_object(("fontSize",), fontSize=TEXT)},
        {"type": "array", "items": one_object(("font_size",), font_size=TEXT)},
        [{"kind": "rename", "at": "/*/fontSize", "to": "font_size"}],
    ),
    "members moved into an object": (
        one_object(("street",), **STREET),
        one_object(("address",), address=one_object(("street",), **STREET)),
        [
            {"kind": "move", "at": "/street", "to": "/address/street"},
            {"kind": "move", "at": "/city", "to": "/address/city"},
        ],
    ),
    "members moved out of an object": (
        one_object(("address",), address=one_object(("street",), **STREET)),
        one_object(("street",), **STREET),
        [
            {"kind": "move", "at": "/address/street", "to": "/street"},
            {"kind": "move", "at": "/address/city", "to": "/city"},
            {"kind": "drop", "at": "/address", "if-empty": True},
        ],
    ),
    "values spelled in another way": (
        one_object(size={"enum": ["small", "big"]}),
        one_object(size={"enum": ["SMALL", "BIG"]}),
        [{"kind": "map", "at": "/size", "values": {"small": "SMALL", "big": "BIG"}}],
    ),
    "a value that is spelled in another way, with others that are gone": (
        one_object(size={"enum": ["small", "big", "huge"]}),
        one_object(size={"enum": ["SMALL", "big"]}),
        [{"kind": "map", "at": "/size", "values": {"small": "SMALL"}}],
    ),
    "the version of the data": (
        one_object(("v",), a=TEXT, v={"const": "1.0"}),
        one_object(("v",), a=TEXT, v={"enum": ["2.0"]}),
        [{"kind": "map", "at": "/v", "values": {"1.0": "2.0"}}],
    ),
    "texts that are numbers": (
        one_object(delay={"type": "string", "pattern": "^(0|[1-9][0-9]{0,3})$"}),
        one_object(delay={"type": "integer", "minimum": 0}),
        [{"kind": "cast", "at": "/delay", "to": "integer"}],
    ),
    "texts that are numbers with a sign": (
        one_object(price={"type": "string", "pattern": r"^-?[1-9]{1,9}\.[0-9]{2}$"}),
        one_object(price={"type": "number"}),
        [{"kind": "cast", "at": "/price", "to": "number"}],
    ),
    "an object that is a list": (
        one_object(links={"description": "One.", **one_object(url=TEXT)}),
        one_object(links={"type": "array", "items": one_object(url=TEXT)}),
        [{"kind": "wrap", "at": "/links"}],
    ),
    "a member that was always null": (
        one_object(a=TEXT, b={"type": "null"}),
        one_object(a=TEXT),
        [{"kind": "drop", "at": "/b"}],
    ),
    "a member that had to have one value": (
        one_object(("v",), a=TEXT, v={"const": 1}),
        one_object(a=TEXT),
        [{"kind": "drop", "at": "/v"}],
    ),
    "a new member with one value": (
        one_object(a=TEXT),
        one_object(("v",), a=TEXT, v={"enum": [2]}),
        [{"kind": "default", "at": "/v", "value": 2}],
    ),
    "values written as numbers": (
        one_object(size={"enum": ["1", "2"]}),
        one_object(size={"enum": [1, 2]}),
        [{"kind": "map", "at": "/size", "values": {"1": 1, "2": 2}}],
    ),
    "numbers that are texts": (
        one_object(days={"type": "number"}),
        one_object(days={"type": "string"}),
        [{"kind": "cast", "at": "/days", "to": "string"}],
    ),
    "a value that is a list": (
        one_object(tags={"type": "string"}),
        one_object(tags={"type": "array", "items": {"type": "string"}}),
        [{"kind": "wrap", "at": "/tags"}],
    ),
    "a new member with a default": (
        one_object(a=TEXT),
        one_object(("lang",), a=TEXT, lang={"enum": ["de", "en"], "default": "en"}),
        [{"kind": "default", "at": "/lang", "value": "en"}],
    ),
    "a new member with a constant": (
        one_object(a=TEXT),
        one_object(("v",), a=TEXT, v={"const": None}),
        [{"kind": "default", "at": "/v", "json": "null"}],
    ),
}


@pytest.mark.parametrize(("old", "new", "steps"), CERTAIN.values(), ids=CERTAIN)
def test_certain_steps_are_enough(old: Any, new: Any, steps: list[dict[str, Any]]) -> None:
    found = proposed(old, new)
    assert tables(found, active=True) == steps
    assert (found.certain, found.unsolved) == (len(steps), 0)
    if not found.guesses:
        assert found.valid == found.tried > 1


GUESSES: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "a value that is similar": (
        one_object(on={"enum": ["Amazon Linux 2", "Alpine"]}),
        one_object(on={"enum": ["Amazon Linux", "Alpine"]}),
        {"kind": "map", "at": "/on", "values": {"Amazon Linux 2": "Amazon Linux"}},
        "the values may mean different things",
    ),
    "values that are written out": (
        one_object(size={"enum": ["s", "m"]}),
        one_object(size={"enum": ["small", "medium"]}),
        {"kind": "map", "at": "/size", "values": {"s": "small", "m": "medium"}},
        "the values may mean different things",
    ),
    "a rename in an open object": (
        {"properties": {"titel": TEXT}},
        {"properties": {"title": TEXT}},
        {"kind": "rename", "at": "/titel", "to": "title"},
        "/titel is still allowed",
    ),
    "a name that is only similar": (
        one_object(minWidth=TEXT),
        one_object(maxWidth=TEXT),
        {"kind": "rename", "at": "/minWidth", "to": "maxWidth"},
        "the names and schemas may be similar by chance",
    ),
    "some members of an object in another one": (
        one_object(one=one_object(**STREET, zip=TEXT)),
        one_object(street=TEXT, city={"type": "string"}),
        {"kind": "move", "at": "/one/street", "to": "/street"},
        "the names and schemas may be similar by chance",
    ),
    "members of an open object": (
        one_object(one={"type": "object", "properties": STREET}),
        one_object(**STREET),
        {"kind": "move", "at": "/one/street", "to": "/street"},
        "the names and schemas may be similar by chance",
    ),
    "texts that may be more than a float": (
        one_object(delay={"type": "string", "pattern": "^[1-9][0-9]*$"}),
        one_object(delay={"type": "integer"}),
        {"kind": "cast", "at": "/delay", "to": "integer"},
        "only texts that are the JSON text of such a value",
    ),
    "texts of numbers that may be too small": (
        one_object(delay={"type": "string", "pattern": "^-?[1-9]$"}),
        one_object(delay={"type": "integer", "minimum": 0}),
        {"kind": "cast", "at": "/delay", "to": "integer"},
        "only texts that are the JSON text of such a value",
    ),
    "an object that is a list of others": (
        one_object(links=one_object(url=TEXT)),
        one_object(links={"type": "array", "items": one_object(url={"const": "x"})}),
        {"kind": "wrap", "at": "/links"},
        "the value may not be a valid item",
    ),
    "one value that need not be there": (
        one_object(v={"const": "light"}),
        one_object(v={"const": "dark"}),
        {"kind": "map", "at": "/v", "values": {"light": "dark"}},
        "the values may mean different things",
    ),
    "one value in each alternative": (
        one_object(("v",), a=TEXT, v={"anyOf": [{"const": 1}, {"const": True}]}),
        one_object(a=TEXT),
        {"kind": "drop", "at": "/v"},
        "it loses the values of /v",
    ),
    "one value of a member that need not be there": (
        one_object(a=TEXT, on={"const": True}),
        one_object(a=TEXT),
        {"kind": "drop", "at": "/on"},
        "it loses the values of /on",
    ),
    "a rename with little evidence": (
        one_object(description=TEXT),
        one_object(url={"type": "string", "maxLength": 50, "minLength": 0}),
        {"kind": "rename", "at": "/description", "to": "url"},
        "there is little evidence for it",
    ),
    "a name that shares a word": (
        one_object(transformPath=TEXT),
        one_object(transformAll=TEXT),
        {"kind": "rename", "at": "/transformPath", "to": "transformAll"},
        "there is little evidence for it",
    ),
    "a longer text": (
        one_object(a={"type": "string"}),
        one_object(a=TEXT),
        {"kind": "clamp", "at": "/a", "max-length": 50},
        "it loses values",
    ),
    "a fraction": (
        one_object(a={"type": "number"}),
        one_object(a={"type": "integer"}),
        {"kind": "round", "at": "/a"},
        "it loses what comes after the point",
    ),
    "a lower bound": (
        one_object(a={"type": "number"}),
        one_object(a={"type": "number", "minimum": 0}),
        {"kind": "clamp", "at": "/a", "minimum": 0},
        "it loses values",
    ),
    "a text that may be a number": (
        one_object(a={"type": "string"}),
        one_object(a={"type": "number"}),
        {"kind": "cast", "at": "/a", "to": "number"},
        "only texts that are the JSON text of such a value (number)",
    ),
    "a list of several": (
        one_object(a={"type": "array", "items": TEXT}),
        one_object(a=TEXT),
        {"kind": "unwrap", "at": "/a"},
        "only lists of one item",
    ),
    "a value that is gone": (
        one_object(size={"enum": ["s", "m", "xl"]}),
        one_object(size={"enum": ["xl"]}),
        {"kind": "map", "at": "/size", "values": {"s": "xl", "m": "xl"}},
        '"xl" is just the first value that is allowed',
    ),
    "values of which one is similar": (
        one_object(state={"enum": ["UserAuthored", "Authored", "Generated", "Gone"]}),
        one_object(state={"enum": ["Authored", "Generated"]}),
        {"kind": "map", "at": "/state", "values": {"UserAuthored": "Authored"}},
        "only the spelling suggests it",
    ),
    "words that become booleans": (
        one_object(open={"enum": ["yes", "No"]}),
        one_object(open={"type": "boolean"}),
        {"kind": "map", "at": "/open", "values": {"yes": True, "No": False}},
        "only the words suggest it",
    ),
    "texts and numbers that become booleans": (
        one_object(open={"enum": [0, 1, "off"]}),
        one_object(open={"type": ["boolean", "null"]}),
        {
            "kind": "map",
            "at": "/open",
            "json-values": {"0": "false", "1": "true", '"off"': "false"},
        },
        "only the words suggest it",
    ),
    "a value that is gone, and no other is like it": (
        one_object(size={"enum": ["s", "m", "xl"]}),
        one_object(size={"enum": ["m", "xl"]}),
        {"kind": "drop", "at": "/size", "unless": '{"enum":["m","xl"]}'},
        "it loses what is not allowed any more",
    ),
    "a value that is gone where one has to be": (
        one_object(("size",), size={"enum": ["s", "m", "xl"]}),
        one_object(("size",), size={"enum": ["m", "xl"], "default": "xl"}),
        {"kind": "map", "at": "/size", "values": {"s": "xl"}},
        '"xl" is the default that is allowed',
    ),
    "a member that is gone": (
        one_object(a=TEXT, b={"type": "number"}),
        one_object(a=TEXT),
        {"kind": "drop", "at": "/b"},
        'it loses the values of /b, as in {"b": 0}',
    ),
    "a new member without a default": (
        one_object(a=TEXT),
        one_object(("b",), a=TEXT, b={"type": "number", "examples": [7]}),
        {"kind": "default", "at": "/b", "value": 7},
        "the first of its `examples`",
    ),
}


@pytest.mark.parametrize(("old", "new", "step", "reason"), GUESSES.values(), ids=GUESSES)
def test_what_may_lose_something_is_a_guess(
    old: Any, new: Any, step: dict[str, Any], reason: str
) -> None:
    found = proposed(old, new)
    assert tables(found, active=True) == []
    assert step in tables(found, active=False)
    assert any(reason in one.reason for one in found.entries)
    assert found.valid < found.tried


def test_a_step_after_which_data_is_invalid_at_its_place_is_a_guess() -> None:
    old = one_object(("street",), **STREET)
    inner = {**one_object(("street",), **STREET), "minProperties": 2}
    found = proposed(old, one_object(("address",), address=inner))
    assert tables(found, active=True) == []
    assert "after it, some data is invalid: minProperties" in found.entries[0].reason


def test_what_two_objects_have_in_common_is_not_moved_where_both_have_more() -> None:
    shared: dict[str, Any] = {"labels": {"type": "boolean"}, "interval": TEXT}
    old = one_object(influx=one_object(**shared, database=TEXT))
    found = proposed(old, one_object(otlp=one_object(**shared, path={"type": "number"})))
    assert {one["kind"] for one in tables(found, active=False)} == {"drop"}
    assert found.certain == 0


def test_a_value_that_an_alternative_keeps_is_not_changed() -> None:
    def alternatives(value: str) -> dict[str, Any]:
        return {"anyOf": [
            one_object(("k", "s"), k={"const": 1}, s={"enum": [value]}),
            one_object(("k", "s"), k={"const": 2}, s={"enum": ["Big", "Small"]}),
        ]}  # fmt: skip

    found = proposed(alternatives("Big"), alternatives("big"))
    assert found.certain == 0


def test_a_renamed_member_that_is_required_now_needs_a_value_of_its_own() -> None:
    found = proposed(one_object(sub_title=TEXT), one_object(("subTitle",), subTitle=TEXT))
    assert tables(found, active=True) == [{"kind": "rename", "at": "/sub_title", "to": "subTitle"}]
    assert tables(found, active=False) == [{"kind": "default", "at": "/subTitle", "value": ""}]


def test_stored_records_do_not_confirm_a_rename_without_other_evidence() -> None:
    old, new = (one_object((name,), **{name: TEXT}) for name in ("heading", "name"))
    found = proposed(old, new, ({"heading": "a"}, {"heading": "b"}))
    assert tables(found, active=True) == []
    assert "little evidence for it, but no stored record contradicts it" in found.entries[0].reason


def test_stored_records_confirm_a_rename_in_an_open_object() -> None:
    old, new = ({"properties": {name: TEXT}, "required": [name]} for name in ("titel", "title"))
    found = proposed(old, new, ({"titel": "a"}, {"titel": "b"}))
    assert tables(found, active=True) == [{"kind": "rename", "at": "/titel", "to": "title"}]
    assert "stored records confirm it" in found.entries[0].reason
    found = proposed(old, new, ({"titel": "a"}, {"titel": "b", "title": 5}))
    assert tables(found, active=True) == []
    assert "records hold both names" in found.entries[0].reason


def test_a_change_without_a_step_has_an_example() -> None:
    found = proposed({"type": "string"}, {"type": "string", "pattern": "^x"})
    [reason] = [one.reason for one in found.entries if one.step is None]
    assert reason.startswith("NO STEP: (root): there was no pattern")
    assert 'was valid: ""' in reason
    assert 'kind = "python"' in reason


def test_what_may_stay_is_written_out_where_the_schema_refers_to_it() -> None:
    size = {"title": "Size", "anyOf": [{"$ref": "#/definitions/name"}, {"type": "null"}]}
    new: dict[str, Any] = {
        "type": "object",
        "properties": {"size": {"$ref": "#/definitions/size"}},
        "definitions": {"size": size, "name": {"description": "A name.", "enum": ["title"]}},
    }
    [step] = tables(proposed({"type": "object"}, new), active=False)
    assert step["unless"] == '{"anyOf":[{"enum":["title"]},{"type":"null"}]}'
    new["definitions"]["name"] = {"items": {"$ref": "#/definitions/name"}, "type": "array"}
    assert tables(proposed({"type": "object"}, new), active=False) == []


def test_items_of_an_alternative_are_held_against_the_items_not_against_the_list() -> None:
    def texts(items: Any) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": items}]}

    found = proposed(one_object(a=texts({})), one_object(a=texts({"type": "string"})))
    drop = {"kind": "drop", "at": "/a/*", "unless": '{"type":"string"}'}
    assert drop in tables(found, active=False)


def test_no_drop_is_proposed_that_leaves_no_alternative() -> None:
    kinds = [one_object(stage=TEXT), one_object(run=TEXT)]
    old = {"type": "array", "items": one_object(step=TEXT)}
    found = proposed(old, {"type": "array", "items": {"oneOf": kinds}})
    [reason] = [one.reason for one in found.entries]
    assert "would not help: oneOf /0: the value matches alternative 1 and alternative 2" in reason
    assert 'at = "/*"' in reason
    assert found.unsolved == 1


def test_no_default_is_proposed_where_an_alternative_does_not_allow_the_member() -> None:
    def items(*required: str) -> dict[str, Any]:
        group = one_object(("group", *required), group=TEXT, fixture=TEXT)
        kinds = [{"$ref": "#/definitions/group"}, one_object(("case",), case=TEXT)]
        return {"type": "array", "items": {"anyOf": kinds}, "definitions": {"group": group}}

    found = proposed(items(), items("fixture"))
    assert (tables(found, active=False), found.unsolved) == ([], 1)


LIST = {"type": "array"}
LOSSES: dict[str, tuple[Any, Any, list[dict[str, Any]]]] = {
    "an object that is closed now": (
        {"properties": {"a": TEXT}},
        {"properties": {"a": TEXT}, "additionalProperties": False},
        [{"kind": "drop", "at": "/*", "unless-name": '{"enum":["a"]}'}],
    ),
    "an object that allows names by a pattern now": (
        {"type": "object"},
        {"type": "object", "patternProperties": {"^x-": {}}, "additionalProperties": False},
        [{"kind": "drop", "at": "/*", "unless-name": '{"pattern":"^x-"}'}],
    ),
    "the rule for names": (
        {"type": "object"},
        {"type": "object", "propertyNames": {"maxLength": 3}},
        [{"kind": "drop", "at": "/*", "unless-name": '{"maxLength":3}'}],
    ),
    "a type where there was none": (
        one_object(a={}),
        one_object(a={"type": "string"}),
        [
            {"kind": "cast", "at": "/a", "to": "string"},
            {"kind": "drop", "at": "/a", "unless": '{"type":"string"}'},
        ],
    ),
    "an alternative that is gone": (
        one_object(a={"anyOf": [LIST, {"type": "boolean"}]}),
        one_object(a={"anyOf": [LIST]}),
        [{"kind": "drop", "at": "/a", "unless": '{"anyOf":[{"type":"array"}]}'}],
    ),
    "a pattern": (
        one_object(a={"type": "string"}),
        one_object(a={"type": "string", "pattern": "^x"}),
        [{"kind": "drop", "at": "/a", "unless": '{"pattern":"^x"}'}],
    ),
    "a length of a required member": (
        one_object(("a",), a={"type": "string"}),
        one_object(("a",), a={"type": "string", "minLength": 2, "examples": ["AA"]}),
        [
            {"kind": "drop", "at": "/a", "unless": '{"minLength":2}'},
            {"kind": "default", "at": "/a", "value": "AA"},
        ],
    ),
    "a list of values": (
        one_object(a={"type": "string"}),
        one_object(a={"enum": ["x", "y"]}),
        [{"kind": "drop", "at": "/a", "unless": '{"enum":["x","y"]}'}],
    ),
    "a member that is described now": (
        {"type": "object"},
        {"type": "object", "properties": {"a": {"type": "boolean", "title": "A"}}},
        [{"kind": "drop", "at": "/a", "unless": '{"type":"boolean"}'}],
    ),
    "a required member that another part describes": (
        {"type": "object", "properties": {"b": {}, "a": {"type": "boolean"}}},
        {
            "type": "object",
            "allOf": [{"required": ["a"]}],
            "properties": {"b": {}, "a": {"type": "boolean"}},
        },
        [{"kind": "default", "at": "/a", "value": False}],
    ),
}


@pytest.mark.parametrize(("old", "new", "steps"), LOSSES.values(), ids=LOSSES)
def test_what_is_left_over_is_dropped_if_a_person_wants_that(
    old: Any, new: Any, steps: list[dict[str, Any]]
) -> None:
    found = proposed(old, new)
    assert (found.certain, found.unsolved) == (0, 0)
    assert [one for one in tables(found, active=False) if one in steps] == steps
    assert tables(found, active=False)[-len(steps) :] == steps
    every = tuple(one.step for one in found.entries if one.step is not None)
    older, newer = widget_type(old), widget_type(new)
    migration = older.migration(newer, replace(plan_of("", older, newer), steps=every))
    assert all(migration.migrate_json(record).is_done for record in found.records)


def test_nothing_is_dropped_that_the_newer_schema_allows() -> None:
    def case(name: str, **more: Any) -> dict[str, Any]:
        return one_object(("kind",), kind={"const": name}, v={"type": "string", **more})

    old, new = ({"oneOf": [case("a", **more), case("b")]} for more in ({}, {"pattern": "^x"}))
    assert [one.step for one in proposed(old, new).entries] == [None]


@pytest.mark.parametrize("narrows", [False, True])
def test_nothing_is_dropped_because_a_member_is_new(narrows: bool) -> None:
    version = Version("card", "")
    change = Change(
        "unknown", "/y", "", "additionalProperties", "", subjects=("y",), narrows=narrows
    )
    migration = widget_type({}).migration(widget_type({}))
    found = propose(Comparison(version, version, (change,)), migration.old, migration.new)
    assert len(found.entries) == narrows


def test_a_change_of_the_document_is_not_one_of_the_data() -> None:
    data = {"type": "object"}
    old = WidgetType.from_schema({"properties": {"data": data}}, id="card")
    new = WidgetType.from_schema({"properties": {"data": data}, "required": ["name"]}, id="card")
    migration = old.migration(new, plan_of("", old, new))
    found = propose(old.compare(new), migration.old, migration.new)
    assert [one.step for one in found.entries] == [None]
    assert "outside of `data`" in found.entries[0].reason


@pytest.mark.parametrize("name", ["a\n# b", 'q"uo\\te', "[[steps]]", "\x00", "ü/~"])
def test_hostile_names_and_values_make_a_plan_that_can_be_read(name: str) -> None:
    properties: dict[str, Any] = {name: TEXT, "e": {"enum": [name, {"a": None}, 1.5]}}
    old = {"type": "object", "properties": properties, "additionalProperties": False}
    new = one_object(e={"enum": [{"b": None}, f"{name}-"]})
    found = proposed(old, new)
    side = PlanSchema(id="card", digest="0" * 64)
    plan = parse_plan(format_plan(side, side, found.entries, heading=name))
    assert [one.as_table() for one in plan.steps] == tables(found, active=True)
    everything = [one if one.step is None else type(one)(step=one.step) for one in found.entries]
    plan = parse_plan(format_plan(side, side, everything))
    assert len(plan.steps) == found.certain + found.guesses


def test_a_member_that_only_one_alternative_needs_is_not_given_to_the_others() -> None:
    def alternatives(*required: str) -> dict[str, Any]:
        one = {"type": "object", "properties": {"a": TEXT}, "required": [*required]}
        return {"oneOf": [{**one, "additionalProperties": False}, one_object(("b",), b=TEXT)]}

    found = proposed(alternatives(), alternatives("a"))
    assert [one.step for one in found.entries] == [None]


NOTE = {"type": "string"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"*": {"enum": ["S", "M"]}}, {"*": {"enum": ["s", "m"]}}),
        ({"**": {"type": "string"}}, {}),
        ({"*": one_object(titel=NOTE)}, {"*": one_object(title=NOTE)}),
        ({"*": {"type": "string"}}, {"*": {"type": "array"}}),
        ({"**": TEXT}, {"title": TEXT}),
    ],
)
def test_a_member_named_as_a_wildcard_has_no_step(old: Any, new: Any) -> None:
    """A step at /* would change the members beside it."""
    found = proposed(one_object(note=NOTE, **old), one_object(note=NOTE, **new))
    assert found.unsolved
    assert all(one.step is None and "a function" in one.reason for one in found.entries)


def test_a_needed_member_named_as_a_wildcard_has_no_step() -> None:
    needed = {"type": "object", "required": ["*"], "properties": {"*": {"const": 1}}}
    found = proposed({"type": "object"}, needed)
    assert found.entries
    assert all(one.step is None for one in found.entries)


def test_other_members_of_maps_keep_their_steps() -> None:
    old, new = ({"type": "object", "additionalProperties": {"enum": [one]}} for one in ("S", "s"))
    (step,) = tables(proposed(old, new), active=True)
    assert (step["kind"], step["at"]) == ("map", "/*")


def test_a_member_that_one_alternative_keeps_is_not_dropped_from_it() -> None:
    def alternatives(**more: Any) -> dict[str, Any]:
        return {
            "anyOf": [
                one_object(("k",), k={"const": "a"}, b=TEXT, **more),
                one_object(("k",), k={"const": "b"}, b=TEXT, x=TEXT),
            ]
        }

    found = proposed(alternatives(x=TEXT), alternatives())
    assert [one.step for one in found.entries] == [None]


def test_null_is_dropped_with_all_else_that_is_not_allowed() -> None:
    found = proposed(one_object(a={}), one_object(a={"anyOf": [{"type": "boolean"}, LIST]}))
    drops = [one for one in tables(found, active=False) if one["kind"] == "drop"]
    assert {
        "kind": "drop",
        "at": "/a",
        "unless": '{"anyOf":[{"type":"boolean"},{"type":"array"}]}',
    } in drops


@pytest.mark.parametrize("back", [False, True])
def test_a_value_that_becomes_a_list_is_renamed_as_well(back: bool) -> None:
    pair = (one_object(tag=TEXT), one_object(tags={"type": "array", "items": TEXT}))
    names = ("tag", "tags")
    if back:
        pair, names = pair[::-1], names[::-1]
    found = proposed(*pair)
    assert tables(found, active=True) == []
    rename, *others = tables(found, active=False)
    assert rename == {"kind": "rename", "at": f"/{names[0]}", "to": names[1]}
    assert others[0] == {"kind": "unwrap" if back else "wrap", "at": f"/{names[1]}"}
    # As without another name: a list of more than one item fits in no text.
    assert [(one["kind"], one["at"]) for one in others[1:]] == [("drop", "/tag")] * back


def test_what_moves_along_has_no_step_of_its_own() -> None:
    inner = {"type": "object", "properties": {"group": TEXT, "version": TEXT}}
    languages = {"type": "object", "properties": {"java": inner}, "additionalProperties": False}
    found = proposed(one_object(java=inner), one_object(languages=languages))
    steps = tables(found, active=True) + tables(found, active=False)
    moves = [(one["at"], one["to"]) for one in steps if one["kind"] == "move"]
    assert moves == [("/java", "/languages/java")]


WORD: dict[str, Any] = {"type": "string"}
SNAKE = one_object(("first_name",), first_name=WORD, last_name=WORD)
CAMEL = one_object(("firstName",), firstName=WORD, lastName=WORD)

SPELLINGS = [
    ("first_name", "firstName"),
    ("first-name", "FirstName"),
    ("FIRST_NAME", "first name"),
    ("imageURL", "image_url"),
    ("HTMLText", "html-text"),
    ("address_1", "address1"),
    ("x2y", "x_2_y"),
    ("über_name", "ÜberName"),
    ("имя_файла", "имяФайла"),
    ("$ref_name", "$refName"),
]


@pytest.mark.parametrize(("old", "new"), SPELLINGS)
def test_names_are_matched_before_schemas(old: str, new: str) -> None:
    others = {"last_name": WORD, "image_name": WORD}
    found = proposed(
        one_object((), **{old: WORD}, **others),
        one_object((), lastName=WORD, **{new: WORD}, imageName=WORD),
    )
    renames = [{"kind": "rename", "at": f"/{old}", "to": new}]
    renames += [
        {"kind": "rename", "at": "/last_name", "to": "lastName"},
        {"kind": "rename", "at": "/image_name", "to": "imageName"},
    ]
    assert tables(found, active=True) == renames
    assert (found.guesses, found.unsolved, found.valid) == (0, 0, found.tried)


@pytest.mark.parametrize(
    ("old", "new"), [("v1_1", "v11"), ("_", "-"), ("size-1", "size+1"), ("größe", "GRÖSSE")]
)
def test_names_that_may_mean_others_are_no_spellings(old: str, new: str) -> None:
    found = proposed(one_object((), **{old: WORD}), one_object((), **{new: WORD}))
    assert tables(found, active=True) == []


DEEP: dict[str, tuple[Any, Any, list[str]]] = {
    "items": (
        one_object(people={"type": "array", "items": SNAKE}),
        one_object(people={"type": "array", "items": CAMEL}),
        ["/people/*"],
    ),
    "a tuple": (
        {"type": "array", "items": [WORD, SNAKE]},
        {"type": "array", "items": [WORD, CAMEL]},
        ["/1"],
    ),
    "members by a pattern": (
        {"type": "object", "patternProperties": {"^x": SNAKE}, "additionalProperties": False},
        {"type": "object", "patternProperties": {"^x": CAMEL}, "additionalProperties": False},
        ["/*"],
    ),
    "other members": (
        {"type": "object", "additionalProperties": SNAKE},
        {"type": "object", "additionalProperties": CAMEL},
        ["/*"],
    ),
    "a definition that two members share": (
        {
            **one_object(a={"$ref": "#/definitions/p"}, b={"$ref": "#/definitions/p"}),
            "definitions": {"p": SNAKE},
        },
        {
            **one_object(a={"$ref": "#/definitions/p"}, b={"$ref": "#/definitions/p"}),
            "definitions": {"p": CAMEL},
        },
        ["/a", "/b"],
    ),
    "an alternative": ({"oneOf": [WORD, SNAKE]}, {"oneOf": [WORD, CAMEL]}, [""]),
    "alternatives told apart by a member": (
        {"anyOf": [one_object(("k",), k={"const": 1}, **SNAKE["properties"]),
                   one_object(("k",), k={"const": 2}, first_name=WORD)]},
        {"anyOf": [one_object(("k",), k={"const": 1}, **CAMEL["properties"]),
                   one_object(("k",), k={"const": 2}, firstName=WORD)]},
        [""],
    ),
    "a condition": (
        {**SNAKE, "dependencies": {"first_name": ["last_name"]}},
        {**CAMEL, "dependencies": {"firstName": ["lastName"]}},
        [""],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "places"), DEEP.values(), ids=DEEP)
def test_members_are_renamed_at_every_depth(old: Any, new: Any, places: list[str]) -> None:
    found = proposed(old, new)
    assert sorted((one["at"], one["to"]) for one in tables(found, active=True)) == sorted(
        (f"{place}/{old}", new)
        for place in places
        for old, new in (("first_name", "firstName"), ("last_name", "lastName"))
    )
    assert (found.guesses, found.unsolved, found.valid) == (0, 0, found.tried)


def test_renamed_members_keep_their_places_and_every_byte() -> None:
    old = one_object(a_b=one_object(c_d=one_object(e_f={"type": "number"}, g=WORD)), h_i=WORD)
    new = one_object(aB=one_object(cD=one_object(eF={"type": "number"}, g=WORD)), hI=WORD)
    migration = widget_type(old).migration(widget_type(new))
    assert [step.at for step in migration.steps] == ["/a_b", "/aB/c_d", "/aB/cD/e_f", "/h_i"]
    text = '{"h_i" :"\\u0041", "a_b":{ "c_d": {"g":"", "e_f": 1.10 } }}'
    outcome = migration.migrate_json(text)
    assert outcome.status == "migrated"
    renamed = '{"hI" :"\\u0041", "aB":{ "cD": {"g":"", "eF": 1.10 } }}'
    assert outcome.text.decode() == renamed


def nested(name: str, child: str, other: Any = False) -> dict[str, Any]:
    """A schema of objects that hold objects like themselves, in a list."""
    inner = {"type": "array", "items": {"$ref": "#/definitions/node"}}
    node = {**one_object((), **{name: WORD, child: inner, "kid": {"$ref": "#/definitions/node"}})}
    more = {} if other is False else {"meta": other}
    return {
        **one_object(top={"$ref": "#/definitions/node"}, **more),
        "definitions": {"node": {**node, "properties": {**node["properties"], **more}}},
    }


def test_members_of_objects_in_themselves_are_renamed_at_any_depth() -> None:
    old, new = nested("first_name", "sub_items"), nested("firstName", "subItems")
    found = proposed(old, new)
    assert tables(found, active=True) == [
        {"kind": "rename", "at": "/top/**/first_name", "to": "firstName"},
        {"kind": "rename", "at": "/top/**/sub_items", "to": "subItems"},
    ]
    assert (found.guesses, found.valid) == (0, found.tried)
    migration = widget_type(old).migration(widget_type(new))
    text = '{"top":{"sub_items":[{"kid":{"first_name":"a"}},{"sub_items":[]}],"first_name":"b"}}'
    renamed = text.replace("first_name", "firstName").replace("sub_items", "subItems")
    assert migration.migrate_json(text).text.decode() == renamed


@pytest.mark.parametrize("other", [True, {"type": "object"}, one_object(first_name=WORD)])
def test_a_name_that_stays_further_inside_is_a_doubt(other: Any) -> None:
    found = proposed(nested("first_name", "kids", other), nested("firstName", "kids", other))
    assert tables(found, active=True) == []
    rename = {"kind": "rename", "at": "/top/**/first_name", "to": "firstName"}
    assert rename in tables(found, active=False)
    assert any(
        '"first_name" may still be allowed further inside' in one.reason for one in found.entries
    )


def test_a_name_that_others_keep_under_the_same_pattern_is_a_doubt() -> None:
    def maps(member: Any) -> Any:
        free: dict[str, Any] = {"type": "object"}
        return {"properties": {"meta": free}, "additionalProperties": member, "type": "object"}

    found = proposed(maps(SNAKE), maps(CAMEL))
    assert tables(found, active=True) == []
    (first, *_) = (one for one in found.entries if one.step is not None)
    assert "/*/first_name is still allowed" in first.reason


AMBIGUOUS: dict[str, tuple[Any, Any]] = {
    "two that are gone": (one_object(first_name=WORD, firstName=WORD), one_object(FirstName=WORD)),
    "two that are gone, of other types": (
        one_object(first_name=WORD, firstName={"type": "integer"}),
        one_object(FirstName=WORD),
    ),
    "two that are new": (one_object(first_name=WORD), one_object(FirstName=WORD, firstName=WORD)),
    "one that stays": (
        one_object(first_name=WORD, firstName={"type": "integer"}),
        one_object(FirstName=WORD, firstName={"type": "integer"}),
    ),
    "one with the same description": (
        one_object(first_name=TITLE, firstName=WORD),
        one_object(FirstName=TITLE, x=WORD),
    ),
    "two that would move": (
        one_object(first_name=WORD, firstName={"type": "integer"}),
        one_object(name=one_object(FirstName=WORD)),
    ),
    "values, one of which stays": (
        one_object(size={"enum": ["x-large", "xLarge", "m"]}),
        one_object(size={"enum": ["X_LARGE", "xLarge", "m"]}),
    ),
    "values of which two are gone": (
        one_object(size={"enum": ["x-large", "xLarge", "m"]}),
        one_object(size={"enum": ["X_LARGE", "m"]}),
    ),
    "values with other numbers": (
        one_object(version={"enum": ["1.1", "2"]}),
        one_object(version={"enum": ["11", "2"]}),
    ),
}


@pytest.mark.parametrize(("old", "new"), AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_one_of_two_candidates_is_never_certain(old: Any, new: Any) -> None:
    found = proposed(old, new)
    assert tables(found, active=True) == []
    assert found.guesses > 0


def test_what_changed_in_a_renamed_member_is_a_change_of_its_own() -> None:
    nullable: dict[str, Any] = {"type": ["string", "null"]}
    old = one_object(person_1=one_object(first_name=nullable, age=WORD))
    new = one_object(person1=one_object(firstName=WORD, age={"type": "integer"}))
    found = proposed(old, new)
    assert tables(found, active=True) == [
        {"kind": "rename", "at": "/person_1", "to": "person1"},
        {"kind": "rename", "at": "/person1/first_name", "to": "firstName"},
    ]
    guessed = [(one["kind"], one["at"]) for one in tables(found, active=False)]
    assert guessed == [
        ("cast", "/person1/age"),
        ("drop", "/person1/firstName"),
        ("drop", "/person1/age"),
    ]
    migration = widget_type(old).migration(widget_type(new))
    assert migration.migrate_json('{"person_1":{"first_name":"a"}}').is_done
    left = migration.migrate_json('{"person_1":{"first_name":null}}')
    assert (left.status, left.text) == ("invalid", b'{"person_1":{"first_name":null}}')


def test_a_text_with_another_name_becomes_a_number() -> None:
    old = one_object(delay_ms={"type": "string", "pattern": "^(0|[1-9][0-9]{0,3})$"})
    found = proposed(old, one_object(delayMs={"type": "integer"}))
    assert tables(found, active=True) == [
        {"kind": "rename", "at": "/delay_ms", "to": "delayMs"},
        {"kind": "cast", "at": "/delayMs", "to": "integer"},
    ]
    assert found.valid == found.tried


def test_steps_within_what_only_a_guess_renames_are_guesses() -> None:
    old = one_object(headline=one_object(sub_title=WORD))
    new = one_object(headlines=one_object(subTitle=WORD))
    found = proposed(old, new)
    assert tables(found, active=True) == []
    assert [one["at"] for one in tables(found, active=False)][:2] == [
        "/headline",
        "/headlines/sub_title",
    ]


NEVER: dict[str, tuple[Any, Any]] = {
    "null, to text": (["string", "null"], "string"),
    "null, to numbers": (["integer", "null"], "number"),
    "lists, to text": (["array", "null"], "string"),
    "letters, to numbers": ({"type": "string", "pattern": "^[a-z]+$"}, "integer"),
    "digits, to booleans": ({"type": "string", "pattern": "^[0-9]+$"}, "boolean"),
    "no characters, to numbers": ({"type": "string", "maxLength": 0}, "number"),
    "dates, to numbers": ({"type": "string", "format": "date"}, "number"),
    "numbers, to dates": ("number", {"type": "string", "format": "date"}),
    "numbers, to letters": ("integer", {"type": "string", "pattern": "^[a-z]+$"}),
}


@pytest.mark.parametrize(("old", "new"), NEVER.values(), ids=NEVER)
def test_a_cast_that_can_never_apply_is_not_proposed(old: Any, new: Any) -> None:
    was, now = (one if isinstance(one, dict) else {"type": one} for one in (old, new))
    found = proposed(one_object(a=was), one_object(a=now))
    kinds = {one["kind"] for one in tables(found, active=True) + tables(found, active=False)}
    assert kinds == {"drop"}


@pytest.mark.parametrize("required", [(), ("a",)])
@pytest.mark.parametrize("text", [WORD, {"$ref": "#/definitions/text"}])
@pytest.mark.parametrize(
    "nullable", [{"type": ["string", "null"]}, {"anyOf": [WORD, {"type": "null"}]}]
)
def test_null_that_is_not_allowed_any_more_is_removed(
    nullable: Any, text: Any, required: tuple[str, ...]
) -> None:
    definitions = {"definitions": {"text": WORD}}
    found = proposed(
        {**one_object(required, a=nullable), **definitions},
        {**one_object(required, a=text), **definitions},
    )
    drop, *others = tables(found, active=False)
    assert (drop["kind"], drop["at"]) == ("drop", "/a")
    assert "it removes null" in found.entries[0].reason
    assert [(one["kind"], one["at"]) for one in others] == [("default", "/a")] * len(required)


def test_null_beside_what_can_be_cast_or_rounded_is_removed_after_it() -> None:
    for old, new, kind in (
        (["integer", "null"], "string", "cast"),
        (["number", "null"], "integer", "round"),
    ):
        found = proposed(one_object(a={"type": old}), one_object(a={"type": new}))
        assert [one["kind"] for one in tables(found, active=False)] == [kind, "drop"]
        assert "such as null" in found.entries[1].reason


def test_members_within_members_of_their_name_are_renamed() -> None:
    def sides(left: str, right: str, depth: int) -> dict[str, Any]:
        inner = sides(left, right, depth - 1) if depth else WORD
        return one_object((), **{left: inner, right: inner})

    old, new = sides("left_side", "right_side", 2), sides("leftSide", "rightSide", 2)
    found = proposed(old, new)
    assert (found.certain, found.guesses, found.valid) == (14, 0, found.tried)
    assert tables(found, active=True)[1]["at"] == "/leftSide/left_side"


def test_what_is_dropped_and_required_gets_a_value_of_its_own_type() -> None:
    def type_of(publish: dict[str, Any]) -> dict[str, Any]:
        chart = one_object(("publish",), publish={"$ref": "#/definitions/publish"})
        output = one_object(chart={"$ref": "#/definitions/chart"})
        return {**one_object(output=output), "definitions": {"chart": chart, "publish": publish}}

    old = type_of({"type": "object"})
    new = type_of({"type": "array", "items": one_object(("channel",), channel=TEXT)})

    steps = tables(proposed(old, new), active=False)

    at = "/output/chart/publish"
    assert {"kind": "drop", "at": at, "unless": '{"type":"array"}'} in steps
    assert [one for one in steps if one["kind"] == "default"] == [
        {"kind": "default", "at": at, "json": "[]"}
    ]


def test_a_member_that_alternatives_describe_gets_a_value_of_one_of_them() -> None:
    def mode(*values: str) -> dict[str, Any]:
        variable = {"type": "string", "pattern": "^[$]"}
        return {"oneOf": [{"enum": [*values]}, variable], "examples": [*values[:1]]}

    def type_of(*modes: str) -> dict[str, Any]:
        branches = [
            one_object(("mode",), mode=mode(*modes)),
            one_object(("mode", "address"), mode=mode("static"), address=TEXT),
        ]
        network = {"$ref": "#/definitions/network"}
        return {**one_object(network=network), "definitions": {"network": {"anyOf": branches}}}

    steps = tables(proposed(type_of("dhcp", "local"), type_of("dhcp")), active=False)

    defaults = [one for one in steps if one["kind"] == "default"]
    assert defaults == [{"kind": "default", "at": "/network/mode", "value": "dhcp"}]
