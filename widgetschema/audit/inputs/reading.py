"""Sources as blocks of lines, in constant memory.

Lines end with a newline; a carriage return before it is not part of the line either. A source that
cannot be read, or no further, raises `SourceFailed`; what came before that counts. Nothing here
knows JSON.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from widgetschema.audit.inputs.opening import failure, open_source
from widgetschema.audit.inputs.other_texts import require_json
from widgetschema.audit.inputs.sources import Block, Source, Span, blocks_within
from widgetschema.project.checking.artifacts import HEAD as ARTIFACT_HEAD
from widgetschema.project.inputs.formats import BOM, Framing, compression_of, framing_of
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.streams import (
    BLOCK,
    ByteStream,
    CountingReader,
    Reader,
    decided,
    decompressed,
    first_bytes,
    require_data,
    require_once_compressed,
    require_text,
    require_utf8,
)

if TYPE_CHECKING:
    from widgetschema.audit.inputs.cutting.window import Cut

_HEADER: Final = 512  # bytes that say whether a source is text
_BEYOND: Final = 16 * 1024  # bytes that are read at a time behind the end of a span

_REPLACED: Final = "its content was replaced while it was audited: run the audit again"
_SHORTER: Final = "it became shorter while it was audited: run the audit again"
_LONGER: Final = "it became longer while it was audited, and that was not read: run the audit again"

_STAMPED: Final = 3  # numbers in the stamp of a regular file
_SECOND: Final = 10**9

_CONTENT: Final = itemgetter(slice(None, -1))  # of a line, without its newline


def blocks(
    source: Source, span: Span, *, max_bytes: int, block_bytes: int = BLOCK
) -> Iterator[Block]:
    """Yield the lines that begin in the span; of a source that is one text, that text as one line.

    Whether a source of the layout "whole" is one text is seen when it is read. A line of more than
    `max_bytes` is skipped, and never held. Raises `SourceFailed`.
    """
    if source.layout == "sqlite":
        from widgetschema.audit.inputs.tables.sqlite import sqlite_blocks

        yield from sqlite_blocks(source, span, max_bytes)
        return
    if source.layout == "postgresql":
        from widgetschema.audit.inputs.tables.postgresql import postgresql_blocks

        yield from postgresql_blocks(source, span, max_bytes)
        return
    try:
        with contextlib.closing(open_source(source, from_begin=span.end is None)) as file:
            yield from _blocks(source, span, file, max_bytes, block_bytes)
    except SourceFailed:
        raise
    except Exception as error:  # what is behind an address raises whatever it likes
        raise SourceFailed(read_failure(error, source)) from error


@contextlib.contextmanager
def consistent(sources: Sequence[Source]) -> Generator[Sequence[Source]]:
    """Yield the sources as they are read: a database from one snapshot, which is kept meanwhile.

    Raises `SourceFailed`.
    """
    if any(source.layout == "postgresql" for source in sources):
        from widgetschema.audit.inputs.tables.postgresql import one_snapshot

        with one_snapshot(sources) as found:
            yield found
    else:
        yield sources


def _blocks(
    source: Source,
    span: Span,
    file: ByteStream,
    max_bytes: int,
    block_bytes: int,
) -> Iterator[Block]:
    """Yield the blocks of a span of an open source."""
    is_all = not span.start and (span.end is None or span.end == source.size)
    if is_all and source.table is None:
        yield from _records(source, span, file, max_bytes, block_bytes)
        return
    _must_be_the_same(source, span, file)
    if source.table is not None:
        from widgetschema.audit.inputs.tables.files import file_blocks  # most sources are JSON

        yield from file_blocks(source, span, file, max_bytes)
        return
    yield from _lines(source, span, file, max_bytes, block_bytes)
    _must_not_be_longer(source, span, file)


def read_failure(error: Exception, source: Source) -> str:
    """Return the reason why a source of the plan cannot be read."""
    if isinstance(error, FileNotFoundError):
        return "it was removed while it was audited: run the audit again"
    if isinstance(error, PermissionError):
        return "permission denied: let the user who runs the audit read it"
    return failure(error, source.address)


def _must_be_the_same(source: Source, span: Span, file: ByteStream) -> None:
    """Raise `SourceFailed` if a file was replaced by another: parts of both do not fit together.

    Another machine may number the same file otherwise, and round its time.
    """
    stamp = source.stamp.split()
    is_part = span.end is not None or source.table is not None  # whose columns were chosen before
    if is_part and len(stamp) == _STAMPED and isinstance(file, io.FileIO):
        size, changed, number = map(int, stamp)
        now = os.fstat(file.fileno())
        is_other = size != now.st_size or changed // _SECOND != now.st_mtime_ns // _SECOND
        if is_other and (number != now.st_ino or source.table is not None):
            raise SourceFailed(_REPLACED)


def _must_not_be_longer(source: Source, span: Span, file: ByteStream) -> None:
    """Raise `SourceFailed` if a file became longer: what is behind its end is in no span."""
    is_stamped = len(source.stamp.split()) == _STAMPED  # else its size may be anything
    if span.end is not None and is_stamped and isinstance(file, io.FileIO):
        if os.fstat(file.fileno()).st_size > (source.size or 0):
            raise SourceFailed(_LONGER, is_here=False)


def _records(
    source: Source, span: Span, file: ByteStream, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    """Yield all of a source: lines, or what other texts are cut into, as its first bytes say."""
    _must_be_the_same(source, span, file)
    begin = first_bytes(file.read, max(block_bytes, _HEADER, ARTIFACT_HEAD))
    compression = compression_of(begin)
    require_text(begin)
    reader, counter = Reader(file.read), None
    if compression:
        counter = CountingReader(begin, file.read)
        reader = Reader(decompressed(compression, counter.read))
        begin = reader.fill(max(block_bytes, _HEADER))
        require_once_compressed(begin)
    elif source.address != "-":
        require_data(begin)
    if source.layout == "lines":
        require_utf8(begin)
    left = None
    if not compression and span.end is not None:
        if len(begin) > span.end:  # it became longer
            begin = begin[: span.end]
            file.seek(span.end)
        left = span.end - len(begin)
    end = None if left is None else len(begin) + left

    def decide(begin: bytes, is_all: bool) -> Framing | None:
        is_all = is_all or len(begin) == end
        return framing_of(begin, source.layout, is_all=is_all, asked=source.framing)

    def more(held: int) -> bytes:
        size = BLOCK if end is None else min(BLOCK, end - held)
        return reader.fill(size) if compression else reader(size)

    read: Callable[[int], bytes] = reader
    begin, framing = decided(decide, begin, more)
    if framing.kind == "array" and begin.lstrip(b"\0")[:1] == b"[":
        require_utf8(begin)  # else each of its items is a finding
    left = None if end is None else end - len(begin)
    if source.framing in (None, "uncut"):
        require_json(begin)
    mark = len(BOM) if begin.startswith(BOM) else 0
    begin = begin[mark:]
    notes = ("byte_order_marks",) if mark else ()
    if framing.has_returns:
        notes = (*notes, "carriage_returns")
        begin, read = _with_newlines(begin), _newlines_from(read)
    if notes:
        yield Block([], 1, stored=0 if compression else mark, notes=notes)
    if framing.kind == "lines":
        yield from _counted(counter, _split(read, begin, left, max_bytes, block_bytes))
        _must_not_be_longer(source, span, file)
        return
    from widgetschema.audit.inputs.cutting.cutter import cut  # not needed for lines

    cuts = cut(read, begin, framing, max_bytes=max_bytes, block_bytes=block_bytes)
    yield from _counted(counter, _cut_blocks(cuts, framing))


def _cut_blocks(cuts: Iterator[Cut], framing: Framing) -> Iterator[Block]:
    """Yield blocks of texts that were cut; the first one of each kind notes that."""
    noted: set[str] = set()
    last: Cut | None = None
    for one in cuts:
        if one.whole:
            yield Block(one.texts, 1, one.oversize, one.oversize or len(one.text), is_whole=True)
            continue
        note = "sequences" if framing.kind == "sequence" else "arrays"
        note = "concatenated" if note == "arrays" and one.array is None else note
        is_new = bool(one.texts or one.array is not None) and note not in noted
        if is_new:
            noted.add(note)
        notes = (note,) if is_new else ()
        yield Block(one.texts, 0, None, len(one.text), cut=one, notes=notes)
        last = one if one.text else last
    if last is not None and not last.text.endswith(b"\n"):  # there is a line without an end
        yield Block([], 0, cut=last._replace(texts=[], text=b"", newlines=1))


def _with_newlines(text: bytes) -> bytes:
    """Return a text with line ends that are newlines; nothing else moves."""
    return text.replace(b"\r", b"\n")


def _newlines_from(read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda size: _with_newlines(read(size))


def _lines(
    source: Source, span: Span, file: ByteStream, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    """Yield the lines that begin in a part of a source."""
    end = span.end or 0
    if span.start:
        file.seek(span.start - 1)
        head, left = _behind_newline(file.read, end - span.start + 1, block_bytes)
        yield from _split(file.read, head, left, max_bytes, block_bytes)
        return
    head = first_bytes(file.read, max(_HEADER, ARTIFACT_HEAD))
    if compression_of(head):
        raise SourceFailed(_REPLACED)
    require_text(head)
    require_utf8(head)
    require_data(head)
    mark = len(BOM) if head.startswith(BOM) else 0
    file.seek(mark)
    if mark:
        yield Block([], 1, notes=("byte_order_marks",))
    yield from _split(file.read, b"", end - mark, max_bytes, block_bytes)


def _counted(counter: CountingReader | None, blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield the blocks with the number of bytes that were read for each, as they are stored."""
    before = 0
    for block in blocks:
        if counter is None:
            yield block
            continue
        yield block._replace(stored=counter.count - before)
        before = counter.count


def _behind_newline(read: Callable[[int], bytes], left: int, block_bytes: int) -> tuple[bytes, int]:
    """Return the bytes read behind the first newline, and the number that is left behind those."""
    while left:
        chunk = read(min(block_bytes, left))
        if not chunk:
            raise SourceFailed(_SHORTER)
        left -= len(chunk)
        _, newline, head = chunk.partition(b"\n")
        if newline:
            return head, left
    return b"", 0


def _split(
    read: Callable[[int], bytes], head: bytes, left: int | None, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    """Yield the lines of `head` and of the `left` bytes behind it, or of all that there are.

    The last line is read to its end, wherever that is.
    """
    first = 1
    begun: list[bytes] = []  # a line whose end was not read yet; empty if it is too long
    held = 0  # its size
    stored = 0
    while chunk := head or (
        read(block_bytes) if left is None else left and read(min(block_bytes, left))
    ):
        if left is not None and not head:
            left -= len(chunk)
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
                yield from blocks_within(lines, first, max_bytes, stored)
            else:
                yield Block(lines, first, None, stored)
            first += len(lines)
            stored = 0
        if rest:
            held = _hold(begun, held, rest, max_bytes)
    if left:
        raise SourceFailed(_SHORTER)
    if held:
        yield _last(read if left == 0 else None, begun, held, first, max_bytes, stored)


def _hold(begun: list[bytes], held: int, more: bytes, max_bytes: int) -> int:
    """Add to a line whose end was not read yet, unless it is too long; return its size."""
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
    """Return the last line, with what of it is behind the end of the span."""
    newline = b""
    while read is not None and not newline and (chunk := read(_BEYOND)):
        more, newline, _ = chunk.partition(b"\n")
        held = _hold(begun, held, more, max_bytes)
    line = b"".join(begun).removesuffix(b"\r")
    size = held if held > max_bytes + 1 else len(line)
    return (
        Block([], first, size, stored) if size > max_bytes else Block([line], first, None, stored)
    )
