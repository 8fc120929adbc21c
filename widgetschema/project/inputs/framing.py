"""The framing of JSON texts: how the texts of a source are separated, decided by its beginning.

Only this module decides it. A decision does not change when more of the source is read, so every
reader comes to the same result, in pieces of any size: a whole file, standard input, members of
gzip, a plan that cuts a file into partitions.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from widgetschema.project.inputs.formats import BOM, Layout, format_of_file, is_lines

# Lines; the items of an array, or texts, of which arrays are cut; texts, of which none is cut;
# texts that follow record separators (RFC 7464).
Kind = Literal["lines", "array", "texts", "sequence"]
# A kind that was asked for; "uncut" is that of the source, but arrays are not cut.
AskedFraming = Literal["lines", "array", "texts", "sequence", "uncut"]

MOST: Final = 4 * 1024 * 1024  # bytes in which the first line ends, if there are lines
SEPARATOR: Final = b"\x1e"
_LINES_SEEN: Final = 20  # unless the first one is a value
_LINES_OF_ONE: Final = 16
_BLANK: Final = re.compile(rb"[ \t\r\n]*")
VALUE_BEGINS: Final = frozenset(b'{["-0123456789tfn')


class Framing(NamedTuple):
    """The way in which the texts of a source are separated.

    If it `has_returns`, single carriage returns end its lines. If it `may_be_one`, the source is a
    single text, possibly a broken one, unless more than one is found.
    """

    kind: Kind
    has_returns: bool = False
    may_be_one: bool = False


def framing_of(
    begin: bytes, layout: Layout, *, is_all: bool, asked: AskedFraming | None = None
) -> Framing | None:
    """Return the framing of a source with this beginning; None if more of it is needed.

    `layout` is "lines" or "whole", by the name of the source; the layout of a known framing leads
    to the same framing. With `is_all`, there is no more. At most `MOST` bytes are examined.
    """
    is_all = is_all or len(begin) >= MOST
    found = _framing_of(begin[:MOST], layout, is_all)
    if found is None or asked is None:
        return found
    if asked == "uncut":
        return Framing("texts", found.has_returns) if found.kind == "array" else found
    return Framing(asked, found.has_returns)


def holds_lines(begin: bytes, *, is_all: bool) -> bool | None:
    """Return whether a text with this beginning holds one value per line, and is not one value.

    It does if its first line is a value and another value begins after it; blank lines do not
    count. None if more of the text is needed; with `is_all`, there is no more.
    """
    found = _framing_of(begin, "whole", is_all)
    return None if found is None else found.kind == "lines" and not found.has_returns


def has_lines(name: str, raw: bytes) -> bool:
    """Return whether a file holds one value per line, by its name, or else by its content."""
    return is_lines(name) or (
        format_of_file(name) == "json" and holds_lines(raw, is_all=True) is True
    )


def begins_with_value(begin: bytes) -> bool:
    """Return whether the first line that is not blank ends here, and is a value."""
    first, newline, _ = begin.removeprefix(BOM).lstrip().partition(b"\n")
    return bool(newline) and is_cut(first) is None


def is_cut(text: bytes) -> bool | None:
    """Return whether a text that is not JSON is cut off before its end; None if it is JSON."""
    import orjson  # where this is asked, JSON is about to be read

    try:
        orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return error.pos >= len(text.decode(errors="replace").rstrip())
    return None


def _framing_of(begin: bytes, layout: Layout, is_all: bool) -> Framing | None:
    has_returns = False
    start = _content_from(begin, len(BOM) if begin.startswith(BOM) else 0)
    if begin.find(b"\n", start) < 0:
        if not is_all:
            return None
        is_json = begin.startswith((b"{", b"[", SEPARATOR), start)
        has_returns = is_json and b"\n" not in begin and b"\r" in begin[start:].rstrip()
        begin = begin.replace(b"\r", b"\n") if has_returns else begin
    if begin.startswith(SEPARATOR, start):
        return Framing("sequence", has_returns)
    end = begin.find(b"\n", start)
    if layout == "whole" or begin.startswith(b"[", start):
        second = len(begin) if end < 0 else _content_from(begin, end)
        if second == len(begin) and not is_all:
            return None
        goes_on = second < len(begin) and begin[second] in VALUE_BEGINS
        if goes_on and is_cut(begin[start:end]) is None:
            return Framing("lines", has_returns)
        is_one = True
    else:
        cut_off = None if end < 0 else is_cut(begin[start:end])
        if cut_off is None:
            return Framing("lines", has_returns)
        is_one = cut_off and begin.startswith(b"{", start) and _goes_on(begin[start:])
    if not is_all and begin.count(b"\n", start) < _LINES_SEEN:
        return None
    return Framing("array", has_returns, True) if is_one else Framing("lines", has_returns)


def _content_from(text: bytes, start: int) -> int:
    """Return the offset of the first byte that is not blank, or of the end."""
    match = _BLANK.match(text, start)
    return start if match is None else match.end()


def _goes_on(content: bytes) -> bool:
    """Return whether the first lines of a text may be one text.

    They are not if one is an object that cannot follow the lines before it, which are cut off.
    """
    end = 0
    for line in content.split(b"\n", _LINES_OF_ONE)[:_LINES_OF_ONE]:
        end += len(line) + 1
        if line.lstrip()[:1] == b"{" and is_cut(line) is None and is_cut(content[:end]) is False:
            return False
    return True
