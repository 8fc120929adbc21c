"""The horizon of samples: the days between which all dates are.

Dates have their places within it by what they are: what was created lies in the past, what ends
lies late. Without a horizon of one's own these are the years from 2019 to 2039.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import cache
from typing import Final, NamedTuple

from widgetschema.samples.values import RandBelow, Text

_FIRST_YEAR: Final = 2019
_YEARS: Final = 21
_MAX_DAYS: Final = 1_000  # that are tried one by one
_DAY: Final = 86_400_000  # milliseconds
_EPOCH: Final = date(1970, 1, 1).toordinal()
_TIMES: Final = tuple(f"T{hour:02}:{minute}:00Z" for hour in range(24) for minute in ("00", "30"))
_FORM: Final = "two dates in ISO 8601 from 1900 on, such as 2026-01-01/2026-12-31"


class Horizon(NamedTuple):
    """The first day, and the day after the last one, as numbers of `date.fromordinal`."""

    first: int
    end: int

    def days(self, year: int, count: int) -> tuple[int, int]:
        """Return the first day and the number of days for what is usually in `count` years from
        `year` on.
        """
        span = self.end - self.first
        first = self.first + span * (year - _FIRST_YEAR) // _YEARS
        end = self.first + span * (year + count - _FIRST_YEAR) // _YEARS
        return min(first, self.end - 1), max(1, end - first)

    def dates(self, year: int, count: int, *, time: bool) -> Text:
        """Return the maker of dates for what is usually in these years, with a time in UTC or
        without.
        """
        first, days = self.days(year, count)

        def draw(randbelow: RandBelow) -> str:
            """Return a date."""
            text = date.fromordinal(first + randbelow(days)).isoformat()
            return text + _TIMES[randbelow(len(_TIMES))] if time else text

        return draw

    def milliseconds(self, low: float, high: float) -> tuple[int, int]:
        """Return the first and the last millisecond for what is usually between these two."""
        years = [datetime.fromtimestamp(one / 1000, UTC).year for one in (low, high)]
        first, days = self.days(years[0], years[1] - years[0] + 1)
        return (first - _EPOCH) * _DAY, (first + days - _EPOCH) * _DAY - 60_000

    def some_days(self) -> Iterator[str]:
        """Yield its first days, all if they are not too many."""
        for day in range(self.first, min(self.end, self.first + _MAX_DAYS)):
            yield date.fromordinal(day).isoformat()

    def has(self, text: str) -> bool:
        """Return True if a text begins with one of these days, or with no day at all."""
        try:
            day = date.fromisoformat(text[:10]).toordinal()
        except ValueError:
            return True
        return self.first <= day < self.end

    def __str__(self) -> str:
        """Return it as it is given."""
        return f"{date.fromordinal(self.first)}/{date.fromordinal(self.end - 1)}"

    @property
    def years(self) -> tuple[int, int]:
        """The first and the last year."""
        return date.fromordinal(self.first).year, date.fromordinal(self.end - 1).year


@cache
def parse_horizon(text: str) -> Horizon:
    """Return the horizon that a text describes. Raises `ValueError`."""
    try:
        first, last = (date.fromisoformat(part) for part in text.split("/"))
    except (ValueError, AttributeError):
        raise ValueError(f"a horizon is {_FORM}, not {text!r}") from None
    if first > last or first.year < 1900 or last.year > 9998:
        raise ValueError(f"a horizon is {_FORM}, the earlier one first, not {text!r}")
    return Horizon(first.toordinal(), last.toordinal() + 1)
