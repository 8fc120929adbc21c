"""`--add-ignores`: entries for the findings of a run in the configuration nearest to each file."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

from widgetschema.cli.console.output import print_error
from widgetschema.cli.pipeline.project_setup import with_settings, write_changes
from widgetschema.cli.pipeline.proposed_mapping import escaped_pattern
from widgetschema.project.checking.baseline import may_hold
from widgetschema.project.checking.results import DocumentResult, LocatedFinding, Problem, Result
from widgetschema.project.checking.triage import UNCHECKED
from widgetschema.project.config import Configuration, Configurations, Ignore
from widgetschema.project.config.settings import MOST_ENTRIES, TO_FILL_IN
from widgetschema.text import plural, printable

_UNREADABLE: Final = 3  # the exit code


class IgnoreRecorder:
    """Collects findings, and writes an ignore for each file and code.

    `code` is the exit code of what no ignore is added for: a document that could not be read, or a
    file that no pattern names.
    """

    def __init__(self, configurations: Configurations) -> None:
        self.code = 0
        self._left = 0  # findings that are not added
        self._configurations = configurations
        self._counts: dict[str, dict[tuple[str, str], int]] = {}
        self._nearest: dict[str, Configuration] = {}
        self._patterns: dict[str, str | None] = {}

    def begin(self, file: str) -> None:
        """Do nothing: files without findings need no ignores."""

    def add(self, result: Result) -> None:
        """Add one result."""
        if isinstance(result, Problem):
            self.code = max(self.code, result.code)
            return
        for located in result.findings:
            if not self.holds(result, located):
                if located.severity == "error":
                    self.code = max(self.code, 1 if result.readable else _UNREADABLE)
                    self._left += 1
                continue
            configuration = self._configurations.for_file(result.file)
            folder, pattern = configuration.folder, self._pattern(result.file)
            assert pattern is not None
            self._nearest[folder] = configuration
            counts = self._counts.setdefault(folder, {})
            entry = pattern, located.finding.keyword
            counts[entry] = counts.get(entry, 0) + 1

    def holds(self, document: DocumentResult, located: LocatedFinding) -> bool:
        """Return whether an ignore is added for a finding."""
        return (
            may_hold(document, located)
            and not located.finding.keyword.startswith(UNCHECKED)
            and self._pattern(document.file) is not None
        )

    def write(self) -> tuple[bool, str]:
        """Write the ignores; return whether all were written, and a remark."""
        findings = entries = 0
        is_complete = True
        for folder, counts in self._counts.items():
            configuration = self._nearest[folder]
            added = [
                {"path": path, "keyword": keyword, "reason": TO_FILL_IN}
                for path, keyword in sorted(counts)
            ]
            if len(configuration.ignores) + len(added) > MOST_ENTRIES:
                name = printable(os.path.relpath(configuration.file or folder))
                number = plural(len(added), "ignore")
                print_error(
                    f"{name}: {number} would be too many (at most {MOST_ENTRIES:,}): use "
                    "--write-baseline instead"
                )
                is_complete = False
                continue
            change = with_settings(configuration, {"ignores": added})
            if isinstance(change, str):
                print_error(change)
            if isinstance(change, str) or not write_changes([change]):
                is_complete = False
                continue
            findings += sum(counts.values())
            entries += len(added)
        left = f"; {plural(self._left, 'finding')} cannot be ignored" if self._left else ""
        if not entries:
            return is_complete, f"no ignores were added{left}"
        what = f"added {plural(entries, 'ignore')} for {plural(findings, 'finding')}{left}"
        return is_complete, f'{what}; write the reason in place of "{TO_FILL_IN}"'

    def _pattern(self, file: str) -> str | None:
        """Return the pattern of a file in its configuration; None if there is none."""
        if file not in self._patterns:
            configuration = self._configurations.for_file(file)
            full = os.path.join(configuration.directory, file)
            path = os.path.relpath(full, configuration.folder).replace(os.sep, "/")
            pattern = escaped_pattern(path)
            self._patterns[file] = pattern if _names(configuration, pattern, file) else None
        return self._patterns[file]


def _names(configuration: Configuration, pattern: str, file: str) -> bool:
    """Return whether a pattern of a configuration is one, and matches a file."""
    try:
        return bool(replace(configuration, ignores=(Ignore(pattern),)).ignores_for(file))
    except ValueError:
        return False
