"""The collector of results: one summary, and the lines that were asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import orjson

from widgetschema.audit.migration.edits import Edit, edits_of
from widgetschema.audit.partition_result import PartitionResult, finding_text, id_text, unpacked
from widgetschema.audit.plan import Plan
from widgetschema.audit.record_groups import RecordGroups
from widgetschema.audit.summary import RunState, summary
from widgetschema.audit.tally import Tally
from widgetschema.project.checking.results import Problem

MAX_PROBLEMS: Final = 100  # that are told one by one


class _Position(NamedTuple):
    """The place of the partition whose result came last: its files, the lines before each span.

    `failures` say why a span, by its index, was not read to its end.
    """

    number: int
    files: Sequence[str]
    offsets: Sequence[int]
    failures: Mapping[int, str] = MappingProxyType({})


class Collector:
    """Adds up the results of a plan; `problems` are those that were met when it was made.

    Results must come in the order of the partitions, since only then it is known how many lines
    are before each. So the summary is the same, byte for byte, however the results were made.
    """

    def __init__(self, plan: Plan, problems: Sequence[Problem] = ()) -> None:
        self._plan = plan
        self._tally = Tally(plan.settings.examples)
        self._groups = RecordGroups()
        self._problems: dict[tuple[str, str], Problem] = {}
        self._other_problems = 0
        self._passed_over: dict[str, Problem] = {}
        self._other_passed_over = 0
        self._at = _Position(-1, (), ())
        self._source = -1  # the one that was read last, and how many lines of it there were
        self._lines = 0
        for one in problems:
            self._add_problem(one._replace(file=as_text(one.file)))

    def add(self, result: PartitionResult) -> None:
        """Add the result of the next partition. Raises `ValueError` for any other."""
        if result.number != self._at.number + 1:
            raise ValueError(f"partition {self._at.number + 1} is next, not {result.number}")
        value = orjson.loads(result.tally)
        spans = self._plan.partitions[result.number]
        files = [as_text(self._plan.sources[span.source].name) for span in spans]
        offsets = []
        for span, lines in zip(spans, value["lines"], strict=True):
            if span.source != self._source:
                self._source, self._lines = span.source, 0
            offsets.append(self._lines)
            self._lines += lines
        problems = {span: message for span, _, message, code in value["problems"] if code}
        self._at = _Position(result.number, files, offsets, problems)
        tally = Tally.from_dict(value["tally"], self._plan.settings.examples)
        tally.locate_examples(files, offsets)
        self._tally.merge(tally)
        for rows in unpacked(result.groups):
            self._groups.add_rows(rows)
        for span, line, message, code in value["problems"]:
            line = None if line is None else line + offsets[span]
            self._add_problem(Problem(files[span], message, code, line=line))

    def _add_problem(self, problem: Problem) -> None:
        """Add a problem, the same one once: a file that is gone is missed by each partition."""
        if not problem.code:
            known = self._passed_over.setdefault(problem.file, problem)
            if len(self._passed_over) > MAX_PROBLEMS:
                self._passed_over.popitem()
                self._other_passed_over += known is problem
            return
        about = problem.file if problem.code == 3 else ""  # else it is about a schema
        known = self._problems.setdefault((about, problem.message), problem)
        if len(self._problems) > MAX_PROBLEMS:
            self._problems.popitem()
            self._other_problems += known is problem

    def finding_lines(self, result: PartitionResult) -> Iterator[str]:
        """Yield the findings of the result that was added last, as NDJSON, many lines at a time.

        A line: `file`, `line` and `column` (null unless known), `document` (JSON Pointer of the
        record in its text), `id`, `type`, `keyword`, `path` (from the record), `schema_path`,
        `message`, `hint`, `expected`, `fix`.
        """
        self._must_be_last(result)
        return finding_text(result.findings, self._at.files, self._at.offsets)

    def id_lines(self, result: PartitionResult) -> Iterator[str]:
        """Yield the ids of the invalid records of the result that was added last, many at a time.

        A line: the id as it is; as JSON, if it would not be one line; `file:line`, and `#` with
        the JSON Pointer of the record, if it has none.
        """
        self._must_be_last(result)
        return id_text(result.ids, self._at.files, self._at.offsets)

    def quarantine_lines(self, result: PartitionResult) -> Iterator[str]:
        """Yield the invalid records of the result that was added last, as NDJSON, as they are."""
        self._must_be_last(result)
        for lines in unpacked(result.quarantine):
            yield "".join(f"{line.decode()}\n" for line in lines)

    def edits(self, result: PartitionResult) -> Iterator[tuple[int, Iterator[Edit], str | None]]:
        """Yield, for each span of the result that was added last, its source and its edits.

        Lines of edits count from the beginning of the source. Where a source failed, its reason is
        there, too.
        """
        self._must_be_last(result)
        by_span = groupby(edits_of(result.edits), key=itemgetter(0))
        following = next(by_span, None)
        for index, span in enumerate(self._plan.partitions[result.number]):
            edits: Iterator[Edit] = iter(())
            if following is not None and following[0] == index:
                before = self._at.offsets[index]
                edits = (edit.behind(before) for _, edit in following[1])
            yield span.source, edits, self._at.failures.get(index)
            if following is not None and following[0] == index:
                following = next(by_span, None)

    def _must_be_last(self, result: PartitionResult) -> None:
        if result.number != self._at.number:
            raise ValueError(f"partition {result.number} is not the one that was added last")

    @property
    def migration(self) -> dict[str, int]:
        """The counts of what became of the records so far in a migration, and of its steps."""
        return dict(sorted(self._tally.migration.items()))

    def summary(self, *, complete: bool = True) -> dict[str, Any]:
        """Return the summary so far, as a JSON object: see `summary.summary`."""
        done = self._at.number + 1
        stage = RunState(
            done,
            complete and done == len(self._plan.partitions),
            tuple(self._problems.values()),
            self._other_problems,
            tuple(self._passed_over.values()),
            self._other_passed_over,
        )
        groups = self._groups.as_dicts(self._plan.settings.by)
        return summary(self._plan, self._tally, stage, groups)


def as_text(name: str) -> str:
    """Return the name of a source as text, even if the system has no text for it."""
    return name.encode(errors="backslashreplace").decode()
