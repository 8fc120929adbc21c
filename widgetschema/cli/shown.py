"""What several commands say of schemas: where each came from."""

from __future__ import annotations

import os
from dataclasses import replace

from widgetschema.findings import Provenance
from widgetschema.text import printable


def provenance_text(provenance: Provenance) -> str:
    """Where a schema came from, in a few words; a file below the working directory by its path."""
    source = provenance.source
    if os.path.isabs(source):
        relative = os.path.relpath(source)
        source = source if relative.startswith(os.pardir) else relative
    return printable(str(replace(provenance, source=source)))
