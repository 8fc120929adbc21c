"""`fix`: apply fixes to a text, read and check it again, and undo edits that did not help.

All edits are tried together. Each new finding is traced to the edits at its place, below it, or
nearest above it. If there are several, a bisection, for all places at once, finds one culprit for
each place. Culprits are rejected, and the rest is tried again, until each edit fixes its finding
and causes none. If that takes too many checks, all edits are undone.

Two kinds of edits come first, because they reveal all other findings: those of characters that make
the text unreadable, and those of a document's widget type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any, Final, NamedTuple

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding
from widgetschema.fixes.edits import (
    Edit,
    OffsetMap,
    Renames,
    Target,
    apply_edits,
    repairs,
    requested_edits,
)
from widgetschema.formats.model import Format, Parsed
from widgetschema.formats.parsing import parse
from widgetschema.jsontext import DEFAULT_LIMITS, Limits, SourceText

Check = Callable[[Any], Sequence[Finding]]

_MAX_SEARCHES: Final = 4  # for single culprits; after that, all suspects are rejected
_MAX_CHECKS: Final = 100
_MIN_CHECKS: Final = 4
_MOST_WORK: Final = 2_000_000  # characters that are checked to see which fixes are effective
_PER_FINDING: Final = 200  # characters that cost as much as a finding
_TYPE: Final = "document.type"  # findings that hide all others in the document
_Signature = tuple[str, str, str]  # keyword, path, schema path


class Fixed(NamedTuple):
    """A text in which findings were fixed.

    `text` is the same object if none was. `applied` are the findings that were fixed, in the
    order of the text, with line and column in the old text; a path has the names of the text in
    which it was found, so below a renamed member the new name. `rounds` are the edits, those of a
    round with offsets and paths in the text as the rounds before left it.
    """

    text: str
    applied: tuple[Finding, ...]
    rounds: tuple[tuple[Edit, ...], ...] = ()


def fix(
    text: str,
    check: Callable[[Any], Sequence[Finding]],
    *,
    limits: Limits = DEFAULT_LIMITS,
    format: Format = "json",
    counts: Callable[[Finding], bool] = lambda finding: True,
    most_checks: int = _MAX_CHECKS,
) -> Fixed:
    """Apply every fix (`Finding.fix`) to a text of one value; other findings stay as they are.

    `check` gives the findings of its value, with paths from the top of the text; `counts` says
    which findings about a text that cannot be read (as `limits` say) are to be fixed. Only the
    tokens that findings name are replaced, so no line is added or removed. Each edit ends at least
    one finding, and causes none, nor a warning about how a value is written; fixing again changes
    nothing. If that takes more than `most_checks`, nothing but a wrong type is fixed.
    """

    def read(text: str) -> Parsed:
        """Return the value of a text, and its places. Raises `UnreadableDocument`."""
        values = parse(text, format, limits)
        if len(values) > 1:
            raise _SeveralValues
        return values[0]

    log = _Log(text)
    try:
        log.add(repairs(text, read, counts))
    except _SeveralValues:
        return log.fixed()
    attempt = _Attempt(check, read, most_checks)
    is_begun = log.text, [*log.done], [*log.rounds]
    try:
        parsed = attempt.parsed(log.text)
        findings = attempt.findings(parsed)
        types = [finding for finding in findings if finding.keyword == _TYPE]
        if any(finding.fix is not None for finding in types):
            log.add(requested_edits(parsed.source, parsed.value, types, [], set()))
            parsed = attempt.parsed(log.text)
            findings = attempt.findings(parsed)
            is_begun = log.text, [*log.done], [*log.rounds]
        while True:
            result = attempt.fix(parsed, findings)
            if not result.edits:
                break
            log.add(result.edits)
            parsed, findings = result.parsed, result.findings
            if not result.rejected:
                break  # else what was rejected may be right now that the rest is fixed
    except (UnreadableDocument, _TooManyChecks):
        log.text, log.done, log.rounds = is_begun
    return log.fixed()


def applicable(findings: Iterable[Finding], *, unsafe: bool) -> list[Finding]:
    """Return findings without the fixes that are not to be applied: unsafe ones, unless asked."""
    return [
        finding
        if unsafe or finding.fix is None or finding.fix.is_safe
        else replace(finding, fix=None)
        for finding in findings
    ]


def with_effective_fixes(
    parsed: Parsed,
    findings: Sequence[Finding],
    check: Check,
    read: Callable[[str], Parsed],
) -> list[Finding]:
    """Return the findings about the value of a text without fixes that `fix` would not apply.

    `check` gives the findings of a value, `read` reads a text of this kind. The fix of a document's
    type, which hides all other findings, is kept. If there are too many findings to find those
    whose fixes break something, none has a fix.
    """
    work = len(parsed.source.text) + _PER_FINDING * len(findings)
    most = min(_MAX_CHECKS, max(_MIN_CHECKS, _MOST_WORK // (work + 1)))
    attempt = _Attempt(check, read, most)
    kept: set[int] = set()
    for unsafe in (False, True):
        some = applicable(findings, unsafe=unsafe)
        if all(one.fix is None or one.fix.is_safe == unsafe for one in some):
            continue
        hidden = [replace(one, fix=None) if one.keyword == _TYPE else one for one in some]
        with suppress(UnreadableDocument, _TooManyChecks):
            edits = attempt.fix(parsed, [*hidden, *warnings_of(parsed)]).edits
            ended = (finding for edit in edits for finding in edit.findings)
            kept |= {id(one) for one in ended if one.fix and one.fix.is_safe != unsafe}
    return [
        finding
        if finding.fix is None or finding.keyword == _TYPE or id(finding) in kept
        else replace(finding, fix=None)
        for finding in findings
    ]


def warnings_of(parsed: Parsed) -> Iterator[Finding]:
    """Yield the findings about how values are written."""
    return (warning.finding for warning in parsed.warnings)


class _Log:
    """The edits of a text, one round after another; `done` are their findings and offsets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.done: list[tuple[int, Finding]] = []
        self.rounds: list[tuple[Edit, ...]] = []
        self._before = text
        self._offset_maps: list[OffsetMap] = []

    def add(self, edits: Sequence[Edit]) -> None:
        """Apply the edits of a round."""
        if not edits:
            return
        for edit in edits:
            start = edit.start
            for offset_map in reversed(self._offset_maps):
                start = offset_map.before(start)
            self.done += [(start, finding) for finding in edit.findings]
        self._offset_maps.append(OffsetMap(edits))
        self.rounds.append(tuple(edits))
        self.text = apply_edits(self.text, edits)

    def fixed(self) -> Fixed:
        """Return the fixed text, and the findings that were fixed."""
        done = sorted(self.done, key=lambda pair: pair[0])
        positions = SourceText(self._before).positions([offset for offset, _ in done])
        applied = tuple(
            replace(finding, line=line, column=column)
            for (_, finding), (line, column) in zip(done, positions, strict=True)
        )
        return Fixed(self.text, applied, tuple(self.rounds))


class _SeveralValues(Exception):
    """The text is a stream of YAML documents."""


class _TooManyChecks(Exception):
    """There are still new findings after too many checks."""


class _Result(NamedTuple):
    parsed: Parsed
    edits: list[Edit]
    findings: Sequence[Finding]
    rejected: set[Target]


class _Attempt:
    """The search for the edits that can be applied, with a budget of checks."""

    def __init__(
        self, check: Check, read: Callable[[str], Parsed], most: int = _MAX_CHECKS
    ) -> None:
        self.check = check
        self.read = read
        self.most = most
        self.checks = 0

    def parsed(self, text: str) -> Parsed:
        """Return the value of a text. Raises `UnreadableDocument`."""
        self.checks += 1
        if self.checks > self.most:
            raise _TooManyChecks
        return self.read(text)

    def findings(self, parsed: Parsed) -> Sequence[Finding]:
        """Return the findings about a value, and about how it is written."""
        return [*self.check(parsed.value), *warnings_of(parsed)]

    def fix(self, parsed: Parsed, findings: Sequence[Finding]) -> _Result:
        """Apply all edits that fix their findings and break nothing."""
        rejected: set[Target] = set()
        source = parsed.source
        for search in count():
            edits, fixed, after = self._all_edits(parsed, findings, rejected)
            culprits = _culprits(
                edits,
                findings,
                after,
                lambda some: self.findings(self.parsed(apply_edits(source.text, some))),
                thorough=search < _MAX_SEARCHES,
            )
            if not culprits:
                break
            rejected |= culprits
        return _Result(fixed, edits, after, rejected)

    def _all_edits(
        self, parsed: Parsed, findings: Sequence[Finding], rejected: set[Target]
    ) -> tuple[list[Edit], Parsed, Sequence[Finding]]:
        """Return the edits for the findings, and for those that these edits bring to light.

        A fixed name may reveal a value to fix, and so on. With them, return the text that they
        make, and the findings about it.
        """
        source, edits = parsed.source, list[Edit]()
        while new := requested_edits(source, parsed.value, findings, edits, rejected):
            edits += new
            parsed = self.parsed(apply_edits(source.text, edits))
            findings = self.findings(parsed)
        return edits, parsed, findings


def _culprits(
    edits: Sequence[Edit],
    before: Sequence[Finding],
    after: Sequence[Finding],
    check: Callable[[Sequence[Edit]], Sequence[Finding]],
    *,
    thorough: bool,
) -> set[Target]:
    """Return the targets of the edits that must not stay; empty if all may.

    `before` are the findings of the text as it was, `after` those with all edits; `check` gives
    those with some of them. Unless `thorough`, all suspects
    are returned without a search. Raises what `check` raises, except `UnreadableDocument`.
    """
    renames = Renames(edits)
    ineffective = _ineffective(edits, after, renames)
    if ineffective:
        return ineffective
    new = _new_findings(before, after, renames)
    if not new:
        return set()
    suspects = _suspects(edits, new, renames)
    if not thorough:
        return {edit.target for some, _ in suspects.values() for edit in some}
    return _bisect(edits, suspects, before, check)


def _ineffective(edits: Sequence[Edit], after: Sequence[Finding], renames: Renames) -> set[Target]:
    """Return the edits whose finding is still there."""
    still = {(finding.keyword, finding.path) for finding in after}
    return {
        edit.target
        for edit in edits
        for finding in edit.findings
        if (finding.keyword, renames.after(edit.target[0])) in still
    }


def _new_findings(
    before: Sequence[Finding], after: Sequence[Finding], renames: Renames
) -> Counter[_Signature]:
    """Count the findings that were not there before; names may have changed."""
    known = Counter((one.keyword, renames.after(one.path), one.schema_path) for one in before)
    return Counter((one.keyword, one.path, one.schema_path) for one in after) - known


def _suspects(
    edits: Sequence[Edit], new: Counter[_Signature], renames: Renames
) -> dict[str, tuple[list[Edit], list[_Signature]]]:
    """Return the edits that can have caused new findings, by the path around them."""
    below: dict[str, list[Edit]] = {}
    for edit in edits:
        for path in _with_ancestors(renames.after(edit.target[0])):
            below.setdefault(path, []).append(edit)
    suspects: dict[str, tuple[list[Edit], list[_Signature]]] = {}
    for signature in new:
        nearest = next((path for path in _with_ancestors(signature[1]) if path in below), "")
        suspects.setdefault(nearest, (below.get(nearest, [*edits]), []))[1].append(signature)
    return suspects


def _with_ancestors(path: str) -> list[str]:
    """Return the path and those of its ancestors, up to the root."""
    paths = [path]
    while path:
        path = path.rpartition("/")[0]
        paths.append(path)
    return paths


def _bisect(
    edits: Sequence[Edit],
    suspects: dict[str, tuple[list[Edit], list[_Signature]]],
    before: Sequence[Finding],
    check: Callable[[Sequence[Edit]], Sequence[Finding]],
) -> set[Target]:
    """Return one edit of each group of suspects, without which its new findings are gone."""
    groups = [(some, signatures) for some, signatures in suspects.values()]
    while any(len(some) > 1 for some, _ in groups):
        halves = [some[: (len(some) + 1) // 2] for some, _ in groups]
        left_out = {
            edit.target
            for (some, _), half in zip(groups, halves, strict=True)
            if len(some) > 1
            for edit in half
        }
        kept = [edit for edit in edits if edit.target not in left_out]
        try:
            new = _new_findings(before, check(kept), Renames(kept))
        except UnreadableDocument:  # a name that another edit had made free
            return {edit.target for some, _ in groups for edit in some}
        groups = [
            (some, signatures)
            if len(some) == 1
            else (
                some[len(half) :] if all(signature in new for signature in signatures) else half,
                signatures,
            )
            for (some, signatures), half in zip(groups, halves, strict=True)
        ]
    return {edit.target for some, _ in groups for edit in some}
