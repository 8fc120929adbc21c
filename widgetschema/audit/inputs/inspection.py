"""From inputs (names, folders, globs, addresses, `-`) to sources: how each of them is to be read.

As little as possible is opened: a name and the system say most of what there is to know.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple, cast
from urllib.parse import unquote

from widgetschema.audit.inputs.opening import failure, open_regular
from widgetschema.audit.inputs.other_texts import require_json
from widgetschema.audit.inputs.sources import RemoteFile, Source, Span, not_a_file, stamp_of
from widgetschema.audit.inputs.tables.model import ColumnNames, is_table_name
from widgetschema.project.checking.results import Problem
from widgetschema.project.inputs.discovery import find_files, is_address
from widgetschema.project.inputs.folders import Search
from widgetschema.project.inputs.formats import (
    LINES,
    MOST,
    SEPARATOR,
    Compression,
    Framing,
    Layout,
    compression_of,
    encoding_of,
    format_of_file,
    framing_of,
    is_cut,
    not_text,
    table_layout,
    uncompressed_name,
)
from widgetschema.project.inputs.model import File, SourceFailed
from widgetschema.project.inputs.streams import FIRST, beginning, content, peek_input, require_data

DATABASES: Final = ("postgresql://", "postgres://")
_SQLITE: Final = "sqlite:///"  # and a path
_NO_SECRETS: Final = (
    "an address must not hold a password: use ~/.pgpass, a service file or the variable PGPASSWORD"
)
# Before the host, however the address is written or mistyped; a parameter of it; or one of the
# settings that libpq takes in place of an address.
_PASSWORD: Final = re.compile(r"postgres[\w+]*+:?+/*+[^@]*:.*@", re.DOTALL | re.IGNORECASE)
_SETTING: Final = re.compile(r"(?:^|[\s?&])\w*(?:password|secret)\s*=", re.IGNORECASE)
_NOT_JSON: Final = "it does not begin as JSON"
_LINK: Final = "it is a link to a folder, and such links are not followed: name that folder, too"


def find_inputs(
    inputs: Iterable[str], search: Search, others: Callable[[File | RemoteFile], None]
) -> Iterator[File | RemoteFile | Problem]:
    """Yield the files of inputs, addresses included, in order; of a run of paths, each file once.

    `others` is called with the files in folders whose names do not say that they are JSON, and with
    links to other folders, which are not followed. Raises `MissingExtra` for an address without the
    extra `audit`.
    """
    search = search._replace(others=lambda name: others(File(name)))
    for is_path, group in groupby(_located(inputs, others), lambda one: isinstance(one, str)):
        if is_path:
            yield from find_files(cast("Iterator[str]", group), search)
        else:
            yield from cast("Iterator[RemoteFile | Problem]", group)


def _located(
    inputs: Iterable[str], others: Callable[[RemoteFile], None]
) -> Iterator[str | RemoteFile | Problem]:
    """Yield the paths among the inputs as they are, and what the addresses stand for."""
    for name in inputs:
        if not is_address(name):
            yield name
            continue
        if name.startswith(_SQLITE):
            yield name.removeprefix(_SQLITE)
            continue
        if name.startswith(DATABASES):
            yield RemoteFile(name)
            continue
        from widgetschema.audit.inputs.addresses import find_remote

        for found in find_remote(name, others):
            if isinstance(found, RemoteFile) and found.is_local:
                yield found.address
            else:
                yield found


class _Head(NamedTuple):
    """The beginning of a source, decompressed; whether it can be read in parts, or is all of it."""

    compression: Compression
    begin: bytes
    in_parts: bool
    is_all: bool


class Inspected(NamedTuple):
    """A source, and whether it is so large, and such, that it should be read in parts.

    Of a table, `spans` are its parts; their source has no number yet.
    """

    source: Source
    in_parts: bool
    spans: Sequence[Span] = ()


def inspect(
    found: File | RemoteFile,
    large: int,
    columns: ColumnNames,
    *,
    must_be_data: bool = False,
) -> Inspected:
    """Return the source that a file is; it is opened only if its name says too little.

    Sources of more than `large` bytes are large. `columns` are those to read of a table. With
    `must_be_data`, raise `SourceFailed` if it is not a table and does not begin as JSON. Raises
    `SourceFailed`, `OSError`, `ValueError`.
    """
    if isinstance(found, File) and found.name == "-":
        source = Source("-", "-", compression=compression_of(peek_input()))
        return Inspected(source, in_parts=False)
    if isinstance(found, File):
        status = os.stat(found.name) if found.status is None else found.status
        what = not_a_file(status)
        if must_be_data and stat.S_ISDIR(status.st_mode):
            what = _LINK
        if what is not None:
            raise SourceFailed(what)
        ours = found.name.startswith(("/dev/", "/proc/"))  # of this process, not of another
        address = os.path.realpath(found.name) if ours else os.path.abspath(found.name)
        source = Source(found.name, address, status.st_size, stamp=stamp_of(status))
        return _inspect(source, found.name, large, columns, must_be_data)
    if found.address.startswith(DATABASES):
        return _inspect_postgresql(found.address, columns, large)
    from widgetschema.audit.inputs.addresses import without_secrets

    part = next(part for part in found.address.split("::") if "://" in part)
    name = without_secrets(found.address)
    source = Source(name, found.address, found.size, stamp=found.stamp)
    return _inspect(source, without_secrets(part), large, columns, must_be_data)


def require_no_password(name: str) -> None:
    """Raise `ValueError` if what is to be read is a database, with a password in its name."""
    holds_one = _PASSWORD.match(name)
    if name.startswith(DATABASES):
        holds_one = holds_one or _SETTING.search(unquote(name))
    elif not is_address(name):
        holds_one = holds_one or _SETTING.search(name)
    if holds_one is not None and not os.path.lexists(name):
        raise ValueError(_NO_SECRETS)


def _inspect(
    source: Source, name: str, large: int, columns: ColumnNames, must_be_data: bool
) -> Inspected:
    """Return the source with its layout and compression; `name` is that of the innermost file."""
    if format_of_file(name) != "json":
        raise SourceFailed("it is not JSON: check it with `widgetschema validate`, or convert it")
    ending = uncompressed_name(name)
    layout: Layout = "whole" if ending.endswith(".json") else "lines"
    is_large = source.size is None or source.size > large
    is_named = ending.endswith((".json", *LINES))
    is_unknown = not is_named and ("://" not in source.address or is_table_name(name))
    if not (is_large or must_be_data or is_unknown):
        compression: Compression = "" if ending == name.lower() else "zstd"
        if name.lower().endswith(".gz"):
            compression = "gzip"
        source = source._replace(layout=layout, compression=compression)
        return Inspected(source, in_parts=False)
    head = _head_of(source)
    table = None if ending.endswith(LINES) else table_layout(name, head.begin)
    encoding = encoding_of(head.begin) if table == "csv" else None
    if encoding is not None:
        raise SourceFailed(f"it is encoded in {encoding}, not UTF-8: convert it")
    if table is not None:
        table_source = source._replace(layout=table, compression=head.compression)
        return _inspect_table(table_source, columns, large)
    # What is compressed and cannot be decompressed is not passed over: reading says what is wrong.
    if must_be_data and (head.begin or not head.compression):
        why = _not_json(head.begin, is_all=head.is_all and not head.compression)
        if why is not None:
            raise SourceFailed(why)
    if not head.compression:
        require_data(head.begin)
        require_json(head.begin)
    may_be_cut = is_large and head.in_parts and not head.compression
    framing = framing_of(head.begin, layout, is_all=head.is_all)
    if framing is None and may_be_cut:
        framing = framing_of(_head_of(source, MOST).begin, layout, is_all=True)
    if framing is not None:
        layout = "lines" if framing.kind == "lines" else "whole"
    in_parts = may_be_cut and framing == Framing("lines")
    return Inspected(source._replace(layout=layout, compression=head.compression), in_parts)


def _not_json(begin: bytes, *, is_all: bool) -> str | None:
    """Return the reason why a text is not JSON; None if it begins as an object or an array."""
    what, encoding = not_text(begin), encoding_of(begin)
    if what is not None or encoding is not None:
        return f"it {what}" if what is not None else f"it is encoded in {encoding}, not UTF-8"
    text = content(begin)
    if text.startswith(SEPARATOR):  # RFC 7464
        text = text.lstrip(SEPARATOR + b" \t\r\n")
    first, newline, _ = text.partition(b"\n")
    if not first:
        return "it is empty"
    if first[:1] not in b"{[":
        return _NOT_JSON
    if not newline:
        return None if not is_all or is_cut(first) is None else _NOT_JSON
    return None if is_cut(first) is not False else _NOT_JSON


def _inspect_table(source: Source, columns: ColumnNames, large: int) -> Inspected:
    """Return a table with its columns and its parts, each of at most about `large` bytes."""
    from widgetschema.audit.inputs.tables.files import cut_file  # most sources are JSON

    if source.layout == "sqlite":
        return _inspect_sqlite(source, columns, large)
    try:
        return _in_parts(*cut_file(source, columns, large))
    except SourceFailed:
        raise
    except Exception as error:  # what is behind an address raises whatever it likes
        raise SourceFailed(failure(error, source.address)) from None


def _in_parts(source: Source, spans: Sequence[Span]) -> Inspected:
    return Inspected(source, len(spans) > 1, spans)


def _inspect_sqlite(source: Source, columns: ColumnNames, large: int) -> Inspected:
    from widgetschema.audit.inputs.tables.sqlite import cut_sqlite, sqlite_stamp

    if "://" in source.address or source.compression:
        raise SourceFailed("it is an SQLite database: copy it to this machine, decompressed")
    source = source._replace(stamp=sqlite_stamp(source.address))
    return _in_parts(*cut_sqlite(source, columns, large))


def _inspect_postgresql(address: str, columns: ColumnNames, large: int) -> Inspected:
    from widgetschema.audit.inputs.tables.postgresql import cut_postgresql

    # Rows may change at any time; those of a finished range are not read again.
    source = Source(address, address, None, "postgresql", stamp=address)
    return _in_parts(*cut_postgresql(source, columns, large))


def _head_of(source: Source, size: int = FIRST) -> _Head:
    """Return the first bytes of a source. Raises `SourceFailed` and `OSError`."""
    if "://" in source.address:
        from widgetschema.audit.inputs.addresses import explain_error, head_at

        try:
            return _head(*head_at(source.address, size, source.size), size)
        except Exception as error:  # what is behind an address raises whatever it likes
            raise SourceFailed(explain_error(error)) from None
    with open_regular(source.address) as file:
        return _head(file.read(size), True, size)


def _head(stored: bytes, in_parts: bool, size: int = FIRST) -> _Head:
    begin = beginning(stored, size)
    is_text = encoding_of(begin) is None and not_text(begin) is None
    is_all = max(len(stored), len(begin)) < size
    return _Head(compression_of(stored), begin, in_parts and is_text, is_all)
