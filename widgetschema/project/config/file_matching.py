"""The files that the patterns of a configuration mean: for one path, or all there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from widgetschema.catalog.store import find_project_store
from widgetschema.project.config.globs import Glob, parse_glob
from widgetschema.project.config.paths import relative_path
from widgetschema.project.config.settings import Ignore, Settings


class MappedFiles(NamedTuple):
    """The files that a configuration maps, and the patterns of it that match no file.

    `outside` are links that a pattern matches and that lead out of the folder: not followed.
    """

    files: list[str]
    unmatched: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


class FileMatcher:
    """The patterns of a configuration, parsed.

    They are relative to `folder`, paths that are asked about to `directory`. `file` is the
    configuration file; `is_schema_file` says whether a path is a schema without a manifest.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        folder: str,
        directory: str,
        file: str | None,
        is_schema_file: Callable[[str], bool],
    ) -> None:
        self.folder = folder
        self.directory = directory
        self._real_folder = os.path.realpath(folder)
        self._file = file and os.path.normpath(file)
        schemas = settings.schemas or find_project_store(folder)
        self._schemas = None if schemas is None else os.path.join(os.path.normpath(schemas), "")
        self._is_schema_file = is_schema_file
        self._typed = [(parse_glob(text), id) for text, id in settings.files.items()]
        self._included = [parse_glob(text) for text in settings.include]
        self._excluding = [parse_glob(text, True) for text in settings.exclude]
        self._ignores = [
            (one, None if one.path is None else parse_glob(one.path, True))
            for one in settings.ignores
        ]

    def type_for(self, path: str) -> str | None:
        """See `Configuration.type_for`."""
        names = self._names(path)
        if names is None:
            return None
        for glob, id in reversed(self._typed):
            if glob.matches(names, hidden=False):
                return id
        return None

    def maps(self, path: str) -> bool:
        """See `Configuration.maps`."""
        names = self._names(path)
        if names is None or self._excluded(names) or self._is_own(path):
            return False
        return any(glob.matches(names, hidden=False) for glob in self._mapping)

    def excludes(self, path: str) -> bool:
        """See `Configuration.excludes`."""
        names = self._names(path)
        return names is not None and self._excluded(names)

    def ignores_for(self, path: str) -> tuple[Ignore, ...]:
        """See `Configuration.ignores_for`."""
        names = self._names(path)
        return tuple(
            ignore
            for ignore, glob in self._ignores
            if glob is None or (names is not None and glob.matches_part(names))
        )

    def mapped(self) -> MappedFiles:
        """See `Configuration.mapped`."""
        globs = self._mapping
        if not globs:
            return MappedFiles([])
        found, outside = walk(globs, self._excluding, self.folder, self.directory)
        files = [path for path in found if not self._is_own(path)]
        left = dict.fromkeys(globs)
        for path in files:
            if not left:
                break
            names = self._names(path) or []
            left = {glob: None for glob in left if not glob.matches(names, hidden=False)}
        return MappedFiles(files, tuple(glob.text for glob in left), tuple(outside))

    @property
    def _mapping(self) -> list[Glob]:
        return [*(glob for glob, _ in self._typed), *self._included]

    def _is_own(self, path: str) -> bool:
        """Return whether a file is the configuration or a schema, and so no data."""
        full = os.path.normpath(os.path.join(self.directory, path))
        if full == self._file or self._is_schema_file(full):
            return True
        return self._schemas is not None and full.startswith(self._schemas)

    def _excluded(self, names: list[str]) -> bool:
        return any(glob.matches_part(names) for glob in self._excluding)

    def _names(self, path: str) -> list[str] | None:
        """Return the names from the folder to a file; None if it is not below the folder."""
        full = os.path.normpath(os.path.join(self.directory, path))
        root = os.path.join(self.folder, "")
        if not full.startswith(root):  # it may be, by way of links
            folder, name = os.path.split(full)
            full = os.path.join(os.path.realpath(folder), name)
            root = os.path.join(self._real_folder, "")
            if not full.startswith(root):
                return None
        return full[len(root) :].replace(os.sep, "/").split("/")


class _Folder(NamedTuple):
    """A folder to read: its names below the start, the states of the patterns."""

    path: str
    names: list[str]
    states: list[frozenset[int]]
    is_linked: bool  # reached through a link


def walk(
    globs: Sequence[Glob], excluding: Sequence[Glob], folder: str, directory: str
) -> tuple[list[str], list[str]]:
    """Return the files that a pattern matches and none of `excluding`, sorted, each once.

    One walk goes only where a pattern can match. The files are below `folder`, by paths relative to
    `directory`. A folder that cannot be read is among them. A link is followed if it leads to
    something within the folder; then each real folder is walked once, so that links in circles
    come to an end. The second list has the links to something else: files that a pattern matches,
    and folders in which one may.
    """
    root = os.path.realpath(folder)
    linked: set[str] = set()
    found: set[str] = set()
    outside: set[str] = set()
    todo = [_Folder(folder, [], [glob.start() for glob in globs], False)]
    while todo:
        one = todo.pop()
        if one.is_linked:
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
                    todo.append(_Folder(path, names, states, one.is_linked or is_link))
            elif any(glob.is_end(state) for glob, state in zip(globs, states, strict=True)):
                # If it is no file, opening it will say so.
                (outside if is_outside else found).add(path)
    return (
        sorted(_as_argument(path, directory) for path in found),
        sorted(_as_argument(path, directory) for path in outside),
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


def _as_argument(path: str, directory: str) -> str:
    """Return the path as an argument that is neither standard input nor an option."""
    name = relative_path(path, directory)
    return os.path.join(os.curdir, name) if name.startswith("-") else name
