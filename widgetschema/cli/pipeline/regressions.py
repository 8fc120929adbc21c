"""Which saved data stops being valid: checked by the older schema, and by the newer one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from widgetschema.catalog.catalog import Catalog
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.cli.console.output import Output, print_error
from widgetschema.cli.pipeline.diff_operands import Pairs
from widgetschema.project.checking.checker import Checker
from widgetschema.project.checking.documents import Document
from widgetschema.project.checking.locations import UnlocatedResult
from widgetschema.project.checking.results import DocumentResult, Problem, Summary
from widgetschema.project.checking.runner import Runner
from widgetschema.project.inputs.model import File
from widgetschema.project.report_formats import Reporter
from widgetschema.text import plural


class Stopped:
    """A run over data of which only that is told which was valid, and no longer is.

    The output is not closed: it is somebody else's.
    """

    def __init__(self, pairs: Pairs, kind: str, reporter: Reporter | None, output: Output) -> None:
        self.summary = Summary()
        self.problems: list[Problem] = []
        self._checker = _Newer(pairs, kind)
        self._reporter = reporter
        self._output = output
        self._documents: list[dict[str, Any]] = []

    def go(self, files: Sequence[File | Problem]) -> None:
        """Check files."""
        limits = self._checker.limits
        run = Runner(
            lambda: self._checker, max_bytes=limits.max_bytes, type_for=lambda file: None, jobs=1
        )
        for answer in run.results(files):
            if answer.passed_over is not None:
                print_error(str(answer.passed_over))
            self.summary = self.summary._replace(files=self.summary.files + answer.is_first)
            for result in answer.results:
                if isinstance(result, Problem):
                    self.summary = self.summary.with_problem(result)
                    self.problems.append(result)
                    self._output.flush()
                    print_error(str(result))
                else:
                    self._checked(result)

    def _checked(self, checked: DocumentResult) -> None:
        self.summary = self.summary.with_document(checked)
        if self._reporter is not None:
            self._output.write(self._reporter.checked(checked))
        elif checked.findings:
            self._documents.append(checked.as_dict())

    @property
    def told(self) -> str:
        """The counts in one line."""
        summary, before = self.summary, self._checker.before
        of = plural(summary.valid + summary.invalid, "document")
        text = f"{of} in {plural(summary.files, 'file')}: {summary.invalid:,} no longer valid"
        if before:
            text += f", {before:,} invalid before"
        if summary.unreadable:
            text += f"; {summary.unreadable:,} unreadable"
        if summary.problems:
            text += f"; {plural(summary.problems, 'problem')}"
        return text

    def as_dict(self) -> dict[str, Any]:
        """A JSON object; its member names are part of the contract.

        The counts `checked`, `no_longer_valid`, `invalid_before`, `unreadable`; `documents` that
        are no longer valid or cannot be read, each as `DocumentResult.as_dict`; `problems`, each as
        `Problem.as_dict`.
        """
        summary = self.summary
        return {
            "checked": summary.valid + summary.invalid,
            "no_longer_valid": summary.invalid,
            "invalid_before": self._checker.before,
            "unreadable": summary.unreadable,
            "documents": self._documents,
            "problems": [problem.as_dict() for problem in self.problems],
        }


class _Newer(Checker):
    """Checks by the newer types; of what was invalid before, it counts how much there is."""

    def __init__(self, pairs: Pairs, kind: str) -> None:
        newer = {after.id: after for _, after in pairs.both}
        catalog = Catalog([{id: one.schema for id, one in newer.items()}])
        only = next(iter(newer)) if len(newer) == 1 else None
        super().__init__(catalog, type_id=only, kind=kind)
        self.before = 0
        self._newer = newer
        self._older = {after.id: before for before, after in pairs.both}

    def note(self, part: Document) -> str | None:
        """Nothing: it is checked as what is compared, whatever it says."""
        return None

    def type_of(self, file: str, part: Document) -> Any:
        """The newer widget type to check a document against."""
        found = super().type_of(file, part)
        return self._newer.get(found.id, found) if isinstance(found, WidgetType) else found

    def check_document(self, file: str, part: Document) -> UnlocatedResult | Problem:
        """One document; what was invalid before is not told."""
        result = super().check_document(file, part)
        if isinstance(result, Problem) or not result.findings or result.document.type_id is None:
            return result
        older = self._older[result.document.type_id]
        check = older.check_document if part.kind == "document" else older.check
        if check(part.value).valid:
            return result
        self.before += 1
        return UnlocatedResult(result.document._replace(hint=None))
