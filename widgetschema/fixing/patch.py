"""`unified_diff`: what changed in a text, as a patch that `git apply` and `patch -p1` take.

Fixing replaces tokens and never adds or removes a line, so that lines are compared by their
number: a large file costs one look at each line. Only a line feed ends a line, as for git; a
carriage return is part of it.
"""

from __future__ import annotations

import os
import posixpath
from typing import Final

_CONTEXT: Final = 3  # lines
_NO_NEWLINE: Final = "\n\\ No newline at end of file\n"
_ESCAPES: Final = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def unified_diff(old: str, new: str, name: str) -> str:
    """The patch from `old` to `new`; empty if they are equal.

    `name` is the path of the file from where the patch is to be applied, with `/`.
    """
    if old == new:
        return ""
    before, after = _lines(old), _lines(new)
    hunks = _hunks(_changes(before, after), len(before))
    parts = [f"--- {_header('a', name)}\n", f"+++ {_header('b', name)}\n"]
    for changes in hunks:
        parts += _hunk(changes, before, after)
    return "".join(parts)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


_Change = tuple[int, int, int, int]  # lines `a` to `b` of the old text are `c` to `d` of the new


def _changes(before: list[str], after: list[str]) -> list[_Change]:
    if len(before) != len(after):
        return [_block(before, after)]
    changes: list[_Change] = []
    for number, (one, other) in enumerate(zip(before, after, strict=True)):
        if one == other:
            continue
        if changes and changes[-1][1] == number:
            start = changes.pop()[0]
            changes.append((start, number + 1, start, number + 1))
        else:
            changes.append((number, number + 1, number, number + 1))
    return changes


def _block(before: list[str], after: list[str]) -> _Change:
    """All that differs, as one: for texts that were changed by other means."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, len(before) - end, start, len(after) - end


def _hunks(changes: list[_Change], lines: int) -> list[list[_Change]]:
    """The changes in groups, whose lines of context do not meet."""
    hunks: list[list[_Change]] = []
    for change in changes:
        if hunks and change[0] - hunks[-1][-1][1] <= 2 * _CONTEXT:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _hunk(changes: list[_Change], before: list[str], after: list[str]) -> list[str]:
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
    """The name of the file on one side, quoted as git does where it has to be."""
    path = f"{side}/{posixpath.normpath(name).lstrip('/')}"
    if path.isprintable() and '"' not in path and "\\" not in path:
        return f"{path}\t" if " " in path else path  # the tab ends a name with spaces
    return '"' + "".join(map(_quoted, os.fsencode(path))) + '"'


def _quoted(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
