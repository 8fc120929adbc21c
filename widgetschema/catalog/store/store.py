"""`Store`: a folder of schemas, as a mapping from id to schema.

The bundled schemas are one, so is a project's own `schemas/`, so is the user's cache. A folder
without a manifest can be read too, each JSON or YAML file in it being a schema.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from widgetschema.cached import cached_property
from widgetschema.catalog.schema_files import located, parsed, schema_digest
from widgetschema.catalog.store.beside import Stamp, files_beside, is_inside, name_beside, stamp_of
from widgetschema.catalog.store.locations import MANIFEST, bundled_folder, is_pinned, may_be_schema
from widgetschema.catalog.store.manifest import (
    ManifestEntry,
    looks_like_schema,
    read_manifest,
    schema_files,
    unused_files,
    write_manifest,
)
from widgetschema.catalog.type_ids import FILE_NAME, file_id, nearest_ids
from widgetschema.errors import StoreError, UnknownWidgetType
from widgetschema.files import read_bytes, set_aside
from widgetschema.findings import Provenance, Report
from widgetschema.schema.describes import is_resource
from widgetschema.schema.located import Place
from widgetschema.text import plural
from widgetschema.validation import check_schema

if TYPE_CHECKING:
    from pathlib import Path  # with all it brings, half of what starting the command costs

PLUGIN: Final = "plugin"
# Where an unfinished write keeps what it is about to replace, by digest.
STAGED: Final = ".pull"


class Store(Mapping[str, Any]):
    """A folder of schemas: a mapping from id to schema, read and verified on access.

    Args:
        folder: The folder. A relative path means the working directory of now, also if that
            changes.
        is_found: The folder was not named but found where schemas may be: without a manifest, JSON
            that is no schema is ignored.

    Raises:
        StoreError: For a folder, a manifest or a file that cannot be used.
    """

    def __init__(self, folder: str | os.PathLike[str], *, is_found: bool = False) -> None:
        self._given = os.fspath(folder)
        self._folder = _absolute(self._given)
        self._is_found = is_found
        self._stamp = _stamp(self._folder)
        self._entries = read_manifest(self._given, is_found=is_found)
        self._is_pinned = is_pinned(self._folder)
        self._unlisted: dict[str, ManifestEntry] = {}
        self._schemas: dict[str, Any] = {}
        self._digests: dict[str, str] = {}
        self._beside: dict[str, Stamp | None] = {}  # of files that references led to
        self._ids: tuple[str, ...] | None = None
        self.is_stale = False
        self.is_bundled = os.path.normpath(self._folder) == os.path.normpath(bundled_folder())

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the widget types: all schemas but the base schema and resources for others."""
        if self._ids is None:
            types = (id for id in self if id != PLUGIN and not self._is_resource(id))
            self._ids = tuple(types)
        return self._ids

    def others(self) -> Iterator[tuple[str, str]]:
        """Yield the paths of files here and below that are not types, each with the reason."""
        used = set[str]()
        for id, entry in self._entries.items():
            files = filter(None, (entry.file, entry.rival))
            used.update(os.path.join(self._folder, file) for file in files)
            if id == PLUGIN:
                yield self._path(id), "it is the base schema of widget documents"
            elif not entry.is_below and self._is_resource(id):
                yield self._path(id), "it is a resource for others"
        used.update(files_beside([*used], self._folder))
        is_found = self._is_found and not self._is_pinned
        yield from unused_files(self._folder, used, is_found=is_found)

    @cached_property
    def misnamed(self) -> dict[str, str]:
        """Notes about files whose names are those of other types, by the ids of these types."""
        found: dict[str, str] = {}
        for path in schema_files(self._folder)[0]:
            is_here = os.path.dirname(path) == self._folder
            said = "is not taken for a schema" if is_here else "is in a subfolder"
            found.setdefault(file_id(os.path.basename(path)), f"{path} {said}, and is not a type")
        for id in self:
            found[file_id(self._file(id))] = f"{self._path(id)} has the schema of {id!r}"
        return found

    def __repr__(self) -> str:
        return f"<Store {self._given!r}: {plural(len(self), 'schema')}>"

    def __iter__(self) -> Iterator[str]:
        return (id for id, entry in self._entries.items() if not entry.is_below)

    def __len__(self) -> int:
        return len([*iter(self)])

    def __contains__(self, id: object) -> bool:
        """Return whether there is a schema with this id, listed or in a file of this name."""
        entry = self._entry(id) if isinstance(id, str) else None
        return entry is not None and not entry.is_below

    def __getitem__(self, id: str) -> Any:
        """Return the schema with this id.

        Args:
            id: The id of a widget type, or `plugin`.

        Returns:
            The JSON value of the schema.

        Raises:
            UnknownWidgetType: If there is no such schema; it names similar ids.
            StoreError: If the file cannot be used or is not what the manifest says, and for a file
                of this name that the manifest does not list, since an unpinned schema would pass
                for a pinned one.
        """
        if id not in self:
            raise UnknownWidgetType(id, self.ids, nearest_ids(id, self.ids))
        return self._schema(id)

    def get(self, id: str, default: Any = None) -> Any:
        """Return the schema with this id, or `default`.

        Args:
            id: The id of a widget type, or `plugin`.
            default: Returned if there is no such schema.

        Raises:
            StoreError: If the file cannot be used.
        """
        return self[id] if id in self else default  # noqa: SIM401  # which is this

    @property
    def folder(self) -> Path:
        """The folder."""
        from pathlib import Path

        return Path(self._given)

    def path(self, id: str) -> Path:
        """Return the path of the file of a schema.

        Args:
            id: The id of a widget type, or `plugin`.

        Raises:
            KeyError: If there is no such schema.
        """
        return self.folder / self._file(id)

    def place(self, id: str) -> Place:
        """Return the place that a schema was read from, for relative references in it.

        Args:
            id: The id of a widget type, or `plugin`.

        Raises:
            KeyError: If there is no such schema.
        """
        return Place(self._folder, self._path(id), self._given)

    def id_at(self, path: str) -> str | None:
        """Return the id of the schema in a file of this folder; None if it has none."""
        if not self.is_beside(path):
            return None
        file = name_beside(path, self._folder)
        return next((id for id in self if self._entries[id].file == file), None)

    def is_beside(self, path: str) -> bool:
        """Return whether schemas of this folder may refer to a file: it is there, or below."""
        return is_inside(path, self._folder)

    def beside(self, path: str) -> tuple[Any, Provenance]:
        """Return the schema in a file of this folder or below, and its provenance.

        Raises:
            StoreError: If the file cannot be used, or the manifest does not list it.
        """
        file = name_beside(path, self._folder)
        listed = (id for id, entry in self._entries.items() if entry.file == file)
        name = next(listed, None)
        if name is None:
            name = f"./{file}"
            self._unlisted[name] = ManifestEntry(file)
        self._beside.setdefault(path, stamp_of(path))
        return self._schema(name), self._provenance(name)

    def entry(self, id: str) -> ManifestEntry | None:
        """Return the entry of a schema in the manifest; None if it does not list this id."""
        return self._entries.get(id)

    def provenance(self, id: str) -> Provenance:
        """Return the provenance of a schema. Raises as `store[id]` does."""
        _ = self[id]
        return self._provenance(id)

    def _provenance(self, id: str) -> Provenance:
        entry = self._entries.get(id) or self._unlisted[id]
        source = "bundled" if self.is_bundled else os.path.join(self._given, entry.file)
        origin, fetched = entry.text("source"), entry.text("fetched")
        unpinned = entry.sha256 is None
        return Provenance(
            id, source, self._digests[id], origin, fetched, self.is_stale, unpinned=unpinned
        )

    def has_changed(self) -> bool:
        """Return whether a file of the folder, or one that a reference led to, has changed.

        A store that is `stale` has: it is not as it is on the disk.
        """
        if self.is_stale or _stamp(self._folder) != self._stamp:
            return True
        return any(stamp_of(path) != stamp for path, stamp in self._beside.items())

    def reread(self) -> Store:
        """Return the same folder, read again. Raises `StoreError`."""
        again = Store(self._folder, is_found=self._is_found)
        again._given = self._given
        return again

    def as_stale(self) -> Store:
        """Return the same store, whose provenances say that it could not be read again."""
        stale = copy(self)
        stale.is_stale = True
        return stale

    def check(self, id: str) -> Report:
        """Check a schema against the meta-schema of draft-07.

        Args:
            id: The id of a widget type, or `plugin`.

        Returns:
            The findings, with the lines and columns of the file.

        Raises:
            KeyError: If there is no such schema.
            StoreError: If the file cannot be used.
        """
        path = self._path(id)
        return located(check_schema(self[id], subject=path), path)

    def pin(self) -> Path:
        """Write the manifest for the files as they are now.

        Returns:
            The path of the manifest.

        Raises:
            StoreError: If it cannot be written.
        """
        write_manifest(self._folder)
        vars(self).update(vars(self.reread()))
        return self.folder / MANIFEST

    def set_aside(self, id: str) -> None:
        """Move a file that cannot be used out of the way: it ends in `.corrupt` from then on.

        Raises `StoreError`.
        """
        set_aside(os.path.join(self._folder, self._entries.pop(id).file))
        self._ids = None

    def _schema(self, id: str) -> Any:
        if id not in self._schemas:
            self._schemas[id] = self._load(id)
        return self._schemas[id]

    def _is_resource(self, id: str) -> bool:
        try:
            return is_resource(self[id])
        except StoreError:  # using it says why
            return False

    def _path(self, id: str) -> str:
        return os.path.join(self._folder, self._file(id))

    def _file(self, id: str) -> str:
        entry = self._entry(id)
        if entry is None:
            raise KeyError(id)
        return entry.file

    def _entry(self, id: str) -> ManifestEntry | None:
        """Return the entry of a schema; else of a file of this name that has no id."""
        entry = self._entries.get(id) or self._unlisted.get(id)
        if entry is None:
            with contextlib.suppress(OSError):
                names = (name for name in os.listdir(self._folder) if file_id(name) == id)
                file = next(filter(self._is_unlisted, names), None)
                if file is not None:
                    entry = self._unlisted[id] = ManifestEntry(file)
        return entry

    def _is_unlisted(self, file: str) -> bool:
        path = os.path.join(self._folder, file)
        if file == MANIFEST or not FILE_NAME.fullmatch(file):
            return False
        if any(entry.file == file for entry in self._entries.values()):
            return False  # it is another type's
        try:
            return looks_like_schema(parsed(read_bytes(path), path))
        except StoreError:
            return True  # using it says why

    def _load(self, id: str) -> Any:
        path = self._path(id)
        if id not in self._entries and self._is_pinned:
            raise StoreError(
                path,
                f"{MANIFEST} does not list this file; pin it with: widgetschema types --schemas "
                f"{self._folder} --pin; or move it away",
            )
        rival = self._entries[id].rival if id in self._entries else None
        if rival is not None:
            raise StoreError(path, f"{rival} has the same id, {id!r}: move one of them away")
        raw = self._verified(id) if id in self._entries else read_bytes(path)
        self._digests[id] = schema_digest(raw)
        return parsed(raw, path)

    def _verified(self, id: str) -> bytes:
        """Return the content of a file that is what the manifest says it is."""
        entry = self._entries[id]
        path = os.path.join(self._folder, entry.file)
        raw = _read_as(path, entry.sha256, self._folder)
        if raw is None:  # perhaps it was written after the manifest was read
            with contextlib.suppress(StoreError):
                entry = read_manifest(self._folder).get(id, entry)
                path = os.path.join(self._folder, entry.file)
            raw = _read_as(path, entry.sha256, self._folder)
            self._entries[id] = entry
        if raw is None:
            read_bytes(path)  # says why, if it is not there
            raise StoreError(
                path,
                f"the file has changed since {MANIFEST} was written (its sha256 differs)",
                f"if that was meant, run: widgetschema types --schemas {self._folder} --pin",
            )
        return raw


def _absolute(folder: str) -> str:
    """Return a path that stays the same when the working directory changes."""
    try:
        return os.path.abspath(folder)
    except OSError:  # the working directory was deleted
        return folder


def _stamp(folder: str) -> tuple[tuple[str, int, int, int], ...]:
    """Return a stamp of a folder, which changes when a file in it is written again."""
    stamps = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if may_be_schema(entry.name):
                with contextlib.suppress(OSError):  # a link that leads nowhere
                    status = entry.stat()
                    stamps.append((entry.name, status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(sorted(stamps))


def _read_as(path: str, expected: str | None, folder: str) -> bytes | None:
    """Return the content with a digest: of the file, or of what an unfinished write left."""
    if expected is None:
        return read_bytes(path)
    for place in (path, os.path.join(folder, STAGED, expected)):
        with contextlib.suppress(StoreError):
            raw = read_bytes(place)
            if schema_digest(raw) == expected:
                return raw
    return None


@cache
def bundled() -> Store:
    """Return the schemas that ship with this package (in a checkout: its folder `schemas`)."""
    return Store(bundled_folder())
