"""Shell completion: `widgetschema completion`, and the answers when a shell asks at a Tab.

A shell asks by running the command with a variable set. Whoever presses Tab has half a line, and
wants no message: what cannot be completed has no completions. Nothing is fetched.
"""

from __future__ import annotations

import contextlib
import copy
import os
import re
from collections.abc import Iterator
from typing import Any, Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)
from click.types import StringParamType

from widgetschema.cli.main import COMPLETE, NAME

SHELLS: Final = ("bash", "zsh", "fish")

# A shell may put what is offered into the line as it is. A schema that somebody else named
# `$(…)` is not offered, nor one that the line would have to quote.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
_TYPE_IDS: Final = ("type_id", "ids")  # the parameters that are ids of widget types
_FORMATS: Final = "formats"  # the parameter that is a format, perhaps with its file
_FILES: Final = re.compile(r"\b(?:FILE|PATH|OLD|NEW)\b")  # in what the help calls a value
_FOLDERS: Final = re.compile(r"\bDIR\b")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
def command(shell: str) -> int:
    """Print the completion script for a shell: bash (4.4 or newer), zsh or fish.

    For bash, put this into ~/.bashrc: eval "$(widgetschema completion bash)". For zsh, the same
    with zsh into ~/.zshrc, after compinit. For fish, write the script to
    ~/.config/fish/completions/widgetschema.fish.
    """
    root = click.get_current_context().find_root().command
    _print(_KINDS[shell](root, {}, NAME, COMPLETE).source())
    return 0


def complete(group: click.Group, instruction: str) -> int:
    """Answer a shell: `instruction` is such as `bash_complete`; the exit code, 1 for no answer.

    The line so far comes in the variables COMP_WORDS and COMP_CWORD. Raises `OSError` if standard
    output takes nothing.
    """
    shell, _, request = instruction.partition("_")
    kind = _KINDS.get(shell)
    if kind is None or request not in ("complete", "source"):
        return 1
    completer = kind(group, {}, NAME, COMPLETE)
    try:
        text = completer.complete() if request == "complete" else completer.source()
    except Exception:  # half a line can be wrong in any way, and nobody waits for a message
        return 1
    _print(text)
    return 0


def completing(command: click.Command) -> click.Command:
    """A copy of a command whose files, folders and type ids a shell can complete.

    What a value is, is known by what the help calls it: FILE, PATH, DIR.
    """
    copied = copy.copy(command)
    copied.params = [_completing(param) for param in command.params]
    return copied


def type_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The ids of the widget types at hand that begin like this.

    They are of `--schemas`, else of the project, then the bundled ones. What cannot be read has
    none.
    """
    found = dict.fromkeys(_ids(ctx))
    plain = [id for id in found if _PLAIN.fullmatch(id)]
    return [CompletionItem(id) for id in plain if id.startswith(incomplete)]


class _TypeId(StringParamType):
    """The id of a widget type."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return type_ids(ctx, param, incomplete)


class _ReportFormat(StringParamType):
    """The name of a report format."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from widgetschema.project.report_formats import completions

        return [CompletionItem(name) for name in completions(incomplete)]


class _Bash(BashComplete):
    """bash takes `--type=x` for three words; the one between is no word of ours."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        return [word for word in args if word != "="], incomplete


class _Joined(ShellComplete):
    """zsh and fish take `--type=x` for one word, and put what is offered in the place of it."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        found = super().get_completions(args, incomplete)
        option, equals, _ = incomplete.partition("=")
        if equals and option.startswith("--") and "--" not in args:
            for item in found:
                item.value = f"{option}={item.value}"
        return found


class _Zsh(_Joined, ZshComplete):
    pass


class _Fish(_Joined, FishComplete):
    # Click's script ends a text at its first comma.
    source_template = FishComplete.source_template.replace(
        'string split ","', 'string split --max 1 ","'
    )


_KINDS: Final[dict[str, type[ShellComplete]]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


def _completing(param: click.Parameter) -> click.Parameter:
    called = param.metavar or ""
    kind: click.ParamType[Any] | None = None
    if param.name in _TYPE_IDS:
        kind = _TypeId()
    elif param.name == _FORMATS:
        kind = _ReportFormat()
    elif _FILES.search(called):
        kind = click.Path()
    elif _FOLDERS.search(called):
        kind = click.Path(file_okay=False)
    if kind is None or not isinstance(param.type, StringParamType):
        return param
    copied = copy.copy(param)
    copied.type = kind
    return copied


def _ids(ctx: click.Context) -> Iterator[str]:
    from widgetschema.catalog.store import Store, bundled  # only where ids are asked for

    # A folder of somebody else is in whatever state; the working directory may be gone.
    with contextlib.suppress(Exception):
        folders, is_found = _folders(ctx)
        for folder in folders:
            yield from Store(folder, is_found=is_found).ids
    yield from bundled().ids


def _folders(ctx: click.Context) -> tuple[tuple[str, ...], bool]:
    """The folders of schemas, and whether they were only found."""
    from widgetschema.cli.settings import load_settings

    given = ctx.params.get("schemas")
    if isinstance(given, str):
        return (os.path.expanduser(given),), False
    config, no_config = ctx.params.get("config"), bool(ctx.params.get("no_config"))
    settled = load_settings(config, no_config=no_config)
    return settled.schema_folders, settled.schemas is None


def _print(text: str) -> None:
    """Bytes, since a text stream of Windows would end lines in a way that no shell takes."""
    click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
