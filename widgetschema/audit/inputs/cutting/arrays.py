"""Cut the items of an array of records, also of one in an object, such as a list of the platform.

The members beside such an array are read, too, so none is lost.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from widgetschema.audit.inputs.cutting.alike import REFUSALS, AlikeRecords
from widgetschema.audit.inputs.cutting.values import (
    QUOTE,
    Broken,
    TooLarge,
    unfinished,
    value_end,
)
from widgetschema.audit.inputs.cutting.window import LOST, Cut, Window
from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import Limits, preview, read
from widgetschema.project.checking.documents import ENVELOPE_MEMBERS, any_documents

_HEAD: Final = 64 * 1024  # bytes in which an array of records must begin
_NAME: Final = re.compile(rb'"([^"\\]*)"[ \t\r\n]*:')
_COMMA: Final = ord(",")
_CLOSED: Final = ord("]")
_DOCS: Final = "docs"  # the member of an object that is an array of records

_NO_VALUE: Final = "a value is missing at this comma"
_NO_COMMA: Final = "a comma is missing between these items"
_TRAILING: Final = "a value is missing: this comma is the last one"
_ARRAY_CUT_OFF: Final = "the text ends inside an array: ']' is missing"
_OBJECT_CUT_OFF: Final = "the text ends inside an object: '}' is missing"
_NO_MEMBER: Final = f"this is neither a member of an object nor its end{LOST}"
_TWICE: Final = "the member {} appears twice; this one was not read"


class Records(NamedTuple):
    """An array of records: the offset of its first item.

    If it is the member `docs` of an object, `names` are those of the members up to this one.
    """

    at: int
    names: set[str] | None = None


def records_from(window: Window, start: int) -> Records | None:
    """Return the array of records that begins at an offset, or is in the object that does."""
    if window.byte(start) == ord("["):
        return Records(start + 1)
    while window.left - start < _HEAD and window.more():
        pass
    head = window.part(start, start + _HEAD)
    if head[:1] != b"{" or b'"docs"' not in head:
        return None
    names: set[str] = set()
    members: list[tuple[int, int]] = []
    at: int | None = start + 1
    try:
        while at is not None and at - start < _HEAD and (at := window.next(at)) is not None:
            begin = at
            found = _NAME.match(window.text, window.at + at)
            if found is None or (at := window.next(found.end() - window.at)) is None:
                return None
            name = found[1].decode(errors="replace")
            if name in names:  # if it is read as a whole, it is refused for that
                return None
            names.add(name)
            if name == _DOCS and window.byte(at) == ord("["):
                is_sound = not any(_mistake(window, *member) for member in members)
                inside = Records(at + 1, names)
                return inside if is_sound and _are_records(window, inside.at, names) else None
            end = value_end(window, at)
            at = None if end is None else window.next(end)
            if end is None or at is None or window.byte(at) != _COMMA:
                return None
            members.append((begin, end))
            at += 1
    except (Broken, TooLarge):
        pass
    return None


def _are_records(window: Window, at: int, names: set[str]) -> bool:
    """Return whether an array in an object is one of records, by its first item."""
    start = window.next(at)
    if start is None or window.byte(start) == _CLOSED:
        return False
    end = value_end(window, start)
    if end is None:
        return False
    try:
        item: Any = msgspec.json.decode(window.part(start, end))
    except REFUSALS:
        return False
    return not ENVELOPE_MEMBERS.isdisjoint(names) or any_documents([item])


def _mistake(window: Window, start: int, end: int) -> str | None:
    """Return the mistake in a member beside the records, if it is not JSON."""
    text = b"{%b}" % window.part(start, end)
    try:
        read(text, Limits(max_bytes=len(text)))
    except UnreadableDocument as error:
        return error.report.findings[0].message
    return None


def cut_items(window: Window, alike: AlikeRecords, inside: Records) -> Iterator[Cut]:
    """Yield the items of an array whose opening bracket was taken, and the rest of the object."""
    window.array, window.index = "" if inside.names is None else f"/{_DOCS}", 0
    alike.forget()
    is_closed = yield from _items_up_to_end(window, alike)
    window.array, window.index = None, 0
    alike.forget()
    if is_closed and inside.names is not None:
        yield from _rest_of_object(window, inside.names)


def _items_up_to_end(window: Window, alike: AlikeRecords) -> Generator[Cut, None, bool]:
    """Yield the items of an array, and take its last bracket; return whether there is one."""
    texts: list[bytes] = []
    end = 0  # of the last one, or of the comma behind it
    gap = 0  # the end of the last one
    before = "["
    while (at := window.next(end)) is not None:
        byte = window.byte(at)
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
        are_many = is_item and alike.are_known
        if texts and (wrong or not is_item or are_many or end > window.block_bytes):
            yield window.take(at, texts)
            texts, end, at = [], 0, 0
        if wrong is not None:
            yield window.take(at)
            yield window.wrong(wrong)
            end, at, before = 0, 0, ","
        if byte == _CLOSED:
            yield window.take(at + 1)
            return True
        if byte == _COMMA:
            end, before = at + 1, ","
            continue
        taken = alike.cut(at) if are_many else None
        if taken is not None:
            yield taken
            end, gap, before = 0, 0, "item"
            continue
        try:
            stop = value_end(window, at)
        except (Broken, TooLarge) as error:
            if texts:
                yield window.take(at, texts)
                texts, at = [], 0
            yield from unfinished(window, at, error)
            if isinstance(error, Broken):
                return False
            window.index += 1
            end, gap, before = 0, 0, "item"
            continue
        if stop is None:
            texts.append(window.part(at, window.left).rstrip())
            yield window.take(window.left, texts)._replace(is_endless=True)
            return False
        texts.append(window.part(at, stop))
        alike.learn(texts, window.part(gap, at))
        end = gap = stop
        before = "item"
    yield window.take(window.left, texts)
    yield window.wrong(_ARRAY_CUT_OFF)
    return False


def _rest_of_object(window: Window, names: set[str]) -> Iterator[Cut]:
    """Take the rest of an object after the array in it; it has no records."""
    at = 0
    while True:
        found = window.next(at)
        if found is None:
            yield from window.lost(window.left, _OBJECT_CUT_OFF)
            return
        if window.byte(found) == ord("}"):
            yield window.take(found + 1)
            return
        try:
            there = _member(window, found)
        except (Broken, TooLarge):
            yield from window.lost(found, _NO_MEMBER)
            return
        if there is None:
            yield from window.lost(window.left, _OBJECT_CUT_OFF)
            return
        start, name, at = there
        wrong = _TWICE.format(preview(name)) if name in names else _mistake(window, start, at)
        names.add(name)
        if wrong is not None:
            yield window.take(start)
            yield window.wrong(wrong)
            at -= start


def _member(window: Window, comma: int) -> tuple[int, str, int] | None:
    """Return the offset of the member after a comma, its name, and the offset of its end.

    None if the text ends before. Raises `Broken` and `TooLarge` if there is none.
    """
    start = window.next(comma + 1) if window.byte(comma) == _COMMA else comma
    if start is None:
        return None
    if window.byte(start) != QUOTE:
        raise Broken(_NO_MEMBER, start)
    behind = value_end(window, start)
    if behind is None or window.next(behind) is None:
        return None
    name = _NAME.match(window.text, window.at + start)
    if name is None:
        raise Broken(_NO_MEMBER, start)
    value = window.next(name.end() - window.at)
    end = None if value is None else value_end(window, value)
    return None if end is None else (start, name[1].decode(errors="replace"), end)
