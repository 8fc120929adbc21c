"""`validate --add-ignores`: what it writes, where, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.command import run, run_process

Capture = pytest.CaptureFixture[str]
GOOD: dict[str, Any] = {"content": {}, "settings": {}, "styles": {}}
BAD = {**GOOD, "content": {"timerDays": [], "timerHours": []}, "settings": {"more": 1, "rest": 2}}
TOML = """\
# our widgets
[files]
"**/*.json" = "countdown"   # all of them

[[ignores]]
keyword = "format"  # old dates
reason = "imported"
"""
ADDED = ("--add-ignores",)


def ignores(file: Path, *within: str) -> list[dict[str, Any]]:
    values: Any = tomllib.loads(file.read_text(encoding="utf-8"))
    for name in within:
        values = values[name]
    entries: list[dict[str, Any]] = values["ignores"]
    return entries


def entry(path: str, keyword: str) -> dict[str, str]:
    return {"path": path, "keyword": keyword, "reason": "TODO: say why"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / "widgets").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
    (folder / "widgetschema.toml").write_text(TOML, encoding="utf-8")
    for name in ("a", "b[1]*"):
        (folder / "widgets" / f"{name}.json").write_text(json.dumps(BAD), encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def test_one_entry_for_each_file_and_code(project: Path, capsys: Capture) -> None:
    file = project / "widgetschema.toml"
    result = run(capsys, "validate", *ADDED, "widgets")
    assert (result.code, result.out) == (0, "")
    assert "changed widgetschema.toml\n" in result.err
    assert "added 4 ignores for 8 findings; write the reason in place of" in result.err
    assert file.read_text(encoding="utf-8").startswith(TOML)
    assert ignores(file) == [
        {"keyword": "format", "reason": "imported"},
        entry("widgets/a.json", "additionalProperties"),
        entry("widgets/a.json", "type"),
        entry("widgets/b[1]?.json", "additionalProperties"),
        entry("widgets/b[1]?.json", "type"),
    ]

    text = file.read_bytes()
    first = text.index(b"[[ignores]]\npath")
    line = text.count(b"\n", 0, first) + 1
    unfilled = f"widgetschema.toml:{line}: 4 ignores have no reason yet: write it in place of"
    later = run(capsys, "validate", "widgets")
    assert (later.code, later.err.count(unfilled)) == (0, 1)
    assert unfilled not in run(capsys, "validate", "--quiet", "widgets").err
    assert unfilled in run(capsys, "doctor").out
    again = run(capsys, "validate", *ADDED, "widgets")
    assert (again.code, file.read_bytes()) == (0, text)
    assert "no ignores were added" in again.err

    (project / "widgets" / "a.json").write_text(json.dumps(GOOD), encoding="utf-8")
    unused = run(capsys, "validate")
    assert (unused.code, unused.out.count("ignore.unused")) == (1, 3)


def test_the_nearest_configuration_gets_them(project: Path, capsys: Capture) -> None:
    own = project / "widgets" / "own"
    own.mkdir()
    (own / "c.json").write_text(json.dumps(BAD), encoding="utf-8")
    text = "[project]\r\nname = 'x'\r\n\r\n[tool.widgetschema.files]\r\n'*.json' = 'countdown'\r\n"
    (own / "pyproject.toml").write_bytes(text.encode())
    assert run(capsys, "validate", *ADDED, "widgets").code == 0
    assert len(ignores(project / "widgetschema.toml")) == 5
    assert ignores(own / "pyproject.toml", "tool", "widgetschema") == [
        entry("c.json", "additionalProperties"),
        entry("c.json", "type"),
    ]
    raw = (own / "pyproject.toml").read_bytes()
    assert raw.startswith(text.encode())
    assert raw.count(b"\n") == raw.count(b"\r\n")


def test_a_configuration_is_made_where_there_is_none(project: Path, capsys: Capture) -> None:
    (project / "widgetschema.toml").unlink()
    file = "widgets/a.json"
    assert run(capsys, "validate", "--type", "countdown", *ADDED, file).code == 0
    assert len(ignores(project / "widgetschema.toml")) == 2
    assert run(capsys, "validate", "--type", "countdown", file).code == 0


def test_what_cannot_be_ignored_still_fails(project: Path, capsys: Capture) -> None:
    (project / "widgets" / "c.json").write_text('{"content": {},}', encoding="utf-8")
    (project / "widgets" / "d.json").write_text('{"content": {}, "content": {}}', encoding="utf-8")
    result = run(capsys, "validate", *ADDED, "widgets")
    assert result.code == 3
    assert result.out.count("json.") == 2
    assert "added 4 ignores for 8 findings; 2 findings cannot be ignored; " in result.err
    paths = {one.get("path") for one in ignores(project / "widgetschema.toml")}
    assert paths == {None, "widgets/a.json", "widgets/b[1]?.json"}


@pytest.mark.parametrize("options", [ADDED, ("--select", "required"), ("--write-baseline",), ()])
def test_an_unknown_type_still_fails(
    options: tuple[str, ...], project: Path, capsys: Capture
) -> None:
    document = '{"id": "1", "type": "countdwn", "data": {}}'
    (project / "widgets" / "c.json").write_text(document, encoding="utf-8")
    for _ in range(2):  # the second time with what was written
        result = run(capsys, "validate", *options, "widgets/c.json")
        assert result.code == 1
        assert "document.type" in result.out
        assert "countdwn" in result.out


def test_unreadable_files_that_are_ignored_already_do_not_fail(
    project: Path, capsys: Capture
) -> None:
    (project / "widgets" / "c.json").write_text('{"content": {},}', encoding="utf-8")
    ignore = '[[ignores]]\nkeyword = "json.syntax"\nreason = "a template"\n'
    (project / "widgetschema.toml").write_text(f"{TOML}{ignore}", encoding="utf-8")
    assert run(capsys, "validate", *ADDED, "widgets").code == 0


def test_files_outside_the_configuration_cannot_be_named(project: Path, capsys: Capture) -> None:
    outside = project.parent / "outside.json"
    outside.write_text(json.dumps(BAD), encoding="utf-8")
    options = ("--type", "countdown", "--config", "widgetschema.toml")
    result = run(capsys, "validate", *options, *ADDED, str(outside))
    assert (result.code, result.out.count("outside.json:")) == (1, 4)
    assert "no ignores were added; 4 findings cannot be ignored" in result.err
    assert (project / "widgetschema.toml").read_text(encoding="utf-8") == TOML


def test_standard_input_has_no_file_to_ignore(project: Path) -> None:
    result = run_process(
        "validate", "--type", "countdown", *ADDED, "-", stdin=json.dumps(BAD).encode(), cwd=project
    )
    assert result.code == 1
    assert "no ignores were added; 4 findings cannot be ignored" in result.err


def test_warnings_are_not_ignored(project: Path, capsys: Capture) -> None:
    file = project / "widgetschema.toml"
    file.write_text(f'{TOML}[severities]\ntype = "warning"\n', encoding="utf-8")
    result = run(capsys, "validate", *ADDED, "widgets/a.json")
    assert (result.code, result.out.count(" warning: type ")) == (0, 2)
    assert [one["keyword"] for one in ignores(file)] == ["format", "additionalProperties"]


def test_only_the_selected_codes_are_added(project: Path, capsys: Capture) -> None:
    run(capsys, "validate", *ADDED, "--select", "type", "widgets/a.json")
    assert ignores(project / "widgetschema.toml")[1:] == [entry("widgets/a.json", "type")]


def test_a_configuration_that_cannot_be_written_is_left(project: Path, capsys: Capture) -> None:
    file = project / "widgetschema.toml"
    file.rename(project / "other.toml")
    file.symlink_to("other.toml")
    result = run(capsys, "validate", *ADDED, "widgets")
    assert result.code == 3
    assert "widgetschema.toml: not changed: it is a link to other.toml; add these" in result.err
    assert (project / "other.toml").read_text(encoding="utf-8") == TOML


def test_there_are_not_more_entries_than_a_configuration_may_have(
    project: Path, capsys: Capture
) -> None:
    file = project / "widgetschema.toml"
    text = TOML + "".join(
        f'[[ignores]]\nkeyword = "format"\nreason = "{number}"\n' for number in range(997)
    )
    file.write_text(text, encoding="utf-8")
    result = run(capsys, "validate", *ADDED, "widgets")
    assert result.code == 3
    assert "4 ignores would be too many (at most 1,000): use --write-baseline" in result.err
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("other", ["--fix", "--diff", "--watch", "--write-baseline", "--no-config"])
def test_it_excludes_other_options(project: Path, capsys: Capture, other: str) -> None:
    result = run(capsys, "validate", "--add-ignores", other, "widgets")
    assert result.code == 2
    assert f"--add-ignores and {other} cannot be combined" in result.err
