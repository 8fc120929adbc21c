"""Where the tokens of one platform are kept: what every such place can do, and the plain ones.

No request is made here, and nothing is decided about tokens.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from widgetschema.forks import renew_in_forks
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens


class TokenStorage(Protocol):
    """Keeps the tokens of one login to one platform.

    `save`, `clear` and `probe` are called with `lock` held. The methods raise
    `TokenStorageError`, whose text holds nothing of what is kept.
    """

    def load(self) -> Tokens | None:
        """The tokens, if there are any."""
        ...

    def save(self, tokens: Tokens) -> None:
        """Keep these in the place of those before."""
        ...

    def clear(self) -> bool:
        """Remove them; whether there were any."""
        ...

    def lock(self) -> AbstractContextManager[None]:
        """One holder at a time among all who share this place; it may be left in another
        thread than it was entered in.
        """
        ...

    def probe(self) -> None:
        """Raise what `save` would raise."""
        ...

    def describe(self) -> str:
        """The place, for people."""
        ...


class FileStorage:
    """Tokens in a file: see `TokenFile`."""

    def __init__(self, file: TokenFile, base_url: str) -> None:
        self._file = file
        self._base_url = base_url

    def load(self) -> Tokens | None:
        """The tokens, if there are any."""
        return self._file.get(self._base_url)

    def save(self, tokens: Tokens) -> None:
        """Keep these in the place of those before."""
        self._file.put(tokens)

    def clear(self) -> bool:
        """Remove them; whether there were any."""
        return self._file.drop(self._base_url)

    def lock(self) -> AbstractContextManager[None]:
        """Hold the lock of the file."""
        return self._file.lock()

    def probe(self) -> None:
        """Write the file as it is."""
        self._file.probe()

    def describe(self) -> str:
        """The path of the file."""
        return self._file.path


class MemoryStorage:
    """Tokens in the memory of this process, gone with it."""

    def __init__(self, tokens: Tokens | None = None) -> None:
        self._tokens = tokens
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Wait for no thread of a parent process."""
        self._lock = threading.Lock()

    def load(self) -> Tokens | None:
        """The tokens, if there are any."""
        return self._tokens

    def save(self, tokens: Tokens) -> None:
        """Keep these in the place of those before."""
        self._tokens = tokens

    def clear(self) -> bool:
        """Remove them; whether there were any."""
        had, self._tokens = self._tokens is not None, None
        return had

    def lock(self) -> AbstractContextManager[None]:
        """Hold the lock, among threads."""
        return self._held()

    def probe(self) -> None:
        """Memory can be written."""

    def describe(self) -> str:
        """The place, for people."""
        return "the memory of this process"

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        with self._lock:
            yield


class EnvironmentStorage(MemoryStorage):
    """Tokens that came from environment variables; renewed ones stay in memory."""

    def describe(self) -> str:
        """The place, for people."""
        return "the environment variables WIDGETSCHEMA_…"
