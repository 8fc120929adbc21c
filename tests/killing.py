"""Processes that end in the middle, without any clearing up: at their nth operation on a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

_OPERATIONS: Final = frozenset(
    {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.listdir"}
)


def operations(work: Callable[[], None]) -> int:
    """The number of operations of a child process that does the work."""
    read, write = os.pipe()
    code = _code(work, write=write)
    with open(read, "rb") as pipe:
        number = len(pipe.read())
    assert code == 0
    return number


def killed_at(number: int, work: Callable[[], None]) -> bool:
    """Return True if a child process that does the work got as far as operation `number`."""
    code = _code(work, number=number)
    assert code in (0, -signal.SIGKILL)
    return code != 0


def _code(work: Callable[[], None], *, number: int | None = None, write: int | None = None) -> int:
    child = os.fork()
    if child == 0:
        done, own = 0, os.getpid()

        def watch(event: str, _: Any) -> None:
            nonlocal done
            if event not in _OPERATIONS or os.getpid() != own:
                return
            done += 1
            if write is not None:
                os.write(write, b".")
            if done == number:
                os.kill(own, signal.SIGKILL)

        try:
            sys.addaudithook(watch)
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    if write is not None:
        os.close(write)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


_KILLED: Final = """
import os, signal, sys
from widgetschema.audit.checkpoints import Checkpoints
from widgetschema.cli import main

put, kept = Checkpoints.put, []

def kill(self, result):
    put(self, result)
    kept.append(result)
    if len(kept) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)

Checkpoints.put = kill
main(sys.argv[2:])
"""


def kill_audit(partitions: int, *arguments: str) -> None:
    """Run an audit in a process that is killed when it has kept so many partitions."""
    command = [sys.executable, "-c", _KILLED, str(partitions), "audit", "--jobs=1", *arguments]
    ran = subprocess.run(command, capture_output=True, check=False)
    assert ran.returncode == -signal.SIGKILL
