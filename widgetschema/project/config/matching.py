"""Which files the patterns of a configuration mean: for one path, or all there are."""

from __future__ import annotations

import os

from widgetschema.catalog.store import find_project_store
from widgetschema.project.config.globs import Glob, parse_glob
from widgetschema.project.config.values import Configuration, Ignore, Mapped


class Matching:
    """The patterns of a configuration, ready to be asked."""

    def __init__(self, configuration: Configuration) -> None:
        self.folder = configuration.folder
        self.directory = configuration.directory
        self._real_folder = os.path.realpath(self.folder)
        self._file = configuration.file and os.path.normpath(configuration.file)
        schemas = configuration.schemas or find_project_store(self.folder)
        self._schemas = None if schemas is None else os.path.join(os.path.normpath(schemas), "")
        self._is_unpinned_schema = configuration.is_unpinned_schema
        self._typed = [(parse_glob(text), id) for text, id in configuration.files.items()]
        self._included = [parse_glob(text) for text in configuration.include]
        self._excluding = [parse_glob(text, True) for text in configuration.exclude]
        self._ignores = [
            (one, None if one.path is None else parse_glob(one.path, True))
            for one in configuration.ignores
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

    def mapped(self) -> Mapped:
        """See `Configuration.mapped`."""
        from widgetschema.project.config.walking import walk  # only for a run without paths

        globs = self._mapping
        found, outside = walk(globs, self._excluding, self.folder, self.directory)
        files = [path for path in found if not self._is_own(path)]
        left = dict.fromkeys(globs)
        for path in files:
            if not left:
                break
            names = self._names(path) or []
            left = {glob: None for glob in left if not glob.matches(names, hidden=False)}
        return Mapped(files, tuple(glob.text for glob in left), tuple(outside))

    @property
    def _mapping(self) -> list[Glob]:
        return [*(glob for glob, _ in self._typed), *self._included]

    def _is_own(self, path: str) -> bool:
        """Whether a file is the configuration or a schema, and so no data."""
        full = os.path.normpath(os.path.join(self.directory, path))
        if full == self._file or self._is_unpinned_schema(full):
            return True
        return self._schemas is not None and full.startswith(self._schemas)

    def _excluded(self, names: list[str]) -> bool:
        return any(glob.matches_part(names) for glob in self._excluding)

    def _names(self, path: str) -> list[str] | None:
        """The names from the folder to a file; None if it is not below the folder."""
        full = os.path.normpath(os.path.join(self.directory, path))
        root = os.path.join(self.folder, "")
        if not full.startswith(root):  # it may be, by way of links
            folder, name = os.path.split(full)
            full = os.path.join(os.path.realpath(folder), name)
            root = os.path.join(self._real_folder, "")
            if not full.startswith(root):
                return None
        return full[len(root) :].replace(os.sep, "/").split("/")
