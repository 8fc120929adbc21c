"""The files that a host of the repository reads: valid by their schemas, and true."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.checkout import ROOT, TAG
from tests.command import environment

GITHUB = ROOT / ".github"
FORMS = sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yml"))
WORKFLOWS = sorted(GITHUB.glob("workflows/*.yml"))


def schema_of(path: Path) -> str:
    if path in WORKFLOWS:
        return "vendor.github-workflows"
    return f"vendor.github-issue-{'config' if path.stem == 'config' else 'forms'}"


@pytest.mark.parametrize("path", [*FORMS, *WORKFLOWS], ids=lambda path: path.name)
def test_its_schema_accepts_it(path: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema_of(path)]
    run = subprocess.run([*command, str(path)], env=environment(), capture_output=True, check=False)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_gets_only_the_permissions_that_it_names(path: Path) -> None:
    workflow = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert "permissions" in job
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "an expression in a script is code"


def test_the_release_compares_its_tag_with_the_version() -> None:
    text = (GITHUB / "workflows" / "release.yml").read_text(encoding="utf-8")
    [path] = re.findall(r'run_path\("([^"]+)"\)', text)
    assert f"v{runpy.run_path(str(ROOT / path))['__version__']}" == TAG


def test_the_dockerfile_copies_what_is_there_and_not_ignored() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    kept = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    copied = [
        name
        for sources in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE)
        for name in sources.split()
    ]
    assert copied
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in kept
