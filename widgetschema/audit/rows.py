"""The lines about each record, findings and ids, which travel compressed.

A partition does not know how many lines are before it, so the beginning of a line is added when
that is known: `CompressedLines` writes, `finding_text` and `id_text` read, a piece at a time.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson

from widgetschema.findings import Finding
from widgetschema.jsontext import dump
from widgetschema.text import printable

_MANY: Final = 256  # rows that are compressed at once
_PORTION: Final = 256 * 1024  # bytes that are unpacked at once
_SCALARS: Final = frozenset({str, bool, type(None), int, float})
# These end a line for some readers, though not for JSON; within strings they can be escaped.
_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
_NOT_PLAIN: Final = re.compile('\\A(?:\\Z|")|[\x00-\x1f\x7f-\x9f\u2028\u2029]')


class CompressedLines:
    """Lines of bytes, compressed as they come."""

    def __init__(self) -> None:
        self._pack = zlib.compressobj(1)
        self._packed: list[bytes] = []
        self._rows: list[bytes] = []

    def add(self, row: bytes) -> None:
        """Add a line, given without its end."""
        self._rows.append(row)
        if len(self._rows) >= _MANY:
            self._flush()

    def _flush(self) -> None:
        self._rows.append(b"")
        self._packed.append(self._pack.compress(b"\n".join(self._rows)))
        self._rows.clear()

    def finish(self) -> bytes:
        """Return all of them, compressed; empty if there are none."""
        if not self._rows and not self._packed:
            return b""
        self._flush()
        return b"".join([*self._packed, self._pack.flush()])


def _unpacked(packed: bytes) -> Iterator[list[bytes]]:
    """Yield the lines, some at a time."""
    if not packed:
        return
    unpack = zlib.decompressobj()
    rest = b""
    while not unpack.eof:
        portion = unpack.decompress(packed, _PORTION)
        packed = unpack.unconsumed_tail
        if not portion and not packed:  # it has been cut short
            return
        lines = (rest + portion).split(b"\n")
        rest = lines.pop()
        yield lines


def record_members(document: str, id: Any, type_id: str | None) -> bytes:
    """Return the part of a finding's row that is the same for all findings of a record."""
    written = b'""' if document == "" else _json(document)
    name = b"null" if id is None else _json(id)
    return b',"document":%b,"id":%b,"type":%b,' % (written, name, _json(type_id))


def finding_row(span: int, line: int | None, finding: Finding, common: bytes) -> bytes:
    """Return a finding as JSON, with its span and its line in that."""
    at = b"-" if line is None else b"%d" % line
    column = b"null" if finding.column is None else b"%d" % finding.column
    rest = {
        "keyword": finding.keyword,
        "path": finding.path,
        "schema_path": finding.schema_path,
        "message": finding.message,
        "hint": finding.hint,
        "expected": finding.expected,
        "fix": None if finding.fix is None else finding.fix.as_dict(),
    }
    text = _json(rest, is_flat=_is_flat(finding.expected))[1:]
    return b'%d\t%b\t"column":%b%b%b' % (span, at, column, common, text)


def _is_flat(value: Any) -> bool:
    """Return whether a value is safe for the encoder, which must not get what is nested deep."""
    if type(value) is list:
        return _SCALARS.issuperset(map(type, value))
    return type(value) in _SCALARS


def _json(value: Any, *, is_flat: bool = True) -> bytes:
    """JSON on one line, whoever reads the lines."""
    try:
        encoded = orjson.dumps(value) if is_flat else dump(value, indent=False).encode()
    except orjson.JSONEncodeError:  # integers of more than 64 bits
        encoded = dump(value, indent=False).encode()
    if encoded.isascii():
        return encoded
    return encoded.decode().translate(_LINE_ENDS).encode()


def finding_text(packed: bytes, files: Sequence[str], offsets: Sequence[int]) -> Iterator[str]:
    """Yield findings as NDJSON, many lines at a time; by span, its file and the lines before."""
    heads = [b'{"file":%b,"line":' % _json(file) for file in files]
    for lines in _unpacked(packed):
        text = []
        for row in lines:
            span, line, rest = row.split(b"\t", 2)
            index = int(span)
            number = b"null" if line == b"-" else b"%d" % (int(line) + offsets[index])
            text.append(b"%b%b,%b\n" % (heads[index], number, rest))
        yield b"".join(text).decode()


def id_row(span: int, line: int | None, document: str, id: Any) -> bytes:
    """Return the id of a record, or else its place."""
    if id is None:
        return b"@%d\t%d\t%b" % (span, -1 if line is None else line, document.encode())
    if type(id) is str and _NOT_PLAIN.search(id) is None:
        return b"=" + id.encode()
    return b"=" + _json(id)


def id_text(packed: bytes, files: Sequence[str], offsets: Sequence[int]) -> Iterator[str]:
    """Yield the ids, one a line, many lines at a time; `file:line` for a record without."""
    for lines in _unpacked(packed):
        text = []
        for row in lines:
            if row[:1] == b"=":
                text.append(row[1:].decode())
                continue
            span, line, document = row[1:].split(b"\t", 2)
            number = int(line)
            place = "" if number < 0 else f":{number + offsets[int(span)]}"
            inside = f"#{document.decode()}" if document else ""
            text.append(printable(f"{files[int(span)]}{place}{inside}"))
        yield "".join(f"{line}\n" for line in text)
