"""The style of text for people: roles that a terminal may color, and the width of characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

Style = Callable[[str, str], str]  # (role, text) → text, perhaps colored


def plain(role: str, text: str) -> str:
    """Return the text without colors."""
    return text


def columns(text: str) -> int:
    """Return the number of terminal columns that a text takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
