"""Recognition of sources, by name and first bytes: what they are, how their texts are separated.

Only this module decides it. A decision does not change when more of the source is read, so every
reader comes to the same result, in pieces of any size: a whole file, standard input, members of
gzip, a plan that cuts a file into partitions.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from widgetschema.formats.model import SUFFIXES as OTHER_SUFFIXES
from widgetschema.formats.model import Format, format_of

Compression = Literal["", "gzip", "zstd"]
# Of lines of JSON, of one JSON text, or of a table; its names are those that people see.
Layout = Literal[
    "lines", "whole", "parquet", "arrow", "arrow-stream", "csv", "sqlite", "postgresql"
]
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

_JSON_SUFFIXES: Final = (".json", ".ndjson", ".jsonl")
SUFFIXES: Final = (*_JSON_SUFFIXES, *OTHER_SUFFIXES)
COMPRESSED: Final = (".gz", ".zst", ".zstd")
LINES: Final = (".ndjson", ".jsonl")
HEAD: Final = 8  # bytes that are mostly enough
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = (
    b"\x28\xb5\x2f\xfd",
    *(bytes([0x50 + number]) + b"\x2a\x4d\x18" for number in range(16)),  # may be skipped
)
_SQLITE: Final = b"SQLite format 3\0"
_OTHERS: Final = (
    (b"BZh", "is compressed with bzip2"),
    (b"\xfd7zXZ\x00", "is compressed with xz"),
    (b"\x04\x22\x4d\x18", "is compressed with lz4"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive"),
    (b"PK\x03\x04", "is a zip archive"),
    (b"PAR1", "is a Parquet file"),
    (b"ARROW1\0\0", "is an Arrow file"),
    (_SQLITE, "is an SQLite database"),
    (b"Obj\x01", "is an Avro file"),
    (b"ORC", "is an ORC file"),
    (b"FEA1", "is a Feather file of version 1"),
)
CSV: Final = (".csv", ".tsv")
_TABLES: Final[tuple[tuple[bytes, Layout], ...]] = (
    (b"PAR1", "parquet"),
    (b"ARROW1\0\0", "arrow"),
    (b"\xff\xff\xff\xff", "arrow-stream"),
    (_SQLITE, "sqlite"),
)
_TAR: Final = slice(257, 262), b"ustar"  # of POSIX.1-1988, and of GNU
_UTF: Final = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_ZEROS: Final = {  # where they are among the first four bytes
    (1, 2, 3): "UTF-32",
    (0, 1, 2): "UTF-32",
    (1, 3): "UTF-16",
    (0, 2): "UTF-16",
}
_CUT: Final = (b"{", b"[")  # the first lines of most texts
BOM: Final = b"\xef\xbb\xbf"


def is_data_name(name: str) -> bool:
    """Return whether a file has the name of a data file."""
    return uncompressed_name(name).endswith(SUFFIXES)


def is_json_name(name: str) -> bool:
    """Return whether a file has the name of a data file in JSON."""
    return uncompressed_name(name).endswith(_JSON_SUFFIXES)


def uncompressed_name(name: str) -> str:
    """Return the name of a file in small letters, without the suffix of a compressed one."""
    lower = name.lower()
    for suffix in COMPRESSED:
        if lower.endswith(suffix):
            return lower.removesuffix(suffix)
    return lower


def is_lines(file: str) -> bool:
    """Return whether a file holds one value per line, by its name."""
    return uncompressed_name(file).endswith(LINES)


def format_of_file(name: str) -> Format:
    """Return the format of a file, by its name; only JSON may be one value a line."""
    return format_of(uncompressed_name(name))


def compression_of(head: bytes) -> Compression:
    """Return how a source that begins so is compressed, if this program can read it."""
    if head.startswith(_GZIP):
        return "gzip"
    return "zstd" if head.startswith(_ZSTD) else ""


def not_text(head: bytes) -> str | None:
    """Return what a source that begins so is if it is not text, as the end of a sentence."""
    where, mark = _TAR
    if head[where] == mark and b"\0" in head[: where.start]:  # which is in no JSON text
        return "is a tar archive"
    return next((what for mark, what in _OTHERS if head.startswith(mark)), None)


def table_layout(name: str, head: bytes) -> Layout | None:
    """Return the layout of a table, by the name of its file or by its first bytes; else None."""
    if uncompressed_name(name).endswith(CSV):
        return "csv"
    return next((layout for mark, layout in _TABLES if head.startswith(mark)), None)


def encoding_of(head: bytes) -> str | None:
    """Return the encoding of a text that begins so if it is not UTF-8 (RFC 4627, section 3)."""
    for mark, name in _UTF:
        if head.startswith(mark):
            return name
    zeros = [index for index, byte in enumerate(head[:4]) if not byte]
    return _ZEROS.get(tuple(zeros))


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

    if text in _CUT:
        return True
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
        if layout == "lines" and second < len(begin):  # by its name, some may be no values
            goes_on = begin[second] not in b",]"
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
