"""Forked processes that do a part of a test."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Final

from tests.terminal import HANG

_STEP: Final = 0.005  # seconds


def exit_code_of_fork(work: Callable[[], int]) -> int:
    """Return what work returns in a forked process; 255 if it raises, else minus a signal.

    The process has none of the other threads, but the locks that they held: it must not use an event
    or a queue that a thread may have been about to use. If it hangs, it is ended by a signal for
    which Python prints what it was doing.
    """
    return exit_code(forked(work))


def forked(work: Callable[[], int]) -> int:
    """Begin a process that exits with what work returns, or with 255 if it raises; return its id."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        finally:
            os._exit(255)
    return child


def exit_code(child: int) -> int:
    """Return the exit code of a process that was forked, or minus the signal that ended it."""
    end = time.monotonic() + HANG
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > end:
            os.kill(child, signal.SIGABRT)
            os.waitpid(child, 0)
            raise AssertionError("the forked process hangs")
        time.sleep(_STEP)
    return os.waitstatus_to_exitcode(ended[1])
