"""Sequences of JSON texts (RFC 7464): each begins with a record separator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from widgetschema.audit.inputs.cutting.alike import BLANKS
from widgetschema.audit.inputs.cutting.cuts import Cut
from widgetschema.audit.inputs.cutting.window import Window
from widgetschema.project.inputs.framing import SEPARATOR

_EMPTY: Final = re.compile(rb"\x1e[\x1e \t\r\n]*+")
_WORDS: Final = frozenset(bytes([byte]) for byte in b"-0123456789tfn")
_TRUNCATED: Final = (
    "a number, true, false or null ends a sequence without a line end: it is cut off"
)


def cut_sequence(window: Window) -> Iterator[Cut]:
    """Yield the texts of a sequence."""
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
            yield from _one(window, window.left - behind)


def _one(window: Window, end: int) -> Iterator[Cut]:
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
