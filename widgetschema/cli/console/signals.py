"""Ctrl-C and SIGTERM in commands that run until they are stopped, or that stop between steps."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_STOPPING: Final = ("SIGINT", "SIGTERM")


@contextmanager
def stop_on_signal() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set, instead of their usual effect."""
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


def wait_for_stop(stop: threading.Event) -> None:
    """Wait until the command is stopped."""
    while not stop.wait(0.5):  # some systems do not interrupt a longer wait
        pass


def port_error(port: int, error: OSError) -> str:
    """Return why a port is not available, and what to do."""
    reason = (os.strerror(error.errno) if error.errno else str(error)).lower()
    return f"port {port} is not available: {reason}; choose another --port, or leave it out."


class Interrupted(KeyboardInterrupt):
    """The first interruption of a run."""


class Interruptions:
    """Ctrl-C and SIGTERM as `Interrupted`, raised only where nothing is left half done.

    That is inside `interruptible`; a signal at another time is raised there next. The second signal
    is raised at once as `KeyboardInterrupt`. Only the main thread receives signals.
    """

    def __init__(self) -> None:
        self._signals = 0
        self._listening = False
        self._before: dict[int, Any] = {}
        self._hook = sys.unraisablehook

    def __enter__(self) -> Interruptions:
        if threading.current_thread() is not threading.main_thread():
            return self
        for name in _STOPPING:
            number = getattr(signal, name)
            before = signal.getsignal(number)
            # A command in the background ignores Ctrl-C; that is left as it is.
            if before not in (None, signal.SIG_IGN):
                self._before[number] = before
                signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._signals == 1:  # after two, the process is about to end
            sys.unraisablehook = self._hook

    @property
    def interrupted(self) -> bool:
        """True after the first signal."""
        return self._signals > 0

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Raise `Interrupted` in this block if a signal was or is received."""
        self._listening = True
        try:
            if self._signals:
                raise Interrupted
            yield
        finally:
            self._listening = False

    def _ask(self, *_: object) -> None:
        self._signals += 1
        sys.unraisablehook = _unraisable
        if self._signals > 1:
            raise KeyboardInterrupt
        if self._listening:
            raise Interrupted


def _unraisable(what: sys.UnraisableHookArgs) -> None:
    """Print nothing about an interruption that could not be raised.

    The first one is raised in the next interruptible block; after two, the process ends anyway.
    """
    if not issubclass(what.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(what)


@contextmanager
def killed_by_interrupt() -> Iterator[None]:
    """Let SIGINT end the process at once, as SIGTERM does, unless it is ignored.

    An exception would wait for a thread that reads standard input, which nothing interrupts.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
