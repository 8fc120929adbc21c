"""Coroutines in an event loop, for which threads wait."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.terminal import HANG
from widgetschema.calls import EventLoop

pytestmark = pytest.mark.filterwarnings("error")


def bound(loop: asyncio.AbstractEventLoop) -> EventLoop:
    event_loop = EventLoop("do something else")

    async def bind() -> None:
        event_loop.bind()

    loop.run_until_complete(bind())
    return event_loop


async def for_ever() -> None:
    await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def lock() -> AsyncIterator[None]:
    yield


def stay(event_loop: EventLoop) -> None:
    with event_loop.entered(lock()):
        raise AssertionError


@pytest.mark.parametrize(
    "work", [lambda one: one.result(for_ever()), stay], ids=["a result", "a context manager"]
)
def test_a_thread_does_not_wait_for_a_loop_that_was_closed(
    work: Callable[[EventLoop], Any],
) -> None:
    loop = asyncio.new_event_loop()
    event_loop = bound(loop)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(work, event_loop)
        with contextlib.suppress(TimeoutError):
            waiting.result(0.1)  # it waits, or will
        loop.close()
        with pytest.raises(RuntimeError, match=r"loop (is|was) closed"):
            waiting.result(HANG)


def test_a_thread_does_not_wait_for_work_that_a_closed_loop_has_begun() -> None:
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda loop, context: None)  # it says that the task was destroyed
    event_loop, begun = bound(loop), threading.Event()

    async def begin() -> None:
        begun.set()
        loop.stop()
        await for_ever()

    work: Coroutine[Any, Any, None] = begin()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(event_loop.result, work)
        loop.run_forever()
        loop.close()
        assert begun.is_set()
        with pytest.raises(RuntimeError, match="loop was closed"):
            waiting.result(HANG)
