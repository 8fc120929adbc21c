"""Renewal, in forked processes, of what cannot be shared: locks, threads and connections.

Another thread of the parent may hold a lock that nobody in the child will ever give back, and two
processes that read from one connection get each other's answers.
"""

from __future__ import annotations

import os
from typing import Final, Protocol
from weakref import WeakValueDictionary


class Forked(Protocol):
    """An object with state that a forked process must not share."""

    def after_fork(self) -> None:
        """Renew the state in a child process, before any other thread is started there."""


_FORKED: Final[WeakValueDictionary[int, Forked]] = WeakValueDictionary()


def renew_in_forks(value: Forked) -> None:
    """Call `value.after_fork()` in each forked process, as long as `value` is referenced."""
    _FORKED[id(value)] = value


def _renew() -> None:
    for value in [*_FORKED.values()]:
        value.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
