"""Files that schemas lead to by relative references: inside the folder of the schema only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urldefrag, urljoin, urlsplit

from widgetschema.catalog.store.locations import may_lead_on
from widgetschema.errors import StoreError, UnreadableSchema
from widgetschema.files import read_bytes
from widgetschema.schema.located import LocatedSchemas, Place
from widgetschema.schema.uri_references import decoded, encoded

Stamp = tuple[int, int, int]
_MOST_BASES: Final = 16  # of nested `$id`s


def place_of(file: str, folder: str | None = None) -> Place:
    """Return the place of a schema: its file, and a folder, by default that of the file."""
    shown = os.path.dirname(file) if folder is None else folder
    return Place(os.path.abspath(shown), os.path.abspath(file), shown)


def path_at(uri: str, place: Place) -> str:
    """Return the path of the file that a URI means, if a schema at `place` may lead there.

    Raises `UnreadableSchema` if there is no such file, and `StoreError` for what is no file, or is
    outside of the folder of the schema, also by a symbolic link.
    """
    path = _path(uri)
    shown = shown_path(path, place)
    if not is_inside(path, place.folder):
        raise StoreError(shown, f"is outside of the folder {place.shown or '.'} of the schema")
    try:
        if not os.path.lexists(path):
            raise UnreadableSchema(shown, "there is no such file", _advice(path))
        if not is_inside(os.path.realpath(path), os.path.realpath(place.folder)):
            raise StoreError(shown, "is a link that leads out of the folder of the schema")
        if not os.path.isfile(path):
            raise StoreError(shown, "is not a regular file")
    except ValueError:  # a null character
        raise UnreadableSchema(shown, "there is no such file") from None
    return path


def name_beside(path: str, folder: str) -> str:
    """Return the path of a file relative to a folder that it is in, with slashes."""
    return os.path.relpath(path, folder).replace(os.sep, "/")


def files_beside(files: Iterable[str], folder: str | None = None) -> list[str]:
    """Return the paths of the other files that schemas lead to by relative references.

    Args:
        files: The paths of the schemas.
        folder: The folder that references stay in; by default, that of each file.

    Returns:
        Absolute paths, each once. What cannot be read leads nowhere: using it says why.
    """
    todo = [place_of(file, folder) for file in files]
    seen = {(place.folder, place.file) for place in todo}
    first = {place.file for place in todo}
    for place in todo:  # grows while it is gone through
        for uri in _uris(place):
            with suppress(StoreError):
                path = path_at(uri, place)
                if (place.folder, path) not in seen:
                    seen.add((place.folder, path))
                    todo.append(place._replace(file=path))
    return [*dict.fromkeys(place.file for place in todo if place.file not in first)]


class FileSchemas(LocatedSchemas):
    """The resources of a schema that was read from a file: those beside it, and others.

    Args:
        file: The path of the file.
        others: Resources by name or URI.
    """

    def __init__(self, file: str, others: LocatedSchemas | None = None) -> None:
        self._place = place_of(file)
        self._others = others
        self._paths: dict[str, str] = {}
        self._schemas: dict[str, Any] = {}

    def place(self, name: str | None) -> Place | None:
        """Return the place that a resource was read from; None is for the linked schema."""
        if name is None:
            return self._place
        if name in self._paths:
            return self._place._replace(file=self._paths[name])
        return None if self._others is None else self._others.place(name)

    def find(self, uri: str, place: Place) -> str | None:
        """Return the name of the schema in a file; None for the linked schema itself."""
        if place.folder != self._place.folder:
            return None if self._others is None else self._others.find(uri, place)
        path = path_at(uri, place)
        if path == self._place.file:
            return None
        name = name_beside(path, place.folder)
        self._paths[name] = path
        return name

    def names(self) -> tuple[str, ...]:
        """Return the names of the files to which references led."""
        return tuple(self._paths)

    def located(self) -> Iterable[str]:
        """Return the names of the other resources that are in files."""
        return () if self._others is None else self._others.located()

    def __getitem__(self, name: str) -> Any:
        from widgetschema.catalog.schema_files import parsed

        if name in self._paths:
            if name not in self._schemas:
                path = self._paths[name]
                self._schemas[name] = parsed(read_bytes(path), shown_path(path, self._place))
            return self._schemas[name]
        if self._others is None:
            raise KeyError(name)
        return self._others[name]

    def __iter__(self) -> Iterator[str]:
        return iter(() if self._others is None else self._others)

    def __len__(self) -> int:
        return 0 if self._others is None else len(self._others)


def _path(uri: str) -> str:
    path = decoded(urlsplit(uri).path)
    return os.path.normpath(path.removeprefix("/") if os.name == "nt" else path)


def stamp_of(path: str) -> Stamp | None:
    """Return a stamp of a file, which changes when it is written again; None if it is not there."""
    with suppress(OSError):
        status = os.stat(path)
        return status.st_ino, status.st_mtime_ns, status.st_size
    return None


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path is in a folder or below, by their names."""
    return path.startswith(os.path.join(folder, ""))


def shown_path(path: str, place: Place) -> str:
    """Return a path as it is told: relative if the folder was given so."""
    if os.path.isabs(place.shown) or not is_inside(path, place.folder):
        return path
    return os.path.join(place.shown, os.path.relpath(path, place.folder))


def _advice(path: str) -> str:
    """Suggest another name for a file that does not exist."""
    from widgetschema.suggest import nearest

    folder, name = os.path.split(path)
    with suppress(OSError):
        meant = nearest(name, os.listdir(folder))
        if meant:
            return f"did you mean {meant[0]}?"
    return ""


def _uris(place: Place) -> Iterator[str]:
    """Yield the URIs of files that a schema may lead to: references are not told from data."""
    with suppress(StoreError):
        raw = read_bytes(place.file)
        if not may_lead_on(raw, place.file):
            return
        from widgetschema.catalog.schema_files import parsed  # most schemas lead nowhere

        todo: list[tuple[Any, tuple[str, ...]]] = [(parsed(raw, place.file), (place.uri,))]
        while todo:
            value, bases = todo.pop()
            if type(value) is dict:
                own_id, reference = value.get("$id"), value.get("$ref")
                if type(own_id) is str:
                    # Whether it counts depends on where it is: not at the root, nor beside `$ref`.
                    bases = (*bases, *_joined(bases, own_id))[:_MOST_BASES]
                if type(reference) is str:
                    yield from (uri for uri in _joined(bases, reference) if uri[:5] == "file:")
                todo += ((item, bases) for item in value.values())
            elif type(value) is list:
                todo += ((item, bases) for item in value)


def _joined(bases: Iterable[str], reference: str) -> list[str]:
    with suppress(ValueError):
        return [urldefrag(urljoin(base, encoded(reference)))[0] for base in bases]
    return []
