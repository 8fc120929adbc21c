"""`widgetschema validate`: what it says, how it exits, and what each option does."""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from pathlib import Path
from shlex import split
from typing import Any

import pytest

from tests.command import (
    CASES,
    DATA,
    INPUTS,
    SIX_MISTAKES,
    STORES,
    VALID,
    Run,
    commands,
    run,
    transcript,
)
from widgetschema.cli import main
from widgetschema.findings import Finding
from widgetschema.formats.model import Parsed
from widgetschema.jsontext import SourceText
from widgetschema.project.checking.locations import UnlocatedResult, locate
from widgetschema.project.checking.results import DocumentResult, Problem

Capture = pytest.CaptureFixture[str]
DOCUMENT = {"id": "1", "type": "countdown", "data": {"content": {}, "settings": {}, "styles": {}}}


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.stem)
def test_an_example_reads_as_written(
    case: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DATA)

    shown = [transcript(command, run(capsys, *split(command)[2:])) for command in commands(case)]

    assert "".join(shown) == case.read_text(encoding="utf-8")


def test_each_of_six_mistakes_is_a_finding_at_its_place(capsys: Capture) -> None:
    result = run(capsys, "validate", "--type", "countdown", SIX_MISTAKES)

    places = re.findall(rf"^{re.escape(str(SIX_MISTAKES))}:(\d+):(\d+):", result.out, re.MULTILINE)
    assert result.code == 1
    assert places == [("1", "1"), ("4", "22"), ("5", "18"), ("6", "5"), ("9", "18"), ("10", "5")]
    assert result.out.count("  hint: ") >= 3


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("--type countdown valid.json", 0, "1 valid"),
        ("valid-document.json", 0, "1 valid"),
        ("--type countdown six-mistakes.json", 1, "6 findings"),
        ("--type countdwn valid.json", 2, "did you mean 'countdown'?"),
        ("unknown-type.json", 1, "1 invalid (1 finding); 1 fixable with --unsafe-fixes"),
        ("valid.json", 2, "pass --type ID"),
        ("--type countdown broken.json", 3, "1 unreadable"),
        ("--type countdown missing.json", 3, "no such file or directory"),
        ("--type orphan --schemas ../stores/unresolvable valid.json", 4, "nearest that exist"),
        ("--type odd --schemas ../stores/pattern valid.json", 4, "/properties/code/pattern"),
        ("--type typo --schemas ../stores/meta valid.json", 4, 'did you mean "string"?'),
        ("--type newer --schemas ../stores/dialect valid.json", 4, "only draft-07 is supported"),
        ("--type event --schemas ../stores/changed valid.json", 4, "--pin"),
        ("--type event --schemas ../stores/broken valid.json", 4, "1:17"),
        ("--type event --schemas ../stores/none valid.json", 3, "no such folder"),
        # The highest code of a run wins, wherever in it the reason is.
        (
            "--type countdown valid.json six-mistakes.json valid-document.json",
            1,
            "2 valid, 1 invalid",
        ),
        ("six-mistakes.json document.json", 2, "1 invalid"),
        ("broken.json unknown-type.json document.json", 3, "2 invalid (2 findings); 1 unreadable"),
        ("--schemas ../stores/unresolvable broken.json orphan.json document.json", 4, "'orphan'"),
    ],
)
def test_exit_codes(
    arguments: str, code: int, said: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(INPUTS)

    result = run(capsys, "validate", *arguments.split())

    assert result.code == code
    assert said in result.err


def test_findings_come_in_the_order_of_the_file() -> None:
    raw = b'{"docs": [{"a": 1, "b": 2}, {"c": 3}]}'
    wrong = [Finding("type", path, "/type", "it is wrong") for path in ("/b", "", "/a")]
    results: list[UnlocatedResult | Problem] = [
        UnlocatedResult(DocumentResult("x.ndjson", "/docs/0", 7, "document", "t"), tuple(wrong)),
        Problem("x.ndjson", "odd", 2, "/docs/1"),
    ]

    parsed = Parsed(json.loads(raw), SourceText(raw, line_offset=6))
    first, second = locate(results, parsed, has_lines=True)

    assert isinstance(first, DocumentResult)
    assert [(one.finding.path, one.finding.line, one.finding.column) for one in first.findings] == [
        ("/docs/0", 7, 11),
        ("/docs/0/a", 7, 17),
        ("/docs/0/b", 7, 25),
    ]
    assert str(second) == "x.ndjson:7 at /docs/1: odd"


def test_type_wins_over_that_of_the_document(capsys: Capture, tmp_path: Path) -> None:
    document = tmp_path / "document.json"
    document.write_text(json.dumps(DOCUMENT | {"type": "nonsense"}), encoding="utf-8")

    assert run(capsys, "validate", document).code == 1
    assert run(capsys, "validate", "--type", "countdown", document).code == 0


@pytest.mark.parametrize("kind", ["auto", "data", "document"])
@pytest.mark.parametrize("name", ["valid.json", "document.json", "array.json", "envelope.json"])
@pytest.mark.parametrize("typed", [True, False], ids=["typed", "untyped"])
def test_both_engines_say_the_same(kind: str, name: str, typed: bool, capsys: Capture) -> None:
    arguments = ["--as", kind, *(["--type", "countdown"] if typed else []), str(INPUTS / name)]

    rust = run(capsys, "validate", "--engine", "rust", *arguments)
    python = run(capsys, "validate", "--engine", "python", *arguments)

    assert python == rust
    assert rust == run(capsys, "validate", *arguments)


def test_formats_can_be_left_out(capsys: Capture) -> None:
    places = ["--schemas", str(STORES / "good"), str(INPUTS / "formats.json")]
    arguments = [*places, "--type", "event"]

    for engine in ("rust", "python"):
        strict = run(capsys, "validate", *arguments, "--engine", engine)
        lax = run(capsys, "validate", *arguments, "--engine", engine, "--no-formats")
        assert (strict.code, lax.code) == (1, 0)
        assert "format /starts:" in strict.out


# JSON output


def as_json(result: Run) -> dict[str, Any]:
    value = json.loads(result.out)
    assert isinstance(value, dict)
    return value


def test_json_has_the_documented_members_and_positions(capsys: Capture) -> None:
    names = ["six-mistakes.json", "broken.json", "unknown-type.json", "missing.json"]
    paths = [INPUTS / name for name in names]
    result = run(capsys, "validate", "--format", "json", "--as", "document", *paths)
    typed = run(capsys, "validate", "--format", "json", "--type", "countdown", *paths)
    value, typed_value = as_json(result), as_json(typed)

    assert list(value) == [
        "version",
        "summary",
        "schemas",
        "truncated",
        "documents",
        "problems",
        "resolved",
    ]
    assert [schema["id"] for schema in typed_value["schemas"]] == ["countdown", "plugin"]
    assert value["version"] == 1
    assert value["summary"] == {
        "files": 3,
        "documents": 1,
        "valid": 0,
        "invalid": 1,
        "excused": 0,
        "unreadable": 1,
        "findings": 1,
        "warnings": 0,
        "problems": 2,
        "known": 0,
        "ignored": 0,
        "fixed": 0,
        "exit_code": result.code,
    }
    for problem in value["problems"]:
        assert list(problem) == [
            "file",
            "pointer",
            "line",
            "message",
            "code",
            "keyword",
            "fingerprint",
        ]
    assert [problem["code"] for problem in value["problems"]] == [2, 3]
    six, broken, data = typed_value["documents"]
    members = "file pointer kind type readable valid hint findings".split()
    assert [list(document) for document in (six, broken, data)] == [members] * 3
    assert (six["kind"], six["type"], six["readable"]) == ("data", "countdown", True)
    assert (broken["kind"], broken["type"], broken["readable"]) == (None, None, False)
    assert [(finding["line"], finding["column"]) for finding in six["findings"]] == [
        (1, 1),
        (4, 22),
        (5, 18),
        (6, 5),
        (9, 18),
        (10, 5),
    ]
    assert typed_value["summary"]["findings"] == 6 + len(data["findings"])


@pytest.mark.parametrize(("most", "shown"), [(0, 0), (1, 1), (5, 5), (6, 6), (7, 6)])
def test_max_findings_cuts_and_says_so(most: int, shown: int, capsys: Capture) -> None:
    arguments = ["--type", "countdown", "--max-findings", str(most), str(SIX_MISTAKES)]
    text = run(capsys, "validate", *arguments)
    value = as_json(run(capsys, "validate", *arguments, "--format", "json"))

    assert text.code == value["summary"]["exit_code"] == 1
    assert text.out.count(f"{SIX_MISTAKES}:") == shown
    assert (f"… and {6 - shown} more finding" in text.out) == (shown < 6)
    assert sum(len(document["findings"]) for document in value["documents"]) == shown
    assert value["truncated"] == (shown < 6)
    assert value["summary"]["findings"] == 6


def test_hints_about_a_document_are_in_json(capsys: Capture) -> None:
    arguments = ["--format", "json", "--as", "data", "--type", "countdown"]

    value = as_json(run(capsys, "validate", *arguments, INPUTS / "document.json"))

    assert "--as document" in value["documents"][0]["hint"]


# Where the findings go


def test_hints_about_a_document_are_beside_a_finding(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_text(json.dumps({**DOCUMENT, "data": {"data": DOCUMENT["data"]}}))
    result = run(capsys, "validate", path)
    assert result.out.count('the data is wrapped twice, in "data" of "data"') == 1


def test_output_goes_to_a_file_and_nothing_else_does(capsys: Capture, tmp_path: Path) -> None:
    plain = run(capsys, "validate", "--type", "countdown", SIX_MISTAKES)
    target = tmp_path / "findings.txt"
    target.write_text("before", encoding="utf-8")

    filed = run(capsys, "validate", "--type", "countdown", SIX_MISTAKES, "--output", target)

    assert (filed.code, filed.out, filed.err) == (1, "", plain.err)
    assert target.read_text(encoding="utf-8") == plain.out
    assert [path.name for path in tmp_path.iterdir()] == ["findings.txt"]


def test_a_usage_error_leaves_the_output_file_as_it_was(capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "findings.txt"
    target.write_text("before", encoding="utf-8")

    assert run(capsys, "validate", "--type", "nothing", VALID, "--output", target).code == 2
    assert target.read_text(encoding="utf-8") == "before"


def test_output_through_a_link_keeps_the_link_and_the_mode(capsys: Capture, tmp_path: Path) -> None:
    target, link = tmp_path / "findings.txt", tmp_path / "link"
    target.touch(mode=0o600)
    link.symlink_to(target)

    assert run(capsys, "validate", "--type", "countdown", SIX_MISTAKES, "--output", link).code == 1
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").count("hint:") >= 3
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.parametrize("path", ["missing/findings.txt", "folder", f"{'n' * 300}.txt"])
@pytest.mark.parametrize("command", ["validate --type countdown", "bundle"])
def test_an_output_that_cannot_be_written_is_one_line(
    path: str, command: str, capsys: Capture, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    name, *options = command.split()
    what = str(VALID) if name == "validate" else "countdown"

    result = run(capsys, name, *options, what, "--output", tmp_path / path)

    complaint, *summary = result.err.splitlines()
    assert (result.code, result.out) == (3, "")
    assert complaint.startswith(f"widgetschema: {tmp_path / path}: cannot be written: ")
    assert summary == (["1 document in 1 file: 1 valid"] if name == "validate" else [])
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_an_unwritable_output_does_not_hide_a_higher_code(capsys: Capture, tmp_path: Path) -> None:
    schemas, orphan = STORES / "unresolvable", INPUTS / "orphan.json"

    assert run(capsys, "validate", orphan, "--schemas", schemas, "--output", tmp_path).code == 4


def test_output_to_a_pipe_is_written_to_it_and_not_over_it(capsys: Capture, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(fifo.read_text(encoding="utf-8")))
    reader.start()

    result = run(capsys, "validate", "--type", "countdown", SIX_MISTAKES, "--output", fifo)
    reader.join(timeout=120)

    assert result.code == 1
    assert received == [run(capsys, "validate", "--type", "countdown", SIX_MISTAKES).out]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@pytest.mark.parametrize(("color", "coloured"), [("auto", False), ("always", True)])
def test_colour_in_a_file(color: str, coloured: bool, capsys: Capture, tmp_path: Path) -> None:
    target = tmp_path / "findings.txt"
    arguments = ["--type", "countdown", "--color", color, "--output", str(target)]

    run(capsys, "validate", *arguments, SIX_MISTAKES)

    assert ("\x1b[31m" in target.read_text(encoding="utf-8")) == coloured


# Colours


@pytest.mark.parametrize(
    ("color", "variables", "coloured"),
    [
        ("always", {}, True),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {}, False),
        ("auto", {}, False),
    ],
)
def test_colour_off_a_terminal(
    color: str,
    variables: dict[str, str],
    coloured: bool,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    arguments = ["validate", "--type", "countdown", str(SIX_MISTAKES)]

    result = run(capsys, *arguments, "--color", color)

    plain = re.sub(r"\x1b\[\d+m", "", result.out)
    assert ("\x1b[" in result.out) == coloured
    assert plain == run(capsys, *arguments, "--color", "never").out
    assert "\x1b" not in result.err


# What was broken once


def test_an_array_costs_no_more_than_its_length(capsys: Capture, tmp_path: Path) -> None:
    """Each document used to search the whole file for its lines: 4,000 took minutes."""
    wrong = DOCUMENT | {"data": {"content": {"timerDays": "3"}, "settings": {}, "styles": {}}}
    path = tmp_path / "many.json"
    path.write_text(json.dumps([wrong] * 5_000, indent=1), encoding="utf-8")

    result = run(capsys, "validate", path, "--format", "json")

    lines = [document["findings"][0]["line"] for document in as_json(result)["documents"]]
    assert lines == [7 + 11 * index for index in range(5_000)]


def test_a_document_of_another_type_is_mentioned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = {"id": "1", "type": "faq", "data": {"content": {}, "settings": {}, "styles": {}}}
    path = tmp_path / "two.json"
    path.write_text(json.dumps([document, document]), encoding="utf-8")

    assert main(["validate", "--type", "countdown", str(path)]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3
    assert said[2].startswith("schemas: countdown: bundled (")
    assert 'its type is "faq", but it is checked as "countdown"' in said[0]


def test_a_schema_error_has_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep.json").write_text('{"properties": {\n"data": {"type": "numbr"}}}')
    data = tmp_path / "x"
    data.mkdir()
    (data / "ok.json").write_text("{}")

    code = main(["validate", "--schemas", str(tmp_path), "--type", "deep", str(data)])
    said = capsys.readouterr().err
    assert code == 4
    assert "deep.json: 1 finding" in said
    assert "2:18 anyOf /properties/data/type" in said


def test_the_first_failure_says_what_was_not_looked_for(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.json").write_text('{"type": "array", "items": {"type": "string"}}')
    Path("a.json").write_text(json.dumps([0] * 10_001))
    told = run(capsys, "validate", "--data-schema", "s.json", "--fail-fast", "--quiet", "a.json")
    assert told.code == 1
    assert "more than 10,000 findings; the others were not looked for" in told.err
