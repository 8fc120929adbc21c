"""Sources as streams of bytes: files, standard input, addresses; and what they must not be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from widgetschema.audit.inputs.sources import Source, not_a_file
from widgetschema.files import open_file
from widgetschema.project.inputs.formats import BOM, SEPARATOR, is_cut
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.streams import ByteStream, Damaged, StandardInput
from widgetschema.project.inputs.streams import failure as why_file_failed

if TYPE_CHECKING:
    from typing import IO

_LINES_SEEN: Final = 20  # of a text that may be no JSON
_FEWEST_LINES: Final = 2
_NOT_JSON: Final = (
    "it is not JSON, by its first lines: convert it to NDJSON, or give a table of CSV a name that "
    "ends in .csv"
)


def open_source(source: Source, *, from_begin: bool = False) -> ByteStream:
    """Open a source as it is stored; `from_begin` promises that all of it is read, in order.

    Raises `SourceFailed`, `OSError`, and whatever is behind an address.
    """
    if source.address == "-":
        return StandardInput()
    if "://" in source.address:
        from widgetschema.audit.inputs.addresses import open_address

        return open_address(source.address, from_begin)
    return open_regular(source.address)


def open_regular(path: str) -> IO[bytes]:
    """Open a regular file, and nothing that would wait for a writer. Raises as `open_source`."""
    kind = not_a_file(os.stat(path))
    if kind is not None:
        raise SourceFailed(kind)
    return open_file(path, buffering=0)


def require_json(begin: bytes) -> None:
    """Raise `SourceFailed` if the first lines of a source, two at least, are all not JSON.

    One line that begins as an object or an array is enough to be taken for JSON with mistakes.
    """
    first = begin.removeprefix(BOM).split(b"\n", _LINES_SEEN)[:-1]
    lines = [line for line in map(bytes.strip, first) if line]
    if len(lines) >= _FEWEST_LINES and not any(map(_may_be_json, lines)):
        raise SourceFailed(_NOT_JSON)


def _may_be_json(line: bytes) -> bool:
    return line[:1] in (b"{", b"[", SEPARATOR) or is_cut(line) is None


def failure(error: Exception, address: str = "") -> str:
    """Return the reason why a source cannot be read, and advice, as a sentence without its name."""
    if "://" in address and not isinstance(error, (SourceFailed, EOFError, Damaged)):
        from widgetschema.audit.inputs.addresses import explain_error

        return explain_error(error)
    return why_file_failed(error)
