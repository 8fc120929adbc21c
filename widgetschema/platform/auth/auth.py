"""`TokenAuth`: authenticates requests to the platform, and renews the token once for all.

`renewal` has the protocol; here its steps are taken, by threads or by tasks.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import Any, Protocol, TypeVar

import anyio
import anyio.to_thread
import httpx

from widgetschema.errors import WidgetSchemaError
from widgetschema.forks import renew_in_forks
from widgetschema.platform.auth.renewal import (
    Acquire,
    AuthFlow,
    Discard,
    Exclusive,
    Outcome,
    Refresh,
    Steps,
    TokenManager,
    put_token,
)
from widgetschema.platform.auth.storage import TokenStorage
from widgetschema.platform.endpoints import Address, parse_address
from widgetschema.platform.responses import TokenResponse
from widgetschema.platform.secret import Secret, as_secret

_T = TypeVar("_T")


class Refresher(Protocol):
    """The part of a `Client`, or of an `AsyncClient`, that a `TokenAuth` uses."""

    def refresh(
        self, *, client_id: str, client_secret: Secret, refresh_token: Secret
    ) -> TokenResponse | Awaitable[TokenResponse]:
        """Return the tokens of a refresh. Raises `PlatformError`."""
        ...


class TokenAuth(httpx.Auth):
    """Adds `Authorization: Bearer …` (RFC 6750, section 2.1) to requests to one platform.

    Only requests to the origin of `base_url` get it. A token is renewed shortly before it may
    expire (`leeway` seconds, at most a tenth of its life), and on a 401, after which the request
    is sent once more; the response to that is final, 401 or not. However many threads, tasks and
    processes share a storage, one of them renews, and the others take what it got. A renewal
    that fails before there is need of it does no harm: the old token goes on.

    `endpoint` sends the refresh: a client of the same kind as the one that this serves. Where
    that is the client itself, it is given by `use` as soon as it exists. `clock` gives epoch
    seconds. `client_id` and `client_secret` are used in the place of those that are kept.
    `advice` ends the text of a `LoginRequired`; by default it names `widgetschema login`.

    Requests raise `LoginRequired` if there is no token, or none that can be renewed, and the
    `PlatformError` of a refresh that was needed. What is kept is never removed. One that serves
    an `AsyncClient` belongs to one event loop at a time.
    """

    requires_response_body = False

    def __init__(
        self,
        storage: TokenStorage,
        endpoint: Refresher | None = None,
        *,
        base_url: str,
        clock: Callable[[], float] = time.time,
        leeway: float = 60.0,
        client_id: str | None = None,
        client_secret: Secret | None = None,
        advice: str | None = None,
    ) -> None:
        self._base = parse_address(base_url, "base_url", insecure=True)  # the client decides that
        self._endpoint = endpoint
        self._manager = TokenManager(storage, clock, leeway, client_id, client_secret, advice)
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Forget the threads and tasks of a parent process."""
        self._turn = threading.Lock()
        self._task_turn = anyio.Lock()
        self._running: set[asyncio.Task[Any]] = set()
        self._is_past_lock = False

    def use(self, endpoint: Refresher) -> None:
        """Send refreshes with this client."""
        self._endpoint = endpoint

    async def settle(self) -> None:
        """Wait for a renewal that is under way; a client that closes would cut it off."""
        while self._running and self._is_past_lock:
            await asyncio.wait([*self._running], return_when=asyncio.FIRST_COMPLETED)

    def sync_auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Take the steps of `TokenManager.auth_flow` in the thread that sends the request."""
        if not self._base.is_origin_of(request.url):
            yield request
            return
        flow = self._manager.auth_flow(request)
        step = _next(flow, None)
        while step is not None:
            reply: Any = None
            if isinstance(step, httpx.Request):
                reply = yield step
            elif isinstance(step, Discard):
                _discard(step.response)
            else:
                with self._turn:
                    reply = self._run(step.steps)
            step = _next(flow, reply)

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Take the steps of `TokenManager.auth_flow` in tasks."""
        if not self._base.is_origin_of(request.url):
            yield request
            return
        flow = self._manager.auth_flow(request)
        step = _next(flow, None)
        while step is not None:
            reply: Any = None
            if isinstance(step, httpx.Request):
                reply = yield step
            elif isinstance(step, Discard):
                await _discard_async(step.response)
            else:
                reply = await _uncancelled(self._run_async(step.steps), self._running)
            step = _next(flow, reply)

    def _run(self, steps: Steps) -> Outcome:
        with ExitStack() as held:
            reply: Any = None
            while True:
                try:
                    step = steps.send(reply)
                except StopIteration as stop:
                    return _outcome(stop)
                if isinstance(step, Refresh):
                    reply = _result_of(partial(self._refreshed, step))
                elif isinstance(step, Acquire):
                    reply = _result_of(partial(_enter, held, step.lock))
                else:
                    reply = _result_of(step.action)

    async def _run_async(self, steps: Steps) -> Outcome:
        """Take steps: in worker threads, where they may block."""
        hold: _CrossThreadLock | None = None
        reply: Any = None
        async with self._task_turn:
            try:
                with anyio.CancelScope() as scope:
                    while True:
                        try:
                            step = steps.send(reply)
                        except StopIteration as stop:
                            return _outcome(stop)
                        if isinstance(step, Refresh):
                            reply = await self._refreshed_async(step)
                        elif isinstance(step, Acquire):
                            hold = _CrossThreadLock(step.lock)
                            action = partial(_result_of, hold.acquire)
                            reply = await anyio.to_thread.run_sync(action, abandon_on_cancel=True)
                            # From here on, something could be lost.
                            self._is_past_lock = scope.shield = reply is None
                        else:
                            reply = await anyio.to_thread.run_sync(_result_of, step.action)
            finally:
                self._is_past_lock = False
                if hold is not None:
                    hold.release()
        raise AssertionError("the scope is never cancelled")

    def _refreshed(self, step: Refresh) -> TokenResponse:
        response = self._send_refresh(step)
        if not isinstance(response, TokenResponse):
            raise TypeError("a TokenAuth with an AsyncClient cannot serve a Client")
        return response

    async def _refreshed_async(self, step: Refresh) -> TokenResponse | WidgetSchemaError:
        response = self._send_refresh(step)
        if isinstance(response, TokenResponse):
            raise TypeError("a TokenAuth with a Client cannot serve an AsyncClient")
        try:
            return await response
        except WidgetSchemaError as error:
            return error

    def _send_refresh(self, step: Refresh) -> TokenResponse | Awaitable[TokenResponse]:
        if self._endpoint is None:
            raise TypeError("a TokenAuth needs an endpoint: give it one, or call use()")
        return self._endpoint.refresh(
            client_id=step.client_id,
            client_secret=step.client_secret,
            refresh_token=step.refresh_token,
        )


OwnToken = str | Secret | Callable[[], str | Secret]


class BearerAuth(httpx.Auth):
    """Adds a token of the caller to requests to one platform; nothing is renewed or stored.

    `token` is the token, or a function that returns the current one. It is called for each
    request, in the thread (the event loop) that sends it. Requests raise `LoginRequired` if a
    header cannot contain the token.
    """

    def __init__(self, token: OwnToken, base: Address) -> None:
        self._token = token
        self._base = base

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the token, if the request goes to the platform."""
        if self._base.is_origin_of(request.url):
            put_token(
                request,
                as_secret(self._token() if callable(self._token) else self._token, "token"),
                "pass a client another token",
            )
        yield request


class _CrossThreadLock:
    """A lock that is taken in one thread and released in another, in either order."""

    def __init__(self, lock: Callable[[], AbstractContextManager[None]]) -> None:
        self._make = lock
        self._state = threading.Lock()
        self._taken = self._over = False

    def acquire(self) -> None:
        """Take it, unless it has been given back already."""
        self._lock = self._make()
        self._lock.__enter__()
        with self._state:
            self._taken = not self._over
        if not self._taken:
            self._lock.__exit__(None, None, None)

    def release(self) -> None:
        """Release it, or make `take` release it."""
        with self._state:
            taken, self._taken, self._over = self._taken, False, True
        if taken:
            self._lock.__exit__(None, None, None)


async def _uncancelled(work: Coroutine[Any, Any, _T], running: set[asyncio.Task[Any]]) -> _T:
    """Finish work, even if the task that waits for it is cancelled.

    Between the platform's response and its being stored there must be no way out: a refresh token
    that was replaced would be lost. In asyncio, that takes a task of its own.
    """
    try:
        task = asyncio.get_running_loop().create_task(work)
    except RuntimeError:
        return await work  # in trio, `_run_async` shields what must not be cut off
    running.add(task)
    task.add_done_callback(running.discard)
    return await asyncio.shield(task)


def _next(flow: AuthFlow, reply: Any) -> httpx.Request | Exclusive | Discard | None:
    """Return the next step of a flow, None at its end."""
    try:
        return flow.send(reply)
    except StopIteration:
        return None


def _enter(held: ExitStack, lock: Callable[[], AbstractContextManager[None]]) -> None:
    held.enter_context(lock())


def _outcome(stop: StopIteration) -> Outcome:
    outcome: Outcome = stop.value
    return outcome


def _result_of(action: Callable[[], Any]) -> Any:
    """Return the result of an action, or the error of ours that it raised."""
    try:
        return action()
    except WidgetSchemaError as error:
        return error


def _discard(response: httpx.Response) -> None:
    """Close a response without reading it: it may be endless, and its connection is needed."""
    if isinstance(response.stream, httpx.SyncByteStream):
        response.stream.close()
    response.stream = httpx.ByteStream(b"")


async def _discard_async(response: httpx.Response) -> None:
    if isinstance(response.stream, httpx.AsyncByteStream):
        await response.stream.aclose()
    response.stream = httpx.ByteStream(b"")
