"""The README is true: its commands print what it shows, its Python runs, its options exist."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from widgetschema.cli.main import cli
from widgetschema.sandbox import ASSUMPTIONS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
APPS = {path.read_text("utf-8") for path in (ROOT / "tests/data/forms/apps").glob("*.py")}
PYTHON = [  # applications have tests of their own: test_form_apps
    block
    for block in re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", README, re.DOTALL)
    if block[0] not in APPS
]


def test_there_is_something_to_test() -> None:
    assert len(CONSOLE) >= 3
    assert PYTHON


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.partition("\n")[0])
def test_commands_print_what_the_readme_shows(block: str) -> None:
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        program, *arguments = shlex.split(command)
        assert program == "widgetschema"
        run = subprocess.run(
            [sys.executable, "-m", "widgetschema", *arguments],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert run.stdout + run.stderr == shown


@pytest.mark.parametrize(("code", "shown"), PYTHON)
def test_python_runs_and_prints_what_the_readme_shows(code: str, shown: str) -> None:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "<README.md>", "exec"), {})
    assert output.getvalue() == shown


def test_the_two_commands_stand_on_the_first_screen() -> None:
    screen = "\n".join(README.splitlines()[:40])
    assert re.search(r"<!-- main job -->\n```sh\n.*widgetschema validate", screen)
    assert re.search(r"<!-- tests -->\n```sh\n.*pytest", screen)


def test_every_command_and_option_is_documented() -> None:
    import click

    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        assert f"widgetschema {name}" in README
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--"):
                    assert option in README, f"{name} {option}"


def test_what_the_sandbox_assumes_is_said() -> None:
    words = " ".join(README.split())
    for assumption in ASSUMPTIONS:
        assert assumption in words


def test_relative_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_changelog_has_the_version_or_unreleased() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[Unreleased\]", changelog, re.MULTILINE)
    assert re.search(r"^### Added", changelog, re.MULTILINE)
