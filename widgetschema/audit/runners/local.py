"""A runner by processes of this machine; results come in the order of the partitions."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from widgetschema.audit.auditor import Auditor
from widgetschema.audit.partition_result import PartitionResult
from widgetschema.audit.plan import Plan

if TYPE_CHECKING:
    from widgetschema.audit.checkpoints import Checkpoints
    from widgetschema.project.worker_pool import Job

Advance = Callable[[int, int, int], None]  # the number of a partition, its bytes and its records

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
    auditor: Auditor | None = None

    def local(number: int) -> Iterator[PartitionResult]:
        nonlocal auditor
        auditor = auditor or Auditor(plan)
        advance = None if progress is None else partial(progress, number)
        yield auditor.audit(number, advance)

    def keep(_: int, result: PartitionResult) -> None:
        if checkpoints is not None:
            checkpoints.put(result)

    if jobs <= 1:
        for number in numbers:
            result = None if checkpoints is None else checkpoints.get(number)
            if result is None:
                [result] = local(number)
                keep(number, result)
            yield result
        return
    from widgetschema.project.worker_pool import Job, Scheduler  # most runs need but one process

    def every_job() -> Iterator[Job]:
        for number in numbers:
            known = None if checkpoints is None else checkpoints.get(number)
            done = None if known is None else (known,)
            yield Job(number, done, is_local=_is_local(plan, number))

    scheduler = Scheduler(
        jobs,
        _begin,
        plan,
        progress is not None,
        local=local,
        ahead=_AHEAD * jobs,
        on_result=keep,
        on_progress=None if progress is None else lambda number, done: progress(number, *done),
        warn=warn,
    )
    yield from scheduler.results(every_job())


def _is_local(plan: Plan, number: int) -> bool:
    """Return whether only this process can read a partition: workers have no standard input."""
    return any(plan.sources[span.source].address == "-" for span in plan.partitions[number])


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
