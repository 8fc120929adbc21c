"""Where in a JSON text a JSON Pointer is: made only for the pointers that are asked for.

The text has been read already, so it is known to be JSON: this scan only has to find its
way. It goes down where a wanted pointer leads, and jumps over everything else with one
regular expression per bracket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from widgetschema.findings import Finding, split_pointer

_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_SCALAR: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[^\s,\]}]++', re.DOTALL)
_TO_BRACKET: Final = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+[\[\]{}]', re.DOTALL)

# Findings about a member that should not be there, or not by this name, point at its name.
_AT_THE_NAME: Final = frozenset(
    {"additionalProperties", "propertyNames", "false", "json.duplicate-member"}
)


@dataclass(frozen=True, slots=True)
class Location:
    """Offsets of a value in its text, and of the member name in front of it, if any."""

    start: int
    end: int
    key_start: int | None = None
    key_end: int | None = None


class SourceText:
    """A JSON text that was read, and the way from a JSON Pointer to a line and a column.

    `line_offset` is added to line numbers, for a text that is one line of a larger file.
    """

    def __init__(self, raw: bytes | str, line_offset: int = 0) -> None:
        self.text = raw if isinstance(raw, str) else raw.decode(errors="replace")
        self.line_offset = line_offset

    def locate(self, pointers: Iterable[str]) -> dict[str, Location]:
        """The location of each pointer (RFC 6901) that exists in the text; linear time."""
        wanted: dict[str, Any] = {}
        for pointer in pointers:
            node = wanted
            for token in split_pointer(pointer):
                node = node.setdefault(token, {})
            node[None] = pointer  # type: ignore[index]  # None cannot be a member name
        found: dict[str, Location] = {}
        _search(self.text, wanted, found)
        return found

    def place(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """The same findings with `line` and `column`, in the order of the text.

        A finding at something that is not in the text (there is none from our own
        validator) gets the position of the nearest thing around it.
        """
        located = self.locate({finding.path for finding in findings})
        offsets = [(self.offset(finding, located), finding) for finding in findings]
        offsets.sort(key=lambda pair: pair[0])
        positions = self.positions([offset for offset, _ in offsets])
        return tuple(
            replace(finding, line=line, column=column)
            for (_, finding), (line, column) in zip(offsets, positions, strict=True)
        )

    def offset(self, finding: Finding, located: dict[str, Location]) -> int:
        """Where a finding begins."""
        return self.span(finding, located)[0]

    def span(self, finding: Finding, located: dict[str, Location]) -> tuple[int, int]:
        """Where a finding begins and ends: a value, or the name of a member."""
        location = located.get(finding.path)
        around = finding.path
        while location is None:
            around = around.rpartition("/")[0]
            location = self.locate({around}).get(around)
        if finding.keyword in _AT_THE_NAME and location.key_start is not None:
            return location.key_start, location.key_end or location.key_start
        return location.start, location.end

    def positions(self, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Line and column, from 1, of ascending offsets; linear in the text."""
        line, line_start, counted = 1 + self.line_offset, 0, 0
        result: list[tuple[int, int]] = []
        for offset in offsets:
            newlines = self.text.count("\n", counted, offset)
            if newlines:
                line += newlines
                line_start = self.text.rindex("\n", counted, offset) + 1
            counted = offset
            result.append((line, offset - line_start + 1))
        return result


def _search(text: str, wanted: dict[Any, Any], found: dict[str, Location]) -> None:
    """Fill `found` for the tree `wanted`: token → subtree, None → the pointer itself."""
    at = _skip_space(text, 0)
    # per open container: [subtree, is an object, next index, pending location]
    open_containers: list[list[Any]] = []

    def enter(at: int, subtree: dict[Any, Any] | None, key: tuple[int, int] | None) -> int:
        """Pass the value at `at`: jump over it, or open it where something is wanted."""
        is_container = text[at] in "{["
        if subtree is None or not is_container or (len(subtree) == 1 and None in subtree):
            end = _skip_value(text, at)
            if subtree is not None and None in subtree:
                found[subtree[None]] = Location(at, end, *(key or (None, None)))
            return end
        open_containers.append([subtree, text[at] == "{", 0, at, key])
        return at + 1

    at = enter(at, wanted, None)
    while open_containers:
        container = open_containers[-1]
        subtree, is_object, index, start, key = container
        at = _skip_space(text, at)
        if text[at] == ",":
            at = _skip_space(text, at + 1)
        if text[at] in "}]":
            open_containers.pop()
            at += 1
            if None in subtree:
                found[subtree[None]] = Location(start, at, *(key or (None, None)))
            continue
        if is_object:
            end = _match_end(_STRING, text, at)
            name = text[at + 1 : end - 1]
            if "\\" in name:
                name = json.loads(text[at:end])
            member_key = (at, end)
            at = _skip_space(text, _skip_space(text, end) + 1)
            at = enter(at, subtree.get(name), member_key)
        else:
            container[2] = index + 1
            at = enter(at, subtree.get(str(index)), None)


def _skip_value(text: str, at: int) -> int:
    if text[at] not in "{[":
        return _match_end(_SCALAR, text, at)
    depth = 1
    at += 1
    while depth:
        at = _match_end(_TO_BRACKET, text, at)
        depth += 1 if text[at - 1] in "{[" else -1
    return at


def _skip_space(text: str, at: int) -> int:
    return _match_end(_SPACE, text, at)


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    if match is None:
        raise ValueError(f"not JSON at offset {at}: read the text before locating in it")
    return match.end()
