"""The entry points: `app` for your own server or transport, `running` for a sandbox over TCP.

Starlette and uvicorn are imported when they are needed, so that this module can be imported
without the extra, and says which one is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from widgetschema.errors import MissingExtra
from widgetschema.local_server import serving
from widgetschema.sandbox.faults import Fault
from widgetschema.sandbox.state import LoggedRequest, Sandbox

if TYPE_CHECKING:
    from starlette.applications import Starlette


class Options(TypedDict, total=False):
    """The options of a sandbox.

    Attributes:
        widgets: The records of the account; by default they are generated.
        count: The number of generated widgets. Default: 25.
        seed: The seed of generated widgets, codes and tokens. Default: 0.
        latency: The wait before each response of a documented operation, in seconds. Default: 0.
        faults: Faults to begin with, such as `"status=503x2"`.
        client_id: The ID of the one client that is registered.
        client_secret: The secret of that client.
        token_lifetime: The lifetime of access tokens, in seconds. Default: an hour.
        refresh_lifetime: The lifetime of refresh tokens, in seconds. Default: 30 days.
        max_age: The seconds for which schemas are fresh, sent as Cache-Control. Default: not sent.
        clock: Returns the seconds since 1970.
    """

    widgets: Iterable[Mapping[str, Any]] | None
    count: int
    seed: int | str
    latency: float
    faults: Sequence[Fault | str]
    client_id: str
    client_secret: str
    token_lifetime: float
    refresh_lifetime: float
    max_age: int | None
    clock: Callable[[], float]


def app(
    schemas: Mapping[str, Any] | None = None,
    *,
    log: Callable[[LoggedRequest], None] | None = None,
    **options: Unpack[Options],
) -> Starlette:
    """Return the sandbox as a Starlette application; `.state.sandbox` is its `Sandbox`.

    What it does beyond the platform's documentation is listed in `ASSUMPTIONS`.

    Args:
        schemas: A store, or another mapping from id to schema; by default the bundled ones.
        log: Called after each request, in the thread of the server.
        **options: See `Options`.

    Raises:
        MissingExtra: If Starlette is not installed.
        ValueError: For an unusable fault, widget, client or time.
        StoreError: If a schema cannot be read.
    """
    try:
        from widgetschema.sandbox.web import build
    except ImportError:
        raise _missing() from None
    return build(Sandbox(schemas, **options), log)


@contextmanager
def running(
    source: Starlette | Mapping[str, Any] | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    log: Callable[[LoggedRequest], None] | None = None,
    **options: Unpack[Options],
) -> Iterator[Sandbox]:
    """Run a sandbox over TCP while the context lasts, in a thread of this process.

    Args:
        source: An application that `app` returned, or its `schemas`.
        host: A name or an address of this machine.
        port: The TCP port; 0 takes any free one.
        log: See `app`.
        **options: See `Options`.

    Yields:
        The running sandbox, with its addresses and controls.

    Raises:
        MissingExtra: If Starlette or uvicorn is not installed.
        ValueError: If the host is not this machine, and as `app` does.
        OSError: If the port is taken.
        StoreError: If a schema cannot be read.
    """
    if source is None or isinstance(source, Mapping):
        application = app(source, log=log, **options)
    elif options or log is not None:
        raise TypeError("options belong to the application: pass them to app()")
    else:
        application = source
    try:
        server = serving(application, host, port, "the sandbox")
    except ImportError:
        raise _missing() from None
    sandbox: Sandbox = application.state.sandbox
    with server as url:
        sandbox.url = url
        yield sandbox


def _missing() -> MissingExtra:
    return MissingExtra("sandbox", "the sandbox requires Starlette and uvicorn")
