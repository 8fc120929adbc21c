"""Hypothesis strategies on the plan: decisions are drawn. Needs `hypothesis`.

Only Hypothesis's public interface is used. The first option of each choice is the simplest (an
absent member, the lowest branch, the first listed value), so that examples shrink.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count
from typing import Any, Final

from hypothesis import reject
from hypothesis import strategies as st

from widgetschema.errors import CannotGenerate
from widgetschema.pointers import pointer_of
from widgetschema.samples.arrays import Array
from widgetschema.samples.cases import Case, CaseSet
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.directed import BaseData, PlacedValue, within
from widgetschema.samples.model import (
    Chooser,
    CountedStep,
    DeadEnd,
    Member,
    ObjectStep,
    Path,
    PickStep,
    ScalarStep,
    Step,
    copy_json,
)
from widgetschema.samples.near_misses import NearMisses
from widgetschema.samples.numbers import Number, plain
from widgetschema.samples.plan import Plan
from widgetschema.samples.sampler import Sampler, check_reach
from widgetschema.samples.texts import Text
from widgetschema.validation import Validator

_MAX_ITEMS: Final = 50  # more than the fewest
_FREE_DEPTH: Final = 4  # levels of recursive arrays and objects below which less is made
_DEEP_ODDS: Final = 4  # one in so many values has a depth of its own as its goal
_END_ODDS: Final = 64  # times as rare is an end above that depth
MAX_DRAWN: Final = 1_500  # numbers, or characters of a text, that are drawn from Hypothesis
_FIRST_PLACES: Final = 2  # places among which the kind of mistake is chosen first
_MAX_PLACES_TRIED: Final = 12  # places that are tried for one near-miss
_FIRST_CASES: Final = 32  # near-misses for what cannot be broken
_LARGEST: Final = Fraction(sys.float_info.max)
_ANY_CHARACTER: Final = st.characters(exclude_categories=["Cs"])
_ANY_NAME: Final = st.text(_ANY_CHARACTER, max_size=20)


class Strategies:
    """The strategies of one schema, and those of its numbers and texts, made once.

    `plan(examples=…, horizon=…)` returns the plan with these settings, `near_misses(max_cases=…)`
    the first near-misses.
    """

    def __init__(
        self,
        plan: Callable[..., Plan],
        validator: Validator,
        sampler: Sampler,
        near_misses: Callable[..., CaseSet],
    ) -> None:
        self._plan = plan
        self.validator = validator
        self._sampler = sampler
        self._near_misses = near_misses
        self._values: dict[Step, st.SearchStrategy[Any]] = {}

    def valid(self, *, realistic: bool = False, **reach: Any) -> st.SearchStrategy[Any]:
        """Return a strategy for valid data. `reach` is `max_depth`, `max_items` and, of realistic
        data, `examples` and `horizon`. Raises `CannotGenerate` if there is none, `ValueError` for
        an unusable argument.
        """
        return self._bases(realistic, **reach).map(lambda base: base.data)

    def near_misses(self, *, realistic: bool = False, **reach: Any) -> st.SearchStrategy[Case]:
        """Return a strategy for valid data with one mistake. Raises as `valid` does.

        Where nothing of the data can be broken, it is one of the first cases of `near_misses`.
        """
        bases, near_misses = self._bases(realistic, **reach), NearMisses(self.validator)
        given = {name: one for name, one in reach.items() if name != "examples" and one is not None}
        cases = self._near_misses(max_cases=_FIRST_CASES, **given)
        if not cases:
            name = self.validator.linked.id or "schema"
            raise CannotGenerate(name, "", "nothing that it requires can be broken")

        @st.composite
        def near_miss(draw: st.DrawFn) -> Case:
            """Draw one near-miss."""
            base = draw(bases)
            number, which = draw(st.integers(0, 0xFFFF)), draw(st.integers(0, 63))
            # Places are chosen independently of each other, so that the data around one can shrink.
            places = sorted(base.places, key=lambda made: _rank(made, number))
            for some in (places[:_FIRST_PLACES], places[_FIRST_PLACES:_MAX_PLACES_TRIED]):
                case = near_misses.random_mistake(base, some, which)
                if case is not None:
                    return case
            case = cases[draw(st.integers(0, len(cases) - 1))]
            return replace(case, data=copy_json(case.data))

        return near_miss()

    def _bases(
        self,
        realistic: bool,
        *,
        max_depth: int | None = None,
        max_items: int | None = None,
        examples: bool = True,
        horizon: str | None = None,
    ) -> st.SearchStrategy[BaseData]:
        check_reach(max_depth, max_items)
        if horizon is not None and not realistic:
            raise ValueError("a horizon is for realistic data: pass realistic=True, too")
        self._sampler.sample()  # says why, if there is no valid data at all
        # Of the plan with examples, the steps of what is not realistic would ask in vain.
        plan = self._plan(examples=realistic and examples, horizon=horizon)
        is_valid = self.validator.is_valid
        root = plan.root

        @st.composite
        def base(draw: st.DrawFn) -> BaseData:
            """Draw valid data and its places."""
            chooser = HypothesisChooser(draw, self, realistic, max_depth, max_items)
            try:
                value = root.make(chooser, ())
            except (DeadEnd, RecursionError):
                reject()
            if not is_valid(value):
                reject()
            return BaseData.of(value, chooser.places)

        return base()

    def of_step(self, step: Number | Text) -> st.SearchStrategy[Any]:
        """Return a strategy for any number that a step allows, or any text of an allowed length."""
        if step not in self._values:
            self._values[step] = (
                _numbers(step)
                if isinstance(step, Number)
                else st.text(_ANY_CHARACTER, min_size=step.low, max_size=step.high)
            )
        return self._values[step]


class HypothesisChooser(Chooser):
    """Lets Hypothesis decide."""

    max_level = 40  # by default: the most that fits into Python's own stack

    def __init__(
        self,
        draw: st.DrawFn,
        strategies: Strategies,
        realistic: bool,
        max_depth: int | None = None,
        max_items: int | None = None,
    ) -> None:
        super().__init__()
        if max_depth is not None:
            self.max_level = max_depth
        self.max_items = max_items
        self._draw = draw
        self._strategies = strategies
        self.realistic = realistic
        self._drawn = 0
        self._goal: int | None = None  # the level to reach; mostly none
        self._rest: StreamChooser | None = None
        self.places: list[PlacedValue] = []

    def randbelow(self, n: int) -> int:
        """Return a number that Hypothesis draws; beyond a limit, one of a stream that it seeds."""
        if n <= 1:
            return 0
        self._drawn += 1
        if self._drawn <= MAX_DRAWN:
            return self._draw(_below(n))
        if self._rest is None:  # the limit is reached: the rest follows from one number
            self.realistic = True
            self._rest = StreamChooser(f"rest/{self._draw(_below(1 << 16))}")
        return self._rest.randbelow(n)

    @property
    def _rarely(self) -> int:
        """The factor by which an end is rarer here than usual, to reach the goal.

        Drawn numbers mean the same with and without a goal, so the level can shrink last.
        """
        if not self.level:
            return 1
        if self._goal is None:
            is_deep = self.randbelow(_DEEP_ODDS) == _DEEP_ODDS - 1
            most = self.max_level + 1
            self._goal = min(self.randbelow(most), self.randbelow(most)) if is_deep else 0
        return _END_ODDS if self.level < self._goal else 1

    def option(self, step: PickStep, path: Path) -> int:
        """Return a drawn option, those that end soonest first."""
        rarely = self._rarely
        ends = self.must_end or (self.level > _FREE_DEPTH and not self.randbelow(3 * rarely))
        order = step.shallow if ends else step.in_order
        leads_back = len(step.shallow) < len(order)  # the last option is the highest one
        number = self.randbelow(len(order) * (rarely if leads_back else 1))
        return order[min(number, len(order) - 1)]

    def value(self, step: PickStep, path: Path) -> int:
        """Return the index of a drawn value."""
        return self.randbelow(len(step.in_order))

    def takes_example(self, one_in: int, *, whole: bool) -> bool:
        """Return a drawn answer; without examples is the simplest."""
        return self.randbelow(one_in) == one_in - 1

    def members(self, step: ObjectStep, path: Path) -> Iterator[Member]:
        """Yield the required members, then drawn ones."""
        yield from step.required
        optional = [member for member in step.members if not member.required]
        if self.must_end or not optional:
            return
        seen: set[int] = set()
        rarely = self._rarely
        # Each number has the same meaning after any other, so that shrinking can drop any member.
        # 0 ends the members: on average, half of them are present. The end is drawn even if all
        # are present, so that dropping one does not change the numbers of the others.
        while (number := self.randbelow((len(optional) + 2) * rarely)) and len(seen) < len(
            optional
        ):
            if self.level > _FREE_DEPTH and not self.randbelow(2 * rarely):
                return  # ends even if many members are recursive
            index = (number - 1) % len(optional)
            if index not in seen:
                seen.add(index)
                yield optional[index]

    def count(self, step: CountedStep, path: Path) -> int:
        """Return a drawn number of items."""
        return sum(1 for _ in self.indices(step, path))

    def indices(self, step: CountedStep, path: Path) -> Iterator[int]:
        """Yield indices until Hypothesis draws an end."""
        yield from range(step.low)
        if self.must_end or step.low == step.usual[1]:
            return
        most = step.low + _MAX_ITEMS if self.max_items is None else self.max_items
        most = most if step.high is None else min(most, step.high)
        if most <= step.low:
            return
        for index in count(step.low):
            often = 4 if index > step.low else 4 * self._rarely
            ends = self.randbelow(often) < (
                1 if isinstance(step, Array) and self.level <= _FREE_DEPTH else 3
            )
            if ends or index == most:  # drawn also after the last one, as for members
                return
            yield index

    def any_name(self) -> str | None:
        """Return a drawn text, unless data is realistic."""
        self._drawn += 1
        if self.realistic or self._drawn > MAX_DRAWN:
            return None
        return self._draw(_ANY_NAME)

    def scalar(self, step: ScalarStep, path: Path) -> Any:
        """Return a likely value, or any that the schema allows."""
        assert isinstance(step, (Number, Text))
        is_text = isinstance(step, Text)
        self._drawn += is_text
        if self.realistic or (is_text and self._drawn > MAX_DRAWN):
            return step.draw(self.randbelow)
        if isinstance(step, Number) or (step.free and step.low <= MAX_DRAWN):
            return self._draw(self._strategies.of_step(step))
        return step.from_pattern(self.randbelow) or step.draw(self.randbelow)

    def on_made(self, step: Step, path: Path, value: Any) -> None:
        """Record a value and the place where it was made."""
        self.places.append(PlacedValue(path, step, value))

    def on_discard(self, path: Path) -> None:
        """Remove the records at a path and below it."""
        self.places = [place for place in self.places if not within(place.path, path)]


def _rank(made: PlacedValue, number: int) -> int:
    """Return the rank of a place for a number: stable in all data, and evenly distributed."""
    return zlib.crc32(f"{number}{pointer_of(made.path)}{type(made.step).__name__}".encode())


@cache
def _below(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


def _numbers(step: Number) -> st.SearchStrategy[int | float]:
    low, high, unit = step.low, step.high, step.unit or Fraction(1)
    first = None if low is None else -(-low // unit)
    last = None if high is None else high // unit
    fits = first is None or last is None or first <= last
    numbers: list[st.SearchStrategy[int | float]] = [st.integers(first, last)] if fits else []
    if step.unit and step.unit != 1:
        numbers = [numbers[0].map(lambda times: plain(Fraction(times) * unit))]
    if not step.unit and all(bound is None or abs(bound) < _LARGEST for bound in (low, high)):
        least, most = (None if bound is None else float(bound) for bound in (low, high))
        numbers.append(st.floats(least, most, allow_nan=False, allow_infinity=False))
    either = st.one_of(numbers)
    # Bounds that are excluded, and those that no double is near enough to.
    return either if low is None and high is None else either.filter(step.allows_plain)
