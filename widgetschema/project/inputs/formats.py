"""Recognition of sources, by name and first bytes: compressed, text, JSON, lines of JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from widgetschema.formats.names import SUFFIXES as OTHER_SUFFIXES
from widgetschema.formats.names import Format, format_of

Compression = Literal["", "gzip", "zstd"]
# Of lines of JSON, of one JSON text, or of a table; its names are those that people see.
Layout = Literal[
    "lines", "whole", "parquet", "arrow", "arrow-stream", "csv", "sqlite", "postgresql"
]
DATABASE_LAYOUTS: Final[frozenset[Layout]] = frozenset({"sqlite", "postgresql"})

_JSON_SUFFIXES: Final = (".json", ".ndjson", ".jsonl")
SUFFIXES: Final = (*_JSON_SUFFIXES, *OTHER_SUFFIXES)
COMPRESSED: Final = (".gz", ".zst", ".zstd")
LINES: Final = (".ndjson", ".jsonl")
HEAD: Final = 8  # bytes that are mostly enough
HEADER: Final = 512  # bytes that are always enough
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
_CSV: Final = (".csv", ".tsv")
_ARROW: Final = (".parquet", ".pq", ".arrow", ".arrows", ".feather", ".ipc")
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
BOM: Final = b"\xef\xbb\xbf"
_LINES_SEEN: Final = 20  # of a text that may be no JSON
_FEWEST_LINES: Final = 2
_YAML: Final = re.compile(rb"---|%YAML|#|[ ]*- |[ ]*-$|[ ]*[^\s\"'{}\[\],:#-][^\"{}\[\]:]*:(?: |$)")
_BARE_NAME: Final = re.compile(rb"[ ]*\{\s*[A-Za-z_$][\w$-]*\s*:")
_NAME: Final = rb'(?:[A-Za-z_][\w .-]*|"[A-Za-z_][\w .-]*")'
_HEADER: Final = re.compile(_NAME + rb"(?:([,;|\t])" + _NAME + rb")(?:\1" + _NAME + rb")*")
_CELL: Final = rb'(?:"(?:[^"]|"")*"|[^",;]*)'
_ROWS: Final = {
    separator: re.compile(_CELL + rb"(?:" + separator + _CELL + rb")+")
    for separator in (b",", b";")
}
_LIKE_CSV: Final = "looks like CSV: give it a name that ends in .csv, and --data-column"
_LIKE_COPY: Final = (
    "looks like the text of COPY in PostgreSQL, or like a table with tabs: export JSON by "
    "COPY (SELECT to_jsonb(t) FROM t) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER "
    "E'\\x02'), or read the database itself"
)


def is_data_name(name: str, compressed: Sequence[str] = COMPRESSED) -> bool:
    """Return whether a file has the name of a data file."""
    return uncompressed_name(name, compressed).endswith(SUFFIXES)


def is_json_name(name: str) -> bool:
    """Return whether a file has the name of a data file in JSON."""
    return uncompressed_name(name).endswith(_JSON_SUFFIXES)


def uncompressed_name(name: str, compressed: Sequence[str] = COMPRESSED) -> str:
    """Return the name of a file in small letters, without the suffix of a compressed one."""
    lower = name.lower()
    for suffix in compressed:
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
    if uncompressed_name(name).endswith(_CSV):
        return "csv"
    return next((layout for mark, layout in _TABLES if head.startswith(mark)), None)


def is_table_name(name: str) -> bool:
    """Return whether a file has the name of a table."""
    return uncompressed_name(name).endswith((*_CSV, *_ARROW))


def is_tab_separated(name: str) -> bool:
    """Return whether tabs are between the cells of a table, by the name of its file."""
    return uncompressed_name(name).endswith(".tsv")


def encoding_of(head: bytes) -> str | None:
    """Return the encoding of a text that begins so if it is not UTF-8 (RFC 4627, section 3)."""
    for mark, name in _UTF:
        if head.startswith(mark):
            return name
    zeros = [index for index, byte in enumerate(head[:4]) if not byte]
    return _ZEROS.get(tuple(zeros))


def other_text(begin: bytes) -> str | None:
    """Return what a text that begins so certainly is if it is no JSON, and what to do; else None.

    One line that begins as an object or an array is enough to be taken for JSON with mistakes,
    unless all of these lines have the same that JSON never has.
    """
    text = begin.removeprefix(BOM)
    lines = [line.rstrip(b"\r") for line in text.split(b"\n")[:-1][:_LINES_SEEN] if line.strip()]
    if len(lines) < _FEWEST_LINES:
        return None
    if all(_BARE_NAME.match(line) for line in lines):
        return "looks like YAML, JSON5 or JavaScript: convert it to NDJSON, with names in quotes"
    if _is_table(lines):
        return _LIKE_CSV
    if all(_has_cells(line) for line in lines):
        return _LIKE_COPY
    if any(line.lstrip()[:1] in (b"{", b"[") for line in lines):
        return None
    if _YAML.match(lines[0]) and all(line[:1] == b" " or _YAML.match(line) for line in lines):
        return "looks like YAML: check it with `widgetschema validate`, or convert it to NDJSON"
    if lines[0][:1] == b"<":
        return "looks like HTML or XML: export the records as JSON"
    tabs = {line.count(b"\t") for line in lines if line != b"\\."}
    if len(tabs) == 1 and min(tabs) > 0:
        return _LIKE_COPY
    for separator, row in _ROWS.items():
        numbers = {line.count(separator) for line in lines if b'"' not in line}
        if len(numbers) <= 1 and all(row.fullmatch(line) for line in lines):
            return _LIKE_CSV
    return None


def _is_table(lines: Sequence[bytes]) -> bool:
    """Return whether lines begin with names and a row with as many cells, and none is JSON."""
    header = _HEADER.fullmatch(lines[0])
    if header is None or header[1] == b"\t":
        return False
    separator = header[1]
    return lines[1].count(separator) >= lines[0].count(separator) and not any(
        line.lstrip()[:1] in (b"{", b"[") and _is_json(line) for line in lines
    )


def _has_cells(line: bytes) -> bool:
    """Return whether a line is JSON as COPY writes it, and then, behind a tab, something else."""
    first, _, others = line.partition(b"\t")
    is_json = first[:1] in (b"{", b"[") and _is_json(first.replace(b"\\\\", b"\\"))
    return line == b"\\." or (is_json and others.strip() != b"")


def _is_json(text: bytes) -> bool:
    import orjson

    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True
