"""The recipes of the manual for CI: as they stand there, by their schemas, and carried out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.checkout import (
    PLACE,
    ROOT,
    TAG,
    at_its_place,
    git,
    git_environment,
    hooks,
    pre_commit,
    project,
)
from tests.command import environment
from tests.manual import read
from widgetschema.cli.pipeline import project_setup

RECIPES = ROOT / "widgetschema" / "cli" / "recipes"  # which `init` writes
FILES = (
    "github.yml",
    "github-schemas.yml",
    "gitlab.yml",
    "pre-commit.yaml",
    "pre-commit-pull.yaml",
)
BROKEN = '{"content": {}, "settings": {},\n "styles": {"fontId": 3}}\n'


def recipe(name: str) -> str:
    return (RECIPES / name).read_text(encoding="utf-8")


def loaded(name: str) -> Any:
    return YAML(typ="safe").load(recipe(name))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A project with a widget that is not valid."""
    folder = tmp_path / "workspace"
    (folder / "widgets").mkdir(parents=True)
    (folder / "widgets" / "broken.json").write_text(BROKEN, encoding="utf-8")
    text = '[files]\n"widgets/*.json" = "countdown"\n'
    (folder / "widgetschema.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_guide_shows_these_and_no_others() -> None:
    blocks = read(ROOT / "docs" / "guides" / "ci.md").blocks
    shown = [block.source for block in blocks if block.language == "yaml"]
    assert shown == [(RECIPES / name).relative_to(ROOT).as_posix() for name in FILES]
    assert {path.name for path in RECIPES.iterdir()} == set(FILES)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("github.yml", ["vendor.github-workflows"]),
        ("github-schemas.yml", ["vendor.github-workflows"]),
        ("gitlab.yml", ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"]),
    ],
)
def test_their_schemas_accept_them(name: str, options: list[str]) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", *options]
    run = subprocess.run(
        [*command, str(RECIPES / name)], env=environment(), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("name", ["pre-commit.yaml", "pre-commit-pull.yaml"])
def test_pre_commit_accepts_its_own(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config"]
    path = tmp_path / name
    path.write_text(recipe(name).replace("COMMIT", "0a" * 20), encoding="utf-8")
    run = subprocess.run([*command, path], env=environment(), capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (0, b"")


@pytest.mark.parametrize("name", FILES)
def test_what_is_to_be_replaced(name: str) -> None:
    text = recipe(name)
    assert re.findall(r"OWNER/widgetschema(@COMMIT|\n +rev: COMMIT)", text)
    assert (text.count("OWNER"), text.count("COMMIT")) == (1, 1)
    made = project_setup.recipe(name, project_setup.Source("acme", "3f2a9c1"))
    assert made == text.replace("OWNER", "acme").replace("COMMIT", "3f2a9c1")


def test_the_workflows_use_what_the_action_has() -> None:
    action = YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))
    *others, ours = loaded("github-schemas.yml")["jobs"]["schemas"]["steps"]
    assert ours["with"].keys() <= action["inputs"].keys()
    assert ours["with"]["against"].startswith(others[-1]["run"].split()[3])
    steps = loaded("github.yml")["jobs"]["widgets"]["steps"]
    [ours] = [step for step in steps if step["uses"].startswith("OWNER/")]
    assert ours["with"].keys() <= action["inputs"].keys()
    outputs = set(re.findall(rf"steps\.{ours['id']}\.outputs\.([a-z-]+)", recipe("github.yml")))
    assert outputs
    assert outputs <= action["outputs"].keys()


def test_the_older_schemas_are_those_of_the_branch_and_their_project_is_not_checked(
    workspace: Path, tmp_path: Path
) -> None:
    def run(*command: str) -> str:
        env = git_environment(tmp_path, GITHUB_BASE_REF="main")
        return subprocess.run(
            command, cwd=workspace, env=env, check=True, capture_output=True, encoding="utf-8"
        ).stdout

    run("git", "init", "-q", "-b", "main")
    run("git", "add", ".")
    run("git", "commit", "-qm", "before")
    run("git", "update-ref", "refs/remotes/origin/main", "HEAD")
    repaired = BROKEN.replace("3", '"x"')
    (workspace / "widgets" / "broken.json").write_text(repaired, encoding="utf-8")
    *_, step, _ = loaded("github-schemas.yml")["jobs"]["schemas"]["steps"]
    run("bash", "-c", step["run"])
    assert (workspace / ".before" / "widgets" / "broken.json").read_text() == BROKEN
    assert run(sys.executable, "-m", "widgetschema", "validate") == ""


def test_gitlab_runs_this(
    workspace: Path, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    job = loaded("gitlab.yml")["widgets"]
    programs = tmp_path / "venv" / "bin"
    venv.create(tmp_path / "venv")
    (programs / "pip").write_text(  # the one of the tests, which need not install another one
        f'#!/bin/sh\nexec "{sys.executable}" -m pip --python "{programs}/python" "$@"\n'
    )
    (programs / "pip").chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    ours = project(tmp_path_factory)
    commit = git(ours, "rev-parse", "HEAD").strip()
    place = at_its_place(ours)
    more = {"PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **place}
    codes, shown = [], []
    for line in job["script"]:
        run = subprocess.run(
            ["bash", "-c", line.replace("COMMIT", commit)],
            cwd=workspace,
            env=git_environment(tmp_path, **more),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        codes.append(run.returncode)
        shown.append(run.stderr)
    assert codes == [0, 1], shown
    assert "widgets/broken.json:2:23: type /styles/fontId" in run.stdout
    reports = job["artifacts"]["reports"]
    [issue] = json.loads((workspace / reports["codequality"]).read_text(encoding="utf-8"))
    assert issue["location"]["path"] == "widgets/broken.json"
    suites = ElementTree.parse(workspace / reports["junit"]).getroot()
    assert len(suites.findall(".//failure")) == 1


def test_pre_commit_runs_this(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = recipe("pre-commit-pull.yaml").replace("COMMIT", TAG)
    assert f"repo: {PLACE}\n" in text
    (workspace / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
    git(workspace, "init", "--quiet")
    git(workspace, "add", "--all")
    home = hooks(tmp_path_factory)
    run = pre_commit(workspace, home, "run", "--all-files")
    assert run.returncode == 1
    assert "widgets/broken.json:2:23: type /styles/fontId" in run.stdout
    assert "pull" not in run.stdout
    assert pre_commit(workspace, home, "install").returncode == 0
    made = {path.name for path in (workspace / ".git" / "hooks").iterdir()}
    assert made >= {"pre-commit", "pre-push"}
