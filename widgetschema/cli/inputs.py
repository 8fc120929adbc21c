"""From the arguments of a command to the documents to check: files, folders, globs, stdin.

Whatever cannot be read becomes a `Problem` in its place; nothing here stops a run.
"""

from __future__ import annotations

import contextlib
import glob
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, Any, Final, NamedTuple, cast

import orjson

from widgetschema.cli.output import reason
from widgetschema.documents import Limits
from widgetschema.reporters import Problem
from widgetschema.store import MANIFEST
from widgetschema.widget_type import RECORD_MEMBERS, is_record

SUFFIXES: Final = (".json", ".ndjson", ".jsonl")
_LINES: Final = (".ndjson", ".jsonl")
_ENVELOPE_MEMBERS: Final = frozenset("total limit offset page pages".split())
UNREADABLE: Final = 3


class Text(NamedTuple):
    """One JSON text: a whole file, or one line of one; then `line` is its number, from 1."""

    file: str
    raw: bytes
    line: int | None = None

    @property
    def line_offset(self) -> int:
        """How many lines of the file are before the text."""
        return (self.line or 1) - 1


class Part(NamedTuple):
    """One document within a text: where it begins, what kind it is, and its value."""

    pointer: str
    kind: str
    value: Any


def iter_texts(
    paths: Sequence[str], limits: Limits, schemas: str | None = None
) -> Iterator[Text | Problem | str]:
    """The texts of all paths; before the texts of a file that can be opened, its name as a `str`.

    Each file is read once. `schemas` is a folder that holds no data, wherever it is found.
    """
    seen: set[str] = set()
    for path in paths:
        for file in _expand(path, schemas):
            if isinstance(file, Problem):
                yield file
                continue
            real = file if file == "-" else os.path.realpath(file)
            if real not in seen:
                seen.add(real)
                yield from _read(file, limits)


def _expand(path: str, schemas: str | None) -> list[str | Problem]:
    found: list[str | Problem] = []
    if os.path.isdir(path):
        found += _walk(path, schemas)
        return found or [Problem(path, "there is no JSON file in this folder", UNREADABLE)]
    if path != "-" and not os.path.lexists(path) and glob.has_magic(path):
        for match in sorted(glob.glob(path, recursive=True)):
            found += _walk(match, schemas) if os.path.isdir(match) else [match]
        return found or [Problem(path, "no file matches this pattern", UNREADABLE)]
    return [path]


def _walk(folder: str, schemas: str | None) -> Iterator[str | Problem]:
    """The JSON files below a folder; hidden folders and stores of schemas are left out."""
    errors: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if _holds_schemas(root, files, schemas):
            folders.clear()
            if root == folder:
                yield Problem(folder, "this folder holds schemas, which are no data", UNREADABLE)
            continue
        for name in sorted(files):
            if name.lower().removesuffix(".gz").endswith(SUFFIXES) and not name.startswith("."):
                yield os.path.join(root, name)
    for error in errors:
        yield Problem(error.filename, reason(error), UNREADABLE)


def _holds_schemas(folder: str, files: list[str], schemas: str | None) -> bool:
    if schemas is not None and os.path.realpath(folder) == os.path.realpath(schemas):
        return True
    return MANIFEST in files and os.path.basename(os.path.realpath(folder)) == "schemas"


def _read(name: str, limits: Limits) -> Iterator[Text | Problem | str]:
    try:
        with _opened(name) as stream:
            yield name
            yield from _texts(name, stream, limits)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield Problem(name, f"not a readable gzip file: {reason(error)}", UNREADABLE)
    except OSError as error:
        yield Problem(name, reason(error), UNREADABLE)


def _opened(name: str) -> contextlib.AbstractContextManager[io.BufferedReader]:
    if name != "-":
        return open(name, "rb")
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return contextlib.nullcontext(cast("io.BufferedReader", sys.stdin.buffer))


def _texts(name: str, file: io.BufferedReader, limits: Limits) -> Iterator[Text]:
    """The texts of one open file: unpacked if it is gzip, line by line if it is NDJSON."""
    stream: IO[bytes] = file
    if file.peek(2)[:2] == b"\x1f\x8b":
        stream = cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if name == "-":
        yield from _detected(name, stream, limits)
    elif name.lower().removesuffix(".gz").endswith(_LINES):
        yield from _lines(name, stream, limits, 0)
    else:
        yield Text(name, stream.read(limits.max_bytes + 1))


def _detected(name: str, stream: IO[bytes], limits: Limits) -> Iterator[Text]:
    """Standard input has no name: a first line that is a whole value means NDJSON."""
    most = limits.max_bytes + 1
    blank = bytearray()
    while (first := stream.readline(most)).isspace() and len(blank) < most:
        blank += first
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError:
        head = bytes(blank) + first
        yield Text(name, head + stream.read(max(0, most - len(head))))
        return
    number = blank.count(b"\n")
    yield Text(name, first.rstrip(b"\r\n"), number + 1)
    yield from _lines(name, stream, limits, number + 1)


def _lines(name: str, stream: IO[bytes], limits: Limits, number: int) -> Iterator[Text]:
    """The lines of NDJSON after line `number`; blank ones are passed over.

    Of a line that is too long only so much is kept that it can be seen to be.
    """
    most = limits.max_bytes + 1
    while line := stream.readline(most):
        number += 1
        if not line.isspace():
            yield Text(name, line.rstrip(b"\r\n"), number)
        while len(line) == most and not line.endswith(b"\n"):
            line = stream.readline(most)


def parts(value: Any, kind: str) -> list[Part]:
    """The documents in a value, for `kind` "data", "document" or "auto"."""
    if kind == "data":
        return [Part("", "data", value)]
    if type(value) is list and (kind == "document" or _any_documents(value)):
        return [Part(f"/{index}", "document", item) for index, item in enumerate(value)]
    if is_envelope(value):
        return [
            Part(f"/docs/{index}", "document", item) for index, item in enumerate(value["docs"])
        ]
    if kind == "document" or is_document(value):
        return [Part("", "document", value)]
    return [Part("", "data", value)]


def kind_hint(part: Part) -> str | None:
    """Whether a document looks as if it were of another kind than it is checked as."""
    value = part.value
    if is_record(value):
        return "this looks like a record of the widgets list, which carries no data"
    if part.kind == "document":
        is_bare = type(value) is dict and "data" not in value
        return "if this is bare data, check it with --as data" if is_bare else None
    if is_document(value) or (type(value) is dict and value.keys() == {"data"}):
        return "this looks like a widget document: check it with --as document"
    if is_envelope(value) or (type(value) is list and _any_documents(value)):
        return "this looks like a list of widget documents: check it with --as document"
    return None


def is_document(value: Any) -> bool:
    """Whether a value looks like a widget document: `data`, and another record member."""
    return type(value) is dict and "data" in value and bool(RECORD_MEMBERS & value.keys())


def is_envelope(value: Any) -> bool:
    """Whether a value looks like the envelope of the widgets list."""
    if type(value) is not dict or type(value.get("docs")) is not list:
        return False
    return bool(_ENVELOPE_MEMBERS & value.keys()) or _any_documents(value["docs"])


def _any_documents(values: list[Any]) -> bool:
    """Whether one looks like a document: then the others are meant to be documents, too."""
    return any(is_document(value) or is_record(value) for value in values)
