"""The results of a run as people read them: position, sentence, the line, a mark, a hint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from widgetschema.pointers import display_pointer
from widgetschema.project.checking.results import DocumentResult, LocatedFinding, Outcome, Problem
from widgetschema.project.report_formats import ReportFormat
from widgetschema.reporters.style import Style, columns, plain
from widgetschema.text import plural, printable

_RESOLVED: Final = 20  # findings of the baseline that are no more: so many are named


class TextReporter:
    """One block per finding, as they come.

    `show` makes raw text fit to be shown; marks are placed under what it gives. With `problems`,
    they are told, too: in a file, since they are said on standard error.
    """

    def __init__(
        self,
        style: Style = plain,
        show: Callable[[str], str] = printable,
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
            blocks.append(f"{printable(checked.file)}: {hint}: {printable(checked.hint)}\n")
        return "".join(blocks)

    def problem(self, problem: Problem) -> str:
        """Nothing, if they are said on standard error."""
        if not self._problems:
            return ""
        return "".join(f"{printable(line)}\n" for line in str(problem).split("\n"))

    def end(self, outcome: Outcome) -> str:
        """What was left out, and what is no more."""
        gone = outcome.resolved
        lines = [f"in the baseline, and no more: {printable(line)}\n" for line in gone[:_RESOLVED]]
        if len(gone) > _RESOLVED:
            lines.append(f"in the baseline, and no more: {len(gone) - _RESOLVED:,} others\n")
        if outcome.hidden:
            lines.append(f"… and {plural(outcome.hidden, 'more finding')}\n")
        return "".join(lines)

    def _block(self, file: str, found: LocatedFinding) -> str:
        style, finding = self._style, found.finding
        where = style("where", f"{printable(file)}:{finding.line}:{finding.column}:")
        about = style("keyword", printable(f"{finding.keyword} {display_pointer(finding.path)}"))
        weight = "" if found.severity == "error" else f"{found.severity}: "
        lines = [f"{where} {weight}{about}: {printable(finding.message)}"]
        lines += self._frame(found)
        if finding.hint:
            lines.append(f"  {style('hint', 'hint')}: {printable(finding.hint)}")
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


FORMAT: Final = ReportFormat(
    "people: the line, a mark, a hint",
    lambda context: TextReporter(context.style, context.show, problems=context.to_file),
    begins=(
        # about a file that has the name of one that is checked
        (
            rb'[^\s{\["][^\n]*?\.(?:json|ndjson|jsonl|gz|toml):\d+:\d+: '
            rb"(?:warning: |note: )?[\w$.-]+ (?:/|\(root\))[^\n]*?: "
        ),
    ),
)
