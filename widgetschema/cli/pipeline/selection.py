"""The files of a run: those named, mapped or changed; and the files that it must not overwrite."""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from widgetschema.catalog.store.locations import is_pinned, may_be_schema
from widgetschema.cli.console.progress import waiting
from widgetschema.cli.options import SINCE_THE_LAST_COMMIT
from widgetschema.cli.pipeline.validate_options import ValidateOptions
from widgetschema.errors import ChangesUnknown, MissingExtra, WidgetSchemaError
from widgetschema.files import holds, read_head
from widgetschema.formats.model import SUFFIXES
from widgetschema.project.checking.artifacts import (
    HEAD,
    artifact_kind,
    holds_nothing,
    is_findings_table,
    may_be_ids,
)
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.project.checking.results import Problem
from widgetschema.project.config import Configuration, Configurations, search_folders
from widgetschema.project.config.settings import FILE, PYPROJECT
from widgetschema.project.inputs.discovery import as_found, files_named, is_address
from widgetschema.project.inputs.formats import is_data_name, table_layout
from widgetschema.project.inputs.model import File, Skipped
from widgetschema.project.inputs.project_files import (
    FoundFiles,
    find_project_files,
    mapped_files,
    search_of,
)
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.project.git import ChangedFiles

_LINE_SUFFIXES: Final = (".ndjson", ".jsonl")
_STDIN: Final = 0
_STDOUT: Final = 1


class Selection(NamedTuple):
    """The files of a run, whether they are all of the configurations, and remarks about them.

    `skipped` were found and are not checked. `may_be_empty` means that there is nothing to check
    for a good reason, such as that nothing has changed.
    """

    files: list[File | Problem]
    everything: bool = False
    remarks: tuple[str, ...] = ()
    may_be_empty: bool = False
    skipped: tuple[Skipped, ...] = ()


class OutputFiles:
    """The files that a run writes, by whatever name they are given.

    `reports` are the files of reports and the like, `baseline` the one that is written, if it is;
    `ids` is the report that is a list of ids. Standard output counts if it goes to a file.
    """

    def __init__(
        self, reports: Iterable[str], *, baseline: str | None = None, ids: str | None = None
    ) -> None:
        self.reports = [*reports]
        self._ids = None if ids is None else os.path.realpath(ids)
        self._baseline = None if baseline is None else os.path.realpath(baseline)
        self._reports = set(map(os.path.realpath, self.reports))
        self._paths = self._reports if self._baseline is None else self._reports | {self._baseline}
        found = [_identity(_STDOUT), *(_identity(path) for path in self._paths)]
        self._existing = {identity for identity in found if identity is not None}

    def has_report(self, path: str) -> bool:
        """Return whether a path is that of a report."""
        return os.path.realpath(path) in self._reports

    def has(self, path: str, status: os.stat_result | None = None) -> bool:
        """Return whether a path is that of an output; `status` is that of the file if known."""
        if status is not None:
            return (status.st_dev, status.st_ino) in self._existing
        identity = _identity(_STDIN if path == "-" else path) if self._existing else None
        if identity is not None:
            return identity in self._existing
        return bool(self._paths) and os.path.realpath(path) in self._paths

    def replaces(self, path: str, status: os.stat_result | None = None) -> bool:
        """Return whether a selected file is an earlier output, which this run replaces.

        Raises a usage error if it is data, which would be lost.
        """
        if not (self._existing or self._paths) or not self.has(path, status):
            return False
        if path == "-" or not self._is_earlier(path):
            raise click.UsageError(overwrite_error(path, "it is one of the inputs"))
        return True

    def refuse_data(self, quarantine: str | None = None) -> None:
        """Raise a usage error if an output exists and looks like data, which would be lost.

        If the file of an option is forgotten, a shell may put data there: `--output *.json`. The
        `quarantine` of an earlier run is data, too; it is replaced if it is named as lines of JSON.
        """
        quarantine = None if quarantine is None else os.path.realpath(quarantine)
        for path in self.reports:
            if path.lower().endswith(_LINE_SUFFIXES) and os.path.realpath(path) == quarantine:
                continue
            if _may_be_data(path, _head(path)) and not self._is_earlier(path):
                raise click.UsageError(
                    f"The output cannot be written to {printable(path)}: it already exists, "
                    "and is not the output of an earlier run. Choose another name, or delete it."
                )

    def require_distinct(self, path: str, name: str) -> None:
        """Raise a usage error if a file that is read is an output; `name` is for people."""
        if self.has(path):
            raise click.UsageError(overwrite_error(name, "it is one of the inputs"))

    def _is_earlier(self, path: str) -> bool:
        """Return whether a file was written there by an earlier run, or holds nothing."""
        try:
            begin = read_head(path, HEAD)
        except OSError:  # it does not exist yet, and was named as data
            return False
        if holds_nothing(begin) or artifact_kind(begin) is not None:
            return True
        if table_layout("", begin) == "parquet":
            return is_findings_table(path)
        real = os.path.realpath(path)
        if real == self._ids:
            return may_be_ids(begin)
        return real == self._baseline and _is_baseline(path)


def select_files(
    options: ValidateOptions, configurations: Configurations, outputs: OutputFiles
) -> Selection:
    """Return the files of a run; without paths, those of the configurations.

    With a type, all files have it, whatever they say. With --force-exclude, files that are named
    obey the rules for those in folders. Reports of an earlier run and the baseline are no data.
    Raises a usage error if one of the `outputs` would overwrite what is selected or what the run
    reads.
    """
    settings, force_exclude = configurations.run, options.force_exclude
    require_unread(settings, outputs)
    find = functools.partial(
        find_project_files,
        configurations=configurations,
        ignore_files=not options.no_ignore_files,
        only_typed=options.only_type is None,
        lists_ignored=options.show_skipped,
    )
    with waiting("looking for files"):
        if force_exclude:
            found, everything = _decided_files(options.paths, configurations, find)
        else:
            found, everything = find(options.paths), not options.paths
    selection = Selection(found.files, everything, (*found.remarks,), skipped=(*found.skipped,))
    if force_exclude:
        selection = as_in_folders(selection, configurations, options)
        is_mapped = any(isinstance(one, File) and not one.only_typed for one in selection.files)
        may_be_empty = is_mapped or not settings.has_mapping or bool(mapped_files(configurations))
        selection = selection._replace(may_be_empty=may_be_empty)
    is_baseline = _is(settings.baseline)  # a shell names it where people write *.json
    files = [
        one
        for one in without_outputs(selection.files, outputs)
        if isinstance(one, Problem) or not is_baseline(one.name)
    ]
    for file in files:
        if isinstance(file, File):
            configurations.for_file(file.name)  # it may be one that cannot be used
    files += (
        Problem(name, str(error), exit_code(error)) for name, error in configurations.errors.items()
    )
    for one in configurations.all:
        require_unread(one, outputs)
    outputs.refuse_data()
    selection = selection._replace(files=files)
    if options.changed is None:
        return selection
    return _only_changed(selection, configurations, options.changed)


def _decided_files(
    paths: Sequence[str],
    configurations: Configurations,
    find: Callable[[Sequence[str]], FoundFiles],
) -> tuple[FoundFiles, bool]:
    """Return the files that names stand for, and whether these are all of the project.

    A configuration or a schema stands for the files that it decides about, wherever it is: hooks
    run at the root of a repository, whose packages have configurations of their own.
    """
    doubtful = [one for one in paths if _may_decide(one, configurations)]
    if not doubtful:
        return find(paths), not paths
    whole = find(())  # which finds all configurations
    run, every = configurations.run, configurations.all
    decided = {one for one in every if any(decides(path, one) for path in doubtful)}
    if run.file is not None and any(_is(run.file)(path) for path in doubtful):
        decided = {*every}  # some of its settings are in force for all
    gone = [os.path.abspath(os.path.dirname(one)) for one in doubtful if _is_gone_file(one)]
    deciding = [one for one in doubtful if any(decides(one, some) for some in decided)]
    if not (decided or gone):
        return find(paths), False
    mapped = [
        one
        for one in whole.files
        if isinstance(one, File)
        and not one.only_typed
        and (configurations.for_file(one.name) in decided or _is_below(one.name, gone))
    ]
    known = {os.path.realpath(one.name) for one in mapped}
    named = [
        one
        for one in paths
        if one not in deciding and not _is_gone_file(one) and os.path.realpath(one) not in known
    ]
    if not named:
        remarks, is_all = whole.remarks, {*every} == decided
        files = whole.files if is_all else mapped
        return FoundFiles([*files], whole.skipped, remarks), is_all
    found = find(named)
    remarks = [*dict.fromkeys((*whole.remarks, *found.remarks))]
    return FoundFiles([*found.files, *mapped], found.skipped, remarks), False


def _may_decide(path: str, configurations: Configurations) -> bool:
    """Return whether a named file may be a configuration or a schema: it is not mapped data."""
    if path == "-" or is_address(path) or os.path.isdir(path):
        return False
    return not configurations.for_file(path).maps(path)


def _is_gone_file(path: str) -> bool:
    """Return whether a path is that of a configuration file that was deleted."""
    return os.path.basename(path) in (FILE, PYPROJECT) and not os.path.lexists(path)


def _is_below(path: str, folders: Iterable[str]) -> bool:
    full = os.path.abspath(path)
    return any(full.startswith(os.path.join(folder, "")) for folder in folders)


def as_in_folders(
    selection: Selection, configurations: Configurations, options: ValidateOptions
) -> Selection:
    """Return a selection whose named files obey the rules for those in folders."""
    skipped, remarks = [*selection.skipped], dict.fromkeys(selection.remarks)
    search = search_of(
        configurations,
        ignore_files=not options.no_ignore_files,
        only_typed=options.only_type is None,
        skip=skipped.append,
        warn=remarks.setdefault,
    )
    files = as_found(selection.files, search)
    return selection._replace(files=files, skipped=(*skipped,), remarks=(*remarks,))


def files_beside(
    folder: str, checked: Collection[str], configurations: Configurations, options: ValidateOptions
) -> list[File]:
    """Return the other files of one folder that may be data, by the rules for those in folders."""
    try:
        names = sorted(os.listdir(folder or os.curdir))
    except OSError:  # reported where the folder is read for its own sake
        return []
    paths = [os.path.join(folder, name) for name in names if is_data_name(name)]
    files = files_named(path for path in paths if path not in checked)
    ignore_files = not options.no_ignore_files
    search = search_of(configurations, ignore_files=ignore_files, only_typed=True)
    return [one for one in as_found(files, search) if isinstance(one, File)]


def without_outputs(files: Sequence[File | Problem], outputs: OutputFiles) -> list[File | Problem]:
    """Return files without earlier outputs. Raises a usage error if an output is data."""
    return [
        one
        for one in files
        if isinstance(one, Problem) or not outputs.replaces(one.name, one.status)
    ]


def require_unread(settings: Configuration, outputs: OutputFiles) -> None:
    """Raise a usage error if an output would overwrite configuration, baseline or a schema."""
    read = [("it holds the configuration", settings.file or "")]
    read += [("it is the baseline", settings.baseline)]
    read += [
        ("it is one of the schemas", path)
        for path in outputs.reports
        if may_be_schema(path) and os.path.lexists(path) and decides(path, settings)
    ]
    read += [("it is one of the schemas", path) for path in settings.named_schemas]
    for why, path in read:
        if path and outputs.has_report(path):
            raise click.UsageError(overwrite_error(path, why))


def require_jinja(purpose: str) -> None:
    """Raise `MissingExtra` if the library for pages is missing, before a long run begins."""
    from importlib.util import find_spec

    if find_spec("jinja2") is None:
        raise MissingExtra("audit", f"{purpose} needs the library Jinja2")


def refuse_existing(
    output: str | None,
    *,
    force: bool | None,
    text: str | None = None,
    is_earlier: Callable[[bytes], bool] = lambda begin: False,
    read: Iterable[str | None] = (),
) -> None:
    """Raise a usage error if a file exists that `--output` would replace.

    Not with `force` (None: the command has no such option), unless the command reads the file, and
    not for a file that holds nothing, is a pipe or a device, holds `text` already, or is an earlier
    output that nobody edits, as `is_earlier` finds by how it begins. The summary of a GitHub step
    is added to.
    """
    if output is None or output == "-" or not os.path.isfile(output):
        return
    for path in read:
        if path is not None and os.path.exists(path) and os.path.samefile(path, output):
            raise click.UsageError(overwrite_error(path, "it is read"))
    if force:
        return
    if output == os.environ.get("GITHUB_STEP_SUMMARY"):
        return
    begin = read_head(output, HEAD)
    is_same = text is not None and holds(output, text)
    if not (is_same or holds_nothing(begin) or is_earlier(begin)):
        way = "delete it" if force is None else "pass --force"
        name = printable(output)
        raise click.UsageError(f"{name} exists already: choose another name, or {way}.")


def overwrite_error(path: str, why: str) -> str:
    """Return the message about an output that would overwrite what is needed."""
    name = "the file of standard input" if path == "-" else printable(os.path.relpath(path))
    return f"The output cannot be written to {name}: {why}. Choose another name."


def _head(path: str) -> bytes:
    """Return the first bytes of a regular file; none if it cannot be read."""
    try:
        return read_head(path, HEAD)
    except OSError:
        return b""


def _may_be_data(path: str, head: bytes) -> bool:
    """Return whether a file may hold documents, records or a table, by its name and first bytes."""
    if not head:
        return False
    suffix = os.path.splitext(path)[1].lower()
    is_text = suffix in (".json", *_LINE_SUFFIXES, *SUFFIXES)
    return is_text or table_layout(path, head) is not None


def _identity(file: str | int) -> tuple[int, int] | None:
    """Return what identifies a regular file, whatever its name."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def _is_baseline(path: str) -> bool:
    """Return whether a file is a baseline, however it is formatted."""
    from widgetschema.project.checking.baseline import Baseline

    try:
        Baseline.load(path)
    except WidgetSchemaError:
        return False
    return True


def _is(file: str) -> Callable[[str], bool]:
    """Return whether a path is this file; few real paths are looked up, since that is slow."""
    name, real = os.path.basename(file), os.path.realpath(file)
    return lambda path: path.endswith(name) and os.path.realpath(path) == real


def decides(path: str, settings: Configuration) -> bool:
    """Return whether a file is the configuration or one of the schemas."""
    real = os.path.realpath(path)
    own = settings.file
    if own is not None and real == os.path.realpath(own):
        return True
    if any(real == os.path.realpath(one) for one in settings.named_schemas):
        return True
    return _is_below(real, map(os.path.realpath, settings.schema_folders))


def _no_commit(path: str) -> click.UsageError:
    """Return the error of a path that stands where `--changed` expects a commit."""
    return click.UsageError(
        f"{printable(path)} is a file or a folder, not a commit: "
        f"write --changed -- {printable(path)}"
    )


def _only_changed(selection: Selection, configurations: Configurations, ref: str) -> Selection:
    from widgetschema.project.git import affects_everything, changed_files

    try:
        changed = changed_files(None if ref == SINCE_THE_LAST_COMMIT else ref, os.getcwd())
    except ChangesUnknown:
        if ref == SINCE_THE_LAST_COMMIT or not os.path.lexists(ref):
            raise
        raise _no_commit(ref) from None
    if any(
        _was_elsewhere(changed, settings)
        or affects_everything(
            changed,
            schemas_folders=[*settings.schema_folders],
            schema_files=settings.named_schemas,
            configuration_file=settings.file,
            baseline=settings.baseline,
        )
        for settings in configurations.all
    ):
        remark = "a schema or the configuration has changed: all files are checked"
        return selection._replace(remarks=(*selection.remarks, remark))
    files = selection.files
    some = [
        file
        for file in files
        if isinstance(file, Problem) or file.name == "-" or changed.has(file.name)
    ]
    remark = f"{len(some):,} of {len(files):,} files have changed"
    if files and not some:
        remark += ": nothing to check"
    may_be_empty = selection.may_be_empty or bool(files and not some)
    return selection._replace(
        files=some,
        everything=False,
        remarks=(*selection.remarks, remark),
        may_be_empty=may_be_empty,
    )


def _was_elsewhere(changed: ChangedFiles, settings: Configuration) -> bool:
    """Return whether a configuration or schema was removed that preceded those in force."""
    above = search_folders(settings.directory)
    for file in (os.path.join(folder, name) for folder in above for name in (FILE, PYPROJECT)):
        if file == settings.file:
            break
        if changed.touches(file):
            return True
    if settings.schemas is None:
        for schemas in (os.path.join(folder, "schemas") for folder in above):
            if is_pinned(schemas):
                break
            if changed.touches_schemas(schemas):
                return True
    return False
