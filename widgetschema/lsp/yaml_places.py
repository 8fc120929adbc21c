"""Places in YAML: in blocks, the line and its indentation say what the cursor is at.

What may be written there is found by writing it: if a name, or a value, that nothing else has is
put into the text, the tree of that text says where it belongs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, Final, Literal

from widgetschema.formats.parsing import recover_value
from widgetschema.jsontext import Element, Member
from widgetschema.jsontext.recovery import MISSING
from widgetschema.lsp.documents import Part
from widgetschema.lsp.places import Place
from widgetschema.pointers import format_pointer, resolve_pointer

_PROBE: Final = "\ue0c5"
_BEFORE: Final = re.compile(r"[ \t]*+(?:-[ \t]++)*-?+\Z")  # what a line begins with
_BEHIND: Final = re.compile(r"[ \t]*+(?:#|[\r\n]|\Z)")
_BREAK: Final = re.compile(r"[\r\n]")


def place_in_yaml(part: Part, offset: int) -> Place | None:
    """Return the place of an offset if there is a name or a value."""
    place, _ = _found(part.text, part.root, part.value, offset)
    return place


def places_to_write(part: Part, offset: int) -> list[Place]:
    """Return the places that a name, or a value, would get if it were written at an offset."""
    text = part.text
    there, around = _found(part.text, part.root, part.value, offset)
    if there is not None and there.kind == "name":
        return [there]
    start, end = (offset, offset) if there is None else (there.start, there.end)
    raw = text[start:end]
    if _BREAK.search(raw):
        return []
    places = [there if there is not None else _probed(part, "value", offset, offset)]
    before = text[_line_start(text, start) : start]
    is_line = _BEFORE.match(before) and _BEHIND.match(text, end)
    is_flow = (
        around is not None
        and text.startswith("{", around.start)
        and text[:start].rstrip().endswith(("{", ","))
    )
    if (is_line or is_flow) and not raw.startswith(("'", '"')):
        places.append(_probed(part, "name", start, end))
    return [place for place in places if place is not None]


def _found(
    text: str, root: Element, value: Any, offset: int
) -> tuple[Place | None, Element | None]:
    """Return the name or the value that is at an offset, and the container around it."""
    element, tokens = root, tuple[str, ...]()
    around: Element | None = None
    while element.kind in ("object", "array") and element.start <= offset <= element.end:
        around = element
        is_object = element.kind == "object"
        children = element.members if is_object else element.items
        index = bisect_right(children, offset, key=_start) - 1
        if index < 0:
            return None, around
        child = children[index]
        if isinstance(child, Element):
            element, tokens = child, (*tokens, str(index))
            continue
        if offset <= child.key_end:
            span = child.key_start, child.key_end
            is_block = not _is_flow(text, around)
            return Place("name", tokens, *span, value, around, child, is_block), around
        element, tokens = child.element, (*tokens, child.name)
    is_there = element.start <= offset <= element.end and element.start < element.end
    if element.kind in ("object", "array", MISSING) or not is_there:
        return None, around
    is_block = around is None or not _is_flow(text, around)
    span = element.start, element.end
    return Place("value", tokens, *span, value, around, is_block=is_block), around


def _start(child: Member | Element) -> int:
    return child.start if isinstance(child, Element) else child.key_start


def _is_flow(text: str, container: Element) -> bool:
    return text.startswith(("{", "["), container.start)


def _probed(part: Part, kind: Literal["name", "value"], start: int, end: int) -> Place | None:
    """Return the place of a name or a value between two offsets, None if there can be none."""
    lead = " " if start > 0 and part.text[start - 1] in ":-" else ""
    probe = f"{lead}{_PROBE}{': ' if kind == 'name' else ''}"
    text = f"{part.text[:start]}{probe}{part.text[end:]}"
    recovered = recover_value(text, "yaml")
    place, _ = _found(text, recovered.root, recovered.value, start + len(lead))
    if place is None or place.kind != kind or text[place.start : place.end] != _PROBE:
        return None
    value = _without_probe(place.value, place.tokens + ((_PROBE,) if kind == "name" else ()))
    return place._replace(start=start, end=end, value=value, lead=lead)


def _without_probe(value: Any, tokens: tuple[str, ...]) -> Any:
    """Return a value in which nothing is at the place of the probe."""
    if not tokens:
        return None
    container = resolve_pointer(value, format_pointer(tokens[:-1]), None)
    if type(container) is list:
        container[int(tokens[-1])] = None
    elif type(container) is dict:
        container.pop(tokens[-1], None)
    return value


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
