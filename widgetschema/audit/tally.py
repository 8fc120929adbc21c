"""Counts of records and of what was found that can be added up in any grouping, in order.

Findings are counted in groups. A group is a widget type, a keyword, a path in which `*` stands for
array items, and what all messages there have in common. What is not the same in all of them is
counted by value, and only so many values are kept. Data may have members of any name, so there is
no end of groups; what is kept must not depend on how the records were divided. So each group has a
rank that depends on nothing else. The first `MAX_GROUPS` are kept, and the others are counted
together: first under a path with `*` for the names that the schema does not know, and if these are
too many, under `/**`. A part of the records can only have dropped what the whole drops as well, so
the sums agree.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from widgetschema.findings import Finding
from widgetschema.pointers import escape_token, parse_pointer
from widgetschema.text import shorten
from widgetschema.validation.explain.deferred import DeferredFinding

# Of a type: records of each status, findings, and how many valid records were not valid before.
VALID, INVALID, BEFORE, FINDINGS, MENDED = range(5)
_YEARS: Final = range(1900, 2200)  # in which a date is one: there are not too many of them
MAX_GROUPS: Final = 2_000  # groups on each level
MAX_VALUES: Final = 50  # different values at a group
LONGEST_TEXT: Final = 1_000  # characters of an id, a path or a message that are kept in examples
_LONGEST: Final = 500  # characters of a path, or a message, that tell it apart from others
_MIXED: Final = ""  # instead of a message or a hint that is not the same for all
_ANYWHERE: Final = "/**"

Names = Callable[[str | None], frozenset[str]]  # the member names in the schema of a type


class GroupKey(NamedTuple):
    """The identity of a group. `level` 0 is as it was found, the others are summed up.

    `about` is what is said of every value there: a message, less the value that it is about.
    """

    type_id: str | None
    keyword: str
    path: str
    level: int = 0
    about: str = ""


class Example(NamedTuple):
    """One finding at a group. `at` is its number among all findings, which puts it in order.

    `file` is the name of a source; as long as that is not known, the number of a span, and then
    `line` counts from the beginning of that.
    """

    at: int
    file: str | int
    line: int | None
    document: str
    id: str | int | float | None
    path: str
    message: str
    hint: str | None


class FindingGroup:
    """The counts of one group; `general` is its path one level up.

    `records` are those with findings here. Above level 0 they are sums, too: a record with
    several names that the schema does not know is in them more than once. `message` and `hint`
    are those of all findings, or else "". `values` says how often some values were found.
    """

    __slots__ = (
        "_last_key",
        "_last_words",
        "examples",
        "findings",
        "general",
        "hint",
        "key",
        "message",
        "records",
        "values",
    )

    def __init__(self, key: GroupKey, general: str) -> None:
        self.key = key
        self.general = general
        self.records = 0
        self.findings = 0
        self.message = _MIXED
        self.hint: str | None = _MIXED
        self.values: dict[str, int] = {}
        self.examples: list[Example] = []
        self._last_key: tuple[Any, ...] | None = None
        self._last_words: tuple[str, str | None] = _MIXED, None

    @property
    def needs_words(self) -> bool:
        """True if all findings so far have the same message or hint, so the next ones matter."""
        return self.message != _MIXED or self.hint != _MIXED or not self.findings

    def words(self, finding: Finding) -> tuple[str, str | None]:
        """Return the message and the hint of a finding, shortened, and note them.

        The same mistake has the same words as the time before.
        """
        key = finding.words_key if isinstance(finding, DeferredFinding) else None
        if key is None or key != self._last_key:
            self._last_key = key
            self._last_words = shorten(finding.message, LONGEST_TEXT), _short(finding.hint)
            self.note(*self._last_words)
        return self._last_words

    def note_words(self, finding: Finding, general: str, shown: str | None) -> None:
        """Note the message and the hint of a finding that is not an example, if they are needed.

        `general` is the message for every value, and `shown` the value, if the message has it.
        """
        if not isinstance(finding, DeferredFinding):
            self.words(finding)
            return
        key = finding.words_key
        if key is not None and key == self._last_key:
            return
        if self.message == _MIXED:
            message = _MIXED
        elif shown is None and finding.is_general:
            message = shorten(general, LONGEST_TEXT)
        else:
            self.words(finding)
            return
        self.note(message, _MIXED if self.hint == _MIXED else _short(finding.hint))

    def count(self, finding: Finding, general: str, shown: str | None) -> None:
        """Count a finding; the arguments are those of `note_words`."""
        if self.needs_words:
            self.note_words(finding, general, shown)
        if shown is not None:
            self.count_value(shown)
        self.findings += 1

    def note(self, message: str, hint: str | None) -> None:
        """Note the message of one more finding, or of several, before they are counted."""
        if not self.findings:
            self.message, self.hint = message, hint
            return
        if self.message != message:
            self.message = _MIXED
        if self.hint != hint:
            self.hint = _MIXED

    def count_value(self, value: str, findings: int = 1) -> None:
        """Count a value, as text."""
        values = self.values
        if value not in values and len(values) >= 2 * MAX_VALUES:
            self.drop_values()
        self.values[value] = self.values.get(value, 0) + findings

    def drop_values(self) -> None:
        """Drop the values that are too many: the whole drops these, too."""
        if len(self.values) > MAX_VALUES:
            kept = sorted(self.values, key=_value_rank)[:MAX_VALUES]
            self.values = {value: self.values[value] for value in kept}

    def add(self, records: int, findings: int, examples: Iterable[Example], most: int) -> None:
        """Add counts, and the first examples, one of each record."""
        self.records += records
        self.findings += findings
        if examples:
            first: dict[tuple[object, ...], Example] = {}  # a line can have several records
            for one in sorted([*self.examples, *examples]):
                first.setdefault((one.file, one.line, one.document, one.id), one)
            self.examples = [*first.values()][:most]

    def packed(self) -> list[Any]:
        """Return the group as a JSON array."""
        return [
            *self.key,
            self.general,
            self.message,
            self.hint,
            sorted(self.values.items()),
            self.records,
            self.findings,
            [[*one] for one in self.examples],
        ]


_Level = dict[tuple[str | None, str, str, int, str], FindingGroup]  # by GroupKey


class FindingGroups:
    """The groups of many findings; `examples` are kept of each (of none, one that says what it is).

    At any time there are at most twice `most` of a level.
    """

    def __init__(self, examples: int = 3, most: int = MAX_GROUPS) -> None:
        self.examples = max(1, examples)
        self.most = most
        self._levels: tuple[_Level, ...] = ({}, {}, {})

    def group(
        self, type_id: str | None, keyword: str, path: str, names: Names, about: str = ""
    ) -> FindingGroup:
        """Return the group of a finding, whose path has `*` for array items."""
        path, about = shorten(path, _LONGEST), shorten(about, _LONGEST)
        group = self._levels[0].get((type_id, keyword, path, 0, about))
        if group is None:
            general = generalize(path, names(type_id))
            group = self._put(FindingGroup(GroupKey(type_id, keyword, path, 0, about), general))
        return group

    def merge(self, other: FindingGroups, shift: int) -> None:
        """Add what others have counted; the numbers of its findings begin behind `shift`."""
        for group in other:
            examples = [Example(one.at + shift, *one[1:]) for one in group.examples]
            self._add(group.key, group.general, group, examples)

    def __iter__(self) -> Iterator[FindingGroup]:
        """Yield all groups, in the order of their rank, after those too many were summed up."""
        for level, groups in enumerate(self._levels):
            self._merge_excess(level)
            for group in _by_rank(groups):
                group.drop_values()
                yield group

    def _merge_excess(self, level: int) -> None:
        """Sum up what is too many of a level on the next one; the last one has no more."""
        groups = self._levels[level]
        if level == len(self._levels) - 1 or len(groups) <= self.most:
            return
        for group in _by_rank(groups)[self.most :]:
            del groups[group.key]
            key = group.key._replace(path=group.general, level=level + 1, about="")
            group.values.clear()
            self._add(key, _ANYWHERE, group, group.examples)

    def unpack(self, packed: Iterable[list[Any]]) -> None:
        """Add what was packed."""
        for *key, general, message, hint, values, records, findings, examples in packed:
            group = FindingGroup(GroupKey(*key), general)
            group.message, group.hint, group.values = message, hint, dict(values)
            group.records, group.findings = records, findings
            self._add(group.key, general, group, [Example(*one) for one in examples])

    def _add(
        self, key: GroupKey, general: str, other: FindingGroup, examples: list[Example]
    ) -> None:
        group = self._levels[key.level].get(key)
        if group is None:
            group = self._put(FindingGroup(key, general))
        group.note(other.message, other.hint)
        for value, findings in other.values.items():
            group.count_value(value, findings)
        group.add(other.records, other.findings, examples, self.examples)

    def _put(self, group: FindingGroup) -> FindingGroup:
        groups = self._levels[group.key.level]
        if len(groups) >= 2 * self.most:
            self._merge_excess(group.key.level)
        groups[group.key] = group
        return group


def _short(hint: str | None) -> str | None:
    return None if hint is None else shorten(hint, LONGEST_TEXT)


def _by_rank(groups: _Level) -> list[FindingGroup]:
    return sorted(groups.values(), key=_rank)


def generalize(path: str, names: frozenset[str]) -> str:
    """Return a path with `*` for every name that is not one of these."""
    tokens = parse_pointer(path)
    return "".join(f"/{escape_token(token) if token in names else '*'}" for token in tokens)


def _value_rank(value: str) -> tuple[int, str]:
    """Return an arbitrary order, always the same: no kind of value is kept before others."""
    return zlib.crc32(value.encode(errors="surrogatepass")), value


def _rank(group: FindingGroup) -> tuple[int, int, str, str, str, str]:
    """Return an order: what the schema names, then what is near the top; the rest is arbitrary."""
    key, general, unknown = group.key, group.general, 0
    if not key.level and key.path != general:
        tokens = zip(key.path.split("/"), general.split("/"), strict=False)
        unknown = sum(a != b for a, b in tokens)
    return unknown, key.path.count("/"), key.path, key.keyword, key.type_id or "", key.about


class Tally:
    """The counts of some records: how many of each status there are, and where findings are.

    `types` has, for each type, its valid, invalid, and before invalid records, its findings, and
    how many valid records were mended; `unreadable` and `untyped` records are of none. `findings`
    are all there are; `dates` counts invalid records by day, `undated` those without one.
    `truncated` are records with more findings than were looked for, `left_out` those that are not
    in the sample. `lines` and `bytes` are of the text. `input` counts what was noticed about it,
    by the names of the summary; `migration` what became of the records in a migration, and what
    its steps did.
    """

    _COUNTS = "unreadable untyped findings lines bytes undated truncated left_out".split()
    _BY_NAME = "dates input migration".split()

    def __init__(self, examples: int = 3, most: int = MAX_GROUPS) -> None:
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
        self.input: dict[str, int] = {}
        self.migration: dict[str, int] = {}
        self.groups = FindingGroups(examples, most)

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
            _add(self.dates, day, 1)

    @property
    def records(self) -> int:
        """The number of records."""
        return self.unreadable + self.untyped + sum(sum(of[:3]) for of in self.types.values())

    def record_counts(self) -> dict[str, int]:
        """Return the numbers of all records, of those of each status, and of their findings."""
        totals = [sum(counts[status] for counts in self.types.values()) for status in range(5)]
        return {
            "records": self.records,
            "valid": totals[VALID],
            "invalid": totals[INVALID],
            "unreadable": self.unreadable,
            "untyped": self.untyped,
            "invalid_before": totals[BEFORE],
            "mended": totals[MENDED],
            "findings": self.findings,
            "truncated": self.truncated,
        }

    def type_counts(self) -> list[dict[str, Any]]:
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
            for id, counts in sorted(self.types.items())
        ]

    def merge(self, other: Tally) -> None:
        """Add what was counted of the records behind these. The result is the same however
        one groups them: (a + b) + c is a + (b + c).
        """
        self.groups.merge(other.groups, self.findings)
        for type_id, counts in other.types.items():
            known = self._counts(type_id)
            known[:] = [a + b for a, b in zip(known, counts, strict=True)]
        for name in self._BY_NAME:
            for key, number in getattr(other, name).items():
                _add(getattr(self, name), key, number)
        for name in self._COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

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
            **{name: getattr(self, name) for name in self._COUNTS},
            **{name: dict(sorted(getattr(self, name).items())) for name in self._BY_NAME},
            "places": [place.packed() for place in self.groups],
        }

    @classmethod
    def from_dict(cls, value: dict[str, Any], examples: int, most: int = MAX_GROUPS) -> Tally:
        """Return the tally that `as_dict` returned."""
        tally = cls(examples, most)
        for name in ("types", *cls._COUNTS, *cls._BY_NAME):
            setattr(tally, name, value[name])
        tally.groups.unpack(value["places"])
        return tally


def _add(counts: dict[str, int], key: str, number: int) -> None:
    counts[key] = counts.get(key, 0) + number


def day_of(value: Any) -> str | None:
    """Return the day in an ISO 8601 text, as `2026-11-03`; None if there is none."""
    if type(value) is not str or value[4:5] != "-" or value[7:8] != "-" or value[10:11].isdigit():
        return None
    try:
        day = date.fromisoformat(value[:10])
    except ValueError:
        return None
    return value[:10] if day.year in _YEARS else None
