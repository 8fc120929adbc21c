"""The checks of a run of `validate`: those of each configuration, with schemas and cache."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from widgetschema.catalog.store.locations import bundled_folder
from widgetschema.cli.console.output import print_debug, print_error
from widgetschema.files import user_cache_folder
from widgetschema.findings import Provenance
from widgetschema.project.checking.cache import ResultCache
from widgetschema.project.checking.cache_key import cache_file, cache_key
from widgetschema.project.checking.results import MOST_IN_A_DOCUMENT, Problem
from widgetschema.project.checking.runner import Runner
from widgetschema.project.config import Configuration, Configurations
from widgetschema.project.inputs.model import File
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.project.checking.checker import Checker


class CheckOptions(NamedTuple):
    """The options of all checks of a run.

    `type_id` is the type of all documents, which `type_option` gave; `kind` is that of documents;
    `schemas` the folder of an option. `folder` names the run in the cache. With `whole`, the
    results of a file come at once.
    """

    type_id: str | None
    type_option: str
    kind: str
    schemas: str | None
    folder: str
    whole: bool


class FileChecks(NamedTuple):
    """The checks of the files of one configuration.

    `checker` returns the checker, made for the first file that needs it. `types` are the ids of the
    widget types that were used so far.
    """

    settings: Configuration
    checker: Callable[[], Checker]
    cache: ResultCache | None
    runner: Runner
    must_load: bool
    types: dict[str, None]

    def schemas_of(self, type_id: str) -> list[Provenance]:
        """Return where the schemas of a type came from, from the cache if it knows."""
        known = None if self.cache is None else self.cache.schemas_of([type_id])
        return self.checker().schemas_of([type_id]) if known is None else known

    def note_on(self, type_id: str) -> str | None:
        """Return the note on the schema of a type, from the cache if it knows the type."""
        if self.cache is not None and self.cache.knows_type(type_id):
            return self.cache.note_on(type_id)
        return self.checker().note_on(type_id)

    def write_cache(self) -> None:
        """Write the cache for the next run."""
        if self.cache is None:
            return
        schemas = {id: self.schemas_of(id) for id in self.types}
        notes = {id: note for id in self.types if (note := self.note_on(id)) is not None}
        self.cache.write(schemas, notes)
        print_debug(
            f"result cache {self.cache.file}: has the results of {self.cache.hits:,} of "
            f"{plural(self.cache.asked, 'file')}"
        )


class RunChecks:
    """The checks of a run, by configuration, made when the first file needs them."""

    def __init__(self, configurations: Configurations, options: CheckOptions) -> None:
        self._configurations = configurations
        self._options = options
        self._checks: dict[int, FileChecks] = {}  # by the identity of a configuration

    def of(self, settings: Configuration) -> FileChecks:
        """Return the checks of a configuration."""
        found = self._checks.get(id(settings))
        if found is None:
            found = self._checks[id(settings)] = _create(settings, self._options)
        return found

    def for_file(self, file: str) -> FileChecks:
        """Return the checks of a file."""
        return self.of(self._configurations.for_file(file))

    @property
    def used(self) -> list[FileChecks]:
        """All checks so far."""
        return [*self._checks.values()]

    def grouped(
        self, files: Iterable[File | Problem]
    ) -> list[tuple[FileChecks, list[File | Problem]]]:
        """Return files with their checks; within a configuration, in their order."""
        groups: dict[int, tuple[Configuration, list[File | Problem]]] = {}
        for file in files:
            name = file.name if isinstance(file, File) else file.file
            settings = self._configurations.for_file(name)
            if id(settings) in groups:
                groups[id(settings)][1].append(file)
            else:
                groups[id(settings)] = settings, [file]
        return [(self.of(settings), some) for settings, some in groups.values()]


def _create(settings: Configuration, options: CheckOptions) -> FileChecks:
    # Each file is asked for its type, so nothing is asked in vain.
    type_for = settings.type_for if settings.files else _no_type
    cache = _open_cache(settings, options)
    checker = functools.cache(functools.partial(_create_checker, settings, options, type_for))
    fetches = settings.fetch not in (None, "frozen")
    runner = Runner(
        checker,
        max_bytes=settings.limits.max_bytes,
        type_for=type_for,
        jobs=1 if fetches else settings.jobs,  # what is fetched is fetched once
        cache=cache,
        whole=options.whole,
        warn=print_error,
    )
    # A folder that is verified (`frozen`) is verified each time; an unknown type fails at once.
    must_load = cache is None or settings.fetch is not None
    if cache is not None and options.type_id is not None:
        must_load = must_load or not cache.knows_type(options.type_id)
    return FileChecks(settings, checker, cache, runner, must_load, {})


def _no_type(file: str) -> str | None:
    return None


def _open_cache(settings: Configuration, options: CheckOptions) -> ResultCache | None:
    if not settings.cache or settings.fetch not in (None, "frozen"):
        reason = "the platform may have other schemas" if settings.cache else "it is turned off"
        print_debug(f"result cache: not used, because {reason}")
        return None
    how: Sequence[object] = (options.type_id, options.kind, *settings.findings_key)
    sources = [*settings.schema_folders]
    if settings.fetch is None:
        sources = [*sources, bundled_folder()]

    def key() -> str:
        """Return the key as it is now."""
        files = [*settings.data_schemas.values()]
        return cache_key(
            sources,
            how,
            settings.engine,
            files=files,
            root=user_cache_folder(),
            on_damage=_say_damaged,
        )

    file = cache_file((options.folder, settings.folder, sources, how))
    if not os.path.isabs(file):  # it would be in the configurations, which may bring one along
        print_debug("result cache: not used, because there is no home folder")
        return None
    try:
        return ResultCache(file, key(), key, _say_damaged)
    except OSError:
        return None  # reported when the schemas are read


def _say_damaged(file: str) -> None:
    print_error(f"{file} is damaged: it is not used, and written again")


def _create_checker(
    settings: Configuration, options: CheckOptions, type_for: Callable[[str], str | None]
) -> Checker:
    from widgetschema.cli.common import catalog_for
    from widgetschema.project.checking.checker import Checker

    catalog = catalog_for(settings, options.schemas)
    if options.type_id is not None:
        catalog[options.type_id]  # raises now, and once, if it is unknown or cannot be used
    return Checker(
        catalog,
        type_id=options.type_id,
        type_option=options.type_option,
        kind=options.kind,
        type_for=type_for,
        limits=settings.limits,
        max_findings=MOST_IN_A_DOCUMENT,
        foreign_types=settings.foreign_types,
    )
