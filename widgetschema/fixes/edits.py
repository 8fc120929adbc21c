"""Edits: single tokens of a JSON text that are replaced, and paths before and after.

Everything else in the text stays byte for byte. An edit knows its place by the JSON Pointer in
the text as it was; findings about the edited text have paths with the new names.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from widgetschema.errors import UnreadableDocument
from widgetschema.findings import Finding, Fix
from widgetschema.jsontext import SourceText, read
from widgetschema.pointers import escape_token, parse_pointer, resolve_pointer

Place = tuple[str, str]  # the JSON Pointer in the text as it was; "value" or "name"


class Edit(NamedTuple):
    """One string token, from `start` to `end` in the text as it was, becomes `text`."""

    place: Place
    start: int
    end: int
    text: str
    findings: tuple[Finding, ...]


class Renames:
    """Members with new names, and the way from paths as they were to paths as they are."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._names = {
            edit.place[0]: _token(edit.text) for edit in edits if edit.place[1] == "name"
        }
        self._before = {self.after(path): parse_pointer(path)[-1] for path in self._names}

    def after(self, path: str) -> str:
        """The path, in the edited text, of what was at `path`."""
        return _translated(path, self._names)

    def before(self, path: str) -> str:
        """The path, in the text as it was, of what is at `path` in the edited text."""
        return _translated(path, self._before)


def _translated(path: str, names: dict[str, str]) -> str:
    """A path with the names of `names`, whose keys are paths in the same names as `path`."""
    if not names:
        return path
    old, new = "", ""
    for token in path.split("/")[1:]:
        old = f"{old}/{token}"
        renamed = names.get(old)
        new = f"{new}/{token if renamed is None else escape_token(renamed)}"
    return new


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with these edits."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda one: one.start):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def wanted(
    source: SourceText,
    value: Any,
    findings: Sequence[Finding],
    edits: Sequence[Edit],
    banned: set[Place],
) -> list[Edit]:
    """The edits that these findings ask for, beyond those there are.

    `value` is that of the text with `edits`, and what `findings` are about. Left out is what is
    banned, what was edited already, and what is no certain fix after all: two that disagree
    about a place, or that would give two members one name.
    """
    renames = Renames(edits)
    taken = banned | {edit.place for edit in edits}
    asked: dict[Place, list[Finding]] = {}
    for finding in findings:
        if finding.fix is not None:
            place: Place = (renames.before(finding.path), finding.fix.replace)
            if place not in taken and _is_possible(finding.fix, finding.path, value):
                asked.setdefault(place, []).append(finding)
    agreed = {
        place: found for place, found in asked.items() if len({one.fix for one in found}) == 1
    }
    agreed = _without_clashes(agreed, value)
    located = source.locate({path for path, _ in agreed}) if agreed else {}
    new: list[Edit] = []
    for place, found in agreed.items():
        location = located.get(place[0])
        if location is None:
            continue
        start, end = location.start, location.end
        if place[1] == "name":
            start, end = location.key_start or 0, location.key_end or 0
        if source.text[start : start + 1] == '"':  # only strings are certain, and only one line
            assert found[0].fix is not None
            new.append(Edit(place, start, end, found[0].fix.text, tuple(found)))
    return new


def _is_possible(fix: Fix, path: str, value: Any) -> bool:
    """Whether a fix is one token of JSON, and a name where it is about one, of an object."""
    try:
        new = read(fix.text)
    except UnreadableDocument:
        return False
    if type(new) in (list, dict) or fix.text != fix.text.strip():
        return False
    if fix.replace == "value":
        return True
    return type(new) is str and type(resolve_pointer(value, path.rpartition("/")[0])) is dict


def _without_clashes(asked: dict[Place, list[Finding]], value: Any) -> dict[Place, list[Finding]]:
    """Without new names that are in the object already, or that two members would get."""
    claims: dict[tuple[str, str], list[Place]] = {}
    for place, found in asked.items():
        first = found[0]
        if place[1] == "name" and first.fix is not None:
            around, name = first.path.rpartition("/")[0], _token(first.fix.text)
            claims.setdefault((around, name), []).append(place)
    clashing = {
        place
        for (around, name), places in claims.items()
        for place in places
        if len(places) > 1 or name in resolve_pointer(value, around)
    }
    return {place: found for place, found in asked.items() if place not in clashing}


def _token(text: str) -> str:
    return str(read(text))


class Shift:
    """From offsets in an edited text to those in the text as it was."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._starts: list[int] = []
        self._moved: list[int] = []
        moved = 0
        for edit in sorted(edits, key=lambda one: one.start):
            self._starts.append(edit.start + moved)
            moved += len(edit.text) - (edit.end - edit.start)
            self._moved.append(moved)

    def before(self, offset: int) -> int:
        """The offset, in the text as it was, of the start of a token."""
        index = bisect_right(self._starts, offset - 1) - 1
        return offset - self._moved[index] if index >= 0 else offset
