"""A terminal for tests: what a person types, and what there is to see."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from pathlib import Path


class Terminal:
    """A program, such as a shell, at a terminal of its own."""

    def __init__(self, command: list[str], cwd: Path, env: dict[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._ours, text.encode())

    def wait_for(self, text: str) -> None:
        """Wait until the terminal shows a text, for ten seconds at most."""
        end = time.monotonic() + 10
        while text not in self.shown:
            left = end - time.monotonic()
            ready, _, _ = select.select([self._ours], [], [], max(left, 0))
            assert ready, f"{text!r} does not come; there is {self.shown!r}"
            self.shown += os.read(self._ours, 65536).decode(errors="replace")

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()
        os.close(self._ours)
