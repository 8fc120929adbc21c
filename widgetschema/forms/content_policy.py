"""Sources in a Content-Security-Policy for styles and scripts that are inside of a page."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256


def hash_source(text: str) -> str:
    """Return the source that allows a style or a script with this text (CSP3, section 2.3.1)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
