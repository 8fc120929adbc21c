"""Sources as streams of bytes: files, standard input, addresses."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from widgetschema.audit.inputs.sources import Source, not_a_file
from widgetschema.files import open_file
from widgetschema.project.inputs.model import SourceFailed
from widgetschema.project.inputs.streams import ByteStream, Damaged, StandardInput
from widgetschema.project.inputs.streams import failure as why_file_failed

if TYPE_CHECKING:
    from typing import IO


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


def failure(error: Exception, address: str = "") -> str:
    """Return the reason why a source cannot be read, and advice, as a sentence without its name."""
    if "://" in address and not isinstance(error, (SourceFailed, EOFError, Damaged)):
        from widgetschema.audit.inputs.addresses import explain_error

        return explain_error(error)
    return why_file_failed(error)
