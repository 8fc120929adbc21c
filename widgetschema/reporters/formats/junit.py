"""The results of a run as JUnit XML, which nearly every CI shows as tests.

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
    """A test case per document, in one suite.

    The class of a case is its widget type (`unreadable` if the text is not JSON, the keyword if it
    is a problem), its name the document's. A document with errors has one `failure`, since that is
    all that Windy Road's schema allows and most CI shows; a text that could not be read, and a
    problem, has one `error` instead. Its `type` is the keyword of the first finding (`hidden`, if
    none is to be shown). In
    its text, each finding is one line that begins with its position; what belongs to a finding
    follows in lines that begin with a space. Warnings and notes about a document that is right are
    such lines in the suite's `system-out`, with the document at the end. So the findings are the
    lines that do not begin with a space; their number is the suite's property `findings`, too. A
    document that is only right because of what the baseline or the configuration leaves out is
    `skipped`, which says so.

    `clock` gives seconds since 1970, for when the suite began and how long it took; what a single
    case took is not measured, and 0. What XML 1.0 cannot carry, a terminal would obey: it is
    replaced by `·`. The cases are kept as text, because their number comes before them.
    """

    def __init__(self, folder: str, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        self._began = clock()
        self._file = ("", "")  # the last one, and its name in the report
        self._cases: list[str] = []
        self._remarks: list[str] = []
        self._findings = self._failures = self._errors = self._skipped = 0

    def checked(self, checked: DocumentResult) -> str:
        """Keep the case of the document."""
        listed = entries(checked, self._folder)
        self._findings += len(listed)
        name = checked._replace(file=self._relative(checked.file)).name
        kind = checked.type_id or (checked.kind or "document" if checked.readable else "unreadable")
        if checked.failed:
            element = "failure" if checked.readable else "error"
            self._case(kind, name, self._fault(element, listed, checked.hidden))
            return ""
        for entry in listed:
            self._remarks += _lines(entry, f" ({printable(name)})")
        self._case(kind, name, self._skip(checked) if checked.excused else "")
        return ""

    def problem(self, problem: Problem) -> str:
        """Keep a case for the problem."""
        listed = entries(problem, self._folder)
        self._findings += len(listed)
        name = DocumentResult(listed[0].file, problem.pointer, problem.line).name
        self._case(problem.keyword, name, self._fault("error", listed))
        return ""

    def end(self, outcome: Outcome) -> str:
        """The whole document."""
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

    def _fault(self, element: str, listed: list[Entry], hidden: int = 0) -> str:
        """The one `failure` or `error` of a case."""
        if element == "failure":
            self._failures += 1
        else:
            self._errors += 1
        lines = [line for entry in listed for line in _lines(entry)]
        if hidden:
            lines.append(f"  … and {plural(hidden, 'more finding')}, not shown")
        keyword, message = "hidden", f"{plural(hidden, 'finding')}, not shown"
        if listed:
            first = next((entry for entry in listed if entry.severity == "error"), listed[0])
            number = len(listed) - 1 + hidden
            more = f" (and {number:,} more)" if number else ""
            keyword, message = first.keyword, first.headline + more
        text = "".join(f"{_xml(line)}\n" for line in lines)
        return f'<{element} type="{_xml(keyword)}" message="{_xml(message)}">\n{text}</{element}>\n'

    def _skip(self, checked: DocumentResult) -> str:
        self._skipped += 1
        said = [] if checked.readable else ["it cannot be read"]
        said += [f"{plural(checked.known, 'finding')} in the baseline"] if checked.known else []
        said += [f"{plural(checked.ignored, 'finding')} ignored"] if checked.ignored else []
        return f'<skipped message="{", ".join(said)}"/>\n'


def _lines(entry: Entry, place: str = "") -> list[str]:
    """An entry in lines, of which only the first does not begin with a space."""
    hint = [f"  hint: {printable(entry.hint)}"] if entry.hint else []
    return [f"{entry.headline}{place}", *hint]


def _xml(text: str) -> str:
    """Text within an element or an attribute: what XML 1.0 cannot carry is not printable."""
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
