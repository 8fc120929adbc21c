"""The progress bar: only for people at a terminal, and out of the way of what is said."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from tests.terminal import HANG
from widgetschema.cli.console.progress import Progress, Throughput, waiting


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
    assert terminal.getvalue() == shown + "\r\x1b[2K\x1b[?25h"  # and the cursor is back


class Watched(Terminal):
    """A terminal that says when something is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def flush(self) -> None:
        """Say so."""
        self.written.set()


def test_waiting_is_announced_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Watched()
    monkeypatch.setattr(sys, "stderr", terminal)

    with waiting("looking for files", wait=0):
        assert terminal.written.wait(HANG)
        assert terminal.getvalue() == "looking for files …"

    assert terminal.getvalue() == "looking for files …\r\x1b[2K"


@pytest.mark.parametrize(("stream", "wait"), [(io.StringIO(), 0.0), (Terminal(), 3_600.0)])
def test_short_waiting_is_not_announced(
    stream: io.StringIO, wait: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    before = {*threading.enumerate()}  # another test's may end meanwhile

    with waiting("looking for files", wait):
        pass

    assert stream.getvalue() == ""
    assert {*threading.enumerate()} <= before


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


@pytest.mark.parametrize(
    ("total", "shown"),
    [
        (2_000_000, ["checking", "[############----", " 50%", " left", "1,200 records", "MB/s"]),
        (None, ["checking", "1,200 records", "MB/s"]),
        (10, ["100%"]),
        (0, ["100%"]),
    ],
)
def test_how_fast_it_is(
    total: int | None, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")

    meter = Throughput(total, "checking", wait=0)
    meter.done(1_000_000, 1_200)
    drawn = terminal.getvalue()
    meter.done(1_100_000, 1_300)  # too soon to be drawn again
    meter.clear()
    meter.clear()

    assert all(text in drawn for text in shown), drawn
    assert ("[" in drawn.removeprefix("\r\x1b[2K")) == (total is not None)
    assert terminal.getvalue() == drawn + "\r\x1b[2K"


def test_the_rate_is_that_of_late(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, now = Terminal(), [0.0]
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")

    meter = Throughput(40_000_000_000, "checking", clock=lambda: now[0])
    for second in range(1, 31):
        now[0] = float(second)
        meter.done(second * 100_000_000, second)
    assert "100.0 MB/s" in terminal.getvalue().rpartition("\r")[2]
    for second in range(31, 61):
        now[0] = float(second)
        meter.done(3_000_000_000 + (second - 30) * 1_000_000, second)

    last = terminal.getvalue().rpartition("\r")[2]
    assert "1.0 MB/s" in last
    assert "10:16:10 left" in last


def test_a_narrow_terminal_gets_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "20")

    Throughput(10, "checking", wait=0).done(5, 5)

    assert len(terminal.getvalue().removeprefix("\r\x1b[2K")) == 19


def test_nobody_looks_at_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = io.StringIO()
    monkeypatch.setattr(sys, "stderr", nobody)

    meter = Throughput(10, "checking", wait=0)
    meter.done(5, 5)
    meter.clear()

    assert not meter.is_shown
    assert nobody.getvalue() == ""
