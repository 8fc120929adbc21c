"""Options of other tools suggest the one of ours that means the same."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from widgetschema.cli import main
from widgetschema.cli.commands import validate
from widgetschema.cli.main import cli
from widgetschema.cli.synonyms import (
    _ADVICE,
    _ADVICE_OF,
    _COMMAND_OF,
    _COMMANDS,
    _OPTION_OF,
    _SYNONYMS,
)


@pytest.mark.parametrize(
    ("command", "given", "meant"),
    [
        ("validate", "--reporter", "--format"),
        ("validate", "--no-color", "--color"),
        ("validate", "--dry-run", "--diff"),
        ("validate", "--dry_run", "--diff"),
        ("validate", "--schemafile=x.json", "--data-schema"),
        ("validate", "--add-noqa", "--add-ignores"),
        ("validate", "-j", "--jobs"),
        ("types", "--reporter", "--format"),
        ("types", "--workers", None),  # it has no --jobs
        ("validate", "--fromat", "--format"),  # by its spelling, as before
        ("validate", "--no-such-thing-at-all", None),
    ],
)
def test_the_option_that_means_the_same(
    capsys: pytest.CaptureFixture[str], command: str, given: str, meant: str | None
) -> None:
    assert main([command, given]) == 2
    said = capsys.readouterr().err

    assert f"No such option '{given.partition('=')[0]}'." in said
    assert ("Did you mean" in said) is (meant is not None)
    assert meant is None or f"'{meant}'" in said


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ("--exclude", "Set `exclude` in the configuration."),
        ("--per-file-ignores", "--add-ignores writes entries."),
        ("--json", "Pass --format json."),
        ("--exit-non-zero-on-fix", "To fail on what can be fixed, pass --diff in place of --fix."),
        ("--max-warnings=0", "Set `severities` in the configuration."),
        ("--version", "Run: widgetschema --version"),
        ("-V", "Run: widgetschema --version"),
        ("--profile", "Set WIDGETSCHEMA_PROFILE."),
        ("--base_url=x", "Set WIDGETSCHEMA_BASE_URL."),
        ("--errors-only", "Set `severities` in the configuration."),
    ],
)
def test_advice_where_no_option_means_the_same(
    capsys: pytest.CaptureFixture[str], given: str, advice: str
) -> None:
    assert main(["validate", given]) == 2
    assert capsys.readouterr().err.rstrip().endswith(advice)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("check", "validate"),
        ("fix", "validate --fix"),
        ("Rule", "explain"),
        ("version", "--version"),
        ("validat", "validate"),  # by its spelling
        ("tests", "validate PATH"),  # a folder
        ("widgets/sale.json", "validate PATH"),
        ("frobnicate", None),
    ],
)
def test_the_command_that_means_the_same(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    given: str,
    meant: str | None,
) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    assert main([given]) == 2
    said = capsys.readouterr().err
    assert (f"Did you mean {meant!r}?" in said) is (meant is not None)


def test_an_option_before_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--fix", "widgets"]) == 2
    assert "Did you mean 'widgetschema validate --fix'?" in capsys.readouterr().err


def test_every_command_is_one_of_ours() -> None:
    first = {name.partition(" ")[0] for name in _COMMANDS if not name.startswith("-")}
    with click.Context(cli) as context:
        names = {*cli.list_commands(context)}
    assert first - names == set()
    assert not names & {*_COMMAND_OF}


def test_every_word_is_said_once_and_is_no_option() -> None:
    words = [
        word for table in (_SYNONYMS, _ADVICE) for row in table.values() for word in row.split()
    ]
    assert len(words) == len(_OPTION_OF) + len(_ADVICE_OF) == len({*words})
    ours = {name for one in validate.command.params for name in one.opts}
    assert not ours & {*words}


def test_every_option_is_one_of_validate() -> None:
    with click.Context(cli) as context:
        command = cli.get_command(context, "validate")
    assert command is not None
    ours = {name for one in command.params for name in one.opts}
    assert {*_SYNONYMS} - ours == set()


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-V"]) == 0
    assert capsys.readouterr().out.startswith("widgetschema ")


def test_the_format_has_the_name_that_others_give_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", "--output-format", "json"]) == 0
    assert capsys.readouterr().out.startswith("{")
