"""Results of earlier runs, by everything they depend on: content, schemas, settings, program.

The cache is a file in the user's cache folder, never in the project: a repository must not bring
results along. A cache that is damaged in any way counts as empty, and is written again.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from widgetschema.findings import Finding, Fix, Provenance
from widgetschema.project.checking.results import (
    DocumentResult,
    Excerpt,
    LocatedFinding,
    Result,
    severity_of,
)

VERSION: Final = 2
_MOST_DOCUMENTS: Final = 100  # of a file whose results are kept
_MOST_FOUND: Final = 500  # findings of such a file: to check it again costs little more
_LARGEST: Final = 256 * 1024 * 1024  # bytes of a cache that is read
_MOST_CACHES: Final = 100  # files in the cache folder; older ones are removed
_SETTLED: Final = 100_000_000  # nanoseconds after which a file's times tell it apart
_COARSE: Final = 2_500_000_000  # … where they only count whole seconds
_SECOND: Final = 1_000_000_000
NO_NOTES: Final[Mapping[str, str]] = {}
_MALFORMED: Final = (TypeError, ValueError, LookupError, AttributeError)  # what damage raises


OnDamage = Callable[[str], object]  # called with the name of a file that cannot be used


def ignore_damage(file: str) -> None:
    """Say nothing of a damaged file."""


class FileStamp(NamedTuple):
    """A file as it was read: size, times in nanoseconds, inode, time of reading, SHA-256."""

    size: int
    modified: int
    changed: int
    number: int
    read: int
    digest: str

    @staticmethod
    def of(status: os.stat_result, read: int, digest: str) -> FileStamp:
        """Return the stamp of a file that was read at a time, with the digest of its content."""
        return FileStamp(
            status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, read, digest
        )

    def matches(self, status: os.stat_result) -> bool:
        """Return whether the file certainly was not written to since it was read."""
        return (
            self.size == status.st_size
            and self.modified == status.st_mtime_ns
            and self.changed == status.st_ctime_ns
            and self.number == status.st_ino
            and is_settled(max(self.modified, self.changed), self.read)
        )


def is_settled(latest: int, read: int) -> bool:
    """Return whether a file that changed at `latest` was read long enough after that.

    A write within the same tick of the clock leaves the times as they are, so times that were
    recent when the file was read prove nothing. Both are in nanoseconds.
    """
    return read - latest > (_SETTLED if latest % _SECOND else _COARSE)


class ResultCache:
    """The known results under one set of settings and schemas.

    `file` is where it is kept; `key` names everything but the files that results depend on. `now`
    returns the key at the end of the run: results that were found by a schema that was edited
    meanwhile, and perhaps changed back, are not kept. `on_damage` is called if the
    file cannot be used. `asked` counts the files of a run, and `hits` those whose results were
    known. Raises `OSError` without a working directory.
    """

    def __init__(
        self,
        file: str,
        key: str,
        now: Callable[[], str] | None = None,
        on_damage: OnDamage = ignore_damage,
    ) -> None:
        self.file = file
        self.asked = self.hits = 0
        self._prefix = os.path.join(os.getcwd(), "")  # once: a run looks up thousands of files
        self._key = key
        self._now = now or (lambda: key)
        self._new: dict[str, list[Any]] = {}
        loaded = _load(file, key, on_damage)
        self._files: dict[str, Any] = loaded.get("files", {})
        self._untyped: dict[str, Any] = loaded.get("untyped", {})
        self._new_untyped: dict[str, Any] = {}
        self._schemas: dict[str, Any] = loaded.get("schemas", {})
        self._notes: dict[str, Any] = loaded.get("notes", {})

    def by_status(
        self, file: str, status: os.stat_result, mapped: str | bool | None
    ) -> tuple[Result, ...] | None:
        """Return the results of a file that was not written to since it was read, or None.

        `mapped` is the widget type that the configuration gives the file, if it does; False if the
        file is checked only because it names its type.
        """
        self.asked += 1
        entry = self._files.get(self._absolute(file))
        if entry is None:
            return None
        try:
            if entry[1] == mapped and FileStamp(*entry[0]).matches(status):
                results = self._decode(file, entry[2])
                self.hits += 1
                return results
        except _MALFORMED:
            pass
        return None

    def may_have(self, file: str, status: os.stat_result | None) -> bool:
        """Return whether results of the file at this size are known: then it is worth reading."""
        entry = self._files.get(self._absolute(file))
        with contextlib.suppress(*_MALFORMED):
            return entry is not None and status is not None and entry[0][0] == status.st_size
        return False

    def by_content(
        self, file: str, stamp: FileStamp, mapped: str | bool | None
    ) -> tuple[Result, ...] | None:
        """Return the results of a file with this content, whatever its times are, or None."""
        entry = self._files.get(self._absolute(file))
        with contextlib.suppress(*_MALFORMED):
            if entry is not None and (entry[0][-1], entry[1]) == (stamp.digest, mapped):
                results = self._decode(file, entry[2])
                self._new[self._absolute(file)] = [[*stamp], entry[1], entry[2]]
                self.hits += 1
                return results
        return None

    def put(
        self, file: str, stamp: FileStamp, mapped: str | bool | None, results: Sequence[Result]
    ) -> None:
        """Keep the results of a whole file, unless something kept it from being checked."""
        documents = [result for result in results if isinstance(result, DocumentResult)]
        is_small = sum(len(one.findings) for one in documents) <= _MOST_FOUND
        if is_small and len(documents) == len(results) <= _MOST_DOCUMENTS:
            encoded = [_encode(document) for document in documents]
            self._new[self._absolute(file)] = [[*stamp], mapped, encoded]

    def is_untyped(self, file: str, status: os.stat_result) -> bool:
        """Return whether a file names no type, and was not written to since that was seen."""
        known = self._untyped.get(self._absolute(file))
        now = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        return known is not None and known == [*now]

    def put_untyped(self, file: str, stamp: FileStamp) -> None:
        """Keep that a file names no type, if its times tell its content apart from any other."""
        if is_settled(max(stamp.modified, stamp.changed), stamp.read):
            self._new_untyped[self._absolute(file)] = [
                stamp.size,
                stamp.modified,
                stamp.changed,
                stamp.number,
            ]

    def schemas_of(self, ids: Iterable[str]) -> list[Provenance] | None:
        """Return where the schemas of these types came from, each once; None if unknown."""
        try:
            known = [_provenance(**one) for id in ids for one in self._schemas[id]]
            return [*dict.fromkeys(known)]
        except _MALFORMED:
            return None

    def knows_type(self, id: str) -> bool:
        """Return whether data of this widget type has been checked."""
        return id in self._schemas

    def note_on(self, id: str) -> str | None:
        """Return the note on the schema of a type, if there is one."""
        note = self._notes.get(id)
        return note if isinstance(note, str) else None

    def write(
        self, schemas: Mapping[str, list[Provenance]], notes: Mapping[str, str] = NO_NOTES
    ) -> None:
        """Write the cache for the next run, with the schemas and notes of the types in use."""
        if not self._new and not self._new_untyped:
            return
        from widgetschema.files import write_atomically  # most runs write nothing

        known = {id: [asdict(one) for one in ones] for id, ones in schemas.items()}
        value = {
            "version": VERSION,
            "key": self._key,
            "schemas": {**self._schemas, **known},
            "notes": {**self._notes, **notes},
            "files": {**_present(self._files, self._new), **self._new},
            "untyped": {**_present(self._untyped, self._new_untyped), **self._new_untyped},
        }
        folder = os.path.dirname(self.file)
        with contextlib.suppress(OSError):  # the next run has no cache then
            if self._now() != self._key:
                return
            if os.path.exists(self.file) and not os.path.isfile(self.file):
                return  # writing to a pipe waits for a reader
            os.makedirs(folder, mode=0o700, exist_ok=True)
            text = json.dumps(value, separators=(",", ":"))
            write_atomically(self.file, text, durable=False, mode=0o600)
            _prune(folder)

    def _absolute(self, file: str) -> str:
        return file if file.startswith(os.sep) else self._prefix + file

    def _decode(self, file: str, results: list[Any]) -> tuple[Result, ...]:
        decoded = tuple(_decode(file, fields) for fields in results)
        for one in decoded:
            if one.type_id is not None and one.type_id not in self._schemas:
                raise KeyError(one.type_id)
        return decoded


def _present(known: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the earlier entries; if there are many, without those of deleted files."""
    if len(known) <= 2 * (len(new) + 1_000):
        return known
    return {file: entry for file, entry in known.items() if os.path.lexists(file)}


def _encode(document: DocumentResult) -> list[Any]:
    """Return a document as JSON: little for most, and very little for valid ones."""
    fields = [document.pointer, document.line, document.kind, document.type_id]
    has_text = document.hint is not None or document.note is not None
    if not document.findings and document.readable and not has_text:
        return fields
    found = [
        [asdict(one.finding), one.end_line, one.end_column, [*one.excerpt], one.fingerprint]
        for one in document.findings
    ]
    return [*fields, document.readable, document.hint, document.note, found]


def _decode(file: str, fields: list[Any]) -> DocumentResult:
    pointer, line, kind, type_id, *more = fields
    if not more:
        return DocumentResult(file, pointer, line, kind, type_id)
    readable, hint, note, found = more
    return DocumentResult(
        file,
        pointer,
        line,
        kind,
        type_id,
        tuple(_found(*one) for one in found),
        readable,
        hint,
        note,
    )


def _provenance(*, stale: bool, unpinned: bool, **texts: str | None) -> Provenance:
    one = Provenance(**texts, stale=stale, unpinned=unpinned)  # type: ignore[arg-type]
    _check_texts(one.id, one.source, one.digest)
    _check_texts(*(text for text in (one.origin, one.fetched, one.own_id) if text is not None))
    return one


def _check_texts(*values: object) -> None:
    """Raise `TypeError` for values that are not texts, which reporters rely on."""
    if any(type(value) is not str for value in values):
        raise TypeError


def _found(
    finding: dict[str, Any], end_line: int, end_column: int, excerpt: list[str], fingerprint: str
) -> LocatedFinding:
    fix = finding["fix"]
    names = ("keyword", "path", "schema_path", "message")
    _check_texts(fingerprint, *excerpt, *(finding[name] for name in names))
    one = Finding(**{**finding, "fix": None if fix is None else Fix(**fix)})
    severity = severity_of(one.keyword)
    return LocatedFinding(one, end_line, end_column, Excerpt(*excerpt), severity, fingerprint)


def _load(file: str, key: str, on_damage: OnDamage) -> dict[str, Any]:
    value: Any = None
    try:
        if not stat.S_ISREG(os.stat(file).st_mode):  # reading a pipe would wait
            return {}
        with open(file, "rb") as stream:
            status = os.fstat(stream.fileno())
            if status.st_size > _LARGEST:
                return {}
            raw = stream.read()
    except OSError:
        return {}
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(raw)
    if type(value) is dict and not {"version", "key"} - value.keys():
        if (value["version"], value["key"]) != (VERSION, key):
            return {}
        tables = (value.get(name) for name in ("files", "untyped", "schemas", "notes"))
        if all(type(table) is dict for table in tables):
            return value
    on_damage(file)
    return {}


def _prune(folder: str) -> None:
    """Remove the caches that were not used for longest if there are many."""
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if entry.name.endswith(".json")]
    if len(files) > _MOST_CACHES:
        from widgetschema.files import remove

        files.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in files[: len(files) - _MOST_CACHES]:
            remove(entry.path)
