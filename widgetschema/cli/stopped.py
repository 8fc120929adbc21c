"""Which saved data stops being valid: checked by the older schema, and by the newer one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from widgetschema.catalog import Catalog
from widgetschema.cli.inputs import Part
from widgetschema.cli.output import Output
from widgetschema.cli.pairs import Pairs
from widgetschema.cli.validate import Run
from widgetschema.findings import Provenance, Report, count
from widgetschema.reporters import Checked, JsonReporter, Problem, Reporter, Summary
from widgetschema.widget_type import WidgetType


class Stopped(Run):
    """A run over data of which only that is told which was valid, and no longer is.

    `before` counts what was invalid already. The output is not closed: it is somebody else's.
    """

    def __init__(self, pairs: Pairs, kind: str, reporter: Reporter | None, output: Output) -> None:
        newer = {after.id: after for _, after in pairs.both}
        catalog = Catalog([{id: one.schema for id, one in newer.items()}])
        only = next(iter(newer)) if len(newer) == 1 else None
        self.kept = _Kept() if reporter is None else None
        super().__init__(catalog, only, kind, reporter or self.kept or _Kept(), None)
        self.output = output
        self.before = 0
        self._newer = newer
        self._older = {after.id: before for before, after in pairs.both}

    def mention_other_type(self, file: str, part: Part) -> None:
        """Nothing: it is checked as what is compared, whatever it says."""

    def type_of(self, part: Part) -> Any:
        """The newer widget type to check a document against."""
        found = super().type_of(part)
        return self._newer.get(found.id, found) if isinstance(found, WidgetType) else found

    def check_part(self, file: str, part: Part) -> Checked | Problem:
        """One document; what was invalid before is not told."""
        result = super().check_part(file, part)
        if isinstance(result, Problem) or result.report.valid or result.type_id is None:
            return result
        older = self._older[result.type_id]
        check = older.check_document if part.kind == "document" else older.check
        if check(part.value).valid:
            return result
        self.before += 1
        return result._replace(report=Report((), result.report.subject), hint=None)

    @property
    def told(self) -> str:
        """The counts in one line."""
        summary = self.summary
        of = count(summary.valid + summary.invalid, "document")
        text = f"{of} in {count(summary.files, 'file')}: {summary.invalid:,} no longer valid"
        if self.before:
            text += f", {self.before:,} invalid before"
        if summary.unreadable:
            text += f"; {summary.unreadable:,} unreadable"
        if summary.problems:
            text += f"; {count(summary.problems, 'problem')}"
        return text

    def as_dict(self) -> dict[str, Any]:
        """A JSON object; its member names are part of the contract.

        The counts `checked`, `no_longer_valid`, `invalid_before`, `unreadable`; `documents` that
        are no longer valid or cannot be read, each as `Checked.as_dict`; `problems`, each as
        `Problem.as_dict`.
        """
        summary = self.summary
        return {
            "checked": summary.valid + summary.invalid,
            "no_longer_valid": summary.invalid,
            "invalid_before": self.before,
            "unreadable": summary.unreadable,
            "documents": self.kept.documents if self.kept is not None else [],
            "problems": [problem.as_dict() for problem in self.problems],
        }


class _Kept(JsonReporter):
    """Keeps the documents with findings, to be written with all else."""

    def __init__(self) -> None:
        super().__init__()
        self.documents: list[dict[str, Any]] = []

    def checked(self, checked: Checked) -> str:
        """Keep a document."""
        if not checked.report.valid:
            self.documents.append(checked.as_dict())
        return ""

    def end(
        self, summary: Summary, problems: list[Problem], schemas: Sequence[Provenance] = ()
    ) -> str:
        """Nothing: it is written elsewhere."""
        return ""
