"""JSON texts in constant memory, cut into the texts of their records: nothing is lost or guessed.

A source is an array of records, records one behind the other (indented or not), a sequence of texts
(RFC 7464), or the platform's list and other responses, which have such an array in an object.

Most of a block is cut at once: a fast parser takes everything up to some place that looks like the
end of a record. If it is JSON up to there, the parser has found each record, since no JSON array or
object is the beginning of another one. Otherwise strings and brackets are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import DEFAULT_LIMITS, preview, read
from widgetschema.pointers import resolve_pointer
from widgetschema.project.checking.documents import ENVELOPE_MEMBERS, any_documents
from widgetschema.project.inputs.framing import SEPARATOR, Framing

_TRIES: Final = 6  # places that look like the end of a record
_BLOCKS: Final = 8  # in which these are looked for
_HEAD: Final = 64 * 1024  # bytes in which an array of records must begin
_BLANKS: Final = b" \t\r\n"
_BETWEEN: Final = re.compile(rb"[ \t\r\n,\x1e]*")
_EMPTY: Final = re.compile(rb"(?:\x1e[ \t\r\n]*+(?=\x1e))++")  # texts of a sequence
_SPACE: Final = re.compile(rb"[ \t\r\n]*")
_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[\]{}]', re.DOTALL)
_IN_STRING: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_SCALAR: Final = re.compile(rb'[^ \t\r\n,:"\[\]{}\x1e]*')
_NAME: Final = re.compile(rb'"([^"\\]*)"[ \t\r\n]*:')
_BEGIN: Final = re.compile(rb'\{[ \t\r\n]*(?:"[^"\\]{0,64}")?')  # of an object, with a name
_TAIL: Final = re.compile(rb"[ \t\r\n]*\}\Z")
_CONTINUATION: Final = bytes(range(0x80, 0xC0))  # the bytes of a character but its first one
_CLOSERS: Final = {ord("{"): ord("}"), ord("["): ord("]")}
_QUOTE: Final = ord('"')
_COMMA: Final = ord(",")
_CLOSED: Final = ord("]")
_BEGINS: Final = frozenset(b'{["-0123456789tfn')  # what a JSON text begins with
_WORDS: Final = frozenset(bytes([byte]) for byte in b"-0123456789tfn")
_REFUSALS: Final = (msgspec.DecodeError, ValueError, RecursionError)
_ARRAYS: Final = (("docs",), ("hits", "hits"))  # of records, in an object

_LOST: Final = "; what is behind this place cannot be told apart, so it was not read"
_NO_TEXT: Final = f"no JSON text begins like this{_LOST}"
_NO_VALUE: Final = "a value is missing at this comma"
_NO_COMMA: Final = "a comma is missing between these items"
_TRAILING: Final = "a value is missing: this comma is the last one"
_ARRAY_CUT_OFF: Final = "the text ends inside an array: ']' is missing"
_OBJECT_CUT_OFF: Final = "the text ends inside an object: '}' is missing"
_NO_MEMBER: Final = f"this is no member of an object, and does not end one{_LOST}"
_TWICE: Final = "the member {} is there twice; this one was not read"
_OTHER_RECORDS: Final = "there are records here, too, but only those at {} were read"
_TRUNCATED: Final = (
    "a number, true, false or null ends a sequence without a line end: it is cut off"
)


class Place(NamedTuple):
    """A place in a source: a line, the characters before it on that line, and a JSON Pointer.

    `offset` is where it is in the text that it was cut out of, in bytes. It `has_end` unless what
    is there has none, so that the rest of the source is in it.
    """

    line: int
    column: int
    pointer: str = ""
    offset: int = 0
    has_end: bool = True


class Cut(NamedTuple):
    """Some texts, and `text`: they are all in it, in order, with what is between them.

    In it, `newlines` lines end. It begins at a line and a column (from 0). The first text is item
    `first` of an `array` at this pointer; None if they are in none. Instead of texts there may be
    one that is too large, of `oversize` bytes, or something is `wrong`. If it is `whole`, it is
    all of the source. If it `is_endless`, the last text has no end: all the rest is in it.
    """

    texts: list[bytes]
    text: bytes
    line: int
    column: int
    newlines: int = 0
    array: str | None = None
    first: int = 0
    oversize: int | None = None
    wrong: str | None = None
    whole: bool = False
    is_endless: bool = False

    def places(self, wanted: Sequence[int], *, columns: bool = True) -> dict[int, Place]:
        """Return the places of some of the texts, by index; columns may be left out."""
        found: dict[int, Place] = {}
        if not wanted:
            return found
        chosen = {*wanted}
        line, column, at, before = self.line, self.column, 0, 0
        is_moving = columns or b"\n" in self.text
        for index, text in enumerate(self.texts[: max(wanted) + 1]):
            match = _BETWEEN.match(self.text, at)
            at = at if match is None else match.end()
            if index in chosen:
                if is_moving:
                    line, column = _behind(self.text[before:at], line, column)
                    before = at
                has_end = not self.is_endless or index < len(self.texts) - 1
                found[index] = Place(line, column, self._pointer(index), at, has_end)
            at += len(text)
        return found

    @property
    def place(self) -> Place:
        """The place at which it begins."""
        return Place(self.line, self.column, self._pointer(0))

    def _pointer(self, index: int) -> str:
        return "" if self.array is None else f"{self.array}/{self.first + index}"


def cut(
    read: Callable[[int], bytes],
    begin: bytes,
    framing: Framing,
    *,
    max_bytes: int,
    block_bytes: int,
) -> Iterator[Cut]:
    """Yield the texts of a source that begins with `begin`; `read` gives the rest.

    Of an "array", the texts are its items, also if it is in an object; of "texts", arrays are
    texts, too. If it `may_be_one`, a source with one text, or a broken one, is `whole`.
    """
    cutter = _Cutter(read, begin, max_bytes, block_bytes, cut_arrays=framing.kind == "array")
    if framing.kind == "sequence":
        yield from cutter.sequence()
    elif framing.may_be_one:
        yield from cutter.one_or_more()
    else:
        yield from cutter.texts()


def _behind(text: bytes, line: int, column: int) -> tuple[int, int]:
    """Return line and column behind a text that begins there; it may end inside a character."""
    if b"\n" in text:
        line, column = line + text.count(b"\n"), 0
        text = text[text.rindex(b"\n") + 1 :]
    return line, column + len(text.translate(None, _CONTINUATION))


class _Broken(Exception):
    """Brackets that do not fit together, at an offset: where a text ends cannot be known."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class _TooLarge(Exception):
    """A text of more bytes than are allowed."""


class _Mark(NamedTuple):
    """The bytes between records that are alike: an end, what separates them, a begin."""

    tail: bytes
    between: bytes
    begin: bytes


class _Records(NamedTuple):
    """An array of records: the offset of its first item, the way to it, and what was before it.

    `names` are those of the members before it, and its own, in each of the objects on the way.
    """

    at: int
    path: tuple[str, ...] = ()
    names: tuple[set[str], ...] = ()


class _Cutter:
    """The cutter of one source. Not cut yet is `_text` from `_at` on, at `_line` and `_column`.

    Offsets count from `_at`, so that they stay as they are when more is read.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        begin: bytes,
        max_bytes: int,
        block_bytes: int,
        *,
        cut_arrays: bool,
    ) -> None:
        self._read = read
        self._most = max_bytes
        self._block = block_bytes
        self._cut_arrays = cut_arrays
        self._is_end = False
        self._text = begin
        self._at = 0
        self._line, self._column = 1, 0
        self._array: str | None = None  # the pointer of the array that is being cut
        self._index = 0
        self._is_closed = False
        self._mark: _Mark | None = None
        self._is_useless = False  # the mark, for what was read so far
        self._items = msgspec.json.Decoder(list[msgspec.Raw]).decode

    # What was read

    @property
    def _left(self) -> int:
        return len(self._text) - self._at

    def _more(self) -> bool:
        """Read more, as much as there is already; return whether there was more."""
        if self._is_end:
            return False
        chunk = self._read(max(self._block, self._left))
        self._is_end = not chunk
        self._text = self._text[self._at :] + chunk
        self._at = 0
        self._is_useless = False
        return bool(chunk)

    def _next(self, offset: int) -> int | None:
        """Return the offset of the first byte from there on that is not blank; None at the end."""
        while True:
            match = _SPACE.match(self._text, self._at + offset)
            end = self._at + offset if match is None else match.end()
            if end < len(self._text):
                return end - self._at
            offset = end - self._at
            if not self._more():
                return None

    def _byte(self, offset: int) -> int:
        return self._text[self._at + offset]

    def _part(self, start: int, end: int) -> bytes:
        return self._text[self._at + start : self._at + end]

    def _take(self, end: int, texts: list[bytes] | None = None) -> Cut:
        """Take what is before an offset: these texts, and what is around them."""
        texts = texts or []
        text = self._text[self._at : self._at + end]
        line, column = self._line, self._column
        self._line, self._column = _behind(text, line, column)
        newlines = self._line - line
        taken = Cut(texts, text, line, column, newlines, self._array, self._index)
        self._at += end
        self._index += len(texts)
        return taken

    def _wrong(self, why: str) -> Cut:
        """Return that something is wrong here."""
        return Cut([], b"", self._line, self._column, 0, self._array, self._index, wrong=why)

    def _lost(self, offset: int, why: str) -> Iterator[Cut]:
        """Take all the rest, of which nothing is read, since something is wrong at an offset."""
        yield self._take(offset)
        yield self._wrong(why)
        while self._left or self._more():
            yield self._take(self._left)

    # Texts, one behind the other

    def one_or_more(self) -> Iterator[Cut]:
        """Yield a single text, whatever is wrong with it; or the texts, if there are several."""
        start = self._next(0)
        if start is not None and not self._is_one(start):
            yield from self.texts()
            return
        while self._left <= self._most and self._more():
            pass
        if self._left <= self._most:
            text = self._part(0, self._left)
            yield self._take(len(text), [text])._replace(whole=True)
            return
        size = 0
        while self._left or self._more():
            size += len(self._take(self._left).text)
        yield Cut([], b"", 1, 0, oversize=size, whole=True)

    def _is_one(self, start: int) -> bool:
        """Return whether a source is one text, or so broken that it should be read as one."""
        if self._cut_arrays and self._records_from(start) is not None:
            return False
        if self._left < self._block and not self._more():
            try:
                msgspec.json.decode(self._part(start, self._left), type=msgspec.Raw)
            except _REFUSALS:
                pass
            else:
                return True
        if self._byte(start) not in _BEGINS:
            return True
        try:
            end = self._value_end(start)
        except _TooLarge:
            return False
        except _Broken:
            return True
        following = None if end is None else self._next(end)
        if end is None or following is None or self._byte(following) not in _CLOSERS:
            return True
        return self._decoded(self._part(start, end)) is None

    def texts(self) -> Iterator[Cut]:
        """Yield texts, or the items of arrays, up to the end."""
        while (start := self._next(0)) is not None:
            inside = self._records_from(start) if self._cut_arrays else None
            if inside is None:
                yield from self._some_texts(start)
                continue
            yield self._take(inside.at)
            yield from self._items_of(inside)
        if self._left:
            yield self._take(self._left)

    def _some_texts(self, start: int) -> Iterator[Cut]:
        """Yield some texts; the first one begins at an offset."""
        texts: list[bytes] = []
        end, at = 0, start
        is_endless = False
        while True:
            if texts and self._cut_arrays and self._records_from(at) is not None:
                break
            if self._mark is not None and not self._is_useless:
                if texts:
                    break
                taken = self._texts_at_once(at, self._mark)
                if taken is not None:
                    yield taken
                    return
            if self._byte(at) not in _BEGINS:
                if texts:
                    break
                yield from self._lost(at, _NO_TEXT)
                return
            try:
                stop = self._value_end(at)
            except (_Broken, _TooLarge) as error:
                if texts:
                    break
                yield from self._unfinished(at, error)
                return
            if stop is None:
                texts.append(self._part(at, self._left).rstrip())
                end, is_endless = self._left, True
                break
            texts.append(self._part(at, stop))
            self._learn(texts, self._part(end, at))
            end = stop
            following = self._next(end)
            if following is None or end > self._block:
                break
            at = following
        yield self._take(end, texts)._replace(is_endless=is_endless)

    def _unfinished(self, at: int, error: Exception) -> Iterator[Cut]:
        """Yield what becomes of a text that is too large, or whose end cannot be known."""
        if isinstance(error, _TooLarge):
            yield self._take(at)
            yield from self._skip()
        else:
            yield from self._lost(at, f"{error}{_LOST}")

    def _texts_at_once(self, start: int, mark: _Mark) -> Cut | None:
        """Take the texts that end where a mark is: all of them, or none.

        With commas between them they are the items of an array, and without these what was there.
        """
        if self._left < self._block:
            self._more()
        whole = b"".join(mark)
        for end in self._ends(start, whole, len(mark.tail)):
            content = self._part(start, end)
            found = self._decoded(content.replace(whole, b"%b,%b" % (mark.tail, mark.begin)))
            if found is not None and mark.between.join(found) == content:
                return self._take(end, found)
        self._is_useless = True
        return None

    def sequence(self) -> Iterator[Cut]:
        """Yield the texts of a sequence (RFC 7464): each begins with a record separator."""
        while self._left or self._more():
            end = self._text.rfind(SEPARATOR, self._at) - self._at
            if end <= 0:
                if self._left > self._most + self._block:
                    yield from self._skip_to_separator()
                    continue
                if self._more():
                    continue
                end = self._left
            texts = self._part(0, end).split(b"\n" + SEPARATOR)
            texts[0] = texts[0].removeprefix(SEPARATOR)
            is_complete = texts[-1].endswith(b"\n")
            texts = [one.strip(_BLANKS) for one in texts]
            if is_complete and all(texts) and max(map(len, texts)) <= self._most:
                if len(texts) == self._text.count(SEPARATOR, self._at, self._at + end):
                    yield self._take(end, texts)
                    continue
            behind = self._left - end
            while self._left > behind:
                yield from self._one_of_sequence(self._left - behind)

    def _one_of_sequence(self, end: int) -> Iterator[Cut]:
        """Yield the first text of a sequence, which may be cut off or too large."""
        empty = _EMPTY.match(self._text, self._at, self._at + end)
        if empty is not None:
            yield self._take(empty.end() - self._at)
            return
        stop = self._text.find(SEPARATOR, self._at + 1, self._at + end) - self._at
        stop = end if stop < 0 else stop
        raw = self._part(0, stop).removeprefix(SEPARATOR)  # what is before the first one, too
        text = raw.strip(_BLANKS)
        if len(text) > self._most:
            yield self._wrong("")._replace(wrong=None, oversize=len(text))
            yield self._take(stop)
        elif not _is_complete(text, raw):
            yield self._wrong(_TRUNCATED)
            yield self._take(stop)
        else:
            yield self._take(stop, [text] if text else [])

    def _skip_to_separator(self) -> Iterator[Cut]:
        """Take a text that is too large, up to the next record separator."""
        here, begin, size = self._wrong(""), 1, 0
        while True:
            stop = self._text.find(SEPARATOR, self._at + begin) - self._at
            taken = self._take(self._left if stop < 0 else stop)
            yield taken
            begin, size = 0, size + len(taken.text)
            if stop >= 0 or not self._more():
                break
        yield here._replace(wrong=None, oversize=size)

    # The items of an array

    def _records_from(self, start: int) -> _Records | None:
        """Return the array of records that begins at an offset, or is in the object that does."""
        if self._byte(start) == ord("["):
            return _Records(start + 1)
        while self._left - start < _HEAD and self._more():
            pass
        head = self._part(start, start + _HEAD)
        if head[:1] != b"{" or (b'"docs"' not in head and b'"hits"' not in head):
            return None
        path: tuple[str, ...] = ()
        names: tuple[set[str], ...] = (set(),)
        members: list[tuple[int, int, int]] = []
        at: int | None = start + 1
        try:
            while at is not None and at - start < _HEAD and (at := self._next(at)) is not None:
                begin = at
                found = _NAME.match(self._text, self._at + at)
                if found is None or (at := self._next(found.end() - self._at)) is None:
                    return None
                name = found[1].decode(errors="replace")
                if name in names[-1]:  # if it is read as a whole, it is refused for that
                    return None
                names[-1].add(name)
                here = (*path, name)
                if here in _ARRAYS and self._byte(at) == ord("["):
                    inside = _Records(at + 1, here, names)
                    is_sound = not any(self._mistake(*member, here) for member in members)
                    return inside if is_sound and self._are_records(inside) else None
                if here == ("hits",) and self._byte(at) == ord("{"):
                    path, names, at = here, (*names, set()), at + 1
                    continue
                end = self._value_end(at)
                at = None if end is None else self._next(end)
                if end is None or at is None or self._byte(at) != _COMMA:
                    return None
                members.append((begin, end, len(names)))
                at += 1
        except (_Broken, _TooLarge):
            pass
        return None

    def _are_records(self, inside: _Records) -> bool:
        """Return whether an array in an object is one of records, by its first item."""
        start = self._next(inside.at)
        if start is None or self._byte(start) == _CLOSED:
            return False
        end = self._value_end(start)
        if end is None:
            return False
        try:
            item: Any = msgspec.json.decode(self._part(start, end))
        except _REFUSALS:
            return False
        if inside.path == ("docs",):
            return not ENVELOPE_MEMBERS.isdisjoint(inside.names[0]) or any_documents([item])
        return type(item) is dict and item.keys() >= {"_index", "_source"}

    def _mistake(self, start: int, end: int, depth: int, path: tuple[str, ...]) -> str | None:
        """Return what is wrong with a member beside the records: no JSON, or more records."""
        text = b"{%b}" % self._part(start, end)
        try:
            value = read(text, DEFAULT_LIMITS._replace(max_bytes=len(text)))
        except UnreadableDocument as error:
            return error.report.findings[0].message
        if depth == 1:
            for pointer in map(_pointer, _ARRAYS):
                found = resolve_pointer(value, pointer)
                if type(found) is list and found:
                    return _OTHER_RECORDS.format(_pointer(path))
        return None

    def _items_of(self, inside: _Records) -> Iterator[Cut]:
        """Yield the items of an array, whose first bracket was taken, and all that ends with it."""
        self._array, self._index = _pointer(inside.path), 0
        self._mark = None
        self._is_closed = False
        yield from self._items_up_to_end()
        self._array, self._index, self._mark = None, 0, None
        if self._is_closed and inside.path:
            yield from self._rest_of_object(inside)

    def _items_up_to_end(self) -> Iterator[Cut]:
        """Yield the items of an array, and take its last bracket; `_is_closed` if there is one."""
        texts: list[bytes] = []
        end = 0  # of the last one, or of the comma behind it
        gap = 0  # the end of the last one
        before = "["
        while (at := self._next(end)) is not None:
            byte = self._byte(at)
            is_item = byte not in (_COMMA, _CLOSED)
            wrong = None
            if before == "item":
                if byte == _COMMA:
                    end, before = at + 1, ","
                    continue
                wrong = _NO_COMMA if is_item else None
            elif byte == _COMMA:
                wrong = _NO_VALUE
            elif byte == _CLOSED and before == ",":
                wrong = _TRAILING
            uses_mark = is_item and self._mark is not None and not self._is_useless
            if texts and (wrong or not is_item or uses_mark or end > self._block):
                yield self._take(at, texts)
                texts, end, at = [], 0, 0
            if wrong is not None:
                yield self._take(at)
                yield self._wrong(wrong)
                end, at, before = 0, 0, ","
            if byte == _CLOSED:
                self._is_closed = True
                yield self._take(at + 1)
                return
            if byte == _COMMA:
                end, before = at + 1, ","
                continue
            if uses_mark and self._mark is not None:
                taken = self._items_at_once(at, self._mark)
                if taken is not None:
                    yield taken
                    end, gap, before = 0, 0, "item"
                    continue
            try:
                stop = self._value_end(at)
            except (_Broken, _TooLarge) as error:
                if texts:
                    yield self._take(at, texts)
                    texts, at = [], 0
                yield from self._unfinished(at, error)
                if isinstance(error, _Broken):
                    return
                self._index += 1
                end, gap, before = 0, 0, "item"
                continue
            if stop is None:
                texts.append(self._part(at, self._left).rstrip())
                yield self._take(self._left, texts)._replace(is_endless=True)
                return
            texts.append(self._part(at, stop))
            self._learn(texts, self._part(gap, at))
            end = gap = stop
            before = "item"
        yield self._take(self._left, texts)
        yield self._wrong(_ARRAY_CUT_OFF)

    def _items_at_once(self, start: int, mark: _Mark) -> Cut | None:
        """Take the items of an array that end where a mark is, or the array ends: all, or none."""
        if self._left < self._block:
            self._more()
        for end in self._ends(start, b"".join(mark), len(mark.tail)):
            items = self._decoded(self._part(start, end))
            if items:
                return self._take(end, items)
        self._is_useless = True
        return None

    def _ends(self, start: int, mark: bytes, tail: int) -> Iterator[int]:
        """Yield offsets at which a record may end, the last one first."""
        if self._is_end:
            if self._array is None:
                yield len(self._part(0, self._left).rstrip(_BLANKS))
            else:
                last = self._text.rfind(b"]", self._at + start) - self._at
                if last > start:
                    yield last
        limit = min(len(self._text), self._at + start + _BLOCKS * self._block)
        if self._text.find(mark, self._at + start, limit) < 0:
            limit = len(self._text)
        for _ in range(_TRIES):
            found = self._text.rfind(mark, self._at + start, limit)
            if found < 0:
                return
            yield found + tail - self._at
            limit = found + len(mark) - 1

    def _decoded(self, content: bytes) -> list[bytes] | None:
        """Return the items of an array with this content; None if it is not JSON."""
        try:
            items = [*map(bytes, self._items(b"[%b]" % content))]
        except _REFUSALS:
            return None
        if len(content) > self._most and max(map(len, items), default=0) > self._most:
            return None
        return items

    def _learn(self, texts: list[bytes], between: bytes) -> None:
        """Learn what is between records from the last two texts; that may be of no use."""
        if len(texts) < 2:
            return
        one, other = texts[-2:]
        tail, begin = _TAIL.search(one), _BEGIN.match(other)
        if tail is not None and begin is not None:
            name = begin[0] if one.startswith(begin[0]) else b"{"
            self._mark = _Mark(tail[0], between, name)

    def _rest_of_object(self, inside: _Records) -> Iterator[Cut]:
        """Take what is behind an array in an object, to the end of that; none of it is a record."""
        depth, at = len(inside.path), 0
        while depth:
            found = self._next(at)
            if found is None:
                yield from self._lost(self._left, _OBJECT_CUT_OFF)
                return
            if self._byte(found) == ord("}"):
                depth, at = depth - 1, found + 1
                continue
            try:
                there = self._member(found)
            except (_Broken, _TooLarge):
                yield from self._lost(found, _NO_MEMBER)
                return
            if there is None:
                yield from self._lost(self._left, _OBJECT_CUT_OFF)
                return
            start, member, end = there
            names = inside.names[depth - 1]
            wrong = self._mistake(start, end, depth, inside.path)
            if member in names:
                wrong = _TWICE.format(preview(member))
            names.add(member)
            if wrong is not None:
                yield self._take(start)
                yield self._wrong(wrong)
                end -= start
            at = end
        yield self._take(at)

    def _member(self, comma: int) -> tuple[int, str, int] | None:
        """Return where the member behind a comma begins, its name, and where it ends.

        None if the text ends before. Raises `_Broken` and `_TooLarge` if there is none.
        """
        start = self._next(comma + 1) if self._byte(comma) == _COMMA else comma
        if start is None:
            return None
        if self._byte(start) != _QUOTE:
            raise _Broken(_NO_MEMBER, start)
        behind = self._value_end(start)
        if behind is None or self._next(behind) is None:
            return None
        name = _NAME.match(self._text, self._at + start)
        if name is None:
            raise _Broken(_NO_MEMBER, start)
        value = self._next(name.end() - self._at)
        end = None if value is None else self._value_end(value)
        return None if end is None else (start, name[1].decode(errors="replace"), end)

    # One value

    def _value_end(self, start: int) -> int | None:
        """Return the offset behind the value that begins at an offset; None if there is no end.

        Raises `_Broken`, `_TooLarge`.
        """
        offset = start
        open_ = bytearray()  # the brackets that are to come
        first = self._byte(start)
        while True:
            if first in _CLOSERS or first == _QUOTE:
                try:
                    end, offset = self._brackets(offset, open_)
                except _Broken as error:
                    raise _TooLarge if error.at - start > self._most else error from None
            else:
                end, offset = self._scalar(start)
            if end is not None:
                if end - start > self._most:
                    raise _TooLarge
                return end
            if self._left - start > self._most:
                raise _TooLarge
            if not self._more():
                return None if first in _CLOSERS or first == _QUOTE else self._left

    def _brackets(self, offset: int, open_: bytearray) -> tuple[int | None, int]:
        """Return where a container or a string ends, if it does, and where to look for that next.

        `open_` are the brackets that end what is open.
        """
        text = self._text
        for token in _TOKEN.finditer(text, self._at + offset):
            start = token.start()
            byte = text[start]
            if byte == _QUOTE:
                if token.end() - start == 1:  # a string without an end
                    return None, start - self._at
            elif byte in _CLOSERS:
                open_.append(_CLOSERS[byte])
            elif not open_ or open_.pop() != byte:
                message = f"the bracket {chr(byte)!r} closes nothing that is open"
                raise _Broken(message, start - self._at)
            if not open_:
                return token.end() - self._at, 0
        return None, self._left

    def _scalar(self, start: int) -> tuple[int | None, int]:
        """Return where a number or a word ends, if it does, and where it begins."""
        match = _SCALAR.match(self._text, self._at + start)
        end = start if match is None else match.end() - self._at
        if end == start:
            raise _Broken("no JSON value begins like this", start)
        return (None if end == self._left else end), start

    def _skip(self) -> Iterator[Cut]:
        """Take the value that begins here, which is too large, holding little of it."""
        line, column, size = self._line, self._column, 0
        open_ = bytearray()
        in_string = is_string = self._byte(0) == _QUOTE
        is_scalar = not is_string and self._byte(0) not in _CLOSERS
        offset: int = 1 if is_string else 0
        wrong = None
        while True:
            end = None
            if in_string:
                match = _IN_STRING.match(self._text, self._at + offset)
                offset = offset if match is None else match.end() - self._at
                if offset < self._left and self._byte(offset) == _QUOTE:
                    in_string, offset = False, offset + 1
                    end = None if open_ else offset
            elif is_scalar:
                try:
                    end, _ = self._scalar(0)
                except _Broken:
                    end = 0
                offset = self._left
            if not in_string and not is_scalar and end is None:
                try:
                    end, offset = self._brackets(offset, open_)
                except _Broken as error:
                    wrong = f"{error}{_LOST}"
                    size += error.at
                    yield self._take(error.at)
                    break
                if end is None and offset < self._left:
                    in_string, offset = True, offset + 1
                    continue
            if end is not None:
                size += end
                yield self._take(end)
                break
            size += offset
            yield self._take(offset)
            offset = 0
            if not self._more():
                size += self._left
                yield self._take(self._left)
                break
        yield self._wrong("")._replace(line=line, column=column, wrong=None, oversize=size)
        if wrong is not None:
            yield from self._lost(0, wrong)


def _is_complete(text: bytes, raw: bytes) -> bool:
    """Return whether a text of a sequence is not cut off, as far as its end shows."""
    return text[:1] not in _WORDS or raw[-1:].isspace()


def _pointer(path: Sequence[str]) -> str:
    return "".join(f"/{name}" for name in path)
