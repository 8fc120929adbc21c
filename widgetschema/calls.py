"""`SharedCalls`: blocking calls in threads, for other threads to wait for and for tasks to await.

`EventLoop` is the way back: coroutines in the event loop, for threads to wait for. The name of a
coroutine beside a method that blocks begins with `a`: `afetch` beside `fetch`.
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

_CHECK_INTERVAL: Final = 0.5  # seconds after which a waiting thread checks that the loop is open
_RUNNING: Final = threading.local()


def requested_at() -> float | None:
    """Return the time since which a task awaits the call in this thread.

    The call may have waited for the thread. The time is that of the monotonic clock; None if no
    task awaits it.
    """
    return getattr(_RUNNING, "requested_at", None)


def _awaited_since(since: float, call: Callable[[], _T]) -> _T:
    _RUNNING.requested_at = since
    try:
        return call()
    finally:
        _RUNNING.requested_at = None


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


class Call(Future[_T]):
    """The result of a call that was requested at `since`, a time of the monotonic clock."""

    def __init__(self) -> None:
        super().__init__()
        self.since = time.monotonic()
        self.set_running_or_notify_cancel()  # nobody can cancel it for the others


class TooManyCalls(RuntimeError):
    """All threads are busy, and no further call may wait for one."""


class SharedCalls:
    """Blocking calls in a few threads. Calls with the same key that overlap are one.

    The threads do not keep the process alive, and end when there is nothing to do.

    Args:
        name: The name of the threads.
        threads: The number of calls at a time.
        can_wait: Further calls wait for a thread; otherwise, they raise `TooManyCalls`.
    """

    def __init__(self, name: str = "call", threads: int = 32, *, can_wait: bool = True) -> None:
        self._name = name
        self._most_threads = threads
        self._can_wait = can_wait
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Forget the calls of a parent process."""
        self._lock = threading.Lock()
        self._calls: dict[Hashable, Call[Any]] = {}
        self._waiting: deque[tuple[Hashable, Callable[[], Any]]] = deque()
        self._threads = 0

    def begin(self, key: Hashable, call: Callable[[], _T]) -> Call[_T]:
        """Return the call with this key that is under way; if there is none, begin one.

        Raises `RuntimeError` if no thread can be started for it.
        """
        with self._lock:
            known = self._calls.get(key)
            if known is not None:
                return known
            if not self._can_wait and len(self._calls) >= self._most_threads:
                raise TooManyCalls
            begun = self._calls[key] = Call[_T]()
            self._waiting.append((key, partial(copy_context().run, call)))
            if self._threads < self._most_threads:
                self._threads += 1
                try:
                    threading.Thread(target=self._run, name=self._name, daemon=True).start()
                except RuntimeError:  # too many threads, or the process exits
                    self._threads -= 1
                    self._waiting.pop()
                    del self._calls[key]
                    raise
            return begun

    async def result(self, key: Hashable, call: Callable[[], _T]) -> _T:
        """Return the result of a call, or raise what it raises, to a task of asyncio.

        If the task is cancelled, the call goes on for the others. Raises `WrongEventLoop` in an
        event loop that is not one of asyncio.
        """
        running_loop()
        awaited = partial(_awaited_since, time.monotonic(), call)
        future = asyncio.wrap_future(self.begin(key, awaited))
        try:
            await asyncio.wait([future])
        finally:
            future.cancel()  # of this loop; the call itself cannot be cancelled
        error = future.exception()
        if isinstance(error, WidgetSchemaError):
            raise copy.copy(error)  # other tasks raise it, too, each with a traceback of its own
        result: _T = future.result()
        return result

    def drop_waiting(self) -> None:
        """Begin no further call; those that wait for a thread never end."""
        with self._lock:
            while self._waiting:
                del self._calls[self._waiting.popleft()[0]]

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads -= 1
                    return
                key, run = self._waiting.popleft()
                call = self._calls[key]
            result, error = None, None
            try:
                result = run()
            except BaseException as problem:  # raised again by those who wait
                error = problem
            with self._lock:
                del self._calls[key]
            if error is None:
                call.set_result(result)
            else:
                call.set_exception(error)
