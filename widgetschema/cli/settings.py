"""The settings of a command: the configurations in force where it runs, and for each file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from widgetschema.extensions import EXTENSIONS
from widgetschema.files import FOLDER_VARIABLES
from widgetschema.platform.variables import PREFIX, VARIABLES
from widgetschema.project.config import Configuration, Configurations, load
from widgetschema.project.config.settings import FILE_VARIABLE, SETTINGS


def load_settings(file: str | None = None, *, no_config: bool = False) -> Configuration:
    """Return the configuration in force.

    Raises `ConfigurationError`, and `OSError` if the working directory was removed.
    """
    try:
        directory = os.getcwd()
    except OSError as error:  # it was removed or is closed to us
        raise OSError(error.errno, error.strerror, "the working directory") from None
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


def unknown_variables(environ: Mapping[str, str]) -> str | None:
    """Return a note on environment variables without meaning, but with a name like ours."""
    ours = [name for name in environ if name.startswith(PREFIX)]
    if not ours:
        return None
    known = {
        FILE_VARIABLE,
        *(name for one in EXTENSIONS.values() for name in one.variables),
        *FOLDER_VARIABLES,
        *(f"{PREFIX}{name}" for name in VARIABLES),
        *(one.variable for one in SETTINGS.values() if one.variable),
    }
    unknown = [name for name in sorted(ours) if name not in known]
    if not unknown:
        return None
    from widgetschema.removed import advice_on  # only for what is wrong
    from widgetschema.suggest import nearest

    texts = []
    for name in unknown:
        meant = nearest(name[:100], sorted(known), 1)
        advice = advice_on("variable", name) or (meant and f"did you mean {meant[0]}?")
        texts.append(f"{name} ({advice})" if advice else name)
    what = "variable" if len(texts) == 1 else "variables"
    return f"unknown environment {what}: {', '.join(texts)}"
