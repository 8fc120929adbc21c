"""A page that hangs fails its test; the run goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.chromium import bounded, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("script", ["() => { for (;;) {} }", "() => new Promise(() => {})"])
def test_a_call_that_does_not_return_fails(browser: Browser, script: str) -> None:
    with watched(browser) as watch:
        page = watch.page()
        with pytest.raises(pytest.fail.Exception, match="has not returned") as failure, bounded(1):
            page.evaluate(script)
        assert __file__ in [str(one.path) for one in failure.traceback]
    with watched(browser) as watch:
        assert watch.page().evaluate("1 + 1") == 2
