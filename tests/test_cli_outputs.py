"""Where the results of `validate` are written: nothing is lost, nothing is obeyed, nothing loops."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command import BAD, GOOD, environment, run
from widgetschema.cli.validating import Wishes
from widgetschema.cli.watching import watch

Capture = pytest.CaptureFixture[str]
CONFIGURATION = '[files]\n"widgets/*.json" = "countdown"\n'
HOSTILE = b'{"content": {"timerDays": "##[error]x"}, "settings": {}, "styles": {}}'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A good widget and a bad one, and a configuration that maps them."""
    folder = tmp_path / "project"
    (folder / "widgets").mkdir(parents=True)
    (folder / "widgetschema.toml").write_text(CONFIGURATION, encoding="utf-8")
    (folder / "widgets" / "bad.json").write_bytes(BAD)
    (folder / "widgets" / "good.json").write_bytes(GOOD)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--format json=x.json --format sarif=./x.json", "cannot share the file"),
        ("--format json --output x.json --format sarif=x.json", "cannot share the file"),
        ("--format json --format sarif=/dev/stdout", "cannot share standard output"),
        ("--format json --output - --format sarif", "cannot share standard output"),
        ("--format sarif=x.sarif --output x.json", "--output has nothing to write"),
        ("--format json=widgets/good.json widgets/good.json", "it is to be checked"),
        ("--output widgets/good.json widgets/bad.json widgets/good.json", "it is to be checked"),
        ("--output widgetschema.toml", "it holds the configuration"),
        ("--output widgetschema-baseline.json --write-baseline", "it is the baseline"),
    ],
)
def test_outputs_in_each_others_way(
    arguments: str, said: str, project: Path, capsys: Capture
) -> None:
    result = run(capsys, "validate", *arguments.split())

    assert result.code == 2
    assert said in result.err
    assert (project / "widgets" / "good.json").read_bytes() == GOOD
    assert (project / "widgetschema.toml").read_text(encoding="utf-8") == CONFIGURATION


@pytest.mark.parametrize("output", ["--format=json=widgets/report.json", "--output=widgets/r.json"])
@pytest.mark.parametrize("path", [[], ["widgets"], ["."], ["widgets/*"]])
def test_a_report_is_no_data_of_the_next_run(
    output: str, path: list[str], project: Path, capsys: Capture
) -> None:
    arguments = ["validate", "--type", "countdown", *path, output]

    first, second = run(capsys, *arguments), run(capsys, *arguments)

    assert "2 documents in 2 files" in first.err
    assert second == first


@pytest.mark.parametrize("path", [".", "*"])
def test_a_baseline_is_no_data(path: str, project: Path, capsys: Capture) -> None:
    arguments = ["validate", "--no-config", "--type", "countdown", path]

    assert run(capsys, *arguments, "--write-baseline").code == 0
    assert run(capsys, *arguments).code == 0


def test_a_file_of_the_same_name_is_data(project: Path, capsys: Capture) -> None:
    arguments = ["validate", "--type", "countdown", "--format", "json=bad.json", "widgets"]

    run(capsys, *arguments)

    assert "2 documents in 2 files" in run(capsys, *arguments).err


def test_a_report_is_no_change_to_be_watched(project: Path, capsys: Capture) -> None:
    report, data = project / "report.json", project / "widgets" / "good.json"
    changes = [frozenset({str(report)}), frozenset({str(report), str(data)})]

    watch(Wishes((), formats=("json=report.json",), quiet=True), changes)

    told = re.findall("^changed: .*", capsys.readouterr().err, re.MULTILINE)
    assert told == ["changed: widgets/good.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/stdout")
def test_standard_output_by_its_name_keeps_what_is_there(project: Path) -> None:
    target = project / "all.txt"
    with target.open("w", encoding="utf-8") as file:
        file.write("before\n")
        file.flush()
        command = [sys.executable, "-m", "widgetschema", "validate", "--format", "text=/dev/stdout"]
        subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, env=environment())

    text = target.read_text(encoding="utf-8")
    assert text.startswith("before\nwidgets/bad.json:1:54: ")


def test_a_text_file_has_the_problems_too(project: Path, capsys: Capture) -> None:
    result = run(capsys, *"validate --format text=x.txt gone.json --format json".split())

    assert result.code == 3
    text = (project / "x.txt").read_text(encoding="utf-8")
    assert text == "gone.json: no such file or directory\n"


def test_a_problem_of_several_lines_is_one_entry(project: Path, capsys: Capture) -> None:
    (project / "types").mkdir()
    (project / "types" / "countdown.json").write_bytes(b"{")

    result = run(
        capsys, *"validate --schemas types --format text=x.txt --format gitlab widgets".split()
    )

    assert result.code == 4
    first = json.loads(result.out)[0]["description"]
    assert "not a schema: 1 finding; 1:2 json.syntax (root): the text ends" in first
    assert "\n  1:2 json.syntax" in (project / "x.txt").read_text(encoding="utf-8")


# Within a workflow of GitHub


@pytest.mark.parametrize(
    "format", ["text", "json", "ndjson", "sarif", "junit", "gitlab", "markdown"]
)
def test_a_workflow_has_nothing_to_obey(
    format: str, project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / " ::error::.json").write_bytes(HOSTILE)
    (project / "::error file=##[error]::.json").write_bytes(HOSTILE)
    names = sorted(file.name for file in project.glob("*.json"))
    arguments = ["validate", "--type", "countdown", "--format", format, *names]
    plain = run(capsys, *arguments)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    result = run(capsys, *arguments)

    # A runner trims a line, and looks for `##[` anywhere (ActionCommand.cs).
    lines = result.out.split("\n")
    assert not [line for line in lines if line.strip().startswith("::") or "##[" in line]
    if format == "junit":
        assert _faults(result.out) == _faults(plain.out)
    elif format == "ndjson":
        assert [*map(json.loads, lines[:-1])] == [*map(json.loads, plain.out.split("\n")[:-1])]
    elif format in ("json", "sarif", "gitlab"):
        assert json.loads(result.out) == json.loads(plain.out)


def _faults(text: str) -> list[str | None]:
    return [one.text for one in ElementTree.fromstring(text).iter("failure")]
