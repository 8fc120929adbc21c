"""Regressions: stored data that is valid by an older schema, and not by the newer one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from widgetschema.cli.console.output import Output, print_error
from widgetschema.cli.pipeline.diff_operands import DiffOperands
from widgetschema.cli.pipeline.stored_data import StoredChecker, stored_results
from widgetschema.evolution.compare import Comparison, StoredData
from widgetschema.project.checking.documents import Document
from widgetschema.project.checking.locations import UnlocatedResult
from widgetschema.project.checking.results import DocumentResult, Problem, Summary
from widgetschema.project.inputs.model import File
from widgetschema.project.report_formats import Reporter
from widgetschema.text import plural

_MOST_SHOWN: Final = 100  # findings in text; of the document in which this is reached, all


class RegressionCheck:
    """Checks stored data, and reports only what was valid and no longer is.

    Documents without a type have that which `type_for` returns for their file. `stored` has the
    counts of each comparison, in their order. The output is left open.
    """

    def __init__(
        self,
        operands: DiffOperands,
        comparisons: Sequence[Comparison],
        kind: str,
        type_for: Callable[[str], str | None],
        reporter: Reporter | None,
        output: Output,
    ) -> None:
        self.stored = [StoredData(comparison) for comparison in comparisons]
        self.summary = Summary()
        self.problems: list[Problem] = []
        self.unreadable: DocumentResult | None = None  # the first
        self._checker = _RegressionChecker(operands, self.stored, kind, type_for)
        self._reporter = reporter
        self._output = output
        self._documents: list[dict[str, Any]] = []
        self._shown = self._left_out = self._unknown = 0

    def run(self, files: Sequence[File | Problem]) -> None:
        """Check files and report regressions."""
        for answer in stored_results(self._checker, files):
            self.summary = self.summary._replace(files=self.summary.files + answer.is_first)
            for result in answer.results:
                if isinstance(result, Problem):
                    self.summary = self.summary.with_problem(result)
                    self.problems.append(result)
                    self._output.flush()
                    print_error(str(result))
                else:
                    self._checked(result)
        if self._left_out:
            documents = plural(self._left_out, "more document")
            self._output.write(f"… and {documents} no longer valid; --format json lists them all\n")

    def _checked(self, checked: DocumentResult) -> None:
        self.summary = self.summary.with_document(checked)
        if not checked.readable:
            self.unreadable = self.unreadable or checked
        self._unknown += checked.readable and checked.type_id is None and bool(checked.findings)
        if self._reporter is not None:
            if self._shown < _MOST_SHOWN or not checked.findings:
                self._output.write(self._reporter.document(checked))
                self._shown += len(checked.findings)
            else:
                self._left_out += 1
        elif checked.findings:
            self._documents.append(checked.as_dict())

    @property
    def others(self) -> int:
        """The number of documents of other types than the one that is compared."""
        return self._checker.others

    @property
    def _broken(self) -> int:
        return self.summary.invalid - self._unknown

    @property
    def text(self) -> str:
        """The counts in one line."""
        summary, before = self.summary, self._checker.before
        of = plural(summary.valid + summary.invalid, "document")
        text = f"{of} in {plural(summary.files, 'file')}: {self._broken:,} no longer valid"
        if self._unknown:
            text += f", {self._unknown:,} of unknown type"
        if self.others:
            text += f", {self.others:,} of other types"
        if before:
            text += f", {before:,} invalid before"
        if summary.unreadable:
            text += f"; {summary.unreadable:,} unreadable"
        if summary.problems:
            text += f"; {plural(summary.problems, 'problem')}"
        return text

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object; its member names are document of the contract.

        The counts `checked`, `no_longer_valid`, `unknown_type`, `other_types`, `invalid_before`,
        `unreadable`; `documents` that are no longer valid, have an unknown type or cannot be read,
        each as `DocumentResult.as_dict`; `problems`, each as `Problem.as_dict`.
        """
        summary = self.summary
        return {
            "checked": summary.valid + summary.invalid,
            "no_longer_valid": self._broken,
            "unknown_type": self._unknown,
            "other_types": self.others,
            "invalid_before": self._checker.before,
            "unreadable": summary.unreadable,
            "documents": self._documents,
            "problems": [problem.as_dict() for problem in self.problems],
        }


class _RegressionChecker(StoredChecker):
    """Checks by the newer types, and counts what was invalid before."""

    def __init__(
        self,
        operands: DiffOperands,
        stored: Sequence[StoredData],
        kind: str,
        type_for: Callable[[str], str | None],
    ) -> None:
        newer = {after.id: after for _, after in operands.pairs}
        names = [one.id for pair in operands.pairs for one in pair]
        super().__init__(newer, names, kind, type_for)
        self.before = 0
        self._older = {after.id: before for before, after in operands.pairs}
        self._stored = {
            after.id: one for (_, after), one in zip(operands.pairs, stored, strict=True)
        }

    def check_document(self, file: str, document: Document) -> UnlocatedResult | Problem:
        """Return the result of one document, without findings if it was invalid before.

        It has no fixes: each would be tried on a changed document, which would be counted, too.
        """
        if self.is_other(file, document):
            return UnlocatedResult(DocumentResult(file, document.pointer, None, document.kind))
        result = super().check_document(file, document)
        if isinstance(result, Problem):
            return result
        result = result._replace(findings=tuple(replace(one, fix=None) for one in result.findings))
        if result.document.type_id is None:
            return result
        is_document = document.kind == "document"
        stored = self._stored[result.document.type_id]
        stored.add(document.value, is_document=is_document)
        if not result.findings:
            return result
        older = self._older[result.document.type_id]
        check = older.check_document if is_document else older.check
        if check(document.value).valid:
            stored.add_broken(document.value, result.findings, is_document=is_document)
            return result
        self.before += 1
        return UnlocatedResult(result.document._replace(hint=None))
