"""Work for several ids at once, on threads that nobody has to wait for."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextvars import copy_context
from typing import Any, TypeVar

_T = TypeVar("_T")


def at_once(
    work: Callable[[str], _T], ids: Iterable[str], most: int
) -> Generator[tuple[str, _T], None, None]:
    """Do the work for each id, on several threads; who stops looking does not wait for them.

    They are daemons: what is under way may take a minute, and nobody asks for it any more.
    """
    todo: deque[str] = deque(ids)
    done: queue.SimpleQueue[tuple[str, Any, BaseException | None]] = queue.SimpleQueue()
    number = len(todo)

    def run() -> None:
        while todo:
            try:
                id = todo.popleft()
            except IndexError:
                return
            try:
                done.put((id, work(id), None))
            except BaseException as error:  # raised again by whoever waits
                done.put((id, None, error))

    for _ in range(min(max(1, most), number)):
        threading.Thread(target=copy_context().run, args=(run,), name="fetch", daemon=True).start()
    try:
        for _ in range(number):
            id, value, error = done.get()
            if error is not None:
                raise error
            yield id, value
    finally:
        todo.clear()
