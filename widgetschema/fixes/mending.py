"""`fix`: write what is certain into a text, check again, take back what did not help.

The edits are tried together. What is then wrong and was not before is blamed on single edits
(`blame`); these are banned, and the rest is tried again, until everything that was written
mends what it should and breaks nothing. Whatever cannot be settled leaves the text as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final, NamedTuple

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.fixes.blame import blamed
from widgetschema.fixes.edits import Edit, Place, Shift, applied, wanted
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, SourceText, read

Check = Callable[[Any], Sequence[Finding]]

_MOST_SEARCHES: Final = 4  # for single guilty edits; after that, all that are suspect go
_MOST_CHECKS: Final = 100


class Fixed(NamedTuple):
    """A text with what was mended in it.

    `text` is the same object if nothing was. `applied` are the findings that were mended, in the
    order of the text, with line and column in the old text; a path has the names of the text in
    which it was found, so below a renamed member the new name.
    """

    text: str
    applied: tuple[Finding, ...]


def fix(
    text: str, check: Callable[[Any], Sequence[Finding]], *, limits: Limits = DEFAULT_LIMITS
) -> Fixed:
    """A JSON text with everything mended that is certain (`Finding.fix`).

    `check` gives the findings of a JSON value, with paths from the top of the text. Only the
    tokens that findings name are replaced, so no line is added or removed. Afterwards there is
    no finding that was not there before, and each edit ended at least one; fixing again changes
    nothing. A text that cannot be read (as `limits` say) is returned as it is.
    """
    attempt = _Attempt(check, limits)
    shifts: list[Shift] = []
    done: list[tuple[int, Finding]] = []
    current = text
    try:
        findings = attempt.findings(current)
        while True:
            mended = attempt.mend(current, findings)
            if not mended.edits:
                break
            for edit in mended.edits:
                start = edit.start
                for shift in reversed(shifts):
                    start = shift.before(start)
                done += [(start, finding) for finding in edit.findings]
            shifts.append(Shift(mended.edits))
            current, findings = mended.text, mended.findings
            if not mended.banned:
                break  # else what was banned may be right now that the rest is mended
    except (UnreadableDocument, _Unsettled):
        return Fixed(text, ())
    return Fixed(current, _placed(text, done)) if done else Fixed(text, ())


def _placed(text: str, done: list[tuple[int, Finding]]) -> tuple[Finding, ...]:
    done.sort(key=lambda pair: pair[0])
    positions = SourceText(text).positions([offset for offset, _ in done])
    return tuple(
        replace(finding, line=line, column=column)
        for (_, finding), (line, column) in zip(done, positions, strict=True)
    )


class _Unsettled(Exception):
    """Too many checks, and still something new is wrong."""


class _Mended(NamedTuple):
    text: str
    edits: list[Edit]
    findings: Sequence[Finding]
    banned: set[Place]


class _Attempt:
    """Checks that are counted, and the search for the edits that may stay."""

    def __init__(self, check: Check, limits: Limits) -> None:
        self.check = check
        self.limits = limits
        self.checks = 0

    def findings(self, text: str) -> Sequence[Finding]:
        """The findings of a text. Raises `UnreadableDocument`."""
        return self.check(self._read(text))

    def _read(self, text: str) -> Any:
        self.checks += 1
        if self.checks > _MOST_CHECKS:
            raise _Unsettled
        return read(text, self.limits)

    def mend(self, text: str, findings: Sequence[Finding]) -> _Mended:
        """The text with all edits that may stay."""
        banned: set[Place] = set()
        if all(finding.fix is None for finding in findings):
            return _Mended(text, [], findings, banned)
        source = SourceText(text)
        value = read(text, self.limits)
        for search in count():
            edits, after = self._grown(source, value, findings, banned)
            guilty = blamed(
                edits,
                findings,
                after,
                lambda some: self.findings(applied(text, some)),
                thorough=search < _MOST_SEARCHES,
            )
            if not guilty:
                break
            banned |= guilty
        return _Mended(applied(text, edits), edits, after, banned)

    def _grown(
        self, source: SourceText, value: Any, findings: Sequence[Finding], banned: set[Place]
    ) -> tuple[list[Edit], Sequence[Finding]]:
        """All edits that are asked for, by the findings and by those that come to light.

        A mended name may show a value to mend, and so on.
        """
        edits: list[Edit] = []
        while new := wanted(source, value, findings, edits, banned):
            edits += new
            value = self._read(applied(source.text, edits))
            findings = self.check(value)
        return edits, findings
