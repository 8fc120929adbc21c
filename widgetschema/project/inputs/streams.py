"""The texts of files, pipes and standard input as streams: lines, and what is compressed.

However small the compressed bytes of something huge are, only a piece of it is held at a time. What
cannot be read, or no further, raises one of `FAILURES`; what came before that counts.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO, TypeVar, cast
from weakref import WeakKeyDictionary

from widgetschema.errors import MissingExtra
from widgetschema.files import open_file
from widgetschema.project.checking.artifacts import artifact_kind
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.inputs.formats import (
    BOM,
    HEAD,
    MOST,
    Compression,
    begins_with_value,
    compression_of,
    encoding_of,
    format_of_file,
    holds_lines,
    is_lines,
    not_text,
    table_layout,
)
from widgetschema.project.inputs.model import NotData, PassedOver, SourceFailed, Text

if TYPE_CHECKING:
    from typing import IO

Read = Callable[[int], bytes]  # at most so many bytes; none at the end
T = TypeVar("T")

BLOCK: Final = 128 * 1024
FIRST: Final = 64 * 1024  # bytes that say how something is to be read
_PIECE: Final = 2 * 1024 * 1024
_STDIN_CHUNK: Final = 64 * 1024
_LINE_END: Final = 2  # bytes
_WITH_HEADER: Final = 31  # zlib's number for the format of gzip, the largest window
_TABLE_SUFFIXES: Final = {"parquet": ".parquet", "arrow": ".arrow", "sqlite": ".db"}
_AHEAD: Final[WeakKeyDictionary[TextIO, bytearray]] = WeakKeyDictionary()


class Damaged(Exception):
    """Compressed data cannot be decompressed."""


# What a file of this machine raises that cannot be opened, read or decompressed.
FAILURES: Final = (SourceFailed, OSError, EOFError, ValueError, Damaged, MissingExtra)


class ByteStream(Protocol):
    """A source as it is stored."""

    def read(self, size: int, /) -> bytes:
        """Read at most so many bytes; none at the end."""

    def seek(self, offset: int, /) -> object:
        """Continue reading there."""

    def close(self) -> None:
        """Close it."""


def read_stream(name: str, max_bytes: int) -> Iterator[Text | Problem | PassedOver | None]:
    """Yield None when a file is open, then its texts, and a problem if it cannot be read on.

    Of a text of more than `max_bytes`, there are only so many bytes, all blank, that this can be
    seen.
    """
    try:
        are_lines = begins_with_value(beginning(peek_input())) if name == "-" else is_lines(name)
        file = open_any(name)
    except FAILURES as error:
        yield Problem(name, failure(error))
        return
    is_begun = False
    try:
        with contextlib.closing(file):
            for text in texts_of(name, file, max_bytes, are_lines=are_lines):
                if not is_begun:
                    is_begun = True
                    yield None
                yield text
        if not is_begun:
            yield None
    except NotData as error:
        yield PassedOver(name, error.kind)
    except FAILURES as error:
        if not is_begun:
            yield None
        yield Problem(name, failure(error))


def texts_of(name: str, file: ByteStream, max_bytes: int, *, are_lines: bool) -> Iterator[Text]:
    """Yield the texts of an open file: one, unless its name or its first bytes say otherwise.

    Raises `FAILURES`.
    """
    begin = first_bytes(file.read, BLOCK)
    require_text(begin)
    compression = compression_of(begin)
    read = file.read
    if compression:
        read = decompressed(compression, CountingReader(begin, file.read).read)
    elif name != "-":
        require_data(begin)
    if are_lines:
        if compression:
            begin = first_bytes(read, BLOCK)
            require_once_compressed(begin)
        require_utf8(begin)
        yield from _lines(name, begin, read, max_bytes)
        return
    reader = Reader(read)
    begin = reader.fill(BLOCK) if compression else begin
    if format_of_file(name) == "json":

        def decide(begin: bytes, is_all: bool) -> bool | None:
            return holds_lines(begin, is_all=is_all or len(begin) > max_bytes)

        begin, are_lines = decided(decide, begin, lambda held: reader.fill(max(BLOCK, held)))
    if are_lines:
        yield from _lines(name, begin, reader, max_bytes)
        return
    text = begin + reader.fill(max_bytes + 1 - len(begin))
    if len(text) > max_bytes:
        text = _too_long(max_bytes)
    else:
        reader(1)  # it may have failed
    yield Text(name, text)


def _lines(name: str, begin: bytes, read: Read, max_bytes: int) -> Iterator[Text]:
    """Yield the lines that are not blank."""
    file = io.BufferedReader(ReadableFile(CountingReader(begin, read).read), BLOCK)
    number = 0
    while line := file.readline(max_bytes + _LINE_END + 1):
        number += 1
        text = line.removesuffix(b"\n").removesuffix(b"\r")
        if len(text) > max_bytes:
            while line and not line.endswith(b"\n"):
                line = file.readline(BLOCK)
            text = _too_long(max_bytes)
        elif not text or text.isspace():
            continue
        yield Text(name, text, number)


def _too_long(max_bytes: int) -> bytes:
    return b" " * (max_bytes + 1)


def begins_with_lines(name: str) -> bool:
    """Return whether a file holds one value per line, by its first bytes."""
    with contextlib.suppress(*FAILURES), contextlib.closing(open_any(name)) as file:
        begin = first_bytes(file.read, BLOCK)
        compression = compression_of(begin)
        if compression:
            stored = CountingReader(begin, file.read)
            begin = first_bytes(decompressed(compression, stored.read), BLOCK)
        return holds_lines(begin, is_all=False) is True
    return False


def first_bytes(read: Read, size: int) -> bytes:
    """Read the first bytes: enough to say what they are, if there are enough."""
    head = chunk = read(max(size, HEAD))
    while chunk and len(head) < HEAD:
        chunk = read(HEAD - len(head))
        head += chunk
    return head


def decided(
    decide: Callable[[bytes, bool], T | None], begin: bytes, more: Callable[[int], bytes]
) -> tuple[bytes, T]:
    """Return the beginning that a decision about a text depends on, and the decision.

    `more` gets the number of bytes that are held, and reads on; at the end, something is decided.
    """
    decision = decide(begin, False)
    held = bytearray(begin if decision is None else b"")
    while decision is None:
        chunk = b""
        with contextlib.suppress(Exception):  # reading on fails again
            chunk = more(len(held))
        held += chunk
        if not chunk or b"\n" in chunk or len(held) >= MOST:
            begin = bytes(held)
            decision = decide(begin, not chunk)
    return begin, decision


def require_text(begin: bytes) -> None:
    """Raise `SourceFailed` if what begins so is a table, an archive, or binary otherwise."""
    what = not_text(begin)
    layout = table_layout("", begin)
    suffix = None if layout is None else _TABLE_SUFFIXES.get(layout)
    if what is not None and suffix is not None:
        raise SourceFailed(f"it {what}: `audit` reads it if its name ends in {suffix}")
    if what is not None:
        raise SourceFailed(f"it {what}, which is not supported: convert it to NDJSON first")


def require_utf8(begin: bytes) -> None:
    """Raise `SourceFailed` if a text that begins so has another encoding."""
    encoding = encoding_of(begin)
    if encoding is not None:
        advice = "convert it, for example with iconv"
        raise SourceFailed(f"it is encoded in {encoding}, but JSON is UTF-8: {advice}")


def require_once_compressed(begin: bytes) -> None:
    """Raise `SourceFailed` if what was decompressed begins as what is compressed, or as no text."""
    if compression_of(begin):
        raise SourceFailed("it is compressed twice: decompress it first")
    require_text(begin)


def require_data(begin: bytes) -> None:
    """Raise `NotData` if a source that begins so was written by this package."""
    kind = artifact_kind(begin)
    if kind is not None:
        raise NotData(kind)


def open_any(path: str) -> ByteStream:
    """Open a file, a pipe or `-`, standard input. Raises `OSError`, `ValueError`."""
    return StandardInput() if path == "-" else open_file(path, buffering=0, pipes=True)


def failure(error: Exception) -> str:
    """Return why a source cannot be read, and what to do, as a sentence without its name."""
    if isinstance(error, SourceFailed):
        return error.message
    if isinstance(error, EOFError):
        return "its compressed data is cut off: compress or copy the file again"
    if isinstance(error, Damaged):
        return f"its compressed data is damaged ({error}): compress or copy the file again"
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


def peek_input() -> bytes:
    """Return the beginning of standard input as soon as there is a line; nothing is used up."""
    return StandardInput().peek(
        lambda stored: len(stored) >= FIRST or b"\n" in content(beginning(stored))
    )


def beginning(stored: bytes, size: int = FIRST) -> bytes:
    """Return what something begins with that is stored so, decompressed if it can be."""
    compression = compression_of(stored)
    if not compression:
        return stored
    try:
        return Reader(decompressed(compression, io.BytesIO(stored).read)).fill(size)
    except (EOFError, Damaged, MissingExtra):  # reading will say so
        return b""


def content(begin: bytes) -> bytes:
    """Return a beginning without what may stand before the first value."""
    return begin.removeprefix(BOM).lstrip()


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
            data = waiting or stored(BLOCK)
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
    file = zstd.ZstdFile(cast("IO[bytes]", ReadableFile(stored)))

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


class CountingReader:
    """Reads what was read already, then on, and counts the bytes."""

    def __init__(self, head: bytes, read: Read) -> None:
        self._head = head
        self._read = read
        self.count = 0

    def read(self, size: int) -> bytes:
        """Read at most so many bytes; none at the end."""
        chunk = self._head[:size] or self._read(size)
        self._head = self._head[size:]
        self.count += len(chunk)
        return chunk


class ReadableFile(io.RawIOBase):
    """A function that reads, as a file."""

    def __init__(self, read: Read) -> None:
        self._read = read

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return how many bytes."""
        chunk = self._read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)
