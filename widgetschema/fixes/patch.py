"""`unified_diff`: what changed in a text, as a patch that `git apply` and `patch -p1` take.

Only a line feed ends a line, as for git; a carriage return is part of it. Which lines changed is
found by `lines`.
"""

from __future__ import annotations

import os
import posixpath
from typing import Final

from widgetschema.fixes.lines import Change, changed_lines

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
    """The changes in groups, whose lines of context do not meet."""
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
    """The name of the file on one side, quoted as git does where it has to be."""
    path = f"{side}/{posixpath.normpath(name).lstrip('/')}"
    if path.isprintable() and '"' not in path and "\\" not in path:
        return f"{path}\t" if " " in path else path  # the tab ends a name with spaces
    return '"' + "".join(map(_quoted, os.fsencode(path))) + '"'


def _quoted(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
