"""The parts of a regular expression as a tree, and the common form that is written of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final


class PatternError(ValueError):
    """A text that is not an ECMA 262 regular expression; `offset` counts from 0."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason, offset)
        self.reason = reason
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.reason} at offset {self.offset}"


class UnsupportedPattern(PatternError):
    """An ECMA 262 regular expression that engines cannot match as it says."""


class Node:
    """A part of a pattern, which matches `shortest` to `longest` (None: any number of) characters;
    `size` counts the characters that it is made of, those of a repetition as often as it repeats.

    Nodes are never changed. They are no dataclasses, whose import takes longer than all patterns.
    """

    __slots__ = ("longest", "shortest", "size")

    def __init__(self, shortest: int, longest: int | None, size: int) -> None:
        self.shortest = shortest
        self.longest = longest
        self.size = size


class Atom(Node):
    """A character, a class of characters, or an assertion without parts."""

    __slots__ = ("text",)

    def __init__(self, width: int, text: str) -> None:
        super().__init__(width, width, 1)
        self.text = text


class Series(Node):
    """Parts that follow one another."""

    __slots__ = ("parts",)

    def __init__(
        self, shortest: int, longest: int | None, size: int, parts: tuple[Node, ...]
    ) -> None:
        super().__init__(shortest, longest, size)
        self.parts = parts


class Choice(Node):
    """One of several branches: the body of a group, or of the whole pattern."""

    __slots__ = ("branches",)

    def __init__(
        self, shortest: int, longest: int | None, size: int, branches: tuple[Node, ...]
    ) -> None:
        super().__init__(shortest, longest, size)
        self.branches = branches


class Group(Node):
    """A group or a lookaround. Groups of one number are in different branches of a choice.

    `opening` is such as (?:, `number` is 0 if it does not capture.
    """

    __slots__ = ("body", "number", "opening")

    def __init__(self, opening: str, body: Node, number: int = 0) -> None:
        wide = not looks(opening)
        super().__init__(body.shortest if wide else 0, body.longest if wide else 0, body.size)
        self.opening = opening
        self.body = body
        self.number = number


class Repetition(Node):
    """A body that is repeated `low` to `high` (None: any number of) times.

    It is `hidden` if what its groups match is not seen outside.
    """

    __slots__ = ("body", "hidden", "high", "lazy", "low")

    def __init__(self, body: Node, low: int, high: int | None, lazy: str, hidden: bool) -> None:
        longest = None if high is None or body.longest is None else body.longest * high
        super().__init__(body.shortest * low, longest, body.size * max(low, high or 0, 1))
        self.body = body
        self.low = low
        self.high = high
        self.lazy = lazy
        self.hidden = hidden


class Reference(Node):
    """A reference as ECMA 262 means it: the text of a group, empty if that took no part."""

    __slots__ = ("number", "offset")

    def __init__(self, number: int, offset: int) -> None:
        super().__init__(0, None, 1)
        self.number = number
        self.offset = offset


class Repeated(Reference):
    """The text of a group that has certainly matched, once more."""

    __slots__ = ()


EMPTY: Final = Series(0, 0, 0, ())
NEVER: Final = Atom(0, "(?!)")


@lru_cache(maxsize=1024)
def atom(text: str) -> Atom:
    """Return one character of a class."""
    return Atom(1, text)


def assertion(text: str) -> Atom:
    """Return an assertion without parts."""
    return Atom(0, text)


def series(parts: Iterable[Node]) -> Node:
    """Return parts that follow one another."""
    parts = tuple([part for part in parts if part is not EMPTY])
    if len(parts) < 2:
        return parts[0] if parts else EMPTY
    shortest = size = 0
    longest: int | None = 0
    for part in parts:
        shortest += part.shortest
        size += part.size
        longest = None if longest is None or part.longest is None else longest + part.longest
    return Series(shortest, longest, size, parts)


def choice(branches: Sequence[Node]) -> Node:
    """Return one of several branches."""
    if len(branches) == 1:
        return branches[0]
    limits = [branch.longest for branch in branches if branch.longest is not None]
    longest = max(limits) if len(limits) == len(branches) else None
    shortest = min(branch.shortest for branch in branches)
    return Choice(shortest, longest, sum(branch.size for branch in branches), tuple(branches))


def repetition(
    body: Node, low: int, high: int | None, lazy: str = "", *, hidden: bool = False
) -> Node:
    """Return a body that is repeated. A repetition that matches nothing is left out by ECMA 262
    (section 22.2.2.3.1, step 2.b) unless it is required, and once is enough then.
    """
    if high == 0 or (low == 0 and body.longest == 0):
        return EMPTY
    if body.longest == 0:
        return body
    if isinstance(body, (Series, Choice, Repetition)):
        body = Group("(?:", body)
    return Repetition(body, low, high, lazy, hidden)


def looks(opening: str) -> bool:
    """Return whether a group is a lookaround."""
    return opening[-1] in "=!"


def children(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node."""
    match node:
        case Series(parts=parts) | Choice(branches=parts):
            return parts
        case Group(body=body) | Repetition(body=body):
            return (body,)
    return ()


def descendants(node: Node) -> Iterator[Node]:
    """Yield a node and all that is in it."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo += children(node)


def write(root: Node) -> str:
    """Return the common form of a pattern whose references are bound.

    Raises `UnsupportedPattern`.
    """
    captured = {part.number for part in descendants(root) if isinstance(part, Repeated)}
    pieces: list[str] = []
    numbers: dict[int, int] = {}  # of each group, the number of the last one that was written
    groups = 0
    todo: list[Node | str] = [root]
    while todo:
        item = todo.pop()
        match item:
            case str():
                pieces.append(item)
            case Atom(text=text):
                pieces.append(text)
            case Series(parts=parts):
                todo += reversed(parts)
            case Choice(branches=branches):
                for index in range(len(branches) - 1, -1, -1):
                    todo += (branches[index], "|") if index else (branches[index],)
            case Group(opening=opening, body=body, number=number):
                if number in captured:
                    groups += 1
                    numbers[number] = groups
                pieces.append("(?:" if opening == "(" and number not in captured else opening)
                todo += (")", body)
            case Repetition(body=body):
                todo += (_quantifier(item), body)
            case Repeated(number=number, offset=offset):
                if numbers[number] > _MAX_GROUPS:
                    raise UnsupportedPattern("it refers to too many groups", offset)
                pieces.append(f"(?:\\{numbers[number]})")
    return "".join(pieces)


_MAX_GROUPS: Final = 99  # in Python, \100 is a character
_QUANTIFIERS: Final = {(0, None): "*", (1, None): "+", (0, 1): "?"}


def _quantifier(node: Repetition) -> str:
    low, high = node.low, node.high
    text = _QUANTIFIERS.get((low, high))
    if text is None:
        text = f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"
    return text + node.lazy
