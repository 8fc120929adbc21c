"""What is read: sources, and the parts of them that are read at a time; values that pickle."""

from __future__ import annotations

from typing import Literal, NamedTuple

Compression = Literal["", "gzip", "zstd"]
Layout = Literal["lines", "whole"]


class Source(NamedTuple):
    """Something that is read: a file, an object in a store, standard input.

    `name` is what people see (`-` is standard input), `address` a path or an address that `fsspec`
    knows. `size` is in bytes as stored, None where nobody knows. `layout` says whether each line
    is a JSON text, or the whole is one, unless its first lines turn out to be values.
    `stamp` changes whenever the content may have changed.
    """

    name: str
    address: str
    size: int | None = None
    layout: Layout = "lines"
    compression: Compression = ""
    stamp: str = ""


class Span(NamedTuple):
    """A part of a source: the lines that begin in `start` ≤ offset < `end`, in bytes as stored.

    `source` is an index into the sources of the plan. `end` is None for all the rest. A line that
    begins before `end` belongs to the span, to its end.
    """

    source: int
    start: int = 0
    end: int | None = None
