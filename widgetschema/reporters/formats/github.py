"""Reports for GitHub Actions: annotations, and all findings in the log.

Workflow commands: https://docs.github.com/actions/reference/workflow-commands-for-github-actions;
they are escaped like in the official toolkit (`@actions/core`, command.ts), and parsed like in
the official runner (ActionCommand.cs).
"""

from __future__ import annotations

import secrets
from typing import Final

from widgetschema.project.checking.results import DocumentResult, Outcome, Problem
from widgetschema.project.report_formats import ReportFormat
from widgetschema.reporters.entries import Entry, entries
from widgetschema.reporters.formats.text import TextReporter
from widgetschema.text import plural, printable, shorten

MOST: Final = 10  # annotations of each level that GitHub shows of a step
_COMMANDS: Final = {"error": "error", "warning": "warning", "note": "notice"}
_LONGEST_TITLE: Final = 250  # characters; GitHub accepts 255
_LONGEST_MESSAGE: Final = 4_000  # characters; the runner accepts 4,096

_DATA: Final = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
_PROPERTY: Final = {**_DATA, ord(":"): "%3A", ord(","): "%2C"}


class GithubReporter:
    """Writes all findings to the log, in a group, as they come; then the annotations.

    Of each level (error, warning, notice) GitHub shows ten annotations of a step. So at most ten of
    each are written; if any is left out, a notice, itself one of the ten, counts the rest. An
    annotation without `file` is about standard input, or about a file that GitHub cannot show,
    because it is outside `folder` or its name has control characters; its message names the file.

    The log is plain text from `text`. It contains what others wrote, which must not be read as
    commands: commands are stopped before it, until `token`, which cannot be guessed.
    """

    def __init__(
        self, folder: str, text: TextReporter | None = None, *, token: str | None = None
    ) -> None:
        self._folder = folder
        self._text = TextReporter() if text is None else text
        self._token = secrets.token_hex(16) if token is None else token
        self._is_open = False
        self._kept: dict[str, list[Entry]] = {severity: [] for severity in _COMMANDS}
        self._counts = dict.fromkeys(_COMMANDS, 0)

    def document(self, document: DocumentResult) -> str:
        """Return the findings of a document, for the log."""
        self._keep(document)
        return self._log(self._text.document(document))

    def problem(self, problem: Problem) -> str:
        """Return nothing: problems appear on standard error, which is in the log as well."""
        self._keep(problem)
        return ""

    def end(self, outcome: Outcome) -> str:
        """Return the end of the log, and the annotations."""
        log = self._log(self._text.end(outcome))
        if self._is_open:
            log += f"::{self._token}::\n::endgroup::\n"
        rest = self._rest(outcome)
        notes = self._kept["note"][: MOST - 1] if rest else self._kept["note"]
        annotated = [*self._kept["error"], *self._kept["warning"], *notes]
        return log + "".join(map(_annotation, annotated)) + rest

    def _keep(self, result: DocumentResult | Problem) -> None:
        for entry in entries(result, self._folder):
            self._counts[entry.severity] += 1
            if len(self._kept[entry.severity]) < MOST:
                self._kept[entry.severity].append(entry)

    def _log(self, text: str) -> str:
        if not text or self._is_open:
            return text
        self._is_open = True
        return f"::group::widgetschema: all findings\n::stop-commands::{self._token}\n{text}"

    def _rest(self, outcome: Outcome) -> str:
        """Return the notice that counts what has no annotation, if there is any."""
        left = {severity: self._counts[severity] - MOST for severity in _COMMANDS}
        if any(number > 0 for number in left.values()) or (outcome.hidden and left["note"] == 0):
            left["note"] += 1  # makes room for this notice
        more = [plural(left[level], f"more {level}") for level in left if left[level] > 0]
        notices = [f"in the log of this step: {', '.join(more)}"] if more else []
        if outcome.hidden:
            number = f"{outcome.least}{plural(outcome.hidden, 'finding')}"
            notices.append(f"not shown, because there are too many: {number}")
        return _command("notice", {"title": "widgetschema"}, "; ".join(notices)) if notices else ""


def _annotation(entry: Entry) -> str:
    message = entry.advice
    properties: dict[str, str] = {}
    if entry.is_outside or not entry.file.isprintable():
        place = "" if entry.line is None else f":{entry.line}:{entry.column or 1}"
        message = f"{entry.name}{place}: {message}"
    else:
        properties = {"file": entry.file, **_place(entry)}
    properties["title"] = shorten(printable(entry.about), _LONGEST_TITLE)
    return _command(_COMMANDS[entry.severity], properties, shorten(message, _LONGEST_MESSAGE))


def _place(entry: Entry) -> dict[str, str]:
    """Return line and columns; GitHub accepts columns in one line only, the last inclusive."""
    if entry.line is None:
        return {}
    column, end_line = entry.column or 1, max(entry.end_line or 0, entry.line)
    place = {"line": str(entry.line), "endLine": str(end_line)}
    if end_line == entry.line:
        place["col"] = str(column)
        place["endColumn"] = str(max((entry.end_column or 0) - 1, column))
    return place


def _command(name: str, properties: dict[str, str], message: str) -> str:
    pairs = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties.items())
    return f"::{name} {pairs}::{message.translate(_DATA)}\n"


FORMAT: Final = ReportFormat(
    "GitHub: annotations, as many as GitHub shows, and the text as a group",
    lambda context: GithubReporter(context.folder, TextReporter(context.style, context.show)),
    begins=(rb"::(?:group::widgetschema|(?:error|warning|notice) )",),
    escape=None,  # commands are stopped while others' text is written
)
