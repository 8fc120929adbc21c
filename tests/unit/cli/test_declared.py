"""Options of commands that are declared once."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from widgetschema.cli.declared import Options, argument, option, setting_option

LOUD = option("--loud", "-l", is_flag=True, help="Shout.", excludes=("quiet",))
seen: list[Greeting] = []


class Voice(Options):
    loud: bool = LOUD
    quiet: bool = option("--quiet", is_flag=True, help="Whisper.")


class Greeting(Voice):
    names: tuple[str, ...] = argument(nargs=-1)
    times: int = option("--times", type=click.IntRange(1), default=1, help="Repeat.")
    engine: str | None = setting_option("engine")
    no_formats: bool = setting_option("formats")


@Greeting.command("greet")
def command(options: Greeting) -> int:
    """Greet NAMES."""
    seen.append(options)
    return 0


def run(*arguments: str) -> tuple[int, str]:
    seen.clear()
    result = CliRunner().invoke(command, arguments)
    return result.exit_code, result.output


def test_a_command_gets_its_options() -> None:
    assert run("a", "b", "--times", "2", "-l") == (0, "")
    [options] = seen
    assert (options.names, options.times) == (("a", "b"), 2)
    assert (options.loud, options.quiet, options.engine) == (True, False, None)


def test_defaults_are_those_of_the_command() -> None:
    run()
    [options] = seen
    made = Greeting()
    assert {name: getattr(options, name) for name in Greeting.declared} == {
        name: getattr(made, name) for name in Greeting.declared
    }


def test_the_help_has_own_options_first() -> None:
    code, text = run("--help")
    places = [text.index(name) for name in ("Greet NAMES", "--times", "--engine", "-l, --loud")]
    assert code == 0
    assert places == sorted(places)


def test_options_that_exclude_each_other() -> None:
    code, text = run("--loud", "--quiet")
    assert (code, seen) == (2, [])
    assert "--loud and --quiet cannot be combined." in text


def test_options_give_settings() -> None:
    run("--engine", "python", "--no-formats")
    assert seen[0].given_settings == {"engine": "python", "formats": False}
    assert Greeting().given_settings == {}


def test_values_do_not_change() -> None:
    options = Greeting(times=3)
    with pytest.raises(AttributeError, match="times"):
        options.times = 4
    with pytest.raises(TypeError, match="time"):
        Greeting(time=3)
    assert (options.replace(loud=True).loud, options.replace(loud=True).times) == (True, 3)
