"""The files that a run writes: none of them may be one that it was asked to check."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import Final

import click

from widgetschema.errors import WidgetSchemaError
from widgetschema.project.checking.artifacts import (
    HEAD,
    artifact_kind,
    holds_nothing,
    may_be_ids,
)
from widgetschema.text import printable

_STDIN: Final = 0
_STDOUT: Final = 1


class Outputs:
    """The files that a run writes, by whatever name they are given.

    `reports` are the files of reports and the like, `baseline` the one that is written, if it is;
    `ids` is the report that is a list of ids. Standard output counts where it goes to a file.
    """

    def __init__(
        self, reports: Iterable[str], *, baseline: str | None = None, ids: str | None = None
    ) -> None:
        self.reports = [*reports]
        self._ids = None if ids is None else os.path.realpath(ids)
        self._baseline = None if baseline is None else os.path.realpath(baseline)
        self._reports = set(map(os.path.realpath, self.reports))
        self._paths = self._reports if self._baseline is None else self._reports | {self._baseline}
        found = [_identity(_STDOUT), *(_identity(path) for path in self._paths)]
        self._there = {identity for identity in found if identity is not None}

    def has_report(self, path: str) -> bool:
        """Whether a path is that of a report."""
        return os.path.realpath(path) in self._reports

    def has(self, path: str, status: os.stat_result | None = None) -> bool:
        """Whether a path is that of an output; `status` is what the system says of it, if known."""
        if status is not None:
            return (status.st_dev, status.st_ino) in self._there
        identity = _identity(_STDIN if path == "-" else path) if self._there else None
        if identity is not None:
            return identity in self._there
        return bool(self._paths) and os.path.realpath(path) in self._paths

    def replaces(self, path: str, status: os.stat_result | None = None) -> bool:
        """Whether a selected file is an earlier output, which this run replaces: it is no data.

        Raises a usage error if it is data, which would be lost.
        """
        if not (self._there or self._paths) or not self.has(path, status):
            return False
        if path == "-" or not self._is_earlier(path):
            raise click.UsageError(unwritable(path, "it is to be checked"))
        return True

    def spare(self, path: str, name: str) -> None:
        """Raise a usage error if a file that is going to be read is an output; it is `name`."""
        if self.has(path):
            raise click.UsageError(unwritable(name, "it is to be checked"))

    def _is_earlier(self, path: str) -> bool:
        """Whether a file is what an earlier run has written there, or holds nothing."""
        try:
            with open(path, "rb") as file:
                begin = file.read(HEAD)
        except OSError:  # it is not there yet, and was named as data
            return False
        if holds_nothing(begin) or artifact_kind(begin) is not None:
            return True
        real = os.path.realpath(path)
        if real == self._ids:
            return may_be_ids(begin)
        return real == self._baseline and _is_baseline(path)


def _is_baseline(path: str) -> bool:
    """Whether a file is a baseline, however it is formatted."""
    from widgetschema.project.checking.baseline import Baseline  # few baselines are formatted anew

    try:
        Baseline.load(path)
    except WidgetSchemaError:
        return False
    return True


def unwritable(path: str, why: str) -> str:
    """The sentence for an output that would overwrite what is needed."""
    name = "the file of standard input" if path == "-" else printable(os.path.relpath(path))
    return f"The output cannot be written to {name}: {why}. Give it another name."


def _identity(file: str | int) -> tuple[int, int] | None:
    """What identifies a regular file, whatever it is called."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
