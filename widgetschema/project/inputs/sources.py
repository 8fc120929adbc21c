"""The values of reading large and remote sources; all of them pickle.

A file becomes a `Source`, which says how it is read. A source is read as texts, each with its
place, or, where there are millions, as `Block`s of lines. A new kind of source (YAML, Parquet, a
database) has to yield one of these.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple, Protocol

from widgetschema.project.inputs.formats import Compression, Layout


class RemoteFile(NamedTuple):
    """A file at an address: a file of this machine if `is_local`, else what `fsspec` opens.

    `stamp` changes whenever the content may have changed.
    """

    address: str
    size: int | None = None
    stamp: str = ""
    is_local: bool = False


class Source(NamedTuple):
    """Something that is read: a file, an object in a store, standard input.

    `name` is what people see (`-` is standard input), `address` a path or an address that `fsspec`
    knows. `size` is in bytes as stored, None if unknown. `layout` says whether each line is a JSON
    text, or the whole is one, unless its first lines turn out to be values. `stamp` changes
    whenever the content may have changed.
    """

    name: str
    address: str
    size: int | None = None
    layout: Layout = "lines"
    compression: Compression = ""
    stamp: str = ""


class Span(NamedTuple):
    """A part of a source: the lines that begin in `start` ≤ offset < `end`, in bytes as stored.

    `source` is an index into a list of sources. `end` is None for all the rest. A line that begins
    before `end` belongs to the span, to its end.
    """

    source: int
    start: int = 0
    end: int | None = None


class Block(NamedTuple):
    """Some lines of a span, without their ends; blank ones are among them, though no records.

    A source that is one text is the only line of a block that `is_whole`. `first` is the number of
    `lines[0]`, from 1 at the beginning of the span. If `oversize` is given, `lines` is empty and
    one line of (at least) so many bytes was skipped. `stored` is the number of bytes that were read
    for it, as they are stored (compressed, if they are).
    """

    lines: list[bytes]
    first: int
    oversize: int | None = None
    stored: int = 0
    is_whole: bool = False


class ByteStream(Protocol):
    """A source as it is stored."""

    def read(self, size: int, /) -> bytes:
        """Read at most so many bytes; none at the end."""

    def seek(self, offset: int, /) -> object:
        """Continue reading there."""

    def close(self) -> None:
        """Close it."""


def not_a_file(status: os.stat_result) -> str | None:
    """Return what something is that is not a regular file, and what to do; else None."""
    if stat.S_ISREG(status.st_mode):
        return None
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder, not a file"
    if stat.S_ISFIFO(status.st_mode):
        return "it is a pipe, which can be read only once: give it as standard input, `-`"
    return "it is a device or a socket, not a file: save what it says to a file first"


def stamp_of(status: os.stat_result) -> str:
    """Return the stamp of a regular file."""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"
