"""The configuration in force for a command."""

from __future__ import annotations

import os

from widgetschema.project.config import Configuration, load


def in_force(file: str | None = None, *, no_config: bool = False) -> Configuration:
    """What is in force here. Raises `ConfigurationError` and `StoreError`."""
    try:
        directory = os.getcwd()
    except OSError as error:  # somebody removed the working directory, or closed it to us
        from widgetschema.errors import StoreError
        from widgetschema.project.checking.results import reason

        raise StoreError(error.filename or "the working directory", reason(error)) from None
    return load(directory, os.environ, file=file, use_file=not no_config)
