"""The undo file of a migration: what was in place of what is there now.

For each file that was rewritten, it has a line that begins with its name, a line for each edit, and
a last line with the digests of the old and the new content. A file is replaced only when its last
line is on the disk; so whatever happens, every change of a file can be reverted, and a run that was
killed goes on behind the last file that it replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import operator
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, Final, NamedTuple

from widgetschema.audit.inputs.sources import stamp_of
from widgetschema.audit.migration.edits import Edit, lost_rows, to_json
from widgetschema.audit.migration.file_rewriting import CHANGED, ContentChanged, FileRewriting
from widgetschema.errors import StoreError
from widgetschema.evolution.migrate import Lost
from widgetschema.files import (
    LARGEST,
    folder_lock,
    open_file,
    open_to_add,
    read_head,
    remove,
    writing_atomically,
)
from widgetschema.project.checking.results import reason
from widgetschema.text import printable

BEGIN: Final = b'{"undo":1,'
_END: Final = b'{"before":'
_WAIT: Final = 2.0  # seconds for another process that writes the same undo file
_CHUNK: Final = 256 * 1024  # bytes that are written at once
_LONGEST: Final = 4 * LARGEST  # bytes of a line: an edit replaces a text by a text


class NotReplaceable(Exception):
    """The reason why a file is left as it is."""


class Section(NamedTuple):
    """The edits of one file: its path, where they are in the undo file, digests of its contents.

    `versions` are the digests of the schemas that it was migrated from and to.
    """

    file: str
    versions: list[str]
    start: int
    end: int
    before: str
    after: str
    edits: int


class UndoFile:
    """An undo file to which a run adds. Use `open_undo`."""

    def __init__(self, path: str, versions: Sequence[str]) -> None:
        self.path = path
        self._versions = list(versions)
        self._file: BinaryIO | None = None
        self._start = 0  # of the file that is being rewritten
        self._edits = 0
        self._held: list[bytes] = []  # what is not written yet
        self._size = 0  # of that

    def check(self) -> None:
        """Raise `StoreError` if it is another file or damaged, or if it cannot be written."""
        for _ in sections(self.path) if os.path.lexists(self.path) else ():
            pass
        place = self.path if os.path.exists(self.path) else os.path.dirname(self.path) or os.curdir
        if not os.access(place, os.W_OK):
            raise StoreError(self.path, "cannot be written", "name another file by --undo")

    def recover(self) -> None:
        """Remove sections that killed runs did not finish, or have reverted.

        Raises:
            StoreError: If it is another file, or damaged.
            OSError: If it cannot be written.
        """
        path = self.path
        if not os.path.exists(path):
            return
        every = [*sections(path)]
        while every and digest_of(every[-1].file) == every[-1].before:  # it was not replaced
            every.pop()
        end = every[-1].end if every else 0
        with open_file(path, "r+b") as file:
            file.truncate(end)
            file.seek(max(end - 1, 0))
            if end and file.read(1) != b"\n":
                file.write(b"\n")

    def begin(self, file: str) -> None:
        """Begin with a file. Raises `OSError`, and `NotReplaceable` if nothing can name it."""
        name = _stored(file, self.path)
        if name != name.encode(errors="replace").decode():
            raise NotReplaceable("its name is not text, so it could not be found to revert this")
        if self._file is None:
            # Without a buffer of its own: what is forgotten is not written, on a full disk either.
            self._file = open_to_add(self.path)
        self._start, self._edits = self._file.tell(), 0
        row = {"file": name, "versions": self._versions}
        self._put(b"%b%b\n" % (BEGIN, to_json(row)[1:]))

    def add(self, at: int, edit: Edit) -> None:
        """Add an edit of it, which begins at an offset of the new content. Raises `OSError`."""
        assert self._file is not None
        row = {
            "at": at,
            "line": edit.line,
            "was": edit.was.decode(),
            "now": edit.now.decode(),
            "document": edit.document,
            "id": edit.id,
            "lost": edit.lost,
        }
        self._put(to_json(row) + b"\n")
        self._edits += 1

    def end(self, before: str, after: str) -> None:
        """End with the digests of both contents; all is on the disk then. Raises `OSError`."""
        assert self._file is not None
        row = {"before": before, "after": after, "edits": self._edits}
        self._put(to_json(row) + b"\n")
        self._flush()
        os.fsync(self._file.fileno())

    def forget(self) -> None:
        """Forget the file that was begun: it is not replaced. Raises `OSError`."""
        self._held, self._size = [], 0
        if self._file is not None:
            self._file.truncate(self._start)
            self._file.seek(self._start)

    def _put(self, line: bytes) -> None:
        self._held.append(line)
        self._size += len(line)
        if self._size >= _CHUNK:
            self._flush()

    def _flush(self) -> None:
        assert self._file is not None
        text = memoryview(b"".join(self._held))
        self._held, self._size = [], 0
        while text:
            text = text[self._file.write(text) :]

    def close(self) -> None:
        """Close it; it is removed if it holds nothing."""
        if self._file is not None:
            is_empty = self._file.tell() == 0
            self._file.close()
            if is_empty:
                remove(self.path)


@contextlib.contextmanager
def open_undo(path: str, versions: Sequence[str] = ()) -> Iterator[UndoFile]:
    """Open an undo file to add to it, for one process at a time.

    Call `recover` before anything is added. `versions` are the digests of the schemas that files
    are migrated from and to.

    Raises:
        StoreError: If another process writes it.
    """
    with folder_lock(os.path.realpath(path), _WAIT):
        undo = UndoFile(path, versions)
        try:
            yield undo
        finally:
            undo.close()


def sections(path: str) -> Iterator[Section]:
    """Yield the sections of an undo file that are complete, in order.

    What a killed run did not finish is passed over: its file was not replaced.

    Raises:
        StoreError: If it cannot be read, is another file, or lacks lines that it had.
    """
    number = 0
    try:
        begin = read_head(path, len(BEGIN))
        if not BEGIN.startswith(begin):
            raise StoreError(path, "is not an undo file of widgetschema")
        with open_file(path) as file:
            begun: _Begun | None = None
            offset = 0
            for number, line in enumerate(_lines(file, path), 1):
                if line.startswith(BEGIN):
                    if begun is not None:
                        raise _damaged(path, number, "the end of the file before it is missing")
                    begun = _begun(line, offset, path)
                elif begun is not None and line.startswith(_END):
                    if (end := _end_of(line)) is not None:
                        if end[2] != begun.edits:
                            raise _damaged(path, number, "it does not fit the edits before it")
                        section_end = offset + len(line)
                        yield Section(begun.file, begun.versions, begun.start, section_end, *end)
                        begun = None
                elif begun is not None:
                    begun.edits += line.endswith(b"\n")
                elif line.endswith(b"\n") and line.strip():
                    raise _damaged(path, number, "it belongs to no file")
                offset += len(line)
    except (OSError, ValueError) as error:
        raise StoreError(path, f"cannot be read: {reason(error)}") from None
    except (KeyError, TypeError):
        raise _damaged(path, number) from None
    if begun is not None and begun.edits and _is_made(path, begun):
        raise _damaged(path, number, f"further edits of {begun.file} are missing")


def _lines(file: BinaryIO, path: str) -> Iterator[bytes]:
    """Yield the lines of an undo file. Raises `StoreError` for one longer than any edit."""
    while line := file.readline(_LONGEST):
        if len(line) == _LONGEST and not line.endswith(b"\n"):
            raise StoreError(path, f"has a line of more than {_LONGEST:,} bytes")
        yield line


class _Begun:
    """A section whose end was not read yet."""

    def __init__(self, file: str, versions: list[str], start: int) -> None:
        self.file, self.versions, self.start = file, versions, start
        self.edits = 0


def _begun(line: bytes, offset: int, path: str) -> _Begun | None:
    """Return the section that a line begins; None if the line is not complete."""
    if not line.endswith(b"\n"):
        return None
    row = json.loads(line)
    name = row["file"]
    if "\0" in name:
        raise ValueError("the name of a file has a NUL")
    return _Begun(_found(name, path), [*row["versions"]], offset)


def _end_of(line: bytes) -> tuple[str, str, int] | None:
    """Return the digests and the number of edits; None if the line is not complete."""
    try:
        row = json.loads(line)
    except ValueError:
        if line.endswith(b"\n"):
            raise
        return None
    return str(row["before"]), str(row["after"]), row["edits"]


def _is_made(path: str, begun: _Begun) -> bool:
    """Return whether a file has the first edit of a section that is not complete."""
    section = Section(begun.file, begun.versions, begun.start, 0, "", "", 1)
    [(at, edit)] = edits(path, section)
    try:
        with open_file(begun.file) as file:
            file.seek(at)
            text = file.read(max(len(edit.was), len(edit.now)))
    except OSError:
        return False
    if len(edit.now) < len(edit.was):
        return not text.startswith(edit.was)
    return text.startswith(edit.now)


def _damaged(path: str, line: int, why: str = "") -> StoreError:
    more = f" ({printable(why)})" if why else ""
    return StoreError(
        path, f"is damaged at line {line:,}{more}", "restore it from a copy; nothing was done"
    )


def edits(path: str, section: Section) -> Iterator[tuple[int, Edit]]:
    """Yield the edits of a section, in order, each with its offset in the new content.

    Raises:
        StoreError: If one cannot be read.
        OSError: If the undo file cannot be read.
    """
    with open_file(path) as file:
        file.seek(section.start)
        lines = _lines(file, path)
        next(lines, b"")
        for number in range(1, section.edits + 1):
            try:
                row = json.loads(next(lines, b""))
                lost = tuple(Lost(*one) for one in row["lost"])
                was, now = row["was"].encode(), row["now"].encode()
                edit = Edit(row["line"], 0, was, now, row["document"], row["id"], lost)
                at = operator.index(row["at"])
            except (ValueError, KeyError, TypeError, AttributeError):
                raise StoreError(
                    path, f"is damaged: edit {number:,} of {printable(section.file)} cannot be read"
                ) from None
            yield at, edit


def migrated_files(path: str, versions: Sequence[str]) -> dict[str, bool]:
    """Return the files that were migrated between two schemas, and whether they are as they were
    then: False if they were changed since. What was reverted is not among them.
    """
    found: dict[str, bool] = {}
    for section in sections(path) if os.path.exists(path) else ():
        now = digest_of(section.file)
        if section.versions == [*versions] and now is not None and now != section.before:
            found[section.file] = now == section.after
        else:
            found.pop(section.file, None)
    return found


def lost_lines(path: str) -> Iterator[bytes]:
    """Yield the values that were lost, as NDJSON, in the order of an undo file."""
    for section in sections(path) if os.path.exists(path) else ():
        name = _stored(section.file, path)
        for _, edit in edits(path, section):
            yield from lost_rows(name, edit)


def _stored(file: str, path: str) -> str:
    """Return the name of a file in an undo file: from its folder, if it is below that."""
    real, folder = os.path.realpath(file), os.path.dirname(os.path.realpath(path))
    if real.startswith(os.path.join(folder, "")):
        real = os.path.relpath(real, folder)
    return real


def _found(name: str, path: str) -> str:
    return os.path.join(os.path.dirname(os.path.realpath(path)), name)


def digest_of(file: str) -> str | None:
    """Return the sha256 of the content of a regular file; None if it cannot be read."""
    try:
        with open_file(file) as stream:
            state = hashlib.sha256()
            while block := stream.read(_CHUNK):
                state.update(block)
            return state.hexdigest()
    except OSError:
        return None


@contextlib.contextmanager
def replacing(path: str) -> Iterator[tuple[BinaryIO, Callable[[bytes], object]]]:
    """Open a file, and what replaces it once it was written completely.

    Raises:
        NotReplaceable: If it has other names, which would keep the old content, or was changed
            until then.
        OSError: If it cannot be read or written.
    """
    with open_file(path, "r+b") as file:  # without write permission, it is not replaced either
        links = os.fstat(file.fileno()).st_nlink
        if links > 1:
            raise NotReplaceable(f"it has {links:,} names (hard links); copy it first")
        opened = stamp_of(os.fstat(file.fileno()))

        def require_unchanged() -> None:
            if stamp_of(os.stat(path)) != opened:
                raise NotReplaceable(CHANGED)

        with writing_atomically(path, before_move=require_unchanged) as new:
            yield file, new.buffer.write


def revert(path: str, section: Section, *, dry_run: bool = False) -> bool:
    """Bring back what a file was; return False if it is that already.

    Raises:
        NotReplaceable: If it was changed since, or is not there.
        OSError: If it cannot be read or written.
    """
    now = digest_of(section.file)
    if now == section.before:
        return False
    if now is None:
        raise NotReplaceable(_why_unread(section.file))
    if now != section.after:
        raise NotReplaceable(
            f"it was changed since{_where(path, section)}; nothing was reverted. If it was "
            "migrated again, revert that migration first."
        )
    if dry_run:
        return True
    with replacing(section.file) as (file, write):
        rewriting = FileRewriting(file, write)
        _replace(rewriting, path, section)
        if rewriting.after != section.before:
            raise NotReplaceable("the undo file does not lead back to what it was")
    return True


def _why_unread(file: str) -> str:
    try:
        is_file = stat.S_ISREG(os.stat(file).st_mode)
    except FileNotFoundError:
        return "it is gone; paths are relative to the folder of the undo file: move them together"
    except OSError as error:
        return f"it cannot be read: {reason(error)}"
    return "it cannot be read" if is_file else "it is no longer a file"


def _replace(rewriting: FileRewriting, path: str, section: Section) -> tuple[int, Edit] | None:
    """Replace what is new by what was old; return the first edit that is not there."""
    for at, edit in edits(path, section):
        try:
            rewriting.replace(None, at, edit.now, edit.was)
        except ContentChanged:
            return at, edit
    rewriting.finish()
    return None


def _where(path: str, section: Section) -> str:
    """Return the place where a file differs from what was written, as the end of a sentence."""
    with open_file(section.file) as file:
        found = _replace(FileRewriting(file, lambda _: None), path, section)
    if found is None:
        return ", but not in what was migrated"
    at, edit = found
    return ", at or before " + (f"line {edit.line:,}" if edit.line else f"byte {at:,}")
