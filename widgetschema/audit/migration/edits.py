"""Changes of sources: what becomes of the texts of records.

They travel with the result of a partition as compressed lines. Whoever collects the results writes
the files, so nothing else needs access to them, and a result that was kept is enough to go on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from widgetschema.audit.partition_result import unpacked
from widgetschema.audit.records import on_one_line
from widgetschema.evolution.migrate import Lost
from widgetschema.text import common_length


class Record(NamedTuple):
    """The record around an edit: its bytes in front of the edit and behind it.

    `digest` is that of the value that it has then (`digest_of_value`).
    """

    before: int
    behind: int
    digest: str


class Edit(NamedTuple):
    """A change of a source: in place of `was`, it has `now`.

    It begins `start` bytes behind the beginning of a line, to which a byte order mark does not
    belong; without a line, behind that of the source. `document` is the JSON Pointer of the record
    in its text, `id` its id. `lost` is what is no longer anywhere in the record. What is around it
    is known where the record is to be read again once it is written.
    """

    line: int | None
    start: int
    was: bytes
    now: bytes
    document: str = ""
    id: str | int | float | None = None
    lost: tuple[Lost, ...] = ()
    record: Record | None = None

    def behind(self, lines: int) -> Edit:
        """Return the same edit with its line behind so many others."""
        return self if self.line is None else self._replace(line=self.line + lines)


def smallest(start: int, was: bytes, now: bytes) -> tuple[int, bytes, bytes]:
    """Return a change without the characters that stay, at its beginning and at its end."""
    head = common_length(was, now)
    while head and ((head < len(was) and _is_inside(was[head])) or _is_inside_at(now, head)):
        head -= 1
    left, right = was[head:][::-1], now[head:][::-1]
    tail = common_length(left, right)
    while tail and _is_inside(left[tail - 1]):
        tail -= 1
    return start + head, was[head : len(was) - tail], now[head : len(now) - tail]


def digest_of_value(value: Any) -> str:
    """Return the digest of what a JSON text is read as."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _is_inside(byte: int) -> bool:
    """Return whether a byte of UTF-8 is inside a character."""
    return byte & 0xC0 == 0x80


def _is_inside_at(text: bytes, at: int) -> bool:
    return at < len(text) and _is_inside(text[at])


def edit_row(span: int, edit: Edit) -> bytes:
    """Return an edit as a line, with the number of its span."""
    line, start, was, now, *others = edit
    return to_json([span, line, start, was.decode(), now.decode(), *others])


def to_json(value: Any) -> bytes:
    """Return a value as JSON on one line; names in records may be no text (RFC 8259, section 8.2).

    `json.loads` reads it.
    """
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def edits_of(packed: bytes) -> Iterator[tuple[int, Edit]]:
    """Yield the edits of the result of a partition, each with the number of its span."""
    for rows in unpacked(packed):
        for row in rows:
            span, line, start, was, now, document, id, lost, record = json.loads(row)
            values = tuple(Lost(*one) for one in lost)
            around = None if record is None else Record(*record)
            yield span, Edit(line, start, was.encode(), now.encode(), document, id, values, around)


def lost_rows(file: str, edit: Edit) -> Iterator[bytes]:
    """Yield the values that an edit loses as lines of NDJSON, as they were spelt."""
    record = {"file": file, "line": edit.line, "document": edit.document, "id": edit.id}
    for value in edit.lost:
        head = to_json({**record, "step": value.step, "path": value.pointer})
        yield b'%b,"value":%b}\n' % (head[:-1], on_one_line(value.text.encode()))
