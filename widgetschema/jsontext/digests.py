"""Digests of JSON values: texts with the same value have the same digest.

White space, escapes, the order of members and the spelling of numbers are no part of a value; every
digit of a number is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Final

from widgetschema.errors import UnreadableDocument
from widgetschema.jsontext.tree import Element, parse, scalar_value

_NUMBER: Final = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,9}))?")


def short_digest(parts: Iterable[str]) -> str:
    """Return a short digest of texts in their order."""
    whole = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def value_digest(root: Element) -> str:
    """Return the digest of a JSON value: equal for equal values, however they are written."""
    return short_digest([value_digests(root)[id(root)]])


def value_digests(root: Element) -> dict[int, str]:
    """Return a text for a JSON value and each value in it, equal for equal ones, by their `id`."""
    order = [root]
    for element in order:  # which grows meanwhile
        order.extend(member.element for member in element.members)
        order.extend(element.items)
    known: dict[int, str] = {}
    for element in reversed(order):
        if element.kind == "object":
            members = sorted((member.name, known[id(member.element)]) for member in element.members)
            known[id(element)] = short_digest(
                ["object", *(part for pair in members for part in pair)]
            )
        elif element.kind == "array":
            known[id(element)] = short_digest(
                ["array", *(known[id(item)] for item in element.items)]
            )
        else:
            known[id(element)] = _scalar(element)
    return known


def _scalar(element: Element) -> str:
    if element.kind == "string":
        return f'"{scalar_value(element.raw)}'
    return _number(element.raw) if element.kind == "number" else element.raw


def _number(raw: str) -> str:
    """Return a number as digits and exponent: the same for 1, 1.0 and 10e-1."""
    match = _NUMBER.fullmatch(raw)
    if match is None:  # an exponent beyond reason
        return raw
    sign, whole, fraction, exponent = match.groups(default="")
    digits = (whole + fraction).lstrip("0")
    plain = digits.rstrip("0")
    if not plain:
        return "0"
    return f"{sign}{plain}e{int(exponent or 0) - len(fraction) + len(digits) - len(plain)}"


def is_same_value(one: str, other: str) -> bool:
    """Return True if two texts are the same JSON value."""
    try:
        return one == other or value_digest(parse(one).root) == value_digest(parse(other).root)
    except UnreadableDocument:
        return False
