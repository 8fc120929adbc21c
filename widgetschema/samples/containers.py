"""Arrays: how many items, which, and how they are told apart.

Validation specification, section 6.4. What arrays and objects share is here, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from widgetschema.jsontext.equality import canonical
from widgetschema.samples.choosers import MOST_REQUIRED, Path, Stuck
from widgetschema.samples.distinct import distinct
from widgetschema.samples.step import Step, Values

if TYPE_CHECKING:
    from widgetschema.samples.choosers import Chooser
    from widgetschema.samples.plan import Plan
    from widgetschema.schema.tree import Node

TRIES: Final = 25
USUAL: Final = 3  # items that an array or a map has at most, if nothing else is said
MOST: Final = 10_000  # items that are written out to reach a bound


class Items(Step):
    """Something of which there are `low` to `high`; `usual` are likely numbers."""

    low: int
    high: int | None
    usual: tuple[int, int]

    def settle(self, low: int, high: int | None) -> None:
        """Take these as the bounds."""
        if high is not None and low > high:
            raise Stuck(self.node.pointer, f"at least {low:,} are needed, but at most {high:,} fit")
        if low > MOST:
            raise Stuck(self.node.pointer, f"at least {low:,} are needed: more than {MOST:,}")
        self.low, self.high = low, high
        most = low + USUAL - 1 if low else USUAL
        least = max(low, 1 if high is None or high > 0 else 0)
        self.usual = (least, max(least, most if high is None else min(most, high)))

    def counts(self) -> list[tuple[str, int]]:
        """None, one, many, the bounds and their neighbours: those that are allowed, named."""
        high = self.high if self.high is not None and self.high <= 1000 else None
        found = [("none", 0), ("one", 1), ("many", max(USUAL, self.low + 2))]
        found += [("least", self.low), ("least+1", self.low + 1)]
        found += [] if high is None else [("most", high), ("most-1", high - 1)]
        named: dict[int, str] = {}
        for name, number in found:
            if self.low <= number and (self.high is None or number <= self.high):
                named.setdefault(number, name)
        return [(name, number) for number, name in named.items()]


class _Seen:
    """The items of one array that has to have different ones, and where others come from."""

    def __init__(self) -> None:
        self.items: set[Any] = set()
        self.others: dict[Step, Iterator[Any]] = {}

    def is_new(self, value: Any) -> bool:
        """Whether a value was not there before; now it is."""
        stand_in = canonical(value)
        if stand_in in self.items:
            return False
        self.items.add(stand_in)
        return True


class List(Items):
    """An array."""

    def __init__(self, plan: Plan, node: Node, names: tuple[str, ...]) -> None:
        super().__init__(plan, node, names)
        self._steps: list[Step | None] = []
        self._alike = not (node.unique or node.tuple_length or node.contains)
        low, high = node.least("minItems"), node.most("maxItems")
        wanted = self._wanted(high)
        low = max(low, 1 + max(wanted, default=-1))
        for index in range(node.tuple_length + 1):
            if not plan.possible(node.item(index)):
                high = index if high is None else min(high, index)
                break
        if node.unique and not node.tuple_length and not node.contains:
            item = plan.step(node.item(0), names) if high != 0 else None
            if isinstance(item, Values):
                high = min(len(item.values), len(item.values) if high is None else high)
        self.settle(low, high)
        if node.tuple_length and (self.high is None or self.high >= node.tuple_length):
            self.usual = (max(self.usual[0], self.low), max(self.usual[1], node.tuple_length))

    def _wanted(self, high: int | None) -> dict[int, list[str]]:
        """Where the items go that `contains` asks for: one place each, if there is room."""
        self.wanted: dict[int, list[str]] = {}
        for pointer in self.node.contains:
            room = range(min(self.node.tuple_length + len(self.node.contains), high or MOST))
            for index in [i for i in room if i not in self.wanted] + [*self.wanted]:
                narrowed = self.node.item(index).narrowed((*self.wanted.get(index, ()), pointer))
                if self.plan.possible(narrowed):
                    self.wanted.setdefault(index, []).append(pointer)
                    break
            else:
                raise Stuck(pointer, "no item can be what contains asks for")
        return self.wanted

    @property
    def described(self) -> int:
        """How many items, from the first on, may differ in what is said of them."""
        return max(self.node.tuple_length + 1, 1 + max(self.wanted, default=-1))

    def item(self, index: int) -> Step:
        """The step of an item."""
        if index in self.wanted:
            node = self.node.item(index).narrowed(tuple(self.wanted[index]))
            return self.plan.step(node, self.names)
        index = min(index, self.node.tuple_length)
        while len(self._steps) <= index:
            self._steps.append(None)
        step = self._steps[index]
        if step is None:
            step = self._steps[index] = self.plan.step(self.node.item(index), self.names)
        return step

    def make(self, chooser: Chooser, path: Path) -> list[Any]:
        chooser.budget -= 1
        if chooser.budget < -MOST_REQUIRED:
            raise self.too_large()
        lane = chooser.lane() if self._alike else None
        if lane is not None and (fast := self.item(0).fast) is not None:
            return [fast(lane.below) for _ in range(chooser.count(self, path))]
        items: list[Any] = []
        seen = _Seen()
        for index in chooser.indices(self, path):
            try:
                items.append(self._made(chooser, (path, index), self.item(index), seen))
            except Stuck:
                chooser.forget((path, index))
                if index < self.low or index <= max(self.wanted, default=-1):
                    raise
                break
        chooser.made(self, path, items)
        return items

    def _made(self, chooser: Chooser, path: Path, step: Step, seen: _Seen) -> Any:
        """An item; another one than those before it, if they have to be different."""
        if not self.node.unique:
            return step.make(chooser, path)
        for _ in range(TRIES if step not in seen.others else 1):
            value = step.make(chooser, path)
            if seen.is_new(value):
                return value
            chooser.forget(path)
        if step not in seen.others:
            seen.others[step] = distinct(step, step.make(chooser, path))
        fits = self.plan.checker(step.node)
        for value in seen.others[step]:  # goes on where it was left
            if fits(value) and seen.is_new(value):
                return value
        raise Stuck(step.node.pointer, "too few different items were found")
