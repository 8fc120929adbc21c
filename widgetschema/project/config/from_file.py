"""A configuration file, read and checked, as settings with their lines."""

from __future__ import annotations

import os
from typing import Any

from widgetschema.errors import ConfigurationError
from widgetschema.findings import Report
from widgetschema.project.config.faults import faults
from widgetschema.project.config.positions import Place, nearest
from widgetschema.project.config.reading import Source, read
from widgetschema.project.config.shape import date_of
from widgetschema.project.config.values import Ignore, Setting


def checked(path: str, directory: str, *, named: bool = False) -> Source | None:
    """The configuration in a file, as `read` gives it. Raises `ConfigurationError`."""
    source = read(path, directory, named=named)
    if source is not None:
        findings = faults(source)
        if findings:
            raise ConfigurationError(Report(findings, source.name))
    return source


def settings_of(source: Source) -> dict[str, Setting]:
    """What the file sets, with the line of each member; its paths are made absolute."""
    values: dict[str, Any] = {}
    for name, value in source.table.items():
        if name == "limits":
            values |= {f"limits.{limit}": int(most) for limit, most in value.items()}
        else:
            values[name] = value
    pointers = {name: f"/{name.replace('.', '/')}" for name in values}
    ignores = [f"/ignores/{index}" for index in range(len(values.get("ignores", ())))]
    places = nearest(source.text, [*pointers.values(), *ignores], source.base)
    settings: dict[str, Setting] = {}
    for name, value in values.items():
        if name == "ignores":
            value = tuple(
                _ignore(entry, places[pointer])
                for entry, pointer in zip(value, ignores, strict=True)
            )
        origin = f"{source.name}:{places[pointers[name]].key_line}"
        settings[name] = Setting(_resolved(name, value, source.folder), origin)
    return settings


def _resolved(name: str, value: Any, folder: str) -> Any:
    """A value of the file, as it is used: paths absolute, arrays as tuples."""
    if name in ("schemas", "baseline"):
        return os.path.normpath(os.path.join(folder, value))
    if name == "reporters":
        return tuple(_reporter(text, folder) for text in value)
    if name == "jobs":
        return int(value)
    return tuple(value) if isinstance(value, list) else value


def _reporter(text: str, folder: str) -> str:
    format, equals, file = text.partition("=")
    return f"{format}={os.path.normpath(os.path.join(folder, file))}" if equals else format


def _ignore(entry: dict[str, Any], place: Place) -> Ignore:
    expires = entry.get("expires")
    return Ignore(
        entry.get("path"),
        entry.get("pointer"),
        entry.get("keyword"),
        entry["reason"],
        None if expires is None else date_of(expires),
        place.line,
        place.column,
    )
