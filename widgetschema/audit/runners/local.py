"""A runner by processes of this machine; results come in the order of the partitions."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from widgetschema.audit.auditor import Auditor, PartitionResult
from widgetschema.audit.plan import Plan

if TYPE_CHECKING:
    from widgetschema.audit.checkpoints import Checkpoints
    from widgetschema.project.worker_pool import Job

Progress = Callable[[int, int], None]  # bytes and records of a partition
Advance = Callable[[int, int, int], None]  # the number of a partition before them

_AHEAD: Final = 4  # partitions per worker that are in flight, or wait for an earlier one
_REPORT: Final = 0.1  # seconds between two reports of a worker about its progress


def run_local(
    plan: Plan,
    jobs: int = 1,
    *,
    checkpoints: Checkpoints | None = None,
    progress: Advance | None = None,
    warn: Callable[[str], None] | None = None,
) -> Generator[PartitionResult, None, None]:
    """Yield the results of all partitions, in their order; `jobs` is a number of processes.

    What is in `checkpoints` is not done again, and what is done is put there. `progress` is told
    of a partition how many bytes of it, as stored, and how many records are done so far:
    (number, bytes, records); `warn` is told of a worker that dies. When the iterator is closed, or
    Ctrl-C interrupts it, all workers are ended.
    """
    numbers = range(len(plan.partitions))
    todo = [one for one in numbers if checkpoints is None or one not in checkpoints]
    jobs = min(jobs, sum(not _is_local(plan, one) for one in todo))
    work = _Work(plan, checkpoints, progress)
    if jobs <= 1:
        for number in numbers:
            known = None if checkpoints is None else checkpoints.get(number)
            yield work.result(number) if known is None else known
        return
    from widgetschema.project.worker_pool import Scheduler  # most runs need but one process

    scheduler = Scheduler(
        jobs,
        _begin,
        plan,
        progress is not None,
        local=work.local,
        ahead=_AHEAD * jobs,
        on_result=work.keep,
        on_progress=work.advance,
        warn=warn,
    )
    yield from scheduler.results(work.jobs())


def _is_local(plan: Plan, number: int) -> bool:
    """Return whether only this process can read a partition: workers have no standard input."""
    return any(plan.sources[span.source].address == "-" for span in plan.partitions[number])


class _Work:
    """The partitions of a plan, in this process."""

    def __init__(
        self, plan: Plan, checkpoints: Checkpoints | None, progress: Advance | None
    ) -> None:
        self._plan = plan
        self._checkpoints = checkpoints
        self._progress = progress
        self._auditor: Auditor | None = None

    def jobs(self) -> Iterator[Job]:
        """Yield the partitions as jobs for a scheduler."""
        from widgetschema.project.worker_pool import Job

        for number in range(len(self._plan.partitions)):
            known = None if self._checkpoints is None else self._checkpoints.get(number)
            yield Job(
                number,
                None if known is None else (known,),
                is_local=_is_local(self._plan, number),
            )

    def local(self, number: int) -> Iterator[PartitionResult]:
        """Do a partition."""
        progress = self._progress
        if self._auditor is None:
            self._auditor = Auditor(self._plan)
        yield self._auditor.audit(
            number,
            None if progress is None else lambda size, records: progress(number, size, records),
        )

    def result(self, number: int) -> PartitionResult:
        """Do a partition, and keep its result."""
        [result] = self.local(number)
        self.keep(number, result)
        return result

    def keep(self, _: int, result: PartitionResult) -> None:
        """Put a result into the checkpoints."""
        if self._checkpoints is not None:
            self._checkpoints.put(result)

    def advance(self, number: int, done: tuple[int, int]) -> None:
        """Report the progress of a worker."""
        if self._progress is not None:
            self._progress(number, *done)


# In a worker


def _begin(
    report: Callable[[tuple[int, int]], None], plan: Plan, is_watched: bool
) -> Callable[[int], Iterable[PartitionResult]]:
    auditor = Auditor(plan)
    reported = time.monotonic()

    def progress(size: int, records: int) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= _REPORT:
            reported = now
            report((size, records))

    def audit(number: int) -> Iterable[PartitionResult]:
        yield auditor.audit(number, progress if is_watched else None)

    return audit
