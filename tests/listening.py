"""Ports of this machine, and servers on them that answer byte by byte; closing one leaves no thread."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Callable, Iterator

from tests.terminal import HANG


@contextlib.contextmanager
def reserved_port() -> Iterator[int]:
    """The number of a port at which nothing listens, until a server is told to.

    On Linux, no other process is given it meanwhile: it is bound by a socket that never listens.
    """
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        if sys.platform != "linux":
            bound.close()
        yield port


class Listener:
    """A socket that listens; each connection has a thread, in which `serve` gets it."""

    def __init__(self, serve: Callable[[socket.socket], None], *, backlog: int = 128) -> None:
        self.accepted = 0
        self._serve = serve
        self._is_closing = False
        self._served: list[tuple[socket.socket, threading.Thread]] = []
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=backlog)
        self.port: int = self._socket.getsockname()[1]
        self._accepting = threading.Thread(target=self._accept, name="server", daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            if self._is_closing:
                connection.close()
                return
            self.accepted += 1
            thread = threading.Thread(
                target=self._serve, args=(connection,), name="server", daemon=True
            )
            self._served = [one for one in self._served if one[1].is_alive()]
            self._served.append((connection, thread))
            thread.start()

    def close(self) -> None:
        """Close the port and each connection, and wait for all threads to end."""
        self._is_closing = True
        # On some systems, a closed socket goes on waiting for connections: it gets a last one.
        socket.create_connection(("127.0.0.1", self.port)).close()
        self._accepting.join(HANG)
        self._socket.close()
        for connection, thread in self._served:
            with contextlib.suppress(OSError):  # it is closed already
                connection.shutdown(socket.SHUT_RDWR)
            thread.join(HANG)
        threads = [self._accepting, *(thread for _, thread in self._served)]
        assert not any(thread.is_alive() for thread in threads)
