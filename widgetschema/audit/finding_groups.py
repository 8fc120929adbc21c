"""Findings counted in groups: one for each place of a type, and a bounded number of them.

A group is a widget type, a keyword, a path in which `*` stands for array items, and what all
messages there have in common. What is not the same in all of them is counted by value, and only so
many values are kept. Data may have members of any name, so there is no end of groups; what is kept
must not depend on how the records were divided. So each group has a rank that depends on nothing
else. The first `MAX_GROUPS` are kept, and the others are counted together: first under a path with
`*` for the names that the schema does not know, and if these are too many, under `/**`. A part of
the records can only have dropped what the whole drops as well, so the sums agree.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from widgetschema.findings import Finding
from widgetschema.pointers import escape_token, parse_pointer
from widgetschema.text import shorten
from widgetschema.validation.explain.deferred import DeferredFinding

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
            if isinstance(finding, DeferredFinding):
                message, hint = finding.words
            else:
                message, hint = finding.message, finding.hint
            self._last_words = shorten(message, LONGEST_TEXT), _short(hint)
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
        self.note(message, _MIXED if self.hint == _MIXED else _short(finding.hint_alone))

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
