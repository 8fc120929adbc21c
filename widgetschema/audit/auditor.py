"""One partition → its tally and its findings: where records are checked.

The typed lanes say of most lines that they are valid (`routing`); what they do not accept is read,
checked and explained (`records`), counted and told (`portion`). Whatever is in the data, and
whatever becomes of a source, is part of the result and never an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.audit.line_filter import Router
from widgetschema.audit.partition_result import Portion
from widgetschema.audit.plan import Plan
from widgetschema.audit.records import Records, placed, with_columns
from widgetschema.catalog.widget_type import RECORD_MEMBERS
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.jsontext import DEFAULT_LIMITS, read
from widgetschema.project.checking.checker import Checker, TypeProblem
from widgetschema.project.checking.results import MOST_FINDINGS
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.reading import BLOCK, blocks
from widgetschema.project.inputs.sources import Block

Progress = Callable[[int, int], None]

# A decoder in C that gets no memory may forget to say so, which Python calls a `SystemError`.
_NO_MEMORY: Final = (MemoryError, SystemError)


class PartResult(NamedTuple):
    """What came of the partition with this number, packed: `Collector` reads it.

    `tally` are counts as JSON, `findings` and `ids` compressed lines, empty where none were asked
    for, or there are none. Lines are counted from the beginning of each span.
    """

    number: int
    tally: bytes
    findings: bytes
    ids: bytes


class Auditor:
    """Checks the partitions of a plan. Made once per process, for what it compiles and learns."""

    def __init__(self, plan: Plan, *, block_bytes: int = BLOCK) -> None:
        self.plan = plan
        self._block_bytes = block_bytes
        self._checker = _checker(plan, plan.catalog)
        older = None if plan.older is None else _checker(plan, plan.older)
        self._records = Records(self._checker, older)
        self._router = Router(plan.settings, self._checker)
        self._limits = self._checker.limits
        self._names: dict[str | None, frozenset[str]] = {}

    def audit(self, number: int, progress: Progress | None = None) -> PartResult:
        """The result of one partition.

        `progress` is told, now and then, how many bytes of it (as stored) and how many records
        are done.
        """
        portion = Portion(self.plan.settings, self._names_of)
        stored = 0
        for span in self.plan.partitions[number]:
            source, lines = self.plan.sources[span.source], 0
            try:
                for block in blocks(
                    source,
                    span,
                    max_bytes=self.plan.max_bytes,
                    block_bytes=self._block_bytes,
                ):
                    if block.is_whole:
                        self._whole(block, portion)
                    else:
                        self._lines(block, portion)
                    lines += len(block.lines) or 1
                    stored += block.stored
                    if progress is not None:
                        progress(stored, portion.tally.records)
            except SourceFailed as error:
                line = lines + 1 if lines and error.is_here else None
                portion.problem(line, error.message, error.code)
            portion.lines.append(lines)
            portion.tally.lines += lines
        findings = b"" if portion.findings is None else portion.findings.done()
        ids = b"" if portion.ids is None else portion.ids.done()
        return PartResult(number, portion.packed(), findings, ids)

    def _lines(self, block: Block, portion: Portion) -> None:
        """Lines, each a JSON text; blank ones are none."""
        lines = block.lines
        if block.oversize is not None:
            portion.tally.bytes += block.oversize + 1
            portion.unreadable(block.first, [self._too_large()])
            return
        portion.tally.bytes += sum(map(len, lines)) + len(lines)
        for index in self._router.sift(lines, portion.valid):
            line = lines[index]
            if not line or line.isspace():
                continue
            number = block.first + index
            try:
                value = read(line, self._limits)
                every = [*self._records.said(value)]
                if self.plan.settings.findings:
                    every = with_columns(line, every)
            except UnreadableDocument as error:
                portion.unreadable(number, error.report.findings)
                continue
            except _NO_MEMORY:
                _too_much(portion, number)
                continue
            for said in every:
                portion.record(said, number)
                if said.sort == "valid":
                    self._router.saw(said.part.value, said.part.kind)

    def _whole(self, block: Block, portion: Portion) -> None:
        """One JSON text that may have many lines, and hold many documents."""
        if block.oversize is not None:
            portion.tally.bytes += block.oversize
            portion.unreadable(None, [replace(self._too_large(), line=1)])
            return
        for raw in block.lines:
            portion.tally.bytes += len(raw)
            try:
                value = read(raw, self._limits)
                said = [*self._records.said(value)]
                wrong = [one for one in said if one.findings]
                wrong = placed(raw, wrong) if wrong else []
            except UnreadableDocument as error:
                portion.unreadable(None, error.report.findings)
                continue
            except _NO_MEMORY:
                _too_much(portion, 1)
                continue
            for one in said:
                if not one.findings:
                    portion.record(one, None)
            for one in wrong:
                portion.record(one, None)

    def _too_large(self) -> Finding:
        limit = self.plan.max_bytes
        message = f"the document has more than {limit:,} bytes, the limit"
        return Finding("json.size", "", "", message, column=1, expected=limit)

    def _names_of(self, type_id: str | None) -> frozenset[str]:
        """The names of members that the schema of a type knows anywhere."""
        names = self._names.get(type_id)
        if names is None:
            found = None if type_id is None else self._checker.widget_type(type_id)
            schema = None if found is None or isinstance(found, TypeProblem) else found.linked
            names = self._names[type_id] = RECORD_MEMBERS | {"data"} | _named(schema)
        return names


def _too_much(portion: Portion, line: int) -> None:
    """One record with millions of mistakes does not end a run over millions of records.

    It is a problem, too, so that this result is not kept: there may be more memory later.
    """
    message = "there was not enough memory to check it"
    portion.unreadable(line, [Finding("json.size", "", "", message)])
    portion.problem(line, message, 3)


def _checker(plan: Plan, catalog: Any) -> Checker:
    settings = plan.settings
    return Checker(
        catalog,
        type_id=settings.type_id,
        kind=settings.kind,
        limits=DEFAULT_LIMITS._replace(max_bytes=plan.max_bytes),
        type_member=settings.type_member,
        max_findings=MOST_FINDINGS,
    )


def _named(schema: Any) -> set[str]:
    """The names in all `properties` of a schema, and those that it requires."""
    names: set[str] = set()
    todo = [schema]
    while todo:
        value = todo.pop()
        if type(value) is dict:
            properties, required = value.get("properties"), value.get("required")
            if type(properties) is dict:
                names |= properties.keys()
            if type(required) is list:
                names |= {name for name in required if type(name) is str}
            todo += value.values()
        elif type(value) is list:
            todo += value
    return names
