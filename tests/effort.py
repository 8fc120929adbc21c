"""Effort that a test bounds: by what is done, or so generously that no machine is too slow."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from hypothesis import settings

FULL: Final = (
    150  # examples of a property, unless it says another number; the quick tier tries fewer
)
ENDLESS: Final = 120.0  # seconds of processor time: what needs more would need hours


def scaled(full: int) -> int:
    """Return how many examples the profile in force tries of a property that has `full` in CI."""
    profile = settings.default
    assert profile is not None
    return max(3, full * profile.max_examples // FULL)


@contextmanager
def bounded() -> Iterator[None]:
    """Fail if the work within would take hours, or for ever."""
    began = time.process_time()
    yield
    assert time.process_time() - began < ENDLESS


def calls(work: Callable[[], object], most: int = sys.maxsize) -> int:
    """The number of calls that some work makes, of functions in Python and in C.

    Work that would make more than `most` fails then.
    """
    number = 0

    def count(frame: FrameType, event: str, what: Any) -> None:
        nonlocal number
        number += event in ("call", "c_call")
        assert number <= most, f"more than {most} calls"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return number
