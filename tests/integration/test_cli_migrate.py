"""`widgetschema migrate`: evidence for a plan, from generated and from stored data."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.command import run
from tests.migrating import NEW, OLD, plan_text, step
from widgetschema.evolution.migrate import plan_schema

Capture = pytest.CaptureFixture[str]
STEPS = (
    step("rename", "/heading", to="'title'")
    + step("map", "/size", values='{s = "small", m = "medium"}')
    + step("default", "/shown", value="true")
    + step("drop", "/legacy")
    + step("drop", "/days")
)


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plan with its schemas, below the working directory."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "migrations"
    folder.mkdir()
    for name, side in (("v1", OLD), ("v2", NEW)):
        (folder / f"{name}.json").write_text(json.dumps(side.schema), encoding="utf-8")
    return write(folder, STEPS)


def write(folder: Path, steps: str) -> Path:
    """Write a plan that names its schemas."""
    text = plan_text(steps)
    for name in ("v2", "v1"):
        end = text.rindex(f'digest = "{(NEW if name == "v2" else OLD).linked_digest}"')
        text = f'{text[:end]}schema = "{name}.json"\ndata-schema = true\n{text[end:]}'
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_plan_that_holds(capsys: Capture, plan: Path) -> None:
    result = run(capsys, "migrate", "check", "migrations/plan.toml", "--samples", "10")
    assert result.code == 0
    first, *steps = result.out.splitlines()
    assert first.endswith(" migrated")
    assert [line.split()[:4] for line in steps] == [
        ["step", "1", "rename", "/heading"],
        ["step", "2", "map", "/size"],
        ["step", "3", "default", "/shown"],
        ["step", "4", "drop", "/legacy"],
        ["step", "5", "drop", "/days"],
    ]
    assert "lost, such as" in steps[3]
    assert result.err == "migrations/plan.toml: every record comes out valid\n"


def test_a_plan_that_does_not_hold_names_the_record_and_the_step(
    capsys: Capture, plan: Path
) -> None:
    write(plan.parent, STEPS.replace('m = "medium"', 'm = "big", x = "y"'))
    result = run(capsys, "migrate", "check", plan, "--samples", "0", "--format", "json")
    assert result.code == 1
    cases = json.loads(result.out)["cases"]
    assert not cases["holds"]
    (problem,) = cases["problems"]
    assert problem["finding"]["keyword"] == "enum"
    assert problem["steps"] == [2]
    assert problem["records"] == cases["statuses"]["invalid"]
    assert json.loads(problem["text"])["size"] == "m"


def test_the_page_replaces_only_an_earlier_page(capsys: Capture, plan: Path) -> None:
    arguments = ("migrate", "check", plan, "--samples", "0", "--html", "page.html")
    assert run(capsys, *arguments).code == 0
    page = Path("page.html").read_text()
    assert "Every record comes out valid" in page
    assert "In generated cases" in " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert run(capsys, *arguments).code == 0
    Path("page.html").write_text("notes of mine")
    refused = run(capsys, *arguments)
    assert (refused.code, Path("page.html").read_text()) == (2, "notes of mine")
    assert "exists already: choose another name, or delete it." in " ".join(refused.err.split())
    no_folder = run(capsys, "migrate", "check", plan, "--samples=0", "--html=none/page.html")
    assert no_folder.code == 3
    assert "every record comes out valid" in no_folder.err
    assert "not every" not in no_folder.err
    assert run(capsys, "migrate", "check", plan, "--html", plan).code == 2


def test_a_step_that_fails_is_not_one_that_never_applies(capsys: Capture, plan: Path) -> None:
    write(plan.parent, STEPS + step("python", "/rest", python="'math:sin'"))
    rest = plan.parent / "data.json"
    rest.write_text('{"heading": "a", "rest": "x"}', encoding="utf-8")
    arguments = ("--allow-code", "--samples", "0", "--data", rest)
    out = run(capsys, "migrate", "check", plan, *arguments).out.split("stored record")[1]
    assert "math:sin: TypeError" in out
    assert "(map /size) never applies" in out
    assert "(python /rest) never applies" not in out


def test_without_stored_records_no_step_is_called_idle(capsys: Capture, plan: Path) -> None:
    result = run(capsys, "migrate", "check", plan, "--samples", "5", "--data", "none.ndjson")
    assert result.code == 3
    assert "none.ndjson: no such file or directory" in result.err
    assert "0 stored records: nothing to migrate" in result.out
    assert "never applies" not in result.out


def test_without_the_library_for_pages_nothing_is_tried(
    capsys: Capture, plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = run(capsys, "migrate", "check", plan, "--html", "page.html")
    assert (result.code, result.out) == (2, "")
    assert "install it with: pip install 'widgetschema[audit]'" in result.err


def test_a_schema_of_the_plan_that_is_not_there(capsys: Capture, plan: Path) -> None:
    plan.write_text(plan.read_text().replace("v2.json", "none.json"))
    result = run(capsys, "migrate", "check", plan)
    assert result.code == 3
    advice = "name the schema of the plan by --new"
    assert f"none.json: no such file or directory; {advice}\n" in result.err


def test_a_function_in_the_folder_of_the_plan(
    capsys: Capture, plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "headings_of_plan", raising=False)
    write(plan.parent, STEPS + step("python", "/title", python="'headings_of_plan:upper'"))
    missing = run(capsys, "migrate", "check", plan, "--allow-code")
    assert missing.code == 2
    assert "No module named 'headings_of_plan'" in missing.err
    assert "it can also be in the folder of the plan" in missing.err
    (plan.parent / "headings_of_plan.py").write_text("upper = str.upper\n")
    importlib.invalidate_caches()
    refused = run(capsys, "migrate", "check", plan)
    assert (refused.code, "headings_of_plan" in sys.modules) == (2, False)
    result = run(capsys, "migrate", "check", plan, "--allow-code", "--samples", "5")
    assert "every record comes out valid" in result.err


def test_steps_that_never_apply_and_collide_are_said(capsys: Capture, plan: Path) -> None:
    more = step("rename", "/hading", to="'title'") + step("python", "/rest", python="'math:sin'")
    write(plan.parent, STEPS + more)
    refused = run(capsys, "migrate", "check", plan)
    assert (refused.code, refused.out) == (2, "")
    assert "this step runs code: python /rest" in refused.err
    write(plan.parent, STEPS + more.replace("math:sin", "builtins:repr"))
    result = run(capsys, "migrate", "check", plan, "--allow-code", "--samples", "5", "--quiet")
    idle = "note: step 6 (rename /hading) never applies: neither schema names"
    assert f'{idle} "hading"; did you mean "heading"?\n' in result.out
    assert "note: steps 1 and 6 both put a value at /title" in result.out
    assert result.err == ""


def test_of_many_steps_that_never_apply_most_are_only_counted(capsys: Capture, plan: Path) -> None:
    more = "".join(step("rename", f"/no{number}", to=f"'other{number}'") for number in range(150))
    write(plan.parent, STEPS + more)
    out = run(capsys, "migrate", "check", plan, "--samples", "5").out
    assert "note: step 15 (rename /no9) never applies" in out
    assert "note: 140 other steps never apply\n" in out
    assert "no10" not in out
    record = plan.parent / "record.json"
    record.write_text('{"heading": "a"}')
    applied = run(capsys, "migrate", "apply", plan, record).out
    assert "  step 4 (drop /legacy): 0 places\n" in applied
    assert "\n  143 other steps: 0 places\n" in applied
    assert len(applied.splitlines()) == 14


def test_schemas_that_options_name_must_be_those_of_the_plan(capsys: Capture, plan: Path) -> None:
    for side in ("v1", "v2"):
        (plan.parent / f"{side}.json").write_text("true", encoding="utf-8")
    ways = ("--old", plan.parent / "v1.json", "--new", plan.parent / "v2.json")
    result = run(capsys, "migrate", "check", plan, *ways)
    assert result.code == 2
    assert "this plan is for the schema card with the digest" in result.err


def test_stored_records_are_migrated_for_evidence(capsys: Capture, plan: Path) -> None:
    records = plan.parent / "records.ndjson"
    lines = ['{"heading": "a"}', '{"heading": "b", "size": "s"}', '{"title": 3}']
    records.write_text("\n".join(lines), encoding="utf-8")
    before = records.read_bytes()
    arguments = ("migrate", "check", plan, "--samples", "0", "--data", records)
    result = run(capsys, *arguments, "--format", "json")
    data = json.loads(result.out)["data"]
    assert result.code == 0
    assert (data["records"], data["statuses"]["migrated"], data["statuses"]["not-old"]) == (3, 2, 1)
    assert [one["places"] for one in data["steps"]] == [2, 1, 2, 0, 0]
    assert records.read_bytes() == before
    text = run(capsys, *arguments, "--html", "page.html")
    assert "not-old" in text.out
    assert text.err == (
        f"{plan}: every valid record comes out valid; not valid before, and left as they are: "
        "1 record\n"
    )
    assert "Every valid record comes out valid" in Path("page.html").read_text()

    records.write_text('{"heading": "a"}\n{"heading": \n', encoding="utf-8")
    result = run(capsys, *arguments)
    assert result.code == 3
    assert "records.ndjson: 2:" in result.err
    assert "every record that was read comes out valid" in result.err


def test_records_of_other_types_are_no_evidence(capsys: Capture, plan: Path) -> None:
    Path("widgetschema.toml").write_text('[files]\n"data/b.json" = "other"\n')
    records = {
        "a": {"heading": "a"},
        "b": {"heading": "b"},
        "c": {"type": "other", "data": {"heading": "c"}},
    }
    Path("data").mkdir()
    for name, record in records.items():
        Path("data", f"{name}.json").write_text(json.dumps(record))
    left = "widgetschema: 2 documents of other types left out\n"

    result = run(capsys, "migrate", "check", plan, "--data", "data", "--samples", "0")
    assert "1 stored record: 1 migrated\n" in result.out
    assert result.err.startswith(left)

    schemas = ("--data-schema", "migrations/v1.json", "--data-schema", "migrations/v2.json")
    result = run(capsys, "migrate", "plan", *schemas, "--type=card", "--data", "data", "-q")
    assert "1 record; 1 with the old name" in result.out
    assert result.err == left


def test_a_plan_is_tested_with_data_that_hypothesis_generates(capsys: Capture, plan: Path) -> None:
    result = run(capsys, "migrate", "test", plan, "--examples", "20")
    assert result.code == 0
    first, *steps = result.out.splitlines()
    assert first == "valid data comes out valid: 20 examples, 20 of them migrated"
    assert steps[0] == "  step 1 (rename /heading): brought back the original in 20 examples"
    assert steps[2] == "  step 3 (default /shown): cannot be reversed"

    write(plan.parent, STEPS.replace('m = "medium"', 'm = "big"'))
    failed = run(capsys, "migrate", "test", plan, "--examples", "50")
    assert failed.code == 1
    assert failed.out.splitlines()[:2] == [
        "valid data does not come out valid; the simplest:",
        '  {"heading":"","size":"m"}',
    ]
    assert failed.err.endswith("plan.toml: a test fails\n")

    write(plan.parent, STEPS + step("python", "/title", python=f"'{__name__}:differs'"))
    flaky = run(capsys, "migrate", "test", plan, "--examples", "5", "--allow-code")
    assert flaky.code == 1


CALLS: list[object] = []


def differs(value: object) -> object:
    """Return something else each time."""
    CALLS.append(value)
    return value if len(CALLS) % 2 else 3


def test_property_tests_are_written_for_pytest(capsys: Capture, plan: Path) -> None:
    tests = plan.parent / "tests"
    tests.mkdir()
    arguments = ("migrate", "test", plan, "--output", tests / "test_plan.py")
    assert run(capsys, *arguments).code == 0
    names: dict[str, Any] = {"__file__": str(tests / "test_plan.py"), "__name__": "test_plan"}
    code = (tests / "test_plan.py").read_text(encoding="utf-8")
    assert "from widgetschema import WidgetType\n" in code
    assert "widgetschema." not in code  # no module of it, only the public names
    exec(compile(code, "test_plan.py", "exec"), names)
    for name in ("valid_data_comes_out_valid", "reversible_steps_bring_back_the_original"):
        settings(max_examples=5)(names[f"test_{name}"])()
    assert run(capsys, *arguments).code == 0  # it would stay the same
    (tests / "test_plan.py").write_text(f"{code}# mine\n", encoding="utf-8")
    assert run(capsys, *arguments).code == 2
    assert (tests / "test_plan.py").read_text(encoding="utf-8") == f"{code}# mine\n"
    plan.write_text(plan_text(STEPS), encoding="utf-8")
    ways = ("--old", plan.parent / "v1.json", "--new", plan.parent / "v2.json")
    assert run(capsys, *arguments, *ways).code != 0


def test_what_cannot_be_used(capsys: Capture, plan: Path, tmp_path: Path) -> None:
    assert run(capsys, "migrate", "check", tmp_path / "none.toml").code == 3
    plan.write_text("[old", encoding="utf-8")
    broken = run(capsys, "migrate", "check", plan)
    assert (broken.code, "1:" in broken.err) == (2, True)
    plan.write_text(plan_text(""), encoding="utf-8")
    assert run(capsys, "migrate", "check", plan).code == 2  # no catalog has such a type


def test_the_schema_of_plans_is_printed(capsys: Capture) -> None:
    assert json.loads(run(capsys, "migrate", "--schema").out) == plan_schema()
    alone = run(capsys, "migrate")
    assert (alone.code, alone.out) == (2, "")
    assert "check" in alone.err


# A plan that is proposed


def test_a_plan_is_proposed_that_check_can_carry_out(capsys: Capture, plan: Path) -> None:
    names = ("migrations/v1.json", "migrations/v2.json")
    schemas = [word for name in names for word in ("--data-schema", name)]
    output = "migrations/proposed.toml"
    result = run(capsys, "migrate", "plan", *schemas, "--output", output)
    assert (result.code, result.out) == (0, "")
    assert "Guesses are comments: review them." in result.err
    text = Path(output).read_text(encoding="utf-8")
    assert 'schema = "v1.json"' in text
    assert "# [[steps]]" in text
    everything = text.replace("\n# [[steps]]", "\n[[steps]]")
    for option in ("kind", "at", "to", "value", "values"):
        everything = everything.replace(f"\n# {option} = ", f"\n{option} = ")
    result = run(capsys, "migrate", "check", output, "--samples", "10")
    advice = f"{output}: no step is active; remove the # from those that are right\n"
    assert (result.code, advice in result.err) == (1, "\n[[steps]]" not in text)
    Path(output).write_text(everything, encoding="utf-8")
    result = run(capsys, "migrate", "check", output, "--samples", "10")
    assert advice not in result.err
    assert "rename /heading" in result.out
    assert "drop /legacy" in result.out


def test_a_plan_is_printed_with_the_counts_of_stored_data(capsys: Capture, plan: Path) -> None:
    Path("data.ndjson").write_text('{"heading": "a", "size": "s"}\n{"heading": "b"}\n', "utf-8")
    schemas = ("--data-schema", "migrations/v1.json", "--data-schema", "migrations/v2.json")
    result = run(capsys, "migrate", "plan", *schemas, "--data", "data.ndjson", "-q")
    assert (result.code, result.err) == (0, "")
    assert "1 record; 1 with an old value, 0 with a new one" in result.out
    assert 'schema = "migrations/v1.json"' in result.out

    Path("data.ndjson").write_text('{"heading": "a"}\n{"heading": \n{"heading": \n', "utf-8")
    result = run(capsys, "migrate", "plan", *schemas, "--data", "data.ndjson", "-q")
    said = "2 records unreadable, such as data.ndjson: 2:1"
    assert (result.code, said in result.err) == (3, True)


def test_a_plan_does_not_replace_another(capsys: Capture, plan: Path) -> None:
    schemas = ("--data-schema", "migrations/v1.json", "--data-schema", "migrations/v2.json")
    result = run(capsys, "migrate", "plan", *schemas, "--output", "migrations/plan.toml")
    assert result.code == 2
    assert "exists already" in result.err


def test_a_plan_is_for_one_type(capsys: Capture, plan: Path) -> None:
    for folder in ("a", "b"):
        Path(folder).mkdir()
        for name in ("one", "two"):
            Path(folder, f"{name}.json").write_text('{"type": "object"}', encoding="utf-8")
    result = run(capsys, "migrate", "plan", "a", "b")
    assert result.code == 2
    assert "pass --type (one, two, …)" in result.err
    alike = run(capsys, "migrate", "plan", "a", "b", "--type", "one", "-q")
    assert alike.code == 0
    assert "OLD and NEW are the same: one has not changed" in alike.err


def test_a_warning_is_one_line(capsys: Capture, tmp_path: Path) -> None:
    never = {"type": "string", "allOf": [{"format": "email"}, {"format": "uri"}]}
    for name, kind in (("old", "string"), ("new", "number")):
        schema = {"type": "object", "properties": {"a": never, "b": {"type": kind}}}
        (tmp_path / f"{name}.json").write_text(json.dumps(schema), encoding="utf-8")
    result = run(capsys, "migrate", "plan", tmp_path / "old.json", tmp_path / "new.json")
    warnings = [line for line in result.err.splitlines() if "left out" in line]
    assert len(warnings) == 1
    assert warnings[0].startswith("widgetschema: warning: /a: left out: /properties/a: ")
