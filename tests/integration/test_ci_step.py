"""The step of a pipeline, from end to end: a code base that is not clean yet, and how it gets clean.

Fifty files, twelve mistakes, three files that are no JSON: every format says the same, a baseline
lets them be, `--fix` applies safe fixes.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.command import Run, run
from widgetschema import widget_type

# (the member, a wrong value or another name, whether it has a safe fix)
MISTAKES: list[tuple[str, str, Any, bool]] = [
    ("content", "timerDays", "3", True),
    ("content", "timerDays", "0.50", True),
    ("content", "countdownType", "Count-to-date", True),
    ("content", "showPostConfetti", "True", True),
    ("settings", "show_title", True, True),
    ("styles", "layout", " layout-2", True),
    ("content", "countdownType", 7, False),
    ("content", "showPostConfetti", 1, False),
    ("styles", "skinId", None, False),
    ("styles", "daysLabel", "Days", False),
    ("styles", "countdownSize", "large", False),
    ("settings", "nonsense", "x", False),
]
CERTAIN = sum(certain for *_, certain in MISTAKES)
BROKEN = {"no-json.json": b'{"content": }', "empty.json": b"", "latin.json": b'{"a": "\xe9"}'}


def good(number: int) -> dict[str, Any]:
    data: dict[str, Any] = widget_type("countdown").minimal()
    data["content"]["timerTitle"] = f"Ende – № {number} 🎉"
    return data


def text_of(data: Any, number: int) -> str:
    """JSON as different people write it."""
    indent = (None, 2, 4, "\t")[number % 4]
    text = json.dumps(data, indent=indent, ensure_ascii=number % 3 == 0)
    return (text.replace("\n", "\r\n") if number % 5 == 0 else text) + "\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fifty files in a git repository, mapped to their type."""
    folder = tmp_path / "project"
    widgets = folder / "widgets"
    widgets.mkdir(parents=True)
    (folder / "widgetschema.toml").write_text(
        '[files]\n"widgets/**/*.json" = "countdown"\n', encoding="utf-8"
    )
    for number in range(47):
        data = good(number)
        if number < len(MISTAKES):
            section, member, value, _ = MISTAKES[number]
            data[section][member] = value
        file = widgets / f"widget {number:02} – é.json"
        file.write_bytes(text_of(data, number).encode())
    for name, content in BROKEN.items():
        (widgets / name).write_bytes(content)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    monkeypatch.chdir(folder)
    return folder


def test_every_format_says_the_same(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    formats = "json ndjson sarif github-sarif junit gitlab markdown github".split()
    arguments = [part for name in formats for part in ("--format", f"{name}=out.{name}")]

    result = run(capsys, "validate", "--format", "text", *arguments)

    assert result.code == 3
    assert (
        "47 documents in 50 files: 35 valid, 12 invalid (12 findings); 3 unreadable" in result.err
    )
    counts = {name: COUNTS[name](project / f"out.{name}") for name in formats}
    counts["text"] = len(re.findall(r"^widgets/.*?\.json:\d+:\d+: ", result.out, re.MULTILINE))
    assert counts == dict.fromkeys(counts, 15)


def _json(path: Path) -> int:
    documents = json.loads(path.read_text(encoding="utf-8"))["documents"]
    return sum(len(document["findings"]) for document in documents)


def _ndjson(path: Path) -> int:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return sum("keyword" in line for line in lines)


def _sarif(path: Path) -> int:
    [one] = json.loads(path.read_text(encoding="utf-8"))["runs"]
    results = one["results"]
    prints = {result["partialFingerprints"]["widgetschema/v1"] for result in results}
    assert len(prints) == len(results)
    return len(results)


def _junit(path: Path) -> int:
    suites = ElementTree.parse(path).getroot()
    assert len(list(suites.iter("testcase"))) == 50
    return len([*suites.iter("failure"), *suites.iter("error")])


def _gitlab(path: Path) -> int:
    issues = json.loads(path.read_text(encoding="utf-8"))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    return len(issues)


def _markdown(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    return len(re.findall(r"^\|.*widgets/.*\.json", text, re.MULTILINE))


def _github(path: Path) -> int:
    """Count the annotations, and those that the line for the rest counts."""
    text = path.read_text(encoding="utf-8")
    annotations = re.findall(r"^::error file=", text, re.MULTILINE)
    [rest] = re.findall(r"(\d+) more", text)
    assert len(annotations) <= 10
    return len(annotations) + int(rest)


COUNTS: dict[str, Callable[[Path], int]] = {
    "json": _json,
    "ndjson": _ndjson,
    "sarif": _sarif,
    "github-sarif": _sarif,
    "junit": _junit,
    "gitlab": _gitlab,
    "markdown": _markdown,
    "github": _github,
}


def test_a_baseline_lets_the_old_be_and_nothing_new(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run(capsys, "validate", "--write-baseline")
    assert first.code == 3, "what cannot be read is in no baseline"
    assert [line.partition(".json")[0] for line in first.out.splitlines() if "json." in line] == [
        "widgets/empty",
        "widgets/latin",
        "widgets/no-json",
    ]
    assert "wrote widgetschema-baseline.json: 12 findings" in first.err
    assert run(capsys, "validate").code == 3
    for name in BROKEN:
        (project / "widgets" / name).unlink()

    clean = run(capsys, "validate")
    assert (clean.code, clean.out) == (0, "")
    assert "12 findings in the baseline" in clean.err

    _edit(
        project / "widgets" / "widget 40 – é.json", lambda data: data["styles"].update(skinId="x")
    )
    broken = json.loads(run(capsys, "validate", "--format", "json").out)
    formats = [f"--format={name}={name}.sarif" for name in ("sarif", "github-sarif")]
    assert run(capsys, "validate", *formats).code == 1
    assert _states(project / "sarif.sarif") == {"new": 1, "unchanged": 12}
    assert _states(project / "github-sarif.sarif") == {"new": 1}
    [document] = broken["documents"]
    [finding] = document["findings"]
    assert (document["file"], finding["path"]) == ("widgets/widget 40 – é.json", "/styles/skinId")
    assert broken["summary"]["exit_code"] == 1

    mended = project / "widgets" / "widget 00 – é.json"
    mended.write_text(json.dumps(good(1)), encoding="utf-8")
    resolved = json.loads(run(capsys, "validate", "--format", "json").out)
    assert len(resolved["resolved"]) == 1
    assert "widgets/widget 00 – é.json" in resolved["resolved"][0]

    shrunk = run(capsys, "validate", "--write-baseline")
    assert shrunk.code == 0
    assert run(capsys, "validate").code == 0
    assert run(capsys, "validate", "--no-baseline").code == 1


def _states(path: Path) -> dict[str, int]:
    """Count the results in each state; those that are known have the reason for that."""
    results = json.loads(path.read_text(encoding="utf-8"))["runs"][0]["results"]
    known = [one["suppressions"] for one in results if one["baselineState"] == "unchanged"]
    reason = {"kind": "external", "justification": "in the baseline widgetschema-baseline.json"}
    assert all(one == [reason] for one in known)
    return Counter(one["baselineState"] for one in results)


def test_an_unreadable_file_that_is_ignored_is_still_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.json").write_text("[1", encoding="utf-8")
    (tmp_path / "valid.json").write_text(json.dumps(good(1)), encoding="utf-8")
    text = 'ignores = [{ path = "broken.json", reason = "a template" }]'
    (tmp_path / "widgetschema.toml").write_text(text, encoding="utf-8")

    again = run(capsys, "validate", "--type", "countdown", ".")
    page = run(capsys, "validate", "--type", "countdown", "--format", "markdown", ".")

    assert again.code == page.code == 0
    assert "1 document in 2 files: 1 valid; 1 unreadable; 1 finding ignored" in again.err
    assert "✅ No new findings: 1 unreadable, 1 ignored" in page.out


def test_moved_lines_and_reordered_members_stay_in_the_baseline(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in BROKEN:
        (project / "widgets" / name).unlink()
    run(capsys, "validate", "--write-baseline")

    for number in range(12):
        file = project / "widgets" / f"widget {number:02} – é.json"
        data = json.loads(file.read_text(encoding="utf-8"))
        turned = {section: dict(reversed(data[section].items())) for section in reversed(data)}
        file.write_text("\n\n" + json.dumps(turned, indent=6), encoding="utf-8")

    assert run(capsys, "validate").code == 0


def _edit(file: Path, change: Callable[[Any], object]) -> None:
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data, indent=2), encoding="utf-8")


def test_a_fix_changes_what_is_certain_and_nothing_else(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = _contents(project)
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)

    shown = run(capsys, "validate", "--diff")
    assert shown.code == 3
    assert _contents(project) == before
    assert len(re.findall(r"^\+[^+]", shown.out, re.MULTILINE)) == CERTAIN
    subprocess.run(["git", "apply", "--check"], input=shown.out.encode(), cwd=project, check=True)

    fixed = run(capsys, "validate", "--fix")
    assert fixed.code == 3
    assert f"{CERTAIN} findings fixed" in fixed.err
    after = _contents(project)
    changed = [name for name in before if before[name] != after[name]]
    assert len(changed) == CERTAIN
    for name in changed:
        old, new = before[name].split(b"\n"), after[name].split(b"\n")
        assert len(old) == len(new)
        assert sum(one != other for one, other in zip(old, new, strict=True)) == 1
    number = project / "widgets" / "widget 01 – é.json"
    assert b"0.50" in number.read_bytes()
    assert b'"0.50"' not in number.read_bytes()

    again = run(capsys, "validate", "--fix")
    assert _contents(project) == after
    assert f"{12 - CERTAIN} findings" in again.err
    assert "3 unreadable" in again.err
    assert "fixed" not in again.err


def _contents(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((project / "widgets").iterdir())}


def test_only_what_changed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    subprocess.run(["git", *identity, "commit", "-qm", "all"], cwd=project, check=True)

    assert run(capsys, "validate", "--changed").code == 0
    _edit(project / "widgets" / "widget 41 – é.json", lambda data: data.update(more=1))
    one: Run = run(capsys, "validate", "--changed")
    assert (one.code, one.out.count(": additionalProperties")) == (1, 1)
    assert "1 document in 1 file" in one.err

    with (project / "widgetschema.toml").open("a", encoding="utf-8") as file:
        file.write('[severities]\nformat = "warning"\n')
    assert run(capsys, "validate", "--changed").code == 3


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ("sub/widgetschema.toml", "all files are checked"),
        ("sub/pyproject.toml", "1 of 2 files have changed"),  # it was not in force
        ("schemas/manifest.json", "all files are checked"),
        ("README.md", "1 of 2 files have changed"),
    ],
)
def test_what_decided_before_it_was_removed(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    gone: str,
    expected: str,
) -> None:
    for name, text in {
        "sub/widgetschema.toml": "",
        "sub/pyproject.toml": "[tool.widgetschema]\n",
        "schemas/manifest.json": '{"schemas": {}}',
        "README.md": "",
        "sub/a.json": "{}",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "all"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / gone).unlink()
    monkeypatch.chdir(tmp_path / "sub")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"{}"))))

    arguments = ("--type", "countdown", "a.json", "-", "--changed")
    result: Run = run(capsys, "validate", *arguments)

    assert expected in result.err  # standard input is new each time


def test_a_path_is_no_commit(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result: Run = run(capsys, "validate", "--changed", "widgets")

    assert "write --changed -- widgets" in result.err
