"""The geometry of charts: from numbers to places on a picture; the templates draw them.

Lengths are in percent of the picture. What is not nothing can be seen: it has a least length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final, NamedTuple

MOST_COLUMNS: Final = 62  # two months of days; narrower ones look alike on a phone; of years, any
MOST_LABELS: Final = 6
_LEAST: Final = 0.6  # percent of a length that can be seen
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
    """A span of time: its name, what was counted in it, and where its column stands."""

    name: str
    value: int
    x: float
    width: float
    height: float


class Tick(NamedTuple):
    """A label at an axis; `more` is a second line of it."""

    at: float
    label: str
    more: str = ""


class Columns(NamedTuple):
    """Counts over time. `columns` are those with something in them, in order of time."""

    unit: str
    columns: tuple[Column, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]

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


def columns(counts: Sequence[tuple[date, int]]) -> Columns | None:
    """Return counts of days as columns of days, weeks, months or years; None without any."""
    days = sorted((day, value) for day, value in counts if value > 0)
    if not days:
        return None
    first, last = days[0][0], days[-1][0]
    fitting = (one for one in _UNITS if one.number(last) - one.number(first) < MOST_COLUMNS)
    unit = next(fitting, _UNITS[-1])
    low, high = unit.number(first), unit.number(last)
    found: dict[int, int] = {}
    for day, value in days:
        number = unit.number(day)
        found[number] = found.get(number, 0) + value
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
        )
        for number, value in found.items()
    )
    levels = range(0, top + 1, step)
    y_ticks = tuple(Tick(round(100 * level / top, 2), f"{level:,}") for level in levels)
    return Columns(unit.name, drawn, _x_ticks(unit, low, high), y_ticks)


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
