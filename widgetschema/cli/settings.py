"""The settings of a command: the configuration in force where it runs."""

from __future__ import annotations

import os

from widgetschema.project.config import Configuration, load


def load_settings(file: str | None = None, *, no_config: bool = False) -> Configuration:
    """Return the configuration in force. Raises `ConfigurationError` and `StoreError`."""
    try:
        directory = os.getcwd()
    except OSError as error:  # the working directory was removed or is closed to us
        from widgetschema.errors import StoreError
        from widgetschema.project.checking.results import reason

        raise StoreError(error.filename or "the working directory", reason(error)) from None
    return load(directory, os.environ, file=file, use_file=not no_config)
