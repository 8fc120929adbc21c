"""`SharedCalls`: blocking calls in threads, for tasks of asyncio to await."""

from __future__ import annotations

import asyncio
import copy
import threading
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from typing import Any, Final, TypeVar

from widgetschema.errors import WidgetSchemaError
from widgetschema.forks import renew_in_forks

_T = TypeVar("_T")

_MOST_THREADS: Final = 32


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
        self._waiting: deque[tuple[Hashable, Callable[[], Any]]] = deque()
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
        """
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
            self._waiting.append((key, partial(copy_context().run, call)))
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
                key, run = self._waiting.popleft()
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
