"""The entry points: `app` for your own server or transport, `running` for a sandbox over TCP.

Starlette and uvicorn are imported when they are needed, so that this module can be imported
without the extra, and says which one is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from widgetschema.errors import MissingExtra
from widgetschema.local_server import serving
from widgetschema.sandbox.faults import Fault
from widgetschema.sandbox.state import (
    API,
    AUTHORIZE,
    CLIENT_ID,
    CLIENT_SECRET,
    DAY,
    REDIRECT_URI,
    Counters,
    LoggedRequest,
    Sandbox,
)

if TYPE_CHECKING:
    from starlette.applications import Starlette


@dataclass(frozen=True)
class RunningSandbox:
    """A sandbox at an address: `url` is its origin, as `http://127.0.0.1:49152`."""

    url: str
    sandbox: Sandbox

    @property
    def base_url(self) -> str:
        """The platform's base address, version segment included."""
        return f"{self.url}{API}"

    @property
    def auth_url(self) -> str:
        """The address that `/oauth/token` is below."""
        return self.url

    @property
    def authorize_url(self) -> str:
        """The authorize page."""
        return f"{self.url}{AUTHORIZE}"

    @property
    def client_id(self) -> str:
        """The one client that is registered."""
        return self.sandbox.client_id

    @property
    def client_secret(self) -> str:
        """The client's secret, which is none."""
        return self.sandbox.client_secret

    @property
    def counters(self) -> Counters:
        """The counters as they are now."""
        return self.sandbox.counters

    def code(self, redirect_uri: str = REDIRECT_URI) -> str:
        """Return a fresh authorization code for this redirect URI."""
        return self.sandbox.code(redirect_uri)

    def access_token(self) -> str:
        """Return a fresh access token, without an exchange."""
        return self.sandbox.access_token()

    def expire_tokens(self) -> None:
        """Expire all access tokens now; refresh tokens stay valid."""
        self.sandbox.expire_tokens()

    def set_schema(self, id: str, schema: Any) -> None:
        """Serve another schema, or one more."""
        self.sandbox.set_schema(id, schema)

    def fault(self, *faults: Fault | str) -> None:
        """More faults, such as `"status=503x2"`. Raises `ValueError`."""
        self.sandbox.fault(*faults)

    def clear_faults(self) -> None:
        """Remove all faults."""
        self.sandbox.clear_faults()

    def reset(self) -> None:
        """Reset schemas, codes, tokens, faults and counters."""
        self.sandbox.reset()


class Options(TypedDict, total=False):
    """The options of `app`, for `running`."""

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
    log: Callable[[LoggedRequest], None] | None


def app(
    schemas: Mapping[str, Any] | None = None,
    *,
    widgets: Iterable[Mapping[str, Any]] | None = None,
    count: int = 25,
    seed: int | str = 0,
    latency: float = 0.0,
    faults: Sequence[Fault | str] = (),
    client_id: str = CLIENT_ID,
    client_secret: str = CLIENT_SECRET,
    token_lifetime: float = 3600.0,
    refresh_lifetime: float = 30 * DAY,
    max_age: int | None = None,
    clock: Callable[[], float] = time.time,
    log: Callable[[LoggedRequest], None] | None = None,
) -> Starlette:
    """Return the sandbox as a Starlette application; `.state.sandbox` is its `Sandbox`.

    What it does beyond the platform's documentation is listed in `ASSUMPTIONS`.

    Args:
        schemas: A store, or another mapping from id to schema; by default the bundled ones.
        widgets: The records of the account; by default they are generated.
        count: The number of generated widgets.
        seed: What generated widgets, codes and tokens derive from.
        latency: The wait before each response of a documented operation, in seconds.
        faults: Faults to begin with, such as `"status=503x2"`.
        client_id: The ID of the one client that is registered.
        client_secret: The secret of that client.
        token_lifetime: The lifetime of access tokens, in seconds.
        refresh_lifetime: The lifetime of refresh tokens, in seconds.
        max_age: The seconds for which schemas are fresh, sent as Cache-Control; None sends none.
        clock: Returns the seconds since 1970.
        log: Called after each request, in the thread of the server.

    Raises:
        MissingExtra: If Starlette is not installed.
        ValueError: For an unusable fault, widget, client or time.
        StoreError: If a schema cannot be read.
    """
    try:
        from widgetschema.sandbox.web import build
    except ImportError:
        raise _missing() from None
    sandbox = Sandbox(
        schemas,
        widgets=widgets,
        count=count,
        seed=seed,
        latency=latency,
        faults=faults,
        client_id=client_id,
        client_secret=client_secret,
        token_lifetime=token_lifetime,
        refresh_lifetime=refresh_lifetime,
        max_age=max_age,
        clock=clock,
    )
    return build(sandbox, log)


@contextmanager
def running(
    source: Starlette | Mapping[str, Any] | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    **options: Unpack[Options],
) -> Iterator[RunningSandbox]:
    """Run a sandbox over TCP while the context lasts, in a thread of this process.

    Args:
        source: An application that `app` returned, or its `schemas`.
        host: A name or an address of this machine.
        port: The TCP port; 0 takes any free one.
        **options: The other arguments of `app`.

    Yields:
        The running sandbox, with its addresses and controls.

    Raises:
        MissingExtra: If Starlette or uvicorn is not installed.
        ValueError: If the host is not this machine, and as `app` does.
        OSError: If the port is taken.
        StoreError: If a schema cannot be read.
    """
    if source is None or isinstance(source, Mapping):
        application = app(source, **options)
    elif options:
        raise TypeError("options belong to the application: pass them to app()")
    else:
        application = source
    try:
        server = serving(application, host, port, "the sandbox")
    except ImportError:
        raise _missing() from None
    with server as url:
        yield RunningSandbox(url, application.state.sandbox)


def _missing() -> MissingExtra:
    return MissingExtra("sandbox", "the sandbox requires Starlette and uvicorn")
