"""Triage: which findings count, after severities, ignores and the baseline."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from widgetschema.findings import Finding
from widgetschema.project.checking.baseline import Baseline, ExaminedFiles
from widgetschema.project.checking.fingerprints import (
    FileNames,
    FingerprintCounter,
    problem_identity,
)
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Problem,
    Result,
    Severity,
    Suppressed,
)

if TYPE_CHECKING:
    from widgetschema.project.config import Configuration, Ignore

_PYPROJECT: Final = "pyproject.toml"  # where the configuration is not the whole file
UNCHECKED: Final = ("json.", "problem.", "document.type")  # codes: data was not checked
_LONGEST: Final = 120  # characters of a pattern or a reason in a message


class CodeSelection(NamedTuple):
    """The codes that the options --select (all if it is empty) and --ignore of a run name.

    What keeps data from being checked is always selected, so that it is not taken for valid.
    """

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()

    def selects(self, code: str) -> bool:
        """Return whether findings with a code count."""
        if code in self.ignore:
            return False
        return not self.select or code in self.select or code.startswith(UNCHECKED)


ALL_CODES: Final = CodeSelection()


class Triage:
    """Decides about results in their order, and remembers what the end of the run needs.

    File names in fingerprints are relative to `folder`: that of the baseline if there is one or one
    is written (`BaselineRecorder.folder`), else that of the configuration. `today` decides which
    ignores have expired. What `codes` leave out is ignored. `ignored` counts the problems
    that were left out, and `suppressed` are those that an ignore excuses; findings that were left
    out are with their documents. `nearest` returns the configuration of a file, by default that of
    the run.
    """

    def __init__(
        self,
        configuration: Configuration,
        baseline: Baseline | None,
        folder: str,
        *,
        nearest: Callable[[str], Configuration] | None = None,
        today: datetime.date | None = None,
        codes: CodeSelection = ALL_CODES,
    ) -> None:
        self.folder = folder if baseline is None else baseline.folder
        self.ignored = 0
        self.suppressed: list[Suppressed[Problem]] = []
        self.has_baseline = baseline is not None
        self._nearest = nearest or (lambda file: configuration)
        self._today = today or datetime.date.today()
        self._codes = codes
        self._ignores = {configuration.folder: _Ignores(configuration, self._today)}
        self._file: str | None = None  # the last file asked for, and what is configured for it
        self._severities: Mapping[str, str] = {}
        self._about_file = self._ignores[configuration.folder]
        self._baseline = baseline
        self._in_baseline = () if baseline is None else (_in_baseline(baseline),)
        self._names = FileNames(self.folder)
        self._counter = FingerprintCounter()
        self._examined = None if baseline is None else ExaminedFiles(baseline.files, self._names)
        self._found_again: set[str] = set()

    def begin(self, file: str) -> None:
        """Record that a file begins: one without documents has no results."""
        if self._examined is not None:
            self._examined.begin(file)

    def result(self, result: Result) -> Result | None:
        """Return the result with the findings that count; None for a problem that does not."""
        if self._examined is not None:
            self._examined.add(result)
        if isinstance(result, Problem):
            return self._problem(result)
        return self._document(result) if result.findings else result

    def counts(self, file: str, finding: Finding) -> bool:
        """Return whether a finding is neither turned off nor ignored, baseline or not."""
        self._configure(file)
        keyword = finding.keyword
        if self._severities.get(keyword) == "off" or not self._codes.selects(keyword):
            return False
        return not self._about_file.excuse(file, keyword, finding.path)

    def with_fingerprint(self, problem: Problem) -> Problem:
        """Return the problem with its fingerprint."""
        name = self._names.name(problem.file)
        fingerprint = self._counter.fingerprint(name, problem_identity(problem))
        return problem._replace(fingerprint=fingerprint)

    def ignore_findings(self, *, everything: bool) -> list[DocumentResult]:
        """Return what is wrong with the ignores, as findings about the configuration file.

        Only after `everything` that is configured was checked, unused ignores are known.
        """
        every = [ignores.configuration for ignores in self._ignores.values()]
        found = (self._ignore_findings(one, everything=everything) for one in every if one.file)
        return [document for documents in found for document in documents]

    def _ignore_findings(
        self, configuration: Configuration, *, everything: bool
    ) -> list[DocumentResult]:
        file = configuration.file
        assert file is not None
        base = "/tool/widgetschema" if os.path.basename(file) == _PYPROJECT else ""
        located: list[LocatedFinding] = []
        name, counter = self._names.name(file), FingerprintCounter()
        ignores = self._ignores[configuration.folder]
        for finding in ignores.findings(everything=everything, base=base):
            severity = configuration.severities.get(finding.keyword, "error")
            if severity == "off" or not self._codes.selects(finding.keyword):
                continue
            # What an ignore says identifies it, wherever in the list it stands.
            identity = f"{finding.keyword} {finding.message}"
            located.append(
                LocatedFinding(
                    finding,
                    finding.line or 1,
                    finding.column or 1,
                    severity=cast("Severity", severity),
                    fingerprint=counter.fingerprint(name, identity),
                )
            )
        return [DocumentResult(_shown_name(file), findings=tuple(located))] if located else []

    def resolved(self, *, interrupted: bool = False) -> tuple[str, ...]:
        """Return the entries of the baseline that were not found, each as `file keyword path`.

        Only entries of files that were examined completely or were deleted are certain; an
        `interrupted` run did not examine its last file completely.
        """
        baseline, examined = self._baseline, self._examined
        if baseline is None or examined is None:
            return ()
        certain = {
            file
            for file in baseline.files
            if examined.is_complete(file, interrupted=interrupted) or baseline.is_deleted(file)
        }
        return tuple(
            str(entry)
            for entry in baseline
            if entry.file in certain and entry.fingerprint not in self._found_again
        )

    def _configure(self, file: str) -> None:
        """Use what is configured for a file."""
        if file == self._file:
            return
        configuration = self._nearest(file)
        if configuration.folder not in self._ignores:
            self._ignores[configuration.folder] = _Ignores(configuration, self._today)
        self._file, self._severities = file, configuration.severities
        self._about_file = self._ignores[configuration.folder]

    def _document(self, document: DocumentResult) -> DocumentResult:
        self._configure(document.file)
        name = self._names.name(document.file)
        kept: list[LocatedFinding] = []
        suppressed: list[Suppressed[LocatedFinding]] = []
        known = ignored = 0
        for one in document.findings:
            keyword = one.finding.keyword
            fingerprint = self._counter.fingerprint(name, one.fingerprint)
            severity = self._severities.get(keyword, one.severity)
            if severity == "off":
                continue
            valid = cast("Severity", severity)
            found = one._replace(severity=valid, fingerprint=fingerprint)
            reasons = self._about_file.excuse(document.file, keyword, one.finding.path)
            if reasons:
                ignored += 1
                suppressed.append(Suppressed(found, reasons, is_known=False))
            elif self._is_known(document.file, fingerprint) and not document.prevents_check(
                one.finding
            ):
                known += 1
                suppressed.append(Suppressed(found, self._in_baseline, is_known=True))
            elif not self._codes.selects(keyword):
                ignored += 1
            else:
                kept.append(found)
        return document._replace(
            findings=tuple(kept), known=known, ignored=ignored, suppressed=tuple(suppressed)
        )

    def _problem(self, problem: Problem) -> Problem | None:
        problem = self.with_fingerprint(problem)
        if _is_ignorable(problem):
            self._configure(problem.file)
            reasons = self._about_file.excuse(problem.file, problem.keyword, problem.pointer)
            if reasons:
                self.ignored += 1
                self.suppressed.append(Suppressed(problem, reasons, is_known=False))
                return None
            if not self._codes.selects(problem.keyword):
                self.ignored += 1
                return None
        return problem

    def _is_known(self, file: str, fingerprint: str) -> bool:
        if self._baseline is None or file == "-" or fingerprint not in self._baseline:
            return False  # standard input has no name, so it is in no baseline
        self._found_again.add(fingerprint)
        return True


class _Ignores:
    """The ignores of a configuration on a day, and which of them were used.

    Expired ignores excuse nothing; the day in `expires` is the last on which one is valid.
    """

    def __init__(self, configuration: Configuration, today: datetime.date) -> None:
        self.configuration = configuration
        self._all = configuration.ignores
        self._today = today
        self._used: set[Ignore] = set()
        self._file: str | None = None  # the last file asked for, and the ignores about it
        self._about_file: tuple[Ignore, ...] = ()

    def excuse(self, file: str, keyword: str, path: str) -> tuple[str, ...]:
        """Return the reasons why a finding is ignored, if it is; `file` as the user named it."""
        if not self._all:
            return ()
        if file != self._file:
            self._file, self._about_file = file, self._about(file)
        found = [ignore for ignore in self._about_file if ignore.covers(path, keyword)]
        self._used.update(found)
        return tuple(dict.fromkeys(ignore.reason for ignore in found))

    def findings(self, *, everything: bool, base: str) -> list[Finding]:
        """Return findings about expired and, if `everything` was checked, unused ignores.

        `base` is the JSON Pointer of the configuration in its file.
        """
        found: list[Finding] = []
        for number, ignore in enumerate(self._all):
            path = f"{base}/ignores/{number}"
            if self._has_expired(ignore):
                found.append(_expired(ignore, path))
            elif everything and ignore not in self._used:
                found.append(_unused(ignore, path))
        return found

    def _about(self, file: str) -> tuple[Ignore, ...]:
        # Standard input is not a file, so no pattern of files matches it.
        ignores = self._all if file == "-" else self.configuration.ignores_for(file)
        return tuple(
            ignore
            for ignore in ignores
            if not self._has_expired(ignore) and (file != "-" or ignore.path is None)
        )

    def _has_expired(self, ignore: Ignore) -> bool:
        return ignore.expires is not None and ignore.expires < self._today


def _is_ignorable(problem: Problem) -> bool:
    """Return whether a problem may be ignored: it is about a file that exists.

    A schema that cannot be used or a platform that does not respond may not: the run would check
    nothing without anybody noticing. Neither may one that leaves findings out: they may be new.
    """
    if problem.truncated:
        return False
    return problem.code <= 3 and problem.file != "-" and os.path.isfile(problem.file)


def _in_baseline(baseline: Baseline) -> str:
    return f"in the baseline {os.path.basename(baseline.path)}"


def _expired(ignore: Ignore, path: str) -> Finding:
    assert ignore.expires is not None
    message = (
        f"this ignore ({_describe(ignore)}) expired on {ignore.expires.isoformat()}; its reason "
        f"was {_preview(ignore.reason)}"
    )
    hint = "fix what it ignored and remove it, or set a later date"
    return Finding("ignore.expired", path, "", message, hint, ignore.line, ignore.column)


def _unused(ignore: Ignore, path: str) -> Finding:
    message = f"this ignore matched no finding ({_describe(ignore)})"
    hint = "remove it if what it ignored is fixed, or correct its path, pointer or keyword"
    return Finding("ignore.unused", path, "", message, hint, ignore.line, ignore.column)


def _describe(ignore: Ignore) -> str:
    parts = (("path", ignore.path), ("pointer", ignore.pointer), ("keyword", ignore.keyword))
    return ", ".join(f"{name} {_preview(text)}" for name, text in parts if text is not None)


def _preview(text: str) -> str:
    from widgetschema.jsontext import preview  # most runs have nothing to say about ignores

    return preview(text, _LONGEST)


def _shown_name(file: str) -> str:
    """Return the name of a file, relative to the working directory if the file is below it."""
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # no working directory any more, or another drive
        return file
    return file if relative.startswith(os.pardir) else relative
