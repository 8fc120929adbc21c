"""A scheduler that has worker processes do work and keeps its order.

A worker does its tasks one after the other and sends each result as soon as it has it: however a
run ends, nothing that was found is lost. Workers are killed rather than asked to stop, so it does
not matter what they are doing. The work of one that dies is repeated by others, or in the end by
this process.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

Work = Callable[[Any], Iterable[Any]]  # from a task to its results, always the same ones

_PREFETCHED: Final = 2  # tasks that a worker has: the next one is there when one is done
_RESTARTS: Final = 3  # workers that are started to replace those that died
_STOP_SIGNALS: Final = ("SIGINT", "SIGTERM")


class _Progress(NamedTuple):
    """A message from a worker about the task it is doing; not one of its results."""

    value: Any


class _End(NamedTuple):
    """A message from a worker: there are no more results of a task, or an exception was raised."""

    is_failed: bool


class Job(NamedTuple):
    """A piece of work for a scheduler.

    `results` are known already. A job that `is_local` needs something that only this process has,
    such as standard input.
    """

    what: Any = None
    results: tuple[Any, ...] | None = None
    is_local: bool = False


class Task:
    """A job that was handed out, and the results that came and were not taken.

    `received` counts all results that came. The task `is_done` when all of them did, and `is_local`
    if this process has to do the rest.
    """

    def __init__(self, job: Job) -> None:
        self.what = job.what
        self.results: deque[Any] = deque(job.results or ())
        self.received = 0
        self.is_done = job.results is not None
        self.is_local = job.is_local


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
        """Give it a task, or what is left of one. Raises `OSError` if it has ended."""
        self.link.send((task.what, task.received))
        self.tasks.append(task)

    def receive(self) -> list[tuple[Task, Any]] | None:
        """Return the messages that are there, with their tasks; None if there will be no more."""
        self.is_in_step = False
        try:
            messages = self.link.recv()
        except (EOFError, OSError):
            return None
        received = []
        for message in messages:
            task = self.tasks[0]
            if isinstance(message, _End):
                self.tasks.popleft()
                task.is_done, task.is_local = not message.is_failed, message.is_failed
            else:
                received.append((task, message))
        self.is_in_step = True
        return received

    def how_it_ended(self) -> str:
        """Return what the system says of a process that has ended."""
        code = self.process.exitcode or 0
        if code >= 0:
            return f"exit code {code}"
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"


class Scheduler:
    """Hands out jobs to so many workers, and yields their results in the order of the jobs.

    In each worker, `begin(report, *arguments)` returns the work to do; `local` does the same in
    this process. At most `ahead` jobs are in flight, so memory stays bounded. `on_result` is
    called with a job's `what` and each of its results as soon as it is there, before its turn has
    come, and `on_progress` with what the work passed to `report`. `warn` is told of a worker that
    dies: its tasks are given to the others, and some are replaced. When there are none left, tasks
    are for this process to do.
    """

    def __init__(
        self,
        workers: int,
        begin: Callable[..., Work],
        *arguments: Any,
        local: Work,
        ahead: int,
        on_result: Callable[[Any, Any], None] | None = None,
        on_progress: Callable[[Any, Any], None] | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._number = workers
        self._begin = begin
        self._arguments = arguments
        self._local = local
        self._ahead = ahead
        self._on_result = on_result
        self._on_progress = on_progress
        self._warn = warn
        self._restarts = _RESTARTS
        self._workers: list[_Worker] = []
        self._waiting: deque[Task] = deque()
        self._tasks: deque[Task] = deque()  # no worker has them yet

    def results(self, jobs: Iterable[Job]) -> Generator[Any, None, None]:
        """Yield the results of all jobs; all workers are ended when the iterator is closed."""
        atexit.register(self._kill)  # an interruption may come even where `_end` should be called
        try:
            self._start(self._number)
            for job in jobs:
                while len(self._waiting) >= self._ahead:
                    yield from self._next()
                task = Task(job)
                self._waiting.append(task)
                if not task.is_done and not task.is_local:
                    self._tasks.append(task)
                    self._hand_out()
            while self._waiting:
                yield from self._next()
        finally:
            self._end()

    def _next(self) -> Iterator[Any]:
        """Yield the results of the task that is due, as they come."""
        task = self._waiting[0]
        while True:
            while task.results:
                yield task.results.popleft()
            if task.is_done:
                break
            if task.is_local:
                for result in islice(self._local(task.what), task.received, None):
                    if self._on_result is not None:
                        self._on_result(task.what, result)
                    yield result
                break
            self._wait()
        self._waiting.popleft()

    def unread(self) -> Iterator[Any]:
        """Yield the results that were there when `results` was closed, and not taken."""
        while self._waiting:
            yield from self._waiting.popleft().results

    def _wait(self) -> None:
        """Wait until there is news of any task, or for a second.

        A signal that comes just before a process begins to wait is handled when it ends to wait.
        """
        links = {worker.link: worker for worker in self._workers}
        for link in connection.wait(links, 1):
            worker = links[link]  # type: ignore[index]
            if not self._receive(worker):
                self._replace(worker)
        self._hand_out()

    def _end(self) -> None:
        """End all workers, whatever they are doing, and take the results that they had sent."""
        self._kill()
        for worker in self._workers:
            worker.process.join()
            while worker.is_in_step and worker.link.poll() and self._receive(worker):
                pass
            worker.link.close()
        self._workers.clear()
        atexit.unregister(self._kill)

    def _start(self, number: int) -> None:
        with _undisturbed(), suppress(OSError):  # the system may have no room for more of them
            for _ in range(number):
                self._workers.append(_Worker(self._begin, self._arguments))

    def _kill(self) -> None:
        with _undisturbed():
            for worker in self._workers:
                worker.process.kill()

    def _receive(self, worker: _Worker) -> bool:
        """Take the results that are there; return False if there will be no more."""
        received = worker.receive()
        for task, message in received or ():
            if isinstance(message, _Progress):
                if self._on_progress is not None:
                    self._on_progress(task.what, message.value)
                continue
            task.results.append(message)
            task.received += 1
            if self._on_result is not None:
                self._on_result(task.what, message)
        return received is not None

    def _hand_out(self) -> None:
        while self._tasks and self._workers:
            worker = min(self._workers, key=lambda one: len(one.tasks))
            if len(worker.tasks) == _PREFETCHED:
                return
            try:
                worker.send(self._tasks[0])
            except OSError:
                self._replace(worker)
            else:
                self._tasks.popleft()
        while self._tasks:
            self._tasks.popleft().is_local = True

    def _replace(self, worker: _Worker) -> None:
        """Have others do what a worker that died has left."""
        while worker.is_in_step and self._receive(worker):
            pass
        self._workers.remove(worker)
        worker.link.close()
        worker.process.join()
        self._tasks.extendleft(reversed(worker.tasks))
        if self._warn is not None:
            self._warn(f"a worker process died ({worker.how_it_ended()}); its work is repeated")
        if self._restarts:
            self._restarts -= 1
            self._start(1)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back signals, where the system can, until a new process has its own handlers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _stop_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop_signals() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _STOP_SIGNALS]


# In the other process


def _work(link: Connection, begin: Callable[..., Work], arguments: tuple[Any, ...]) -> None:
    """Do tasks until the process that wants their results kills this one, or has ended.

    Ctrl-C is for the process that was started by hand, which then ends the others.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # not what the other one does about it
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _stop_signals())
    tasks: SimpleQueue[tuple[Any, int]] = SimpleQueue()
    results: SimpleQueue[Any] = SimpleQueue()
    _start_thread(_end_with_parent)
    _start_thread(_receive, link, tasks)
    _start_thread(_send, link, results)
    with _or_end():
        work = begin(lambda value: results.put(_Progress(value)), *arguments)
        while True:
            what, received = tasks.get()
            try:
                for result in islice(work(what), received, None):
                    results.put(result)
            except Exception:
                results.put(_End(is_failed=True))  # it is raised again where somebody sees it
            else:
                results.put(_End(is_failed=False))


def _end_with_parent() -> None:
    """End this process when its parent has ended.

    The link does not show that it was killed: that may happen while it is sending a task.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _receive(link: Connection, tasks: SimpleQueue[tuple[Any, int]]) -> None:
    """Take tasks as they come, so that the sender never waits."""
    while True:
        tasks.put(link.recv())


def _send(link: Connection, results: SimpleQueue[Any]) -> None:
    """Send results, as many as there are: the next one may take for ever."""
    while True:
        there = [results.get()]
        while not results.empty():
            there.append(results.get())
        link.send(there)


def _start_thread(work: Callable[..., None], *arguments: Any) -> None:
    def run() -> None:
        with _or_end():
            work(*arguments)

    threading.Thread(target=run, daemon=True).start()


@contextmanager
def _or_end() -> Iterator[None]:
    """End the process at any error: its work is then repeated elsewhere."""
    try:
        yield
    except BaseException:
        os._exit(1)
