"""The baseline: a file of known findings that do not fail a run, written to be read and merged.

    {"version": 1, "findings": [
      {"file": "widgets/a.json", "fingerprint": "…", "keyword": "enum", "path": "/size"}
    ]}

One line per finding, in a fixed order. File names are relative to the folder of the baseline, so it
means the same wherever the command is run. `fingerprint` decides; the rest is for people.

Every run imports this module, so what reads and writes JSON is imported when it is needed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, NoReturn

from widgetschema.errors import ConfigurationError, UnreadableDocument
from widgetschema.findings import Finding, Report
from widgetschema.jsontext import Limits
from widgetschema.pointers import display_pointer
from widgetschema.project.checking.fingerprints import FileNames
from widgetschema.project.checking.results import (
    DocumentResult,
    LocatedFinding,
    Problem,
    Result,
)
from widgetschema.text import plural, shorten

VERSION: Final = 1
_LIMITS: Final = Limits(max_bytes=64 * 1024 * 1024)  # some 400,000 findings
_LONGEST_PATH: Final = 300  # characters of a path that are kept
_LONGEST: Final = 100  # characters of a fingerprint or a keyword; ours are shorter
_MEMBERS: Final = ("file", "fingerprint", "keyword", "path")
_CONFLICT: Final = re.compile(rb"^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)", re.MULTILINE)
_ANEW: Final = "or remove the file and write it again with --write-baseline"


class BaselineEntry(NamedTuple):
    """One finding of a baseline; `file` is relative to the baseline's folder, with `/`."""

    file: str
    fingerprint: str
    keyword: str
    path: str

    def __str__(self) -> str:
        return f"{display_pointer(self.file)} {self.keyword} {display_pointer(self.path)}"


class Baseline:
    """The findings of a baseline by fingerprint; file names are relative to `folder`."""

    def __init__(self, path: str, entries: Iterable[BaselineEntry] = ()) -> None:
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        self._entries = {entry.fingerprint: entry for entry in entries}
        self.files = frozenset(entry.file for entry in self._entries.values())

    @classmethod
    def load(cls, path: str) -> Baseline:
        """Read a baseline. Raises `UnreadableDocument`, whose report has the position."""
        return cls(path, _entries(path, _raw(path)))

    @staticmethod
    def write(path: str, entries: Iterable[BaselineEntry], before: bytes | None = None) -> bytes:
        """Write a baseline in place of the content `before`, None for no file; return its own.

        Raises `OSError`, and `ConfigurationError` if it is larger than can be read again.
        """
        from widgetschema.files import replace_file  # most runs write nothing

        lines = [_line(entry) for entry in sorted(set(entries))]
        body = ",\n".join(lines)
        text = f'{{\n  "version": {VERSION},\n  "findings": [{_indent(body)}]\n}}\n'
        if len(text) > _LIMITS.max_bytes:
            message = (
                f"{plural(len(lines), 'finding')} are too many: a baseline is at most "
                f"{_LIMITS.max_bytes:,} bytes long"
            )
            hint = "turn off or ignore the most frequent keywords in the configuration"
            _refuse(path, message, hint, ConfigurationError)
        replace_file(path, text, before)
        return text.encode()

    def __contains__(self, fingerprint: object) -> bool:
        return fingerprint in self._entries

    def __iter__(self) -> Iterator[BaselineEntry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def is_deleted(self, file: str) -> bool:
        """Return whether a file of the baseline certainly does not exist any more."""
        if os.path.isabs(file) or "\\" in file or file.startswith("//"):
            return False  # not written by us, or its name could not be kept as it was
        try:
            os.lstat(os.path.join(self.folder, file))
        except (FileNotFoundError, NotADirectoryError):
            return True
        except (OSError, ValueError):  # unknown, or not a possible file name
            return False
        return False


class BaselineChange(NamedTuple):
    """The findings of a baseline that was written: how many, and of the one before, if any.

    `new` ones were not in it; those that are `gone` were.
    """

    findings: int
    new: int = 0
    gone: int = 0

    def __str__(self) -> str:
        parts = ((self.new, "new"), (self.gone, "gone"))
        changes = ", ".join(f"{number:,} {what}" for number, what in parts if number)
        return plural(self.findings, "finding") + (f" ({changes})" if changes else "")


class ExaminedFiles:
    """The files of a baseline that were examined: what is not found in them any more is resolved.

    A file of which a part could not be checked does not count, since its content is not known.
    """

    def __init__(self, files: frozenset[str], names: FileNames) -> None:
        self._files = files
        self._names = names
        self._begun: set[str] = set()
        self._doubtful: set[str] = set()
        self._last = ""

    def begin(self, file: str) -> None:
        """Record that a file begins, which means that the one before it was read to its end."""
        if self._files:
            self._last = self._names.name(file)
            if self._last in self._files:
                self._begun.add(self._last)

    def add(self, result: Result) -> None:
        """Record one result of a file."""
        if self._files:
            self.begin(result.file)
            if isinstance(result, Problem) or not result.readable:
                self._doubtful.add(self._last)

    def is_complete(self, file: str, *, interrupted: bool = False) -> bool:
        """Return whether all of a file was checked; an `interrupted` run left its last file."""
        if interrupted and file == self._last:
            return False
        return file in self._begun and file not in self._doubtful


class BaselineRecorder:
    """Collects the entries of a new baseline from results that were triaged without a baseline.

    The triage must use the `folder` of the recorder. Entries of an older baseline about files that
    were not checked are kept as long as these files exist. A file that exists and is not a baseline
    is never overwritten.

    Raises:
        UnreadableDocument: the file is not a baseline.
        ConfigurationError: the path is a dangling link.

    """

    code = 0  # that of findings which are neither recorded nor counted by others

    def __init__(self, path: str) -> None:
        if os.path.islink(path) and not os.path.exists(path):  # who knows where it would write
            message = "this link points to a file that does not exist"
            _refuse(path, message, "remove it", ConfigurationError)
        self.path = path
        self._raw = _raw(path) if os.path.exists(path) else None
        self._before = Baseline(path, () if self._raw is None else _entries(path, self._raw))
        self.folder = self._before.folder
        self._names = FileNames(self.folder)
        self._examined = ExaminedFiles(self._before.files, self._names)
        self._entries: dict[str, BaselineEntry] = {}

    @property
    def number(self) -> int:
        """The number of findings so far."""
        return len(self._entries)

    def begin(self, file: str) -> None:
        """Record that a file begins: one without documents has no results."""
        self._examined.begin(file)

    def add(self, result: Result) -> None:
        """Add one result; warnings, notes and standard input have no place in a baseline.

        Neither has what prevents a check.
        """
        self._examined.add(result)
        if isinstance(result, Problem):
            return
        for located in result.findings:
            if may_hold(result, located):
                finding, fingerprint = located.finding, located.fingerprint
                self._entries[fingerprint] = BaselineEntry(
                    self._names.name(result.file),
                    fingerprint,
                    finding.keyword,
                    shorten(finding.path, _LONGEST_PATH),
                )

    def holds(self, document: DocumentResult, located: LocatedFinding) -> bool:
        """Return whether a finding is in the baseline."""
        return may_hold(document, located)

    def write(self) -> BaselineChange:
        """Write the baseline. Raises what `Baseline.write` raises."""
        kept = {
            file
            for file in self._before.files
            if not self._examined.is_complete(file) and not self._before.is_deleted(file)
        }
        entries = {entry.fingerprint: entry for entry in self._before if entry.file in kept}
        entries.update(self._entries)
        self._raw = Baseline.write(self.path, entries.values(), self._raw)
        before = {entry.fingerprint for entry in self._before}
        if not before:
            return BaselineChange(len(entries))
        return BaselineChange(
            len(entries), len(entries.keys() - before), len(before - entries.keys())
        )


def may_hold(document: DocumentResult, located: LocatedFinding) -> bool:
    """Return whether a baseline may hold a finding of a document."""
    return (
        document.file != "-"
        and located.severity == "error"
        and not located.finding.keyword.startswith("ignore.")
        and not document.prevents_check(located.finding)
    )


def _indent(body: str) -> str:
    return f"\n{body}\n  " if body else ""


def _line(entry: BaselineEntry) -> str:
    members = dict(zip(_MEMBERS, entry, strict=True))
    try:
        text = json.dumps(members, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, in a path of text that is not JSON
        clean = {name: _clean(value) for name, value in members.items()}
        text = json.dumps(clean, ensure_ascii=False)
    return f"    {text}"


def _clean(text: str) -> str:
    return text.encode(errors="backslashreplace").decode()


def _raw(path: str) -> bytes:
    from widgetschema.files import read_file  # most runs have no baseline

    try:
        return read_file(path, _LIMITS.max_bytes)
    except FileNotFoundError:
        _refuse(path, "this baseline does not exist", "write it with --write-baseline")
    except OSError as error:
        _refuse(path, error.strerror or type(error).__name__)


def _refuse(
    path: str,
    message: str,
    hint: str | None = None,
    error: type[ConfigurationError | UnreadableDocument] = UnreadableDocument,
) -> NoReturn:
    raise error(Report((Finding("baseline", "", "", message, hint),), path)) from None


def _entries(path: str, raw: bytes) -> list[BaselineEntry]:
    from widgetschema.jsontext import SourceText, read

    try:
        value = read(raw, _LIMITS, path)
    except UnreadableDocument:
        conflict = _CONFLICT.search(raw)
        if conflict is None:
            raise
        line = raw.count(b"\n", 0, conflict.start()) + 1
        message = "this is a merge conflict marker"
        hint = f"keep the findings of both sides, {_ANEW}"
        finding = Finding("baseline", "", "", message, hint, line, 1)
        raise UnreadableDocument(Report((finding,), path)) from None
    error = _format_error(value)
    if error is not None:
        (located,) = SourceText(raw).place([error])
        raise UnreadableDocument(Report((located,), path))
    return [BaselineEntry(*(item[name] for name in _MEMBERS)) for item in value["findings"]]


def _format_error(value: Any) -> Finding | None:
    """Return why a JSON value is not a baseline, or None; unknown members are allowed."""
    if type(value) is not dict or "version" not in value or "findings" not in value:
        message = 'this is not a baseline, which is an object with "version" and "findings"'
        return Finding("baseline", "", "", message, "name another file with --baseline")
    version = value["version"]
    if type(version) is not int or version < 1:
        return Finding("baseline", "/version", "", f"the version must be {VERSION}")
    if version > VERSION:
        message = f"a newer widgetschema wrote this baseline: its version is not {VERSION}"
        return Finding("baseline", "/version", "", message, "upgrade widgetschema")
    if type(value["findings"]) is not list:
        return Finding("baseline", "/findings", "", "this must be an array")
    for index, item in enumerate(value["findings"]):
        if not _is_entry(item):
            message = f"this is not a baseline finding, which needs the strings {_member_names()}"
            hint = f"remove it, {_ANEW}"
            return Finding("baseline", f"/findings/{index}", "", message, hint)
    return None


def _is_entry(item: Any) -> bool:
    if type(item) is not dict or any(type(item.get(name)) is not str for name in _MEMBERS):
        return False
    short = max(len(item["fingerprint"]), len(item["keyword"])) <= _LONGEST
    return short and bool(item["file"]) and bool(item["fingerprint"])


def _member_names() -> str:
    return ", ".join(f'"{name}"' for name in _MEMBERS)
