"""Recognition of sources, by name and first bytes: compressed, text, JSON, lines of JSON."""

from __future__ import annotations

from typing import Final, Literal

from widgetschema.formats.model import SUFFIXES as OTHER_SUFFIXES
from widgetschema.formats.model import Format, format_of

Compression = Literal["", "gzip", "zstd"]
# Of lines of JSON, of one JSON text, or of a table; its names are those that people see.
Layout = Literal[
    "lines", "whole", "parquet", "arrow", "arrow-stream", "csv", "sqlite", "postgresql"
]

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
