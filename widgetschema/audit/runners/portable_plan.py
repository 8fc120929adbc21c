"""A plan that another machine can carry out: its schemas travel with it, its paths are absolute.

A catalog reads folders, and may fetch; a machine of a cluster has neither the folders nor the
login. So every type is linked once, and becomes part of the plan.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Final

from widgetschema.audit.plan import Plan
from widgetschema.catalog.catalog import Catalog, is_at
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnknownWidgetType, WidgetSchemaError
from widgetschema.project.inputs.sources import Source
from widgetschema.suggest import nearest

_SCHEME: Final = "://"


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
        for id, found in self._portable_types.items():
            if isinstance(found, WidgetType):
                if is_at(address, id, found.schema, next(iter(found.provenance), None)):
                    return id
        return None

    def __getitem__(self, id: str) -> WidgetType:
        """Return the widget type with this id. Raises as the catalog did that it was made of."""
        found = self._portable_types.get(id) if isinstance(id, str) else None
        if found is None:
            raise UnknownWidgetType(str(id), self.ids(), nearest(str(id), self.ids()))
        if isinstance(found, WidgetSchemaError):
            raise found.with_traceback(None)
        return found


def portable_plan(plan: Plan) -> Plan:
    """Return the same plan for other machines: types are linked, local paths are absolute.

    Types are those that the catalog lists; one that only a request to the platform would know of
    is unknown there, unless it is the type of all records. Raises what a catalog raises that
    cannot say which types it has.
    """
    wanted = None if plan.settings.type_id is None else [plan.settings.type_id]
    return plan._replace(
        catalog=_portable_catalog(plan.catalog, wanted),
        older=None if plan.older is None else _portable_catalog(plan.older, wanted),
        sources=tuple(_with_absolute_path(source) for source in plan.sources),
    )


def _portable_catalog(catalog: Catalog, wanted: Sequence[str] | None) -> PortableCatalog:
    types: dict[str, WidgetType | WidgetSchemaError] = {}
    for id in catalog.ids() if wanted is None else wanted:
        try:
            types[id] = catalog[id]
        except UnknownWidgetType:
            continue  # as unknown there as here
        except WidgetSchemaError as error:
            types[id] = error
    return PortableCatalog(types)


def is_local(source: Source) -> bool:
    """Return whether a source is a file of this machine, perhaps of a shared disk."""
    return source.name != "-" and _SCHEME not in source.address


def _with_absolute_path(source: Source) -> Source:
    """Return the same source by an address that does not depend on the working directory."""
    if not is_local(source):
        return source
    return source._replace(address=os.path.abspath(source.address))
