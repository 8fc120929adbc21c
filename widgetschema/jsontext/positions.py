"""Positions of JSON Pointers in a JSON text, found only for those that are asked for.

Lines and columns count from 1, columns in characters. The way goes down where a wanted pointer
leads, and jumps over everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.findings import Finding
from widgetschema.pointers import parse_pointer

# Findings about a member that should not be there, or not by this name, point at its name.
_AT_THE_NAME: Final = frozenset(
    "additionalProperties propertyNames false json.duplicate-member keyword.unknown "
    "keyword.unsupported keyword.no-effect".split()
)


_NO_KEY: Final[tuple[Any, Any]] = (None, None)


class Location(NamedTuple):
    """Offsets of a value in its text, and of the member name in front of it, if any."""

    start: int
    end: int
    key_start: int | None = None
    key_end: int | None = None


def _search(text: str, wanted: dict[Any, Any], number: int) -> dict[str, Location]:
    """Return the location of each pointer in a tree: token → subtree, None → the pointer itself.

    What is behind the last one, of this `number`, is not looked at.
    """
    from widgetschema.jsontext import tokens  # most runs locate nothing

    found: dict[str, Location] = {}
    around: list[tuple[Any, ...]] = []
    # Of the innermost open container; the text is read as if it were the item of an array.
    subtree: dict[Any, Any] = {"0": wanted}
    is_object, index, start, key = False, 0, -1, _NO_KEY
    at = 0
    member, item = tokens.MEMBER.match, tokens.ITEM.match
    while len(found) < number and (around or not index):
        match = member(text, at) if is_object else item(text, at)
        if match is None:
            raise tokens.not_json(at)
        at = match.end()
        if match.lastindex is None:  # a closing bracket
            if None in subtree:
                found[subtree[None]] = Location(start, at, *key)
            is_object, subtree, index, start, key = around.pop()
            continue
        value_start, value_key = match.start(match.lastindex), _NO_KEY
        if is_object:
            value_key = match.span(1)
            below = subtree.get(tokens.string_value(text, *value_key))
        else:
            below = subtree.get(str(index))
            index += 1
        if text[value_start] in "{[":
            if below is not None and below.keys() != {None}:
                around.append((is_object, subtree, index, start, key))
                is_object, subtree, index = text[value_start] == "{", below, 0
                start, key = value_start, value_key
                continue
            at = tokens.skip_container(text, at)
        if below is not None and None in below:
            found[below[None]] = Location(value_start, at, *value_key)
    return found


class SourceText:
    """A JSON text that was read, and the way from a JSON Pointer to a line and a column.

    `line_offset` is added to line numbers, for a text that is one line of a larger file.
    """

    def __init__(self, raw: bytes | str, line_offset: int = 0) -> None:
        self.text = raw if isinstance(raw, str) else raw.decode(errors="replace")
        self.line_offset = line_offset

    def locate(self, pointers: Iterable[str]) -> dict[str, Location]:
        """Return the location of each pointer (RFC 6901) that exists in the text; linear time."""
        wanted: dict[str, Any] = {}
        every = {*pointers}
        for pointer in every:
            node = wanted
            for token in parse_pointer(pointer):
                node = node.setdefault(token, {})
            node[None] = pointer  # type: ignore[index]  # None cannot be a member name
        return _search(self.text, wanted, len(every))

    def place(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Return the findings with `line` and `column`, in the order of the text.

        A finding at something that is not in the text (there is none from our own
        validator) gets the position of the nearest thing around it.
        """
        located = self.locate({finding.path for finding in findings})
        offsets = [(self.offset(finding, located), finding) for finding in findings]
        offsets.sort(key=lambda pair: pair[0])
        positions = self.positions([offset for offset, _ in offsets])
        return tuple(
            finding.with_position(line, column)
            for (_, finding), (line, column) in zip(offsets, positions, strict=True)
        )

    def offset(self, finding: Finding, located: dict[str, Location]) -> int:
        """Return the offset at which a finding begins."""
        return self.span(finding, located)[0]

    def span(self, finding: Finding, located: dict[str, Location]) -> tuple[int, int]:
        """Return the offsets of a finding: those of a value, or of the name of a member."""
        location = located.get(finding.path)
        around = finding.path
        while location is None:
            around = around.rpartition("/")[0]
            location = self.locate({around}).get(around)
        if finding.keyword in _AT_THE_NAME and location.key_start is not None:
            return location.key_start, location.key_end or location.key_start
        return location.start, location.end

    def positions(self, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Return line and column, from 1, of ascending offsets; linear in the text."""
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
