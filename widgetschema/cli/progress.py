"""A progress bar on standard error, for whoever waits at a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable
from typing import Any, Final

import click

_WAIT: Final = 0.5  # seconds of work before there is a progress bar
_REDRAW: Final = 0.1  # seconds until it is drawn again


def watched(
    values: Iterable[Any], number: int, label: str, *, to_stdout: bool = False
) -> Generator[Any, None, None]:
    """The values; somebody at a terminal who waits for them sees how far it is.

    Not if the values themselves are shown there.
    """
    if not _is_terminal(sys.stderr) or (to_stdout and _is_terminal(sys.stdout)):
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


def _is_terminal(stream: Any) -> bool:
    return stream is not None and bool(stream.isatty())
