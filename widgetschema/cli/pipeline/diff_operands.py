"""Which widget types are compared: from what was named to pairs of an older and a newer one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import PLUGIN, Store
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import (
    configured_catalog,
    connected,
    project_folder,
    read_schema,
    refuse_offline,
)
from widgetschema.cli.console.output import print_error
from widgetschema.cli.console.progress import with_progress
from widgetschema.errors import ErrorResponse, UnknownWidgetType, WidgetSchemaError
from widgetschema.files import digest
from widgetschema.findings import Provenance
from widgetschema.jsontext import dump
from widgetschema.suggest import nearest


class Pairs(NamedTuple):
    """The types that both sides have, the ids of those that only one has, and what went wrong."""

    both: list[tuple[WidgetType, WidgetType]]
    gone: list[str]
    added: list[str]
    failed: list[tuple[str, WidgetSchemaError]]


class _Side(NamedTuple):
    """What one argument means: one widget type, or the schemas of a folder."""

    name: str
    single: WidgetType | None
    store: Store | None
    plugin: Any

    @property
    def ids(self) -> tuple[str, ...]:
        return self.store.ids if self.store is not None else ()

    def type(self, id: str) -> WidgetType:
        """The widget type with an id; a single one is taken as it is."""
        if self.single is not None:
            return self.single
        assert self.store is not None
        plugin = self.plugin if self.plugin is not None else self.store.get(PLUGIN)
        return _widget_type(self.store[id], id, plugin, self.store, self.name)


def pairs_of(
    old: str | None,
    new: str | None,
    *,
    schemas: str | None = None,
    plugin: str | None = None,
    type_id: str | None = None,
) -> Pairs:
    """The pairs that the arguments of `diff` mean; `plugin` is the file of a base schema.

    Without `new` it is what the platform has; without `old`, too, the folder of the project is
    compared with that.

    Raises `OSError` and `UnreadableDocument` for a file that cannot be read, `SchemaError` and
    `StoreError` for what is in it, `UnknownWidgetType` for what is no file and no id; for the
    platform, what a `Fetcher` raises.
    """
    base = None if plugin is None else read_schema(plugin)
    if old is None or new is None:
        return _with_platform(old, schemas, base, plugin, type_id)
    sides = [
        _side(given, lambda: configured_catalog(schemas), base, type_id) for given in (old, new)
    ]
    before, after = sides
    if before.single is None and after.single is None:
        every = [*dict.fromkeys((*before.ids, *after.ids))]
        if type_id is not None and type_id not in every:
            raise UnknownWidgetType(type_id, every, nearest(type_id, every))
        wanted = every if type_id is None else [type_id]
        both = [id for id in wanted if id in before.ids and id in after.ids]
        gone = [id for id in wanted if id not in after.ids]
        added = [id for id in wanted if id not in before.ids]
        return _made(both, before.type, after.type, gone, added)
    id = type_id or next(side.single.id for side in sides if side.single is not None)
    return Pairs([(before.type(id), after.type(id))], [], [], [])


def one_side(
    given: str, catalog: Callable[[], Catalog], type_id: str | None
) -> tuple[Store | None, WidgetType | None]:
    """What one argument of `diff` means: a folder of schemas, or a single widget type.

    `catalog` gives the one that ids are looked up in. Raises as `pairs_of`.
    """
    side = _side(given, catalog, None, type_id)
    return side.store, side.single


def _made(
    ids: list[str],
    before: Callable[[str], WidgetType],
    after: Callable[[str], WidgetType],
    gone: list[str],
    added: list[str],
) -> Pairs:
    """The pairs of some ids; what is wrong with one does not stop the others."""
    both: list[tuple[WidgetType, WidgetType]] = []
    failed: list[tuple[str, WidgetSchemaError]] = []
    for id in ids:
        try:
            both.append((before(id), after(id)))
        except WidgetSchemaError as error:
            failed.append((id, error))
    return Pairs(both, gone, added, failed)


def _side(
    given: str, make_catalog: Callable[[], Catalog], plugin: Any, type_id: str | None
) -> _Side:
    if given != "-" and os.path.isdir(given):
        return _Side(given, None, Store(given), plugin)
    if given == "-" or os.path.exists(given) or given.endswith(".json") or os.sep in given:
        schema = read_schema(given)
        catalog = make_catalog()
        if plugin is None:
            plugin = next((one[PLUGIN] for one in catalog.sources if PLUGIN in one), None)
        return _Side(given, _widget_type(schema, type_id, plugin, {}, given), None, plugin)
    catalog = make_catalog()
    try:
        found = catalog[given]
    except UnknownWidgetType:
        known = catalog.ids()
        raise UnknownWidgetType(given, known, nearest(given, known)) from None
    if plugin is not None:
        found = _widget_type(found.schema, given, plugin, {}, found.source)
    return _Side(given, found, None, plugin)


def _widget_type(
    schema: Any, id: str | None, plugin: Any, resources: Mapping[str, Any], source: str
) -> WidgetType:
    return WidgetType.from_schema(schema, id=id, plugin=plugin, resources=resources, source=source)


def _with_platform(
    old: str | None, schemas: str | None, base: Any, plugin: str | None, type_id: str | None
) -> Pairs:
    """Pairs of what is here and what the platform has; a type that it does not know is gone."""
    from widgetschema.platform.fetcher import Fetched, Fetcher, own_plugin

    folder = project_folder(schemas) if old is None else old
    side = _side(folder, lambda: configured_catalog(schemas), base, type_id)
    ids = [type_id] if type_id is not None else [*side.ids]
    if side.single is not None:
        ids = [side.single.id]
    refuse_offline()
    given = own_plugin(folder) if side.store is not None else None
    if plugin is not None:
        given = base, Provenance(PLUGIN, plugin, digest(dump(base).encode()))
    with connected(None, None) as client:
        fetcher = Fetcher(client, cache=None, plugin=given, warn=print_error)
        asked = with_progress(fetcher.fetch_many(ids), len(ids), "schemas")
        outcomes = dict(asked)
        catalog = Catalog([fetcher])
        gone = [id for id in ids if _is_gone(outcomes[id])]
        failed = [
            (id, outcome)
            for id, outcome in outcomes.items()
            if not isinstance(outcome, Fetched) and id not in gone
        ]
        fetched = [id for id in ids if isinstance(outcomes[id], Fetched)]
        made = _made(fetched, side.type, catalog.__getitem__, gone, [])
    return made._replace(failed=[*failed, *made.failed])


def _is_gone(outcome: object) -> bool:
    return isinstance(outcome, ErrorResponse) and outcome.status == 404
