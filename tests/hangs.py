"""Bound the time of fixtures after a failure: one that waits for ever hangs the run, as a test does.

pytest ends a test that hangs (`faulthandler_timeout`), but stops its timer at the first failure.
"""

from __future__ import annotations

import faulthandler
import os
from typing import Final

import pytest

_STDERR: Final = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep a copy of standard error, which is captured while a test runs."""
    config.stash[_STDERR] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close the copy of standard error."""
    os.close(config.stash[_STDERR])


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Start the timer again; pytest stops it when the test has ended."""
    seconds = float(node.config.getini("faulthandler_timeout") or 0)
    if isinstance(node, pytest.Item) and seconds:
        faulthandler.dump_traceback_later(seconds, exit=True, file=node.config.stash[_STDERR])
