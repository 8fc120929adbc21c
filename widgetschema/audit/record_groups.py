"""Records counted by what they have at a JSON Pointer: a project, an owner, a model version.

Any number of different values is counted exactly, in bounded memory: counts that are too many are
written away as rows, and rows of the same value can be added up in any order. So it does not matter
how the records were divided. Of the mistakes in a group, the first `MOST_MISTAKES` by an order
that depends on nothing else are kept, and the findings of the others are counted together: a part
of the records can only have dropped what the whole drops as well.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import math
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from typing import IO, Any, Final

import orjson

from widgetschema.audit.tally import FindingGroup
from widgetschema.errors import StoreError
from widgetschema.jsontext import dump, dump_line
from widgetschema.jsontext.values import number_text

MOST_GROUPS: Final = 500  # with the most invalid records, that are in the summary
MOST_MISTAKES: Final = 50  # that are counted of a group
TOLD_MISTAKES: Final = 10  # that are in the summary
_IN_MEMORY: Final = 50_000  # groups; of more, counts are written away
_LONGEST: Final = 200  # characters of a value that is kept as it is
_WITHOUT: Final = ""  # the key of records that have no scalar there: no JSON text is empty
_PORTION: Final = 64 * 1024  # bytes of a run that are read at once

STATUSES: Final = ("valid", "invalid", "invalid_before", "untyped", "unreadable")
COUNTS: Final = (*STATUSES, "findings", "mended")
_FINDINGS, _MENDED = range(len(STATUSES), len(COUNTS))

Mistake = tuple[str, str, str]  # the type of a record, a keyword, a path
GroupKey = tuple[int, str]  # the number of a pointer, and a value as JSON text


class RecordGroup:
    """The counts of a group, in the order of `COUNTS`; the records and findings of mistakes."""

    __slots__ = ("counts", "mistakes")

    def __init__(self) -> None:
        self.counts = [0] * len(COUNTS)
        self.mistakes: dict[Mistake, list[int]] = {}

    def add(self, counts: Sequence[int], mistakes: Iterable[Sequence[Any]]) -> None:
        """Add counts, and mistakes as `row` has them."""
        self.counts = [a + b for a, b in zip(self.counts, counts, strict=True)]
        for type_id, keyword, path, records, findings in mistakes:
            self.count_mistake((type_id, keyword, path), records, findings)

    def count_mistake(self, mistake: Mistake, records: int, findings: int) -> None:
        """Count the records and the findings of a mistake."""
        known = self.mistakes.get(mistake)
        if known is not None:
            known[0] += records
            known[1] += findings
            return
        if len(self.mistakes) >= 2 * MOST_MISTAKES:
            self.mistakes = {one: self.mistakes[one] for one in self._kept()}
        self.mistakes[mistake] = [records, findings]

    def _kept(self) -> list[Mistake]:
        return sorted(self.mistakes, key=_rank)[:MOST_MISTAKES]

    def row(self, key: GroupKey) -> bytes:
        """Return the group as a line of JSON."""
        mistakes = [[*one, *self.mistakes[one]] for one in self._kept()]
        return dump_line([*key, self.counts, mistakes])

    @property
    def mistaken(self) -> tuple[int, int, int, int]:
        """The numbers that put groups in order, negative: the most invalid records come first."""
        counts = dict(zip(COUNTS, self.counts, strict=True))
        invalid, untyped = counts["invalid"], counts["untyped"]
        return -invalid, -untyped, -counts["findings"], -sum(self.counts[:_FINDINGS])

    def as_dict(self) -> dict[str, Any]:
        """Return the counts, and the mistakes with the most records."""
        kept = sorted((-self.mistakes[one][0], -self.mistakes[one][1], one) for one in self._kept())
        told = [
            {
                "type": type_id or None,
                "keyword": keyword,
                "path": path,
                "records": -records,
                "findings": -findings,
            }
            for records, findings, (type_id, keyword, path) in kept[:TOLD_MISTAKES]
        ]
        others = self.counts[_FINDINGS] + sum(findings for _, findings, _ in kept[:TOLD_MISTAKES])
        return {**_named(self.counts), "mistakes": told, "other_mistakes": others}


def _rank(mistake: Mistake) -> tuple[int, str, str, str]:
    type_id, keyword, path = mistake
    return path.count("/"), path, keyword, type_id


def _named(counts: Sequence[int]) -> dict[str, int]:
    return {"records": sum(counts[:_FINDINGS]), **dict(zip(COUNTS, counts, strict=True))}


def group_value(value: Any) -> str:
    """Return the key of the group that a value stands for: its JSON text, if it is a scalar.

    Numbers are the same if they are equal; those that are not finite are no JSON. Of a text or a
    number that is very long, it is the beginning and a digest.
    """
    if type(value) is str:
        if len(value) > _LONGEST:
            value = _shortened(value, value)
        return dump(value, indent=False)
    if type(value) is float:
        if not math.isfinite(value):
            return _WITHOUT
        if value.is_integer():
            value = int(value)
    if type(value) is int:
        return str(value) if value.bit_length() <= _LONGEST else _long_number(value)
    return json.dumps(value) if type(value) in (float, bool) else _WITHOUT


def _long_number(value: int) -> str:
    with suppress(OverflowError):
        if float(value) == value:
            return repr(float(value))
    return dump(_shortened(number_text(value), hex(value)), indent=False)


def _shortened(text: str, whole: str) -> str:
    digest = hashlib.sha256(whole.encode(errors="surrogatepass")).hexdigest()
    return f"{text[:_LONGEST]}… (sha256 {digest[:12]})"


class RecordGroups:
    """The groups of many records, by their values at some pointers.

    If there are too many, `spill` takes their rows; without it, they go to a temporary file.
    """

    def __init__(
        self, spill: Callable[[Iterable[bytes]], None] | None = None, most: int = _IN_MEMORY
    ) -> None:
        self._groups: dict[GroupKey, RecordGroup] = {}
        self._most = most
        self._runs = _Runs()
        self._spill = spill or self._runs.add

    def count_valid(self, counts: Iterable[tuple[Sequence[str], int]]) -> None:
        """Count numbers of valid records, by the keys that `group_value` returned."""
        for values, records in counts:
            for key in enumerate(values):
                self._group(key).counts[0] += records

    def count_mended(self, values: Sequence[str]) -> None:
        """Count a valid record, which is counted as such, as mended."""
        for key in enumerate(values):
            self._group(key).counts[_MENDED] += 1

    def count(
        self,
        values: Sequence[str],
        status: str,
        found: Mapping[FindingGroup, int] | None = None,
    ) -> None:
        """Count a record, and its findings by their group."""
        index = STATUSES.index(status)
        mistakes: dict[Mistake, int] = {}
        for group, number in (found or {}).items():
            mistake = group.key.type_id or "", group.key.keyword, group.general
            mistakes[mistake] = mistakes.get(mistake, 0) + number
        for key in enumerate(values):
            counted = self._group(key)
            counted.counts[index] += 1
            for mistake, number in mistakes.items():
                counted.counts[_FINDINGS] += number
                counted.count_mistake(mistake, 1, number)

    def add_rows(self, rows: Iterable[bytes]) -> None:
        """Add rows that others have spilled."""
        for row in rows:
            key, counts, mistakes = _read(row)
            self._group(key).add(counts, mistakes)

    def _group(self, key: GroupKey) -> RecordGroup:
        group = self._groups.get(key)
        if group is None:
            if len(self._groups) >= self._most:
                self.flush()
            group = self._groups[key] = RecordGroup()
        return group

    def flush(self) -> None:
        """Spill all rows. Raises `StoreError`."""
        self._spill(self._rows())
        self._groups.clear()

    def _rows(self) -> Iterator[bytes]:
        for key in sorted(self._groups):
            yield self._groups[key].row(key)

    def _every(self) -> Iterator[tuple[GroupKey, RecordGroup]]:
        """Yield all groups in order of their keys."""
        rows = heapq.merge(*self._runs.read(), map(_read, self._rows()), key=lambda row: row[0])
        for key, some in groupby(rows, key=lambda row: row[0]):
            group = RecordGroup()
            for _, counts, mistakes in some:
                group.add(counts, mistakes)
            yield key, group

    def as_dicts(self, pointers: Sequence[str]) -> list[dict[str, Any]]:
        """Return the groups by each pointer: those with the most invalid records, and the others.

        `groups` is the number of different values, `invalid_groups` of those with an invalid
        record. `without` are records that have no text, number or boolean there.
        """
        every = groupby(self._every(), key=lambda pair: pair[0][0])
        found = {number: _by_value(groups) for number, groups in every}
        empty = _by_value(())
        return [{"pointer": one, **found.get(at, empty)} for at, one in enumerate(pointers)]


def _by_value(groups: Iterable[tuple[GroupKey, RecordGroup]]) -> dict[str, Any]:
    without, others = RecordGroup(), RecordGroup()
    number = invalid = 0

    def with_value() -> Iterator[tuple[str, RecordGroup]]:
        nonlocal number, invalid
        for (_, value), group in groups:
            if value == _WITHOUT:
                without.add(group.counts, ())
                continue
            number += 1
            invalid += group.mistaken[0] < 0
            others.add(group.counts, ())
            yield value, group

    told = heapq.nsmallest(MOST_GROUPS, with_value(), key=lambda one: (one[1].mistaken, one[0]))
    for _, group in told:
        others.add([-count for count in group.counts], ())
    return {
        "groups": number,
        "invalid_groups": invalid,
        "values": [{"value": json.loads(value), **group.as_dict()} for value, group in told],
        "other_groups": {"groups": number - len(told), **_named(others.counts)},
        "without": _named(without.counts),
    }


Row = tuple[GroupKey, list[int], list[list[Any]]]


def _read(row: bytes) -> Row:
    number, value, counts, mistakes = orjson.loads(row)
    return (number, value), counts, mistakes


class _Runs:
    """Sorted rows in a temporary file, some at a time; it is gone with this object."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._ends: list[int] = []

    def add(self, rows: Iterable[bytes]) -> None:
        """Write rows. Raises `StoreError`."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115  it is as old as this object
                weakref.finalize(self, self._file.close)
            self._file.seek(self._ends[-1] if self._ends else 0)
            pack = zlib.compressobj(1)
            for row in rows:
                self._file.write(pack.compress(row + b"\n"))
            self._file.write(pack.flush())
            self._ends.append(self._file.tell())
        except OSError as error:
            folder = tempfile.gettempdir()
            reason = f"the counts of groups cannot be written: {error}"
            raise StoreError(folder, reason) from error

    def read(self) -> list[Iterator[Row]]:
        """Return the runs."""
        return [self._run(begin, end) for begin, end in pairwise([0, *self._ends])]

    def _run(self, at: int, end: int) -> Iterator[Row]:
        assert self._file is not None
        unpack = zlib.decompressobj()
        rest = b""
        while at < end:
            self._file.seek(at)
            packed = self._file.read(min(_PORTION, end - at))
            at += len(packed)
            *rows, rest = (rest + unpack.decompress(packed)).split(b"\n")
            yield from map(_read, rows)
