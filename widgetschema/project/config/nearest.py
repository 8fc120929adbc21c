"""The configurations of a run: its own, and the nearest one of each file that it meets."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from widgetschema.errors import ConfigurationError
from widgetschema.project.config.configuration import Configuration, has_repository, load_nearest
from widgetschema.project.config.paths import display_path
from widgetschema.project.config.settings import SETTINGS

_OF_RUN: Final = [one for one in SETTINGS.values() if one.scope == "run"]


class Configurations:
    """The configurations of a run.

    `run` is that of the run: the nearest one from the working directory upwards. Its settings whose
    scope is the run are in force for all files. The others are those of the nearest configuration
    of each file, up to the root of the repository that the file is in, so that a repository within
    another one neither obeys it nor is obeyed. If `is_fixed`, somebody named the configuration, or
    wants none: it is that of all files. `options` adds the options of the command.

    A configuration that cannot be used is in `errors`, by its file; the files that it is about are
    excluded. `remarks` are about settings without effect.
    """

    def __init__(
        self,
        run: Configuration,
        environ: Mapping[str, str],
        *,
        is_fixed: bool = False,
        options: Callable[[Configuration], Configuration] = lambda configuration: configuration,
    ) -> None:
        self.run = run
        self.errors: dict[str, ConfigurationError] = {}
        self.remarks: list[str] = []
        self._environ = environ
        self._is_fixed = is_fixed
        self._options = options
        self._by_folder = {run.folder: run}
        self._by_name: dict[str, Configuration] = {}  # of a folder, as it is in names of files
        self._all = {run.folder: run}

    @property
    def all(self) -> list[Configuration]:
        """The configuration of the run, and those that were found so far."""
        return [*self._all.values()]

    def for_file(self, file: str) -> Configuration:
        """Return the configuration of a file; that of the run for standard input."""
        if file == "-" or self._is_fixed:
            return self.run
        name = file[: file.rfind(os.sep) + 1]  # a run asks about thousands of files
        found = self._by_name.get(name)
        if found is None:
            folder = os.path.dirname(os.path.join(self.run.directory, file))
            found = self._by_name[name] = self.for_folder(folder)
        return found

    def type_for(self, file: str) -> str | None:
        """Return the type that the configuration of a file maps it to.

        Raises `ConfigurationError` for one that cannot be used: it may map files to other types.
        """
        found = self.for_file(file)
        for error in self.errors.values():
            raise error
        return found.type_for(file)

    def for_folder(self, folder: str) -> Configuration:
        """Return the configuration of the files in a folder, an absolute path."""
        if self._is_fixed:
            return self.run
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = self._find(folder)
        return found

    def _find(self, folder: str) -> Configuration:
        plain = os.path.normpath(folder)
        if plain != folder:
            return self.for_folder(plain)
        above = os.path.dirname(folder)
        try:
            found = load_nearest(folder, self.run.directory, self._environ)
        except ConfigurationError as error:
            return self._unusable(folder, error)
        if found is not None:
            return self._added(found)
        if folder != above and not has_repository(folder):
            return self.for_folder(above)
        if self.run.file is None and self._is_above_run(folder):
            return self.run
        return self._added(
            load_nearest(folder, self.run.directory, self._environ, without_file=True)
        )

    def _is_above_run(self, folder: str) -> bool:
        """Return whether a folder without configuration is the root that the run ended at."""
        below = self.run.directory
        while below != folder and not has_repository(below) and os.path.dirname(below) != below:
            below = os.path.dirname(below)
        return below == folder

    def _added(self, found: Configuration | None) -> Configuration:
        """Return a configuration with the options and the settings of the run."""
        assert found is not None
        for one in _OF_RUN:
            origin = found.origins[one.name]
            if origin.source == "file":
                self.remarks.append(
                    f"{origin}: {one.name} has no effect here: it is a setting of the run, whose "
                    f"configuration is {self._shown_run()}"
                )
        values = {one.attribute: getattr(self.run, one.attribute) for one in _OF_RUN}
        origins = {one.name: self.run.origins[one.name] for one in _OF_RUN}
        found = self._options(found)
        found = replace(found, **values, origins={**found.origins, **origins})
        self._all[found.folder] = found
        return found

    def _unusable(self, folder: str, error: ConfigurationError) -> Configuration:
        self.errors.setdefault(error.report.subject, error)
        found = load_nearest(folder, self.run.directory, self._environ, without_file=True)
        assert found is not None
        return replace(self._added(found), exclude=("**",))

    def _shown_run(self) -> str:
        if self.run.file is None:
            return "none"
        return display_path(self.run.file, self.run.directory)
