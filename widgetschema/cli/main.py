"""The entry point: finds the command, and prints every error as one line."""

from __future__ import annotations

import gc
import importlib
import io
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from widgetschema.cli.console.output import print_error, print_stderr, reason, stdout_closed
from widgetschema.errors import WidgetSchemaError
from widgetschema.extensions import command_module, extension_commands
from widgetschema.platform.variables import PREFIX
from widgetschema.project.checking.exit_codes import INTERRUPTED, exit_code
from widgetschema.version import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_COLLECT_AFTER: Final = 50_000  # new objects that start the garbage collector
NAME: Final = "widgetschema"
_IS_QUIET: Final = f"{__name__}.is_quiet"  # in the context
_QUIET: Final = re.compile("--quiet|-[a-zA-Z]*q[a-zA-Z]*")
_COMPLETE: Final = "_WIDGETSCHEMA_COMPLETE"  # set by a shell that asks for completions

# Loaded when called, so that no command pays for the imports of another.
_COMMANDS: Final = {
    "bundle": "Write the linked schema of a widget type as one file.",
    "completion": "Print a shell completion script.",
    "config": "Show the settings and where each value comes from.",
    "diff": "Show what changed between schemas and what that breaks.",
    "doctor": "Diagnose the installation and the project.",
    "explain": "Explain a code of findings.",
    "form": "Export the form of a widget type.",
    "init": "Set up a repository: configuration, baseline, CI and pre-commit.",
    "login": "Log in to the platform and store the tokens.",
    "logout": "Remove the stored tokens.",
    "migrate": "Carry data over to a newer schema, following a reviewed plan.",
    "pull": "Download schemas into the project.",
    "sample": "Generate valid or nearly valid data from a schema.",
    "status": "Show the stored tokens and when they expire.",
    "translations": "List the languages of forms, or check a translation.",
    "types": "List the widget types.",
    "validate": "Check widget data against its schema.",
    "widgets": "List the widgets of the account.",
    **extension_commands(),
}


def _begin_debugging(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from widgetschema.cli.console.debug import begin

        begin(ctx)


_DEBUG: Final = click.Option(  # every command has it
    ["-v", "--debug"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_begin_debugging,
    help="Print requests and uses of caches to standard error.",
)


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        name = command_module(cmd_name) or f"widgetschema.cli.commands.{cmd_name}"
        module = importlib.import_module(name)
        command: click.Command = module.command
        for one in (command, *getattr(command, "commands", {}).values()):
            if _DEBUG not in one.params:
                one.params.append(_DEBUG)
        if ctx.resilient_parsing:  # a shell asks for completions
            from widgetschema.cli.commands.completion import with_completions

            return with_completions(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        # click would load every command for its help.
        named = [
            CompletionItem(name, help=help)
            for name, help in sorted(_COMMANDS.items())
            if name.startswith(incomplete)
        ]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click would print an empty line first
            print_error("interrupted")
            return INTERRUPTED

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from widgetschema.cli.synonyms import command_like
            from widgetschema.suggest import nearest

            like = command_like(args[0])
            close = [like] if like is not None else nearest(args[0], _COMMANDS)
            meant = f" Did you mean {close[0]!r}?" if close else ""
            known = ", ".join(sorted(_COMMANDS))
            ctx.fail(f"No such command {args[0]!r}.{meant} (Commands: {known})")
        # Its options are parsed after the group is invoked, which prints notes.
        options = args[: args.index("--")] if "--" in args else args
        ctx.meta[_IS_QUIET] = any(map(_QUIET.fullmatch, options))
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"widgetschema {__version__}")
        ctx.exit()


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "-V",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Check widget data against its JSON Schema, generate data, and manage the schemas.

    Exit codes: 0 success, 1 invalid data (or drift), 2 usage, 3 unreadable input, 4 schema
    problem, 5 network or authentication; the highest that applies.
    """
    if ctx.invoked_subcommand is None:
        print_stderr(ctx.get_help())
        ctx.exit(2)
    if not ctx.meta[_IS_QUIET] and any(name.startswith(PREFIX) for name in os.environ):
        from widgetschema.cli.settings import unknown_variables

        note = unknown_variables(os.environ)
        if note is not None:
            print_error(note)


cli.params.append(_DEBUG)  # before the command, too


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code; `arguments` default to those of the process."""
    if arguments is not None:
        return _run(arguments)
    # What is loaded now stays: searching it for cycles would take a tenth of a short run, and
    # searching everything when the interpreter ends another tenth.
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, *gc.get_threshold()[1:])
    code = _run(None)
    gc.freeze()
    return code


def _run(arguments: Sequence[str] | None) -> int:
    """Run the command and return the exit code, with every error printed as one line."""
    try:
        if instruction := os.environ.get(_COMPLETE):  # else click would leave by `sys.exit`
            from widgetschema.cli.commands.completion import complete

            return complete(cli, NAME, instruction)
        with _warnings_printed():
            code: int = cli.main(args=arguments, prog_name=NAME, standalone_mode=False)
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):
            from widgetschema.cli.synonyms import with_meaning

            error = with_meaning(error)
        shown = io.StringIO()
        error.show(shown)
        print_stderr(shown.getvalue().rstrip())
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        print_error("interrupted")
        code = INTERRUPTED
    except WidgetSchemaError as error:
        print_error(str(error))
        code = exit_code(error)
    except ImportError as error:  # a required library; an optional one raises `MissingExtra`
        print_error(f"the installation is incomplete: {error}; run: widgetschema doctor")
        code = 2
    except SystemExit:  # how click leaves when its own text meets a closed pipe
        code = stdout_closed(BrokenPipeError())
    except OSError as error:
        if error.filename is None:
            code = stdout_closed(error)
        else:
            print_error(f"{error.filename}: {reason(error)}")
            code = 3
    return code


@contextmanager
def _warnings_printed() -> Iterator[None]:
    """Print each warning, such as one of a date outside of the horizon, once, as a message."""
    printed: set[str] = set()

    def print_once(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in printed:
            printed.add(str(message))
            print_error(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = print_once
        yield
