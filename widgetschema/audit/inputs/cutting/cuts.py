"""Texts that were cut out of a source, and their places in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

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
