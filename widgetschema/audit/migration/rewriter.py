"""The files of a plan, written anew with the edits of its results; or only shown.

A file is replaced once all of its partitions are done, and it is replaced whole or not at all. One
that cannot be written, or was changed meanwhile, is left as it is, and is a problem of the run.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from widgetschema.audit.inputs.sources import Source, stamp_of
from widgetschema.audit.migration.edits import Edit, lost_rows
from widgetschema.audit.migration.file_rewriting import ContentChanged, FileRewriting, NotAsMeant
from widgetschema.audit.migration.undo import NotReplaceable, UndoFile, replacing
from widgetschema.files import open_file, read_file, writing_atomically
from widgetschema.project.checking.results import Problem, reason
from widgetschema.text import printable

_MOST_SHOWN: Final = 2**30  # bytes of a file whose difference is shown
_CODE: Final = 3  # the exit code of a file that is left as it is


_FAILURES: Final = (OSError, ContentChanged, NotAsMeant, NotReplaceable)


class Target:
    """The place to which the new contents of files go, one after the other.

    A file is opened at its first edit. Edits come in order, and their lines count from the
    beginning of the file.
    """

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._source: Source | None = None
        self._rewriting: FileRewriting | None = None

    def begin(self, source: Source) -> None:
        """Begin with a file."""
        self._source = source
        self._rewriting = None

    def edit(self, edit: Edit) -> None:
        """Change it."""
        if self._rewriting is None:
            self._rewriting = self._open()
        at = self._rewriting.replace(edit.line, edit.start, edit.was, edit.now, edit.record)
        self.note(at, edit)

    def end(self) -> bool:
        """Write the new content; return whether it is another one."""
        if self._rewriting is None:
            return False
        self._rewriting.finish()
        self.complete(self._rewriting)
        self._stack.close()
        return True

    def abandon(self) -> None:
        """Leave the file as it is."""
        error = ContentChanged(0)
        with contextlib.suppress(ContentChanged):
            self._stack.pop_all().__exit__(type(error), error, None)

    def _open(self) -> FileRewriting:
        raise NotImplementedError

    def note(self, at: int, edit: Edit) -> None:
        """Note an edit that was made, at an offset of the new content."""

    def complete(self, rewriting: FileRewriting) -> None:
        """Do what is due before the file is replaced."""

    def _require_unchanged(self) -> None:
        """Raise `ContentChanged` if the file is no longer the one that was read."""
        assert self._source is not None
        if stamp_of(os.stat(self._source.address)) != self._source.stamp:
            raise ContentChanged(0)


class Rewriter:
    """Passes edits to a target, file by file, in the order of the plan.

    `files` counts what became of files, `problems` are those that could not be written, and
    `unwritten` counts the edits of those that were left as they are.
    """

    def __init__(self, sources: Sequence[Source], target: Target) -> None:
        self._sources = sources
        self._target = target
        self._current: int | None = None
        self._is_left = False  # as it is
        self._edits = 0  # of the current file
        self.unwritten = 0
        self.problems: list[Problem] = []
        self.files: Counter[str] = Counter()

    def add(self, source: int, edits: Iterable[Edit], failure: str | None) -> None:
        """Add the edits of the next part of a source, or the reason why there are none."""
        if source != self._current:
            self.finish()
            self._current, self._is_left, self._edits = source, False, 0
            self._guarded(lambda: self._target.begin(self._sources[source]))
        if failure is not None and not self._is_left:  # which is a problem already
            self._leave()
        for edit in edits:
            self._edits += 1
            if not self._is_left:
                self._guarded(lambda edit=edit: self._target.edit(edit))  # type: ignore[misc]

    def finish(self) -> None:
        """Write the file whose edits came last."""
        if self._current is not None and not self._is_left:
            self._guarded(self._end)
        self.unwritten += self._edits if self._is_left else 0
        self._current, self._edits = None, 0

    def stop(self) -> None:
        """Leave the file as it is of which not all parts came."""
        if self._current is not None and not self._is_left:
            self._target.abandon()
        self._current = None

    def _end(self) -> None:
        self.files["changed" if self._target.end() else "unchanged"] += 1

    def _leave(self) -> None:
        self._is_left = True
        self.files["failed"] += 1
        with contextlib.suppress(OSError):
            self._target.abandon()

    def _guarded(self, action: Callable[[], object]) -> None:
        try:
            action()
        except _FAILURES as error:
            assert self._current is not None
            name = printable(self._sources[self._current].name)
            why = f"cannot be written: {reason(error)}" if isinstance(error, OSError) else error
            self.problems.append(Problem(name, f"left as it is: {why}", _CODE))
            self._leave()


class InPlace(Target):
    """The files themselves; an undo file gets what is replaced."""

    def __init__(self, undo: UndoFile) -> None:
        super().__init__()
        self._undo = undo

    def _open(self) -> FileRewriting:
        assert self._source is not None
        self._require_unchanged()
        with self._undo_errors():
            self._undo.begin(self._source.address)
        self._stack.push(self._forget)
        return FileRewriting(*self._stack.enter_context(replacing(self._source.address)))

    def _forget(self, kind: object, *_: object) -> None:
        """Forget the edits of a file that is not replaced."""
        if kind is not None:
            self._undo.forget()

    def note(self, at: int, edit: Edit) -> None:
        """Keep what was replaced."""
        with self._undo_errors():
            self._undo.add(at, edit)

    def complete(self, rewriting: FileRewriting) -> None:
        """Have all of it on the disk."""
        with self._undo_errors():
            self._undo.end(rewriting.before, rewriting.after)

    @contextlib.contextmanager
    def _undo_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            name = printable(self._undo.path)
            raise NotReplaceable(f"{name} cannot be written: {reason(error)}") from None


class InFolder(Target):
    """New files in a folder: all files, also those without a change; `lose` gets what is lost."""

    def __init__(
        self, name_of: Callable[[Source], str], lose: Callable[[bytes], object] = lambda _: None
    ) -> None:
        super().__init__()
        self._name_of = name_of
        self._lose = lose
        self._lost: list[bytes] = []

    def begin(self, source: Source) -> None:
        """Begin with a file."""
        super().begin(source)
        self._lost = []
        self._rewriting = self._open()

    def _open(self) -> FileRewriting:
        assert self._source is not None
        path = self._name_of(self._source)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        file = self._stack.enter_context(open_file(self._source.address))
        mode = os.stat(file.fileno()).st_mode & 0o777  # who may read the file may read the copy
        new = self._stack.enter_context(writing_atomically(path, mode=mode))
        return FileRewriting(file, new.buffer.write)

    def note(self, at: int, edit: Edit) -> None:
        """Keep what is lost."""
        assert self._source is not None
        self._lost += lost_rows(self._source.name, edit)

    def complete(self, rewriting: FileRewriting) -> None:
        """Make sure that the copy is one of what was read, and write what is lost."""
        self._require_unchanged()
        for row in self._lost:
            self._lose(row)

    def end(self) -> bool:
        """Write the new content; return whether it is another one."""
        super().end()
        assert self._rewriting is not None
        return self._rewriting.before != self._rewriting.after


class Shown(Target):
    """Nothing is written: what would be is passed to `show`, with the old text and the name."""

    def __init__(self, show: Callable[[str, str, str], None] | None) -> None:
        super().__init__()
        self._show = show
        self._parts: list[bytes] = []

    def _open(self) -> FileRewriting:
        assert self._source is not None
        self._require_unchanged()
        self._parts = []
        write = self._parts.append if self._show is not None else _nowhere
        file = self._stack.enter_context(open_file(self._source.address))
        return FileRewriting(file, write)

    def complete(self, rewriting: FileRewriting) -> None:
        """Show the difference."""
        assert self._source is not None
        if self._show is not None:
            raw = read_file(self._source.address, _MOST_SHOWN)
            self._show(
                raw.decode(errors="replace"),
                b"".join(self._parts).decode(errors="replace"),
                self._source.name,
            )


def _nowhere(text: bytes) -> None:
    """Write nothing."""
