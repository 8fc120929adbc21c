"""A connection to a cluster that can do an audit: it answers, has workers, and they are alike.

A cluster that cannot is refused before anything starts. Dask's own log stays as it is configured;
by default it is silent, since the errors raised here say what is wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from widgetschema.audit.runners.portable_plan import is_local
from widgetschema.errors import ClusterError, MissingExtra, UnsharedInput
from widgetschema.project.checking.results import reason
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.reading import blocks
from widgetschema.project.inputs.sources import Source, Span
from widgetschema.project.inputs.streams import open_source

if TYPE_CHECKING:
    from distributed import Client

Notify = Callable[[str], None]

CONNECT: Final = 10.0  # seconds until a scheduler must have answered
PATIENCE: Final = 60.0  # seconds that a cluster may be without any worker
_NOT_DASK: Final = "a server answers there, but it is not a Dask scheduler"
_MARGIN: Final = 1.0  # seconds that an answer may take once there is a connection
_STUCK: Final = 30.0  # seconds after which no more comes of an attempt to connect that is over
_ANSWER: Final = 5.0  # seconds that a scheduler has to notify how many threads there are
_ASK_AGAIN: Final = 1.0  # seconds until the number of threads is asked for again
_LITTLE: Final = 4096  # bytes that are read of what is compressed
_LOOKED_AT: Final = 64  # sources that every worker looks at before anything starts
# What decides about records: the same on every machine, or nobody knows who said what.
_PACKAGES: Final = ("widgetschema", "jsonschema-rs")
_LOGS: Final = (
    *"asyncio distributed distributed.client distributed.gc".split(),
    *"tornado tornado.application".split(),
)


@contextlib.contextmanager
def connect_client(
    address: str,
    *,
    connect: float = CONNECT,
    patience: float = PATIENCE,
    notify: Notify | None = None,
) -> Iterator[Client]:
    """Connect to the scheduler at an address, which has a worker; the client is closed at the end.

    `notify` is told, in a sentence, that there is something to wait for. TLS is as Dask is
    configured. Raises `MissingExtra` and `ClusterError`.
    """
    client = _client(address, connect)
    try:
        _wait_for_workers(client, address, patience, notify)
        _check_all_versions(client, address, patience)
        yield client
    finally:
        with contextlib.suppress(Exception):  # of a scheduler that is gone: nothing is lost
            client.close(timeout=2)


def _client(address: str, timeout: float) -> Client:
    if not address.strip():  # Dask would start a cluster of its own
        raise ClusterError("''", "this is not an address; an example is tcp://10.0.0.1:8786")
    client_type = _client_type()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions: these are looked at below
        _check_scheduler(client_type, address, timeout)
        try:
            return client_type(address, timeout=timeout, set_as_default=False)
        except OSError:
            raise ClusterError(address, _no_answer(timeout)) from None
        except Exception as error:  # whatever there may be at an address
            raise ClusterError(address, reason(error)) from None


def _check_scheduler(client_type: type[Client], address: str, timeout: float) -> None:
    """Raise `ClusterError` unless there is a scheduler.

    A client of Dask waits for ever for the first words of a server that accepts a connection, and
    one that is only half made holds up the end of the process. One that is asynchronous can be
    cancelled: so this comes first.
    """
    failed: list[str] = []

    def connect() -> None:
        try:
            asyncio.run(_connect(client_type, address, timeout))
        except (TimeoutError, MemoryError):  # words of another protocol are read as a huge size
            failed.append(_NOT_DASK)
        except OSError:
            failed.append(_no_answer(timeout))
        except Exception as error:  # no address; no certificate; whatever the other one said
            failed.append(reason(error) if str(error) else _NOT_DASK)

    thread = threading.Thread(target=connect, daemon=True)  # here, a loop may be running
    thread.start()
    thread.join(timeout + _STUCK)
    if thread.is_alive():  # a library may miss that its task is cancelled
        failed.append(_NOT_DASK)
    if failed:
        raise ClusterError(address, failed[0])


async def _connect(client_type: type[Client], address: str, timeout: float) -> None:
    client = client_type(address, asynchronous=True, timeout=timeout, set_as_default=False)
    try:
        await asyncio.wait_for(client, timeout + _MARGIN)
    finally:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(client.close(), _MARGIN)


def _no_answer(timeout: float) -> str:
    return f"no scheduler answered within {timeout:g} seconds; start one with: dask scheduler"


def _client_type() -> type[Client]:
    try:
        import dask
    except ImportError:
        raise MissingExtra("cluster", "a cluster needs Dask") from None
    settings: Mapping[str, Any] = dask.config.config
    own = {"logging", "logging-file-config"}
    if not own & {*settings, *(settings.get("distributed") or ())}:
        dask.config.set(logging=dict.fromkeys(_LOGS, "critical"))
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra("cluster", "a cluster needs Dask's distributed") from None
    return Client


def _wait_for_workers(client: Client, address: str, patience: float, notify: Notify | None) -> None:
    if _answered(client, address, patience, client.nthreads):
        return
    if notify is not None:
        notify(
            f"the cluster at {address} has no workers; waiting for one for {patience:.0f} seconds"
        )
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise no_workers(address, patience) from None


def no_workers(address: str, patience: float) -> ClusterError:
    """Return the error for a cluster that has been without any worker for so long."""
    return ClusterError(
        address,
        f"the cluster had no worker for {patience:.0f} seconds; start one with: "
        f"dask worker {address} --nworkers auto --nthreads 1",
    )


def scheduler_lost(address: str) -> ClusterError:
    """Return the error for a scheduler that does not know this client any more."""
    return ClusterError(
        address,
        "the scheduler stopped or was restarted; once one runs, continue with --resume",
    )


def _answered(
    client: Client, address: str, seconds: float, ask: Callable[..., Any], *about: Any, **how: Any
) -> Any:
    """Return the result of a method of a client. Raises `ClusterError` without one for so long."""
    try:
        return client.sync(ask, *about, callback_timeout=seconds, **how)
    except TimeoutError:
        raise _unresponsive(_unresponsive_part(client), address, seconds) from None


def _unresponsive_part(client: Client) -> str:
    who = "the scheduler"
    with contextlib.suppress(TimeoutError):
        for worker in sorted(client.sync(client.nthreads, callback_timeout=_ANSWER)):
            who = f"the worker {worker}"
            client.sync(client.run, os.getpid, workers=[worker], callback_timeout=_MARGIN)
        who = "the cluster"
    return who


def _unresponsive(who: str, address: str, seconds: float) -> ClusterError:
    return ClusterError(
        address,
        f"{who} has not responded for {seconds:.0f} seconds; continue later with --resume",
    )


def _check_all_versions(client: Client, address: str, patience: float) -> None:
    """Raise `ClusterError` unless the same versions are installed everywhere."""
    versions = cast(
        "Mapping[str, Any]",
        _answered(client, address, patience, client.get_versions, packages=_PACKAGES),
    )
    others = {"the scheduler": versions["scheduler"], **versions["workers"]}
    for name, told in others.items():
        packages = (told or {}).get("packages") or {}
        python = ".".join(str(packages.get("python") or "").split(".")[:2]) or None
        theirs = {**{one: packages.get(one) for one in _PACKAGES}, "Python": python}
        check_versions(address, name, theirs, installed())


def installed() -> dict[str, str | None]:
    """Return the versions that decide results on this machine; of Python, the first two numbers."""
    found: dict[str, str | None] = dict.fromkeys(_PACKAGES)
    for name in _PACKAGES:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return {**found, "Python": f"{sys.version_info[0]}.{sys.version_info[1]}"}


def check_versions(
    address: str, name: str, theirs: Mapping[str, str | None], wanted: Mapping[str, str | None]
) -> None:
    """Raise `ClusterError` if a machine of the cluster has other versions than those wanted."""
    different = [
        f"{package} {theirs.get(package) or '(not installed)'} (here: {here or 'not installed'})"
        for package, here in wanted.items()
        if theirs.get(package) != here
    ]
    if different:
        install = f"; install widgetschema=={wanted['widgetschema']} there, with the same Python"
        raise ClusterError(address, f"{name} has {', '.join(different)}{install}")


def check_inputs(
    client: Client, address: str, sources: Sequence[Source], patience: float = PATIENCE
) -> None:
    """Raise `UnsharedInput` if a worker cannot read what this machine reads.

    Only some sources are looked at: those that a worker does not find later are problems then.
    """
    step = max(1, len(sources) // _LOOKED_AT)
    some = list(sources[::step])
    patience += len(some)  # each may be far away
    unseen: dict[str, Any] = _answered(
        client, address, patience, client.run, unreadable, some, on_error="return"
    )
    for worker, found in sorted(unseen.items()):
        if isinstance(found, BaseException):
            raise ClusterError(address, f"the worker {worker} failed: {describe_error(found)}")
        if found is not None:
            source, why = some[found[0]], found[1]
            if unreadable([source]) is None:
                raise UnsharedInput(address, source.name, f"the worker {worker} says: {why}")


def unreadable(sources: Sequence[Source]) -> tuple[int, str] | None:
    """Return the first source that this machine cannot read, and why; None if it can read all."""
    for index, source in enumerate(sources):
        try:
            if source.table is None:
                with contextlib.closing(open_source(source)) as file:
                    file.read(1)
            if source.compression or source.table is not None:  # are the libraries installed?
                some = blocks(source, Span(index), max_bytes=_LITTLE, block_bytes=_LITTLE)
                for _ in islice(some, 2):  # a failure follows what was read before it
                    pass
            if is_local(source) and source.size is not None:
                size = os.stat(source.address).st_size
                if size < source.size:
                    return index, f"it has {size:,} bytes there, and {source.size:,} here"
        except SourceFailed as error:
            return index, error.message
        except Exception as error:  # what is behind an address raises whatever it likes
            return index, reason(error)
    return None


def describe_error(error: BaseException) -> str:
    """Return what went wrong on another machine, in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


class WorkerWatch:
    """A watch on how long a cluster has been without any worker; it is asked now and then."""

    def __init__(
        self, client: Client, address: str, seconds: float, clock: Callable[[], float]
    ) -> None:
        self._client = client
        self._address = address
        self._seconds = seconds
        self._clock = clock
        self._threads = 0
        self._asked = -_ASK_AGAIN
        self._since: float | None = None
        self._is_unresponsive = False

    def threads(self) -> int:
        """Return how many threads the workers have.

        Raises `ClusterError` if that is none for long, or the scheduler does not answer.
        """
        now = self._clock()
        if now - self._asked >= _ASK_AGAIN:
            self._asked = now
            self._threads = self._asked_for()
            self._since = None if self._threads else now if self._since is None else self._since
        if self._since is not None and now - self._since > self._seconds:
            if self._is_unresponsive:
                raise _unresponsive("the scheduler", self._address, self._seconds)
            raise no_workers(self._address, self._seconds)
        return self._threads

    def _asked_for(self) -> int:
        status = self._client.status
        if status == "running":
            within = min(_ANSWER, self._seconds)
            self._is_unresponsive = False
            try:
                threads = self._client.sync(self._client.nthreads, callback_timeout=within)
                return sum(threads.values())
            except TimeoutError:
                self._is_unresponsive = True
            except OSError:  # then it is not, soon
                return 0
        elif status != "connecting":
            raise scheduler_lost(self._address)
        return 0
