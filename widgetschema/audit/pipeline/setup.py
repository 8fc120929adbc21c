"""The setup of an audit: the plan that its options mean, and its checkpoints."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import click

from widgetschema.audit.checkpoints import Checkpoints
from widgetschema.audit.inputs.sources import Source
from widgetschema.audit.inputs.tables.model import ColumnNames
from widgetschema.audit.pipeline.audit_options import STANDARD_STREAM, AuditOptions
from widgetschema.audit.plan import (
    Plan,
    Settings,
    plan_sources,
    without_input,
)
from widgetschema.catalog.catalog import Catalog, project_sources
from widgetschema.catalog.type_ids import plain_id
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.output import print_error
from widgetschema.cli.pipeline.diff_operands import resolve_operand
from widgetschema.cli.pipeline.selection import OutputFiles, overwrite_error, require_unread
from widgetschema.cli.settings import load_settings
from widgetschema.errors import WidgetSchemaError
from widgetschema.files import user_cache_folder
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.checking.runner import BYTES_PER_WORKER, jobs_for_work
from widgetschema.project.config import Configuration
from widgetschema.project.inputs.discovery import is_address
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.formats import AskedFraming
from widgetschema.text import printable
from widgetschema.validation.engines import load_engine

if TYPE_CHECKING:
    from widgetschema.evolution.migrate import Migration

_SAME: Final = (
    "--against {}: these are the very schemas that the records are checked by, so nothing can have "
    "changed. Name the older ones, such as a copy of the folder, or the newer ones by --schemas."
)
_FRAMINGS: Final[dict[str, AskedFraming | None]] = {
    "auto": None,
    "lines": "lines",
    "array": "array",
    "concatenated": "texts",
    "sequence": "sequence",
}
_DECIDING: Final = (  # distributions that decide what is valid, or read texts
    "widgetschema",
    "jsonschema-rs",
    "jsonschema",
    "msgspec",
    "orjson",
    "regex",
)
_KEPT: Final = "audits"  # the folder of checkpoints, in the user's cache folder


class BulkMigration(NamedTuple):
    """A migration in bulk: what it adds to the audit that it is.

    Attributes:
        catalog: The catalog that has the new schema.
        migration: The migration.
        type_for: Returns the type of the records of a file that name none.
        own: Real paths of files that are no data.
        done: Real paths of files that are left out.
        written: Files that are written, beside those that the options name.
    """

    catalog: Catalog
    migration: Migration
    type_for: Callable[[str], str | None]
    own: Collection[str] = ()
    done: Collection[str] = ()
    written: Sequence[str] = ()


class AuditSetup(NamedTuple):
    """A plan, the problems of its inputs, and how it is executed on this machine.

    `checkpoints` are None if none can or need be kept.
    """

    plan: Plan
    problems: Sequence[Problem]
    jobs: int
    checkpoints: Checkpoints | None


def set_up(
    options: AuditOptions,
    settings: Configuration,
    bulk: BulkMigration | None = None,
) -> AuditSetup:
    """Return the setup of an audit, or of a migration in bulk.

    Raises a usage error, and what a catalog, a store and the platform raise.
    """
    own, done, written = (bulk.own, bulk.done, bulk.written) if bulk is not None else ((), (), ())
    record_settings = options.record_settings
    columns = record_settings.columns(
        ColumnNames(
            options.data_column,
            options.type_column,
            options.id_column,
            table=options.table,
            query=options.query,
            key=options.key,
        )
    )
    outputs = _outputs(options, settings, written)
    catalog = _catalog(options, settings) if bulk is None else bulk.catalog
    older = None if options.against is None else _older(options, options.against, settings)
    if older is not None and _is_same(older, catalog, options.only_type):
        raise click.UsageError(_SAME.format(printable(options.against or "")))
    framing = _FRAMINGS[options.input_format]
    framing_of = cache(
        lambda type_id: framing or _framing_of_data(record_settings, catalog, type_id)
    )
    framing_of(None)  # raises now, and once, if the type of all records cannot be used
    sources, partitions, problems = plan_sources(
        [one for one in options.inputs if is_address(one) or not outputs.replaces(one)],
        partition_bytes=options.partition_bytes(),
        # What git ignores is read: exports often are.
        search=Search(
            rules_in=settings.rules_in,
            own_in=lambda _: (
                lambda path, _: (
                    settings.is_schema_file(path)
                    or outputs.replaces(path)
                    or os.path.realpath(path) in own
                )
            ),
            schemas_in=lambda folder: settings.schemas,
        ),
        must_read=options.strict_inputs,
        columns=columns,
        type_for=settings.type_for if bulk is None else bulk.type_for,
        framing_of=framing_of,
    )
    if done:
        others = {index for index, one in enumerate(sources) if not _is_in(one.address, done)}
        kept = (tuple(one for one in spans if one.source in others) for spans in partitions)
        partitions = [spans for spans in kept if spans]
    if not problems:  # else there may be more than what can be read
        _require_tables(columns, sources)
    for source in sources:
        outputs.require_distinct(source.address.rpartition("file://")[2], source.name)
    outputs.refuse_data(options.quarantine)
    plan = Plan(
        record_settings,
        catalog,
        tuple(sources),
        tuple(partitions),
        older,
        settings.limits.max_bytes,
        None if bulk is None else bulk.migration,
    )
    if bulk is None and settings.fetch not in (None, "frozen"):
        if options.only_type is None:
            # What is fetched on the way is fetched once, by one process, and may be new each time.
            _refuse_resuming(options)
            return AuditSetup(plan, problems, 1, None)
        plan = plan.portable()  # the one type is here; then all processes may have it
    work = sum(BYTES_PER_WORKER if one.size is None else one.size for one in plan.sources)
    jobs = jobs_for_work(work, settings.jobs)
    return AuditSetup(plan, problems, jobs, _checkpoints(options, plan, settings))


def _is_in(address: str, paths: Collection[str]) -> bool:
    return os.path.realpath(address) in paths


def _framing_of_data(
    record_settings: Settings, catalog: Catalog, type_id: str | None
) -> AskedFraming | None:
    """Return "uncut" if an array can be one record, since its type allows that."""
    type_of_all = record_settings.type_id
    type_id = type_of_all or type_id
    if type_id is None or record_settings.has_documents:
        return None
    try:
        return "uncut" if catalog[type_id].allows_array else None
    except WidgetSchemaError:
        if type_of_all is not None:
            raise
        return None  # each record of the file reports it


# Inputs and outputs


def _require_tables(columns: ColumnNames, sources: Sequence[Source]) -> None:
    """Raise a usage error if an option is for databases or tables, and there is none."""
    found = without_input(columns, sources)
    if found is not None:
        name, why = found
        raise click.UsageError(f"--{name.replace('_', '-')} {why}.")


def _outputs(options: AuditOptions, settings: Configuration, others: Sequence[str]) -> OutputFiles:
    """Return the output files. Raises a usage error if one would overwrite what is needed."""
    files = [*options.files, *others]
    real = [os.path.realpath(file) for file in files]
    for file, path in zip(files, real, strict=True):
        if not file:
            raise click.UsageError("An output file needs a name.")
        if real.count(path) > 1 and (os.path.isfile(path) or not os.path.exists(path)):
            raise click.UsageError(f"Two outputs cannot share the file {printable(file)}.")
        if not os.path.isdir(os.path.dirname(path)):
            raise click.UsageError(f"The folder of {printable(file)} does not exist.")
        if os.path.isdir(path):
            raise click.UsageError(f"{printable(file)} is a folder: name a file in it.")
    outputs = OutputFiles(files, ids=options.invalid_ids)
    require_unread(settings, outputs)
    for path in real:
        if path in map(os.path.realpath, options.compare):
            raise click.UsageError(overwrite_error(path, "--compare names it"))
    if options.against is not None and options.against != STANDARD_STREAM:
        old = os.path.realpath(options.against)
        for path in real:
            if path == old or (os.path.dirname(path) == old and os.path.lexists(path)):
                raise click.UsageError(overwrite_error(path, "--against names it"))
    return outputs


# Schemas


def _catalog(options: AuditOptions, settings: Configuration) -> Catalog:
    catalog = catalog_for(settings)
    if settings.engine is not None:
        load_engine(settings.engine)  # else every record would report that it is missing
    if options.only_type is not None:
        _ = catalog[options.only_type]  # raises now, and once, if it is unknown or cannot be used
    return catalog


def _older(options: AuditOptions, given: str, settings: Configuration) -> Catalog:
    """Return the older schemas, by which records must have been valid before.

    An id means a pinned or bundled schema, whatever `--schemas` and `--fetch` say.
    """
    how: dict[str, Any] = {
        "formats": settings.formats,
        "engine": settings.engine,
        "limits": settings.limits,
    }
    type_id = options.only_type
    describes: Literal["data"] | None = None if options.data_schema is None else "data"
    single = resolve_operand(given, lambda: _pinned(options), type_id, describes=describes)
    if not isinstance(single, WidgetType):
        return Catalog([single], describes=settings.described, **how)
    if type_id is None and plain_id(single.schema) is None and single.id not in _pinned(options):
        raise click.UsageError(
            f"cannot determine the widget type of {printable(given)}; pass --type ID, or add a $id."
        )
    if type_id not in (None, single.id):
        raise click.UsageError(
            f"--against {printable(given)} is a schema of widget type {single.id!r}, but by "
            f"--type, the records are of type {type_id!r}."
        )
    from widgetschema.catalog.portable import PortableCatalog

    origins = {one.id: one for one in single.provenance}
    own = origins.get(single.id)
    if own is not None and os.path.exists(given):  # else it is an id, which has its own origin
        origins[single.id] = replace(own, source=given)
    same = WidgetType.from_schema(
        single.linked,
        id=single.id,
        describes=single.describes,
        source=single.source,
        provenance=origins.get,
        **how,
    )
    return PortableCatalog({single.id: same})


def _pinned(options: AuditOptions) -> Catalog:
    """Return the schemas of the project and the bundled ones, which ids of `--against` mean."""
    settings = load_settings(options.config, no_config=options.no_config)
    folders, is_found = settings.schema_folders, settings.schemas is None
    sources = project_sources(folders, is_found=is_found)
    return Catalog(sources, describes=settings.described)


def _is_same(older: Catalog, newer: Catalog, type_id: str | None) -> bool:
    """Return whether each type of the older catalog is the same in the newer one."""
    ids = older.ids() if type_id is None else (type_id,)
    try:
        pairs = [(older[id], newer[id]) for id in ids]
    except WidgetSchemaError:  # a type that only one of them has was changed
        return False
    return bool(pairs) and all(
        (one.linked_digest, one.describes) == (other.linked_digest, other.describes)
        for one, other in pairs
    )


# Checkpoints


def _refuse_resuming(options: AuditOptions) -> None:
    if options.resume:
        raise click.UsageError(
            "--resume must know the schemas that were used: pass --type ID, or download them "
            "first with: widgetschema pull"
        )


def _checkpoints(options: AuditOptions, plan: Plan, settings: Configuration) -> Checkpoints | None:
    """Return the checkpoints; None if there is nothing to keep or no place to keep it."""
    if len(plan.partitions) < 2:
        return None
    root = user_cache_folder()
    if not os.path.isabs(root):
        print_error("progress cannot be kept for --resume: the home folder is unknown")
        return None
    try:
        about = (*_program(), settings.findings_key, os.getcwd(), options.inputs)
        found = Checkpoints(plan, os.path.join(root, _KEPT), about, print_error)
    except OSError as error:
        print_error(f"progress cannot be kept for --resume: {reason(error)}")
        return None
    found.prune()
    return found


def _program() -> list[object]:
    """Return the identity of this program: versions of all that decides, and its own files."""
    from importlib.metadata import PackageNotFoundError, version

    parts: list[object] = [sys.version]
    for name in _DECIDING:
        with contextlib.suppress(PackageNotFoundError):
            parts.append((name, version(name)))
    package = Path(__file__).parents[2]
    for file in sorted(package.rglob("*.py")):
        status = file.stat()
        parts.append((str(file), status.st_size, status.st_mtime_ns))
    return parts
