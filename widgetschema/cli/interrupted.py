"""Commands that go on until somebody ends them: Ctrl-C and SIGTERM as an event, and why not."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_STOPPING: Final = ("SIGINT", "SIGTERM")


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set, instead of what they do otherwise."""
    stop = threading.Event()
    before = {
        getattr(signal, name): signal.signal(getattr(signal, name), lambda *_: stop.set())
        for name in _STOPPING
    }
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait(stop: threading.Event) -> None:
    """Wait until somebody ends the command."""
    while not stop.wait(0.5):  # some systems interrupt no longer wait
        pass


def port_taken(port: int, error: OSError) -> str:
    """Why a port cannot be listened on, and what to do; without the address that Python adds."""
    reason = (os.strerror(error.errno) if error.errno else str(error)).lower()
    return f"port {port} cannot be had: {reason}; choose another with --port, or leave it out."
