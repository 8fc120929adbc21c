"""The output files of `validate`: nothing is lost, nothing is obeyed, nothing loops."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command import BAD, GOOD, environment, run
from widgetschema.catalog.store.locations import bundled_folder
from widgetschema.cli.pipeline.validate_options import ValidateOptions
from widgetschema.cli.pipeline.validation import validate
from widgetschema.project.report_formats import AUTO, own_names

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
        ("--format sarif=x.sarif --output x.json", "--output has no effect"),
        ("--format json=widgets/good.json widgets/good.json", "it is one of the inputs"),
        (
            "--output widgets/good.json widgets/bad.json widgets/good.json",
            "it is one of the inputs",
        ),
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


@pytest.mark.parametrize(
    ("options", "variables", "configuration"),
    [
        (["--format", "gitlab=NAME"], {}, ""),
        (["--output", "NAME"], {}, ""),
        ([], {"WIDGETSCHEMA_FORMAT": "text,json=NAME"}, ""),
        ([], {}, 'reporters = ["sarif=NAME"]\n'),
        (["--write-baseline", "--baseline", "NAME"], {}, ""),
        (["--write-baseline"], {}, 'baseline = "NAME"\n'),
        (["--format", "gitlab=NAME", "--changed"], {}, ""),
        (["--format", "gitlab=NAME", "--fix"], {}, ""),
    ],
)
@pytest.mark.parametrize(
    "name", ["widgets/good.json", "./widgets/../widgets/good.json", "link.json", "hard.json"]
)
@pytest.mark.parametrize("paths", [[], ["widgets"], ["widgets/*"], ["./widgets/good.json"]])
def test_no_output_overwrites_what_is_selected(
    options: list[str],
    variables: dict[str, str],
    configuration: str,
    name: str,
    paths: list[str],
    project: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (project / "link.json").symlink_to("widgets/good.json")
    os.link(project / "widgets" / "good.json", project / "hard.json")
    settings = configuration.replace("NAME", name) + CONFIGURATION
    (project / "widgetschema.toml").write_text(settings, encoding="utf-8")
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value.replace("NAME", name))
    given = [option.replace("NAME", name) for option in options]

    result = run(capsys, "validate", *given, "--type=countdown", "--", *paths)

    assert (result.code, result.out) == (2, "")
    refused = re.search(
        r"(good|hard)\.json: it is one of the inputs\. Choose another name\.", result.err
    )
    assert refused or "this file is one of the files that are checked" in result.err
    assert (project / "widgets" / "good.json").read_bytes() == GOOD


def test_the_file_of_standard_input_is_not_overwritten(project: Path) -> None:
    command = [sys.executable, "-m", "widgetschema", "validate", "--type=countdown", "-"]
    with (project / "widgets" / "good.json").open("rb") as stream:
        process = subprocess.run(
            [*command, "--output=widgets/good.json"],
            stdin=stream,
            capture_output=True,
            env=environment(),
            check=False,
        )

    assert process.returncode == 2
    assert b"the file of standard input: it is one of the inputs" in process.stderr
    assert (project / "widgets" / "good.json").read_bytes() == GOOD


def test_what_is_not_selected_may_be_replaced(project: Path, capsys: Capture) -> None:
    (project / "other.txt").write_bytes(GOOD)

    assert run(capsys, "validate", "--output", "other.txt").code == 1
    assert (project / "other.txt").read_text(encoding="utf-8").startswith("widgets/bad.json:1:54")


@pytest.mark.parametrize("name", [name for name in own_names() if name != AUTO])
@pytest.mark.parametrize("how", [[], ["widgets"], ["widgets/*"], ["--jobs=2"]])
def test_a_report_is_passed_over_by_every_later_run(
    name: str, how: list[str], project: Path, capsys: Capture
) -> None:
    (project / "widgetschema.toml").write_text('[files]\n"widgets/*" = "countdown"\n', "utf-8")
    report = project / "widgets" / ("report.ndjson" if name == "ndjson" else "report.json")
    before = run(capsys, "validate", *how)
    run(capsys, "validate", *how, "--format", f"{name}={report}")

    again = run(capsys, "validate", *how)
    assert (again.code, again.out) == (before.code, before.out)
    assert f"widgets/{report.name}: skipped: it is a report of widgetschema" in again.err
    assert again.err.endswith(before.err)
    with_audit = run(capsys, "audit", "--type=countdown", "widgets")
    assert with_audit.out.startswith("2 records in ")
    alone = run(capsys, "validate", "--type=countdown", report)
    assert (alone.code, "no document was checked" in alone.err) == (3, True)


# Of a run without findings, these two print nothing.
@pytest.mark.parametrize("name", sorted({*own_names()} - {AUTO, "text", "github"}))
def test_a_report_without_findings_is_passed_over_too(
    name: str, project: Path, capsys: Capture
) -> None:
    (project / "widgets" / "bad.json").unlink()
    report = project / "widgets" / ("report.ndjson" if name == "ndjson" else "report.json")
    (project / "widgetschema.toml").write_text('[files]\n"widgets/*" = "countdown"\n', "utf-8")
    assert run(capsys, "validate", "--format", f"{name}={report}").code == 0

    again = run(capsys, "validate")
    assert (again.code, again.out) == (0, "")
    assert f"widgets/{report.name}: skipped: it is a report of widgetschema" in again.err


def test_other_outputs_are_no_data(project: Path, capsys: Capture) -> None:
    arguments = ["audit", "--type=countdown", "widgets"]
    (project / "widgets" / "summary.json").write_text(
        run(capsys, *arguments, "--format=json", "--findings=f.ndjson").out, encoding="utf-8"
    )
    (project / "f.ndjson").rename(project / "widgets" / "f.ndjson")
    run(capsys, "validate", "--write-baseline")
    (project / "widgetschema-baseline.json").rename(project / "widgets" / "old.json")

    result = run(capsys, "validate", "widgets")

    assert "2 documents in 2 files: 1 valid, 1 invalid" in result.err
    for name, kind in (
        ("f.ndjson", "audit output"),
        ("old.json", "baseline"),
        ("summary.json", "audit output"),
    ):
        assert f"widgets/{name}: skipped: it is a{'n' * (kind[0] == 'a')} {kind}" in result.err
    assert run(capsys, *arguments).out.startswith("2 records in ")


@pytest.mark.parametrize("path", [".", "*"])
def test_a_baseline_is_no_data(path: str, project: Path, capsys: Capture) -> None:
    (project / "widgetschema.toml").unlink()  # "*" names it, too
    arguments = ["validate", "--type", "countdown", path]

    assert run(capsys, *arguments, "--write-baseline").code == 0
    assert run(capsys, *arguments).code == 0


def test_a_file_of_the_same_name_is_data(project: Path, capsys: Capture) -> None:
    arguments = ["validate", "--type", "countdown", "--format", "json=bad.json", "widgets"]

    run(capsys, *arguments)

    assert "2 documents in 2 files" in run(capsys, *arguments).err


def test_a_report_is_no_change_to_be_watched(project: Path, capsys: Capture) -> None:
    report, data = project / "report.json", project / "widgets" / "good.json"
    changes = [frozenset({str(report)}), frozenset({str(report), str(data)})]

    validate(ValidateOptions(formats=("json=report.json",), quiet=True, watch=True), changes)

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


@pytest.mark.parametrize("format", sorted({*own_names()} - {AUTO, "github"}))
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


# What other commands write


@pytest.mark.parametrize(
    "arguments",
    [
        "bundle countdown --output schemas/countdown.json",
        "sample countdown --output schemas/countdown.json",
        "form countdown --export html --output schemas/countdown.json",
        "diff schemas/countdown.json countdown --output schemas/countdown.json",
        "diff old.json countdown --output old.json",
        "diff older older --output older/countdown.json",
        "diff countdown countdown --data widgets --output widgets/good.json",
        "sample countdown --output widgetschema.toml",
    ],
)
def test_no_command_overwrites_what_it_reads(
    arguments: str, project: Path, capsys: Capture
) -> None:
    schema = (Path(bundled_folder()) / "countdown.json").read_bytes()
    for name in ("schemas/countdown.json", "old.json", "older/countdown.json"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_bytes(schema)
    assert run(capsys, "types", "--schemas", "schemas", "--pin").code == 0
    before = {path: path.read_bytes() for path in project.rglob("*.*") if path.is_file()}

    result = run(capsys, *arguments.split())

    assert (result.code, "hoose another" in result.err) == (2, True)
    assert {path: path.read_bytes() for path in project.rglob("*.*") if path.is_file()} == before


@pytest.mark.parametrize(
    "arguments",
    [
        "sample --data-schema old.json --output old.json",
        "form --data-schema old.json --export html --output ./old.json",
        "form --data-schema other.json --ui old.json --export rjsf --output old.json",
        "diff old.json countdown --output link.json",
        "diff --data-schema old.json --data-schema old.json --output old.json",
        "diff countdown countdown --data old.json --output old.json",
        "migrate test old.json --output old.json",
    ],
)
def test_nor_if_forced(arguments: str, project: Path, capsys: Capture) -> None:
    schema = (Path(bundled_folder()) / "countdown.json").read_bytes()
    for name in ("old.json", "other.json"):
        (project / name).write_bytes(schema)
    (project / "link.json").symlink_to("old.json")

    result = run(capsys, *arguments.split(), "--force")

    assert (result.code, (project / "old.json").read_bytes()) == (2, schema)
    assert "old.json: it is read" in result.err or "migrate test" in arguments


def test_the_schema_is_no_new_file_of_a_form(project: Path, capsys: Capture) -> None:
    (project / "shop.json").write_text("{}", encoding="utf-8")
    result = run(capsys, "form", "--data-schema", "shop.json")
    assert result.code == 2
    assert "shop.json is the schema: name the new file, in FILE." in result.err


def test_what_the_shell_has_made_for_standard_output_is_no_data(project: Path) -> None:
    with (project / "widgets" / "out.json").open("wb") as file:
        process = subprocess.run(
            [sys.executable, "-m", "widgetschema", "validate", "--format=json", "widgets"],
            stdout=file,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )

    assert process.returncode == 1
    assert b"2 documents in 2 files" in process.stderr


@pytest.mark.parametrize(
    "command",
    [
        ["bundle", "countdown"],
        ["sample", "countdown"],
        ["form", "countdown", "--export", "rjsf"],
        ["form", "countdown", "--export", "html"],
        ["diff", "countdown", "countdown"],
    ],
    ids=" ".join,
)
def test_a_file_that_exists(capsys: Capture, tmp_path: Path, command: list[str]) -> None:
    """It is replaced if it is empty, with --force, or if nobody has edited an earlier output."""
    target = tmp_path / "x.txt"
    target.write_text("mine", encoding="utf-8")
    result = run(capsys, *command, "--output", target)

    assert result.code == 2
    assert "x.txt exists already: choose another name, or pass --force." in (
        " ".join(result.err.split())
    )
    assert target.read_text(encoding="utf-8") == "mine"

    assert run(capsys, *command, "--output", target, "--force").code == 0
    written = target.read_bytes()
    assert written != b"mine"

    target.write_bytes(b" \n")
    assert run(capsys, *command, "--output", target).code == 0
    assert target.read_bytes() == written

    assert run(capsys, *command, "--output", target).code == 0
    assert target.read_bytes() == written
    if command[0] in ("bundle", "form"):
        named = tmp_path / "x.json"
        named.write_bytes(written)
        assert "of widgetschema, not data" in run(capsys, "validate", named).err
    if command[0] != "diff":  # whose reports nobody edits
        target.write_bytes(written + b" ")
        assert run(capsys, *command, "--output", target).code == 2
        assert target.read_bytes() == written + b" "


def test_samples_in_a_folder_that_exists(capsys: Capture, tmp_path: Path) -> None:
    arguments = ("sample", "countdown", "--count", "3", "--output", f"{tmp_path}/")
    assert run(capsys, *arguments).code == 0
    (tmp_path / "samples.manifest").unlink()  # as if the command had been killed
    assert run(capsys, *arguments).code == 0

    mine = sorted(tmp_path.glob("*.json"))[1]
    mine.write_text("{}", encoding="utf-8")
    for _ in range(2):  # with a manifest, and without
        result = run(capsys, *arguments)
        assert result.code == 2
        assert "exists already with other content" in " ".join(result.err.split())
        assert mine.read_text(encoding="utf-8") == "{}"
        (tmp_path / "samples.manifest").unlink(missing_ok=True)

    assert run(capsys, *arguments, "--force").code == 0
    assert mine.read_text(encoding="utf-8") != "{}"


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        ("validate --fix widgets/bad.json", "widgets/bad.json"),
        ("sample countdown --count 2 --output samples/", "samples/countdown-000001.json"),
        ("sample countdown --output one.json", "one.json"),
    ],
)
def test_what_a_killed_run_left_of_a_file_is_removed(
    arguments: str, written: str, project: Path, capsys: Capture
) -> None:
    path = project / written
    path.parent.mkdir(exist_ok=True)
    left = path.with_name(f".{path.name}.widgetschema-0123456789abcdef")
    left.touch()

    run(capsys, *arguments.split())

    assert path.exists()
    assert not left.exists()
