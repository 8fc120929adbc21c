"""From the arguments of a command to the documents to check: files, folders, globs, stdin.

Whatever cannot be read becomes a `Problem` in its place; nothing here stops a run.
"""

from __future__ import annotations

import glob
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

import orjson

from widgetschema.documents import Limits
from widgetschema.findings import escape_token
from widgetschema.reporters import Problem
from widgetschema.store import MANIFEST

SUFFIXES: Final = (".json", ".ndjson", ".jsonl")
_LINES: Final = (".ndjson", ".jsonl")
_RECORD_MEMBERS: Final = frozenset(
    "id name description type projectId previewImage status modelVersion created updated".split()
)
_ENVELOPE_MEMBERS: Final = frozenset("total limit offset page pages".split())
UNREADABLE: Final = 3


@dataclass(frozen=True, slots=True)
class Text:
    """One JSON text: a whole file, or one line of one (`line_offset` lines before it)."""

    file: str
    raw: bytes
    line_offset: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """One document within a text: where it begins, what kind it is, and its value."""

    pointer: str
    kind: str
    value: Any


def iter_texts(paths: Sequence[str], limits: Limits) -> Iterator[Text | Problem | str]:
    """The texts of all paths; before the texts of a file, its name as a `str`."""
    seen: set[str] = set()
    for path in paths:
        if path == "-":
            yield "-"
            yield from _read_standard_input(limits)
            continue
        files = _expand(path)
        if isinstance(files, Problem):
            yield files
            continue
        for file in files:
            real = os.path.realpath(file)
            if real not in seen:
                seen.add(real)
                yield file
                yield from _read_file(file, limits)


def _expand(path: str) -> list[str] | Problem:
    if os.path.isdir(path):
        found = list(_walk(path))
        return found or Problem(path, "there is no JSON file in this folder", UNREADABLE)
    if not os.path.lexists(path) and glob.has_magic(path):
        matches = sorted(match for match in glob.glob(path, recursive=True))
        found = [file for match in matches for file in _walk_or_file(match)]
        return found or Problem(path, "no file matches this pattern", UNREADABLE)
    return [path]


def _walk_or_file(path: str) -> list[str]:
    return list(_walk(path)) if os.path.isdir(path) else [path]


def _walk(folder: str) -> Iterator[str]:
    """The JSON files below a folder; hidden folders and stores of schemas are left out."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if MANIFEST in files and os.path.basename(os.path.abspath(root)) == "schemas":
            continue
        for name in sorted(files):
            if name.lower().removesuffix(".gz").endswith(SUFFIXES) and not name.startswith("."):
                yield os.path.join(root, name)


def _read_file(path: str, limits: Limits) -> Iterator[Text | Problem]:
    try:
        with open(path, "rb") as file:
            yield from _texts(path, file, limits)
    except OSError as error:
        reason = error.strerror or str(error)
        yield Problem(path, f"{reason[:1].lower()}{reason[1:]}", UNREADABLE)


def _read_standard_input(limits: Limits) -> Iterator[Text | Problem]:
    yield from _texts("-", sys.stdin.buffer, limits)


def _texts(name: str, file: IO[bytes], limits: Limits) -> Iterator[Text | Problem]:
    """The texts of one open file: unpacked if it is gzip, line by line if it is NDJSON."""
    stream: IO[bytes] = file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)  # type: ignore[type-var]
    if stream.peek(2)[:2] == b"\x1f\x8b":  # type: ignore[attr-defined]
        stream = gzip.GzipFile(fileobj=stream)
    lower = name.lower().removesuffix(".gz")
    try:
        if lower.endswith(_LINES):
            yield from _lines(name, stream, limits, 0)
        elif name == "-":
            yield from _detected(name, stream, limits)
        else:
            yield Text(name, stream.read(limits.max_bytes + 1))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield Problem(name, f"not a readable gzip file: {error}", UNREADABLE)


def _detected(name: str, stream: IO[bytes], limits: Limits) -> Iterator[Text]:
    """Standard input has no name: a first line that is a whole value means NDJSON."""
    first = stream.readline(limits.max_bytes + 1)
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError:
        yield Text(name, first + stream.read(limits.max_bytes + 1 - len(first)))
        return
    yield Text(name, first)
    yield from _lines(name, stream, limits, 1)


def _lines(name: str, stream: IO[bytes], limits: Limits, number: int) -> Iterator[Text]:
    """The lines of NDJSON; blank ones are passed over, as RFC 7464's kin agree on."""
    while line := stream.readline(limits.max_bytes + 1):
        if line.strip():
            yield Text(name, line, number)
        while not line.endswith(b"\n") and len(line) > limits.max_bytes:
            line = stream.readline(limits.max_bytes + 1)  # the rest of a line that is too long
        number += 1


def parts(value: Any, kind: str) -> list[Part]:
    """The documents in a value, for `kind` "data", "document" or "auto"."""
    if kind == "data":
        return [Part("", "data", value)]
    if type(value) is list and value and (kind == "document" or all(map(is_document, value))):
        return [Part(f"/{index}", "document", item) for index, item in enumerate(value)]
    if is_envelope(value):
        return [
            Part(f"/{escape_token('docs')}/{index}", "document", item)
            for index, item in enumerate(value["docs"])
        ]
    if kind == "document" or is_document(value):
        return [Part("", "document", value)]
    return [Part("", "data", value)]


def is_document(value: Any) -> bool:
    """Whether a value looks like a widget document: `data`, and another record member."""
    return type(value) is dict and "data" in value and bool(_RECORD_MEMBERS & value.keys())


def is_record(value: Any) -> bool:
    """Whether a value looks like a record of the widgets list, which carries no data."""
    return (
        type(value) is dict and "data" not in value and len(_RECORD_MEMBERS & value.keys()) >= 3
    )


def is_envelope(value: Any) -> bool:
    """Whether a value looks like the envelope of the widgets list."""
    return (
        type(value) is dict
        and type(value.get("docs")) is list
        and bool(_ENVELOPE_MEMBERS & value.keys())
    )
