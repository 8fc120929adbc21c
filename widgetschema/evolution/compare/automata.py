"""Texts that match some patterns and miss others: found, or proven not to be there.

A pattern is read by the same reader as for samples, from the common form that every engine reads
alike, and becomes a nondeterministic automaton of the whole text in which it is searched. Several
of them are followed together, text by text, the shortest first. Lookarounds, backreferences and
properties of characters are not decided, nor is what would take too long: steps are counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from widgetschema.samples.values.characters import nicest_of
from widgetschema.samples.values.expressions import (
    Alternation,
    Anchor,
    Characters,
    Group,
    Node,
    Reader,
    Repetition,
    Series,
)
from widgetschema.validation.patterns import PatternError, translate

_MAX_STATES: Final = 3_000  # of one pattern
_MAX_STEPS: Final = 300_000  # edges that one search may follow
_MAX_RANGES: Final = 400  # of characters, by which edges differ
_BEGIN: Final = 0
_FOUND: Final = 1  # the pattern has matched, so any text may follow
_ALWAYS: Final = frozenset({_FOUND})

Ranges = tuple[tuple[int, int], ...]
States = frozenset[int]


class Undecided(Exception):
    """The patterns are not regular, or the search is too large."""


class Answer(NamedTuple):
    """The shortest text, or None; not `decided` if the search gave no answer."""

    decided: bool
    text: str | None = None

    @property
    def none(self) -> bool:
        """True if there is certainly no such text."""
        return self.decided and self.text is None


@lru_cache(maxsize=2048)
def find_text(
    matched: frozenset[str], missed: frozenset[str], low: int = 0, high: int | None = None
) -> Answer:
    """Find a text that matches some ECMA 262 patterns, and does not match others.

    Args:
        matched: Patterns that match somewhere in it.
        missed: Patterns that match nowhere in it.
        low: The minimum number of characters.
        high: The maximum number of characters; None is any number.
    """
    try:
        if high is not None:
            answer = _Search(matched, missed).run(low, None)
            if answer.text is None or len(answer.text) <= high:
                return answer
        return _Search(matched, missed).run(low, high)
    except (Undecided, PatternError):
        return Answer(False)


class _Automaton:
    """The automaton of a pattern: edges for characters, empty ones, and for anchors."""

    def __init__(self, pattern: str) -> None:
        reader = Reader(translate(pattern))
        root = reader.run()
        if reader.tricky:
            raise Undecided
        self.over: list[list[tuple[Ranges, int]]] = [[], []]
        self.free: list[list[int]] = [[], []]
        self.at_start: list[list[int]] = [[], []]
        self.at_end: list[list[int]] = [[], []]
        self._read(root)

    def _read(self, root: Node) -> None:
        todo: list[tuple[Node, int, int]] = [(root, _BEGIN, _FOUND)]
        while todo:
            node, before, after = todo.pop()
            match node:
                case Characters(ranges=ranges) if ranges is not None:
                    self.over[before].append((ranges, after))
                case Series(parts=parts):
                    places = [before, *(self._state() for _ in parts[1:]), after]
                    todo += zip(parts, places, places[1:], strict=False)
                    if not parts:
                        self.free[before].append(after)
                case Alternation(branches=branches):
                    todo += [(branch, before, after) for branch in branches]
                case Group(body=body, times=1):
                    todo.append((body, before, after))
                case Repetition():
                    todo += self._repeated(node, before, after)
                case Anchor(starts=True):
                    self.at_start[before].append(after)
                case Anchor():
                    self.at_end[before].append(after)
                case _:
                    raise Undecided

    def _repeated(
        self, node: Repetition, before: int, after: int
    ) -> Iterator[tuple[Node, int, int]]:
        for _ in range(node.low):
            place = self._state()
            yield node.body, before, place
            before = place
        if node.high is None:
            again, place = self._state(), self._state()
            self.free[before].append(again)
            self.free[place].append(again)
            self.free[again].append(after)
            yield node.body, again, place
            return
        for _ in range(node.high - node.low):
            place = self._state()
            self.free[before].append(after)
            yield node.body, before, place
            before = place
        self.free[before].append(after)

    def _state(self) -> int:
        if len(self.over) >= _MAX_STATES:
            raise Undecided
        for edges in (self.over, self.free, self.at_start, self.at_end):
            edges.append([])
        return len(self.over) - 1

    def closure(self, states: Iterable[int], *, start: bool = False, end: bool = False) -> States:
        """Return all states that are reached without a character."""
        found, todo = set(states), [*states]
        while todo:
            state = todo.pop()
            for kind, applies in ((self.free, True), (self.at_start, start), (self.at_end, end)):
                for after in kind[state] if applies else ():
                    if after not in found:
                        found.add(after)
                        todo.append(after)
        return _ALWAYS if _FOUND in found and not end else frozenset(found)


@lru_cache(maxsize=512)
def _automaton(pattern: str) -> _Automaton:
    return _Automaton(pattern)


class _Search:
    """One search: all automata in parallel, over classes of equivalent characters."""

    def __init__(self, matched: Iterable[str], missed: Iterable[str]) -> None:
        wanted = sorted(matched)
        self.automata = [*map(_automaton, (*wanted, *sorted(missed)))]
        self.wanted = len(wanted)
        self.classes = _classes({
            ranges for automaton in self.automata for edges in automaton.over for ranges, _ in edges
        })  # fmt: skip
        self.steps = 0
        self._followed: dict[tuple[int, States, int], States] = {}

    def run(self, low: int, high: int | None) -> Answer:
        """Follow the texts, the shortest first."""
        first = tuple(automaton.closure({_BEGIN}, start=True) for automaton in self.automata)
        level: dict[tuple[States, ...], str] = {first: ""}
        seen: set[tuple[int, tuple[States, ...]]] = set()
        length = 0
        while level and (high is None or length <= high):
            if length >= low:
                for states, text in level.items():
                    if self._is_wanted(states, start=length == 0):
                        return Answer(True, text)
            after: dict[tuple[States, ...], str] = {}
            counted = min(length + 1, low) if high is None else length + 1
            for states, text in level.items():
                for index, (example, _) in enumerate(self.classes):
                    to = tuple(self._follow(at, of, index) for at, of in enumerate(states))
                    if _ALWAYS in to[self.wanted :] or (counted, to) in seen:
                        continue
                    seen.add((counted, to))
                    after[to] = text + example
            level = after
            length += 1
        return Answer(True)

    def _is_wanted(self, states: tuple[States, ...], *, start: bool) -> bool:
        for index, (automaton, of) in enumerate(zip(self.automata, states, strict=True)):
            found = of == _ALWAYS or _FOUND in automaton.closure(of, start=start, end=True)
            if found != (index < self.wanted):
                return False
        return True

    def _follow(self, at: int, states: States, index: int) -> States:
        """Return the states of one automaton after a character of a class."""
        self.steps += 1
        if states == _ALWAYS:
            return states
        key = (at, states, index)
        if key not in self._followed:
            automaton, members = self.automata[at], self.classes[index][1]
            self.steps += sum(len(automaton.over[state]) + 1 for state in states)
            if self.steps > _MAX_STEPS:
                raise Undecided
            after = {
                to for state in states for ranges, to in automaton.over[state] if ranges in members
            }
            self._followed[key] = automaton.closure({*after, _BEGIN})
        if self.steps > _MAX_STEPS:
            raise Undecided
        return self._followed[key]


def _classes(told_apart: set[Ranges]) -> list[tuple[str, frozenset[Ranges]]]:
    """Return classes of characters: an example, and all that its characters are in."""
    edges = {0, 0xD800, 0xE000, 0x110000}
    for ranges in told_apart:
        edges.update(edge for first, last in ranges for edge in (first, last + 1))
    if len(edges) > _MAX_RANGES:
        raise Undecided
    bounds = sorted(edges)
    members: list[set[Ranges]] = [set() for _ in bounds]
    for ranges in told_apart:
        for first, last in ranges:
            for index in range(bisect_right(bounds, first) - 1, bisect_right(bounds, last)):
                members[index].add(ranges)
    found: dict[frozenset[Ranges], str] = {}
    for index, (first, end) in enumerate(pairwise(bounds)):
        if first == 0xD800:  # no text has surrogates
            continue
        inside = frozenset(members[index])
        example = nicest_of(f"{_written(first)}-{_written(end - 1)}", negated=False)[0]
        found[inside] = min(found.get(inside, example), example, key=_niceness)
    return sorted(((found[inside], inside) for inside in found), key=lambda one: _niceness(one[0]))


def _written(code: int) -> str:
    """Return a character as it stands within a bracket expression of the common form."""
    return f"\\x{code:02x}" if chr(code) in "\\]^-[" or code < 32 else chr(code)


def _niceness(character: str) -> tuple[bool, bool, int]:
    return not character.isascii(), not character.isalnum(), -ord(character) % 128
