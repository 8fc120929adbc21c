"""The progress bar: only for people at a terminal, and out of the way of what is said."""

from __future__ import annotations

import io
import sys

import pytest

from widgetschema.cli.progress import Progress


class Terminal(io.StringIO):
    """Standard error that somebody looks at."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_a_bar_makes_way(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)

    progress = Progress(10, "checking", wait=0)
    progress.done(5)
    shown = terminal.getvalue()
    progress.clear()
    progress.clear()

    assert "checking" in shown
    assert "50%" in shown
    assert terminal.getvalue() == shown + "\r\x1b[2K"


@pytest.mark.parametrize(
    ("stream", "number", "wait"),
    [(io.StringIO(), 10, 0.0), (Terminal(), 0, 0.0), (Terminal(), 10, 60.0)],
    ids=["no terminal", "nothing to do", "soon done"],
)
def test_nobody_is_bothered(
    stream: io.StringIO, number: int, wait: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)

    progress = Progress(number, wait=wait)
    progress.done(5)
    progress.clear()

    assert stream.getvalue() == ""
