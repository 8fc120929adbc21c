"""The manifest of a store: which schemas it has, in which files, with which digests.

    {"version": 1, "schemas": {"countdown": {"file": "countdown.json", "sha256": "…"}}}

A file in a subfolder, to which schemas of the folder refer, goes by its path, and is no type.
An entry may say more: where its schema came from (`source`), and when (`fetched`, ISO 8601); a
cache keeps what HTTP needs. What is not known here is kept as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from widgetschema.catalog.schema_files import LARGEST, parsed, schema_digest, unreadable
from widgetschema.catalog.store.beside import files_beside, name_beside
from widgetschema.catalog.store.locations import MANIFEST
from widgetschema.catalog.type_ids import FILE_NAME, id_in_file
from widgetschema.errors import StoreError, UnreadableDocument, UnreadableSchema
from widgetschema.files import read_bytes, replace_file, write_atomically
from widgetschema.jsontext import Limits, dump, read

_MANIFEST_LIMITS: Final = Limits(max_bytes=64 * 1024 * 1024)
_SHA256: Final = re.compile("[0-9a-f]{64}")
# Keywords by which a schema without `$schema` is told from other JSON: `title`, `default`, `items`
# and the like may be in anything.
_SCHEMA_KEYWORDS: Final = frozenset(
    "$ref definitions properties patternProperties additionalProperties propertyNames required "
    "enum const allOf anyOf oneOf not".split()
)
_TYPES: Final = ("object", "array", "string", "number", "integer", "boolean", "null")
_MOST: Final = 10_000  # names in a folder and below
_LARGE: Final = f"it is larger than {LARGEST // 1024**2} MiB"
# A file below, to which schemas of this folder refer: its id is the path.
_PATH: Final = re.compile(r"((?!\.\.?/)[^/\\:\x00-\x1f]{1,250}/)+[^/\\:\x00-\x1f]{1,250}")


class ManifestEntry(NamedTuple):
    """One schema of a store: its file, its `schema_digest`, and what else is known of it.

    `sha256` is None where there is no manifest. `rival` is another file with the same id, of which
    it is not known which one is meant.
    """

    file: str
    sha256: str | None = None
    about: Mapping[str, Any] = {}
    rival: str | None = None

    @property
    def is_below(self) -> bool:
        """True for a file in a subfolder, which is no type: schemas of the folder refer to it."""
        return "/" in self.file

    def text(self, name: str) -> str | None:
        """Return a member, if it is a text."""
        value = self.about.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> float | None:
        """Return a member, if it is a number."""
        value: object = self.about.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        try:
            return float(value)
        except OverflowError:
            return None


def read_manifest(folder: str, *, is_found: bool = False) -> dict[str, ManifestEntry]:
    """Return the entries of a folder by id; without a manifest, each schema in it.

    Of a folder without a manifest that was only found by its name (`is_found`), JSON that is no
    schema is left alone. Raises `StoreError`.
    """
    _check_folder(folder)
    path = os.path.join(folder, MANIFEST)
    if not os.path.lexists(path):
        rivals: dict[str, str] = {}
        unlisted = find_schemas(folder, rivals=rivals if is_found else None)
        if not unlisted and not is_found:
            raise StoreError(folder, "there is no schema (*.json, *.yaml) directly in this folder")
        return {id: ManifestEntry(file, rival=rivals.get(id)) for id, file in unlisted.items()}
    raw = read_bytes(path)
    try:
        manifest = read(raw, _MANIFEST_LIMITS, "not a manifest")
    except UnreadableDocument as error:
        raise unreadable(error, raw, path) from None
    entries = manifest.get("schemas") if type(manifest) is dict else None
    if type(entries) is not dict:
        raise StoreError(path, 'a manifest needs an object "schemas"; write it again')
    files: dict[str, ManifestEntry] = {}
    for id, entry in entries.items():
        about = dict(entry) if type(entry) is dict else {}
        file, sha256 = about.pop("file", None), about.pop("sha256", None)
        if not isinstance(file, str) or not isinstance(sha256, str):
            raise StoreError(path, f'the entry {id!r} needs "file" and "sha256"')
        is_below = file == id and _PATH.fullmatch(file) is not None
        if not is_below and not FILE_NAME.fullmatch(file):
            raise StoreError(path, f"the entry {id!r} names no file of this folder: {file!r}")
        if not _SHA256.fullmatch(sha256):
            raise StoreError(path, f'the entry {id!r} has no valid "sha256"')
        files[id] = ManifestEntry(file, sha256, about)
    return files


def save_manifest(
    folder: str, entries: Mapping[str, ManifestEntry], *, mode: int | None = None
) -> str:
    """Write a manifest, with permissions if there is a `mode`; its path. Raises `OSError`."""
    path = os.path.join(folder, MANIFEST)
    write_atomically(path, _manifest_text(entries), mode=mode)
    return path


def _manifest_text(entries: Mapping[str, ManifestEntry]) -> str:
    schemas = {
        id: {"file": entry.file, "sha256": entry.sha256, **entry.about}
        for id, entry in sorted(entries.items())
    }
    return dump({"version": 1, "schemas": schemas})


def write_manifest(folder: str | os.PathLike[str]) -> str:
    """Write the manifest of a folder for its files as they are now; its path.

    It lists the files below the folder, too, to which schemas refer. What was known of a schema
    stays known while its file is the same. Raises `StoreError`, and `OSError` if another program
    changed the manifest meanwhile.
    """
    folder = os.fspath(folder)
    _check_folder(folder)
    manifest = os.path.join(folder, MANIFEST)
    raw = read_bytes(manifest) if os.path.exists(manifest) else None
    try:
        known = {entry.file: entry for entry in read_manifest(folder).values()}
    except StoreError:
        known = {}
    files = find_schemas(folder, strict=True)
    paths = [os.path.join(folder, file) for file in files.values()]
    for path in files_beside(paths, folder):
        below = name_beside(path, os.path.abspath(folder))
        files |= {below: below} if "/" in below else {}
    entries = {}
    for id, file in files.items():
        sha256 = schema_digest(read_bytes(os.path.join(folder, file)))
        before = known.get(file)
        about = before.about if before is not None and before.sha256 == sha256 else {}
        entries[id] = ManifestEntry(file, sha256, about)
    replace_file(manifest, _manifest_text(entries), raw)
    return manifest


def find_schemas(
    folder: str, *, strict: bool = False, rivals: dict[str, str] | None = None
) -> dict[str, str]:
    """Return the schemas of a folder: id → file name. The id is that of `id_in_file`.

    A file that cannot be read goes by its name, unless `strict`: using it says
    why, and others are not affected. `rivals` is given for a folder that was only found by its
    name, whose files may be of another kind: what is no draft-07 schema, or too large for one, is
    left out, and of an id that two files have, `rivals` gets the second one. Elsewhere that is an
    error. Raises `StoreError`.
    """
    is_found = rivals is not None
    files: dict[str, str] = {}
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise StoreError(folder, error.strerror or type(error).__name__) from None
    for name in names:
        path = os.path.join(folder, name)
        if name == MANIFEST or not FILE_NAME.fullmatch(name) or not os.path.isfile(path):
            continue
        try:
            if is_found and os.path.getsize(path) > LARGEST:
                continue
            schema = parsed(read_bytes(path), path)
        except (StoreError, OSError):
            if strict:
                raise
            schema = None
        else:
            if is_found and _why_no_schema(schema):
                continue
        id = id_in_file(schema, name)
        if id in files:
            if rivals is None:
                raise StoreError(path, f"the id {id!r} is taken by {files[id]}")
            rivals[id] = name
            continue
        files[id] = name
    return files


def unused_files(folder: str, used: Container[str], *, is_found: bool) -> Iterator[tuple[str, str]]:
    """Yield the files in a folder and below that are not used as types, and why.

    Args:
        folder: An absolute path.
        used: The absolute paths of types, and of what these refer to.
        is_found: Yield what was left out of a folder that was only found by its name, too.
    """
    paths, are_all = schema_files(folder)
    for path in paths:
        if path in used:
            continue
        with suppress(StoreError, OSError):
            is_large = os.path.getsize(path) > LARGEST
            reason = _LARGE if is_large else _why_no_schema(parsed(read_bytes(path), path))
            if os.path.dirname(path) != folder:
                if not reason:
                    yield path, "it is in a subfolder, and no schema refers to it"
            elif is_found or not reason:
                yield path, reason or f"{MANIFEST} does not list it"
    if not are_all:
        yield folder, f"not all of its subfolders were looked at: it has over {_MOST:,} files"


def schema_files(folder: str) -> tuple[list[str], bool]:
    """Return the paths of the files in a folder and below that may hold schemas, by their names.

    False goes along if there are so many files that not all subfolders were looked at.
    """
    paths: list[str] = []
    number = 0
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        number += len(names) + len(folders)
        if here != folder and number > _MOST:
            return paths, False
        names = sorted(name for name in names if name != MANIFEST and FILE_NAME.fullmatch(name))
        paths += [os.path.join(here, name) for name in names]
    return paths, True


def looks_like_schema(value: Any) -> bool:
    """Return whether a JSON value is meant as a JSON Schema, be it one with mistakes.

    Its `$schema` names a dialect, or it has a keyword that other JSON hardly has. So are the
    schemas `true`, `false` and `{}`: using one says that it can refuse no data.
    """
    if type(value) is not dict or not value:
        return type(value) in (bool, dict)
    dialect = value.get("$schema")
    if isinstance(dialect, str):
        return "json-schema.org/" in dialect
    return not _SCHEMA_KEYWORDS.isdisjoint(value) or value.get("type") in _TYPES


def _why_no_schema(value: Any) -> str:
    """Return why a JSON value is not meant as a schema of draft-07; "" if it is."""
    dialect = value.get("$schema", "draft-07") if type(value) is dict else "draft-07"
    if "draft-07" not in str(dialect):
        return f'its "$schema" is {dialect!r}, not that of draft-07'
    return "" if looks_like_schema(value) else "it has no keyword that only a schema has"


def _check_folder(folder: str) -> None:
    if os.path.isdir(folder):
        if os.access(folder, os.R_OK | os.X_OK):
            return
        raise StoreError(folder, "no permission to read this folder of schemas")
    if os.path.isfile(folder):
        reason = "no such folder of schemas: this is a file"
        raise StoreError(folder, reason, f"if it is a schema, pass: --data-schema {folder}")
    raise UnreadableSchema(folder, "no such folder of schemas")
