"""Find the end of a JSON value by its strings and brackets only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from widgetschema.audit.inputs.cutting.window import LOST, Cut, Window

QUOTE: Final = ord('"')
CLOSERS: Final = {ord("{"): ord("}"), ord("["): ord("]")}
_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[\]{}]', re.DOTALL)
_IN_STRING: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_SCALAR: Final = re.compile(rb'[^ \t\r\n,:"\[\]{}\x1e]*')


class Broken(Exception):
    """Brackets that do not match, at an offset: the end of the text cannot be found."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


class TooLarge(Exception):
    """A text of more bytes than are allowed."""


def value_end(window: Window, start: int) -> int | None:
    """Return the end of the value that begins at an offset; None if it has no end.

    Raises `Broken`, `TooLarge`.
    """
    value = _Value(window, start)
    while True:
        try:
            end = value.end()
        except Broken as error:
            raise TooLarge if error.at - start > window.max_bytes else error from None
        if end is not None:
            if end - start > window.max_bytes:
                raise TooLarge
            return end
        if window.left - start > window.max_bytes:
            raise TooLarge
        if not window.more():
            return window.left if value.is_scalar else None


def unfinished(window: Window, at: int, error: Exception) -> Iterator[Cut]:
    """Yield the cuts of a text that is too large, or whose end cannot be found."""
    if isinstance(error, Broken):
        yield from window.lost(at, f"{error}{LOST}")
        return
    yield window.take(at)
    here, size, wrong = window.here(), 0, None
    value = _Value(window, 0)
    while True:
        try:
            end = value.end()
        except Broken as broken:
            end, wrong = broken.at, f"{broken}{LOST}"
        stop = value.offset if end is None else end
        size += stop
        yield window.take(stop)
        value.offset = 0
        if end is not None:
            break
        if not window.more():
            size += window.left
            yield window.take(window.left)
            break
    yield here._replace(oversize=size)
    if wrong is not None:
        yield from window.lost(0, wrong)


class _Value:
    """A value that was examined up to `offset`; the bytes before that may be gone."""

    __slots__ = ("_in_string", "_is_begun", "_open", "_window", "is_scalar", "offset")

    def __init__(self, window: Window, start: int) -> None:
        first = window.byte(start)
        self._window = window
        self._open = bytearray()  # the closing brackets that are still missing
        self._in_string = first == QUOTE
        self._is_begun = self._in_string or first in CLOSERS
        self.is_scalar = not self._is_begun
        self.offset = start + self._in_string

    def end(self) -> int | None:
        """Return its end, if it was read; raise `Broken` if it cannot be found."""
        window = self._window
        if self.is_scalar:
            return self._end_of_scalar()
        while True:
            if self._in_string:
                match = _IN_STRING.match(window.text, window.at + self.offset)
                self.offset = self.offset if match is None else match.end() - window.at
                if self.offset == window.left or window.byte(self.offset) != QUOTE:
                    return None
                self._in_string = False
                self.offset += 1
                if not self._open:
                    return self.offset
            end = self._end_of_container()
            if end is not None or not self._in_string:
                return end

    def _end_of_scalar(self) -> int | None:
        match = _SCALAR.match(self._window.text, self._window.at + self.offset)
        end = self.offset if match is None else match.end() - self._window.at
        if end == self.offset and not self._is_begun:
            raise Broken("no JSON value begins like this", end)
        self._is_begun = True
        self.offset = end
        return None if end == self._window.left else end

    def _end_of_container(self) -> int | None:
        """Look at brackets, up to the end, or to a string that was not read to its end."""
        text, at, open_ = self._window.text, self._window.at, self._open
        for token in _TOKEN.finditer(text, at + self.offset):
            start = token.start()
            byte = text[start]
            if byte == QUOTE:
                if token.end() - start == 1:
                    self._in_string = True
                    self.offset = start + 1 - at
                    return None
            elif byte in CLOSERS:
                open_.append(CLOSERS[byte])
            elif not open_ or open_.pop() != byte:
                message = f"the bracket {chr(byte)!r} closes nothing that is open"
                raise Broken(message, start - at)
            if not open_:
                return token.end() - at
        self.offset = self._window.left
        return None
