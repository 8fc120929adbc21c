"""A run over many files: what is known is looked up, the rest is checked, in a stable order.

One process does it all, unless there is enough to do for several; then each takes some files, or
some lines of a large one, and what comes back is put in order again. Only so much is on its way
at a time that memory stays bounded.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.project.checking.artifacts import artifact_kind
from widgetschema.project.checking.cache import FileStamp, ResultCache
from widgetschema.project.checking.results import Problem, Result
from widgetschema.project.inputs.discovery import (
    File,
    PassedOver,
    Text,
    has_lines,
    read_texts,
    read_whole,
    texts_in,
    unreadable,
)

if TYPE_CHECKING:
    from widgetschema.project.checking.checker import Checker
    from widgetschema.project.checking.processes import Processes, Sent

BYTES_PER_WORKER: Final = (
    32 * 1024 * 1024
)  # bytes of work for which another process is worth its start
_WHOLE: Final = 8 * 1024 * 1024  # bytes of a file that is read at once, and may be kept
_PORTION: Final = 1024 * 1024  # bytes of work that a process gets at a time


class FileResults(NamedTuple):
    """Results of a file, or of a part of one.

    `begins` says that it is the first of its file, `whole` that these are all results of it;
    `seen` is there if they may be kept. A file that is `passed_over` has none.
    """

    file: str
    results: tuple[Result, ...]
    begins: bool = True
    whole: bool = False
    seen: FileStamp | None = None
    passed_over: PassedOver | None = None


def jobs_for(files: Sequence[File | Problem], wanted: int, cores: int | None = None) -> int:
    """How many processes: as many as wanted; if that is 0, by the number of cores and the work."""
    return jobs_for_work(sum(file.size for file in files if isinstance(file, File)), wanted, cores)


def jobs_for_work(work: int, wanted: int, cores: int | None = None) -> int:
    """How many processes for so many bytes of work; `wanted` as for `jobs_for`."""
    return wanted or max(1, min(cores or _cores(), work // BYTES_PER_WORKER))


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Runner:
    """Checks files, and gives what it finds in their order.

    `make` gives the checker, which costs its time, when it is needed; with several processes it
    has to pickle. `type_for` says which type the configuration gives a file. `jobs` as for
    `jobs_for`. With `whole`, each file is answered about at once, unless it has more than
    `max_bytes`.
    """

    def __init__(
        self,
        make: Callable[[], Checker],
        *,
        max_bytes: int,
        type_for: Callable[[str], str | None],
        jobs: int = 0,
        cache: ResultCache | None = None,
        whole: bool = False,
    ) -> None:
        self._make = make
        self._max_bytes = max_bytes
        self._type_for = type_for
        self._jobs = jobs
        self._cache = cache
        self._whole = max_bytes if whole else _WHOLE if cache is not None else 0
        self._checker: Checker | None = None
        self._waiting: deque[deque[FileResults] | Sent] = deque()  # sent, and not all of it taken

    @property
    def checker(self) -> Checker:
        """What checks, in this process."""
        if self._checker is None:
            self._checker = self._make()
        return self._checker

    def answers(self, files: Sequence[File | Problem]) -> Generator[FileResults, None, None]:
        """The results of all files, in their order."""
        known = [self._known(file) for file in files]
        todo = [file for file, answer in zip(files, known, strict=True) if answer is None]
        jobs = jobs_for(todo, self._jobs)
        if jobs > 1 and self._cache is not None:  # a fresh checkout: what is in it may be known
            known = [
                self._by_reading(file) if answer is None else answer
                for file, answer in zip(files, known, strict=True)
            ]
            todo = [file for file, answer in zip(files, known, strict=True) if answer is None]
            jobs = jobs_for(todo, self._jobs)
        ordered = zip(files, known, strict=True)
        # One portion is work for one process, wherever it is done.
        if jobs == 1 or sum(one.size for one in todo if isinstance(one, File)) <= _PORTION:
            return self._alone(ordered)
        return self._together(ordered, jobs)

    def _known(self, file: File | Problem) -> FileResults | None:
        if isinstance(file, Problem):
            return FileResults(file.file, (file,), begins=False)
        if self._cache is None or file.status is None:
            return None
        results = self._cache.look(file.name, file.status, self._type_for(file.name))
        return None if results is None else FileResults(file.name, results, whole=True)

    def _by_reading(self, file: File | Problem) -> FileResults | None:
        """What is known of the content of a small file, if it can be."""
        assert self._cache is not None
        if isinstance(file, Problem) or not (0 < file.size <= _WHOLE):
            return None
        if not self._cache.may_know(file.name, file.status):
            return None
        try:
            now = time.time_ns()
            read = read_whole(file.name, _WHOLE)
        except OSError:  # whoever checks it will say why
            return None
        results = None if read is None else self._by_content(file.name, _seen(*read, now))
        return None if results is None else FileResults(file.name, results, whole=True)

    def _alone(
        self, files: Iterable[tuple[File | Problem, FileResults | None]]
    ) -> Generator[FileResults, None, None]:
        for file, answer in files:
            if answer is not None:
                yield answer
                continue
            assert isinstance(file, File)
            lookup = self._by_content if self._cache is not None else None
            check, most = self._check, self._max_bytes
            for answer in check_file(check, file, most, lookup, whole=self._whole):
                yield self._kept(answer)

    def _check(self, text: Text) -> list[Result]:
        return self.checker.check(text)

    def _by_content(self, file: str, seen: FileStamp) -> tuple[Result, ...] | None:
        assert self._cache is not None
        return self._cache.results(file, seen, self._type_for(file))

    def _kept(self, answer: FileResults) -> FileResults:
        if self._cache is not None and answer.seen is not None:
            mapped = self._type_for(answer.file)
            self._cache.keep(answer.file, answer.seen, mapped, answer.results)
        return answer

    def _together(
        self, files: Iterable[tuple[File | Problem, FileResults | None]], jobs: int
    ) -> Generator[FileResults, None, None]:
        from widgetschema.project.checking.processes import Processes  # most runs need but one

        with Processes(self.checker, jobs, self._max_bytes, self._whole) as processes:
            for portion in _portions(files, self._max_bytes, self._whole):
                while len(self._waiting) >= 4 * jobs:
                    yield from self._come(processes)
                self._waiting.append(
                    deque(portion) if isinstance(portion, list) else processes.send(portion)
                )
            while self._waiting:
                yield from self._come(processes)

    def _come(self, processes: Processes) -> Iterator[FileResults]:
        """The answers that are next, as they come."""
        item = self._waiting[0]
        if isinstance(item, deque):
            while item:
                yield self._kept(item.popleft())
        else:
            yield from map(self._kept, processes.answers(item))
        self._waiting.popleft()

    def left(self) -> Iterator[FileResults]:
        """What is known beyond the answers that were taken, when no more of them are wanted.

        Of files that are not done, it may be a part.
        """
        while self._waiting:
            item = self._waiting.popleft()
            there = item if isinstance(item, deque) else iter(item.take, None)
            yield from map(self._kept, there)


class Batch(NamedTuple):
    """Work for a process: files, or texts of one file; then `begins` says it is its first."""

    files: tuple[File, ...] = ()
    texts: tuple[Text, ...] = ()
    begins: bool = False


def check_file(
    check: Callable[[Text], list[Result]],
    file: File,
    max_bytes: int,
    lookup: Callable[[str, FileStamp], tuple[Result, ...] | None] | None = None,
    *,
    whole: int = 0,
) -> Iterator[FileResults]:
    """The answers about a file: one, if it is small, else one for each text.

    `lookup` may know the results of a content. A file of no more than `whole` bytes gives one
    answer, with what was seen of it, if that may be kept.
    """
    if file.status is not None and file.status.st_size <= whole:
        answer = _whole(check, file, max_bytes, lookup, whole)
        if answer is not None:
            yield answer
            return
    begins = False
    for text in read_texts(file.name, max_bytes):
        if text is None:
            begins = True
            continue
        if isinstance(text, PassedOver):
            yield FileResults(file.name, (), begins=False, passed_over=text)
            return
        results = (text,) if isinstance(text, Problem) else tuple(check(text))
        yield FileResults(file.name, results, begins)
        begins = False
    if begins:
        yield FileResults(file.name, ())


def _seen(status: os.stat_result, raw: bytes, now: int) -> FileStamp:
    import hashlib

    return FileStamp.of(status, now, hashlib.sha256(raw).hexdigest())


def _whole(
    check: Callable[[Text], list[Result]],
    file: File,
    max_bytes: int,
    lookup: Callable[[str, FileStamp], tuple[Result, ...] | None] | None,
    most: int,
) -> FileResults | None:
    """The answer about a small file; None if it is none any more."""
    found: list[Result] = []
    begins = False
    try:
        now = time.time_ns()
        read = read_whole(file.name, most)
        if read is None:
            return None
        status, raw = read
        kind = artifact_kind(raw)
        if kind is not None:
            return FileResults(file.name, (), begins=False, passed_over=PassedOver(file.name, kind))
        begins = True
        seen = _seen(status, raw, now)
        results = None if lookup is None else lookup(file.name, seen)
        if results is not None:
            return FileResults(file.name, results, whole=True)
        for text in texts_in(file.name, raw, max_bytes):
            found += check(text)
    except (OSError, EOFError, ValueError) as error:
        return FileResults(file.name, (*found, unreadable(file.name, error)), begins)
    return FileResults(
        file.name, tuple(found), whole=True, seen=seen if len(raw) <= _WHOLE else None
    )


def _portions(
    files: Iterable[tuple[File | Problem, FileResults | None]], max_bytes: int, whole: int
) -> Iterator[Batch | list[FileResults]]:
    """What is known, and work in handy portions, in order."""
    most = max(whole, _WHOLE)
    batch: list[File] = []
    for file, answer in files:
        large = isinstance(file, File) and file.size > most and has_lines(file.name)
        if batch and (answer is not None or large or sum(one.size for one in batch) > _PORTION):
            yield Batch(tuple(batch))
            batch = []
        if answer is not None:
            yield [answer]
        elif isinstance(file, File) and large:
            yield from _lines_of(file, max_bytes)
        elif isinstance(file, File):
            batch.append(file)
    if batch:
        yield Batch(tuple(batch))


def _lines_of(file: File, max_bytes: int) -> Iterator[Batch | list[FileResults]]:
    """A large file of lines, some lines at a time."""
    texts: list[Text] = []
    begins, size = False, 0
    for text in read_texts(file.name, max_bytes):
        if text is None:
            begins = True
            continue
        if isinstance(text, PassedOver):
            yield [FileResults(file.name, (), begins=False, passed_over=text)]
            return
        if isinstance(text, Problem):
            if texts:
                yield Batch(texts=tuple(texts), begins=begins)
            yield [FileResults(file.name, (text,), begins and not texts)]
            return
        texts.append(text)
        size += len(text.raw)
        if size > _PORTION:
            yield Batch(texts=tuple(texts), begins=begins)
            texts, begins, size = [], False, 0
    if texts:
        yield Batch(texts=tuple(texts), begins=begins)
    elif begins:
        yield [FileResults(file.name, ())]
