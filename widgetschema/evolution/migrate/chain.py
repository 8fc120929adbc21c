"""`MigrationChain`: data of any earlier version becomes data of the newest one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from widgetschema.errors import MigrationFailed
from widgetschema.evolution.migrate.migration import Migration
from widgetschema.jsontext import Text, json_text
from widgetschema.validation import Validator


class MigrationChain:
    """Migrations one after the other, for data of which the version is not stored.

    The version is recognised by the schemas, the newest one first: data that the newest schema
    accepts is returned as it is, whatever else accepts it. Other data is of the newest version
    whose schema accepts it, and goes through the migrations from there.
    """

    def __init__(self, migrations: Iterable[Migration]) -> None:
        """Prepare a chain.

        Args:
            migrations: The migrations, oldest first; each begins where the one before it ends.

        Raises:
            ValueError: If there is none, or one begins elsewhere.
        """
        self.migrations: Sequence[Migration] = tuple(migrations)
        if not self.migrations:
            raise ValueError("a chain of migrations needs at least one")
        for one, other in pairwise(self.migrations):
            if one.plan.new.digest != other.plan.old.digest:
                raise ValueError(
                    f"the migration of {other.plan.name} begins with another schema "
                    f"({other.plan.old.digest[:12]}) than that of {one.plan.name} ends with "
                    f"({one.plan.new.digest[:12]})"
                )

    def apply(self, data: Any) -> Any:
        """Return data as the newest schema wants it; the same value if it is so already.

        Args:
            data: The data, as Python values.

        Returns:
            The data, or new Python values.

        Raises:
            MigrationFailed: If no schema accepts the data, or a migration fails.
        """
        newest = self.migrations[-1].new.data
        if newest.is_valid(data):
            return data
        first = self._first(lambda old: old.is_valid(data))
        if first is None:
            raise MigrationFailed(newest.check(data), "not-old")
        for one in self.migrations[first:]:
            data = one.apply(data)
        return data

    def apply_json(self, raw: Text) -> bytes | str:
        """Return a JSON text as the newest schema wants it; what need not change stays, every byte.

        Args:
            raw: The JSON text, as UTF-8 bytes or a str.

        Returns:
            The text, a str if that was given.

        Raises:
            MigrationFailed: If no schema accepts the data, or a migration fails.
        """
        given = json_text(raw)
        newest = self.migrations[-1].new.data
        if newest.is_valid_json(given):
            return given
        first = self._first(lambda old: old.is_valid_json(given))
        if first is None:
            raise MigrationFailed(newest.check_json(given), "not-old")
        text = given
        for one in self.migrations[first:]:
            text = one.apply_json(text)
        return text.decode() if isinstance(given, str) and isinstance(text, bytes) else text

    def _first(self, accepts: Callable[[Validator], bool]) -> int | None:
        """Return the index of the migration to begin with, the latest whose old schema accepts."""
        for index in reversed(range(len(self.migrations))):
            if accepts(self.migrations[index].old.data):
                return index
        return None


_AS_STORED: Final = ContextVar("widgetschema_as_stored", default=False)


@contextmanager
def reading_as_stored() -> Iterator[None]:
    """Read data as it is stored, without migrating it: in the current thread or task.

    It is for rows that cannot be migrated, so that they can be listed and mended.
    """
    token = _AS_STORED.set(True)
    try:
        yield
    finally:
        _AS_STORED.reset(token)


Migrations = Sequence[Migration] | Callable[[], Iterable[Migration]]


class Upgrades:
    """The chain of a column of stored data, made when the first row is read.

    Args:
        migrations: The migrations, oldest first, or a function that returns them.
    """

    def __init__(self, migrations: Migrations) -> None:
        self._migrations = migrations

    @cached_property
    def chain(self) -> MigrationChain:
        """The chain."""
        given = self._migrations
        return MigrationChain(given() if callable(given) else given)

    @property
    def is_active(self) -> bool:
        """True unless data is read as it is stored."""
        return not _AS_STORED.get()
