"""Processes that end in the middle, without any clearing up: at their nth operation on a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

from tests.forking import exit_code, forked

_CHANGES: Final = frozenset({"os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod"})
_OPERATIONS: Final = _CHANGES | {"open", "os.listdir"}
_COMPILED: Final = "__pycache__"
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def operations(work: Callable[[], None], *, changes: bool = False) -> int:
    """The number of operations of a child process that does the work, or of those that change files."""
    read, write = os.pipe()
    code = _code(work, write=write, changes=changes)
    with open(read, "rb") as pipe:
        number = len(pipe.read())
    assert code == 0
    return number


def killed_at(number: int, work: Callable[[], None], *, changes: bool = False) -> bool:
    """Return True if a child process that does the work got as far as operation `number`."""
    code = _code(work, number=number, changes=changes)
    assert code in (0, -signal.SIGKILL)
    return code != 0


def _code(
    work: Callable[[], None],
    *,
    number: int | None = None,
    write: int | None = None,
    changes: bool,
) -> int:
    def watched() -> int:
        done, own = 0, os.getpid()

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal done
            if event not in _OPERATIONS or os.getpid() != own:
                return
            if _COMPILED in str(arguments[0]):  # by Python, if a module changed meanwhile
                return
            if changes and event not in _CHANGES:
                if event != "open" or not arguments[2] & _WRITING:
                    return
            done += 1
            if write is not None:
                os.write(write, b".")
            if done == number:
                os.kill(own, signal.SIGKILL)

        sys.addaudithook(watch)
        work()
        return 0

    child = forked(watched)
    if write is not None:
        os.close(write)
    return exit_code(child)


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
sys.exit(main(sys.argv[2:]))
"""


def kill_audit(partitions: int, *arguments: str) -> None:
    """Run an audit in a process that is killed when it has kept so many partitions."""
    assert kill_behind(partitions, "audit", "--jobs=1", *arguments) == -signal.SIGKILL


def kill_behind(partitions: int, *arguments: str) -> int:
    """Run a command in a process that is killed when it has kept so many partitions.

    Return its exit code, which is that of the command if it had fewer.
    """
    command = [sys.executable, "-c", _KILLED, str(partitions), *arguments]
    return subprocess.run(command, capture_output=True, check=False).returncode
