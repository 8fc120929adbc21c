"""`unified_diff`: what changed in a text, as a patch that `git apply` and `patch -p1` take.

Only a line feed ends a line, as for git; a carriage return is part of it. If both texts have the
same number of lines, as is usual, lines are compared by number, in linear time. Otherwise, lines
that occur once in both texts are anchors. Short blocks between two anchors are compared completely;
a long one is a single change.
"""

from __future__ import annotations

import os
import posixpath
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final

Change = tuple[int, int, int, int]  # lines `a` to `b` of the old text are `c` to `d` of the new

_MAX_LEVELS: Final = 8  # of anchors between anchors
_MAX_PAIRS: Final = 10_000  # pairs of lines that are compared, between two anchors
_MAX_ALL_PAIRS: Final = 1_000_000  # … and in all
_CONTEXT: Final = 3  # lines
_NO_NEWLINE: Final = "\n\\ No newline at end of file\n"
_ESCAPES: Final = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def unified_diff(old: str, new: str, name: str) -> str:
    """Return the patch from `old` to `new`, empty if they are equal.

    `name` is the path of the file from where the patch is to be applied, with `/`.
    """
    if old == new:
        return ""
    before, after = _lines(old), _lines(new)
    hunks = _hunks(changed_lines(before, after))
    parts = [f"--- {_header('a', name)}\n", f"+++ {_header('b', name)}\n"]
    for changes in hunks:
        parts += _hunk(changes, before, after)
    return "".join(parts)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _hunks(changes: list[Change]) -> list[list[Change]]:
    """Group the changes so that the lines of context of two groups do not meet."""
    hunks: list[list[Change]] = []
    for change in changes:
        if hunks and change[0] - hunks[-1][-1][1] <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _hunk(changes: list[Change], before: list[str], after: list[str]) -> list[str]:
    first, last = changes[0], changes[-1]
    start = max(0, first[0] - _CONTEXT)
    end = min(len(before), last[1] + _CONTEXT)
    new_start = start + first[2] - first[0]
    new_end = end + last[3] - last[1]
    parts = [f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"]
    at = start
    for a, b, c, d in changes:
        parts += [_line(" ", line) for line in before[at:a]]
        parts += [_line("-", line) for line in before[a:b]]
        parts += [_line("+", line) for line in after[c:d]]
        at = b
    return parts + [_line(" ", line) for line in before[at:end]]


def _line(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}{_NO_NEWLINE}"


def _range(start: int, end: int) -> str:
    return f"{start + 1 if end > start else start},{end - start}"


def _header(side: str, name: str) -> str:
    """Return the header with the name of the file on one side, quoted as git does."""
    path = f"{side}/{posixpath.normpath(name).lstrip('/')}"
    if path.isprintable() and '"' not in path and "\\" not in path:
        return f"{path}\t" if " " in path else path  # the tab ends a name with spaces
    return '"' + "".join(map(_quoted, os.fsencode(path))) + '"'


def _quoted(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def changed_lines(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    """Return the changes, in order; between two of them there is a line that stayed."""
    if len(before) == len(after):
        changes = _compare_by_number(before, after)
        gone = {line for a, b, _, _ in changes for line in before[a:b]}
        if not any(line in gone for _, _, c, d in changes for line in after[c:d]):
            return changes
        # Lines were moved, or as many were added as removed, so the numbers do not match.
        return min(changes, _align(before, after), key=_size)
    return _align(before, after)


def _size(changes: Sequence[Change]) -> int:
    return sum(b - a + d - c for a, b, c, d in changes)


def _compare_by_number(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    return _merged(
        (number, number + 1, number, number + 1)
        for number, (one, other) in enumerate(zip(before, after, strict=True))
        if one != other
    )


def _merged(changes: Iterable[Change]) -> list[Change]:
    """Merge changes that touch."""
    merged: list[Change] = []
    for a, b, c, d in changes:
        if merged and merged[-1][1] == a and merged[-1][3] == c:
            start, _, new_start, _ = merged.pop()
            merged.append((start, b, new_start, d))
        else:
            merged.append((a, b, c, d))
    return merged


def _align(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    changes: list[Change] = []
    pairs = 0
    todo = [((0, len(before), 0, len(after)), 0)]
    while todo:
        block, level = todo.pop()
        a, b, c, d = _trimmed(before, after, block)
        if a == b and c == d:
            continue
        size = (b - a) * (d - c)
        anchors = _anchors(before, after, (a, b, c, d)) if size and level < _MAX_LEVELS else []
        if anchors:
            parts: list[Change] = []
            for one, other in [*anchors, (b, d)]:
                parts.append((a, one, c, other))
                a, c = one + 1, other + 1
            todo += [(part, level + 1) for part in reversed(parts)]
        elif 0 < size <= _MAX_PAIRS and pairs + size <= _MAX_ALL_PAIRS:
            pairs += size
            matcher = SequenceMatcher(None, before[a:b], after[c:d], autojunk=False)
            changes += [
                (a + i, a + j, c + k, c + m)
                for tag, i, j, k, m in matcher.get_opcodes()
                if tag != "equal"
            ]
        else:
            changes.append((a, b, c, d))
    return _merged(changes)


def _trimmed(before: Sequence[str], after: Sequence[str], block: Change) -> Change:
    """Return the block without the equal lines at its head and tail."""
    a, b, c, d = block
    while a < b and c < d and before[a] == after[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and before[b - 1] == after[d - 1]:
        b, d = b - 1, d - 1
    return a, b, c, d


def _anchors(before: Sequence[str], after: Sequence[str], block: Change) -> list[tuple[int, int]]:
    """Return the numbers of as many lines as possible that are in both once, in one order."""
    a, b, c, d = block
    once = Counter(before[a:b])
    there = Counter(after[c:d])
    places = {line: c + place for place, line in enumerate(after[c:d]) if there[line] == 1}
    common = [
        (a + number, places[line])
        for number, line in enumerate(before[a:b])
        if once[line] == 1 and line in places
    ]
    return longest_increasing(common)


def longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest increasing subsequence of pairs, sorted by their first numbers."""
    ends: list[int] = []  # the lowest second number at which a subsequence of each length can end
    at: list[int] = []  # and which pair that is
    previous: list[int] = []
    for index, (_, other) in enumerate(pairs):
        length = bisect_left(ends, other)
        previous.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [other]
        at[length : length + 1] = [index]
    found: list[tuple[int, int]] = []
    index = at[-1] if at else -1
    while index >= 0:
        found.append(pairs[index])
        index = previous[index]
    return found[::-1]
