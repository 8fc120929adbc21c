"""The new content of one file, from the old one and edits in their order, in constant memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import BinaryIO, Final

from widgetschema.audit.migration.edits import Record, digest_of_value
from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import Limits, read
from widgetschema.project.inputs.formats import BOM

_CHUNK: Final = 1024 * 1024
_FEW: Final = 64  # lines that are passed one by one
CHANGED: Final = "another program changed it meanwhile"


class ContentChanged(Exception):
    """A file that does not hold what is to be replaced, at an offset."""

    def __init__(self, offset: int) -> None:
        super().__init__(CHANGED)
        self.offset = offset


class NotAsMeant(Exception):
    """A record that, read again where it was written, is not what it was meant to be."""

    def __init__(self, place: str) -> None:
        super().__init__(f"the new text of the record {place} would not be read as it is meant")


class FileRewriting:
    """Copies a file, in which edits replace some texts. Each must be where it is said to be.

    `before` and `after` are digests of what was read and written so far.
    """

    def __init__(self, file: BinaryIO, write: Callable[[bytes], object]) -> None:
        self._file = file
        self._write = write
        self._held, self._at = b"", 0  # what was read, and what of it was passed
        self._read = 0  # bytes of the old content that were passed
        self._line = 1
        self.written = 0  # bytes of the new content
        self._before, self._after = hashlib.sha256(), hashlib.sha256()
        self._fill(len(BOM))
        self._line_start = len(BOM) if self._held.startswith(BOM) else 0

    @property
    def before(self) -> str:
        """The sha256 of what was read."""
        return self._before.hexdigest()

    @property
    def after(self) -> str:
        """The sha256 of what was written."""
        return self._after.hexdigest()

    def replace(
        self, line: int | None, start: int, was: bytes, now: bytes, record: Record | None = None
    ) -> int:
        """Replace a text; return the offset of what replaces it.

        Args:
            line: The line that `start` counts from, behind a byte order mark; None for the file.
            start: Bytes, not in front of what was replaced before.
            was: The old text.
            now: The new one.
            record: The record that it is in, to be read again.

        Raises:
            ContentChanged: If the old text is not there.
            NotAsMeant: If the record is not the value then that was meant.
        """
        if line is not None:
            self._to_line(line)
        at = start + (0 if line is None else self._line_start)
        before, behind = (0, 0) if record is None else (record.before, record.behind)
        begin = at - before
        if begin < self._read:
            raise ContentChanged(self._read)
        while self._read < begin:
            if not self._fill(1):
                raise ContentChanged(self._read)
            self._copy(min(self._left, begin - self._read))
        head = self._copied(before)
        self._fill(len(was))
        if not self._held.startswith(was, self._at):
            raise ContentChanged(at)
        self._before.update(was)
        self._at += len(was)
        self._read += len(was)
        place = self.written
        self._put(now)
        text = head + now + self._copied(behind)
        if record is not None and not _is_read(text, record, is_line=line is not None):
            raise NotAsMeant(f"at byte {begin:,}" if line is None else f"in line {line:,}")
        return place

    def _copied(self, size: int) -> bytes:
        """Copy so many bytes, and return them."""
        self._fill(size)
        if self._left < size:
            raise ContentChanged(self._read)
        text = self._held[self._at : self._at + size]
        self._copy(size)
        return text

    def finish(self) -> None:
        """Copy the rest."""
        while self._fill(1):
            self._copy(self._left)

    @property
    def _left(self) -> int:
        return len(self._held) - self._at

    def _to_line(self, line: int) -> None:
        while self._line < line:
            if not self._fill(1):
                raise ContentChanged(self._read)
            missing = line - self._line
            newlines = self._held.count(b"\n", self._at) if missing > _FEW else missing
            if newlines < missing:
                self._line += newlines
                self._copy(self._left)
                continue
            end = self._at
            while self._line < line and (found := self._held.find(b"\n", end)) >= 0:
                self._line += 1
                end = found + 1
            self._copy((end if self._line == line else len(self._held)) - self._at)
            self._line_start = self._read

    def _fill(self, size: int) -> bool:
        """Hold so many bytes, or all there are; return whether there are any."""
        while self._left < size and (chunk := self._file.read(max(size, _CHUNK))):
            self._held, self._at = self._held[self._at :] + chunk, 0
        return self._left > 0

    def _copy(self, size: int) -> None:
        text = self._held[self._at : self._at + size]
        self._at += size
        self._read += size
        self._before.update(text)
        self._put(text)

    def _put(self, text: bytes) -> None:
        self._after.update(text)
        self._write(text)
        self.written += len(text)


def _is_read(text: bytes, record: Record, *, is_line: bool) -> bool:
    """Return whether a record is read as it is meant; what is in a line must stay there."""
    if is_line and b"\n" in text:
        return False
    try:
        value = read(text, Limits(max_bytes=len(text)))
    except UnreadableDocument:
        return False
    return digest_of_value(value) == record.digest
