"""Where text goes: findings to standard output or a file, everything else to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

import click

from widgetschema.reporters.text import Style, plain
from widgetschema.store import write_atomically

_COLOURS: Final = {
    "where": {"bold": True},
    "keyword": {"fg": "red"},
    "mark": {"fg": "red", "bold": True},
    "hint": {"fg": "green"},
}


def complain(message: str) -> None:
    """One line on standard error (or the lines of a report), never a traceback."""
    try:
        click.echo(f"widgetschema: {message}", err=True)
    except OSError:
        pass


def style_for(color: str, to_file: bool) -> Style:
    """The style for `--color auto|always|never`; `NO_COLOR` is respected."""
    if color == "auto":
        on_terminal = not to_file and sys.stdout.isatty()
        wanted = on_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    else:
        wanted = color == "always"
    if not wanted:
        return plain
    return lambda role, text: click.style(text, **_COLOURS[role])  # type: ignore[arg-type]


class Output:
    """Takes text as it comes: to standard output at once, to a file when all is there.

    If somebody closes standard output, that is said once, and the run goes on: its exit
    code still tells the whole truth.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._parts: list[str] = []
        self._closed = False

    def write(self, text: str) -> None:
        """Add text."""
        if not text or self._closed:
            return
        if self._path is not None:
            self._parts.append(text)
            return
        self._guarded(lambda: sys.stdout.write(encodable(text)))

    def close(self) -> None:
        """Write the file, or flush. Raises `OSError` if the file cannot be written."""
        if self._path is not None:
            write_atomically(self._path, "".join(self._parts))
        elif not self._closed:
            self._guarded(sys.stdout.flush)

    def _guarded(self, action: Callable[[], object]) -> None:
        try:
            action()
        except BrokenPipeError:
            self._closed = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            complain("standard output was closed before the end")


def encodable(text: str) -> str:
    """Text that standard output can encode, whatever the locale."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, errors="backslashreplace").decode(encoding)
