"""Changes between two schemas: the kinds, the words, the witnesses, and the limits."""

from __future__ import annotations

import copy
import dataclasses
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.effort import bounded, calls
from tests.properties.test_compare import compared
from widgetschema import Validator, WidgetType
from widgetschema.catalog.store import bundled
from widgetschema.evolution.compare import Change, Comparison, Subject, Version, Witness, compare
from widgetschema.evolution.compare.annotations import annotation_changes
from widgetschema.evolution.compare.joined import NEW, BudgetedTree, join_schemas
from widgetschema.evolution.compare.making import Budget, put
from widgetschema.reporters.comparison import comparison_dict, comparison_text, comparisons_text

CASES = sorted((Path(__file__).parents[2] / "data" / "comparison").glob("*.json"))
COUNTDOWN = bundled()["countdown"]
CONTENT = ("definitions", "IPluginContent")
STYLES = ("definitions", "IPluginStyles", "properties")


def changed(*path: str, **keywords: Any) -> WidgetType:
    """The countdown type with keywords set at one place; None removes one."""
    schema = copy.deepcopy(COUNTDOWN)
    place = schema
    for step in path:
        place = place[step]
    for keyword, value in keywords.items():
        if value is None:
            del place[keyword]
        else:
            place[keyword] = value
    return WidgetType.from_schema(schema, describes="document")


@pytest.fixture(scope="module")
def countdown() -> WidgetType:
    return WidgetType.from_schema(COUNTDOWN)


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.stem))
def test_each_case(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    old, new = Validator(case["old"]), Validator(case["new"])
    comparison = compared(old, new)
    shown = [[one.kind, one.path, one.message.partition(";")[0]] for one in comparison]
    assert {"verdict": comparison.verdict, "changes": shown} == case["expected"]
    for change in comparison:
        if change.witness is not None:
            assert old.is_valid(change.witness.data)
            assert not new.is_valid(change.witness.data)


def test_a_value_that_a_type_refuses_is_found_at_the_type() -> None:
    old, new = Validator({"enum": ["a", 1]}), Validator({"type": "string"})

    narrower = [change for change in compared(old, new) if change.narrows]

    assert [(one.subjects, one.pointer) for one in narrower] == [((1,), "/type")]


def test_there_are_cases() -> None:
    assert len(CASES) > 50


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.stem))
def test_a_case_is_the_same_as_itself(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    for name in ("old", "new"):
        one, other = Validator(case[name]), Validator(json.loads(json.dumps(case[name])))
        assert compared(one, other).verdict == "same"


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.stem))
def test_a_second_opinion_does_not_disagree(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    draft = jsonschema_rs.Draft7
    old, new = (
        jsonschema_rs.canonicalize(case[name], draft=draft, validate_formats=True)
        for name in ("old", "new")
    )
    try:
        answer = str(new.covers(old).value).lower()
    except jsonschema_rs.canonical.IncompatibleOperands:  # it knows no recursion
        answer = "unknown"
    verdict = case["expected"]["verdict"]
    assert (verdict, answer) != ("breaking", "yes")
    assert not (verdict in ("same", "annotation", "widening") and answer == "no")


@pytest.mark.parametrize(
    ("newer", "kind", "path", "pointer", "message"),
    [
        (
            changed(*STYLES, "animationType", enum=["dissolve", "tick", "normal"]),
            "breaking",
            "/styles/animationType",
            "/definitions/IPluginStyles/properties/animationType/enum",
            'the value "flip" is no longer allowed',
        ),
        (
            changed(*CONTENT, required=["timerDays"]),
            "breaking",
            "/content",
            "/definitions/IPluginContent/required",
            'the property "timerDays" is now required',
        ),
        (
            changed(*CONTENT, "properties", "timerDays", type="integer"),
            "breaking",
            "/content/timerDays",
            "/definitions/IPluginContent/properties/timerDays/type",
            "the type was number and is integer",
        ),
        (
            changed(*CONTENT, "properties", theme={"type": "string"}),
            "widening",
            "/content/theme",
            "/definitions/IPluginContent/properties/theme",
            'new property "theme"',
        ),
        (
            changed(*CONTENT, "properties", timerDays=None),
            "breaking",
            "/content/timerDays",
            "/definitions/IPluginContent/additionalProperties",
            'the property "timerDays" was removed',
        ),
        (
            changed(*CONTENT, "properties", "timerDays", title="Days"),
            "annotation",
            "/content/timerDays",
            "/definitions/IPluginContent/properties/timerDays/title",
            'there was no title, and it is now "Days"',
        ),
    ],
    ids=["value", "required", "type", "new member", "member gone", "title"],
)
def test_changes_of_a_widget_type(
    countdown: WidgetType, newer: WidgetType, kind: str, path: str, pointer: str, message: str
) -> None:
    (change,) = comparison = countdown.compare(newer)
    assert (change.kind, change.path, change.pointer) == (kind, path, pointer)
    assert change.message == message
    assert change.scope == "data"
    assert comparison.verdict == kind
    if change.witness is not None:
        assert countdown.is_valid(change.witness.data)
        assert change.witness.findings == newer.check(change.witness.data).findings != ()


def test_a_witness_is_no_larger_than_it_must_be(countdown: WidgetType) -> None:
    (change,) = countdown.compare(changed(*CONTENT, required=["timerDays"]))
    assert change.witness is not None
    assert change.witness.data == {"content": {}, "settings": {}, "styles": {}}


def test_renamed_definitions_are_the_same(countdown: WidgetType) -> None:
    text = json.dumps(COUNTDOWN).replace("IPluginContent", "Content")
    newer = WidgetType.from_schema(json.loads(text))
    assert newer.linked_digest != countdown.linked_digest
    assert countdown.compare(newer).verdict == "same"


def test_the_document_around_the_data_is_compared(countdown: WidgetType) -> None:
    (change,) = countdown.compare(changed(required=["name"]))
    assert (change.kind, change.scope, change.path) == ("breaking", "document", "")
    assert change.witness is not None
    assert countdown.check_document({"data": {}} | change.witness.data) is not None
    assert "of the document" in str(change)


def test_formats_count_where_they_are_checked() -> None:
    old = {"properties": {"data": {"type": "string", "format": "date"}}}
    new = {"properties": {"data": {"type": "string", "format": "time"}}}

    def verdict(*, formats: bool) -> str:
        older, newer = (WidgetType.from_schema(one, id="t", formats=formats) for one in (old, new))
        return older.compare(newer).verdict

    assert verdict(formats=True) == "breaking"
    assert verdict(formats=False) == "annotation"


def test_the_python_engine_agrees(countdown: WidgetType) -> None:
    newer = changed(*STYLES, "animationType", enum=["dissolve"])
    slow = [WidgetType.from_schema(one.schema, engine="python") for one in (countdown, newer)]
    expected = [one.message for one in countdown.compare(newer)]
    assert [one.message for one in slow[0].compare(slow[1])] == expected


# The values


VERSION = Version("t", "0")


def test_a_comparison_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"comparison\.harmless"):
        bool(Comparison(VERSION, VERSION))


@pytest.mark.parametrize(
    ("kinds", "verdict"),
    [
        ([], "same"),
        (["annotation"], "annotation"),
        (["annotation", "widening"], "widening"),
        (["widening", "unknown"], "unknown"),
        (["unknown", "breaking", "widening"], "breaking"),
    ],
)
def test_the_worst_kind_is_the_verdict(kinds: list[Any], verdict: str) -> None:
    changes = tuple(Change(kind, "", "", "type", "something") for kind in kinds)
    comparison = Comparison(VERSION, VERSION, changes)
    assert comparison.verdict == verdict
    assert comparison.breaking == (verdict == "breaking")
    assert comparison.harmless == (verdict not in ("breaking", "unknown"))
    assert len(comparison) == len(kinds)
    assert [*comparison] == [*changes]


def test_values_do_not_change() -> None:
    for value in (Comparison(VERSION, VERSION), Change("unknown", "", "", "", ""), Witness(1, ())):
        name = dataclasses.fields(value)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, ())


def test_a_comparison_as_text_and_json(countdown: WidgetType) -> None:
    comparison = countdown.compare(
        changed(*STYLES, "animationType", enum=["dissolve", "tick", "normal"], title="A")
    )
    lines = str(comparison).split("\n")
    assert lines[0] == "countdown: breaking: 2 changes (1 breaking, 1 annotation)"
    assert lines[1] == '  breaking /styles/animationType: the value "flip" is no longer allowed'
    assert lines[2].endswith('{"content": {}, "settings": {}, "styles": {"animationType": "flip"}}')
    assert comparison_text(comparison) == f"{comparison}\n"
    shown = comparison_dict(comparison)
    assert json.loads(json.dumps(shown)) == shown
    assert shown["changes"][0]["witness"]["data"]["styles"] == {"animationType": "flip"}
    assert shown["changes"][0]["new"] == ["dissolve", "tick", "normal"]
    assert comparison_text(comparison, lambda role, text: f"<{role}>").startswith("<where>")


def test_of_many_types_those_that_are_the_same_are_counted(countdown: WidgetType) -> None:
    same = countdown.compare(countdown)
    text = comparisons_text([same, same], gone=["a"], added=["b"])
    assert text == ("a: breaking: the type was removed\nb: widening: new type\n2 types unchanged\n")
    assert comparisons_text([same]) == "countdown: same\n"


def test_what_a_terminal_obeys_is_not_shown() -> None:
    old, new = Validator({"enum": ["\x1b[31m"]}), Validator({"enum": ["b"]})
    assert "\x1b" not in comparison_text(compared(old, new))


# Limits


def many(kind: str, number: int) -> dict[str, Any]:
    return {"properties": {f"m{i}": {"type": kind} for i in range(number)}}


def alternatives(last: int) -> dict[str, Any]:
    branches = [
        {"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}, {"minProperties": i + last}]}
        for i in range(20)
    ]
    return {"allOf": branches}


def nested(kind: str, depth: int) -> Any:
    schema: Any = {"type": kind}
    for number in range(depth):
        texts = {"type": "string", "minLength": number + 1}
        inner = {"type": "object", "required": ["x"], "properties": {"x": schema}}
        schema = {"anyOf": [schema, inner, texts]}
    return schema


def doubled(kind: str) -> dict[str, Any]:
    definitions: dict[str, Any] = {
        f"d{i}": {"properties": {name: {"$ref": f"#/definitions/d{i + 1}"} for name in ("a", "b")}}
        for i in range(30)
    }
    return {"$ref": "#/definitions/d0", "definitions": {**definitions, "d30": {"type": kind}}}


def deep(kind: str) -> Any:
    schema: Any = {"type": kind}
    for _ in range(90):
        schema = {"type": "object", "properties": {"x": schema}}
    return schema


@pytest.mark.parametrize(
    ("old", "new", "verdicts"),
    [
        (doubled("number"), doubled("integer"), ("breaking",)),
        ({"enum": [*range(9_000)]}, {"enum": [*range(8_000)]}, ("breaking",)),
        ({"enum": [{"a": i} for i in range(3_000)]}, {"type": "object"}, ("widening",)),
        ({"pattern": "^(a+)+$"}, {"pattern": "^(a|aa)+$"}, ("same",)),
        (
            {"pattern": "^(a|b)*a(a|b){30}$"},
            {"pattern": "^(a|b)*b(a|b){31}$"},
            ("unknown", "breaking"),
        ),
    ],
    ids=[
        "doubled",
        "values",
        "objects",
        "regex",
        "subsets",
    ],
)
def test_effort_is_bounded(old: Any, new: Any, verdicts: tuple[str, ...]) -> None:
    with bounded():
        assert compared(Validator(old), Validator(new)).verdict in verdicts


@pytest.mark.parametrize(
    ("kinds", "verdict"), [(("number", "integer"), "breaking"), (("integer", "number"), "widening")]
)
def test_four_times_the_members_cost_little_more(kinds: tuple[str, str], verdict: str) -> None:
    few, more = ([Validator(many(kind, number)) for kind in kinds] for number in (60, 240))
    assert compared(*more).verdict == verdict
    assert calls(lambda: compared(*more)) < 10 * calls(lambda: compared(*few))


@pytest.mark.parametrize(
    ("old", "new"),
    [(alternatives(0), alternatives(1)), (nested("number", 7), nested("integer", 7))],
    ids=["choices", "nested"],
)
def test_proofs_end_with_their_budget(old: Any, new: Any) -> None:
    budget = Budget(6_000, 2_000, 600, proof=2_000)
    changes: list[Change] = []
    assert calls(lambda: changes.extend(within(budget, old, new))) < 3_000_000
    assert {change.kind for change in changes} <= {"breaking", "unknown"}
    assert changes


def test_it_says_when_it_gave_up() -> None:
    [change] = within(Budget(6_000, 2_000, 600), deep("integer"), deep("number"))
    assert change.kind == "unknown"
    assert "too large or too deeply nested" in change.message


def test_what_was_cut_off_is_never_a_widening() -> None:
    """Beyond 200 obstacles nobody knows that these members are narrowed as well."""
    old = {f"a{i:03}": {"type": "number"} for i in range(220)}
    new = {name: {"type": "number", "minimum": 0} for name in old}
    swapped = {f"b{i}": {"type": "string"} for i in range(30)}
    swaps = {name: {"type": "number"} for name in swapped}
    whole: dict[str, Any] = {"properties": {**old, **swapped}}
    other: dict[str, Any] = {"properties": {**new, **swaps}}
    for before, after in ((whole, other), ({"items": whole}, {"items": other})):
        comparison = compared(Validator(before), Validator(after))
        told = {change.path.rpartition("/")[2]: change.kind for change in comparison}
        assert told["a000"] == "breaking"
        assert {told[name] for name in swapped} == {"unknown"}
        assert "too large or too deeply nested" in str(comparison)


def test_a_branch_that_is_told_as_a_whole_hides_no_narrowing() -> None:
    """Of a branch with many changes the choice alone is told, in one direction."""

    def branch(kind: str, **more: int) -> dict[str, Any]:
        members: dict[str, Any] = {f"m{i}": {"type": "number", **more} for i in range(5)}
        return {"type": "object", "properties": {**members, "x": {"type": kind}}}

    before, after = (
        Validator({"properties": {"a": {"anyOf": [one, {"type": "string"}]}, "b": other}})
        for one, other in (
            (branch("string"), {"maximum": 1}),
            (branch("number", minimum=0), {"maximum": 2}),
        )
    )
    kinds = {change.path: change.kind for change in compared(before, after)}
    assert kinds.get("/a/x") != "widening"
    assert kinds["/b"] == "widening"


def test_what_is_allowed_now_is_not_known_to_the_end() -> None:
    before = {"type": "object", "additionalProperties": False}
    after = {**before, "properties": {f"m{i}": {} for i in range(250)}}
    comparison = compared(Validator(before), Validator(after))
    assert comparison.verdict == "widening"
    assert comparison.harmless
    assert "all that was valid still is, but more may be" in str(comparison)


def test_values_that_were_not_looked_at_are_a_doubt() -> None:
    values = [f"v{i:05}" for i in range(1_500)]
    before = Validator({"enum": [*values, "gone"]})
    after = Validator({"enum": [*values, [], "other"], "maxLength": 5})
    comparison = compared(before, after)
    assert comparison.verdict == "breaking"
    assert "too large or too deeply nested" in str(comparison)


def test_more_annotations_than_are_looked_at_are_told() -> None:
    linked = Validator({"properties": {f"m{i}": {"title": "a"} for i in range(9)}}).linked
    other = Validator({"properties": {f"m{i}": {"title": "b"} for i in range(9)}}).linked
    both = join_schemas(linked, other)
    tree = BudgetedTree(both, lambda pattern, name: False)
    nodes = tree.root, tree.node([NEW + other.root])
    assert len(annotation_changes(*nodes, lambda pointer: True)) == 9
    *found, last = annotation_changes(*nodes, lambda pointer: True, most=5)
    assert len(found) < 9
    assert last.kind == "annotation"
    assert "there are more places than are looked at" in last.message


def test_an_unchanged_type_costs_nothing(countdown: WidgetType) -> None:
    other = WidgetType.from_schema(copy.deepcopy(COUNTDOWN))
    assert countdown.compare(other).verdict == "same"
    assert calls(lambda: countdown.compare(other)) < 100


def test_a_change_is_found_at_once(countdown: WidgetType) -> None:
    newer = changed(*STYLES, "animationType", enum=["dissolve"])
    assert calls(lambda: countdown.compare(newer)) < 300_000


@pytest.mark.parametrize(
    ("data", "step", "result"),
    [
        ({}, "a", {"a": 0}),
        ({"a": {"b": 1}, "c": 2}, "a", {"a": 0, "c": 2}),
        ([], 0, [0]),
        ([1, 2], 0, [0, 2]),
        ([1, 2], 1, [1, 0]),
        ([1], 1, [1, 0]),
    ],
)
def test_a_value_is_put_where_it_belongs(data: Any, step: str | int, result: Any) -> None:
    before = copy.deepcopy(data)
    assert put(data, step, 0) == result
    assert data == before


def test_what_cannot_be_told_from_far_down_the_stack_is_unknown(countdown: WidgetType) -> None:
    newer = changed(*STYLES, "animationType", enum=["dissolve"])

    def down(levels: int) -> str:
        return down(levels - 1) if levels else countdown.compare(newer).verdict

    for levels in (300, 600):
        assert down(levels) in ("breaking", "unknown")


# Renames and moves


def case(name: str) -> Comparison:
    """The comparison of a case in `tests/data/comparison`."""
    [path] = [one for one in CASES if one.stem == name]
    schemas = json.loads(path.read_text(encoding="utf-8"))
    return compared(Validator(schemas["old"]), Validator(schemas["new"]))


def test_a_renamed_member_is_one_change_made_of_all_its_parts() -> None:
    (change,) = case("required-member-renamed")
    assert change.guess is not None
    assert (change.guess.kind, change.guess.likely) == ("rename", True)
    assert change.guess.pairs == (("/titel", "/title"),)
    assert change.guess.reason == "the same schema and a similar name"
    assert change.guess.differences == ()
    assert change.subjects == ("titel", "title")
    assert {(part.kind, part.path, part.keyword) for part in change.parts} == {
        ("breaking", "", "required"),
        ("breaking", "/titel", "additionalProperties"),
        ("widening", "", "required"),
        ("widening", "/title", "additionalProperties"),
    }
    shown = change.as_dict()
    assert json.loads(json.dumps(shown)) == shown
    assert shown["guess"]["pairs"] == [{"old": "/titel", "new": "/title"}]
    assert len(shown["parts"]) == 4


def test_the_differences_of_a_renamed_member_have_witnesses_of_their_own() -> None:
    (change,) = case("member-renamed-and-tightened")
    assert change.guess is not None
    (difference,) = change.guess.differences
    assert (difference.kind, difference.path) == ("breaking", "/title")
    assert difference.keyword == "maxLength"
    assert difference.witness is not None
    assert 50 < len(difference.witness.data) <= 100


def test_members_that_moved_into_one_object_are_one_change() -> None:
    (change,) = case("members-moved-into-an-object")
    assert change.guess is not None
    assert change.guess.kind == "move"
    assert change.guess.pairs == (
        ("/street", "/address/street"),
        ("/city", "/address/city"),
    )


def test_a_guess_of_which_little_speaks_says_so() -> None:
    old = {"properties": {"description": {"type": "string"}}, "additionalProperties": False}
    new = {"properties": {"url": {"type": "string"}}, "additionalProperties": False}
    (change,) = compared(Validator(old), Validator(new))
    assert change.guess is not None
    assert not change.guess.likely
    assert change.message.endswith("perhaps renamed")


def test_a_title_that_stays_speaks_for_a_rename() -> None:
    def schema(**properties: Any) -> Validator:
        return Validator({"properties": properties, "additionalProperties": False})

    text, other = {"type": "string", "title": "Headline"}, {"type": "string"}
    (change,) = [
        one
        for one in compared(schema(a=text, b=other), schema(x=text, y=other))
        if one.guess is not None and one.guess.pairs == (("/a", "/x"),)
    ]
    assert change.guess is not None
    assert change.guess.reason == "the same schema and the same title"


def test_what_went_from_one_schema_to_its_branches_is_not_gone() -> None:
    whole = {"properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {}]}
    parts = {
        "properties": {"b": {"type": "string"}},
        "anyOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {}],
    }
    assert all(one.guess is None for one in compared(Validator(whole), Validator(parts)))


def test_a_witness_is_explained_by_the_finding_of_its_own_member() -> None:
    properties = {name: {"type": "string"} for name in "abc"}
    comparison = compared(
        Validator({"type": "object", "properties": properties, "required": ["a"]}),
        Validator({"type": "object", "properties": properties, "required": ["a", "b", "c"]}),
    )
    for change in comparison:
        [name] = change.subjects
        assert change.proof.count("now:") == 1
        assert f'"{name}" is missing' in change.proof


def test_a_new_member_of_an_open_object_is_one_change_with_all_that_it_asks_for() -> None:
    inner = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
    newer = {"type": "object", "properties": {"x": inner}}
    (change,) = compared(Validator({"type": "object"}), Validator(newer))
    assert (change.kind, change.path, change.subjects) == ("breaking", "/x", ("x",))
    assert change.guess is None
    assert {part.path for part in change.parts} >= {"/x", "/x/a"}
    assert change.witness is not None
    assert "now:" in change.proof


def hungry(newer: bool, *, members: int = 20, recursive: int = 8) -> dict[str, Any]:
    """A schema that leads back to itself in many members, and in one asks the same otherwise."""
    pattern = "^(?=.*b)(?!a)" if newer else "^(?!a)(?=.*b)"
    return {
        "type": "object",
        "properties": {
            **{f"text{n}": {"type": "string"} for n in range(members)},
            **{f"again{n}": {"$ref": "#"} for n in range(recursive)},
            "x": {"type": "string", "pattern": pattern},
        },
    }


def within(budget: Budget, old: Any, new: Any) -> list[Change]:
    """The changes of the data between two schemas, as far as a budget goes."""

    def subject(schema: Any) -> Subject:
        one = WidgetType.from_data_schema(schema)
        version = Version("data", one.linked_digest)
        return Subject(version, one.validator, one.validator)

    changes = compare(subject(old), subject(new), budget)
    return [change for change in changes if change.scope == "data"]


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(
            {"type": "array", "minItems": 5_000, "items": {"type": "integer"}}, id="items"
        ),
        pytest.param({"type": "string", "minLength": 90_000}, id="text"),
        pytest.param(
            {
                "type": "object",
                "required": [f"m{n}" for n in range(2_000)],
                "additionalProperties": {"type": "null"},
            },
            id="members",
        ),
    ],
)
def test_large_values_count_by_their_size(part: Any) -> None:
    large = [
        {**hungry(newer), "properties": {**hungry(newer)["properties"], "large": part}}
        for newer in (False, True)
    ]
    for schema in large:
        schema["required"] = ["large"]
    budget = Budget(20_000, 20_000, 5_000)
    (change,) = within(budget, *large)
    assert change.kind == "unknown"
    assert change.message.endswith(": the search was cut off at its limit of effort")


def test_what_was_not_cut_off_is_not_said_to_be() -> None:
    plain = [hungry(newer, members=0, recursive=0) for newer in (False, True)]
    (change,) = within(Budget(), *plain)
    assert change.kind == "unknown"
    assert change.message.endswith("but there may be some")


def test_effort_is_bounded_however_many_members_lead_back() -> None:
    few = [hungry(newer, recursive=5) for newer in (False, True)]
    many = [hungry(newer, members=40, recursive=40) for newer in (False, True)]
    budget = Budget(2_000, 500, 500)
    small, large = calls(lambda: within(budget, *few)), calls(lambda: within(budget, *many))
    assert large < 20 * small


def test_moves_are_sought_as_deep_as_there_is_room() -> None:
    """Each member of many leads back to all of them: three levels would be millions."""
    old = {"type": "object", "properties": {f"o{n}": {"type": "object"} for n in range(30)}}
    new = {"type": "object", "properties": {f"o{n}": {"$ref": "#"} for n in range(30)}}
    number = calls(lambda: within(Budget(2_000, 500, 500), old, new))
    assert number < 2_000_000


def test_an_object_that_contains_itself_may_be_flattened() -> None:
    inner = {"v": {"type": "string", "minLength": 3}, "w": {"type": "integer", "minimum": 3}}
    tree = {
        "type": "object",
        "properties": {"self": {"$ref": "#/definitions/T"}, **inner},
        "additionalProperties": False,
    }
    old = {
        "type": "object",
        "properties": {"x": {"$ref": "#/definitions/T"}},
        "additionalProperties": False,
        "definitions": {"T": tree},
    }
    new = {"type": "object", "properties": inner, "additionalProperties": False}
    (change,) = compared(Validator(old), Validator(new))
    assert change.guess is not None
    assert [pair.new for pair in change.guess.pairs] == ["/v", "/w"]
