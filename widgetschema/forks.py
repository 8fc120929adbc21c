"""Hold up forks where they would break a child, and renew there what cannot be shared.

Another thread of the parent may hold a lock that nobody in the child will ever give back, and two
processes that read from one connection get each other's answers. Our own locks, threads and
connections are renewed in the child. A fork waits while another thread holds a lock of others:
while it imports something, and in `hold_up_forks`.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from importlib.machinery import ModuleSpec
from threading import RLock
from time import monotonic, sleep
from types import FrameType
from typing import Final, Protocol
from weakref import WeakValueDictionary

IMPORTING: Final = ModuleSpec.__init__.__code__.co_filename  # the code of all imports
_PACKAGE: Final = __name__.partition(".")[0]
_PATIENCE: Final = 60.0  # seconds; the thread that forks may hold what an import waits for
_STEP: Final = 0.001  # seconds


class Forked(Protocol):
    """An object with state that a forked process must not share."""

    def after_fork(self) -> None:
        """Renew the state in a child process, before any other thread is started there."""


_FORKED: Final[WeakValueDictionary[int, Forked]] = WeakValueDictionary()
_FORKING: Final = RLock()


def renew_in_forks(value: Forked) -> None:
    """Call `value.after_fork()` in each forked process, as long as `value` is referenced."""
    _FORKED[id(value)] = value


def hold_up_forks() -> AbstractContextManager[object]:
    """Return a context in which a fork by another thread waits until it ends."""
    return _FORKING


def is_importing(frame: FrameType | None) -> bool:
    """Return whether a thread, given its innermost frame, imports anything for this package."""
    is_import = False
    while frame is not None:
        if frame.f_code.co_filename == IMPORTING:
            is_import = True
        elif is_import and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
            return True
        frame = frame.f_back
    return False


def _wait() -> None:
    """Wait until no other thread holds up forks, or imports anything in a call of this package."""
    end = monotonic() + _PATIENCE
    this = sys._getframe()
    _FORKING.acquire()
    while monotonic() < end and any(
        is_importing(frame) for frame in sys._current_frames().values() if frame is not this
    ):
        _FORKING.release()  # the import may wait for it
        sleep(_STEP)
        _FORKING.acquire()


def _renew() -> None:
    _FORKING.release()
    for value in [*_FORKED.values()]:
        value.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait, after_in_parent=_FORKING.release, after_in_child=_renew)
