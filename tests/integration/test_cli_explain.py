"""`explain`: pages of codes, and findings by their fingerprints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import BAD, run
from widgetschema.manual_pages import reported
from widgetschema.project.config.rules import KEYWORDS

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "widgetschema.toml").write_text("[files]\n'*.json' = 'countdown'\n")
    (tmp_path / "one.json").write_bytes(BAD)
    return tmp_path


def test_a_code_is_explained(capsys: Capture) -> None:
    result = run(capsys, "explain", "type")
    assert result.code == 0
    assert result.out.startswith("type\n\nA value has an allowed type.\n")
    assert 'bad.json:1:15: type /timerDays: "3" is a string' in result.out

    value = json.loads(run(capsys, "explain", "json.syntax", "--format", "json").out)
    assert (value["code"], value["finding"]) == ("json.syntax", None)
    assert value["repair"]


def test_all_codes_are_listed(capsys: Capture) -> None:
    codes = [line.split()[0] for line in run(capsys, "explain").out.splitlines()]
    assert codes == [one.code for one in reported()]
    assert {*KEYWORDS} <= {*codes}  # what settings and options can name
    value = json.loads(run(capsys, "explain", "--format", "json").out)
    assert [one["code"] for one in value["codes"]] == codes


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("tpye", 'did you mean "type"?'),
        ("title", "'title' is a keyword of schemas, which no finding is about."),
        ("syntax", 'did you mean "json.syntax", "yaml.syntax", "toml.syntax"?'),
        ("yaml", 'did you mean "yaml.syntax", "yaml.aliases", "yaml.version"?'),
        ("date-time", 'the code is "format"'),
        ("nonsense", "all codes are listed by: widgetschema explain"),
        ("\x1b[31m", "Unknown code"),
    ],
)
def test_an_unknown_code(capsys: Capture, code: str, meant: str) -> None:
    result = run(capsys, "explain", code)
    assert (result.code, result.out) == (2, "")
    assert meant in result.err
    assert "\x1b" not in result.err


def test_a_finding_is_explained_by_its_fingerprint(project: Path, capsys: Capture) -> None:
    report = json.loads(run(capsys, "validate", "--format", "json").out)
    [finding] = report["documents"][0]["findings"]
    shown = run(capsys, "explain", finding["fingerprint"])
    assert shown.code == 0
    assert shown.out.startswith(f"one.json:1: type {finding['path']}: ")
    assert "\nA value has an allowed type.\n" in shown.out

    run(capsys, "validate", "--write-baseline")
    shown = run(capsys, "explain", finding["fingerprint"])
    assert shown.out.startswith(
        f"one.json type {finding['path']} (in widgetschema-baseline.json)\n\ntype\n"
    )

    (project / "widgetschema-baseline.json").unlink()
    with (project / "widgetschema.toml").open("a") as file:
        file.write("[[ignores]]\nkeyword = 'type'\nreason = 'old'\n")
    ignored = run(capsys, "explain", finding["fingerprint"])
    assert ignored.out.startswith(f"one.json:1: type {finding['path']}: ")

    unknown = run(capsys, "explain", "0" * 20)
    assert unknown.code == 2
    assert "No finding has the fingerprint 0000" in unknown.err
