"""Recognition of files that this package wrote, such as reports and baselines: they are not data.

Files are recognised by how they begin, as this package writes them. A reformatted file is treated
as data: it is checked, which people notice, and never overwritten, which is safe.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cache
from typing import Final

from widgetschema.files import open_file
from widgetschema.project.report_formats import FOREIGN_BEGINNINGS, own_beginnings

HEAD: Final = 8 * 1024  # bytes that are enough to recognise a file

FINDINGS_MARK: Final = "widgetschema.findings"  # in the metadata of a table of findings
_FOOTER: Final = 64 * 1024  # bytes at the end of Parquet that have the metadata …
_FOOTER_END: Final = 8  # … and, behind it, its size and a mark
BUNDLED: Final = "written by widgetschema bundle"  # the comment that begins one
_TEXT: Final = rb'"(?:[^"\\]|\\.)*+"'
_BEGINNINGS: Final = {
    "audit output": (
        rb'\{"file":' + _TEXT + rb',"line":(?:\d+|null),"column":(?:\d+|null),"document":"',
        rb'\{\n(?:  "version": \d+,\n)?  "records": \d+,\n  "valid": \d+,\n  "invalid": \d',
        rb"[\d,]+ records? in [\d,]+ sources?: ",
        rb"\s*<!doctype html>(?s:.{0,2000}?)<title>[^<]* \xc2\xb7 widgetschema</title>",
    ),
    "undo file": (rb'\{"undo":1,"file":',),
    "list of lost values": (
        rb'\{"file":'
        + _TEXT
        + rb',"line":(?:\d+|null),"document":'
        + _TEXT
        + rb',"id":(?:'
        + _TEXT
        + rb'|[^,"]+),"step":',
    ),
    "bundled schema": (rb'\{\n  "\$comment": "' + BUNDLED.encode(),),
    "baseline": (rb'\{\n  "version": 1,\n  "findings": \[(?:\]|\n    \{"file": |\n<<<<<<<)',),
    "comparison": (
        rb'\{\n  "version": 1,\n  "breaking": \w+,\n  "harmless": \w+,\n  "comparisons": \[',
    ),
    "exported form": (
        rb'\{\n  "target": "(?:rjsf|jsonforms)",\n  "schema": ',
        rb"<!doctype html>(?s:.{0,2000}?)\n<style>\n/\* Forms of widgetschema\. ",
    ),
    "list of edits": (rb'\{\n  "version": 1,\n  "files": \[(?:\]|\n    \{\n      "file": )',),
}
_NO_ID: Final = re.compile(rb"[\s,;\"'{}\[\]]")
_PLAIN_ID: Final = re.compile(rb"(?!(?:true|false|null|-?[0-9.eE+-]+)\Z).+")

# Most files are data, which begins otherwise: one look at a few bytes, before any format is loaded.
_JSON: Final = b'{["'
_OURS: Final = (
    b'{\n  "version": ',
    b'{\n  "$schema": ',
    b'{\n  "records": ',
    b'{\n  "$comment": ',
    b'{\n  "target": ',
    b'{"file":',
    b'{"undo":',
    b'{"summary":',
    b'[\n  {"description":',
    b"[\n]\n",
)


def artifact_kind(begin: bytes) -> str | None:
    """Return the kind of a file that this package wrote, by its first `HEAD` bytes; else None."""
    if not begin:
        return None
    if any(re.match(one, begin[:HEAD]) for one in FOREIGN_BEGINNINGS):
        return "report"
    if begin[0] in _JSON and not begin.startswith(_OURS):
        return None
    return next((kind for kind, pattern in _patterns() if pattern.match(begin, 0, HEAD)), None)


def why_passed_over(kind: str) -> str:
    """Return the message about a file of this kind."""
    if kind == "baseline":
        return "skipped: it is a baseline: it counts in runs that start there, or with --baseline"
    article = "an" if kind[0] in "aeiou" else "a"
    return f"skipped: it is {article} {kind} of widgetschema, not data"


def is_findings_table(path: str) -> bool:
    """Return whether a file of Parquet is a table of findings that `audit` wrote."""
    with suppress(OSError), open_file(path) as file:
        file.seek(-_FOOTER_END, os.SEEK_END)
        size = min(int.from_bytes(file.read(4), "little"), _FOOTER)
        file.seek(-_FOOTER_END - size, os.SEEK_END)
        return FINDINGS_MARK.encode() in file.read(size)
    return False


def may_be_ids(begin: bytes) -> bool:
    """Return whether a file that begins so may be a list of ids: neither JSON nor a table."""
    lines = begin.split(b"\n")
    if len(begin) == HEAD:
        lines.pop()  # its end may be missing
    some = [line for line in lines if line]
    return any(map(_PLAIN_ID.fullmatch, some)) and not any(map(_NO_ID.search, some))


def holds_nothing(begin: bytes) -> bool:
    """Return whether a file that begins so is empty or an empty list: it can be overwritten."""
    return len(begin) < HEAD and b"".join(begin.split()) in (b"", b"[]")


@cache
def _patterns() -> list[tuple[str, re.Pattern[bytes]]]:
    return [
        (kind, re.compile(b"|".join(b"(?:" + one + b")" for one in beginnings)))
        for kind, beginnings in (("report", own_beginnings()), *_BEGINNINGS.items())
    ]
