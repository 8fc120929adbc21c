"""Where folders of schemas are: the bundled one, a project's own. Light, since each run asks."""

from __future__ import annotations

import os
from typing import Final

MANIFEST: Final = "manifest.json"


def bundled_folder() -> str:
    """The folder of the schemas that ship with this package (in a checkout: `schemas`)."""
    here = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    inside = os.path.join(here, "schemas")
    return inside if os.path.isdir(inside) else os.path.join(here, "..", "schemas")


def find_project_store(start: str | os.PathLike[str]) -> str | None:
    """The nearest folder `schemas` with a manifest, in `start` or above it."""
    folder, above = os.path.abspath(start), ""
    while folder != above:
        if os.path.isfile(os.path.join(folder, "schemas", MANIFEST)):
            return os.path.join(folder, "schemas")
        folder, above = os.path.dirname(folder), folder
    return None
