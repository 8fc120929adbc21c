"""Where a schema came from, as text that several commands print."""

from __future__ import annotations

import os
from dataclasses import replace

from widgetschema.findings import Provenance
from widgetschema.text import printable


def provenance_text(provenance: Provenance) -> str:
    """Return where a schema came from; a path below the working directory is relative to it."""
    source = provenance.source
    if os.path.isabs(source):
        relative = os.path.relpath(source)
        source = source if relative.startswith(os.pardir) else relative
    return printable(str(replace(provenance, source=source)))
