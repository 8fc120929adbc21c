"""Which files a run is about: those named, those the configuration maps, those that changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from widgetschema.catalog.store.locations import is_pinned
from widgetschema.cli.options import SINCE_THE_LAST_COMMIT
from widgetschema.cli.outputs import Outputs, unwritable
from widgetschema.cli.settled import in_force
from widgetschema.errors import ChangesUnknown
from widgetschema.project.checking.results import Problem
from widgetschema.project.config import Configuration, search_folders
from widgetschema.project.config.settings import FILE, PYPROJECT
from widgetschema.project.inputs.discovery import files_named, find_files
from widgetschema.project.inputs.model import File
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    from widgetschema.project.git import ChangedFiles


class Selection(NamedTuple):
    """The files; whether they are all that the configuration maps; what is to be said of them.

    `may_be_empty` says that there is nothing to check for a good reason, such as that nothing has
    changed.
    """

    files: list[File | Problem]
    everything: bool = False
    remarks: tuple[str, ...] = ()
    may_be_empty: bool = False


def selected(
    paths: Sequence[str],
    configuration: Configuration,
    *,
    only_mapped: bool = False,
    changed: str | None = None,
    outputs: Outputs,
) -> Selection:
    """The files of a run.

    `changed` is a commit, or `SINCE_THE_LAST_COMMIT`; None for no such limit. `outputs` are the
    files that are written; reports of an earlier run, and the baseline, are no data. Raises a usage
    error if nothing says what should be checked, or an output would overwrite what is selected, or
    what the run reads.
    """
    guard(configuration, outputs)
    maps = bool(configuration.files or configuration.include)
    if not paths and not maps:
        raise click.UsageError(
            "What should be checked? Name files or folders, or - for input; or map files to types "
            "in the configuration."
        )
    everything = not paths
    if only_mapped and maps and any(_decides(path, configuration) for path in paths):
        everything = True
    remarks: tuple[str, ...] = ()
    if everything:
        mapped = configuration.mapped()
        files = files_named(mapped.files)
        remarks = tuple(f"no file matches the pattern {text!r}" for text in mapped.unmatched)
        if mapped.outside:
            links = plural(len(mapped.outside), "link")
            remarks += (
                f"not followed: {links} out of the folder, such as {printable(mapped.outside[0])}",
            )
    else:
        files = find_files(paths, configuration.schemas, configuration.excludes)
    may_be_empty = only_mapped and not maps
    if only_mapped and maps:
        named = len(files)
        files = [file for file in files if isinstance(file, File) and configuration.maps(file.name)]
        if not files and not everything and configuration.mapped_files():
            may_be_empty = True
            remarks = (f"the configuration maps none of {plural(named, 'file')}: nothing to check",)
    is_baseline = _is(configuration.baseline)  # a shell names it where people write *.json
    files = [
        one
        for one in spared(files, outputs)
        if isinstance(one, Problem) or not is_baseline(one.name)
    ]
    selection = Selection(files, everything, remarks, may_be_empty)
    return selection if changed is None else _changed(selection, configuration, changed)


def spared(files: Sequence[File | Problem], outputs: Outputs) -> list[File | Problem]:
    """The files without earlier outputs. Raises a usage error if one of the others is an output."""
    return [
        one
        for one in files
        if isinstance(one, Problem) or not outputs.replaces(one.name, one.status)
    ]


def guard(configuration: Configuration, outputs: Outputs) -> None:
    """Raise a usage error if an output would overwrite the configuration, baseline or a schema."""
    read = [("it holds the configuration", configuration.file or "")]
    read += [("it is the baseline", configuration.baseline)]
    read += [
        ("it is one of the schemas", path)
        for path in outputs.reports
        if path.endswith(".json") and os.path.lexists(path) and _decides(path, configuration)
    ]
    for why, path in read:
        if path and outputs.has_report(path):
            raise click.UsageError(unwritable(path, why))


def guard_output(output: str | None, *inputs: str | None, schemas: str | None = None) -> Outputs:
    """Return the output of a command that reads `inputs`, and schemas, from the folder `schemas`.

    Raise a usage error if it would overwrite one of these.
    """
    outputs = Outputs([] if output is None or output == "-" else [output])
    if outputs.reports:
        guard(in_force().with_options(schemas=schemas), outputs)
    for path in filter(None, inputs):
        for file in outputs.reports:
            real, read = os.path.realpath(file), os.path.realpath(path)
            if real == read and not os.path.isdir(path):
                raise click.UsageError(unwritable(path, "it is read"))
            if os.path.dirname(real) == read and os.path.lexists(file):
                raise click.UsageError(unwritable(file, "it is in a folder that is read"))
    return outputs


def _is(file: str) -> Callable[[str], bool]:
    """Whether a path is this file; few are asked for their real path, which takes a while."""
    name, real = os.path.basename(file), os.path.realpath(file)
    return lambda path: path.endswith(name) and os.path.realpath(path) == real


def _decides(path: str, configuration: Configuration) -> bool:
    """Whether a file is the configuration, or one of the schemas."""
    real = os.path.realpath(path)
    own = configuration.file
    if own is not None and real == os.path.realpath(own):
        return True
    return any(os.path.dirname(real) == os.path.realpath(one) for one in folders(configuration))


def folders(configuration: Configuration) -> list[str]:
    """The folders of the project's schemas."""
    return [*configuration.schema_folders]


def _changed(selection: Selection, configuration: Configuration, ref: str) -> Selection:
    from widgetschema.project.git import affects_everything, changed_files

    try:
        changed = changed_files(None if ref == SINCE_THE_LAST_COMMIT else ref, os.getcwd())
    except ChangesUnknown:
        if ref == SINCE_THE_LAST_COMMIT or not os.path.lexists(ref):
            raise
        raise click.UsageError(
            f"{printable(ref)} is a file or a folder, and no commit: "
            f"write --changed -- {printable(ref)}"
        ) from None
    if _was_elsewhere(changed, configuration) or affects_everything(
        changed,
        schemas_folders=folders(configuration),
        configuration_file=configuration.file,
        baseline=configuration.baseline,
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
    return Selection(some, False, (*selection.remarks, remark), may_be_empty)


def _was_elsewhere(changed: ChangedFiles, configuration: Configuration) -> bool:
    """Whether a configuration or a schema was removed that came before those in force now."""
    above = search_folders(configuration.directory)
    for file in (os.path.join(folder, name) for folder in above for name in (FILE, PYPROJECT)):
        if file == configuration.file:
            break
        if changed.touches(file):
            return True
    if configuration.schemas is None:
        for schemas in (os.path.join(folder, "schemas") for folder in above):
            if is_pinned(schemas):
                break
            if changed.touches_schemas(schemas):
                return True
    return False
