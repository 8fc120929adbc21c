"""The way through a JSON text to the places of some JSON Pointers.

The text has been read already, so it is known to be JSON: this scan only has to find its
way. It goes down where a wanted pointer leads, and jumps over everything else with one
regular expression per bracket.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from widgetschema.jsontext.positions import Location

_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_SCALAR: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|[^\s,\]}]++', re.DOTALL)
_TO_BRACKET: Final = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+[\[\]{}]', re.DOTALL)


def search(text: str, wanted: dict[Any, Any], number: int, found: dict[str, Location]) -> None:
    """Fill `found` for the tree `wanted`: token → subtree, None → the pointer itself.

    What is behind the last one, of this `number`, is not looked at.
    """
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
    while open_containers and len(found) < number:
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
