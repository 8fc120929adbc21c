"""From results to reports: triage decides what counts, and each reporter writes it to its output.

A report goes to standard output or to a file; everything else that people should know goes to
standard error.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import click

from widgetschema.cli.console.output import (
    Output,
    encodable,
    escape_workflow_command,
    in_github_workflow,
    print_error,
    print_stderr,
    provenance_text,
    style_for,
    usage_error,
)
from widgetschema.cli.console.progress import Progress, is_terminal
from widgetschema.errors import WidgetSchemaError
from widgetschema.findings import Provenance
from widgetschema.project.checking.exit_codes import exit_code
from widgetschema.project.checking.results import (
    MOST_IN_A_TEXT,
    DocumentResult,
    LocatedFinding,
    Outcome,
    Problem,
    Result,
    Summary,
)
from widgetschema.project.inputs.model import Skipped
from widgetschema.project.report_formats import (
    AUTO,
    PLAIN_ESCAPE,
    STANDARD_OUTPUT,
    InvalidReportTarget,
    ReportContext,
    Reporter,
    create_reporter,
    parse_target,
    report_format,
)
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    from widgetschema.project.checking.runner import FileResults
    from widgetschema.project.checking.triage import Triage

_FOR_PEOPLE: Final = ("github", "text")
_REPEATED: Final = 3  # equal problems that are printed one by one
_SHARED_STDOUT: Final = (
    "Two formats cannot share standard output: give all but one a file, as in "
    "--format sarif=report.sarif"
)
_COMMAND: Final = re.compile("^( *)::", re.MULTILINE)


class OpenReport(NamedTuple):
    """A reporter, the output that it writes to, and the file of that if it has one.

    One on the screen is read by people while the command runs.
    """

    reporter: Reporter
    output: Output
    file: str | None = None
    is_on_screen: bool = False


def open_reports(
    reporters: Sequence[str], output: str | None, *, folder: str, color: str, diff: bool = False
) -> list[OpenReport]:
    """Return the reports of a run. With `diff`, standard output is for the differences alone.

    Raises a usage error for unknown formats and for reports that share an output.
    """
    reports: list[OpenReport] = []
    files: set[str] = set()
    for name, file in _targets(reporters, output):
        if name == AUTO:
            name = "github" if in_github_workflow() and not is_terminal(sys.stdout) else "text"
        if diff and file is None:
            continue
        to_file = file is not None
        show = printable if to_file else _shown
        context = ReportContext(folder, style_for(color, to_file), show, to_file)
        reporter = create_reporter(name, context)
        escape = None if to_file or not in_github_workflow() else _workflow_escape(name)
        is_on_screen = file is None and name in _FOR_PEOPLE
        reports.append(OpenReport(reporter, Output(file, escape), file, is_on_screen))
        if file is not None:
            real = os.path.realpath(file)
            if real in files and (os.path.isfile(real) or not os.path.exists(real)):
                raise click.UsageError(f"Two formats cannot share the file {printable(file)}.")
            files.add(real)
    if sum(report.file is None for report in reports) > 1:
        raise click.UsageError(_SHARED_STDOUT)
    return reports


def edits_output(reporters: Sequence[str], output: str | None) -> Output | None:
    """Return the output of edits as JSON; None if standard output gets patches.

    Raises as `open_reports`, also if another format is for standard output, too.
    """
    names = [name for name, file in _targets(reporters, output) if file is None]
    if "json" not in names:
        return None
    if len(names) > 1:
        raise click.UsageError(_SHARED_STDOUT)
    return Output(None, _workflow_escape("json") if in_github_workflow() else None)


def report_files(reporters: Sequence[str], output: str | None) -> frozenset[str]:
    """Return the real paths of the report files. Raises as `open_reports`."""
    return frozenset(os.path.realpath(file) for _, file in _targets(reporters, output) if file)


def report_failure(reports: Sequence[OpenReport], error: WidgetSchemaError, file: str) -> None:
    """Write reports about a run that could not begin, so that earlier reports do not stand for it.

    `file` is the location of the problem if the error has none.
    """
    problem = Problem(getattr(error, "path", None) or file, str(error), exit_code(error))
    outcome = Outcome(Summary().with_problem(problem), [problem])
    for report in reports:
        report.output.write(report.reporter.problem(problem) + report.reporter.end(outcome))
        report.output.close()


def _targets(reporters: Sequence[str], output: str | None) -> list[tuple[str, str | None]]:
    """Return the formats and their files; the first without a file gets `output`."""
    try:
        formats: list[tuple[str, str | None]] = [parse_target(text) for text in reporters]
    except InvalidReportTarget as error:
        raise usage_error(error) from None
    for name, _ in formats:
        if name != AUTO:
            report_format(name)  # from now on, its earlier reports are recognized
    if output is None:
        return formats
    free = next((index for index, (_, file) in enumerate(formats) if file is None), None)
    if free is None:
        raise click.UsageError(
            "--output has no effect: each format already names a file. Add one that does not, as "
            "in --format text"
        )
    formats[free] = (formats[free][0], None if output in STANDARD_OUTPUT else output)
    return formats


def _workflow_escape(name: str) -> Callable[[str], str] | None:
    """Return how to escape workflow commands in a format; None if it has none."""
    instead = report_format(name).escape
    if instead is None:
        return None

    def escape(text: str) -> str:
        """Return the text without workflow commands."""
        text = escape_workflow_command(text, instead)
        return _COMMAND.sub(r"\1·::", text) if instead == PLAIN_ESCAPE else text

    return escape


def _shown(text: str) -> str:
    return encodable(escape_workflow_command(printable(text)))


class Recorder(Protocol):
    """Records what counts in order to write it: to a baseline, or as ignores."""

    def begin(self, file: str) -> None:
        """Record that a file begins."""

    def add(self, result: Result) -> None:
        """Add one result."""

    def holds(self, document: DocumentResult, located: LocatedFinding) -> bool:
        """Return whether a finding is recorded, so that it need not be shown."""


class ResultDispatcher:
    """Passes results through triage to the reports; shows at most `most` findings.

    `summary` and `problems` are those so far, `types` the ids of the widget types that were used,
    `skipped` the files that name no type and need to, `codes` the number of findings and problems
    by code.
    `unbaselinable` is the exit code for what no baseline can hold. A `recorder` gets what counts,
    too; what it can hold is not shown on the screen. Only files that are `about` go to standard
    output. `applies_unsafe` returns whether --fix applies unsafe fixes to a file, too. With
    `fail_fast`, nothing is dispatched after the first result that fails. `enough` findings of a
    file are counted that are not shown.
    """

    def __init__(
        self,
        triage: Triage,
        reports: Sequence[OpenReport],
        most: int | None = None,
        progress: Progress | None = None,
        recorder: Recorder | None = None,
        about: Callable[[str], bool] | None = None,
        applies_unsafe: Callable[[str], bool] = lambda file: False,
        fail_fast: bool = False,
        enough: int = MOST_IN_A_TEXT,
    ) -> None:
        self.summary = Summary()
        self.problems: list[Problem] = []
        self.types: dict[str, None] = {}
        self.skipped: list[Skipped] = []
        self.codes: Counter[str] = Counter()
        self.unbaselinable = 0
        self._triage = triage
        self._reports = reports
        self._recorder = recorder
        self._about = about or _everything
        self._remaining = most
        self._hidden = 0
        self._hidden_here = 0  # in the last file
        self._applies_unsafe = applies_unsafe
        self._fail_fast = fail_fast
        self._enough = enough
        self._safe = self._unsafe = 0  # findings that --fix would end, and only --unsafe-fixes
        self._unchecked: Counter[Problem] = Counter()  # documents, by the problem of their schema
        self._printed: dict[str, int] = {}
        self._noted = ""  # the last file with a note
        self._document_folders: set[str] = set()  # that have a document of a known type
        self._progress = progress or Progress(0)

    def add(self, results: FileResults) -> None:
        """Dispatch the results of a file, or of a part of one."""
        if results.passed_over is not None and self._about(results.file):
            self._progress.clear()
            print_error(str(results.passed_over))
        if results.skipped is not None:
            self.skipped.append(results.skipped)
        if results.is_first:
            self._hidden_here = 0
            self.summary = self.summary._replace(files=self.summary.files + 1)
            self._triage.begin(results.file)
            if self._recorder is not None:
                self._recorder.begin(results.file)
        for result in results.results:
            if self.has_failed and not (isinstance(result, Problem) and result.truncated):
                break
            self._result(result)

    def take_unknown(self, has_documents: Callable[[str], bool]) -> frozenset[str]:
        """Return the skipped files with a type that has no schema, beside documents of known types.

        They are not skipped any more: their types count. `has_documents` is asked about folders of
        which no such document was checked.
        """
        unknown = [one for one in self.skipped if one.type_id is not None]
        folders = {os.path.dirname(one.name) for one in unknown}
        meant = {one for one in folders if one in self._document_folders or has_documents(one)}
        beside = [one for one in unknown if os.path.dirname(one.name) in meant]
        self.skipped = [one for one in self.skipped if one not in beside]
        return frozenset(one.name for one in beside)

    @property
    def has_failed(self) -> bool:
        """True if nothing more is to be dispatched, since something failed."""
        return self._fail_fast and self.summary.code != 0

    def has_enough(self, results: FileResults) -> bool:
        """Return whether the rest of a file need not be checked: nothing of it would be shown.

        Then a problem has said so.
        """
        if results.is_complete or self._remaining != 0 or self._hidden_here < self._enough:
            return False
        message = (
            f"there are at least {self._hidden_here:,} findings that are not shown; the rest of "
            "the file was not checked"
        )
        self._result(Problem(results.file, message, 1, truncated=True))
        return True

    @property
    def found_nothing(self) -> bool:
        """True if no document was checked so far, and no problem explains why."""
        counts = self.summary
        return not (counts.valid or counts.invalid or counts.excused or counts.code)

    def fail(self, problem: Problem) -> None:
        """Report a problem with the whole run, which neither ignores nor a baseline excuse."""
        self._problem(self._triage.with_fingerprint(problem))

    def close(
        self,
        schemas: Iterable[Provenance],
        *,
        everything: bool,
        interrupted: bool = False,
        fixed: int = 0,
        code: int = 0,
    ) -> int:
        """Close the reports; return the exit code, which is at least `code`.

        `everything` means that all files were checked that the configuration maps; `interrupted`
        that the last file may not have been examined completely.
        """
        for cause, number in self._unchecked.items():
            left = f"which leaves {plural(number, 'document')} unchecked"
            message = f"this schema cannot be used, {left}: {cause.message}"
            self._report(self._triage.with_fingerprint(cause._replace(message=message)))
        for document in self._triage.ignore_findings(everything=everything):
            self._document(document)
            self.unbaselinable = max(self.unbaselinable, int(document.failed))
        counts = self.summary
        self.summary = counts._replace(
            ignored=counts.ignored + self._triage.ignored,
            fixed=fixed,
            code=max(counts.code, code),
        )
        resolved = self._triage.resolved(interrupted=interrupted)
        outcome = Outcome(
            self.summary,
            self.problems,
            [*schemas],
            self._hidden,
            resolved,
            self._triage.suppressed,
            self._triage.has_baseline,
        )
        codes = [self.summary.code]
        for report in self._reports:
            self._write(report, report.reporter.end(outcome))
            codes.append(report.output.close())
        self._progress.clear()
        for message, number in self._printed.items():
            if number > _REPEATED:
                print_error(f"{number - _REPEATED:,} more: {message}")
        return max(codes)

    def print_summary(self, schemas: Sequence[Provenance], *remarks: str, with_safe: bool) -> None:
        """Print the counts, remarks, and where the schemas came from, on standard error."""
        numbers = [(self._safe if with_safe else 0, "--fix"), (self._unsafe, "--unsafe-fixes")]
        fixable = ", ".join(f"{number:,} with {option}" for number, option in numbers if number)
        fixable = fixable.replace(" with", " fixable with", 1)
        print_stderr("; ".join(filter(None, (str(self.summary), fixable))))
        for remark in remarks:
            print_stderr(remark)
        types = {(one.id, one.source) for one in schemas if one.describes is not None}
        # A type that another schema refers to, too, is named once.
        named = [one for one in schemas if one.describes or (one.id, one.source) not in types]
        if named:
            print_stderr(f"schemas: {'; '.join(map(provenance_text, named))}")

    def _result(self, result: Result) -> None:
        counted = self._triage.result(result)
        if counted is None:
            return
        if self._recorder is not None:
            self._recorder.add(counted)
        if isinstance(counted, Problem):
            self._problem(counted)
        else:
            self._document(counted)

    def _problem(self, problem: Problem) -> None:
        cause = problem.cause
        if cause is None or cause not in self._unchecked:
            self.summary = self.summary.with_problem(problem)
        if cause is None:
            self._report(problem)
        else:
            self._unchecked[cause] += 1

    def _report(self, problem: Problem) -> None:
        self.codes[problem.keyword] += 1
        self.problems.append(problem)
        self.unbaselinable = max(self.unbaselinable, problem.code)
        for report in self._reports:
            self._write(report, report.reporter.problem(problem))
            report.output.flush()
        if self._about(problem.file):
            number = self._printed[problem.message] = self._printed.get(problem.message, 0) + 1
            if number <= _REPEATED:
                self._progress.clear()
                print_error(str(problem))

    def _document(self, document: DocumentResult) -> None:
        self.summary = self.summary.with_document(document)
        if any(document.prevents_check(one.finding) for one in document.findings):
            self.unbaselinable = max(self.unbaselinable, 1 if document.readable else 3)
        if document.findings:
            self.codes.update(one.finding.keyword for one in document.findings)
        if document.type_id is not None:
            self.types.setdefault(document.type_id)
            if document.is_known_document:
                self._document_folders.add(os.path.dirname(document.file))
        if document.note is not None and document.file != self._noted:
            self._noted = document.file
            self._progress.clear()
            print_error(f"{printable(document.file)}{document.note}")
        if document.file != "-" and not document.file.lower().endswith(".gz"):
            self._count_fixable(document)
        shown = document
        if self._remaining is not None:
            shown = document.cut(self._remaining)
            self._remaining -= len(shown.findings)
            self._hidden += len(document.findings) - len(shown.findings)
            self._hidden_here += len(document.findings) - len(shown.findings)
        on_screen = shown
        if self._recorder is not None:
            recorder = self._recorder
            rest = tuple(one for one in shown.findings if not recorder.holds(document, one))
            on_screen = shown._replace(findings=rest)
        for report in self._reports:
            if report.file is not None or self._about(document.file):
                chosen = on_screen if report.is_on_screen else shown
                self._write(report, report.reporter.document(chosen))

    def _count_fixable(self, document: DocumentResult) -> None:
        fixes = [one.finding.fix for one in document.findings if one.finding.fix is not None]
        if fixes:
            every = self._applies_unsafe(document.file)
            safe = sum(every or fix.is_safe for fix in fixes)
            self._safe += safe
            self._unsafe += len(fixes) - safe

    def _write(self, report: OpenReport, text: str) -> None:
        if text:
            self._progress.clear()
            report.output.write(text)


def _everything(file: str) -> bool:
    return True
