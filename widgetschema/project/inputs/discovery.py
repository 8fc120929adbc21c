"""From names to texts: files, folders, globs and standard input, read one after another.

Whatever cannot be read becomes a `Problem` in its place; nothing here stops a run.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, Final, NamedTuple, cast

from widgetschema.files import without_waiting
from widgetschema.project.checking.artifacts import HEAD, artifact_kind, why_passed_over
from widgetschema.project.checking.results import Problem, reason
from widgetschema.text import printable

SUFFIXES: Final = (".json", ".ndjson", ".jsonl")
PACKED: Final = (".gz",)
_LINES: Final = (".ndjson", ".jsonl")
_GZIP: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"
_BLANK: Final = re.compile(rb"[ \t\r\n]*")
_BEGINS: Final = b'{["-0123456789tfn'  # what a JSON value begins with
_SCHEMAS: Final = "schemas"  # a folder of this name with a manifest in it holds no data
_UNREADABLE: Final = 3
NOT_REGULAR: Final = "not a regular file (to read a pipe, use: - < PIPE)"
_PER_FILE: Final = 4 * 1024  # bytes that opening a file costs as much as
_MOST_FILES: Final = 64 * 1024  # bytes that most files have less of


class Text(NamedTuple):
    """One JSON text: a whole file, or one line of one; then `line` is its number, from 1."""

    file: str
    raw: bytes
    line: int | None = None

    @property
    def line_offset(self) -> int:
        """How many lines of the file are before the text."""
        return (self.line or 1) - 1


class PassedOver(NamedTuple):
    """A file that is not data, since this package wrote it; `kind` says what it is."""

    file: str
    kind: str

    def __str__(self) -> str:
        return f"{printable(self.file)}: {why_passed_over(self.kind)}"


class File(NamedTuple):
    """A file to check, and what the system says of it, if it is a plain one."""

    name: str
    status: os.stat_result | None = None

    @property
    def size(self) -> int:
        """How much work it is, in bytes."""
        return _PER_FILE + (0 if self.status is None else self.status.st_size)


def find_files(
    paths: Iterable[str],
    schemas: str | None = None,
    excludes: Callable[[str], bool] = lambda path: False,
) -> list[File | Problem]:
    """The files that paths mean (names, folders, globs, `-`), each once, in their order.

    A pipe, a device or a socket is a problem where it is found, or has the name of a data file. One
    that is named otherwise, such as /dev/stdin or <(command), is read. `schemas` is a folder that
    holds no data, wherever it is found; `excludes` says which files are passed over unless they are
    named one by one.
    """
    return [*each_file(paths, schemas, excludes)]


def each_file(
    paths: Iterable[str],
    schemas: str | None = None,
    excludes: Callable[[str], bool] = lambda path: False,
    packed: Sequence[str] = PACKED,
    others: Callable[[str], None] | None = None,
) -> Iterator[File | Problem]:
    """As `find_files`, one after another. `packed` are the endings of what is compressed.

    `others` is told of the files in folders whose names do not say that they are JSON, and of links
    to other folders, which are not followed; whoever wants to know of these says what becomes of a
    folder that has nothing else.
    """
    search = _Search(schemas, excludes, packed, others)
    return _once(found for path in paths for found in _expand(path, search))


class _Search(NamedTuple):
    """What is looked for in folders: the arguments of `each_file`."""

    schemas: str | None
    excludes: Callable[[str], bool]
    packed: Sequence[str]
    others: Callable[[str], None] | None


def described(names: Iterable[str]) -> list[File | Problem]:
    """Files with what the system says of them; each once, whatever names it was given."""
    return [*_once(_found(name, _status(name)) for name in names)]


def is_data_name(name: str, packed: Sequence[str] = PACKED) -> bool:
    """Whether a file has the name of a data file."""
    return unpacked_name(name, packed).endswith(SUFFIXES)


def unpacked_name(name: str, packed: Sequence[str] = PACKED) -> str:
    """The name of a file in small letters, without the ending of what is compressed."""
    lower = name.lower()
    for end in packed:
        if lower.endswith(end):
            return lower.removesuffix(end)
    return lower


def _once(files: Iterable[tuple[str, os.stat_result | None] | Problem]) -> Iterator[File | Problem]:
    met: dict[tuple[int, int], str] = {}
    places: set[str] = set()  # real paths, only of files that have several names: they cost time
    for file in files:
        if isinstance(file, Problem):
            yield file
            continue
        name, status = file
        number = (0, 0) if status is None else (status.st_dev, status.st_ino)
        if number in met:
            places.add(os.path.realpath(met[number]))
            place = os.path.realpath(name)
            if place in places:
                continue
            places.add(place)
        met[number] = name
        plain = status is not None and stat.S_ISREG(status.st_mode)
        yield File(name, status if plain else None)


def _status(name: str) -> os.stat_result | None:
    """What the system says of a file; None if nothing: opening it will say why."""
    try:
        return None if name == "-" else os.stat(name)
    except (OSError, ValueError):
        return None


def _found(name: str, status: os.stat_result | None) -> tuple[str, os.stat_result | None] | Problem:
    """A file that was found, not named; a pipe or a device is a problem, since it may never end."""
    mode = 0 if status is None else status.st_mode
    if mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return Problem(name, NOT_REGULAR, _UNREADABLE)
    return name, status


def is_lines(file: str) -> bool:
    """Whether a file holds one value a line, by its name."""
    return unpacked_name(file).endswith(_LINES)


def has_lines(file: str) -> bool:
    """Whether a file holds one value a line, by its name, or else by its first bytes."""
    if is_lines(file):
        return True
    with contextlib.suppress(OSError, EOFError, ValueError), _opened(file) as stream:
        return holds_lines(_plain(stream).read(_MOST_FILES), is_all=False) is True
    return False


def holds_lines(begin: bytes, *, is_all: bool) -> bool | None:
    """Whether a text that begins so holds one value a line, and is not one value.

    That is so if its first line is a value and another one begins behind it; blank lines do not
    count. None if more of the text has to be seen; `is_all` says that there is no more.
    """
    start = _content_from(begin, len(_BOM) if begin.startswith(_BOM) else 0)
    end = begin.find(b"\n", start)
    second = len(begin) if end < 0 else _content_from(begin, end)
    if second == len(begin):
        return False if is_all else None
    if begin[second] not in _BEGINS:
        return False
    import orjson  # who asks is about to read JSON

    try:
        orjson.loads(begin[start:end])
    except orjson.JSONDecodeError:
        return False
    return True


def _content_from(text: bytes, start: int) -> int:
    """Where the first byte is that is not blank, or the end."""
    match = _BLANK.match(text, start)
    return start if match is None else match.end()


def _expand(path: str, search: _Search) -> Iterator[tuple[str, os.stat_result | None] | Problem]:
    status = _status(path)
    if status is not None and stat.S_ISDIR(status.st_mode):
        is_empty = True

        def other(file: str) -> None:
            nonlocal is_empty
            if search.others is not None:
                is_empty = False
                search.others(file)

        for found in _walk(path, search._replace(others=other)):  # may be a million
            is_empty = False
            yield found
        if is_empty:
            yield Problem(path, "there is no JSON file in this folder", _UNREADABLE)
    elif status is None and any(map(path.__contains__, "*?[")) and not os.path.lexists(path):
        yield from _matching(path, search)
    else:
        yield _found(path, status) if is_data_name(path, search.packed) else (path, status)


def _matching(
    pattern: str, search: _Search
) -> Iterator[tuple[str, os.stat_result | None] | Problem]:
    import glob  # most arguments are plain names

    found: list[tuple[str, os.stat_result | None] | Problem] = []
    any_folder = False
    for match in sorted(glob.glob(pattern, recursive=True)):
        if os.path.isdir(match):
            any_folder = True
            found += _walk(match, search)
        elif not search.excludes(match):
            found.append(_found(match, _status(match)))
    if found or (search.others is not None and any_folder):
        yield from found
        return
    yield from [Problem(pattern, "no file matches this pattern", _UNREADABLE)]


def _walk(folder: str, search: _Search) -> Iterator[tuple[str, os.stat_result | None] | Problem]:
    """The JSON files below a folder; hidden folders and stores of schemas are left out."""
    errors: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if search.others is not None:
            for inner in (os.path.join(root, name) for name in folders):
                if _leads_out(inner, folder) and not search.excludes(inner):
                    search.others(inner)
        if _holds_schemas(root, files, search.schemas):
            folders.clear()
            if root == folder:
                yield Problem(folder, "this folder holds schemas, which are no data", _UNREADABLE)
            continue
        for name in sorted(files):
            file = os.path.join(root, name)
            if name.startswith("."):
                continue
            if is_data_name(name, search.packed):
                if not search.excludes(file):
                    yield _found(file, _status(file))
            elif search.others is not None and not search.excludes(file):
                search.others(file)
    for error in errors:
        yield Problem(error.filename, reason(error), _UNREADABLE)


def _leads_out(path: str, folder: str) -> bool:
    """Whether a path is a link, which is not followed, to what is not below the folder anyway."""
    if not os.path.islink(path):
        return False
    real, top = os.path.realpath(path), os.path.realpath(folder)
    return real != top and not real.startswith(os.path.join(top, ""))


def _holds_schemas(folder: str, files: list[str], schemas: str | None) -> bool:
    if schemas is not None and os.path.realpath(folder) == os.path.realpath(schemas):
        return True
    if os.path.basename(os.path.realpath(folder)) != _SCHEMAS:
        return False
    from widgetschema.catalog.store import MANIFEST  # few folders are called so

    return MANIFEST in files


def read_texts(name: str, max_bytes: int) -> Iterator[Text | Problem | PassedOver | None]:
    """The texts of one file: None when it is open; if it cannot be read on, a problem."""
    try:
        with _opened(name) as stream:
            kind = None if name == "-" else artifact_kind(stream.peek(HEAD)[:HEAD])
            if kind is not None:
                yield PassedOver(name, kind)
                return
            yield None
            yield from texts_of(name, stream, max_bytes)
    except (OSError, EOFError, ValueError) as error:
        yield unreadable(name, error)


def unreadable(name: str, error: Exception) -> Problem:
    """The problem of a file that cannot be read, or no further."""
    is_gzip = isinstance(error, EOFError) or (
        isinstance(error, OSError) and error.errno is None and not isinstance(error, _Closed)
    )
    about = "not a readable gzip file: " if is_gzip else ""
    return Problem(name, f"{about}{reason(error)}", _UNREADABLE)


class _Closed(OSError):
    """There is no standard input."""


def _opened(name: str) -> contextlib.AbstractContextManager[io.BufferedReader]:
    if name != "-":
        return open(name, "rb")
    if sys.stdin is None:
        raise _Closed("standard input is closed")
    return contextlib.nullcontext(cast("io.BufferedReader", sys.stdin.buffer))


def texts_of(name: str, file: io.BufferedReader, max_bytes: int) -> Iterator[Text]:
    """The texts of one open file: unpacked if it is gzip, line by line if it is NDJSON.

    It is by its name, or by its first lines. Raises `OSError` and `EOFError`.
    """
    stream = _plain(file)
    if name == "-":
        yield from _detected(name, stream, max_bytes)
    elif is_lines(name):
        yield from _lines(name, stream, max_bytes, 0)
    else:
        begin, are_lines = _begin(stream, max_bytes + 1)
        if are_lines:
            both = io.BufferedReader(_Joined(begin, stream))
            yield from _lines(name, both, max_bytes, 0)
        else:
            if len(begin) >= _MOST_FILES:  # else that is all: no room is made for more
                begin += stream.read(max_bytes + 1 - len(begin))
            yield Text(name, begin)


def _plain(file: io.BufferedReader) -> IO[bytes]:
    return _unpacked(file) if file.peek(2)[:2] == _GZIP else file


def _begin(stream: IO[bytes], most: int) -> tuple[bytes, bool]:
    """How a text begins, up to so many bytes, and whether it holds one value a line."""
    begin = b""
    while True:
        wanted = min(most, max(_MOST_FILES, 2 * len(begin))) - len(begin)
        more = stream.read(wanted)
        begin += more
        are_lines = holds_lines(begin, is_all=len(more) < wanted or len(begin) == most)
        if are_lines is not None:
            return begin, are_lines


class _Joined(io.RawIOBase):
    """What was read of a stream already, and the rest of it."""

    def __init__(self, begin: bytes, stream: IO[bytes]) -> None:
        self._begin = io.BytesIO(begin)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        chunk = self._begin.read(len(buffer)) or self._stream.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)


def read_whole(name: str, most: int) -> tuple[os.stat_result, bytes] | None:
    """What the system says of a plain file, and its content; None if that is larger than `most`.

    Without a stream around it, since most of the time goes into opening files. Raises `OSError`.
    """
    file = without_waiting(name, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(file)
        if status.st_size > most or not stat.S_ISREG(status.st_mode):
            return None
        raw = os.read(file, status.st_size + 1)
        while 0 < len(raw) < status.st_size and (more := os.read(file, status.st_size)):
            raw += more
    finally:
        os.close(file)
    return (status, raw) if len(raw) == status.st_size else None  # somebody is writing to it


def texts_in(name: str, raw: bytes, max_bytes: int) -> Iterator[Text]:
    """The texts of a file whose content is known. Raises as `texts_of`."""
    if is_lines(name) or raw[:2] == _GZIP or holds_lines(raw, is_all=True):
        yield from texts_of(name, io.BufferedReader(io.BytesIO(raw)), max_bytes)
    else:
        yield Text(name, raw[: max_bytes + 1])


def _unpacked(file: io.BufferedReader) -> IO[bytes]:
    import gzip  # few files are
    import zlib

    class Unpacked(gzip.GzipFile):
        """What is no gzip is an `OSError`, whoever notices."""

        def read(self, size: int | None = -1) -> bytes:
            with _damage(zlib.error):
                return super().read(size)

        def readline(self, size: int | None = -1) -> bytes:
            with _damage(zlib.error):
                return super().readline(size)

    return cast("IO[bytes]", Unpacked(fileobj=file))


@contextlib.contextmanager
def _damage(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kind as error:
        raise OSError(str(error)) from None


def _detected(name: str, stream: IO[bytes], max_bytes: int) -> Iterator[Text]:
    """Standard input has no name: a first line that is a whole value means NDJSON."""
    import orjson  # most input is files

    most = max_bytes + 1
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
    yield from _lines(name, stream, max_bytes, number + 1)


def _lines(name: str, stream: IO[bytes], max_bytes: int, number: int) -> Iterator[Text]:
    """The lines of NDJSON after line `number`; blank ones are passed over.

    Of a line that is too long only so much is kept that it can be seen to be.
    """
    most = max_bytes + 1
    while line := stream.readline(most):
        number += 1
        if not line.isspace():
            yield Text(name, line.rstrip(b"\r\n"), number)
        while len(line) == most and not line.endswith(b"\n"):
            line = stream.readline(most)
