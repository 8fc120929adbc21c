"""Effects of JavaScript on data before any library has seen it.

A number is a double there (ECMA 262, section 6.1.6.1), and members whose names look like the
index of an array come before all others (section 10.1.11).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from widgetschema.forms.exports.export import Loss
from widgetschema.jsontext.tree import Element
from widgetschema.text import shorten

# What every object has in JavaScript.
INHERITED: Final = frozenset(
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ constructor "
    "hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf".split()
)
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_INDEX: Final = 2**32 - 2
_MAX_NUMBER: Final = 40  # characters of a number that are shown


def javascript_losses(root: Element, at: str) -> Iterator[Loss]:
    """Yield what JavaScript itself loses of the data."""
    for path, element in root.walk(at):
        if element.kind == "number":
            yield from _number_losses(path, element.raw)
        elif element.kind == "object":
            names = [member.name for member in element.members]
            if names != javascript_order(names):
                message = (
                    "properties whose names are whole numbers come first, in ascending order: "
                    "JavaScript keeps no other"
                )
                yield Loss("data", path, message)


def inherited_member_loss(path: str) -> Loss:
    """Return the loss for an absent member that every object inherits: Ajv sees it."""
    message = "Ajv takes what every object inherits for this property, and may refuse the data"
    return Loss("checking", path, message)


def javascript_order(names: list[str]) -> list[str]:
    """Return the names of an object's members in the order of JavaScript."""
    indexes = [name for name in names if _INDEX.fullmatch(name) and int(name) <= _LAST_INDEX]
    indexes.sort(key=int)
    known = set(indexes)
    return [*indexes, *(name for name in names if name not in known)]


def _number_losses(path: str, raw: str) -> Iterator[Loss]:
    shown = shorten(raw, _MAX_NUMBER)
    value = float(raw)
    if math.isinf(value):
        yield Loss("data", path, f"{shown} becomes null: it is beyond the range of a double")
        return
    text = number_text(value)
    if text == raw:
        return
    if _is_zero(raw) if value == 0 else Decimal(text) == Decimal(raw):
        yield Loss("spelling", path, f"{shown} is written {text}")
    else:
        yield Loss("data", path, f"{shown} becomes {text}: JavaScript has only doubles")


def _is_zero(raw: str) -> bool:
    """Return True if a number is written as 0, and not just too small for a double."""
    return not any(digit in "123456789" for digit in re.split("[eE]", raw)[0])


def number_text(value: float) -> str:
    """Return a finite double as JavaScript writes it (ECMA 262, section 6.1.6.1.20)."""
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + int(exponent)
    if len(text) <= point <= 21:
        shown = text + "0" * (point - len(text))
    elif 0 < point <= 21:
        shown = f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        shown = f"0.{'0' * -point}{text}"
    else:
        fraction = f".{text[1:]}" if len(text) > 1 else ""
        shown = f"{text[0]}{fraction}e{point - 1:+d}"
    return f"-{shown}" if sign else shown
