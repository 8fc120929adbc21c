"""Counts of records that can be added up in any grouping, as long as the order is kept, and the
summary that they make: a JSON object whose member names are a contract.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from widgetschema.audit.finding_groups import Example, FindingGroup, FindingGroups
from widgetschema.audit.gate import Gate
from widgetschema.audit.place_names import PlaceNames
from widgetschema.audit.plan import Plan
from widgetschema.audit.sampling import CONFIDENCE, Sample, wilson
from widgetschema.catalog.catalog import Catalog
from widgetschema.project.checking.checker import Checker
from widgetschema.schema.keywords import KEYWORDS

# Of a type: records of each status, findings, and how many valid records were not valid before.
VALID, INVALID, BEFORE, FINDINGS, MENDED = range(5)
MAX_GROUPS: Final = 1_000  # that are in the summary
VERSION: Final = 1  # of the format of summaries
_TOLD_VALUES: Final = 10  # of a place
_YEARS: Final = range(1900, 2200)  # in which a date is one: there are not too many of them


_COUNTS: Final = "unreadable untyped findings lines bytes undated truncated left_out".split()


class Tally:
    """The counts of some records: how many of each status there are, and where findings are.

    `types` has, for each type, its valid, invalid, and before invalid records, its findings, and
    how many valid records were mended; `unreadable` and `untyped` records are of none. `findings`
    are all there are; `dates` counts invalid records by day, `undated` those without one, `days`
    all records, if asked for. `truncated` are records with more findings than were looked for,
    `left_out` those that are not in the sample. `lines` and `bytes` are of the text. `input`
    counts what was noticed about it, by the names of the summary; `migration` what became of the
    records in a migration, and what its steps did.
    """

    __slots__ = (
        "bytes",
        "dates",
        "days",
        "findings",
        "groups",
        "input",
        "left_out",
        "lines",
        "migration",
        "truncated",
        "types",
        "undated",
        "unreadable",
        "untyped",
    )

    def __init__(self, examples: int = 3, most: int | None = None) -> None:
        self.types: dict[str, list[int]] = {}
        self.unreadable = 0
        self.untyped = 0
        self.findings = 0
        self.lines = 0
        self.bytes = 0
        self.undated = 0
        self.truncated = 0
        self.left_out = 0
        self.dates: dict[str, int] = {}
        self.days: dict[str, int] = {}
        self.input: dict[str, int] = {}
        self.migration: dict[str, int] = {}
        self.groups = FindingGroups(examples) if most is None else FindingGroups(examples, most)

    def count(self, type_id: str, status: int, records: int = 1) -> None:
        """Count records of a type."""
        self._counts(type_id)[status] += records

    def count_invalid(self, type_id: str, findings: int) -> None:
        """Count an invalid record of a type, and what was found."""
        counts = self._counts(type_id)
        counts[INVALID] += 1
        counts[FINDINGS] += findings

    def _counts(self, type_id: str) -> list[int]:
        counts = self.types.get(type_id)
        if counts is None:
            counts = self.types[type_id] = [0] * 5
        return counts

    def count_date(self, value: Any) -> None:
        """Count an invalid record by the date that it has, an ISO 8601 text."""
        day = day_of(value)
        if day is None:
            self.undated += 1
        else:
            self.dates[day] = self.dates.get(day, 0) + 1

    def count_day(self, value: Any, records: int = 1) -> None:
        """Count records, of any status, by the date that they have."""
        day = day_of(value)
        if day is not None:
            self.days[day] = self.days.get(day, 0) + records

    @property
    def records(self) -> int:
        """The number of records."""
        return self.unreadable + self.untyped + sum(sum(of[:3]) for of in self.types.values())

    def merge(self, other: Tally) -> None:
        """Add what was counted of the records behind these. The result is the same however
        one groups them: (a + b) + c is a + (b + c).
        """
        self.groups.merge(other.groups, self.findings)
        for type_id, counts in other.types.items():
            known = self._counts(type_id)
            known[:] = [a + b for a, b in zip(known, counts, strict=True)]
        for mine, theirs in ((self.dates, other.dates), (self.days, other.days)):
            for day, number in theirs.items():
                mine[day] = mine.get(day, 0) + number
        for mine, theirs in ((self.input, other.input), (self.migration, other.migration)):
            for name, number in theirs.items():
                mine[name] = mine.get(name, 0) + number
        self.unreadable += other.unreadable
        self.untyped += other.untyped
        self.findings += other.findings
        self.lines += other.lines
        self.bytes += other.bytes
        self.undated += other.undated
        self.truncated += other.truncated
        self.left_out += other.left_out

    def locate_examples(self, files: Sequence[str], offsets: Sequence[int]) -> None:
        """Give examples their file, and their line in it, by their span."""
        for place in self.groups:
            place.examples = [
                Example(
                    one.at,
                    files[one.file],
                    None if one.line is None else one.line + offsets[one.file],
                    *one[3:],
                )
                if isinstance(one.file, int)
                else one
                for one in place.examples
            ]

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object; equal tallies have equal ones, to the order of the members."""
        return {
            "types": dict(sorted(self.types.items())),
            "unreadable": self.unreadable,
            "untyped": self.untyped,
            "findings": self.findings,
            "lines": self.lines,
            "bytes": self.bytes,
            "undated": self.undated,
            "truncated": self.truncated,
            "left_out": self.left_out,
            "dates": dict(sorted(self.dates.items())),
            "days": dict(sorted(self.days.items())),
            "input": dict(sorted(self.input.items())),
            "migration": dict(sorted(self.migration.items())),
            "places": [place.packed() for place in self.groups],
        }

    @classmethod
    def from_dict(cls, value: dict[str, Any], examples: int, most: int | None = None) -> Tally:
        """Return the tally that `as_dict` returned."""
        tally = cls(examples, most)
        for name in _COUNTS:
            setattr(tally, name, value[name])
        tally.types = value["types"]
        tally.dates = value["dates"]
        tally.days = value["days"]
        tally.input = value["input"]
        tally.migration = value["migration"]
        tally.groups.unpack(value["places"])
        return tally


def day_of(value: Any) -> str | None:
    """Return the day in an ISO 8601 text, as `2026-11-03`; None if there is none."""
    if type(value) is not str or value[4:5] != "-" or value[7:8] != "-" or value[10:11].isdigit():
        return None
    try:
        day = date.fromisoformat(value[:10])
    except ValueError:
        return None
    return value[:10] if day.year in _YEARS else None


class AuditProblem(NamedTuple):
    """A problem that kept records from being checked; `code` is the exit code for it."""

    file: str
    line: int | None
    keyword: str
    message: str
    code: int


class RunState(NamedTuple):
    """The state of an audit: partitions that are done, whether these are all, and problems.

    `passed_over` are sources that are no data.
    """

    done: int
    complete: bool
    problems: tuple[AuditProblem, ...] = ()
    other_problems: int = 0
    passed_over: tuple[AuditProblem, ...] = ()
    other_passed_over: int = 0


def summary(
    plan: Plan, tally: Tally, stage: RunState, groups: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """Return what an audit found, as a JSON object.

    `records` are all there are: `valid`, `invalid`, `unreadable` (not JSON, or too large),
    `untyped` (of no known type) and `invalid_before` (with an older catalog: invalid by that, too;
    nothing else is said of these). `mended` records are valid, but were not by the older catalog.
    `findings` are all that is said of records; there are more if
    some are `truncated`: of each record only the first 1,000 are looked for. `types` by id;
    `places` by findings, each with a `name` for people; in a `path`, `*` is any array item, or,
    where the place is `summed`, the names of many members that the schema does not know: then at
    most so many `records` have them.
    `sample` says which records were checked, if these are not all, and has the 95 % intervals
    (Wilson) of the shares that are invalid, unreadable and untyped, and of the share that is
    invalid of each type. `dates` are days of invalid records, or of all, if `records` has their
    numbers. `input` has what was noticed about the input, as far as there is any: sources that are
    `arrays`, `concatenated` texts or `sequences` (RFC 7464), whose lines end with
    `carriage_returns` alone, or that begin with `byte_order_marks`, which are skipped, as are
    `blank_lines`; tables of CSV with cells that are `not_utf8`;
    records `without_document`, which are not counted. `by` has the counts by the values at each
    pointer: see `RecordGroups.as_dicts`.
    `passed_over` are files of folders that
    were not read, since they are no JSON text, or this package wrote them; and links to other
    folders.
    `comparison` is that with earlier summaries, if it was asked for (`comparison.compare`). Nothing
    else in it depends on who did the audit, or when.
    """
    places, others = _ranked(list(tally.groups))
    settings = plan.settings
    names = PlaceNames(plan.catalog, settings.data_pointer)
    ids = sorted({*tally.types, *filter(None, [settings.type_id])})
    return {
        "version": VERSION,
        **record_counts(tally),
        "sample": None if settings.sample is None else _sample(settings.sample, tally),
        "lines": tally.lines,
        "bytes": tally.bytes,
        "sources": len(plan.sources),
        "complete": stage.complete,
        "partitions": {"done": stage.done, "all": len(plan.partitions)},
        "types": type_counts(tally),
        "places": [
            _place(place, settings.examples, _records(tally, place), names) for place in places
        ],
        "other_places": {
            "places": len(others),
            "findings": sum(place.findings for place in others),
        },
        "dates": [
            {
                "date": day,
                "invalid": tally.dates.get(day, 0),
                "records": tally.days.get(day, 0) if settings.dates else None,
            }
            for day in sorted({*tally.dates, *tally.days})
        ],
        "undated": tally.undated,
        "by": list(groups),
        "input": {name: tally.input[name] for name in sorted(tally.input)},
        "problems": [problem._asdict() for problem in stage.problems],
        "other_problems": stage.other_problems,
        "passed_over": [{"file": one.file, "message": one.message} for one in stage.passed_over],
        "other_passed_over": stage.other_passed_over,
        "against": plan.older is not None,
        "comparison": None,
        "schemas": _schemas(plan.catalog, ids),
        "older_schemas": [] if plan.older is None else _schemas(plan.older, ids),
    }


def exit_code(summary: dict[str, Any], gate: Gate | None = None) -> int:
    """Return the highest exit code that applies; of a run that was interrupted, to what it did.

    Invalid records that the `gate` admits are no reason to fail.
    """
    invalid = summary["invalid"]
    is_admitted = gate is not None and gate.admits(invalid, summary["records"])
    codes: list[int] = [0, *(problem["code"] for problem in summary["problems"])]
    codes += [3] if summary["unreadable"] or summary["other_problems"] else []
    codes += [1] if (invalid and not is_admitted) or summary["untyped"] else []
    codes += [_CODES.get(place["keyword"], 0) for place in summary["places"]]
    return max(codes)


def _sample(sample: Sample, tally: Tally) -> dict[str, Any]:
    """Return what is known of a sample, and the intervals of the shares of all records."""
    counts = record_counts(tally)
    names = ("invalid", "unreadable", "untyped")
    return {
        "share": sample.share,
        "seed": sample.seed,
        "left_out": tally.left_out,
        "confidence": CONFIDENCE,
        "intervals": {name: wilson(counts[name], counts["records"]) for name in names},
        "types": {
            one["type"]: wilson(one["invalid"], one["records"]) for one in type_counts(tally)
        },
    }


_CODES: Final = {code: one.exit_code for code, one in KEYWORDS.items() if one.exit_code}


def _ranked(places: list[FindingGroup]) -> tuple[list[FindingGroup], list[FindingGroup]]:
    """Return the groups that are shown, most findings first, and the others.

    What kept records from being checked is always told: the exit code depends on it.
    """
    places.sort(key=_weight)
    if len(places) > MAX_GROUPS:
        places.sort(key=lambda place: place.key.keyword not in _CODES)
    return sorted(places[:MAX_GROUPS], key=_weight), places[MAX_GROUPS:]


def _weight(place: FindingGroup) -> tuple[int, str, str, str, int, str]:
    key = place.key
    return -place.findings, key.type_id or "", key.path, key.keyword, key.level, key.about


def record_counts(tally: Tally) -> dict[str, int]:
    """Return the numbers of all records, of those of each status, and of their findings."""
    totals = [sum(counts[status] for counts in tally.types.values()) for status in range(5)]
    return {
        "records": tally.records,
        "valid": totals[VALID],
        "invalid": totals[INVALID],
        "unreadable": tally.unreadable,
        "untyped": tally.untyped,
        "invalid_before": totals[BEFORE],
        "mended": totals[MENDED],
        "findings": tally.findings,
        "truncated": tally.truncated,
    }


def type_counts(tally: Tally) -> list[dict[str, Any]]:
    """Return the numbers of the records of each type, and of their findings, by id."""
    return [
        {
            "type": id,
            "records": sum(counts[:3]),
            "valid": counts[VALID],
            "invalid": counts[INVALID],
            "invalid_before": counts[BEFORE],
            "mended": counts[MENDED],
            "findings": counts[FINDINGS],
        }
        for id, counts in sorted(tally.types.items())
    ]


def _records(tally: Tally, place: FindingGroup) -> int:
    """Return how many records have findings in a group.

    Of one that is summed up, it is at most as many: no more than there are of this type, and if
    there are fewer examples than are kept, these are all.
    """
    if not place.key.level:
        return place.records
    counts = tally.types.get(place.key.type_id or "")
    told = tally.unreadable + tally.untyped + (0 if counts is None else counts[INVALID])
    kept = len(place.examples)
    return min(place.records, told, kept if kept < tally.groups.examples else told)


def _place(place: FindingGroup, examples: int, records: int, names: PlaceNames) -> dict[str, Any]:
    values = sorted(place.values.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOLD_VALUES]
    others = place.findings - sum(findings for _, findings in values)
    return {
        "type": place.key.type_id,
        "keyword": place.key.keyword,
        "path": place.key.path,
        "name": names.name(place.key.type_id, place.key.path),
        "records": records,
        "findings": place.findings,
        "summed": place.key.level > 0,
        "about": place.key.about,
        "message": place.message or place.key.about or f"for example: {place.examples[0].message}",
        "hint": place.hint or None,
        "values": [{"value": value, "findings": findings} for value, findings in values],
        "other_values": others if values else 0,
        "all_values": not values or sum(place.values.values()) == place.findings,
        "examples": [_example(one) for one in place.examples[:examples]],
    }


def _example(example: Example) -> dict[str, Any]:
    return {
        "file": example.file,
        "line": example.line,
        "document": example.document,
        "id": example.id,
        "path": example.path,
        "message": example.message,
    }


def _schemas(catalog: Catalog, ids: list[str]) -> list[dict[str, Any]]:
    return [schema.as_dict() for schema in Checker(catalog).schemas_of(ids)]
