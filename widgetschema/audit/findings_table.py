"""Findings as a table: Parquet with a column for each member of a finding, written as they come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any, Final

import orjson

from widgetschema.errors import MissingExtra
from widgetschema.jsontext import dump
from widgetschema.project.checking.artifacts import FINDINGS_MARK

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtra("arrow", "findings as Parquet need the library pyarrow") from None

_GROUP: Final = 20_000  # findings of a row group
_SCHEMA: Final = pa.schema(
    [
        ("file", pa.string()),
        ("line", pa.int64()),
        ("column", pa.int64()),
        ("document", pa.string()),
        ("id", pa.string()),
        ("type", pa.string()),
        ("keyword", pa.string()),
        ("path", pa.string()),
        ("schema_path", pa.string()),
        ("message", pa.string()),
        ("hint", pa.string()),
        ("expected", pa.string()),
        ("fix", pa.struct([(name, pa.string()) for name in ("replace", "text", "applicability")])),
    ],
    metadata={FINDINGS_MARK: "1"},
)


class FindingsTable:
    """A Parquet file of findings; the same findings make the same bytes.

    Args:
        file: A binary file, which is written from its begin to its end.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._writer = pq.ParquetWriter(pa.PythonFile(file, mode="w"), _SCHEMA, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def write(self, text: str) -> None:
        """Write findings, one JSON object per line, as `Collector.finding_lines` returns them."""
        self._rows += map(_row, text.removesuffix("\n").split("\n"))
        while len(self._rows) >= _GROUP:
            self._flush(self._rows[:_GROUP])
            del self._rows[:_GROUP]

    def close(self) -> None:
        """Write the rest, and the end of the file."""
        if self._rows:
            self._flush(self._rows)
            self._rows = []
        self._writer.close()

    def _flush(self, rows: Iterable[dict[str, Any]]) -> None:
        self._writer.write_batch(pa.RecordBatch.from_pylist([*rows], schema=_SCHEMA))


def _row(line: str) -> dict[str, Any]:
    """Return a finding as a row: an id as text, and what was expected as JSON."""
    row: dict[str, Any] = orjson.loads(line)
    id, expected = row["id"], row["expected"]
    if id is not None and type(id) is not str:
        row["id"] = dump(id, indent=False)
    row["expected"] = None if expected is None else dump(expected, indent=False)
    return row
