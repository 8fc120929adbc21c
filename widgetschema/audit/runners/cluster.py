"""A runner on a Dask cluster; results come in the order of the partitions.

Dask decides which worker does what, repeats what is lost with a worker, and waits for workers and
its scheduler as long as it is configured to (https://distributed.dask.org). Results stay with the
workers until their turn comes, so that little is held here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import sys
import threading
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from widgetschema.audit.auditor import Auditor
from widgetschema.audit.inputs.reading import blocks
from widgetschema.audit.inputs.sources import Source, Span, stored_size
from widgetschema.audit.partition_result import PartitionCounter, PartitionResult
from widgetschema.audit.plan import Plan
from widgetschema.errors import ClusterError, MissingExtra, UnsharedInput
from widgetschema.files import open_file
from widgetschema.project.checking.results import reason
from widgetschema.project.inputs.model import SourceFailed

if TYPE_CHECKING:
    from distributed import Client, Future

    from widgetschema.audit.checkpoints import Checkpoints

Advance = Callable[[int, int, int], None]
TaskResult = tuple[PartitionResult, int | None]  # and how many records were read for it, if it was

CONNECT: Final = 10.0  # seconds until a scheduler must have answered
PATIENCE: Final = 60.0  # seconds until a cluster must have a worker
_MARGIN: Final = 1.0  # seconds that an answer may take once there is a connection
_AHEAD: Final = 4  # partitions for each thread that are on their way, or wait for an earlier one
_FEWEST: Final = 8  # … however few threads there are
_RETRIES: Final = 2  # times that a partition is tried again after an error
_NOT_DASK: Final = "a server answers there, but it is not a Dask scheduler"
_STOPPED: Final = "the scheduler stopped or was restarted; once one runs, continue with --resume"
_LOGS: Final = "asyncio distributed distributed.client distributed.gc tornado tornado.application"


def run_cluster(
    plan: Plan,
    address: str,
    *,
    checkpoints: Checkpoints | None = None,
    progress: Advance | None = None,
    notify: Callable[[str], None] | None = None,
    connect: float = CONNECT,
    patience: float = PATIENCE,
) -> Generator[PartitionResult, None, None]:
    """Yield the results of all partitions, in their order, by the workers of a Dask scheduler.

    What is in `checkpoints` is not done again, and what is done is put there. `progress` is told
    of a partition that is done: (number, bytes as stored, records). `notify` is told what is being
    waited for. `connect` and `patience` are seconds: until a scheduler must have answered, and
    until it must have a worker. A partition that no worker can do is a problem of its sources.

    Raises `MissingExtra`, `ClusterError`, `UnsharedInput`, and what `Plan.portable` raises.
    """
    for source in plan.sources:
        if source.address == "-":
            raise UnsharedInput(address, "-", "standard input is on this machine only")
    # A task gets the plan from another task: when it is lost with a worker, it is made again.
    packed = pickle.dumps((_versions(), plan.portable()))
    run = f"widgetschema-{uuid.uuid4().hex}"
    numbers = iter(range(len(plan.partitions)))
    sent: deque[tuple[int, PartitionResult | Future[TaskResult]]] = deque()
    with _connected(address, connect) as client:
        if not client.nthreads():
            advice = f"start one with: dask worker {address} --nworkers auto --nthreads 1"
            if notify is not None:
                notify(f"the cluster at {address} has no workers; {advice}")
            try:
                client.wait_for_workers(1, timeout=patience)
            except TimeoutError:
                why = f"the cluster had no worker for {patience:.0f} seconds; {advice}"
                raise ClusterError(address, why) from None
        for worker, versions in client.run(_versions).items():
            _check_versions(address, worker, versions, _versions())
        shared = client.submit(_unchanged, packed, key=f"{run}-plan", pure=False)
        while True:
            room = max(_FEWEST, _AHEAD * sum(client.nthreads().values())) - len(sent)
            for number in islice(numbers, max(0, room)):
                known = None if checkpoints is None else checkpoints.get(number)
                options: dict[str, Any] = {"key": f"{run}-{number}", "pure": False}
                # What is due first comes first.
                options |= {"retries": _RETRIES, "priority": -number}
                task = known or client.submit(_audit, shared, address, number, **options)
                sent.append((number, task))
            if not sent:
                return
            number, due = sent.popleft()
            if isinstance(due, PartitionResult):
                yield due
                continue
            result, records = _outcome(due, address, plan, number)
            if records is not None:
                if checkpoints is not None:
                    checkpoints.put(result)
                if progress is not None:
                    sizes = [stored_size(span, plan.sources) for span in plan.partitions[number]]
                    progress(number, sum(size or 0 for size in sizes), records)
            yield result


def _outcome(future: Future[TaskResult], address: str, plan: Plan, number: int) -> TaskResult:
    """Return the result of a task, or why there is none. Raises `ClusterError`."""
    from distributed import CancelledError, KilledWorker

    try:
        return future.result()
    except ClusterError as error:
        missing = isinstance(error, UnsharedInput) and any(
            _difference(source) for source in _local_sources(plan, number)
        )
        if missing:  # here, too
            return Auditor(plan).audit(number), 0
        raise error.with_traceback(None) from None
    except (CancelledError, OSError):
        raise ClusterError(address, _STOPPED) from None
    except KilledWorker as error:
        lost = f"{error.allowed_failures + 1} workers were lost while they were at it"
        return _not_done(plan, number, f"{lost}; see their logs")
    except Exception as error:  # whatever a worker came upon
        text = " ".join(str(error).split())
        why = f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__
        return _not_done(plan, number, why)


def _not_done(plan: Plan, number: int, why: str) -> TaskResult:
    """Return the result of a partition that failed. It is not kept: it may succeed later."""
    counter = PartitionCounter(plan.settings, lambda _: frozenset())
    for index, span in enumerate(plan.partitions[number]):
        begin_in = "the lines that begin in bytes"
        unit = begin_in if plan.sources[span.source].table is None else "its parts from"
        which = "it" if span.end is None else f"{unit} {span.start:,} to {span.end:,}"
        message = f"{which} could not be checked by the cluster: {why}"
        counter.problems.append((index, None, message, 3))
        counter.lines.append(_lines(plan, span))  # those behind are to have their numbers
    return counter.result(number), None


def _lines(plan: Plan, span: Span) -> int:
    """Return the number of lines in a span, as far as this machine can read it."""
    lines = 0
    with contextlib.suppress(SourceFailed):
        for block in blocks(plan.sources[span.source], span, max_bytes=plan.max_bytes):
            lines += len(block.lines) or 1
    return lines


# The connection


@contextlib.contextmanager
def _connected(address: str, timeout: float) -> Iterator[Client]:
    """Connect to the scheduler at an address. Raises `MissingExtra` and `ClusterError`.

    TLS is as Dask is configured. Its log is silent unless it is configured, since the errors raised
    here say what is wrong.
    """
    if not address.strip():  # Dask would start a cluster of its own
        raise ClusterError("''", "this is not an address; an example is tcp://10.0.0.1:8786")
    try:
        import dask

        configured = {*dask.config.config, *(dask.config.get("distributed", None) or ())}
        if not {"logging", "logging-file-config"} & configured:
            dask.config.set(logging=dict.fromkeys(_LOGS.split(), "critical"))
        from distributed import Client
    except ImportError:
        raise MissingExtra("cluster", "a cluster needs Dask") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions: workers look at those that matter
        try:
            asyncio.run(_check_scheduler(Client, address, timeout))
            client = Client(address, timeout=timeout, set_as_default=False)
        except (TimeoutError, MemoryError):  # words of another protocol are read as a huge size
            raise ClusterError(address, _NOT_DASK) from None
        except OSError:
            advice = "start one with: dask scheduler"
            why = f"no scheduler answered within {timeout:g} seconds; {advice}"
            raise ClusterError(address, why) from None
        except Exception as error:  # no address; no certificate; whatever the other one said
            raise ClusterError(address, reason(error) if str(error) else _NOT_DASK) from None
    try:
        yield client
    except OSError:  # of a call of the client itself
        raise ClusterError(address, _STOPPED) from None
    finally:
        with contextlib.suppress(Exception):  # of a scheduler that is gone: nothing is lost
            client.close(timeout=2)


async def _check_scheduler(client_type: type[Client], address: str, timeout: float) -> None:
    """Raise an exception unless there is a scheduler.

    A client of Dask waits for ever for the first words of a server that accepts a connection, and
    one that is only half made holds up the end of the process. One that is asynchronous can be
    cancelled: so this comes first.
    """
    client = client_type(address, asynchronous=True, timeout=timeout, set_as_default=False)
    try:
        await asyncio.wait_for(client, timeout + _MARGIN)
    finally:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(client.close(), _MARGIN)


# On a worker


_HERE: Final = threading.local()  # what a thread keeps for the next partition


def _unchanged(packed: bytes) -> bytes:
    """Return the pickled plan, for all tasks: Dask moves it to where it is needed."""
    return packed


def _auditor(packed: bytes, address: str) -> Auditor:
    """Return the auditor of this thread, with all that it has compiled and learned for the plan."""
    if getattr(_HERE, "packed", None) != packed:
        wanted, plan = pickle.loads(packed)  # noqa: S301  # as all that Dask carries
        _check_versions(address, f"{_worker()}, which joined later,", _versions(), wanted)
        _HERE.packed, _HERE.auditor = packed, Auditor(plan)
    auditor: Auditor = _HERE.auditor
    return auditor


def _audit(packed: bytes, address: str, number: int) -> TaskResult:
    """Check one partition. Raises `ClusterError`, or `UnsharedInput` for what is not there."""
    auditor = _auditor(packed, address)
    for source in _local_sources(auditor.plan, number):
        why = _difference(source)
        if why is not None:
            raise UnsharedInput(address, source.name, f"the worker {_worker()} says: {why}")
    records = 0

    def count(_: int, so_far: int) -> None:
        nonlocal records
        records = so_far

    return auditor.audit(number, count), records


def _versions() -> list[str]:
    """Return the versions on this machine of all that decides results; of Python, two numbers."""
    found = [f"Python {sys.version_info[0]}.{sys.version_info[1]}"]
    for name in ("widgetschema", "jsonschema-rs"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return found


def _check_versions(address: str, worker: str, theirs: list[str], wanted: list[str]) -> None:
    """Raise `ClusterError` if a worker has other versions than those wanted."""
    pairs = zip(theirs, wanted, strict=True)
    different = ", ".join(f"{one} (here: {here})" for one, here in pairs if one != here)
    if different:
        why = f"the worker {worker} has {different}; install the same there, with the same Python"
        raise ClusterError(address, why)


def _worker() -> str:
    from distributed import get_worker

    address: str = get_worker().address
    return address


def _local_sources(plan: Plan, number: int) -> list[Source]:
    """Return the sources of a partition that are files, perhaps of a shared disk."""
    sources = [plan.sources[span.source] for span in plan.partitions[number]]
    return [source for source in sources if source.is_local]


def _difference(source: Source) -> str | None:
    """Return the reason why a file is not that of the plan on this machine; None if it may be."""
    try:
        with open_file(source.address) as file:
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        return reason(error)
    if source.size is not None and size < source.size:
        return f"it has {size:,} bytes there, and {source.size:,} here"
    return None
