"""The project: its configuration, its schemas, and the files to check."""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from widgetschema.cli.commands.doctor.facts import (
    CONFIGURATION,
    INSTALLATION,
    REINSTALL,
    SCHEMAS,
    Fact,
    note,
)
from widgetschema.errors import (
    ConfigurationError,
    EngineUnavailable,
    UnreadableDocument,
    WidgetSchemaError,
)
from widgetschema.findings import Finding, Report
from widgetschema.text import plural

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.catalog.store import Store
    from widgetschema.project.config import Configuration

_MOST: Final = 5  # problems of one kind that are shown
_SUBJECTS: Final[Mapping[str, str]] = {"data": "the data itself", "document": "widget documents"}


@dataclass(frozen=True)
class Project:
    """The configuration, or the valid part of it.

    `directory` is the working directory, None if it no longer exists. `problems` are those of the
    configuration; with problems, `configuration` is what remains without the invalid source.
    """

    configuration: Configuration
    directory: str | None
    file: str | None = None  # from --config
    problems: tuple[Report, ...] = ()
    directory_error: str | None = None  # why there is no working directory

    def shown(self, path: str) -> str:
        """Return a path relative to the working directory if it lies below it."""
        if self.directory is None or not os.path.isabs(path):
            return path
        try:
            relative = os.path.relpath(path, self.directory)
        except ValueError:  # another drive
            return path
        return path if relative.startswith(os.pardir) else relative


def load_project(
    environ: Mapping[str, str],
    *,
    file: str | None,
    use_file: bool,
    getcwd: Callable[[], str] = os.getcwd,
) -> Project:
    """Load the configuration; leave out the file, the environment or both if they are invalid."""
    from widgetschema.project.config import load

    directory_error = None
    directory: str | None = None
    try:
        directory = getcwd()
    except OSError as error:
        directory_error = error.strerror or type(error).__name__
    here = os.sep if directory is None else directory
    use_file = use_file and (directory is not None or file is not None)
    problems: list[Report] = []
    # The file, the environment or both may be invalid: what is valid counts.
    for variables, use in ((environ, use_file), (environ, False), ({}, use_file), ({}, False)):
        try:
            configuration = load(here, variables, file=file if use else None, use_file=use)
        except ConfigurationError as error:
            if error.report not in problems:
                problems.append(error.report)
            continue
        return Project(configuration, directory, file, tuple(problems), directory_error)
    raise AssertionError("an empty configuration is valid")


def configuration(project: Project, *, use_file: bool) -> Iterator[Fact]:
    """Yield the configuration file and its problems; `widgetschema config` shows the settings."""
    if project.directory_error is not None:
        text = f"there is no working directory: {project.directory_error}"
        remedy = "Change to an existing folder (cd), then run: widgetschema doctor"
        yield Fact("directory", text, CONFIGURATION, remedy=remedy)
    found = project.configuration.file
    if found is not None:
        yield Fact("file", project.shown(found))
    elif not project.problems:
        yield note("file", "none here or above" if use_file else "none: --no-config")
    for report in project.problems:
        named = "" if project.file is None else f" --config {shlex.quote(project.file)}"
        remedy = f"Fix {report.subject}: widgetschema config{named}"
        if report.subject == "environment":
            remedy = "Fix the environment: widgetschema config"
        for finding in report.findings[:_MOST]:
            hint = "" if finding.hint is None else f" ({finding.hint})"
            text = f"{report.subject}{_place(finding)}: {finding.message}{hint}"
            yield Fact("problem", text, CONFIGURATION, remedy=remedy)
        if len(report.findings) > _MOST:
            rest = plural(len(report.findings) - _MOST, "more problem")
            yield Fact("problem", f"{report.subject}: and {rest}", CONFIGURATION)
    if project.problems:
        yield note("instead", "the following ignores the invalid configuration")
    unfilled = project.configuration.unfilled_reasons
    if unfilled is not None:
        yield note("ignores", unfilled)


def _place(finding: Finding) -> str:
    return "" if finding.line is None else f":{finding.line}:{finding.column}"


# Schemas


def schemas(project: Project) -> Iterator[Fact]:
    """Yield the folders of schemas, and which schemas cannot be verified or linked."""
    from widgetschema.catalog.store import Store, bundled, is_pinned

    try:
        bundle = bundled()
    except WidgetSchemaError as error:
        yield Fact("bundled", str(error), INSTALLATION, remedy=REINSTALL)
        return
    settings = project.configuration
    folders = _folders(project)
    if not folders:
        yield note("folder", "none: there is no schemas folder here or above")
    for folder in folders:
        manifest = "has a manifest.json" if is_pinned(folder) else "has no manifest.json"
        why = manifest if settings.schemas is None else settings.origins["schemas"]
        is_bundled = os.path.isdir(folder) and os.path.samefile(folder, bundle.folder)
        shown = project.shown(folder)
        yield Fact("folder", f"{shown}{': bundled' if is_bundled else ''}  ({why})")
        if is_bundled:
            continue
        is_default = settings.origins["schemas"].source == "default"
        named = "" if is_default else f" --schemas {shlex.quote(shown)}"
        remedy = f"Fix the schemas in {shown}: widgetschema types{named}"
        try:
            store = Store(folder, is_found=settings.schemas is None)
        except WidgetSchemaError as error:
            yield Fact("problem", str(error), SCHEMAS, remedy=remedy)
            continue
        yield from _unpinned(store, folder, shown)
        yield from _types(project, store, remedy)
    yield from _types(project, bundle, REINSTALL)
    yield from _schemas_of_data(project)


def _folders(project: Project) -> tuple[str, ...]:
    """Return the folders of schemas; without a working directory, none is found."""
    settings = project.configuration
    is_lost = settings.schemas is None and project.directory is None
    return () if is_lost else settings.schema_folders


def _unpinned(store: Store, folder: str, shown: str) -> Iterator[Fact]:
    """Yield files that are not in the manifest: they are not verified, or not even used."""
    from widgetschema.catalog.store import MANIFEST, is_pinned
    from widgetschema.catalog.store.locations import may_be_schema

    pin = f"widgetschema types --schemas {shlex.quote(shown)} --pin"
    if not is_pinned(folder):
        yield note("manifest", f"none, so changes are not detected: {pin}")
        return
    known = {entry.file for entry in map(store.entry, store) if entry is not None}
    others = sorted({*filter(may_be_schema, os.listdir(folder))} - known - {MANIFEST})
    if others:
        text = f"does not list {_few(others)}; files that are not listed are not used: {pin}"
        yield note("manifest", text)


def _types(project: Project, store: Store, remedy: str) -> Iterator[Fact]:
    """Yield the number of types in a folder, and the problems of some of them."""
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.catalog.store import bundled

    catalog = Catalog([store, bundled()], describes=project.configuration.described)
    name = "bundled" if store.is_bundled else "types"
    problems: list[Fact] = []
    lints: list[tuple[str, Finding]] = []
    kinds: dict[str, list[str]] = {}
    for id in store.ids:
        try:
            widget_type = catalog[id]
            kinds.setdefault(_SUBJECTS[widget_type.describes], []).append(id)
            lints += _lints_of(catalog, id)
        except EngineUnavailable as error:
            yield Fact(name, f"cannot be checked: {error}", INSTALLATION, remedy=REINSTALL)
            return
        except (WidgetSchemaError, OSError) as error:
            problems.append(Fact("problem", f"{id}: {error}", SCHEMAS, remedy=remedy))
    types = plural(len(store.ids), "type")
    if problems:
        text = f"{types}, {len(problems):,} cannot be used"
        yield Fact(name, text, SCHEMAS, remedy=remedy)
        yield from problems[:_MOST]
        if len(problems) > _MOST:
            yield Fact("problem", f"and {len(problems) - _MOST:,} more", SCHEMAS)
    elif store:
        few = f": {', '.join(store.ids)}" if 0 < len(store.ids) <= 3 else ""
        yield Fact(name, f"{types}, verified and linked{few}")
    described = [f"{kind}: {_few(ids)}" for kind, ids in sorted(kinds.items())]
    others = [f"{os.path.basename(path)} is {kind}" for path, kind in store.others()]
    if not store:
        text = "none: this folder contains no schema of draft-07"
        yield note(name, "; ".join([text, *others[:_MOST]]))
    elif not store.is_bundled and (described or others):
        yield Fact("describe", "; ".join([*described, *others[:_MOST]]))
    yield from _warnings(lints, remedy)


def _few(names: list[str]) -> str:
    return ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")


def _lints_of(catalog: Catalog, id: str) -> list[tuple[str, Finding]]:
    """Return the lints of a type; the first says if it cannot be used."""
    widget_type = catalog[id]
    unclear = widget_type.unclear
    first = [Finding("properties", "", "", unclear.reason, unclear.advice)] if unclear else []
    return [(id, lint) for lint in (*first, *widget_type.lints)]


def _warnings(lints: list[tuple[str, Finding]], remedy: str) -> Iterator[Fact]:
    for id, lint in lints[:_MOST]:
        place = f" {lint.path}" if lint.path else ""
        yield note(lint.keyword, f"{id}{place}: {lint.message}: {lint.hint}", remedy)
    if len(lints) > _MOST:
        yield note("lints", f"and {len(lints) - _MOST:,} more", remedy)


def _schemas_of_data(project: Project) -> Iterator[Fact]:
    """Yield the schemas of data that the configuration names, and what is wrong with them."""
    remedy = "Fix the schemas, or the table data-schemas of the configuration: widgetschema types"
    for id, file in project.configuration.data_schemas.items():
        try:
            lints = _lints_of(_catalog(project), id)
        except (WidgetSchemaError, OSError) as error:
            yield Fact("data schema", f"{id}: {error}", SCHEMAS, remedy=remedy)
            continue
        yield Fact("data schema", f"{id}: {project.shown(file)}")
        yield from _warnings(lints, remedy)


def _catalog(project: Project) -> Catalog:
    from widgetschema.catalog.catalog import Catalog, project_sources
    from widgetschema.catalog.data_schemas import DataSchemas

    is_found = project.configuration.schemas is None
    sources = project_sources(_folders(project), is_found=is_found)
    named = DataSchemas(project.configuration.data_schemas)
    return Catalog([named, *sources], describes=project.configuration.described)


# Files


def files(project: Project) -> Iterator[Fact]:
    """Yield the mapped files, types without a schema, and a broken baseline."""
    from widgetschema.project.config import Configurations
    from widgetschema.project.inputs.project_files import mapped_files

    settings = project.configuration
    found: list[str] = []
    with contextlib.suppress(OSError):  # the working directory is gone, which is reported
        found = mapped_files(Configurations(settings, os.environ))
    if found:
        yield Fact("mapped", plural(len(found), "file"))
    elif settings.has_mapping:
        remedy = "Correct the file patterns in the configuration: widgetschema config"
        yield note("mapped", "no file matches the patterns of the configuration", remedy)
    else:
        remedy = "Map files to types, and add the check to CI: widgetschema init"
        yield note("mapped", "the configuration maps no files", remedy)
    yield from _unknown(project)
    yield from _baseline(project)


def _unknown(project: Project) -> Iterator[Fact]:
    """Yield types that the configuration names but that no schema defines."""
    settings = project.configuration
    mapped = ((id, f"files are mapped to {id!r}") for id in dict.fromkeys(settings.files.values()))
    named = [*mapped, *((id, f"the table types names {id!r}") for id in settings.types)]
    if settings.fetch is not None or not named:
        return  # they may come from the platform
    from widgetschema.suggest import nearest

    try:
        known = _catalog(project).ids()
    except (WidgetSchemaError, OSError):
        return  # reported with the schemas
    remedy = "Correct the type in the configuration, or add its schema: widgetschema types"
    for id, said in [one for one in named if one[0] not in known][:_MOST]:
        close = nearest(id, known)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        text = f"{said}, but that type has no schema{meant}"
        yield Fact("type", text, CONFIGURATION, remedy=remedy)


def _baseline(project: Project) -> Iterator[Fact]:
    from widgetschema.project.checking.baseline import Baseline

    path = project.configuration.baseline
    shown = project.shown(path)
    try:
        known = Baseline.load(path) if os.path.lexists(path) else ()
    except (UnreadableDocument, ConfigurationError) as error:
        remedy = f"Repair {shown}, or rewrite it: widgetschema validate --write-baseline"
        [finding] = error.report.findings[:1]
        text = f"{shown}{_place(finding)}: {finding.message}"
        yield Fact("baseline", text, CONFIGURATION, remedy=remedy)
        return
    if known:
        yield Fact("baseline", f"{plural(len(known), 'finding')} ({shown})")
