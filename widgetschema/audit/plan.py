"""What is asked for, of which sources, in which partitions: values that travel to workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog

Compression = Literal["", "gzip", "zstd"]
Layout = Literal["lines", "whole"]


class Settings(NamedTuple):
    """What is asked of each record.

    `type_id` is the type of all records, where it is given; else each says its own in the member
    `type_member`. `kind` is "data", "document" or "auto", as for a file that is validated.
    `id_member` names a record in reports, `date_member` says when it was changed. `examples` are
    kept of each mistake. `findings` and `ids` say whether these are asked for.
    """

    type_id: str | None = None
    type_member: str = "type"
    kind: str = "auto"
    id_member: str = "id"
    date_member: str = "updated"
    examples: int = 3
    findings: bool = False
    ids: bool = False


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


class Plan(NamedTuple):
    """A whole audit. `partitions` are in the order of the sources; each is a task of its own.

    `older` is the catalog that records must have been valid by before, for `--against`. Pickles.
    """

    settings: Settings
    catalog: Catalog
    sources: tuple[Source, ...]
    partitions: tuple[tuple[Span, ...], ...]
    older: Catalog | None = None
    max_bytes: int = 64 * 1024 * 1024
