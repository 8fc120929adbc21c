"""The style of text for people: roles that a terminal may color, and the width of characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

Style = Callable[[str, str], str]  # (role, text) → text, perhaps colored


def plain(role: str, text: str) -> str:
    """Return the text without colors."""
    return text


def columns(text: str) -> int:
    """Return the number of terminal columns that a text takes; wide characters take two."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as text whose columns are aligned."""
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
