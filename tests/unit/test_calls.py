"""Coroutines for which threads wait, and calls in threads for which threads and tasks wait."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.terminal import HANG
from widgetschema.calls import EventLoop, SharedCalls, TooManyCalls, WrongEventLoop, requested_at
from widgetschema.errors import WidgetSchemaError

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


@pytest.fixture
def running() -> Iterator[EventLoop]:
    """An event loop that runs in a thread, and is bound."""
    loop = asyncio.new_event_loop()
    event_loop = bound(loop)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield event_loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def give(value: object) -> object:
    if isinstance(value, Exception):
        raise value
    return value


def test_work_gives_its_result_or_raises(running: EventLoop) -> None:
    assert running.result(give(5)) == 5
    for error in (LookupError("no"), TimeoutError("late")):
        with pytest.raises(type(error), match=str(error)):
            running.result(give(error))


def test_no_loop_waits_for_itself() -> None:
    event_loop = EventLoop("do something else")

    async def wait() -> None:
        event_loop.result(give(5))

    with pytest.raises(WrongEventLoop, match="no event loop has been used yet: do something else"):
        event_loop.result(give(5))
    with pytest.raises(WrongEventLoop, match="do the work: do something else"):
        asyncio.run(wait())  # whatever it is bound to later may be this one
    with pytest.raises(WrongEventLoop, match="needs an event loop of asyncio"):
        event_loop.bind()
    loop = asyncio.new_event_loop()
    event_loop = bound(loop)
    with pytest.raises(WrongEventLoop, match="do the work: do something else"):
        loop.run_until_complete(wait())
    event_loop.after_fork()
    with pytest.raises(WrongEventLoop, match="no event loop has been used yet"):
        event_loop.result(give(5))
    loop.close()


def test_a_loop_may_wait_for_another(running: EventLoop) -> None:
    async def wait() -> object:
        return running.result(give(5))

    assert asyncio.run(wait()) == 5


def test_one_task_enters_and_leaves(running: EventLoop) -> None:
    tasks = []

    @contextlib.asynccontextmanager
    async def manager() -> AsyncIterator[None]:
        tasks.append(asyncio.current_task())
        yield
        await asyncio.sleep(0)
        tasks.append(asyncio.current_task())
        raise LookupError("at the end")

    with pytest.raises(LookupError, match="at the end"), running.entered(manager()):
        assert len(tasks) == 1
    assert tasks[0] is tasks[1]


def test_what_entering_raises_is_raised(running: EventLoop) -> None:
    manager = MagicMock()
    manager.__aenter__.side_effect = LookupError("at the beginning")
    with pytest.raises(LookupError, match="at the beginning"), running.entered(manager):
        raise AssertionError


class Work:
    """A call that says when it has begun, waits until it may end, and counts how often it ran."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()
        self.times = 0

    def __call__(self) -> int:
        self.times += 1
        self.begun.set()
        assert self.may_end.wait(HANG)
        return self.times


def test_calls_with_one_key_that_overlap_are_one() -> None:
    calls, work = SharedCalls(), Work()
    first, second = calls.begin("a", work), calls.begin("a", work)
    other = calls.begin("b", lambda: "other")
    assert other.result(HANG) == "other"
    assert first is second
    work.may_end.set()
    assert first.result(HANG) == 1
    assert calls.begin("a", work).result(HANG) == 2


def test_an_error_is_raised_and_the_next_call_is_made() -> None:
    calls = SharedCalls(threads=1)

    def fail() -> None:
        raise LookupError("no")

    for _ in range(3):
        with pytest.raises(LookupError, match="no"):
            calls.begin("a", fail).result(HANG)
    assert calls.begin("a", lambda: 5).result(HANG) == 5


@pytest.mark.parametrize("threads", [1, 2])
def test_calls_wait_for_a_thread(threads: int) -> None:
    calls = SharedCalls("ours", threads)
    for _ in range(2):  # threads that have ended make room
        works = [Work() for _ in range(threads + 2)]
        begun = [calls.begin(index, work) for index, work in enumerate(works)]
        for work in works[:threads]:
            assert work.begun.wait(HANG)
        assert [work.times for work in works] == [1] * threads + [0, 0]
        assert [one.name for one in threading.enumerate()].count("ours") == threads
        for work in works:
            work.may_end.set()
        assert [one.result(HANG) for one in begun] == [1] * len(works)
        for one in threading.enumerate():
            if one.name == "ours":
                one.join(HANG)  # it has nothing to do


def test_calls_that_may_not_wait_are_refused() -> None:
    calls, work = SharedCalls(threads=1, can_wait=False), Work()
    first = calls.begin("a", work)
    assert calls.begin("a", work) is first
    with pytest.raises(TooManyCalls):
        calls.begin("b", work)
    work.may_end.set()
    first.result(HANG)


def test_calls_that_wait_can_be_dropped() -> None:
    calls, work, dropped = SharedCalls(threads=1), Work(), Work()
    first, waiting = calls.begin("a", work), calls.begin("b", dropped)
    assert work.begun.wait(HANG)
    calls.drop_waiting()
    again = calls.begin("b", lambda: 5)
    work.may_end.set()
    assert (first.result(HANG), again.result(HANG)) == (1, 5)
    assert not waiting.done()
    assert dropped.times == 0


def test_nothing_is_left_of_a_call_for_which_there_is_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls, work = SharedCalls(threads=1), Work()

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="new thread"):
            calls.begin("a", work)
    assert calls.begin("a", lambda: 5).result(HANG) == 5
    assert work.times == 0


def test_a_call_runs_in_the_context_of_who_began_it() -> None:
    variable: ContextVar[str] = ContextVar("variable")
    variable.set("here")
    assert SharedCalls().begin("a", variable.get).result(HANG) == "here"


def test_tasks_await_a_call() -> None:
    async def run() -> None:
        calls, work = SharedCalls(threads=1), Work()
        first, second = (asyncio.ensure_future(calls.result("a", work)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        work.may_end.set()
        assert await second == 1

    asyncio.run(run())


def test_each_task_has_an_error_of_its_own() -> None:
    async def run() -> None:
        calls, begun = SharedCalls(), threading.Event()
        error = WidgetSchemaError("no")

        def fail() -> None:
            assert begun.wait(HANG)
            raise error

        tasks = [asyncio.ensure_future(calls.result("a", fail)) for _ in range(2)]
        await asyncio.sleep(0)
        begun.set()
        raised = await asyncio.gather(*tasks, return_exceptions=True)
        assert [str(one) for one in raised] == ["no", "no"]
        assert len({id(one) for one in (error, *raised)}) == 3

    asyncio.run(run())


def test_a_call_knows_since_when_a_task_awaits_it() -> None:
    async def run() -> None:
        calls = SharedCalls(threads=1)
        since = await calls.result("a", requested_at)
        assert since is not None
        assert calls.begin("a", requested_at).result(HANG) is None

    asyncio.run(run())


def test_a_task_of_another_event_loop_cannot_await_a_call() -> None:
    calls, work = SharedCalls(), Work()
    with pytest.raises(WrongEventLoop, match="needs an event loop of asyncio"):
        calls.result("a", work).send(None)
    assert work.times == 0
