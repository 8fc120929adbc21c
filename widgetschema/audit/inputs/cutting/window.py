"""Texts that were cut out of a source, their places in it, and the part that is not yet cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

LOST: Final = "; the records after this place cannot be told apart, so they were not read"
_SPACE: Final = re.compile(rb"[ \t\r\n]*")
_BETWEEN: Final = re.compile(rb"[ \t\r\n,\x1e]*")
_CONTINUATION: Final = bytes(range(0x80, 0xC0))  # the bytes of a character after its first


class Place(NamedTuple):
    """A place in a source: a line, the characters before it on that line, and a JSON Pointer.

    `offset` is its position in the text that it was cut out of, in bytes. It `has_end` unless the
    text at this place is cut off, and so contains the rest of the source.
    """

    line: int
    column: int
    pointer: str = ""
    offset: int = 0
    has_end: bool = True


class Cut(NamedTuple):
    """Some texts, and `text`, which contains them all, in order, and the bytes between them.

    `newlines` lines end in it. It begins at a line and a column (from 0). The first text is item
    `first` of the `array` at this pointer; None if they are in no array. Instead of texts, there
    may be one that is too large, of `oversize` bytes, or a mistake (`wrong`). If it is `whole`, it
    is all of the source. If it `is_endless`, the last text has no end and contains all the rest.
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
                    line, column = behind(self.text[before:at], line, column)
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


def behind(text: bytes, line: int, column: int) -> tuple[int, int]:
    """Return the line and column after a text that begins there; it may end inside a character."""
    if b"\n" in text:
        line, column = line + text.count(b"\n"), 0
        text = text[text.rindex(b"\n") + 1 :]
    return line, column + len(text.translate(None, _CONTINUATION))


class Window:
    """The part of a source that was read but not yet cut: only as much as is needed.

    `text` from `at` on is not yet cut. Offsets count from there, so they stay when more is read.

    `array` is the pointer of the array that is being cut, and `index` that of its next item.
    `readings` counts how often more was read.
    """

    def __init__(
        self, read: Callable[[int], bytes], begin: bytes, max_bytes: int, block_bytes: int
    ) -> None:
        self._read = read
        self.max_bytes = max_bytes
        self.block_bytes = block_bytes
        self.text = begin
        self.at = 0
        self.array: str | None = None
        self.index = 0
        self.is_end = False
        self.readings = 0
        self._line, self._column = 1, 0

    @property
    def left(self) -> int:
        """The number of bytes that were read and are not cut yet."""
        return len(self.text) - self.at

    def more(self) -> bool:
        """Read the data that is available; return whether there was more."""
        if self.is_end:
            return False
        chunk = self._read(max(self.block_bytes, self.left))
        self.is_end = not chunk
        self.text = self.text[self.at :] + chunk
        self.at = 0
        self.readings += 1
        return bool(chunk)

    def next(self, offset: int) -> int | None:
        """Return the offset of the first byte from there on that is not blank; None at the end."""
        while True:
            match = _SPACE.match(self.text, self.at + offset)
            end = self.at + offset if match is None else match.end()
            if end < len(self.text):
                return end - self.at
            offset = end - self.at
            if not self.more():
                return None

    def byte(self, offset: int) -> int:
        """Return the byte at an offset."""
        return self.text[self.at + offset]

    def part(self, start: int, end: int) -> bytes:
        """Return the bytes between two offsets."""
        return self.text[self.at + start : self.at + end]

    def take(self, end: int, texts: list[bytes] | None = None) -> Cut:
        """Take the bytes before an offset: these texts, and the bytes around them."""
        texts = texts or []
        text = self.part(0, end)
        line, column = self._line, self._column
        self._line, self._column = behind(text, line, column)
        taken = Cut(texts, text, line, column, self._line - line, self.array, self.index)
        self.at += end
        self.index += len(texts)
        return taken

    def here(self) -> Cut:
        """Return an empty cut at this place."""
        return Cut([], b"", self._line, self._column, 0, self.array, self.index)

    def wrong(self, why: str) -> Cut:
        """Return a cut that reports a mistake at this place."""
        return self.here()._replace(wrong=why)

    def lost(self, offset: int, why: str) -> Iterator[Cut]:
        """Take all the rest without reading it, because of a mistake at an offset."""
        yield self.take(offset)
        yield self.wrong(why)
        yield from self.rest()

    def rest(self) -> Iterator[Cut]:
        """Take all the rest."""
        while self.left or self.more():
            yield self.take(self.left)
