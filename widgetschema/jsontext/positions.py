"""Positions of JSON Pointers in a JSON text, found only for those that are asked for.

Lines and columns count from 1, columns in characters. The way goes down where a wanted pointer
leads, and jumps over everything else. Where a name on the way is in the text only once, it begins
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from widgetschema.cached import cached_property
from widgetschema.findings import Finding
from widgetschema.pointers import is_index, parse_pointer

# Findings about a member that should not be there, or not by this name, point at its name.
_AT_THE_NAME: Final = frozenset(
    "additionalProperties propertyNames false json.duplicate-member form.pointer keyword.unknown "
    "keyword.unsupported keyword.no-effect".split()
)


_NO_KEY: Final[tuple[Any, Any]] = (None, None)
_FEW: Final = 8  # pointers that are looked for one by one
_MOST_NAMES: Final = 3  # on the way to one of them, that are looked for in the text


class Location(NamedTuple):
    """Offsets of a value in its text, and of the member name in front of it, if any."""

    start: int
    end: int
    key_start: int | None = None
    key_end: int | None = None


def _search(
    text: str, subtree: dict[Any, Any], number: int, at: int = 0, *, is_object: bool = False
) -> dict[str, Location]:
    """Return the location of each pointer in a tree: token → subtree, None → the pointer itself.

    The way begins at the first item of an array, as which the whole text is read, or at a member of
    an object. What is behind the last one, of this `number`, is not looked at.
    """
    from widgetschema.jsontext import tokens  # most runs locate nothing

    found: dict[str, Location] = {}
    around: list[tuple[Any, ...]] = []
    index, start, key = 0, -1, _NO_KEY  # of the innermost open container
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


def _plant(tree: dict[Any, Any], tokens: Iterable[str], pointer: str) -> None:
    """Put a pointer into a tree: token → subtree, None → the pointer itself."""
    for token in tokens:
        tree = tree.setdefault(token, {})
    tree[None] = pointer  # None cannot be a member name


class SourceText:
    """A JSON text that was read, and the way from a JSON Pointer to a line and a column.

    `line_offset` is added to line numbers, for a text that is one line of a larger file. `value` is
    what `read` made of the text, if that is at hand: then few pointers are found sooner.
    """

    def __init__(self, raw: bytes | str, line_offset: int = 0, value: Any = None) -> None:
        self._raw = raw
        self.line_offset = line_offset
        self.value = value
        self._begin = (0, 1)  # the offset of a line, and its number, that others are counted from

    @cached_property
    def text(self) -> str:
        """The text."""
        raw = self._raw
        return raw if isinstance(raw, str) else raw.decode(errors="replace")

    def locate(self, pointers: Iterable[str]) -> dict[str, Location]:
        """Return the location of each pointer (RFC 6901) that exists in the text; linear time."""
        every = {*pointers}
        found: dict[str, Location] = {}
        if self.value is not None and len(every) <= _FEW and "\\" not in self.text:
            for pointer in every:
                found |= self._at_a_name(pointer)
            every -= found.keys()
        if not every:
            return found
        wanted: dict[Any, Any] = {}
        for pointer in every:
            _plant(wanted, parse_pointer(pointer), pointer)
        return found | _search(self.text, {"0": wanted}, len(every))

    def _at_a_name(self, pointer: str) -> dict[str, Location]:
        """Return the location of a pointer if a name on its way is in the text only once.

        The text has no escapes, so each name is in it as it is, in quotes.
        """
        tokens, value, depths = parse_pointer(pointer), self.value, list[int]()
        for depth, token in enumerate(tokens):
            if type(value) is dict and token in value:
                value = value[token]
                depths.append(depth)
            elif type(value) is list and is_index(token) and int(token) < len(value):
                value = value[int(token)]
            else:
                return {}
        for depth in depths[: -_MOST_NAMES - 1 : -1]:
            quoted = f'"{tokens[depth]}"'
            at = self.text.find(quoted)
            if at >= 0 and self.text.find(quoted, at + 1) < 0:
                wanted: dict[Any, Any] = {}
                _plant(wanted, tokens[depth:], pointer)
                return _search(self.text, wanted, 1, at, is_object=True)
        return {}

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

    def token(self, start: int, end: int, text: str) -> str | None:
        """Return the text that takes the place of a token, for the JSON `text`.

        None if the token is not one that an edit can replace: only strings are, on one line.
        """
        return text if self.text[start : start + 1] == '"' else None

    def positions(self, offsets: Sequence[int]) -> list[tuple[int, int]]:
        """Return line and column, from 1, of ascending offsets; linear in the text."""
        line_start, line = self._begin
        counted, line = line_start, line + self.line_offset
        result: list[tuple[int, int]] = []
        for offset in offsets:
            newlines = self.text.count("\n", counted, offset)
            if newlines:
                line += newlines
                line_start = self.text.rindex("\n", counted, offset) + 1
            counted = offset
            result.append((line, offset - line_start + 1))
        return result
