"""Processes that work for this one, and end as soon as nobody waits for them.

Each does its tasks one after the other and sends every result when it has it: however a run ends,
nothing that was found is lost. They are killed rather than asked, so it does not matter what they
are at.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final

Work = Callable[[Any], Iterable[Any]]  # from a task to its results, none of which is None

_AT_ONCE: Final = 2  # tasks that a process has: the next one is there when one is done
_SIGNALS: Final = ("SIGINT", "SIGTERM")


class Task:
    """Something to be done by another process, and the results that came and were not taken.

    It `is_done` when all results came, and `is_lost` if there is nobody to do the rest of it.
    """

    def __init__(self, what: Any) -> None:
        self.what = what
        self.results: deque[Any] = deque()
        self.is_done = False
        self.is_lost = False


class _Worker:
    """A process, the link to it, and the tasks that it has."""

    def __init__(self, begin: Callable[..., Work], arguments: tuple[Any, ...]) -> None:
        self.link, theirs = multiprocessing.Pipe()
        self.process: BaseProcess = multiprocessing.Process(
            target=_work, args=(theirs, begin, arguments), daemon=True
        )
        self.tasks: deque[Task] = deque()
        self.is_in_step = True  # no message was read in part
        with theirs:
            self.process.start()

    def send(self, task: Task) -> None:
        """Give it a task. Raises `OSError` if it has ended."""
        self.link.send((task.what,))
        self.tasks.append(task)

    def receive(self) -> bool:
        """Take the results that are there; False if there will be no more."""
        self.is_in_step = False
        try:
            results = self.link.recv()
        except (EOFError, OSError):
            return False
        for result in results:
            if result is None:
                self.tasks.popleft().is_done = True
            else:
                self.tasks[0].results.append(result)
        self.is_in_step = True
        return True


class Workers:
    """So many processes, for as long as they are needed.

    In each of them, `begin` gets the `arguments`, and gives what makes results of a task. One that
    ends, whatever ended it, takes its tasks with it: they are lost. A task that is sent when all
    of them have ended is lost at once.
    """

    def __init__(self, jobs: int, begin: Callable[..., Work], *arguments: Any) -> None:
        self._workers: list[_Worker] = []
        self._tasks: deque[Task] = deque()  # nobody has them yet
        atexit.register(self._kill)  # an interruption may come even where `end` should be called
        with _undisturbed(), suppress(OSError):  # the system may have no room for more of them
            for _ in range(jobs):
                self._workers.append(_Worker(begin, arguments))

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if not self._tasks and not any(worker.tasks for worker in self._workers):
                for worker in self._workers:
                    with suppress(OSError):
                        worker.link.send(None)
                for worker in self._workers:
                    worker.process.join()
        finally:
            self.end()

    def send(self, what: Any) -> Task:
        """Give a task to whoever is free next."""
        task = Task(what)
        self._tasks.append(task)
        self._hand_out()
        return task

    def wait(self, seconds: float | None = None) -> None:
        """Wait until there is news of any task that was sent and is not done, or for so long."""
        links = {worker.link: worker for worker in self._workers}
        for link in connection.wait(links, seconds):
            worker = links[link]  # type: ignore[index]
            if not worker.receive():
                self._lose(worker)
        self._hand_out()

    def end(self) -> None:
        """End all processes, whatever they are at, and take what results they had sent."""
        self._kill()
        for worker in self._workers:
            worker.process.join()
            while worker.is_in_step and worker.receive():
                pass
            worker.link.close()
        self._workers.clear()
        atexit.unregister(self._kill)

    def _kill(self) -> None:
        with _undisturbed():
            for worker in self._workers:
                worker.process.kill()

    def _hand_out(self) -> None:
        while self._tasks and self._workers:
            worker = min(self._workers, key=lambda one: len(one.tasks))
            if len(worker.tasks) == _AT_ONCE:
                return
            try:
                worker.send(self._tasks[0])
            except OSError:
                self._lose(worker)
            else:
                self._tasks.popleft()
        while self._tasks:
            self._tasks.popleft().is_lost = True

    def _lose(self, worker: _Worker) -> None:
        while worker.is_in_step and worker.receive():
            pass
        self._workers.remove(worker)
        worker.link.close()
        worker.process.join()
        for task in worker.tasks:
            task.is_lost = True


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Have signals wait, where that can be: in a new process, nobody would catch what they raise.

    It has them come when it has said what to do about them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _numbers())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _SIGNALS]


# In the other process


def _work(link: Connection, begin: Callable[..., Work], arguments: tuple[Any, ...]) -> None:
    """Do tasks until there are no more, or nobody is there who would want to know.

    Ctrl-C is for the process that was started by hand, which then ends the others.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # not what the other one does about it
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _numbers())
    tasks: SimpleQueue[tuple[Any] | None] = SimpleQueue()
    results: SimpleQueue[Any] = SimpleQueue()
    _start(_end_with_parent)
    _start(_receive, link, tasks)
    _start(_send, link, results)
    with _or_end():
        do = begin(*arguments)
        while (task := tasks.get()) is not None:
            for result in do(*task):
                results.put(result)
            results.put(None)


def _end_with_parent() -> None:
    """End this process when its parent has ended.

    A process that is killed tells nobody, and the link does not say it: it may have been killed
    in the middle of a task that it was sending.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _receive(link: Connection, tasks: SimpleQueue[tuple[Any] | None]) -> None:
    """Take tasks as they come, so that whoever gives them never waits."""
    task: tuple[Any] | None = ()  # type: ignore[assignment]
    while task is not None:
        task = link.recv()
        tasks.put(task)


def _send(link: Connection, results: SimpleQueue[Any]) -> None:
    """Send results, as many as there are: what the task is at may take for ever."""
    while True:
        there = [results.get()]
        while not results.empty():
            there.append(results.get())
        link.send(there)


def _start(work: Callable[..., None], *arguments: Any) -> None:
    def run() -> None:
        with _or_end():
            work(*arguments)

    threading.Thread(target=run, daemon=True).start()


@contextmanager
def _or_end() -> Iterator[None]:
    """End the process at any error: whoever waits for results does the rest by itself."""
    try:
        yield
    except BaseException:
        os._exit(1)
