"""Tests that hang, and fixtures that do after a failure, end the process."""

from __future__ import annotations

from pathlib import Path

import pytest

OPTIONS = (
    *("-p", "tests.hangs", "-p", "no:cacheprovider"),
    *("-o", "faulthandler_timeout=1", "-o", "faulthandler_exit_on_timeout=true"),
)
HANGING = "import threading\ndef for_ever(): threading.Event().wait()\n"
IN_THE_TEST = f"{HANGING}def test_it(): for_ever()\n"
AFTER_A_FAILURE = f"""{HANGING}import pytest
@pytest.fixture
def served():
    yield
    for_ever()
def test_it(served): assert False
"""


@pytest.mark.parametrize("code", [IN_THE_TEST, AFTER_A_FAILURE], ids=["test", "fixture"])
def test_what_hangs_ends_with_the_place_where_it_waits(
    code: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    pytester.makepyfile(code)
    result = pytester.runpytest_subprocess(*OPTIONS)
    assert result.ret == 1
    result.stderr.fnmatch_lines(["*Timeout*", "*in for_ever"])
