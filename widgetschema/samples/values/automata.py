"""Texts that match some patterns and miss others: found, or proven not to be there.

A pattern is read by the same reader as for samples, from the common form that every engine reads
alike, and becomes a nondeterministic automaton of the whole text in which it is searched. Several
of them are followed together, text by text, the shortest first. Backreferences, properties of
characters, and lookarounds other than lookaheads at the beginning are not decided, nor is what
would take too long: steps are counted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final, NamedTuple, TypeVar

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
    leading_looks,
)
from widgetschema.validation.patterns import PatternError, translate

_MAX_STATES: Final = 3_000  # of one pattern
_MAX_STEPS: Final = 300_000  # edges that one search may follow
_MAX_STEPS_OF_INFIX: Final = 15_000  # and that the search for a part of a text may follow
_MAX_LISTED_STATES: Final = 1_000  # of a search for all texts
_LONGEST: Final = 64  # text of those that are listed
_MAX_RANGES: Final = 400  # of characters, by which edges differ
_BEGIN: Final = 0
_FOUND: Final = 1  # the pattern has matched, so any text may follow
_ALWAYS: Final = frozenset({_FOUND})

Ranges = tuple[tuple[int, int], ...]
States = frozenset[int]
_States = tuple[States, ...]  # of each automaton
_Found = TypeVar("_Found")
_WORD: Final = re.compile(r"[^\W_]+")
_LAST_WORD: Final = re.compile(r"[\W_]+[^\W_]+$")


class Undecided(Exception):
    """The patterns are not regular, or the search is too large."""


class Answer(NamedTuple):
    """The shortest text, or None; not `decided` if the search gave no answer.

    `steps` is the effort of the search.
    """

    decided: bool
    text: str | None = None
    steps: int = 0

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
    return Answer(*_asked(matched, missed, lambda search: search.shortest(low, high)))


@lru_cache(maxsize=2048)
def list_texts(
    matched: frozenset[str], missed: frozenset[str], low: int, high: int | None, most: int
) -> tuple[tuple[str, ...] | None, int]:
    """Return all texts of which `find_text` finds the first, and the effort.

    The texts are None if there may be more than `most`, or a long one.
    """
    _, texts, steps = _asked(matched, missed, lambda search: search.every(low, high, most))
    return texts, steps


@lru_cache(maxsize=512)
def find_like(
    matched: frozenset[str],
    missed: frozenset[str],
    texts: tuple[str, ...],
    low: int = 0,
    high: int | None = None,
) -> tuple[str, ...]:
    """Find texts like the given ones that match some patterns, and do not match others."""
    _, found, _ = _asked(matched, missed, lambda search: tuple(search.nearest(texts, low, high)))
    return found or ()


def _asked(
    matched: frozenset[str], missed: frozenset[str], ask: Callable[[Search], _Found | None]
) -> tuple[bool, _Found | None, int]:
    """Return whether a search gives an answer, the answer, and its steps."""
    search = None
    try:
        search = Search(matched, missed)
        return True, ask(search), search.steps
    except (Undecided, PatternError):
        return False, None, 0 if search is None else search.steps


class _Automaton:
    """The automaton of a pattern: edges for characters, empty ones, and for anchors."""

    def __init__(self, root: Node) -> None:
        self.over: list[list[tuple[Ranges, int]]] = [[], []]
        self.free: list[list[int]] = [[], []]
        self.at_start: list[list[int]] = [[], []]
        self.at_end: list[list[int]] = [[], []]
        self._read(root)
        # Where a match may begin after the first character: nowhere, if it begins with the text.
        self.anywhere = frozenset[int]() if root.starts else frozenset({_BEGIN})

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


class _Lookahead(NamedTuple):
    """A lookahead at the beginning of the text, as one more pattern to match or to miss."""

    is_wanted: bool
    automaton: _Automaton


@lru_cache(maxsize=512)
def _automata(pattern: str) -> tuple[_Automaton, tuple[_Lookahead, ...]]:
    """Return the automaton of a pattern, and those of the lookaheads that it begins with."""
    root = Reader(translate(pattern)).run()
    looks = [*leading_looks(root)] if root.starts else []
    if not looks:
        return _Automaton(root), ()
    begin = Anchor(starts=True)
    assert isinstance(root, Series)
    rest = tuple(part for part in root.parts if part not in looks)
    ahead = (
        _Lookahead(look.positive, _Automaton(Series(parts=(begin, look.body), starts=True)))
        for look in looks
    )
    return _Automaton(Series(parts=rest, starts=True)), tuple(ahead)


class Search:
    """The texts of several automata, followed in parallel over classes of equivalent characters.

    Raises `Undecided` or `PatternError`.
    """

    def __init__(self, matched: Iterable[str], missed: Iterable[str]) -> None:
        wanted: list[_Automaton] = []
        unwanted: list[_Automaton] = []
        for pattern in sorted(matched):
            whole, ahead = _automata(pattern)
            wanted += [whole, *(look.automaton for look in ahead if look.is_wanted)]
            unwanted += [look.automaton for look in ahead if not look.is_wanted]
        for pattern in sorted(missed):
            whole, ahead = _automata(pattern)
            if ahead:  # one of several, which are not known one by one
                raise Undecided
            unwanted.append(whole)
        self._automata = [*wanted, *unwanted]
        self._wanted = len(wanted)
        edges = (edge for automaton in self._automata for some in automaton.over for edge in some)
        self._alphabet = _Alphabet({ranges for ranges, _ in edges})
        self._first = tuple(automaton.closure({_BEGIN}, start=True) for automaton in self._automata)
        self._left = self._total = 0  # steps
        self._known: dict[_States, Sequence[tuple[_States, str]]] = {}
        self._followed: dict[tuple[int, States, int], States] = {}

    @property
    def steps(self) -> int:
        """The steps of the last call of `shortest` or `every`."""
        return _MAX_STEPS - self._left

    def every(self, low: int, high: int | None, most: int) -> tuple[str, ...] | None:
        """Return all texts, the shortest first; None if they are more or longer than allowed."""
        self._left = _MAX_STEPS
        hopeful = self._hopeful()
        characters = self._alphabet.characters(most + 1)
        level = {self._first: [""]}
        found: list[str] = []
        for length in range(_LONGEST + 1):
            for states, texts in level.items() if length >= low else ():
                found += texts if self._is_wanted(states, "", is_empty=length == 0) else []
            after: dict[_States, list[str]] = {}
            size = 0
            for states, texts in level.items() if length != high else ():
                for index, of_class in enumerate(characters):
                    to = self._next(states, index)
                    if to is not None and to in hopeful:
                        size += len(texts) * len(of_class)
                        if size > most:  # each of them begins another text
                            return None
                        after.setdefault(to, []).extend(a + b for a in texts for b in of_class)
            if not after:
                return tuple(found) if len(found) <= most else None
            level = after
        return None

    def _hopeful(self) -> set[_States]:
        """Return the states from which the end of a text is reached."""
        before: dict[_States, list[_States]] = {self._first: []}
        todo = [self._first]
        while todo:
            states = todo.pop()
            if len(before) > _MAX_LISTED_STATES:
                raise Undecided
            for to, _ in self._successors(states):
                if to not in before:
                    before[to] = []
                    todo.append(to)
                before[to].append(states)
        todo = [states for states in before if self._is_wanted(states, "", is_empty=False)]
        found = {*todo}
        while todo:
            for states in before[todo.pop()]:
                if states not in found:
                    found.add(states)
                    todo.append(states)
        return found

    def shortest(self, low: int = 0, high: int | None = None) -> str | None:
        """Return the shortest text of `low` to `high` characters."""
        self._left = _MAX_STEPS
        return self._infix("", "", low, high)

    def nearest(self, texts: Iterable[str], low: int = 0, high: int | None = None) -> Iterator[str]:
        """Yield texts of which as many words as possible, from the first on, are those of one of
        `texts`, until that takes too long.

        What takes the place of the others is as short as possible, and is words, too.
        """
        self._total = 0
        for text in chain.from_iterable(_longer(text, low) for text in texts):
            if self._total > _MAX_STEPS:
                return
            self._left = _MAX_STEPS
            with suppress(Undecided):
                found = self._nearest(text, low, high)
                if found is not None:
                    yield found

    def _nearest(self, text: str, low: int, high: int | None) -> str | None:
        """Return a text like this one: the last words are replaced first, and not all of them."""
        states: _States | None = self._first
        before = 0  # characters that texts may begin with
        while before < len(text) and (states := self._after(states, text[before])) is not None:
            before += 1
        words = [word.span() for word in _WORD.finditer(text)]
        for start in (start for start, _ in reversed(words) if start <= before):
            for end in (end for _, end in words if start < end < start + len(text)):
                kept = start + len(text) - end
                if high is None or kept <= high:
                    most = None if high is None else high - kept
                    self._left, infix = _MAX_STEPS_OF_INFIX, None
                    with suppress(Undecided):
                        infix = self._infix(text[:start], text[end:], max(0, low - kept), most)
                    self._total += _MAX_STEPS_OF_INFIX - self._left
                    if infix is not None:
                        return text[:start] + infix + text[end:]
                    if self._total > _MAX_STEPS:
                        return None
        return None

    def _infix(self, prefix: str, suffix: str, low: int, high: int | None) -> str | None:
        """Return the shortest text of `low` to `high` characters between two texts so that the
        whole is wanted; it begins and ends with a letter or digit if they are not empty.
        """
        begin = self._after(self._first, prefix)
        level = {} if begin is None else {begin: ""}
        seen: set[tuple[int, _States]] = set()
        length = 0
        while level and (high is None or length <= high):
            if length >= low:
                for states, text in level.items():
                    if (text[-1:].isalnum() or not suffix) and (text[:1].isalnum() or not prefix):
                        if self._is_wanted(states, suffix, is_empty=not (prefix + text + suffix)):
                            return text
            after: dict[_States, str] = {}
            counted = min(length + 1, low)
            for states, text in level.items():
                for to, example in self._successors(states):
                    if (counted, to) not in seen:
                        seen.add((counted, to))
                        after[to] = text + example
            level = after
            length += 1
        return None

    def _is_wanted(self, begin: _States, suffix: str, *, is_empty: bool) -> bool:
        states = self._after(begin, suffix)
        if states is None:
            return False
        for index, (automaton, of) in enumerate(zip(self._automata, states, strict=True)):
            found = of == _ALWAYS or _FOUND in automaton.closure(of, start=is_empty, end=True)
            if found != (index < self._wanted):
                return False
        return True

    def _after(self, begin: _States | None, text: str) -> _States | None:
        """Return the states after a text; None if nothing can match from there."""
        states = begin
        for character in text:
            index = self._alphabet.index(character)
            if states is None or index is None:
                return None
            states = self._next(states, index)
        return states

    def _successors(self, states: _States) -> Sequence[tuple[_States, str]]:
        """Return the states after one more character, each with the nicest such character."""
        found = self._known.get(states)
        if found is None:
            after: dict[_States, str] = {}
            for index, (example, _) in enumerate(self._alphabet.classes):
                to = self._next(states, index)
                if to is not None:
                    after.setdefault(to, example)
            found = self._known[states] = [*after.items()]
        self._left -= len(found)
        if self._left < 0:
            raise Undecided
        return found

    def _next(self, states: _States, index: int) -> _States | None:
        """Return the states after a character of a class; None if nothing can match from there."""
        to = tuple(self._follow(at, of, index) for at, of in enumerate(states))
        return None if _ALWAYS in to[self._wanted :] or frozenset() in to[: self._wanted] else to

    def _follow(self, at: int, states: States, index: int) -> States:
        """Return the states of one automaton after a character of a class."""
        self._left -= 1
        if states == _ALWAYS:
            return states
        key = (at, states, index)
        if key not in self._followed:
            automaton, members = self._automata[at], self._alphabet.classes[index][1]
            self._left -= sum(len(automaton.over[state]) + 1 for state in states)
            after = {
                to for state in states for ranges, to in automaton.over[state] if ranges in members
            }
            self._followed[key] = automaton.closure({*after, *automaton.anywhere})
        if self._left < 0:
            raise Undecided
        return self._followed[key]


class _Alphabet:
    """Classes of characters: an example, and all ranges that its characters are in."""

    def __init__(self, told_apart: set[Ranges]) -> None:
        edges = {0, 0xD800, 0xE000, 0x110000}
        for ranges in told_apart:
            edges.update(edge for first, last in ranges for edge in (first, last + 1))
        if len(edges) > _MAX_RANGES:
            raise Undecided
        self._bounds = bounds = sorted(edges)
        members: list[set[Ranges]] = [set() for _ in bounds]
        for ranges in told_apart:
            for first, last in ranges:
                for index in range(bisect_right(bounds, first) - 1, bisect_right(bounds, last)):
                    members[index].add(ranges)
        found: dict[frozenset[Ranges], str] = {}
        self._members = [frozenset(some) for some in members]
        for inside, (first, end) in zip(self._members, pairwise(bounds), strict=False):
            if first != 0xD800:  # no text has surrogates
                written = f"{_written(first)}-{_written(end - 1)}"
                example = nicest_of(written, negated=False)[0]
                found[inside] = min(found.get(inside, example), example, key=_niceness)
        nicest = sorted(found, key=lambda inside: _niceness(found[inside]))
        self.classes = [(found[inside], inside) for inside in nicest]
        self._index = {inside: index for index, inside in enumerate(nicest)}

    def characters(self, most: int) -> list[str]:
        """Return the first characters of each class."""
        found = [""] * len(self.classes)
        for inside, (first, end) in zip(self._members, pairwise(self._bounds), strict=False):
            if first != 0xD800:
                index = self._index[inside]
                last = min(end, first + most - len(found[index]))
                found[index] += "".join(map(chr, range(first, last)))
        return found

    def index(self, character: str) -> int | None:
        """Return the index of the class of a character; None for a surrogate."""
        code = ord(character)
        if 0xD800 <= code < 0xE000:
            return None
        return self._index[self._members[bisect_right(self._bounds, code) - 1]]


def _longer(text: str, length: int) -> Iterator[str]:
    """Yield the text; before it one with its last word repeated, if it is shorter than that."""
    last = _LAST_WORD.search(text)
    if last is not None and len(text) < length:
        yield text + last.group() * ((length - len(text)) // len(last.group()))
    yield text


def _written(code: int) -> str:
    """Return a character as it stands within a bracket expression of the common form."""
    return f"\\x{code:02x}" if chr(code) in "\\]^-[" or code < 32 else chr(code)


def _niceness(character: str) -> tuple[bool, bool, int]:
    return not character.isascii(), not character.isalnum(), -ord(character) % 128
