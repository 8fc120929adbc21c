"""A progress bar on standard error, for whoever waits at a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable
from typing import Any, Final

import click

_WAIT: Final = 0.5  # seconds of work before there is a progress bar
_REDRAW: Final = 0.1  # seconds until it is drawn again
_ERASE: Final = "\r\x1b[2K"


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


def watched(
    values: Iterable[Any], number: int, label: str, *, to_stdout: bool = False
) -> Generator[Any, None, None]:
    """The values; somebody at a terminal who waits for them sees how far it is.

    Not if the values themselves are shown there.
    """
    if not is_terminal(sys.stderr) or (to_stdout and is_terminal(sys.stdout)):
        yield from values
        return
    bar = click.progressbar(length=number, label=label, file=sys.stderr)
    due, done = time.monotonic() + _WAIT, 0
    try:
        for done, value in enumerate(values, 1):
            yield value
            if time.monotonic() >= due:
                bar.update(done - bar.pos)
                due = time.monotonic() + _REDRAW
    finally:
        if bar.pos:
            bar.update(done - bar.pos)
            bar.render_finish()


def is_terminal(stream: Any) -> bool:
    """Whether somebody may be looking at a stream."""
    return stream is not None and bool(stream.isatty())
