"""Cut the items of an array of records, also of one in an object, such as a list of the platform.

The members beside such an array are read, too, so none is lost.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from widgetschema.audit.inputs.cutting.alike import REFUSALS, AlikeRecords
from widgetschema.audit.inputs.cutting.cuts import Cut
from widgetschema.audit.inputs.cutting.values import (
    QUOTE,
    Broken,
    TooLarge,
    unfinished,
    value_end,
)
from widgetschema.audit.inputs.cutting.window import LOST, Window
from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext import Limits, preview, read
from widgetschema.pointers import resolve_pointer
from widgetschema.project.checking.documents import ENVELOPE_MEMBERS, any_documents

_HEAD: Final = 64 * 1024  # bytes in which an array of records must begin
_NAME: Final = re.compile(rb'"([^"\\]*)"[ \t\r\n]*:')
_COMMA: Final = ord(",")
_CLOSED: Final = ord("]")
_ARRAYS: Final = (("docs",), ("hits", "hits"))  # of records, in an object

_NO_VALUE: Final = "a value is missing at this comma"
_NO_COMMA: Final = "a comma is missing between these items"
_TRAILING: Final = "a value is missing: this comma is the last one"
_ARRAY_CUT_OFF: Final = "the text ends inside an array: ']' is missing"
_OBJECT_CUT_OFF: Final = "the text ends inside an object: '}' is missing"
_NO_MEMBER: Final = f"this is neither a member of an object nor its end{LOST}"
_TWICE: Final = "the member {} is there twice; this one was not read"
_OTHER_RECORDS: Final = "there are records here, too, but only those at {} were read"


class Records(NamedTuple):
    """An array of records: the offset of its first item, its path, and the members before it.

    `names` are those of the members before it, and its own, in each of the objects on the way.
    """

    at: int
    path: tuple[str, ...] = ()
    names: tuple[set[str], ...] = ()


def records_from(window: Window, start: int) -> Records | None:
    """Return the array of records that begins at an offset, or is in the object that does."""
    if window.byte(start) == ord("["):
        return Records(start + 1)
    while window.left - start < _HEAD and window.more():
        pass
    head = window.part(start, start + _HEAD)
    if head[:1] != b"{" or (b'"docs"' not in head and b'"hits"' not in head):
        return None
    path: tuple[str, ...] = ()
    names: tuple[set[str], ...] = (set(),)
    members: list[tuple[int, int, int]] = []
    at: int | None = start + 1
    try:
        while at is not None and at - start < _HEAD and (at := window.next(at)) is not None:
            begin = at
            found = _NAME.match(window.text, window.at + at)
            if found is None or (at := window.next(found.end() - window.at)) is None:
                return None
            name = found[1].decode(errors="replace")
            if name in names[-1]:  # if it is read as a whole, it is refused for that
                return None
            names[-1].add(name)
            here = (*path, name)
            if here in _ARRAYS and window.byte(at) == ord("["):
                inside = Records(at + 1, here, names)
                is_sound = not any(_mistake(window, *member, here) for member in members)
                return inside if is_sound and _are_records(window, inside) else None
            if here == ("hits",) and window.byte(at) == ord("{"):
                path, names, at = here, (*names, set()), at + 1
                continue
            end = value_end(window, at)
            at = None if end is None else window.next(end)
            if end is None or at is None or window.byte(at) != _COMMA:
                return None
            members.append((begin, end, len(names)))
            at += 1
    except (Broken, TooLarge):
        pass
    return None


def _are_records(window: Window, inside: Records) -> bool:
    """Return whether an array in an object is one of records, by its first item."""
    start = window.next(inside.at)
    if start is None or window.byte(start) == _CLOSED:
        return False
    end = value_end(window, start)
    if end is None:
        return False
    try:
        item: Any = msgspec.json.decode(window.part(start, end))
    except REFUSALS:
        return False
    if inside.path == ("docs",):
        return not ENVELOPE_MEMBERS.isdisjoint(inside.names[0]) or any_documents([item])
    return type(item) is dict and item.keys() >= {"_index", "_source"}


def _mistake(window: Window, start: int, end: int, depth: int, path: tuple[str, ...]) -> str | None:
    """Return the mistake in a member beside the records: it is not JSON, or has more records."""
    text = b"{%b}" % window.part(start, end)
    try:
        value = read(text, Limits(max_bytes=len(text)))
    except UnreadableDocument as error:
        return error.report.findings[0].message
    if depth == 1:
        for pointer in map(_pointer, _ARRAYS):
            found = resolve_pointer(value, pointer)
            if type(found) is list and found:
                return _OTHER_RECORDS.format(_pointer(path))
    return None


def cut_items(window: Window, alike: AlikeRecords, inside: Records) -> Iterator[Cut]:
    """Yield the items of an array whose opening bracket was taken, and the rest of the object."""
    window.array, window.index = _pointer(inside.path), 0
    alike.forget()
    is_closed = yield from _items_up_to_end(window, alike)
    window.array, window.index = None, 0
    alike.forget()
    if is_closed and inside.path:
        yield from _rest_of_object(window, inside)


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


def _rest_of_object(window: Window, inside: Records) -> Iterator[Cut]:
    """Take the rest of an object after the array in it; it has no records."""
    depth, at = len(inside.path), 0
    while depth:
        found = window.next(at)
        if found is None:
            yield from window.lost(window.left, _OBJECT_CUT_OFF)
            return
        if window.byte(found) == ord("}"):
            depth, at = depth - 1, found + 1
            continue
        try:
            there = _member(window, found)
        except (Broken, TooLarge):
            yield from window.lost(found, _NO_MEMBER)
            return
        if there is None:
            yield from window.lost(window.left, _OBJECT_CUT_OFF)
            return
        start, member, end = there
        names = inside.names[depth - 1]
        wrong = _mistake(window, start, end, depth, inside.path)
        if member in names:
            wrong = _TWICE.format(preview(member))
        names.add(member)
        if wrong is not None:
            yield window.take(start)
            yield window.wrong(wrong)
            end -= start
        at = end
    yield window.take(at)


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


def _pointer(path: Sequence[str]) -> str:
    return "".join(f"/{name}" for name in path)
