"""Chromium, started once by a process that runs tests: contexts keep these apart.

While Playwright runs, no other test may run an event loop: all that do are in other folders.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest

from tests.chromium import HANG, bounded, chromium_path

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Bound the setting up."""
    with bounded():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Bound the test."""
    with bounded():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """Bound the clearing up."""
    with bounded():
        return (yield)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright, which takes a while to import."""
    from playwright.sync_api import Locator, expect, sync_playwright

    click = Locator.click

    def click_and_load(self: Locator, **options: Any) -> None:
        """Click, and wait for the whole of the page that comes: without it, lists are read early."""
        click(self, **options)
        self.page.wait_for_load_state()

    expect.set_options(timeout=HANG)
    with (
        sync_playwright() as playwright,
        patch.object(Locator, "click", click_and_load),
    ):
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The Chromium of the system."""
    path = chromium_path()
    with playwright.chromium.launch(
        executable_path=path, args=["--no-sandbox"], timeout=HANG
    ) as chromium:
        yield chromium
