"""UI descriptions in files, JSON or TOML: errors about them say the line and the column."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from widgetschema.errors import InvalidFormDescription
from widgetschema.files import read_file
from widgetschema.findings import Finding, Report
from widgetschema.formats import toml
from widgetschema.jsontext import SourceText, preview, read

# About a name, not about its value.
_ABOUT_NAMES = frozenset({"additionalProperties", "form.pointer"})


class UiFile(dict[str, Any]):
    """A UI description that was read from a file. It is a mapping, as `form(ui=…)` takes it.

    Attributes:
        path: The file.
        text: Its text.
    """

    def __init__(self, path: str, text: str, value: Mapping[str, Any]) -> None:
        super().__init__(value)
        self.path = path
        self.text = text

    def report(self, report: Report) -> Report:
        """Return a report about the description as one about the file, with lines and columns."""
        if not _is_toml(self.path):
            return Report(SourceText(self.text).place(report.findings), self.path)
        places = toml.positions(self.text, [one.path for one in report])
        found = []
        for one in report:
            line, column, key_line, key_column = places[one.path]
            if one.keyword in _ABOUT_NAMES:
                line, column = key_line, key_column
            found.append(replace(one, line=line, column=column))
        found.sort(key=lambda one: (one.line, one.column))
        return Report(tuple(found), self.path)


def read_ui_description(path: str | os.PathLike[str]) -> UiFile:
    """Read a UI description from a file.

    Args:
        path: A file whose name ends with `.toml`, or else a JSON file.

    Returns:
        The description, to be passed to `WidgetType.form`. If it cannot be used there, the error
        says the file, the line and the column.

    Raises:
        OSError: The file cannot be read.
        UnreadableDocument: It is not JSON.
        InvalidFormDescription: It is not TOML, or not a JSON object.
    """
    path = os.fspath(path)
    raw = read_file(path, pipes=True)
    if _is_toml(path):
        return _read_toml(path, raw)
    value = read(raw, subject=path)
    if not isinstance(value, dict):
        message = f"{preview(value, 40)} is not an object, as a UI description must be"
        finding = Finding("type", "", "", message, expected="object", line=1, column=1)
        raise InvalidFormDescription(Report((finding,), path))
    return UiFile(path, raw.decode("utf-8-sig"), value)


def _read_toml(path: str, raw: bytes) -> UiFile:
    try:
        text = toml.decode(raw)
        return UiFile(path, text, toml.parse(text))
    except toml.TomlError as error:
        finding = Finding(error.keyword, "", "", error.message, error.hint, *error.place)
    raise InvalidFormDescription(Report((finding,), path))


def _is_toml(path: str) -> bool:
    return path.lower().endswith(".toml")
