"""One span of a source as blocks of lines, whatever is in it: constant memory, every line once.

Lines end with a newline (a carriage return before it stays off, too). What cannot be read on is
a `SourceFailed`; what came before it counts. Nothing here knows JSON.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Final, NamedTuple, Protocol

from widgetschema.project.checking.artifacts import HEAD as ARTIFACT_HEAD
from widgetschema.project.checking.artifacts import artifact_kind, why_passed_over
from widgetschema.project.checking.results import reason
from widgetschema.project.inputs.compression import (
    HEAD,
    HEADER,
    Damaged,
    compression_of,
    encoding_of,
    no_text,
    unpacked,
)
from widgetschema.project.inputs.discovery import holds_lines
from widgetschema.project.inputs.sources import Compression, Source, Span
from widgetschema.project.inputs.standard_input import StandardInput

BLOCK: Final = 128 * 1024
_BEYOND: Final = 16 * 1024  # bytes that are read at a time behind the end of a span

_CHANGED: Final = "its content was replaced while it was audited: run the audit again"
_SHORTER: Final = "it became shorter while it was audited: run the audit again"
_LONGER: Final = "it became longer while it was audited, and that was not read: run the audit again"

_STAMPED: Final = 3  # numbers in the stamp of a plain file
_SECOND: Final = 10**9

_CONTENT: Final = itemgetter(slice(None, -1))  # of a line, without its newline


class Block(NamedTuple):
    """Some lines of a span, without their ends; blank ones are among them, though no records.

    A source that is one text is the only line of a block that `is_whole`. `first` is the number of
    `lines[0]`, from 1 at the beginning of the span. Where `oversize` is given, `lines` is empty
    and one line of (at least) so many bytes was passed over. `stored` says how many bytes were
    read for it, as they are stored (compressed, if they are).
    """

    lines: list[bytes]
    first: int
    oversize: int | None = None
    stored: int = 0
    is_whole: bool = False


class SourceFailed(Exception):
    """A source cannot be read, or no further; `message` says why, and what to do about it.

    `is_here` says whether that is so where reading has ended, or about the source as a whole;
    `code` is the exit code for it.
    """

    code = 3

    def __init__(self, message: str, *, is_here: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.is_here = is_here


class NoData(SourceFailed):
    """A source is an output of this package, and passed over."""

    code = 0


def must_be_data(begin: bytes) -> None:
    """Raise `NoData` if a source that begins so was written by this package."""
    kind = artifact_kind(begin)
    if kind is not None:
        raise NoData(why_passed_over(kind), is_here=False)


class Stored(Protocol):
    """A source as it is stored."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""

    def seek(self, offset: int, /) -> object:
        """Goes on reading there."""

    def close(self) -> None:
        """Gives it back."""


def blocks(
    source: Source, span: Span, *, max_bytes: int, block_bytes: int = BLOCK
) -> Iterator[Block]:
    """The lines that begin in the span; of a source that is one text, that text as one line.

    Whether a source of the layout "whole" is one text is seen when it is read.

    A line of more than `max_bytes` is passed over, and never held. Raises `SourceFailed`.
    """
    try:
        with contextlib.closing(opened(source, span.end is None)) as file:
            if source.layout == "whole":
                yield from _by_content(source, file, max_bytes, block_bytes)
            else:
                _must_be_the_same(source, span, file)
                yield from _lines(source, span, file, max_bytes, block_bytes)
                _must_not_be_longer(source, span, file)
    except SourceFailed:
        raise
    except Exception as error:  # what is behind an address raises whatever it likes
        raise SourceFailed(why(error, source)) from error


def why(error: Exception, source: Source) -> str:
    """Why a source cannot be read, and what to do, as a sentence without its name."""
    if isinstance(error, FileNotFoundError):
        return "it was there when the audit began, and is not any more: run the audit again"
    if isinstance(error, PermissionError):
        return "permission denied: let the user who runs the audit read it"
    if isinstance(error, EOFError):
        return "its compressed data ends in the middle: pack it, or copy it here, once more"
    if isinstance(error, Damaged):
        return f"its compressed data is damaged ({error}): pack it, or copy it here, once more"
    if "://" in source.address:
        from widgetschema.project.inputs.addresses import told  # few sources are addresses

        return told(error)
    return reason(error)


def opened(source: Source, from_begin: bool = False) -> Stored:
    """The source as it is stored; `from_begin` promises that all of it is read, in order.

    Raises `SourceFailed`, `OSError`, and whatever is behind an address.
    """
    if source.address == "-":
        return StandardInput()
    if "://" in source.address:
        from widgetschema.project.inputs.addresses import open_address  # few sources are addresses

        return open_address(source.address, from_begin)
    return open_file(source.address)


def open_file(path: str) -> io.FileIO:
    """A plain file, and nothing that would wait for somebody to write. Raises as `opened`."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    number = os.open(path, flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0))
    kind = no_file(os.fstat(number))
    if kind is not None:
        os.close(number)
        raise SourceFailed(kind)
    return io.FileIO(number)


def no_file(status: os.stat_result) -> str | None:
    """What to say of something that is no plain file; None if it is one."""
    if stat.S_ISREG(status.st_mode):
        return None
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder, not a file"
    if stat.S_ISFIFO(status.st_mode):
        return "it is a pipe, which can be read only once: give it as standard input, `-`"
    return "it is a device or a socket, not a file: save what it says to a file first"


def stamp_of(status: os.stat_result) -> str:
    """The stamp of a plain file."""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"


def _must_be_the_same(source: Source, span: Span, file: Stored) -> None:
    """Parts of a file that was replaced by another one do not fit together.

    Another machine may number the same file otherwise, and round its time.
    """
    stamp = source.stamp.split()
    if span.end is not None and len(stamp) == _STAMPED and isinstance(file, io.FileIO):
        size, changed, number = map(int, stamp)
        now = os.fstat(file.fileno())
        is_other = size != now.st_size or changed // _SECOND != now.st_mtime_ns // _SECOND
        if is_other and number != now.st_ino:
            raise SourceFailed(_CHANGED)


def _must_not_be_longer(source: Source, span: Span, file: Stored) -> None:
    """What is behind the end that a file had is in no span."""
    is_stamped = len(source.stamp.split()) == _STAMPED  # else its size may be anything
    if span.end is not None and is_stamped and isinstance(file, io.FileIO):
        if os.fstat(file.fileno()).st_size > (source.size or 0):
            raise SourceFailed(_LONGER, is_here=False)


class _Counted:
    """What is read of a compressed source: first what was seen already, then the rest."""

    def __init__(self, head: bytes, file: Stored) -> None:
        self._head = head
        self._file = file
        self.count = 0

    def read(self, size: int) -> bytes:
        chunk = self._head[:size] or self._file.read(size)
        self._head = self._head[size:]
        self.count += len(chunk)
        return chunk


def _by_content(source: Source, file: Stored, max_bytes: int, block_bytes: int) -> Iterator[Block]:
    """All of a source, whatever it was when the audit was planned: one text, or lines.

    Its first lines say which.
    """
    begin = _first(file.read, BLOCK)
    compression = compression_of(begin)
    _must_be_text(begin)
    must_be_data(begin)
    read, counted = file.read, None
    if compression:
        counted = _Counted(begin, file)
        read = unpacked(compression, counted)
        begin = _first(read, BLOCK)
    while (are_lines := holds_lines(begin, is_all=False)) is None and len(begin) <= max_bytes:
        more = _as_much(read, min(max(BLOCK, len(begin)), max_bytes + 1 - len(begin)))
        if not more:
            break
        begin += more
    if are_lines:
        yield from _counted_blocks(counted, _split(read, begin, None, max_bytes, block_bytes))
        return
    text = begin + _as_much(read, max_bytes + 1 - len(begin))
    stored = len(text) if counted is None else counted.count
    if len(text) <= max_bytes:
        yield Block([text], 1, None, stored, is_whole=True)
        return
    size = max(len(text), source.size or 0) if counted is None else len(text)
    yield Block([], 1, size, stored, is_whole=True)


def _as_much(read: Callable[[int], bytes], size: int) -> bytes:
    """So many bytes, or all there are."""
    parts = []
    while size > 0 and (chunk := read(min(size, 16 * BLOCK))):
        parts.append(chunk)
        size -= len(chunk)
    return b"".join(parts)


def _lines(
    source: Source, span: Span, file: Stored, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    """The lines that begin in a span; finds out how the source is packed, and encoded."""
    room = None if span.end is None else span.end - span.start
    if span.start and room is not None:
        file.seek(span.start - 1)
        head, room = _behind_newline(file.read, room + 1, block_bytes)
        yield from _split(file.read, head, room, max_bytes, block_bytes)
        return
    head = _first(file.read, block_bytes if room is None else max(HEADER, ARTIFACT_HEAD))
    compression = compression_of(head)
    if compression:
        if room is not None and room < (source.size or 0):
            raise SourceFailed(_CHANGED)
        yield from _unpacked_lines(compression, _Counted(head, file), max_bytes, block_bytes)
        return
    _must_be_text(head)
    _must_be_utf8(head)
    must_be_data(head)
    if room is not None:
        file.seek(0)
        head = b""
    yield from _split(file.read, head, room, max_bytes, block_bytes)


def _unpacked_lines(
    compression: Compression, packed: _Counted, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    read = unpacked(compression, packed)
    head = _first(read, block_bytes)
    if compression_of(head):
        raise SourceFailed("it is packed twice, but unpacked only once: unpack it first")
    _must_be_text(head)
    _must_be_utf8(head)
    yield from _counted_blocks(packed, _split(read, head, None, max_bytes, block_bytes))


def _counted_blocks(packed: _Counted | None, blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks, with what was read of them as they are stored."""
    told = 0
    for block in blocks:
        if packed is None:
            yield block
            continue
        yield block._replace(stored=packed.count - told)
        told = packed.count


def _first(read: Callable[[int], bytes], size: int) -> bytes:
    """The first bytes: enough to say what they are, if there are enough."""
    head = chunk = read(max(size, HEAD))
    while chunk and len(head) < HEAD:
        chunk = read(HEAD - len(head))
        head += chunk
    return head


def _must_be_text(head: bytes) -> None:
    what = no_text(head)
    if what is not None:
        raise SourceFailed(f"it {what}, which is not read: turn it into NDJSON first")


def _must_be_utf8(head: bytes) -> None:
    encoding = encoding_of(head)
    if encoding is not None:
        advice = "convert it, for example with iconv"
        raise SourceFailed(f"it is encoded in {encoding}, but JSON is UTF-8: {advice}")


def _behind_newline(read: Callable[[int], bytes], room: int, block_bytes: int) -> tuple[bytes, int]:
    """What was read behind the first newline, and how much room is left behind that."""
    while room:
        chunk = read(min(block_bytes, room))
        if not chunk:
            raise SourceFailed(_SHORTER)
        room -= len(chunk)
        _, newline, head = chunk.partition(b"\n")
        if newline:
            return head, room
    return b"", 0


def _split(
    read: Callable[[int], bytes], head: bytes, room: int | None, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    """The lines of what is read, beginning with `head`; `room` bytes behind it, or all there are.

    The last line is read to its end, wherever that is.
    """
    first = 1
    begun: list[bytes] = []  # a line whose end was not read yet; empty if it is too long
    held = 0  # its size
    stored = 0
    while chunk := head or (
        read(block_bytes) if room is None else room and read(min(block_bytes, room))
    ):
        if room is not None and not head:
            room -= len(chunk)
        head = b""
        stored += len(chunk)
        lines = io.BytesIO(chunk).readlines()  # much faster than to split
        rest = b"" if chunk.endswith(b"\n") else lines.pop()
        lines = list(map(_CONTENT, lines))
        if lines and held:
            held += len(lines[0])
            if held > max_bytes + 1:
                yield Block([], first, held, 0)
                first += 1
                del lines[0]
            else:
                begun.append(lines[0])
                lines[0] = b"".join(begun)
            begun, held = [], 0
        if lines:
            if b"\r" in chunk or lines[0].endswith(b"\r"):
                lines = [line.removesuffix(b"\r") for line in lines]
            if len(chunk) > max_bytes or len(lines[0]) > max_bytes:
                yield from _apart(lines, first, max_bytes, stored)
            else:
                yield Block(lines, first, None, stored)
            first += len(lines)
            stored = 0
        if rest:
            held = _hold(begun, held, rest, max_bytes)
    if room:
        raise SourceFailed(_SHORTER)
    if held:
        yield _last(read if room == 0 else None, begun, held, first, max_bytes, stored)


def _hold(begun: list[bytes], held: int, more: bytes, max_bytes: int) -> int:
    """Adds to a line whose end was not read yet, as long as it may be read; its size."""
    held += len(more)
    if held > max_bytes + 1:  # one may be a carriage return
        begun.clear()
    else:
        begun.append(more)
    return held


def _last(
    read: Callable[[int], bytes] | None,
    begun: list[bytes],
    held: int,
    first: int,
    max_bytes: int,
    stored: int,
) -> Block:
    """The last line, with what of it is behind the end of the span."""
    newline = b""
    while read is not None and not newline and (chunk := read(_BEYOND)):
        more, newline, _ = chunk.partition(b"\n")
        held = _hold(begun, held, more, max_bytes)
    line = b"".join(begun).removesuffix(b"\r")
    size = held if held > max_bytes + 1 else len(line)
    return (
        Block([], first, size, stored) if size > max_bytes else Block([line], first, None, stored)
    )


def _apart(lines: list[bytes], first: int, max_bytes: int, stored: int) -> Iterator[Block]:
    """Lines, of which those that are too long stand apart."""
    begin = 0
    for index, line in enumerate(lines):
        if len(line) > max_bytes:
            if begin < index:
                yield Block(lines[begin:index], first + begin)
            yield Block([], first + index, len(line), stored)
            stored = 0
            begin = index + 1
    if begin < len(lines):
        yield Block(lines[begin:], first + begin, None, stored)
