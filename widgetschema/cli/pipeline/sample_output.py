"""Output of samples as JSON text: to standard output, a file, or a folder; none stays in memory.

Files are written atomically, and their manifest after them.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

import click

from widgetschema.cli.console.output import encodable, escaped, writing
from widgetschema.errors import UnreadableDocument
from widgetschema.files import (
    file_digest,
    holds,
    read_file,
    remove,
    remove_unfinished,
    write_atomically,
    writing_atomically,
)
from widgetschema.jsontext import dump, read

_MANIFEST: Final = ".manifest"  # no suffix of data, so that nobody checks it as such


def to_stdout(values: Iterable[Any], layout: str) -> None:
    """Write values to standard output; if that is closed, the error ends the run."""
    if sys.stdout is None:
        return
    try:
        for text in _texts(values, layout):
            sys.stdout.write(text if _is_plain(text) else encodable(text))
    finally:
        sys.stdout.flush()  # the values before an error are good


def to_file(path: str, values: Iterable[Any], layout: str, manifest: Any) -> None:
    """Write a file, and then its manifest with its digest beside it.

    Pipes and devices have none.
    """
    manifest_path = os.path.realpath(path) + _MANIFEST
    regular = os.path.isfile(path) or not os.path.exists(path)
    content = hashlib.sha256()
    with writing(path), writing_atomically(path) as file:
        for text in map(for_file, _texts(values, layout)):
            file.write(text)
            content.update(text.encode())
        if regular:
            with writing(manifest_path):
                remove(manifest_path)  # it will be wrong
    if regular:
        _write(manifest_path, {**manifest, "digest": content.hexdigest()})


def is_unchanged(path: str) -> bool:
    """Return whether a file is as it was generated, according to the manifest beside it."""
    try:
        manifest = read(read_file(os.path.realpath(path) + _MANIFEST))
        return bool(manifest["digest"] == file_digest(path))
    except (OSError, UnreadableDocument, KeyError, TypeError):
        return False


def to_folder(
    folder: str, values: Iterable[Any], names: Iterable[str], manifest: Any, *, force: bool
) -> None:
    """Write a file for each value, and then the manifest.

    Raises a usage error if a file exists that is not the same sample, unless with `force`.
    """
    manifest_path = os.path.join(folder, f"samples{_MANIFEST}")
    with writing(folder):
        os.makedirs(folder, exist_ok=True)
    if _holds_others(manifest_path, manifest):
        raise click.UsageError(
            f"{folder} holds other samples, according to {os.path.basename(manifest_path)}: name "
            "another folder, or remove them. --force replaces only samples of the same command."
        )
    paths = []
    for value, name in zip(values, names, strict=False):
        path = os.path.join(folder, name)
        paths.append(path)
        if not force and os.path.isfile(path) and not holds(path, for_file(dump(value))):
            raise click.UsageError(
                f"{path} exists already with other content: name another folder, or pass --force."
            )
        _write(path, value, durable=False)
    remove_unfinished(paths)
    _write(manifest_path, manifest)


def _holds_others(path: str, manifest: Any) -> bool:
    """Return whether the folder holds samples of another command, which would be mixed up."""
    try:
        return bool(read(read_file(path)) != read(dump(manifest)))
    except FileNotFoundError:
        return False
    except (OSError, UnreadableDocument):
        return True


def _write(path: str, value: Any, *, durable: bool = True) -> None:
    with writing(path):
        write_atomically(path, for_file(dump(value)), durable=durable)


def _texts(values: Iterable[Any], layout: str) -> Iterator[str]:
    """Yield the text of each value: by itself ("value"), as a line ("ndjson") or item ("json")."""
    if layout == "value":
        yield from map(dump, values)
    elif layout == "ndjson":
        for value in values:
            yield dump(value, indent=False) + "\n"
    else:
        opening = "["
        for value in values:
            yield f"{opening}\n  " + dump(value)[:-1].replace("\n", "\n  ")
            opening = ","
        yield "[]\n" if opening == "[" else "\n]\n"


def _is_plain(text: str) -> bool:
    """Return whether a text has nothing to escape, whatever the encoding."""
    return text.isascii() and "\x7f" not in text


def for_file(text: str) -> str:
    """Return text for a file: what a terminal would obey or UTF-8 lacks is escaped."""
    return text if _is_plain(text) else escaped(text, "utf-8")
