"""Which reporter is meant."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.command import unmeasured
from widgetschema.project.checking.results import Outcome, Summary
from widgetschema.reporters.choosing import FORMATS, Format, auto, parse_format, reporter_for


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("sarif", Format("sarif", None)),
        ("sarif=report.sarif", Format("sarif", "report.sarif")),
        ("junit=-", Format("junit", None)),
        ("markdown=a=b.md", Format("markdown", "a=b.md")),
        ("auto", Format("auto", None)),
        ("json= x ", Format("json", " x ")),
    ],
)
def test_formats_and_their_files(text: str, format: Format) -> None:
    assert parse_format(text) == format


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sarfi", "there is no format 'sarfi'; did you mean 'sarif'?"),
        ("GitHub=x", "there is no format 'GitHub'; did you mean 'github'?"),
        ("xml", "there is no format 'xml' (formats: auto, text, json"),
        ("", "there is no format ''"),
        ("=x", "there is no format ''"),
        ("\x1b[31m", "there is no format '·[31m'"),
        ("y" * 10_000, "there is no format 'yyy"),
        ("sarif=", "the file is missing: write sarif=FILE, or only sarif"),
        ("sarif=a\0b", "the file of the format sarif cannot have NUL in its name"),
    ],
)
def test_what_is_no_format(text: str, message: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011  # the text is compared
        parse_format(text)

    assert str(raised.value).startswith(message)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 250


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "auto"])
def test_every_format_has_a_reporter(name: str) -> None:
    text = reporter_for(name, folder="/").end(Outcome(Summary()))

    assert (text == "") is (name in ("text", "github"))


@pytest.mark.parametrize("name", ["auto", "xml", ""])
def test_no_reporter_for_anything_else(name: str) -> None:
    with pytest.raises(ValueError, match="there is no reporter"):
        reporter_for(name, folder="/")


@pytest.mark.parametrize(
    ("environ", "is_terminal", "name"),
    [
        ({}, True, "text"),
        ({}, False, "text"),
        ({"GITHUB_ACTIONS": "true"}, False, "github"),
        ({"GITHUB_ACTIONS": "true"}, True, "text"),
        ({"GITHUB_ACTIONS": "false"}, False, "text"),
        ({"GITHUB_ACTIONS": ""}, False, "text"),
    ],
)
def test_auto(environ: dict[str, str], is_terminal: bool, name: str) -> None:
    assert auto(environ, is_terminal) == name


def test_choosing_loads_no_reporter() -> None:
    code = (
        "import sys, widgetschema.reporters.choosing as choosing\n"
        "choosing.parse_format('sarif=x'); choosing.auto({}, True)\n"
        "loaded = [name for name in sys.modules if name.startswith('widgetschema.reporters.')]\n"
        "assert loaded == ['widgetschema.reporters.choosing'], loaded\n"
        "assert not {'urllib.parse', 'secrets', 'hashlib'} & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=unmeasured())
