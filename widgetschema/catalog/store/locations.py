"""Locations of schema folders: the bundled one, a project's own. Light, since each run asks."""

from __future__ import annotations

import os
import re
from typing import Final

MANIFEST: Final = "manifest.json"
_SUFFIXES: Final = (".json", ".yaml", ".yml")
SCHEMAS_VARIABLE: Final = "WIDGETSCHEMA_SCHEMAS"
_NAME: Final = "schemas"
# A reference in JSON that may lead to another file; or an escape, behind which there may be one.
_REFERENCE: Final = re.compile(rb'"\$ref"\s*:\s*"(?!#|plugin")|\\u00')


def bundled_folder() -> str:
    """Return the folder of the schemas that ship with this package (in a checkout: `schemas`)."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    inside = os.path.join(here, "schemas")
    return inside if os.path.isdir(inside) else os.path.join(here, "..", "schemas")


def find_schema_folders(start: str | os.PathLike[str]) -> tuple[str, ...]:
    """Find the folders `schemas` that decide in `start`, the nearest first.

    The last is the nearest one with a manifest, in `start` or above it. Folders without a manifest
    come before it if they are nearer, and no higher than the folder that has `.git`: each may have
    the schemas of some types. What is called `schemas` and cannot be used (a file, a folder that
    cannot be read) is among them too: opening it says why.
    """
    folders: list[str] = []
    folder, above, is_inside = os.path.abspath(start), "", True
    while folder != above:
        path = os.path.join(folder, _NAME)
        if is_pinned(path):
            return (*folders, path)
        if is_inside and _may_hold_schemas(path):
            folders.append(path)
        is_inside = is_inside and not os.path.lexists(os.path.join(folder, ".git"))
        folder, above = os.path.dirname(folder), folder
    return tuple(folders)


def find_project_store(start: str | os.PathLike[str]) -> str | None:
    """Return the nearest folder `schemas` with a manifest, in `start` or above it."""
    return next(filter(is_pinned, find_schema_folders(start)), None)


def is_pinned(folder: str) -> bool:
    """Return whether a folder has a manifest, be it one that cannot be used."""
    return os.path.lexists(os.path.join(folder, MANIFEST))


def _may_hold_schemas(path: str) -> bool:
    if not os.path.lexists(path):
        return False
    try:
        return any(map(may_be_schema, os.listdir(path)))
    except OSError:
        return True


def may_be_schema(name: str) -> bool:
    """Return whether a file may hold a schema, by its name, in small or capital letters."""
    return name.lower().endswith(_SUFFIXES)


def may_lead_on(raw: bytes, path: str) -> bool:
    """Return whether the schema in a file may refer to other files, without reading it."""
    return not path.endswith(".json") or _REFERENCE.search(raw) is not None
