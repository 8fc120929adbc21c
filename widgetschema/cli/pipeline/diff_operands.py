"""The operands of `diff`: pairs of an older and a newer widget type, from what was named."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from click import UsageError

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.store import PLUGIN, Store
from widgetschema.catalog.store.locations import is_pinned, may_be_schema
from widgetschema.catalog.type_ids import id_in_file, nearest_ids, plain_id
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import (
    catalog_for,
    connected,
    read_schema,
    refuse_offline,
)
from widgetschema.cli.console.output import print_error
from widgetschema.cli.console.progress import with_progress
from widgetschema.cli.declared import Options, argument, option, setting_option
from widgetschema.cli.options import data_kind_option, force_output_option
from widgetschema.cli.pipeline.selection import refuse_existing
from widgetschema.cli.settings import load_settings
from widgetschema.errors import (
    ErrorResponse,
    InvalidSchema,
    LoginRequired,
    UnknownWidgetType,
    WidgetSchemaError,
)
from widgetschema.files import digest
from widgetschema.findings import Provenance
from widgetschema.jsontext import dump
from widgetschema.project.checking.results import Problem
from widgetschema.project.config import Configuration
from widgetschema.project.inputs.discovery import find_files
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.model import File
from widgetschema.schema.describes import Describes, contradiction
from widgetschema.schema.draft04 import from_draft_04
from widgetschema.text import printable


class Argument(NamedTuple):
    """An argument as it was given, and what its file describes if that was said."""

    text: str
    describes: Describes | None = None


class PairOptions(Options):
    """The options of commands about an older and a newer schema, or several pairs of them."""

    old: str | None = argument(metavar="[OLD]", required=False)
    new: str | None = argument(metavar="[NEW]", required=False)
    type_id: str | None = option(
        "--type", metavar="ID", help="Compare only this type, if OLD is a folder."
    )
    schemas: str | None = setting_option("schemas")
    described: tuple[str, ...] = option(
        "--data-schema",
        metavar="FILE",
        multiple=True,
        help="A schema of the data itself as OLD or NEW. Pass it twice for both, first for OLD.",
    )
    plugin: str | None = option(
        "--plugin", metavar="FILE", help="The base schema plugin for both. Default: their own."
    )
    paths: tuple[str, ...] = option(
        "--data",
        metavar="PATH",
        multiple=True,
        help="File or folder of your data, to find what becomes invalid. Can be repeated.",
    )
    kind: str = data_kind_option
    output: str | None = option(
        "--output", metavar="FILE", help="Write to a file instead of standard output."
    )
    force: bool = force_output_option
    quiet: bool = option("--quiet", "-q", help="Print no summary.")

    def refuse_conflicts(self) -> None:
        """Raise a usage error for more than two schemas."""
        if len([*filter(None, (self.old, self.new)), *self.described]) > 2:
            raise UsageError("Only two schemas can be compared: OLD and NEW.")
        if self.old == self.new == "-":
            raise UsageError("Only one of OLD and NEW can be standard input.")

    @property
    def arguments(self) -> tuple[Argument | None, Argument | None]:
        """OLD and NEW, with the files of --data-schema in the places that are left."""
        arguments = [Argument(one) for one in (self.old, self.new) if one is not None]
        arguments += [Argument(one, "data") for one in self.described]
        first, second, *_ = (*arguments, None, None)
        return first, second

    @property
    def words(self) -> list[str]:
        """The words of a command that mean the same schemas."""
        named = {"--plugin": self.plugin, "--schemas": self.schemas, "--type": self.type_id}
        pairs = [("--data-schema", file) for file in self.described]
        pairs += [(name, value) for name, value in named.items() if value is not None]
        return [*filter(None, (self.old, self.new)), *(word for pair in pairs for word in pair)]

    def files(
        self, is_earlier: Callable[[bytes], bool] = lambda begin: False
    ) -> list[File | Problem]:
        """Return the files of --data. Raises a usage error as `refuse_existing`."""
        read = [self.old, self.new, *self.described, self.plugin, *self.paths]
        refuse_existing(self.output, force=self.force, is_earlier=is_earlier, read=read)
        return find_files(self.paths, Search(schemas_in=lambda _: self.schemas))


class DiffOperands(NamedTuple):
    """Pairs of widget types, the ids of removed and added ones, and the errors of others.

    `notes` say that a single schema does not describe what its reader may think. If one is of an
    older draft, `is_converted`, which other commands do not accept.
    """

    pairs: list[tuple[WidgetType, WidgetType]]
    removed: list[str]
    added: list[str]
    failed: list[tuple[str, WidgetSchemaError]]
    notes: tuple[str, ...] = ()
    is_converted: bool = False

    @property
    def older_folder(self) -> str | None:
        """The folder with the older schemas, if a pull may replace them."""
        source = self.pairs[0][0].source if self.pairs else "given"
        if os.path.isdir(source):
            return os.path.relpath(source)
        folder = os.path.dirname(source) or os.curdir
        return os.path.relpath(folder) if os.path.isfile(source) and is_pinned(folder) else None

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
    meaning: WidgetType | Store
    plugin: Any
    described: Mapping[str, Describes] = {}
    draft: str | None = None  # the note on a schema of an older draft

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of the widget type, or those of the schemas of the folder."""
        return (self.meaning.id,) if isinstance(self.meaning, WidgetType) else self.meaning.ids

    @property
    def notes(self) -> tuple[str, ...]:
        """The note on a single schema, if there is one; `types` shows those of a folder."""
        note = self.meaning.note if isinstance(self.meaning, WidgetType) else None
        return tuple(f"{self.name}: {one}" for one in (self.draft, note) if one is not None)

    def type(self, id: str) -> WidgetType:
        """Return the widget type with an id; a single one is returned whatever its id is."""
        store = self.meaning
        if isinstance(store, WidgetType):
            return store
        return WidgetType.from_schema(
            store[id],
            id=id,
            plugin=self.plugin if self.plugin is not None else store.get(PLUGIN),
            resources=Catalog([store]).resources(id),
            describes=self.described.get(id),
            source=self.name,
            provenance=lambda name: store.provenance(name) if name == id else None,
        )


def resolve_operands(
    options: PairOptions, settings: Configuration, *, older_drafts: bool = False
) -> DiffOperands:
    """Return the operands that the options mean; with `older_drafts`, also files of draft-04.

    Without NEW it is what the platform has; without OLD, too, the folder of the project is compared
    with that.

    Raises `OSError` and `UnreadableDocument` for a file that cannot be read, `SchemaError` and
    `StoreError` for what is in it, `UnknownWidgetType` for what is no file and no id; for the
    platform, what a `Fetcher` raises.
    """
    old, new = options.arguments
    schemas, type_id = options.schemas, options.type_id
    if options.old is not None and len(options.described) == 1:
        described = printable(options.described[0])
        print_error(f"OLD is {printable(options.old)}, and NEW is {described}")
    base = None if options.plugin is None else read_schema(options.plugin)
    if old is None or new is None:
        return _with_platform(old, settings, base, options)
    operands = [
        _resolve(
            given,
            lambda: catalog_for(settings, schemas),
            base,
            type_id,
            older_drafts=older_drafts,
        )
        for given in (old, new)
    ]
    before, after = operands
    single = [one.id for one in (before.meaning, after.meaning) if isinstance(one, WidgetType)]
    if not single:
        every = [*dict.fromkeys((*before.ids, *after.ids))]
        if type_id is not None and type_id not in every:
            raise UnknownWidgetType(type_id, every, nearest_ids(type_id, every))
        wanted = every if type_id is None else [type_id]
        both = [id for id in wanted if id in before.ids and id in after.ids]
        removed = [id for id in wanted if id not in after.ids]
        added = [id for id in wanted if id not in before.ids]
        return _made(both, before.type, after.type, removed, added)
    id = type_id or single[0]
    notes = (*before.notes, *after.notes)
    is_converted = any(operand.draft is not None for operand in operands)
    return DiffOperands([(before.type(id), after.type(id))], [], [], [], notes, is_converted)


def resolve_operand(
    given: str,
    catalog: Callable[[], Catalog],
    type_id: str | None,
    *,
    describes: Describes | None = None,
) -> Store | WidgetType:
    """Return what one argument means: a folder of schemas, or a single widget type.

    `catalog` gives the one that ids are looked up in; `describes` is what a file describes, if that
    was said. Raises as `resolve_operands`.
    """
    return _resolve(Argument(given, describes), catalog, None, type_id).meaning


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
            older, newer = before(id), after(id)
            older.require_comparable(newer)
            pairs.append((older, newer))
        except WidgetSchemaError as error:
            failed.append((id, error))
    return DiffOperands(pairs, removed, added, failed)


def _resolve(
    argument: Argument,
    make_catalog: Callable[[], Catalog],
    plugin: Any,
    type_id: str | None,
    *,
    older_drafts: bool = False,
) -> _Operand:
    given = argument.text
    if given != "-" and os.path.isdir(given):
        return _Operand(given, Store(given), plugin, load_settings().described)
    catalog = make_catalog()
    if _is_file(given):
        schema = read_schema(given)
        converted = from_draft_04(schema) if older_drafts else None
        if converted is not None:
            schema = converted.schema
        own_id = plain_id(schema) if given == "-" else id_in_file(schema, given)
        id = type_id or own_id or "unnamed"
        if argument.describes == "data" and load_settings().described.get(id) == "document":
            raise contradiction(id)
        file = None if given == "-" else given
        single = catalog.type_of(
            schema, id, plugin=plugin, describes=argument.describes, source=given, file=file
        )
        note = None if converted is None else converted.note
        return _Operand(given, single, plugin, draft=note)
    try:
        found = catalog[given]
    except UnknownWidgetType as error:
        note = "there is no file or folder of this name either"
        raise UnknownWidgetType(given, error.known, error.nearest, note) from None
    if plugin is not None:
        found = catalog.type_of(found.schema, given, plugin=plugin, source=found.source)
    return _Operand(given, found, plugin)


def _is_file(given: str) -> bool:
    """Return whether an argument that is no folder means a file, and not an id."""
    is_folder = given != "-" and os.path.isdir(given)
    is_path = given == "-" or os.path.exists(given) or may_be_schema(given) or os.sep in given
    return is_path and not is_folder


def _with_platform(
    old: Argument | None, settings: Configuration, base: Any, options: PairOptions
) -> DiffOperands:
    """Return pairs of local and platform types; one that the platform lacks is removed."""
    from widgetschema.platform.fetcher import Fetched, Fetcher, own_plugin

    schemas, type_id = options.schemas, options.type_id
    if old is None:
        folders = settings.schema_folders if schemas is None else (schemas,)
        old = Argument(next(iter(folders), os.path.join(settings.directory, "schemas")))
    folder = old.text
    operand = _resolve(old, lambda: catalog_for(settings, schemas), base, type_id)
    is_folder = isinstance(operand.meaning, Store)
    ids = [type_id] if is_folder and type_id is not None else [*operand.ids]
    refuse_offline()
    given = own_plugin(folder) if is_folder else None
    if options.plugin is not None:
        given = base, Provenance(PLUGIN, options.plugin, digest(dump(base).encode()))
    try:
        client = connected(settings)
    except LoginRequired:
        print_error("there is no NEW, so OLD is compared with the schemas of the platform")
        raise
    with client:
        fetcher = Fetcher(client, cache=None, plugin=given, deadline=None, warn=print_error)
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
