"""From inputs (names, folders, globs, `-`) to the files that they stand for.

Whatever cannot be read becomes a `Problem` in its place; nothing here stops a run.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from widgetschema.project.checking.results import Problem
from widgetschema.project.config.folder_rules import DATA_SUFFIXES, FolderRules
from widgetschema.project.config.globs import GlobError, has_wildcard, parse_glob
from widgetschema.project.inputs.folders import (
    HIDDEN,
    IGNORED,
    Folder,
    FolderWalk,
    Search,
    excluded_by,
    holds_schemas,
    ignored_files,
    names_below,
    why_no_source,
)
from widgetschema.project.inputs.formats import is_data_name, is_json_name
from widgetschema.project.inputs.model import File, Skipped

NOT_REGULAR: Final = "not a regular file (to read a pipe, use: - < PIPE)"
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(://|::.*://)")
_HERE: Final = os.path.join(os.curdir, "")

# A name, its status, whether it may be untyped, whether it is in a folder that was named.
_Found = tuple[str, os.stat_result | None, bool, bool]


def is_address(name: str) -> bool:
    """Return whether a name is an address, not a path."""
    return _ADDRESS.match(name) is not None


def find_files(paths: Iterable[str], search: Search | None = None) -> list[File | Problem]:
    """Return the files that paths stand for (names, folders, globs, `-`), each once, in order.

    A pipe, a device or a socket is a problem where it is found, or has the name of a data file. One
    that is named otherwise, such as /dev/stdin or <(command), is read.
    """
    search = search or Search()
    return [*_once(found for path in paths for found in _expand(path, search))]


def find_in_folder(folder: str, search: Search) -> list[File | Problem]:
    """Return the files below a folder, each once; there need not be any."""
    return [*_once(_in_folder(folder, search))]


def find_matching(folder: str, pattern: str, search: Search) -> Iterator[File | Problem]:
    """Yield the files below a folder that a pattern of the configuration matches."""
    glob = parse_glob(pattern)
    yield from _once(_in_folder(folder, search, FolderRules(((glob, glob.start()),))))


def as_found(files: Iterable[File | Problem], search: Search) -> list[File | Problem]:
    """Return named files by the rules for those in folders, as far as their paths decide."""
    files = [*files]
    named = [one.name for one in files if isinstance(one, File) and _is_named(one)]
    ignored = ignored_files(named, search.warn) if search.ignore_files and named else frozenset()
    kept: list[File | Problem] = []
    for file in files:
        if isinstance(file, Problem) or not _is_named(file):
            kept.append(file)
            continue
        path = os.path.abspath(file.name)
        above, name = os.path.split(path)
        rules, names = search.rules_in(above), names_below(search.root, path)
        excluding, is_mapped = rules.excludes(name), rules.maps(name) is not None
        no_source = why_no_source(path, search.root) if search.ignore_files else None
        if excluding is not None:
            search.skip(Skipped(file.name, excluded_by(excluding), is_expected=True))
        elif file.name in ignored:
            search.skip(Skipped(file.name, IGNORED, is_expected=True))
        elif no_source is not None:
            search.skip(Skipped(file.name, no_source))
        elif not is_mapped and any(one.startswith(".") for one in names):
            search.skip(Skipped(file.name, HIDDEN, is_expected=True))
        else:
            kept.append(file._replace(only_typed=search.only_typed and not is_mapped))
    return kept


def _is_named(file: File) -> bool:
    return file.name != "-" and not file.only_typed


def files_named(names: Iterable[str]) -> list[File | Problem]:
    """Return the files with these names and their status; each once, whatever its names."""
    return [*_once(_found(name, _status(name)) for name in names)]


def _once(files: Iterable[_Found | Problem]) -> Iterator[File | Problem]:
    met: dict[tuple[int, int], str] = {}
    places: set[str] = set()  # real paths, only of files that have several names: they cost time
    for file in files:
        if isinstance(file, Problem):
            yield file
            continue
        name, status, only_typed, is_meant = file
        number = (0, 0) if status is None else (status.st_dev, status.st_ino)
        if number in met:
            places.add(os.path.realpath(met[number]))
            place = os.path.realpath(name)
            if place in places:
                continue
            places.add(place)
        met[number] = name
        plain = status is not None and stat.S_ISREG(status.st_mode)
        yield File(name, status if plain else None, only_typed, is_meant=is_meant)


def _status(name: str) -> os.stat_result | None:
    """Return the status of a file; None if there is none: opening it will say why."""
    try:
        return None if name == "-" else os.stat(name)
    except (OSError, ValueError):
        return None


def _is_gone(name: str) -> bool:
    """Return whether a file is not there: git lists what was deleted, too."""
    try:
        os.lstat(name)
    except PermissionError:  # it may be there
        return False
    except OSError:
        return True
    return False


def _found(name: str, status: os.stat_result | None, only_typed: bool = False) -> _Found | Problem:
    """Return a file that was found, not named; a problem if it is a pipe or a device."""
    mode = 0 if status is None else status.st_mode
    if mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return Problem(name, NOT_REGULAR)
    return name, status, only_typed, False


def _expand(path: str, search: Search) -> Iterator[_Found | Problem]:
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        yield from _named_folder(path, search)
    elif status is None and has_wildcard(path) and not os.path.lexists(path):
        yield from _matching(path, search)
    else:
        name = _plain(path)
        yield _found(name, status) if is_data_name(name) else (name, status, False, False)


def _named_folder(path: str, search: Search) -> Iterator[_Found | Problem]:
    if holds_schemas(path, search.schemas_in(os.path.abspath(path))):
        yield Problem(path, "this folder holds schemas, not data")
        return
    is_empty = True

    def note() -> None:
        nonlocal is_empty
        is_empty = False

    for found in _meant(_in_folder(path, _noting(search, note)), path, search):
        is_empty = False
        yield found
    if is_empty:
        yield Problem(path, "there is no file of data in this folder")


def _plain(path: str) -> str:
    """Return a path without a leading `./`, unless that keeps it from being something else."""
    if path == os.curdir:
        return ""
    plain = path.removeprefix(_HERE)
    is_same = plain and not plain.startswith(("-", os.sep)) and not is_address(plain)
    return plain if is_same else path


def _matching(pattern: str, search: Search) -> Iterator[_Found | Problem]:
    """Yield the files that a pattern matches, and those in the folders that it matches."""
    names = pattern.split("/")
    fixed = next(index for index, name in enumerate(names) if has_wildcard(name))
    base = "/".join(names[:fixed]) or ("/" if fixed else "")
    try:
        glob = parse_glob("/".join(names[fixed:]), True)
    except GlobError as error:
        hint = "" if error.hint is None else f"; {error.hint}"
        message = f"no such file, and not a pattern: {error.reason}{hint}"
        yield Problem(pattern, message)
        return
    is_empty = True
    if os.path.isdir(base or os.curdir):
        wanted = FolderRules(((glob, glob.start()),))

        def note() -> None:
            nonlocal is_empty
            is_empty = False

        for found in _meant(_in_folder(base, _noting(search, note), wanted), base, search):
            is_empty = False
            yield found
    if is_empty:
        yield Problem(pattern, "no file matches this pattern")


def _meant(
    every: Iterable[_Found | Problem], folder: str, search: Search
) -> Iterator[_Found | Problem]:
    """Yield what is found below a folder that was named: it is meant, except below the root."""
    root = search.root
    is_meant = root is not None and os.path.realpath(folder) != os.path.realpath(root)
    for found in every:
        yield found if isinstance(found, Problem) else (*found[:3], is_meant)


def _noting(search: Search, note: Callable[[], None]) -> Search:
    """Return a search that calls `note` for each file or folder that it passes over."""

    def skip(skipped: Skipped) -> None:
        note()
        search.skip(skipped)

    def outside(link: str) -> None:
        note()
        search.outside(link)

    def others(file: str) -> None:
        if search.others is not None:
            note()
            search.others(file)

    found = search._replace(skip=skip, outside=outside)
    return found if search.others is None else found._replace(others=others)


def _in_folder(
    path: str, search: Search, wanted: FolderRules | None = None
) -> Iterator[_Found | Problem]:
    """Yield the files below a folder, sorted by path, and what cannot be read."""
    full = os.path.abspath(path)
    start = Folder(_plain(path), full, search.rules_in(full), wanted)
    walk = FolderWalk(start, search)
    found: list[_Found | Problem] = []
    problems: list[Problem] = []
    for folder in walk.folders():
        if isinstance(folder, Problem):
            problems.append(folder)
        else:
            found += _files_in(folder, search, walk)
    found.sort(key=lambda one: one[0])
    if walk.met_links:  # of the names of a file, one that is mapped says the most about it
        kept = {one[:1] for one in _once(sorted(found, key=_is_unmapped))}
        found = [one for one in found if one[:1] in kept]
    yield from found
    yield from problems


def _is_unmapped(found: _Found | Problem) -> bool:
    return not isinstance(found, Problem) and found[2]


def _files_in(folder: Folder, search: Search, walk: FolderWalk) -> Iterator[_Found | Problem]:
    """Yield the files of a folder that may be data."""
    rules, wanted, names = folder.rules, folder.wanted, folder.names
    is_own = search.own_in(folder.full)
    is_plain = not (rules.mapping or rules.excluding or rules.excluded)
    only_data = wanted is None and search.others is None and not rules.maps_any_name
    if only_data:
        names = [name for name in names if name.lower().endswith(DATA_SUFFIXES)]
    begin = folder.file("")
    for name in names:
        if wanted is not None and not wanted.maps(name):
            continue
        file = folder.file(name) if name.startswith("-") else begin + name
        is_mapped, excluding = False, None
        if not is_plain:
            is_mapped, excluding = rules.maps(name) is not None, rules.excludes(name)
        if not (is_mapped or wanted is not None):
            if name.startswith("."):
                if only_data or is_data_name(name):
                    search.skip(Skipped(file, HIDDEN, is_expected=True))
                continue
            # Who wants to know of the others reads JSON only.
            is_json_only = search.others is not None
            if not (only_data or (is_json_name(name) if is_json_only else is_data_name(name))):
                if search.others is not None and excluding is None and not is_own(file, False):
                    search.others(file)
                continue
        if excluding is not None:
            search.skip(Skipped(file, excluded_by(excluding), is_expected=True))
        elif is_own(file, is_mapped):
            continue
        elif name in folder.links and walk.is_outside(folder, name):
            search.outside(file)
        else:
            status = _status(file)
            is_gone = status is None and _is_gone(file)
            if not is_gone and not (status is not None and stat.S_ISDIR(status.st_mode)):
                yield _found(file, status, search.only_typed and not is_mapped)
