"""The pipeline of `widgetschema validate`: options, settings, plan, results, reports, exit code."""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.cli.console.output import Output, print_error, print_stderr, unwritable
from widgetschema.cli.console.progress import Progress
from widgetschema.cli.console.signals import Interrupted, Interruptions
from widgetschema.cli.pipeline.file_checks import FileChecks, RunChecks
from widgetschema.cli.pipeline.result_dispatch import (
    OpenReport,
    ResultDispatcher,
    edits_output,
    open_reports,
    report_failure,
    report_files,
)
from widgetschema.cli.pipeline.selection import (
    OutputFiles,
    Selection,
    as_in_folders,
    files_beside,
    require_unread,
    select_files,
)
from widgetschema.cli.pipeline.validate_options import ValidateOptions
from widgetschema.errors import PlatformError, SchemaError, StoreError
from widgetschema.files import remove_unfinished
from widgetschema.findings import Provenance, Report
from widgetschema.jsontext import preview
from widgetschema.project.checking.exit_codes import INTERRUPTED
from widgetschema.project.checking.results import DocumentResult, Problem
from widgetschema.project.checking.runner import FileResults
from widgetschema.project.checking.triage import CodeSelection, Triage
from widgetschema.project.config import Configuration, Configurations
from widgetschema.project.config.settings import MAPPING_EXAMPLE
from widgetschema.project.inputs.folders import repository_of
from widgetschema.project.inputs.model import NO_TYPE, File, Skipped
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    from widgetschema.cli.pipeline.added_ignores import IgnoreRecorder
    from widgetschema.cli.pipeline.fixing import Fixer
    from widgetschema.project.checking.baseline import Baseline, BaselineRecorder

_CHUNK: Final = 64 * 1024  # bytes
_MOST_UNKNOWN: Final = 5  # types without a schema that the summary names
_FINDINGS: Final = 1  # the exit code for invalid data, which --exit-zero is about
About = Callable[[str], bool]  # whether standard output is about a file


class ValidationPlan(NamedTuple):
    """The plan of a run of `validate`: options, configurations, and what is written.

    `checks` are those of each of the `configurations`. `folder` is the one that names of files in
    reports begin at. `edits_output` is that of differences in JSON. With `about`, standard output
    gets only files that it accepts.
    """

    options: ValidateOptions
    configurations: Configurations
    checks: RunChecks
    folder: str
    reports: Sequence[OpenReport]
    outputs: OutputFiles
    edits_output: Output | None
    about: About | None

    def run(self) -> int:
        """Check all files and report the results; return the exit code."""
        selection = _select(self)
        for remark in self.configurations.remarks:
            print_error(remark)
        if self.options.fixes == "write":
            remove_unfinished(one.name for one in selection.files if isinstance(one, File))
        groups = self.checks.grouped(selection.files)
        for checks in self.checks.used or [self.checks.of(self.configurations.run)]:
            try:
                if checks.must_load:
                    checks.checker()
            except (SchemaError, StoreError, PlatformError) as error:
                report_failure(self.reports, error, self.configurations.run.file or os.curdir)
                raise
        triage, recorder = _create_triage(self)
        progress = Progress(len(selection.files), "checking")
        dispatcher = ResultDispatcher(
            triage,
            self.reports,
            self.options.max_findings,
            progress,
            recorder,
            self.about,
            lambda file: self.configurations.for_file(file).unsafe_fixes,
            self.options.fail_fast,
        )
        fixer = None
        if self.options.fixes is not None:
            fixer = _create_fixer(self, selection, triage, progress)
        is_interrupted = _dispatch(self, groups, dispatcher, fixer, progress)
        conclusion = _conclude(self, selection, dispatcher, fixer, is_interrupted=is_interrupted)
        return _sum_up(self, selection, dispatcher, fixer, recorder, conclusion)


class Conclusion(NamedTuple):
    """The end of a run: exit code, schemas, and whether all that was asked for was checked."""

    code: int
    schemas: list[Provenance]
    is_whole: bool


def validate(options: ValidateOptions, changes: Iterable[frozenset[str]] | None = None) -> int:
    """Run `widgetschema validate`; return the exit code. `changes` as for `watch`."""
    if options.stdin_filename is not None:
        options = options.replace(paths=("-",))
    if not options.watch:
        return plan(options, options.settings()).run()
    from widgetschema.cli.pipeline.watch import watch

    return watch(
        options.paths,
        options.settings,
        lambda settings: report_files(settings.reporters, options.output),
        lambda settings, about: plan(options, settings, about).run(),
        changes,
    )


def plan(
    options: ValidateOptions, settings: Configuration, about: About | None = None
) -> ValidationPlan:
    """Return the plan of a run. With `about`, standard output gets only files that it accepts."""
    folder, fixes = repository_of(settings.folder) or settings.folder, options.fixes
    reports = open_reports(
        settings.reporters,
        options.output,
        folder=folder,
        color=options.color,
        diff=options.diff or (fixes == "write" and options.input_name is not None),
    )
    outputs = OutputFiles(
        [report.file for report in reports if report.file is not None],
        baseline=settings.baseline if options.write_baseline else None,
    )
    configurations = options.configurations(settings)
    return ValidationPlan(
        options=options,
        configurations=configurations,
        checks=RunChecks(configurations, options),
        folder=folder,
        reports=reports,
        outputs=outputs,
        edits_output=edits_output(settings.reporters, options.output) if options.diff else None,
        about=about,
    )


# Plan


def _select(plan: ValidationPlan) -> Selection:
    """Return the files of a run; standard input is one if it is named or fixed."""
    name = plan.options.input_name
    if name is None:
        return select_files(plan.options, plan.configurations, plan.outputs)
    return _select_input(name, plan)


def _create_triage(
    plan: ValidationPlan,
) -> tuple[Triage, BaselineRecorder | IgnoreRecorder | None]:
    """Return the triage of a run, and the recorder of what is written about findings, if any."""
    from widgetschema.project.checking.baseline import Baseline, BaselineRecorder

    options, settings = plan.options, plan.configurations.run
    nearest = plan.configurations.for_file
    if options.write_baseline:
        recorder = BaselineRecorder(settings.baseline)
        return Triage(settings, None, recorder.folder, nearest=nearest), recorder
    known: Baseline | None = None
    is_there = options.baseline is not None or os.path.lexists(settings.baseline)
    if is_there and not options.no_baseline:
        known = Baseline.load(settings.baseline)
    codes = CodeSelection(options.select, options.ignore)
    triage = Triage(settings, known, plan.folder, nearest=nearest, codes=codes)
    if not options.add_ignores:
        return triage, None
    from widgetschema.cli.pipeline.added_ignores import IgnoreRecorder

    return triage, IgnoreRecorder(plan.configurations)


def _empty_problem(
    plan: ValidationPlan, selection: Selection, untyped: Sequence[Skipped]
) -> Problem | None:
    """Return the problem of a run that found no document; None if that is expected.

    `untyped` are the files that were skipped since they have no type, or one without a schema.
    """
    options, settings = plan.options, plan.configurations.run
    if options.allow_empty or selection.may_be_empty:
        return None
    is_by_mapping = settings.has_mapping and (not options.paths or options.force_exclude)
    file = settings.file if is_by_mapping else None
    number = len(selection.files)
    why = "there is no file to check; list what is skipped with --show-skipped"
    if file is not None:
        why = "no file matches what the configuration maps"
    is_mapped = bool(_mapped(selection.files))
    unknown = _unknown_types(untyped)
    if file is None and unknown and len(untyped) == number:
        why = f"{unknown}; add their schemas, see: widgetschema types"
    elif file is None and len(untyped) == number > 0:
        why = (
            f"none of {plural(number, 'file')} is mapped to a widget type or names one; set up a "
            f"mapping with: widgetschema init, or write one ({MAPPING_EXAMPLE}), or pass --type ID"
        )
    elif number and (file is None or is_mapped):
        why = f"there is none in {plural(number, 'file')}"
    message = f"no document was checked: {why} (pass --allow-empty if that is fine)"
    place = os.path.relpath(file) if file else [*options.paths, os.curdir][0]
    return Problem(place, message)


def _select_input(name: str, plan: ValidationPlan) -> Selection:
    """Return standard input as the one file of a run, with a name.

    With --force-exclude, it obeys the rules for files in folders: if it is excluded, there is no
    file, and with --fix the text goes to standard output as it is. Raises `ConfigurationError`, and
    a usage error for an output as `select_files`.
    """
    from widgetschema.project.inputs.streams import StandardInput, failure

    configurations = plan.configurations
    configuration = configurations.for_file(name)
    for error in configurations.errors.values():
        raise error
    plan.outputs.require_distinct(name, name)
    for one in configurations.all:
        require_unread(one, plan.outputs)
    most = configuration.limits.max_bytes
    raw = bytearray()
    try:
        source = StandardInput()
        while len(raw) <= most and (chunk := source.read(_CHUNK)):
            raw += chunk
    except (OSError, ValueError) as error:
        return Selection([Problem(name, failure(error))])
    if len(raw) > most:
        message = f"standard input is larger than the limit of {most:,} bytes"
        return Selection([Problem(name, message)])
    selection = Selection([File(name, content=bytes(raw))])
    if plan.options.force_exclude:
        selection = as_in_folders(selection, configurations, plan.options)
        selection = selection._replace(may_be_empty=True)
    if not selection.files and plan.options.fixes == "write":
        Output(None).write_exact(bytes(raw))
    return selection


# Results


def _create_fixer(
    plan: ValidationPlan, selection: Selection, triage: Triage, progress: Progress
) -> Fixer:
    """Return what fixes the files that were named: a hook may check others because of a schema."""
    from widgetschema.cli.pipeline.fixing import Differences, Fixer

    def warn(message: str) -> None:
        """Print a warning in place of the progress bar."""
        progress.clear()
        print_error(message)

    paths = plan.options.paths
    contents = {
        one.name: one.content
        for one in selection.files
        if isinstance(one, File) and one.content is not None
    }
    return Fixer(
        plan.checks,
        triage.counts,
        plan.folder,
        warn,
        Differences(plan.edits_output) if plan.options.fixes == "diff" else None,
        paths if selection.everything and paths else None,
        contents,
    )


def _dispatch(
    plan: ValidationPlan,
    groups: Sequence[tuple[FileChecks, list[File | Problem]]],
    dispatcher: ResultDispatcher,
    fixer: Fixer | None,
    progress: Progress,
) -> bool:
    """Dispatch the results of all files; return whether the run was interrupted.

    Then the results are dispatched that are there by then.
    """
    done = 0
    has_failed = False
    left: str | None = None  # a file of which nothing more would be shown
    with Interruptions() as interruptions:
        for checks, files in groups:
            if has_failed or interruptions.interrupted:
                break
            dispatcher.types = checks.types
            sifted = checks.runner.sift(files)
            dispatcher.skipped += sifted.skipped
            with closing(checks.runner.results(sifted.files)) as every:
                while not has_failed and (results := _next(every, interruptions)) is not None:
                    if results.file == left:
                        continue
                    for part in [results] if fixer is None else fixer.fix(results):
                        dispatcher.add(part)
                    if dispatcher.has_enough(results):
                        left = results.file
                        checks.runner.leave(left)
                    done += results.is_first
                    progress.done(done)
                    has_failed = dispatcher.has_failed
            if not (has_failed or interruptions.interrupted):
                known = {one.name for one in files if isinstance(one, File)}
                has_documents = functools.partial(_has_documents, plan, checks, known)
                unknown = dispatcher.take_unknown(has_documents)
                unknown_files = [
                    one._replace(only_typed=False)
                    for one in files
                    if isinstance(one, File) and one.name in unknown
                ]
                for results in checks.runner.results(unknown_files):
                    for part in [results] if fixer is None else fixer.fix(results):
                        dispatcher.add(part)
            if fixer is None and not has_failed:
                for results in checks.runner.drain():
                    dispatcher.add(results)
    if interruptions.interrupted:
        progress.clear()
        print_error("interrupted")
    return interruptions.interrupted


def _has_documents(
    plan: ValidationPlan, checks: FileChecks, checked: Collection[str], folder: str
) -> bool:
    """Return whether a folder has a document of a known type, in a file that was not `checked`.

    Hooks and `--changed` name some files of a folder; what these are does not depend on that.
    """
    for file in files_beside(folder, checked, plan.configurations, plan.options):
        with closing(checks.runner.results([file])) as every:
            found = (result for results in every for result in results.results)
            if any(isinstance(one, DocumentResult) and one.is_known_document for one in found):
                return True
    return False


def _next(results: Iterator[FileResults], interruptions: Interruptions) -> FileResults | None:
    """Return the next results; None at the end or after an interruption."""
    try:
        with interruptions.interruptible():
            return next(results, None)
    except Interrupted:
        return None


# Reports


def _conclude(
    plan: ValidationPlan,
    selection: Selection,
    dispatcher: ResultDispatcher,
    fixer: Fixer | None,
    *,
    is_interrupted: bool,
) -> Conclusion:
    """Close the reports."""
    used = [(checks, id) for checks in plan.checks.used for id in checks.types]
    # Types share their base schemas, and configurations their types.
    schemas = [
        *dict.fromkeys(one for checks, id in used for one in checks.checker().schemas_of([id]))
    ]
    for lint in Report(schemas=tuple(schemas)).lints:
        print_error(lint.message)
    for note in dict.fromkeys(checks.checker().note_on(id) for checks, id in used):
        if note is not None:
            print_error(note)
    is_finished = not is_interrupted and not (plan.options.fail_fast and dispatcher.summary.code)
    nothing = None
    if is_finished and dispatcher.found_nothing:
        nothing = _empty_problem(plan, selection, dispatcher.skipped)
    if nothing is not None:
        dispatcher.fail(nothing)
    code = dispatcher.close(
        schemas,
        everything=selection.everything and is_finished and nothing is None,
        interrupted=not is_finished,
        fixed=fixer.number if fixer is not None and plan.options.fixes == "write" else 0,
        code=INTERRUPTED if is_interrupted else 0,
    )
    return Conclusion(code, schemas, is_whole=code != INTERRUPTED and nothing is None)


def _sum_up(
    plan: ValidationPlan,
    selection: Selection,
    dispatcher: ResultDispatcher,
    fixer: Fixer | None,
    recorder: BaselineRecorder | IgnoreRecorder | None,
    conclusion: Conclusion,
) -> int:
    """Write the baseline and print the summary; return the exit code."""
    skipped = [*selection.skipped, *dispatcher.skipped]
    remarks = [*selection.remarks]
    notes = (one.unfilled_reasons for one in plan.configurations.all)
    remarks += [note for note in notes if note is not None]
    if plan.options.show_skipped:
        for one in sorted(skipped):
            print_stderr(str(one))
    elif (remark := _skipped_remark(skipped, selection.files)) is not None:
        remarks.append(remark)
    code = conclusion.code
    if fixer is not None:
        code = max(code, fixer.close())
    if recorder is not None:
        is_written, remark = _write_records(recorder, is_whole=conclusion.is_whole)
        remarks.append(remark)
        if is_written:
            code = max(dispatcher.unbaselinable, recorder.code)  # the rest does not fail any more
        elif conclusion.is_whole:
            code = max(code, 3)
    if fixer is not None and plan.options.fixes == "diff":
        number, files = plural(fixer.number, "finding"), plural(fixer.files, "file")
        option = "--unsafe-fixes" if plan.options.unsafe_fixes else "--fix"
        remarks.append(f"{number} in {files} fixable with {option}; nothing was written")
    if plan.options.statistics or (recorder is not None and not plan.options.quiet):
        for text in statistics(dispatcher.codes):
            print_stderr(text)
    if not plan.options.quiet:
        dispatcher.print_summary(conclusion.schemas, *remarks, with_safe=fixer is None)
    return 0 if code == _FINDINGS and plan.options.exit_zero else code


def statistics(codes: Mapping[str, int]) -> list[str]:
    """Return a line for each code of findings, the most frequent first."""
    width = max((len(f"{number:,}") for number in codes.values()), default=0)
    ordered = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    return [f"{number:{width},}  {code}" for code, number in ordered]


def _skipped_remark(skipped: Sequence[Skipped], files: Sequence[File | Problem]) -> str | None:
    """Return how much was skipped, and why; None if that is what the project says.

    Files without a type are named if others in their folders are mapped.
    """
    counted = [one for one in skipped if not one.is_expected]
    if not counted:
        return None
    folders = sum(one.name.endswith(os.sep) for one in counted)
    numbers = [(len(counted) - folders, "file"), (folders, "folder")]
    what = " and ".join(plural(number, noun) for number, noun in numbers if number)
    reasons = Counter(one.reason for one in counted if one.type_id is None)
    why = ", ".join(f"{one} ({number:,})" for one, number in reasons.most_common())
    if len(reasons) == 1 and reasons.total() == len(counted):
        why = next(iter(reasons))
    parts = filter(None, (why, _unknown_types(counted)))
    mapped = {os.path.dirname(one.name) for one in _mapped(files)}
    beside = sorted(
        one.name for one in counted if one.reason == NO_TYPE and os.path.dirname(one.name) in mapped
    )
    named = (
        f"; {len(beside):,} beside mapped files, such as {printable(beside[0])}" if beside else ""
    )
    return f"{what} skipped: {', '.join(parts)}{named}; list them with --show-skipped"


def _mapped(files: Iterable[File | Problem]) -> list[File]:
    return [one for one in files if isinstance(one, File) and not one.only_typed]


def _unknown_types(skipped: Iterable[Skipped]) -> str:
    """Return the types that skipped files name and that have no schema, with their numbers."""
    types = Counter(one.type_id for one in skipped if one.type_id is not None)
    if not types:
        return ""
    shown = [f"{preview(id, 40)} ({number:,})" for id, number in types.most_common(_MOST_UNKNOWN)]
    more = len(types) - len(shown)
    shown += [f"{more:,} more"] if more else []
    return f"unknown widget type{'s' * (len(types) > 1)} {', '.join(shown)}"


def _write_records(
    recorder: BaselineRecorder | IgnoreRecorder, *, is_whole: bool
) -> tuple[bool, str]:
    """Write a baseline or ignores; return whether they were written, and a remark."""
    from widgetschema.project.checking.baseline import BaselineRecorder

    if isinstance(recorder, BaselineRecorder):
        return _write_baseline(recorder, is_whole=is_whole)
    return recorder.write() if is_whole else (False, "no ignores were written")


def _write_baseline(recorder: BaselineRecorder, *, is_whole: bool) -> tuple[bool, str]:
    """Write the baseline if the run was whole; return whether it was written, and a remark."""
    if is_whole:
        try:
            change = recorder.write()
        except OSError as error:
            unwritable(recorder.path, error)
        else:
            return True, f"wrote {printable(os.path.relpath(recorder.path))}: {change}"
    return False, "the baseline was not written"
