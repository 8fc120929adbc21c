"""`widgetschema completion`, and the completions themselves.

A shell asks for completions by running the command with a variable set. The line is incomplete at
that time, so nothing is ever reported: what cannot be completed has no completions. Nothing is
fetched.
"""

from __future__ import annotations

import contextlib
import copy
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)
from click.types import StringParamType

from widgetschema.cli.declared import Options, argument

if TYPE_CHECKING:
    from widgetschema.project.config import Configuration

SHELLS: Final = ("bash", "zsh", "fish")

# A shell may insert a completion as it is. An id such as `$(…)` is not offered, nor one that would
# have to be quoted.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
_TYPE_IDS: Final = ("type_id", "ids")  # the parameters that are ids of widget types
_CODES: Final = ("select", "ignore")  # the parameters that are codes of findings
_FORMATS: Final = "formats"  # the parameter that is a format, perhaps with its file
_FILES: Final = re.compile(r"\b(?:FILE|PATH|OLD|NEW)\b")  # in what the help calls a value
_FOLDERS: Final = re.compile(r"\bDIR\b")


class CompletionOptions(Options):
    """The options of the command."""

    shell: str = argument(type=click.Choice(SHELLS), metavar="SHELL")


@CompletionOptions.command("completion")
def command(options: CompletionOptions) -> int:
    """Print the completion script for a shell: bash (4.4 or newer), zsh or fish.

    For bash, add this line to ~/.bashrc: eval "$(widgetschema completion bash)". For zsh, add the
    same line with zsh to ~/.zshrc, after compinit. For fish, write the script to
    ~/.config/fish/completions/widgetschema.fish.
    """
    root = click.get_current_context().find_root()
    _print(_completer(options.shell, root.command, str(root.info_name)).source())
    return 0


def complete(group: click.Group, name: str, instruction: str) -> int:
    """Print what a shell asked for, and return the exit code: 1 if there is no answer.

    `instruction` is for instance `bash_complete`; the line so far comes in the variables
    COMP_WORDS and COMP_CWORD. Raises `OSError` if standard output cannot be written.
    """
    shell, _, request = instruction.partition("_")
    if shell not in _KINDS or request not in ("complete", "source"):
        return 1
    completer = _completer(shell, group, name)
    try:
        text = completer.complete() if request == "complete" else completer.source()
    except Exception:  # an incomplete line can be wrong in any way
        return 1
    _print(text)
    return 0


def with_completions(command: click.Command) -> click.Command:
    """Return a copy of a command whose files, folders, formats, codes and types can be completed.

    The metavar of a parameter says what it takes: FILE, PATH or DIR.
    """
    copied = copy.copy(command)
    copied.params = [_with_completions(param) for param in command.params]
    return copied


def type_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the ids of widget types that begin so.

    They come from `--schemas` or else from the project, and from the bundled schemas. A folder that
    cannot be read has none.
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


class _Code(StringParamType):
    """A code of findings."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from widgetschema.manual_pages import reported

        return [
            CompletionItem(one.code, help=one.rule)
            for one in reported()
            if one.code.startswith(incomplete)
        ]


class _Codes(StringParamType):
    """Codes that findings in a file can have, with commas: the last one is completed."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from widgetschema.manual_pages import reported

        *named, begun = incomplete.split(",")
        codes = {one.code: one.rule for one in reported() if one.selectable}
        if not codes.keys() >= {*named}:  # what comes before is inserted again, without its quotes
            return []
        return [
            CompletionItem(",".join([*named, code]), help=rule)
            for code, rule in codes.items()
            if code.startswith(begun) and code not in named
        ]


class _Bash(BashComplete):
    """Completions for bash, which passes `--type=x` as three words."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        return [word for word in args if word != "="], incomplete


class _Joined(ShellComplete):
    """Completions for zsh and fish, which replace `--type=x` as one word."""

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


def _with_completions(param: click.Parameter) -> click.Parameter:
    called = param.metavar or ""
    kind: click.ParamType[Any] | None = None
    if param.name in _TYPE_IDS:
        kind = _TypeId()
    elif param.name in _CODES:
        kind = _Codes()
    elif param.name == "code" and isinstance(param, click.Argument):  # --code is of `login`
        kind = _Code()
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


def _completer(shell: str, group: click.Command, name: str) -> ShellComplete:
    variable = f"_{name.upper().replace('-', '_')}_COMPLETE"
    return _KINDS[shell](group, {}, name, variable)


def _ids(ctx: click.Context) -> Iterator[str]:
    from widgetschema.catalog.store import Store, bundled  # only where ids are asked for

    # A folder may be in any state, and the working directory may be gone.
    with contextlib.suppress(Exception):
        yield from _configuration(ctx).data_schemas
    with contextlib.suppress(Exception):
        folders, is_found = _folders(ctx)
        for folder in folders:
            yield from Store(folder, is_found=is_found).ids
    yield from bundled().ids


def _folders(ctx: click.Context) -> tuple[tuple[str, ...], bool]:
    """Return the folders of schemas, and whether they were found rather than named."""
    given = ctx.params.get("schemas")
    if isinstance(given, str):
        return (os.path.expanduser(given),), False
    configuration = _configuration(ctx)
    return configuration.schema_folders, configuration.schemas is None


def _configuration(ctx: click.Context) -> Configuration:
    from widgetschema.cli.settings import load_settings

    config, no_config = ctx.params.get("config"), bool(ctx.params.get("no_config"))
    return load_settings(config, no_config=no_config)


def _print(text: str) -> None:
    """Print bytes: a text stream on Windows would end lines with characters no shell accepts."""
    click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
