"""The texts of files and their values; a small file is read by as few imports as can be."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from widgetschema.files import read_whole
from widgetschema.formats.model import Parsed
from widgetschema.formats.parsing import parse
from widgetschema.jsontext import Limits
from widgetschema.project.checking.results import Problem, reason
from widgetschema.project.inputs.formats import (
    compression_of,
    format_of_file,
    has_lines,
    is_lines,
)
from widgetschema.project.inputs.model import SourceFailed, Text


def read_small(name: str, most: int) -> bytes | None:
    """Return the content of a regular file; None if it has more than `most` bytes.

    Raises `OSError`.
    """
    try:
        return read_whole(name, most)[1]
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        return None


def texts_in(name: str, raw: bytes, max_bytes: int) -> Iterator[Text]:
    """Yield the texts of a file whose content is known. Raises `SourceFailed`."""
    if not compression_of(raw) and not has_lines(name, raw):
        yield Text(name, raw[: max_bytes + 1])
        return
    import io

    from widgetschema.project.inputs.streams import FAILURES, failure, texts_of

    try:
        yield from texts_of(name, io.BytesIO(raw), max_bytes, are_lines=is_lines(name))
    except FAILURES as error:
        raise SourceFailed(failure(error)) from error


def parse_text(text: Text, limits: Limits) -> list[Parsed]:
    """Return the values in a text, by the format that the name of its file says.

    Raises `UnreadableDocument` and `MissingExtra`.
    """
    return parse(text.raw, format_of_file(text.file), limits, text.file, text.line_offset)


def file_has_lines(name: str) -> bool:
    """Return whether a file holds one value per line, by its name, or else by its first bytes."""
    if is_lines(name):
        return True
    if format_of_file(name) != "json":
        return False
    from widgetschema.project.inputs.streams import begins_with_lines

    return begins_with_lines(name)


def unreadable(name: str, error: Exception) -> Problem:
    """Return the problem of a file that cannot be read, or no further."""
    return Problem(name, reason(error))
