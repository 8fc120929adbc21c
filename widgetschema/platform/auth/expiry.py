"""When a token may expire: reads `expires_in`, whose unit and format are not documented.

What comes out is a hint. Nothing here fails, and nobody may rely on it: the platform's 401 is
the truth.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_LONGEST: Final = 100  # characters; no duration and no date needs more
_CENTURY: Final = 100 * 365.25 * 86_400
# A number from here on is an instant: as a duration it would be more than thirty years.
_EPOCH_SECONDS: Final = 1e9
_EPOCH_MILLISECONDS: Final = 1e11
_EPOCH_END: Final = 1e14

_NUMBER: Final = re.compile(r"\+?[0-9]{1,20}(?:\.[0-9]{0,20})?", re.ASCII)
_DATED: Final = re.compile(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}(?:$|[Tt ])")
_WEEKDAY: Final = re.compile(r"[A-Za-z]{3,9},? ")
_CLOCK: Final = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,9})?)")
_AMOUNT: Final = r"(?:([0-9]{1,12}(?:[.,][0-9]{1,9})?)%s)?"
_ISO_DURATION: Final = re.compile(
    "P" + "".join(_AMOUNT % unit for unit in "YMWD") + "(?:T"
    "" + "".join(_AMOUNT % unit for unit in "HMS") + ")?",
    re.IGNORECASE,
)
_ISO_SECONDS: Final = (365 * 86_400, 30 * 86_400, 7 * 86_400, 86_400, 3_600, 60, 1)
_PART: Final = re.compile(r"\s*([0-9]{1,12}(?:\.[0-9]{1,9})?)\s*([a-z]{1,12})\.?,?", re.IGNORECASE)
_UNITS: Final = {
    name: seconds
    for names, seconds in (
        ("ms msec msecs millisecond milliseconds", 0.001),
        ("s sec secs second seconds", 1.0),
        ("m min mins minute minutes", 60.0),
        ("h hr hrs hour hours", 3_600.0),
        ("d day days", 86_400.0),
        ("w week weeks", 604_800.0),
    )
    for name in names.split()
}


def seconds_until(raw: str | None, obtained: float) -> float | None:
    """How many seconds after `obtained` (epoch seconds) a token may expire, by `expires_in`.

    Read are: decimal seconds ("3600", "3600.0"); ISO 8601 durations ("PT1H"; a year counts 365
    days, a month 30); "1h30m", "90 min", "1 hour"; "01:00:00"; ISO 8601 and HTTP dates (UTC
    where they name no zone); and numbers that can only be instants, seconds or milliseconds
    since 1970. None is the answer for everything else, for more than a hundred years, and for
    zero, less, or an instant that was past already: a token that has just been given is not
    expired, so that such a hint says nothing.
    """
    if not isinstance(raw, str) or len(raw) > _LONGEST:
        return None
    text = raw.strip()
    seconds = _duration(text)
    if seconds is None:
        instant = _instant(text)
        seconds = None if instant is None else instant - obtained
    return seconds if seconds is not None and 0 < seconds <= _CENTURY else None


def _duration(text: str) -> float | None:
    if _NUMBER.fullmatch(text):
        number = float(text)
        return number if number < _EPOCH_SECONDS else None
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, seconds = clock.groups()
        return int(hours) * 3_600 + int(minutes) * 60 + float(seconds)
    if duration := _ISO_DURATION.fullmatch(text):
        return _sum_of(duration.groups())
    return _worded(text)


def _sum_of(amounts: tuple[str | None, ...]) -> float:
    return sum(
        float(amount.replace(",", ".")) * seconds
        for amount, seconds in zip(amounts, _ISO_SECONDS, strict=True)
        if amount is not None
    )


def _worded(text: str) -> float | None:
    """`1h30m`, `90 min`: amounts with units, one after the other."""
    at, seconds = 0, 0.0
    while at < len(text):
        part = _PART.match(text, at)
        unit = None if part is None else _UNITS.get(part[2].lower())
        if part is None or unit is None:
            return None
        at, seconds = part.end(), seconds + float(part[1]) * unit
    return seconds if at else None


def _instant(text: str) -> float | None:
    """A date, or a number of seconds or milliseconds since 1970, as epoch seconds."""
    if _NUMBER.fullmatch(text):
        number = float(text)
        if number >= _EPOCH_END:
            return None
        return number / 1000 if number >= _EPOCH_MILLISECONDS else number
    try:
        if _DATED.match(text):
            moment = datetime.fromisoformat(text.upper())
        elif _WEEKDAY.match(text):
            moment = parsedate_to_datetime(text)
        else:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
