"""The origin of a schema, as text that several commands print."""

from __future__ import annotations

import os
from dataclasses import replace

from widgetschema.findings import Provenance
from widgetschema.text import printable


def provenance_text(provenance: Provenance) -> str:
    """Return where a schema came from; a path below the working directory is relative to it."""
    source = relative_path(provenance.source)
    return printable(str(replace(provenance, source=source)))


def relative_path(source: str) -> str:
    """Return a source; a path below the working directory is relative to it."""
    if not os.path.isabs(source):
        return source
    try:
        relative = os.path.relpath(source)
    except OSError:  # there is no working directory any more
        return source
    return source if relative.startswith(os.pardir) else relative
