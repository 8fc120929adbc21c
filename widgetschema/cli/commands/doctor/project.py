"""The project: its configuration, its schemas, and the files to check."""

from __future__ import annotations

import contextlib
import os
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

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
from widgetschema.text import plural, shorten

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.catalog.store import Store
    from widgetschema.catalog.widget_type import WidgetType
    from widgetschema.project.config import Configuration
    from widgetschema.schema.describes import Describes

_MOST: Final = 5  # problems of one kind that are shown
_LONGEST: Final = 60  # characters of a value that are shown
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
    fallback: bool = field(default=False)

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
        return Project(
            configuration, directory, file, tuple(problems), directory_error, bool(problems)
        )
    raise AssertionError("an empty configuration is valid")


def configuration(project: Project, *, use_file: bool) -> Iterator[Fact]:
    """Yield the configuration file, its problems, and every setting that is not the default."""
    if project.directory_error is not None:
        text = f"there is no working directory: {project.directory_error}"
        remedy = "Change to an existing folder (cd), then run: widgetschema doctor"
        yield Fact("directory", text, CONFIGURATION, remedy=remedy)
    found = project.configuration.file
    if found is not None:
        yield Fact("file", project.shown(found))
    elif not project.problems:
        yield note("file", _where(project, use_file))
    for report in project.problems:
        subject = report.subject
        for finding in report.findings[:_MOST]:
            place = "" if finding.line is None else f":{finding.line}:{finding.column}"
            hint = "" if finding.hint is None else f" ({finding.hint})"
            remedy = _remedy(subject, project.file)
            text = f"{subject}{place}: {finding.message}{hint}"
            yield Fact("problem", text, CONFIGURATION, remedy=remedy)
        if len(report.findings) > _MOST:
            rest = plural(len(report.findings) - _MOST, "more problem")
            yield Fact("problem", f"{subject}: and {rest}", CONFIGURATION)
    if project.fallback:
        yield note("instead", "the following ignores the invalid configuration")
    unfilled = project.configuration.unfilled_reasons
    if unfilled is not None:
        yield note("ignores", unfilled)
    for setting, value, origin in project.configuration.items():
        if origin.source != "default":
            yield Fact(setting.name, f"{_value(project, value)}  ({origin})")


def _remedy(subject: str, file: str | None) -> str:
    if subject == "environment":
        return "Fix the environment: widgetschema config"
    named = "" if file is None else f" --config {shlex.quote(file)}"
    return f"Fix {subject}: widgetschema config{named}"


def _where(project: Project, use_file: bool) -> str:
    if not use_file:
        return "none: --no-config"
    if project.directory is None:
        return "none"
    from widgetschema.project.config import search_folders

    looked = search_folders(project.directory)
    to = f" up to {looked[-1]}" if len(looked) > 1 else ""
    return f"none: no widgetschema.toml, and no [tool.widgetschema] in a pyproject.toml, here{to}"


def _value(project: Project, value: Any) -> str:
    """Return a value as short text; of tables and arrays, only the number of values."""
    if isinstance(value, Mapping):
        return plural(len(value), "value")
    if isinstance(value, (tuple, list)):
        if all(isinstance(one, str) for one in value) and len(value) < 4:
            return _cut(", ".join(project.shown(one) for one in value))
        return plural(len(value), "value")
    if isinstance(value, bool):
        return "true" if value else "false"
    return _cut(project.shown(value) if isinstance(value, str) else str(value))


def _cut(text: str) -> str:
    return shorten(text, _LONGEST)


# Schemas


def schemas(project: Project, seconds: float) -> Iterator[Fact]:
    """Yield the folders of schemas, and which schemas cannot be verified or linked."""
    from widgetschema.catalog.store import bundled, is_pinned

    try:
        bundle = bundled()
    except WidgetSchemaError as error:
        yield Fact("bundled", str(error), INSTALLATION, remedy=REINSTALL)
        return
    configuration = project.configuration
    folders = _folders(project)
    if not folders:
        yield note("folder", "none: there is no schemas folder here or above")
    for folder in folders:
        manifest = "has a manifest.json" if is_pinned(folder) else "has no manifest.json"
        why = manifest if configuration.schemas is None else configuration.origins["schemas"]
        if os.path.isdir(folder) and os.path.samefile(folder, bundle.folder):
            yield Fact("folder", f"{project.shown(folder)}: bundled  ({why})")
        else:
            yield Fact("folder", f"{project.shown(folder)}  ({why})")
            yield from _folder(project, folder, seconds)
    yield from _checked("bundled", bundle, REINSTALL, seconds, {})
    yield from _schemas_of_data(project)


def _folders(project: Project) -> tuple[str, ...]:
    """Return the folders of schemas; without a working directory, none is found."""
    configuration = project.configuration
    if configuration.schemas is None and project.directory is None:
        return ()
    return configuration.schema_folders


def _folder(project: Project, folder: str, seconds: float) -> Iterator[Fact]:
    """Yield the problems of a folder of schemas."""
    from widgetschema.catalog.store import Store

    remedy = f"Fix the schemas in {project.shown(folder)}: {_types(project, folder)}"
    try:
        store = Store(folder, is_found=project.configuration.schemas is None)
    except WidgetSchemaError as error:
        yield Fact("problem", str(error), SCHEMAS, remedy=remedy)
    else:
        yield from _unpinned(store, folder, project.shown(folder))
        if store:
            yield from _checked("types", store, remedy, seconds, project.configuration.described)
        else:
            facts = ["none: this folder contains no schema of draft-07", *_others(store)]
            yield note("types", "; ".join(facts))


def _unpinned(store: Store, folder: str, shown: str) -> Iterator[Fact]:
    """Yield files that are not in the manifest: they are not verified, or not even used."""
    from widgetschema.catalog.store import MANIFEST, is_pinned
    from widgetschema.catalog.store.locations import may_be_schema

    pin = f"widgetschema types --schemas {shlex.quote(shown)} --pin"
    if not is_pinned(folder):
        yield note("manifest", f"none, so changes are not detected: {pin}")
        return
    known = {entry.file for entry in map(store.entry, store) if entry is not None}
    files = [name for name in os.listdir(folder) if may_be_schema(name)]
    others = sorted({*files} - known - {MANIFEST})
    if others:
        few = ", ".join(others[:_MOST]) + (", …" if len(others) > _MOST else "")
        yield note(
            "manifest", f"does not list {few}; files that are not listed are not used: {pin}"
        )


def _checked(
    name: str, store: Store, remedy: str, seconds: float, described: Mapping[str, Describes]
) -> Iterator[Fact]:
    """Yield the number of types in a folder, and the problems of some of them."""
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.catalog.store import PLUGIN, bundled
    from widgetschema.schema.describes import is_resource

    catalog = Catalog([store, bundled()], describes=described)
    until = time.monotonic() + seconds / 3
    problems: list[Fact] = []
    found: list[tuple[str, Finding]] = []
    looked = 0
    kinds: dict[Describes, list[str]] = {}
    for id in store:
        if time.monotonic() > until:
            break
        looked += 1
        try:
            schema = store[id]
            if id == PLUGIN or is_resource(schema):
                continue
            widget_type = catalog[id]
            kinds.setdefault(widget_type.describes, []).append(id)
            found += [(id, lint) for lint in _warnings(widget_type)]
        except EngineUnavailable as error:
            yield Fact(name, f"cannot be checked: {error}", INSTALLATION, remedy=REINSTALL)
            return
        except (WidgetSchemaError, OSError) as error:
            problems.append(Fact("problem", f"{id}: {error}", SCHEMAS, remedy=remedy))
    types = plural(len(store.ids), "type")
    done = "" if looked == len(store) else f"; {looked:,} of them examined in the time available"
    if problems:
        yield Fact(name, f"{types}, {len(problems):,} cannot be used{done}", SCHEMAS, remedy=remedy)
        yield from problems[:_MOST]
        if len(problems) > _MOST:
            yield Fact("problem", f"and {len(problems) - _MOST:,} more", SCHEMAS)
    else:
        few = f": {', '.join(store.ids)}" if 0 < len(store.ids) <= 3 else ""
        yield Fact(name, f"{types}, verified and linked{few}{done}")
    if not store.is_bundled:
        shown = [f"{_SUBJECTS[kind]}: {_few(ids)}" for kind, ids in sorted(kinds.items())]
        if facts := [*shown, *_others(store)]:
            yield Fact("describe", "; ".join(facts))
    yield from _lints(found, remedy)


def _others(store: Store) -> list[str]:
    """Return what the schemas of a folder are that are no types."""
    others = [f"{os.path.basename(path)} is {kind}" for path, kind in store.others()]
    return others[:_MOST]


def _warnings(widget_type: WidgetType) -> list[Finding]:
    """Return the lints of a type; the first says if it cannot be used."""
    unclear = widget_type.unclear
    if unclear is None:
        return [*widget_type.lints]
    return [Finding("properties", "", "", unclear.reason, unclear.advice), *widget_type.lints]


def _few(ids: list[str]) -> str:
    return ", ".join(ids[:_MOST]) + (", …" if len(ids) > _MOST else "")


def _schemas_of_data(project: Project) -> Iterator[Fact]:
    """Yield the schemas of data that the configuration names, and what is wrong with them."""
    files = project.configuration.data_schemas
    if not files:
        return
    try:
        catalog = _catalog(project)
    except (WidgetSchemaError, OSError):
        return  # reported with the folders
    remedy = "Fix the schemas, or the table data-schemas of the configuration: widgetschema types"
    for id, file in files.items():
        try:
            lints = _warnings(catalog[id])
        except WidgetSchemaError as error:
            yield Fact("data schema", f"{id}: {error}", SCHEMAS, remedy=remedy)
            continue
        yield Fact("data schema", f"{id}: {project.shown(file)}")
        yield from _lints([(id, lint) for lint in lints], remedy)


def _lints(found: list[tuple[str, Finding]], remedy: str) -> Iterator[Fact]:
    """Yield warnings about the schemas of types."""
    for id, lint in found[:_MOST]:
        place = f" {lint.path}" if lint.path else ""
        yield note(lint.keyword, f"{id}{place}: {lint.message}: {lint.hint}", remedy)
    if len(found) > _MOST:
        yield note("lints", f"and {len(found) - _MOST:,} more", remedy)


def _types(project: Project, folder: str) -> str:
    """Return the command that lists a folder of schemas."""
    if project.configuration.origins["schemas"].source == "default":
        return "widgetschema types"
    return f"widgetschema types --schemas {shlex.quote(project.shown(folder))}"


# Files


def files(project: Project) -> Iterator[Fact]:
    """Yield the mapped files and the baseline."""
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
    named = [(id, f"files are mapped to {id!r}") for id in dict.fromkeys(settings.files.values())]
    named += [(id, f"the table types names {id!r}") for id in settings.types]
    if settings.fetch is not None or not named:
        return  # they may come from the platform
    from widgetschema.suggest import nearest

    try:
        known = _catalog(project).ids()
    except (WidgetSchemaError, OSError):
        return  # reported with the schemas
    for id, said in [one for one in named if one[0] not in known][:_MOST]:
        close = nearest(id, known)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        remedy = "Correct the type in the configuration, or add its schema: widgetschema types"
        text = f"{said}, but that type has no schema{meant}"
        yield Fact("type", text, CONFIGURATION, remedy=remedy)


def _catalog(project: Project) -> Catalog:
    from widgetschema.catalog.catalog import Catalog, project_sources
    from widgetschema.catalog.data_schemas import DataSchemas

    is_found = project.configuration.schemas is None
    sources = project_sources(_folders(project), is_found=is_found)
    named = DataSchemas(project.configuration.data_schemas)
    return Catalog([named, *sources], describes=project.configuration.described)


def _baseline(project: Project) -> Iterator[Fact]:
    from widgetschema.project.checking.baseline import Baseline

    path = project.configuration.baseline
    if not os.path.lexists(path):
        yield note("baseline", "none: every finding counts")
        return
    shown = project.shown(path)
    try:
        known = Baseline.load(path)
    except (UnreadableDocument, ConfigurationError) as error:
        remedy = f"Repair {shown}, or rewrite it: widgetschema validate --write-baseline"
        for finding in error.report.findings[:1]:
            place = "" if finding.line is None else f":{finding.line}:{finding.column}"
            text = f"{shown}{place}: {finding.message}"
            yield Fact("baseline", text, CONFIGURATION, remedy=remedy)
        return
    yield Fact("baseline", f"{plural(len(known), 'finding')} ({shown})")
