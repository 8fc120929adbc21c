"""The proposal of `widgetschema init`: examine the repository, map its files, check them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Final, NamedTuple

from widgetschema.cli.common import catalog_for
from widgetschema.cli.console.progress import Progress, waiting, with_progress
from widgetschema.cli.pipeline.file_checks import RunChecks
from widgetschema.cli.pipeline.project_setup import (
    Change,
    Proposed,
    ci_steps,
    pre_commit_entry,
    source_of,
    with_settings,
)
from widgetschema.cli.pipeline.proposed_mapping import (
    Evidence,
    Examiner,
    propose_mapping,
    schema_folders,
)
from widgetschema.cli.pipeline.result_dispatch import ResultDispatcher
from widgetschema.cli.pipeline.selection import OutputFiles, select_files
from widgetschema.cli.pipeline.validate_options import ValidateOptions
from widgetschema.cli.settings import configurations_for
from widgetschema.project.checking.baseline import BaselineRecorder
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.results import Problem, Summary
from widgetschema.project.checking.triage import Triage
from widgetschema.project.config import Configuration, Configurations
from widgetschema.project.config.settings import FILE, MAPPING_EXAMPLE
from widgetschema.project.inputs.folders import repository_of
from widgetschema.project.inputs.model import File
from widgetschema.project.inputs.project_files import find_project_files
from widgetschema.text import plural, printable

_OFFLINE: Final = "types that no folder of schemas has are unknown here"


class Proposal(NamedTuple):
    """The changes that `init` proposes, and remarks about the rest.

    `baseline` has the findings of today, None without any. `summary` is that of a check with the
    proposed configuration.
    """

    changes: list[Change]
    baseline: BaselineRecorder | None
    summary: Summary
    remarks: list[str]

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to write."""
        return not self.changes and self.baseline is None

    @property
    def next_step(self) -> str:
        """The one thing to do next."""
        counts = self.summary
        if not (counts.valid or counts.invalid or counts.excused or counts.code):
            return (
                f"no valid widget data was found: map files by hand ({MAPPING_EXAMPLE}), or "
                "download the schemas of your platform: widgetschema pull ID"
            )
        if self.baseline is not None:
            return "see which findings can be fixed: widgetschema validate --no-baseline --diff"
        return "widgetschema validate"


def propose(settings: Configuration, *, owner: str | None, skip: Collection[str]) -> Proposal:
    """Return what to write for the project of a configuration, without what is there already."""
    platform = [] if settings.fetch in (None, "frozen") else [f"no schema is fetched: {_OFFLINE}"]
    settings = replace(settings, fetch=None)
    files, remarks = _examined(configurations_for(settings), settings)
    remarks += platform
    schemas = None
    nested = _nested_schemas(settings)
    if nested is not None and "configuration" not in skip:
        name = printable(os.path.relpath(os.path.join(os.path.dirname(nested), FILE)))
        remarks.append(
            f"no file was mapped: {printable(os.path.relpath(settings.file or FILE))} does not use "
            f"the schemas in {printable(os.path.relpath(nested))}; create an empty {name}, and run "
            "init again"
        )
        skip = {*skip, "configuration"}
    if "configuration" not in skip and not (settings.schemas or settings.schema_folders):
        found = schema_folders(files)
        if len(found) == 1:
            schemas = found[0]
            full = os.path.join(settings.folder, schemas)
            settings = replace(settings, schemas=full)
            files, remarks = _examined(configurations_for(settings), settings)
        elif found:
            some = ", ".join(map(printable, found[:3]))
            remarks.append(f"several folders hold schemas ({some}): name one in the configuration")
    mapping = propose_mapping(files)
    proposed: list[Proposed] = []
    if "configuration" not in skip:
        every = {"schemas": schemas, "include": [*mapping.include], "files": mapping.files}
        added = {name: value for name, value in every.items() if value}
        proposed += [with_settings(settings, added)] if added else []
        settings = replace(
            settings,
            files={**settings.files, **mapping.files},
            include=(*settings.include, *mapping.include),
        )
        remarks += mapping.remarks
    recorder, summary = _findings(settings, files)
    has_baseline = os.path.lexists(settings.baseline)
    is_wanted = "baseline" not in skip and not has_baseline and recorder.number > 0
    root = repository_of(settings.directory) or settings.directory
    parts = {"ci": ci_steps, "pre-commit": pre_commit_entry}
    if settings.folder == root:
        source = source_of(owner) if not parts.keys() <= {*skip} else None
        for part, propose_part in parts.items():
            proposed += propose_part(root, source) if part not in skip else ()
    elif not parts.keys() <= {*skip}:
        remarks.append(
            "CI and pre-commit run in the root of the repository: for them, run widgetschema init "
            f"in {printable(os.path.relpath(root))}"
        )
    return Proposal(
        [one for one in proposed if isinstance(one, Change)],
        recorder if is_wanted else None,
        summary,
        [*remarks, *(one for one in proposed if isinstance(one, str))],
    )


def _nested_schemas(settings: Configuration) -> str | None:
    """Return the folder of schemas that only commands below the configuration would use."""
    folders = () if settings.file is None or settings.schemas else settings.schema_folders
    nearest = next(iter(folders), "")
    is_below = os.path.dirname(nearest).startswith(os.path.join(settings.folder, ""))
    return nearest if is_below else None


def _examined(
    configurations: Configurations, settings: Configuration
) -> tuple[dict[str, Evidence], list[str]]:
    """Return the evidence of the files of a configuration, by their paths relative to it."""
    with waiting("looking for files"):
        found = find_project_files((), configurations)
    remarks = [one for one in found.remarks if not one.startswith("no file matches")]
    checker = Checker(
        catalog_for(settings), limits=settings.limits, foreign_types=settings.foreign_types
    )
    examiner = Examiner(checker)
    remarks += examiner.remarks
    files: dict[str, Evidence] = {}
    others: set[str] = set()
    for one in with_progress(found.files, len(found.files), "examining files"):
        if isinstance(one, Problem):
            remarks.append(f"{printable(one.file)}: {one.message}")
            continue
        nearest = configurations.for_file(one.name)
        if nearest is not configurations.run:
            others.add(nearest.folder)
            continue
        path = _path_in(settings, one.name)
        if path == _path_in(settings, settings.baseline):
            continue
        if one.only_typed:
            evidence = examiner.examine(one.name)
            if evidence is not None:
                files[path] = evidence
        else:
            type_id = settings.type_for(one.name)
            types = frozenset(() if type_id is None else (type_id,))
            files[path] = Evidence(types, is_other=type_id is None, is_mapped=True)
    if others:
        some = ", ".join(sorted(printable(os.path.relpath(one)) for one in others)[:3])
        number = plural(len(others), "folder")
        remarks.append(f"skipped {number} with another configuration or repository: {some}")
    return files, remarks


def _path_in(settings: Configuration, file: str) -> str:
    """Return the path of a file relative to the configuration."""
    full = os.path.join(settings.directory, file)
    return os.path.relpath(full, settings.folder).replace(os.sep, "/")


def _findings(
    settings: Configuration, examined: Mapping[str, Evidence]
) -> tuple[BaselineRecorder, Summary]:
    """Return the findings of a check with a configuration that need not be written yet.

    Files that are not mapped, and that were `examined` and have nothing to do with widgets, are not
    read again.
    """

    def is_unrelated(one: File | Problem) -> bool:
        """Return whether the check would certainly skip a file."""
        if isinstance(one, Problem) or not one.only_typed:
            return False
        evidence = examined.get(_path_in(settings, one.name))
        return evidence is not None and evidence.is_unrelated

    configurations = configurations_for(settings)
    options = ValidateOptions()
    selected = select_files(options, configurations, OutputFiles([])).files
    files = [one for one in selected if not is_unrelated(one)]
    checks = RunChecks(configurations, options)
    recorder = BaselineRecorder(settings.baseline)
    triage = Triage(settings, None, recorder.folder, nearest=configurations.for_file)
    done, progress = 0, Progress(len(files), "checking")
    dispatcher = ResultDispatcher(triage, [], progress=progress, recorder=recorder)
    for own, some in checks.grouped(files):
        with closing(own.runner.results(some)) as every:
            for results in every:
                dispatcher.add(results)
                done += results.is_first
                progress.done(done)
    progress.clear()
    return recorder, dispatcher.summary
