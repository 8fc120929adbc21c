"""A runner on a Dask cluster; results come in the order of the partitions.

Dask alone decides which worker does what, and what is repeated when one is lost
(https://distributed.dask.org). A task gets the plan from another task, not from a copy that was
scattered: when a worker that held the plan is lost, the scheduler has it made again. Results stay
with the workers until their turn comes, so that little is held here.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import threading
import time
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import wait
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from widgetschema.audit.auditor import Auditor, PartitionResult
from widgetschema.audit.partition_result import PartitionCounter
from widgetschema.audit.plan import Plan
from widgetschema.audit.runners.connection import (
    CONNECT,
    PATIENCE,
    Notify,
    WorkerWatch,
    check_inputs,
    check_versions,
    connect_client,
    describe_error,
    installed,
    scheduler_lost,
)
from widgetschema.audit.runners.portable_plan import portable_plan
from widgetschema.errors import ClusterError, UnsharedInput
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.reading import blocks
from widgetschema.project.inputs.sources import Source, Span, stored_size

if TYPE_CHECKING:
    from distributed import Client, Future

    from widgetschema.audit.checkpoints import Checkpoints

Advance = Callable[[int, int, int], None]

_AHEAD: Final = 4  # partitions for each thread that are on their way, or wait for an earlier one
_FEWEST: Final = 8  # … however few threads there are
_AT_ONCE: Final = 32  # results that are fetched together
_RETRIES: Final = 2  # times that a partition is tried again after an error
_POLL: Final = 0.5  # seconds after which the cluster is looked at while nothing comes
_KEPT: Final = 2  # plans that a thread of a worker keeps


def run_cluster(
    plan: Plan,
    address: str,
    *,
    checkpoints: Checkpoints | None = None,
    progress: Advance | None = None,
    notify: Notify | None = None,
    connect: float = CONNECT,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[PartitionResult, None, None]:
    """Yield the results of all partitions, in their order, by the workers of a Dask scheduler.

    What is in `checkpoints` is not done again, and what is done is put there. `progress` is told
    of a partition that is done: (number, bytes as stored, records). `notify` is told what is being
    waited for. `connect` and `patience` are seconds: until a scheduler must have answered, and that
    the cluster may be without workers, which `clock` measures. When the iterator is closed, what is
    on its way is cancelled. A partition that no worker can do is a problem of its sources.

    Raises `MissingExtra`, `ClusterError`, `UnsharedInput`, and what `portable_plan` raises.
    """
    for source in plan.sources:
        if source.address == "-":
            raise UnsharedInput(address, "-", "standard input is on this machine only")
    portable = portable_plan(plan)
    with connect_client(address, connect=connect, patience=patience, notify=notify) as client:
        check_inputs(client, address, portable.sources, patience)
        watch = WorkerWatch(client, address, patience, clock)
        yield from _ClusterRun(client, address, portable, checkpoints, progress, watch).results()


class TaskResult(NamedTuple):
    """The result of a task: that of a partition, and how many records were in it."""

    result: PartitionResult
    records: int


class _Submitted(NamedTuple):
    """A partition that is on its way; or, where it was done before, its result."""

    number: int
    future: Future[TaskResult] | None = None
    known: PartitionResult | None = None

    def is_done(self) -> bool:
        """Return whether the result is there, or the task has failed."""
        return self.future is None or bool(self.future.done())


class _ClusterRun:
    """A plan that is portable out by a cluster."""

    def __init__(
        self,
        client: Client,
        address: str,
        plan: Plan,
        checkpoints: Checkpoints | None,
        progress: Advance | None,
        watch: WorkerWatch,
    ) -> None:
        self._client = client
        self._address = address
        self._plan = plan
        self._checkpoints = checkpoints
        self._progress = progress
        self._watch = watch
        self._run = uuid.uuid4().hex
        self._shared: Future[bytes] | None = None
        self._sent: deque[_Submitted] = deque()

    def results(self) -> Iterator[PartitionResult]:
        """Yield the results, in the order of the partitions."""
        try:
            numbers = iter(range(len(self._plan.partitions)))
            while True:
                room = max(_FEWEST, _AHEAD * self._watch.threads()) - len(self._sent)
                self._sent += map(self._send, islice(numbers, max(0, room)))
                if not self._sent:
                    return
                yield from self._next_results()
        finally:
            self._cancel()

    def _send(self, number: int) -> _Submitted:
        """Have a partition done, if it is not known yet."""
        known = None if self._checkpoints is None else self._checkpoints.get(number)
        if known is not None:
            return _Submitted(number, known=known)
        if self._shared is None:  # not before there is something to do
            plan = self._plan._replace(sources=(), partitions=())
            packed = pickle.dumps(_SharedTask(self._address, installed(), plan))
            self._shared = self._client.submit(
                _plan, packed, key=f"widgetschema-plan-{self._run}", pure=False
            )
        future = self._client.submit(
            _audit,
            self._run,
            self._shared,
            pickle.dumps(_part(self._plan, number)),
            number,
            key=f"widgetschema-audit-{self._run}-{number}",
            retries=_RETRIES,
            priority=-number,  # what is due first comes first
            pure=False,
        )
        return _Submitted(number, future)

    def _next_results(self) -> Iterator[PartitionResult]:
        """Yield the result that is due, once it is there, and those that are there with it."""
        ready = takewhile(_Submitted.is_done, islice(self._sent, 1, _AT_ONCE))
        there = [self._sent[0], *ready]
        answers: dict[int, TaskResult] = {}
        futures = {one.number: one.future for one in there if one.future is not None}
        with contextlib.suppress(Exception):  # then each says what became of it
            answers = dict(zip(futures, self._gather([*futures.values()]), strict=True))
        for one in there:
            if one.known is not None:
                result = one.known
            elif one.number in answers:
                result = self._kept(answers[one.number])
            else:
                result = self._single(one)
            self._sent.popleft()  # Dask forgets it, too
            yield result

    def _single(self, sent: _Submitted) -> PartitionResult:
        """Return a result by itself, or why there is none. Raises `ClusterError`."""
        from distributed import CancelledError, KilledWorker

        try:
            [answer] = self._gather([sent.future])
        except CancelledError:
            raise scheduler_lost(self._address) from None
        except ClusterError as error:  # nobody is left, or not as it must be
            raise error.with_traceback(None) from None
        except KilledWorker as error:
            lost = f"{error.allowed_failures + 1} workers were lost while they were at it"
            return _not_done(self._plan, sent.number, f"{lost}; their logs may notify why")
        except Exception as error:  # whatever a worker came upon
            return _not_done(self._plan, sent.number, describe_error(error))
        return self._kept(answer)

    def _gather(self, futures: Sequence[Future[TaskResult] | None]) -> list[TaskResult]:
        """Return the results of futures, when they are there. Raises what went wrong with one.

        Results may be lost with their workers at any time, even while they are fetched, and Dask
        has no limit for how long it waits for others. Raises `ClusterError` if nobody is left.
        """
        if not futures:
            return []
        loop = cast("Any", self._client.loop).asyncio_loop
        gathering = asyncio.run_coroutine_threadsafe(
            self._client.gather(futures, asynchronous=True), loop
        )
        try:
            while not wait([gathering], _POLL).done:
                self._watch.threads()
            answers: list[TaskResult] = gathering.result()
        finally:
            gathering.cancel()
        return answers

    def _kept(self, answer: TaskResult) -> PartitionResult:
        result = answer.result
        if self._checkpoints is not None:
            self._checkpoints.put(result)
        if self._progress is not None:
            self._progress(result.number, _size(self._plan, result.number), answer.records)
        return result

    def _cancel(self) -> None:
        futures = [one.future for one in self._sent if one.future is not None]
        if futures and self._client.status == "running":
            self._client.cancel(futures, force=True)
        self._sent.clear()


class _SharedTask(NamedTuple):
    """The value that all tasks of a run need: a plan without its partitions, and versions."""

    address: str
    versions: dict[str, str | None]
    plan: Plan


class _Partition(NamedTuple):
    """One partition by itself: its sources, and the spans in these."""

    sources: tuple[Source, ...]
    spans: tuple[Span, ...]


def _part(plan: Plan, number: int) -> _Partition:
    spans = plan.partitions[number]
    places = {index: place for place, index in enumerate(dict.fromkeys(one[0] for one in spans))}
    return _Partition(
        tuple(plan.sources[index] for index in places),
        tuple(span._replace(source=places[span.source]) for span in spans),
    )


def _size(plan: Plan, number: int) -> int:
    """Return the bytes of a partition as stored, as far as they are known."""
    return sum(stored_size(span, plan.sources) or 0 for span in plan.partitions[number])


def _not_done(plan: Plan, number: int, why: str) -> PartitionResult:
    """Return the result of a partition that failed. It is not kept: it may succeed later."""
    counter = PartitionCounter(plan.settings, lambda _: frozenset())
    for index, span in enumerate(plan.partitions[number]):
        begin_in = "the lines that begin in bytes"
        unit = begin_in if plan.sources[span.source].table is None else "its parts from"
        which = "it" if span.end is None else f"{unit} {span.start:,} to {span.end:,}"
        message = f"{which} could not be checked by the cluster: {why}"
        counter.problems.append((index, None, message, 3))
        counter.lines.append(_lines(plan, span))  # those behind are to have their numbers
    return PartitionResult(number, counter.encode(), b"", b"")


def _lines(plan: Plan, span: Span) -> int:
    """Return how many lines there are in a span, as far as this machine can read it."""
    lines = 0
    with contextlib.suppress(SourceFailed):
        for block in blocks(plan.sources[span.source], span, max_bytes=plan.max_bytes):
            lines += len(block.lines) or 1
    return lines


# On a worker


class _AuditorCache(threading.local):
    """The auditors that a thread of a worker keeps, for the latest plans."""

    def __init__(self) -> None:
        self.auditors: OrderedDict[str, Auditor] = OrderedDict()


_HERE: Final = _AuditorCache()


def _plan(packed: bytes) -> bytes:
    """Return the pickled plan, for all tasks: Dask moves it to where it is needed."""
    return packed


def _audit(run: str, packed: bytes, part: bytes, number: int) -> TaskResult:
    """Check one partition, by what this thread has compiled and learnt for the plan."""
    auditors = _HERE.auditors
    auditor = auditors.get(run)
    if auditor is None:
        task: _SharedTask = pickle.loads(packed)  # noqa: S301  # as all that Dask carries
        check_versions(task.address, "a worker that joined later", installed(), task.versions)
        auditor = auditors[run] = Auditor(task.plan)
        while len(auditors) > _KEPT:
            auditors.popitem(last=False)
    auditors.move_to_end(run)
    own: Any = pickle.loads(part)  # noqa: S301
    auditor.plan = auditor.plan._replace(sources=own.sources, partitions=(own.spans,))
    records = 0

    def count(_: int, so_far: int) -> None:
        nonlocal records
        records = so_far

    result = auditor.audit(0, count)
    return TaskResult(result._replace(number=number), records)
