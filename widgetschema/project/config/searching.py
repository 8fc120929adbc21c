"""Which configuration file is meant: the nearest one, from a folder upwards. A few stats."""

from __future__ import annotations

import os
from collections.abc import Iterator

from widgetschema.project.config.members import FILE, PYPROJECT


def folders(directory: str) -> list[str]:
    """The folders that are looked into, the nearest first.

    The last is the one that has `.git` (a folder, or a file in a worktree), or the root.
    """
    found: list[str] = []
    folder, above = os.path.abspath(directory), ""
    while folder != above:
        found.append(folder)
        if os.path.lexists(os.path.join(folder, ".git")):
            break
        folder, above = os.path.dirname(folder), folder
    return found


def candidates(directory: str) -> Iterator[str]:
    """The files that may hold the configuration, in the order in which they are asked.

    A `pyproject.toml` counts only if it has the table, which takes reading it.
    """
    for folder in folders(directory):
        for name in (FILE, PYPROJECT):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                yield path
