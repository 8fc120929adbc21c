"""`widgetschema migrate`: carry stored data over when a schema changes."""

from __future__ import annotations

import click

from widgetschema.cli.commands.migrate import apply, revert


@click.group("migrate")
def command() -> None:
    """Carry stored data over when a schema changes, by the steps of a plan file."""


for _module in (apply, revert):
    command.add_command(_module.command)
