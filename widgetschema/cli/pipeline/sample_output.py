"""Output of samples as JSON text: to standard output, a file, or a folder; none stays in memory.

Files are written atomically, and their manifest after them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

import click

from widgetschema.cli.console.output import encodable, escaped, writing
from widgetschema.errors import UnreadableDocument
from widgetschema.files import (
    read_file,
    read_head,
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
    """Write a file, and then its manifest beside it; pipes and devices have none."""
    manifest_path = os.path.realpath(path) + _MANIFEST
    regular = os.path.isfile(path) or not os.path.exists(path)
    with writing(path), writing_atomically(path) as file:
        for text in _texts(values, layout):
            file.write(for_file(text))
        if regular:
            _remove(manifest_path)
    if regular:
        _write(manifest_path, manifest)


def has_manifest(path: str | None) -> bool:
    """Return whether a file was written as samples before."""
    return path is not None and os.path.exists(os.path.realpath(path) + _MANIFEST)


def to_folder(
    folder: str, values: Iterable[Any], names: Iterable[str], manifest: Any, *, force: bool
) -> None:
    """Write a file for each value, and then the manifest.

    Raises a usage error if a file exists that is no sample of an earlier run, unless with `force`.
    A run that was killed left samples without a manifest; these are the same again.
    """
    manifest_path = os.path.join(folder, f"samples{_MANIFEST}")
    with writing(folder):
        os.makedirs(folder, exist_ok=True)
    if _holds_others(manifest_path, manifest):
        raise click.UsageError(
            f"{folder} holds other samples, according to {os.path.basename(manifest_path)}: name "
            "another folder, or remove them."
        )
    may_replace = force or os.path.exists(manifest_path)
    _remove(manifest_path)
    paths = []
    for value, name in zip(values, names, strict=False):
        path = os.path.join(folder, name)
        paths.append(path)
        if not may_replace and _is_other(path, value):
            raise click.UsageError(f"{path} exists already: name another folder, or pass --force.")
        _write(path, value, durable=False)
    remove_unfinished(paths)
    _write(manifest_path, manifest)


def _is_other(path: str, value: Any) -> bool:
    """Return whether a file exists that is not this sample."""
    sample = for_file(dump(value)).encode()
    return os.path.isfile(path) and read_head(path, len(sample) + 1) != sample


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


def _remove(manifest: str) -> None:
    """Remove a manifest that will be wrong."""
    with writing(manifest):
        remove(manifest)


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
