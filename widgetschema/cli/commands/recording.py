"""Files that are written line by line during a long run; each is there when all of it is.

What cannot be written is said once, and the run goes on: its summary is worth having.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import Final, TextIO

from widgetschema.cli.commands.writing import for_file
from widgetschema.cli.console.output import Output, print_error
from widgetschema.files import writing_atomically
from widgetschema.project.checking.results import reason
from widgetschema.text import printable

_UNWRITABLE: Final = 3
_STDOUT: Final = "-"


class Record:
    """Lines that go to a file, to standard output (`-`), or nowhere (None).

    A context: what fails within it, or is interrupted, leaves no file behind. Lines of JSON may
    have characters escaped that a terminal would obey, which `exact` lines have not. `code` is the
    exit code: 0, or 3 for lines that could not be written.
    """

    def __init__(self, path: str | None, *, exact: bool = False) -> None:
        self.path = path
        self.code = 0
        self._mended = _encodable if exact else for_file
        self._output = Output(None) if path == _STDOUT else None
        self._file: TextIO | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Record:
        if self.path is not None and self._output is None:
            self._guarded(self._open, self.path)
        return self

    def __exit__(self, *error: object) -> None:
        if self._output is not None:
            self.code = max(self.code, self._output.close())
        self._guarded(self._stack.__exit__, *error)

    @property
    def is_file(self) -> bool:
        """Whether there is going to be a file, for all that is known so far."""
        return self._file is not None

    def write(self, texts: Iterable[str]) -> None:
        """Add lines, some in each text."""
        for text in texts:
            if self._output is not None:
                self._output.write_exact(self._mended(text))
            elif self._file is not None:
                self._guarded(self._file.write, self._mended(text))
            else:
                return

    def _open(self, path: str) -> None:
        self._file = self._stack.enter_context(writing_atomically(path, unnamed=True))

    def _guarded(self, action: Callable[..., object], *arguments: object) -> None:
        try:
            action(*arguments)
        except OSError as error:
            self.code = _UNWRITABLE
            self._file = None
            print_error(f"{printable(self.path or '')}: cannot be written: {reason(error)}")
            stack = self._stack.pop_all()
            with contextlib.suppress(OSError):
                stack.__exit__(type(error), error, error.__traceback__)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
