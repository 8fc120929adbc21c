"""Evidence about a migration: what becomes of many records, counted by step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.evolution.migrate.migration import Kind, Migration, Outcome, Status
from widgetschema.evolution.migrate.steps.step import WILD, Lost, Step, is_inside
from widgetschema.findings import Finding
from widgetschema.jsontext import Text
from widgetschema.pointers import (
    display_pointer,
    is_index,
    parse_pattern,
    parse_pointer,
)
from widgetschema.schema.subschemas import member_names
from widgetschema.suggest import nearest
from widgetschema.text import join, shorten

_MOST_PROBLEMS: Final = 100
_LONGEST_TEXT: Final = 2_000
_NOT_MIGRATED: Final = ("invalid", "failed")
# Names of members and numbers of items differ from record to record; what is wrong does not.
_Key = tuple[str, str, str]


class Problem(NamedTuple):
    """One thing that goes wrong, in one record or many.

    Args:
        status: `invalid`, `failed` or `not-old`, as of `Outcome`.
        finding: The finding in the first record.
        record: The name of the first record.
        text: Its JSON text before the migration, or the beginning of it.
        steps: The numbers of the steps that are about the place.
        records: The number of records.
    """

    status: Status
    finding: Finding
    record: str
    text: str
    steps: tuple[int, ...]
    records: int


@dataclass
class StepCounts:
    """The work of one step.

    Args:
        number: Its number, from 1.
        step: The step.
        records: The records that it changed.
        places: The places that it changed in them.
        skipped: The places that it left, since it was not certain.
        lost: The values that it took away.
        example: The first of them, and the record that it was in.
        text: The JSON text of the shortest record that it changed; None if there is none.
    """

    number: int
    step: Step
    records: int = 0
    places: int = 0
    skipped: int = 0
    lost: int = 0
    example: tuple[str, Lost] | None = None
    text: str | None = None


class Evidence:
    """The outcomes of a migration for the records that were added.

    Attributes:
        migration: The migration.
        statuses: The number of records by the status of their outcome.
        steps: The work of each step.
        repeated: The number of records that a second migration changes again.
        repeated_in: The first of them.
        ambiguous: The number of migrated records that both schemas accepted before.
    """

    def __init__(self, migration: Migration) -> None:
        self.migration = migration
        self.statuses: Counter[Status] = Counter()
        self.steps = tuple(StepCounts(*numbered) for numbered in enumerate(migration.steps, 1))
        self.repeated = 0
        self.repeated_in = ""
        self.ambiguous = 0
        self._problems: dict[_Key, Problem] = {}

    @property
    def records(self) -> int:
        """The number of records."""
        return self.statuses.total()

    @property
    def problems(self) -> list[Problem]:
        """The kinds of problems, the most frequent first; at most 100."""
        return sorted(self._problems.values(), key=_gravity)[:_MOST_PROBLEMS]

    @property
    def omitted(self) -> int:
        """The number of further kinds of problems."""
        return max(0, len(self._problems) - _MOST_PROBLEMS)

    @property
    def holds(self) -> bool:
        """True if each record that the old schema accepts comes out valid."""
        return not any(self.statuses.get(status) for status in _NOT_MIGRATED)

    @property
    def idle(self) -> tuple[StepCounts, ...]:
        """The steps that applied to no record, without those that failed."""
        failed = {
            number
            for problem in self.problems
            if problem.status == "failed"
            for number in problem.steps
        }
        return tuple(step for step in self.steps if not step.records and step.number not in failed)

    @property
    def collisions(self) -> list[str]:
        """The pairs of steps that put values at the same place, in words."""
        found: list[str] = []
        known: dict[str, int] = {}
        for number, step in enumerate(self.migration.steps, 1):
            for place in step.destinations:
                if place in known:
                    found.append(
                        f"steps {known[place]} and {number} both put a value at "
                        f"{display_pointer(place)}: a record that both apply to fails"
                    )
                known.setdefault(place, number)
        return found

    @cached_property
    def _member_names(self) -> set[str]:
        """The names of members in both schemas, and those that steps create."""
        names: set[str] = set()
        for subject in (self.migration.old, self.migration.new):
            names |= member_names(subject.data.linked.schema)
        for step in self.migration.steps:
            names.update(*map(parse_pattern, step.destinations))
        return names

    def unknown(self, step: Step) -> str:
        """Return a message about a member in a pattern that neither schema names; "" if none is."""
        names = self._member_names
        for token in step.tokens:
            if token not in names and token not in WILD and not is_index(token):
                meant = [f'"{one}"' for one in nearest(token, sorted(names))]
                advice = f"; did you mean {join(meant, 'or')}?" if meant else ""
                return f'neither schema names "{token}"{advice}'
        return ""

    def add(self, name: str, raw: Text, kind: Kind = "data") -> Outcome:
        """Migrate one record, and count it; return the outcome."""
        outcome = self.migration.migrate_json(raw, kind=kind)
        self.statuses[outcome.status] += 1
        counted = zip(self.steps, outcome.applied, outcome.skipped, strict=False)
        for counts, applied, skipped in counted:
            counts.records += applied > 0
            counts.places += applied
            counts.skipped += skipped
            if applied and kind == "data" and outcome.status == "migrated":
                text = raw if isinstance(raw, str) else bytes(raw).decode()
                counts.text = min(text, counts.text or text, key=len)
        for lost in outcome.lost:
            counts = self.steps[lost.step - 1]
            counts.lost += 1
            counts.example = counts.example or (name, lost)
        if not outcome.is_done:
            self._add_problem(name, raw, outcome, kind)
        if outcome.status == "migrated":
            self.ambiguous += outcome.is_ambiguous
            if self.migration.migrate_json(outcome.text, kind=kind).text != outcome.text:
                self.repeated += 1
                self.repeated_in = self.repeated_in or name
        return outcome

    def _add_problem(self, name: str, raw: Text, outcome: Outcome, kind: Kind) -> None:
        for finding in outcome.findings[:1]:
            place = "/".join("*" if one.isdigit() else one for one in parse_pointer(finding.path))
            key = (outcome.status, finding.keyword, place)
            if (known := self._problems.get(key)) is not None:
                self._problems[key] = known._replace(records=known.records + 1)
                continue
            text = raw if isinstance(raw, str) else bytes(raw).decode(errors="replace")
            path = finding.path if kind == "data" else finding.path.removeprefix("/data")
            steps = tuple(
                number
                for number, step in enumerate(self.migration.steps, 1)
                if any(is_inside(one, path) for one in (step.at, *step.destinations))
            )
            shown = shorten(text, _LONGEST_TEXT)
            self._problems[key] = Problem(outcome.status, finding, name, shown, steps, 1)


def _gravity(problem: Problem) -> tuple[bool, int]:
    return problem.status == "not-old", -problem.records
