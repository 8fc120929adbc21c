"""`TokenAuth`: gives requests to the platform their token, and renews it, once for all.

The steps of a renewal are in `renewal.py`; here they are taken, by threads or by tasks.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol, TypeVar

import anyio
import anyio.to_thread
import httpx

from widgetschema.errors import LoginRequired, WidgetSchemaError
from widgetschema.forks import renew_in_forks
from widgetschema.platform.auth.renewal import Exchange, Keeper, Outcome, Renewal, Step
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.auth.tokens import Tokens, fits_header
from widgetschema.platform.endpoints import checked_address
from widgetschema.platform.secret import Secret
from widgetschema.platform.values import TokenResponse

_T = TypeVar("_T")


class Refresher(Protocol):
    """What is needed of a `Client`: the refresh of PLATFORM.md, section 4.3."""

    def refresh(
        self, *, client_id: str, client_secret: Secret, refresh_token: Secret
    ) -> TokenResponse:
        """Raises `PlatformError`."""
        ...


class AsyncRefresher(Protocol):
    """What is needed of an `AsyncClient`: the refresh of PLATFORM.md, section 4.3."""

    async def refresh(
        self, *, client_id: str, client_secret: Secret, refresh_token: Secret
    ) -> TokenResponse:
        """Raises `PlatformError`."""
        ...


class TokenAuth(httpx.Auth):
    """Adds `Authorization: Bearer …` (RFC 6750, section 2.1) to requests to one platform.

    Only requests to the origin of `base_url` get it. A token is renewed shortly before it may
    expire (`leeway` seconds, at most a tenth of its life), and on a 401, after which the request
    is sent once more; the answer to that is final, 401 or not. However many threads, tasks and
    processes share a storage, one of them renews, and the others take what it got. A renewal
    that fails before there is need of it does no harm: the old token goes on.

    `endpoint` sends the refresh: a client of the same kind as the one that this serves. Where
    that is the client itself, it is given by `use` as soon as it exists. `clock` gives epoch
    seconds. `client_id` and `client_secret` are used in the place of those that are kept.

    Requests raise `LoginRequired` if there is no token, or none that can be renewed, and the
    `PlatformError` of a refresh that was needed. What is kept is never removed. One that serves
    an `AsyncClient` belongs to one event loop at a time.
    """

    requires_response_body = False

    def __init__(
        self,
        storage: TokenStorage,
        endpoint: Refresher | AsyncRefresher | None = None,
        *,
        base_url: str,
        clock: Callable[[], float] = time.time,
        leeway: float = 60.0,
        client_id: str | None = None,
        client_secret: Secret | None = None,
    ) -> None:
        self._base = checked_address(base_url, "base_url", insecure=True)  # the client decides that
        self._endpoint = endpoint
        self._keeper = Keeper(storage, clock, leeway, client_id, client_secret)
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Wait for no thread or task of a parent process."""
        self._turn = threading.Lock()
        self._task_turn = anyio.Lock()
        self._running: set[asyncio.Task[Any]] = set()
        self._past_lock = False

    def use(self, endpoint: Refresher | AsyncRefresher) -> None:
        """Send refreshes by this client."""
        self._endpoint = endpoint

    async def settle(self) -> None:
        """Wait for a renewal that is under way; a client that closes would cut it off."""
        while self._running and self._past_lock:
            await asyncio.wait([*self._running], return_when=asyncio.FIRST_COMPLETED)

    def sync_auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """As httpx asks for it, for threads."""
        if not self._base.is_origin_of(request.url):
            yield request
            return
        tokens = self._keeper.tokens or self._first()
        if self._keeper.is_stale(tokens):
            tokens = self._renew(tokens, needed=not tokens.access_token)
        _put_token(request, tokens)
        response = yield request
        if response.status_code == 401:
            _discard(response)
            tokens = self._renew(tokens, needed=True)
            _put_token(request, tokens)
            yield request

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """As httpx asks for it, for tasks."""
        if not self._base.is_origin_of(request.url):
            yield request
            return
        tokens = self._keeper.tokens
        if tokens is None:
            tokens = await anyio.to_thread.run_sync(self._first)
        if self._keeper.is_stale(tokens):
            tokens = await self._renew_async(tokens, needed=not tokens.access_token)
        _put_token(request, tokens)
        response = yield request
        if response.status_code == 401:
            await _discard_async(response)
            tokens = await self._renew_async(tokens, needed=True)
            _put_token(request, tokens)
            yield request

    def _first(self) -> Tokens:
        with self._turn:
            return self._keeper.first()

    def _renew(self, used: Tokens, *, needed: bool) -> Tokens:
        attempts = self._keeper.attempts
        with self._turn:
            outcome = self._keeper.settled(used, attempts, needed)
            if outcome is None:
                outcome = self._renewed()
        return _decided(outcome, used, needed)

    def _renewed(self) -> Outcome:
        try:
            with self._keeper.storage.lock():
                outcome = self._taken(self._keeper.renewal())
        except WidgetSchemaError as error:  # the lock; handed on as a value, see `renewal.py`
            outcome = error
        return self._keeper.failed(outcome) if isinstance(outcome, Exception) else outcome

    def _taken(self, renewal: Renewal) -> Outcome:
        """Take the steps of a renewal."""
        result: Any = None
        while True:
            try:
                step = renewal.send(result)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            action = step.action if isinstance(step, Step) else partial(self._exchanged, step)
            result = _result_of(action)

    def _exchanged(self, step: Exchange) -> TokenResponse:
        answer = self._refresh(step)
        if not isinstance(answer, TokenResponse):
            raise TypeError("a TokenAuth with an AsyncClient cannot serve a Client")
        return answer

    def _refresh(self, step: Exchange) -> TokenResponse | Awaitable[TokenResponse]:
        if self._endpoint is None:
            raise TypeError("a TokenAuth needs an endpoint: give it one, or call use()")
        return self._endpoint.refresh(
            client_id=step.client_id,
            client_secret=step.client_secret,
            refresh_token=step.refresh_token,
        )

    async def _renew_async(self, used: Tokens, *, needed: bool) -> Tokens:
        attempts = self._keeper.attempts
        outcome = await self._to_the_end(partial(self._turn_async, used, attempts, needed))
        return _decided(outcome, used, needed)

    async def _turn_async(self, used: Tokens, attempts: int, needed: bool) -> Outcome:
        async with self._task_turn:
            outcome = self._keeper.settled(used, attempts, needed)
            return await self._renewed_async() if outcome is None else outcome

    async def _renewed_async(self) -> Outcome:
        hold = _Hold(self._keeper.storage.lock())
        try:
            await anyio.to_thread.run_sync(hold.take, abandon_on_cancel=True)
            self._past_lock = True
            with anyio.CancelScope(shield=True):  # from here on, something could be lost
                outcome = await self._taken_async(self._keeper.renewal())
        except WidgetSchemaError as error:
            outcome = error
        finally:
            self._past_lock = False
            hold.give_back()
        return self._keeper.failed(outcome) if isinstance(outcome, Exception) else outcome

    async def _taken_async(self, renewal: Renewal) -> Outcome:
        """Take the steps of a renewal: in worker threads, where they may block."""
        result: Any = None
        while True:
            try:
                step = renewal.send(result)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            if isinstance(step, Step):
                result = await anyio.to_thread.run_sync(_result_of, step.action)
            else:
                result = await self._exchanged_async(step)

    async def _exchanged_async(self, step: Exchange) -> TokenResponse | WidgetSchemaError:
        answer = self._refresh(step)
        if isinstance(answer, TokenResponse):
            raise TypeError("a TokenAuth with a Client cannot serve an AsyncClient")
        try:
            return await answer
        except WidgetSchemaError as error:
            return error

    async def _to_the_end(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Let a renewal end, even if whoever waits for it is cancelled.

        Between the platform's answer and its being kept there must be no way out: a refresh
        token that was replaced would be lost. In asyncio, that takes a task of its own.
        """
        loop = _asyncio_loop()
        if loop is not None:
            task = loop.create_task(_coroutine(work))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            return await asyncio.shield(task)
        return await work()  # in trio, `_renewed_async` shields what must not be cut off


class _Hold:
    """A lock that is taken in one thread and given back in another, in either order."""

    def __init__(self, lock: AbstractContextManager[None]) -> None:
        self._lock = lock
        self._state = threading.Lock()
        self._taken = self._over = False

    def take(self) -> None:
        """Take it, unless it has been given back already."""
        self._lock.__enter__()
        with self._state:
            self._taken = not self._over
        if not self._taken:
            self._lock.__exit__(None, None, None)

    def give_back(self) -> None:
        """Give it back, or see to it that it will be."""
        with self._state:
            taken, self._taken, self._over = self._taken, False, True
        if taken:
            self._lock.__exit__(None, None, None)


def _asyncio_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


async def _coroutine(work: Callable[[], Awaitable[_T]]) -> _T:
    return await work()


def _result_of(action: Callable[[], Any]) -> Any:
    """What an action gives; an error of ours is a value, too."""
    try:
        return action()
    except WidgetSchemaError as error:
        return error


def _decided(outcome: Outcome, used: Tokens, needed: bool) -> Tokens:
    if isinstance(outcome, Tokens):
        return outcome
    if needed:
        raise outcome
    return used


def _put_token(request: httpx.Request, tokens: Tokens) -> None:
    if not fits_header(tokens.access_token):  # libraries show the header that they refuse
        raise LoginRequired("the access token has characters that no header can carry")
    request.headers["Authorization"] = f"Bearer {tokens.access_token.reveal()}"


def _discard(response: httpx.Response) -> None:
    """Let go of a body, unread: it may be without end, and its connection is needed."""
    if isinstance(response.stream, httpx.SyncByteStream):
        response.stream.close()
    response.stream = httpx.ByteStream(b"")


async def _discard_async(response: httpx.Response) -> None:
    if isinstance(response.stream, httpx.AsyncByteStream):
        await response.stream.aclose()
    response.stream = httpx.ByteStream(b"")
