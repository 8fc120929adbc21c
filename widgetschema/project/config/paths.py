"""Paths as people type them, however they are stored."""

from __future__ import annotations

import os

from widgetschema.text import escaped


def relative_path(path: str, directory: str) -> str:
    """Return a path as somebody in `directory` would type it."""
    try:
        return os.path.relpath(path, directory)
    except ValueError:  # another drive
        return path


def display_path(path: str, directory: str) -> str:
    """Return the relative path for messages: on one line, whatever the file is called."""
    return escaped(relative_path(path, directory))
