"""Asking again, and following redirects: when, how often, after how long.

No I/O: a generator says what to do next, and is sent what came of it.
"""

from __future__ import annotations

import itertools
import logging
import math
import re
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from random import random as by_chance
from typing import Final, TypeVar

import httpx

from widgetschema.errors import Unreachable, UnusableResponse
from widgetschema.platform.client.messages import (
    ApiRequest,
    ApiResponse,
    SendFailure,
    SendResult,
    error_for,
    unusable_response,
)
from widgetschema.text import one_line

T = TypeVar("T")

_LOG: Final = logging.getLogger("widgetschema")
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS: Final = 5
_NEVER: Final = frozenset({501, 505})  # of the 5xx, those that say it will not get better
_SECONDS: Final = re.compile(r"[0-9]{1,10}")
_SILENT: Final = SendFailure("not requested, since no usable response has come in time")


@dataclass(frozen=True, slots=True)
class Retries:
    """A policy for retries: how many attempts, and how long to wait between them.

    At most `attempts` in all. Before the next: a random part of `backoff` seconds, which grow
    by `factor` each time up to `cap`; or as many as `Retry-After` says (RFC 9110, section
    10.2.3), and a little more. If it says more than `most_wait`, there is no retry: the error says
    how long it would be.
    """

    attempts: int = 4
    backoff: float = 0.25
    factor: float = 2.0
    cap: float = 8.0
    most_wait: float = 60.0

    def __post_init__(self) -> None:
        numbers = (self.backoff, self.factor, self.cap, self.most_wait)
        if self.attempts < 1 or not all(math.isfinite(one) and one >= 0 for one in numbers):
            raise ValueError("Retries: at least one attempt, and no negative number")

    def longest(self, attempt: int) -> float:
        """Return the longest wait after an attempt (the first is 1), in seconds."""
        return min(self.cap, self.backoff * self.factor ** min(attempt - 1, 64))


DEFAULT_RETRIES: Final = Retries()


@dataclass(slots=True)
class Patience:
    """The seconds that a response is waited for, with all attempts, pauses and redirects.

    Each request has all of them. If `adds_up`, the seconds that requests took in vain add up until
    a usable response comes, or nothing was requested for as long: a command gives up once, however
    many requests it has left.
    """

    seconds: float = math.inf
    adds_up: bool = False
    _spent: float = 0.0
    _heard: float = -math.inf
    _failed: float = math.inf

    def __post_init__(self) -> None:
        if not self.seconds > 0:
            reason = f"a number of seconds, more than 0, not {self.seconds!r}"
            raise ValueError(f"total_timeout is {reason}")

    def end(self, now: float) -> float:
        """Return the time at which a request has to end that begins now."""
        if now - self._failed >= self.seconds:
            self._spent = 0.0
        return now + self.seconds - self._spent

    def hear(self, now: float) -> None:
        """Start again: there is a usable response."""
        self._spent, self._heard = 0.0, now

    def spend(self, end: float, now: float) -> None:
        """Count a request in vain, which had to end at `end`."""
        if self.adds_up:
            since = max(end - self.seconds, self._heard)  # includes what was spent before
            self._spent, self._failed = max(self._spent, now - since), now


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The policies for retries and waits, the time (epoch seconds), a monotonic clock, chance."""

    retries: Retries = DEFAULT_RETRIES
    now: Callable[[], float] = time.time
    clock: Callable[[], float] = time.monotonic
    random: Callable[[], float] = by_chance
    patience: Patience = field(default_factory=Patience)


@dataclass(frozen=True, slots=True)
class Send:
    """Send this request; the reply is an `ApiResponse` or a `SendFailure`."""

    request: httpx.Request = field(repr=False)
    call: ApiRequest


@dataclass(frozen=True, slots=True)
class Sleep:
    """Wait for a number of seconds; the reply is None."""

    seconds: float


Step = Send | Sleep
Operation = Generator[Step, SendResult | None, T]


def exchange(call: ApiRequest, context: RequestContext) -> Operation[ApiResponse]:
    """Request until there is a success or a 304, and return it.

    Raises `Unreachable`, `ErrorResponse`, and `UnusableResponse` for a redirect that is not
    followed.
    """
    patience, began = context.patience, context.clock()
    end = patience.end(began)
    if end <= began:
        raise _unreachable(_SILENT, call, f", given up after {patience.seconds:g} s")
    tried, attempt = "", 1
    while True:
        reply = yield from _followed(call, context, attempt, end)
        said = _retry_after(reply, context) if isinstance(reply, ApiResponse) else None
        wait = _wait(reply, said, call, context, attempt)
        if context.clock() + (wait or 0.0) >= end:
            tried += f", given up after {patience.seconds:g} s"
            break
        if wait is None:
            break
        yield Sleep(wait)
        attempt += 1
        tried = f", tried {attempt} times"
    if isinstance(reply, SendFailure) or _may_pass(reply.status):
        patience.spend(end, context.clock())
    else:
        patience.hear(context.clock())
    if isinstance(reply, SendFailure):
        raise _unreachable(reply, call, tried)
    if reply.status not in (200, 201, 203, 304):
        raise error_for(reply, call, said)
    return reply


def _followed(
    call: ApiRequest, context: RequestContext, attempt: int, end: float
) -> Operation[SendResult]:
    """Make one attempt, following redirects within the origin, which ends at `end`."""
    target: str | None = None
    for redirects in itertools.count():
        since = context.clock()
        reply = yield Send(call.request(target, end), call)
        assert reply is not None
        status = reply.status if isinstance(reply, ApiResponse) else "no response"
        ms = (context.clock() - since) * 1000
        _LOG.debug(
            "%s %s → %s, %.0f ms, attempt %d", call.method, call.whole_path, status, ms, attempt
        )
        if isinstance(reply, SendFailure) or reply.status not in _REDIRECTS:
            return reply
        if redirects == _MOST_REDIRECTS:
            raise unusable_response(call, reply, f"it redirects more than {_MOST_REDIRECTS} times")
        target, problem = _redirected(call, reply)
        if problem is not None:
            raise problem
    raise AssertionError("a count does not end")


def _redirected(
    call: ApiRequest, response: ApiResponse
) -> tuple[str | None, UnusableResponse | None]:
    """Return the path and query of a redirect, or an error: the token goes to no other origin."""
    if call.method != "GET":
        return None, unusable_response(
            call, response, f"it redirects a {call.method}, which is not followed"
        )
    if response.secrets.scrub(response.location or "") != (response.location or ""):
        return None, unusable_response(
            call, response, "it redirects to an address that repeats the token"
        )
    try:
        url = call.request().url.join(response.location or "#")
    except (httpx.InvalidURL, ValueError):
        return None, unusable_response(call, response, "it redirects to an invalid address")
    if not response.location:
        return None, unusable_response(call, response, "it redirects without a location")
    if call.address.is_origin_of(url):
        return url.raw_path.decode("ascii"), None
    where = one_line(response.secrets.scrub(f"{url.scheme}://{url.netloc.decode('ascii')}"), 100)
    return None, unusable_response(
        call,
        response,
        f"it redirects to another origin, {where}, which is not followed: if that is the "
        "platform, use it as the base URL",
    )


def _unreachable(failure: SendFailure, call: ApiRequest, tried: str) -> Unreachable:
    where = one_line(call.address.origin, 200)
    return Unreachable(
        f"{failure.reason} ({where}{tried}): check the network and the {call.address_name}",
        method=call.method,
        path=one_line(call.whole_path, 500),
    )


def _wait(
    reply: SendResult, said: float | None, call: ApiRequest, context: RequestContext, attempt: int
) -> float | None:
    """Return the wait before the next attempt, in seconds; None if there is none."""
    again = reply.passing if isinstance(reply, SendFailure) else _may_pass(reply.status)
    if not again or not call.retried or attempt >= context.retries.attempts:
        return None
    jitter = context.random() * context.retries.longest(attempt)
    if said is None:
        return jitter
    return None if said > context.retries.most_wait else said + min(jitter, 1.0)


def _may_pass(status: int) -> bool:
    return status == 429 or (500 <= status < 600 and status not in _NEVER)


def _retry_after(response: ApiResponse, context: RequestContext) -> float | None:
    """Return the seconds of `Retry-After`, in both its forms (RFC 9110, section 10.2.3).

    A date is seen from the server's own clock, if it tells it.
    """
    text = response.headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    until = http_date(text)
    if until is None:
        return None
    now = http_date(response.headers.get("date", ""))
    return max(0.0, until - (context.now() if now is None else now))


def http_date(text: str) -> float | None:
    """Return the epoch seconds of a date (RFC 9110, section 5.6.7), or None."""
    if not text or len(text) > 100:
        return None
    try:
        date = parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
