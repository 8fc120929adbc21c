"""A configuration file: read, checked, and its settings with the line of each.

The file may belong to somebody else: it may be huge, binary, no TOML, or nested very deeply.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from widgetschema.errors import ConfigurationError, StoreError
from widgetschema.files import read_bytes
from widgetschema.findings import Finding, Report
from widgetschema.formats import toml
from widgetschema.project.config.paths import display_path
from widgetschema.project.config.rules import redact_users
from widgetschema.project.config.settings import PYPROJECT, SETTINGS, Ignore, Origin, schema
from widgetschema.project.config.value_checks import check, resolve

_MOST_BYTES: Final = 1_000_000
_MOST_FINDINGS: Final = 100
_MOST_VALUES: Final = 20_000  # far more than all entries that there may be
# These are about a name, not about what it stands before.
_ABOUT_NAMES: Final = frozenset({"additionalProperties", "propertyNames"})


class ConfigFile(NamedTuple):
    """A configuration file; `table` is our table, at the pointer `base` of the file.

    `path` is absolute, `name` as messages show it.
    """

    path: str
    name: str
    text: str
    base: str
    table: Any

    @property
    def folder(self) -> str:
        """The folder that paths and patterns are relative to."""
        return os.path.dirname(self.path)

    def findings(self) -> tuple[Finding, ...]:
        """Return what is wrong with the file, in its order; pointers begin at our table."""
        if _is_huge(self.table):
            message = f"the configuration has more than {_MOST_VALUES:,} values"
            return self._placed([Finding("toml.size", "", "", message)])
        found = list(islice(self._check(), _MOST_FINDINGS + 1))
        return self._placed(found) if found else ()

    def settings(self) -> dict[str, tuple[Any, Origin]]:
        """Return the settings of a file without findings, with the origin of each."""
        values: dict[str, Any] = {}
        for name, setting in SETTINGS.items():
            table, _, key = name.rpartition(".")
            within = self.table.get(table, {}) if table else self.table
            if key in within:
                values[name] = resolve(setting.schema, within[key], self.folder)
        pointers = {name: f"/{name.replace('.', '/')}" for name in values}
        ignores = [f"/ignores/{index}" for index in range(len(values.get("ignores", ())))]
        places = toml.positions(self.text, [*pointers.values(), *ignores], self.base)
        if ignores:
            values["ignores"] = tuple(
                Ignore(**entry, line=places[pointer].line, column=places[pointer].column)
                for entry, pointer in zip(values["ignores"], ignores, strict=True)
            )
        return {
            name: (value, Origin("file", f"{self.name}:{places[pointers[name]].key_line}"))
            for name, value in values.items()
        }

    def _check(self) -> Iterator[Finding]:
        yield from check(schema(), self.table, "", self.folder)
        yield from self._overwritten_data()

    def _overwritten_data(self) -> Iterator[Finding]:
        """Yield the reporters whose file has a widget type: a report would overwrite data.

        A file that `include` matches may be a report all the same: it is not checked.
        """
        if not isinstance(self.table, dict) or not isinstance(self.table.get("reporters"), list):
            return
        from widgetschema.project.config.globs import GlobError, parse_glob

        files, exclude = self.table.get("files"), self.table.get("exclude")
        try:
            typed = [parse_glob(one) for one in files] if isinstance(files, dict) else []
            excluded = [parse_glob(one, True) for one in exclude or ()]
        except (GlobError, TypeError, AttributeError):  # which has its own finding
            return
        for index, reporter in enumerate(self.table["reporters"]):
            file = reporter.partition("=")[2] if isinstance(reporter, str) else ""
            names = os.path.normpath(file).replace(os.sep, "/").split("/")
            if not file or any(glob.matches_part(names) for glob in excluded):
                continue
            if any(glob.matches(names, hidden=False) for glob in typed):
                message = "this file is one of the files that are checked"
                hint = "give it another name, or exclude it"
                yield Finding("format", f"/reporters/{index}", "", message, hint)

    def _placed(self, found: list[Finding]) -> tuple[Finding, ...]:
        """Return the findings with line and column, without what may be secret."""
        kept = found[:_MOST_FINDINGS]
        if len(found) > _MOST_FINDINGS:
            kept.append(Finding("more", kept[-1].path, "", "there are more findings"))
        places = toml.positions(self.text, [one.path for one in kept], self.base)
        placed: list[Finding] = []
        for one in kept:
            line, column, key_line, key_column = places[one.path]
            if one.keyword in _ABOUT_NAMES:
                line, column = key_line, key_column
            hint = None if one.hint is None else redact_users(one.hint)
            message = redact_users(one.message)
            placed.append(replace(one, message=message, hint=hint, line=line, column=column))
        return tuple(sorted(placed, key=lambda one: (one.keyword == "more", one.line, one.column)))


def read_file(path: str, directory: str, *, is_named: bool = False) -> ConfigFile | None:
    """Return the configuration in a file; None if it is a `pyproject.toml` that has none.

    A file that somebody named must have one; messages show it as seen from `directory`.
    Raises `ConfigurationError`: the file cannot be read, or has findings.
    """
    name = display_path(path, directory)
    is_project = os.path.basename(path) == PYPROJECT
    if not path.endswith(".toml"):
        raise _refusal(name, "file", "the configuration must be a .toml file", None)
    raw = _raw(path, name)
    file = None
    if not is_project:
        text, table = _parsed(raw, name)
        file = ConfigFile(path, name, text, "", table)
    elif b"widgetschema" in raw:
        text, whole = _parsed(raw, name)
        tool = whole.get("tool")
        if isinstance(tool, dict) and "widgetschema" in tool:
            file = ConfigFile(path, name, text, "/tool/widgetschema", tool["widgetschema"])
    if file is None:
        if is_named:
            raise _refusal(name, "file", "this file has no table [tool.widgetschema]", None)
        return None
    findings = file.findings()
    if findings:
        raise ConfigurationError(Report(findings, name))
    return file


def _is_huge(table: Any) -> bool:
    todo, values = [table], 0
    while todo and values <= _MOST_VALUES:
        value = todo.pop()
        if isinstance(value, (dict, list)):
            values += len(value)
            todo += islice(value.values() if isinstance(value, dict) else value, _MOST_VALUES)
    return values > _MOST_VALUES


def _raw(path: str, name: str) -> bytes:
    try:
        size = os.stat(path).st_size
        raw = read_bytes(path) if size <= _MOST_BYTES else b""
    except (OSError, ValueError) as error:  # a zero byte is a ValueError
        why = getattr(error, "strerror", None) or type(error).__name__
        raise _refusal(name, "file", f"cannot be read: {why[:1].lower()}{why[1:]}", None) from None
    except StoreError as error:
        raise _refusal(name, "file", f"cannot be read: {error.reason}", None) from None
    if max(size, len(raw)) > _MOST_BYTES:
        raise _refusal(name, "toml.size", f"this file is larger than {_MOST_BYTES:,} bytes", None)
    return raw


def _parsed(raw: bytes, name: str) -> tuple[str, dict[str, Any]]:
    try:
        text = toml.decode(raw)
        return text, toml.parse(text)
    except toml.TomlError as error:
        refused = error.keyword, error.message, error.hint, error.place
    raise _refusal(name, *refused)


def _refusal(
    name: str, keyword: str, message: str, hint: str | None, place: tuple[int, int] | None = None
) -> ConfigurationError:
    line, column = place or (None, None)
    finding = Finding(keyword, "", "", message, hint, line, column)
    return ConfigurationError(Report((finding,), name))
