"""`validate --stdin-filename`: the text of an editor, checked as if it were a file."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import BAD, GOOD, Run, run

Command = Callable[..., Run]

FIXABLE = BAD.replace(b'{"fontId": 3}', b"{}").replace(
    b'"content": {}', b'"content": {"timerDays": "3"}'
)
NAME = "widgets/one.json"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "widgets").mkdir()
    (tmp_path / "widgetschema.toml").write_text("[files]\n'widgets/*.json' = 'countdown'\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def validate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `validate` in this process, with a standard input."""

    def validate(*arguments: str, stdin: bytes = b"") -> Run:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
        return run(capsys, "validate", *arguments)

    return validate


@pytest.fixture
def check(validate: Command, project: Path) -> Command:
    """Run `validate` on a text that has the name of a file of the project."""

    def check(stdin: bytes, *options: str) -> Run:
        return validate("--stdin-filename", NAME, *options, "-", stdin=stdin)

    return check


def test_the_text_is_checked_and_not_the_file(
    project: Path, check: Command, validate: Command
) -> None:
    file = project / NAME
    assert check(GOOD).code == 0  # it need not exist
    file.write_bytes(GOOD)
    result = check(BAD)
    assert result.code == 1
    implied = validate("--stdin-filename", NAME, stdin=BAD)
    assert (implied.code, implied.out) == (1, result.out)
    assert result.out.startswith(f"{NAME}:1:54: type /styles/fontId: ")
    file.write_bytes(BAD)
    assert check(GOOD).code == 0


def test_settings_and_baseline_are_those_of_the_file(
    project: Path, check: Command, validate: Command
) -> None:
    (project / NAME).write_bytes(BAD)
    assert validate("--write-baseline").code == 0
    assert check(BAD).code == 0
    assert check(BAD, "--no-baseline").code == 1
    own = "[files]\n'*.json' = 'countdown'\n[severities]\ntype = 'note'\n"
    (project / "widgets" / "widgetschema.toml").write_text(own)
    report = json.loads(check(BAD, "--no-baseline", "--format", "json").out)
    [finding] = report["documents"][0]["findings"]
    assert (finding["severity"], report["documents"][0]["file"]) == ("note", NAME)


def test_the_fixed_text_goes_to_standard_output(project: Path, check: Command) -> None:
    (project / NAME).write_bytes(BAD)
    result = check(FIXABLE, "--fix")
    assert (result.code, result.out) == (0, FIXABLE.decode().replace('"3"', "3"))
    assert (project / NAME).read_bytes() == BAD
    patch = check(FIXABLE, "--diff")
    assert patch.out.startswith(f"--- a/{NAME}\n+++ b/{NAME}\n")
    assert "1 finding in 1 file fixable with --fix; nothing was written" in patch.err
    [edits] = json.loads(check(FIXABLE, "--diff", "--format", "json").out)["files"]
    assert (edits["file"], [one["replacement"] for one in edits["edits"]]) == (NAME, ["3"])


@pytest.mark.parametrize(("text", "code"), [(GOOD, 0), (BAD, 1), (b'{"a', 3), (b"", 3)])
def test_a_text_without_fixes_is_written_as_it_was(
    project: Path, check: Command, text: bytes, code: int
) -> None:
    result = check(text, "--fix")
    assert (result.code, result.out) == (code, text.decode())


@pytest.mark.parametrize("name", [NAME, "elsewhere/one.json"])
def test_only_force_exclude_obeys_the_rules_for_folders(
    project: Path, validate: Command, name: str
) -> None:
    (project / "widgetschema.toml").write_text(
        "exclude = ['widgets/**']\n[files]\n'widgets/*.json' = 'countdown'\n"
    )
    command = ("--stdin-filename", name)
    named = validate(*command, "-", stdin=FIXABLE)
    assert named.code == (1 if name == NAME else 2)
    folder = validate(*command, "--force-exclude", "--show-skipped", "-", stdin=FIXABLE)
    why = "excluded by the configuration (widgets/**)" if name == NAME else "no widget type"
    assert (folder.code, folder.out) == (0, "")
    assert f"{name}: skipped: {why}" in folder.err
    fixed = validate(*command, "--force-exclude", "--fix", "-", stdin=FIXABLE)
    assert (fixed.code, fixed.out) == (0, FIXABLE.decode())


@pytest.mark.parametrize("text", [GOOD, BAD, FIXABLE, FIXABLE + b"\r\n" + GOOD, b'{"a', b""])
def test_without_a_name_the_text_is_written_too(
    project: Path, validate: Command, text: bytes
) -> None:
    fixed = validate("--fix", "--type", "countdown", "-", stdin=text)
    assert fixed.out == text.decode().replace('"3"', "3")
    shown = validate("--diff", "--type", "countdown", "-", stdin=text)
    assert shown.out.startswith("--- a/-\n+++ b/-\n") == (b'"3"' in text)


def test_a_text_that_is_too_large_is_not_written(project: Path, check: Command) -> None:
    with (project / "widgetschema.toml").open("a") as file:
        file.write("[limits]\nmax-bytes = 20\n")
    result = check(GOOD, "--fix")
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
