"""`validate --fix` and `--diff` on real files: which findings are fixed, which are not, and what is said."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command import environment, run, standard_input
from widgetschema.project.checking.artifacts import artifact_kind

Capture = pytest.CaptureFixture[str]
OLD = '{"content": {"timerDays": "30"}, "settings": {}, "styles": {}}'
NEW = OLD.replace('"30"', "30")
TYPE = ("--type", "countdown")
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one file, and a file beside it."""
    project = tmp_path / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    (project / "a.json").write_text(OLD, encoding="utf-8")
    (tmp_path / "outside.json").write_text(OLD, encoding="utf-8")
    monkeypatch.chdir(project)
    return project


def test_a_large_file_is_fixed_too(folder: Path, capsys: Capture) -> None:
    wide = OLD.replace('"styles": {}', '"styles": {"customCSS": "' + "x" * 9_000_000 + '"}')
    (folder / "a.json").write_text(wide, encoding="utf-8")
    (folder / "b.ndjson").write_text(f"{wide}\n{OLD}\n", encoding="utf-8")

    assert run(capsys, "validate", "--fix", *TYPE, "a.json", "b.ndjson").code == 0
    assert (folder / "a.json").read_text(encoding="utf-8") == wide.replace('"30"', "30")


def test_what_cannot_be_fixed_is_said(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "p.json.gz").write_bytes(gzip.compress(OLD.encode()))
    packed = run(capsys, "validate", "--fix", *TYPE, "p.json.gz")
    assert packed.code == 1
    assert "p.json.gz: not fixed: compressed files are left as they are" in packed.err
    assert packed.err.endswith("1 document in 1 file: 1 invalid (1 finding)\n")
    assert gzip.decompress((folder / "p.json.gz").read_bytes()).decode() == OLD

    standard_input(monkeypatch, OLD.encode() + b"\n")
    (folder / "good.json").write_text(NEW, encoding="utf-8")
    piped = run(capsys, "validate", "--fix", *TYPE, "-", "good.json")
    assert piped.code == 1
    assert "-: not fixed: standard input is fixed only if it is the only input" in piped.err


def test_what_another_program_writes_meanwhile_is_kept(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: Path("a.json").write_text("{}", encoding="utf-8"))
    result = run(capsys, "validate", "--fix", *TYPE, "a.json")
    assert result.code == 3
    assert "a.json: cannot be written: another program changed it meanwhile" in result.err
    assert [(one.name, one.read_text()) for one in folder.glob("*.json")] == [("a.json", "{}")]


@pytest.mark.parametrize("text", [OLD, NEW], ids=["to fix", "fixed"])
def test_what_killed_runs_left_is_removed(folder: Path, capsys: Capture, text: str) -> None:
    (folder / "a.json").write_text(text, encoding="utf-8")
    (folder / ".a.json.widgetschema-0123456789abcdef").touch()
    own = [
        ".a.json.0123456789abcdef",
        ".a.json.widgetschema-0123456789ABCDEF",
        ".b.json.widgetschema-0123456789abcdef",
    ]
    for name in own:
        (folder / name).touch()
    run(capsys, "validate", "--diff", *TYPE, "a.json")
    assert (folder / ".a.json.widgetschema-0123456789abcdef").exists()
    assert run(capsys, "validate", "--fix", *TYPE, "a.json").code == 0
    assert sorted(one.name for one in folder.iterdir()) == sorted([*own, ".git", "a.json"])


def test_what_keeps_a_file_from_being_checked_is_fixed(folder: Path, capsys: Capture) -> None:
    broken = "\ufeff" + OLD.replace('"styles": {}', '"styles": {},')
    (folder / "a.json").write_text(broken, encoding="utf-8")
    (folder / "b.ndjson").write_text(f"\ufeff{OLD}\n{broken[1:]}\n{{\n", encoding="utf-8")
    named = f'{{"id": "1", "type": "Count-Down", "data": {OLD}}}'
    (folder / "c.json").write_text(named, encoding="utf-8")

    shown = run(capsys, "validate", "--diff", *TYPE, "a.json")
    assert shown.code == 3
    assert "-\ufeff{" in shown.out
    result = run(capsys, "validate", "--fix", *TYPE, "a.json", "b.ndjson")
    assert (result.code, result.out.count("json.")) == (3, 1)
    assert (folder / "a.json").read_text(encoding="utf-8") == NEW
    assert (folder / "b.ndjson").read_text(encoding="utf-8") == f"{NEW}\n{NEW}\n{{\n"

    assert run(capsys, "validate", "c.json").code == 1
    assert run(capsys, "validate", "--fix", "c.json").code == 0
    expected = named.replace("Count-Down", "countdown").replace(OLD, NEW)
    assert (folder / "c.json").read_text(encoding="utf-8") == expected


def test_what_is_ignored_is_not_fixed(folder: Path, capsys: Capture) -> None:
    ignore = '[[ignores]]\nkeyword = "json.encoding"\nreason = "an old editor"\n'
    (folder / "widgetschema.toml").write_text(ignore, encoding="utf-8")
    text = "\ufeff" + OLD.replace("{}}", "{},}")
    (folder / "a.json").write_text(text, encoding="utf-8")
    run(capsys, "validate", "--fix", *TYPE, "a.json")
    assert (folder / "a.json").read_text(encoding="utf-8") == text.replace(",}", "}")


@pytest.mark.parametrize("how", ["--fix", "--diff"])
def test_no_link_is_followed_out_of_the_project(folder: Path, capsys: Capture, how: str) -> None:
    (folder / "a.json").unlink()
    (folder / "a.json").symlink_to("../outside.json")

    result = run(capsys, "validate", how, *TYPE, "a.json")

    assert (folder.parent / "outside.json").read_text(encoding="utf-8") == OLD
    assert "a.json: not fixed: a link leads out of the project" in result.err
    assert result.code == 1
    assert "---" not in result.out


def test_a_link_within_the_project_is_followed(folder: Path, capsys: Capture) -> None:
    (folder / "link.json").symlink_to("a.json")

    assert run(capsys, "validate", "--fix", *TYPE, "link.json").code == 0
    assert (folder / "link.json").is_symlink()
    assert (folder / "a.json").read_text(encoding="utf-8") == NEW


def test_a_file_with_hard_links_is_left_alone(folder: Path, capsys: Capture) -> None:
    os.link(folder / "a.json", folder.parent / "other-name.json")

    result = run(capsys, "validate", "--fix", *TYPE, "a.json")

    assert result.code == 1
    assert "a.json: not fixed: it has 2 names (hard links); copy it first" in result.err
    assert os.path.samefile(folder / "a.json", folder.parent / "other-name.json")
    assert (folder / "a.json").read_text(encoding="utf-8") == OLD
    assert '+{"content"' in run(capsys, "validate", "--diff", *TYPE, "a.json").out


@pytest.mark.skipif(ROOT, reason="root may write to everything")
def test_a_file_that_must_not_be_written_is_not(folder: Path, capsys: Capture) -> None:
    (folder / "a.json").chmod(0o444)

    result = run(capsys, "validate", "--fix", *TYPE, "a.json")

    assert result.code == 3
    assert "a.json: cannot be written: permission denied" in result.err
    assert (folder / "a.json").read_text(encoding="utf-8") == OLD


@pytest.mark.skipif(not ROOT, reason="only root gives files away")
def test_a_file_keeps_its_owner(folder: Path, capsys: Capture) -> None:
    os.chown(folder / "a.json", 12, 34)

    assert run(capsys, "validate", "--fix", *TYPE, "a.json").code == 0
    status = (folder / "a.json").stat()
    assert (status.st_uid, status.st_gid) == (12, 34)


def test_the_limits_of_the_configuration_are_those_of_the_fix(
    folder: Path, capsys: Capture
) -> None:
    (folder / "widgetschema.toml").write_text("[limits]\nmax-depth = 500\n", encoding="utf-8")
    deep = "[" * 250 + "]" * 250
    text = OLD.replace('"styles": {}', '"styles": {"title": {"x": ' + deep + "}}")
    (folder / "a.json").write_text(text, encoding="utf-8")

    run(capsys, "validate", "--fix", *TYPE, "a.json")
    assert (folder / "a.json").read_text(encoding="utf-8") == text.replace('"30"', "30")


# What `--diff` shows, `git apply` takes


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("a.json", OLD.replace("{}}", '{"customCSS": "\u200f\x85\x7f"}}'), "utf-8"),
        ("a.json", OLD.replace("{}}", '{"customCSS": "\N{GRINNING FACE}"}}'), "latin-1"),
        ("\u05e9.json", OLD, "latin-1"),
        ("\u05e9.json", OLD, "utf-8"),
        ("link.json", OLD, "utf-8"),
        (os.path.join(os.pardir, "project", "a.json"), OLD, "utf-8"),
        ("absolute", OLD, "utf-8"),
    ],
)
def test_a_diff_applies(folder: Path, name: str, text: str, encoding: str) -> None:
    if name == "link.json":
        (folder / name).symlink_to("a.json")
    elif name == "absolute":
        name = str(folder / "a.json")
    file = folder / name
    file.write_bytes(text.encode())
    command = [sys.executable, "-m", "widgetschema", "validate", "--diff", *TYPE, name]
    shown = subprocess.run(
        command,
        env=environment(PYTHONIOENCODING=encoding),
        capture_output=True,
        check=False,
    )

    subprocess.run(["git", "apply", "-"], input=shown.stdout, cwd=folder, check=True)
    assert file.read_bytes() == text.replace('"30"', "30").encode()


def test_a_report_has_no_region_for_a_byte_order_mark(folder: Path, capsys: Capture) -> None:
    """Editors show files without it: the character at its place is another one there."""
    (folder / "a.json").write_text("\ufeff[1,]", encoding="utf-8")
    report = json.loads(run(capsys, "validate", "--format", "sarif", *TYPE, "a.json").out)
    results = report["runs"][0]["results"]
    assert [(one["ruleId"], "fixes" in one) for one in results] == [
        ("json.encoding", False),
        ("json.syntax", True),
    ]


# `--diff --format json`: the edits for programs


def applied(text: str, file: dict[str, Any]) -> str:
    """The text with the edits of a file, from the last to the first."""
    for edit in reversed(file["edits"]):
        text = text[: edit["offset"]] + edit["replacement"] + text[edit["end_offset"] :]
    return text


def test_edits_as_json_do_what_fix_does(folder: Path, capsys: Capture) -> None:
    shouted = OLD.replace('"styles": {}', '"styles": {"titleFontSiz": "12"}')
    texts = {
        "a.json": f"\ufeff{OLD[:-1]},\r\n}}",
        "b.ndjson": f"{NEW}\r\n\r\n{OLD}\r\n{shouted}\n",
        "c.json": f"[{NEW},\n {OLD}]",
        "d.yaml": "content: {timerDays: '30'} # days\nsettings: {}\nstyles: {}\n",
        "e.json": NEW,
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    result = run(capsys, "validate", "--diff", "--format", "json", *TYPE, *texts)
    report = json.loads(result.out)
    assert (result.code, report["version"]) == (3, 1)
    assert "fixable with --fix; nothing was written" in result.err
    assert [file["file"] for file in report["files"]] == ["a.json", "b.ndjson", "c.json", "d.yaml"]
    assert {name: (folder / name).read_bytes().decode() for name in texts} == texts

    run(capsys, "validate", "--fix", *TYPE, *texts)
    for file in report["files"]:
        fixed = (folder / file["file"]).read_bytes().decode()
        assert applied(texts[file["file"]], file) == fixed != texts[file["file"]]
    days = [{"op": "replace", "path": "/content/timerDays", "value": 30}]
    patches = [file["patches"] for file in report["files"]]
    assert patches[0] == [{"line": 1, "patch": None}]
    assert patches[1][0] == {"line": 3, "patch": days}
    assert [one["line"] for one in patches[1]] == [3, 4]
    assert patches[2] == [{"line": 1, "patch": [{**days[0], "path": "/1/content/timerDays"}]}]
    assert patches[3] == [{"line": 1, "patch": days}]
    edit = report["files"][1]["edits"][0]
    assert (edit["line"], edit["column"], edit["end_column"], edit["replacement"]) == (
        3,
        27,
        31,
        "30",
    )
    assert [one["keyword"] for one in edit["findings"]] == ["type"]
    assert [one["keyword"] for one in report["files"][0]["edits"][0]["findings"]] == [
        "json.encoding"
    ]


def test_a_run_without_edits_is_a_list_too(folder: Path, capsys: Capture) -> None:
    (folder / "a.json").write_text(NEW, encoding="utf-8")
    result = run(capsys, "validate", "--diff", "--format", "json", *TYPE, "a.json")
    assert (result.code, json.loads(result.out)) == (0, {"version": 1, "files": []})
    assert artifact_kind(result.out.encode()) == "list of edits"


def test_a_list_of_edits_is_not_checked_as_data(folder: Path, capsys: Capture) -> None:
    shown = run(capsys, "validate", "--diff", "--format", "json", *TYPE, "a.json").out
    (folder / "edits.json").write_text(shown, encoding="utf-8")
    result = run(capsys, "validate", *TYPE, "edits.json", "a.json")
    assert "edits.json: skipped: it is a list of edits of widgetschema, not data" in result.err
    assert "edits.json" not in result.out


def test_reports_go_to_files_beside_the_edits(folder: Path, capsys: Capture) -> None:
    options = ("--diff", "--format", "json", "--format", "sarif=report.sarif")
    shown = run(capsys, "validate", *options, *TYPE, "a.json").out
    assert json.loads(shown)["files"][0]["file"] == "a.json"
    assert json.loads((folder / "report.sarif").read_bytes())["version"] == "2.1.0"

    patch = run(capsys, "validate", "--diff", "--format", "json=r.json", *TYPE, "a.json").out
    assert patch.startswith("--- a/a.json\n")
    assert json.loads((folder / "r.json").read_bytes())["documents"]

    both = run(capsys, "validate", "--diff", "--format", "json", "--format", "text", "a.json")
    assert (both.code, both.out) == (2, "")
    assert "Two formats cannot share standard output" in both.err


def test_only_the_selected_findings_have_edits(folder: Path, capsys: Capture) -> None:
    options = ("--diff", "--format", "json", "--ignore", "type")
    shown = run(capsys, "validate", *options, *TYPE, "a.json").out
    assert json.loads(shown)["files"] == []


def test_edits_cannot_act_as_workflow_commands(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (folder / "##[a.json").write_text(OLD, encoding="utf-8")
    shown = run(capsys, "validate", "--diff", "--format", "json", *TYPE, "##[a.json").out
    assert "##[" not in shown
    assert json.loads(shown)["files"][0]["file"] == "##[a.json"


# Safe and unsafe fixes

MIXED = {
    "b.yaml": 'n: "1e3"\nkind: tests\nSize: LARGE\nok: "True"\n',
    "c.jsonc": '{"n": "3", // c\n "titles": "x", "Size": "Large", "kind": "uses", "ok": "false",}',
}
SAFE = {
    "b.yaml": "n: 1.0e+3\nkind: tests\nsize: large\nok: true\n",
    "c.jsonc": '{"n": 3, // c\n "titles": "x", "size": "large", "kind": "uses", "ok": false,}',
}
UNSAFE = {
    "b.yaml": SAFE["b.yaml"].replace("tests", "test"),
    "c.jsonc": SAFE["c.jsonc"].replace("titles", "title").replace("uses", "user"),
}


@pytest.fixture
def mixed(folder: Path) -> Path:
    """Files with mistakes that safe fixes end, and some that only unsafe ones do."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {
            "n": {"type": "number"},
            "title": {"type": "string"},
            "size": {"enum": ["small", "large"]},
            "kind": {"enum": ["user", "test"]},
            "ok": {"type": "boolean"},
        },
        "additionalProperties": False,
    }
    (folder / "w.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    (folder / "a.json").unlink()
    for name, text in MIXED.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in MIXED}


ARGUMENTS = ("--data-schema", "w.schema.json", "b.yaml", "c.jsonc")


def test_fix_leaves_unsafe_fixes(mixed: Path, capsys: Capture) -> None:
    checked = run(capsys, "validate", *ARGUMENTS)
    assert "6 fixable with --fix, 3 with --unsafe-fixes\n" in checked.err
    assert 'hint: write 1.0e+3, not "1e3"' in checked.out

    fixed = run(capsys, "validate", "--fix", *ARGUMENTS)
    assert (fixed.code, texts(mixed)) == (1, SAFE)
    assert "; 8 findings fixed; 3 fixable with --unsafe-fixes\n" in fixed.err

    every = run(capsys, "validate", "--unsafe-fixes", *ARGUMENTS)
    assert (every.code, texts(mixed)) == (0, UNSAFE)
    assert "fixable" not in every.err


@pytest.mark.parametrize("options", [("--unsafe-fixes",), ("--fix", "--unsafe-fixes")])
def test_unsafe_fixes_are_written_with_safe_ones(
    mixed: Path, capsys: Capture, options: tuple[str, ...]
) -> None:
    assert run(capsys, "validate", *options, *ARGUMENTS).code == 0
    assert texts(mixed) == UNSAFE


def test_the_setting_applies_where_fixes_are_applied(mixed: Path, capsys: Capture) -> None:
    (mixed / "widgetschema.toml").write_text("unsafe-fixes = true\n", encoding="utf-8")
    checked = run(capsys, "validate", *ARGUMENTS)
    assert "; 9 fixable with --fix\n" in checked.err
    assert texts(mixed) == MIXED
    assert run(capsys, "validate", "--fix", *ARGUMENTS).code == 0
    assert texts(mixed) == UNSAFE


def test_differences_show_what_would_be_written(mixed: Path, capsys: Capture) -> None:
    shown = run(capsys, "validate", "--diff", *ARGUMENTS)
    assert "8 findings in 2 files fixable with --fix; nothing was written" in shown.err
    assert "+kind" not in shown.out
    shown = run(capsys, "validate", "--diff", "--unsafe-fixes", *ARGUMENTS)
    assert "11 findings in 2 files fixable with --unsafe-fixes; nothing was written" in shown.err
    assert "\n+kind: test\n" in shown.out
    listed = json.loads(
        run(capsys, "validate", "--diff", "--unsafe-fixes", "--format", "json", *ARGUMENTS).out
    )
    edits = [edit for file in listed["files"] for edit in file["edits"]]
    assert {
        edit["replacement"]: one["applicability"] for edit in edits for one in edit["findings"]
    } == {
        "1.0e+3": "safe", "test": "unsafe", "size": "safe", "large": "safe", "true": "safe",
        "3": "safe", '"title"': "unsafe", '"size"': "safe", '"large"': "safe",
        '"user"': "unsafe", "false": "safe",
    }  # fmt: skip
    assert texts(mixed) == MIXED


@pytest.mark.parametrize("other", ["--watch", "--write-baseline", "--add-ignores"])
def test_options_that_exclude_unsafe_fixes(folder: Path, capsys: Capture, other: str) -> None:
    result = run(capsys, "validate", "--unsafe-fixes", other)
    assert result.code == 2
    assert "cannot be combined" in result.err


def test_a_fix_that_would_be_none_is_not_counted(folder: Path, capsys: Capture) -> None:
    schema = {"type": "array", "items": {"type": "number"}, "uniqueItems": True}
    (folder / "w.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    (folder / "a.json").write_text('["1", 1, "2"]', encoding="utf-8")
    arguments = ("--data-schema", "w.schema.json", "a.json")
    checked = run(capsys, "validate", *arguments)
    assert "1 fixable with --fix\n" in checked.err
    listed = json.loads(run(capsys, "validate", "--format", "json", *arguments).out)
    fixes = [one["fix"] for one in listed["documents"][0]["findings"]]
    assert fixes == [None, {"replace": "value", "text": "2", "applicability": "safe"}]
    assert "1 finding fixed" in run(capsys, "validate", "--fix", *arguments).err
    assert (folder / "a.json").read_text(encoding="utf-8") == '["1", 1, 2]'
