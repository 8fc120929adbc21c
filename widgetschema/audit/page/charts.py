"""The geometry of charts: from numbers to places on a picture; the templates draw them.

Lengths are in percent of the picture. What is not nothing can be seen: it has a least length.
Nothing is drawn here, and nothing is said but the names of days, weeks, months and years.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

MOST_COLUMNS: Final = 62  # two months of days; narrower ones look alike on a phone; of years, any
MOST_LABELS: Final = 6
_LEAST: Final = 0.6  # percent of a length that can be seen
_TAIL: Final = 0.02  # of all on either side may be left out of the picture, if that is finer then
_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def lengths(values: Sequence[float]) -> list[float]:
    """Return the lengths of bars: 100 for the largest value; any more than 0 can be seen."""
    largest = max(values, default=0)
    return [max(_LEAST, round(100 * value / largest, 2)) if value > 0 else 0.0 for value in values]


class Piece(NamedTuple):
    """A part of a bar that shows a whole."""

    name: str
    value: int
    x: float
    width: float


def pieces(values: Sequence[tuple[str, int]]) -> list[Piece]:
    """Return the parts of a whole, in their order; together 100. Zeros have no part."""
    seen = [(name, value) for name, value in values if value > 0]
    whole = sum(value for _, value in seen)
    wide = [max(_LEAST, 100 * value / whole) for _, value in seen]
    made, x = [], 0.0
    for (name, value), width in zip(seen, wide, strict=True):
        scaled = width * 100 / sum(wide)
        made.append(Piece(name, value, round(x, 2), round(scaled, 2)))
        x += scaled
    return made


class Column(NamedTuple):
    """A span of time: its name, what was counted in it, and where its column stands.

    `whole` is that of which the value is a part, 0 if it is not known; `rate` is the height of the
    column that stands for the share.
    """

    name: str
    value: int
    x: float
    width: float
    height: float
    whole: int = 0
    rate: float = 0.0


class Tick(NamedTuple):
    """A label at an axis; `more` is a second line of it."""

    at: float
    label: str
    more: str = ""


class Tail(NamedTuple):
    """The counts beyond one end of the picture: how many, and the farthest day."""

    value: int
    day: str


class Columns(NamedTuple):
    """Counts over time. `columns` are those with something in them, in order of time."""

    unit: str
    columns: tuple[Column, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    earlier: Tail | None
    later: Tail | None
    rate_ticks: tuple[Tick, ...] = ()

    @property
    def worst(self) -> Column:
        """The one with the largest share; the first of them."""
        return max(self.columns, key=lambda column: column.rate)

    @property
    def highest(self) -> Column:
        """The one with the most in it; the first of them."""
        return max(self.columns, key=lambda column: column.value)


class _Unit(NamedTuple):
    """A length of time: the number of the one that a day is in; its name, and that at the axis."""

    name: str
    number: Callable[[date], int]
    whole: Callable[[int], str]
    tick: Callable[[int], tuple[str, str]]  # the second line is told when it changes


def _day(number: int) -> str:
    day = date.fromordinal(number)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _day_tick(number: int) -> tuple[str, str]:
    day, _, year = _day(number).rpartition(" ")
    return day, year


def _monday(number: int) -> int:
    return number * 7 + 1  # the first day of the calendar is a Monday


def _month(number: int) -> tuple[str, str]:
    return _MONTHS[number % 12], str(number // 12)


_UNITS: Final = (
    _Unit("day", date.toordinal, _day, _day_tick),
    _Unit(
        "week",
        lambda day: (day.toordinal() - 1) // 7,
        lambda number: f"week of {_day(_monday(number))}",
        lambda number: _day_tick(_monday(number)),
    ),
    _Unit(
        "month",
        lambda day: day.year * 12 + day.month - 1,
        lambda number: " ".join(_month(number)),
        _month,
    ),
    _Unit("year", lambda day: day.year, str, lambda number: (str(number), "")),
)


def columns(
    counts: Sequence[tuple[date, int]], wholes: Mapping[date, int] | None = None
) -> Columns | None:
    """Return counts of days as columns of days, weeks, months or years; None without any.

    `wholes` has the numbers of which the counts are a part, by day, if these are known.

    A few far away from all others do not make the picture coarse: they are its tails.
    """
    days = sorted((day, value) for day, value in counts if value > 0)
    if not days:
        return None
    first, last, unit = _window(days)
    inside = days[first : last + 1]
    low, high = unit.number(inside[0][0]), unit.number(inside[-1][0])
    found: dict[int, int] = {}
    for day, value in inside:
        number = unit.number(day)
        found[number] = found.get(number, 0) + value
    whole: dict[int, int] = dict.fromkeys(found, 0)
    for day, value in (wholes or {}).items():
        if (number := unit.number(day)) in whole:
            whole[number] += value
    rates = {number: found[number] / whole[number] for number in found if whole[number]}
    rate_top, rate_ticks = _rate_ticks(max(rates.values(), default=0.0))
    step = _step(max(found.values()))
    top = -(-max(found.values()) // step) * step
    width = 100 / (high - low + 1)
    drawn = tuple(
        Column(
            unit.whole(number),
            value,
            round((number - low) * width, 3),
            round(width, 3),
            max(_LEAST, round(100 * value / top, 2)),
            whole[number],
            max(_LEAST, round(100 * rates[number] / rate_top, 2)) if number in rates else 0.0,
        )
        for number, value in found.items()
    )
    levels = range(0, top + 1, step)
    return Columns(
        unit.name,
        drawn,
        _x_ticks(unit, low, high),
        tuple(Tick(round(100 * level / top, 2), f"{level:,}") for level in levels),
        _tail(days[:first], 0),
        _tail(days[last + 1 :], -1),
        rate_ticks,
    )


def _rate_ticks(largest: float) -> tuple[float, tuple[Tick, ...]]:
    """Return the share at the top of a picture, and labels at its axis; none if there is none."""
    if not largest:
        return 1.0, ()
    power = 10.0 ** math.floor(math.log10(largest))
    factor = next(one for one in (1, 2, 5, 10) if largest <= one * power * (1 + 1e-9))
    top = min(1.0, factor * power)
    ticks = [Tick(at, f"{100 * top * at / 100:.4g} %") for at in (0, 50, 100)]
    return top, tuple(ticks)


def _window(days: Sequence[tuple[date, int]]) -> tuple[int, int, _Unit]:
    """Return the first and last day in the picture, as indices, and the unit of its columns."""
    whole = sum(value for _, value in days)
    first, last = _past(days, whole), len(days) - 1 - _past(days[::-1], whole)
    unit, coarse = _unit(days[first][0], days[last][0]), _unit(days[0][0], days[-1][0])
    is_far = (days[last][0] - days[first][0]) * 2 < days[-1][0] - days[0][0]
    if unit is coarse or not is_far:
        return 0, len(days) - 1, coarse
    while first and _fits(unit, days[first - 1][0], days[last][0]):
        first -= 1
    while last < len(days) - 1 and _fits(unit, days[first][0], days[last + 1][0]):
        last += 1
    return first, last, unit


def _past(days: Sequence[tuple[date, int]], whole: int) -> int:
    """Return the number of days at the beginning that are a tail."""
    seen = 0
    for index, (_, value) in enumerate(days):
        seen += value
        if seen > whole * _TAIL:
            return index
    return 0


def _unit(first: date, last: date) -> _Unit:
    return next((unit for unit in _UNITS if _fits(unit, first, last)), _UNITS[-1])


def _fits(unit: _Unit, first: date, last: date) -> bool:
    return unit.number(last) - unit.number(first) < MOST_COLUMNS


def _step(largest: int) -> int:
    """Return the step of at most four lines: 1, 2 or 5 times a power of ten."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if largest <= 4 * factor * power:
                return factor * power
        power *= 10


def _x_ticks(unit: _Unit, low: int, high: int) -> tuple[Tick, ...]:
    number = high - low + 1
    ticks = []
    told = ""
    for at in range(low, high + 1, -(-number // MOST_LABELS)):
        label, more = unit.tick(at)
        ticks.append(Tick(round(100 * (at - low + 0.5) / number, 2), label, more * (more != told)))
        told = more
    return tuple(ticks)


def _tail(days: Sequence[tuple[date, int]], farthest: int) -> Tail | None:
    if not days:
        return None
    return Tail(sum(value for _, value in days), _day(days[farthest][0].toordinal()))
