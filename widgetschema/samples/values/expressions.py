"""Regular expressions in the common form, read into a tree of what texts for them are like.

Each part knows how short and how long its texts are, whether they are at the edges of the
whole text, and how long a matcher could be busy with it. Nothing here recurses: a pattern
may be hostile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from widgetschema.samples.values.characters import PROPERTY, nicest_of, property_ranges, ranges_of

MAX_LENGTH: Final = 1_000_000  # no text is longer
MAX_EXTRA: Final = 8  # how many more than needed, where there may be more
MAX_NESTED_LOOPS: Final = 99  # loops in loops, where a test may never end
TOO_LONG: Final = 1_000_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    """A part of a pattern. The texts for it have `shortest` to `longest` (None: any) characters."""

    shortest: int = 0
    longest: int | None = 0
    starts: bool = False  # each text for it is at the beginning of the whole text
    ends: bool = False
    loops: int = 0  # how many repetitions with many bounds a matcher may have to try
    ways: int = 1  # and how many ways there are for the others

    @property
    def room(self) -> int | None:
        """The number of characters by which a text may exceed the shortest one."""
        return None if self.longest is None else self.longest - self.shortest


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Characters(Node):
    """One character of a class."""

    choice: str  # nicest first
    ranges: tuple[tuple[int, int], ...] | None = None  # all of them, if they are known


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Series(Node):
    """Parts that follow one another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Alternation(Node):
    """One of several branches."""

    branches: tuple[Node, ...]  # shortest first


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Repetition(Node):
    """A body that is repeated `low` to `high` times."""

    body: Node
    low: int
    high: int | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Group(Node):
    """A group: a numbered one can be referred to, any can be copied."""

    body: Node
    number: int = 0
    times: int = 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Backreference(Node):
    """The text of a numbered group once more."""

    number: int

    @property
    def room(self) -> int | None:
        """Unknown: it depends on the group."""
        return 0  # it is as long as its group is


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Look(Node):
    """A lookahead or lookbehind."""

    body: Node
    ahead: bool
    positive: bool
    source: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Anchor(Node):
    """^ or $: which one is in `starts` and `ends`."""


_EMPTY: Final = Series(parts=())
_NEVER: Final = Alternation(branches=(), shortest=MAX_LENGTH + 1, longest=MAX_LENGTH + 1)


def lesser(one: int | None, other: int | None) -> int | None:
    """Return the smaller of two lengths; None is unbounded."""
    return min((limit for limit in (one, other) if limit is not None), default=None)


def _sequence(parts: list[Node]) -> Node:
    parts = [part for part in parts if part is not _EMPTY]
    if len(parts) < 2:
        return parts[0] if parts else _EMPTY
    if any(part is _NEVER for part in parts):
        return _NEVER
    limits = [part.longest for part in parts if part.longest is not None]
    return Series(
        parts=tuple(parts),
        shortest=sum(part.shortest for part in parts),
        longest=sum(limits) if len(limits) == len(parts) else None,
        starts=any(part.starts for part in parts),
        ends=any(part.ends for part in parts),
        loops=sum(part.loops for part in parts),
        ways=product(part.ways for part in parts),
    )


def _alternatives(branches: list[Node]) -> Node:
    possible = sorted(
        (branch for branch in branches if branch is not _NEVER), key=lambda one: one.shortest
    )
    if len(possible) < 2:
        return possible[0] if possible else _NEVER
    limits = [branch.longest for branch in possible if branch.longest is not None]
    return Alternation(
        branches=tuple(possible),
        shortest=possible[0].shortest,
        longest=max(limits) if len(limits) == len(possible) else None,
        starts=all(branch.starts for branch in possible),
        ends=all(branch.ends for branch in possible),
        loops=max(branch.loops for branch in possible),
        ways=min(TOO_LONG, sum(branch.ways for branch in possible)),
    )


def _repetition(body: Node, low: int, high: int | None) -> Node:
    if high == 0 or (low == 0 and (body is _NEVER or body.longest == 0)):
        return _EMPTY
    if body is _NEVER or body.longest == 0:
        return body
    if high is None or high > 2 * MAX_EXTRA:
        loops = MAX_NESTED_LOOPS if body.loops or body.ways > 1 else int(low != high)
        ways = product([body.ways] * min(low, 2 * MAX_EXTRA))
    else:
        loops = body.loops * high
        ways = product([1 + high - low, *[body.ways] * high])
    return Repetition(
        body=body,
        low=low,
        high=high,
        shortest=body.shortest * low,
        longest=None if high is None or body.longest is None else body.longest * high,
        starts=low > 0 and body.starts,
        ends=low > 0 and body.ends,
        loops=loops,
        ways=ways,
    )


def product(counts: Iterable[int]) -> int:
    """Return a length times a number; None is unbounded."""
    result = 1
    for count in counts:
        result = min(TOO_LONG, result * count)
    return result


def _like(node: Node) -> dict[str, Any]:
    names = ("shortest", "longest", "starts", "ends", "loops", "ways")
    return {name: getattr(node, name) for name in names}


_TOKEN: Final = re.compile(
    r"(?P<open>\((?:\?(?::|<?[=!]))?)|(?P<close>\))|(?P<bar>\|)|(?P<anchor>[\^$])"
    r"|(?P<quantifier>(?:[*+?]|\{[0-9,]+\})\??)|(?P<bracket>\[(?:\\.|[^\]\\])*\])"
    r"|(?P<property>\\[pP]\{[^}]*\})|(?P<backreference>\\[1-9][0-9]*)"
    r"|(?P<character>\\x[0-9a-f]{2}|.)",
    re.DOTALL,
)
_REFERENCE: Final = re.compile(r"\(\?:\\([0-9]+)\)")
_QUANTIFIERS: Final = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@dataclass(slots=True)
class _Open:
    """A group that is not closed yet."""

    kind: str
    number: int
    begin: int  # where its inside begins
    branches: list[Node] = field(default_factory=list)
    parts: list[Node] = field(default_factory=list)


class Reader:
    """Reads the common form of one pattern."""

    def __init__(self, common: str) -> None:
        self.common = common
        self.referenced = frozenset(map(int, _REFERENCE.findall(common)))
        self.groups = 0
        self.closed: dict[int, Node] = {}
        self.tricky = False  # whether a text that follows the tree may still not match
        self.wild = False  # whether even for a short text a test may never end
        self.look_loops = 0
        self.look_ways = 1
        self.open = [_Open("", 0, 0)]

    def run(self) -> Node:
        """Return the tree of the pattern."""
        for token in _TOKEN.finditer(self.common):
            text, last = token.group(), self.open[-1]
            match token.lastgroup:
                case "open":
                    self.groups += text == "("
                    number = self.groups if text == "(" else 0
                    self.open.append(_Open(text, number, token.end()))
                case "close":
                    node = self.close(token.start())
                    self.open[-1].parts.append(node)
                case "bar":
                    self.end_branch(last)
                case "quantifier":
                    low, high = _bounds(text)
                    body = last.parts[-1]
                    often = max(low, high or 0) > 2 * MAX_EXTRA
                    self.wild |= body.longest == 0 or (often and body.shortest == 0)
                    last.parts[-1] = _repetition(body, low, high)
                case kind:
                    last.parts.append(self.part(kind, text))
        self.end_branch(self.open[-1])
        return _alternatives(self.open[-1].branches)

    def part(self, kind: str | None, text: str) -> Node:
        """Read one part of a series."""
        if kind == "anchor":
            return Anchor(starts=text == "^", ends=text == "$")
        if kind == "backreference":
            return self.backreference(int(text[1:]))
        inside = text[1:-1] if kind == "bracket" else text
        negated = kind == "bracket" and inside[:1] == "^"
        members = inside.removeprefix("^")
        choice = nicest_of(members, negated)
        if not choice:
            return _NEVER
        ranges = ranges_of(members, negated)
        return Characters(choice=choice, ranges=ranges, shortest=1, longest=1)

    def backreference(self, number: int) -> Node:
        """Read a backreference, to a group that has certainly matched."""
        self.tricky = True
        group = self.closed[number]
        return Backreference(number=number, shortest=group.shortest, longest=group.longest)

    def end_branch(self, group: _Open) -> None:
        """End a branch of an alternation."""
        parts = group.parts
        if len(self.open) == 1:
            # at the edges of the pattern, what a lookaround sees may as well be matched
            for edge, ahead in ((0, False), (-1, True)):
                look = parts[edge] if parts else None
                if isinstance(look, Look) and look.positive and look.ahead is ahead:
                    parts[edge] = look.body
        group.branches.append(_sequence(parts))
        group.parts = []

    def close(self, end: int) -> Node:
        """Close a group."""
        group = self.open[-1]
        self.end_branch(group)
        self.open.pop()
        node = _alternatives(group.branches)
        if _looks(group.kind):
            return self.look(group, node, self.common[group.begin : end])
        if group.number in self.referenced:
            if node is not _NEVER:
                node = Group(body=node, number=group.number, **_like(node))
            self.closed[group.number] = node
        return node

    def look(self, group: _Open, body: Node, source: str) -> Node:
        """Read a lookaround."""
        positive = "=" in group.kind
        if body is _NEVER:
            return _NEVER if positive else _EMPTY
        if body is _EMPTY:
            return _EMPTY if positive else _NEVER
        self.tricky = True
        self.wild |= body.loops > 0 and any(_looks(outer.kind) for outer in self.open)
        self.look_loops = max(self.look_loops, body.loops)
        self.look_ways = max(self.look_ways, body.ways)
        return Look(body=body, ahead="<" not in group.kind, positive=positive, source=source)


def _looks(opening: str) -> bool:
    return opening[-1:] in ("=", "!")


def _bounds(quantifier: str) -> tuple[int, int | None]:
    if quantifier[0] != "{":
        return _QUANTIFIERS[quantifier[0]]
    least, comma, most = quantifier.rstrip("?")[1:-1].partition(",")
    return int(least), int(most) if most else None if comma else int(least)


def leading_looks(root: Node) -> Iterable[Look]:
    """Return the lookaheads at the very beginning of a pattern, as passwords have them."""
    for part in root.parts if isinstance(root, Series) else ():
        if isinstance(part, Look) and part.ahead:
            yield part
        elif not isinstance(part, Anchor) or part.ends:
            return


def compiled(common: str) -> re.Pattern[str] | None:
    """Return the common form compiled by `re`, or None where Python has more rules than ECMA
    262.
    """
    try:
        return re.compile(_TOKEN.sub(_in_python, common))
    except (re.error, RecursionError, OverflowError):
        return None


def _in_python(token: re.Match[str]) -> str:
    text = token.group()
    if token.lastgroup == "property":
        return f"[{_spelt_out(token)}]"
    if token.lastgroup == "bracket":
        return PROPERTY.sub(_spelt_out, text)
    return r"\Z" if text == "$" else text


def _spelt_out(escape: re.Match[str]) -> str:
    return "".join(
        f"\\U{first:08x}-\\U{last:08x}" for first, last in property_ranges(escape.group())
    )
