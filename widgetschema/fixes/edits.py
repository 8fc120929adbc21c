"""Edits: single tokens of a text that are replaced, and paths and offsets before and after.

Everything else in the text stays byte for byte. The target of an edit is a JSON Pointer in the
text as it was; findings about the edited text have paths with the new names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Fix
from widgetschema.formats.model import Parsed
from widgetschema.jsontext import Location, SourceText, read
from widgetschema.pointers import escape_token, parse_pointer, resolve_pointer

Target = tuple[str, str]  # the JSON Pointer in the text as it was; what of it, as in `Fix`


class Edit(NamedTuple):
    """One token, from `start` to `end` in the text as it was, becomes `text`.

    The `findings` have one fix, which is JSON; `text` is what that is in the format of the text.
    """

    target: Target
    start: int
    end: int
    text: str
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """The new name of a member."""
        fix = self.findings[0].fix
        assert fix is not None
        return _name(fix.text)


class Renames:
    """Renamed members, to translate paths between the original and the edited text."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._names = {edit.target[0]: edit.name for edit in edits if edit.target[1] == "name"}
        self._before = {self.after(path): parse_pointer(path)[-1] for path in self._names}

    def after(self, path: str) -> str:
        """Return the path in the edited text for a path in the original text."""
        return _translate(path, self._names)

    def before(self, path: str) -> str:
        """Return the path in the original text for a path in the edited text."""
        return _translate(path, self._before)


def _translate(path: str, names: dict[str, str]) -> str:
    """Return a path with new names; the keys of `names` are paths with the names of `path`."""
    if not names:
        return path
    old, new = "", ""
    for token in path.split("/")[1:]:
        old = f"{old}/{token}"
        renamed = names.get(old)
        new = f"{new}/{token if renamed is None else escape_token(renamed)}"
    return new


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with these edits."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda one: one.start):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def repairs(
    text: str, read: Callable[[str], Parsed], counts: Callable[[Finding], bool]
) -> list[Edit]:
    """Return the edits of single characters that keep a text from being read, where certain.

    `counts` says which findings about the text are to be fixed.
    """
    try:
        read(text)
    except UnreadableDocument as error:
        found = [one for one in error.report if one.fix is not None and counts(one)]
    else:
        return []
    edits, line, start = [], 1, 0
    for finding in found:
        assert finding.fix is not None
        assert finding.line is not None
        assert finding.column is not None
        for _ in range(finding.line - line):
            start = text.index("\n", start) + 1
        line = finding.line
        at = start + finding.column - 1
        edits.append(Edit(("", "character"), at, at + 1, finding.fix.text, (finding,)))
    return edits


def requested_edits(
    source: SourceText,
    value: Any,
    findings: Sequence[Finding],
    edits: Sequence[Edit],
    rejected: set[Target],
) -> list[Edit]:
    """Return the edits for the fixes of these findings, beyond those there are.

    `findings` are about `value`, the value of the text with `edits`. Fixes are left out if they
    were rejected or applied already, disagree about a target, or would give two members the same
    name.
    """
    renames = Renames(edits)
    taken = rejected | {edit.target for edit in edits}
    asked: dict[Target, list[Finding]] = {}
    for finding in findings:
        if finding.fix is not None and finding.fix.replace != "character":
            target: Target = (renames.before(finding.path), finding.fix.replace)
            if target not in taken and _is_possible(finding.fix, finding.path, value):
                asked.setdefault(target, []).append(finding)
    agreed = {
        target: found for target, found in asked.items() if len({one.fix for one in found}) == 1
    }
    agreed = _without_clashes(agreed, value)
    located = source.locate({path for path, _ in agreed}) if agreed else {}
    new: list[Edit] = []
    for target, found in agreed.items():
        location = located.get(target[0])
        if location is None:
            continue
        fix = found[0].fix
        assert fix is not None
        start, end = _span(fix, location)
        text = source.token(start, end, fix.text)
        if text is not None:
            new.append(Edit(target, start, end, text, tuple(found)))
    return new


def token(finding: Finding, source: SourceText, located: Mapping[str, Location]) -> str | None:
    """Return the text that the fix of a finding writes; None if something would be lost by that."""
    place = located.get(finding.path)
    if finding.fix is None or place is None:
        return None
    start, end = _span(finding.fix, place)
    return source.token(start, end, finding.fix.text)


def _span(fix: Fix, place: Location) -> tuple[int, int]:
    if fix.replace == "name":
        return place.key_start or 0, place.key_end or 0
    return place.start, place.end


def _is_possible(fix: Fix, path: str, value: Any) -> bool:
    """Return whether a fix is one JSON token, and a string if it is a name in an object."""
    try:
        new = read(fix.text)
    except UnreadableDocument:
        return False
    if type(new) in (list, dict) or fix.text != fix.text.strip():
        return False
    if fix.replace == "value":
        return True
    return type(new) is str and type(resolve_pointer(value, path.rpartition("/")[0])) is dict


def _without_clashes(asked: dict[Target, list[Finding]], value: Any) -> dict[Target, list[Finding]]:
    """Drop new names that the object has already, or that two members would get."""
    claims: dict[tuple[str, str], list[Target]] = {}
    for target, found in asked.items():
        first = found[0]
        if target[1] == "name" and first.fix is not None:
            around, name = first.path.rpartition("/")[0], _name(first.fix.text)
            claims.setdefault((around, name), []).append(target)
    clashing = {
        target
        for (around, name), targets in claims.items()
        for target in targets
        if len(targets) > 1 or name in resolve_pointer(value, around)
    }
    return {target: found for target, found in asked.items() if target not in clashing}


def _name(text: str) -> str:
    return str(read(text))


class OffsetMap:
    """Translate offsets in an edited text to offsets in the original text."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._starts: list[int] = []
        self._moved: list[int] = []
        moved = 0
        for edit in sorted(edits, key=lambda one: one.start):
            self._starts.append(edit.start + moved)
            moved += len(edit.text) - (edit.end - edit.start)
            self._moved.append(moved)

    def before(self, offset: int) -> int:
        """Return the offset in the original text of the start of a token."""
        index = bisect_right(self._starts, offset - 1) - 1
        return offset - self._moved[index] if index >= 0 else offset
