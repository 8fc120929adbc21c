"""Cut many records at once if they begin and end alike.

A fast parser reads everything up to a place that seems to be the end of a record. If that is JSON,
the parser has found each record, since no JSON array or object is the beginning of another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from widgetschema.audit.inputs.cutting.window import Cut, Window

REFUSALS: Final = (msgspec.DecodeError, ValueError, RecursionError)  # of a text that is not JSON
BLANKS: Final = b" \t\r\n"
_TRIES: Final = 6  # places that look like the end of a record
_BLOCKS: Final = 8  # in which these are looked for
_BEGIN: Final = re.compile(rb'\{[ \t\r\n]*(?:"[^"\\]{0,64}")?')  # of an object, with a name
_TAIL: Final = re.compile(rb"[ \t\r\n]*\}\Z")


class _Mark(NamedTuple):
    """The bytes between records that are alike: an end, a separator, a beginning."""

    tail: bytes
    between: bytes
    begin: bytes


class AlikeRecords:
    """The bytes between the records of a source that are alike, as far as they are known."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._mark: _Mark | None = None
        self._useless = -1  # the mark, as long as no more is read
        self._items = msgspec.json.Decoder(list[msgspec.Raw]).decode

    @property
    def are_known(self) -> bool:
        """True if cutting many records at once may succeed."""
        return self._mark is not None and self._useless != self._window.readings

    def forget(self) -> None:
        """Forget the bytes between records, since others follow."""
        self._mark = None

    def learn(self, texts: list[bytes], between: bytes) -> None:
        """Learn the bytes between records from the last two texts, if they can be used."""
        if len(texts) < 2:
            return
        one, other = texts[-2:]
        tail, begin = _TAIL.search(one), _BEGIN.match(other)
        if tail is not None and begin is not None:
            name = begin[0] if one.startswith(begin[0]) else b"{"
            self._mark = _Mark(tail[0], between, name)

    def cut(self, start: int) -> Cut | None:
        """Take the records from an offset to a place where one seems to end: all of them, or none.

        Outside of an array, the bytes between them are replaced with commas for decoding, and the
        result must be the original texts.
        """
        mark, window = self._mark, self._window
        if mark is None:
            return None
        if window.left < window.block_bytes:
            window.more()
        whole = b"".join(mark)
        is_array = window.array is not None
        for end in self._ends(start, whole, len(mark.tail)):
            content = window.part(start, end)
            listed = content if is_array else content.replace(whole, b"%b,%b" % mark[::2])
            found = self.decoded(listed)
            if found and (is_array or mark.between.join(found) == content):
                return window.take(end, found)
        self._useless = window.readings
        return None

    def decoded(self, content: bytes) -> list[bytes] | None:
        """Return the items of an array with this content; None if it is not JSON."""
        try:
            items = [*map(bytes, self._items(b"[%b]" % content))]
        except REFUSALS:
            return None
        most = self._window.max_bytes
        return items if len(content) <= most or max(map(len, items), default=0) <= most else None

    def _ends(self, start: int, mark: bytes, tail: int) -> Iterator[int]:
        """Yield offsets at which a record may end, the last one first."""
        window = self._window
        text, at = window.text, window.at
        if window.is_end:
            if window.array is None:
                yield len(window.part(0, window.left).rstrip(BLANKS))
            else:
                last = text.rfind(b"]", at + start) - at
                if last > start:
                    yield last
        limit = min(len(text), at + start + _BLOCKS * window.block_bytes)
        if text.find(mark, at + start, limit) < 0:
            limit = len(text)
        for _ in range(_TRIES):
            found = text.rfind(mark, at + start, limit)
            if found < 0:
                return
            yield found + tail - at
            limit = found + len(mark) - 1
