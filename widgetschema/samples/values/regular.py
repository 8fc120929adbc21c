r"""Texts that match a regular expression: samples for strings that have a `pattern`.

The pattern is brought into the common form of `validator.patterns`, read into a small tree
and written out: each choice asks `below` for a number, and 0 is the simplest choice. What a
lookaround or a backreference asks for cannot be written so: there a text is tried, repaired
where that is easy, tested, and made again a few times.

A pattern may be hostile, so nothing here recurses or tries for long. That a text matches is
likely but not certain (not every test ends in time): who needs to know validates it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from widgetschema.samples.values import RandBelow
from widgetschema.samples.values.expressions import (
    MAX_EXTRA,
    MAX_LENGTH,
    MAX_NESTED_LOOPS,
    TOO_LONG,
    Alternation,
    Anchor,
    Backreference,
    Characters,
    Group,
    Look,
    Node,
    Reader,
    Repetition,
    Series,
    compiled,
    leading_looks,
    lesser,
    product,
)
from widgetschema.validation.patterns import translate

_ATTEMPTS: Final = 50
_MAX_STEPS: Final = 15_000  # each takes about a microsecond; for all attempts together
_TESTS_PER_STEP: Final = 150  # what `re` does while one part of the tree is written
_MAX_REPEATED: Final = 16  # parts that are repeated more often are copied
_LONG_PART: Final = 1000  # parts as long as this are not repeated without need
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz "
_PLAIN: Final = _LETTERS.strip()
_SPACED: Final = "a b "  # a word boundary may need a space


class TextPattern:
    """Makes texts that match an ECMA 262 pattern, searched for as JSON Schema does."""

    __slots__ = (
        "_leading", "_loops", "_root", "_test", "_tricky", "_ways", "longest", "shortest",
    )  # fmt: skip

    def __init__(self, pattern: str) -> None:
        common = translate(pattern)
        reader = Reader(common)
        root = self._root = reader.run()
        self.shortest = root.shortest
        self.longest = root.longest if root.starts and root.ends else None
        self._leading: list[tuple[Look, re.Pattern[str] | None]] = []
        tested = reader.tricky and not reader.wild and root.shortest <= MAX_LENGTH
        for look in leading_looks(root):
            self._leading.append((look, compiled(look.source) if tested else None))
            if look.positive:
                self.shortest = max(self.shortest, look.body.shortest)
                if root.starts and look.body.ends:
                    self.longest = lesser(self.longest, look.body.longest)
        self._tricky = reader.tricky
        self._test = compiled(common) if tested else None
        self._loops = root.loops + reader.look_loops + (not root.starts)
        self._ways = product((root.ways, reader.look_ways))

    def make(
        self,
        randbelow: RandBelow,
        low: int = 0,
        high: int | None = None,
        *,
        plain: bool = False,
    ) -> str | None:
        """Return a text that matches and has `low` to `high` characters, or None if none was
        found; `plain` is one of letters where letters will do, with nothing around what matches.
        """
        least, most = max(low, self.shortest), lesser(high, self.longest)
        if least > MAX_LENGTH or (most is not None and most < least):
            return None
        # without need no length is aimed at: alternatives are equally likely then
        roomy = least == self._root.shortest and (
            high is None or high >= least + 2 * MAX_EXTRA or most == self.longest
        )
        shift = spent = 0
        for attempt in range(_ATTEMPTS):
            numbers = _scattered(randbelow(1 << 16), attempt) if attempt else randbelow
            writer = _Writer(numbers, plain=plain)
            aim = None
            if attempt % 2 or not roomy:
                span = MAX_EXTRA if most is None else min(MAX_EXTRA, most - least)
                aim = max(0, least + writer.randbelow(span + 1) + shift)
                aim = aim if most is None else min(aim, most)
            text = self._written(writer, aim, _SPACED if attempt else _LETTERS)
            if text is not None:
                wrong = _beyond(len(text), least, most)
                if not wrong:
                    text = self._repaired(text, writer)
                    if text is not None:
                        return text
                elif aim is not None:  # a backreference doubles what is wrong, so half of it
                    shift += -wrong // 2
            spent += writer.steps
            if spent > _MAX_STEPS:
                break
        return None

    def _written(self, writer: _Writer, aim: int | None, fill: str) -> str | None:
        """Return a text of length `aim`, if that is possible, with filler around it where
        allowed.
        """
        text = writer.write(self._root, None if aim is None else aim - self._root.shortest)
        if text is None:
            return None
        missing = 0 if aim is None else max(0, aim - len(text))
        before = after = 0
        around = 1 if writer.plain else 4
        if not writer.at_start:
            before = writer.randbelow(missing + 1 if aim is not None else around)
        if writer.end is None:
            after = missing - before if aim is not None else writer.randbelow(around)
        elif aim is not None and not writer.at_start:
            before = missing
        return _fill(before, fill, writer.randbelow) + text + _fill(after, fill, writer.randbelow)

    def _repaired(self, text: str, writer: _Writer) -> str | None:
        """Return the text with what the lookaheads at the beginning ask for written over it."""
        if not self._tricky:
            return text
        repaired, taken = text, [False] * len(text)
        for look, test in self._leading:
            if writer.steps > _MAX_STEPS:
                return None
            found = test is not None and writer.finds(
                test.match, repaired, look.body.loops, look.body.ways
            )
            if not look.positive:
                if found and self._root.starts:
                    return None
            elif found is False:
                piece = _Writer(writer.randbelow).write(look.body, 0)
                if piece is None or len(piece) > len(text):
                    return None
                place = _place(look, len(piece), taken, writer.randbelow)
                end = place + len(piece)
                repaired = repaired[:place] + piece + repaired[end:]
                taken[place:end] = [True] * len(piece)
        if self._test is None:
            return repaired
        found = writer.finds(self._test.search, repaired, self._loops, self._ways)
        # where a test could take too long, what was written by the rules is believed
        return repaired if found or (found is None and repaired is text) else None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Closed(Node):
    """The end of a group, behind its body."""

    group: Group
    begin: int


class _Writer:
    """Writes one text for a tree, with a list of what is left to do instead of recursion."""

    def __init__(self, randbelow: RandBelow, *, plain: bool = False) -> None:
        self.randbelow = randbelow
        self.plain = plain
        self.steps = 0
        self.pieces: list[str] = []
        self.size = 0
        self.groups: dict[int, str] = {}
        self.possible = True
        self.at_start = False  # whether the text must begin here
        self.end: int | None = None  # the size that it must end with

    def write(self, root: Node, extra: int | None) -> str | None:
        """Return a text that is longer than needed by `extra`, if it can be; None is any length."""
        work: list[tuple[Node, int | None, int]] = [(root, extra, 0)]
        while work and self.possible:
            node, extra, depth = work.pop()
            self.steps += 1
            match node:
                case Characters():
                    count = len(node.choice)
                    if self.plain and node.choice.startswith(_PLAIN):
                        count = len(_PLAIN)
                    self.add(node.choice[self.randbelow(count) if count > 1 else 0])
                case Series():
                    shares = self.shares([part.room for part in node.parts], extra)
                    for part, share in zip(reversed(node.parts), reversed(shares), strict=True):
                        work.append((part, share, depth))
                case Alternation():
                    branch = self.branch(node, extra)
                    rest = None if extra is None else node.shortest + extra - branch.shortest
                    work.append((branch, rest and max(0, rest), depth))
                case Repetition():
                    for share, times in reversed(self.repeated(node, extra, depth)):
                        body = node.body if times == 1 else Group(body=node.body, times=times)
                        work.append((body, share, depth + 1))
                case Group():
                    closed = _Closed(group=node, begin=len(self.pieces))
                    work += [(closed, 0, 0), (node.body, extra, depth)]
                case _Closed():
                    self.close(node.group, node.begin)
                case Backreference():
                    self.add(self.groups.get(node.number, ""))
                case Anchor(starts=True):
                    self.at_start = True
                    self.possible = self.size == 0
                case Anchor():
                    self.end = self.size if self.end is None else self.end
        self.steps += self.size // 64
        possible = self.possible and self.end in (None, self.size)
        return "".join(self.pieces) if possible else None

    def add(self, text: str) -> None:
        """Write one part."""
        self.size += len(text)
        self.possible = self.size <= MAX_LENGTH
        if self.possible:
            self.pieces.append(text)

    def close(self, group: Group, begin: int) -> None:
        """Close a group and remember its text."""
        text = "".join(self.pieces[begin:])
        if group.number:
            self.groups[group.number] = text
        if self.size + len(text) * (group.times - 1) > MAX_LENGTH:
            self.possible = False
        else:
            self.add(text * (group.times - 1))

    def branch(self, node: Alternation, extra: int | None) -> Node:
        """Return one of the branches: any modest one, or one that can be as long as it should."""
        branches = node.branches
        wanted = node.shortest + (_MAX_REPEATED * MAX_EXTRA if extra is None else extra)
        fitting = bisect_right(branches, wanted, key=lambda one: one.shortest)
        if extra is None:
            return branches[self.randbelow(fitting)]
        near = branches[max(0, fitting - 64) : fitting]
        able = [one for one in near if one.longest is None or one.longest >= wanted]
        able = able or list(branches[fitting : fitting + 1]) or list(near)
        return able[self.randbelow(len(able))]

    def shares(self, rooms: list[int | None], extra: int | None) -> list[int | None]:
        """Return the number of extra characters for each part."""
        if not extra:
            return [extra] * len(rooms)
        unbounded = rooms.count(None)
        rest = sum(room for room in rooms if room is not None)
        shares: list[int | None] = []
        for room in rooms:
            unbounded -= room is None
            rest -= room or 0
            most = extra if room is None else min(room, extra)
            least = 0 if unbounded else min(most, max(0, extra - rest))
            share = least + (self.randbelow(most - least + 1) if most > least else 0)
            shares.append(share)
            extra -= share
        return shares

    def repeated(
        self, node: Repetition, extra: int | None, depth: int
    ) -> list[tuple[int | None, int]]:
        """Return the repetitions of a body: how much longer than needed, and how often, in
        order.
        """
        body, room = node.body, node.body.room
        span = MAX_LENGTH if node.high is None else node.high - node.low
        modest = (MAX_EXTRA >> depth) // (1 + body.shortest // MAX_EXTRA)
        if extra is None:
            if depth < 4 and body.shortest < _LONG_PART:
                modest = max(1, modest)
            count = node.low + self.randbelow(min(span, modest) + 1)
            rest = None
        else:
            if room is None:
                fewest = int(node.low == 0 and extra > 0)
            else:
                fewest = -(-max(0, extra - node.low * room) // max(1, body.shortest + room))
            fewest = min(span, fewest)
            most = min(span, extra // max(1, body.shortest), fewest + (MAX_EXTRA >> depth))
            count = node.low + fewest
            count += self.randbelow(most - fewest + 1) if most > fewest else 0
            rest = max(0, extra - (count - node.low) * body.shortest)
        pieces = max(1, _MAX_REPEATED >> depth)
        if count <= pieces:
            return [(share, 1) for share in self.shares([room] * count, rest)]
        if rest and room:
            full, partly = divmod(min(rest, room * count), room)
            plan = [(room, full), (partly, int(full < count)), (0, count - full - 1)]
            return [(share, times) for share, times in plan if times > 0]
        if pieces == 1 and not rest:
            return [(0, count)]
        shares = self.shares([room] * (pieces - 1), rest) or [rest]
        return [(0, count - len(shares)), *((share, 1) for share in shares)]

    def finds(
        self, search: Callable[[str], re.Match[str] | None], text: str, loops: int, ways: int
    ) -> bool | None:
        """Return True if a text matches, or None if finding out could take too long."""
        # Loops in loops: each level divides the text among one more, and levels are not counted.
        size = min(len(text), 30)
        paths = 10**size if loops >= MAX_NESTED_LOOPS else len(text) ** min(loops, 30)
        cost = paths * ways
        if cost > TOO_LONG:
            return None
        self.steps += cost // _TESTS_PER_STEP
        return search(text) is not None


def _scattered(seed: int, attempt: int) -> RandBelow:
    """Return choices for another attempt, made of one number: a draw for each would be too many."""
    state = seed * _ATTEMPTS + attempt

    def randbelow(limit: int) -> int:
        """Return a number in range(n), drawn from the stream."""
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (state >> 33) % limit

    return randbelow


def _fill(count: int, characters: str, randbelow: RandBelow) -> str:
    few = "".join(characters[randbelow(len(characters))] for _ in range(min(count, 3)))
    return (few * (count // 3 + 1))[:count]


def _beyond(length: int, least: int, most: int | None) -> int:
    """Return the number of characters beyond the bounds; negative for a text that is too short."""
    if length < least:
        return length - least
    return 0 if most is None else max(0, length - most)


def _place(look: Look, size: int, taken: list[bool], randbelow: RandBelow) -> int:
    """Return the index at which to write the text for a lookahead: a free place, if possible."""
    last = len(taken) - size
    if not _floats(look.body):
        return 0
    if look.body.ends:
        return last
    first = randbelow(last + 1)
    for step in range(last + 1):
        place = (first + step) % (last + 1)
        if not any(taken[place : place + size]):
            return place
    return first


def _floats(node: Node) -> bool:
    """Return True if a lookahead may match anywhere: it begins with something like .*"""
    while True:
        match node:
            case Repetition(body=Characters()):
                return node.low == 0 and node.high is None
            case Repetition() | Group():
                node = node.body
            case Series(parts=(first, *_)):
                node = first
            case Alternation(branches=(first, *_)):
                node = first
            case _:
                return False
