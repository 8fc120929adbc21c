"""One process at a time, thread by thread: whoever writes into a folder holds its lock.

The lock is on the folder above, which is there before the folder is, and no file is left in what
people share in version control. Two folders side by side share it, which does no harm.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from typing import Final

from widgetschema.errors import StoreError

_PATIENCE: Final = 60.0  # seconds to wait for another process that writes
_PAUSE: Final = 0.01
_BUSY: Final = f"another process has been writing here for {_PATIENCE:.0f} seconds; try again"

if sys.platform == "win32":

    @contextlib.contextmanager
    def locked(folder: str) -> Iterator[None]:
        """Hold the lock of a folder. Raises `StoreError` if another process keeps it."""
        from filelock import FileLock, Timeout  # a folder cannot be opened there

        lock = FileLock(f"{folder}.lock", timeout=_PATIENCE, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            raise StoreError(folder, _BUSY) from None
        try:
            yield
        finally:
            lock.release()

else:
    import fcntl

    @contextlib.contextmanager
    def locked(folder: str) -> Iterator[None]:
        """Hold the lock of a folder. Raises `StoreError` if another process keeps it."""
        above = os.open(os.path.dirname(folder), os.O_RDONLY | os.O_CLOEXEC)
        try:
            due = time.monotonic() + _PATIENCE
            while not _taken(above):
                if time.monotonic() >= due:
                    raise StoreError(folder, _BUSY)
                time.sleep(_PAUSE)
            yield
        finally:
            os.close(above)

    def _taken(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
