"""Several processes that check: started once, fed with portions, answering in any order.

A process that is killed (by a system that runs out of memory, say) takes the others with it;
what they had not answered is then checked in this one.
"""

from __future__ import annotations

import pickle
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple

from widgetschema.checking.running import Answer, Portion, check_file
from widgetschema.checking.workers import begin

if TYPE_CHECKING:
    from widgetschema.checking.checker import Checker


class Sent(NamedTuple):
    """A portion on its way; there is no answer to wait for if nobody could take it."""

    portion: Portion
    future: Future[list[Answer]] | None


class Worker:
    """What a process does with a portion."""

    def __init__(self, checker: Checker, max_bytes: int, whole: int) -> None:
        self._checker = checker
        self._max_bytes = max_bytes
        self._whole = whole

    def answers(self, portion: Portion) -> list[Answer]:
        """The answers about a portion."""
        if portion.texts:
            results = [result for text in portion.texts for result in self._checker.check(text)]
            file = portion.texts[0].file
            return [Answer(file, tuple(results), portion.begins)]
        return [
            answer
            for file in portion.files
            for answer in check_file(self._checker.check, file, self._max_bytes, whole=self._whole)
        ]


class Processes:
    """So many processes, for as long as they are needed."""

    def __init__(self, checker: Checker, jobs: int, max_bytes: int, whole: int) -> None:
        self._worker = Worker(checker, max_bytes, whole)
        self._pool = ProcessPoolExecutor(jobs, None, _start, (pickle.dumps(self._worker),))

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=kind is None, cancel_futures=True)

    def send(self, portion: Portion) -> Sent:
        """Give a portion to whoever is free next."""
        try:
            return Sent(portion, self._pool.submit(_answers, portion))
        except BrokenProcessPool:
            return Sent(portion, None)

    def result(self, sent: Sent) -> list[Answer]:
        """The answers about a portion, when they are there."""
        try:
            if sent.future is not None:
                return sent.future.result()
        except BrokenProcessPool:
            pass
        return self._worker.answers(sent.portion)


_WORKER: Final[list[Worker]] = []  # of a process: set when it starts


def _start(worker: bytes) -> None:
    begin()
    _WORKER.append(pickle.loads(worker))  # noqa: S301  # our own, from our own process


def _answers(portion: Portion) -> list[Answer]:
    return _WORKER[0].answers(portion)
