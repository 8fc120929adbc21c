"""`Tokens`: the tokens of one login as an immutable value, and their form as JSON.

Nothing is read, written or sent here. The JSON form holds secrets in the clear: it exists only
within a `Secret`, and in the storage.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from widgetschema.platform.secret import Secret
from widgetschema.platform.values import TokenResponse

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


_VISIBLE: Final = re.compile(r"[\x21-\x7e]+")  # what a header carries (RFC 6750, section 2.1)
_PRINTABLE: Final = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]+")  # what a form carries
_SECRETS: Final = ("access_token", "refresh_token", "client_secret")
_TEXTS: Final = ("expires_in", "refresh_token_expires_in", "client_id", "auth_url", "account")
_TIMES: Final = ("obtained", "refresh_token_obtained")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one login to one platform.

    `obtained` and `refresh_token_obtained` are epoch seconds; `expires_in` and
    `refresh_token_expires_in` the platform's texts as they came, whose unit is not documented.
    `client_id` and `client_secret` are what a refresh needs besides the refresh token. They are
    sent to no other place than `base_url` (the access token) and `auth_url` (all else).
    `account` is a random name made at login and kept over refreshes: it says whose schemas are
    cached. An empty access token means that there is none yet: it takes a refresh to have one.
    """

    access_token: Secret
    base_url: str
    auth_url: str | None = None
    refresh_token: Secret | None = None
    expires_in: str | None = None
    refresh_token_expires_in: str | None = None
    obtained: float = 0.0
    refresh_token_obtained: float = 0.0
    client_id: str | None = None
    client_secret: Secret | None = None
    account: str = field(default_factory=lambda: secrets.token_hex(8))

    def expires_at(self) -> float | None:
        """When the access token may expire, in epoch seconds: a hint, None if there is none."""
        seconds = seconds_until(self.expires_in, self.obtained)
        return None if seconds is None else self.obtained + seconds

    def refresh_token_expires_at(self) -> float | None:
        """When the refresh token may expire, in epoch seconds: a hint, None if there is none."""
        seconds = seconds_until(self.refresh_token_expires_in, self.refresh_token_obtained)
        return None if seconds is None else self.refresh_token_obtained + seconds

    def renewed(self, response: TokenResponse, now: float) -> Tokens:
        """These tokens after a refresh.

        The documented answer to a refresh names no refresh token: then the old one goes on.
        """
        refresh_token, since = self.refresh_token, self.refresh_token_obtained
        refresh_expires_in = self.refresh_token_expires_in
        if response.refresh_token:
            refresh_token, since = response.refresh_token, now
            refresh_expires_in = response.refresh_token_expires_in
        return replace(
            self,
            access_token=response.access_token,
            expires_in=response.expires_in,
            obtained=now,
            refresh_token=refresh_token,
            refresh_token_expires_in=refresh_expires_in,
            refresh_token_obtained=since,
        )


def fits_header(secret: Secret) -> bool:
    """Whether a header can carry it: visible ASCII. Libraries print what they refuse."""
    return _VISIBLE.fullmatch(secret.reveal()) is not None


def fits_form(secret: Secret) -> bool:
    """Whether a form field can carry it: no control characters, no half of a character."""
    return _PRINTABLE.fullmatch(secret.reveal()) is not None


def to_members(tokens: Tokens) -> dict[str, Any]:
    """The tokens as members of a JSON object, secrets in the clear: bind it to no name."""
    texts = {name: getattr(tokens, name) for name in (*_TEXTS, *_TIMES)}
    hidden = {name: getattr(tokens, name) for name in _SECRETS}
    return {
        **{name: value for name, value in texts.items() if value is not None},
        **{name: secret.reveal() for name, secret in hidden.items() if secret is not None},
    }


def from_members(members: object, base_url: str) -> Tokens | None:
    """The tokens that `to_members` wrote, for a platform; None for anything else."""
    if not isinstance(members, Mapping):
        return None
    access_token = _secret(members.get("access_token"))
    if access_token is None:
        return None
    return Tokens(
        access_token,
        base_url,
        auth_url=_text(members.get("auth_url")),
        refresh_token=_secret(members.get("refresh_token")),
        expires_in=_text(members.get("expires_in")),
        refresh_token_expires_in=_text(members.get("refresh_token_expires_in")),
        obtained=_time(members.get("obtained")),
        refresh_token_obtained=_time(members.get("refresh_token_obtained")),
        client_id=_text(members.get("client_id")),
        client_secret=_secret(members.get("client_secret")),
        account=_text(members.get("account")) or "",
    )


def to_json(tokens: Tokens) -> Secret:
    """The tokens as JSON text."""
    return Secret(json.dumps(to_members(tokens)))


def from_json(text: Secret, base_url: str) -> Tokens | None:
    """The tokens that `to_json` wrote; None for anything else."""
    try:
        return from_members(json.loads(text.reveal()), base_url)
    except (ValueError, RecursionError):  # it holds the text: nobody may see it as a context
        return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _secret(value: object) -> Secret | None:
    """A secret, if it is one that can be sent at all."""
    return Secret(value) if isinstance(value, str) and _PRINTABLE.fullmatch(value) else None


def _time(value: object) -> float:
    return float(value) if isinstance(value, int | float) and abs(value) < 1e12 else 0.0
