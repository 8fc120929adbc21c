"""One request, one whole response: decoded, of a bounded size, within a bounded time.

Wraps any httpx transport. All of a response is read here, so that its connection is free again
before anybody (an `httpx.Auth` on a 401) goes on; nothing above meets an unbounded body, a
cookie, or a redirect that httpx might follow.
"""

from __future__ import annotations

import logging
import math
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from contextvars import copy_context
from typing import Any, Final

import anyio
import httpx

from widgetschema.forks import renew_in_forks
from widgetschema.text import plural

LIMIT: Final = "widgetschema.limit"  # extension of a request: bytes of a decoded body
END: Final = "widgetschema.end"  # extension of a request: when its response has to be whole
FAULT: Final = "widgetschema.fault"  # extension of a response: why its body cannot be used
LOCATION: Final = "widgetschema.location"  # extension of a response: where it redirects to
CUT: Final = "widgetschema.cut"  # extension of a response: there was more of its body

DEFAULT_LIMIT: Final = 5 * 1024 * 1024  # bytes
ERROR_LIMIT: Final = 64 * 1024  # bytes that are read of a response that is no success
CODINGS: Final = "gzip"  # what is asked for (RFC 9110, section 12.5.3)
_DECODED: Final = frozenset({"gzip", "x-gzip", "deflate"})
_NAMED: Final = _DECODED | {"br", "zstd", "compress", "x-compress"}  # others may say anything
_SLACK: Final = 64 * 1024  # bytes by which a body may grow by being compressed
_MOST_MEMBERS: Final = 100  # of a gzip stream; each empty one takes its time, too
# Not passed on: the first three are no longer true, the others are acted on here.
_DROPPED: Final = frozenset(
    "content-encoding content-length transfer-encoding location set-cookie".split()
)
_TOO_SLOW: Final = "the response took too long"


class _WithoutHeaders(logging.Filter):
    """Keeps httpcore from logging what a server sent: it may repeat a token.

    That is in the headers of responses, and in errors about what is no HTTP.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        event = record.getMessage().partition(" ")[0]
        if event == "receive_response_headers.complete" or event.endswith(".failed"):
            record.msg, record.args = event, ()
        return True


logging.getLogger("httpcore.http11").addFilter(_WithoutHeaders())


class GuardedTransport(httpx.BaseTransport):
    """At most `slots` requests at a time, each answered by the end that it says.

    That includes the wait for a slot. Each runs on a thread of its own, since only that can be
    given up while it reads, and has a transport that `make` made to itself: that is closed when it
    is given up, which ends its connection and its thread. A transport of the caller (`shared`)
    serves all, and is left open.
    """

    def __init__(
        self,
        make: Callable[[], httpx.BaseTransport] | None,
        *,
        shared: httpx.BaseTransport | None = None,
        slots: int,
    ) -> None:
        self._make = make
        self._shared = shared
        self._number = slots
        self._begin()
        renew_in_forks(self)

    def _begin(self) -> None:
        self._idle: list[httpx.BaseTransport] = []
        self._busy: set[httpx.BaseTransport] = set()
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(self._number)

    def after_fork(self) -> None:
        """Leave the connections to the parent process."""
        idle = self._idle  # those that are busy have locks that are never released
        self._begin()
        for inner in idle:
            inner.close()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the whole response. Raises `httpx.TransportError`."""
        slots = self._slots
        if not slots.acquire(timeout=_seconds_left(request)):
            raise httpx.PoolTimeout(_TOO_SLOW)
        try:
            if self._shared is not None:
                return _Attempt(self._shared, request).response()
            inner = self._taken()
            attempt = _Attempt(inner, request)
            try:
                return attempt.response()
            finally:
                self._give_back(inner, closed=attempt.given_up)
        finally:
            slots.release()

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            every, self._idle = [*self._idle, *self._busy], []
        for inner in every if self._shared is None else [self._shared]:
            inner.close()

    def _taken(self) -> httpx.BaseTransport:
        assert self._make is not None
        with self._lock:
            inner = self._idle.pop() if self._idle else self._make()
            self._busy.add(inner)
        return inner

    def _give_back(self, inner: httpx.BaseTransport, *, closed: bool) -> None:
        with self._lock:
            self._busy.discard(inner)
            if not closed:
                self._idle.append(inner)
        if closed:
            inner.close()


class AsyncGuardedTransport(httpx.AsyncBaseTransport):
    """The same for asyncio and trio; a request that is cancelled leaves nothing open."""

    def __init__(self, inner: httpx.AsyncBaseTransport, *, slots: int) -> None:
        self._inner = inner
        self._slots = anyio.Semaphore(slots)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the whole response. Raises `httpx.TransportError`."""
        has_slot = False
        with anyio.move_on_after(_seconds_left(request)):
            async with self._slots:
                has_slot = True
                try:
                    return await self._respond(request)
                except anyio.get_cancelled_exc_class() as error:
                    raise error.with_traceback(None) from None  # frames hold what came
        raise (httpx.ReadTimeout if has_slot else httpx.PoolTimeout)(_TOO_SLOW)

    async def _respond(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        body = _Body(response, request)
        assert isinstance(response.stream, httpx.AsyncByteStream)
        try:
            async for chunk in response.stream:
                if not body.feed(chunk):
                    break
        finally:
            with anyio.CancelScope(shield=True):
                await response.stream.aclose()
        return body.whole()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def _seconds_left(request: httpx.Request) -> float:
    end: float = request.extensions.get(END, math.inf)
    return min(max(0.0, end - time.monotonic()), threading.TIMEOUT_MAX)


class _Attempt:
    """One request on a thread of its own."""

    def __init__(self, inner: httpx.BaseTransport, request: httpx.Request) -> None:
        self._inner = inner
        self._request = request
        self._over = threading.Event()
        self.given_up = False
        self._response: httpx.Response | None = None
        self._error: BaseException | None = None

    def response(self) -> httpx.Response:
        thread = threading.Thread(target=copy_context().run, args=(self._run,), daemon=True)
        thread.start()
        try:
            self._over.wait(_seconds_left(self._request))
        finally:
            self.given_up = not self._over.is_set()
        error, self._error = self._error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # else it would keep itself, by its traceback, and its connection
        if self._response is None:
            raise httpx.ReadTimeout(_TOO_SLOW)
        return self._response

    def _run(self) -> None:
        try:
            self._response = self._read()
        except BaseException as error:  # raised again on the other thread
            self._error = error
        finally:
            self._over.set()

    def _read(self) -> httpx.Response:
        response = self._inner.handle_request(self._request)
        body = _Body(response, self._request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        try:
            for chunk in response.stream:
                if self.given_up or not body.feed(chunk):
                    break
        finally:
            response.stream.close()
        return body.whole()


class _Body:
    """The body of one response as it comes in: decoded, and never more than it may be."""

    def __init__(self, response: httpx.Response, request: httpx.Request) -> None:
        self._status = response.status_code
        self._headers = response.headers
        self._limit: int = request.extensions.get(LIMIT, DEFAULT_LIMIT)
        if not response.is_success:
            self._limit = min(self._limit, ERROR_LIMIT)
        self._extensions: dict[str, Any] = {LOCATION: response.headers.get("location")}
        self._received = 0
        self._members = 1
        self._decoded = bytearray()
        self._decoder: Any = None
        self._choose_decoder(response.headers.get_list("content-encoding", split_commas=True))

    def _choose_decoder(self, codings: Iterable[str]) -> None:
        applied = [coding for one in codings if (coding := one.strip().lower()) != "identity"]
        if applied and set(applied) <= _DECODED and len(applied) == 1:
            self._decoder = _decompressor()
        elif applied:
            names = ", ".join(applied) if set(applied) <= _NAMED and len(applied) < 9 else "unknown"
            self._extensions[FAULT] = f"its encoding ({names}) was not requested"

    def feed(self, chunk: bytes) -> bool:
        """Take a part of the body; whether any more is wanted."""
        self._received += len(chunk)
        if FAULT in self._extensions:
            return False
        if self._decoder is None:
            return self._keep(chunk)
        if self._received > self._limit + _SLACK:
            return self._end()
        return self._decode(chunk)

    def _decode(self, data: bytes) -> bool:
        """Decompress no more than there is room for: a small part may be made to grow huge."""
        while data:
            if self._decoder.eof:  # another member of the same stream (RFC 1952, section 2.2)
                self._decoder = _decompressor()
                self._members += 1
            if self._members > _MOST_MEMBERS:
                return self._end()
            room = self._limit - len(self._decoded) + 1
            try:
                piece = self._decoder.decompress(data, room)
            except zlib.error:
                self._extensions[FAULT] = "its compression is broken"
                return False
            if not self._keep(piece):
                return False
            data = self._decoder.unused_data if self._decoder.eof else self._decoder.unconsumed_tail
        return True

    def _keep(self, piece: bytes) -> bool:
        self._decoded += piece[: self._limit - len(self._decoded) + 1]
        return len(self._decoded) <= self._limit or self._end()

    def _end(self) -> bool:
        """Stop at the limit: of an error, the beginning of the body will do."""
        del self._decoded[self._limit :]
        self._extensions[CUT] = True
        if 200 <= self._status < 300:
            self._decoded.clear()
            self._extensions[FAULT] = f"it is larger than {plural(self._limit, 'byte')}"
        return False

    def whole(self) -> httpx.Response:
        """Return the response. Raises `httpx.RemoteProtocolError` if its body was cut off."""
        ended = FAULT in self._extensions or CUT in self._extensions
        if self._decoder is not None and self._received and not self._decoder.eof and not ended:
            raise httpx.RemoteProtocolError("the compressed body was cut off")
        return httpx.Response(
            self._status,
            headers=[
                pair
                for pair in self._headers.raw  # bytes: there may be others than ASCII in them
                if pair[0].lower().decode("latin-1") not in _DROPPED
            ],
            content=bytes(self._decoded),
            extensions=self._extensions,  # not the reason phrase, which may say anything
        )


def _decompressor() -> Any:
    """Return a decompressor for gzip and zlib (what `deflate` means: RFC 9110, 8.4.1.2)."""
    return zlib.decompressobj(zlib.MAX_WBITS | 32)
