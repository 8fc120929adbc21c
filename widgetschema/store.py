"""Folders of schemas: read with their digests checked, written whole or not at all.

A store is a folder of JSON files and a `manifest.json` that lists them:

    {"version": 1, "schemas": {"countdown": {"file": "countdown.json", "sha256": "…"}}}

The bundled schemas are one, so is a project's own `schemas/`. A folder without a manifest
can be read too, each `*.json` in it being a schema. This is the only file that writes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TextIO

from widgetschema.documents import Limits, SourceText, dump, read
from widgetschema.errors import StoreError, UnknownWidgetType, UnreadableDocument
from widgetschema.findings import Report
from widgetschema.validator import check_schema
from widgetschema.words import nearest

if TYPE_CHECKING:
    from pathlib import Path  # with all it brings, half of what starting the command costs

MANIFEST: Final = "manifest.json"
PLUGIN: Final = "plugin"
_LIMITS: Final = Limits(max_bytes=5 * 1024 * 1024)
# A plain file of this folder: no path, no drive, nothing hidden.
_FILE_NAME: Final = re.compile(r"(?!\.)[^/\\:\x00-\x1f]{1,250}\.json")


class Store(Mapping[str, Any]):
    """A folder of schemas: a mapping from id to schema, read and verified on access.

    Raises `StoreError` for a folder, a manifest or a file that cannot be used.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)
        self._files = self._read_manifest()
        self._schemas: dict[str, Any] = {}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the widget types: every schema but the base schema `plugin`."""
        return tuple(id for id in self._files if id != PLUGIN)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, id: object) -> bool:
        return id in self._files

    def __getitem__(self, id: str) -> Any:
        """The schema with this id. Raises `UnknownWidgetType` and `StoreError`."""
        if id not in self._files:
            raise UnknownWidgetType(id, self.ids, nearest(id, self.ids))
        if id not in self._schemas:
            self._schemas[id] = self._load(id)
        return self._schemas[id]

    def get(self, id: str, default: Any = None) -> Any:
        """The schema with this id, or `default`. Raises `StoreError`."""
        return self[id] if id in self._files else default

    @property
    def folder(self) -> Path:
        """The folder."""
        from pathlib import Path

        return Path(self._folder)

    def path(self, id: str) -> Path:
        """The file of a schema."""
        return self.folder / self._files[id][0]

    def check(self, id: str) -> Report:
        """What the meta-schema says of a schema, with lines and columns of its file."""
        path = os.path.join(self._folder, self._files[id][0])
        report = check_schema(self[id], subject=path)
        if report.valid:
            return report
        return Report(SourceText(_read_bytes(path)).place(report.findings), path)

    def pin(self) -> Path:
        """Write the manifest for the files as they are now; its path."""
        write_manifest(self._folder)
        self._files = self._read_manifest()
        self._schemas.clear()
        return self.folder / MANIFEST

    def _read_manifest(self) -> dict[str, tuple[str, str | None]]:
        """Per id: the file name, and the expected sha256 or None."""
        if not os.path.isdir(self._folder):
            raise StoreError(self._folder, "no such folder of schemas")
        path = os.path.join(self._folder, MANIFEST)
        if not os.path.exists(path):
            found = _find_schemas(self._folder)
            if not found:
                raise StoreError(self._folder, "there is no schema (*.json) in this folder")
            return {id: (file, None) for id, file in found.items()}
        manifest = _parsed(_read_bytes(path), path)
        entries = manifest.get("schemas") if type(manifest) is dict else None
        if type(entries) is not dict:
            raise StoreError(path, 'a manifest needs an object "schemas"; write it anew')
        files: dict[str, tuple[str, str | None]] = {}
        for id, entry in entries.items():
            file = entry.get("file") if type(entry) is dict else None
            sha256 = entry.get("sha256") if type(entry) is dict else None
            if not isinstance(file, str) or not isinstance(sha256, str):
                raise StoreError(path, f'the entry {id!r} needs "file" and "sha256"')
            if not _FILE_NAME.fullmatch(file):
                raise StoreError(path, f"the entry {id!r} names no file here: {file!r}")
            files[id] = (file, sha256)
        return files

    def _load(self, id: str) -> Any:
        file, expected = self._files[id]
        path = os.path.join(self._folder, file)
        raw = _read_bytes(path)
        if expected is not None and digest(raw) != expected:
            raise StoreError(
                path,
                f"the file has changed since {MANIFEST} was written (its sha256 differs); if that "
                f"was meant, run: widgetschema types --schemas {self._folder} --pin",
            )
        return _parsed(raw, path)


@cache
def bundled() -> Store:
    """The schemas that ship with this package (in a checkout: its folder `schemas`)."""
    here = os.path.dirname(os.path.realpath(__file__))
    inside = os.path.join(here, "schemas")
    return Store(inside if os.path.isdir(inside) else os.path.join(here, "..", "schemas"))


def find_project_store(start: str | os.PathLike[str]) -> str | None:
    """The nearest folder `schemas` with a manifest, in `start` or above it."""
    folder, above = os.path.abspath(start), ""
    while folder != above:
        if os.path.isfile(os.path.join(folder, "schemas", MANIFEST)):
            return os.path.join(folder, "schemas")
        folder, above = os.path.dirname(folder), folder
    return None


def write_manifest(folder: str | os.PathLike[str]) -> str:
    """Write the manifest of a folder for its files as they are now; its path."""
    if not os.path.isdir(folder):
        raise StoreError(os.fspath(folder), "no such folder of schemas")
    schemas = {
        id: {"file": file, "sha256": digest(_read_bytes(os.path.join(folder, file)))}
        for id, file in sorted(_find_schemas(os.fspath(folder), strict=True).items())
    }
    path = os.path.join(folder, MANIFEST)
    write_atomically(path, dump({"version": 1, "schemas": schemas}))
    return path


def digest(raw: bytes) -> str:
    """The sha256 of a file's content, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def write_atomically(path: str | os.PathLike[str], text: str, *, durable: bool = True) -> None:
    """Write a text file whole or not at all: see `writing_atomically`. Raises `OSError`."""
    with writing_atomically(path, durable=durable) as file:
        file.write(text)


@contextlib.contextmanager
def writing_atomically(path: str | os.PathLike[str], *, durable: bool = True) -> Iterator[TextIO]:
    """A text file that comes to be whole or not at all: a neighbour is written, then moved over.

    If what is done with it fails, or is interrupted, there is nothing left of it. A symbolic
    link stays one: what it points to is replaced. A pipe or a device is written to, since it
    cannot be replaced. Unless `durable`, the system may keep it in memory for a while: that is
    for many small files which can be made again. Raises `OSError`.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8", newline="") as file:
            yield file
        return
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~_umask()
    # The name is known before there is such a file: no moment at which it would be left behind.
    temporary = os.path.join(folder, f".{name[:40]}.{os.urandom(8).hex()}")
    try:
        with open(temporary, "x", encoding="utf-8", newline="", opener=_private) as file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):  # what went wrong first is what is told
            os.unlink(temporary)
        raise


def remove(path: str | os.PathLike[str]) -> None:
    """Remove a file, if it is there. Raises `OSError`."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _find_schemas(folder: str, *, strict: bool = False) -> dict[str, str]:
    """The schemas of a folder: id → file name. The id is a plain `$id`, else the name.

    A file that cannot be read goes by its name, unless `strict`: whoever asks for it learns
    why, and nobody else is stopped by it.
    """
    found: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name == MANIFEST or not _FILE_NAME.fullmatch(name) or not os.path.isfile(path):
            continue
        try:
            schema = _parsed(_read_bytes(path), path)
        except StoreError:
            if strict:
                raise
            schema = None
        own_id = schema.get("$id") if type(schema) is dict else None
        plain = isinstance(own_id, str) and re.fullmatch(r"[^/:#?\\\x00-\x1f]{1,200}", own_id)
        id = str(own_id) if plain else name.removesuffix(".json")
        if id in found:
            raise StoreError(path, f"the id {id!r} is taken by {found[id]}")
        found[id] = name
    return found


def _parsed(raw: bytes, path: str) -> Any:
    try:
        return read(raw, _LIMITS, "not a schema")
    except UnreadableDocument as error:
        raise StoreError(path, str(error)) from None


def _read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise StoreError(path, error.strerror or type(error).__name__) from None
