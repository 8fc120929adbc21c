"""Progress on standard error, if it is a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

_WAIT: Final = 0.5  # seconds of work before there is a progress bar
_REDRAW: Final = 0.1  # seconds until it is drawn again
_ERASE: Final = "\r\x1b[2K"
_CURSOR: Final = "\x1b[?25h"  # shows the cursor, which click's bar hides
_RECENT: Final = 10.0  # seconds over which a rate is taken
_BAR: Final = 24  # columns


class Progress:
    """A progress bar that gives way to other output on the terminal.

    `number` is how much there is to do; with 0 there is no bar. It appears after `wait` seconds.
    """

    def __init__(self, number: int, label: str = "", wait: float = _WAIT) -> None:
        self._bar = None
        if number and is_terminal(sys.stderr):
            self._bar = click.progressbar(length=number, label=label, file=sys.stderr)
        self._due = time.monotonic() + wait
        self._drawn = False

    def done(self, number: int) -> None:
        """Update the bar: `number` is how much is done."""
        if self._bar is not None and time.monotonic() >= self._due:
            self._bar.update(number - self._bar.pos)
            self._due = time.monotonic() + _REDRAW
            self._drawn = True

    def clear(self) -> None:
        """Remove the bar from the terminal until the next update."""
        if self._drawn:
            sys.stderr.write(_ERASE + _CURSOR)
            sys.stderr.flush()
            self._drawn = False


class Throughput:
    """The progress of a long run: a bar, records, bytes per second, and the time left.

    `total` is in bytes, or None if it is unknown: then there is no bar. Nothing is displayed unless
    standard error is a terminal, nor in the first `wait` seconds. `clock` returns seconds.
    """

    def __init__(
        self,
        total: int | None,
        label: str,
        wait: float = _WAIT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total
        self._label = label
        self._clock = clock
        self._shown = is_terminal(sys.stderr)
        now = clock()
        self._due = now + wait
        self._recent: deque[tuple[float, int]] = deque([(now, 0)])
        self._drawn = False

    @property
    def is_shown(self) -> bool:
        """True if standard error is a terminal."""
        return self._shown

    def done(self, size: int, records: int) -> None:
        """Update: `size` bytes and `records` records are done."""
        now = self._clock()
        if not self._shown or now < self._due:
            return
        self._due = now + _REDRAW
        self._recent.append((now, size))
        while len(self._recent) > 2 and now - self._recent[0][0] > _RECENT:
            self._recent.popleft()
        began, before = self._recent[0]
        rate = (size - before) / max(now - began, _REDRAW)
        import shutil  # only for a terminal

        columns = shutil.get_terminal_size().columns
        sys.stderr.write(_ERASE + self._line(size, records, rate)[: columns - 1])
        sys.stderr.flush()
        self._drawn = True

    def clear(self) -> None:
        """Remove the progress from the terminal until the next update."""
        if self._drawn:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._drawn = False

    def _line(self, size: int, records: int, rate: float) -> str:
        counts = f"{records:,} records  {rate / 1e6:,.1f} MB/s"
        if self._total is None:
            return f"{self._label}  {counts}"
        part = min(1.0, size / self._total) if self._total else 1.0
        bar = "#" * int(part * _BAR)
        left = ""
        if rate > 0:
            minutes, seconds = divmod(round(max(0, self._total - size) / rate), 60)
            hours, minutes = divmod(minutes, 60)
            left = f"  {hours}:{minutes:02}:{seconds:02} left" if hours else ""
            left = left or f"  {minutes}:{seconds:02} left"
        return f"{self._label}  [{bar:-<{_BAR}}]  {part:4.0%}{left}  {counts}"


def with_progress(
    values: Iterable[Any],
    number: int,
    label: str,
    *,
    to_stdout: bool = False,
    wait: float = _WAIT,
) -> Generator[Any, None, None]:
    """Yield the values, with a progress bar on the terminal after `wait` seconds.

    There is none if the values themselves are displayed there.
    """
    progress = Progress(0 if to_stdout and is_terminal(sys.stdout) else number, label, wait)
    try:
        for done, value in enumerate(values, 1):
            yield value
            progress.done(done)
    finally:
        progress.clear()


@contextmanager
def waiting(label: str, wait: float = _WAIT) -> Iterator[None]:
    """Show on the terminal what takes so long, while that is more than `wait` seconds.

    It is for work whose length is unknown, such as that of another program.
    """
    stream = sys.stderr
    if not is_terminal(stream):
        yield
        return
    drawn = False

    def draw() -> None:
        nonlocal drawn
        drawn = True
        stream.write(f"{label} …")
        stream.flush()

    timer = threading.Timer(wait, draw)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if drawn:
            stream.write(_ERASE)
            stream.flush()


def is_terminal(stream: Any) -> bool:
    """Return whether a stream is a terminal."""
    return stream is not None and bool(stream.isatty())
