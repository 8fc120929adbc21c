"""`explain`: pages of codes."""

from __future__ import annotations

import json

import pytest

from tests.command import run
from widgetschema.manual_pages import reported
from widgetschema.project.config.rules import KEYWORDS

Capture = pytest.CaptureFixture[str]


def test_a_code_is_explained(capsys: Capture) -> None:
    result = run(capsys, "explain", "type")
    assert result.code == 0
    assert result.out.startswith("type\n\nA value has an allowed type.\n")
    assert 'bad.json:1:15: type /timerDays: "3" is a string' in result.out

    value = json.loads(run(capsys, "explain", "json.syntax", "--format", "json").out)
    assert value["code"] == "json.syntax"
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
