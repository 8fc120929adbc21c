"""A progress bar on standard error, for whoever waits at a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, Final

import click

_WAIT: Final = 0.5  # seconds of work before there is a progress bar
_REDRAW: Final = 0.1  # seconds until it is drawn again
_ERASE: Final = "\r\x1b[2K"
_RECENT: Final = 10.0  # seconds over which a rate is taken
_BAR: Final = 24  # columns


class Progress:
    """A bar that makes way for whatever else is written to the terminal.

    `number` is how much there is to do; without anything there is no bar, nor for the first `wait`
    seconds.
    """

    def __init__(self, number: int, label: str = "", wait: float = _WAIT) -> None:
        self._bar = None
        if number and is_terminal(sys.stderr):
            self._bar = click.progressbar(length=number, label=label, file=sys.stderr)
        self._due = time.monotonic() + wait
        self._drawn = False

    def done(self, number: int) -> None:
        """So much of it is done."""
        if self._bar is not None and time.monotonic() >= self._due:
            self._bar.update(number - self._bar.pos)
            self._due = time.monotonic() + _REDRAW
            self._drawn = True

    def clear(self) -> None:
        """Take the bar off the terminal, until there is more to show."""
        if self._drawn:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._drawn = False


class Throughput:
    """How far a long run is: a bar, records, bytes in a second, and the time that is left.

    `total` is in bytes; None if nobody knows: then there is no bar. Nothing is shown unless
    somebody looks at standard error, nor for the first `wait` seconds. `clock` gives seconds.
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
        """Whether anybody looks at it."""
        return self._shown

    def done(self, size: int, records: int) -> None:
        """So many bytes and records of it are done, of all that there is to do."""
        now = self._clock()
        if not self._shown or now < self._due:
            return
        self._due = now + _REDRAW
        self._recent.append((now, size))
        while len(self._recent) > 2 and now - self._recent[0][0] > _RECENT:
            self._recent.popleft()
        began, before = self._recent[0]
        rate = (size - before) / max(now - began, _REDRAW)
        columns = shutil.get_terminal_size().columns
        sys.stderr.write(_ERASE + self._line(size, records, rate)[: columns - 1])
        sys.stderr.flush()
        self._drawn = True

    def clear(self) -> None:
        """Take it off the terminal, until there is more to show."""
        if self._drawn:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._drawn = False

    def _line(self, size: int, records: int, rate: float) -> str:
        told = f"{records:,} records  {rate / 1e6:,.1f} MB/s"
        if self._total is None:
            return f"{self._label}  {told}"
        part = min(1.0, size / self._total) if self._total else 1.0
        bar = "#" * int(part * _BAR)
        left = ""
        if rate > 0:
            minutes, seconds = divmod(round(max(0, self._total - size) / rate), 60)
            hours, minutes = divmod(minutes, 60)
            left = f"  {hours}:{minutes:02}:{seconds:02} left" if hours else ""
            left = left or f"  {minutes}:{seconds:02} left"
        return f"{self._label}  [{bar:-<{_BAR}}]  {part:4.0%}{left}  {told}"


def with_progress(
    values: Iterable[Any],
    number: int,
    label: str,
    *,
    to_stdout: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[Any, None, None]:
    """The values; somebody at a terminal who waits for them sees how far it is.

    Not if the values themselves are shown there. `clock` gives seconds.
    """
    if not is_terminal(sys.stderr) or (to_stdout and is_terminal(sys.stdout)):
        yield from values
        return
    bar = click.progressbar(length=number, label=label, file=sys.stderr)
    due, done = clock() + _WAIT, 0
    try:
        for done, value in enumerate(values, 1):
            yield value
            if clock() >= due:
                bar.update(done - bar.pos)
                due = clock() + _REDRAW
    finally:
        if bar.pos:
            bar.update(done - bar.pos)
            bar.render_finish()


def is_terminal(stream: Any) -> bool:
    """Whether somebody may be looking at a stream."""
    return stream is not None and bool(stream.isatty())
