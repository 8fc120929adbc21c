"""The partitions of a plan by processes of this machine; results come in their order.

Only so much is on its way at a time that memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Final

from widgetschema.audit.auditor import PartResult, audit_partition
from widgetschema.audit.plan import Plan

if TYPE_CHECKING:
    from widgetschema.audit.checkpoints import Checkpoints

Progress = Callable[[int, int], None]  # bytes and records of a partition
Advance = Callable[[int, int, int], None]  # the number of a partition before them

_AHEAD: Final = 4  # partitions for each process that are on their way, or wait for an earlier one


def run_local(
    plan: Plan,
    jobs: int = 1,
    *,
    checkpoints: Checkpoints | None = None,
    progress: Advance | None = None,
) -> Generator[PartResult, None, None]:
    """The results of all partitions, in their order; `jobs` is a number of processes.

    What is in `checkpoints` is not done again, and what is done is put there. `progress` is told
    of a partition how many bytes of it, as stored, and how many records are done so far:
    (number, bytes, records). When the iterator is closed, or Ctrl-C interrupts it, all processes
    are ended.
    """
    todo = [number for number in range(len(plan.partitions)) if not _is_done(number, checkpoints)]
    elsewhere = sum(not _is_of_this_process(plan, number) for number in todo)
    jobs = min(jobs, elsewhere)
    if jobs <= 1:
        return _alone(plan, checkpoints, progress)
    return _together(plan, jobs, checkpoints, progress)


def _is_done(number: int, checkpoints: Checkpoints | None) -> bool:
    return checkpoints is not None and number in checkpoints


def _is_of_this_process(plan: Plan, number: int) -> bool:
    """Whether a partition can be read by this process alone: others have no standard input."""
    return any(plan.sources[span.source].address == "-" for span in plan.partitions[number])


def _alone(
    plan: Plan, checkpoints: Checkpoints | None, progress: Advance | None
) -> Generator[PartResult, None, None]:
    for number in range(len(plan.partitions)):
        known = None if checkpoints is None else checkpoints.get(number)
        yield known or _done_here(plan, number, checkpoints, progress)


def _done_here(
    plan: Plan, number: int, checkpoints: Checkpoints | None, progress: Advance | None
) -> PartResult:
    result = audit_partition(plan, number, _about(number, progress))
    if checkpoints is not None:
        checkpoints.put(result)
    return result


def _about(number: int, progress: Advance | None) -> Progress | None:
    if progress is None:
        return None
    return lambda size, records: progress(number, size, records)


def _together(
    plan: Plan, jobs: int, checkpoints: Checkpoints | None, progress: Advance | None
) -> Generator[PartResult, None, None]:
    """Partitions are sent ahead of the one that is due, a bounded number of them."""
    from widgetschema.audit.runners.team import Team  # most runs need but one process

    ahead = _AHEAD * jobs
    every = len(plan.partitions)
    ready: dict[int, PartResult] = {}
    sent = 0
    with Team(plan, jobs, ahead, progress) as team:
        for number in range(every):
            while sent < min(every, number + ahead):
                known = None if checkpoints is None else checkpoints.get(sent)
                if known is not None:
                    ready[sent] = known
                elif not _is_of_this_process(plan, sent):
                    team.send(sent)
                sent += 1
            while number not in ready and number in team:
                for result in team.finished():
                    ready[result.number] = result
                    if checkpoints is not None:
                        checkpoints.put(result)
            if number in ready:
                yield ready.pop(number)
            else:
                yield _done_here(plan, number, checkpoints, progress)
