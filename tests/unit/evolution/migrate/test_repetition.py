"""Plans whose steps are harmless one by one, and do their work twice together."""

from __future__ import annotations

import pytest

from tests.migrating import plan_of, step, widget_type
from widgetschema.evolution.migrate import Migration
from widgetschema.evolution.migrate.repetition import repeating

SWAP = (
    step("rename", "/a", to="'x'") + step("rename", "/b", to="'a'") + step("rename", "/x", to="'b'")
)


def migration(steps: str) -> Migration:
    old, new = (widget_type({"title": one}) for one in ("old", "new"))
    return old.migration(new, plan_of(steps, old, new))


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (SWAP, '{"a": 1, "b": 2}'),
        (step("rename", "/b", to="'c'") + step("rename", "/a", to="'b'"), '{"a": 1}'),
        (step("drop", "/b") + step("rename", "/a", to="'b'"), '{"a": 1}'),
        (step("drop", "/a/0"), '{"a": [1, 2]}'),
        (step("drop", "/b/c") + step("rename", "/a", to="'b'"), '{"a": {"c": 1}}'),
        (step("rename", "/w", to="'v'") + step("move", "/a", to="'/w/a'"), '{"a": 1}'),
        (step("rename", "/a", to="'b'") + step("default", "/a", value="1"), "{}"),
        (
            step("map", "/a", values="{b = 'c'}") + step("map", "/a", values="{a = 'b'}"),
            '{"a": "a"}',
        ),
        (step("map", "/a", values="{b = 'c'}") + step("rename", "/x", to="'a'"), '{"x": "b"}'),
        (step("map", "/a", values="{b = 'c'}") + step("default", "/a", value="'b'"), "{}"),
        (step("wrap", "/a/**"), '{"a": {"b": 1}}'),
        (step("move", "/**/a", to="'/**/x/a'"), '{"a": 1}'),
        (step("move", "/a", to="'/a/b'"), '{"a": 1}'),
        (step("move", "/a/b", to="'/a'"), '{"a": {"b": {"b": 1}}}'),
        (step("split", "/a/**", separator="','"), '{"a": "x,y"}'),
        (
            step("join", "/n", separator="' '", members="['a', 'b']")
            + step("split", "/x", separator="'-'", to="['a', 'b']"),
            '{"x": "1-2"}',
        ),
        (step("drop", "/b/a") + step("rename", "/**/x", to="'a'"), '{"b": {"x": 1}}'),
        (step("clamp", "/*", maximum="1") + step("default", "/a", value="2"), "{}"),
        (step("default", "/**/a", json="'{}'"), "{}"),
        (step("wrap", "/*/0") + step("wrap", "/1"), '{"1": 2}'),
        (step("move", "/**/a", to="'/x/a/b'"), '{"a": 1}'),
        (
            step("cast", "/a/b", to="'integer'") + step("default", "/a", json="""'{"b": "1"}'"""),
            "{}",
        ),
        (step("rename", "/**/b/a", to="'b'"), '{"b": {"a": {"a": 1}}}'),
    ],
)
def test_a_plan_that_does_its_work_twice_is_known(steps: str, text: str) -> None:
    one = migration(steps)
    once = one.migrate_json(text)
    assert once.status == "migrated"
    assert one.migrate_json(once.text).text != once.text
    assert one.plan.repeats is not None


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (step("rename", "/a", to="'b'") + step("map", "/b", values="{x = 'y'}"), '{"a": "x"}'),
        (step("rename", "/a", to="'b'") + step("rename", "/c", to="'d'"), '{"a": 1, "c": 2}'),
        (step("map", "/a", values="{x = 'y'}") + step("default", "/a", value="'y'"), "{}"),
        (
            step("map", "/a", values="{x = 'y'}") + step("map", "/a", values="{z = 'y'}"),
            '{"a": "z"}',
        ),
        (step("cast", "/a", to="'integer'") + step("clamp", "/a", minimum="3"), '{"a": "1"}'),
        (step("default", "/a", value="'1'") + step("cast", "/a", to="'integer'"), "{}"),
        (step("move", "/a", to="'/w/a'") + step("move", "/b", to="'/w/b'"), '{"a": 1, "b": 2}'),
        (step("rename", "/**/a", to="'b'") + step("rename", "/**/c", to="'d'"), '{"c": {"a": 1}}'),
        (step("wrap", "/**/a") + step("drop", "/z"), '{"a": {"a": 1}, "z": 1}'),
        (step("drop", "/a/*"), '{"a": [1, 2]}'),
        (step("cast", "/a/b", to="'integer'") + step("default", "/a", json="'{}'"), "{}"),
    ],
)
def test_a_plan_that_is_harmless_is_known(steps: str, text: str) -> None:
    one = migration(steps)
    once = one.migrate_json(text)
    assert once.status == "migrated"
    assert one.migrate_json(once.text).text == once.text
    assert one.plan.repeats is None


def test_very_many_steps_are_not_compared() -> None:
    """The effort is bounded; a plan that is not compared may do its work twice."""
    steps = "".join(step("map", f"/x{number}", values="{a = 'b'}") for number in range(50))
    plan = migration(steps).plan
    assert plan.repeats is None
    found = repeating(plan.steps, most_pairs=300)
    assert found is not None
    assert found.at == "/x25"
