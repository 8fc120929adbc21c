"""The operands of `diff`: pairs of an older and a newer widget type, from what was named."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from click import UsageError

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.data_schemas import DataSchemas
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
from widgetschema.cli.options import data_schemas
from widgetschema.errors import ErrorResponse, InvalidSchema, UnknownWidgetType, WidgetSchemaError
from widgetschema.files import digest
from widgetschema.findings import Provenance
from widgetschema.jsontext import dump
from widgetschema.suggest import nearest
from widgetschema.text import printable


class Argument(NamedTuple):
    """An argument as it was given; a file may be said to have a schema of the data itself."""

    text: str
    describes_data: bool = False


def diff_arguments(
    old: str | None, new: str | None, described: tuple[str, ...]
) -> tuple[Argument | None, Argument | None]:
    """Return OLD and NEW, with the files of --data-schema in the places that are left.

    Raises a usage error for more than two schemas, and if OLD is a file but only one file is given
    with --data-schema.
    """
    arguments = [Argument(one) for one in (old, new) if one is not None]
    arguments += [Argument(one, describes_data=True) for one in described]
    if len(arguments) > 2:
        raise UsageError("Only two schemas can be compared: OLD and NEW.")
    if old is not None and len(described) == 1:
        [other] = described
        if not _is_file(old):
            print_error(f"OLD is {printable(old)}, and NEW is {printable(other)}")
            return arguments[0], arguments[1]
        raise UsageError(
            f"--data-schema takes one file: {printable(old)} would be OLD, and {printable(other)} "
            "NEW, and only NEW would be read as a schema of the data itself. Pass the option "
            "twice, first for OLD: --data-schema OLD --data-schema NEW."
        )
    first, second, *_ = (*arguments, None, None)
    return first, second


class DiffOperands(NamedTuple):
    """Pairs of widget types, the ids of removed and added ones, and the errors of others.

    `notes` say that a single schema does not describe what its reader may think.
    """

    pairs: list[tuple[WidgetType, WidgetType]]
    removed: list[str]
    added: list[str]
    failed: list[tuple[str, WidgetSchemaError]]
    notes: tuple[str, ...] = ()

    def without_lints(self) -> DiffOperands:
        """Return the operands, where a newer type with lints has failed."""
        pairs, failed = [], [*self.failed]
        for before, after in self.pairs:
            try:
                after.refuse_lints()
                pairs.append((before, after))
            except InvalidSchema as error:
                failed.append((after.id, error))
        return self._replace(pairs=pairs, failed=failed)


class _Operand(NamedTuple):
    """The meaning of one argument: one widget type, or the schemas of a folder."""

    name: str
    single: WidgetType | None
    store: Store | None
    plugin: Any

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the schemas of a folder."""
        return self.store.ids if self.store is not None else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """The note on a single schema, if there is one; `types` shows those of a folder."""
        note = None if self.single is None else self.single.why_unusable or self.single.note
        return () if note is None else (f"{self.name}: {note}",)

    def type(self, id: str) -> WidgetType:
        """Return the widget type with an id; a single one is returned whatever its id is."""
        if self.single is not None:
            return self.single
        assert self.store is not None
        plugin = self.plugin if self.plugin is not None else self.store.get(PLUGIN)
        return _widget_type(self.store[id], id, plugin, self.store, self.name)


def resolve_operands(
    old: Argument | None,
    new: Argument | None,
    *,
    schemas: str | None = None,
    plugin: str | None = None,
    type_id: str | None = None,
) -> DiffOperands:
    """Return the operands that the arguments mean; `plugin` is the file of a base schema.

    Without `new` it is what the platform has; without `old`, too, the folder of the project is
    compared with that.

    Raises `OSError` and `UnreadableDocument` for a file that cannot be read, `SchemaError` and
    `StoreError` for what is in it, `UnknownWidgetType` for what is no file and no id; for the
    platform, what a `Fetcher` raises.
    """
    base = None if plugin is None else read_schema(plugin)
    if old is None or new is None:
        return _with_platform(old, schemas, base, plugin, type_id)
    operands = [
        _resolve(given, lambda: configured_catalog(schemas), base, type_id) for given in (old, new)
    ]
    before, after = operands
    if before.single is None and after.single is None:
        every = [*dict.fromkeys((*before.ids, *after.ids))]
        if type_id is not None and type_id not in every:
            raise UnknownWidgetType(type_id, every, nearest(type_id, every))
        wanted = every if type_id is None else [type_id]
        both = [id for id in wanted if id in before.ids and id in after.ids]
        removed = [id for id in wanted if id not in after.ids]
        added = [id for id in wanted if id not in before.ids]
        return _made(both, before.type, after.type, removed, added)
    id = type_id or next(operand.single.id for operand in operands if operand.single is not None)
    notes = (*before.notes, *after.notes)
    return DiffOperands([(before.type(id), after.type(id))], [], [], [], notes)


def resolve_operand(
    given: str,
    catalog: Callable[[], Catalog],
    type_id: str | None,
    *,
    describes_data: bool = False,
) -> tuple[Store | None, WidgetType | None]:
    """Return what one argument means: a folder of schemas, or a single widget type.

    `catalog` gives the one that ids are looked up in; with `describes_data`, a file has a schema of
    the data itself. Raises as `resolve_operands`.
    """
    describes_data = describes_data and _is_file(given)
    operand = _resolve(Argument(given, describes_data), catalog, None, type_id)
    return operand.store, operand.single


def _made(
    ids: list[str],
    before: Callable[[str], WidgetType],
    after: Callable[[str], WidgetType],
    removed: list[str],
    added: list[str],
) -> DiffOperands:
    """Return the pairs of some ids; an error of one does not stop the others."""
    pairs: list[tuple[WidgetType, WidgetType]] = []
    failed: list[tuple[str, WidgetSchemaError]] = []
    for id in ids:
        try:
            pairs.append((before(id), after(id)))
        except WidgetSchemaError as error:
            failed.append((id, error))
    return DiffOperands(pairs, removed, added, failed)


def _resolve(
    argument: Argument, make_catalog: Callable[[], Catalog], plugin: Any, type_id: str | None
) -> _Operand:
    given = argument.text
    if argument.describes_data:
        os.stat(given)  # a missing file is not a broken schema
        return _Operand(given, _data_type(given, make_catalog(), type_id), None, plugin)
    if given != "-" and os.path.isdir(given):
        return _Operand(given, None, Store(given), plugin)
    if _is_file(given):
        schema = read_schema(given)
        catalog = make_catalog()
        if plugin is None:
            plugin = next((one[PLUGIN] for one in catalog.sources if PLUGIN in one), None)
        return _Operand(given, _widget_type(schema, type_id, plugin, {}, given), None, plugin)
    catalog = make_catalog()
    try:
        found = catalog[given]
    except UnknownWidgetType:
        known = catalog.ids()
        raise UnknownWidgetType(given, known, nearest(given, known)) from None
    if plugin is not None:
        found = _widget_type(found.schema, given, plugin, {}, found.source)
    return _Operand(given, found, None, plugin)


def _is_file(given: str) -> bool:
    """Return whether an argument that is no folder means a file, and not an id."""
    is_folder = given != "-" and os.path.isdir(given)
    is_path = given == "-" or os.path.exists(given) or given.endswith(".json") or os.sep in given
    return is_path and not is_folder


def _data_type(file: str, catalog: Catalog, type_id: str | None) -> WidgetType:
    """Return the widget type of a schema of the data itself, as a catalog gives it."""
    files = data_schemas(type_id, file) or {}
    [id] = files
    return Catalog([DataSchemas(files), *catalog.sources])[id]


def _widget_type(
    schema: Any, id: str | None, plugin: Any, resources: Mapping[str, Any], source: str
) -> WidgetType:
    return WidgetType.from_schema(schema, id=id, plugin=plugin, resources=resources, source=source)


def _with_platform(
    old: Argument | None, schemas: str | None, base: Any, plugin: str | None, type_id: str | None
) -> DiffOperands:
    """Return pairs of local and platform types; one that the platform lacks is removed."""
    from widgetschema.platform.fetcher import Fetched, Fetcher, own_plugin

    argument = Argument(project_folder(schemas)) if old is None else old
    folder = argument.text
    operand = _resolve(argument, lambda: configured_catalog(schemas), base, type_id)
    ids = [type_id] if type_id is not None else [*operand.ids]
    if operand.single is not None:
        ids = [operand.single.id]
    refuse_offline()
    given = own_plugin(folder) if operand.store is not None else None
    if plugin is not None:
        given = base, Provenance(PLUGIN, plugin, digest(dump(base).encode()))
    with connected() as client:
        fetcher = Fetcher(client, cache=None, plugin=given, warn=print_error)
        asked = with_progress(fetcher.fetch_many(ids), len(ids), "schemas")
        outcomes = dict(asked)
        catalog = Catalog([fetcher])
        removed = [id for id in ids if _is_removed(outcomes[id])]
        failed = [
            (id, outcome)
            for id, outcome in outcomes.items()
            if not isinstance(outcome, Fetched) and id not in removed
        ]
        fetched = [id for id in ids if isinstance(outcomes[id], Fetched)]
        made = _made(fetched, operand.type, catalog.__getitem__, removed, [])
    return made._replace(failed=[*failed, *made.failed], notes=operand.notes)


def _is_removed(outcome: object) -> bool:
    return isinstance(outcome, ErrorResponse) and outcome.status == 404
