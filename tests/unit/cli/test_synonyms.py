"""Options of other tools suggest the one of ours that means the same."""

from __future__ import annotations

import click
import pytest

from widgetschema.cli import main
from widgetschema.cli.commands import validate
from widgetschema.cli.main import cli
from widgetschema.cli.synonyms import _OPTION_OF, _SYNONYMS


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


def test_every_word_is_said_once_and_is_no_option() -> None:
    words = [word for words in _SYNONYMS.values() for word in words.split()]
    assert len(words) == len(_OPTION_OF)
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
