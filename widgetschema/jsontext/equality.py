"""Equality of JSON values (draft-07 core specification, section 4.2.3).

Numbers are equal if they have the same mathematical value. An integer has the value that is
written; any other number is a double (RFC 8259, section 6). This is how Python and both engines
compare `int` and `float`, also with limits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from widgetschema.suggest import Vocabulary


def canonical(value: Any) -> Any:
    """Return a hashable stand-in: equal for equal JSON values, different for others.

    1 and 1.0 are equal, 1 and true are not; the order of members does not matter.
    """
    kind = type(value)
    if kind is str or kind is int or kind is float or value is None:
        return value
    if kind is bool:
        return (value,)
    if kind is list:
        return ("array", *map(canonical, value))
    if kind is dict:
        return ("object", frozenset((name, canonical(item)) for name, item in value.items()))
    raise NotPlain(kind)


class NotPlain(ValueError):
    """A value in a type other than the exact builtin ones: to be copied first."""


class Options:
    """The values that `enum` or `const` allows."""

    __slots__ = ("_canonical", "_last", "_text", "_vocabulary", "others", "texts", "values")

    def __init__(self, values: list[Any]) -> None:
        self.values = values
        self.texts = frozenset(value for value in values if type(value) is str)
        self.others = [value for value in values if type(value) is not str]
        self._canonical = frozenset(map(canonical, values))
        self._vocabulary: Vocabulary | None = None
        self._last: tuple[str, str | None] | None = None
        self._text: str | None = None

    def __contains__(self, value: Any) -> bool:
        return value in self.texts if type(value) is str else canonical(value) in self._canonical

    @property
    def is_distinct(self) -> bool:
        """True if no value is listed twice."""
        return len(self._canonical) == len(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self._canonical == other._canonical

    def __hash__(self) -> int:
        return hash(self._canonical)

    def text(self, show: Callable[[list[Any]], str]) -> str:
        """Return the values in words, made once."""
        if self._text is None:
            self._text = show(self.values)
        return self._text

    def best_match(self, text: str) -> str | None:
        """Return the one allowed text that `text` must have been, if that is likely."""
        last = self._last
        if last is None or last[0] != text:  # the hint asks, and then the fix
            if self._vocabulary is None:
                self._vocabulary = Vocabulary(v for v in self.values if type(v) is str)
            last = self._last = (text, self._vocabulary.best_match(text))
        return last[1]

    def abbreviated(self, text: str) -> str | None:
        """Return the one allowed text that `text` abbreviates, or that abbreviates `text`."""
        self.best_match(text)
        return self._vocabulary.abbreviated(text) if self._vocabulary else None

    def certain_match(self, text: str) -> str | None:
        """Return the same, if it is certain enough to replace `text`."""
        meant, words = self.best_match(text), self._vocabulary
        return meant if meant is not None and words and words.is_certain(text, meant) else None
