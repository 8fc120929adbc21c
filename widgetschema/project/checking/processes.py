"""Several processes that check: fed with portions, answering in any order.

What a process had not answered when it was killed (by a system that runs out of memory, say) is
checked in this one.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from itertools import chain, islice
from types import TracebackType
from typing import TYPE_CHECKING

from widgetschema.project.checking.file_check import Batch, FileResults, check_file
from widgetschema.project.worker_pool import Job, Task, WorkerPool

if TYPE_CHECKING:
    from widgetschema.project.checking.checker import Checker
    from widgetschema.project.checking.results import Result


class Worker:
    """What a process does with a portion."""

    def __init__(self, checker: Checker, max_bytes: int, whole: int) -> None:
        self._checker = checker
        self._max_bytes = max_bytes
        self._whole = whole

    def results(self, portion: Batch) -> Iterator[list[Result] | FileResults]:
        """The results of each text of a portion, or the answers about its files."""
        yield from map(self._checker.check, portion.texts)
        for file in portion.files:
            yield from check_file(self._checker.check, file, self._max_bytes, whole=self._whole)


class Sent:
    """A portion on its way, and how much came of it that was not taken."""

    def __init__(self, portion: Batch, task: Task) -> None:
        self.portion = portion
        self.task = task
        self.taken = 0

    def take(self) -> FileResults | None:
        """The next answer, if it is there."""
        results = self.task.results
        if not results:
            return None
        if not self.portion.texts:
            self.taken += 1
            answer: FileResults = results.popleft()
            return answer
        begins = self.portion.is_first and not self.taken
        together = tuple(chain.from_iterable(results))
        self.taken += len(results)
        results.clear()
        return FileResults(self.portion.texts[0].file, together, begins)


class Processes:
    """So many processes, for as long as they are needed."""

    def __init__(self, checker: Checker, jobs: int, max_bytes: int, whole: int) -> None:
        self._worker = Worker(checker, max_bytes, whole)
        self._workers = WorkerPool(jobs, _begin, pickle.dumps(self._worker))

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._workers.__exit__(kind, error, traceback)

    def send(self, portion: Batch) -> Sent:
        """Give a portion to whoever is free next; others have no standard input."""
        task = Task(Job(portion, is_local=any(file.name == "-" for file in portion.files)))
        if not task.is_local:
            self._workers.submit(task)
        return Sent(portion, task)

    def answers(self, sent: Sent) -> Iterator[FileResults]:
        """The answers about a portion, as they come."""
        task = sent.task
        while True:
            while (answer := sent.take()) is not None:
                yield answer
            if task.is_done:
                return
            if task.is_local:
                break
            self._workers.wait()
        for result in islice(self._worker.results(sent.portion), sent.taken, None):
            task.results.append(result)
            yield from iter(sent.take, None)


def _begin(_: object, worker: bytes) -> Callable[[Batch], Iterator[list[Result] | FileResults]]:
    return pickle.loads(worker).results  # type: ignore[no-any-return]  # noqa: S301  # our own
