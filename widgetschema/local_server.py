"""A server on the loopback interface: the editor and the sandbox run on it, and tests.

uvicorn is imported when a server is started: it comes with an extra.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, Literal
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

# An extension of ASGI that `serving` offers to applications: a function that ends the connection.
ABORT: Final = "widgetschema.abort"
_BACKLOG: Final = 1024  # connections that wait, for clients with hundreds of threads
_KEEP_ALIVE: Final = 75  # seconds; longer than clients keep a connection, so that they close it
_PATIENCE: Final = 1.0  # seconds that connections have to end
_THREAD: Final = "widgetschema: "  # how the names of the server's threads begin


def is_loopback(host: str) -> bool:
    """Return whether a host (a name or an address, without a port) is this machine."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):  # RFC 6761, section 6.3
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def without_port(host: str) -> str:
    """Return the name in a header Host."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def foreign_header(
    method: str, headers: Mapping[str, str], server: tuple[str, int | None]
) -> Literal["host", "origin"] | None:
    """Return which header refuses a request to a server on this machine, if one does.

    A page whose name was made to lead here has another Host: only the address of the server counts,
    and `localhost`, each with the port. A page of another site, or of another server on this
    machine, has another Origin, or another Sec-Fetch-Site where it changes something. Programs send
    neither of these.

    Args:
        method: The method of the request.
        headers: The headers of the request; their names are lower-case, or match in any case.
        server: The address that the request came to, as ASGI has it: host and port.
    """
    name, port = server[0], server[1] or 80
    names = {"localhost", f"[{name}]" if ":" in name else name} if is_loopback(name) else set()
    host, origin, site = (headers.get(key) for key in ("host", "origin", "sec-fetch-site"))
    if host not in {f"{name}:{port}" for name in names} | (names if port == 80 else set()):
        return "host"
    is_own = origin in (None, f"http://{host}") or (origin == "null" and site == "same-origin")
    if not is_own or (method not in ("GET", "HEAD") and site not in (None, "same-origin")):
        return "origin"
    return None


def serving(
    application: ASGIApp, host: str, port: int, name: str, *, lifespan: bool = False
) -> AbstractContextManager[str]:
    """Serve an application in a thread while the context lasts.

    Args:
        application: An ASGI application.
        host: A name or an address of this machine.
        port: The TCP port; 0 takes any free one.
        name: The application's name in errors, as in "the sandbox".
        lifespan: Send lifespan events to the application.

    Returns:
        A context manager that yields the origin, such as `http://127.0.0.1:49152`. When it exits,
        connections are closed, whatever they are waiting for.

    Raises:
        ImportError: If uvicorn is not installed.
        ValueError: If the host is not this machine.
        OSError: If the port is taken (when the context is entered).
    """
    from uvicorn import Config

    if not is_loopback(host):
        raise ValueError(f"{name} listens on the loopback interface only, not on {host!r}")
    listener = _Listener(host)
    config = Config(
        listener.offering_abort(application),
        http="h11",
        ws="none",
        lifespan="on" if lifespan else "off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=_BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE,
    )
    return _serving(config, listener, port, name)


@contextmanager
def _serving(config: Any, listener: _Listener, port: int, name: str) -> Iterator[str]:
    from uvicorn import Server

    with listener:
        listener.open(port)
        config.load()
        stop = asyncio.Event()
        loop = asyncio.SelectorEventLoop()  # on every system: it calls `accept`
        logging.getLogger("uvicorn.error").addFilter(_is_of_others)

        def run() -> None:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(_serve(Server(config), listener, stop))

        # A daemon: a test that hangs must not keep the process alive.
        thread = threading.Thread(target=run, name=f"{_THREAD}{name}", daemon=True)
        thread.start()
        try:
            yield listener.origin
        finally:
            with suppress(RuntimeError):  # the loop is closed: the thread has ended
                loop.call_soon_threadsafe(stop.set)
            thread.join()


async def _serve(server: Any, listener: _Listener, stop: asyncio.Event) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await stop.wait()
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE):
            await listener.abort_all()
    # Cancelled: to exit by itself, it takes 0.2 s, and answers what still waits with a 500.
    serving.cancel()


class _Listener(socket.socket):
    """A listening socket that can end each connection it has accepted."""

    def __init__(self, host: str) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # With the protocol named, asyncio sets TCP_NODELAY: without it each response takes 40 ms.
        super().__init__(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._host = host
        self._connections: WeakValueDictionary[Any, socket.socket] = WeakValueDictionary()
        self._is_ending = False

    def open(self, port: int) -> None:
        """Bind to a port and listen; from now on clients can connect."""
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows
            self.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.bind((self._host, port))
        self.listen(_BACKLOG)

    @property
    def origin(self) -> str:
        """The origin of the server, as in `http://127.0.0.1:49152`."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self.getsockname()[1]}"

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection, and remember it by the address of its client."""
        if self._is_ending:
            raise BlockingIOError  # to the event loop, no connection has come
        connection, address = super().accept()
        self._connections[tuple(address[:2])] = connection
        return connection, address

    async def abort_all(self) -> None:
        """End every connection, accept no other, and wait until the event loop has closed them."""
        self._is_ending = True
        connections = [*self._connections.values()]
        for connection in connections:
            _abort(connection)
        while any(connection.fileno() >= 0 for connection in connections):
            await asyncio.sleep(0)

    def offering_abort(self, application: ASGIApp) -> ASGIApp:
        """Return the application with the extension `ABORT` in its scopes."""

        async def offering(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._connections.get(tuple(scope.get("client") or ()))
            if connection is not None:
                extensions = {**scope.get("extensions", {}), ABORT: lambda: _abort(connection)}
                scope = {**scope, "extensions": extensions}
            await application(scope, receive, send)

        return offering


def _abort(connection: socket.socket) -> None:
    with suppress(OSError):  # it has ended already
        connection.shutdown(socket.SHUT_RDWR)


def _is_of_others(record: logging.LogRecord) -> bool:
    """Filter out what our servers log; other servers of the process may use uvicorn, too."""
    return not (record.threadName or "").startswith(_THREAD)
