"""`SharedCalls`: blocking calls in threads, for tasks of asyncio to await.

`EventLoop` is the way back: coroutines in the event loop, for threads to wait for.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import inspect
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Hashable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager
from contextvars import copy_context
from functools import partial
from typing import Any, Final, TypeVar

from widgetschema.errors import WidgetSchemaError
from widgetschema.forks import renew_in_forks

_T = TypeVar("_T")

_MOST_THREADS: Final = 32
_CHECK_INTERVAL: Final = 0.5  # seconds after which a waiting thread checks that the loop is open


_RUNNING: Final = threading.local()


def requested_at() -> float | None:
    """Return when the call of `SharedCalls` that runs in this thread was requested.

    It may have waited for the thread. The time is that of the monotonic clock; None if there is no
    such call.
    """
    return getattr(_RUNNING, "requested_at", None)


class WrongEventLoop(TypeError):
    """An event loop of asyncio is needed and there is none, or it would have to wait for itself."""


def running_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop of asyncio that is running. Raises `WrongEventLoop` without one."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise WrongEventLoop(
            "this needs an event loop of asyncio; with another one, such as Trio's, call the "
            "blocking method in a thread (trio.to_thread.run_sync)"
        ) from None


class EventLoop:
    """The event loop of asyncio in which threads run coroutines of an application.

    `advice` says what to do where it cannot be waited for.
    """

    def __init__(self, advice: str) -> None:
        self._advice = advice
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Forget the loop of a parent process, which does not run here."""
        self._loop: asyncio.AbstractEventLoop | None = None

    def bind(self) -> None:
        """Use the event loop that is running. Raises `WrongEventLoop` if there is none."""
        self._loop = running_loop()

    def refuse_here(self) -> None:
        """Raise `WrongEventLoop` in the thread of the loop, which cannot wait for itself."""
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            return
        if self._loop in (running, None):
            raise WrongEventLoop(
                f"this would block the event loop that has to do the work: {self._advice}"
            )

    def result(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Return the result of a coroutine, which runs in the loop; raise what it raises.

        Raises `WrongEventLoop` in the thread of the loop, and where none was bound, and
        `RuntimeError` for a loop that is closed.
        """
        task, loop = self._begun(work)
        return _result(task, loop, work)

    @contextlib.contextmanager
    def entered(self, manager: AbstractAsyncContextManager[Any]) -> Iterator[None]:
        """Stay in a context manager of the application, which one task enters and leaves."""
        is_in: Future[None] = Future()
        work = _stay(manager, is_in, over := asyncio.Event())
        task, loop = self._begun(work)
        task.add_done_callback(lambda _: is_in.cancel())  # unless it was entered
        with contextlib.suppress(CancelledError):
            _result(is_in, loop, work)
        if is_in.cancelled():
            task.result()  # raises what entering raised
        try:
            yield
        finally:
            loop.call_soon_threadsafe(over.set)
            _result(task, loop, work)

    def _begun(self, work: Coroutine[Any, Any, _T]) -> tuple[Future[_T], asyncio.AbstractEventLoop]:
        try:
            self.refuse_here()
            if self._loop is None:
                raise WrongEventLoop(f"no event loop has been used yet: {self._advice}")
            return asyncio.run_coroutine_threadsafe(work, self._loop), self._loop
        except (WrongEventLoop, RuntimeError):
            work.close()
            raise


def _result(
    future: Future[_T], loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any]
) -> _T:
    """Return the result of a future, whose work is done by an event loop.

    Raises `RuntimeError` if the loop is closed before that, since no result would ever come.
    """
    while not future.done():
        with contextlib.suppress(TimeoutError):  # or the work raised it
            return future.result(_CHECK_INTERVAL)
        if loop.is_closed() and not future.done():
            if inspect.getcoroutinestate(work) == inspect.CORO_CREATED:
                work.close()
            raise RuntimeError("the event loop was closed before the work was done")
    return future.result()


async def _stay(
    manager: AbstractAsyncContextManager[Any], is_in: Future[None], over: asyncio.Event
) -> None:
    async with manager:
        is_in.set_result(None)
        await over.wait()


class SharedCalls:
    """Blocking calls in at most 32 threads. Tasks that await the same key share one call.

    A task that is cancelled stops waiting, and the call goes on for the others. The threads do not
    keep the process alive, and end when there is nothing to do.
    """

    def __init__(self) -> None:
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Forget the calls of a parent process."""
        self._lock = threading.Lock()
        self._calls: dict[Hashable, Future[Any]] = {}
        self._waiting: deque[tuple[Hashable, float, Callable[[], Any]]] = deque()
        self._threads = 0

    async def result(
        self, key: Hashable, call: Callable[[], _T], *, timeout: float | None = None
    ) -> _T:
        """Return the result of a call, or raise what it raises.

        Args:
            key: Names the call.
            call: Called in a thread, unless a call with this key is under way.
            timeout: The longest wait, in seconds; None for as long as the call takes.

        Raises:
            TimeoutError: After `timeout` seconds. The call goes on.
            WrongEventLoop: In an event loop that is not one of asyncio.
        """
        running_loop()
        future = asyncio.wrap_future(self._begun(key, call))
        try:
            await asyncio.wait([future], timeout=timeout)
            if not future.done():
                raise TimeoutError
        finally:
            future.cancel()  # of this loop; the call itself cannot be cancelled
        error = future.exception()
        if isinstance(error, WidgetSchemaError):
            raise copy.copy(error)  # other tasks raise it, too, each with a traceback of its own
        result: _T = future.result()
        return result

    def _begun(self, key: Hashable, call: Callable[[], Any]) -> Future[Any]:
        """Return the call that is under way, which is begun if there is none."""
        with self._lock:
            known = self._calls.get(key)
            if known is not None:
                return known
            future: Future[Any] = Future()
            future.set_running_or_notify_cancel()
            self._calls[key] = future
            run = partial(copy_context().run, call)
            self._waiting.append((key, time.monotonic(), run))
            if self._threads < _MOST_THREADS:
                self._threads += 1
                try:
                    threading.Thread(target=self._run, name="async call", daemon=True).start()
                except RuntimeError:  # too many threads, or the process exits
                    self._threads -= 1
                    self._waiting.pop()
                    del self._calls[key]
                    raise
            return future

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                key, _RUNNING.requested_at, run = self._waiting.popleft()
            result, error = None, None
            try:
                result = run()
            except BaseException as problem:  # raised again by those who wait
                error = problem
            with self._lock:
                future = self._calls.pop(key)
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
