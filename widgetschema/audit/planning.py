"""From names, globs, folders and addresses to sources, and to partitions of them.

As little as possible is opened: most of what there is to know of a source, its name and the
system say. Whatever cannot be read becomes a `Problem`; nothing here stops a run.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple, cast

import orjson

from widgetschema.errors import MissingExtra
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.inputs.addresses import (
    PACKED,
    Entry,
    find_entries,
    head_at,
    is_address,
    shown,
    told,
)
from widgetschema.project.inputs.compression import (
    Damaged,
    compression_of,
    encoding_of,
    no_text,
    unpacked,
)
from widgetschema.project.inputs.discovery import File, each_file, holds_lines, unpacked_name
from widgetschema.project.inputs.reading import (
    SourceFailed,
    must_be_data,
    no_file,
    open_file,
    stamp_of,
)
from widgetschema.project.inputs.sources import Compression, Layout, Source, Span
from widgetschema.project.inputs.standard_input import StandardInput

PARTITION: Final = 16 * 1024 * 1024
_PER_FILE: Final = 4 * 1024  # bytes that opening a file costs as much as
_PER_ADDRESS: Final = 256 * 1024
_GROWTH: Final = 8  # times that JSON is larger than what it is compressed to
_HEAD: Final = 64 * 1024
_UNREADABLE: Final = 3
_NO_JSON: Final = "it does not begin as JSON"
_LINK: Final = "it is a link to a folder, and such links are not followed: name that folder, too"
_LINES: Final = (".ndjson", ".jsonl")
_BOM: Final = b"\xef\xbb\xbf"


class _Head(NamedTuple):
    """How a source begins, unpacked, and whether it can be read in parts."""

    compression: Compression
    begin: bytes
    in_parts: bool


def plan_sources(
    inputs: Sequence[str],
    *,
    partition_bytes: int = PARTITION,
    schemas: str | None = None,
    excludes: Callable[[str], bool] = lambda path: False,
    must_read: bool = False,
) -> tuple[list[Source], list[tuple[Span, ...]], list[Problem]]:
    """The sources that inputs mean, each once, in order; partitions of them; what is no source.

    An input is the name of a file, a folder, a glob, `-` or an address. `schemas` is a folder
    that holds no data; `excludes` says which files are passed over unless they are named. Large
    sources of lines are cut into spans of `partition_bytes`, small ones are put together. Files
    in folders whose names do not say that they are JSON are opened: what begins as JSON is a
    source; the rest is told as problems, with the exit code 0, or 3 if `must_read`. Raises
    `MissingExtra` for addresses without the extra `audit`.
    """
    sources: list[Source] = []
    problems: list[Problem] = []
    partitions = _Partitions(partition_bytes)
    met: set[str] = set()
    others: list[File | Entry] = []

    def add(source: Source, in_parts: bool) -> None:
        if source.address not in met:
            met.add(source.address)
            partitions.add(len(sources), source, in_parts)
            sources.append(source)

    for found in _found(inputs, schemas, excludes, others.append):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        try:
            add(*_source(found, partition_bytes))
        except (SourceFailed, OSError, ValueError) as error:
            code = error.code if isinstance(error, SourceFailed) else _UNREADABLE
            problems.append(Problem(_name(found), reason(error), code))
    for name, found in {_name(other): other for other in others}.items():
        if _is_link(found) and _is_met(_real(_address(found)), met):
            continue
        try:
            add(*_source(found, partition_bytes, must_be_json=True))
        except (SourceFailed, OSError, ValueError) as error:
            if _address(found) not in met:
                code = _UNREADABLE if must_read else 0
                problems.append(Problem(name, f"not read: {reason(error)}", code))
    return sources, partitions.all(), problems


def _found(
    inputs: Sequence[str],
    schemas: str | None,
    excludes: Callable[[str], bool],
    others: Callable[[File | Entry], None],
) -> Iterator[File | Entry | Problem]:
    """What inputs mean, in order; of a run of paths, each file once."""

    def other(name: str) -> None:
        others(File(name))

    for is_path, group in groupby(_meant(inputs, others), lambda one: isinstance(one, str)):
        if is_path:
            paths = cast("Iterator[str]", group)
            yield from each_file(paths, schemas, excludes, PACKED, other)
        else:
            yield from cast("Iterator[Entry | Problem]", group)


def _meant(
    inputs: Sequence[str], others: Callable[[File | Entry], None]
) -> Iterator[str | Entry | Problem]:
    """The paths of this machine among the inputs as they are, and what the addresses mean."""
    for name in inputs:
        if not is_address(name):
            yield name
            continue
        for entry in find_entries(name, others):
            yield entry.address if isinstance(entry, Entry) and entry.local else entry


def _name(found: File | Entry) -> str:
    return found.name if isinstance(found, File) else shown(found.address)


def _is_link(found: File | Entry) -> bool:
    return isinstance(found, File) and os.path.islink(found.name)


def _is_met(real: str, met: Iterable[str]) -> bool:
    """Whether a file, or anything in a folder, is among those that were met already."""
    below = os.path.join(real, "")
    return any(one == real or one.startswith(below) for one in map(_real, met))


def _real(address: str) -> str:
    return address if "://" in address else os.path.realpath(address)


def _address(found: File | Entry) -> str:
    return os.path.abspath(found.name) if isinstance(found, File) else found.address


def _source(
    found: File | Entry, partition_bytes: int, *, must_be_json: bool = False
) -> tuple[Source, bool]:
    """A source, and whether it may be cut; `must_be_json` as for `_looked_at`.

    Raises `SourceFailed`, `OSError`, `ValueError`.
    """
    if isinstance(found, File) and found.name == "-":
        head = _standard_input()
        layout = layout_of(head.begin) or "lines"
        return Source("-", "-", None, layout, head.compression), False
    if isinstance(found, File):
        status = os.stat(found.name) if found.status is None else found.status
        what = no_file(status)
        if must_be_json and stat.S_ISDIR(status.st_mode):
            what = _LINK
        if what is not None:
            raise SourceFailed(what)
        ours = found.name.startswith(("/dev/", "/proc/"))  # of this process, not of another
        address = os.path.realpath(found.name) if ours else os.path.abspath(found.name)
        source = Source(found.name, address, status.st_size, stamp=stamp_of(status))
        return _looked_at(source, found.name, partition_bytes, must_be_json)
    part = next(part for part in found.address.split("::") if "://" in part)
    source = Source(shown(found.address), found.address, found.size, stamp=found.stamp)
    return _looked_at(source, shown(part), partition_bytes, must_be_json)


def _looked_at(
    source: Source, plain: str, partition_bytes: int, must_be_json: bool
) -> tuple[Source, bool]:
    """The source with its layout and compression; it is opened only where its name says too little.

    `plain` is its name without what it is inside of. With `must_be_json`, raises `SourceFailed` for
    what does not begin as JSON.
    """
    ending = unpacked_name(plain, PACKED)
    layout: Layout | None = (
        "whole" if ending.endswith(".json") else "lines" if ending.endswith(_LINES) else None
    )
    is_large = source.size is None or source.size > partition_bytes
    is_cheap = "://" not in source.address
    if is_large or must_be_json or (layout is None and is_cheap):
        head = _head_of(source.address, source.size)
        why = _why_not_json(head) if must_be_json else None
        if why is not None:
            raise SourceFailed(why)
        if layout is None:
            layout = layout_of(head.begin) or "lines"
        elif layout == "whole" and holds_lines(head.begin, is_all=False):
            layout = "lines"
        if not head.compression:
            must_be_data(head.begin)
        found = source._replace(layout=layout, compression=head.compression)
        return found, is_large and layout == "lines" and head.in_parts and not head.compression
    compression: Compression = "" if ending == plain.lower() else "zstd"
    if plain.lower().endswith(".gz"):
        compression = "gzip"
    return source._replace(layout=layout or "lines", compression=compression), False


def _head_of(address: str, size: int | None) -> _Head:
    """How a source begins. Raises `SourceFailed` and `OSError`."""
    if "://" in address:
        try:
            return _head(*head_at(address, _HEAD, size))
        except Exception as error:  # what is behind an address raises whatever it likes
            raise SourceFailed(told(error)) from None
    with open_file(address) as file:
        return _head(file.read(_HEAD), True)


def _standard_input() -> _Head:
    """How standard input begins, as soon as there is a line; nothing of it is used up."""
    begin = StandardInput().begin(lambda stored: len(stored) >= _HEAD or _has_line(stored))
    return _head(begin, False)


def _has_line(stored: bytes) -> bool:
    return b"\n" in _head(stored, False).begin.removeprefix(_BOM).lstrip()


def _head(stored: bytes, in_parts: bool) -> _Head:
    compression = compression_of(stored)
    begin = stored
    if compression:
        try:
            begin = unpacked(compression, io.BytesIO(stored))(_HEAD)
        except (EOFError, Damaged, MissingExtra):  # reading will say so
            begin = b""
    is_text = encoding_of(begin) is None and no_text(begin) is None
    return _Head(compression, begin, in_parts and is_text)


def _why_not_json(head: _Head) -> str | None:
    """Why a text that begins so is passed over; None if it begins as an object or an array.

    What is packed and cannot be unpacked is not passed over: reading says what is wrong with it.
    """
    begin = head.begin
    if head.compression and not begin:
        return None
    what, encoding = no_text(begin), encoding_of(begin)
    if what is not None or encoding is not None:
        return f"it {what}" if what is not None else f"it is encoded in {encoding}, not UTF-8"
    first, newline, _ = begin.removeprefix(_BOM).lstrip().partition(b"\n")
    if not first:
        return "it is empty"
    if first[:1] not in b"{[":
        return _NO_JSON
    if not newline:
        is_cut = len(begin) >= _HEAD or head.compression  # what is packed comes piece by piece
        return None if is_cut or _is_json(first) else _NO_JSON
    return None if layout_of(begin) is not None else _NO_JSON


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True


def layout_of(begin: bytes) -> Layout | None:
    """Whether a text that begins so is one value over several lines; None if nobody can say yet.

    "lines" if the first line that is not blank is a value, "whole" if it is cut off before its
    end. Anything else is a line with a mistake.
    """
    first, newline, _ = begin.removeprefix(_BOM).lstrip().partition(b"\n")
    if not newline:
        return None
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError as error:
        is_cut = error.pos >= len(first.decode(errors="replace").rstrip())
        return "whole" if is_cut else None
    return "lines"


class _Partitions:
    """Spans put together, in order, so that each partition is about as much work."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._done: list[tuple[Span, ...]] = []
        self._open: list[Span] = []
        self._weight = 0

    def add(self, number: int, source: Source, in_parts: bool) -> None:
        """Adds all of a source, the one with this number."""
        size = source.size
        if in_parts and size is not None:
            self._close()
            count = -(-size // self._most)
            cuts = [size * index // count for index in range(count + 1)]
            self._done += [(Span(number, start, end),) for start, end in pairwise(cuts)]
            return
        if size is None:
            self._close()
            self._done.append((Span(number),))
            return
        is_far = "://" in source.address
        weight = size * (_GROWTH if source.compression else 1)
        weight += _PER_ADDRESS if is_far else _PER_FILE
        if self._weight + weight > self._most:
            self._close()
        self._open.append(Span(number, 0, None if is_far or source.compression else size))
        self._weight += weight

    def all(self) -> list[tuple[Span, ...]]:
        """All partitions."""
        self._close()
        return self._done

    def _close(self) -> None:
        if self._open:
            self._done.append(tuple(self._open))
        self._open, self._weight = [], 0
