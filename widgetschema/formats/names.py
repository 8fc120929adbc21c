"""The formats of texts, by the names of files; apart, since every run asks for them."""

from __future__ import annotations

from typing import Final, Literal

Format = Literal["json", "jsonc", "json5", "yaml"]

SUFFIXES: Final[dict[str, Format]] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json5": "json5",
    ".jsonc": "jsonc",
}


def format_of(name: str) -> Format:
    """Return the format of a file, by its name in small letters."""
    return SUFFIXES.get(name[name.rfind(".") :], "json")
