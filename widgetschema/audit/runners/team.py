"""Several processes that do partitions of one plan, and are not lost if one of them is killed.

When a process is killed (by a system that runs out of memory, say), all are started anew, and what
they had not answered is done again. If that happens time and again, nobody is started any more, and
whoever asks does it himself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from multiprocessing.sharedctypes import RawArray
from types import TracebackType
from typing import Any, Final

from widgetschema.audit.auditor import PartResult, audit_partition
from widgetschema.audit.plan import Plan
from widgetschema.project.worker_pool import Task, Workers

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
        self._sent: dict[int, Task] = {}
        self._told: dict[int, tuple[int, int]] = {}
        self._breaks = 0
        self._workers = self._started()

    def __enter__(self) -> Team:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._workers.__exit__(kind, error, traceback)

    def __contains__(self, number: int) -> bool:
        """Whether somebody is at a partition, or will be."""
        return number in self._sent

    def send(self, number: int) -> None:
        """Give a partition to whoever is free next."""
        place = number % self._places
        self._counters[2 * place] = self._counters[2 * place + 1] = 0
        self._sent[number] = self._workers.send((number, place))

    def finished(self) -> list[PartResult]:
        """Wait for results, and give those that are there; none if the processes broke down.

        Then what is left is done again by others, or if they break down, too, by nobody:
        these partitions are not here any more.
        """
        if not any(task.is_done or task.is_lost for task in self._sent.values()):
            self._workers.wait(_LOOK)
        results = [task.results.popleft() for task in self._sent.values() if task.is_done]
        self._tell()
        for result in results:
            del self._sent[result.number]
            self._told.pop(result.number, None)
        if any(task.is_lost for task in self._sent.values()):
            self._start_anew()
        return results

    def _started(self) -> Workers:
        return Workers(self._jobs, _begin, self._plan, self._counters)

    def _start_anew(self) -> None:
        self._breaks += 1
        self._workers.end()
        if self._breaks > _BREAKS:
            self._sent.clear()
            return
        self._workers = self._started()
        for number in sorted(self._sent):
            self.send(number)

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


def _begin(plan: Plan, counters: Any) -> Callable[[tuple[int, int]], Iterable[PartResult]]:
    def audit(task: tuple[int, int]) -> Iterable[PartResult]:
        number, place = task

        def progress(size: int, records: int) -> None:
            counters[2 * place], counters[2 * place + 1] = size, records

        yield audit_partition(plan, number, progress)

    return audit
