"""The horizon of samples: the days between which all dates are.

Dates have their places within it by what they are: what was created lies in the past, what ends
lies late. Without a horizon of one's own, it is the years around a day that the seed fixes, and
never the clock: the same seed has the same dates on any day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache, lru_cache
from typing import Final, NamedTuple
from zlib import crc32

from widgetschema.samples.values import RandBelow, Text

# Years before and after a day in which dates lie: from `FIRST` on, so many.
_FIRST: Final = -4
_YEARS: Final = 7
_TODAY: Final = date(2027, 1, 1).toordinal()  # the day if there is no seed
_SEED_DAYS: Final = (date(2025, 7, 1).toordinal(), 3 * 365)  # the first day of a seed, and how many
_MAX_DAYS: Final = 1_000  # that are tried one by one
DAY: Final = 86_400_000  # milliseconds
_EPOCH: Final = date(1970, 1, 1).toordinal()
_TIMES: Final = tuple(f"T{hour:02}:{minute}:00Z" for hour in range(24) for minute in ("00", "30"))
_FORM: Final = "two dates in ISO 8601 from 1900 on, such as 2026-01-01/2026-12-31"


class Horizon(NamedTuple):
    """The first day, and the day after the last one, as numbers of `date.fromordinal`."""

    first: int
    end: int

    def days(self, year: int, count: int) -> tuple[int, int]:
        """Return the first day and the number of days for what is usually in `count` years from
        `year` on, counted from the day around which dates lie.
        """
        span = self.end - self.first
        first = self.first + span * (year - _FIRST) // _YEARS
        end = self.first + span * (year + count - _FIRST) // _YEARS
        return min(first, self.end - 1), max(1, end - first)

    def milliseconds(self, year: int, count: int) -> tuple[int, int]:
        """Return the first and the last millisecond for what is usually in these years."""
        first, days = self.days(year, count)
        return (first - _EPOCH) * DAY, (first + days - _EPOCH) * DAY - 60_000

    def moved(self, low: float, high: float) -> tuple[int, int]:
        """Return the first and the last millisecond for what is usually between these two."""
        usual, span = USUAL.end - USUAL.first, self.end - self.first
        first, end = (
            self.first + span * round(one / DAY + _EPOCH - USUAL.first) // usual
            for one in (low, high)
        )
        first = min(first, self.end - 1)
        return (first - _EPOCH) * DAY, (max(end, first + 1) - _EPOCH) * DAY - 60_000

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


def around(day: int) -> Horizon:
    """Return the horizon around a day."""
    return Horizon(day + 365 * _FIRST, day + 365 * (_FIRST + _YEARS))


USUAL: Final = around(_TODAY)


@lru_cache(maxsize=1024)
def days_later(seed: int | str) -> int:
    """Return the number of days between the usual day and that of a seed."""
    first, count = _SEED_DAYS
    return first + crc32(str(seed).encode("utf-8", "surrogatepass")) % count - _TODAY


def later(randbelow: RandBelow) -> int:
    """Return the number of days between the usual day and that of the seed of a stream."""
    days: int = getattr(randbelow, "days_later", 0)
    return days


@lru_cache(maxsize=1 << 14)
def _day_text(day: int) -> str:
    return date.fromordinal(day).isoformat()


def dates(horizon: Horizon | None, year: int, count: int, *, time: bool) -> Text:
    """Return the maker of dates for what is usually in these years, with a time in UTC or without;
    without a horizon, they follow the seed.
    """
    first, days = (horizon or USUAL).days(year, count)
    follows = horizon is None

    def draw(randbelow: RandBelow) -> str:
        """Return a date."""
        shift = getattr(randbelow, "days_later", 0) if follows else 0
        text = _day_text(first + randbelow(days) + shift)
        return text + _TIMES[randbelow(len(_TIMES))] if time else text

    return draw


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
