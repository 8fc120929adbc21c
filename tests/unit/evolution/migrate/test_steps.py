"""Steps: what each does to a text, what it leaves alone, and the way back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.migrating import between_open, plan_of, step
from widgetschema import InvalidPlan, Migration, MigrationFailed
from widgetschema.evolution.migrate import Outcome, WayBack, parse_plan
from widgetschema.evolution.migrate.plan import KINDS


def double(value: Any) -> Any:
    """Return twice a number, and a list with a new item; the value itself is changed."""
    if isinstance(value, list):
        value.append({"new": [1]})
        return value
    if isinstance(value, dict):
        value.pop("old", None)
        value["n"] = 2
        return value
    return 2 * value


def numbers(value: Any) -> Any:
    """Return what JSON does not have."""
    return {"a": {1, 2}}


NO_FUNCTION = 1
PYTHON = f"'{__name__}:{{}}'".format

# steps, the text, what it becomes, how often they apply, and how often they are skipped
CASES: list[tuple[str, str, str, int, int]] = [
    # rename
    (step("rename", "/a", to="'b'"), '{"c": 1,  "a" :1.0}', '{"c": 1,  "b" :1.0}', 1, 0),
    (step("rename", "/**/a", to="'b'"), '{"a": {"a": [{"a": 1}]}}', '{"b": {"b": [{"b": 1}]}}', 3, 0),
    (step("rename", "/a/0", to="'1'"), '{"a": {"0": 5}}', '{"a": {"1": 5}}', 1, 0),
    (step("rename", "/a/0", to="'1'"), '{"a": [5]}', '{"a": [5]}', 0, 0),
    ("".join(step("rename", f"/a/1/{name}", to="'b'") for name in range(65)), '{"a": [5]}', '{"a": [5]}', 0, 0),
    (step("rename", "/a~1b", to="'é'"), '{"a\\/b": 5}', '{"é": 5}', 1, 0),
    (step("rename", "/ab", to="'x'"), '{"\\u0061b": 5}', '{"x": 5}', 1, 0),
    # move
    (step("move", "/a", to="'/b'"), '{"a": 1, "c": 2}', '{"c": 2, "b": 1}', 1, 0),
    (step("move", "/a", to="'/b/c/d'"), '{"a": 1.50}', '{"b": {"c": {"d": 1.50}}}', 1, 0),
    (step("move", "/a/b", to="'/b'"), '{"a": {"b": [1]}}', '{"a": {}, "b": [1]}', 1, 0),
    (
        step("move", "/i/*/a", to="'/i/*/b/a'"),
        '{"i": [{"a": 1}, {}, {"a": 2, "b": {}}]}',
        '{"i": [{"b": {"a": 1}}, {}, {"b": {"a": 2}}]}',
        2,
        0,
    ),
    (
        step("move", "/**/a", to="'/**/b'"),
        '{"a": {"x": {"a": 1}}}',
        '{"b": {"x": {"b": 1}}}',
        2,
        0,
    ),
    (step("move", "/a", to="'/a/t/u'"), '{"a": "x"}', '{"a": {"t": {"u": "x"}}}', 1, 0),
    (step("move", "/a/t/u", to="'/a'"), '{"a": {"t": {"u": "x"}}}', '{"a": "x"}', 1, 0),
    (step("move", "/**/a", to="'/a'"), '{"a": 1}', '{"a": 1}', 0, 0),
    (step("move", "/*/a", to="'/x/a'"), '{"x": {}, "y": {"a": 2}}', '{"x": {"a": 2}, "y": {}}', 1, 0),
    # map
    (step("map", "/a", values='{s = "small"}'), '{"a": "s"}', '{"a": "small"}', 1, 0),
    (step("map", "/a", values='{s = "small"}'), '{"a": "t"}', '{"a": "t"}', 0, 0),
    (
        step("map", "/*", json_values="{1 = 'true', null = '1.10', true = '{\"x\": [1]}'}"),
        '{"a": 1.0, "b": null, "c": true, "d": "1"}',
        '{"a": true, "b": 1.10, "c": {"x": [1]}, "d": "1"}',
        3,
        0,
    ),
    (step("map", "/a", json_values="{'[1]' = '2', '{}' = '3'}"), '{"a": [1.0]}', '{"a": 2}', 1, 0),
    (step("map", "/a", json_values="{123456789012345678901 = '1'}"), '{"a": 123456789012345678901}',
     '{"a": 1}', 1, 0),
    (step("map", "", json_values="{'{}' = '{\"a\": 1}'}"), "{ }", '{"a":1}', 1, 0),
    (step("map", "/a", values="{'ü\"' = 1}"), '{"a": "\\u00fc\\""}', '{"a": 1}', 1, 0),
    # clamp
    (step("clamp", "/*", minimum="0", maximum="1.5"), '{"a": -1, "b": 2e0, "c": 1.50}',
     '{"a": 0, "b": 1.5, "c": 1.50}', 2, 0),
    (step("clamp", "/a", max_length="2"), '{"a": "éüöx"}', '{"a": "éü"}', 1, 0),
    (step("clamp", "/a", max_length="2"), '{"a": ["xyz"]}', '{"a": ["xyz"]}', 0, 0),
    (step("clamp", "/a", max_items="1"), '{"a": [ 1, {"b": 2}]}', '{"a": [ 1]}', 1, 0),
    (step("clamp", "/a", maximum="3"), f'{{"a": {10**40}}}', '{"a": 3}', 1, 0),
    (step("clamp", "/*", maximum="1e23"), f'{{"a": {10**23}, "b": {int(1e23)}, "c": 1.0e23}}',
     f'{{"a": 1e+23, "b": {int(1e23)}, "c": 1.0e23}}', 1, 0),
    (step("clamp", "/*", maximum="0.3"), '{"a": 0.30000000000000000001, "c": 0.31}',
     '{"a": 0.30000000000000000001, "c": 0.3}', 1, 0),
    # round
    (step("round", "/*"), '{"a": 1.5, "b": -1.5, "c": 2.0, "d": 1e2, "e": "1.5"}',
     '{"a": 2, "b": -2, "c": 2.0, "d": 1e2, "e": "1.5"}', 2, 0),
    (step("round", "/*", mode='"down"'), '{"a": -0.5, "b": 9007199254740993.5}',
     '{"a": -1, "b": 9007199254740993}', 2, 0),
    (step("round", "/a", multiple_of="0.25", mode='"up"'), '{"a": 0.3}', '{"a": 0.5}', 1, 0),
    (step("round", "/a", multiple_of="5"), '{"a": 12}', '{"a": 10}', 1, 0),
    (step("round", "/a"), '{"a": 0.4}', '{"a": 0}', 1, 0),
    (step("round", "/a"), '{"a": -0.4}', '{"a": 0}', 1, 0),
    (step("round", "/a"), f'{{"a": 0.{"1" * 500}}}', f'{{"a": 0.{"1" * 500}}}', 0, 1),
    # cast
    (step("cast", "/*", to="'number'"), '{"a": "5", "b": "1.10", "c": "05", "d": " 5", "e": true}',
     '{"a": 5, "b": 1.10, "c": "05", "d": " 5", "e": true}', 2, 3),
    (step("cast", "/*", to="'integer'"), '{"a": "5", "b": "5.0", "c": "5.5", "d": 5.0, "e": 5.5}',
     '{"a": 5, "b": 5.0, "c": "5.5", "d": 5.0, "e": 5.5}', 2, 2),
    (step("cast", "/*", to="'string'"), '{"a": 1.10, "b": true, "c": null, "d": [], "e": "x"}',
     '{"a": "1.10", "b": "true", "c": null, "d": [], "e": "x"}', 2, 2),
    (step("cast", "/*", to="'boolean'"), '{"a": "true", "b": "yes", "c": 1, "d": false}',
     '{"a": true, "b": "yes", "c": 1, "d": false}', 1, 2),
    (step("cast", "/a", to="'number'"), '{"a": "1e999"}', '{"a": "1e999"}', 0, 1),
    # numbers whose exponents are beyond any decimal
    (step("clamp", "/*", minimum="3"), '{"a": 1e-99999999999999999999, "b": 0e99999999999999999999}',
     '{"a": 3, "b": 3}', 2, 0),
    (step("round", "/a"), '{"a": 1e-99999999999999999999}', '{"a": 1e-99999999999999999999}', 0, 0),
    # wrap and unwrap
    (step("wrap", "/*"), '{"a": {"b" :1}, "c": [1]}', '{"a": [{"b" :1}], "c": [1]}', 1, 0),
    (step("wrap", ""), '{"a": 1}', '[{"a": 1}]', 1, 0),
    (step("unwrap", "/*"), '{"a": [ 1.0 ], "b": [], "c": [1, 2], "d": 1}',
     '{"a": 1.0, "b": [], "c": [1, 2], "d": 1}', 1, 2),
    # default
    (step("default", "/i/*/a", value="[1, {x = 'y'}]"), '{"i": [{}, {"a": null}, 5]}',
     '{"i": [{"a": [1, {"x": "y"}]}, {"a": null}, 5]}', 1, 0),
    (step("default", "/a", json="'1.10'"), "{\n}", '{\n  "a": 1.10\n}', 1, 0),
    (step("default", "/a/b", value="1"), '{"c": 1}', '{"c": 1}', 0, 0),
    # split and join
    (step("split", "/a", separator="' '", to="['b', 'c']"), '{"a": "x y", "d": 1}',
     '{"d": 1, "b": "x", "c": "y"}', 1, 0),
    (step("split", "/a", separator="' '", to="['b', 'c']"), '{"a": "x"}', '{"a": "x"}', 0, 1),
    (step("split", "/a", separator="','"), '{"a": "x,y,"}', '{"a": ["x", "y", ""]}', 1, 0),
    (step("split", "/*", separator="','"), '{"a": "", "b": 1}', '{"a": [], "b": 1}', 1, 0),
    (step("join", "/n", separator="' '", members="['b', 'c']"), '{"b": "x", "d": 1, "c": "y"}',
     '{"d": 1, "n": "x y"}', 1, 0),
    (step("join", "/n", separator="' '", members="['b', 'c']"), '{"b": "x"}', '{"b": "x"}', 0, 1),
    (step("join", "/*", separator="''"), '{"a": ["x", "y"], "b": ["x", 1], "c": []}',
     '{"a": "xy", "b": ["x", 1], "c": ""}', 2, 1),
    # drop
    (step("drop", "/a/*"), '{"a": [1, {"b": 2}], "c": 1}', '{"a": [], "c": 1}', 2, 0),
    (step("drop", "/**/a"), '{"a": {"a": 1}, "b": [{"a": 2, "c": 3}]}', '{"b": [{"c": 3}]}', 3, 0),
    (step("drop", "/*", if_empty="true"), '{"a": {}, "b": [], "c": "", "d": null, "e": 0}',
     '{"e": 0}', 4, 0),
    (step("drop", "/*", unless="""'{"type": "string"}'"""), '{"a": "x", "b": null, "c": [1 ]}',
     '{"a": "x"}', 2, 0),
    (step("drop", "/*", unless="'false'"), '{"a": 1}', '{}', 1, 0),
    (step("drop", "/*/*", unless_name="""'{"enum": ["a"]}'"""), '{"o": {"a": 1, "b": 2}, "l": [3]}',
     '{"o": {"a": 1}, "l": [3]}', 1, 0),
    (step("drop", "/*", unless="""'{"type": "null"}'""", unless_name="""'{"pattern": "^x-"}'"""),
     '{"x-a": 1, "b": null, "c": 2}', '{"x-a": 1, "b": null}', 1, 0),
    # python
    (step("python", "/*", python=PYTHON("double")), '{"a": 1.50, "b": "x", "c": 0.0}',
     '{"a": 3.0, "b": "xx", "c": 0.0}', 2, 0),
    (step("python", "/a", python=PYTHON("double")), '{"a": [ 1.50,2 ]}',
     '{"a": [ 1.50,2,{"new": [1]} ]}', 1, 0),
    (step("python", "", python=PYTHON("double")), '{"a":  1, "old": 1, "n": 1e0}',
     '{"a":  1, "n": 2}', 1, 0),
]  # fmt: skip


def migrated(steps: str, text: str) -> Outcome:
    """Return the outcome between schemas that accept anything."""
    return anything(steps).migrate_json(text)


def anything(steps: str) -> Migration:
    """Return a migration between two schemas that accept anything."""
    from tests.migrating import migration, widget_type

    old, new = widget_type({"title": "old"}), widget_type({"title": "new"})
    return migration(steps, old, new, allow_code=True)


@pytest.mark.parametrize(("steps", "text", "then", "applied", "skipped"), CASES)
def test_a_step(steps: str, text: str, then: str, applied: int, skipped: int) -> None:
    outcome = migrated(steps, text)
    assert outcome.findings == ()
    assert outcome.text.decode() == then
    assert (outcome.applied or (0,), outcome.skipped or (0,)) == ((applied,), (skipped,))


@pytest.mark.parametrize(("steps", "text"), [case[:2] for case in CASES if case[3]])
def test_the_way_back(steps: str, text: str) -> None:
    migration = anything(steps)
    (one,) = migration.steps
    outcome = migration.migrate_json(text)
    for way in migration.ways_back(text):
        assert way.is_back is not False
    if one.reversed is not None:
        assert one.reversed.kind in toml_of(one.reversed)
    if one.is_idempotent:
        assert migration.migrate_json(outcome.text).text == outcome.text


def test_a_way_back_that_is_not_certain_is_not_said_to_be() -> None:
    (way,) = anything(step("rename", "/*/a", to="'b'")).ways_back('[{"a": 1}, {"b": 2}]')
    assert way.is_back is None
    (way,) = anything(step("wrap", "/*")).ways_back('{"a": 1, "b": [2]}')
    assert way.is_back is None
    (way,) = anything(step("unwrap", "/a")).ways_back('{"a": [[1]]}')
    assert way.is_back is None
    split = anything(step("split", "/a", separator="' '", to="['b', 'c']"))
    (way,) = split.ways_back('{"a": "x y"}')
    assert way == WayBack(1, True, '{"a": "x y"}', '{"a": "x y"}')


def toml_of(one: Any) -> str:
    """Return a step as it is written in a plan file."""
    from widgetschema.evolution.migrate import PlanSchema, Proposal, format_plan

    side = PlanSchema(id="x", digest="0" * 64)
    text = format_plan(side, side, [Proposal(step=one)])
    assert parse_plan(text).steps == (one,)
    return text[text.index("[[steps]]") :]


@pytest.mark.parametrize(
    ("steps", "text", "path", "message"),
    [
        (step("rename", "/a", to="'b'"), '{"a": 1, "b": 2}', "/a", 'already a property "b"'),
        (step("move", "/a", to="'/b'"), '{"a": 1, "b": 2}', "/a", "already a value at /b"),
        (step("move", "/*/a", to="'/a'"), '{"x": {"a": 1}, "y": {"a": 2}}', "/x/a", "already a value at /a"),
        (step("move", "/a", to="'/b/c'"), '{"a": 1, "b": [2]}', "/b", "in an array"),
        (step("move", "/a", to="'/b/c/d'"), '{"a": 1, "b": "x"}', "/b", "in a string"),
        (step("move", "/a/b", to="'/a'"), '{"a": {"b": 1, "c": 2}}', "/a/b", "holds other values"),
        (step("split", "/a", separator="','", to="['b', 'c']"), '{"a": "x,y", "c": 1}', "/a",
         'already a property "c"'),
        (step("join", "/c", separator="','", members="['a', 'b']"), '{"a": "", "b": "", "c": 1}',
         "/c", "already a value"),
        (step("python", "/a", python=PYTHON("double")), '{"a": null}', "/a", "TypeError"),
        (step("python", "/a", python=PYTHON("numbers")), '{"a": 1}', "/a/a", "what JSON does not"),
    ],
)  # fmt: skip
def test_a_collision_fails(steps: str, text: str, path: str, message: str) -> None:
    outcome = migrated(steps, text)
    (finding,) = outcome.findings
    assert (outcome.status, outcome.text) == ("failed", text.encode())
    assert (finding.keyword, finding.path) == ("migration.step", path)
    assert message in finding.message
    assert "plan.toml, line 10" in finding.message
    with pytest.raises(MigrationFailed) as error:
        anything(steps).ways_back(text)
    assert error.value.status == "failed"
    assert error.value.report.findings[0].path == path


@pytest.mark.parametrize(
    ("steps", "text", "lost"),
    [
        (step("drop", "/a/*"), '{"a": [1.0, {"b" :2}]}', [("/a/1", '{"b" :2}'), ("/a/0", "1.0")]),
        (step("drop", "/**/a"), '{"a": {"a": 1, "b": 2}}', [("/a/a", "1"), ("/a", '{"b": 2}')]),
        (step("drop", "/a", unless="'false'"), '{"a": 1.10}', [("/a", "1.10")]),
        (step("clamp", "/a", maximum="1"), '{"a": 1.10}', [("/a", "1.10")]),
        (step("round", "/a"), '{"a": 1.10}', [("/a", "1.10")]),
        (step("join", "/a", separator="','"), '{"a": ["x,", "y"]}', [("/a", '["x,", "y"]')]),
    ],
)
def test_what_is_lost_is_kept(steps: str, text: str, lost: list[tuple[str, str]]) -> None:
    migration = anything(steps)
    assert [(one.pointer, one.text) for one in migration.migrate_json(text).lost] == lost
    assert migration.steps[0].loses


def faulty() -> Iterator[tuple[str, str]]:
    """Yield steps whose options cannot be used, and what is said about them."""
    yield step("move", "/a", to="'b'"), "it is not a JSON Pointer: begin with a slash"
    yield step("move", "/a", to="''"), "this is the whole data"
    yield step("move", "/a", to="'/b/*'"), "it ends with *"
    yield step("move", "/a", to="'/*/b'"), "its * must stand in `at`"
    yield step("move", "/**/a/**/b", to="'/c'"), "only one **"
    yield step("move", "/a/*", to="'/c'"), "ends with its name"
    yield step("move", "/a", to="'/a'"), "it is there already"
    yield step("clamp", "/a"), "a bound is missing"
    yield step("clamp", "/a", minimum="2", maximum="1"), "less than minimum"
    yield step("round", "/a", multiple_of="0"), "0 must be greater"
    yield step("round", "/a", multiple_of="inf"), "nan and inf are not JSON values"
    yield step("split", "/a/*", separator="','", to="['b', 'c']"), "it ends with *"
    yield step("split", "/a", separator="','", to="['b']"), "at least 2"
    yield step("split", "/a", separator="''"), "at least 1"
    yield step("join", "", separator="','", members="['b', 'c']"), "this is the whole data"
    yield step("drop", "/a", unless="'{'"), "this is not JSON text"
    yield step("drop", "/a", unless="""'{"type": 5}'"""), "this is not a JSON Schema"
    yield (
        step("drop", "/a", unless_name="""'{"$ref": "http://x/y"}'"""),
        "this is not a JSON Schema",
    )
    yield step("python", "/a", python="'os.system'"), "write the function as module:function"


@pytest.mark.parametrize(("steps", "message"), [*faulty()])
def test_options_that_cannot_be_used(steps: str, message: str) -> None:
    with pytest.raises(InvalidPlan) as caught:
        plan_of(steps)
    assert message in caught.value.report.findings[0].message


def test_code_runs_only_where_it_is_permitted() -> None:
    steps = step("python", "/a", python="'tests.no_such_module:run'")
    with pytest.raises(InvalidPlan) as caught:
        between_open(steps)
    (finding,) = caught.value.report.findings
    assert (finding.keyword, finding.line) == ("migration.code", 10)
    assert "--allow-code" in f"{finding.hint}"
    for function in ("no_such_module:run", "migrating:run", "migrating:OPEN"):
        with pytest.raises(InvalidPlan, match="cannot be loaded"):
            between_open(steps.replace("no_such_module:run", function), allow_code=True)


def test_steps_are_carried_out_in_their_order() -> None:
    steps = (
        step("rename", "/a", to="'b'")
        + step("rename", "/c", to="'a'")
        + step("drop", "/b")
        + step("move", "/a", to="'/d/e'")
        + step("cast", "/d/e", to="'string'")
    )
    outcome = migrated(steps, '{"a": 1, "c": 2.0}')
    assert outcome.text == b'{"d": {"e": "2.0"}}'
    assert [(one.step, one.pointer) for one in outcome.lost] == [(3, "/b")]


def test_a_value_in_several_lines_is_moved_with_its_layout() -> None:
    text = '{\n  "a": {\n    "b": {\n      "c" : 1.0\n    }\n  },\n  "z": []\n}\n'
    assert migrated(step("move", "/a/b", to="'/b'"), text).text.decode() == (
        '{\n  "a": {},\n  "z": [],\n  "b": {\n    "c" : 1.0\n  }\n}\n'
    )


def test_a_thousand_steps_on_a_deep_text() -> None:
    steps = "".join(step("rename", "/**/a", to=f"'b{n}'") + step("rename", f"/**/b{n}", to="'a'")
                    for n in range(500))  # fmt: skip
    text = '{"a":' * 99 + "1" + "}" * 99
    assert migrated(steps, text).text == text.encode()


def test_the_registry_has_all_kinds() -> None:
    assert [*KINDS] == (
        "rename move map clamp round cast wrap unwrap default split join drop python".split()
    )


def test_a_table_keeps_what_several_values_were() -> None:
    steps = step("map", "/*", json_values="""{'"m"' = '"s"', '"l"' = '"s"', '"x"' = '"y"'}""")
    outcome = migrated(steps, '{"a": "m", "b": "\\u006c", "c": "x"}')
    assert outcome.text == b'{"a": "s", "b": "s", "c": "y"}'
    assert [(one.pointer, one.text) for one in outcome.lost] == [
        ("/b", '"\\u006c"'),
        ("/a", '"m"'),
    ]
