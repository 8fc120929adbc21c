"""`validate --stdin-filename`: the text of an editor, checked as if it were a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import BAD, GOOD, Run, run, run_process

FIXABLE = BAD.replace(b'{"fontId": 3}', b"{}").replace(
    b'"content": {}', b'"content": {"timerDays": "3"}'
)
NAME = "widgets/one.json"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "widgets").mkdir()
    (tmp_path / "widgetschema.toml").write_text("[files]\n'widgets/*.json' = 'countdown'\n")
    return tmp_path


def check(project: Path, stdin: bytes, *options: str) -> Run:
    return run_process(
        "validate", "--stdin-filename", NAME, *options, "-", stdin=stdin, cwd=project
    )


def test_the_text_is_checked_and_not_the_file(project: Path) -> None:
    file = project / NAME
    assert check(project, GOOD).code == 0  # it need not exist
    file.write_bytes(GOOD)
    result = check(project, BAD)
    assert result.code == 1
    implied = run_process("validate", "--stdin-filename", NAME, stdin=BAD, cwd=project)
    assert (implied.code, implied.out) == (1, result.out)
    assert result.out.startswith(f"{NAME}:1:54: type /styles/fontId: ")
    file.write_bytes(BAD)
    assert check(project, GOOD).code == 0


def test_settings_and_baseline_are_those_of_the_file(project: Path) -> None:
    (project / NAME).write_bytes(BAD)
    assert run_process("validate", "--write-baseline", cwd=project).code == 0
    assert check(project, BAD).code == 0
    assert check(project, BAD, "--no-baseline").code == 1
    own = "[files]\n'*.json' = 'countdown'\n[severities]\ntype = 'note'\n"
    (project / "widgets" / "widgetschema.toml").write_text(own)
    report = json.loads(check(project, BAD, "--no-baseline", "--format", "json").out)
    [finding] = report["documents"][0]["findings"]
    assert (finding["severity"], report["documents"][0]["file"]) == ("note", NAME)


def test_the_fixed_text_goes_to_standard_output(project: Path) -> None:
    (project / NAME).write_bytes(BAD)
    result = check(project, FIXABLE, "--fix")
    assert (result.code, result.out) == (0, FIXABLE.decode().replace('"3"', "3"))
    assert (project / NAME).read_bytes() == BAD
    patch = check(project, FIXABLE, "--diff")
    assert patch.out.startswith(f"--- a/{NAME}\n+++ b/{NAME}\n")
    [edits] = json.loads(check(project, FIXABLE, "--diff", "--format", "json").out)["files"]
    assert (edits["file"], [one["replacement"] for one in edits["edits"]]) == (NAME, ["3"])


@pytest.mark.parametrize(("text", "code"), [(GOOD, 0), (BAD, 1), (b'{"a', 3), (b"", 3)])
def test_a_text_without_fixes_is_written_as_it_was(project: Path, text: bytes, code: int) -> None:
    result = check(project, text, "--fix")
    assert (result.code, result.out) == (code, text.decode())


@pytest.mark.parametrize("name", [NAME, "elsewhere/one.json"])
def test_only_force_exclude_obeys_the_rules_for_folders(project: Path, name: str) -> None:
    (project / "widgetschema.toml").write_text(
        "exclude = ['widgets/**']\n[files]\n'widgets/*.json' = 'countdown'\n"
    )
    command = ("validate", "--stdin-filename", name)
    named = run_process(*command, "-", stdin=FIXABLE, cwd=project)
    assert named.code == (1 if name == NAME else 2)
    folder = run_process(
        *command, "--force-exclude", "--show-skipped", "-", stdin=FIXABLE, cwd=project
    )
    why = "excluded by the configuration (widgets/**)" if name == NAME else "no widget type"
    assert (folder.code, folder.out) == (0, "")
    assert f"{name}: skipped: {why}" in folder.err
    fixed = run_process(*command, "--force-exclude", "--fix", "-", stdin=FIXABLE, cwd=project)
    assert (fixed.code, fixed.out) == (0, FIXABLE.decode())


@pytest.mark.parametrize("text", [GOOD, BAD, FIXABLE, FIXABLE + b"\r\n" + GOOD, b'{"a', b""])
def test_without_a_name_the_text_is_written_too(project: Path, text: bytes) -> None:
    fixed = run_process("validate", "--fix", "--type", "countdown", "-", stdin=text, cwd=project)
    assert fixed.out == text.decode().replace('"3"', "3")
    shown = run_process("validate", "--diff", "--type", "countdown", "-", stdin=text, cwd=project)
    assert shown.out.startswith("--- a/-\n+++ b/-\n") == (b'"3"' in text)


def test_a_text_that_is_too_large_is_not_written(project: Path) -> None:
    with (project / "widgetschema.toml").open("a") as file:
        file.write("[limits]\nmax-bytes = 20\n")
    result = check(project, GOOD, "--fix")
    assert (result.code, result.out) == (3, "")
    assert "standard input is larger than the limit of 20 bytes" in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("a.json", "--stdin-filename takes no path but -, standard input."),
        ("- a.json", "--stdin-filename takes no path but -, standard input."),
        ("- --watch", "cannot be combined."),
        ("- --changed", "cannot be combined."),
        ("- --write-baseline", "cannot be combined."),
    ],
)
def test_usage(capsys: pytest.CaptureFixture[str], arguments: str, message: str) -> None:
    result = run(capsys, "validate", "--stdin-filename", NAME, *arguments.split())
    assert (result.code, message in result.err) == (2, True)
