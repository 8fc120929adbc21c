"""Paths as people type them, whatever they are kept as."""

from __future__ import annotations

import os

from widgetschema.text import escaped


def shown(path: str, directory: str) -> str:
    """A path as somebody in `directory` would type it."""
    try:
        return os.path.relpath(path, directory)
    except ValueError:  # another drive
        return path


def told(path: str, directory: str) -> str:
    """The same for messages: in one line, whatever somebody has named a file."""
    return escaped(shown(path, directory))
