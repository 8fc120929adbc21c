"""The migration of the records in texts, while an `Auditor` checks them.

What an auditor counts is what the records are afterwards: those that a migration does not carry
over are invalid, and stay as they are. Each new text is checked again as an audit would check it,
before anything is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from widgetschema.audit.inputs.sources import Block
from widgetschema.audit.line_filter import LineFilter
from widgetschema.audit.migration.edits import (
    Edit,
    Record,
    digest_of_value,
    edit_row,
    smallest,
)
from widgetschema.audit.migration.triggers import Triggers
from widgetschema.audit.partition_result import PartitionCounter, id_of
from widgetschema.audit.plan import Settings
from widgetschema.audit.records import RecordChecker, RecordResult, with_value
from widgetschema.cached import cached_property
from widgetschema.catalog.widget_type import WidgetType
from widgetschema.errors import UnreadableDocument
from widgetschema.evolution.migrate import Outcome
from widgetschema.findings import Finding
from widgetschema.jsontext import Limits, SourceText, Tree, parse, read
from widgetschema.jsontext.layout import Around, Layout, around_like
from widgetschema.pointers import ValueAt, parse_pointer
from widgetschema.project.checking.checker import TYPE_POINTER
from widgetschema.project.checking.documents import Document
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.schema.describes import RECORD_MEMBERS

if TYPE_CHECKING:
    from widgetschema.evolution.migrate import Migration

SHOWS_LAYOUT: Final = re.compile(rb"\s*(?:\{\s*[^\s}]|\[\s*[^\s\]])")  # it is not empty
# The names of counts: of records that need no change, and of those of other types.
ALREADY: Final = "already"
OTHER_TYPES: Final = "other_types"
_RETURNS: Final = (
    "its lines end with carriage returns alone, which a migration cannot write: convert it, for "
    "example with tr '\\r' '\\n'"
)
_WITHOUT_VERSION: Final = Finding(
    "migration.version",
    "",
    "",
    "both schemas accept it, and it has no modelVersion: nothing says whether it was migrated "
    "before, and a step may do its work twice",
    "give it a modelVersion; or migrate it once, by a plan without [model-version]",
)


class _Surroundings:
    """The layout around the records of a text, which is read if one of them is written."""

    def __init__(self, raw: bytes, neighbor: bytes | None) -> None:
        self._raw = raw
        self._neighbor = neighbor

    def around(self, pointer: str) -> Around | None:
        """Return the layout around the record at a JSON Pointer in the text."""
        if pointer:
            tree, layout = self._own
            element = tree.at(pointer)
            return None if element is None else layout.around(element)
        if self._neighbor is None:
            return None
        is_shown = SHOWS_LAYOUT.match(self._raw)
        try:
            return around_like(_parsed(self._raw if is_shown else self._neighbor))
        except UnreadableDocument:
            return None

    @cached_property
    def _own(self) -> tuple[Tree, Layout]:
        tree = _parsed(self._raw)
        return tree, Layout(tree)


def _parsed(raw: bytes) -> Tree:
    return parse(raw, Limits(max_bytes=len(raw)))


class RecordMigrator:
    """Migrates the records of texts, and keeps the edits that this takes."""

    def __init__(
        self, migration: Migration, new: WidgetType, settings: Settings, records: RecordChecker
    ) -> None:
        self._migration = migration
        self._triggers = Triggers(migration, new.schema_tree.root)
        plan = migration.plan
        self._needs_versions = plan.model_version is not None and plan.repeats is not None
        self._settings = settings
        self._records = records
        self._type_id = settings.type_id
        self._type_at = ValueAt(settings.type_pointer)
        self._id_at = ValueAt(settings.id_pointer)

    def require_writable(self, block: Block) -> None:
        """Raise `SourceFailed` if what is in a block cannot be written as it is read."""
        if "carriage_returns" in block.notes:
            raise SourceFailed(_RETURNS)

    def rejected(
        self, lines: list[bytes], line_filter: LineFilter, counter: PartitionCounter
    ) -> Iterable[int]:
        """Return the indices of the lines that are to be read, and count the others.

        These are valid by the new schema, and no step applies to them.
        """
        if not self._is_of_this(self._records.default_type):
            return range(len(lines))

        def count(type_id: str, records: int) -> None:
            counter.count_valid(type_id, records)
            counter.count_migration(ALREADY, records)

        changing = self._triggers.changing(lines)
        if not changing:
            return line_filter.rejected(lines, count)
        if len(changing) == len(lines):
            return changing
        chosen = {*changing}
        others = [index for index in range(len(lines)) if index not in chosen]
        rejected = line_filter.rejected([lines[index] for index in others], count)
        return sorted([*changing, *(others[index] for index in rejected)])

    def results(
        self,
        raw: bytes,
        value: Any,
        line: int | None,
        start: int,
        counter: PartitionCounter,
        neighbor: bytes | None = None,
    ) -> list[RecordResult]:
        """Return the results of the records of a text afterwards, and keep its edits.

        Args:
            raw: The text.
            value: Its value.
            line: The line of the text in its span, if it is one.
            start: Where the text begins in its source, in bytes, if it is not a line.
            counter: Gets the edits, and counts what became of the records.
            neighbor: Another text of the source, which shows how texts are written there.
        """
        surroundings = _Surroundings(raw, neighbor)
        own = [part for part in self._records.documents(value) if self._is_own(part, counter)]
        results = []
        for part, place in zip(own, self._texts(raw, value, own), strict=True):
            if place is None:
                counter.count_migration("not-old")
                results.append(self._records.result(part))
                continue
            at, text = place
            pointer = part.pointer + (self._settings.data_pointer or "")
            outcome = self._migration.migrate_json(
                text, kind=self._kind(part), around=partial(surroundings.around, pointer)
            )
            if outcome.status == "not-old" and self._is_record_of_another(part):
                counter.note(OTHER_TYPES)
                continue
            if outcome.is_ambiguous and self._needs_versions:
                outcome = Outcome("failed", text, findings=(_WITHOUT_VERSION,))
            result = self._result(part, outcome)
            is_done = result.status == "valid"
            if outcome.status == "migrated" and is_done:
                edit_at, was, now = smallest(start + at, text, outcome.text)
                id = id_of(self._id_at(part.value))
                before = edit_at - start - at
                behind = len(text) - before - len(was)
                record = Record(before, behind, digest_of_value(outcome.value))
                edit = Edit(line, edit_at, was, now, part.pointer, id, outcome.lost, record)
                counter.edits.add(edit_row(len(counter.lines), edit))
            self._count(outcome, counter, is_done=is_done)
            results.append(result)
        return results

    def _is_own(self, part: Document, counter: PartitionCounter) -> bool:
        """Return whether the migration is one of the type that a record, or else its file, has."""
        own = None
        if part.kind != "data" or self._settings.type_pointer != TYPE_POINTER:
            own = self._type_at(part.value)
        if self._is_of_this(own if type(own) is str else self._records.default_type):
            return True
        counter.note(OTHER_TYPES)
        return False

    def _is_of_this(self, type_id: str | None) -> bool:
        """Return whether a type is that of the migration; None stands for it, too."""
        return type_id in (None, self._type_id)

    def _is_record_of_another(self, part: Document) -> bool:
        """Return whether a value that is no data has only members of a record of another type."""
        is_record = type(part.value) is dict and part.value.keys() <= RECORD_MEMBERS
        return is_record and self._type_at(part.value) not in (None, self._type_id)

    def _kind(self, part: Document) -> Any:
        return "data" if self._settings.data_pointer is not None else part.kind

    def _texts(
        self, raw: bytes, value: Any, parts: Sequence[Document]
    ) -> list[tuple[int, bytes] | None]:
        """Return the offset in bytes and the text of each record; None if it is not there.

        With a pointer to the data, a record may have none.
        """
        inside = self._settings.data_pointer or ""
        pointers = [part.pointer + inside for part in parts]
        if not any(pointers):
            text = raw.strip()
            return [(raw.index(text), text) for _ in parts]
        source = SourceText(raw, value=value)
        located = source.locate(pointers)
        found: list[tuple[int, bytes] | None] = []
        for pointer in pointers:
            place = located.get(pointer)
            if place is None:
                found.append(None)
                continue
            at = len(source.text[: place.start].encode())
            found.append((at, source.text[place.start : place.end].encode()))
        return found

    def _result(self, part: Document, outcome: Outcome) -> RecordResult:
        """Return the result of a record afterwards, as an audit would say it."""
        if not outcome.is_done:
            return RecordResult(part, self._type_id, "invalid", self._findings(part, outcome))
        if outcome.status != "migrated":
            return self._records.result(part)
        new = read(outcome.text)
        if self._settings.data_pointer is not None:
            new = with_value(part.value, parse_pointer(self._settings.data_pointer), new)
        return self._records.result(part._replace(value=new))._replace(part=part)

    def _findings(self, part: Document, outcome: Outcome) -> tuple[Finding, ...]:
        """Return the findings of an outcome, those that a schema has in a form to be counted."""
        if not any(one.schema_path for one in outcome.findings):
            return outcome.findings
        schemas = self._migration.old if outcome.rejected is None else self._migration.new
        validator = schemas.data if self._kind(part) == "data" else schemas.document
        text = outcome.text if outcome.rejected is None else outcome.rejected
        value, most = read(text), len(outcome.findings)
        report = validator.check_plain(value, max_findings=most)
        return SourceText(text, value=value).place(report.findings)

    def _count(self, outcome: Outcome, counter: PartitionCounter, *, is_done: bool) -> None:
        """Count what became of a record, and what the steps did in it.

        Whether a record that needs no change was migrated before, or never had to be, is not told
        apart: by the schemas, that cannot be known of all.
        """
        if not is_done:
            counter.count_migration(outcome.status if not outcome.is_done else "invalid")
            return
        if outcome.status != "migrated":
            counter.count_migration(ALREADY)
            return
        counter.count_migration("migrated")
        counter.count_migration("ambiguous", int(outcome.is_ambiguous))
        for name, numbers in (("applied", outcome.applied), ("skipped", outcome.skipped)):
            for step, number in enumerate(numbers, 1):
                counter.count_migration(f"{name} {step}", number)
        for one in outcome.lost:
            counter.count_migration(f"lost {one.step}")
