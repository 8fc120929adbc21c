"""`MigrationChain`: data of any earlier version becomes data of the newest one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Final

from widgetschema.errors import MigrationFailed
from widgetschema.evolution.migrate.migration import Migration
from widgetschema.findings import Report
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
            TypeError: If it is not a list of migrations.
        """
        if not isinstance(migrations, Iterable):
            raise TypeError(_NO_LIST.format(type(migrations).__name__))
        self.migrations: Sequence[Migration] = tuple(migrations)
        for one in self.migrations:
            if not isinstance(one, Migration):
                raise TypeError(_NO_LIST.format(f"{type(one).__name__} objects"))
        if not self.migrations:
            raise ValueError("a chain of migrations needs at least one")
        for number, (one, other) in enumerate(pairwise(self.migrations), 2):
            if one.plan.new.digest != other.plan.old.digest:
                is_reversed = one.plan.old.digest == other.plan.new.digest
                raise ValueError(
                    f"migration {number} of {len(self.migrations)} does not start from the schema "
                    "with which the one before it ends: "
                    f"{_ends(other)} does not follow {_ends(one)}; "
                    + ("swap them: the oldest comes first" if is_reversed else _GAP)
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
            raise self._not_old(lambda version: version.check(data))
        for migration in self.migrations[first:]:
            data = migration.apply(data)
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
            raise self._not_old(lambda version: version.check_json(given))
        text = given
        for migration in self.migrations[first:]:
            text = migration.apply_json(text)
        return text.decode() if isinstance(given, str) and isinstance(text, bytes) else text

    def _first(self, accepts: Callable[[Validator], bool]) -> int | None:
        """Return the index of the migration to begin with, the latest whose old schema accepts."""
        for index in reversed(range(len(self.migrations))):
            if accepts(self.migrations[index].old.data):
                return index
        return None

    def _not_old(self, check: Callable[[Validator], Report]) -> MigrationFailed:
        """Return the error for data that no version accepts, with the findings of the nearest."""
        versions = [migration.old.data for migration in self.migrations] + [
            self.migrations[-1].new.data
        ]
        reports = [check(one) for one in reversed(versions)]
        return MigrationFailed(min(reports, key=lambda one: len(one.findings)), "not-old")


_NO_LIST: Final = "migrations must be a list of Migration objects, oldest first, not {}"
_GAP: Final = "the oldest comes first, and none may be missing in between"


def _ends(migration: Migration) -> str:
    old, new = migration.plan.old, migration.plan.new
    return f"{migration.plan.name} ({old.digest[:12]} to {new.digest[:12]})"
