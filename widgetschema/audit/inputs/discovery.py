"""From inputs (names, folders, globs, addresses, `-`) to the files that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Final, cast

from widgetschema.audit.inputs.sources import RemoteFile
from widgetschema.project.checking.results import Problem
from widgetschema.project.inputs.discovery import find_files, is_address
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.model import File

DATABASES: Final = ("postgresql://", "postgres://")
_SQLITE: Final = "sqlite:///"  # and a path


def find_inputs(
    inputs: Iterable[str], search: Search, others: Callable[[File | RemoteFile], None]
) -> Iterator[File | RemoteFile | Problem]:
    """Yield what inputs stand for, addresses included, in order; of a run of paths, each file once.

    `others` is called with the files in folders whose names do not say that they are JSON, and with
    links to other folders, which are not followed. Raises `MissingExtra` for an address without the
    extra `audit`.
    """
    search = search._replace(others=lambda name: others(File(name)))
    for is_path, group in groupby(_located(inputs, others), lambda one: isinstance(one, str)):
        if is_path:
            yield from find_files(cast("Iterator[str]", group), search)
        else:
            yield from cast("Iterator[RemoteFile | Problem]", group)


def _located(
    inputs: Iterable[str], others: Callable[[RemoteFile], None]
) -> Iterator[str | RemoteFile | Problem]:
    """Yield the paths among the inputs as they are, and what the addresses stand for."""
    for name in inputs:
        if not is_address(name):
            yield name
            continue
        if name.startswith(_SQLITE):
            yield name.removeprefix(_SQLITE)
            continue
        if name.startswith(DATABASES):
            yield RemoteFile(name)
            continue
        from widgetschema.audit.inputs.addresses import find_remote

        for found in find_remote(name, others):
            if isinstance(found, RemoteFile) and found.is_local:
                yield found.address
            else:
                yield found
