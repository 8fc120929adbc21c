"""Catalogs as they were at one moment: they read nothing any more, and pickle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.sources import is_at
from widgetschema.catalog.type_ids import nearest_ids
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnknownWidgetType, WidgetSchemaError


class PortableCatalog(Catalog):
    """The types of a catalog as they were at one moment; it reads nothing any more. Pickles.

    For a type that cannot be used it has the error, which is raised when that type is asked for.
    """

    def __init__(self, types: Mapping[str, WidgetType | WidgetSchemaError]) -> None:
        super().__init__([])
        self._portable_types = dict(types)

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all widget types, in the order of the catalog that it was made of."""
        return tuple(self._portable_types)

    def __contains__(self, id: object) -> bool:
        return id in self._portable_types

    def id_at(self, address: str) -> str | None:
        """Return the id of the type whose schema has this `$id`, or came from this address."""
        for id, known in self._portable_types.items():
            if isinstance(known, WidgetType):
                if is_at(address, id, known.schema, next(iter(known.provenance), None)):
                    return id
        return None

    def __getitem__(self, id: str) -> WidgetType:
        """Return the widget type with this id. Raises as the catalog did that it was made of."""
        known = self._portable_types.get(id) if isinstance(id, str) else None
        if known is None:
            raise UnknownWidgetType(str(id), self.ids(), nearest_ids(str(id), self.ids()))
        if isinstance(known, WidgetSchemaError):
            raise known.with_traceback(None)
        return known


def portable_catalog(catalog: Catalog, wanted: Sequence[str] | None) -> PortableCatalog:
    """Return the catalog with the types that it lists, or those that are wanted, each linked.

    A wanted type that is unknown is unknown there, too. Raises what a catalog raises that cannot
    say which types it has.
    """
    types: dict[str, WidgetType | WidgetSchemaError] = {}
    for id in catalog.ids() if wanted is None else wanted:
        try:
            types[id] = catalog[id]
        except UnknownWidgetType:
            continue  # as unknown there as here
        except WidgetSchemaError as error:
            types[id] = error
    return PortableCatalog(types)
