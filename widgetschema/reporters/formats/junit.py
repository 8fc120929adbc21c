"""Reports for CI systems: JUnit XML, which nearly all of them show as tests.

The text is valid by the schema of Jenkins (junit-10.xsd) and by that of Ant's reports
(Windy Road's JUnit.xsd).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from widgetschema.project.checking.results import DocumentResult, Outcome, Problem, relative_uri
from widgetschema.project.report_formats import ReportFormat
from widgetschema.reporters.entries import Entry, entries, schema_line
from widgetschema.text import plural, printable

_MARKUP: Final = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"}


class JunitReporter:
    """Writes a test case per document, in one suite.

    The class of a case is its widget type (`unreadable` if the text is not JSON, the keyword if it
    is a problem), its name that of the document. A document with errors has one `failure`, since
    Windy Road's schema allows only one and most CI systems show only one; an unreadable text or a
    problem has one `error` instead. Its `type` is the keyword of the first finding (`hidden` if all
    are left out). In its text, each finding is a line that begins with its position, followed by
    indented lines. Warnings and notes about a valid document are such lines in the `system-out` of
    the suite, with the document at the end. So the findings are the lines that are not indented;
    the property `findings` of the suite counts them. A document that is valid only because of the
    baseline or of ignores is `skipped`, with the reason.

    `clock` returns seconds since 1970, for the start and the duration of the suite; single cases
    are not measured, so their time is 0. Characters that XML 1.0 cannot carry are replaced by `·`.
    The cases are kept as text, because their number comes before them.
    """

    def __init__(self, folder: str, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        self._began = clock()
        self._file = ("", "")  # the last one, and its name in the report
        self._cases: list[str] = []
        self._remarks: list[str] = []
        self._findings = self._failures = self._errors = self._skipped = 0

    def document(self, document: DocumentResult) -> str:
        """Keep the test case of a document."""
        items = entries(document, self._folder)
        self._findings += len(items)
        name = document._replace(file=self._relative(document.file)).name
        kind = document.type_id or (
            document.kind or "document" if document.readable else "unreadable"
        )
        if document.failed:
            element = "failure" if document.readable else "error"
            self._case(kind, name, self._fault(element, items, document.hidden))
            return ""
        for entry in items:
            self._remarks += _lines(entry, f" ({printable(name)})")
        self._case(kind, name, self._skip(document) if document.excused else "")
        return ""

    def problem(self, problem: Problem) -> str:
        """Keep a test case for a problem."""
        items = entries(problem, self._folder)
        self._findings += len(items)
        name = DocumentResult(items[0].file, problem.pointer, problem.line).name
        self._case(problem.keyword, name, self._fault("error", items))
        return ""

    def end(self, outcome: Outcome) -> str:
        """Return the whole XML document."""
        took = max(0.0, self._clock() - self._began)
        began = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self._began))
        summary = outcome.summary
        properties = [("findings", str(self._findings)), ("summary", str(summary))]
        properties += [("schema", schema_line(one, self._folder)) for one in outcome.schemas]
        if outcome.hidden:
            properties.append(("hidden", str(outcome.hidden)))
        properties += [("resolved", line) for line in outcome.resolved]
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
            f'<testsuite name="widgetschema" package="widgetschema" id="0" hostname="localhost" '
            f'timestamp="{began}" time="{took:.3f}" tests="{len(self._cases)}" '
            f'failures="{self._failures}" errors="{self._errors}" skipped="{self._skipped}">\n'
            "<properties>\n"
        )
        lines = [f'<property name="{name}" value="{_xml(value)}"/>\n' for name, value in properties]
        remarks = "".join(f"{_xml(line)}\n" for line in self._remarks)
        tail = (
            f"<system-out>{remarks}</system-out>\n<system-err></system-err>\n"
            "</testsuite>\n</testsuites>\n"
        )
        return "".join([head, *lines, "</properties>\n", *self._cases, tail])

    def _relative(self, file: str) -> str:
        if file != self._file[0]:
            self._file = (file, relative_uri(file, self._folder))
        return self._file[1]

    def _case(self, kind: str, name: str, inside: str) -> None:
        start = f'<testcase classname="{_xml(kind)}" name="{_xml(name)}" time="0"'
        self._cases.append(f"{start}>\n{inside}</testcase>\n" if inside else f"{start}/>\n")

    def _fault(self, element: str, items: list[Entry], hidden: int = 0) -> str:
        """Return the `failure` or `error` of a test case."""
        if element == "failure":
            self._failures += 1
        else:
            self._errors += 1
        lines = [line for entry in items for line in _lines(entry)]
        if hidden:
            lines.append(f"  … and {plural(hidden, 'more finding')}, not shown")
        keyword, message = "hidden", f"{plural(hidden, 'finding')}, not shown"
        if items:
            first = next((entry for entry in items if entry.severity == "error"), items[0])
            number = len(items) - 1 + hidden
            more = f" (and {number:,} more)" if number else ""
            keyword, message = first.keyword, first.headline + more
        text = "".join(f"{_xml(line)}\n" for line in lines)
        return f'<{element} type="{_xml(keyword)}" message="{_xml(message)}">\n{text}</{element}>\n'

    def _skip(self, document: DocumentResult) -> str:
        self._skipped += 1
        reasons = [] if document.readable else ["unreadable"]
        reasons += (
            [f"{plural(document.known, 'finding')} in the baseline"] if document.known else []
        )
        reasons += [f"{plural(document.ignored, 'finding')} ignored"] if document.ignored else []
        return f'<skipped message="{", ".join(reasons)}"/>\n'


def _lines(entry: Entry, place: str = "") -> list[str]:
    """Return an entry as lines, all but the first indented."""
    hint = [f"  hint: {printable(entry.hint)}"] if entry.hint else []
    return [f"{entry.headline}{place}", *hint]


def _xml(text: str) -> str:
    """Return text for an element or an attribute; what XML 1.0 cannot carry is not printable."""
    return printable(text).translate(_MARKUP)


FORMAT: Final = ReportFormat(
    "CI systems: a test case for each document, whose failure lists its findings",
    lambda context: JunitReporter(context.folder),
    begins=(
        (
            rb'<\?xml version="1\.0" encoding="UTF-8"\?>\s*<testsuites>\s*'
            rb'<testsuite name="widgetsch'
        ),
    ),
    escape="##&#91;",
)
