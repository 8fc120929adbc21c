"""The schema of the configuration, as it ships: for editors, and for findings."""

from __future__ import annotations

import os
from typing import Any

from widgetschema.files import read_bytes
from widgetschema.jsontext import read


def schema_text() -> str:
    """The schema as it is in its file: JSON, draft-07. Raises `StoreError`."""
    folder = os.path.dirname(os.path.abspath(__file__))
    return read_bytes(os.path.join(folder, "schema.json")).decode()


def schema() -> Any:
    """The schema as a value. Raises `StoreError`."""
    return read(schema_text(), subject="schema.json")
