"""The results of a run as people read them: position, sentence, the line, a mark, a hint."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from widgetschema.findings import count, display_path
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Outcome,
    Problem,
    safe,
)

Style = Callable[[str, str], str]  # (role, text) → text, perhaps coloured

_RESOLVED: Final = 20  # findings of the baseline that are no more: so many are named


def plain(role: str, text: str) -> str:
    """The style without colours."""
    return text


class TextReporter:
    """One block per finding, as they come.

    `show` makes raw text fit to be shown; marks are placed under what it gives. With `problems`,
    they are told, too: in a file, since they are said on standard error.
    """

    def __init__(
        self,
        style: Style = plain,
        show: Callable[[str], str] = safe,
        *,
        problems: bool = False,
    ) -> None:
        self._style = style
        self._show = show
        self._problems = problems

    def checked(self, checked: DocumentResult) -> str:
        """The findings of one document."""
        blocks = [self._block(checked.file, found) for found in checked.findings]
        if checked.hint and blocks:
            hint = self._style("hint", "hint")
            blocks.append(f"{safe(checked.file)}: {hint}: {safe(checked.hint)}\n")
        return "".join(blocks)

    def problem(self, problem: Problem) -> str:
        """Nothing, if they are said on standard error."""
        if not self._problems:
            return ""
        return "".join(f"{safe(line)}\n" for line in str(problem).split("\n"))

    def end(self, outcome: Outcome) -> str:
        """What was left out, and what is no more."""
        gone = outcome.resolved
        lines = [f"in the baseline, and no more: {safe(line)}\n" for line in gone[:_RESOLVED]]
        if len(gone) > _RESOLVED:
            lines.append(f"in the baseline, and no more: {len(gone) - _RESOLVED:,} others\n")
        if outcome.hidden:
            lines.append(f"… and {count(outcome.hidden, 'more finding')}\n")
        return "".join(lines)

    def _block(self, file: str, found: LocatedFinding) -> str:
        style, finding = self._style, found.finding
        where = style("where", f"{safe(file)}:{finding.line}:{finding.column}:")
        about = style("keyword", safe(f"{finding.keyword} {display_path(finding.path)}"))
        weight = "" if found.severity == "error" else f"{found.severity}: "
        lines = [f"{where} {weight}{about}: {safe(finding.message)}"]
        lines += self._frame(found)
        if finding.hint:
            lines.append(f"  {style('hint', 'hint')}: {safe(finding.hint)}")
        return "\n".join(lines) + "\n"

    def _frame(self, found: LocatedFinding) -> list[str]:
        """The window of the source line, and a mark under what it is about."""
        if not any(found.excerpt):
            return []
        before, marked, after = map(self._show, found.excerpt)
        mark = " " * columns(before) + self._style("mark", "^" * max(1, columns(marked)))
        number = found.finding.line
        margin = " " * len(str(number))
        return [
            f"  {number} | {before}{self._style('mark', marked)}{after}",
            f"  {margin} | {mark}",
        ]


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
