"""From a folder and the environment to the `Configuration` in force."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from widgetschema.project.config.environment import from_environment
from widgetschema.project.config.members import FILE_VARIABLE, MEMBERS
from widgetschema.project.config.searching import candidates
from widgetschema.project.config.values import Configuration, Setting

if TYPE_CHECKING:
    from widgetschema.project.config.reading import Source

_VARIABLES: Final = {one.variable: one.name for one in MEMBERS if one.variable}


def load(
    directory: str, environ: Mapping[str, str], *, file: str | None = None, use_file: bool = True
) -> Configuration:
    """What is configured for somebody who works in `directory`; without arguments yet.

    The file is `file`, else the one that `WIDGETSCHEMA_CONFIG` names, else the nearest one, from
    `directory` upwards; with `use_file` false, none. Raises `ConfigurationError`: the file, or a
    variable, cannot be used.
    """
    directory = os.path.abspath(directory)
    named = environ.get(FILE_VARIABLE, "").strip() or None if file is None else file
    # A traceback shows no more of the environment than this: tokens stay outside.
    environ = {one: environ[one] for one in _VARIABLES if one in environ}
    settings = {one.name: Setting(one.default, "default") for one in MEMBERS}
    source = _source(directory, named) if use_file else None
    folder = directory
    if source is not None:
        from widgetschema.project.config.from_file import settings_of

        folder = source.folder
        settings |= settings_of(source)
    variables = {name: variable for variable, name in _VARIABLES.items()}
    for name, value in from_environment(environ).items():
        if name in ("schemas", "baseline"):
            value = os.path.normpath(os.path.join(directory, value))
        settings[name] = Setting(value, f"environment ({variables[name]})")
    if settings["baseline"].origin == "default":
        path = os.path.join(folder, settings["baseline"].value)
        settings["baseline"] = Setting(path, "default")
    return Configuration(None if source is None else source.path, folder, settings, directory)


def _source(directory: str, named: str | None) -> Source | None:
    """The file that is meant, read and checked; most projects have none, and load no more."""
    found = candidates(directory)
    paths = found if named is None else [os.path.normpath(os.path.join(directory, named))]
    for path in paths:
        from widgetschema.project.config.from_file import checked

        source = checked(path, directory, named=named is not None)
        if source is not None:
            return source
    return None
