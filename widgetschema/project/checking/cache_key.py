"""The key of cached results: all they depend on beside the checked files.

The content of this program decides, but hundreds of files are not read at each start: while the
system describes them as it did when they were read, their digest is remembered in the cache folder.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from widgetschema.catalog.store.locations import SUFFIXES, may_lead_on
from widgetschema.files import open_without_waiting, user_cache_folder
from widgetschema.project.checking.cache import VERSION, OnDamage, ignore_damage, is_settled

_LIBRARIES: Final = ("jsonschema_rs", "msgspec", "orjson")  # that decide, or read JSON
# What decides where jsonschema-rs does not: the extra `python`.
_PYTHON_ENGINE: Final = tuple(
    "jsonschema fqdn idna referencing regex rfc3339_validator rfc3986_validator".split()
)
_CHUNK: Final = 1024 * 1024  # bytes that are read at once
_LONGEST: Final = 1_000  # bytes of a remembered digest
_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def cache_file(settings: Sequence[object], root: str | None = None) -> str:
    """Return the file for results with some settings; `root` is the user's cache folder."""
    name = _digest([repr(settings).encode()])[:32]
    return os.path.join(root or user_cache_folder(), "results", f"{name}.json")


def cache_key(
    folders: Iterable[str],
    settings: Sequence[object],
    engine: str | None = None,
    *,
    files: Iterable[str] = (),
    package: str = _PACKAGE,
    root: str | None = None,
    on_damage: OnDamage = ignore_damage,
) -> str:
    """Return a digest of everything but the checked files that results depend on.

    `folders` are folders of schemas: the content of each of their files counts, and so does that of
    `files`, which are schemas, too, of the files that these refer to, and of this program, the
    folder `package`. Libraries that decide, the `engine` among them, count with version, and sizes
    and times of their files. The digest of the program is remembered in the cache folder `root` if
    that is given; `on_damage` is called with the name of a file there that
    cannot be used. Raises `OSError`.
    """
    parts = [repr((VERSION, sys.version, *settings)).encode()]
    parts.append(_program_digest(package, root, on_damage).encode())
    parts += (repr(part).encode() for part in _libraries(engine))
    leading: dict[str | None, list[str]] = {}  # files that may refer to others, by their folder
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if name.endswith(SUFFIXES):
                path = os.path.join(folder, name)
                parts += [name.encode(errors="surrogateescape"), _content(path)]
                if may_lead_on(parts[-1], path):
                    leading.setdefault(folder, []).append(path)
    for path in files:
        parts.append(_content(path))
        if may_lead_on(parts[-1], path):
            leading.setdefault(None, []).append(path)
    for place, paths in leading.items():
        from widgetschema.catalog.store.beside import files_beside  # few schemas lead on

        for other in files_beside(paths, place):
            parts += [other.encode(errors="surrogateescape"), _content(other)]
    return _digest(parts)


def _program_digest(package: str, root: str | None, on_damage: OnDamage) -> str:
    """Return the digest of the content of all files of a package, remembered if it can be."""
    files = [*_files(package)]
    memory = None
    if root is not None and os.path.isabs(root):
        name = _digest([package.encode(errors="surrogateescape")])[:32]
        memory = os.path.join(root, "program", f"{name}.json")
        stamp, latest = _stamp(files)
        known = _remembered(memory, stamp, on_damage)
        if known is not None:
            return known
    now = time.time_ns()
    parts: list[bytes] = []
    for path in files:
        parts += [path.removeprefix(package).encode(errors="surrogateescape"), _content(path)]
    digest = _digest(parts)
    if memory is not None and is_settled(latest, now):
        _remember(memory, stamp, digest)
    return digest


def _stamp(files: Sequence[str]) -> tuple[str, int]:
    """Return a digest of how the system describes files, and when the last of them changed."""
    latest = 0
    parts = []
    for path in files:
        status = os.stat(path)
        times = status.st_mtime_ns, status.st_ctime_ns
        latest = max(latest, *times)
        parts.append(repr((path, status.st_size, *times, status.st_ino)).encode())
    return _digest(parts), latest


def _remembered(memory: str, stamp: str, on_damage: OnDamage) -> str | None:
    try:
        if not stat.S_ISREG(os.stat(memory).st_mode):  # reading a pipe would wait
            return None
        with open(memory, "rb") as file:
            raw = file.read(_LONGEST)
    except OSError:
        return None
    known: Any = None
    with contextlib.suppress(ValueError, RecursionError):
        known = json.loads(raw)
    if type(known) is dict and type(digest := known.get("digest")) is str and "stamp" in known:
        return digest if known["stamp"] == stamp else None
    on_damage(memory)
    return None


def _remember(memory: str, stamp: str, digest: str) -> None:
    from widgetschema.files import write_atomically  # only after an installation

    with contextlib.suppress(OSError):  # the next run reads the program again then
        if os.path.exists(memory) and not os.path.isfile(memory):
            return  # writing to a pipe waits for a reader
        os.makedirs(os.path.dirname(memory), mode=0o700, exist_ok=True)
        text = json.dumps({"stamp": stamp, "digest": digest})
        write_atomically(memory, text, durable=False, mode=0o600)


def _content(path: str) -> bytes:
    """Return the content of a regular file, in half the time of `open`."""
    number = open_without_waiting(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
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
    """Yield the versions of the libraries that decide, and sizes and times of their files."""
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
    """Yield the files below a folder, without those that Python compiles."""
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
