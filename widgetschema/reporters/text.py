"""The results of a run as people read them: position, sentence, the line, a mark, a hint."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from widgetschema.findings import Finding, Provenance, count, display_path
from widgetschema.reporters.results import Checked, Problem, Summary, safe

Style = Callable[[str, str], str]  # (role, text) → text, perhaps coloured

_WIDTH: Final = 96  # characters of a source line that are shown
_BEFORE: Final = 40  # of these, at most so many before the mark
_INDENT: Final = re.compile(r"[ \t]*")


def plain(role: str, text: str) -> str:
    """The style without colours."""
    return text


class TextReporter:
    """One block per finding, as they come; at most `most` of them.

    `show` makes raw text fit to be shown; marks are placed under what it gives.
    """

    def __init__(
        self, style: Style = plain, most: int | None = None, show: Callable[[str], str] = safe
    ) -> None:
        self._style = style
        self._room = most
        self._show = show
        self._hidden = 0

    def checked(self, checked: Checked) -> str:
        """The findings of one document."""
        if checked.report.valid:
            return ""
        findings = checked.report.findings[: self._room]
        self._hidden += len(checked.report) - len(findings)
        if self._room is not None:
            self._room -= len(findings)
        if not findings:
            return ""
        text = checked.source.text
        blocks = [
            self._block(checked.file, text, finding, span)
            for finding, span in zip(findings, checked.spans, strict=False)
        ]
        if checked.hint:
            blocks.append(f"{safe(checked.file)}: {self._style('hint', 'hint')}: {checked.hint}\n")
        return "".join(blocks)

    def end(
        self, summary: Summary, problems: list[Problem], schemas: Sequence[Provenance] = ()
    ) -> str:
        """What was left out."""
        return f"… and {count(self._hidden, 'more finding')}\n" if self._hidden else ""

    def _block(self, file: str, text: str, finding: Finding, span: tuple[int, int]) -> str:
        style = self._style
        where = style("where", f"{safe(file)}:{finding.line}:{finding.column}:")
        about = style("keyword", safe(f"{finding.keyword} {display_path(finding.path)}"))
        lines = [f"{where} {about}: {safe(finding.message)}"]
        lines += self._frame(text, finding, *span)
        if finding.hint:
            lines.append(f"  {style('hint', 'hint')}: {safe(finding.hint)}")
        return "\n".join(lines) + "\n"

    def _frame(self, text: str, finding: Finding, start: int, end: int) -> list[str]:
        """A window of the source line, and a mark under what is between `start` and `end`.

        However long the line is, only the window is looked at.
        """
        line_start = start - ((finding.column or 1) - 1)
        indent = _INDENT.match(text, line_start, start)
        assert indent is not None
        left = max(indent.end(), start - _BEFORE)
        window = text[left : left + _WIDTH].partition("\n")[0].rstrip("\r")
        if not window:
            return []
        right = left + len(window)
        is_cut = text[right : right + 1] not in ("", "\r", "\n")
        end = max(start, min(end, right))
        before = self._show(("…" if left > indent.end() else "") + text[left:start])
        marked = self._show(text[start:end])
        after = self._show(text[end:right] + ("…" if is_cut else ""))
        mark = " " * columns(before) + self._style("mark", "^" * max(1, columns(marked)))
        margin = " " * len(str(finding.line))
        return [
            f"  {finding.line} | {before}{self._style('mark', marked)}{after}",
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
