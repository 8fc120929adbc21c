"""The parts of a regular expression as a tree, and the common form that is written of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part of a pattern, which matches `shortest` to `longest` (None: any number of) characters;
    `size` counts the characters that it is made of, those of a repetition as often as it repeats.
    """

    shortest: int
    longest: int | None
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Atom(Node):
    """A character, a class of characters, or an assertion without parts."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Series(Node):
    """Parts that follow one another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Node):
    """One of several branches: the body of a group, or of the whole pattern."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Group(Node):
    """A group or a lookaround. Groups of one number are in different branches of a choice."""

    opening: str  # such as (?:
    body: Node
    number: int  # 0 if it does not capture


@dataclass(frozen=True, slots=True, eq=False)
class Repetition(Node):
    """A body that is repeated `low` to `high` (None: any number of) times."""

    body: Node
    low: int
    high: int | None
    lazy: str
    hidden: bool  # True if what its groups match is not seen outside


@dataclass(frozen=True, slots=True, eq=False)
class Reference(Node):
    """A reference as ECMA 262 means it: the text of a group, empty if that took no part."""

    number: int
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Repeated(Node):
    """The text of a group that has certainly matched, once more."""

    number: int
    offset: int


EMPTY: Final = Series(0, 0, 0, ())
NEVER: Final = Atom(0, 0, 1, "(?!)")


def atom(text: str) -> Atom:
    """Return one character of a class."""
    return Atom(1, 1, 1, text)


def assertion(text: str) -> Atom:
    """Return an assertion without parts."""
    return Atom(0, 0, 1, text)


def series(parts: Iterable[Node]) -> Node:
    """Return parts that follow one another."""
    parts = tuple(part for part in parts if part is not EMPTY)
    if len(parts) < 2:
        return parts[0] if parts else EMPTY
    longest: int | None = 0
    for part in parts:
        longest = None if longest is None or part.longest is None else longest + part.longest
    shortest = sum(part.shortest for part in parts)
    return Series(shortest, longest, sum(part.size for part in parts), parts)


def choice(branches: Iterable[Node]) -> Node:
    """Return one of several branches."""
    branches = tuple(branches)
    if len(branches) == 1:
        return branches[0]
    longest: int | None = 0
    for branch in branches:
        longest = (
            None if longest is None or branch.longest is None else max(longest, branch.longest)
        )
    shortest = min(branch.shortest for branch in branches)
    return Choice(shortest, longest, sum(branch.size for branch in branches), branches)


def group(opening: str, body: Node, number: int = 0) -> Group:
    """Return a group."""
    if looks(opening):
        return Group(0, 0, body.size, opening, body, number)
    return Group(body.shortest, body.longest, body.size, opening, body, number)


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
    longest = None if high is None or body.longest is None else body.longest * high
    size = body.size * max(low, high or 0, 1)
    if isinstance(body, (Series, Choice, Repetition)):
        body = group("(?:", body)
    return Repetition(body.shortest * low, longest, size, body, low, high, lazy, hidden)


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
