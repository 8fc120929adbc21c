"""A run over many files: cached results are looked up, the rest is checked, in a stable order.

One process does it all unless there is enough work for several; then each takes some files, or
some lines of a large one, and their results are put in order again. The work that is under way at
a time is limited, so memory stays bounded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.project.checking.cache import FileStamp, ResultCache
from widgetschema.project.checking.file_check import (
    BATCH,
    CACHEABLE,
    Batch,
    BatchCheck,
    FileResults,
    batches,
    begin_batches,
    check_file,
    read_with_stamp,
    stamp_if_untyped,
)
from widgetschema.project.checking.results import Problem, Result
from widgetschema.project.inputs.model import NO_TYPE, File, Skipped, Text, Untyped

if TYPE_CHECKING:
    from widgetschema.project.checking.checker import Checker
    from widgetschema.project.worker_pool import Job, Scheduler

BYTES_PER_WORKER: Final = 32 * 1024 * 1024  # bytes of work that are worth another process


def jobs_for(files: Sequence[File | Problem], wanted: int, cores: int | None = None) -> int:
    """Return how many processes check these files: `wanted`, or if 0, by cores and size."""
    return jobs_for_work(sum(file.size for file in files if isinstance(file, File)), wanted, cores)


def jobs_for_work(work: int, wanted: int, cores: int | None = None) -> int:
    """Return how many processes check so many bytes; `wanted` as for `jobs_for`."""
    return wanted or max(1, min(cores or _cores(), work // BYTES_PER_WORKER))


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Sifted(NamedTuple):
    """The files that are to be checked, in their order, and those that are skipped."""

    files: list[File | Problem]
    skipped: list[Skipped]


class Runner:
    """Checks files and yields their results in order.

    `checker` returns the checker, which is costly, when it is needed; for several processes it
    must pickle. `type_for` returns the type that the configuration gives a file. `jobs` as for
    `jobs_for`. With `whole`, the results of a file come at once unless it has more than
    `max_bytes`. `warn` is told of a worker process that dies.
    """

    def __init__(
        self,
        checker: Callable[[], Checker],
        *,
        max_bytes: int,
        type_for: Callable[[str], str | None],
        jobs: int = 0,
        cache: ResultCache | None = None,
        whole: bool = False,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._checker = checker
        self._max_bytes = max_bytes
        self._type_for = type_for
        self._jobs = jobs
        self._cache = cache
        self._whole = max_bytes if whole else CACHEABLE if cache is not None else 0
        self._warn = warn
        self._scheduler: Scheduler | None = None

    def sift(self, files: Sequence[File | Problem]) -> Sifted:
        """Return which files are to be checked, and which are skipped after a mere look at them."""
        left: list[File | Problem] = []
        skipped = []
        for file in files:
            if isinstance(file, Problem) or not file.only_typed or not self._is_untyped(file):
                left.append(file)
            else:
                skipped.append(Skipped(file.name, NO_TYPE.reason))
        return Sifted(left, skipped)

    def results(self, files: Sequence[File | Problem]) -> Generator[FileResults, None, None]:
        """Yield the results of all files, in their order."""
        known = [self._by_status(file) for file in files]
        todo = [file for file, results in zip(files, known, strict=True) if results is None]
        jobs = jobs_for(todo, self._jobs)
        if jobs > 1 and self._cache is not None:  # in a fresh checkout, only the times are new
            known = [
                self._by_reading(file) if results is None else results
                for file, results in zip(files, known, strict=True)
            ]
            todo = [file for file, results in zip(files, known, strict=True) if results is None]
            jobs = jobs_for(todo, self._jobs)
        ordered = zip(files, known, strict=True)
        # One batch is work for one process, wherever it is done.
        if jobs == 1 or sum(one.size for one in todo if isinstance(one, File)) <= BATCH:
            return self._in_this_process(ordered)
        return self._in_processes(ordered, jobs)

    def drain(self) -> Iterator[FileResults]:
        """Yield results that are there already but were not taken when the run was interrupted.

        Of files that are not done, they may be a part.
        """
        if self._scheduler is not None:
            yield from map(self._cached, self._scheduler.unread())

    def _by_status(self, file: File | Problem) -> FileResults | None:
        if isinstance(file, Problem):
            return FileResults(file.file, (file,), is_first=False)
        if self._cache is None or file.status is None:
            return None
        mapped = self._mapped(file.name, file)
        results = self._cache.by_status(file.name, file.status, mapped)
        return None if results is None else FileResults(file.name, results, is_complete=True)

    def _is_untyped(self, file: File) -> bool:
        """Return whether a file certainly names no type."""
        if file.status is None:
            return False
        if self._cache is not None and self._cache.is_untyped(file.name, file.status):
            return True
        stamp = stamp_if_untyped(file)
        if stamp is not None and self._cache is not None:
            self._cache.put_untyped(file.name, stamp)
        return stamp is not None

    def _by_reading(self, file: File | Problem) -> FileResults | None:
        """Return cached results for the content of a small file."""
        assert self._cache is not None
        if isinstance(file, Problem) or not (0 < file.size <= CACHEABLE):
            return None
        if not self._cache.may_have(file.name, file.status):
            return None
        try:
            read = read_with_stamp(file.name, CACHEABLE)
        except OSError:  # reported when the file is checked
            return None
        results = None if read is None else self._by_content(file, read[1])
        return None if results is None else FileResults(file.name, results, is_complete=True)

    def _by_content(self, file: File, stamp: FileStamp) -> tuple[Result, ...] | None:
        assert self._cache is not None
        mapped = self._mapped(file.name, file)
        return self._cache.by_content(file.name, stamp, mapped)

    def _mapped(self, name: str, file: File | FileResults) -> str | bool | None:
        """Return how a file is mapped: its type, or None without one.

        A file that may be skipped has True if it is meant, else False.
        """
        return file.is_meant if file.only_typed else self._type_for(name)

    def _in_this_process(
        self, files: Iterable[tuple[File | Problem, FileResults | None]]
    ) -> Generator[FileResults, None, None]:
        lookup = self._by_content if self._cache is not None else None

        check = _LazyCheck(self._checker)
        for file, known in files:
            if known is not None:
                yield known
                continue
            assert isinstance(file, File)
            for results in check_file(check, file, self._max_bytes, lookup, whole=self._whole):
                yield self._cached(results)

    def _cached(self, results: FileResults) -> FileResults:
        """Put results that may be cached into the cache; return the same."""
        if self._cache is not None and results.stamp is not None:
            mapped = self._mapped(results.file, results)
            self._cache.put(results.file, results.stamp, mapped, results.results)
        return results

    def _in_processes(
        self, files: Iterable[tuple[File | Problem, FileResults | None]], jobs: int
    ) -> Generator[FileResults, None, None]:
        import pickle  # most runs need but one process

        from widgetschema.project.worker_pool import Scheduler

        check = BatchCheck(self._checker(), self._max_bytes, self._whole)
        self._scheduler = Scheduler(
            jobs,
            begin_batches,
            pickle.dumps(check),
            local=check.results,
            ahead=4 * jobs,
            warn=self._warn,
        )
        work = map(_job, batches(files, self._max_bytes, self._whole))
        yield from map(self._cached, self._scheduler.results(work))


class _LazyCheck(NamedTuple):
    """The checker of this process, which is made for the first text that needs it."""

    checker: Callable[[], Checker]

    def check(self, text: Text) -> list[Result]:
        """Return the results of a text."""
        return self.checker().check(text)

    def why_untyped(self, text: Text) -> Untyped | None:
        """Return why no document of a text names a type; None if one does."""
        return self.checker().why_untyped(text)


def _job(item: Batch | list[FileResults]) -> Job:
    """Return results that are known, or a batch, as a job; workers have no standard input."""
    from widgetschema.project.worker_pool import Job

    if isinstance(item, list):
        return Job(results=tuple(item))
    return Job(item, is_local=any(file.name == "-" for file in item.files))
