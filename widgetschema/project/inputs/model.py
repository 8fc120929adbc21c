"""The values that `validate` has for every file: files, their texts, and why there are none."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

from widgetschema.project.checking.artifacts import why_passed_over
from widgetschema.text import printable

NO_TYPE: Final = "no widget type"  # the reason why most files are skipped
_PER_FILE: Final = 4 * 1024  # bytes that opening a file costs as much as


class File(NamedTuple):
    """A file of this machine, with its status if it is a regular one; `-` is standard input.

    If `only_typed`, it was found, not named, and nothing maps it: it is skipped unless one of its
    documents names its type. If it `is_meant`, since it is in a folder that was named, a type that
    has no schema counts, too. With `content`, that is checked, and no file is read: the text of an
    editor, which has the name of a file.
    """

    name: str
    status: os.stat_result | None = None
    only_typed: bool = False
    content: bytes | None = None
    is_meant: bool = False

    @property
    def size(self) -> int:
        """The work that it is, in bytes."""
        return _PER_FILE + (0 if self.status is None else self.status.st_size)


class Text(NamedTuple):
    """One JSON text: a whole file, or one line of one; then `line` is its number, from 1."""

    file: str
    raw: bytes
    line: int | None = None

    @property
    def line_offset(self) -> int:
        """The number of lines of the file before the text."""
        return (self.line or 1) - 1


class Skipped(NamedTuple):
    """A file, or a folder, whose name ends in `/`, that a run does not check, and why.

    It `is_expected` if the project says so, and needs no mention unless somebody asks. `type_id` is
    the type that it names if that has no schema.
    """

    name: str
    reason: str
    is_expected: bool = False
    type_id: str | None = None

    def __str__(self) -> str:
        return f"{printable(self.name)}: skipped: {self.reason}"


class PassedOver(NamedTuple):
    """A file that is not data, since this package wrote it; `kind` says what it is."""

    file: str
    kind: str

    def __str__(self) -> str:
        return f"{printable(self.file)}: {why_passed_over(self.kind)}"


class SourceFailed(Exception):
    """A source cannot be read, or no further; `message` says why, and what to do about it.

    `is_here` says whether that is so where reading has ended, or about the source as a whole;
    `code` is the exit code for it.
    """

    code = 3

    def __init__(self, message: str, *, is_here: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.is_here = is_here


class NotData(SourceFailed):
    """A source was written by this package, and is passed over; `kind` says what it is."""

    code = 0

    def __init__(self, kind: str) -> None:
        super().__init__(why_passed_over(kind), is_here=False)
        self.kind = kind
