"""`DataSchemas`: widget types whose schemas describe the data itself, each in a file of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from widgetschema.catalog.schema_files import parsed, schema_digest
from widgetschema.catalog.store.beside import Stamp, is_inside, place_of, shown_path, stamp_of
from widgetschema.catalog.type_ids import nearest_ids
from widgetschema.errors import StoreError, UnknownWidgetType, UnreadableSchema
from widgetschema.files import read_bytes
from widgetschema.findings import Provenance
from widgetschema.schema.located import Place


class DataSchemas(Mapping[str, Any]):
    """Schemas of widget data: a mapping from the id of the type to the schema in its file.

    A file is read at the first access, and not again: see `reread`. Pickles.

    Args:
        files: The path of the schema of each type, by its id.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = dict(files)
        self._read: dict[str, tuple[Any, str]] = {}  # schema and digest, by the path
        self._stamps: dict[str, Stamp | None] = {}  # of the files that were read

    def __repr__(self) -> str:
        return f"<DataSchemas: {', '.join(self.files)}>"

    def __str__(self) -> str:
        return ", ".join(self.files.values())

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __contains__(self, id: object) -> bool:
        return id in self.files

    def __getitem__(self, id: str) -> Any:
        """Return the schema with this id.

        Args:
            id: The id of a widget type.

        Returns:
            The JSON value of the schema.

        Raises:
            UnknownWidgetType: If there is no such schema; it names similar ids.
            UnreadableSchema: If the file cannot be read, or is not JSON.
            StoreError: If it seems to be data.
        """
        return self._schema_and_digest(id)[0]

    def path(self, id: str) -> str:
        """Return the path of the file of a schema. Raises `KeyError` if there is none."""
        return self.files[id]

    def place(self, id: str) -> Place:
        """Return the place that a schema was read from. Raises `KeyError` if there is none."""
        return place_of(self.files[id])

    def id_at(self, path: str) -> str | None:
        """Return the id of the schema in a file; None if it has none."""
        ids = (id for id, file in self.files.items() if os.path.abspath(file) == path)
        return next(ids, None)

    def is_beside(self, path: str) -> bool:
        """Return whether one of these schemas may refer to a file: in its folder, or below."""
        return any(is_inside(path, place_of(file).folder) for file in self.files.values())

    def beside(self, path: str) -> tuple[Any, Provenance]:
        """Return the schema in a file beside, and where it came from. Raises `StoreError`."""
        schema, sha256 = self._schema_in(path)
        places = map(place_of, self.files.values())
        own = next(place for place in places if is_inside(path, place.folder))
        return schema, Provenance(path, shown_path(path, own), sha256)

    def has_changed(self) -> bool:
        """Return whether a file has changed since it was read."""
        return any(stamp_of(path) != stamp for path, stamp in self._stamps.items())

    def reread(self) -> DataSchemas:
        """Return the same files, to be read again."""
        return DataSchemas(self.files)

    def provenance(self, id: str) -> Provenance:
        """Return the provenance of a schema. Raises as access to the schema does."""
        return Provenance(id, self.files[id], self._schema_and_digest(id)[1])

    def _schema_and_digest(self, id: str) -> tuple[Any, str]:
        if id not in self.files:
            raise UnknownWidgetType(id, [*self.files], nearest_ids(id, self.files))
        path = self.files[id]
        try:
            schema, sha256 = self._schema_in(path)
        except StoreError as error:
            raise UnreadableSchema(error.path, error.reason, error.advice) from None
        refuse_data(schema, path)
        return schema, sha256

    def _schema_in(self, path: str) -> tuple[Any, str]:
        """Return the schema in a file, and its digest. Raises `StoreError`."""
        if path not in self._read:
            self._stamps[path] = stamp_of(path)
            raw = read_bytes(path)
            self._read[path] = parsed(raw, path), schema_digest(raw)
        return self._read[path]


def refuse_data(schema: Any, path: str) -> None:
    """Raise `StoreError` if the schema in a file seems to be data: it accepts anything."""
    from widgetschema.schema.lints import seems_data

    if seems_data(schema):
        raise StoreError(
            path,
            "this seems to be data, not a schema: no property is a keyword of JSON Schema",
            'if it is a schema, add "$schema"',
        )
