"""Columns of stored data: read as their newest version, or as they are stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Final, Literal

from widgetschema.cached import cached_property
from widgetschema.errors import MigrationFailed
from widgetschema.evolution.migrate import Migration, MigrationChain
from widgetschema.text import one_line

_QUOTED: Final = 120  # characters of stored data in an error
_AsStored = Literal["none", "failed", "all"]
_AS_STORED: Final[ContextVar[_AsStored]] = ContextVar("widgetschema_as_stored", default="none")


@contextmanager
def reading_as_stored(*, only_failed: bool = False) -> Iterator[None]:
    """Read data as it is stored, without migrating it: in the current thread or task.

    It is for rows that cannot be migrated, so that they can be listed and mended.

    Args:
        only_failed: Migrate the data that can be migrated; read only the rest as it is stored.
    """
    token = _AS_STORED.set("failed" if only_failed else "all")
    try:
        yield
    finally:
        _AS_STORED.reset(token)


Migrations = Sequence[Migration] | Callable[[], Iterable[Migration]]


class Upgrades:
    """The chain of a column of stored data.

    Args:
        migrations: The migrations, oldest first, or a function that returns them, which is called
            when the first row is read.

    Raises:
        ValueError, TypeError: As for `MigrationChain`, unless it is a function.
    """

    def __init__(self, migrations: Migrations) -> None:
        self.migrations: Migrations = (
            migrations if callable(migrations) else MigrationChain(migrations).migrations
        )

    @cached_property
    def chain(self) -> MigrationChain:
        """The chain."""
        given = self.migrations
        return MigrationChain(given() if callable(given) else given)

    def read(self, stored: Any, migrate: Callable[[Any], Any], column: str | None) -> Any:
        """Return stored data, migrated unless `reading_as_stored` is in effect.

        Args:
            stored: The data.
            migrate: Migrates data to the newest version.
            column: The name of the column for the error; None if it is unknown.

        Raises:
            MigrationFailed: If it cannot be migrated. The error names the column and quotes the
                beginning of the data, since libraries do not say which row they read.
        """
        as_stored = _AS_STORED.get()
        if as_stored == "all":
            return stored
        try:
            return migrate(stored)
        except MigrationFailed as error:
            if as_stored == "none":
                raise _with_origin(error, stored, column) from error
            return stored


def _with_origin(error: MigrationFailed, stored: Any, column: str | None) -> MigrationFailed:
    """Return the error with a subject that names the column and quotes the data."""
    text = stored if isinstance(stored, str) else json.dumps(stored, default=repr)
    subject = f"{error.report.subject}, stored as {one_line(text, _QUOTED)}"
    subject = subject if column is None else f"{column}: {subject}"
    return MigrationFailed(replace(error.report, subject=subject), error.status)
