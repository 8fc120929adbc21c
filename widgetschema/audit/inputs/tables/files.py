"""Tables in files: Parquet, Arrow IPC (files and streams), CSV.

Row groups and record batches are the parts that a file is cut into, and only some rows are held at
a time. Of a file, only the columns that are needed are read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from widgetschema.audit.inputs.opening import open_source
from widgetschema.audit.inputs.sources import (
    Block,
    RowColumns,
    Source,
    Span,
    Table,
)
from widgetschema.audit.inputs.tables.model import (
    DATA_OPTION,
    WHOLE_ROW,
    ColumnNames,
    LazyCells,
    choose_columns,
    plain_cell,
    plain_text,
    row_blocks,
    row_columns,
)
from widgetschema.errors import MissingExtra, UnreadableDocument
from widgetschema.files import LARGEST
from widgetschema.jsontext import read
from widgetschema.project.checking.artifacts import FINDINGS_MARK
from widgetschema.project.inputs.formats import uncompressed_name
from widgetschema.project.inputs.model import NotData, SourceFailed
from widgetschema.project.inputs.streams import (
    ByteStream,
    CountingReader,
    ReadableFile,
    decompressed,
)
from widgetschema.text import plural, printable

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_BATCH: Final = 256 * 1024  # bytes of the columns that are read at a time, about
_MOST_ROWS: Final = 4096  # … and rows
_BUFFER: Final = 1024 * 1024  # bytes of each column of Parquet that are read at a time
_DELIMITERS: Final = ",;\t|"
_LINE: Final = 64 * 1024  # bytes of CSV that are read at a time


def cut_file(source: Source, asked: ColumnNames, part_bytes: int) -> tuple[Source, Sequence[Span]]:
    """Return a file with the columns to read, and its parts, each of about so many bytes.

    The spans are of a source that has no number yet. Raises `SourceFailed`, `OSError`, and what a
    library behind an address raises.
    """
    if source.layout == "csv":
        with closing(open_source(source)) as file:
            _, header = _csv_rows(source, file.read)
            return source._replace(table=choose_columns(header, asked)), [Span(0)]
    with _arrow_errors() as pa, closing(open_source(source)) as file:
        if source.layout == "parquet":
            opened = _parquet(pa, file)
            schema, about = opened.schema_arrow, opened.metadata
            if FINDINGS_MARK.encode() in (schema.metadata or {}):
                raise NotData("audit output")
            sizes = [_stored_bytes(about.row_group(at)) for at in range(about.num_row_groups)]
        elif source.layout == "arrow":
            reader = pa.ipc.open_file(_native(pa, file))
            schema, number = reader.schema, reader.num_record_batches
            sizes = [(source.size or 0) // number] * number if number else []
        else:
            schema, sizes = pa.ipc.open_stream(_stream(pa, source, file)).schema, []
        table = _arrow_columns(pa, schema, asked)
        return source._replace(table=table), _spans(sizes, part_bytes)


def _spans(sizes: Sequence[int], part_bytes: int) -> list[Span]:
    """Return spans of parts that have these sizes; of all there is, where there are none."""
    spans: list[Span] = []
    start = weight = 0
    for index, size in enumerate(sizes):
        if start < index and weight + size > part_bytes:
            spans.append(Span(0, start, index, weight))
            start, weight = index, 0
        weight += size
    return [*spans, Span(0, start, len(sizes), weight)] if sizes else [Span(0)]


def file_blocks(source: Source, span: Span, file: ByteStream, max_bytes: int) -> Iterator[Block]:
    """Yield the rows of a span. Raises `SourceFailed`, and what is behind an address."""
    assert source.table is not None
    if source.layout == "csv":
        yield from _csv_blocks(source, source.table, file, max_bytes)
        return
    first = 1
    with _arrow_errors() as pa:
        for batch, share in _batches(pa, source, source.table, span, file):
            stored = int((span.size or 0) * share)
            texts, columns = _cells(pa, batch, source.table)
            yield from row_blocks(texts, columns, first, max_bytes, stored)
            first += batch.num_rows


# Parquet and Arrow


@contextmanager
def _arrow_errors() -> Generator[Any]:
    """Yield the library, which few runs need, and turn its errors into `SourceFailed`."""
    try:
        import pyarrow as pa
        import pyarrow.ipc
    except ImportError:
        missing = MissingExtra("arrow", "tables of Parquet and Arrow need the library pyarrow")
        raise SourceFailed(str(missing), is_here=False) from None
    try:
        yield pa
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # else it is of the library
            raise
        text = printable(" ".join(str(error).split())[:300])
        raise SourceFailed(f"it is not a table, or it is damaged: {text}") from None


def _native(pa: Any, file: object) -> pa.PythonFile:
    return pa.PythonFile(file, mode="r")


def _stream(pa: Any, source: Source, file: ByteStream) -> pa.PythonFile:
    """Return a stream, decompressed if it is compressed as a whole."""
    if not source.compression:
        return _native(pa, file)
    read = decompressed(source.compression, file.read)
    return _native(pa, io.BufferedReader(ReadableFile(read), _LINE))


def _parquet(pa: Any, file: ByteStream) -> pq.ParquetFile:
    import pyarrow.parquet as pq

    return pq.ParquetFile(_native(pa, file), buffer_size=_BUFFER, pre_buffer=False)


def _stored_bytes(group: pq.RowGroupMetaData) -> int:
    return sum(group.column(index).total_compressed_size for index in range(group.num_columns))


def _arrow_columns(pa: Any, schema: pa.Schema, asked: ColumnNames) -> Table:
    """Return the columns to read. Raises `SourceFailed` if the data has no form in JSON."""
    from widgetschema.audit.inputs.arrow_texts import json_column

    table = choose_columns(schema.names, asked, whole_rows=True)
    is_row = table.data == WHOLE_ROW
    type = pa.struct([*schema]) if is_row else schema.field(table.data).type
    try:
        json_column(pa.nulls(0, type))
    except TypeError as error:
        what = "its rows" if is_row else f'its column "{printable(table.data)}"'
        advice = f"; name another column by {DATA_OPTION}"
        raise SourceFailed(f"{what} cannot be read as JSON: {error}{advice}") from None
    return table._replace(nested=_has_structs(pa, type))


def _has_structs(pa: Any, type: pa.DataType) -> bool:
    """Return whether there are members that may be null."""
    if pa.types.is_dictionary(type):
        return _has_structs(pa, type.value_type)
    inner = [type.field(index).type for index in range(type.num_fields)]
    return (pa.types.is_struct(type) and bool(inner)) or any(_has_structs(pa, one) for one in inner)


def _batches(
    pa: Any, source: Source, table: Table, span: Span, file: ByteStream
) -> Iterator[tuple[pa.RecordBatch, float]]:
    """Yield some rows at a time, with their share of the span."""
    names = None if table.data == WHOLE_ROW else table.names
    if source.layout == "parquet":
        opened = _parquet(pa, file)
        groups = range(opened.num_row_groups)[span.start : span.end]
        about = [opened.metadata.row_group(index) for index in groups]
        rows = sum(group.num_rows for group in about)
        size = sum(_wanted_bytes(group, names) for group in about)
        count = max(1, min(_MOST_ROWS, _BATCH * rows // max(1, size)))
        for batch in opened.iter_batches(
            count, row_groups=[*groups], columns=names, use_threads=False
        ):
            yield batch, batch.num_rows / max(1, rows)
    elif source.layout == "arrow-stream":
        for whole in pa.ipc.open_stream(_stream(pa, source, file)):
            yield from ((batch, 0.0) for batch in _some(_sound(whole, names)))
    else:
        reader = pa.ipc.open_file(_native(pa, file))
        parts = range(reader.num_record_batches)[span.start : span.end]
        for index in parts:
            whole = _sound(reader.get_batch(index), names)
            for batch in _some(whole):
                yield batch, batch.num_rows / max(1, whole.num_rows) / len(parts)


def _wanted_bytes(group: pq.RowGroupMetaData, names: Sequence[str] | None) -> int:
    """Return the bytes of the columns that are read, once they are decompressed."""
    columns = [group.column(index) for index in range(group.num_columns)]
    return sum(
        one.total_uncompressed_size
        for one in columns
        if names is None or one.path_in_schema.partition(".")[0] in names
    )


def _sound(batch: pa.RecordBatch, names: Sequence[str] | None) -> pa.RecordBatch:
    """Return the columns of a batch. Raises if its buffers do not fit: it must not be used then."""
    batch = batch if names is None else batch.select(names)
    batch.validate(full=True)
    return batch


def _some(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield a batch, some rows at a time."""
    count = max(1, min(_MOST_ROWS, _BATCH * batch.num_rows // max(1, batch.nbytes)))
    for start in range(0, batch.num_rows, count):
        yield batch.slice(start, count)


def _cells(
    pa: Any, batch: pa.RecordBatch, table: Table
) -> tuple[list[bytes | None], RowColumns | None]:
    """Return the texts of the data of some rows, or of the rows, and their other cells."""
    from widgetschema.audit.inputs.arrow_texts import json_column

    is_row = table.data == WHOLE_ROW
    column = json_column(batch.to_struct_array() if is_row else batch.column(table.data))
    texts: list[bytes | None] = column.cast(pa.large_binary()).to_pylist()
    if is_row:
        return texts, None
    return texts, table.columns(
        lambda name: _plain_cells(pa, batch.column(name)),
        lambda name: LazyCells(len(batch), partial(_plain_cell, pa, batch.column(name))),
    )


def _plain_cells(pa: Any, column: pa.Array) -> list[Any]:
    """Return the cells of a column as values of JSON."""
    if pa.types.is_dictionary(column.type):
        values = _plain_cells(pa, column.dictionary)
        return [None if at is None else values[at] for at in column.indices.to_pylist()]
    if pa.types.is_nested(column.type):
        return _nested_cells(pa, column)
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return [_plain_cell(pa, column, index) for index in range(len(column))]
    # Much faster than texts, which are made one by one.
    return [plain_cell(value) for value in column.cast(pa.large_binary()).to_pylist()]


def _nested_cells(pa: Any, column: pa.Array) -> list[Any]:
    """Return objects and lists as the data has them; as plain values where JSON has none."""
    from widgetschema.audit.inputs.arrow_texts import json_column

    try:
        texts = json_column(column).cast(pa.large_binary()).to_pylist()
        return [None if text is None else read(text) for text in texts]
    except (TypeError, UnreadableDocument):
        return [plain_cell(value) for value in column.to_pylist()]


def _plain_cell(pa: Any, column: pa.Array, index: int) -> Any:
    """Return a cell of a column as a value of JSON."""
    try:
        if pa.types.is_nested(column.type):
            return _nested_cells(pa, column.slice(index, 1))[0]
        return plain_cell(column[index].as_py())
    except ValueError:  # a text that is not UTF-8, or a time more exact than those of Python
        is_time = pa.types.is_temporal(column.type)
        one = column.slice(index, 1).cast(pa.string() if is_time else pa.large_binary())
        return plain_cell(one[0].as_py())


# CSV (RFC 4180)


class _Lines(ReadableFile):
    """A function that reads text, as a file. It raises `SourceFailed` for a line without end."""

    def __init__(self, read: Callable[[int], bytes], longest: int = LARGEST) -> None:
        super().__init__(read)
        self._longest = longest
        self._length = 0  # of the line that is being read

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer; return how many bytes."""
        size = super().readinto(buffer)
        chunk = bytes(buffer[:size])
        end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
        self._length = size - end - 1 if end >= 0 else self._length + size
        if self._length > self._longest:
            raise SourceFailed(f"it has a line of more than {self._longest:,} bytes")
        return size


def _csv_rows(
    source: Source, read: Callable[[int], bytes]
) -> tuple[Iterator[list[str]], list[str]]:
    """Return the rows behind the header, and the header. Raises `SourceFailed` without one."""
    read = decompressed(source.compression, read) if source.compression else read
    lines = io.BufferedReader(_Lines(read), _LINE)
    text = io.TextIOWrapper(lines, encoding="utf-8-sig", errors="surrogateescape", newline="")
    first = text.readline()
    delimiter = "\t" if uncompressed_name(source.name).endswith(".tsv") else _delimiter(first)
    rows = csv.reader(chain([first] if first else [], text), delimiter=delimiter, strict=True)
    try:
        header = next(rows, None)
    except csv.Error as error:
        raise SourceFailed(f"its first line is not a CSV header: {error}") from None
    if not header:
        raise SourceFailed("it is empty, or its first line is: CSV begins with names of columns")
    return rows, header


def _delimiter(first: str) -> str:
    """Return the first delimiter by which the header has several cells; a comma if none does."""
    for one in _DELIMITERS:
        with suppress(csv.Error):  # which reading will say
            if len(next(csv.reader([first], delimiter=one), [])) > 1:
                return one
    return _DELIMITERS[0]


def _csv_blocks(source: Source, table: Table, file: ByteStream, max_bytes: int) -> Iterator[Block]:
    """Yield the rows; one that does not have the cells of the header is refused by itself."""
    csv.field_size_limit(max(csv.field_size_limit(), max_bytes + 1))
    counted = CountingReader(b"", file.read)
    rows, header = _csv_rows(source, counted.read)
    data = header.index(table.data)
    places = {name: header.index(name) for name in table.names}
    others = [at for name, at in places.items() if name != table.data]
    is_noted = False
    held: list[list[str]] = []
    first, size, before = 1, 0, 0
    refused: str | None
    row: list[str] | None = header
    while row is not None:
        row, refused = _next_row(rows, len(header))
        if row and refused is None:
            held.append(row)
            size += len(row[data])
            if not is_noted and any(_is_escaped(row[at]) for at in others):
                is_noted = True
                yield Block([], 1, notes=("not_utf8",))
        if held and (refused or row is None or size >= _BATCH or len(held) >= _MOST_ROWS):
            texts = [one[data].encode("utf-8", "surrogateescape") for one in held]
            columns = row_columns(table, held, places, plain_text)
            stored, before = counted.count - before, counted.count
            yield from row_blocks(texts, columns, first, max_bytes, stored)
            first += len(held)
            held, size = [], 0
        if refused is not None:
            yield Block([], first, refused=refused)
            first += 1


def _is_escaped(text: str) -> bool:
    """Return whether a text has bytes that are not UTF-8; of data, the check says so."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _next_row(rows: Iterator[list[str]], width: int) -> tuple[list[str] | None, str | None]:
    """Return the next row, None at the end, and why it is none; a blank line has no cells."""
    try:
        row = next(rows, None)
    except csv.Error as error:
        return [], f"this is not a CSV row ({error}): write quotation marks inside a cell twice"
    if row and len(row) != width:
        return [], f"the row has {plural(len(row), 'cell')}, but the header has {width}"
    return row, None
