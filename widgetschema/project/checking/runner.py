"""A run over many files, in a stable order.

One process does it all unless there is enough work for several; then each takes some files, or
some lines of a large one, and their results are put in order again. The work that is under way at
a time is limited, so memory stays bounded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.project.checking.file_check import (
    BATCH,
    Batch,
    BatchCheck,
    FileResults,
    batches,
    begin_batches,
    check_file,
    names_no_type,
    results_of_problem,
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
        whole: bool = False,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._checker = checker
        self._max_bytes = max_bytes
        self._type_for = type_for
        self._jobs = jobs
        self._whole = max_bytes if whole else 0
        self._warn = warn
        self._scheduler: Scheduler | None = None
        self._left: str | None = None  # a file

    def leave(self, file: str) -> None:
        """Begin with no more of a file, of which results are being yielded."""
        self._left = file

    def _is_left(self, file: str) -> bool:
        return file == self._left

    def sift(self, files: Sequence[File | Problem]) -> Sifted:
        """Return which files are to be checked, and which are skipped after a mere look at them."""
        left: list[File | Problem] = []
        skipped = []
        for file in files:
            if isinstance(file, Problem) or not file.only_typed or not names_no_type(file):
                left.append(file)
            else:
                skipped.append(Skipped(file.name, NO_TYPE.reason))
        return Sifted(left, skipped)

    def results(self, files: Sequence[File | Problem]) -> Generator[FileResults, None, None]:
        """Yield the results of all files, in their order."""
        jobs = jobs_for(files, self._jobs)
        # One batch is work for one process, wherever it is done.
        if jobs == 1 or sum(file.size for file in files if isinstance(file, File)) <= BATCH:
            return self._in_this_process(files)
        return self._in_processes(files, jobs)

    def drain(self) -> Iterator[FileResults]:
        """Yield results that are there already but were not taken when the run was interrupted.

        Of files that are not done, they may be a part.
        """
        if self._scheduler is not None:
            yield from self._scheduler.unread()

    def _in_this_process(
        self, files: Iterable[File | Problem]
    ) -> Generator[FileResults, None, None]:
        check = _LazyCheck(self._checker)
        for file in files:
            if isinstance(file, Problem):
                yield results_of_problem(file)
                continue
            for results in check_file(check, file, self._max_bytes, whole=self._whole):
                yield results
                if self._left == file.name:
                    break

    def _in_processes(
        self, files: Iterable[File | Problem], jobs: int
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
        is_left = self._is_left
        work = map(_job, batches(files, self._max_bytes, self._whole, is_left))
        yield from self._scheduler.results(work)


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
