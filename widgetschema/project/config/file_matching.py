"""The patterns of a configuration: which files they mean, one path or one folder at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from widgetschema.catalog.store import find_project_store
from widgetschema.project.config.folder_rules import NO_RULES, FolderRules
from widgetschema.project.config.globs import Glob, parse_glob
from widgetschema.project.config.settings import Ignore, Settings


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
        self._rules: dict[str, FolderRules] = {}
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
        if names is None or self._excluded(names) or self.is_own(path):
            return False
        return any(glob.matches(names, hidden=False) for glob in self._mapping)

    def ignores_for(self, path: str) -> tuple[Ignore, ...]:
        """See `Configuration.ignores_for`."""
        names = self._names(path)
        return tuple(
            ignore
            for ignore, glob in self._ignores
            if glob is None or (names is not None and glob.matches_part(names))
        )

    def unmatched(self, paths: Iterable[str]) -> tuple[str, ...]:
        """See `Configuration.unmatched`."""
        left = dict.fromkeys(self._mapping)
        for path in paths:
            if not left:
                break
            names = self._names(path) or []
            left = {glob: None for glob in left if not glob.matches(names, hidden=False)}
        return tuple(glob.text for glob in left)

    def rules_in(self, folder: str) -> FolderRules:
        """See `Configuration.rules_in`."""
        rules = self._rules.get(folder)
        if rules is None:
            rules = self._rules[folder] = self._find_rules(folder)
        return rules

    def _find_rules(self, folder: str) -> FolderRules:
        if folder == self.folder:
            mapping = tuple((glob, glob.start()) for glob in self._mapping)
            return FolderRules(mapping, tuple((glob, glob.start()) for glob in self._excluding))
        if folder.startswith(os.path.join(self.folder, "")):
            above, name = os.path.split(folder)
            return self.rules_in(above).enter(name)
        names = self._names(os.path.join(folder, "x"))  # it may be below, by way of links
        if names is None:
            return NO_RULES
        return self.rules_in(os.path.join(self.folder, *names[:-1]))

    @property
    def _mapping(self) -> list[Glob]:
        return [*(glob for glob, _ in self._typed), *self._included]

    def is_own(self, path: str) -> bool:
        """See `Configuration.is_own`."""
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
