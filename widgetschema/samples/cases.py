"""Cases that coverage and near-misses hand out, and the ledger of what they cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, overload

from widgetschema.samples.model import copy_json
from widgetschema.text import plural


class ExpectedFinding(NamedTuple):
    """A finding that the validator must give: its keyword, and its JSON Pointer."""

    keyword: str
    path: str


@dataclass(frozen=True)
class Case:
    """Data with a name.

    `id` says what the case is about, as in `enum@/content/layout#case`; `kind` is "valid" (a
    sample), "minimal", "maximal", "coverage" or "near-miss"; `findings` are exactly those that
    checking `data` gives, none for valid data. `covers` are the ids of all targets it covers.
    """

    id: str
    kind: str
    data: Any = field(hash=False)
    findings: tuple[ExpectedFinding, ...] = ()
    covers: tuple[str, ...] = field(default=(), repr=False)

    @property
    def valid(self) -> bool:
        """True if the data is valid."""
        return not self.findings


class Target(NamedTuple):
    """One line of the ledger: what was to be covered, by which case it is, or why it is not."""

    id: str
    case: str | None
    why: str | None = None


@dataclass(frozen=True)
class CaseSet(Sequence[Case]):
    """Cases in order, and a ledger in which every target has one line."""

    cases: tuple[Case, ...]
    ledger: tuple[Target, ...]

    def copy(self) -> CaseSet:
        """Return the same cases with data that the caller may change."""
        return CaseSet(
            tuple(replace(case, data=copy_json(case.data)) for case in self), self.ledger
        )

    @property
    def uncovered(self) -> tuple[Target, ...]:
        """The lines of the ledger that have no case, but a reason."""
        return tuple(target for target in self.ledger if target.case is None)

    @overload
    def __getitem__(self, index: int) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Case, ...]: ...
    def __getitem__(self, index: int | slice) -> Case | tuple[Case, ...]:
        return self.cases[index]

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def __len__(self) -> int:
        return len(self.cases)

    def __str__(self) -> str:
        covered = len(self.ledger) - len(self.uncovered)
        of_all = plural(len(self.ledger), "target")
        lines = [f"{plural(len(self.cases), 'case')}; {covered:,} of {of_all} covered"]
        lines += [f"  not covered: {target.id}: {target.why}" for target in self.uncovered]
        return "\n".join(lines)
