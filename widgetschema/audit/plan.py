"""The plan of an audit: what is asked for, of which sources, in which partitions.

Plans are values that can be sent to another process or another machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.audit.inputs.inspection import Inspected, find_inputs, inspect
from widgetschema.audit.inputs.opening import failure
from widgetschema.audit.inputs.sources import RemoteFile, Source, Span
from widgetschema.audit.inputs.tables.model import DATABASE_LAYOUTS, ColumnNames, NoColumn
from widgetschema.audit.sampling import Sample
from widgetschema.pointers import not_to_member, parse_pointer
from widgetschema.project.checking.checker import TYPE_POINTER
from widgetschema.project.checking.results import Problem
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.formats import AskedFraming, Layout
from widgetschema.project.inputs.model import File, SourceFailed

if TYPE_CHECKING:
    from widgetschema.catalog.catalog import Catalog
    from widgetschema.evolution.migrate import Migration

PARTITION: Final = 16 * 1024 * 1024
_MOST_POINTERS: Final = 8  # by whose values records are counted
_PARTS: Final = (
    4  # a large source is cut into a multiple, so that two or four processes end at once …
)
_LEAST_PART: Final = 1024 * 1024  # … if no part is smaller than this
_PER_FILE: Final = 4 * 1024  # bytes that opening a file costs as much as
_PER_ADDRESS: Final = 256 * 1024
_GROWTH: Final = 8  # times that JSON is larger than what it is compressed to
_COLUMNS: Final = ColumnNames()


class Settings(NamedTuple):
    """The options that apply to each record.

    `at` is the JSON Pointer, in the value of a text, of what counts as the record. `type_id` is the
    type of all records, where it is given; else each says its own. Where that is, where the data
    is, the id that names a record in reports, and the date of its last change, say JSON Pointers
    into the record. Without `data_pointer`, that is as `kind` says: "data", "document" or "auto",
    as for a file that is validated. With `decode_strings`, data that is text is read as JSON.
    `examples` are kept of each mistake. `findings`, `ids` and `quarantine` say whether these are
    asked for. `by` are JSON Pointers into the record, too: records are counted by their values
    there. Only the records of the `sample` are checked, if there is one. With `dates`, all records
    are counted by date, not only invalid ones.
    """

    type_id: str | None = None
    type_pointer: str = TYPE_POINTER
    kind: str = "auto"
    data_pointer: str | None = None
    at: str = ""
    decode_strings: bool = False
    id_pointer: str = "/id"
    date_pointer: str = "/updated"
    examples: int = 3
    findings: bool = False
    ids: bool = False
    quarantine: bool = False
    by: tuple[str, ...] = ()
    sample: Sample | None = None

    @property
    def has_documents(self) -> bool:
        """True if a record is more than its data, whatever the type of the record is."""
        return self.kind == "document" or self.data_pointer is not None or bool(self.at)

    @property
    def knows_types(self) -> bool:
        """True if the types of the rows of a table are not in a column."""
        return self.type_id is not None or self.has_documents

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the names of fields that are no JSON Pointers to members, with the reasons."""
        for name in ("type_pointer", "data_pointer", "at", "id_pointer", "date_pointer"):
            pointer = getattr(self, name)
            if pointer is not None and (pointer or name != "at"):
                problem = not_to_member(pointer)
                if problem is not None:
                    yield name, problem
        for problem in filter(None, map(not_to_member, self.by)):
            yield "by", problem
        if len({*self.by}) < len(self.by):
            yield "by", "the same pointer is given twice"
        if len(self.by) > _MOST_POINTERS:
            yield "by", f"at most {_MOST_POINTERS} pointers"

    def columns(self, asked: ColumnNames) -> ColumnNames:
        """Return the columns to read of tables: by default, those with the names of the members."""
        default_type, default_id, default_date = (
            tokens[0] if len(tokens := parse_pointer(pointer)) == 1 else None
            for pointer in (self.type_pointer, self.id_pointer, self.date_pointer)
        )
        return asked._replace(
            default_type=None if self.knows_types else default_type,
            default_id=default_id,
            default_date=default_date,
            more=tuple(parse_pointer(pointer)[0] for pointer in self.by),
            has_type=self.type_id is not None and not self.has_documents,
        )


def without_input(asked: ColumnNames, sources: Sequence[Source]) -> tuple[str, str] | None:
    """Return the first column, or choice of a database, that no source can have, and why.

    Its name is that of the parameter of `audit`. None if there is none, or no source at all.
    """
    databases = [one for one in sources if one.layout in DATABASE_LAYOUTS]
    tables = [one for one in sources if one.table is not None]
    for found, kind, given in (
        (databases, "databases", {"table": asked.table, "query": asked.query, "key": asked.key}),
        (
            tables,
            "tables",
            {"data_column": asked.data, "type_column": asked.type, "id_column": asked.id},
        ),
    ):
        name = next((name for name, value in given.items() if value is not None), None)
        if name is not None and sources and not found:
            return name, f"is for {kind}, and no input is one"
    return None


class Plan(NamedTuple):
    """A whole audit. `partitions` are in the order of the sources; each is a task of its own.

    `older` is the catalog that records must have been valid by before, for `--against`. With a
    `migration`, the records are checked as they are after it, and the results have what is to be
    written. Pickles.
    """

    settings: Settings
    catalog: Catalog
    sources: tuple[Source, ...]
    partitions: tuple[tuple[Span, ...], ...]
    older: Catalog | None = None
    max_bytes: int = 64 * 1024 * 1024
    migration: Migration | None = None

    def portable(self) -> Plan:
        """Return the same plan for other machines, which have neither its folders nor a login.

        Each type is linked, and becomes part of the plan; local paths are absolute. Types are those
        that the catalog lists; one that only a request to the platform would know of is unknown
        there, unless it is the type of all records. Raises what a catalog raises that cannot say
        which types it has.
        """
        from widgetschema.catalog.portable import portable_catalog  # most plans stay here

        wanted = None if self.settings.type_id is None else [self.settings.type_id]
        return self._replace(
            catalog=portable_catalog(self.catalog, wanted),
            older=None if self.older is None else portable_catalog(self.older, wanted),
            sources=tuple(
                one._replace(address=os.path.abspath(one.address)) if one.is_local else one
                for one in self.sources
            ),
        )


def plan_sources(
    inputs: Sequence[str],
    *,
    partition_bytes: int = PARTITION,
    search: Search | None = None,
    must_read: bool = False,
    columns: ColumnNames = _COLUMNS,
    type_for: Callable[[str], str | None] = lambda _: None,
    framing_of: Callable[[str | None], AskedFraming | None] = lambda _: None,
) -> tuple[list[Source], list[tuple[Span, ...]], list[Problem]]:
    """Return the sources that inputs stand for, each once, in order; partitions; problems.

    An input is the name of a file, a folder, a glob, `-` or an address. `search` says what is
    passed over unless it is named. Large sources of lines are cut into spans of
    `partition_bytes`, small ones are put together. Files in folders whose names do not say that
    they are JSON are opened: what begins as JSON is a source, and so is a table with the right
    `columns`; the others are problems, with the exit code 0, or 3 if `must_read`. Raises
    `MissingExtra` for addresses without the extra `audit`.

    `type_for` returns the type of the records of a file that name none, `framing_of` the framing of
    a source with that type, if one was asked for.
    """
    sources: list[Source] = []
    problems: list[Problem] = []
    partitions = _Partitions(partition_bytes)
    known: set[str] = set()  # addresses
    others: list[File | RemoteFile] = []

    def add(inspected: Inspected) -> None:
        source, in_parts = inspected.source, inspected.in_parts
        if source.is_local:
            source = source._replace(type_id=type_for(source.name))
        framing = framing_of(source.type_id)
        if framing is not None and source.table is None:
            layout: Layout = "lines" if framing == "lines" else "whole"
            layout = source.layout if framing == "uncut" else layout
            in_parts = in_parts and layout == "lines"
            source = source._replace(layout=layout, framing=framing)
        if source.address not in known:
            known.add(source.address)
            partitions.add(len(sources), inspected._replace(source=source, in_parts=in_parts))
            sources.append(source)

    for found in find_inputs(inputs, search or Search(), others.append):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        try:
            add(inspect(found, partition_bytes, columns))
        except (SourceFailed, OSError, ValueError) as error:
            code = error.code if isinstance(error, SourceFailed) else SourceFailed.code
            problems.append(Problem(_name(found), failure(error), code))
    for name, found in {_name(other): other for other in others}.items():
        if _is_link(found) and _holds_any(_real(_address(found)), known):
            continue
        try:
            add(inspect(found, partition_bytes, columns, must_be_data=True))
        except (SourceFailed, OSError, ValueError) as error:
            if _address(found) not in known:
                is_needed = must_read or isinstance(error, NoColumn)
                code = SourceFailed.code if is_needed else 0
                problems.append(Problem(name, f"not read: {failure(error)}", code))
    return sources, partitions.all(), problems


def _name(found: File | RemoteFile) -> str:
    if isinstance(found, File):
        return found.name
    from widgetschema.audit.inputs.addresses import without_secrets

    return without_secrets(found.address)


def _is_link(found: File | RemoteFile) -> bool:
    return isinstance(found, File) and os.path.islink(found.name)


def _holds_any(real: str, known: Iterable[str]) -> bool:
    """Return whether a file, or anything in a folder, is among these addresses."""
    below = os.path.join(real, "")
    return any(one == real or one.startswith(below) for one in map(_real, known))


def _real(address: str) -> str:
    return address if "://" in address else os.path.realpath(address)


def _address(found: File | RemoteFile) -> str:
    return os.path.abspath(found.name) if isinstance(found, File) else found.address


class _Partitions:
    """Spans put together, in order, so that each partition is about as much work."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._done: list[tuple[Span, ...]] = []
        self._open: list[Span] = []
        self._weight = 0

    def add(self, number: int, inspected: Inspected) -> None:
        """Add all of a source, the one with this number."""
        source, in_parts, parts = inspected
        size = source.size
        spans = [span._replace(source=number) for span in parts]
        if in_parts and spans:
            self._close()
            self._done += [(span,) for span in spans]
            return
        if in_parts and size is not None:
            self._close()
            count = -(-size // self._most)
            if size >= _PARTS * _LEAST_PART:
                count += -count % _PARTS
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
        whole = Span(number, 0, None if is_far or source.compression else size)
        self._open += spans or [whole]
        self._weight += weight

    def all(self) -> list[tuple[Span, ...]]:
        """Return all partitions."""
        self._close()
        return self._done

    def _close(self) -> None:
        if self._open:
            self._done.append(tuple(self._open))
        self._open, self._weight = [], 0
