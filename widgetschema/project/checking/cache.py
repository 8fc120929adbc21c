"""Results of earlier runs, by what they depend on: content, schemas, settings, this program.

The cache is a file in the user's own cache folder, never in the project: what a repository
brings along must not decide what is valid. Whatever is wrong with it, it counts as empty.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple

from widgetschema.files import without_waiting
from widgetschema.findings import Finding, Fix, Provenance
from widgetschema.project.checking.results import DocumentResult, Excerpt, LocatedFinding, Result

_VERSION: Final = 1
_MOST_DOCUMENTS: Final = 100  # of a file whose results are kept
_MOST_FOUND: Final = 500  # findings of such a file: to check it again costs little more
_LARGEST: Final = 256 * 1024 * 1024  # bytes of a cache that is read
_MOST_CACHES: Final = 100  # files in the cache folder; older ones are removed
_SETTLED: Final = 100_000_000  # nanoseconds after which a file's times tell it apart
_COARSE: Final = 2_500_000_000  # … where they only count whole seconds
_SECOND: Final = 1_000_000_000
_LIBRARIES: Final = ("jsonschema_rs", "msgspec", "orjson")  # that decide, or read JSON
# What decides where jsonschema-rs does not: the extra `python`.
_PYTHON_ENGINE: Final = (
    *"jsonschema fqdn idna jsonpointer referencing regex".split(),
    *"rfc3339_validator rfc3986_validator uri_template".split(),
)
_CHUNK: Final = 1024 * 1024  # bytes that are read at once
_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_MALFORMED: Final = (TypeError, ValueError, LookupError, AttributeError)  # of what was not ours


class FileStamp(NamedTuple):
    """A file as it was read: size, times and number, when that was, and what was in it."""

    size: int
    modified: int
    changed: int
    number: int
    read: int
    digest: str

    @staticmethod
    def of(status: os.stat_result, read: int, digest: str) -> FileStamp:
        """As the system describes it."""
        return FileStamp(
            status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, read, digest
        )

    def is_still(self, status: os.stat_result) -> bool:
        """Whether nobody can have written to the file since it was read.

        Whoever writes within the same tick of the clock leaves the times as they were, so times
        that were fresh when the file was read prove nothing.
        """
        latest = max(self.modified, self.changed)
        wait = _SETTLED if latest % _SECOND else _COARSE
        return (
            self.size == status.st_size
            and self.modified == status.st_mtime_ns
            and self.changed == status.st_ctime_ns
            and self.number == status.st_ino
            and self.read - latest > wait
        )


class ResultCache:
    """What is known of files, under one set of settings and schemas.

    `file` is where it is kept, `key` names everything but the files that results depend on;
    `now` says what it is at the end of the run: who edits a schema in between, and then takes it
    back, must not be told what was found by it.
    """

    def __init__(self, file: str, key: str, now: Callable[[], str] | None = None) -> None:
        self._file = file
        self._key = key
        self._now = now or (lambda: key)
        self._new: dict[str, list[Any]] = {}
        loaded = _loaded(file, key)
        self._files: dict[str, Any] = loaded.get("files", {})
        self._schemas: dict[str, Any] = loaded.get("schemas", {})

    def look(
        self, file: str, status: os.stat_result, mapped: str | None
    ) -> tuple[Result, ...] | None:
        """The results of a file that nobody has written to since it was read, or None.

        `mapped` is the widget type that the configuration gives the file.
        """
        entry = self._files.get(_absolute(file))
        with contextlib.suppress(*_MALFORMED):
            if entry is not None and entry[1] == mapped and FileStamp(*entry[0]).is_still(status):
                return self._decoded(file, entry[2])
        return None

    def may_know(self, file: str, status: os.stat_result | None) -> bool:
        """Whether something of this size is known of a file: then it is worth reading."""
        entry = self._files.get(_absolute(file))
        with contextlib.suppress(*_MALFORMED):
            return entry is not None and status is not None and entry[0][0] == status.st_size
        return False

    def results(self, file: str, seen: FileStamp, mapped: str | None) -> tuple[Result, ...] | None:
        """The results of a file with this content, whatever its times are."""
        entry = self._files.get(_absolute(file))
        with contextlib.suppress(*_MALFORMED):
            if entry is not None and (entry[0][-1], entry[1]) == (seen.digest, mapped):
                results = self._decoded(file, entry[2])
                self._new[_absolute(file)] = [[*seen], entry[1], entry[2]]
                return results
        return None

    def keep(
        self, file: str, seen: FileStamp, mapped: str | None, results: Sequence[Result]
    ) -> None:
        """Remember results of a whole file; not if something kept it from being checked."""
        documents = [result for result in results if isinstance(result, DocumentResult)]
        is_small = sum(len(one.findings) for one in documents) <= _MOST_FOUND
        if is_small and len(documents) == len(results) <= _MOST_DOCUMENTS:
            encoded = [_encoded(document) for document in documents]
            self._new[_absolute(file)] = [[*seen], mapped, encoded]

    def schemas_of(self, ids: Iterable[str]) -> list[Provenance] | None:
        """Where the schemas of these types came from, each once; None if that is not known."""
        try:
            known = [_provenance(**one) for id in ids for one in self._schemas[id]]
            return [*dict.fromkeys(known)]
        except _MALFORMED:
            return None

    def knows(self, id: str) -> bool:
        """Whether data of this widget type has been checked."""
        return id in self._schemas

    def write(self, schemas: dict[str, list[Provenance]]) -> None:
        """Keep what is new for the next run; `schemas` are those of the types that were used."""
        if not self._new:
            return
        from widgetschema.files import write_atomically  # a run without news writes nothing

        known = {id: [asdict(one) for one in ones] for id, ones in schemas.items()}
        value = {
            "version": _VERSION,
            "key": self._key,
            "schemas": {**self._schemas, **known},
            "files": {**self._present(), **self._new},
        }
        folder = os.path.dirname(self._file)
        with contextlib.suppress(OSError):  # a cache that cannot be written is done without
            if self._now() != self._key:
                return
            if os.path.exists(self._file) and not os.path.isfile(self._file):
                return  # who writes to a pipe waits for a reader
            os.makedirs(folder, mode=0o700, exist_ok=True)
            text = json.dumps(value, separators=(",", ":"))
            write_atomically(self._file, text, durable=False, mode=0o600)
            _prune(folder)

    def _present(self) -> dict[str, Any]:
        """What was known before, less the files that are gone, should there be many."""
        if len(self._files) <= 2 * (len(self._new) + 1_000):
            return self._files
        return {file: entry for file, entry in self._files.items() if os.path.lexists(file)}

    def _decoded(self, file: str, results: list[Any]) -> tuple[Result, ...]:
        decoded = tuple(_decoded(file, fields) for fields in results)
        for one in decoded:
            if one.type_id is not None and one.type_id not in self._schemas:
                raise KeyError(one.type_id)
        return decoded


def _encoded(checked: DocumentResult) -> list[Any]:
    """A document in little text; valid ones, as most are, in very little."""
    fields = [checked.pointer, checked.line, checked.kind, checked.type_id]
    if not checked.findings and checked.readable and checked.hint is None and checked.note is None:
        return fields
    found = [
        [asdict(one.finding), one.end_line, one.end_column, [*one.excerpt], one.fingerprint]
        for one in checked.findings
    ]
    return [*fields, checked.readable, checked.hint, checked.note, found]


def _decoded(file: str, fields: list[Any]) -> DocumentResult:
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
    """Raise `TypeError` if something is no text: whoever tells of a result relies on that."""
    if any(type(value) is not str for value in values):
        raise TypeError


def _found(
    finding: dict[str, Any], end_line: int, end_column: int, excerpt: list[str], fingerprint: str
) -> LocatedFinding:
    fix = finding["fix"]
    names = ("keyword", "path", "schema_path", "message")
    _check_texts(fingerprint, *excerpt, *(finding[name] for name in names))
    one = Finding(**{**finding, "fix": None if fix is None else Fix(**fix)})
    return LocatedFinding(one, end_line, end_column, Excerpt(*excerpt), fingerprint=fingerprint)


def _loaded(file: str, key: str) -> dict[str, Any]:
    try:
        if not stat.S_ISREG(os.stat(file).st_mode):  # nor a pipe, which would be waited for
            return {}
        with open(file, "rb") as stream:
            status = os.fstat(stream.fileno())
            if status.st_size > _LARGEST:
                return {}
            value = json.loads(stream.read())
    except (OSError, ValueError, RecursionError):
        return {}
    if type(value) is not dict or (value.get("version"), value.get("key")) != (_VERSION, key):
        return {}
    if any(type(value.get(name)) is not dict for name in ("files", "schemas")):
        return {}
    return value


def _absolute(file: str) -> str:
    return file if os.path.isabs(file) else os.path.join(os.getcwd(), file)


def _prune(folder: str) -> None:
    """Remove the caches that nobody has used for longest, should there be many."""
    with os.scandir(folder) as entries:
        files = [entry for entry in entries if entry.name.endswith(".json")]
    if len(files) > _MOST_CACHES:
        from widgetschema.files import remove

        files.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in files[: len(files) - _MOST_CACHES]:
            remove(entry.path)


def cache_file(settings: Sequence[object], root: str | None = None) -> str:
    """The file for results with some settings; `root` is the user's cache folder."""
    return os.path.join(
        root or cache_root(), "results", f"{_digest([repr(settings).encode()])[:32]}.json"
    )


def cache_root() -> str:
    """The user's cache folder of this package; not absolute if nobody knows whose home this is."""
    if os.name == "posix" and os.uname().sysname == "Linux":  # as the XDG specification has it
        home = os.environ.get("XDG_CACHE_HOME", "")
        home = home if os.path.isabs(home) else os.path.expanduser("~/.cache")
        return os.path.join(home, "widgetschema")
    import platformdirs

    return platformdirs.user_cache_dir("widgetschema")


def cache_key(
    folders: Iterable[str],
    settings: Sequence[object],
    engine: str | None = None,
    *,
    package: str = _PACKAGE,
) -> str:
    """Names everything but the files that results depend on.

    `folders` are folders of schemas: each of their files counts with its content, and so does
    each file of this program, the folder `package`. Of the libraries that decide, the `engine`
    among them, the version counts, and the times and sizes of the files. Raises `OSError`.
    """
    parts = [repr((_VERSION, sys.version, *settings)).encode()]
    for path in _files(package):
        parts += [path.removeprefix(package).encode(errors="surrogateescape"), _content(path)]
    parts += (repr(part).encode() for part in _libraries(engine))
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json"):
                path = os.path.join(folder, name)
                parts += [name.encode(errors="surrogateescape"), _content(path)]
    return _digest(parts)


def _content(path: str) -> bytes:
    """The bytes of a file, at half the price of `open`: hundreds are read at each start."""
    number = without_waiting(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        chunks = []
        while chunk := os.read(number, _CHUNK):
            chunks.append(chunk)
    finally:
        os.close(number)
    return b"".join(chunks)


def _libraries(engine: str | None) -> Iterator[tuple[object, ...]]:
    """The versions of the libraries that decide, and their files as the system describes them."""
    from importlib.util import find_spec

    names: tuple[str, ...] = _LIBRARIES
    if engine == "python" or find_spec("jsonschema_rs") is None:
        names += _PYTHON_ENGINE
    installed: dict[str, list[str]] = {}
    for name in names:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            continue
        is_package = spec.submodule_search_locations is not None
        module = os.path.dirname(spec.origin) if is_package else spec.origin
        around = os.path.dirname(module)
        if around not in installed:
            installed[around] = sorted(os.listdir(around))
        for entry in installed[around]:  # faster by 30 ms than to import `importlib.metadata`
            if entry.endswith(".dist-info") and entry.lower().startswith(f"{name}-"):
                yield name, entry
        for path in _files(module) if is_package else (module,):
            status = os.stat(path)
            yield name, os.path.basename(path), status.st_size, status.st_mtime_ns


def _files(folder: str) -> Iterator[str]:
    """The files below a folder, less those that Python compiles."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if not entry.is_dir():
                yield entry.path
            elif entry.name != "__pycache__":
                yield from _files(entry.path)


def _digest(parts: Iterable[bytes]) -> str:
    import hashlib

    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big"))
        total.update(part)
    return total.hexdigest()
