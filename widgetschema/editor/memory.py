"""Texts by their digest, as many as are likely to be asked for: so that two tabs work.

A page does not carry the text that it was made of, only its name. Nothing is on the disk.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from widgetschema.files import digest

_MOST: Final = 500  # texts …
_MOST_CHARACTERS: Final = 64 * 1024 * 1024  # … or fewer, if they are long


class Texts:
    """The texts that were kept last; the oldest are forgotten."""

    def __init__(self, most: int = _MOST, most_characters: int = _MOST_CHARACTERS) -> None:
        self._most = most
        self._most_characters = most_characters
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._characters = 0

    def keep(self, text: str, name: str | None = None) -> str:
        """Remember a text; its name, which by default is its digest."""
        name = digest(text.encode()) if name is None else name
        if name not in self._texts:
            self._texts[name] = text
            self._characters += len(text)
        self._texts.move_to_end(name)
        while len(self._texts) > 1 and self._is_full:
            _, forgotten = self._texts.popitem(last=False)
            self._characters -= len(forgotten)
        return name

    def get(self, name: str) -> str | None:
        """The text of a name; None if it was forgotten, or never known."""
        if name in self._texts:
            self._texts.move_to_end(name)
        return self._texts.get(name)

    @property
    def _is_full(self) -> bool:
        return len(self._texts) > self._most or self._characters > self._most_characters
