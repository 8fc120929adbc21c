"""What a forked process cannot use as its parent left it: locks, threads and connections.

Another thread of the parent may hold a lock that nobody in the child will ever give back, and two
processes that read from one connection get each other's answers.
"""

from __future__ import annotations

import os
from typing import Final, Protocol
from weakref import WeakValueDictionary


class Forked(Protocol):
    """Something that a fork has to renew."""

    def after_fork(self) -> None:
        """Begin anew in a child process, before any other thread is started there."""


_FORKED: Final[WeakValueDictionary[int, Forked]] = WeakValueDictionary()


def renew_in_forks(one: Forked) -> None:
    """Call `one.after_fork()` in each process that is forked, for as long as `one` is used."""
    _FORKED[id(one)] = one


def _renew() -> None:
    for one in [*_FORKED.values()]:
        one.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
