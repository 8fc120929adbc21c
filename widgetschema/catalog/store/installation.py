"""Writing several schemas into a store at once: at any moment it is the old one or the new one.

A folder that is not there is made beside its place, whole, and moved there. One that is there
cannot be replaced as a whole, since it may hold more than ours. So what is about to be written,
and what it replaces, is put aside first, in `.pull`, by digest; then the files are moved into
place; the manifest comes last, and with it the new store. Whoever reads before that finds what
the old manifest asks for, there or there; the next write clears up. Git ignores `.pull`.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from widgetschema.catalog.schema_files import schema_digest
from widgetschema.catalog.store.locations import MANIFEST, may_be_schema
from widgetschema.catalog.store.manifest import (
    ManifestEntry,
    find_schemas,
    read_manifest,
    save_manifest,
    write_manifest,
)
from widgetschema.catalog.store.store import STAGED
from widgetschema.catalog.type_ids import file_name
from widgetschema.errors import StoreError
from widgetschema.files import (
    copy,
    digest,
    flush,
    folder_lock,
    move,
    read_bytes,
    remove,
    remove_folder,
    remove_unfinished,
    write_atomically,
    write_new,
)

_GITIGNORE: Final = ".gitignore"


class NewSchema(NamedTuple):
    """A schema to be written: its text, and what the manifest is to say of it."""

    text: str
    about: Mapping[str, Any]


def install(
    folder: str | os.PathLike[str],
    new: Mapping[str, NewSchema],
    *,
    private: bool = False,
    force: bool = False,
) -> None:
    """Write schemas into a folder, all of them or none; the folder is made if need be.

    A file with other content than a manifest says is not replaced, unless `force`. Only the owner
    can read a `private` folder, such as a cache. Processes that write at the same time do so one
    after the other.

    Raises `StoreError`: nothing has changed then.
    """
    folder = os.path.realpath(folder)
    with _errors(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True, mode=0o700 if private else 0o777)
    with _errors(folder), folder_lock(folder):
        if not os.path.isdir(folder):
            _make(folder, new, private)
            return
        if private:
            os.chmod(folder, 0o700)
        if not os.path.isfile(os.path.join(folder, MANIFEST)):
            _begin(folder, {} if force else new)
        _update(folder, new, private, force)


def uninstall(folder: str | os.PathLike[str]) -> bool:
    """Remove a cache; whether there was one. Raises `StoreError`."""
    folder = os.path.realpath(folder)
    if not os.path.isdir(folder):
        return False
    with _errors(folder), folder_lock(folder):
        remove_folder(os.path.join(folder, STAGED))
        remove_folder(folder)
    return True


def _make(folder: str, new: Mapping[str, NewSchema], private: bool) -> None:
    above, name = os.path.split(folder)
    prefix = f".{name[:40]}.new-"
    for left in os.listdir(above):  # by a process that was killed: we have the lock
        if re.fullmatch(re.escape(prefix) + r"[0-9a-f]{16}", left):
            remove_folder(os.path.join(above, left, STAGED))
            remove_folder(os.path.join(above, left))
    made = os.path.join(above, prefix + os.urandom(8).hex())
    os.mkdir(made, 0o700 if private else 0o777)
    try:
        _hide_from_git(made)
        save_manifest(made, {}, mode=_mode(private))
        _update(made, new, private, force=False)
        remove(os.path.join(made, _GITIGNORE))
        move(made, folder)
    except BaseException:
        with contextlib.suppress(OSError):
            remove_folder(os.path.join(made, STAGED))
            remove_folder(made)
        raise


def _begin(folder: str, new: Mapping[str, NewSchema]) -> None:
    """Write a manifest of what there is, so that there is an old store to go back to.

    Raises `StoreError` if one of the `new` schemas would replace a file.
    """
    if any(map(may_be_schema, os.listdir(folder))):
        held = {id: ManifestEntry(file) for id, file in find_schemas(folder).items()}
        for id in held.keys() & new.keys():
            sha256 = digest(new[id].text.encode())
            _refuse_to_lose(folder, id, ManifestEntry(held[id].file, sha256), held)
        write_manifest(folder)
    else:
        save_manifest(folder, {})


def _update(folder: str, new: Mapping[str, NewSchema], private: bool, force: bool) -> None:
    entries = _settled(folder)
    made: dict[str, ManifestEntry] = {}
    for id, (text, about) in new.items():
        sha256 = digest(text.encode())
        made[id] = ManifestEntry(_file(id, {**entries, **made}), sha256, dict(about))
        if not force:
            _refuse_to_lose(folder, id, made[id], entries)
    texts = {digest(text.encode()): text for text, _ in new.values()}
    moves = {
        entry.file: texts[entry.sha256]
        for entry in made.values()
        if entry.sha256 is not None and not _holds(os.path.join(folder, entry.file), entry.sha256)
    }
    if moves:
        try:
            _stage(folder, moves, _mode(private))
        except BaseException:
            with contextlib.suppress(OSError):
                remove_folder(os.path.join(folder, STAGED))
            raise
        _put(folder, moves)
    after = {**entries, **made}
    if after != entries:
        save_manifest(folder, after, mode=_mode(private))
    remove_folder(os.path.join(folder, STAGED))


def _settled(folder: str) -> dict[str, ManifestEntry]:
    """Clear up what an unfinished write left, and return the entries of the folder."""
    entries = read_manifest(folder)
    staged = os.path.join(folder, STAGED)
    if os.path.lexists(staged):
        # What lies behind a link is not ours.
        for entry in () if os.path.islink(staged) else entries.values():
            path, spare = os.path.join(folder, entry.file), os.path.join(staged, f"{entry.sha256}")
            if not _holds(path, entry.sha256) and _holds(spare, entry.sha256):
                move(spare, path)
        remove_folder(staged)
    remove_unfinished([os.path.join(folder, MANIFEST)])
    return entries


def _mode(private: bool) -> int | None:
    """Return the permissions of a file; None for the usual ones."""
    return 0o600 if private else None


def _stage(folder: str, moves: Mapping[str, str], mode: int | None) -> None:
    """Put aside what is about to be written, and what it replaces.

    `mode` are the permissions, None for those of the file before, else the usual ones.
    """
    staged = os.path.join(folder, STAGED)
    os.makedirs(staged, exist_ok=True)
    _hide_from_git(staged)
    written = []
    for number, (file, text) in enumerate(moves.items()):
        path = os.path.join(folder, file)
        before = None
        if os.path.exists(path):
            before = os.stat(path).st_mode & 0o777
            copy(path, os.path.join(staged, schema_digest(read_bytes(path))))
        written.append(os.path.join(staged, f"new-{number}"))
        write_new(written[-1], text, before if mode is None else mode)
    flush(written)
    for path in (os.path.join(folder, file) for file in moves):
        spare = os.path.exists(path) and os.path.join(staged, schema_digest(read_bytes(path)))
        if spare and not os.path.exists(spare):
            raise StoreError(path, "another program changed it meanwhile", "nothing was written")


def _hide_from_git(folder: str) -> None:
    """Keep a folder that a killed process leaves behind out of version control."""
    write_new(os.path.join(folder, _GITIGNORE), "*\n")


def _put(folder: str, moves: Mapping[str, str]) -> None:
    """Move what was put aside into place."""
    for number, (file, text) in enumerate(moves.items()):
        path = os.path.join(folder, file)
        if os.path.islink(path):
            write_atomically(path, text)  # the link stays one
        else:
            move(os.path.join(folder, STAGED, f"new-{number}"), path)


def _file(id: str, entries: Mapping[str, ManifestEntry]) -> str:
    """Return the file for an id: the one it has, else one that no other id has."""
    if id in entries:
        return entries[id].file
    file = file_name(id)
    for other, entry in entries.items():
        if entry.file.casefold() == file.casefold():
            raise StoreError(file, f"the file for {id!r} is taken by {other!r}; rename one")
    return file


def _refuse_to_lose(
    folder: str, id: str, made: ManifestEntry, entries: Mapping[str, ManifestEntry]
) -> None:
    """Raise `StoreError` if there is no copy of what a file holds."""
    path = os.path.join(folder, made.file)
    if not os.path.lexists(path) or _holds(path, made.sha256):
        return
    before = entries.get(id)
    if before is None:
        raise StoreError(path, f"this file exists, and {MANIFEST} does not list it; move it")
    if not _holds(path, before.sha256):
        why = f"the file was edited after {MANIFEST} was written"
        if before.sha256 is None:
            why = f"without a {MANIFEST}, the file may have been edited"
        raise StoreError(path, f"{why}; move it away, or overwrite it with --force")


def _holds(path: str, sha256: str | None) -> bool:
    """Return whether a file has the content with a digest."""
    with contextlib.suppress(StoreError):
        return schema_digest(read_bytes(path)) == sha256
    return False


@contextlib.contextmanager
def _errors(folder: str) -> Iterator[None]:
    """Make of what the system says an error about the store."""
    try:
        yield
    except OSError as error:
        path = error.filename if isinstance(error.filename, str) else folder
        raise StoreError(path, f"cannot be written: {error.strerror or error}") from None
