"""The order in which several processes run tests: each begins with long ones, and ends with short ones.

A process (a worker of pytest-xdist) begins with its part of the list. When it has done that, it takes
tests from the end of the part of another one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def dealt(tests: Sequence[T], workers: int, long_file: Callable[[T], Hashable | None]) -> list[T]:
    """Return the tests in parts of equal length, one for each worker; long ones come first.

    `long_file` returns the file of a long test, and None for a short one. The files of long tests
    are dealt in turn, so that each is in one part as a whole.
    """
    files: dict[Hashable, list[T]] = {}
    short = []
    for test in tests:
        file = long_file(test)
        if file is None:
            short.append(test)
        else:
            files.setdefault(file, []).append(test)
    long, size = [*files.values()], len(tests) // workers
    ordered: list[T] = []
    for worker in range(workers):
        part = [test for file in long[worker::workers] for test in file]
        more = max(0, size - len(part))
        ordered += [*part, *short[:more]]
        del short[:more]
    return ordered + short
