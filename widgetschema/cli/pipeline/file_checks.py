"""The checks of a run of `validate`: those of each configuration, with their schemas."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from widgetschema.cli.console.output import print_error
from widgetschema.cli.pipeline.validate_options import ValidateOptions
from widgetschema.project.checking.results import MOST_DOCUMENTS, MOST_IN_A_TEXT, Problem
from widgetschema.project.checking.runner import Runner
from widgetschema.project.config import Configuration, Configurations
from widgetschema.project.inputs.model import File

if TYPE_CHECKING:
    from widgetschema.project.checking.checker import Checker


class FileChecks(NamedTuple):
    """The checks of the files of one configuration.

    `checker` returns the checker, made for the first file that needs it. `types` are the ids of the
    widget types that were used so far.
    """

    settings: Configuration
    checker: Callable[[], Checker]
    runner: Runner
    must_load: bool
    types: dict[str, None]


class RunChecks:
    """The checks of a run, by configuration, made when the first file needs them."""

    def __init__(self, configurations: Configurations, options: ValidateOptions) -> None:
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


def _create(settings: Configuration, options: ValidateOptions) -> FileChecks:
    checker = functools.cache(functools.partial(_create_checker, settings, options))
    fetches = settings.fetch not in (None, "frozen")
    runner = Runner(
        checker,
        max_bytes=settings.limits.max_bytes,
        jobs=1 if fetches else settings.jobs,  # what is fetched is fetched once
        whole=options.fixes is not None,  # the results of a file come at once
        warn=print_error,
    )
    # A folder that is verified (`frozen`) is verified each time; an unknown type fails at once.
    must_load = settings.fetch is not None or options.only_type is not None
    return FileChecks(settings, checker, runner, must_load, {})


def _create_checker(settings: Configuration, options: ValidateOptions) -> Checker:
    from widgetschema.cli.common import catalog_for
    from widgetschema.project.checking.checker import Checker

    catalog = catalog_for(settings, options.schemas)
    if options.only_type is not None:
        catalog[options.only_type]  # raises now, and once, if it is unknown or cannot be used
    return Checker(
        catalog,
        type_id=options.only_type,
        type_option="--type" if options.type_id is not None else "--data-schema",
        kind=options.kind,
        type_for=settings.type_for,
        limits=settings.limits,
        max_findings=MOST_IN_A_TEXT,
        max_documents=MOST_DOCUMENTS,
        foreign_types=settings.foreign_types,
    )
