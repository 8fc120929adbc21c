"""The option `-v`, `--debug`: the log of the package on standard error, one line for each event."""

from __future__ import annotations

import logging
from typing import Any, Final

import click

from widgetschema.cli.console.output import DEBUG, print_stderr
from widgetschema.text import printable

_LOGGER: Final = logging.getLogger("widgetschema")


class _StandardError(logging.Handler):
    """Prints each record as one line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record. The package logs no secrets."""
        print_stderr(f"{record.levelname.lower()}: {printable(record.getMessage())}")


def begin(ctx: click.Context) -> None:
    """Print the log until the command ends."""
    root = ctx.find_root()
    if any(isinstance(one, _StandardError) for one in _LOGGER.handlers):
        return  # the option was given twice
    root.meta[DEBUG] = True
    handler, level = _StandardError(), _LOGGER.level
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.DEBUG)

    def end() -> Any:
        """Leave the logger as it was."""
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)

    root.call_on_close(end)
