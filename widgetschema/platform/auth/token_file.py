"""The file that keeps tokens: several logins, each under the address of its platform.

    {"version": 1, "logins": {"https://platform.example/api/v1": {"access_token": "…", …}}}

Only its owner can read it, it is written whole or not at all, and what is not understood in it
is kept. What was read is never in a local variable of a function that may fail: a traceback
may show those.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
from collections.abc import Iterator
from typing import Any, Final

from widgetschema.errors import TokenStorageError
from widgetschema.files import (
    file_lock,
    move,
    read_head,
    remove,
    user_config_folder,
    write_atomically,
)
from widgetschema.platform.auth.tokens import Tokens, from_members, to_members
from widgetschema.platform.secret import Secret
from widgetschema.text import shorten

FOLDER: Final = "widgetschema"
_VERSION: Final = 1
_MOST: Final = 1024 * 1024  # characters
# Seconds; longer than a refresh takes with all its tries (four of 60) and waits (three of 60).
_PATIENCE: Final = 60.0
_POSIX: Final = os.name == "posix"
_KEPT_IN: Final = "kept_in"  # names the place, where the tokens themselves are elsewhere


PROFILE_VARIABLE: Final = "WIDGETSCHEMA_PROFILE"
_PROFILE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_FILE: Final = re.compile(rf"tokens(?:-(?P<name>{_PROFILE.pattern}))?\.json", re.ASCII)


def default_path(profile: str = "") -> str:
    """Return the path of the user's token file, in the folder for configuration.

    Each profile has a file of its own. Raises `ValueError` for an unusable name.
    """
    if profile and not _PROFILE.fullmatch(profile):
        raise ValueError(
            f"the profile {shorten(profile, 80)!r}: its name can have letters, digits, - and _, up "
            f"to 64 (--profile, or {PROFILE_VARIABLE})"
        )
    name = f"tokens-{profile}.json" if profile else "tokens.json"
    return os.path.join(user_config_folder(), name)


def other_profiles(file: TokenFile) -> list[str]:
    """Return the profiles of the user that have a login, without that of a file.

    The login without a name is the empty text. A file that cannot be read counts: it may have one.
    """
    try:
        names = os.listdir(user_config_folder())
    except OSError:
        return []
    profiles = [match["name"] or "" for name in sorted(names) if (match := _FILE.fullmatch(name))]
    return [name for name in profiles if name != file.profile and _may_have_login(name)]


def _may_have_login(profile: str) -> bool:
    try:
        return bool(TokenFile(profile=profile).base_urls())
    except TokenStorageError:
        return True


class _Contents:
    """The contents of the file. Its repr shows nothing."""

    def __init__(self, members: dict[str, Any]) -> None:
        self.members = members
        self.logins: dict[str, Any] = members["logins"]


class TokenFile:
    """The file, by its path; by default that of `profile`, else of WIDGETSCHEMA_PROFILE.

    The name of the profile is empty for a given path, and for the login without one.
    `put` and `drop` are called with `lock` held. Every method but `lock` and `problems` raises
    `TokenStorageError` for a file that cannot be read, written or understood.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        profile: str | None = None,
        patience: float = _PATIENCE,
    ) -> None:
        if profile is None:
            profile = os.environ.get(PROFILE_VARIABLE, "").strip()
        self.profile = profile if path is None else ""
        self.path = default_path(self.profile) if path is None else os.fspath(path)
        self._patience = patience

    def login_command(self, base_url: str | None = None) -> str:
        """Return the command that stores a login for a platform in this file."""
        named = {"--profile": self.profile, "--base-url": base_url}
        options = "".join(f" {name} {shlex.quote(of)}" for name, of in named.items() if of)
        return f"widgetschema login{options} --code CODE --redirect-uri URI"

    def base_urls(self) -> tuple[str, ...]:
        """Return the platforms that there is a login for."""
        contents = self._read()
        return () if contents is None else tuple(contents.logins)

    def kept_in(self, base_url: str) -> str | None:
        """Return the storage of the tokens of a platform: "file", "keyring" or None."""
        contents = self._read()
        return None if contents is None else _storage_kind(contents, base_url)

    def get(self, base_url: str) -> Tokens | None:
        """Return the tokens of a platform, if they are stored in this file."""
        contents = self._read()
        if contents is None or _storage_kind(contents, base_url) != "file":
            return None
        tokens = from_members(contents.logins[base_url], base_url)
        if tokens is None:
            raise TokenStorageError(
                self.path,
                f"its entry for {base_url} is not a login; log in again with: "
                f"{self.login_command(base_url)}",
            )
        return tokens

    def put(self, tokens: Tokens) -> None:
        """Keep tokens, in the place of those of the same platform."""
        contents = self._read() or _empty()
        _merge(contents, tokens)
        self._write(contents)

    def put_mark(self, base_url: str, place: str) -> None:
        """Keep that the tokens of a platform are in another place."""
        contents = self._read() or _empty()
        if _storage_kind(contents, base_url) != place:
            contents.logins[base_url] = {_KEPT_IN: place}
            self._write(contents)

    def drop(self, base_url: str) -> bool:
        """Remove what is kept of a platform; whether there was anything.

        A file that says nothing any more is removed, unless it is a symbolic link.
        """
        contents = self._read()
        if contents is None or contents.logins.pop(base_url, None) is None:
            return False
        if contents.logins or len(contents.members) > 2 or os.path.islink(self.path):
            self._write(contents)
            return True
        problem = ""
        try:
            remove(self.path)
        except OSError as error:
            problem = _reason(error)
        if problem:
            raise TokenStorageError(self.path, f"cannot be removed: {problem}")
        return True

    def probe(self) -> None:
        """Write what there is once more: whether tokens can be kept, before it matters."""
        self._write(self._read() or _empty())

    def is_broken(self) -> bool:
        """Return whether there is a readable file that is no token file."""
        text, _ = _text_of(self.path) if os.path.isfile(self.path) else (None, "")
        return text is not None and _parsed(text)[0] is None

    def set_aside(self) -> str:
        """Give a file that is not understood another name, which is returned."""
        number, aside = 1, f"{self.path}.broken"
        while os.path.lexists(aside):
            number, aside = number + 1, f"{self.path}.broken-{number + 1}"
        problem = ""
        try:
            if _POSIX:
                os.chmod(self.path, 0o600)
            move(self.path, aside)
        except OSError as error:
            problem = _reason(error)
        if problem:
            raise TokenStorageError(self.path, f"cannot be moved aside: {problem}")
        return aside

    def left_over(self) -> list[str]:
        """Return files that may hold tokens: set aside, or left by a process that was killed."""
        folder, name = os.path.split(self.path)
        try:
            names = os.listdir(folder)
        except OSError:
            return []
        ours = (f"{name}.broken", f".{name}.")
        return sorted(os.path.join(folder, one) for one in names if one.startswith(ours))

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the lock of this file, among threads and processes.

        Where no lock can be made, nothing can be written either, and nobody could learn
        anything by waiting: then there is none. Raises `TokenStorageError` if another process
        holds it for minutes.
        """
        with contextlib.suppress(TokenStorageError):
            self._make_folder()
        name = f"{os.path.realpath(self.path)}.lock"
        with contextlib.ExitStack() as stack:
            late, problem = False, ""
            try:
                stack.enter_context(file_lock(name, self._patience))
            except TimeoutError:
                late = True
            except (OSError, NotImplementedError) as error:
                folder = os.path.dirname(name)
                if os.path.isdir(folder) and os.access(folder, os.W_OK):  # something could be lost
                    problem = _reason(error)
            if problem:
                raise TokenStorageError(name, f"this lock cannot be acquired: {problem}; remove it")
            if late:
                raise TokenStorageError(
                    self.path,
                    f"another process has held its lock for {self._patience:g} seconds; wait for "
                    f"it, or end it ({name})",
                )
            yield

    def problems(self) -> tuple[str, ...]:
        """Return sentences about unsafe permissions of the file and its folder."""
        if not _POSIX:
            return ()
        problems = []
        for path, mode in ((self.path, "600"), (os.path.dirname(self.path), "700")):
            ours = path == self.path or os.path.basename(path) == FOLDER
            with contextlib.suppress(OSError):
                actual = os.stat(path).st_mode & 0o777
                if ours and actual & 0o077:
                    problems.append(f"{path}: others can access it (mode {actual:o}): chmod {mode}")
        return tuple(problems)

    def _read(self) -> _Contents | None:
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise TokenStorageError(self.path, "is not a file; remove it, then log in")
        text, problem = _text_of(self.path)
        if problem:
            raise TokenStorageError(self.path, f"cannot be read: {problem}")
        if text is None:
            return None
        contents, problem = _parsed(text)
        if contents is not None and contents.members.get("version") != _VERSION:
            raise TokenStorageError(
                self.path, "was written by another version of widgetschema; use that one"
            )
        if contents is None:
            raise TokenStorageError(
                self.path,
                f"{problem}; repair it, or log in again, which moves it away: "
                f"{self.login_command()}",
            )
        return contents

    def _write(self, contents: _Contents) -> None:
        self._make_folder()
        problem = ""
        if len(_dumped(contents)) > _MOST:  # it could never be read again
            raise TokenStorageError(self.path, "it would be too large")
        try:
            write_atomically(self.path, _dumped(contents), mode=0o600)
        except (OSError, RecursionError) as error:  # its frames hold the text
            problem = _reason(error)
        if problem:
            raise TokenStorageError(self.path, f"cannot be written: {problem}")

    def _make_folder(self) -> None:
        folder = os.path.dirname(os.path.realpath(self.path))
        problem = ""
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            ours = os.path.basename(folder) == FOLDER and _POSIX
            if ours and os.stat(folder).st_mode & 0o077:
                os.chmod(folder, 0o700)
        except OSError as error:
            problem = _reason(error)
        if problem and not os.path.isdir(folder):
            raise TokenStorageError(folder, f"this folder cannot be created: {problem}")


def _text_of(path: str) -> tuple[Secret | None, str]:
    """Return the text of a file, if there is one; or what is wrong with it."""
    try:
        return Secret(read_head(path, _MOST + 1).decode("utf-8-sig")), ""
    except FileNotFoundError:
        return None, ""
    except UnicodeDecodeError:
        return Secret(""), ""  # no JSON either
    except OSError as error:
        return None, _reason(error)


def _parsed(text: Secret) -> tuple[_Contents | None, str]:
    """Return the contents of a text, or why it has none, without quoting it."""
    if len(text.reveal()) > _MOST:
        return None, "it is too large for a token file"
    try:
        return _checked(json.loads(text.reveal()))
    except json.JSONDecodeError as error:
        return None, f"it is not JSON (line {error.lineno}, column {error.colno})"
    except (ValueError, RecursionError):
        return None, "it is not JSON"


def _checked(value: object) -> tuple[_Contents | None, str]:
    if not isinstance(value, dict) or not isinstance(value.get("logins"), dict):
        return None, 'it is not a token file: it has no object "logins"'
    return _Contents(value), ""


def _empty() -> _Contents:
    return _Contents({"version": _VERSION, "logins": {}})


def _storage_kind(contents: _Contents, base_url: str) -> str | None:
    if base_url not in contents.logins:
        return None
    entry = contents.logins[base_url]
    return "keyring" if isinstance(entry, dict) and entry.get(_KEPT_IN) == "keyring" else "file"


def _merge(contents: _Contents, tokens: Tokens) -> None:
    """Put tokens in; members that are not ours stay."""
    entry = contents.logins.get(tokens.base_url)
    ours = (*Tokens.__dataclass_fields__, _KEPT_IN)
    others = entry.items() if isinstance(entry, dict) else ()
    contents.logins[tokens.base_url] = {
        **{name: value for name, value in others if name not in ours},
        **to_members(tokens),
    }


def _dumped(contents: _Contents) -> str:
    return json.dumps(contents.members, indent=2) + "\n"


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
