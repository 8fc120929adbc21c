"""`--fix` and `--diff`: what is certain is mended in the files, or only shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, Final

from widgetschema.findings import Finding
from widgetschema.jsontext import Limits
from widgetschema.project.checking.file_check import FileResults
from widgetschema.project.checking.results import DocumentResult, Problem, reason
from widgetschema.project.inputs.formats import compression_of, holds_lines, is_lines
from widgetschema.text import printable

_UNWRITABLE: Final = 3


class Mender:
    """Mends the files of answers.

    `findings` gives all that is to be mended in the value of a text of a file; `again` the
    answers about a file that was written. Links that lead out of the folder `root` are not
    followed. `warn` gets a line for each file that is left as it is although it has findings
    with a fix. With `diff`, nothing is written, and `diff` gets the differences. `number` and
    `files` count what was mended, or could be.
    """

    def __init__(
        self,
        findings: Callable[[str, Any], list[Finding]],
        again: Callable[[str], Iterator[FileResults]],
        root: str,
        limits: Limits,
        warn: Callable[[str], None],
        diff: Callable[[str], None] | None = None,
    ) -> None:
        self._root = root
        self._limits = limits
        self._told = ""
        self._findings = findings
        self._again = again
        self._warn = warn
        self._diff = diff
        self.number = 0
        self.files = 0

    def mended(self, answer: FileResults) -> Iterator[FileResults]:
        """The answer, or those about the file as it is now."""
        if not _is_mendable(answer):
            yield answer
            return
        if not answer.is_complete or self._leads_out(answer.file):
            self._not_fixed(answer.file, _why_not(answer))
            yield answer
            return
        try:
            with open(answer.file, "rb") as file:
                raw = file.read()
                links = os.fstat(file.fileno()).st_nlink
            if compression_of(raw):
                self._not_fixed(answer.file, "compressed files are left as they are")
                yield answer
                return
            text = raw.decode()
            new, number = self._fixed(answer.file, text)
        except (OSError, ValueError):  # gone since it was read, or another one
            yield answer
            return
        if not number:
            yield answer
            return
        if self._diff is not None:
            from widgetschema.fixes import unified_diff

            self._diff(unified_diff(text, new, _name_in_patch(answer.file)))
            self._count(number)
            yield answer
            return
        if links > 1:  # the file would be replaced, and the other names would keep the old text
            self._not_fixed(answer.file, f"it has {links:,} names (hard links); copy it first")
            yield answer
            return
        from widgetschema.files import write_atomically

        try:
            with open(answer.file, "r+b") as file:  # who may not write to it, may not replace it
                if file.read() != raw:
                    message = "was changed by somebody else in the meantime: nothing was mended"
                    yield answer
                    yield FileResults(
                        answer.file, (Problem(answer.file, message, 3),), is_first=False
                    )
                    return
            write_atomically(answer.file, new)
        except OSError as error:
            message = f"cannot be written: {reason(error)}"
            yield answer
            yield FileResults(
                answer.file, (Problem(answer.file, message, _UNWRITABLE),), is_first=False
            )
            return
        self._count(number)
        yield from self._again(answer.file)

    def _leads_out(self, file: str) -> bool:
        """Whether a link within the project is about to be followed to the outside of it."""
        return _is_within(os.path.abspath(file), os.path.abspath(self._root)) and not _is_within(
            os.path.realpath(file), os.path.realpath(self._root)
        )

    def _not_fixed(self, file: str, why: str) -> None:
        """Warn once for each file. Its findings remain, and they decide the exit code."""
        if file != self._told:
            self._told = file
            self._warn(f"{printable(file)}: not fixed: {why}")

    def _count(self, number: int) -> None:
        self.number += number
        self.files += 1

    def _fixed(self, file: str, text: str) -> tuple[str, int]:
        """The text with all that is certain mended, and how much that was."""
        from widgetschema.fixes import fix  # few runs mend anything

        def check(value: Any) -> list[Finding]:
            return self._findings(file, value)

        if not is_lines(file) and not holds_lines(text.encode(), is_all=True):
            fixed = fix(text, check, limits=self._limits)
            return fixed.text, len(fixed.applied)
        lines, number = text.split("\n"), 0
        for index, line in enumerate(lines):
            if line.strip():
                ending = "\r" if line.endswith("\r") else ""
                fixed = fix(line.removesuffix("\r"), check, limits=self._limits)
                lines[index] = fixed.text + ending
                number += len(fixed.applied)
        return "\n".join(lines), number


def _is_mendable(answer: FileResults) -> bool:
    return any(
        found.finding.fix is not None
        for result in answer.results
        if isinstance(result, DocumentResult)
        for found in result.findings
    )


def _why_not(answer: FileResults) -> str:
    if answer.is_complete:
        return "a link leads out of the project"
    return "standard input has no file" if answer.file == "-" else "too large, or no plain file"


def _is_within(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _name_in_patch(file: str) -> str:
    """Where patches are applied is the working directory; a link stays one."""
    real, here = os.path.realpath(file), os.path.realpath(os.curdir)
    name = os.path.relpath(real, here) if _is_within(real, here) else real
    return name.replace(os.sep, "/")
