"""The results of a run as people read them: position, sentence, the line, a mark, a hint."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from widgetschema.documents import SourceText
from widgetschema.findings import Finding, count
from widgetschema.reporters.results import Checked, Problem, Summary

Style = Callable[[str, str], str]  # (role, text) → text, perhaps coloured

_WIDTH: Final = 96  # columns of a source line that are shown
_BEFORE: Final = 40  # of these, at most so many before the mark


def plain(role: str, text: str) -> str:
    """The style without colours."""
    return text


class TextReporter:
    """One block per finding, as they come; at most `most` of them."""

    def __init__(self, style: Style = plain, most: int | None = None) -> None:
        self._style = style
        self._most = most
        self._shown = 0

    def checked(self, checked: Checked) -> str:
        """The findings of one document."""
        if checked.report.valid:
            return ""
        findings = checked.report.findings
        if self._most is not None:
            findings = findings[: max(0, self._most - self._shown)]
        self._shown += len(findings)
        if not findings:
            return ""
        located = checked.source.locate({finding.path for finding in findings})
        blocks = [
            self._block(checked, finding, checked.source.span(finding, located))
            for finding in findings
        ]
        if checked.hint:
            blocks.append(f"{safe(checked.file)}: {self._style('hint', 'hint')}: {checked.hint}\n")
        return "".join(blocks)

    def end(self, summary: Summary, problems: list[Problem]) -> str:
        """What was left out."""
        hidden = summary.findings - self._shown
        if self._most is None or hidden <= 0:
            return ""
        return f"… and {count(hidden, 'more finding')}\n"

    def _block(self, checked: Checked, finding: Finding, span: tuple[int, int]) -> str:
        style = self._style
        where = f"{safe(checked.file)}:{finding.line}:{finding.column}:"
        _, _, rest = finding.headline.partition(" ")
        about, _, sentence = rest.partition(": ")
        lines = [f"{style('where', where)} {style('keyword', about)}: {sentence}"]
        if checked.readable:
            start, end = span
        else:
            start = end = _offset(checked.source, finding)
        lines += self._frame(checked.source.text, finding.line or 1, start, end)
        if finding.hint:
            lines.append(f"  {style('hint', 'hint')}: {finding.hint}")
        return "\n".join(lines) + "\n"

    def _frame(self, text: str, line: int, start: int, end: int) -> list[str]:
        """The source line with a mark under the part from `start` to `end`."""
        line_start = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", start)
        line_end = len(text) if line_end < 0 else line_end
        end = max(start + 1, min(end, line_end))
        left = line_start if start - line_start <= _BEFORE else start - _BEFORE
        right = min(line_end, left + _WIDTH)
        before = ("…" if left > line_start else "") + text[left:start]
        marked = text[start : min(end, right)]
        after = text[min(end, right) : right] + ("…" if right < line_end else "")
        if left == line_start:
            before = before.lstrip()
        shown = safe(before) + self._style("mark", safe(marked)) + safe(after.rstrip("\r"))
        margin = " " * len(str(line))
        mark = " " * columns(safe(before)) + "^" * max(1, columns(safe(marked)))
        return [
            f"  {line} | {shown}",
            f"  {margin} | {self._style('mark', mark)}",
        ]


def _offset(source: SourceText, finding: Finding) -> int:
    """The offset of a position in a text that cannot be read as JSON."""
    offset = 0
    for _ in range((finding.line or 1) - 1 - source.line_offset):
        offset = source.text.find("\n", offset) + 1
    return offset + (finding.column or 1) - 1


def safe(text: str) -> str:
    """Text with nothing in it that a terminal would obey: such characters become `·`."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else " " if character == "\t" else "·"
        for character in text
    )


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )
