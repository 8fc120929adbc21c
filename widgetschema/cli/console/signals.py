"""Commands that go on until somebody ends them: Ctrl-C and SIGTERM, when they can be heard."""

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


def wait_for_stop(stop: threading.Event) -> None:
    """Wait until somebody ends the command."""
    while not stop.wait(0.5):  # some systems interrupt no longer wait
        pass


def port_error(port: int, error: OSError) -> str:
    """Why a port cannot be listened on, and what to do; without the address that Python adds."""
    reason = (os.strerror(error.errno) if error.errno else str(error)).lower()
    return f"port {port} cannot be had: {reason}; choose another with --port, or leave it out."


class Interrupted(KeyboardInterrupt):
    """Somebody asked, once, to come to an end."""


class Interruptions:
    """Ctrl-C and SIGTERM as `Interrupted`, raised only where that leaves nothing half done.

    That is within `heard`; one that comes at another time is raised there next. The second one is
    a `KeyboardInterrupt` at once, wherever it comes: whoever asks again does not want to wait.
    Signals are the main thread's: in another one, nothing is heard.
    """

    def __init__(self) -> None:
        self._asked = 0
        self._listening = False
        self._before: dict[int, Any] = {}
        self._hook = sys.unraisablehook

    def __enter__(self) -> Interruptions:
        if threading.current_thread() is not threading.main_thread():
            return self
        for name in _STOPPING:
            number = getattr(signal, name)
            before = signal.getsignal(number)
            # Who starts a command in the background has it ignore Ctrl-C; it stays like that.
            if before not in (None, signal.SIG_IGN):
                self._before[number] = before
                signal.signal(number, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._asked == 1:  # after two, what is left of this process is its end
            sys.unraisablehook = self._hook

    @property
    def asked(self) -> bool:
        """Whether somebody asked to come to an end."""
        return self._asked > 0

    @contextmanager
    def heard(self) -> Iterator[None]:
        """What is done here may be interrupted."""
        self._listening = True
        try:
            if self._asked:
                raise Interrupted
            yield
        finally:
            self._listening = False

    def _ask(self, *_: object) -> None:
        self._asked += 1
        sys.unraisablehook = _unraisable
        if self._asked > 1:
            raise KeyboardInterrupt
        if self._listening:
            raise Interrupted


def _unraisable(what: sys.UnraisableHookArgs) -> None:
    """Say nothing of an interruption that came where nothing can be raised: the first is raised
    where somebody listens next, and after two it is coming to an end already.
    """
    if not issubclass(what.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(what)
