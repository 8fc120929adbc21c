"""Arrays: the number of items, their values, and unique items.

Validation specification, section 6.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from widgetschema.jsontext.equality import canonical
from widgetschema.samples.model import (
    MAX_WRITTEN_ITEMS,
    Chooser,
    CountedStep,
    DeadEnd,
    Path,
    Planner,
    Step,
)
from widgetschema.samples.numbers import Number, plain
from widgetschema.samples.steps import Illustrated, Values
from widgetschema.samples.texts import Text
from widgetschema.samples.values.realism import IDENTIFYING
from widgetschema.schema.tree import Node

_MAX_TRIES: Final = 25
_MAX_DISTINCT_TRIES: Final = 3  # tries to make an item that differs from the others
_MAX_VARIANTS: Final = 10_000  # of one value


class _DistinctItems:
    """The items so far of an array with unique items, and sources of further ones."""

    def __init__(self) -> None:
        self.items: set[Any] = set()
        self.others: dict[Step, Iterator[Any]] = {}

    def is_new(self, value: Any) -> bool:
        """Record a value and return True if it is new."""
        stand_in = canonical(value)
        if stand_in in self.items:
            return False
        self.items.add(stand_in)
        return True


class Array(CountedStep):
    """An array."""

    keyword = "items"

    def __init__(self, plan: Planner, node: Node, names: tuple[str, ...]) -> None:
        super().__init__(plan, node, names)
        self._steps: dict[int, Step] = {}
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
        self.set_bounds(low, high)
        if low > 1 and not (node.tuple_length or node.contains):
            if node.item(0).kinds == ("number",):  # a position, a range, a box: keep it short
                self.usual = (low, low)
        if node.tuple_length and (self.high is None or self.high >= node.tuple_length):
            self.usual = (max(self.usual[0], self.low), max(self.usual[1], node.tuple_length))

    def _wanted(self, high: int | None) -> dict[int, list[str]]:
        """Return the indices of the items for `contains`: one for each, if there is room."""
        self.wanted: dict[int, list[str]] = {}
        for pointer in self.node.contains:
            room = range(
                min(self.node.tuple_length + len(self.node.contains), high or MAX_WRITTEN_ITEMS)
            )
            for index in [i for i in room if i not in self.wanted] + [*self.wanted]:
                narrowed = self.node.item(index).narrowed((*self.wanted.get(index, ()), pointer))
                if self.plan.possible(narrowed):
                    self.wanted.setdefault(index, []).append(pointer)
                    break
            else:
                raise DeadEnd(pointer, "no item can match contains")
        return self.wanted

    @property
    def described(self) -> int:
        """The number of items, from the first on, that have schemas of their own."""
        return max(self.node.tuple_length + 1, 1 + max(self.wanted, default=-1))

    def item(self, index: int) -> Step:
        """Return the step of an item."""
        if index in self.wanted:
            node = self.node.item(index).narrowed(tuple(self.wanted[index]))
            return self.plan.step(node, self.names)
        index = min(index, self.node.tuple_length)
        step = self._steps.get(index)
        if step is None:
            step = self._steps[index] = self.plan.step(self.node.item(index), self.names)
        return step

    @property
    def item_pool(self) -> Sequence[Any] | None:
        """The pool of all items; None unless all are picked from one pool."""
        return self.item(0).pool if self._alike and self.high != 0 else None

    def make(self, chooser: Chooser, path: Path) -> list[Any]:
        """Return an array with the items that the chooser decides on."""
        chooser.budget -= self.cost
        if chooser.budget < chooser.floor:
            raise self.too_large(chooser)
        lane = chooser.draw_source()
        if lane is not None and self._alike:
            item = self._steps.get(0) or self.item(0)
            if (pool := item.pool) is not None:
                draw, size = lane[0], len(pool)
                made = [pool[draw() * size >> 16] for _ in range(chooser.count(self, path))]
                if type(pool[0]) is str and len({*made}) < len(made):
                    once = _without_repeats(made, pool)
                    enough = len(made) if chooser.wants_most else self.low
                    return once if len(once) >= enough else made
                return made
            if (fast := item.fast) is not None:
                randbelow = chooser.randbelow
                made = [fast(randbelow) for _ in range(chooser.count(self, path))]
                if len(made) > 1 and type(made[0]) is str:
                    once = [*dict.fromkeys(made)]
                    enough = len(made) if chooser.wants_most else self.low
                    return once if len(once) >= enough else made
                return made
        items: list[Any] = []
        seen = _DistinctItems()
        marks = {""}
        for index in chooser.indices(self, path):
            step = self.item(index)
            try:
                item = self._made(chooser, (path, index), step, seen)
                if lane is not None:
                    for _ in range(_MAX_DISTINCT_TRIES):
                        if _mark(item) not in marks:
                            break
                        chooser.on_discard((path, index))
                        item = self._made(chooser, (path, index), step, seen)
                    mark = _mark(item)
                    if mark in marks and index >= self.low and items:
                        chooser.on_discard((path, index))
                        continue
                    if mark is not None:
                        marks.add(mark)
                items.append(item)
            except DeadEnd as stuck:
                chooser.on_discard((path, index))
                if index < self.low or index <= max(self.wanted, default=-1):
                    raise
                self.plan.leave_out(stuck, chooser, (path, index))
                break
        chooser.on_made(self, path, items)
        return items

    def _made(self, chooser: Chooser, path: Path, step: Step, seen: _DistinctItems) -> Any:
        """Return an item; a new one if items are unique."""
        if not self.node.unique:
            return step.make(chooser, path)
        for _ in range(_MAX_TRIES if step not in seen.others else 1):
            value = step.make(chooser, path)
            if seen.is_new(value):
                return value
            chooser.on_discard(path)
        if step not in seen.others:
            made_by = step.inner if isinstance(step, Illustrated) else step
            seen.others[step] = distinct(made_by, step.make(chooser, path))
        fits = self.plan.checker(step.node)
        for value in seen.others[step]:  # continues where it stopped
            if fits(value) and seen.is_new(value):
                return value
        raise DeadEnd(step.node.pointer, "too few different items were found")


def _mark(item: Any) -> str | None:
    """Return the text or name that identifies an object or text, or all that it holds; "" for an
    empty object, None for other values.
    """
    if type(item) is not dict:
        return item if type(item) is str else None
    for name in IDENTIFYING:
        if type(text := item.get(name)) is str:
            return text
    return repr(item) if item else ""


def _without_repeats(texts: Sequence[str], pool: Sequence[str]) -> list[str]:
    """Return as many distinct texts of the pool as there are texts, or all of them."""
    once = dict.fromkeys(texts)
    at = pool.index(texts[0])
    others = (text for text in (*pool[at:], *pool[:at]) if text not in once)
    return [*once, *islice(others, len(texts) - len(once))]


def distinct(step: Step, value: Any) -> Iterator[Any]:
    """Yield distinct values similar to this one; the schema may reject some of them."""
    if isinstance(step, Values):
        yield from step.values
    elif isinstance(step, Number):
        unit, first = step.unit or Fraction(1), Fraction(value)
        if step.low is not None and step.high is not None:
            first = -(-step.low // unit) * unit  # all there are, from the least on
        for times in range(_MAX_VARIANTS):
            yield plain(first + times * unit)
            yield plain(first - times * unit)
    elif type(value) is str:
        yield from step.variants() if isinstance(step, Text) else ()
        for number in range(_MAX_VARIANTS):
            yield f"{value} {number}"
            yield value[: -len(str(number))] + str(number)
            yield spelt(number, len(value))
    else:
        for number in range(1, _MAX_VARIANTS):
            varied = _varied(value, number)
            if varied is value:  # nothing in it can be varied
                return
            yield varied


def _varied(value: Any, number: int) -> Any:
    """Return a copy with another first text or number; the value itself if it has none."""
    if type(value) is str:
        return f"{value} {number}"
    if type(value) in (int, float):
        return value + number
    if type(value) is list and value:
        varied = _varied(value[0], number)
        return value if varied is value[0] else [varied, *value[1:]]
    if type(value) is dict:
        for name, item in value.items():
            varied = _varied(item, number)
            if varied is not item:
                return {**value, name: varied}
    return value


def spelt(number: int, length: int) -> str:
    """Return a number in letters and digits, padded to a length."""
    text = ""
    while number or len(text) < length:
        number, digit = divmod(number, 36)
        text = "abcdefghijklmnopqrstuvwxyz0123456789"[digit] + text
    return text
