"""`recover`: the tree of a text that need not be JSON, such as one that somebody is typing.

Of JSON it is the tree that `parse` makes. Elsewhere it is the most plausible one: a string ends
with its line, a bracket closes what it can close, a comma may be missing or there twice, comments
are passed over. Nothing is reported; `diagnosis` does that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from widgetschema.jsontext.limits import DEFAULT_LIMITS, Limits
from widgetschema.jsontext.tokens import LITERAL, NUMBER, STRING, string_value
from widgetschema.jsontext.tree import KINDS, Element, Member, Tree, scalar_value

MISSING: Final = ""  # the kind of what should be a value: nothing, or a word that is none
_PASSED: Final = re.compile(r"(?:[\s\ufeff]++|//[^\n\r]*+|/\*[\s\S]*?(?:\*/|\Z))*+")
_OPEN_STRING: Final = re.compile(r'"(?:[^"\\\n\r]++|\\[^\n\r])*+\\?+')
_WORD: Final = re.compile(r"'[^'\n\r]*+'?+|[^\s,:\"{}\[\]]++")
_ESCAPE: Final = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def recover(text: str, limits: Limits = DEFAULT_LIMITS) -> Tree:
    """Return the tree of a text; linear in its length.

    Args:
        text: The text, JSON or not.
        limits: Containers that are nested deeper than `max_depth` are left out, with the rest of
            the text.

    Returns:
        The tree. The kind of an element that is no value is `MISSING`; the root is one if there is
        no value at all. A container that is not closed ends where the text ends, or its parent.
    """
    return Tree(text, _Recovery(text, limits.max_depth).root())


def recovered_value(
    root: Element, scalar: Callable[[str], Any] | None = None, ignored: str | None = None
) -> Any:
    """Return the value of an element, without what is missing; None of one that is missing.

    Args:
        root: The element.
        scalar: Returns the value of a scalar, by its text; by default, that of JSON.
        ignored: The name of members that stand for nothing.
    """

    def value_of(element: Element) -> Any:
        """Return the value of an element; a container is filled later."""
        if element.kind in ("object", "array"):
            return {} if element.kind == "object" else []
        return None if element.kind == MISSING else (scalar or _scalar)(element.raw)

    value = value_of(root)
    todo = [(root, value)]
    while todo:
        around, container = todo.pop()
        for member in around.members:
            if member.element.kind != MISSING and member.name != ignored:
                container[member.name] = value_of(member.element)
                todo.append((member.element, container[member.name]))
        for item in around.items:
            container.append(value_of(item))
            todo.append((item, container[-1]))
    return value


def moved(
    root: Element,
    text: str,
    place: Callable[[int], int],
    kind: Callable[[Element], str] = lambda element: element.kind,
) -> Element:
    """Return an element as one of another text.

    Args:
        root: The element, of a text that was made from `text`.
        text: The other text.
        place: Where an offset is in it.
        kind: What the kind of an element becomes.
    """

    def alone(old: Element) -> Element:
        """Return an element without its children."""
        return Element(text, kind(old), place(old.start), place(old.end))

    top = alone(root)
    todo = [(root, top)]
    while todo:
        old, new = todo.pop()
        new.items = tuple(alone(item) for item in old.items)
        new.members = tuple(
            Member(
                member.name, place(member.key_start), place(member.key_end), alone(member.element)
            )
            for member in old.members
        )
        todo += zip(old.items, new.items, strict=True)
        todo += [
            (one.element, other.element)
            for one, other in zip(old.members, new.members, strict=True)
        ]
    return top


def _scalar(raw: str) -> Any:
    return _said(raw) if raw[0] == '"' else scalar_value(raw)


class _Open:
    """A container that is not closed yet, with what was read of it."""

    __slots__ = ("children", "element", "has_colon", "key")

    def __init__(self, element: Element) -> None:
        self.element = element
        self.children: list[Any] = []
        self.key: tuple[str, int, int] | None = None  # of a member that has no value yet
        self.has_colon = False

    def add(self, element: Element) -> None:
        """Add a value: an item, or that of the pending member."""
        if self.element.kind == "array":
            self.children.append(element)
        elif self.key is not None:
            self.children.append(Member(*self.key, element))
            self.key = None

    def drop_value(self, text: str) -> None:
        """End the pending member, if there is one, without a value."""
        if self.key is not None:
            end = self.key[2]
            self.add(Element(text, MISSING, end, end))

    def close(self, text: str, end: int) -> None:
        """Give the element what was read."""
        self.drop_value(text)
        self.element.end = end
        if self.element.kind == "object":
            self.element.members = tuple(self.children)
        else:
            self.element.items = tuple(self.children)


class _Recovery:
    """One pass over a text, token by token."""

    def __init__(self, text: str, max_depth: int) -> None:
        self.text = text
        self.max_depth = max_depth
        # The text is read as if it were in an array.
        self.open = [_Open(Element(text, "array", 0, len(text)))]

    def root(self) -> Element:
        """Return the first value of the text."""
        text, at = self.text, 0
        while (at := self.next(at)) < len(text) and len(self.open) <= self.max_depth + 1:
            at = self.token(at)
            if len(self.open) == 1 and self.open[0].children:
                break  # the value is complete: what follows is none of it
        while self.open:
            self.open[-1].close(text, len(text))
            top = self.open.pop()
        return next(iter(top.element.items), Element(text, MISSING, 0, len(text)))

    def next(self, at: int) -> int:
        """Return the offset of the next token."""
        match = _PASSED.match(self.text, at)
        return match.end() if match else at

    def token(self, at: int) -> int:
        """Take the token at an offset; return where it ends."""
        text, inner = self.text, self.open[-1]
        character = text[at]
        if character in "{[":
            element = Element(text, KINDS[character], at, at)
            inner.add(element)
            self.open.append(_Open(element))
        elif character in "}]":
            self.close("{" if character == "}" else "[", at)
        elif character == ",":
            inner.drop_value(text)
        elif character == ":":
            inner.has_colon = True
        else:
            return self.scalar(at)
        return at + 1

    def close(self, opening: str, at: int) -> None:
        """Close the innermost container of a kind, and those in it; none if there is none."""
        kind = KINDS[opening]
        found = len(self.open) - 1
        while found and self.open[found].element.kind != kind:
            found -= 1
        if not found:
            return
        while len(self.open) > found + 1:
            self.open.pop().close(self.text, at)
        self.open.pop().close(self.text, at + 1)

    def scalar(self, at: int) -> int:
        """Take a string, a number or a word; return where it ends."""
        text, inner = self.text, self.open[-1]
        kind = MISSING
        match = None
        if text[at] == '"':
            match = STRING.match(text, at) or _OPEN_STRING.match(text, at)
            kind = "string"
        else:
            match = _WORD.match(text, at)
            word = match.group() if match else ""
            if NUMBER.fullmatch(word) or LITERAL.fullmatch(word):
                kind = KINDS[word[0]]
        assert match is not None, f"no token at {at}"
        end = match.end()
        if inner.element.kind == "object" and self.is_name(kind, end):
            inner.drop_value(text)
            name = _said(match.group()) if kind == "string" else match.group().strip("'")
            inner.key, inner.has_colon = (name, at, end), False
        else:
            inner.add(Element(text, kind, at, end))
        return end

    def is_name(self, kind: str, end: int) -> bool:
        """Return whether a scalar in an object, which ends there, is the name of a member."""
        inner = self.open[-1]
        if inner.key is None:
            return True
        if kind not in ("string", MISSING):
            return False
        if self.text.startswith(":", self.next(end)):
            return True  # the member before it has no value yet
        return not inner.has_colon


def _said(raw: str) -> str:
    """Return the value of a string, also of one that is not closed or has wrong escapes."""
    if STRING.fullmatch(raw):
        return string_value(raw, 0, len(raw))
    return _ESCAPE.sub(_unescaped, raw.removeprefix('"'))


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is not None:
        return chr(int(match[1], 16))
    return _ESCAPED.get(match[2], match[2])
