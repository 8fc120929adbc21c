"""Sources as streams of bytes: files, standard input, addresses; and what they decompress to.

However small the compressed bytes of something huge are, only a piece of it is held at a time.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TextIO, cast
from weakref import WeakKeyDictionary

from widgetschema.errors import MissingExtra
from widgetschema.files import open_file
from widgetschema.project.checking.results import reason
from widgetschema.project.inputs.formats import Compression
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.sources import ByteStream, Source, not_a_file

if TYPE_CHECKING:
    from typing import IO

Read = Callable[[int], bytes]  # at most so many bytes; none at the end

_CHUNK: Final = 128 * 1024
_PIECE: Final = 2 * 1024 * 1024
_STDIN_CHUNK: Final = 64 * 1024
_WITH_HEADER: Final = 31  # zlib's number for the format of gzip, the largest window
_AHEAD: Final[WeakKeyDictionary[TextIO, bytearray]] = WeakKeyDictionary()


class Damaged(Exception):
    """Compressed data cannot be decompressed."""


# What a file of this machine raises that cannot be opened, read or decompressed.
FAILURES: Final = (SourceFailed, OSError, EOFError, ValueError, Damaged, MissingExtra)


def open_source(source: Source, *, from_begin: bool = False) -> ByteStream:
    """Open a source as it is stored; `from_begin` promises that all of it is read, in order.

    Raises `SourceFailed`, `OSError`, and whatever is behind an address.
    """
    if source.address == "-":
        return StandardInput()
    if "://" in source.address:
        from widgetschema.project.inputs.addresses import open_address

        return open_address(source.address, from_begin)
    return open_regular(source.address)


def open_regular(path: str) -> IO[bytes]:
    """Open a regular file, and nothing that would wait for a writer. Raises as `open_source`."""
    kind = not_a_file(os.stat(path))
    if kind is not None:
        raise SourceFailed(kind)
    return open_file(path, buffering=0)


def open_any(path: str) -> ByteStream:
    """Open a file, a pipe or `-`, standard input. Raises `OSError`, `ValueError`."""
    return StandardInput() if path == "-" else open_file(path, buffering=0, pipes=True)


def failure(error: Exception, address: str = "") -> str:
    """Return why a source cannot be read, and what to do, as a sentence without its name."""
    if isinstance(error, SourceFailed):
        return error.message
    if isinstance(error, EOFError):
        return "its compressed data is cut off: compress or copy the file again"
    if isinstance(error, Damaged):
        return f"its compressed data is damaged ({error}): compress or copy the file again"
    if "://" in address:
        from widgetschema.project.inputs.addresses import explain_error

        return explain_error(error)
    return reason(error)


class StandardInput:
    """Standard input, which stays open. Raises `OSError` if it is closed.

    It can be looked at before it is read, however slowly it comes: since that cannot be put back,
    it is kept for the next reader.
    """

    def __init__(self) -> None:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        self._buffer = cast("io.BufferedReader", sys.stdin.buffer)
        self._ahead = _AHEAD.setdefault(sys.stdin, bytearray())
        with contextlib.suppress(OSError, ValueError):  # it may be no file
            _wait_for_more(self._buffer.fileno())

    def peek(self, is_enough: Callable[[bytes], bool]) -> bytes:
        """Return its beginning: as much as is enough, or else all of it. It is read again later."""
        ahead = self._ahead
        while not is_enough(bytes(ahead)) and (chunk := self._buffer.read1(_STDIN_CHUNK)):
            ahead += chunk
        return bytes(ahead)

    def read(self, size: int) -> bytes:
        """Read at most so many bytes; none at the end."""
        if not self._ahead:
            return self._buffer.read1(size)
        chunk = bytes(self._ahead[:size])
        del self._ahead[:size]
        return chunk

    def seek(self, offset: int) -> None:
        """Raise `OSError`."""
        raise OSError("standard input cannot be read in parts")

    def close(self) -> None:
        """Leave it open."""


def _wait_for_more(number: int) -> None:
    """Make a pipe blocking: otherwise a pause of the writer looks like the end."""
    if sys.platform != "win32" and not os.get_blocking(number):
        os.set_blocking(number, True)


def decompressed(compression: Compression, stored: Read) -> Read:
    """Return a function that reads at most so many decompressed bytes; none at the end.

    It raises `EOFError` where the stored bytes end too early, `Damaged`, `MissingExtra`.
    """
    return _from_gzip(stored) if compression == "gzip" else _from_zstd(stored)


def _from_gzip(stored: Read) -> Read:
    """Read all members of a gzip file (RFC 1952); `gzip.GzipFile` takes half as long again."""
    import zlib  # few sources are compressed

    member = zlib.decompressobj(_WITH_HEADER)
    waiting = b""

    def read(size: int) -> bytes:
        nonlocal member, waiting
        while True:
            data = waiting or stored(_CHUNK)
            waiting = b""
            if member.eof:
                if not data:
                    return b""
                data = data.lstrip(b"\0")  # tapes are filled up with these
                if not data:
                    continue
                member = zlib.decompressobj(_WITH_HEADER)
            elif not data:
                raise EOFError
            try:
                piece = member.decompress(data, size)
            except zlib.error as error:
                raise Damaged(str(error)) from None
            waiting = member.unused_data or member.unconsumed_tail
            if piece:
                return piece

    return read


def _from_zstd(stored: Read) -> Read:
    """Read all frames of a zstd file (RFC 8878)."""
    if sys.version_info >= (3, 14):
        from compression import zstd  # few sources are packed so
    else:
        try:
            from backports import zstd
        except ImportError:
            raise MissingExtra("audit", "zstd needs the library backports.zstd") from None
    file = zstd.ZstdFile(cast("IO[bytes]", _Readable(stored)))

    def read(size: int) -> bytes:
        try:
            return file.read1(size)  # what there is, before what is wrong behind it
        except zstd.ZstdError as error:
            raise Damaged(str(error)) from None

    return read


class Reader:
    """A reader that, after the end or a failure, ends or fails again at each call."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._is_end = False
        self._error: Exception | None = None

    def __call__(self, size: int) -> bytes:
        """Read at most so many bytes; none at the end."""
        if self._error is not None:
            raise self._error
        try:
            chunk = b"" if self._is_end else self._read(size)
        except Exception as error:  # libraries for addresses raise any exception
            self._error = error
            raise
        self._is_end = not chunk
        return chunk

    def fill(self, size: int) -> bytes:
        """Read `size` bytes, or as many as there are before the end or a failure."""
        parts: list[bytes] = []
        with contextlib.suppress(Exception):  # the next reading fails
            while size > 0 and (part := self(min(size, _PIECE))):
                parts.append(part)
                size -= len(part)
        return b"".join(parts)


class _Readable:
    """An object that reads, for libraries that want one."""

    def __init__(self, read: Read) -> None:
        self.read = read
