"""Reports for people: position, message, the line, a mark, a hint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from widgetschema.pointers import display_pointer
from widgetschema.project.checking.results import DocumentResult, LocatedFinding, Outcome, Problem
from widgetschema.project.report_formats import ReportFormat
from widgetschema.reporters.style import Style, columns, plain
from widgetschema.text import plural, printable

_RESOLVED: Final = 20  # findings of the baseline that are no longer found, listed at most


class TextReporter:
    """Writes one block per finding, as they come.

    `show` makes a text from a file displayable; marks are placed under its result. `problems` says
    whether problems are written, as in a file: otherwise they appear on standard error.
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

    def document(self, document: DocumentResult) -> str:
        """Return the findings of a document."""
        blocks = [self._block(document.file, found) for found in document.findings]
        if document.hint and blocks:
            hint = self._style("hint", "hint")
            blocks.append(f"{printable(document.file)}: {hint}: {printable(document.hint)}\n")
        return "".join(blocks)

    def problem(self, problem: Problem) -> str:
        """Return the problem, unless problems appear on standard error."""
        if not self._problems:
            return ""
        return "".join(f"{printable(line)}\n" for line in str(problem).split("\n"))

    def end(self, outcome: Outcome) -> str:
        """Return what was left out, and what is no longer found."""
        gone = outcome.resolved
        lines = [f"no longer found: {printable(line)}\n" for line in gone[:_RESOLVED]]
        if len(gone) > _RESOLVED:
            lines.append(f"no longer found: {plural(len(gone) - _RESOLVED, 'other')}\n")
        if gone:
            lines.append("--write-baseline removes what is no longer found, and adds what is new\n")
        if outcome.hidden:
            lines.append(f"… and {outcome.least}{plural(outcome.hidden, 'more finding')}\n")
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
        """Return the part of the source line around the finding, and a mark below it."""
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
