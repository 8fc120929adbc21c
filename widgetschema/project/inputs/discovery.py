"""From inputs (names, folders, globs, addresses, `-`) to the files that they stand for.

Whatever cannot be read becomes a `Problem` in its place; nothing here stops a run.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.inputs.formats import is_data_name
from widgetschema.project.inputs.model import File

if TYPE_CHECKING:
    from widgetschema.project.inputs.sources import RemoteFile

NOT_REGULAR: Final = "not a regular file (to read a pipe, use: - < PIPE)"
_SCHEMAS: Final = "schemas"  # a folder of this name with a manifest in it holds no data
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(://|::.*://)")
_UNREADABLE: Final = 3


def is_address(name: str) -> bool:
    """Return whether a name is an address, not a path."""
    return _ADDRESS.match(name) is not None


def find_files(
    paths: Iterable[str],
    schemas: str | None = None,
    excludes: Callable[[str], bool] = lambda path: False,
) -> list[File | Problem]:
    """Return the files that paths stand for (names, folders, globs, `-`), each once, in order.

    A pipe, a device or a socket is a problem where it is found, or has the name of a data file. One
    that is named otherwise, such as /dev/stdin or <(command), is read. `schemas` is a folder that
    holds no data, wherever it is found; `excludes` says which files are passed over unless they are
    named one by one.
    """
    return [*_find_files(paths, _Search(schemas, excludes, None))]


def find_inputs(
    inputs: Iterable[str],
    schemas: str | None,
    excludes: Callable[[str], bool],
    others: Callable[[File | RemoteFile], None],
) -> Iterator[File | RemoteFile | Problem]:
    """Yield what inputs stand for, addresses included, in order; of a run of paths, each file once.

    `schemas` and `excludes` as for `find_files`. `others` is called with the files in folders whose
    names do not say that they are JSON, and with links to other folders, which are not followed.
    Raises `MissingExtra` for an address without the extra `audit`.
    """
    search = _Search(schemas, excludes, lambda name: others(File(name)))
    for is_path, group in groupby(_located(inputs, others), lambda one: isinstance(one, str)):
        if is_path:
            yield from _find_files(cast("Iterator[str]", group), search)
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
        from widgetschema.project.inputs.addresses import find_remote
        from widgetschema.project.inputs.sources import RemoteFile

        for found in find_remote(name, others):
            if isinstance(found, RemoteFile) and found.is_local:
                yield found.address
            else:
                yield found


def _find_files(paths: Iterable[str], search: _Search) -> Iterator[File | Problem]:
    return _once(found for path in paths for found in _expand(path, search))


class _Search(NamedTuple):
    """The rules for folders: see `find_files` and `find_inputs`."""

    schemas: str | None
    excludes: Callable[[str], bool]
    others: Callable[[str], None] | None


def files_named(names: Iterable[str]) -> list[File | Problem]:
    """Return the files with these names and their status; each once, whatever its names."""
    return [*_once(_found(name, _status(name)) for name in names)]


def _once(files: Iterable[tuple[str, os.stat_result | None] | Problem]) -> Iterator[File | Problem]:
    met: dict[tuple[int, int], str] = {}
    places: set[str] = set()  # real paths, only of files that have several names: they cost time
    for file in files:
        if isinstance(file, Problem):
            yield file
            continue
        name, status = file
        number = (0, 0) if status is None else (status.st_dev, status.st_ino)
        if number in met:
            places.add(os.path.realpath(met[number]))
            place = os.path.realpath(name)
            if place in places:
                continue
            places.add(place)
        met[number] = name
        plain = status is not None and stat.S_ISREG(status.st_mode)
        yield File(name, status if plain else None)


def _status(name: str) -> os.stat_result | None:
    """Return the status of a file; None if there is none: opening it will say why."""
    try:
        return None if name == "-" else os.stat(name)
    except (OSError, ValueError):
        return None


def _found(name: str, status: os.stat_result | None) -> tuple[str, os.stat_result | None] | Problem:
    """Return a file that was found, not named; a problem if it is a pipe or a device."""
    mode = 0 if status is None else status.st_mode
    if mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return Problem(name, NOT_REGULAR, _UNREADABLE)
    return name, status


def _expand(path: str, search: _Search) -> Iterator[tuple[str, os.stat_result | None] | Problem]:
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        is_empty = True

        def other(file: str) -> None:
            nonlocal is_empty
            if search.others is not None:
                is_empty = False
                search.others(file)

        for found in _walk(path, search._replace(others=other)):  # may be a million
            is_empty = False
            yield found
        if is_empty:
            yield Problem(path, "there is no JSON file in this folder", _UNREADABLE)
    elif status is None and any(map(path.__contains__, "*?[")) and not os.path.lexists(path):
        yield from _matching(path, search)
    else:
        yield _found(path, status) if is_data_name(path) else (path, status)


def _matching(
    pattern: str, search: _Search
) -> Iterator[tuple[str, os.stat_result | None] | Problem]:
    import glob  # most arguments are plain names

    found: list[tuple[str, os.stat_result | None] | Problem] = []
    any_folder = False
    for match in sorted(glob.glob(pattern, recursive=True)):
        if os.path.isdir(match):
            any_folder = True
            found += _walk(match, search)
        elif not search.excludes(match):
            found.append(_found(match, _status(match)))
    if found or (search.others is not None and any_folder):
        yield from found
        return
    yield from [Problem(pattern, "no file matches this pattern", _UNREADABLE)]


def _walk(folder: str, search: _Search) -> Iterator[tuple[str, os.stat_result | None] | Problem]:
    """Yield the JSON files below a folder, but not in hidden folders and stores of schemas."""
    errors: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if search.others is not None:
            for inner in (os.path.join(root, name) for name in folders):
                if _leads_out(inner, folder) and not search.excludes(inner):
                    search.others(inner)
        if _holds_schemas(root, files, search.schemas):
            folders.clear()
            if root == folder:
                yield Problem(folder, "this folder holds schemas, not data", _UNREADABLE)
            continue
        for name in sorted(files):
            file = os.path.join(root, name)
            if name.startswith("."):
                continue
            if is_data_name(name):
                if not search.excludes(file):
                    yield _found(file, _status(file))
            elif search.others is not None and not search.excludes(file):
                search.others(file)
    for error in errors:
        yield Problem(error.filename, reason(error), _UNREADABLE)


def _leads_out(path: str, folder: str) -> bool:
    """Return whether a path is a link, not followed, to what is not below the folder anyway."""
    if not os.path.islink(path):
        return False
    real, top = os.path.realpath(path), os.path.realpath(folder)
    return real != top and not real.startswith(os.path.join(top, ""))


def _holds_schemas(folder: str, files: list[str], schemas: str | None) -> bool:
    if schemas is not None and os.path.realpath(folder) == os.path.realpath(schemas):
        return True
    if os.path.basename(os.path.realpath(folder)) != _SCHEMAS:
        return False
    from widgetschema.catalog.store import MANIFEST  # few folders are called so

    return MANIFEST in files
