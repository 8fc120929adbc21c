"""A runner by processes of this machine; results come in the order of the partitions."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.audit.auditor import Auditor
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.inputs.sources import Block
from widgetschema.audit.partition_result import PartitionResult, joined
from widgetschema.audit.plan import Plan
from widgetschema.project.inputs.model import SourceFailed

if TYPE_CHECKING:
    from widgetschema.audit.checkpoints import Checkpoints
    from widgetschema.project.worker_pool import Job

Progress = Callable[[int, int], None]  # bytes and records of a partition
Advance = Callable[[int, int, int], None]  # the number of a partition before them

_AHEAD: Final = 4  # partitions per worker that are in flight, or wait for an earlier one
_PORTION: Final = 2 * 1024 * 1024  # bytes of lines in a portion
_LEAST: Final = 512 * 1024  # bytes as stored: less is no work for several processes
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
    Ctrl-C interrupts it, all workers are ended. If there are fewer partitions than processes, this
    one reads those that cannot be cut, and the others check what it has read.
    """
    numbers = range(len(plan.partitions))
    todo = [one for one in numbers if checkpoints is None or one not in checkpoints]
    shared = {one for one in todo if len(todo) < jobs and has_portions(plan, one)}
    if not shared:
        jobs = min(jobs, sum(not _is_local(plan, one) for one in todo))
    work = _Work(plan, checkpoints, progress, shared)
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
    yield from work.joined(scheduler.results(work.jobs()))


def _is_local(plan: Plan, number: int) -> bool:
    """Return whether only this process can read a partition: workers have no standard input."""
    return any(plan.sources[span.source].address == "-" for span in plan.partitions[number])


class Portion(NamedTuple):
    """Some blocks of the only span of a partition that cannot be cut, as of a compressed file.

    One process reads it, while others check what was read.
    `before` is the number of lines before them, `stored` that of bytes up to their end, as stored.
    `failure` says why nothing could be read behind them.
    """

    number: int
    blocks: Sequence[Block]
    before: int
    stored: int
    is_last: bool = False
    failure: SourceFailed | None = None

    @property
    def begin(self) -> int:
        """The number of bytes before them, as stored."""
        return self.stored - sum(block.stored for block in self.blocks)

    @property
    def lines(self) -> int:
        """The number of lines up to their end."""
        return self.before + sum(block.number_of_lines for block in self.blocks)

    def read(self) -> Iterator[Block]:
        """Yield the blocks, and raise the failure, as reading the partition itself would."""
        yield from self.blocks
        if self.failure is not None:
            raise self.failure


def has_portions(plan: Plan, number: int) -> bool:
    """Return whether a partition is a large source that only one process can read."""
    [span, *others] = plan.partitions[number]
    source = plan.sources[span.source]
    is_uncut = (bool(source.compression) or source.layout == "whole") and source.table is None
    return is_uncut and not others and (source.size or 0) >= _LEAST


def portions(plan: Plan, number: int) -> Iterator[Portion]:
    """Read such a partition and yield its portions, each as soon as the next one is there."""
    [span] = plan.partitions[number]
    here, size = Portion(number, [], 0, 0), 0
    before = here
    failure = None
    try:
        for block in blocks(plan.sources[span.source], span, max_bytes=plan.max_bytes):
            here = here._replace(blocks=[*here.blocks, block], stored=here.stored + block.stored)
            size += sum(map(len, block.lines))
            if size >= _PORTION:
                if before.blocks:
                    yield before
                before, size = here, 0
                here = Portion(number, [], before.lines, before.stored)
    except SourceFailed as error:
        failure = error
    yield here._replace(
        blocks=[*before.blocks, *here.blocks],
        before=before.before,
        is_last=True,
        failure=failure,
    )


class PartialResult(NamedTuple):
    """The result of a portion of a partition."""

    result: PartitionResult
    is_last: bool


def _audited(
    auditor: Auditor, what: int | Portion, progress: Progress | None
) -> PartitionResult | PartialResult:
    """Return the result of a partition, or of a portion of one."""
    if isinstance(what, Portion):
        result = auditor.audit_blocks(what.number, what.read(), (what.before, what.begin))
        return PartialResult(result, what.is_last)
    return auditor.audit(what, progress)


class _Work:
    """The partitions of a plan, in this process."""

    def __init__(
        self,
        plan: Plan,
        checkpoints: Checkpoints | None,
        progress: Advance | None,
        shared: Collection[int],
    ) -> None:
        self._plan = plan
        self._checkpoints = checkpoints
        self._progress = progress
        self._shared = shared  # partitions that this process reads for others
        self._reached = (0, 0, 0)  # in a partition that is read for others
        self._auditor: Auditor | None = None

    def jobs(self) -> Iterator[Job]:
        """Yield the partitions as jobs for a scheduler."""
        from widgetschema.project.worker_pool import Job

        for number in range(len(self._plan.partitions)):
            known = None if self._checkpoints is None else self._checkpoints.get(number)
            if known is None and number in self._shared:
                yield from map(Job, portions(self._plan, number))
                continue
            yield Job(
                number,
                None if known is None else (known,),
                is_local=_is_local(self._plan, number),
            )

    def local(self, what: int | Portion) -> Iterator[PartitionResult | PartialResult]:
        """Do a partition, or a portion of one."""
        if self._auditor is None:
            self._auditor = Auditor(self._plan)
        progress = self._progress
        if isinstance(what, Portion) or progress is None:
            yield _audited(self._auditor, what, None)
        else:
            yield _audited(self._auditor, what, lambda size, records: progress(what, size, records))

    def joined(
        self, results: Iterable[PartitionResult | PartialResult]
    ) -> Iterator[PartitionResult]:
        """Yield the results of partitions, of which some come in parts."""
        parts: list[PartitionResult] = []
        for one in results:
            if isinstance(one, PartitionResult):
                yield one
                continue
            parts.append(one.result)
            if one.is_last:
                whole = joined(parts, self._plan.settings.examples)
                parts.clear()
                self.keep(whole.number, whole)
                yield whole

    def result(self, number: int) -> PartitionResult:
        """Do a partition, and keep its result."""
        [result] = self.local(number)
        assert isinstance(result, PartitionResult)
        self.keep(number, result)
        return result

    def keep(self, what: int | Portion, result: PartitionResult | PartialResult) -> None:
        """Put the result of a partition into the checkpoints; that of a portion is progress."""
        if isinstance(what, Portion):
            self._reached = max(self._reached, (what.number, what.stored, what.lines))
            if self._progress is not None:
                self._progress(*self._reached)
        elif self._checkpoints is not None and isinstance(result, PartitionResult):
            self._checkpoints.put(result)

    def advance(self, number: int, done: tuple[int, int]) -> None:
        """Report the progress of a worker."""
        if self._progress is not None:
            self._progress(number, *done)


# In a worker


def _begin(
    report: Callable[[tuple[int, int]], None], plan: Plan, is_watched: bool
) -> Callable[[int | Portion], Iterable[PartitionResult | PartialResult]]:
    auditor = Auditor(plan)
    reported = time.monotonic()

    def progress(size: int, records: int) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= _REPORT:
            reported = now
            report((size, records))

    def audit(what: int | Portion) -> Iterable[PartitionResult | PartialResult]:
        yield _audited(auditor, what, progress if is_watched else None)

    return audit
