"""What of the results counts: fingerprints, then severities, ignores and the baseline."""

from __future__ import annotations

import datetime
import os
from typing import TYPE_CHECKING, Final, cast

from widgetschema.findings import Finding
from widgetschema.project.checking.fingerprints import (
    FileNames,
    FingerprintCounter,
    problem_identity,
)
from widgetschema.project.checking.ignores import Ignores
from widgetschema.project.checking.looked import ExaminedFiles, is_baselinable
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Problem,
    Result,
    Severity,
)
from widgetschema.project.config import Configuration

if TYPE_CHECKING:
    from widgetschema.project.checking.baseline import Baseline

_PYPROJECT: Final = "pyproject.toml"  # where the configuration is not the whole file


class Triage:
    """Judges results in their order; remembers what it was asked for, for the end of the run.

    FileNames of files in fingerprints begin at `folder`: that of the baseline, if there is one, or
    one is to be written (`Collector.folder`); that of the configuration else. `today` decides
    which ignores have expired. `known` and `ignored` count problems that were left out: those of
    findings are with their documents.
    """

    def __init__(
        self,
        configuration: Configuration,
        baseline: Baseline | None,
        folder: str,
        *,
        today: datetime.date | None = None,
    ) -> None:
        self.folder = folder if baseline is None else baseline.folder
        self.known = 0
        self.ignored = 0
        self._configuration = configuration
        self._severities = dict(configuration.severities)
        self._ignores = Ignores(configuration, today or datetime.date.today())
        self._baseline = baseline
        self._names = FileNames(self.folder)
        self._numbered = FingerprintCounter()
        self._looked = ExaminedFiles(
            frozenset() if baseline is None else baseline.files, self._names
        )
        self._found_again: set[str] = set()

    def seen(self, file: str) -> None:
        """Say that a file is looked at: one without documents has no results."""
        self._looked.at(file)

    def judged(self, result: Result) -> Result | None:
        """The result with what counts of it; None for a problem that does not."""
        self._looked.result(result)
        if isinstance(result, Problem):
            return self._problem(result)
        return self._checked(result) if result.findings else result

    def counts(self, file: str, finding: Finding) -> bool:
        """Whether a finding is neither turned off nor ignored, whatever the baseline says of it."""
        if self._severities.get(finding.keyword) == "off":
            return False
        return not self._ignores.excuse(file, finding.keyword, finding.path)

    def end(self, *, everything: bool) -> list[DocumentResult]:
        """What is wrong with the ignores, as findings about the configuration file.

        `everything` says that all that the configuration maps was checked, to its end.
        """
        file = self._configuration.file
        if file is None:
            return []
        base = "/tool/widgetschema" if os.path.basename(file) == _PYPROJECT else ""
        found: list[LocatedFinding] = []
        name, numbered = self._names.of(file), FingerprintCounter()
        for finding in self._ignores.findings(everything=everything, base=base):
            severity = self._severities.get(finding.keyword, "error")
            if severity != "off":
                about = _identity(finding)
                line, column = finding.line or 1, finding.column or 1
                one = LocatedFinding(finding, line, column, fingerprint=numbered.of(name, about))
                found.append(one._replace(severity=cast("Severity", severity)))
        return [DocumentResult(_as_typed(file), findings=tuple(found))] if found else []

    def resolved(self, *, stopped: bool = False) -> tuple[str, ...]:
        """What the baseline has and nothing was found of, each as `file keyword path`.

        Only of files that were looked through, or are no more. A run that was `stopped` did not
        look through its last file.
        """
        if self._baseline is None:
            return ()
        gone = {
            file: self._looked.through(file, stopped=stopped) or self._baseline.has_lost(file)
            for file in self._baseline.files
        }
        return tuple(
            str(entry)
            for entry in self._baseline
            if gone[entry.file] and entry.fingerprint not in self._found_again
        )

    def _checked(self, checked: DocumentResult) -> DocumentResult:
        name = self._names.of(checked.file)
        kept: list[LocatedFinding] = []
        known = ignored = 0
        for one in checked.findings:
            keyword = one.finding.keyword
            fingerprint = self._numbered.of(name, one.fingerprint)
            severity = self._severities.get(keyword, one.severity)
            if severity == "off":
                continue
            if self._ignores.excuse(checked.file, keyword, one.finding.path):
                ignored += 1
            elif self._is_known(checked.file, fingerprint):
                known += 1
            else:
                weight = cast("Severity", severity)
                kept.append(one._replace(severity=weight, fingerprint=fingerprint))
        return checked._replace(findings=tuple(kept), known=known, ignored=ignored)

    def identified(self, problem: Problem) -> Problem:
        """The problem with its fingerprint."""
        about = problem_identity(problem)
        return problem._replace(fingerprint=self._numbered.of(self._names.of(problem.file), about))

    def _problem(self, problem: Problem) -> Problem | None:
        problem = self.identified(problem)
        if is_baselinable(problem):
            if self._ignores.excuse(problem.file, problem.keyword, problem.pointer):
                self.ignored += 1
                return None
            if self._is_known(problem.file, problem.fingerprint):
                self.known += 1
                return None
        return problem

    def _is_known(self, file: str, fingerprint: str) -> bool:
        if self._baseline is None or file == "-" or fingerprint not in self._baseline:
            return False  # standard input has no name, so it is in no baseline
        self._found_again.add(fingerprint)
        return True


def _identity(finding: Finding) -> str:
    """An ignore stays the same when others come before it: what it says is its identity."""
    return f"{finding.keyword} {finding.message}"


def _as_typed(file: str) -> str:
    """A file below the working directory by its path from there."""
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # no working directory any more, or another drive
        return file
    return file if relative.startswith(os.pardir) else relative
