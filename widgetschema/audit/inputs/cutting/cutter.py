"""Cut texts one after the other, or sequences of texts, and choose how a source is cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from widgetschema.audit.inputs.cutting.alike import BLANKS, REFUSALS, AlikeRecords
from widgetschema.audit.inputs.cutting.arrays import cut_items, records_from
from widgetschema.audit.inputs.cutting.values import (
    CLOSERS,
    Broken,
    TooLarge,
    unfinished,
    value_end,
)
from widgetschema.audit.inputs.cutting.window import LOST, Cut, Window
from widgetschema.project.inputs.formats import SEPARATOR, VALUE_BEGINS, Framing

_NO_TEXT: Final = f"no JSON text begins like this{LOST}"
_EMPTY: Final = re.compile(rb"\x1e[\x1e \t\r\n]*+")
_WORDS: Final = frozenset(bytes([byte]) for byte in b"-0123456789tfn")
_TRUNCATED: Final = (
    "a number, true, false or null ends a sequence without a line end: it is cut off"
)


def cut(
    read: Callable[[int], bytes],
    begin: bytes,
    framing: Framing,
    *,
    max_bytes: int,
    block_bytes: int,
) -> Iterator[Cut]:
    """Yield the texts of a source that begins with `begin`; `read` gives the rest.

    With "array", the texts are the items of the array, also of one in an object; with "texts",
    arrays are not cut. If it `may_be_one`, a source with one text, or a broken one, is `whole`.
    """
    window = Window(read, begin, max_bytes, block_bytes)
    if framing.kind == "sequence":
        yield from _sequence(window)
        return
    cutter = _Cutter(window, cut_arrays=framing.kind == "array")
    start = window.next(0) if framing.may_be_one else None
    if framing.may_be_one and (start is None or cutter.is_one(start)):
        yield from _whole(window)
    else:
        yield from cutter.texts()


def _whole(window: Window) -> Iterator[Cut]:
    """Yield all of a source as a single text, even if it is broken."""
    while window.left <= window.max_bytes and window.more():
        pass
    if window.left <= window.max_bytes:
        yield window.take(window.left, [window.part(0, window.left)])._replace(whole=True)
        return
    size = sum(len(one.text) for one in window.rest())
    yield Cut([], b"", 1, 0, oversize=size, whole=True)


class _Cutter:
    """The cutter of texts one after the other, some of which may be arrays of records."""

    def __init__(self, window: Window, *, cut_arrays: bool) -> None:
        self._window = window
        self._cut_arrays = cut_arrays
        self._alike = AlikeRecords(window)

    def is_one(self, start: int) -> bool:
        """Return whether a source is one text, or so broken that it should be read as one."""
        window = self._window
        if self._cut_arrays and records_from(window, start) is not None:
            return False
        if window.left < window.block_bytes and not window.more():
            try:
                msgspec.json.decode(window.part(start, window.left), type=msgspec.Raw)
            except REFUSALS:
                pass
            else:
                return True
        if window.byte(start) not in VALUE_BEGINS:
            return True
        try:
            end = value_end(window, start)
        except TooLarge:
            return False
        except Broken:
            return True
        following = None if end is None else window.next(end)
        if end is None or following is None or window.byte(following) not in CLOSERS:
            return True
        return self._alike.decoded(window.part(start, end)) is None

    def texts(self) -> Iterator[Cut]:
        """Yield texts, or the items of arrays, up to the end."""
        window = self._window
        while (start := window.next(0)) is not None:
            inside = records_from(window, start) if self._cut_arrays else None
            if inside is None:
                yield from self._some_texts(start)
                continue
            yield window.take(inside.at)
            yield from cut_items(window, self._alike, inside)
        if window.left:
            yield window.take(window.left)

    def _some_texts(self, start: int) -> Iterator[Cut]:
        """Yield some texts; the first one begins at an offset."""
        window, alike = self._window, self._alike
        texts: list[bytes] = []
        end, at = 0, start
        while True:
            if texts and self._cut_arrays and records_from(window, at) is not None:
                break
            if alike.are_known:
                if texts:
                    break
                taken = alike.cut(at)
                if taken is not None:
                    yield taken
                    return
            if window.byte(at) not in VALUE_BEGINS:
                if texts:
                    break
                yield from window.lost(at, _NO_TEXT)
                return
            try:
                stop = value_end(window, at)
            except (Broken, TooLarge) as error:
                if texts:
                    break
                yield from unfinished(window, at, error)
                return
            if stop is None:
                texts.append(window.part(at, window.left).rstrip())
                yield window.take(window.left, texts)._replace(is_endless=True)
                return
            texts.append(window.part(at, stop))
            alike.learn(texts, window.part(end, at))
            end = stop
            following = window.next(end)
            if following is None or end > window.block_bytes:
                break
            at = following
        yield window.take(end, texts)


def _sequence(window: Window) -> Iterator[Cut]:
    """Yield the texts of a sequence (RFC 7464): each begins with a record separator."""
    while window.left or window.more():
        end = window.text.rfind(SEPARATOR, window.at) - window.at
        if end <= 0:
            if window.left > window.max_bytes + window.block_bytes:
                yield from _skip_to_separator(window)
                continue
            if window.more():
                continue
            end = window.left
        texts = window.part(0, end).split(b"\n" + SEPARATOR)
        texts[0] = texts[0].removeprefix(SEPARATOR)
        is_complete = texts[-1].endswith(b"\n")
        texts = [one.strip(BLANKS) for one in texts]
        if is_complete and all(texts) and max(map(len, texts)) <= window.max_bytes:
            if len(texts) == window.text.count(SEPARATOR, window.at, window.at + end):
                yield window.take(end, texts)
                continue
        behind = window.left - end
        while window.left > behind:
            yield from _text_of_sequence(window, window.left - behind)


def _text_of_sequence(window: Window, end: int) -> Iterator[Cut]:
    """Yield the first text of a sequence, which may be cut off or too large."""
    empty = _EMPTY.match(window.text, window.at, window.at + end)
    size = 0 if empty is None else empty[0].rfind(SEPARATOR)  # the last one may have a text
    if size:
        yield window.take(size)
        return
    stop = window.text.find(SEPARATOR, window.at + 1, window.at + end) - window.at
    stop = end if stop < 0 else stop
    raw = window.part(0, stop).removeprefix(SEPARATOR)  # what is before the first one, too
    text = raw.strip(BLANKS)
    is_cut_off = text[:1] in _WORDS and not raw[-1:].isspace()
    if len(text) > window.max_bytes:
        yield window.here()._replace(oversize=len(text))
    elif is_cut_off:
        yield window.wrong(_TRUNCATED)
    is_kept = text and not is_cut_off and len(text) <= window.max_bytes
    yield window.take(stop, [text] if is_kept else [])


def _skip_to_separator(window: Window) -> Iterator[Cut]:
    """Take a text that is too large, up to the next record separator."""
    here, begin, size = window.here(), 1, 0
    while True:
        stop = window.text.find(SEPARATOR, window.at + begin) - window.at
        taken = window.take(window.left if stop < 0 else stop)
        yield taken
        begin, size = 0, size + len(taken.text)
        if stop >= 0 or not window.more():
            break
    yield here._replace(oversize=size)
