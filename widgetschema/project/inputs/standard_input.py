"""Standard input: how it begins is looked at before it is read, however slowly it comes.

What was looked at is kept here, for whoever reads, since it cannot be put back.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import Final, TextIO, cast
from weakref import WeakKeyDictionary

_AT_ONCE: Final = 64 * 1024
_AHEAD: Final[WeakKeyDictionary[TextIO, bytearray]] = WeakKeyDictionary()


class StandardInput:
    """Standard input, as much as there is at a time; stays open. Raises `OSError` if it is not."""

    def __init__(self) -> None:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        self._buffer = cast("io.BufferedReader", sys.stdin.buffer)
        self._ahead = _AHEAD.setdefault(sys.stdin, bytearray())
        with contextlib.suppress(OSError, ValueError):  # it may be no file
            _wait_for_more(self._buffer.fileno())

    def begin(self, is_enough: Callable[[bytes], bool]) -> bytes:
        """How it begins: as much as is enough, or else all of it. Nothing of it is used up."""
        ahead = self._ahead
        while not is_enough(bytes(ahead)) and (chunk := self._buffer.read1(_AT_ONCE)):
            ahead += chunk
        return bytes(ahead)

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""
        if not self._ahead:
            return self._buffer.read1(size)
        chunk = bytes(self._ahead[:size])
        del self._ahead[:size]
        return chunk

    def seek(self, offset: int) -> None:
        """Raises `OSError`."""
        raise OSError("standard input cannot be read in parts")

    def close(self) -> None:
        """Others may want to read on."""


def _wait_for_more(number: int) -> None:
    """Whoever wrote to a pipe may have left it so that nothing to read yet looks like its end."""
    if sys.platform != "win32" and not os.get_blocking(number):
        os.set_blocking(number, True)
