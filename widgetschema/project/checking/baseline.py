"""The baseline: findings that were there already, in a file that people read and merge.

    {"version": 1, "findings": [
      {"file": "widgets/a.json", "fingerprint": "…", "keyword": "enum", "path": "/size"}
    ]}

One line per finding, in a fixed order. File names are relative to the folder of the baseline, so it
means the same wherever the command is run. `fingerprint` decides; the rest is for people.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, NoReturn

from widgetschema.errors import ConfigurationError, StoreError, UnreadableDocument
from widgetschema.findings import Finding, Report, display_path
from widgetschema.jsontext import Limits, SourceText, read
from widgetschema.project.checking.fingerprints import FileNames
from widgetschema.project.checking.looked import ExaminedFiles, is_baselinable
from widgetschema.project.checking.results import Problem, Result
from widgetschema.text import plural, shorten

VERSION: Final = 1
_LIMITS: Final = Limits(max_bytes=64 * 1024 * 1024)  # some 400,000 findings
_LONGEST_PATH: Final = 300  # characters of a path that are kept
_LONGEST: Final = 100  # characters of a fingerprint or a keyword; ours are shorter
_MEMBERS: Final = ("file", "fingerprint", "keyword", "path")
_CONFLICT: Final = re.compile(rb"^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)", re.MULTILINE)
_ANEW: Final = "or remove the file and write it anew with --write-baseline"


class BaselineEntry(NamedTuple):
    """One finding of a baseline; `file` begins at the baseline's folder, with `/`."""

    file: str
    fingerprint: str
    keyword: str
    path: str

    def __str__(self) -> str:
        return f"{display_path(self.file)} {self.keyword} {display_path(self.path)}"


class Baseline:
    """The findings of a baseline, by fingerprint. `folder` is what its names begin at."""

    def __init__(self, path: str, entries: Iterable[BaselineEntry] = ()) -> None:
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        self._entries = {entry.fingerprint: entry for entry in entries}
        self.files = frozenset(entry.file for entry in self._entries.values())

    @classmethod
    def load(cls, path: str) -> Baseline:
        """Read a baseline. Raises `UnreadableDocument`, whose report says where and why."""
        return cls(path, _entries(path, _raw(path)))

    @staticmethod
    def write(path: str, entries: Iterable[BaselineEntry]) -> None:
        """Write a baseline, whole or not at all.

        Raises `OSError`, and `ConfigurationError` if it would be too long to be read again.
        """
        from widgetschema.files import write_atomically  # most runs write nothing

        lines = [_line(entry) for entry in sorted(set(entries))]
        body = ",\n".join(lines)
        text = f'{{\n  "version": {VERSION},\n  "findings": [{_between(body)}]\n}}\n'
        if len(text) > _LIMITS.max_bytes:
            message = (
                f"{plural(len(lines), 'finding')} are too many: a baseline may have "
                f"{_LIMITS.max_bytes:,} bytes"
            )
            hint = "turn off, or ignore, in the configuration what there is most of"
            _refuse(path, message, hint, ConfigurationError)
        write_atomically(path, text)

    def __contains__(self, fingerprint: object) -> bool:
        return fingerprint in self._entries

    def __iter__(self) -> Iterator[BaselineEntry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def has_lost(self, file: str) -> bool:
        """Whether a file of the baseline is certainly no more."""
        if os.path.isabs(file) or "\\" in file or file.startswith("//"):
            return False  # it is not one of ours, or its name could not be kept as it was
        try:
            os.lstat(os.path.join(self.folder, file))
        except (FileNotFoundError, NotADirectoryError):
            return True
        except (OSError, ValueError):  # nobody can say, or this cannot be the name of a file
            return False
        return False


class BaselineChange(NamedTuple):
    """What became of a baseline: how many findings it has, and had; which files it is about."""

    findings: int
    before: int

    def __str__(self) -> str:
        change = self.findings - self.before
        if not self.before or not change:
            return plural(self.findings, "finding")
        return f"{plural(self.findings, 'finding')} ({change:+,})"


class BaselineRecorder:
    """Collects what a new baseline has. The results come from a `Triage` without a baseline.

    That judge must have the `folder` of the collector. What an older baseline says of files that
    were not checked now is kept, as long as there are such files; a file that is there and is no
    baseline is not written over. Raises `UnreadableDocument`, and
    `ConfigurationError`.
    """

    def __init__(self, path: str) -> None:
        if os.path.islink(path) and not os.path.exists(path):  # who knows where it would write
            _refuse(path, "this link leads nowhere", "remove it", ConfigurationError)
        self.path = path
        self._before = Baseline.load(path) if os.path.exists(path) else Baseline(path)
        self.folder = self._before.folder
        self._names = FileNames(self.folder)
        self._looked = ExaminedFiles(self._before.files, self._names)
        self._entries: dict[str, BaselineEntry] = {}

    def seen(self, file: str) -> None:
        """Say that a file is looked at: one without documents has no results."""
        self._looked.at(file)

    def add(self, result: Result) -> None:
        """Take one result. Warnings, notes and standard input have no place in a baseline."""
        self._looked.result(result)
        if result.file == "-":
            return
        if isinstance(result, Problem):
            if is_baselinable(result):
                self._put(result.file, result.fingerprint, result.keyword, result.pointer)
            return
        for found in result.findings:
            finding = found.finding
            if found.severity == "error" and not finding.keyword.startswith("ignore."):
                self._put(result.file, found.fingerprint, finding.keyword, finding.path)

    def write(self) -> BaselineChange:
        """Write the baseline. Raises what `Baseline.write` raises."""
        kept = {
            file
            for file in self._before.files
            if not self._looked.through(file) and not self._before.has_lost(file)
        }
        entries = {entry.fingerprint: entry for entry in self._before if entry.file in kept}
        entries.update(self._entries)
        Baseline.write(self.path, entries.values())
        return BaselineChange(len(entries), len(self._before))

    def _put(self, file: str, fingerprint: str, keyword: str, path: str) -> None:
        path = shorten(path, _LONGEST_PATH)
        self._entries[fingerprint] = BaselineEntry(self._names.of(file), fingerprint, keyword, path)


def _between(body: str) -> str:
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
    from widgetschema.files import read_bytes  # most runs have no baseline

    try:
        if os.path.getsize(path) > _LIMITS.max_bytes:
            _refuse(path, f"it has more than {_LIMITS.max_bytes:,} bytes, the limit of a baseline")
        return read_bytes(path)
    except FileNotFoundError:
        _refuse(path, "there is no such baseline", "write it with --write-baseline")
    except OSError as error:
        _refuse(path, error.strerror or type(error).__name__)
    except StoreError as error:
        _refuse(path, error.reason)


def _refuse(
    path: str,
    message: str,
    hint: str | None = None,
    error: type[ConfigurationError | UnreadableDocument] = UnreadableDocument,
) -> NoReturn:
    raise error(Report((Finding("baseline", "", "", message, hint),), path)) from None


def _entries(path: str, raw: bytes) -> list[BaselineEntry]:
    try:
        value = read(raw, _LIMITS, path)
    except UnreadableDocument:
        conflict = _CONFLICT.search(raw)
        if conflict is None:
            raise
        line = raw.count(b"\n", 0, conflict.start()) + 1
        message = "here is the mark of a merge conflict"
        hint = f"keep the findings of both sides, {_ANEW}"
        finding = Finding("baseline", "", "", message, hint, line, 1)
        raise UnreadableDocument(Report((finding,), path)) from None
    fault = _fault(value)
    if fault is not None:
        (placed,) = SourceText(raw).place([fault])
        raise UnreadableDocument(Report((placed,), path))
    return [BaselineEntry(*(item[name] for name in _MEMBERS)) for item in value["findings"]]


def _fault(value: Any) -> Finding | None:
    """Why a JSON value is no baseline, or None; what is not known here is passed over."""
    if type(value) is not dict or "version" not in value or "findings" not in value:
        message = 'this is no baseline: that is an object with "version" and "findings"'
        return Finding("baseline", "", "", message, "name another file with --baseline")
    version = value["version"]
    if type(version) is not int or version < 1:
        return Finding("baseline", "/version", "", f"the version of a baseline is {VERSION}")
    if version > VERSION:
        message = f"a newer widgetschema wrote this baseline: its version is not {VERSION}"
        return Finding("baseline", "/version", "", message, "install the newest widgetschema")
    if type(value["findings"]) is not list:
        return Finding("baseline", "/findings", "", "this must be an array")
    for index, item in enumerate(value["findings"]):
        if not _is_entry(item):
            message = f"this is no finding of a baseline: it needs the strings {_named()}"
            hint = f"remove it, {_ANEW}"
            return Finding("baseline", f"/findings/{index}", "", message, hint)
    return None


def _is_entry(item: Any) -> bool:
    if type(item) is not dict or any(type(item.get(name)) is not str for name in _MEMBERS):
        return False
    short = max(len(item["fingerprint"]), len(item["keyword"])) <= _LONGEST
    return short and bool(item["file"]) and bool(item["fingerprint"])


def _named() -> str:
    return ", ".join(f'"{name}"' for name in _MEMBERS)
