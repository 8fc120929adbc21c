"""Reports as SARIF 2.1.0, for editors and other viewers.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html (sections below); which
parts and how many results GitHub reads is documented in "SARIF support for code scanning".
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from widgetschema.errors import StoreError
from widgetschema.findings import Finding, Fix
from widgetschema.jsontext import SourceText, dump
from widgetschema.manual_pages import code_address, code_page, project_address, standalone
from widgetschema.pointers import parse_pointer
from widgetschema.project.checking.results import DocumentResult, Outcome, Problem
from widgetschema.project.report_formats import JSON_ESCAPE, ReportFormat
from widgetschema.reporters.entries import (
    Entry,
    entries,
    is_absolute,
    suppressed_entries,
    without_home,
)
from widgetschema.schema.keywords import Keyword, keyword_of
from widgetschema.text import plural, printable
from widgetschema.version import __version__

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
MOST: Final = 25_000  # results of a run that GitHub accepts; it refuses a file with more
_FINGERPRINT: Final = "widgetschema/v1"
_SUPPRESSED: Final = "suppressed"
_WEIGHTS: Final = ("error", "warning", "note", _SUPPRESSED)  # the first three are levels of SARIF
_RAN: Final = (0, 1, 3)  # exit codes of a complete run
_PLACEHOLDER: Final = re.compile(r"\{\d+\}")
_LINK: Final = "]("
# The URI itself is a path of this machine, and is left to the viewer (section 3.14.14).
_ROOT: Final = "The root of the repository, or the folder of the configuration."


class SarifReporter:
    """Writes one run with a result per finding or problem and a rule per keyword that occurs.

    File names are relative to `folder`, which is `%SRCROOT%`; its path on this machine is not in
    the report. A file outside of it has an absolute URI, and standard input is `-`. A result has
    its line and column (in characters), its JSON Pointer, the fingerprint of its finding, and the
    fix if there is one.

    What the baseline or an ignore excuses has `suppressions`, with the reasons; it is left out
    unless `with_suppressed`. If there is a baseline, results have a `baselineState`: `unchanged` if
    the baseline has them, else `new`. Ignored findings are in no baseline, so they have none.
    Entries of the baseline that were not found lack what a result needs, such as its message; they
    are not `absent` results, but in the properties of the run.

    GitHub refuses more than 25,000 results (and shows 5,000). If there are more than `most`, errors
    come first, then warnings, notes, and what does not count; a notification counts those left out.
    """

    def __init__(self, folder: str, *, with_suppressed: bool = True, most: int = MOST) -> None:
        self._folder = folder
        self._most = most
        self._with_suppressed = with_suppressed
        self._total = 0
        self._kept: dict[str, list[tuple[int, Entry]]] = {weight: [] for weight in _WEIGHTS}

    def document(self, document: DocumentResult) -> str:
        """Keep the findings."""
        self._keep(entries(document, self._folder))
        if self._with_suppressed and document.suppressed:
            self._keep(suppressed_entries(document.suppressed, document.file, self._folder))
        return ""

    def problem(self, problem: Problem) -> str:
        """Keep the problem."""
        self._keep(entries(problem, self._folder))
        return ""

    def end(self, outcome: Outcome) -> str:
        """Return the whole log."""
        if self._with_suppressed:
            for one in outcome.suppressed:
                self._keep(suppressed_entries([one], one.found.file, self._folder))
        shown = self._shown()
        used = sorted({entry.keyword for entry in shown})
        index = {keyword: number for number, keyword in enumerate(used)}
        schemas = [without_home(schema, self._folder).as_dict() for schema in outcome.schemas]
        run: dict[str, Any] = {
            "tool": {"driver": _driver(used)},
            "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": _ROOT}}},
            "columnKind": "unicodeCodePoints",
            "invocations": [_invocation(outcome, self._total - len(shown), self._most)],
            "results": [
                _result(entry, index[entry.keyword], has_baseline=outcome.has_baseline)
                for entry in shown
            ],
            "properties": {
                "summary": outcome.summary.as_dict(),
                "schemas": schemas,
                "resolved": list(outcome.resolved),
            },
        }
        return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})

    def _keep(self, items: Sequence[Entry]) -> None:
        for entry in items:
            kept = self._kept[entry.severity if entry.suppressed is None else _SUPPRESSED]
            if len(kept) < self._most:
                kept.append((self._total, entry))
            self._total += 1

    def _shown(self) -> list[Entry]:
        """Return the entries within the limit, in their order."""
        by_weight = [pair for weight in _WEIGHTS for pair in self._kept[weight]]
        return [entry for _, entry in sorted(by_weight[: self._most], key=lambda pair: pair[0])]


def _driver(keywords: Sequence[str]) -> dict[str, Any]:
    """Return the tool (section 3.19) with its rules (3.49)."""
    driver: dict[str, Any] = {"name": "widgetschema", "version": __version__}
    address = project_address()
    if address is not None:
        driver["informationUri"] = address
    driver["rules"] = [_rule(keyword) for keyword in keywords]
    return driver


def _rule(code: str) -> dict[str, Any]:
    known = keyword_of(code)
    descriptor: dict[str, Any] = {
        "id": code,
        "shortDescription": {"text": _plain(known.rule)},
        "fullDescription": {"text": _plain(known.description)},
        "help": _help(known),
        "defaultConfiguration": {"level": "error"},
    }
    page = code_address(code) or known.specification
    if page is not None:
        descriptor["helpUri"] = page
    return descriptor


def _help(known: Keyword) -> dict[str, str]:
    """Return the page of the manual, in short as text, and all of it as Markdown (section 3.12)."""
    page = {"text": _plain(f"{known.description} {known.repair}".strip())}
    if known.repair:
        with contextlib.suppress(StoreError):  # a report is not worse without the manual
            page["markdown"] = standalone(code_page(known.code))
    return page


def _invocation(outcome: Outcome, left_out: int, most: int) -> dict[str, Any]:
    """Return the invocation (section 3.20); a missing schema fails it, invalid data does not."""
    ran = all(problem.code in _RAN for problem in outcome.problems)
    invocation: dict[str, Any] = {
        "executionSuccessful": ran and outcome.summary.code in _RAN,
        "exitCode": outcome.summary.code,
    }
    notices = []
    if left_out:
        notices.append(
            f"{plural(left_out, 'more finding')} left out: GitHub accepts at most {most:,}"
        )
    if outcome.hidden:
        number = f"{outcome.least}{plural(outcome.hidden, 'more finding')}"
        notices.append(f"{number} left out: beyond the maximum to show")
    if notices:
        invocation["toolExecutionNotifications"] = [
            {"level": "warning", "message": {"text": text}} for text in notices
        ]
    return invocation


def _result(entry: Entry, index: int, *, has_baseline: bool) -> dict[str, Any]:
    """Return a result (section 3.27)."""
    artifact = _artifact(entry.file, entry.is_input)
    region = _region(entry)
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": artifact, "region": region}
    }
    if entry.path:
        name = parse_pointer(entry.path)[-1]
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": entry.path}]
    result: dict[str, Any] = {
        "ruleId": entry.keyword,
        "ruleIndex": index,
        "level": entry.severity,
        "message": {"text": _plain(entry.advice)},
        "locations": [location],
        "partialFingerprints": {_FINGERPRINT: entry.fingerprint},
    }
    if entry.suppressed is not None:
        result["suppressions"] = [
            {"kind": "external", "justification": printable(reason)}
            for reason in entry.suppressed.reasons
        ]
    if has_baseline and entry.suppressed is None:
        result["baselineState"] = "new"
    elif entry.suppressed is not None and entry.suppressed.is_known:
        result["baselineState"] = "unchanged"
    replacement = _replacement(entry, region)
    if replacement is not None:
        change = {"artifactLocation": artifact, "replacements": [replacement]}
        result["fixes"] = [{**_about_fix(entry), "artifactChanges": [change]}]
    return result


def _artifact(file: str, is_input: bool) -> dict[str, Any]:
    """Return the location of a file (section 3.4): a relative reference, or an absolute URI."""
    try:
        raw = os.fsencode(file)
    except UnicodeEncodeError:  # no file can have this name
        raw = file.encode(errors="replace")
    if is_absolute(file):
        return {"uri": f"file://{'' if file.startswith('/') else '/'}{quote(raw)}"}
    if is_input:
        return {"uri": "-", "description": {"text": "standard input"}}
    return {"uri": quote(raw), "uriBaseId": "%SRCROOT%"}


def _region(entry: Entry) -> dict[str, Any]:
    """Return the region (section 3.30), whose end is exclusive.

    A result about the whole file is at its first line, since GitHub requires a line.
    """
    if entry.line is None:
        return {"startLine": 1}
    start = (entry.line, entry.column or 1)
    end = (entry.end_line or 0, entry.end_column or 0)
    region: dict[str, Any] = {"startLine": start[0], "startColumn": start[1]}
    if end >= start:
        region |= {"endLine": end[0], "endColumn": end[1]}
    marked = "" if entry.found is None else entry.found.excerpt.marked
    if marked and start[0] == end[0] and len(marked) == end[1] - start[1]:  # complete, not cut
        region["snippet"] = {"text": marked}
    return region


def _replacement(entry: Entry, region: dict[str, Any]) -> dict[str, Any] | None:
    """Return the replacement by the fix (section 3.57), if it concerns exactly the region."""
    fix = None if entry.found is None else entry.found.finding.fix
    if fix is None or not _is_there(fix, entry.keyword):
        return None
    if entry.keyword == "json.encoding":  # a byte order mark, which no region can have (3.30.3)
        return None
    if entry.is_input or entry.file.lower().endswith(".gz"):  # not a text that an editor could fix
        return None
    place = {name: value for name, value in region.items() if name != "snippet"}
    if len(place) < 4 or region["endLine"] != region["startLine"]:
        return None
    return {"deletedRegion": place, "insertedContent": {"text": fix.text}}


def _about_fix(entry: Entry) -> dict[str, Any]:
    """Return the members of a fix (section 3.55) that say whether it is safe."""
    assert entry.found is not None
    fix = entry.found.finding.fix
    assert fix is not None
    option = "--fix" if fix.is_safe else "--unsafe-fixes"
    text = f"{fix.applicability.capitalize()} fix, applied by widgetschema validate {option}"
    return {"description": {"text": text}, "properties": {"applicability": fix.applicability}}


def _is_there(fix: Fix, keyword: str) -> bool:
    return (fix.replace == "name") == _points_at_name(keyword)


@cache
def _points_at_name(keyword: str) -> bool:
    """Return whether findings with this keyword point at the name of a member, not at its value."""
    source = SourceText('{"a":0}')
    finding = Finding(keyword, "/a", "", "")
    return source.span(finding, source.locate(["/a"])) == (1, 4)


def _plain(text: str) -> str:
    """Return a message (section 3.11) without accidental placeholders and links.

    Braces and brackets are escaped only where necessary: most viewers display escapes literally.
    """
    text = "\n".join(map(printable, text.split("\n")))
    if _PLACEHOLDER.search(text):
        text = text.replace("{", "{{").replace("}", "}}")
    if _LINK in text:
        text = re.sub(r"[\\\[\]]", r"\\\g<0>", text)
    return text


def sarif_format(description: str, *, with_suppressed: bool) -> ReportFormat:
    """Return the declaration of a format that is SARIF."""
    return ReportFormat(
        description,
        lambda context: SarifReporter(context.folder, with_suppressed=with_suppressed),
        begins=(
            (
                rb'\{\n  "\$schema": "[^"\n]*sarif-schema-2\.1\.0\.json",\n'
                rb'  "version": "2\.1\.0",\n'
                rb'  "runs": \[\s*\{\s*"tool": \{\s*"driver": \{\s*"name": "widgetschema"'
            ),
        ),
        escape=JSON_ESCAPE,
    )


FORMAT: Final = sarif_format(
    "viewers and archives (SARIF 2.1.0): rules, regions, fingerprints, fixes, suppressions",
    with_suppressed=True,
)
