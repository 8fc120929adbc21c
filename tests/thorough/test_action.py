"""The GitHub Action: its form, and each of its scripts, run by bash as a runner does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.checkout import ROOT, git_environment, made_once, project
from tests.command import environment

ACTION: dict[str, Any] = YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SCRIPTS = [step for step in STEPS if "run" in step]
EXPRESSION = re.compile(r"\$\{\{ ([a-z_.-]+) \}\}")
VALID = '{"content": {}, "settings": {}, "styles": {}}\n'
BROKEN = '{"content": {}, "settings": {},\n "styles": {"fontId": 3}}\n'


def step(id: str) -> dict[str, Any]:
    return next(one for one in STEPS if one.get("id") == id)


def test_it_is_an_action() -> None:
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.github-actions",
    ]
    run = subprocess.run(
        [*command, str(ROOT / "action.yml")], env=environment(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: str(script["id"]))
def test_values_reach_scripts_as_variables_only(script: dict[str, Any]) -> None:
    assert "${{" not in script["run"]
    assert script["shell"] == "bash"
    assert all(EXPRESSION.fullmatch(value) for value in script["env"].values())
    assert not re.search(r"\beval\b|\bsource\b", script["run"])


def test_what_it_names_is_there() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"\binputs\.([a-z-]+)", text))
    assert used == set(ACTION["inputs"])
    ids = {one["id"] for one in STEPS if "id" in one}
    assert set(re.findall(r"\bsteps\.([a-z-]+)\.", text)) <= ids
    for one in STEPS:
        assert one.get("uses", "actions/").startswith("actions/"), "an action of somebody else"


def test_the_cache_is_kept_under_the_name_it_is_looked_for() -> None:
    restored, saved = step("restore")["with"], STEPS[-1]["with"]
    assert saved == {name: restored[name] for name in ("path", "key")}
    for prefix in restored["restore-keys"].splitlines():
        assert restored["key"].startswith(prefix)


@dataclass(frozen=True)
class Ran:
    """The results of a step: exit code, what it printed, outputs, summary."""

    code: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: str


def run_step(id: str, folder: Path, runner: Path, values: dict[str, str], **more: str) -> Ran:
    """Run the script of a step as a runner does; `values` are those of expressions."""
    one = step(id)
    files = {name: runner / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.write_text("", encoding="utf-8")
    script = runner / "script.sh"
    script.write_text(one["run"], encoding="utf-8")
    given = {
        name: EXPRESSION.sub(lambda match: values.get(match[1], ""), value)
        for name, value in one["env"].items()
    }
    process = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=folder,
        env={
            **git_environment(runner),
            **{name: str(path) for name, path in files.items()},
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(folder),
            "RUNNER_TEMP": str(runner),
            **given,
            **more,
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    lines = files["GITHUB_OUTPUT"].read_text(encoding="utf-8").split("\n")[:-1]
    outputs = dict(line.split("=", 1) for line in lines)
    assert len(outputs) == len(lines)
    summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    return Ran(process.returncode, process.stdout, process.stderr, outputs, summary)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what the step that installs gives, as expressions."""
    ours = project(tmp_path_factory)

    def make(folder: Path) -> None:
        values = {"github.action_path": str(ours)}
        path = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}"
        ran = run_step("install", folder, folder, values, PATH=path)
        assert ran.code == 0, ran.err
        (folder / "outputs.json").write_text(json.dumps(ran.outputs), encoding="utf-8")

    folder = made_once(tmp_path_factory, "action", make)
    outputs = json.loads((folder / "outputs.json").read_text(encoding="utf-8"))
    assert Path(outputs["python"]).is_relative_to(folder)
    assert outputs["cache"] == str(folder / ".cache" / "widgetschema")
    return {f"steps.install.outputs.{name}": value for name, value in outputs.items()}


Validate = Callable[..., Ran]


@pytest.fixture
def validate(installed: dict[str, str], workspace: Path, tmp_path: Path) -> Validate:
    """Run the step that validates, with inputs."""
    (tmp_path / "runner").mkdir()
    defaults = {f"inputs.{name}": value["default"] for name, value in ACTION["inputs"].items()}

    def run(inputs: dict[str, str] | None = None, **more: str) -> Ran:
        given = {f"inputs.{name}": value for name, value in (inputs or {}).items()}
        values = {**defaults, **installed, **given}
        return run_step("validate", workspace, tmp_path / "runner", values, **more)

    return run


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A project with a widget that is valid, one that is not, and files that are none."""
    files = {
        "widgetschema.toml": '[files]\n"widgets/**/*.json" = "countdown"\n',
        "widgets/valid.json": VALID,
        "widgets/broken.json": BROKEN,
        "widgets/with space/valid.json": VALID,
        "package.json": "{}",
    }
    for name, text in files.items():
        path = tmp_path / "workspace" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "workspace"


class TestInstall:
    @pytest.mark.parametrize("text", ["exit 1", "exit 127"])
    def test_a_python_that_is_too_old(self, tmp_path: Path, text: str) -> None:
        old = tmp_path / "old"
        old.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        old.chmod(0o755)
        values = {"steps.python.outputs.python-path": str(old)}
        ran = run_step("install", tmp_path, tmp_path, values)
        assert ran.code == 2
        assert ran.out.startswith("::error title=widgetschema::Python 3.11 or newer is needed")

    def test_no_python_at_all(self, tmp_path: Path) -> None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "bash").symlink_to("/bin/bash")
        ran = run_step("install", tmp_path, tmp_path, {}, PATH=str(tmp_path / "bin"))
        assert (ran.code, ran.outputs) == (2, {})
        assert "give python-version" in ran.out


def test_findings_are_annotations_and_a_summary(validate: Validate) -> None:
    ran = validate()
    assert (ran.code, ran.outputs) == (1, {"exit-code": "1"})
    assert re.search(r"^::error .*file=widgets/broken\.json", ran.out, re.MULTILINE)
    assert "broken.json" in ran.summary
    assert "package.json" not in ran.out + ran.err


def test_what_is_right_passes(validate: Validate, workspace: Path) -> None:
    (workspace / "widgets" / "broken.json").write_text(VALID, encoding="utf-8")
    ran = validate()
    assert (ran.code, ran.outputs) == (0, {"exit-code": "0"})
    assert "::error" not in ran.out
    assert ran.summary


@pytest.mark.parametrize(
    ("paths", "code"),
    [
        ("widgets/valid.json", 0),
        ("widgets/valid.json\r\nwidgets/with space/valid.json\r\n", 0),
        ("\n\nwidgets/broken.json\n", 1),
        ("widgets/with space", 0),
        ("nothing.json", 3),
        ("widgets/valid.json widgets/valid.json", 3),
    ],
)
def test_paths_are_lines(validate: Validate, paths: str, code: int) -> None:
    ran = validate({"paths": paths})
    assert (ran.code, ran.outputs) == (code, {"exit-code": f"{code}"}), ran.err


def test_args_are_words(validate: Validate) -> None:
    broken = {"paths": "widgets/broken.json"}
    assert validate({**broken, "args": "--as document\n  --no-formats"}).code == 1
    assert validate({**broken, "args": "--schemas nowhere"}).code == 3
    assert validate({**broken, "args": "'--quiet'"}).code in (2, 3)


def test_what_stops_it_is_an_annotation(validate: Validate, workspace: Path) -> None:
    (workspace / "widgetschema.toml").write_text("fils = 1\n", encoding="utf-8")
    ran = validate()
    assert (ran.code, ran.summary) == (2, "")
    assert "::error title=widgetschema::Nothing was checked (exit code 2)" in ran.out
    assert 'unknown setting "fils"' in ran.err


def test_sarif(validate: Validate, workspace: Path) -> None:
    ran = validate({"sarif": "a report.sarif"})
    path = workspace / "a report.sarif"
    assert (ran.code, ran.outputs) == (1, {"exit-code": "1", "sarif": str(path)})
    assert json.loads(path.read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_a_sarif_file_of_the_repository_is_nobodys_result(
    validate: Validate, workspace: Path
) -> None:
    outside = workspace.parent / "outside"
    outside.write_text("precious", encoding="utf-8")
    (workspace / "x.sarif").symlink_to(outside)
    ran = validate({"sarif": "x.sarif", "args": "--nothing"})
    assert (ran.code, ran.outputs) == (2, {"exit-code": "2"})
    assert outside.read_text(encoding="utf-8") == "precious"


def test_a_sarif_file_does_not_take_the_place_of_data(validate: Validate, workspace: Path) -> None:
    [data, *_] = sorted((workspace / "widgets").glob("*.json"))
    before = data.read_bytes()

    ran = validate({"sarif": f"widgets/{data.name}"})

    assert (ran.code, ran.outputs) == (2, {"exit-code": "2"})
    assert data.read_bytes() == before


HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned; #",
    '"; touch pwned; "',
    "'; touch pwned; '",
    "${HOME:=$(touch pwned)}",
    "a[$(touch pwned)]",
    "%0Aexit-code=0",
    "é \u202e \u2028 \\",
]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("paths", "\n".join([*HOSTILE, "--output=pwned", "widgets/broken.json"])),
        ("args", "\n".join(HOSTILE)),
        *[("sarif", value) for value in HOSTILE],
        ("sarif", "x\nexit-code=0"),
        ("sarif", "x\rexit-code=0"),
        ("sarif", "--output=pwned"),
    ],
)
def test_no_value_is_a_command(validate: Validate, workspace: Path, name: str, value: str) -> None:
    ran = validate({name: value})
    assert ran.outputs.pop("exit-code") == f"{ran.code}"
    assert ran.outputs.keys() <= {"sarif"}
    assert ran.code in {1, 2, 3}
    assert "Traceback" not in ran.err
    assert not [path for path in workspace.parent.rglob("*") if path.name == "pwned"]


def test_nothing_of_the_project_is_run(validate: Validate, workspace: Path) -> None:
    for name in ("click", "widgetschema", "json", "platformdirs", "sitecustomize"):
        (workspace / f"{name}.py").write_text("raise SystemExit(42)", encoding="utf-8")
    ran = validate({"sarif": "x.sarif"}, PYTHONPATH=str(workspace), PYTHONSTARTUP="click.py")
    assert ran.code == 1
    assert ran.outputs["sarif"] == str(workspace / "x.sarif")


def test_without_a_summary(validate: Validate) -> None:
    ran = validate({"paths": "widgets/valid.json"}, GITHUB_STEP_SUMMARY="")
    assert (ran.code, ran.summary) == (0, "")


@pytest.fixture
def compare(installed: dict[str, str], workspace: Path, tmp_path: Path) -> Validate:
    """Run the step that compares schemas, with inputs; the folder `.before` has older ones."""
    for folder, source in ((".before", "schemas"), ("schemas", "tests/data/drift")):
        (workspace / folder).mkdir()
        text = (ROOT / source / "countdown.json").read_text(encoding="utf-8")
        (workspace / folder / "countdown.json").write_text(text, encoding="utf-8")
    (tmp_path / "runner").mkdir()

    def run(against: str = ".before", schemas: str = "schemas", **more: str) -> Ran:
        values = {**installed, "inputs.against": against, "inputs.schemas": schemas}
        return run_step("compare", workspace, tmp_path / "runner", values, **more)

    return run


def test_a_schema_that_breaks_data_is_a_warning_with_the_way_to_migrate(compare: Validate) -> None:
    ran = compare()
    proposal = "3 breaking changes: `widgetschema migrate plan .before schemas`"
    assert (ran.code, ran.outputs) == (0, {"changes": "1"})
    assert f"::warning title=Schema change::{proposal}" in ran.out
    assert ran.summary.count(f"    {proposal}") == 1
    assert "    countdown: breaking: 5 changes" in ran.summary


def test_the_summary_of_a_long_comparison_is_cut_and_ends_with_the_proposal(
    compare: Validate, workspace: Path
) -> None:
    path = workspace / "schemas" / "countdown.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    names = [f"member{number}" for number in range(200)]
    schema["definitions"]["IPluginStyles"]["required"] = names
    path.write_text(json.dumps(schema), encoding="utf-8")
    lines = compare().summary.splitlines()
    assert lines[-2] == "    …"
    assert "`widgetschema migrate plan .before schemas`" in lines[-1]
    assert len(lines) < 510


def test_schemas_that_break_nothing(compare: Validate) -> None:
    ran = compare(schemas=".before")
    assert (ran.code, ran.outputs, ran.summary) == (0, {"changes": "0"}, "")
    assert "::warning" not in ran.out


def test_without_older_schemas_nothing_is_compared(compare: Validate) -> None:
    ran = compare(against="$(touch owned)")
    assert (ran.code, ran.outputs, ran.summary) == (0, {}, "")
    assert ran.out.startswith("::notice title=widgetschema::No schemas were compared")


def test_schemas_that_cannot_be_compared(compare: Validate, workspace: Path) -> None:
    (workspace / "schemas" / "countdown.json").write_text("{")
    ran = compare(GITHUB_STEP_SUMMARY="")
    assert ran.code == 4
    assert ran.outputs == {"changes": "4"}
    assert "::error title=widgetschema::The schemas were not compared (exit code 4)" in ran.out


def test_names_of_types_are_no_commands(compare: Validate, workspace: Path) -> None:
    path = workspace / "schemas" / "countdown.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema["definitions"]["IPluginStyles"]["required"] = ["::error::100%"]
    path.write_text(json.dumps(schema), encoding="utf-8")
    ran = compare()
    assert ran.code == 0
    begin, report, end = re.split(
        r"^::(?:stop-commands::)?[0-9a-f]{32}(?:::)?$", ran.out, flags=re.M
    )
    assert begin == ""
    assert "::error::" in report
    assert "::error::" not in end
