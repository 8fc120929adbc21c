"""A run over many files: each becomes its results, in a stable order.

One process does it all unless there is enough work for several; then each takes some files, or
some lines of a large one, and their results are put in order again. The work that is under way at
a time is limited, so memory stays bounded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.project.checking.artifacts import artifact_kind
from widgetschema.project.checking.results import Problem, Result
from widgetschema.project.inputs.formats import compression_of, format_of_file
from widgetschema.project.inputs.model import (
    NO_TYPE,
    File,
    PassedOver,
    Skipped,
    SourceFailed,
    Text,
)
from widgetschema.project.inputs.texts import (
    file_has_lines,
    read_small,
    texts_in,
    unreadable,
)

if TYPE_CHECKING:
    from widgetschema.project.checking.checker import Checker
    from widgetschema.project.worker_pool import Job, Scheduler

READ_AT_ONCE: Final = 8 * 1024 * 1024  # bytes of a file
BATCH: Final = 1024 * 1024  # bytes of work that a process gets at a time
BYTES_PER_WORKER: Final = 32 * 1024 * 1024  # bytes of work that are worth another process
_SMALL: Final = 64 * 1024  # bytes that most files have less of
_WEIGHT: Final = 256  # bytes that the results of a text have at least

_TYPED: Final = (b'"$schema"', b"\\u")  # a member may be written with escapes
_DOCUMENT: Final = (b'"type"', b'"data"')
_MISTAKEN: Final = (
    (b"'type'", b"'data'"),  # Python
    (b"type:", b"data:"),  # YAML, JavaScript
    ("type\u201d".encode()[:-1], "data\u201d".encode()[:-1]),  # any typographic quotes
)
_TYPED_UNQUOTED: Final = (b"$schema", b"\\u", b"\\x")
_DOCUMENT_UNQUOTED: Final = (b"type", b"data")
GetChecker = Callable[[], "Checker"]  # the checker is made when the first text needs it


class FileResults(NamedTuple):
    """Results of a file, or of a part of it.

    `is_first` marks the first part of a file, `is_complete` that these are all results of it.
    A file that is `passed_over` has no results; nor has one that is `skipped`, for a reason.
    """

    file: str
    results: tuple[Result, ...]
    is_first: bool = True
    is_complete: bool = False
    passed_over: PassedOver | None = None
    skipped: Skipped | None = None


def results_of_problem(problem: Problem) -> FileResults:
    """Return the problem of a file that cannot be checked as its results."""
    return FileResults(problem.file, (problem,), is_first=False)


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
    must pickle. `jobs` as for `jobs_for`. With `whole`, the results of a file come at once unless
    it has more than `max_bytes`. `warn` is told of a worker process that dies.
    """

    def __init__(
        self,
        checker: GetChecker,
        *,
        max_bytes: int,
        jobs: int = 0,
        whole: bool = False,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._checker = checker
        self._max_bytes = max_bytes
        self._jobs = jobs
        self._whole = max_bytes if whole else 0
        self._warn = warn
        self._scheduler: Scheduler | None = None
        self._left: str | None = None  # a file

    def leave(self, file: str) -> None:
        """Begin with no more of a file, of which results are being yielded."""
        self._left = file

    def sift(self, files: Sequence[File | Problem]) -> Sifted:
        """Return which files are to be checked, and which are skipped after a mere look at them."""
        left: list[File | Problem] = []
        skipped = []
        for file in files:
            if isinstance(file, Problem) or not file.only_typed or not names_no_type(file):
                left.append(file)
            else:
                skipped.append(Skipped(file.name, NO_TYPE))
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
        for file in files:
            if isinstance(file, Problem):
                yield results_of_problem(file)
                continue
            for results in check_file(self._checker, file, self._max_bytes, whole=self._whole):
                yield results
                if self._left == file.name:
                    break

    def _in_processes(
        self, files: Iterable[File | Problem], jobs: int
    ) -> Generator[FileResults, None, None]:
        import pickle  # most runs need but one process

        from widgetschema.project.worker_pool import Scheduler

        check = partial(check_batch, self._checker(), self._max_bytes, self._whole)
        self._scheduler = Scheduler(
            jobs,
            begin_batches,
            pickle.dumps(check),
            local=check,
            ahead=4 * jobs,
            warn=self._warn,
        )
        parts = batches(files, self._max_bytes, self._whole, lambda file: file == self._left)
        yield from self._scheduler.results(map(_job, parts))


def _job(item: Batch | list[FileResults]) -> Job:
    """Return results that are known, or a batch, as a job; workers have no standard input."""
    from widgetschema.project.worker_pool import Job

    if isinstance(item, list):
        return Job(results=tuple(item))
    return Job(item, is_local=any(file.name == "-" for file in item.files))


class Batch(NamedTuple):
    """Work for a process: files, or texts of one file, of which `is_first` marks the first."""

    files: tuple[File, ...] = ()
    texts: tuple[Text, ...] = ()
    is_first: bool = False


def check_batch(
    checker: Checker, max_bytes: int, whole: int, batch: Batch
) -> Iterator[FileResults]:
    """Yield the results of each text of a batch, and of each file."""
    is_first = batch.is_first
    for text in batch.texts:
        yield FileResults(text.file, tuple(checker.check(text)), is_first)
        is_first = False
    for file in batch.files:
        yield from check_file(lambda: checker, file, max_bytes, whole=whole)


def begin_batches(_: object, check: bytes) -> Callable[[Batch], Iterator[FileResults]]:
    """Return what a worker process does with a batch: a pickled `check_batch` with a checker."""
    import pickle  # most runs need but one process

    unpickled: Callable[[Batch], Iterator[FileResults]] = pickle.loads(check)  # noqa: S301  # our own
    return unpickled


def check_file(
    checker: GetChecker, file: File, max_bytes: int, *, whole: int = 0
) -> Iterator[FileResults]:
    """Yield the results of a file: at once if it is small or has at most `whole` bytes."""
    if file.content is not None:
        yield _check_content(checker, file, file.content, max_bytes)
        return
    most = max(whole, _SMALL)
    if file.status is not None and file.status.st_size <= most:
        results = _check_whole(checker, file, max_bytes, most)
        if results is not None:
            yield results
            return
    from widgetschema.project.inputs.streams import read_stream  # most files are small

    is_first, must_name, untyped = False, file.only_typed, None
    for text in read_stream(file.name, max_bytes):
        if text is None:
            is_first = True
            continue
        if isinstance(text, PassedOver):
            yield FileResults(file.name, (), is_first=False, passed_over=text)
            return
        if must_name and isinstance(text, Text):
            why = _why_untyped(checker, text, file)
            if why is None and untyped is not None:  # the texts before count, too
                yield from check_file(checker, file._replace(only_typed=False), max_bytes)
                return
            untyped = untyped or why
            if untyped is not None:
                if untyped.reason == NO_TYPE:
                    break
                continue
            must_name = False
        results_of_text = (text,) if isinstance(text, Problem) else tuple(checker().check(text))
        yield FileResults(file.name, results_of_text, is_first)
        is_first = False
    if untyped is not None:
        yield FileResults(file.name, (), is_first=False, skipped=untyped)
    elif is_first:
        yield FileResults(file.name, ())


def _check_whole(checker: GetChecker, file: File, max_bytes: int, most: int) -> FileResults | None:
    """Return the results of a small file; None if it is not one any more."""
    try:
        raw = read_small(file.name, most)
    except (OSError, ValueError) as error:
        return FileResults(file.name, (unreadable(file.name, error),), is_first=False)
    return None if raw is None else _check_content(checker, file, raw, max_bytes)


def _check_content(checker: GetChecker, file: File, raw: bytes, max_bytes: int) -> FileResults:
    """Return the results of a content that has the name of a file."""
    name = file.name
    kind = artifact_kind(raw)
    if kind is not None:
        return FileResults(name, (), is_first=False, passed_over=PassedOver(name, kind))
    found: list[Result] = []
    try:
        why = _why_all_untyped(checker, file, raw, max_bytes)
        if why is not None:
            return FileResults(name, (), is_first=False, skipped=why)
        for text in texts_in(name, raw, max_bytes):
            found += checker().check(text)
    except (OSError, ValueError, SourceFailed) as error:
        found.append(unreadable(name, error))
        return FileResults(name, tuple(found))
    return FileResults(name, tuple(found), is_complete=True)


def names_no_type(file: File) -> bool:
    """Return whether a small file certainly names no type.

    Much faster than a check, which would find the same: many repositories have thousands of them.
    """
    if file.status is None or file.status.st_size > READ_AT_ONCE:
        return False
    try:
        raw = read_small(file.name, READ_AT_ONCE)
    except (OSError, ValueError):  # reported when the file is checked
        return False
    return raw is not None and _names_nothing(file.name, raw) and not artifact_kind(raw)


def _why_all_untyped(checker: GetChecker, file: File, raw: bytes, max_bytes: int) -> Skipped | None:
    """Return why a file is skipped; None if it is not.

    The first text decides, unless its type is unknown: then one behind it may be known.
    """
    untyped = None
    for text in texts_in(file.name, raw, max_bytes) if file.only_typed else ():
        why = _why_untyped(checker, text, file)
        if why is None:
            return None
        untyped = untyped or why
        if untyped.reason == NO_TYPE:
            break
    return untyped


def _why_untyped(checker: GetChecker, text: Text, file: File) -> Skipped | None:
    """Return why no document of a text names a type; most texts are not even parsed for that."""
    if _names_nothing(text.file, text.raw):
        return Skipped(text.file, NO_TYPE)
    why = checker().why_untyped(text)
    return None if why is not None and why.type_id is not None and file.is_meant else why


def _names_nothing(file: str, raw: bytes) -> bool:
    """Return whether a text certainly names no type, nor does what is compressed in it."""
    if not (b"data" in raw or b"$schema" in raw or b"\\" in raw):  # each of the below has one
        return not compression_of(raw)
    typed: tuple[bytes, ...] = _TYPED
    document = _DOCUMENT
    if format_of_file(file) != "json":  # where names need no quotes
        typed, document = _TYPED_UNQUOTED, _DOCUMENT_UNQUOTED
    if any(map(raw.__contains__, typed)) or all(map(raw.__contains__, document)):
        return False
    if any(all(map(raw.__contains__, names)) for names in _MISTAKEN):
        return False
    return not compression_of(raw)


def batches(
    files: Iterable[File | Problem],
    max_bytes: int,
    whole: int,
    is_left: Callable[[str], bool] = lambda _: False,
) -> Iterator[Batch | list[FileResults]]:
    """Yield problems and batches of work, in the order of the files.

    Of a file that `is_left`, there are no more lines.
    """
    most = max(whole, READ_AT_ONCE)
    batch: list[File] = []
    for file in files:
        is_large = isinstance(file, File) and file.size > most and file_has_lines(file.name)
        is_apart = is_large or isinstance(file, Problem)
        if batch and (is_apart or sum(one.size for one in batch) > BATCH):
            yield Batch(tuple(batch))
            batch = []
        if isinstance(file, Problem):
            yield [results_of_problem(file)]
        elif is_large:
            for part in _batches_of_lines(file, max_bytes):
                if is_left(file.name):
                    break
                yield part
        else:
            batch.append(file)
    if batch:
        yield Batch(tuple(batch))


def _batches_of_lines(file: File, max_bytes: int) -> Iterator[Batch | list[FileResults]]:
    from widgetschema.project.inputs.streams import read_stream  # few files are large

    texts: list[Text] = []
    is_first, size = False, 0
    for text in read_stream(file.name, max_bytes):
        if text is None:
            is_first = True
            continue
        if isinstance(text, PassedOver):
            yield [FileResults(file.name, (), is_first=False, passed_over=text)]
            return
        if isinstance(text, Problem):
            if texts:
                yield Batch(texts=tuple(texts), is_first=is_first)
            yield [FileResults(file.name, (text,), is_first and not texts)]
            return
        texts.append(text)
        size += len(text.raw) + _WEIGHT
        if size > BATCH:
            yield Batch(texts=tuple(texts), is_first=is_first)
            texts, is_first, size = [], False, 0
    if texts:
        yield Batch(texts=tuple(texts), is_first=is_first)
    elif is_first:
        yield [FileResults(file.name, ())]
