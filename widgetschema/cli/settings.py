"""The settings of a command: the configurations in force where it runs, and for each file."""

from __future__ import annotations

import os
from collections.abc import Callable

from widgetschema.project.config import Configuration, Configurations, load
from widgetschema.project.config.settings import FILE_VARIABLE


def load_settings(file: str | None = None, *, no_config: bool = False) -> Configuration:
    """Return the configuration in force. Raises `ConfigurationError` and `StoreError`."""
    try:
        directory = os.getcwd()
    except OSError as error:  # the working directory was removed or is closed to us
        from widgetschema.errors import StoreError
        from widgetschema.project.checking.results import reason

        raise StoreError(error.filename or "the working directory", reason(error)) from None
    return load(directory, os.environ, file=file, use_file=not no_config)


def configurations_for(
    run: Configuration,
    file: str | None = None,
    *,
    no_config: bool = False,
    options: Callable[[Configuration], Configuration] = lambda configuration: configuration,
) -> Configurations:
    """Return the configurations of a run and its files; `file` and `no_config` chose that of `run`.

    What an option or a variable names is the configuration of all files, and so is none.
    """
    is_named = bool(file or os.environ.get(FILE_VARIABLE, "").strip())
    return Configurations(run, os.environ, is_fixed=is_named or no_config, options=options)
