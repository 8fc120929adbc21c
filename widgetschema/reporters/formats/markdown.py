"""Reports as Markdown, for the summary of a job (`$GITHUB_STEP_SUMMARY`) or a comment.

GitHub Flavored Markdown: https://github.github.com/gfm/. Everything that comes from files is
escaped with character references, which are never read as markup (GFM, section 6.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from widgetschema.project.checking.results import DocumentResult, Outcome, Problem, Summary
from widgetschema.project.report_formats import ReportFormat
from widgetschema.reporters.entries import Entry, entries, schema_line
from widgetschema.text import plural, printable, shorten

LARGEST: Final = 1024 * 1024  # bytes that GitHub accepts of a step
_TABLE_LIMIT: Final = LARGEST - 128 * 1024  # bytes; leaves enough for the rest
_LINES: Final = 50  # of each list below the table
_LONGEST: Final = 1_000  # characters of a cell
_LONGEST_LINE: Final = 200  # characters of a line of a list

# What is markup anywhere, and what makes links of bare addresses.
_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>#|~&$^@]|(?<=[wW])\.|:(?=//)")
_TABLE: Final = "| Where | What | Message |\n| --- | --- | --- |\n"


class MarkdownReporter:
    """Writes a verdict, a table with a row per finding or problem, and lists below it.

    The lists are those of baseline findings that are no longer found, and of the schemas used.
    GitHub accepts a mebibyte; rows beyond that are only counted.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._rows: list[str] = []
        self._size = 0
        self._left_out = 0

    def document(self, document: DocumentResult) -> str:
        """Keep a row for each finding."""
        return self._keep(entries(document, self._folder))

    def problem(self, problem: Problem) -> str:
        """Keep a row for the problem."""
        return self._keep(entries(problem, self._folder))

    def end(self, outcome: Outcome) -> str:
        """Return the whole text."""
        parts = [f"## {_verdict(outcome.summary)}\n", f"{outcome.summary}\n"]
        if self._rows:
            parts.append(_TABLE + "".join(self._rows))
        more = self._left_out + outcome.hidden
        if more:
            parts.append(f"… and {outcome.least}{more:,} more\n")
        gone = plural(len(outcome.resolved), "finding")
        parts += _details(f"{gone} of the baseline no longer found", outcome.resolved)
        schemas = [schema_line(one, self._folder) for one in outcome.schemas]
        parts += _details(f"{plural(len(schemas), 'schema')} used", schemas)
        return "\n".join(parts)

    def _keep(self, items: Sequence[Entry]) -> str:
        for entry in items:
            if self._left_out:
                self._left_out += 1
                continue
            row = _row(entry)
            self._size += len(row.encode(errors="replace"))
            if self._size > _TABLE_LIMIT:
                self._left_out += 1
            else:
                self._rows.append(row)
        return ""


def _verdict(summary: Summary) -> str:
    """Return the verdict; it counts what makes the run fail."""
    wrong = [
        plural(number, noun)
        for number, noun in (
            (summary.findings, "finding"),
            (summary.unreadable if summary.code else 0, "unreadable text"),
            (summary.problems, "problem"),
        )
        if number
    ]
    if wrong:
        return f"❌ {', '.join(wrong)}"
    if summary.code:
        return "❌ Not everything could be checked"
    if summary.known or summary.ignored:
        left_out = [
            f"{number:,} {why}"
            for number, why in (
                (summary.unreadable, "unreadable"),
                (summary.known, "in the baseline"),
                (summary.ignored, "ignored"),
                (summary.warnings, "warning" if summary.warnings == 1 else "warnings"),
            )
            if number
        ]
        return f"{'⚠️' if summary.warnings else '✅'} No new findings: {', '.join(left_out)}"
    if summary.warnings:
        return f"⚠️ Valid, with {plural(summary.warnings, 'warning')}"
    return "✅ Everything is valid" if summary.valid else "✅ Nothing to check"


def _row(entry: Entry) -> str:
    place = "" if entry.line is None else f":{entry.line}:{entry.column or 1}"
    at = f" at {_code(entry.place)}" if entry.place else ""
    about = f"{entry.weight}{_code(entry.keyword)}{at}"
    hint = f"<br>💡 {_text(entry.hint)}" if entry.hint else ""
    return f"| {_code(entry.name + place)} | {about} | {_text(entry.message)}{hint} |\n"


def _details(title: str, lines: Sequence[str]) -> list[str]:
    """Return a collapsed list; lines beyond the limit are counted."""
    if not lines:
        return []
    items = [f"- {_code(line, _LONGEST_LINE)}\n" for line in lines[:_LINES]]
    if len(lines) > _LINES:
        items.append(f"- … and {len(lines) - _LINES:,} more\n")
    return [f"<details>\n<summary>{title}</summary>\n\n{''.join(items)}\n</details>\n"]


def _code(text: str, longest: int = _LONGEST) -> str:
    return f"<code>{_text(text, longest)}</code>"


def _text(text: str, longest: int = _LONGEST) -> str:
    """Return text that is displayed literally, in one line."""
    shown = printable(shorten(text, longest))
    return _MARKUP.sub(lambda match: f"&#{ord(match.group())};", shown)


FORMAT: Final = ReportFormat(
    "a summary, such as `$GITHUB_STEP_SUMMARY`",
    lambda context: MarkdownReporter(context.folder),
    begins=(rb"## [^\n]+\n\n[\d,]+ documents? in [\d,]+ files?: ",),
    escape=None,  # character references replace all markup
)
