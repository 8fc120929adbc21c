"""The result of one partition while it is checked: counts, findings and ids.

Lines are counted from the beginning of each span; `collector` knows what is before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import orjson

from widgetschema.audit.finding_groups import Example, Names
from widgetschema.audit.plan import Settings
from widgetschema.audit.records import RecordResult
from widgetschema.audit.rows import CompressedLines, finding_row, id_row, record_members
from widgetschema.audit.tally import BEFORE, VALID, Tally
from widgetschema.findings import Finding
from widgetschema.jsontext import preview
from widgetschema.jsontext.values import number_text
from widgetschema.pointers import parse_pointer, resolve_pointer
from widgetschema.schema.keywords import KEYWORDS
from widgetschema.text import shorten

_LONGEST: Final = 1_000  # characters of an id, a path or a message that are kept in examples
# Of keywords about how much there is, what is counted …
_COUNTED: Final = {code: one.unit for code, one in KEYWORDS.items() if one.unit}
# … where the constant part of other messages begins …
_CONSTANT: Final = {"additionalItems": " too many: ", "contains": ": "}
# … and where it ends, if more follows that depends on the value.
_CHANGING: Final = {"uniqueItems": " of item ", "format": " expression: "}
_ITEM: Final = re.compile(r"/[0-9]+(?=[/ ])")  # within a message
_INDEX: Final = re.compile(r"/[0-9]+(?=/|\Z)")
_LARGEST: Final = 2**63


class PartitionCounter:
    """The counts and rows of a partition; `names` says what names the schema of a type has."""

    def __init__(self, settings: Settings, names: Names) -> None:
        self._settings = settings
        self._names = names
        self._examples = max(1, settings.examples)
        self.tally = Tally(settings.examples)
        self.findings = CompressedLines() if settings.findings else None
        self.ids = CompressedLines() if settings.ids else None
        self.lines: list[int] = []  # of each span
        self.problems: list[tuple[int, int | None, str, int]] = []
        self._said: set[tuple[int | None, str]] = set()

    def count_valid(self, type_id: str, records: int) -> None:
        """Count valid records."""
        if records:
            self.tally.count(type_id, VALID, records)

    def add_problem(self, line: int | None, message: str, code: int) -> None:
        """Say once what keeps records of this span from being checked; `code` is an exit code.

        It is 0 for what is passed over.
        """
        span = len(self.lines)
        about = (span if code in (0, 3) else None, message)  # a schema is the same for all of them
        if about not in self._said:
            self._said.add(about)
            self.problems.append((span, line, message, code))

    def count_unreadable(self, line: int | None, findings: Sequence[Finding]) -> None:
        """Count a text that is not JSON. Without a line, the findings have their own."""
        self.tally.unreadable += 1
        self._count_findings(findings, self._settings.type_id, line, None, "", None)

    def count_record(self, said: RecordResult, line: int | None) -> None:
        """Count what was said of a record. Without a line, the findings have their own."""
        tally, type_id, value = self.tally, said.type_id, said.part.value
        if said.problem is not None:
            self.add_problem(line, said.problem, 4)
        if said.status == "untyped" or type_id is None:
            tally.untyped += 1
        elif said.status != "invalid":
            tally.count(type_id, VALID if said.status == "valid" else BEFORE)
            return
        else:
            tally.count_invalid(type_id, len(said.findings))
            tally.truncated += said.truncated
            is_object = type(value) is dict
            tally.count_date(value.get(self._settings.date_member) if is_object else None)
        id = id_of(value, self._settings.id_member)
        self._count_findings(said.findings, type_id, line, value, said.part.pointer, id)
        if self.ids is not None and said.status == "invalid":
            at = line if line is not None else said.findings[0].line
            self.ids.add(id_row(len(self.lines), at, said.part.pointer, id))

    def _count_findings(
        self,
        findings: Sequence[Finding],
        type_id: str | None,
        line: int | None,
        value: Any,
        document: str,
        id: Any,
    ) -> None:
        """Count findings by their groups, and tell of them."""
        tally, span, rows = self.tally, len(self.lines), self.findings
        common = b"" if rows is None else record_members(document, shortened(id), type_id)
        groups = set()
        for finding in findings:
            path = finding.path
            if _INDEX.search(path) is not None:
                path = with_wildcards(path, value)
            constant, shown = split_message(finding, value)
            group = tally.groups.group(type_id, finding.keyword, path, self._names, constant)
            group.note(shortened(finding.message), shortened(finding.hint))
            if shown is not None:
                group.count_value(shown)
            group.findings += 1
            if group not in groups:
                groups.add(group)
                group.records += 1
                if len(group.examples) < self._examples:
                    at = finding.line if line is None else line
                    group.examples.append(_example(finding, tally.findings, span, at, document, id))
            tally.findings += 1
            if rows is not None:
                at = finding.line if line is None else line
                rows.add(finding_row(span, at, finding, common))

    def encode(self) -> bytes:
        """Return the counts as JSON."""
        value = {
            "tally": self.tally.as_dict(),
            "lines": self.lines,
            "problems": self.problems,
        }
        return orjson.dumps(value)


def split_message(finding: Finding, value: Any) -> tuple[str, str | None]:
    """Return what a message says of any value, and the value that it begins with, if it does.

    `value` is the record. Texts that are not JSON are all the same.
    """
    keyword, message = finding.keyword, finding.message
    if keyword.startswith("json."):
        return "", None
    if keyword in _COUNTED:
        said = message.rpartition(", but ")[2]
        noun = _COUNTED[keyword]
        return f"the value {said} {noun if said.endswith(' 1') else f'{noun}s'}", None
    if keyword in _CONSTANT:
        return message.partition(_CONSTANT[keyword])[2] or message, None
    shown = preview(resolve_pointer(value, finding.path))
    if not message.startswith(f"{shown} "):
        return _ITEM.sub("/*", message), None
    said = message[len(shown) + 1 :]
    end = _CHANGING.get(keyword)
    said = said if end is None else said.partition(end)[0]
    return f"the value {_ITEM.sub('/*', said)}", shown


def _example(
    finding: Finding, at: int, span: int, line: int | None, document: str, id: Any
) -> Example:
    path, message = shortened(finding.path), shortened(finding.message)
    return Example(at, span, line, document, shortened(id), path, message, shortened(finding.hint))


def shortened(value: Any) -> Any:
    """Return a text, shortened; anything else as it is."""
    return shorten(value, _LONGEST) if type(value) is str else value


def id_of(value: Any, member: str) -> str | int | float | None:
    """Return the id of a record, a string or a number; None if it has none."""
    id = value.get(member) if type(value) is dict else None
    if type(id) is int and not -_LARGEST <= id < _LARGEST:
        return number_text(id)
    return id if type(id) in (str, int, float) else None


def with_wildcards(path: str, value: Any) -> str:
    """Return a JSON Pointer with `*` for array items; without the value, for every number."""
    if value is None or not path:
        return _INDEX.sub("/*", path)
    result = ""
    for written, token in zip(path[1:].split("/"), parse_pointer(path), strict=True):
        if type(value) is list:
            value = value[int(token)] if int(token) < len(value) else None
            result += "/*"
        else:
            value = value.get(token) if type(value) is dict else None
            result += f"/{written}"
    return result
