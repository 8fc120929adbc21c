"""The files below a folder that patterns match: one walk, which goes only where one can match."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from widgetschema.project.config.globs import Glob
from widgetschema.project.config.paths import shown


class _Folder(NamedTuple):
    """A folder on the way: its names from the start, the states of the patterns, and by a link?"""

    path: str
    names: list[str]
    states: list[frozenset[int]]
    linked: bool


def walk(
    globs: Sequence[Glob], excluding: Sequence[Glob], folder: str, directory: str
) -> tuple[list[str], list[str]]:
    """The files that a pattern matches, and none of `excluding`; sorted, each once.

    They are below `folder`, by paths that count from `directory`. A folder that cannot be read is
    among them. A link is followed if it leads to something within the folder; then each real
    folder is walked once, so that links in circles come to an end. The second list has the links
    to something else: files that a pattern matches, and folders in which one may.
    """
    root = os.path.realpath(folder)
    linked: set[str] = set()
    found: set[str] = set()
    outside: set[str] = set()
    todo = [_Folder(folder, [], [glob.start() for glob in globs], False)]
    while todo:
        one = todo.pop()
        if one.linked:
            real = os.path.realpath(one.path)
            if real in linked:
                continue
            linked.add(real)
        try:
            entries = sorted(_entries(one.path), key=lambda entry: entry.name, reverse=True)
        except OSError:
            found.add(one.path)
            continue
        for entry in entries:
            states = [
                glob.step(state, entry.name, hidden=False) if state else state
                for glob, state in zip(globs, one.states, strict=True)
            ]
            names = [*one.names, entry.name]
            if not any(states) or any(glob.matches_part(names) for glob in excluding):
                continue
            path = os.path.join(one.path, entry.name)
            is_link = entry.is_symlink()
            is_outside = is_link and not _is_within(path, root)
            if _is_folder(entry):
                if is_outside:
                    outside.add(path)
                else:
                    todo.append(_Folder(path, names, states, one.linked or is_link))
            elif any(glob.is_end(state) for glob, state in zip(globs, states, strict=True)):
                # If it is no file, opening it will say so.
                (outside if is_outside else found).add(path)
    return (
        sorted(_typed(path, directory) for path in found),
        sorted(_typed(path, directory) for path in outside),
    )


def _entries(path: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(path) as entries:
        yield from entries


def _is_within(path: str, root: str) -> bool:
    return os.path.realpath(path).startswith(os.path.join(root, ""))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _typed(path: str, directory: str) -> str:
    """The path as an argument: neither standard input nor an option is meant."""
    name = shown(path, directory)
    return os.path.join(os.curdir, name) if name.startswith("-") else name
