"""Numbers: the allowed ones, as points of a grid, and the likely ones among them.

Multiples are decimals, 0.1 is a tenth; so are bounds with decimal places, so that multiples can
begin at a bound. Other bounds are the integers that they are, also those written with an exponent.
Validation specification, section 6.2.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.jsontext.decimals import decimal_value
from widgetschema.samples.model import (
    MAX_POOL,
    Chooser,
    DeadEnd,
    Path,
    Planner,
    ScalarStep,
)
from widgetschema.samples.values import RandBelow
from widgetschema.samples.values.horizon import DAY, Horizon, later
from widgetschema.samples.values.realism import number_for
from widgetschema.schema.tree import Limit, Node

_MAX_TRIES: Final = 20
_MIN_TIMESTAMP: Final = 1_000_000_000_000  # numbers from here on are milliseconds since 1970
_YEARS: Final = (1990, 2050)
_MAX_MAGNITUDE: Final = 2**1000  # near the limit of a double
_OFFSETS: Final = (0.5, 0.25, -0.1, 0.01)


class Grid(NamedTuple):
    """The numbers `first`, `first + unit` …, `size` of them."""

    first: Fraction
    unit: Fraction
    size: int

    def at(self, index: int) -> int | float:
        """Return one of them as a JSON number."""
        return plain(self.first + index * self.unit)


class Number(ScalarStep):
    """A number between `low` and `high` (None: no bound) on the grid of `unit` (0: none).

    `grid` has the likely numbers.
    """

    keyword = "number"

    def __init__(self, plan: Planner, node: Node, names: tuple[str, ...]) -> None:
        super().__init__(plan, node, names)
        self.unit = _unit(node)
        self.low, self.high = _exact(node.minimum), _exact(node.maximum)
        title, horizon = node.annotation("title"), plan.locale.horizon
        likely = _likely(names, title, horizon)
        # Without bounds, timestamps follow the seed, as dates do.
        bounded = (node.minimum, node.maximum) != (None, None) or node.multiples or node.key.refused
        self._follows = horizon is None and likely[0] >= _MIN_TIMESTAMP and not bounded
        grid = self._grid(*likely)
        if grid is None:
            raise DeadEnd(node.pointer, "no number fits its bounds and multiples")
        self.grid = grid
        is_date = horizon is not None and likely != _likely(names, title, None)
        in_horizon = is_date and likely[0] <= grid.first <= likely[1]
        self._least = grid.at(0) if in_horizon else self._nearest_to_zero()
        huge = abs(grid.first.numerator) >= _MAX_MAGNITUDE
        doubtful = huge or node.multiples or node.key.refused
        self._is_accepted = plan.checker(node) if doubtful else None
        whole = grid.unit.denominator == grid.first.denominator == 1
        self._whole = (int(grid.first), int(grid.unit), grid.size) if whole else None
        if self._is_accepted is None:
            self.fast = self.draw
            if self._whole is not None and grid.size <= MAX_POOL:
                first, unit, size = self._whole
                self.pool = range(first, first + unit * size, unit)

    def draw(self, randbelow: RandBelow) -> int | float:
        """Return one of the likely numbers."""
        if self._whole is not None:
            first, unit, size = self._whole
            value = first + unit * randbelow(size)
            return value + later(randbelow) * DAY if self._follows else value
        return self.grid.at(randbelow(self.grid.size))

    def make(self, chooser: Chooser, path: Path) -> int | float:
        """Return the number that the chooser wants, or another one if that is invalid."""
        value: int | float = chooser.scalar(self, path)
        if self._is_accepted is not None:
            value = self._nearest_fitting(value, chooser)
        chooser.on_made(self, path, value)
        return value

    def _nearest_fitting(self, value: int | float, chooser: Chooser) -> int | float:
        """Return the value, or another one that the engine accepts."""
        assert self._is_accepted is not None
        for turn in range(_MAX_TRIES):
            if self._is_accepted(value):
                return value
            with suppress(OverflowError):
                beside = value + _OFFSETS[turn % len(_OFFSETS)]  # certain multiples are refused
                if not self.unit and self._is_accepted(beside):
                    return beside
            value = self.draw(chooser.randbelow)
        for index in range(min(self.grid.size, 100)):
            if self._is_accepted(value := self.grid.at(index)):
                return value
        raise DeadEnd(self.node.pointer, "no number was found that fits its bounds and multiples")

    def _grid(self, low: Fraction, high: Fraction, step: Fraction) -> Grid | None:
        """Return the allowed points between `low` and `high`, or else at a bound."""
        width, unit = high - low, self.unit or step
        windows = [(low, high)]
        if self.low is not None:
            windows += [(self.low, self.low + width), (self.low, self.low + 2 * unit)]
        if self.high is not None:
            windows += [(self.high - width, self.high), (self.high - 2 * unit, self.high)]
        for start, end in windows:
            start = start if self.low is None else max(start, self.low)
            end = end if self.high is None else min(end, self.high)
            grid = self._between(start, end, unit)
            if grid is not None:
                return grid
        return None if self.unit else self._grid_between_bounds()

    def _between(self, low: Fraction, high: Fraction, unit: Fraction) -> Grid | None:
        """Return the multiples of a unit between two numbers, neither of them beyond a bound."""
        first, last = math.ceil(low / unit), math.floor(high / unit)
        if first <= last and not self.allows(first * unit):
            first += 1
        if first <= last and not self.allows(last * unit):
            last -= 1
        return Grid(first * unit, unit, last - first + 1) if first <= last else None

    def _grid_between_bounds(self) -> Grid | None:
        """Return points within bounds that are closer than any likely step."""
        if self.low is None or self.high is None:
            return None
        unit = (self.high - self.low) / 8
        candidates = [Grid(self.low + unit, unit, 7)] if unit else []
        for bound, towards in ((self.low, math.inf), (self.high, -math.inf)):
            with suppress(OverflowError):  # no finer grid beyond the range of doubles
                near = math.nextafter(float(bound), towards)
                candidates.append(Grid(Fraction(near), Fraction(1), 1))
        for grid in candidates:
            points = [grid.first + index * grid.unit for index in range(grid.size)]
            with suppress(OverflowError):
                if all(self.allows(Fraction(float(point))) for point in points):
                    return grid
        bounds = [bound for bound in (self.low, self.high) if self.allows(bound)]
        return Grid(bounds[0], Fraction(1), 1) if bounds else None

    def simplest(self, randbelow: RandBelow) -> int | float:
        """Return the number nearest to zero, or the first of the horizon."""
        return self._least

    def _nearest_to_zero(self) -> int | float:
        if self.allows(Fraction(0)):
            return 0
        for bound, sign in ((self.low, 1), (self.high, -1)):
            if not self.unit and bound is not None and bound * sign > 0 and self.allows(bound):
                return plain(bound)
        unit, grid = self.unit or Fraction(1), None
        if self.low is not None and self.low >= 0:
            end = self.low + 2 * unit
            grid = self._between(self.low, end if self.high is None else min(end, self.high), unit)
        elif self.high is not None:
            start = self.high - 2 * unit
            start = start if self.low is None else max(start, self.low)
            last = self._between(start, self.high, unit) or self.grid
            return last.at(last.size - 1)
        return (grid or self.grid).at(0)

    def allows(self, value: Fraction) -> bool:
        """Return True if a number, as it is written, is within the bounds."""
        return self.allows_plain(plain(value))

    def allows_plain(self, value: int | float) -> bool:
        """Return True if a JSON number is within the bounds."""
        low, high = self.node.minimum, self.node.maximum
        if low is not None and (value < low.value or (low.excluded and value == low.value)):
            return False
        return high is None or value < high.value or (value == high.value and not high.excluded)

    @cached_property
    def boundaries(self) -> list[tuple[str, int | float]]:
        """Return the numbers at and next to the bounds, and other edge cases, with names."""
        found: list[tuple[str, Fraction]] = []
        for name, bound, sign in (("minimum", self.low, 1), ("maximum", self.high, -1)):
            if bound is not None:
                step = sign * self.step_at(bound)
                inner = bound if not self.unit else _rounded(bound, self.unit, sign)
                found += [(name, inner), (f"{name}{'+' if sign > 0 else '-'}step", inner + step)]
        unit = self.unit or Fraction(1)
        found += [("zero", Fraction(0)), ("negative", -unit), ("large", unit * 2**53)]
        if not self.unit:
            found.append(("fraction", Fraction(1, 2)))
        named: dict[Fraction, str] = {}
        for name, value in found:
            if self.allows(value):
                named.setdefault(value, name)
        values = [(name, plain(value)) for value, name in named.items()]
        return [(n, v) for n, v in values if self._is_accepted is None or self._is_accepted(v)]

    def step_at(self, bound: Fraction) -> Fraction:
        """Return the step at a bound: the unit, or one in its last decimal place."""
        if self.unit:
            return self.unit
        digits = 0
        while digits < 15 and (bound * 10**digits).denominator != 1:
            digits += 1
        return Fraction(1, 10**digits)


def plain(value: Fraction) -> int | float:
    """Return a number as a JSON number: an int if it is integral."""
    if value.denominator == 1:
        return value.numerator
    try:
        return float(value)
    except OverflowError:  # larger than any double, so not a fraction
        return round(value)


@lru_cache(maxsize=4096)
def _likely(
    names: tuple[str, ...], title: str | None, horizon: Horizon | None
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the likely range of a number, and the size of its steps."""
    low, high, step = number_for(names, title)
    if horizon is not None and low >= _MIN_TIMESTAMP:
        low, high = horizon.moved(low, high)
    elif horizon is not None and _YEARS[0] <= low <= high <= _YEARS[1]:
        low, high = horizon.years
    return decimal_value(low), decimal_value(high), decimal_value(step)


def _exact(limit: Limit | None) -> Fraction | None:
    if limit is None:
        return None
    return Fraction(limit.value) if limit.value % 1 == 0 else decimal_value(limit.value)


def _unit(node: Node) -> Fraction:
    """Return the least common multiple of all `multipleOf`; 0 for none."""
    unit = Fraction(1) if node.integer else Fraction(0)
    for one in map(decimal_value, node.multiples):
        if not unit:
            unit = one
        else:
            bottom = unit.denominator * one.denominator
            top = math.lcm(unit.numerator * one.denominator, one.numerator * unit.denominator)
            unit = Fraction(top, bottom)
    return unit


def _rounded(bound: Fraction, unit: Fraction, sign: int) -> Fraction:
    return (math.ceil(bound / unit) if sign > 0 else math.floor(bound / unit)) * unit
