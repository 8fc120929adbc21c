"""uvicorn around an application: real HTTP over loopback TCP, in a thread, quiet, quick to stop.

uvicorn's protocol (h11) does the work; its `Server` is left out: it waits 0.1 s to stop, takes
the process's signals, and logs, whereas here is a thread that is started often, and that somebody
waits for when it ends.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any, Final

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from widgetschema.local_server.addresses import ABORT, is_loopback

_BACKLOG: Final = 1024  # connections that wait, for clients with hundreds of threads
_KEEP_ALIVE: Final = 75  # seconds; longer than clients keep a connection, so that they close it
_LOG: Final = logging.Logger("widgetschema.local_server", logging.CRITICAL + 1)  # says nothing

Transports = dict[Any, asyncio.Transport]


@contextmanager
def serving(application: ASGIApp, host: str, port: int, what: str) -> Iterator[str]:
    """Serve an application while the context lasts; its origin, `http://127.0.0.1:49152`.

    Port 0 is any that is free; `what` names the application, as in "the sandbox". Raises
    `ValueError` for a host that is not this machine, and `OSError` for a port that is taken.
    """
    if not is_loopback(host):
        raise ValueError(f"{what} listens on loopback only, not on {host!r}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=_BACKLOG) as listening:
        ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        thread = threading.Thread(
            target=run, args=(application, listening, ready), name=f"widgetschema: {what}"
        )
        thread.daemon = True  # a test that hangs must not keep the process
        thread.start()
        loop, stop = ready.result()
        name = f"[{host}]" if ":" in host else host
        try:
            yield f"http://{name}:{listening.getsockname()[1]}"
        finally:
            with suppress(RuntimeError):  # the loop is closed: the thread has ended
                loop.call_soon_threadsafe(stop.set)
            thread.join()


def run(application: ASGIApp, listening: socket.socket, ready: Future[Any]) -> None:
    """Serve on a socket; `ready` is the loop and the event that ends it, or what went wrong."""
    try:
        with asyncio.Runner() as runner:
            runner.run(_serve(application, listening, ready))
    except Exception as error:
        if ready.done():
            raise
        ready.set_exception(error)


async def _serve(application: ASGIApp, listening: socket.socket, ready: Future[Any]) -> None:
    transports: Transports = {}

    async def closable(scope: Scope, receive: Receive, send: Send) -> None:
        connection = transports.get(scope.get("client"))
        if connection is not None:
            scope["extensions"] = {**scope.get("extensions", {}), ABORT: connection.abort}
        await application(scope, receive, send)

    config = Config(
        closable,
        http="h11",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE,
    )
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: _Protocol(config, state, transports), sock=listening, backlog=_BACKLOG
    )
    stop = asyncio.Event()
    ready.set_result((loop, stop))
    await stop.wait()
    server.close()
    for task in [*state.tasks]:
        task.cancel()
    for connection in [*transports.values()]:
        connection.abort()
    await asyncio.sleep(0)  # the connections take note


class _Protocol(H11Protocol):
    """uvicorn's, without its log, and with its connections at hand."""

    def __init__(self, config: Config, state: ServerState, transports: Transports) -> None:
        super().__init__(config, state, {})
        self.logger = _LOG
        self._transports = transports
        self._peer: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # asyncio does so for sockets that it opens itself; without it each answer takes 40 ms.
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = transport.get_extra_info("peername")
        self._peer = tuple(name[:2]) if name else None
        self._transports[self._peer] = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._transports.pop(self._peer, None)
        super().connection_lost(exc)
