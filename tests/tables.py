"""The same records as lines and as tables, for tests of audits."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from tests.many_widgets import widgets

Records = list[dict[str, Any]]

COLUMNS: Final = ("id", "type", "updated", "data")


def records(number: int) -> Records:
    """Return documents: some are invalid, some without data, of an unknown type, or of none."""
    found = []
    for index, line in enumerate(widgets(number).splitlines()):
        record: dict[str, Any] = {"id": f"w-{index}", "type": "countdown"}
        record["updated"] = f"2026-11-{index % 28 + 1:02}T10:00:00Z"
        record["data"] = None if index % 50 == 9 else json.loads(line)
        if index % 50 == 7:
            record["type"] = "countdwon"
        if index % 50 == 8:
            del record["type"]
        found.append(record)
    return found


def compact(value: Any) -> str:
    """Return compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_lines(records: Records) -> bytes:
    """Return the records as compact NDJSON."""
    return "".join(f"{compact(record)}\n" for record in records).encode()


def as_table(records: Records, data: pa.DataType, types: pa.DataType) -> pa.Table:
    """Return the records as a table of Arrow, with data and types of these types of texts."""
    texts = [_text_of(one["data"]) for one in records]
    columns = {
        "id": pa.array([one["id"] for one in records]),
        "type": pa.array([one.get("type") for one in records]).cast(types),
        "updated": pa.array([one["updated"] for one in records]),
        "data": pa.array(texts).cast(data),
    }
    return pa.table(columns)


def _parquet(table: pa.Table, path: Path) -> None:
    pq.write_table(table, path, row_group_size=100, compression="zstd")


def _arrow(table: pa.Table, path: Path) -> None:
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(path, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=100)


def _stream(table: pa.Table, path: Path) -> None:
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)


def write_sqlite(path: Path, records: Records, table: str = "widgets") -> None:
    """Write the records as a table of SQLite, whose rows have no order but that of their ids."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f'CREATE TABLE "{table}" (id TEXT PRIMARY KEY, type, updated, data)')
        rows = [
            (one["id"], one.get("type"), one["updated"], _text_of(one["data"])) for one in records
        ]
        database.executemany(f'INSERT INTO "{table}" VALUES (?, ?, ?, ?)', rows)


def _text_of(data: Any) -> str | None:
    return None if data is None else compact(data)


def as_csv(records: Records, delimiter: str = ",") -> bytes:
    """Return the records as CSV; what is not there is `null`, as a column cannot say it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(COLUMNS)
    for one in records:
        writer.writerow([one["id"], one["type"], one["updated"], compact(one["data"])])
    return text.getvalue().encode()


_TEXTS: Final[Mapping[str, tuple[Callable[[pa.Table, Path], None], pa.DataType, pa.DataType]]] = {
    "text.parquet": (_parquet, pa.string(), pa.string()),
    "bytes.parquet": (_parquet, pa.binary(), pa.dictionary(pa.int32(), pa.string())),
    "large.arrow": (_arrow, pa.large_string(), pa.large_string()),
    "view.arrow": (_arrow, pa.string_view(), pa.string_view()),
    "large.feather": (_arrow, pa.large_binary(), pa.string()),
    "stream.arrows": (_stream, pa.string(), pa.dictionary(pa.int8(), pa.string())),
    "json.parquet": (_parquet, pa.json_(), pa.string()),
}
TABLES: Final = tuple(_TEXTS)


def write_table(name: str, records: Records) -> Path:
    """Write the records as one of `TABLES` into the current folder."""
    write, data, types = _TEXTS[name]
    path = Path(name)
    if isinstance(data, pa.BaseExtensionType):
        table = as_table(records, data.storage_type, types)
        column = pa.chunked_array([pa.ExtensionArray.from_storage(data, table["data"].chunk(0))])
        table = table.set_column(table.schema.get_field_index("data"), "data", column)
    else:
        table = as_table(records, data, types)
    write(table, path)
    return path


def write_compressed(path: Path, content: bytes) -> None:
    """Write a file compressed by gzip."""
    path.write_bytes(gzip.compress(content))
