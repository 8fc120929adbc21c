"""What is configured, as values: `Setting`, `Ignore`, `Configuration`. Nothing is read here."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.catalog.store.locations import find_schema_folders, is_pinned
from widgetschema.findings import split_pointer
from widgetschema.jsontext import Limits
from widgetschema.project.config.members import MEMBERS

if TYPE_CHECKING:
    import datetime

    from widgetschema.project.config.matching import Matching

_ARGUMENTS: Final = {one.name.replace("-", "_"): one for one in MEMBERS if one.argument is not None}


class Ignore(NamedTuple):
    """Findings that are put up with: by pattern of path, pattern of pointer, keyword; all given.

    `line` and `column` are its place in the configuration file. It holds up to the end of the day
    `expires`.
    """

    path: str | None
    pointer: str | None
    keyword: str | None
    reason: str
    expires: datetime.date | None
    line: int
    column: int

    def covers(self, pointer: str, keyword: str) -> bool:
        """Whether it is about such a finding; `Configuration.ignores_for` looks at the path."""
        if self.keyword is not None and self.keyword != keyword:
            return False
        if self.pointer is None:
            return True
        from widgetschema.project.config.globs import parse_pointer  # most projects have none

        return parse_pointer(self.pointer).matches(split_pointer(pointer))


class Mapped(NamedTuple):
    """The files that a configuration maps, and the patterns of it that match no file.

    `outside` are links that a pattern matches, and that lead out of the folder: not followed.
    """

    files: list[str]
    unmatched: tuple[str, ...]
    outside: tuple[str, ...] = ()


class Setting(NamedTuple):
    """The value of a member, and where it is from, in words.

    "default", "widgetschema.toml:3", "environment (WIDGETSCHEMA_JOBS)", "argument (--jobs)".
    """

    value: Any
    origin: str


@dataclass(frozen=True)
class Configuration:
    """What is in force: argument over environment over file over default, for each member.

    `file` is the absolute path of the configuration file, None if there is none; `folder` is what
    its paths and patterns count from: the folder of the file, else `directory`, the working
    directory. `settings` has every member by its name, such as `limits.max-depth`.

    Whoever sends tokens asks `is_of_file("base-url")` first: an address of a file, which anybody
    may have written, never gets tokens of the environment.
    """

    file: str | None
    folder: str
    settings: Mapping[str, Setting] = field(hash=False)
    directory: str

    def value(self, name: str) -> Any:
        """The value of a member by its name. Raises `KeyError`."""
        return self.settings[name].value

    def is_of_file(self, name: str) -> bool:
        """Whether a member has its value from the file, which anybody may have written."""
        if self.file is None:
            return False
        from widgetschema.project.config.paths import told  # only with a file

        return self.settings[name].origin.rpartition(":")[0] == told(self.file, self.directory)

    @property
    def schemas(self) -> str | None:
        """The folder of schemas that is set, absolute."""
        return self._text("schemas")

    @property
    def schema_folders(self) -> tuple[str, ...]:
        """The folders of schemas: the one that is set, else those that are found, nearest first.

        They are looked for from the working directory upwards; from the folder of the configuration
        file, if that is the one of another project.
        """
        if self.schemas is not None:
            return (self.schemas,)
        is_here = _is_below(self.directory, self.folder)
        return find_schema_folders(self.directory if is_here else self.folder)

    @property
    def base_url(self) -> str | None:
        """The address of the platform."""
        return self._text("base-url")

    @property
    def auth_url(self) -> str | None:
        """The address of the token endpoint."""
        return self._text("auth-url")

    @property
    def fetch(self) -> str | None:
        """Where schemas may come from: `auto`, `offline`, `refresh`, `frozen`; None: nowhere."""
        return self._text("fetch")

    @property
    def formats(self) -> bool:
        """Whether formats are checked."""
        return bool(self.value("formats"))

    @property
    def engine(self) -> str | None:
        """The engine: `rust`, `python`; None: the first that is installed."""
        return self._text("engine")

    @property
    def limits(self) -> Limits:
        """How large a document may be."""
        return Limits(self.value("limits.max-depth"), self.value("limits.max-bytes"))

    @property
    def severities(self) -> Mapping[str, str]:
        """Keyword to `error`, `warning`, `note` or `off`."""
        return dict(self.value("severities"))

    @property
    def reporters(self) -> tuple[str, ...]:
        """`FORMAT` or `FORMAT=FILE`; the files that a configuration file names are absolute."""
        return tuple(self.value("reporters"))

    @property
    def baseline(self) -> str:
        """The file of known findings, absolute; it need not be there."""
        return str(self.value("baseline"))

    @property
    def jobs(self) -> int:
        """Processes at the same time; 0: by cores and size."""
        return int(self.value("jobs"))

    @property
    def cache(self) -> bool:
        """Whether results are kept for the next run."""
        return bool(self.value("cache"))

    @property
    def include(self) -> tuple[str, ...]:
        """Patterns of files whose documents say themselves what type they are of."""
        return tuple(self.value("include"))

    @property
    def exclude(self) -> tuple[str, ...]:
        """Patterns of files, and of folders with all that is in them, that are not checked."""
        return tuple(self.value("exclude"))

    @property
    def files(self) -> Mapping[str, str]:
        """Pattern to id of a widget type, in the order of the file."""
        return dict(self.value("files"))

    @property
    def ignores(self) -> tuple[Ignore, ...]:
        """Findings that are put up with."""
        return tuple(self.value("ignores"))

    def type_for(self, path: str) -> str | None:
        """The id of the widget type of a file, by `files`: the last pattern that matches decides.

        `path` is absolute or counts from the working directory; None if it is outside the folder.
        """
        return self._matching.type_for(path) if self.value("files") else None

    def maps(self, path: str) -> bool:
        """Whether a file is one that is checked without being named.

        The configuration and the folder of schemas are none; nor are baselines and reports, which
        whoever checks recognises by what is in them.
        """
        is_set = self.value("files") or self.value("include")
        return bool(is_set) and self._matching.maps(path)

    def excludes(self, path: str) -> bool:
        """Whether a file is left out, should it be found: by folder, by pattern, by `include`."""
        if self.is_unpinned_schema(path):
            return True
        return bool(self.value("exclude")) and self._matching.excludes(path)

    def is_unpinned_schema(self, path: str) -> bool:
        """Whether a file is a schema in one of the folders that were found without a manifest."""
        if not self._unpinned_schemas:
            return False
        return os.path.normpath(os.path.join(self.directory, path)) in self._unpinned_schemas

    @cached_property
    def _unpinned_schemas(self) -> frozenset[str]:
        folders = () if self.schemas is not None else self.schema_folders
        unpinned = [folder for folder in folders if not is_pinned(folder)]
        if not unpinned:
            return frozenset()
        from widgetschema.catalog.store import Store  # most projects have a manifest, or no folder
        from widgetschema.errors import StoreError

        found: set[str] = set()
        for folder in unpinned:
            with contextlib.suppress(StoreError):  # said by whoever takes schemas from there
                store = Store(folder, is_found=True)
                found.update(str(store.path(id)) for id in store)
        return frozenset(found)

    def ignores_for(self, path: str) -> tuple[Ignore, ...]:
        """The ignores that are about a file, or about every file."""
        return self._matching.ignores_for(path) if self.value("ignores") else ()

    def mapped_files(self) -> list[str]:
        """Every file that `maps` is true of, sorted: matched by `files` or `include`, not excluded.

        Paths count from the working directory, as people type them. A folder that cannot be read
        is in the list itself, so that whoever opens it says so. Not followed: links that lead out
        of the folder. Hidden folders and files have to be named by a pattern.
        """
        return self.mapped().files

    def mapped(self) -> Mapped:
        """`mapped_files`, and the patterns that none of them matches."""
        is_set = self.value("files") or self.value("include")
        return self._matching.mapped() if is_set else Mapped([], ())

    def with_arguments(self, **values: Any) -> Configuration:
        """The same with arguments, by the names of members with `_`; None says nothing.

        Paths of arguments count from the working directory. Raises `TypeError` for a name that is
        no member with an argument.
        """
        settings = dict(self.settings)
        for name, value in values.items():
            if name not in _ARGUMENTS:
                raise TypeError(f"there is no argument for {name!r}")
            if value is None:
                continue
            member = _ARGUMENTS[name]
            if member.kind == "path":
                value = os.path.join(self.directory, value)
            if member.kind == "reporters":
                value = tuple(value)
            settings[member.name] = Setting(value, f"argument ({member.argument})")
        return replace(self, settings=settings)

    def _text(self, name: str) -> str | None:
        value = self.value(name)
        return None if value is None else str(value)

    @cached_property
    def _matching(self) -> Matching:
        from widgetschema.project.config.matching import Matching  # most projects have no patterns

        return Matching(self)


def _is_below(directory: str, folder: str) -> bool:
    above = os.path.join(os.path.realpath(folder), "")
    return os.path.join(os.path.realpath(directory), "").startswith(above)
