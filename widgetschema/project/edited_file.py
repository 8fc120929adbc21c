"""The edited file: its present version, saving it, and undoing the last save.

A version is only replaced if the caller names it by its digest. No JSON is read here, and there
is no lock: callers hold one while they look and write.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from functools import partial
from typing import Final, NamedTuple

from widgetschema.files import digest, open_file, read_bytes, remove, writing_atomically

NO_FILE: Final = "none"  # in place of a digest
UNREADABLE: Final = "unreadable"


class FileVersion(NamedTuple):
    """The content of a file: its bytes (None if there is no file), and their digest.

    `problem` is the reason why it cannot be read, as the end of a sentence.
    """

    raw: bytes | None
    digest: str
    problem: str = ""

    @property
    def text(self) -> str | None:
        """The text, without a byte order mark; None if it is not UTF-8."""
        try:
            return None if self.raw is None else self.raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None

    @property
    def has_mark(self) -> bool:
        """True if the text begins with a byte order mark."""
        return self.raw is not None and self.raw.startswith(BOM_UTF8)


class _Saved(NamedTuple):
    before: FileVersion
    after: str


class FileChanged(Exception):
    """The file is not the version that the caller knows; `now` is the present one."""

    def __init__(self, now: FileVersion) -> None:
        super().__init__(now)
        self.now = now


class EditedFile:
    """A file by its path, which may not be there yet."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = os.path.basename(path)
        self._seen: tuple[tuple[int, ...], FileVersion] | None = None
        self._saved: _Saved | None = None

    def now(self, *, refresh: bool = False) -> FileVersion:
        """Return the present version of the file.

        It is read again only if the system reports a change, or with `refresh`. Raises `OSError`
        and `StoreError`.
        """
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            return FileVersion(None, NO_FILE)
        identity = (*status[:3], status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if self._seen is None or self._seen[0] != identity or refresh:
            raw = read_bytes(self.path)
            self._seen = (identity, FileVersion(raw, digest(raw)))
        return self._seen[1]

    def save(self, text: str, over: str) -> FileVersion:
        """Write the file in place of the version `over`.

        Raises `FileChanged`, `OSError` and `StoreError`.
        """
        before = self._same(over)
        self._write(text, before)
        after = self.now(refresh=True)
        self._saved = _Saved(before, after.digest)
        return after

    def was_saved(self, version: str) -> bool:
        """Return True if the last save made this version."""
        return self._saved is not None and self._saved.after == version

    @property
    def undoable(self) -> bool:
        """True if the last save can be undone, unless the file changes."""
        saved = self._saved
        return saved is not None and (
            saved.before.raw is None or _text_with_mark(saved.before) is not None
        )

    def undo(self) -> FileVersion:
        """Restore the content from before the last save.

        Raises `FileChanged` if it is not what was saved, `OSError` and `StoreError`.
        """
        saved = self._saved
        if saved is None or not self.undoable:
            raise FileChanged(self.now(refresh=True))
        now = self._same(saved.after)
        text = _text_with_mark(saved.before)
        if text is None:
            remove(os.path.realpath(self.path))
        else:
            self._write(text, now)
        self._saved = None
        return self.now(refresh=True)

    def _same(self, version: str) -> FileVersion:
        now = self.now(refresh=True)
        if now.digest != version:
            raise FileChanged(now)
        return now

    def _write(self, text: str, before: FileVersion) -> None:
        """Write the file, if it is still as it was. Raises as `save`."""
        if before.raw is not None:
            with open_file(self.path, "r+b"):  # as in `replace_file`
                pass
        last_look = partial(self._same, before.digest)
        with writing_atomically(self.path, before_move=last_look) as file:
            file.write(text)


def _text_with_mark(version: FileVersion) -> str | None:
    """Return the text with its byte order mark, if it has one."""
    try:
        return None if version.raw is None else version.raw.decode()
    except UnicodeDecodeError:
        return None
