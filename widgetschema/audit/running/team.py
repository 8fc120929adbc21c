"""Several processes that do partitions of one plan, and are not lost if one of them is killed.

A process that is killed (by a system that runs out of memory, say) takes the others with it: they
are started anew, and what they had not answered is done again. If that happens time and again,
nobody is started any more, and whoever asks does it himself.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.sharedctypes import RawArray
from types import TracebackType
from typing import Any, Final

from widgetschema.audit.auditing import PartResult, audit_partition
from widgetschema.audit.plan import Plan
from widgetschema.checking.workers import begin

_BREAKS: Final = 3  # times that processes are started anew
_LOOK: Final = 0.1  # seconds after which the progress of processes is looked at


class Team:
    """So many processes, for as long as they are needed.

    `progress` is told of each partition what `run_local` tells. Each process writes how far it is
    into a place for its partition; no more than `places` successive ones are on their way.
    """

    def __init__(
        self, plan: Plan, jobs: int, places: int, progress: Callable[[int, int, int], None] | None
    ) -> None:
        self._plan = plan
        self._jobs = jobs
        self._places = places
        self._progress = progress
        self._counters = RawArray("Q", 2 * places)
        self._sent: dict[int, Future[PartResult] | None] = {}
        self._told: dict[int, tuple[int, int]] = {}
        self._breaks = 0
        self._pool: ProcessPoolExecutor | None = None
        self._stop, self._stopping = multiprocessing.Pipe(duplex=False)

    def __enter__(self) -> Team:
        self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._sent:  # broken off: nobody waits for what they are at
            self._stopping.send_bytes(b"stop")
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._stop.close()
        self._stopping.close()

    def __contains__(self, number: int) -> bool:
        """Whether somebody is at a partition, or will be."""
        return number in self._sent

    def send(self, number: int) -> None:
        """Give a partition to whoever is free next."""
        place = number % self._places
        self._counters[2 * place] = self._counters[2 * place + 1] = 0
        self._sent[number] = self._submitted(number)

    def finished(self) -> list[PartResult]:
        """Wait for results, and give those that are there; none if the processes broke down.

        Then what is left is done again by others, or if they break down, too, by nobody:
        these partitions are not here any more.
        """
        waiting = [one for one in self._sent.values() if one is not None]
        done: set[Future[PartResult]] = set()
        if len(waiting) == len(self._sent):
            done, _ = wait(waiting, _LOOK, FIRST_COMPLETED)
        results: list[PartResult] = []
        broken = len(waiting) < len(self._sent)
        for future in done:
            try:
                results.append(future.result())
            except BrokenProcessPool:
                broken = True
        self._tell()
        for result in results:
            del self._sent[result.number]
            self._told.pop(result.number, None)
        if broken:
            self._start_anew()
        return results

    def _start(self) -> None:
        arguments = (self._plan, self._counters, self._stop)
        self._pool = ProcessPoolExecutor(self._jobs, None, _begin, arguments)

    def _start_anew(self) -> None:
        self._breaks += 1
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
        if self._breaks > _BREAKS:
            self._sent.clear()
            return
        self._start()
        for number in sorted(self._sent):
            self.send(number)

    def _submitted(self, number: int) -> Future[PartResult] | None:
        """None if there is nobody who could do it; the next `finished` sees to that."""
        if self._pool is None:
            return None
        try:
            return self._pool.submit(_audit, number, number % self._places)
        except (BrokenProcessPool, OSError):  # the system may have no room for another process
            return None

    def _tell(self) -> None:
        """What is new of how far they are."""
        if self._progress is None:
            return
        for number in self._sent:
            place = number % self._places
            now = self._counters[2 * place], self._counters[2 * place + 1]
            if now > self._told.get(number, (0, 0)):
                self._told[number] = now
                self._progress(number, *now)


_AT: Final[list[Any]] = []  # of a process: the plan and the counters, set when it starts


def _begin(plan: Plan, counters: Any, stop: Any) -> None:
    begin(stop)
    _AT[:] = plan, counters


def _audit(number: int, place: int) -> PartResult:
    plan, counters = _AT

    def progress(size: int, records: int) -> None:
        counters[2 * place], counters[2 * place + 1] = size, records

    return audit_partition(plan, number, progress)
