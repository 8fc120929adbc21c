"""The part of a source that was read but not yet cut: only as much as is needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from widgetschema.audit.inputs.cutting.cuts import Cut, behind

LOST: Final = "; the records after this place cannot be told apart, so they were not read"
_SPACE: Final = re.compile(rb"[ \t\r\n]*")


class Window:
    """`text` from `at` on is not yet cut. Offsets count from there, so they stay when more is read.

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
