"""A terminal for tests: what a person types, and what there is to see."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from pathlib import Path
from typing import Any, Final

HANG: Final = 120.0  # seconds without a word after which a program is taken to hang


class Terminal:
    """A program, such as a shell, at a terminal of its own.

    `streams` are those that are not the terminal, as for `subprocess.Popen`.
    """

    def __init__(self, command: list[str], cwd: Path, env: dict[str, str], **streams: Any) -> None:
        self._ours, theirs = pty.openpty()
        terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
        self.process = subprocess.Popen(
            command, **{**terminal, **streams}, cwd=cwd, env=env, start_new_session=True
        )
        os.close(theirs)
        self.shown = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        """End the program."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        os.close(self._ours)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._ours, text.encode())

    def look(self) -> str:
        """Everything shown so far, without waiting for more."""
        while select.select([self._ours], [], [], 0)[0] and self._read():
            pass
        return self.shown

    def wait_for(self, text: str) -> None:
        """Wait until the terminal shows a text."""
        while text not in self.shown:
            ready, _, _ = select.select([self._ours], [], [], HANG)
            assert ready, f"{text!r} does not come; there is {self.shown!r}"
            assert self._read(), f"it ended without {text!r}; there is {self.shown!r}"

    def wait_for_end(self) -> int:
        """Read until nobody writes to the terminal any more; the exit code."""
        while select.select([self._ours], [], [], HANG)[0] and self._read():
            pass
        return self.process.wait(HANG)

    def _read(self) -> bool:
        """Read what there is; False at the end."""
        try:
            block = os.read(self._ours, 65_536)
        except OSError:  # EIO: on Linux, nobody holds the other end any more
            return False
        self.shown += block.decode(errors="replace")
        return bool(block)
