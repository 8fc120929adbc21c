"""`--fix` and `--diff`: what is certain is mended in the files, or only shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, Final

from widgetschema.checking.inputs import is_lines
from widgetschema.checking.results import Checked, Problem, reason
from widgetschema.checking.running import Answer
from widgetschema.findings import Finding

_UNWRITABLE: Final = 3


class Mender:
    """Mends the files of answers.

    `findings` gives all that is to be mended in the value of a text of a file; `again` the
    answers about a file that was written. With `diff`, nothing is written, and `diff` gets the
    differences. `number` and `files` count what was mended, or could be.
    """

    def __init__(
        self,
        findings: Callable[[str, Any], list[Finding]],
        again: Callable[[str], Iterator[Answer]],
        diff: Callable[[str], None] | None = None,
    ) -> None:
        self._findings = findings
        self._again = again
        self._diff = diff
        self.number = 0
        self.files = 0

    def mended(self, answer: Answer) -> Iterator[Answer]:
        """The answer, or those about the file as it is now."""
        if not answer.whole or not _is_mendable(answer):
            yield answer
            return
        try:
            with open(answer.file, "rb") as file:
                raw = file.read()
            text = raw.decode()
            new, number = self._fixed(answer.file, text)
        except (OSError, ValueError):  # gzip, or gone since it was read
            yield answer
            return
        if not number:
            yield answer
            return
        if self._diff is not None:
            from widgetschema.fixing import unified_diff

            self._diff(unified_diff(text, new, answer.file.replace(os.sep, "/")))
            self._count(number)
            yield answer
            return
        from widgetschema.store import write_atomically

        try:
            with open(answer.file, "rb") as file:
                if file.read() != raw:
                    message = "was changed by somebody else in the meantime: nothing was mended"
                    yield answer
                    yield Answer(answer.file, (Problem(answer.file, message, 3),), begins=False)
                    return
            write_atomically(answer.file, new)
        except OSError as error:
            message = f"cannot be written: {reason(error)}"
            yield answer
            yield Answer(answer.file, (Problem(answer.file, message, _UNWRITABLE),), begins=False)
            return
        self._count(number)
        yield from self._again(answer.file)

    def _count(self, number: int) -> None:
        self.number += number
        self.files += 1

    def _fixed(self, file: str, text: str) -> tuple[str, int]:
        """The text with all that is certain mended, and how much that was."""
        from widgetschema.fixing import fix  # few runs mend anything

        def check(value: Any) -> list[Finding]:
            return self._findings(file, value)

        if not is_lines(file):
            fixed = fix(text, check)
            return fixed.text, len(fixed.applied)
        lines, number = text.split("\n"), 0
        for index, line in enumerate(lines):
            if line.strip():
                ending = "\r" if line.endswith("\r") else ""
                fixed = fix(line.removesuffix("\r"), check)
                lines[index] = fixed.text + ending
                number += len(fixed.applied)
        return "\n".join(lines), number


def _is_mendable(answer: Answer) -> bool:
    return any(
        found.finding.fix is not None
        for result in answer.results
        if isinstance(result, Checked)
        for found in result.found
    )
