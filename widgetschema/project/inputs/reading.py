"""Sources as blocks of lines, in constant memory, or as texts, each with its place.

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
from typing import TYPE_CHECKING, Final, TypeVar

from widgetschema.project.checking.artifacts import HEAD as ARTIFACT_HEAD
from widgetschema.project.checking.results import Problem
from widgetschema.project.inputs.formats import (
    BOM,
    HEAD,
    HEADER,
    Compression,
    compression_of,
    encoding_of,
    format_of_file,
    is_lines,
    not_text,
    table_layout,
)
from widgetschema.project.inputs.framing import MOST, Framing, framing_of, holds_lines
from widgetschema.project.inputs.inspection import require_data, require_json, standard_input
from widgetschema.project.inputs.model import NotData, PassedOver, SourceFailed, Text
from widgetschema.project.inputs.sources import Block, ByteStream, Source, Span
from widgetschema.project.inputs.streams import (
    FAILURES,
    Reader,
    decompressed,
    failure,
    open_any,
    open_source,
)

if TYPE_CHECKING:
    from widgetschema.project.inputs.cutting.cuts import Cut

BLOCK: Final = 128 * 1024
_BEYOND: Final = 16 * 1024  # bytes that are read at a time behind the end of a span
_UNREADABLE: Final = 3

_TABLE_SUFFIXES: Final = {"parquet": ".parquet", "arrow": ".arrow", "sqlite": ".db"}

_REPLACED: Final = "its content was replaced while it was audited: run the audit again"
_SHORTER: Final = "it became shorter while it was audited: run the audit again"
_LONGER: Final = "it became longer while it was audited, and that was not read: run the audit again"

_STAMPED: Final = 3  # numbers in the stamp of a regular file
_SECOND: Final = 10**9

T = TypeVar("T")

_CONTENT: Final = itemgetter(slice(None, -1))  # of a line, without its newline


def blocks(
    source: Source, span: Span, *, max_bytes: int, block_bytes: int = BLOCK
) -> Iterator[Block]:
    """Yield the lines that begin in the span; of a source that is one text, that text as one line.

    Whether a source of the layout "whole" is one text is seen when it is read. A line of more than
    `max_bytes` is skipped, and never held. Raises `SourceFailed`.
    """
    if source.layout == "sqlite":
        from widgetschema.project.inputs.tables.sqlite import sqlite_blocks

        yield from sqlite_blocks(source, span, max_bytes)
        return
    if source.layout == "postgresql":
        from widgetschema.project.inputs.tables.postgresql import postgresql_blocks

        yield from postgresql_blocks(source, span, max_bytes)
        return
    try:
        with contextlib.closing(open_source(source, from_begin=span.end is None)) as file:
            yield from _blocks(source, span, file, max_bytes, block_bytes, of_records=True)
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
        from widgetschema.project.inputs.tables.postgresql import one_snapshot

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
    *,
    of_records: bool = False,
) -> Iterator[Block]:
    """Yield blocks; of a source `of_records`, texts that are not lines are cut into those."""
    if source.layout == "whole" and not of_records:
        yield from _by_content(source, file, max_bytes, block_bytes)
        return
    is_all = not span.start and (span.end is None or span.end == source.size)
    if of_records and is_all and source.table is None:
        yield from _records(source, span, file, max_bytes, block_bytes)
        return
    _must_be_the_same(source, span, file)
    if source.table is not None:
        from widgetschema.project.inputs.tables.files import file_blocks  # most sources are JSON

        yield from file_blocks(source, span, file, max_bytes)
        return
    yield from _lines(source, span, file, max_bytes, block_bytes)
    _must_not_be_longer(source, span, file)


def read_failure(error: Exception, source: Source) -> str:
    """Return why a source that was planned to be read cannot be read."""
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


class _Counter:
    """Reads a compressed source, first what was read already, and counts its bytes."""

    def __init__(self, head: bytes, file: ByteStream) -> None:
        self._head = head
        self._file = file
        self.count = 0

    def read(self, size: int) -> bytes:
        """Read at most so many bytes; none at the end."""
        chunk = self._head[:size] or self._file.read(size)
        self._head = self._head[size:]
        self.count += len(chunk)
        return chunk


def _by_content(
    source: Source, file: ByteStream, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    """Yield all of a source: one text, or lines, as its first lines say."""
    begin = _first(file.read, BLOCK)
    compression = compression_of(begin)
    _must_be_text(begin)
    if source.address != "-":
        require_data(begin)
    read, counter = Reader(file.read), None
    if compression:
        counter = _Counter(begin, file)
        read = Reader(decompressed(compression, counter.read))
        begin = read.fill(BLOCK)
    are_lines: bool | None = False
    if format_of_file(source.name) == "json":

        def decide(begin: bytes, is_all: bool) -> bool | None:
            return holds_lines(begin, is_all=is_all or len(begin) > max_bytes)

        begin, are_lines = _decided(decide, begin, lambda held: read.fill(max(BLOCK, held)))
    if are_lines:
        yield from _counted(counter, _split(read, begin, None, max_bytes, block_bytes))
        return
    text = begin + read.fill(max_bytes + 1 - len(begin))
    if len(text) <= max_bytes:
        read(1)  # it may have failed
    stored = len(text) if counter is None else counter.count
    if len(text) <= max_bytes:
        yield Block([text], 1, None, stored, is_whole=True)
        return
    size = max(len(text), source.size or 0) if counter is None else len(text)
    yield Block([], 1, size, stored, is_whole=True)


def _records(
    source: Source, span: Span, file: ByteStream, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    """Yield all of a source: lines, or what other texts are cut into, as its first bytes say."""
    _must_be_the_same(source, span, file)
    begin = _first(file.read, max(block_bytes, HEADER, ARTIFACT_HEAD))
    compression = compression_of(begin)
    _must_be_text(begin)
    reader, counter = Reader(file.read), None
    if compression:
        counter = _Counter(begin, file)
        reader = Reader(decompressed(compression, counter.read))
        begin = reader.fill(max(block_bytes, HEADER))
        if compression_of(begin):
            raise SourceFailed("it is compressed twice: decompress it first")
        _must_be_text(begin)
    elif source.address != "-":
        require_data(begin)
    if source.layout == "lines":
        _must_be_utf8(begin)
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
    begin, framing = _decided(decide, begin, more)
    if framing.kind == "array" and begin.lstrip(b"\0")[:1] == b"[":
        _must_be_utf8(begin)  # else each of its items is a finding
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
    from widgetschema.project.inputs.cutting.cutter import cut  # not needed for lines

    cuts = cut(read, begin, framing, max_bytes=max_bytes, block_bytes=block_bytes)
    yield from _counted(counter, _cut_blocks(cuts, framing))


def _decided(
    decide: Callable[[bytes, bool], T | None], begin: bytes, more: Callable[[int], bytes]
) -> tuple[bytes, T]:
    """Return the decision about a text, and the beginning that it depends on.

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
    """Yield the lines that begin in a span; find out how the source is compressed and encoded."""
    left = None if span.end is None else span.end - span.start
    if span.start and left is not None:
        file.seek(span.start - 1)
        head, left = _behind_newline(file.read, left + 1, block_bytes)
        yield from _split(file.read, head, left, max_bytes, block_bytes)
        return
    head = _first(file.read, block_bytes if left is None else max(HEADER, ARTIFACT_HEAD))
    compression = compression_of(head)
    if compression:
        if left is not None and left < (source.size or 0):
            raise SourceFailed(_REPLACED)
        yield from _compressed_lines(compression, _Counter(head, file), max_bytes, block_bytes)
        return
    _must_be_text(head)
    _must_be_utf8(head)
    if source.address != "-":
        require_data(head)
    if left is not None:
        mark = len(BOM) if head.startswith(BOM) else 0
        file.seek(mark)
        left -= mark
        head = b""
        if mark:
            yield Block([], 1, notes=("byte_order_marks",))
    yield from _split(file.read, head, left, max_bytes, block_bytes)


def _compressed_lines(
    compression: Compression, counter: _Counter, max_bytes: int, block_bytes: int
) -> Iterator[Block]:
    read = decompressed(compression, counter.read)
    head = _first(read, block_bytes)
    if compression_of(head):
        raise SourceFailed("it is compressed twice: decompress it first")
    _must_be_text(head)
    _must_be_utf8(head)
    yield from _counted(counter, _split(read, head, None, max_bytes, block_bytes))


def _counted(counter: _Counter | None, blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield the blocks with the number of bytes that were read for each, as they are stored."""
    before = 0
    for block in blocks:
        if counter is None:
            yield block
            continue
        yield block._replace(stored=counter.count - before)
        before = counter.count


def _first(read: Callable[[int], bytes], size: int) -> bytes:
    """Read the first bytes: enough to say what they are, if there are enough."""
    head = chunk = read(max(size, HEAD))
    while chunk and len(head) < HEAD:
        chunk = read(HEAD - len(head))
        head += chunk
    return head


def _must_be_text(head: bytes) -> None:
    what = not_text(head)
    layout = table_layout("", head)
    suffix = None if layout is None else _TABLE_SUFFIXES.get(layout)
    if what is not None and suffix is not None:
        raise SourceFailed(f"it {what}: `audit` reads it if its name ends in {suffix}")
    if what is not None:
        raise SourceFailed(f"it {what}, which is not supported: convert it to NDJSON first")


def _must_be_utf8(head: bytes) -> None:
    encoding = encoding_of(head)
    if encoding is not None:
        advice = "convert it, for example with iconv"
        raise SourceFailed(f"it is encoded in {encoding}, but JSON is UTF-8: {advice}")


def _behind_newline(read: Callable[[int], bytes], left: int, block_bytes: int) -> tuple[bytes, int]:
    """Return what was read behind the first newline, and how many bytes are left behind that."""
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
                yield from _apart(lines, first, max_bytes, stored)
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


def _apart(lines: list[bytes], first: int, max_bytes: int, stored: int) -> Iterator[Block]:
    """Yield lines, and those that are too long as blocks of their own."""
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


def stream_texts(name: str, max_bytes: int) -> Iterator[Text | Problem | PassedOver | None]:
    """Yield None when a file is open, then its texts, and a problem if it cannot be read on.

    Of a text of more than `max_bytes`, there are only so many bytes, all blank, that this can be
    seen.
    """
    try:
        source = standard_input("whole") if name == "-" else source_named(name)
        file = open_any(name)
    except FAILURES as error:
        yield Problem(name, failure(error), _UNREADABLE)
        return
    is_begun = False
    try:
        with contextlib.closing(file):
            for text in texts_of(source, file, max_bytes):
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
        yield Problem(name, failure(error), _UNREADABLE)


def texts_of(source: Source, file: ByteStream, max_bytes: int) -> Iterator[Text]:
    """Yield the texts of an open file. Raises `FAILURES`."""
    for block in _blocks(source, Span(0), file, max_bytes, BLOCK):
        if block.oversize is not None:
            blank = b" " * (max_bytes + 1)
            yield Text(source.name, blank, None if block.is_whole else block.first)
        elif block.is_whole:
            yield Text(source.name, block.lines[0])
        else:
            for number, line in enumerate(block.lines, block.first):
                if line and not line.isspace():
                    yield Text(source.name, line, number)


def begins_with_lines(name: str) -> bool:
    """Return whether a file holds one value per line, by its first bytes."""
    with contextlib.suppress(*FAILURES), contextlib.closing(open_any(name)) as file:
        begin = _first(file.read, BLOCK)
        compression = compression_of(begin)
        if compression:
            begin = _first(decompressed(compression, _Counter(begin, file).read), BLOCK)
        return holds_lines(begin, is_all=False) is True
    return False


def source_named(name: str) -> Source:
    """Return a file as a source, by its name alone."""
    return Source(name, name, None, "lines" if is_lines(name) else "whole")
