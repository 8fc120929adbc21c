"""Places: which name or value of a text the cursor is at; here, in JSON and what is like it.

The text need not be JSON at the moment, see `jsontext.recovery`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, Literal, NamedTuple

from widgetschema.jsontext import Element, Member
from widgetschema.jsontext.recovery import MISSING
from widgetschema.jsontext.tokens import STRING
from widgetschema.lsp.documents import Part


class Place(NamedTuple):
    """The place of an offset in a text.

    At a "name", `tokens` lead to the object, and `member` is the one whose name it is, None if it
    has none yet. At a "value", `tokens` lead to the value. They begin at the `value` of the part.
    `start` and `end` are those of the name or the value, equal if there is none. `around` is the
    container, if there is one. If it `is_block`, it has no brackets, but is a block of YAML. `lead`
    is what has to stand between the text before the place and what is written there.
    """

    kind: Literal["name", "value"]
    tokens: tuple[str, ...]
    start: int
    end: int
    value: Any
    around: Element | None = None
    member: Member | None = None
    is_block: bool = False
    lead: str = ""

    def moved(self, by: int) -> Place:
        """Return the place in a text that has so many characters before."""
        return self._replace(start=self.start + by, end=self.end + by)


def place_in_json(part: Part, offset: int) -> Place | None:
    """Return the place of an offset in a text with the brackets of JSON, as `place_at` does."""
    text, element = part.text, part.root
    if element.kind != MISSING and not element.start <= offset <= element.end:
        return None
    around: Element | None = None
    tokens: tuple[str, ...] = ()
    while True:
        if not _is_inside(element, offset, text):
            start, end = _replaced(text, element, offset)
            return Place("value", tokens, start, end, part.value, around)
        around = element
        if element.kind == "object":
            index = bisect_left(element.members, offset, key=lambda one: one.key_start) - 1
            member = element.members[index] if index >= 0 else None
            if member is None or not _is_at_value(text, member, offset):
                return _name_place(part, tokens, element, member, offset)
            tokens, element = (*tokens, member.name), member.element
        else:
            index = bisect_right(element.items, offset, key=lambda one: one.start) - 1
            if index < 0 or element.items[index].end < offset:
                item = (*tokens, str(index + 1))
                return Place("value", item, offset, offset, part.value, element)
            tokens, element = (*tokens, str(index)), element.items[index]


def _is_inside(element: Element, offset: int, text: str) -> bool:
    """Return whether an offset is between the brackets of a container."""
    if element.kind not in ("object", "array") or offset <= element.start:
        return False
    if offset != element.end:
        return offset < element.end
    children = [*element.items[-1:], *(one.element for one in element.members[-1:])]
    inner_end = children[-1].end if children else element.start + 1
    return inner_end == offset or text[offset - 1] not in "}]"  # it is not closed


def _is_at_value(text: str, member: Member, offset: int) -> bool:
    """Return whether an offset behind the beginning of a member is at its value, not at a name."""
    value = member.element
    if offset <= member.key_end or offset > value.end > member.key_end:
        return False
    if value.kind == MISSING and value.start == value.end:
        between = text[member.key_end : offset]
        return ":" in between and "," not in between
    return offset >= value.start or ":" in text[member.key_end : offset]


def _name_place(
    part: Part, tokens: tuple[str, ...], element: Element, member: Member | None, offset: int
) -> Place:
    if member is None or offset > member.key_end:
        return Place("name", tokens, offset, offset, part.value, element)
    is_open = _is_open(part.text, member.key_start, member.key_end)
    end = offset if is_open else member.key_end
    return Place("name", tokens, member.key_start, end, part.value, element, member)


def _replaced(text: str, element: Element, offset: int) -> tuple[int, int]:
    if not element.start <= offset <= element.end:
        return offset, offset
    is_open = element.kind in ("string", MISSING) and _is_open(text, element.start, element.end)
    return element.start, offset if is_open else element.end


def _is_open(text: str, start: int, end: int) -> bool:
    """Return whether a token is a string that is not closed: what follows may be something else."""
    quote = text[start : start + 1]
    if quote == "'":
        return text[start:end].count("'") < 2
    return quote == '"' and STRING.match(text, start, end) is None
