"""From the options of `audit` to its plan: what is read, by which schemas, what is kept of it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import click

from widgetschema.audit.checkpoints import Checkpoints
from widgetschema.audit.plan import Plan, Settings
from widgetschema.audit.planning import plan_sources
from widgetschema.catalog.catalog import Catalog, project_sources
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.commands.pairs import one_side
from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.output import print_error
from widgetschema.cli.outputs import Outputs, unwritable
from widgetschema.cli.selecting import guard
from widgetschema.cli.settled import in_force
from widgetschema.errors import WidgetSchemaError
from widgetschema.files import user_cache_folder
from widgetschema.project.checking.cache_key import cache_key
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.checking.runner import BYTES_PER_WORKER, jobs_for_work
from widgetschema.project.config import Configuration
from widgetschema.project.inputs.discovery import is_address
from widgetschema.text import printable
from widgetschema.validation.engines import load_engine

_SIZE: Final = re.compile(r"([0-9]{1,15}) ?([KMGT]?)(I?)B?", re.ASCII | re.IGNORECASE)
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_LEAST: Final = 4096  # bytes of a partition
_STDIN: Final = "-"
_SAME: Final = (
    "--against {}: these are the very schemas that the records are checked by, so nothing can have "
    "changed. Name the older ones, such as a copy of the folder, or the newer ones by --schemas."
)
_KEPT: Final = "audits"  # the folder of checkpoints, in the user's cache folder


class Wishes(NamedTuple):
    """What was asked for on the command line."""

    inputs: tuple[str, ...]
    type_id: str | None = None
    type_member: str = "type"
    kind: str = "auto"
    schemas: str | None = None
    fetch: str | None = None
    against: str | None = None
    findings: str | None = None
    invalid_ids: str | None = None
    html: str | None = None
    output_format: str = "text"
    id_member: str = "id"
    date_member: str = "updated"
    examples: int = 3
    engine: str | None = None
    no_formats: bool = False
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

    def check(self) -> None:
        """Raise a usage error for what does not go together."""
        self.partition_bytes()
        if self.config and self.no_config:
            raise click.UsageError("--config and --no-config do not go together.")
        if self.findings == self.invalid_ids == _STDIN:
            raise click.UsageError("--findings and --invalid-ids cannot share standard output.")
        if self.html == _STDIN:
            raise click.UsageError("--html needs the name of a file.")
        if _STDIN in self.inputs:
            if self.resume:
                raise click.UsageError("--resume cannot go on with standard input: name files.")
            if self.against == _STDIN:
                raise click.UsageError("Only one of PATH and --against can be standard input.")
            if self.scheduler is not None:
                raise click.UsageError("--scheduler: other machines have no standard input here.")
        if self.scheduler is not None and self.jobs is not None:
            raise click.UsageError("--scheduler and --jobs do not go together.")

    @property
    def files(self) -> list[str]:
        """The files that are to be written."""
        named = (self.findings, self.invalid_ids, self.html)
        return [one for one in named if one is not None and one != _STDIN]

    @property
    def takes_stdout(self) -> bool:
        """Whether standard output is for lines, and not for the summary."""
        return _STDIN in (self.findings, self.invalid_ids)

    def partition_bytes(self) -> int:
        """The size of a partition. Raises a usage error."""
        match = _SIZE.fullmatch(self.partition_size.strip())
        if match is None:
            raise click.BadParameter(
                f"{printable(self.partition_size)!r} is no size, such as 16MiB.",
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

    def configuration(self) -> Configuration:
        """What is in force. Raises `ConfigurationError`."""
        return in_force(self.config, no_config=self.no_config).with_options(
            schemas=self.schemas,
            fetch=self.fetch,
            formats=False if self.no_formats else None,
            engine=self.engine,
            jobs=self.jobs,
        )


class Planned(NamedTuple):
    """A plan, what could not be planned, and how it is carried out on this machine.

    `checkpoints` are None where nothing can be kept, or need not be.
    """

    plan: Plan
    problems: Sequence[Problem]
    jobs: int
    checkpoints: Checkpoints | None


def planned(wishes: Wishes, configuration: Configuration) -> Planned:
    """The plan that was asked for.

    Raises a usage error, and what a catalog, a store and the platform raise.
    """
    outputs = _outputs(wishes, configuration)
    catalog = _catalog(wishes, configuration)
    older = None if wishes.against is None else _older(wishes, wishes.against, configuration)
    if older is not None and _is_same(older, catalog, wishes.type_id):
        raise click.UsageError(_SAME.format(printable(wishes.against or "")))
    sources, partitions, problems = plan_sources(
        [one for one in wishes.inputs if is_address(one) or not outputs.replaces(one)],
        partition_bytes=wishes.partition_bytes(),
        schemas=configuration.schemas,
        excludes=lambda path: configuration.excludes(path) or outputs.replaces(path),
        must_read=wishes.strict_inputs,
    )
    for source in sources:
        outputs.spare(source.address.rpartition("file://")[2], source.name)
    settings = Settings(
        type_id=wishes.type_id,
        type_member=wishes.type_member,
        kind=wishes.kind,
        id_member=wishes.id_member,
        date_member=wishes.date_member,
        examples=wishes.examples,
        findings=wishes.findings is not None,
        ids=wishes.invalid_ids is not None,
    )
    plan = Plan(
        settings,
        catalog,
        tuple(sources),
        tuple(partitions),
        older,
        configuration.limits.max_bytes,
    )
    if configuration.fetch not in (None, "frozen"):
        if wishes.type_id is None:
            # What is fetched on the way is fetched once, by one process, and may be new each time.
            _refuse_resuming(wishes)
            return Planned(plan, problems, 1, None)
        from widgetschema.audit.runners.portable_plan import settled

        plan = settled(plan)  # the one type is here; then all processes may have it
    work = sum(BYTES_PER_WORKER if one.size is None else one.size for one in plan.sources)
    jobs = jobs_for_work(work, configuration.jobs)
    return Planned(plan, problems, jobs, _checkpoints(wishes, plan, configuration))


# What is read, and what is written


def _outputs(wishes: Wishes, configuration: Configuration) -> Outputs:
    """What is written. Raises a usage error if that is in the way of anything but data."""
    files = wishes.files
    real = [os.path.realpath(file) for file in files]
    for file, path in zip(files, real, strict=True):
        if not file:
            raise click.UsageError("A file to be written needs a name.")
        if real.count(path) > 1 and (os.path.isfile(path) or not os.path.exists(path)):
            raise click.UsageError(f"Two outputs cannot share the file {printable(file)}.")
        if not os.path.isdir(os.path.dirname(path)):
            raise click.UsageError(f"There is no folder for {printable(file)}: make it first.")
        if os.path.isdir(path):
            raise click.UsageError(f"{printable(file)} is a folder: name a file in it.")
    outputs = Outputs(files, ids=wishes.invalid_ids)
    guard(configuration, outputs)
    if wishes.against is not None and wishes.against != _STDIN:
        old = os.path.realpath(wishes.against)
        for path in real:
            if path == old or (os.path.dirname(path) == old and os.path.lexists(path)):
                raise click.UsageError(unwritable(path, "it is what --against names"))
    return outputs


# By which schemas


def _catalog(wishes: Wishes, configuration: Configuration) -> Catalog:
    catalog = catalog_for(configuration)
    if configuration.engine is not None:
        load_engine(configuration.engine)  # else every record would say that it is not there
    if wishes.type_id is not None:
        _ = catalog[wishes.type_id]  # raises now, and once, if it is unknown or no good
    return catalog


def _older(wishes: Wishes, given: str, configuration: Configuration) -> Catalog:
    """The schemas that records must have been valid by before.

    An id means what is pinned or bundled here, whatever `--schemas` and `--fetch` ask for.
    """
    how: dict[str, Any] = {
        "formats": configuration.formats,
        "engine": configuration.engine,
        "limits": configuration.limits,
    }
    store, single = one_side(given, lambda: _pinned(wishes), wishes.type_id)
    if store is not None:
        return Catalog([store], **how)
    assert single is not None
    if wishes.type_id is None and not _names_itself(single):
        raise click.UsageError(
            f"{printable(given)} does not say of which widget type it is: give --type ID, or a $id."
        )
    if wishes.type_id not in (None, single.id):
        raise click.UsageError(
            f"--against {printable(given)} is a schema of widget type {single.id!r}, but by "
            f"--type, the records are of type {wishes.type_id!r}."
        )
    from widgetschema.audit.runners.portable_plan import SettledCatalog

    origins = {one.id: one for one in single.provenance}
    own = origins.get(single.id)
    if own is not None and os.path.exists(given):  # else it is an id, which has its own origin
        origins[single.id] = replace(own, source=given)
    same = WidgetType.from_schema(
        single.linked, id=single.id, source=single.source, provenance=origins.get, **how
    )
    return SettledCatalog({single.id: same})


def _pinned(wishes: Wishes) -> Catalog:
    """The schemas of the project, else the bundled ones: those that ids of `--against` mean."""
    configuration = in_force(wishes.config, no_config=wishes.no_config)
    folders, is_found = configuration.schema_folders, configuration.schemas is None
    return Catalog(project_sources(folders, is_found=is_found))


def _is_same(older: Catalog, newer: Catalog, type_id: str | None) -> bool:
    """Whether each type that the older catalog has is the same in the newer one."""
    ids = older.ids() if type_id is None else (type_id,)
    try:
        return bool(ids) and all(older[id].linked_digest == newer[id].linked_digest for id in ids)
    except WidgetSchemaError:  # what one has, and the other has not, is no comparison of the same
        return False


def _names_itself(single: WidgetType) -> bool:
    return isinstance(single.schema, dict) and isinstance(single.schema.get("$id"), str)


# What is kept of it


def _refuse_resuming(wishes: Wishes) -> None:
    if wishes.resume:
        raise click.UsageError(
            "--resume has to know the schemas that were used: give --type ID, or get them first "
            "with: widgetschema pull"
        )


def _checkpoints(wishes: Wishes, plan: Plan, configuration: Configuration) -> Checkpoints | None:
    """What outlives this process, unless there is nothing to keep, or nowhere to keep it."""
    if len(plan.partitions) < 2:
        return None
    root = user_cache_folder()
    if not os.path.isabs(root):
        print_error("what is done cannot be kept for --resume: nobody knows where your home is")
        return None
    how = (configuration.formats, configuration.engine, tuple(configuration.limits))
    try:
        key = cache_key((), how, configuration.engine)
        about = (key, os.getcwd(), wishes.inputs)
        found = Checkpoints(plan, os.path.join(root, _KEPT), about, print_error)
    except OSError as error:
        print_error(f"what is done cannot be kept for --resume: {reason(error)}")
        return None
    found.prune()
    return found
