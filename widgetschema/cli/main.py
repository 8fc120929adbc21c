"""The command's entry: finds the subcommand, and makes one clean line of every error."""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from typing import Any, Final

import click

from widgetschema.cli.output import complain, lost, reason, say
from widgetschema.errors import (
    EngineUnavailable,
    InvalidTypeId,
    LoginRequired,
    MissingExtra,
    NotAvailableOffline,
    PlatformError,
    SchemaError,
    StoreError,
    TokenStorageError,
    UnknownWidgetType,
    UnreadableDocument,
    WidgetSchemaError,
)

# Exit codes: 0 fine, 1 invalid data, 2 usage, 3 unreadable input, 4 schema, 5 network and login.
EXIT_CODES: Final[tuple[tuple[type[WidgetSchemaError], int], ...]] = (
    (UnknownWidgetType, 2),
    (EngineUnavailable, 2),
    (MissingExtra, 2),
    (UnreadableDocument, 3),
    (SchemaError, 4),
    (StoreError, 4),
    (InvalidTypeId, 2),
    (PlatformError, 5),
    (LoginRequired, 5),
    (TokenStorageError, 5),
    (NotAvailableOffline, 5),
)
INTERRUPTED: Final = 130  # as shells say it: 128 + SIGINT

# Loaded when called, so that no command pays for the imports of another.
_COMMANDS: Final = {
    "bundle": ("widgetschema.cli.bundle", "The linked schema of a widget type, as one file."),
    "diff": ("widgetschema.cli.diff", "What changed between schemas, and whom it breaks."),
    "login": ("widgetschema.cli.login", "Obtain tokens of the platform, and keep them."),
    "logout": ("widgetschema.cli.logout", "Remove the tokens that are kept."),
    "pull": ("widgetschema.cli.pull", "Schemas from the platform, into the project's folder."),
    "sample": ("widgetschema.cli.sample", "Data made from a schema: valid, or nearly so."),
    "sandbox": ("widgetschema.cli.sandbox", "A local stand-in of the platform."),
    "status": ("widgetschema.cli.status", "Where the tokens are, and how old."),
    "types": ("widgetschema.cli.types", "The widget types there are."),
    "validate": ("widgetschema.cli.validate", "Check widget data against its schema."),
    "widgets": ("widgetschema.cli.widgets", "The widgets of the account."),
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(_COMMANDS[cmd_name][0])
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help) for name, (_, help) in sorted(_COMMANDS.items())])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # click's own answer begins with an empty line
            complain("interrupted")
            return INTERRUPTED

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from widgetschema.words import nearest

            close = nearest(args[0], _COMMANDS)
            meant = f" Did you mean {close[0]!r}?" if close else ""
            known = ", ".join(sorted(_COMMANDS))
            ctx.fail(f"No such command {args[0]!r}.{meant} (Commands: {known})")
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"widgetschema {version('widgetschema')}")
        except PackageNotFoundError:
            click.echo("widgetschema, not installed: a checkout")
        ctx.exit()


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Check widget data by its JSON Schema, make data from it; fetch and compare such schemas.

    Exit codes: 0 fine, 1 invalid data (or drift), 2 usage, 3 unreadable input, 4 schema problem,
    5 network or login; the highest that applies.
    """
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())
        ctx.exit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code. `arguments` default to the process's own."""
    try:
        code: int = cli.main(args=arguments, prog_name="widgetschema", standalone_mode=False)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        say(shown.getvalue().rstrip())
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        code = INTERRUPTED
    except WidgetSchemaError as error:
        complain(str(error))
        code = exit_code(error)
    except SystemExit:  # how click leaves when its own text meets a closed pipe
        code = lost(BrokenPipeError())
    except OSError as error:
        if error.filename is None:
            code = lost(error)
        else:
            complain(f"{error.filename}: {reason(error)}")
            code = 3
    return code


def exit_code(error: WidgetSchemaError) -> int:
    """The exit code for an error."""
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), 1)
