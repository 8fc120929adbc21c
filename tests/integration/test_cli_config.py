"""`widgetschema config`: what is shown, for people and for programs, and what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.command import run, run_process
from widgetschema.extensions import EXTENSIONS
from widgetschema.project.config.settings import SETTINGS, schema

Capture = pytest.CaptureFixture[str]
TEXT = """\
schemas = "schemas"
base-url = "https://platform.example/api/v1"
limits.max-bytes = 2000000
reporters = ["github", "sarif=out/report.sarif"]

[data-schemas]
faq = "faq.schema.json"

[types.faq]
describes = "data"

[severities]
format = "note"

[files]
"widgets/*.json" = "countdown"
"größe/*.json" = "faq"

[[ignores]]
path = "widgets/old.json"
keyword = "format"
reason = "moved away"
expires = 2026-12-31
"""
SHOWN = """\
Configuration: widgetschema.toml

SETTING           FROM                             VALUE
schemas           widgetschema.toml:1              schemas
data-schemas      widgetschema.toml:6              faq = faq.schema.json
types             widgetschema.toml:9              faq.describes = data
base-url          widgetschema.toml:2              https://platform.example/api/v1
auth-url          default                          -
fetch             default                          -
deadline          default                          30
formats           default                          true
engine            default                          -
strict-schema     default                          false
limits.max-depth  default                          200
limits.max-bytes  widgetschema.toml:3              2,000,000
unsafe-fixes      default                          false
severities        widgetschema.toml:12             format = note
reporters         widgetschema.toml:4              github
                                                   sarif=out/report.sarif
baseline          default                          widgetschema-baseline.json
jobs              environment (WIDGETSCHEMA_JOBS)  3
include           default                          -
foreign-types     default                          -
exclude           default                          -
files             widgetschema.toml:15             widgets/*.json = countdown
                                                   größe/*.json = faq
ignores           widgetschema.toml:19             widgets/old.json format: moved away (until 2026-12-31)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is the working directory, and an environment that says nothing."""
    for name in [name for name in os.environ if name.startswith("WIDGETSCHEMA_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "below").mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_what_is_in_force(project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "widgetschema.toml").write_text(TEXT, encoding="utf-8")
    monkeypatch.setenv("WIDGETSCHEMA_JOBS", "3")

    result = run(capsys, "config")

    assert (result.code, result.out, result.err) == (0, SHOWN, "")


def test_from_a_folder_below(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "widgetschema.toml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(project / "below")

    lines = run(capsys, "config").out.splitlines()

    assert lines[0] == "Configuration: ../widgetschema.toml"
    assert "../widgetschema.toml:1" in lines[3]
    assert lines[3].endswith(" ../schemas")
    assert any(line.endswith(" sarif=../out/report.sarif") for line in lines)


def test_as_json(project: Path, capsys: Capture) -> None:
    (project / "widgetschema.toml").write_text(TEXT, encoding="utf-8")

    value = json.loads(run(capsys, "config", "--format", "json").out)

    assert {name: value[name] for name in ("version", "file", "folder", "searched")} == {
        "version": 1,
        "file": str(project / "widgetschema.toml"),
        "folder": str(project),
        "searched": [],
    }
    assert list(value["settings"]) == list(SETTINGS)
    assert value["settings"]["files"] == {
        "value": {"widgets/*.json": "countdown", "größe/*.json": "faq"},
        "origin": "widgetschema.toml:15",
    }
    assert value["settings"]["ignores"]["value"] == [
        {
            "path": "widgets/old.json",
            "pointer": None,
            "keyword": "format",
            "reason": "moved away",
            "expires": "2026-12-31",
            "line": 19,
            "column": 1,
        }
    ]
    assert value["settings"]["reporters"]["value"] == [
        "github",
        f"sarif={project / 'out' / 'report.sarif'}",
    ]
    assert value["settings"]["auth-url"] == {"value": None, "origin": "default"}


def test_without_a_file(project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(capsys, "config").out.splitlines()[0]
    assert first == (
        "Configuration: no file (widgetschema.toml, or pyproject.toml with [tool.widgetschema], "
        f"in {project})"
    )
    monkeypatch.chdir(project / "below")
    first = run(capsys, "config").out.splitlines()[0]
    assert first.endswith(f"in {project / 'below'} and above, up to {project})")
    value = json.loads(run(capsys, "config", "--format", "json").out)
    assert (value["file"], value["searched"]) == (None, [str(project / "below"), str(project)])


def test_a_file_that_is_not_wanted(project: Path, capsys: Capture) -> None:
    (project / "widgetschema.toml").write_text("no TOML", encoding="utf-8")

    result = run(capsys, "config", "--no-config")

    assert result.code == 0
    assert result.out.startswith("Configuration: no file, because of --no-config\n")
    assert json.loads(run(capsys, "config", "--no-config", "--format", "json").out)["file"] is None
    result = run(capsys, "config", "--no-config", "--config", "x.toml")
    assert (result.code, result.out) == (2, "")
    assert "--config and --no-config" in result.err


def test_a_file_that_is_named(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "below" / "ci.toml").write_text("jobs = 2\n", encoding="utf-8")

    shown = run(capsys, "config", "--config", "below/ci.toml").out
    monkeypatch.setenv("WIDGETSCHEMA_CONFIG", "below/ci.toml")
    by_variable = run(capsys, "config").out

    assert shown.splitlines()[0] == "Configuration: below/ci.toml"
    assert by_variable.splitlines()[0] == "Configuration: below/ci.toml (WIDGETSCHEMA_CONFIG)"
    assert "below/ci.toml:1" in shown
    assert "below/widgetschema-baseline.json" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("jobs = ", ":1:8 "),
        ('basline = "x"', 'did you mean "baseline"?'),
        ('reporters = ["json=../x.json"]', "outside the folder"),
    ],
)
def test_a_file_that_is_wrong(project: Path, capsys: Capture, text: str, said: str) -> None:
    (project / "widgetschema.toml").write_text(f"{text}\n", encoding="utf-8")

    result = run(capsys, "config")

    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("widgetschema: widgetschema.toml: 1 finding\n")
    assert said in result.err.replace("\n  1:", ":1:")


def test_a_variable_that_is_wrong(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_BASE_URL", "https://me:hunter2@a.example")

    result = run(capsys, "config")

    assert (result.code, result.out) == (2, "")
    assert "WIDGETSCHEMA_BASE_URL" in result.err
    assert "hunter2" not in result.err


def test_what_a_terminal_would_obey_is_not_shown(project: Path, capsys: Capture) -> None:
    text = '[files]\n"a" = "\\u001b[31m"\n[[ignores]]\nkeyword = "type"\nreason = "a\\nb\\u202e"\n'
    (project / "widgetschema.toml").write_text(text, encoding="utf-8")

    result = run(capsys, "config")
    value = run(capsys, "config", "--format", "json").out

    assert result.code == 0
    assert "a = ·[31m\n" in result.out
    assert "a·b·\n" in result.out
    assert "\x1b" not in result.out + value
    assert "\u202e" not in result.out + value


def test_a_password_in_the_wrong_place_is_not_shown(project: Path, capsys: Capture) -> None:
    text = '[[ignores]]\nkeyword = "type"\nreason = "see https://me:hunter2@a.example/1"\n'
    (project / "widgetschema.toml").write_text(text, encoding="utf-8")

    result = run(capsys, "config")
    value = run(capsys, "config", "--format", "json").out

    assert result.code == 0
    assert "see https://…@a.example/1" in result.out
    assert "hunter2" not in result.out + value


def test_the_schema(capsys: Capture) -> None:
    result = run(capsys, "config", "--schema")

    assert (result.code, json.loads(result.out)) == (0, schema())


def test_a_working_directory_that_is_gone(project: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        result = run_process("config")
    finally:
        os.chdir(project)

    assert result.code == 3
    assert "Traceback" not in result.err


def test_unknown_environment_variables(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    known = [name for one in EXTENSIONS.values() for name in one.variables]
    for name in ("WIDGETSCHEMA_TYPO", "WIDGETSCHEMA_OFLINE", "OFFLINE", *known):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("WIDGETSCHEMA_ENGINE", "rust")
    result = run(capsys, "config")

    assert result.code == 0
    [line] = [line for line in result.err.splitlines() if "unknown" in line]
    assert line == (
        "widgetschema: unknown environment variables: WIDGETSCHEMA_OFLINE (did you mean "
        "WIDGETSCHEMA_OFFLINE?), WIDGETSCHEMA_TYPO"
    )
    monkeypatch.delenv("WIDGETSCHEMA_OFLINE")
    monkeypatch.delenv("WIDGETSCHEMA_TYPO")
    assert "unknown" not in run(capsys, "config").err


@pytest.mark.parametrize("option", ["-q", "--quiet", "-vq"])
def test_unknown_environment_variables_are_not_noted_in_a_quiet_run(
    option: str, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("WIDGETSCHEMA_TYPO", "1")
    command = ("validate", "--allow-empty")

    assert "unknown environment variable: WIDGETSCHEMA_TYPO\n" in run(capsys, *command).err
    assert "TYPO" not in run(capsys, *command, option).err
    assert "TYPO" in run(capsys, *command, "--", option).err
