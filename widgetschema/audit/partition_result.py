"""The result of one partition: counts, findings and ids; and what counts while it is checked.

Lines are counted from the beginning of each span; `collector` knows what is before it, and adds
that when it reads the lines of findings and ids, which travel compressed.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson

from widgetschema.audit.plan import Settings
from widgetschema.audit.record_groups import RecordGroups, group_value
from widgetschema.audit.records import RecordResult
from widgetschema.audit.tally import (
    BEFORE,
    LONGEST_TEXT,
    MENDED,
    VALID,
    Example,
    FindingGroup,
    Names,
    Tally,
)
from widgetschema.findings import Finding
from widgetschema.jsontext import dump_line
from widgetschema.jsontext.values import number_text
from widgetschema.pointers import ValueAt, parse_pointer
from widgetschema.text import printable, shorten
from widgetschema.validation.explain.deferred import DeferredFinding

_ITEM: Final = re.compile(r"/[0-9]+(?=[/ ])")  # within a message
_INDEX: Final = re.compile(r"/[0-9]+(?=/|\Z)")
_LARGEST: Final = 2**63
# Of valid records that the fast path accepts, by their values:
_MOST_ACCEPTED: Final = 10_000  # different ones that are kept until they are summed up
_SHORT: Final = 200  # characters of a text that is kept as it is
_PLAIN: Final = frozenset({str, int, float, type(None)})


class PartitionResult(NamedTuple):
    """The result of the partition with this number, encoded: `Collector` reads it.

    `tally` are counts as JSON, `findings`, `ids` and `quarantine` (invalid records) compressed
    lines, empty where none were asked for, or there are none. Lines are counted from the beginning
    of each span. `groups` are counts by the values of records, and `edits` what a migration
    changes, compressed lines, too.
    """

    number: int
    tally: bytes
    findings: bytes
    ids: bytes
    groups: bytes = b""
    quarantine: bytes = b""
    edits: bytes = b""


class PartitionCounter:
    """The counts and rows of a partition; `names` says what names the schema of a type has."""

    def __init__(self, settings: Settings, names: Names) -> None:
        self._settings = settings
        self._id_at = ValueAt(settings.id_pointer)
        self._date_at = ValueAt(settings.date_pointer)
        self._by = [ValueAt(pointer) for pointer in settings.by]
        self._names = names
        self._examples = max(1, settings.examples)
        self.tally = Tally(settings.examples)
        self.findings = CompressedLines() if settings.findings else None
        self.ids = CompressedLines() if settings.ids else None
        self.quarantine = CompressedLines() if settings.quarantine else None
        self.edits = CompressedLines()
        self.lines: list[int] = []  # of each span
        self.problems: list[tuple[int, int | None, str, int]] = []
        self._repeated: dict[tuple[str, str], tuple[str, str, str | None]] = {}
        self._said: set[tuple[int | None, str]] = set()
        self._group_rows = CompressedLines()
        self._accepted: Counter[tuple[Any, ...]] = Counter()
        self._groups = RecordGroups(self._add_groups) if settings.by else None

    def _add_groups(self, rows: Iterable[bytes]) -> None:
        for row in rows:
            self._group_rows.add(row)

    def count_valid(self, type_id: str, records: int) -> None:
        """Count valid records."""
        if records:
            self.tally.count(type_id, VALID, records)

    def count_accepted(self, values: Iterable[tuple[Any, ...]]) -> None:
        """Count valid records that were counted by type, by their values."""
        self._accepted.update(map(_countable, values))
        if len(self._accepted) > _MOST_ACCEPTED:
            self._sum_up_accepted()

    def _sum_up_accepted(self) -> None:
        if self._groups is not None:
            self._groups.count_valid(
                (list(map(_group_key, values)), records)
                for values, records in self._accepted.items()
            )
        self._accepted.clear()

    def count_mended(self, said: RecordResult) -> None:
        """Count a valid record, which is counted as such, as mended."""
        if said.type_id is not None:
            self.tally.count(said.type_id, MENDED)
        if self._groups is not None:
            self._groups.count_mended(self._values(said.part.value))

    def note(self, name: str) -> None:
        """Count something that was noticed about the input, by its name in the summary."""
        self.tally.input[name] = self.tally.input.get(name, 0) + 1

    def count_migration(self, name: str, number: int = 1) -> None:
        """Count what became of records in a migration, or what a step of it did."""
        if number:
            self.tally.migration[name] = self.tally.migration.get(name, 0) + number

    def add_problem(self, line: int | None, message: str, code: int) -> None:
        """Say once what keeps records of this span from being checked; `code` is an exit code.

        It is 0 for what is passed over.
        """
        span = len(self.lines)
        about = (span if code in (0, 3) else None, message)  # a schema is the same for all of them
        if about not in self._said:
            self._said.add(about)
            self.problems.append((span, line, message, code))

    def count_unreadable(
        self, line: int | None, findings: Sequence[Finding], row_id: Any = None
    ) -> None:
        """Count a text that is not JSON. Without a line, the findings have their own."""
        id = id_of(row_id)
        self.tally.unreadable += 1
        found = self._count_findings(findings, self._settings.type_id, line, None, "", id)
        if self._groups is not None:
            self._groups.count([group_value(None) for _ in self._settings.by], "unreadable", found)

    def count_record(
        self,
        said: RecordResult,
        line: int | None,
        columns: Sequence[int] | None = None,
        row_id: Any = None,
    ) -> None:
        """Count what was said of a record. Without a line, findings have their own, and columns.

        `row_id` is the id that the row of a table has, whatever the record says.
        """
        tally, type_id, value = self.tally, said.type_id, said.part.value
        groups = self._groups
        values = [] if groups is None else self._values(value)
        if said.problem is not None:
            self.add_problem(line, said.problem, 4)
        if said.status == "untyped" or type_id is None:
            tally.untyped += 1
        elif said.status != "invalid":
            is_valid = said.status in ("valid", "mended")
            tally.count(type_id, VALID if is_valid else BEFORE)
            if groups is not None:
                groups.count(values, "valid" if is_valid else "invalid_before")
            if said.status == "mended":
                self.count_mended(said)
            return
        else:
            tally.count_invalid(type_id, len(said.findings))
            tally.truncated += said.truncated
            tally.count_date(self._date_at(value))
        id = id_of(self._id_at(value) if row_id is None else row_id)
        found = self._count_findings(
            said.findings, type_id, line, value, said.part.pointer, id, columns
        )
        if groups is not None:
            groups.count(values, said.status, found)
        if self.ids is not None and said.status == "invalid":
            at = line if line is not None else said.findings[0].line
            self.ids.add(id_row(len(self.lines), at, said.part.pointer, id))

    def count_repeated(self, finding: DeferredFinding, value: Any) -> bool:
        """Count an invalid record with one finding of which nothing is shown, as `count_record`.

        False if something of it is: then it was not counted.
        """
        tally, type_id = self.tally, self._settings.type_id
        assert type_id is not None
        keyword, _, place, _, detail, _, _ = finding.violation
        known = self._repeated.get((place, detail)) if keyword == "required" else None
        if known is None:
            known = _mistake(finding, value)
            if keyword == "required":  # of which nothing depends on the value
                self._repeated[place, detail] = known
        path, general, shown = known
        group = tally.groups.group(type_id, keyword, path, self._names, general)
        if len(group.examples) < self._examples:
            return False
        tally.count_invalid(type_id, 1)
        tally.count_date(self._date_at(value))
        group.count(finding, general, shown)
        group.records += 1
        tally.findings += 1
        return True

    def _count_findings(
        self,
        findings: Sequence[Finding],
        type_id: str | None,
        line: int | None,
        value: Any,
        document: str,
        id: Any,
        columns: Sequence[int] | None = None,
    ) -> dict[FindingGroup, int]:
        """Count findings by their groups, and tell of them; return the number in each group."""
        tally, span, rows = self.tally, len(self.lines), self.findings
        common = b"" if rows is None else record_members(document, shortened(id), type_id)
        groups: dict[FindingGroup, int] = {}
        for index, finding in enumerate(findings):
            if rows is not None:
                at = finding.line if line is None else line
                column = finding.column if columns is None else columns[index]
                rows.add(finding_row(span, at, column, finding, common))
            path, general, shown = _mistake(finding, value)
            group = tally.groups.group(type_id, finding.keyword, path, self._names, general)
            number = groups[group] = groups.get(group, 0) + 1
            is_example = number == 1 and len(group.examples) < self._examples
            if is_example:
                message, hint = group.words(finding)
            group.count(finding, general, shown)
            group.records += number == 1
            if is_example:
                at, path = finding.line if line is None else line, shortened(finding.path)
                where = (tally.findings, span, at, document, shortened(id), path)
                group.examples.append(Example(*where, message, hint))
            tally.findings += 1
        return groups

    def _values(self, value: Any) -> list[str]:
        """Return the keys of the groups that a record is in."""
        return [group_value(value_at(value)) for value_at in self._by]

    def result(self, number: int) -> PartitionResult:
        """Return the result of the partition with this number."""
        self._sum_up_accepted()
        if self._groups is not None:
            self._groups.flush()
        tally = _encoded(self.tally, self.lines, self.problems)
        rows = (self.findings, self.ids, self._group_rows, self.quarantine, self.edits)
        return PartitionResult(
            number, tally, *(b"" if one is None else one.finish() for one in rows)
        )


def _countable(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values that can be counted: what is short, else the key of its group in a tuple.

    `true` is equal to 1, and has to be told apart.
    """
    for one in values:
        kind = type(one)
        if (kind is str and len(one) > _SHORT) or kind not in _PLAIN:
            return tuple(
                one if one is None or type(one) is int else (group_value(one),) for one in values
            )
    return values


def joined(parts: Sequence[PartitionResult], examples: int) -> PartitionResult:
    """Return the result of a partition from those of its portions, in their order."""
    if len(parts) == 1:
        return parts[0]
    tally, lines, problems = Tally(examples), 0, []
    for part in parts:
        value = orjson.loads(part.tally)
        tally.merge(Tally.from_dict(value["tally"], examples))
        lines += sum(value["lines"])
        problems += value["problems"]
    rows = (b"".join(column) for column in zip(*(part[2:] for part in parts), strict=True))
    return PartitionResult(parts[0].number, _encoded(tally, [lines], problems), *rows)


def _encoded(tally: Tally, lines: Sequence[int], problems: Sequence[Any]) -> bytes:
    return dump_line({"tally": tally.as_dict(), "lines": lines, "problems": problems})


def _group_key(value: Any) -> str:
    if type(value) is tuple:
        key: str = value[0]
        return key
    return group_value(value)


def _mistake(finding: Finding, record: Any) -> tuple[str, str, str | None]:
    """Return the pattern of a path, the message for any value, and the value if that is shown."""
    pattern = path_pattern(finding, record)
    if isinstance(finding, DeferredFinding):
        return pattern, *finding.general
    # Texts that are not JSON are all the same.
    message = "" if finding.keyword.startswith("json.") else _ITEM.sub("/*", finding.message)
    return pattern, message, None


def path_pattern(finding: Finding, record: Any) -> str:
    """Return the path of a finding about a record, if there is one, with `*` for array items."""
    if isinstance(finding, DeferredFinding):
        return finding.pattern
    return with_wildcards(finding.path, record)


def shortened(value: Any) -> Any:
    """Return a text, shortened; anything else as it is."""
    return shorten(value, LONGEST_TEXT) if type(value) is str else value


def id_of(id: Any) -> str | int | float | None:
    """Return the id of a record, a string or a number; None if it has none.

    A number that is not finite is none, since nobody could say it in JSON.
    """
    if type(id) is float and not math.isfinite(id):
        return None
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


# Lines of findings and ids

_MANY: Final = 256  # rows that are compressed at once
_PORTION: Final = 256 * 1024  # bytes that are unpacked at once
# These end a line for some readers, though not for JSON; within strings they can be escaped.
_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
_NOT_PLAIN: Final = re.compile('\\A(?:\\Z|")|[\x00-\x1f\x7f-\x9f\u2028\u2029]')


class CompressedLines:
    """Lines of bytes, compressed as they come."""

    def __init__(self) -> None:
        self._pack = zlib.compressobj(1)
        self._packed: list[bytes] = []
        self._rows: list[bytes] = []

    def add(self, row: bytes) -> None:
        """Add a line, given without its end."""
        self._rows.append(row)
        if len(self._rows) >= _MANY:
            self._flush()

    def _flush(self) -> None:
        self._rows.append(b"")
        self._packed.append(self._pack.compress(b"\n".join(self._rows)))
        self._rows.clear()

    def finish(self) -> bytes:
        """Return all of them, compressed; empty if there are none."""
        if not self._rows and not self._packed:
            return b""
        self._flush()
        return b"".join([*self._packed, self._pack.flush()])


def unpacked(packed: bytes) -> Iterator[list[bytes]]:
    """Yield the lines, some at a time; those of several results may stand one behind another."""
    while packed:
        unpack = zlib.decompressobj()
        rest = b""
        while not unpack.eof:
            portion = unpack.decompress(packed, _PORTION)
            packed = unpack.unconsumed_tail
            if not portion and not packed and not unpack.eof:  # it has been cut short
                return
            lines = (rest + portion).split(b"\n")
            rest = lines.pop()
            yield lines
        packed = unpack.unused_data


def record_members(document: str, id: Any, type_id: str | None) -> bytes:
    """Return the part of a finding's row that is the same for all findings of a record."""
    written = b'""' if document == "" else _json(document)
    name = b"null" if id is None else _json(id)
    return b',"document":%b,"id":%b,"type":%b,' % (written, name, _json(type_id))


def finding_row(
    span: int, line: int | None, column: int | None, finding: Finding, common: bytes
) -> bytes:
    """Return a finding as JSON, with its span, and its line and column in that."""
    at = b"-" if line is None else b"%d" % line
    on_line = b"null" if column is None else b"%d" % column
    rest = {
        "keyword": finding.keyword,
        "path": finding.path,
        "schema_path": finding.schema_path,
        "message": finding.message,
        "hint": finding.hint,
        "expected": finding.expected,
        "fix": None if finding.fix is None else finding.fix.as_dict(),
    }
    text = _json(rest)[1:]
    return b'%d\t%b\t"column":%b%b%b' % (span, at, on_line, common, text)


def _json(value: Any) -> bytes:
    """JSON on one line, whoever reads the lines."""
    encoded = dump_line(value)
    if encoded.isascii():
        return encoded
    return encoded.decode().translate(_LINE_ENDS).encode()


def finding_text(packed: bytes, files: Sequence[str], offsets: Sequence[int]) -> Iterator[str]:
    """Yield findings as NDJSON, many lines at a time; by span, its file and the lines before."""
    heads = [b'{"file":%b,"line":' % _json(file) for file in files]
    for lines in unpacked(packed):
        text = []
        for row in lines:
            span, line, rest = row.split(b"\t", 2)
            index = int(span)
            number = b"null" if line == b"-" else b"%d" % (int(line) + offsets[index])
            text.append(b"%b%b,%b\n" % (heads[index], number, rest))
        yield b"".join(text).decode()


def id_row(span: int, line: int | None, document: str, id: Any) -> bytes:
    """Return the id of a record, or else its place."""
    if id is None:
        return b"@%d\t%d\t%b" % (span, -1 if line is None else line, document.encode())
    if type(id) is str and _NOT_PLAIN.search(id) is None:
        return b"=" + id.encode()
    return b"=" + _json(id)


def id_text(packed: bytes, files: Sequence[str], offsets: Sequence[int]) -> Iterator[str]:
    """Yield the ids, one a line, many lines at a time; `file:line` for a record without."""
    for lines in unpacked(packed):
        text = []
        for row in lines:
            if row[:1] == b"=":
                text.append(row[1:].decode())
                continue
            span, line, document = row[1:].split(b"\t", 2)
            number = int(line)
            place = "" if number < 0 else f":{number + offsets[int(span)]}"
            inside = f"#{document.decode()}" if document else ""
            text.append(printable(f"{files[int(span)]}{place}{inside}"))
        yield "".join(f"{line}\n" for line in text)
