"""Which files were looked through, and what may be passed over at all; light, for each run."""

from __future__ import annotations

import os

from widgetschema.project.checking.fingerprints import FileNames
from widgetschema.project.checking.results import Problem, Result


def is_baselinable(problem: Problem) -> bool:
    """Whether a problem may be passed over: it is about a file that is there.

    A schema that cannot be used, or a platform that does not answer, is nobody's old mistake:
    who passed over that would check nothing, and not know.
    """
    if problem.truncated:  # what has not been looked for may be new
        return False
    return problem.code <= 3 and problem.file != "-" and os.path.isfile(problem.file)


class ExaminedFiles:
    """Which files of a baseline were looked through: what is not found there is no more.

    A file with a part that could not be checked does not count: nobody knows what is in it.
    """

    def __init__(self, files: frozenset[str], names: FileNames) -> None:
        self._files = files
        self._names = names
        self._seen: set[str] = set()
        self._doubtful: set[str] = set()
        self._last = ""

    def at(self, file: str) -> None:
        """A file begins; the one before it has come to its end."""
        if self._files:
            self._last = self._names.of(file)
            if self._last in self._files:
                self._seen.add(self._last)

    def result(self, result: Result) -> None:
        """One result of a file."""
        if self._files:
            self.at(result.file)
            if isinstance(result, Problem) or not result.readable:
                self._doubtful.add(self._last)

    def through(self, file: str, *, stopped: bool = False) -> bool:
        """Whether all of a file was checked; if the run was `stopped`, its last was not."""
        if stopped and file == self._last:
            return False
        return file in self._seen and file not in self._doubtful
