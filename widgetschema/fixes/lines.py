"""`changed_lines`: which lines of a text became which of another.

Most texts have as many lines as before: then they are compared by their number, and a large file
costs one look at each line. Where lines were added or removed, those that are there once in both
texts show the way, and only what is short is compared in all ways; the rest is one block.
Nothing here knows what a patch looks like.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final

Change = tuple[int, int, int, int]  # lines `a` to `b` of the old text are `c` to `d` of the new

_LEVELS: Final = 8  # how often what is between two anchors is looked at for anchors
_SMALL: Final = 10_000  # pairs of lines that are compared in all ways, between two anchors
_ALL: Final = 1_000_000  # … and in all


def changed_lines(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    """The changes, in order; between two of them there is a line that stayed."""
    if len(before) == len(after):
        changes = _by_number(before, after)
        gone = {line for a, b, _, _ in changes for line in before[a:b]}
        if not any(line in gone for _, _, c, d in changes for line in after[c:d]):
            return changes
        # Lines moved, or some were added and as many removed: then the numbers say little.
        return min(changes, _aligned(before, after), key=_size)
    return _aligned(before, after)


def _size(changes: Sequence[Change]) -> int:
    return sum(b - a + d - c for a, b, c, d in changes)


def _by_number(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    return _joined(
        (number, number + 1, number, number + 1)
        for number, (one, other) in enumerate(zip(before, after, strict=True))
        if one != other
    )


def _joined(changes: Iterable[Change]) -> list[Change]:
    """The same changes, those that touch as one."""
    joined: list[Change] = []
    for a, b, c, d in changes:
        if joined and joined[-1][1] == a and joined[-1][3] == c:
            start, _, new_start, _ = joined.pop()
            joined.append((start, b, new_start, d))
        else:
            joined.append((a, b, c, d))
    return joined


def _aligned(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    changes: list[Change] = []
    pairs = 0
    todo = [((0, len(before), 0, len(after)), 0)]
    while todo:
        block, level = todo.pop()
        a, b, c, d = _trimmed(before, after, block)
        if a == b and c == d:
            continue
        size = (b - a) * (d - c)
        anchors = _anchors(before, after, (a, b, c, d)) if size and level < _LEVELS else []
        if anchors:
            parts: list[Change] = []
            for one, other in [*anchors, (b, d)]:
                parts.append((a, one, c, other))
                a, c = one + 1, other + 1
            todo += [(part, level + 1) for part in reversed(parts)]
        elif 0 < size <= _SMALL and pairs + size <= _ALL:
            pairs += size
            matcher = SequenceMatcher(None, before[a:b], after[c:d], autojunk=False)
            changes += [
                (a + i, a + j, c + k, c + m)
                for tag, i, j, k, m in matcher.get_opcodes()
                if tag != "equal"
            ]
        else:
            changes.append((a, b, c, d))
    return _joined(changes)


def _trimmed(before: Sequence[str], after: Sequence[str], block: Change) -> Change:
    """The block without the lines at its head and tail that stayed."""
    a, b, c, d = block
    while a < b and c < d and before[a] == after[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and before[b - 1] == after[d - 1]:
        b, d = b - 1, d - 1
    return a, b, c, d


def _anchors(before: Sequence[str], after: Sequence[str], block: Change) -> list[tuple[int, int]]:
    """The most lines that are in both once, in the same order: their numbers in both."""
    a, b, c, d = block
    once = Counter(before[a:b])
    there = Counter(after[c:d])
    places = {line: c + place for place, line in enumerate(after[c:d]) if there[line] == 1}
    common = [
        (a + number, places[line])
        for number, line in enumerate(before[a:b])
        if once[line] == 1 and line in places
    ]
    return _longest_rise(common)


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most of these pairs, whose first numbers rise, of which the second ones rise, too."""
    ends: list[int] = []  # the lowest second number at which a rise of each length can end
    at: list[int] = []  # and which pair that is
    previous: list[int] = []
    for index, (_, other) in enumerate(pairs):
        length = bisect_left(ends, other)
        previous.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [other]
        at[length : length + 1] = [index]
    rise: list[tuple[int, int]] = []
    index = at[-1] if at else -1
    while index >= 0:
        rise.append(pairs[index])
        index = previous[index]
    return rise[::-1]
