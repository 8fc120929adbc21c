"""The setup of an audit: its options, the plan that they mean, and its checkpoints."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import click

from widgetschema.audit.checkpoints import Checkpoints
from widgetschema.audit.comparison import Earlier, NotASummary, parse_summary, require_same_question
from widgetschema.audit.gate import Gate, parse_gate
from widgetschema.audit.inputs.inspection import require_no_password
from widgetschema.audit.inputs.sources import Source
from widgetschema.audit.inputs.tables.model import ColumnNames, default_columns
from widgetschema.audit.plan import (
    MOST_POINTERS,
    Plan,
    Settings,
    plan_sources,
    without_input,
)
from widgetschema.audit.sampling import Sample, parse_sample
from widgetschema.catalog.catalog import Catalog, project_sources
from widgetschema.catalog.type_ids import plain_id
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.output import print_error
from widgetschema.cli.options import data_schemas, only_type
from widgetschema.cli.pipeline.diff_operands import resolve_operand
from widgetschema.cli.pipeline.selection import OutputFiles, overwrite_error, require_unread
from widgetschema.cli.settings import load_settings
from widgetschema.errors import StoreError, WidgetSchemaError
from widgetschema.files import read_bytes, user_cache_folder
from widgetschema.pointers import not_to_member
from widgetschema.project.checking.checker import TYPE_POINTER
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.checking.runner import BYTES_PER_WORKER, jobs_for_work
from widgetschema.project.config import Configuration
from widgetschema.project.inputs.discovery import is_address
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.framing import AskedFraming
from widgetschema.text import join, printable
from widgetschema.validation.engines import load_engine

if TYPE_CHECKING:
    from widgetschema.evolution.migrate import Migration

_SIZE: Final = re.compile(r"([0-9]{1,15}) ?([KMGT]?)(I?)B?", re.ASCII | re.IGNORECASE)
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_LEAST: Final = 4096  # bytes of a partition
STANDARD_STREAM: Final = "-"
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


class AuditOptions(NamedTuple):
    """The options of `widgetschema audit`, and of commands that audit on their way.

    Such a command writes `others`, too; if it `shows_texts` on standard output, the summary goes to
    standard error.
    """

    inputs: tuple[str, ...]
    type_id: str | None = None
    type_pointer: str = TYPE_POINTER
    data_pointer: str | None = None
    at: str | None = None
    decode_strings: bool = False
    data_column: str | None = None
    type_column: str | None = None
    table: str | None = None
    query: str | None = None
    key: str | None = None
    kind: str = "auto"
    input_format: str = "auto"
    schemas: str | None = None
    data_schema: str | None = None
    fetch: str | None = None
    against: str | None = None
    findings: str | None = None
    invalid_ids: str | None = None
    quarantine: str | None = None
    html: str | None = None
    output_format: str = "text"
    compare: tuple[str, ...] = ()
    id_pointer: str = "/id"
    id_column: str | None = None
    date_pointer: str = "/updated"
    by: tuple[str, ...] = ()
    examples: int = 3
    sample: str | None = None
    seed: int = 0
    max_invalid: str | None = None
    engine: str | None = None
    no_formats: bool = False
    strict_schema: bool = False
    jobs: int | None = None
    partition_size: str = "16MiB"
    resume: bool = False
    scheduler: str | None = None
    allow_empty: bool = False
    strict_inputs: bool = False
    quiet: bool = False
    color: str = "auto"
    config: str | None = None
    no_config: bool = False
    others: tuple[str, ...] = ()
    shows_texts: bool = False

    def check(self) -> None:
        """Raise a usage error for options that exclude each other."""
        self._check_databases()
        self.partition_bytes()
        gate = self.gate()
        if self.sample_of_records() is not None and gate is not None and not gate.is_share:
            raise click.UsageError(
                "--sample checks only some records: pass --max-invalid as a share, such as 0.1%."
            )
        for option in ("type", "data", "id", "date"):
            _require_pointer(f"--{option}-pointer", getattr(self, f"{option}_pointer"))
        _require_pointer("--at", self.at)
        if self.data_pointer is not None and self.kind != "auto":
            raise click.UsageError("--data-pointer and --as cannot be combined.")
        self._check_by()
        if self.type_column is not None and self._knows_types:
            raise click.UsageError(
                "--type-column cannot be combined with --type, --data-schema, --data-pointer, --at "
                "and --as document: the types are known."
            )
        if self.config and self.no_config:
            raise click.UsageError("--config and --no-config cannot be combined.")
        shared = [option for option, file in self._lines if file == STANDARD_STREAM]
        if len(shared) > 1:
            raise click.UsageError(f"{join(shared)} cannot share standard output.")
        if self.html == STANDARD_STREAM:
            raise click.UsageError("--html needs the name of a file.")
        if STANDARD_STREAM in self.inputs:
            if self.resume:
                raise click.UsageError("--resume cannot continue standard input: name files.")
            if self.against == STANDARD_STREAM:
                raise click.UsageError("Only one of PATH and --against can be standard input.")
            if self.scheduler is not None:
                raise click.UsageError("--scheduler: other machines cannot read standard input.")
        if self.scheduler is not None and self.jobs is not None:
            raise click.UsageError("--scheduler and --jobs cannot be combined.")

    def _check_databases(self) -> None:
        """Raise a usage error before anything shows an address that has a password."""
        for name in self.inputs:
            try:
                require_no_password(name)
            except ValueError as error:
                raise click.UsageError(f"{error}.") from None
        if self.table is not None and self.query is not None:
            raise click.UsageError("--table and --query cannot be combined.")

    @property
    def _knows_types(self) -> bool:
        """True if the types of the rows of a table are not in a column."""
        return self.only_type is not None or self._has_documents

    @property
    def _has_documents(self) -> bool:
        return self.kind == "document" or (self.data_pointer or self.at) is not None

    @property
    def columns(self) -> ColumnNames:
        """The columns to read of tables: by default, those with the names of the members."""
        defaults = default_columns(
            self.type_pointer, self.id_pointer, self.date_pointer, self.by, self._knows_types
        )
        return defaults._replace(
            data=self.data_column,
            type=self.type_column,
            id=self.id_column,
            has_type=self.only_type is not None and not self._has_documents,
            table=self.table,
            query=self.query,
            key=self.key,
        )

    @property
    def only_type(self) -> str | None:
        """The id of the widget type of all records, if one is given."""
        return only_type(self.type_id, self.data_schema)

    @property
    def files(self) -> list[str]:
        """The files that are written."""
        named = (*(file for _, file in self._lines), self.html, *self.others)
        return [one for one in named if one is not None and one != STANDARD_STREAM]

    @property
    def wants_table(self) -> bool:
        """True if the findings are written as Parquet."""
        return self.findings is not None and self.findings.lower().endswith(".parquet")

    @property
    def takes_stdout(self) -> bool:
        """True if lines go to standard output, in place of the summary."""
        return self.shows_texts or any(file == STANDARD_STREAM for _, file in self._lines)

    @property
    def _lines(self) -> list[tuple[str, str | None]]:
        """The options that write lines, and what they were given."""
        return [
            ("--findings", self.findings),
            ("--invalid-ids", self.invalid_ids),
            ("--quarantine", self.quarantine),
        ]

    def partition_bytes(self) -> int:
        """Return the size of a partition in bytes. Raises a usage error."""
        match = _SIZE.fullmatch(self.partition_size.strip())
        if match is None:
            raise click.BadParameter(
                f"{printable(self.partition_size)!r} is not a size such as 16MiB.",
                param_hint="--partition-size",
            )
        number, unit, binary = match.groups()
        size: int = int(number) * (1024 if binary else 1000) ** _POWERS[unit.upper()]
        if not _LEAST <= size <= 2**50:
            raise click.BadParameter(
                f"{printable(self.partition_size)} is not between 4KiB and 1024TiB.",
                param_hint="--partition-size",
            )
        return size

    def _check_by(self) -> None:
        for pointer in self.by:
            _require_pointer("--by", pointer)
        if len({*self.by}) < len(self.by):
            raise click.BadParameter("the same pointer is given twice.", param_hint="--by")
        if len(self.by) > MOST_POINTERS:
            raise click.BadParameter(f"at most {MOST_POINTERS} pointers.", param_hint="--by")

    def earlier(self) -> list[Earlier]:
        """Return the summaries to compare with. Raises a usage error."""
        found = []
        sample = self.sample_of_records()
        for name in self.compare:
            try:
                summary = parse_summary(read_bytes(name))
                require_same_question(
                    summary,
                    against=self.against is not None,
                    sample=None if sample is None else (sample.share, sample.seed),
                )
                found.append(Earlier(name, summary))
            except StoreError as error:
                raise click.UsageError(f"--compare {printable(name)}: {error.reason}.") from error
            except NotASummary as error:
                raise click.UsageError(f"--compare {printable(name)}: {error}.") from error
        return found

    def sample_of_records(self) -> Sample | None:
        """Return the sample that is checked, if that is given. Raises a usage error."""
        if self.sample is None:
            return None
        found = parse_sample(self.sample, self.seed)
        if found is None:
            raise click.BadParameter(
                f"{printable(self.sample)!r} is not a share such as 1%.", param_hint="--sample"
            )
        return found

    def gate(self) -> Gate | None:
        """Return how many records may be invalid, if that is given. Raises a usage error."""
        if self.max_invalid is None:
            return None
        found = parse_gate(self.max_invalid)
        if found is None:
            raise click.BadParameter(
                f"{printable(self.max_invalid)!r} is neither a number of records such as 10 nor a "
                "share such as 0.1%.",
                param_hint="--max-invalid",
            )
        return found

    def settings(self) -> Configuration:
        """Return the settings in force. Raises `ConfigurationError`."""
        return load_settings(self.config, no_config=self.no_config).with_options(
            schemas=self.schemas,
            data_schemas=data_schemas(self.type_id, self.data_schema),
            fetch=self.fetch,
            formats=False if self.no_formats else None,
            strict_schema=self.strict_schema or None,
            engine=self.engine,
            jobs=self.jobs,
        )


def _require_pointer(option: str, pointer: str | None) -> None:
    """Raise a usage error unless this is a JSON Pointer to a member, or not given."""
    problem = None if pointer is None else not_to_member(pointer)
    if problem is not None:
        raise click.BadParameter(f"{problem}.", param_hint=option)


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
    migration: tuple[Catalog, Migration] | None = None,
    own: Collection[str] = (),
    done: Collection[str] = (),
) -> AuditSetup:
    """Return the setup of an audit; with a migration, by the catalog that has its new schema.

    The files `own`, which are real paths, are no data, and what is `done` is left out. Raises a
    usage error, and what a catalog, a store and the platform raise.
    """
    outputs = _outputs(options, settings)
    catalog = _catalog(options, settings) if migration is None else migration[0]
    older = None if options.against is None else _older(options, options.against, settings)
    if older is not None and _is_same(older, catalog, options.only_type):
        raise click.UsageError(_SAME.format(printable(options.against or "")))
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
        columns=options.columns,
        framing=_FRAMINGS[options.input_format] or _framing_of_data(options, catalog),
    )
    if done:
        others = {index for index, one in enumerate(sources) if not _is_in(one.address, done)}
        kept = (tuple(one for one in spans if one.source in others) for spans in partitions)
        partitions = [spans for spans in kept if spans]
    if not problems:  # else there may be more than what can be read
        _require_tables(options, sources)
    for source in sources:
        outputs.require_distinct(source.address.rpartition("file://")[2], source.name)
    outputs.refuse_data(options.quarantine)
    what = Settings(
        type_id=options.only_type,
        type_pointer=options.type_pointer,
        kind=options.kind,
        data_pointer=options.data_pointer,
        at=options.at or "",
        decode_strings=options.decode_strings,
        id_pointer=options.id_pointer,
        date_pointer=options.date_pointer,
        examples=options.examples,
        findings=options.findings is not None,
        ids=options.invalid_ids is not None,
        quarantine=options.quarantine is not None,
        by=options.by,
        sample=options.sample_of_records(),
        dates=options.html is not None,
    )
    plan = Plan(
        what,
        catalog,
        tuple(sources),
        tuple(partitions),
        older,
        settings.limits.max_bytes,
        None if migration is None else migration[1],
    )
    if migration is None and settings.fetch not in (None, "frozen"):
        if options.only_type is None:
            # What is fetched on the way is fetched once, by one process, and may be new each time.
            _refuse_resuming(options)
            return AuditSetup(plan, problems, 1, None)
        from widgetschema.audit.runners.portable_plan import portable_plan

        plan = portable_plan(plan)  # the one type is here; then all processes may have it
    work = sum(BYTES_PER_WORKER if one.size is None else one.size for one in plan.sources)
    jobs = jobs_for_work(work, settings.jobs)
    return AuditSetup(plan, problems, jobs, _checkpoints(options, plan, settings))


def _is_in(address: str, paths: Collection[str]) -> bool:
    return os.path.realpath(address) in paths


def _framing_of_data(options: AuditOptions, catalog: Catalog) -> AskedFraming | None:
    """Return "uncut" if an array can be one record, since the type of all records allows that."""
    type_id = options.only_type
    is_data = options.kind != "document" and (options.data_pointer or options.at) is None
    return "uncut" if type_id is not None and is_data and catalog[type_id].allows_array else None


# Inputs and outputs


def _require_tables(options: AuditOptions, sources: Sequence[Source]) -> None:
    """Raise a usage error if an option is for databases or tables, and there is none."""
    found = without_input(options.columns, sources)
    if found is not None:
        name, why = found
        raise click.UsageError(f"--{name.replace('_', '-')} {why}.")


def _outputs(options: AuditOptions, settings: Configuration) -> OutputFiles:
    """Return the output files. Raises a usage error if one would overwrite what is needed."""
    files = options.files
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
    store, single = resolve_operand(given, lambda: _pinned(options), type_id, describes=describes)
    if store is not None:
        return Catalog([store], describes=settings.described, **how)
    assert single is not None
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
    """Return what identifies this program: versions of all that decides, and its own files."""
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
