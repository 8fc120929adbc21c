"""Projects: the configuration and the schemas that are in force for a file, as they are now.

The configuration is read each time, which takes less than a check. Catalogs are kept, since their
types are compiled; they look at their folders themselves.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store.beside import Stamp, stamp_of
from widgetschema.project.checking.baseline import Baseline
from widgetschema.project.config import Configuration, load
from widgetschema.project.config.nearest import Configurations
from widgetschema.project.config.settings import FILE_VARIABLE

_MOST_CATALOGS: Final = 16


class Project(NamedTuple):
    """The configuration of a file, its widget types, and the findings that are known."""

    configuration: Configuration
    catalog: Catalog
    baseline: Baseline | None


class Projects:
    """The projects of all open files.

    `create` makes the catalog of a configuration, which never uses the network: see `_offline`.
    Safe to share among threads.
    """

    def __init__(
        self, create: Callable[[Configuration], Catalog], environ: Mapping[str, str]
    ) -> None:
        self._create = create
        self._environ = environ
        self._catalogs: dict[str, Catalog] = {}
        self._lock = threading.Lock()
        self._baseline: tuple[tuple[str, Stamp], Baseline] | None = None

    def of_folder(self, folder: str, root: str | None = None) -> Project:
        """Return the project of the files in a folder.

        Args:
            folder: The folder.
            root: The folder that a run of `validate` about them would be started in.

        Raises:
            ConfigurationError: A configuration cannot be used.
            StoreError: A folder of schemas cannot be used.
            UnreadableDocument: A baseline is not JSON.
            OSError: Something cannot be read.
        """
        is_fixed = bool(self._environ.get(FILE_VARIABLE, "").strip())
        run = load(folder if root is None else root, self._environ)
        configurations = Configurations(run, self._environ, is_fixed=is_fixed)
        configuration = _offline(configurations.for_folder(os.path.abspath(folder)))
        for error in configurations.errors.values():
            raise error
        with self._lock:
            catalog = self._catalog(configuration)
            return Project(configuration, catalog, self._known_findings(configuration.baseline))

    def refresh(self) -> None:
        """Look at all schemas again, since some may have changed."""
        with self._lock:
            catalogs = [*self._catalogs.values()]
        for catalog in catalogs:
            catalog.refresh()

    def _catalog(self, configuration: Configuration) -> Catalog:
        key = repr(
            (
                configuration.schemas,
                configuration.schema_folders,
                configuration.data_schemas,
                configuration.fetch,
                configuration.limits,
                configuration.findings_key,
            )
        )
        catalog = self._catalogs.pop(key, None) or self._create(configuration)
        self._catalogs[key] = catalog  # the one that was used last is the last
        while len(self._catalogs) > _MOST_CATALOGS:
            del self._catalogs[next(iter(self._catalogs))]
        return catalog

    def _known_findings(self, path: str) -> Baseline | None:
        stamp = stamp_of(path)
        if stamp is None:  # there is none
            return None
        if self._baseline is None or self._baseline[0] != (path, stamp):
            self._baseline = ((path, stamp), Baseline.load(path))
        return self._baseline[1]


def _offline(configuration: Configuration) -> Configuration:
    """Return a configuration by which nothing is fetched: an editor must not wait for a server."""
    fetches = configuration.fetch not in (None, "frozen")
    return configuration.with_options(fetch="offline") if fetches else configuration
