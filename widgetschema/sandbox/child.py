"""A program that a command runs in place of itself: same streams, same signals, same exit code."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Any, Final

from widgetschema.cli.console.output import print_error, reason

_FORWARDED: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGBREAK")
_BY_A_KEY: Final = ("SIGINT", "SIGQUIT")  # a terminal sends them to the program as well
_NOT_FOUND: Final = 127  # by convention of shells
_NOT_EXECUTABLE: Final = 126
_SIGNALED: Final = 128


def run_child(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a program until it ends, and return its exit code as a shell does.

    Signals that this process receives meanwhile are forwarded to the program.
    """
    child = _Child()
    with child.receiving_signals():
        try:
            process = subprocess.Popen([*command], env=dict(environment))  # noqa: S603  # as asked
        except OSError as error:
            print_error(f"{command[0]}: {reason(error)}")
            missing = isinstance(error, FileNotFoundError)
            return _NOT_FOUND if missing else _NOT_EXECUTABLE
        with process:
            child.started(process)
            code = process.wait()
    return _SIGNALED - code if code < 0 else code


class _Child:
    """The program, once it is started, and the signals that came before."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []

    def started(self, process: subprocess.Popen[bytes]) -> None:
        """Forward signals to this process from now on."""
        self._process = process
        for number in self._early:
            process.send_signal(number)

    @contextlib.contextmanager
    def receiving_signals(self) -> Iterator[None]:
        """Receive signals, except those that this process ignores: the program ignores them too."""
        before: dict[int, Any] = {}
        for name in _FORWARDED:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) not in (None, signal.SIG_IGN):
                before[number] = signal.signal(number, self._receive)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if signal.Signals(number).name in _BY_A_KEY and _is_in_foreground():
            return
        if self._process is None:
            self._early.append(number)
        else:
            self._process.send_signal(number)


def _is_in_foreground() -> bool:
    """Return whether keys of the terminal reach this process, and so the program it runs."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
