"""Cases that coverage and near-misses hand out, and the ledger of what they cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, overload

from widgetschema.samples.model import copy_json
from widgetschema.text import plural

# The beginning of reasons that are due to a limit, so there might be a case.
LEFT_OUT: Final = "left out: "


class ExpectedFinding(NamedTuple):
    """An expected finding: its keyword, and its JSON Pointer."""

    keyword: str
    path: str


@dataclass(frozen=True)
class Case:
    """Data with a name.

    `id` names the target, as in `enum@/content/layout#case`; `kind` is "valid" (a sample),
    "coverage" or "near-miss"; `findings` are exactly those that checking `data` gives, none for
    valid data. `covers` are the ids of all targets that it covers; `pair` are two of them, if the
    case was made to combine these.
    """

    id: str
    kind: str
    data: Any = field(hash=False)
    findings: tuple[ExpectedFinding, ...] = ()
    covers: tuple[str, ...] = field(default=(), repr=False)
    pair: tuple[str, str] | None = field(default=None, repr=False)

    @property
    def valid(self) -> bool:
        """True if the data is valid."""
        return not self.findings


class Target(NamedTuple):
    """One line of the ledger: a target with the case that covers it, or the reason for none."""

    id: str
    case: str | None
    why: str | None = None

    @property
    def left_out(self) -> bool:
        """True if a limit (of steps, cases or pairs) was reached, so there might be a case."""
        return self.why is not None and self.why.startswith(LEFT_OUT)


@dataclass(frozen=True)
class CaseSet(Sequence[Case]):
    """Cases in order, and a ledger in which every target has one line.

    `steps` is the effort, counted in steps: the same on every machine.
    """

    cases: tuple[Case, ...]
    ledger: tuple[Target, ...]
    steps: int = field(default=0, compare=False)

    def copy(self) -> CaseSet:
        """Return the same cases with data that the caller may change."""
        cases = tuple(replace(case, data=copy_json(case.data)) for case in self)
        return replace(self, cases=cases)

    @property
    def uncovered(self) -> tuple[Target, ...]:
        """The lines of the ledger that have no case, but a reason."""
        return tuple(target for target in self.ledger if target.case is None)

    @property
    def left_out(self) -> tuple[Target, ...]:
        """The uncovered targets that a limit left out; none if all others were tried."""
        return tuple(target for target in self.uncovered if target.left_out)

    @property
    def summary(self) -> str:
        """The numbers of cases and targets, and of targets that were left out, in one line."""
        covered = len(self.ledger) - len(self.uncovered)
        of_all = f"{covered:,} of {plural(len(self.ledger), 'target')} covered"
        left_out = len(self.left_out)
        rest = f"; incomplete: {plural(left_out, 'target')} left out" if left_out else ""
        return f"{plural(len(self.cases), 'case')}; {of_all}{rest}"

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
        lines = [f"  not covered: {target.id}: {target.why}" for target in self.uncovered]
        return "\n".join((self.summary, *lines))
