"""Run a part of a test in a forked process."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from typing import Final

from tests.terminal import HANG

_STEP: Final = 0.005  # seconds


def exit_code_of_fork(work: Callable[[], int]) -> int:
    """Run `work` in a forked process and return its exit code.

    It is the number that `work` returns, 255 if that raises, or minus the signal that ended the
    process. The process has no other threads, but the locks that they held: `work` must not use an
    event or a queue that another thread may use at that moment. If the process hangs, a signal ends
    it for which Python prints the stack.
    """
    return exit_code(forked(work))


def forked(work: Callable[[], int]) -> int:
    """Fork a process that exits with what `work` returns, or with 255 if it raises; return its id."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except BaseException:
            traceback.print_exc()  # with what the test prints
        finally:
            os._exit(255)
    return child


def exit_code(child: int) -> int:
    """Wait for a forked process; return its exit code, or minus the signal that ended it."""
    end = time.monotonic() + HANG
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > end:
            os.kill(child, signal.SIGABRT)
            os.waitpid(child, 0)
            raise AssertionError("the forked process hangs")
        time.sleep(_STEP)
    return os.waitstatus_to_exitcode(ended[1])
