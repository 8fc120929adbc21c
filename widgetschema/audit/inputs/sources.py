"""The values of reading large and remote sources; all of them pickle.

A file becomes a `Source`, which says how it is read. A source is read as texts, each with its
place, or, where there are millions, as `Block`s of lines, or of the rows of a table.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from widgetschema.project.inputs.formats import AskedFraming, Compression, Layout

if TYPE_CHECKING:
    from widgetschema.audit.inputs.cutting.window import Cut


class RemoteFile(NamedTuple):
    """A file at an address: a file of this machine if `is_local`, else what `fsspec` opens.

    `stamp` changes whenever the content may have changed.
    """

    address: str
    size: int | None = None
    stamp: str = ""
    is_local: bool = False


class Table(NamedTuple):
    """The columns of a table that are read: with the data, the type, the id, the date, and more.

    Where `data` is `*`, the rows are the records, and no other column is named. If it is `nested`,
    members that are null are taken for absent ones. Of a database, `relation` is what `FROM` names,
    and `key` what the ranges of rows are of, as SQL.
    """

    data: str
    type: str | None = None
    id: str | None = None
    date: str | None = None
    more: tuple[str, ...] = ()
    nested: bool = False
    relation: str = ""
    key: str | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns, each once."""
        every = (self.data, self.type, self.id, self.date, *self.more)
        return [*dict.fromkeys(name for name in every if name is not None)]

    def columns(
        self, cells: Callable[[str], Sequence[Any]], some: Callable[[str], Sequence[Any]]
    ) -> RowColumns:
        """Return the cells of some rows beside the data.

        `cells` returns those of a column that are all looked at, `some` those of one of which most
        are not: the ids and dates of valid rows.
        """
        types = None if self.type is None else cells(self.type)
        ids, dates = (None if name is None else some(name) for name in (self.id, self.date))
        return RowColumns(types, ids, dates, [(name, cells(name)) for name in self.more])


class Source(NamedTuple):
    """Something that is read: a file, an object in a store, standard input.

    `name` is what people see (`-` is standard input), `address` a path or an address that `fsspec`
    knows. `size` is in bytes as stored, None if unknown. `layout` says whether each line is a JSON
    text, or the whole is one, unless its first lines turn out to be values; or which kind of table
    it is, whose columns are then in `table`. `stamp` changes whenever the content may have changed.
    `framing` is the one that was asked for; without it, the first bytes decide.
    A database is read from the `snapshot` of this name, if there is one. `type_id` is the type that
    the configuration gives its records which name none.
    """

    name: str
    address: str
    size: int | None = None
    layout: Layout = "lines"
    compression: Compression = ""
    stamp: str = ""
    table: Table | None = None
    snapshot: str = ""
    framing: AskedFraming | None = None
    type_id: str | None = None

    @property
    def is_local(self) -> bool:
        """True if it is a file of this machine, perhaps of a shared disk."""
        return self.name != "-" and "://" not in self.address


class Span(NamedTuple):
    """A part of a source: the lines that begin in `start` ≤ offset < `end`, in bytes as stored.

    `source` is an index into a list of sources. `end` is None for all the rest. A line that begins
    before `end` belongs to the span, to its end. Of a table, the numbers are those of its parts,
    such as the row groups of Parquet, and `size` is how many bytes these are, about. `keys` are the
    values of its key that the rows are above, and not above; None where there is no such border.
    """

    source: int
    start: int = 0
    end: int | None = None
    size: int | None = None
    keys: tuple[Any, Any] | None = None


def stored_size(span: Span, sources: Sequence[Source]) -> int | None:
    """Return the bytes of a span as stored; None if unknown."""
    if span.size is not None:
        return span.size
    end = sources[span.source].size if span.end is None else span.end
    return None if end is None else max(0, end - span.start)


class RowColumns(NamedTuple):
    """The types, ids and dates of some rows, as values of JSON; None for a column not there.

    `more` are other columns that are asked for, with their names.
    """

    types: Sequence[Any] | None = None
    ids: Sequence[Any] | None = None
    dates: Sequence[Any] | None = None
    more: Sequence[tuple[str, Sequence[Any]]] = ()

    def chosen(self, indices: Sequence[int]) -> RowColumns:
        """Return those of some rows."""
        types, ids, dates = (
            None if cells is None else [cells[index] for index in indices] for cells in self[:3]
        )
        more = [(name, [cells[index] for index in indices]) for name, cells in self.more]
        return RowColumns(types, ids, dates, more)


class Block(NamedTuple):
    """Some lines of a span, without their ends; blank ones are among them, though no records.

    A source that is one text is the only line of a block that `is_whole`. `first` is the number of
    `lines[0]`, from 1 at the beginning of the span. If `oversize` is given, `lines` is empty and
    one line of (at least) so many bytes was skipped. `stored` is the number of bytes that were read
    for it, as they are stored (compressed, if they are). The lines of a table are the data of its
    rows, which may be of several lines, and none is left out if it is blank; `columns` are their
    other cells. If one row was `refused`, with this reason, `lines` is empty. Texts that are
    not lines have their places in `cut`. `notes` are what was noticed about the source here, by the
    names of a summary.
    """

    lines: list[bytes]
    first: int
    oversize: int | None = None
    stored: int = 0
    is_whole: bool = False
    columns: RowColumns | None = None
    refused: str | None = None
    cut: Cut | None = None
    notes: tuple[str, ...] = ()

    @property
    def number_of_lines(self) -> int:
        """The number of lines that end in it, or, of a source that is one text, one."""
        if self.cut is not None:
            return self.cut.newlines
        return 0 if self.notes else len(self.lines) or 1


def blocks_within(
    lines: list[bytes],
    first: int,
    max_bytes: int,
    stored: int,
    columns: RowColumns | None = None,
) -> Iterator[Block]:
    """Yield lines, or rows, as blocks; one of more than `max_bytes` is a block of its own."""
    begin = 0
    for index, line in enumerate(lines):
        if len(line) > max_bytes:
            if begin < index:
                part = None if columns is None else columns.chosen(range(begin, index))
                yield Block(lines[begin:index], first + begin, columns=part)
            yield Block([], first + index, len(line), stored)
            stored, begin = 0, index + 1
    if begin < len(lines):
        if begin and columns is not None:
            columns = columns.chosen(range(begin, len(lines)))
        yield Block(lines[begin:], first + begin, None, stored, columns=columns)


def not_a_file(status: os.stat_result) -> str | None:
    """Return the kind of something that is not a regular file, with advice; else None."""
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
