"""The configuration in force: option over environment over file over default, for each setting."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

from widgetschema.cached import cached_property
from widgetschema.catalog.store.locations import find_schema_folders, is_pinned
from widgetschema.errors import ConfigurationError
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import Limits
from widgetschema.project.config.folder_rules import NO_RULES, FolderRules
from widgetschema.project.config.paths import display_path
from widgetschema.project.config.rules import redact_users
from widgetschema.project.config.settings import (
    FILE,
    FILE_VARIABLE,
    LONGEST_TEXT,
    PYPROJECT,
    SETTINGS,
    TO_FILL_IN,
    Ignore,
    Origin,
    Setting,
    Settings,
)
from widgetschema.project.config.value_checks import check, parse, resolve

if TYPE_CHECKING:
    from widgetschema.project.config.file import ConfigFile
    from widgetschema.project.config.file_matching import FileMatcher
    from widgetschema.schema.describes import Describes

_BY_ATTRIBUTE: Final = {setting.attribute: setting for setting in SETTINGS.values()}
_BY_VARIABLE: Final = {one.variable: one for one in SETTINGS.values() if one.variable}


@dataclass(frozen=True, kw_only=True, eq=False)
class Configuration(Settings):
    """The settings in force, and where each comes from.

    `file` is the absolute path of the configuration file, None if there is none; `folder` is the
    folder that its paths and patterns are relative to: that of the file, else `directory`, the
    working directory. `origins` has the origin of each setting by its name, such as
    `limits.max-depth`.

    Before tokens are sent, `is_from_file("base-url")` must be asked: an address in a file, which
    anybody may have written, never gets tokens of the environment.
    """

    file: str | None
    folder: str
    directory: str
    origins: Mapping[str, Origin]

    def is_from_file(self, name: str) -> bool:
        """Return whether a setting has its value from the file, which anybody may have written."""
        return self.origins[name].source == "file"

    @property
    def unfilled_reasons(self) -> str | None:
        """A note on ignores whose reason is still to be filled in; None if there is none."""
        found = [one for one in self.ignores if one.reason.strip() == TO_FILL_IN]
        if not found or self.file is None:
            return None
        place = f"{display_path(self.file, self.directory)}:{found[0].line}"
        number = "an ignore has" if len(found) == 1 else f"{len(found):,} ignores have"
        return f'{place}: {number} no reason yet: write it in place of "{TO_FILL_IN}"'

    @property
    def limits(self) -> Limits:
        """The limits of the size of a document."""
        return Limits(self.max_depth, self.max_bytes)

    @property
    def findings_key(self) -> tuple[object, ...]:
        """The values that findings depend on, as part of the key of kept results."""
        settings = (one for one in SETTINGS.values() if one.affects_findings)
        return tuple(getattr(self, one.attribute) for one in settings)

    @property
    def described(self) -> dict[str, Describes]:
        """The decisions about what the schemas of types describe, by id."""
        return {id: cast("Describes", one["describes"]) for id, one in self.types.items() if one}

    @property
    def schema_folders(self) -> tuple[str, ...]:
        """The folders of schemas: the one that is set, else those that are found, nearest first.

        They are searched from the working directory upwards; from the folder of the configuration
        file, if that is the one of another project.
        """
        if self.schemas is not None:
            return (self.schemas,)
        is_here = _is_below(self.directory, self.folder)
        return find_schema_folders(self.directory if is_here else self.folder)

    def type_for(self, path: str) -> str | None:
        """Return the widget type of a file by `files`: the last pattern that matches decides.

        `path` is absolute or relative to the working directory; None if it is outside the folder.
        """
        return self._matcher.type_for(path) if self.files else None

    def maps(self, path: str) -> bool:
        """Return whether a file is mapped: `files` or `include` match it, and `exclude` does not.

        The configuration and the folder of schemas are not; nor are baselines and reports, which
        the commands recognise by their content.
        """
        return self.has_mapping and self._matcher.maps(path)

    @property
    def has_mapping(self) -> bool:
        """True if there are patterns that map files."""
        return bool(self.files or self.include)

    def rules_in(self, folder: str) -> FolderRules:
        """Return the patterns of files in a folder, an absolute path; `is_own` is up to the caller.

        Hidden folders and files are mapped only by a pattern that names them.
        """
        return self._matcher.rules_in(folder) if self.has_mapping or self.exclude else NO_RULES

    def is_own(self, path: str, is_mapped: bool = True) -> bool:
        """Return whether a file is the configuration or a schema, and so no data.

        What is not mapped can only be a schema without a manifest: folders with one hold no data.
        """
        if self.is_schema_file(path):
            return True
        return is_mapped and self.has_mapping and self._matcher.is_own(path)

    def unmatched(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the patterns that map files, but none of these."""
        return self._matcher.unmatched(paths) if self.has_mapping else ()

    def is_schema_file(self, path: str) -> bool:
        """Return whether a file is a schema of data, or in a folder found without a manifest.

        So are the files that these refer to.
        """
        if not self._schema_files:
            return False
        return os.path.normpath(os.path.join(self.directory, path)) in self._schema_files

    @cached_property
    def named_schemas(self) -> tuple[str, ...]:
        """The files of `data_schemas`, and those that they refer to."""
        if not self.data_schemas:
            return ()
        from widgetschema.catalog.store.beside import files_beside  # few projects have any

        named = self.data_schemas.values()
        return (*dict.fromkeys((*named, *files_beside(named))),)

    @cached_property
    def _schema_files(self) -> frozenset[str]:
        folders = () if self.schemas is not None else self.schema_folders
        unpinned = [folder for folder in folders if not is_pinned(folder)]
        found = {*self.named_schemas}
        if not unpinned:
            return frozenset(found)
        from widgetschema.catalog.store import Store  # most projects have a manifest, or no folder
        from widgetschema.catalog.store.beside import files_beside
        from widgetschema.errors import StoreError

        for folder in unpinned:
            with contextlib.suppress(StoreError):  # reported where schemas are taken from it
                store = Store(folder, is_found=True)
                own = [str(store.path(id)) for id in store]
                found.update(own, files_beside(own, folder))
        return frozenset(found)

    def ignores_for(self, path: str) -> tuple[Ignore, ...]:
        """Return the ignores that concern a file."""
        return self._matcher.ignores_for(path) if self.ignores else ()

    def items(self) -> Iterator[tuple[Setting, Any, Origin]]:
        """Yield each setting with its value and origin."""
        for name, setting in SETTINGS.items():
            yield setting, getattr(self, setting.attribute), self.origins[name]

    def with_options(self, **values: Any) -> Configuration:
        """Return the configuration with options, by the names of fields; None is no option.

        Paths are relative to the working directory. Entries of a table are added to those of the
        configuration. Raises `TypeError` for a name that is not that of a setting with an option.
        """
        origins, changed = dict(self.origins), dict[str, Any]()
        for name, value in values.items():
            setting = _BY_ATTRIBUTE.get(name)
            if setting is None or setting.option is None:
                raise TypeError(f"there is no option for {name!r}")
            if value is None:
                continue
            if str(setting.schema.get("format")).endswith("path"):
                value = os.path.join(self.directory, value)
            if isinstance(value, Mapping):
                added = resolve(setting.schema, value, self.directory)
                value = {**getattr(self, name), **added}
            changed[name] = tuple(value) if isinstance(value, list) else value
            origins[setting.name] = Origin("option", f"option ({setting.option})")
        return replace(self, **changed, origins=origins)

    @cached_property
    def _matcher(self) -> FileMatcher:
        from widgetschema.project.config.file_matching import FileMatcher  # only with patterns

        return FileMatcher(
            self,
            folder=self.folder,
            directory=self.directory,
            file=self.file,
            is_schema_file=self.is_schema_file,
        )


def load(
    directory: str, environ: Mapping[str, str], *, file: str | None = None, use_file: bool = True
) -> Configuration:
    """Return the configuration for a working directory, before options.

    The file is `file`, else the one that `WIDGETSCHEMA_CONFIG` names, else the nearest one, from
    `directory` upwards; with `use_file` false, none. Raises `ConfigurationError`: the file, or a
    variable, cannot be used.
    """
    directory = os.path.abspath(directory)
    named = environ.get(FILE_VARIABLE, "").strip() or None if file is None else file
    # A traceback shows no more of the environment than this: tokens stay outside.
    environ = {one: environ[one] for one in _BY_VARIABLE if one in environ}
    found = _find_file(directory, named) if use_file else None
    return _in_force(found, directory, directory, environ)


def load_nearest(
    folder: str, directory: str, environ: Mapping[str, str], *, without_file: bool = False
) -> Configuration | None:
    """Return the configuration whose file is in a folder, before options; None without a file.

    With `without_file`, the one that is in force in the folder if there is none. `directory` is the
    working directory. Raises `ConfigurationError`.
    """
    found = None if without_file else _file_in(folder, directory)
    if found is None and not without_file:
        return None
    environ = {one: environ[one] for one in _BY_VARIABLE if one in environ}
    return _in_force(found, folder, directory, environ)


def has_repository(folder: str) -> bool:
    """Return whether a folder is the root of a repository: it has `.git`, be it a file."""
    return os.path.lexists(os.path.join(folder, ".git"))


def _in_force(
    found: ConfigFile | None, folder: str, directory: str, environ: Mapping[str, str]
) -> Configuration:
    folder = folder if found is None else found.folder
    values: dict[str, Any] = {"baseline": os.path.join(folder, Settings.baseline)}
    origins = dict.fromkeys(SETTINGS, Origin("default", "default"))
    from_file = {} if found is None else found.settings()
    for name, (value, origin) in chain(from_file.items(), _environment(environ, directory).items()):
        values[SETTINGS[name].attribute] = value
        origins[name] = origin
    path = None if found is None else found.path
    return Configuration(file=path, folder=folder, directory=directory, origins=origins, **values)


def search_folders(directory: str) -> list[str]:
    """Return the folders in which a configuration file is searched, the nearest first.

    The last is the one that has `.git` (a folder, or a file in a worktree), or the root.
    """
    found: list[str] = []
    folder, above = os.path.abspath(directory), ""
    while folder != above:
        found.append(folder)
        if has_repository(folder):
            break
        folder, above = os.path.dirname(folder), folder
    return found


def _find_file(directory: str, named: str | None) -> ConfigFile | None:
    """Return the configuration file, checked; most projects have none, and load no more."""
    if named is None:
        found = (_file_in(folder, directory) for folder in search_folders(directory))
        return next((one for one in found if one is not None), None)
    from widgetschema.project.config.file import read_file

    path = os.path.normpath(os.path.join(directory, named))
    return read_file(path, directory, is_named=True)


def _file_in(folder: str, directory: str) -> ConfigFile | None:
    """Return the configuration file in a folder, checked; None if there is none."""
    for name in (FILE, PYPROJECT):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            from widgetschema.project.config.file import read_file

            found = read_file(path, directory)
            if found is not None:
                return found
    return None


def _environment(environ: Mapping[str, str], directory: str) -> dict[str, tuple[Any, Origin]]:
    """Return the settings that variables set; an empty variable sets nothing."""
    values: dict[str, tuple[Any, Origin]] = {}
    findings: list[Finding] = []
    for variable, setting in _BY_VARIABLE.items():
        text = environ.get(variable, "").strip()
        if not text:
            continue
        value: Any = None
        if len(text) > LONGEST_TEXT:
            message = f"this has more than {LONGEST_TEXT:,} characters"
            found = [Finding("maxLength", "", "", message)]
        else:
            value = parse(setting.schema, text)
            found = list(check(setting.schema, value, "", None))
        for one in found[:1]:
            message = redact_users(f"{variable}: {one.message}")
            hint = None if one.hint is None else redact_users(one.hint)
            findings.append(Finding("environment", "", "", message, hint))
        # The file of a reporter stays as it was typed, like that of the option.
        if isinstance(value, list):
            value = tuple(value)
        elif not found:
            value = resolve(setting.schema, value, directory)
        values[setting.name] = (value, Origin("environment", f"environment ({variable})"))
    if findings:
        raise ConfigurationError(Report(tuple(findings), "environment")) from None
    return values


def _is_below(directory: str, folder: str) -> bool:
    above = os.path.join(os.path.realpath(folder), "")
    return os.path.join(os.path.realpath(directory), "").startswith(above)
