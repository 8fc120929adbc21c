"""A real browser for tests: the system's Chromium, and pages that notice what goes wrong.

A page of `Watched` fails the test for whatever the browser complains of: errors and warnings on the
console, exceptions, dialogs, violations of the Content-Security-Policy, requests to elsewhere.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

_ADVICE: Final = "Multiple forms should be contained"  # about two secrets in one form
HANG: Final = 120_000  # ms; bounds a hang, and decides nothing else
_PHASE: Final = 600.0  # seconds for one of setting up, running and clearing up; a bound as well
_AGAIN: Final = 60.0  # seconds for what clears up after a hang, which may hang, too
NAMES: Final = (
    "chromium-headless-shell",  # the same without windows, which cost as much as the pages in them
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_NOISE: Final = (
    "Download the React DevTools",
    "Autofocus processing was blocked",  # a test was quicker than the page, as a person may be
)


def chromium_path() -> str:
    """Return the path of Chromium."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail("Chromium is not installed")
    return str(found)


@contextmanager
def bounded(seconds: float = _PHASE) -> Iterator[None]:
    """Fail at the call that does not return, if what is in the context hangs.

    Many calls of Playwright have no timeout, such as `evaluate`, `new_page` and `close`. A dump of
    all stacks shows none of them: they wait in a greenlet. A signal is raised where they wait.
    """
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def fail(*_: object) -> None:
        pytest.fail(f"this call has not returned: a hang, {seconds:g} s after the beginning")

    handler = signal.signal(signal.SIGALRM, fail)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


@contextmanager
def _closed_if_hung(browser: Browser) -> Iterator[None]:
    """Close a browser that does not answer, so that later tests fail at once."""
    try:
        yield
    except pytest.fail.Exception:
        browser.close()
        raise


class Watched:
    """A record of what happened in a context of the browser and should not have."""

    def __init__(self, context: BrowserContext, hosts: frozenset[str]) -> None:
        self.context = context
        self.hosts = hosts
        self.said: list[str] = []
        context.on("page", self.watch)
        context.on("request", lambda request: self.requested(request.url))

    def watch(self, page: Page) -> None:
        page.on("console", lambda message: self.heard(message.type, message.text))
        page.on("pageerror", lambda error: self.said.append(f"exception: {error}"))
        page.on("crash", lambda _: self.said.append("crash of the page"))

    def heard(self, type: str, text: str) -> None:
        if not any(noise in text for noise in _NOISE):
            self.said.append(f"{type}: {text}")

    def requested(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname not in self.hosts:
            self.said.append(f"request: {url}")

    def page(self) -> Page:
        """A new page; a dialog on it is a complaint, too, and is dismissed."""
        page = self.context.new_page()
        page.on("dialog", self.asked)
        return page

    def asked(self, dialog: Dialog) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@contextmanager
def answered(page: Page) -> Iterator[Callable[[], Any]]:
    """Wait for the answer to a check that the page has used; an earlier one may be discarded."""
    page.evaluate(
        """() => {
            window.answered = null;
            addEventListener("widgetschema:answer", (event) => { window.answered = event.detail; });
        }"""
    )
    yield lambda: page.evaluate("window.answered")
    page.wait_for_function(
        "() => window.answered"
    )  # a function, because the page does not allow `eval`


@contextmanager
def watched(
    browser: Browser, *hosts: str, allowed: tuple[str, ...] = (), **options: Any
) -> Iterator[Watched]:
    """A context of its own, `options` as for `Browser.new_context`; fails if anything was said.

    `allowed` are parts of complaints that are expected.
    """
    with _closed_if_hung(browser):
        context = browser.new_context(**options)
    context.set_default_timeout(HANG)
    watch = Watched(context, frozenset(hosts or ("127.0.0.1",)))
    try:
        yield watch
        expected = (*allowed, _ADVICE)
        said = [text for text in watch.said if not any(part in text for part in expected)]
        assert said == []
    finally:
        with _closed_if_hung(browser):
            context.close()
