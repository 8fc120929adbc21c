"""Texts that are certainly no JSON, such as CSV and YAML, and what to do with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from widgetschema.project.inputs.formats import BOM
from widgetschema.project.inputs.model import SourceFailed

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


def require_json(begin: bytes) -> None:
    """Raise `SourceFailed` if a source that begins so certainly is text in another format."""
    what = _other_text(begin)
    if what is not None:
        raise SourceFailed(f"it is not JSON, but {what}")


def _other_text(begin: bytes) -> str | None:
    """Return the format of a text that certainly is no JSON, with advice; else None.

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
