"""Token storages: in a file, in the keyring, in memory.

No request is made here, and nothing is decided about tokens.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from widgetschema.errors import MissingExtra, TokenStorageError
from widgetschema.forks import renew_in_forks
from widgetschema.platform.auth.token_file import TokenFile
from widgetschema.platform.auth.tokens import Tokens
from widgetschema.platform.secret import Secret

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend


class TokenStorage(Protocol):
    """Keeps the tokens of one login to one platform.

    `save`, `clear` and `probe` are called with `lock` held. The methods raise
    `TokenStorageError`, whose text holds nothing of what is kept.
    """

    def load(self) -> Tokens | None:
        """Return the tokens, None if there are none."""
        ...

    def save(self, tokens: Tokens) -> None:
        """Keep these in the place of those before."""
        ...

    def clear(self) -> bool:
        """Remove them; whether there were any."""
        ...

    def lock(self) -> AbstractContextManager[None]:
        """Return a lock shared by everyone who uses this storage; it may be left in another
        thread than it was entered in.
        """
        ...

    def probe(self) -> None:
        """Raise what `save` would raise."""
        ...

    def describe(self) -> str:
        """Return the name of the storage for messages."""
        ...


class FileStorage:
    """Tokens in a file: see `TokenFile`."""

    def __init__(self, file: TokenFile, base_url: str) -> None:
        self._file = file
        self._base_url = base_url

    def load(self) -> Tokens | None:
        """Return the tokens, None if there are none."""
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
        """Return the path of the file."""
        return self._file.path


class MemoryStorage:
    """Tokens in the memory of this process, gone with it; `origin` is the name for messages."""

    def __init__(
        self, tokens: Tokens | None = None, *, origin: str = "the memory of this process"
    ) -> None:
        self._tokens = tokens
        self._origin = origin
        self.after_fork()
        renew_in_forks(self)

    def after_fork(self) -> None:
        """Wait for no thread of a parent process."""
        self._lock = threading.Lock()

    def load(self) -> Tokens | None:
        """Return the tokens, None if there are none."""
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
        """Return the name of the storage for messages."""
        return self._origin

    @contextlib.contextmanager
    def _held(self) -> Iterator[None]:
        with self._lock:
            yield


_SERVICE: Final = "widgetschema"
_PROBE: Final = "widgetschema probe"
_T = TypeVar("_T")


class KeyringStorage:
    """The tokens of one platform as one entry of the keyring: service `widgetschema`, and the
    platform's address as the name, with the profile behind a # if there is one.

    `backend` is a backend of keyring, by default the one that it finds. Raises `MissingExtra`.
    """

    def __init__(
        self, file: TokenFile, base_url: str, backend: KeyringBackend | None = None
    ) -> None:
        self._file = file
        self._base_url = base_url
        self._name = f"{base_url}#{file.profile}" if file.profile else base_url
        self._backend = _default_backend() if backend is None else backend

    def load(self) -> Tokens | None:
        """Return the tokens, None if there are none."""
        kept = self._attempt("read", lambda: _secret(self._get(self._name)))
        if kept is None:
            return None
        tokens = Tokens.from_json(kept, self._base_url)
        if tokens is None:
            raise TokenStorageError(
                self.describe(),
                f"its entry for {self._name} is not a login; log in again with: "
                f"{self._file.login_command(self._base_url)}",
            )
        return tokens

    def save(self, tokens: Tokens) -> None:
        """Keep these in the place of those before."""
        self._attempt("written", lambda: self._set(self._name, tokens.to_json().reveal()))
        self._file.put_mark(self._base_url, "keyring")

    def clear(self) -> bool:
        """Remove them; whether there were any."""
        had = self._attempt("read", lambda: self._get(self._name) is not None)
        if had:
            self._attempt("changed", lambda: self._backend.delete_password(_SERVICE, self._name))
        marked = self._file.kept_in(self._base_url) == "keyring"
        return (marked and self._file.drop(self._base_url)) or had

    def lock(self) -> AbstractContextManager[None]:
        """Hold the lock of the token file."""
        return self._file.lock()

    def probe(self) -> None:
        """Keep an entry of no meaning, read it, remove it; write the token file as it is."""
        text = "x" * 2_000  # about as long as tokens are: some backends have limits
        self._attempt("written", lambda: self._set(_PROBE, text))
        kept = self._attempt("read", lambda: self._get(_PROBE) == text)
        if not kept:
            raise TokenStorageError(self.describe(), "does not store what is written to it")
        self._attempt("changed", lambda: self._backend.delete_password(_SERVICE, _PROBE))
        self._file.probe()

    def describe(self) -> str:
        """Return the name of the backend."""
        kind = type(self._backend)
        return f"keyring ({kind.__module__}.{kind.__qualname__})"

    def _get(self, name: str) -> str | None:
        return self._backend.get_password(_SERVICE, name)

    def _set(self, name: str, password: str) -> None:
        self._backend.set_password(_SERVICE, name, password)

    def _attempt(self, what: str, action: Callable[[], _T]) -> _T:
        """Do it; what a backend raises (it may be anything, and hold anything) stays behind."""
        try:
            return action()
        except Exception as error:
            problem = type(error).__name__
        raise TokenStorageError(
            self.describe(),
            f"cannot be {what} ({problem}): unlock it, or store tokens in a file: "
            f"{self._file.login_command(self._base_url)} --storage file",
        )


def _secret(text: str | None) -> Secret | None:
    return None if text is None else Secret(text)


def _default_backend() -> KeyringBackend:
    try:
        import keyring
    except ImportError:
        pass
    else:
        return keyring.get_keyring()
    raise MissingExtra("keyring", "tokens in the keyring require the library keyring")
