"""The member `$schema`, by which editors find a schema: the widget type that it names, if any."""

from __future__ import annotations

import os
import re
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import Store
from widgetschema.errors import StoreError, UnreadableDocument, WidgetSchemaError
from widgetschema.files import read_bytes
from widgetschema.jsontext import read

_MOST_KNOWN: Final = 1_000  # addresses that are remembered
_LONGEST: Final = 2_000  # characters of an address
_ABSOLUTE: Final = re.compile("[A-Za-z][A-Za-z0-9+.-]+:|//")  # one letter is a drive


class SchemaMember:
    """Finds the types of documents by their member `$schema`; no schema is fetched by address.

    An absolute address means a type if that is the `$id` of its schema, or the address from which
    the schema was fetched. A relative path means the type whose schema is the file of that name;
    if there is another file at that path, it means no type.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[tuple[str, str], str | None] = {}

    def type_id(self, file: str, address: str) -> str | None:
        """The id of the type that `$schema` means in a document of this file; None if none."""
        if len(address) > _LONGEST:
            return None
        key = (os.path.dirname(file), address)
        if key in self._known:
            return self._known[key]
        address = address.partition("#")[0]
        if address.startswith("file:"):
            found = self._by_path("", unquote(urlsplit(address).path))
        elif _ABSOLUTE.match(address):
            found = self._catalog.id_at(address)
        else:
            found = self._by_path(key[0], address.replace("\\", "/"))
        if len(self._known) < _MOST_KNOWN:
            self._known[key] = found
        return found

    def _by_path(self, folder: str, path: str) -> str | None:
        stores = [one for one in self._catalog.sources if isinstance(one, Store)]
        name = path.rstrip("/").rpartition("/")[2]
        files = [id for store in stores for id in store if store.path(id).name == name]
        ids = [id for id in (name, *files, *_names(name)[1:]) if id and id in self._catalog]
        place = os.path.join(folder, path)
        if not ids or not os.path.isfile(place):
            return ids[0] if ids else None
        return next((id for id in ids if self._is_schema(place, id)), None)

    def _is_schema(self, place: str, id: str) -> bool:
        """Whether a file is the schema of a type, or one with the same `$id`, or linked from it."""
        try:
            value = read(read_bytes(place))
        except (StoreError, UnreadableDocument):
            return False
        try:
            widget_type = self._catalog[id]
        except WidgetSchemaError:  # to be told when the document is checked
            return True
        own_id = _id_of(widget_type.schema)
        is_same = own_id is not None and own_id == _id_of(value)
        return is_same or value in (widget_type.schema, widget_type.linked)


def _names(address: str) -> list[str]:
    """The ids that the last name of an address or a path may stand for."""
    name = address.rpartition("/")[2]
    return [name, name.removesuffix(".json"), name.removesuffix(".schema.json")]


def _id_of(schema: Any) -> Any:
    return schema.get("$id") if isinstance(schema, dict) else None
