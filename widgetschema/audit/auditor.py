"""The check of one partition: from its lines to counts and findings.

The fast paths accept most lines (`line_filter`); the others are read, checked and explained
(`records`), and counted (`partition_result`). Whatever is in the data, and whatever becomes of a
source, is part of the result and never an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from widgetschema.audit.fast_path import value_probe
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.inputs.sources import Block, RowColumns, Source
from widgetschema.audit.line_filter import LineFilter
from widgetschema.audit.migration.records import SHOWS_LAYOUT, RecordMigrator
from widgetschema.audit.partition_result import PartitionCounter, PartitionResult
from widgetschema.audit.plan import Plan
from widgetschema.audit.records import (
    RecordChecker,
    RecordResult,
    columns,
    record_texts,
    with_positions,
)
from widgetschema.audit.sampling import Sampler
from widgetschema.audit.table_rows import RowReader
from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import Limits, read
from widgetschema.pointers import resolve_pointer
from widgetschema.project.checking.checker import Checker, TypeProblem
from widgetschema.project.checking.results import MOST_FINDINGS
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.streams import BLOCK
from widgetschema.schema.describes import RECORD_MEMBERS
from widgetschema.schema.subschemas import member_names

if TYPE_CHECKING:
    from widgetschema.audit.inputs.cutting.window import Cut, Place

Progress = Callable[[int, int], None]

_MANY: Final = 256  # lines that are read one after another
_MANY_BYTES: Final = 4 * 1024 * 1024

_ENDLESS: Final = "this record has no end, so the rest of the source was taken for it: {:,} bytes"

# A decoder in C that gets no memory may forget to say so, which Python calls a `SystemError`.
_NO_MEMORY: Final = (MemoryError, SystemError)


class _Doubtful(NamedTuple):
    """A line that was not accepted, with its number, and its place in its block.

    Many are read one after another: it takes twice as long where the processor has to load the code
    for it again, since it has accepted a block of lines before. `cells` and `rows` are of a table.
    A text that was cut out of a larger one has a `place`, and may have many lines; `offset` is
    where that begins in the source, in bytes. One that `is_whole` is all of its source, and has
    neither a number nor a place. What a migration writes looks like the `neighbor` where the line
    itself does not show how.
    """

    line: bytes
    number: int | None
    at: int
    cells: RowColumns | None
    rows: RowColumns | None
    place: Place | None = None
    offset: int | None = None
    neighbor: bytes | None = None
    is_whole: bool = False


def _are_many(doubtful: list[_Doubtful]) -> bool:
    return len(doubtful) >= _MANY or sum(len(one.line) for one in doubtful) >= _MANY_BYTES


class Auditor:
    """Checks the partitions of a plan. Made once per process, for what it compiles and learns."""

    def __init__(self, plan: Plan, *, block_bytes: int = BLOCK) -> None:
        self.plan = plan
        self._block_bytes = block_bytes
        self._checker = _checker(plan, plan.catalog)
        older = None if plan.older is None else _checker(plan, plan.older)
        self._records = RecordChecker(plan.settings, self._checker, older)
        self._line_filter = LineFilter(
            plan.settings, self._checker, must_say_type=plan.migration is not None
        )
        self._older_filter = None if older is None else LineFilter(plan.settings, older)
        self._rows = RowReader(plan.settings, self._checker, older)
        self._migrator = (
            None
            if plan.migration is None
            else RecordMigrator(
                plan.migration,
                plan.catalog[plan.settings.type_id or plan.migration.plan.new.id],
                plan.settings,
                self._records,
            )
        )
        self._neighbor: bytes | None = None  # a text of the span that shows how texts are written
        self._limits = self._checker.limits
        sample, id_pointer = plan.settings.sample, plan.settings.id_pointer
        self._sampler = (
            None
            if sample is None
            else Sampler(
                sample, id_pointer, self._records.documents, self._read, at=plan.settings.at
            )
        )
        self._names: dict[str | None, frozenset[str]] = {}
        self._by = plan.settings.by
        settings = plan.settings
        shows_records = settings.findings or settings.ids or settings.quarantine or settings.by
        self._shows_sums = not (shows_records or settings.sample or plan.migration)
        self._values_of = value_probe(self._by) if self._by else None

    def audit(self, number: int, progress: Progress | None = None) -> PartitionResult:
        """Check one partition and return its result.

        `progress` is called, now and then, with the numbers of bytes (as stored) and records that
        are done.
        """
        counter = PartitionCounter(self.plan.settings, self._names_of)
        stored = 0

        def advance(block: Block) -> None:
            nonlocal stored
            stored += block.stored
            if progress is not None:
                progress(stored, counter.tally.records)

        for span in self.plan.partitions[number]:
            source = self.plan.sources[span.source]
            limits = {"max_bytes": self.plan.max_bytes, "block_bytes": self._block_bytes}
            self._span(source, blocks(source, span, **limits), (0, 0), counter, advance)
        return counter.result(number)

    def audit_blocks(
        self, number: int, blocks: Iterable[Block], begin: tuple[int, int]
    ) -> PartitionResult:
        """Check blocks of the only span of a partition, and return their part of the result.

        That many lines and bytes of the span, as stored, are before them.
        """
        counter = PartitionCounter(self.plan.settings, self._names_of)
        [span] = self.plan.partitions[number]
        self._span(self.plan.sources[span.source], blocks, begin, counter, lambda _: None)
        return counter.result(number)

    def _span(
        self,
        source: Source,
        blocks: Iterable[Block],
        begin: tuple[int, int],
        counter: PartitionCounter,
        advance: Callable[[Block], None],
    ) -> None:
        """Check blocks of a span of a source that has so many lines and bytes before them."""
        before, offset = begin
        self._records.file = source.name
        self._neighbor = None
        lines = 0
        later: list[_Doubtful] = []
        try:
            for block in blocks:
                # What is counted at once is behind what was read before.
                is_odd = block.cut is not None or not block.lines
                if is_odd or _are_many(later):
                    self._read_all(later, counter)
                for note in block.notes:
                    counter.note(note)
                if self._migrator is not None:
                    self._migrator.require_writable(block)
                later += self._lines(block, offset, counter)
                lines += block.number_of_lines
                offset += block.stored
                advance(block)
        except SourceFailed as error:
            line = before + lines + 1 if before + lines and error.is_here else None
            counter.add_problem(line, error.message, error.code)
        if later:
            self._read_all(later, counter)
            advance(Block([], 1))  # there are more records, but no more bytes
        counter.lines.append(lines)
        counter.tally.lines += lines

    def _lines(self, block: Block, offset: int, counter: PartitionCounter) -> list[_Doubtful]:
        """Check lines, each a JSON text, and return those that are to be read.

        Blank lines are none, unless they are rows of a table. What the lines were cut out of begins
        at an offset of the source.
        """
        lines, cells, cut = block.lines, block.columns, block.cut
        rows = cells if cells is not None and self._rows.holds_data(cells) else None
        if block.oversize is not None:
            counter.tally.bytes += block.oversize + (not block.is_whole)
            counter.count_unreadable(block.first, [self._too_large()])
            return []
        if block.is_whole:
            counter.tally.bytes += sum(map(len, lines))
            return [
                _Doubtful(raw, None, 0, None, None, offset=offset, is_whole=True) for raw in lines
            ]
        if block.refused is not None:
            counter.count_unreadable(block.first, [Finding("json.syntax", "", "", block.refused)])
            return []
        if cut is not None:
            counter.tally.bytes += len(cut.text)
            self._count_wrong(cut, counter)
        else:
            counter.tally.bytes += sum(map(len, lines)) + len(lines)
        numbers: Sequence[int] = range(block.first, block.first + len(lines))
        if self._sampler is not None:
            kept = self._sampled(self._sampler, lines, cells, rows is not None, counter)
            lines, numbers = [lines[one] for one in kept], [numbers[one] for one in kept]
            cells = None if cells is None else cells.chosen(kept)
            rows = None if rows is None else cells
        if self._migrator is not None:
            rejected = self._migrator.rejected(lines, self._line_filter, counter)
        elif rows is None:
            rejected = self._line_filter.rejected(lines, counter.count_valid)
        else:
            rejected = self._rows.rejected(lines, rows, counter.count_valid)
        if self._values_of is not None or self._older_filter is not None:
            rejected = [*rejected]
            left = set(rejected)
            accepted = [index for index in range(len(lines)) if index not in left]
            if self._values_of is not None:
                counter.count_accepted(self._values(lines[one], rows, one) for one in accepted)
            if self._older_filter is not None:
                self._count_mended(self._older_filter, lines, rows, accepted, counter)
        if self._migrator is not None:
            self._neighbor = next(filter(SHOWS_LAYOUT.match, lines), self._neighbor)
        if cut is not None:
            rejected = [*rejected]
            wanted = [numbers[index] - block.first for index in rejected]
            places = cut.places(wanted, columns=self.plan.settings.findings)
            return [
                _Doubtful(lines[index], 0, index, None, None, places[at], offset, self._neighbor)
                for index, at in zip(rejected, wanted, strict=True)
            ]
        doubtful = []
        for index in rejected:
            line = lines[index]
            if cells is None and (not line or line.isspace()):
                counter.note("blank_lines")
            else:
                doubtful.append(
                    _Doubtful(line, numbers[index], index, cells, rows, neighbor=self._neighbor)
                )
        return doubtful

    def _read_all(self, doubtful: list[_Doubtful], counter: PartitionCounter) -> None:
        """Read, check and count lines that were not accepted, and forget them."""
        for line, number, at, cells, rows, place, offset, neighbor, is_whole in doubtful:
            row_id = None if cells is None or cells.ids is None else cells.ids[at]
            known: Iterable[list[int] | None] = repeat(None)
            try:
                value = read(line, self._limits)
                if self._shows_sums and place is None and rows is None and not is_whole:
                    finding = self._records.repeated_finding(value)
                    if finding is not None and counter.count_repeated(finding, value):
                        continue
                if self._migrator is None:
                    every = [*self._results(value, rows, at)]
                else:
                    start = (0 if place is None else place.offset) + (offset or 0)
                    at_line = number if place is None else None
                    every = self._migrator.results(line, value, at_line, start, counter, neighbor)
                if not every and self.plan.settings.at:  # there is no document: of a deletion
                    counter.note("without_document")
                if self._sampler is not None:
                    if is_whole or any(one.part.pointer for one in every):
                        every = self._kept(self._sampler, line, every, counter)
                is_wrong = any(one.findings for one in every)
                if is_wrong and (is_whole or (place is not None and b"\n" in line)):
                    every = with_positions(line, value, every)
                elif self.plan.settings.findings and rows is None:
                    known = columns(line, value, every)
            except UnreadableDocument as error:
                if is_whole and self._sampler and not self._sampler.keeps_row(None, line):
                    counter.tally.left_out += 1
                elif place is None:
                    counter.count_unreadable(number, error.report.findings, row_id)
                else:
                    findings = _shifted(error.report.findings, place)
                    if not place.has_end:
                        findings = [_endless(one, line) for one in findings]
                    counter.count_unreadable(None, findings)
                continue
            except _NO_MEMORY:
                _out_of_memory(counter, (number or 1) if place is None else place.line)
                continue
            text = line
            if counter.quarantine is not None and rows is not None:
                text = self._rows.text(line, rows, at)
            self._quarantine(text, value, every, counter)
            for said, its_columns in zip(every, known, strict=False):
                if place is None or not said.findings:
                    counter.count_record(said, number, its_columns, row_id)
                else:
                    counter.count_record(*_placed(said, its_columns, place), row_id)
                if said.status == "valid" and rows is None:
                    self._line_filter.note_valid(said.part.value, said.part.kind)
        doubtful.clear()

    def _count_wrong(self, cut: Cut, counter: PartitionCounter) -> None:
        """Count what could not be cut out of a text, if there is anything."""
        finding = None
        if cut.wrong is not None:
            finding = Finding("json.syntax", "", "", cut.wrong, column=1)
        elif cut.oversize is not None:
            finding = self._too_large()
        if finding is not None:
            counter.count_unreadable(None, _shifted([finding], cut.place))

    def _results(self, value: Any, rows: RowColumns | None, index: int) -> Iterable[RecordResult]:
        """Return the results of the records in a line, or of a row; `rows` are its other cells."""
        if rows is None:
            return self._records.results(value)
        return self._rows.results(value, rows, index)

    def _sampled(
        self,
        sampler: Sampler,
        lines: list[bytes],
        cells: RowColumns | None,
        are_data: bool,
        counter: PartitionCounter,
    ) -> list[int]:
        """Return the indices of the lines with records in the sample, and count the others."""
        kept = []
        ids = None if cells is None else cells.ids
        for index, line in enumerate(lines):
            if ids is not None or are_data:
                left_out = int(not sampler.keeps_row(None if ids is None else ids[index], line))
            elif cells is None and (not line or line.isspace()):
                left_out = 0  # it is no record, and is passed over
            else:
                left_out = sampler.left_out(line)
            counter.tally.left_out += left_out
            if not left_out:
                kept.append(index)
        return kept

    def _kept(
        self, sampler: Sampler, text: bytes, every: list[RecordResult], counter: PartitionCounter
    ) -> list[RecordResult]:
        """Return the results of the records in the sample, and count the others in the text."""
        kept = [one for one in every if sampler.keeps(one.part, text)]
        counter.tally.left_out += len(every) - len(kept)
        return kept

    def _read(self, text: bytes) -> Any:
        """Return the value of a text. Raises `UnreadableDocument`, also if there is no memory."""
        try:
            return read(text, self._limits)
        except _NO_MEMORY:  # which the check says
            raise UnreadableDocument(Report()) from None

    def _quarantine(
        self, raw: bytes, value: Any, said: list[RecordResult], counter: PartitionCounter
    ) -> None:
        """Keep the texts of the invalid records in a text."""
        if counter.quarantine is None:
            return
        pointers = [one.part.pointer for one in said if one.status == "invalid"]
        for text in record_texts(raw, value, pointers):
            counter.quarantine.add(text)

    def _values(self, line: bytes, rows: RowColumns | None, index: int) -> tuple[Any, ...]:
        """Return the values by which an accepted line, or row, is counted."""
        if rows is not None:
            return self._rows.values(line, rows, index)
        values = None if self._values_of is None else self._values_of(line)
        if values is None:
            value = read(line, self._limits)
            values = tuple(resolve_pointer(value, one) for one in self._by)
        return values

    def _count_mended(
        self,
        older_filter: LineFilter,
        lines: list[bytes],
        rows: RowColumns | None,
        accepted: Sequence[int],
        counter: PartitionCounter,
    ) -> None:
        """Count those of the accepted lines that were not valid before."""
        some = [lines[index] for index in accepted]
        if rows is None:
            rejected = older_filter.rejected(some, lambda *_: None)
        else:
            chosen = rows.chosen(accepted)
            rejected = self._rows.rejected(some, chosen, lambda *_: None, by_older=True)
        for place in rejected:
            index = accepted[place]
            value = read(lines[index], self._limits)
            for said in self._results(value, rows, index):
                if said.status == "mended":
                    counter.count_mended(said)
                elif rows is None:
                    older_filter.note_valid(said.part.value, said.part.kind)

    def _too_large(self) -> Finding:
        limit = self.plan.max_bytes
        message = f"the document has more than {limit:,} bytes, the limit"
        return Finding("json.size", "", "", message, column=1, expected=limit)

    def _names_of(self, type_id: str | None) -> frozenset[str]:
        """Return the names of members that the schema of a type has anywhere."""
        names = self._names.get(type_id)
        if names is None:
            found = None if type_id is None else self._checker.widget_type(type_id)
            schema = None if found is None or isinstance(found, TypeProblem) else found.linked
            names = self._names[type_id] = RECORD_MEMBERS | {"data"} | member_names(schema)
        return names


def _shifted(findings: Sequence[Finding], place: Place) -> list[Finding]:
    """Return findings about a text with their lines and columns in the source that it is in."""
    return [
        one.with_position(
            place.line + (one.line or 1) - 1,
            (one.column or 1) + (place.column if one.line in (None, 1) else 0),
        )
        for one in findings
    ]


def _endless(finding: Finding, text: bytes) -> Finding:
    """Return a finding about a text without an end, which says that other records may be in it."""
    return replace(finding, message=f"{finding.message}; {_ENDLESS.format(len(text))}")


def _placed(
    said: RecordResult, columns: Sequence[int] | None, place: Place
) -> tuple[RecordResult, int | None, Sequence[int] | None]:
    """Return a result with its place in the source, and the line and columns of its findings.

    These have their own if the text has several lines.
    """
    part = said.part._replace(pointer=place.pointer + said.part.pointer)
    if said.findings[0].line is not None:
        return said._replace(part=part, findings=tuple(_shifted(said.findings, place))), None, None
    shifted = None if columns is None else [place.column + column for column in columns]
    return said._replace(part=part), place.line, shifted


def _out_of_memory(counter: PartitionCounter, line: int) -> None:
    """Count a record for which there was not enough memory, and go on.

    It is a problem, too, so that this result is not kept: there may be more memory later.
    """
    message = "there was not enough memory to check it"
    counter.count_unreadable(line, [Finding("json.size", "", "", message)])
    counter.add_problem(line, message, 3)


def _checker(plan: Plan, catalog: Any) -> Checker:
    settings = plan.settings
    types = {one.name: one.type_id for one in plan.sources if one.type_id is not None}
    checker = Checker(
        catalog,
        type_id=settings.type_id,
        kind=settings.kind,
        limits=Limits(max_bytes=plan.max_bytes),
        type_pointer=settings.type_pointer,
        max_findings=MOST_FINDINGS,
    )
    if types:
        checker.type_for = types.get
    return checker
