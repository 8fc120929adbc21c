"""Stored data held against a comparison: the records that each change breaks, and the guesses.

Each finding about a record that was valid belongs to the change that caused it: by its place and
its keyword, or else to the change that is nearest. Guesses are held against the names and values
that records really have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from widgetschema.evolution.compare.changes import Change, Comparison
from widgetschema.findings import Finding
from widgetschema.jsontext.equality import Options
from widgetschema.pointers import ANY, parse_pointer, resolve_pointer
from widgetschema.text import plural

_DATA: Final = "/data"
_NOWHERE: Final = object()
_LISTED: Final = frozenset({"enum", "const"})


@dataclass(slots=True)
class Evidence:
    """Records that speak for or against a guess: those with the old name or value, with the new
    one, and with both names at one place, which `names` can be. They confirm one that is `likely`.
    """

    names: bool = True
    likely: bool = True
    old: int = 0
    new: int = 0
    both: int = 0

    @property
    def text(self) -> str:
        """The counts in words, with their meaning; empty if no record has either."""
        if not (self.old or self.new):
            return ""
        if not self.names:
            return f"{self.old:,} with an old value, {self.new:,} with a new one"
        shown = f"{self.old:,} with the old name, {self.new:,} with the new one"
        if self.both:
            return f"{shown}, {self.both:,} with both: not just renamed"
        return f"{shown}, none with both{': confirmed' if self.old and self.likely else ''}"

    def as_dict(self) -> dict[str, int]:
        """Return a JSON object: `old`, `new`, `both`."""
        return {"old": self.old, "new": self.new, "both": self.both}


@dataclass(slots=True)
class Affected:
    """The records that one change breaks, and the projects of those that name one."""

    records: int = 0
    projects: set[str] = field(default_factory=set)
    evidence: Evidence | None = None

    @property
    def text(self) -> str:
        """The counts in words; empty if there are none."""
        parts = []
        if self.records:
            of = f" in {plural(len(self.projects), 'project')}" if self.projects else ""
            parts.append(f"{plural(self.records, 'record')}{of}")
        if self.evidence is not None and self.evidence.text:
            parts.append(self.evidence.text)
        return "; ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return a JSON object: `records`, `projects` (a number), `evidence`."""
        evidence = None if self.evidence is None else self.evidence.as_dict()
        return {"records": self.records, "projects": len(self.projects), "evidence": evidence}


class StoredData:
    """Counts of records by the changes of one comparison.

    `by_change` has one entry for each change, in their order; `others` counts records with a
    finding that belongs to no change.
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.by_change = [
            Affected(
                evidence=None if guess is None else Evidence(guess.kind != "value", guess.likely)
            )
            for guess in (change.guess for change in comparison.changes)
        ]
        self.others = Affected()
        self._everywhere = [
            (index, single)
            for index, change in enumerate(comparison.changes)
            for single in change.everywhere
        ]

    def add(self, value: Any, *, is_document: bool) -> None:
        """Count the evidence of a record for the guesses, even if it is invalid."""
        for change, affected in zip(self.comparison.changes, self.by_change, strict=True):
            if affected.evidence is not None:
                data = _side(change, value, is_document=is_document)
                _count(affected.evidence, change, data)

    def add_broken(self, value: Any, findings: Sequence[Finding], *, is_document: bool) -> None:
        """Count a record that was valid and has these findings now."""
        project = value.get("projectId") if is_document and type(value) is dict else None
        found = {self._index(finding, value, is_document=is_document) for finding in findings}
        for index in found:
            affected = self.others if index is None else self.by_change[index]
            affected.records += 1
            if type(project) is str:
                affected.projects.add(project)

    def _index(self, finding: Finding, value: Any, *, is_document: bool) -> int | None:
        """Return the index of the change that a finding belongs to."""
        exactly: list[int] = []
        near: list[tuple[bool, int, int]] = []
        for index, change in self._everywhere:
            if change.kind not in ("breaking", "unknown") or not change.narrows:
                continue
            place = _place(change, finding, is_document=is_document)
            if place is None:
                continue
            if _is_about(change, finding, place, value):
                exactly.append(index)
            elif (size := _shared(change, place)) is not None:
                near.append((change.keyword == finding.keyword, size, -index))
        if exactly:
            pointers = {index: _pointers(self.comparison.changes[index]) for index in exactly}
            same = [index for index in exactly if finding.schema_path in pointers[index]]
            return (same or exactly)[0]
        return -max(near)[2] if near else None

    @property
    def lines(self) -> Iterator[tuple[Change | None, str]]:
        """Each change that stored data tells something of, with the counts; None for others."""
        for change, affected in zip(self.comparison.changes, self.by_change, strict=True):
            if affected.text:
                yield change, affected.text
        if self.others.text:
            yield None, self.others.text


def _side(change: Change, value: Any, *, is_document: bool) -> Any:
    """Return the value that the paths of a change refer to; `_NOWHERE` if there is none."""
    if is_document == (change.scope == "document"):
        return value
    if is_document and type(value) is dict:
        return value.get("data", _NOWHERE)
    return _NOWHERE


def _place(change: Change, finding: Finding, *, is_document: bool) -> str | None:
    """Return the path of a finding as the paths of a change begin; None if it is elsewhere."""
    if is_document == (change.scope == "document"):
        return finding.path
    if not is_document or not (finding.path == _DATA or finding.path.startswith(f"{_DATA}/")):
        return None
    return finding.path.removeprefix(_DATA)


def _is_about(change: Change, finding: Finding, place: str, value: Any) -> bool:
    if change.parts:
        return any(_is_about(part, finding, place, value) for part in change.parts)
    if not change.is_about(finding.with_path(place, ())):
        return False
    if finding.keyword in _LISTED and change.subjects:
        return resolve_pointer(value, finding.path) in Options([*change.subjects])
    return True


def _pointers(change: Change) -> set[str]:
    return {change.pointer, *(part.pointer for part in change.parts)}


def _shared(change: Change, place: str) -> int | None:
    """Return the number of shared tokens if a change and a place are nested, or None."""
    pattern, tokens = parse_pointer(change.path), parse_pointer(place)
    size = min(len(pattern), len(tokens))
    alike = all(a in (ANY, b) for a, b in zip(pattern, tokens, strict=False))
    return size if alike else None


def _count(evidence: Evidence, change: Change, data: Any) -> None:
    if data is _NOWHERE:
        return
    held = [one for single in change.everywhere for one in _sides_held(single, data)]
    evidence.old += any(old for old, _ in held)
    evidence.new += any(new for _, new in held)
    evidence.both += any(old and new for old, new in held) and evidence.names


def _sides_held(change: Change, data: Any) -> Iterator[tuple[bool, bool]]:
    """Yield, for each place of a guess in data, if it has the old and the new name or value."""
    guess = change.guess
    if guess is None:
        return
    if guess.kind == "value":
        olds, news = (Options([pair[side] for pair in guess.pairs]) for side in (0, 1))
        for value in _values_at(data, parse_pointer(change.path)):
            yield value in olds, value in news
        return
    for pair in guess.pairs:
        yield from _held(data, parse_pointer(pair.old), parse_pointer(pair.new))


def _held(data: Any, old: list[str], new: list[str]) -> Iterator[tuple[bool, bool]]:
    """Yield, for each shared place of two patterns, if it has the old and the new member."""
    shared = next(size for size, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    for place in _values_at(data, old[:shared]):
        yield _has(place, old[shared:]), _has(place, new[shared:])


def _has(value: Any, names: Sequence[str]) -> bool:
    for name in names:
        if type(value) is not dict or name not in value:
            return False
        value = value[name]
    return True


def _values_at(value: Any, tokens: Sequence[str]) -> Iterator[Any]:
    """Yield the values at the places that a pattern matches."""
    if not tokens:
        yield value
        return
    token, rest = tokens[0], tokens[1:]
    if type(value) is list:
        below = (
            value if token == ANY else value[int(token) : int(token) + 1] if token.isdigit() else []
        )
    elif type(value) is dict:
        below = [*value.values()] if token == ANY else [value[token]] if token in value else []
    else:
        below = []
    for one in below:
        yield from _values_at(one, rest)
