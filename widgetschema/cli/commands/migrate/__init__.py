"""`widgetschema migrate`: carries data over to a newer schema; each command has its module."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from widgetschema.cli.commands.migrate import check, plan, test
from widgetschema.cli.console.output import print_stderr, write_output
from widgetschema.cli.declared import Options, option
from widgetschema.extensions import command_module, extension_commands

_GROUP: Final = "migrate"


class MigrateOptions(Options):
    """The options of the group."""

    is_schema: bool = option("--schema", help="Print the JSON Schema of plan files.")


@MigrateOptions.group(_GROUP, invoke_without_command=True)
def command(options: MigrateOptions) -> int:
    """Carry data over to a newer schema, following a plan that you have reviewed.

    A plan is a TOML file of steps: rename, move, map values, and more. Only what the steps change
    differs afterwards: every other byte of a file stays as it was.
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is not None:
        return 0
    if not options.is_schema:
        print_stderr(ctx.get_help())
        return 2
    from widgetschema.evolution.migrate import plan_schema
    from widgetschema.jsontext import dump

    return write_output(dump(plan_schema()))


for _module in (plan, check, test):
    command.add_command(_module.command)
for _name in extension_commands(_GROUP):
    command.add_command(import_module(command_module(f"{_GROUP} {_name}") or "").command)
