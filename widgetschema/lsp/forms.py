"""Forms of open documents: the editor of a file, served on the loopback interface."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final

from widgetschema.editor import DocumentOpener, EditedFile, EditorSession, serving
from widgetschema.project.checking.checker import Checker

_MOST_FORMS: Final = 8  # that are served at once; the one that was opened first ends


class FormServer:
    """The editors of a server, each with a port and an address of its own.

    An address is valid once, so each request begins an editor anew. Not to be shared among threads.
    """

    def __init__(self) -> None:
        self._served: dict[str, ExitStack] = {}

    def address(self, path: str, checker: Checker) -> str:
        """Begin to serve the form of a file; return the address.

        Raises `MissingExtra`, `OSError`, and what opening the file raises.
        """
        previous = self._served.pop(path, None)
        if previous is not None:
            previous.close()
        while len(self._served) >= _MOST_FORMS:
            self._served.pop(next(iter(self._served))).close()
        served = ExitStack()
        session = EditorSession(EditedFile(path), DocumentOpener(checker, path))
        address = served.enter_context(serving(session))
        self._served[path] = served
        return address

    def close(self) -> None:
        """End all editors."""
        while self._served:
            self._served.popitem()[1].close()
