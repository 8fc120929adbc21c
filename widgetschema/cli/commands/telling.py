"""Results on their way out: what counts of them is shown, by each reporter, where it should be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from widgetschema.cli.commands.sinks import Sink
from widgetschema.cli.console.output import print_error, print_stderr
from widgetschema.cli.console.progress import Progress
from widgetschema.cli.shown import provenance_text
from widgetschema.findings import Provenance
from widgetschema.project.checking.baseline import is_baselinable
from widgetschema.project.checking.file_check import FileResults
from widgetschema.project.checking.results import (
    DocumentResult,
    Outcome,
    Problem,
    Result,
    Summary,
)
from widgetschema.project.checking.triage import Triage
from widgetschema.text import printable

if TYPE_CHECKING:
    from widgetschema.project.checking.baseline import BaselineRecorder


_SAME: Final = 3  # problems with one and the same message: so many are said one by one


class Telling:
    """Takes answers, judges them, and tells of them; `most` findings at the most.

    `summary` and `problems` are those so far, `types` the ids of the widget types that were used;
    `mendable` counts the findings that could be mended; `beyond` is the exit code for what no
    baseline can hold. A `collector` gets what counts, too. Standard output
    gets only files that are `about`.
    """

    def __init__(
        self,
        judge: Triage,
        sinks: Sequence[Sink],
        most: int | None = None,
        progress: Progress | None = None,
        collector: BaselineRecorder | None = None,
        about: Callable[[str], bool] | None = None,
    ) -> None:
        self.judge = judge
        self.sinks = sinks
        self.summary = Summary()
        self.problems: list[Problem] = []
        self.types: dict[str, None] = {}
        self.mendable = 0
        self.beyond = 0
        self.collector = collector
        self._about = about
        self._room = most
        self._hidden = 0
        self._said: dict[str, int] = {}
        self._noted = ""  # the last file of which something was noted
        self._progress = progress or Progress(0)

    def answer(self, answer: FileResults) -> None:
        """Tell of an answer."""
        if answer.passed_over is not None and (self._about is None or self._about(answer.file)):
            self._progress.clear()
            print_error(str(answer.passed_over))
        if answer.is_first:
            self.summary = self.summary._replace(files=self.summary.files + 1)
            self.judge.begin(answer.file)
            if self.collector is not None:
                self.collector.begin(answer.file)
        for result in answer.results:
            self.result(result)

    def result(self, result: Result) -> None:
        """Tell of a result, if it counts."""
        judged = self.judge.result(result)
        if self.collector is not None and judged is not None:
            self.collector.add(judged)
        if isinstance(judged, Problem):
            self._problem(judged)
        elif judged is not None:
            self._checked(judged)

    @property
    def found_nothing(self) -> bool:
        """Whether no document was checked so far, and no problem says why."""
        counts = self.summary
        return not (counts.valid or counts.invalid or counts.excused or counts.code)

    def fail(self, problem: Problem) -> None:
        """Tell of a problem with the run as a whole, which nothing excuses."""
        self._problem(self.judge.with_fingerprint(problem))
        self.beyond = max(self.beyond, problem.code)

    def _problem(self, problem: Problem) -> None:
        self.summary = self.summary.with_problem(problem)
        self.problems.append(problem)
        if not is_baselinable(problem):
            self.beyond = max(self.beyond, problem.code)
        for sink in self.sinks:
            self._write(sink, sink.reporter.problem(problem))
            sink.output.flush()
        if self._about is None or self._about(problem.file):
            self._complain(problem)

    def _complain(self, problem: Problem) -> None:
        """Say it; of one and the same about many documents, only the first few."""
        said = self._said[problem.message] = self._said.get(problem.message, 0) + 1
        if said <= _SAME:
            self._progress.clear()
            print_error(str(problem))

    def _checked(self, checked: DocumentResult) -> None:
        self.summary = self.summary.with_document(checked)
        if checked.type_id is not None:
            self.types.setdefault(checked.type_id)
        if checked.note is not None and checked.file != self._noted:
            self._noted = checked.file
            self._progress.clear()
            print_error(f"{printable(checked.file)}{checked.note}")
        if checked.file != "-" and not checked.file.lower().endswith(".gz"):
            self.mendable += sum(one.finding.fix is not None for one in checked.findings)
        shown = checked
        if self._room is not None:
            shown = checked.cut(self._room)
            self._room -= len(shown.findings)
            self._hidden += len(checked.findings) - len(shown.findings)
        for sink in self.sinks:
            if self._about is None or not sink.output.is_stdout or self._about(checked.file):
                self._write(sink, sink.reporter.checked(shown))

    def _write(self, sink: Sink, text: str) -> None:
        if text:
            self._progress.clear()
            sink.output.write(text)

    def end(
        self,
        schemas: Iterable[Provenance],
        *,
        everything: bool,
        finished: bool = True,
        code: int = 0,
    ) -> int:
        """Close the outputs; the exit code, which is at least `code`.

        `everything` says that all files were checked which the configuration maps, `finished`
        that the last file was looked through.
        """
        for checked in self.judge.ignore_findings(everything=everything):
            self._checked(checked)
            self.beyond = max(self.beyond, int(checked.failed))
        counts = self.summary
        self.summary = counts._replace(
            known=counts.known + self.judge.known,
            ignored=counts.ignored + self.judge.ignored,
            code=max(counts.code, code),
        )
        resolved = self.judge.resolved(interrupted=not finished)
        outcome = Outcome(self.summary, self.problems, [*schemas], self._hidden, resolved)
        codes = [self.summary.code]
        for sink in self.sinks:
            self._write(sink, sink.reporter.end(outcome))
            codes.append(sink.output.close())
        self._progress.clear()
        for message, number in self._said.items():
            if number > _SAME:
                print_error(f"{number - _SAME:,} times more: {message}")
        return max(codes)

    def sum_up(self, schemas: Sequence[Provenance], *more: str, mendable: bool) -> None:
        """The counts, on standard error, and where the schemas came from.

        With `mendable`, how much of what was found could be mended, too.
        """
        text = str(self.summary)
        if mendable and self.mendable:
            text += f"; {self.mendable:,} can be mended with --fix"
        print_stderr(text)
        for line in more:
            print_stderr(line)
        if schemas:
            print_stderr(f"schemas: {'; '.join(provenance_text(one) for one in schemas)}")
