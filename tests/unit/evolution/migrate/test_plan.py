"""Plan files: what is wrong with one has a line, and what is written can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.migrating import STEPS, plan_of, plan_text, step
from widgetschema import InvalidPlan, Validator
from widgetschema.evolution.migrate import (
    ModelVersion,
    PlanSchema,
    Proposal,
    format_plan,
    parse_plan,
    plan_schema,
    read_plan,
)
from widgetschema.evolution.migrate.plan import KINDS
from widgetschema.formats import toml


def findings(text: str) -> list[tuple[int | None, str, str | None]]:
    """Return line, message and hint of what is wrong with a plan."""
    with pytest.raises(InvalidPlan) as caught:
        parse_plan(text, name="plan.toml")
    return [(one.line, one.message, one.hint) for one in caught.value.report]


def test_a_plan_has_its_steps_in_order() -> None:
    plan = plan_of(STEPS, more="[model-version]\nold = 1\nnew = 2\n")
    assert [one.kind for one in plan.steps] == ["rename", "map", "cast", "drop", "default"]
    assert plan.model_version == ModelVersion(old=1, new=2)
    assert plan.steps[0].line == 14
    assert not plan.runs_code


@pytest.mark.parametrize(
    ("steps", "line", "message", "hint"),
    [
        (step("renam", "/a", to="'b'"), 11, '"renam" is not one of', 'did you mean "rename"?'),
        (step("rename", "/a", too="'b'"), 13, 'unknown property "too"', 'rename it to "to"'),
        (step("rename", "/a"), 10, 'the property "to" is missing', None),
        (step("rename", "/a", to="3"), 13, "3 is a number", None),
        (step("rename", "a", to="'b'"), 12, 'invalid pattern "a"', "begin with a slash"),
        (step("rename", "/a~b", to="'b'"), 12, "invalid pattern", None),
        (step("rename", "/a/*", to="'b'"), 12, "it ends with *", None),
        (step("rename", "", to="'b'"), 12, "this is the whole data", None),
        (step("rename", "/a", to="'a'"), 13, "this is already its name", None),
        (step("drop", "/a", values="1"), 13, 'unknown property "values"', "if-empty"),
        (step("drop", "/**"), 12, "this is the whole data", None),
        (step("map", "/a"), 10, "values or json-values is missing", None),
        (step("map", "/a", json_values="{x = '1'}"), 13, "is not JSON", None),
        (
            step("map", "/a", values="{x = 1}", json_values="{'\"x\"' = '1'}"),
            14,
            "is named twice",
            None,
        ),
        (step("cast", "/a", to="'null'"), 13, '"null" is not one of', None),
        (step("default", "/a"), 10, "value or json is missing", None),
        (step("default", "/a", json="'nul'"), 13, '"nul" is not JSON', None),
        (step("default", "/a", value="1", json="'1'"), 14, "there is a value already", None),
        (step("default", "/a", value="2026-01-01"), 13, "dates", "write it with quotes"),
        ("[[steps]]\nat = 1\n", 10, 'the property "kind" is missing', None),
        ("steps = 1", 10, "unknown property", None),
        ("[[stesp]]\n", 10, 'unknown property "stesp"', 'did you mean "steps"?'),
    ],
)
def test_what_is_wrong_has_its_line(steps: str, line: int, message: str, hint: str | None) -> None:
    found = findings(plan_text(steps))
    assert found[0][0] == line
    assert message in found[0][1]
    assert hint is None or hint in f"{found[0][2]}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[old", "not TOML"),
        ("old = " + "[" * 2000, "nested too deeply"),
        ("#" * 8_000_001, "larger than 8,000,000 bytes"),
        ("", 'the property "old" is missing'),
        ("old = 1\nnew = {}", "1 is a number"),
    ],
)
def test_a_text_that_is_no_plan(text: str, message: str) -> None:
    assert message in findings(text)[0][1]
    with pytest.raises(InvalidPlan):
        parse_plan(b"\xff")


def test_a_plan_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(plan_text(STEPS), encoding="utf-8")
    assert read_plan(path).steps == plan_of(STEPS).steps
    assert read_plan(path).name == str(path)
    with pytest.raises(OSError, match="No such file"):
        read_plan(tmp_path / "none.toml")


def test_a_plan_that_is_written_can_be_read() -> None:
    plan = plan_of(
        STEPS
        + step("map", "/a", values='{"a b" = "\\u0000\\n\\"\\\\", "" = [1, 1.5, {x = false}]}')
        + step("default", "/ä~1*/b", json="'1.10'")
    )
    proposals = [Proposal(step=one, reason="a reason\nof two\x00lines\r") for one in plan.steps]
    text = format_plan(
        plan.old, plan.new, proposals, model_version=ModelVersion(old=1, new=2), heading="A plan"
    )
    again = parse_plan(text)
    assert (again.steps, again.old, again.new) == (plan.steps, plan.old, plan.new)
    assert text.startswith("# A plan\n\n[old]\n")
    assert "# a reason\n# of two lines" in text


def test_a_guess_is_a_comment() -> None:
    side = PlanSchema(id="card", digest="0" * 64, schema="v1.json", data_schema=True)
    steps = plan_of(STEPS).steps
    text = format_plan(
        side,
        side,
        [
            Proposal(step=steps[0], reason="the names are alike", is_active=False),
            Proposal(step=None, reason="/other: nothing to propose"),
        ],
    )
    plan = parse_plan(text)
    assert plan.steps == ()
    assert plan.old == side
    assert (
        parse_plan(
            text.replace("\n# [[", "\n[[")
            .replace("\n# kind", "\nkind")
            .replace("\n# at", "\nat")
            .replace("\n# to", "\nto")
        ).steps
        == steps[:1]
    )


def test_the_published_schema_agrees_with_the_reader() -> None:
    schema: dict[str, Any] = plan_schema()
    validator = Validator(schema)
    assert validator.is_valid(toml.parse(plan_text(STEPS)))
    for steps in (step("rename", "/a"), step("drop", "/a", x="1"), step("no", "/a")):
        assert not validator.is_valid(toml.parse(plan_text(steps)))
    steps_schema = schema["properties"]["steps"]["items"]
    assert steps_schema["properties"]["kind"]["enum"] == [*KINDS]
    schema.clear()
    assert plan_schema()
