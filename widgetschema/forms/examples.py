"""Examples of valid values, for sentences such as "Enter a number, for example 3".

An example is never a guess: the schemas that apply to the place accept it. What a schema gives
itself (`examples`, `default`) comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, Final

from widgetschema.samples.values.regular import TextPattern
from widgetschema.schema.keywords import FORMATS
from widgetschema.validation import Validator

_NUMBERS: Final = (3, 5, 10, 1, 2, 12, 20, 50, 100, 0.5, 0, -1, 1.5)
_USUAL: Final = (
    "small-shop", "Small shop", "shop", "SHOP", "1.2.3", "12345", "10", "DE", "en-US", "#1a2b3c",
    "#1A2B3C", "16px", "50%", "09:30", "photo.png", "photo.jpg", "menu.json", "index.html", "@name",
    "DE-12", "+49 30 123456", "center", "rgb(26, 43, 60)", *dict.fromkeys(FORMATS.values()),
)  # fmt: skip
_SENSIBLE: Final = re.compile(r"[A-Za-z0-9_.:/#@-]{1,24}")  # of what is made for a pattern
_LONGEST: Final = 60  # characters of an example
_TRIES: Final = 6
_MOST_EXACT: Final = 2**53
_MOST_KNOWN: Final = 1_000


class Examples:
    """Examples for the places of one schema, made on demand and kept.

    Safe to share among threads: two may make the same example.
    """

    def __init__(self, validator: Validator) -> None:
        self._validator = validator
        self._known = lru_cache(_MOST_KNOWN)(self._found)

    def schema(self, pointer: str) -> Any:
        """Return the subschema at a pointer, references followed."""
        linked = self._validator.linked
        return linked.at.get(linked.target(pointer))

    def number(self, pointers: tuple[str, ...]) -> Any:
        """Return a number that all schemas at the pointers accept; None if none was found."""
        return self._known("number", pointers)

    def text(self, pointers: tuple[str, ...]) -> Any:
        """Return a short text that all schemas at the pointers accept; None if none was found."""
        return self._known("text", pointers)

    def _found(self, kind: str, pointers: tuple[str, ...]) -> Any:
        schemas = [one for one in map(self.schema, pointers) if type(one) is dict]
        made = _numbers(schemas) if kind == "number" else _texts(schemas)
        types = (int, float) if kind == "number" else (str,)
        for value in (*_given(schemas), *made):
            if type(value) in types and self._accepts(pointers, value):
                return value
        return None

    def _accepts(self, pointers: tuple[str, ...], value: Any) -> bool:
        if type(value) is str and not (value.isprintable() and 0 < len(value.strip()) <= _LONGEST):
            return False
        return all(self._validator.fits(pointer, value) for pointer in pointers)


def _given(schemas: list[dict[str, Any]]) -> Iterator[Any]:
    for schema in schemas:
        yield from schema.get("examples", ())
    for schema in schemas:
        yield schema.get("default")


def _numbers(schemas: list[dict[str, Any]]) -> Iterator[int | float]:
    """Yield ordinary numbers, and those at the bounds."""
    yield from _NUMBERS
    for schema in schemas:
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
            limit = schema.get(keyword)
            if limit is None or abs(limit) > _MOST_EXACT:
                continue
            step = schema.get("multipleOf", 1)
            yield from (limit, limit + step, limit - step, limit + 0.5, limit - 0.5)
            if abs(step) > 0:
                yield from (-(-limit // step) * step, limit // step * step)


def _texts(schemas: list[dict[str, Any]]) -> Iterator[str]:
    """Yield texts for formats and patterns."""
    for schema in schemas:
        yield from filter(None, [FORMATS.get(str(schema.get("format")))])
    for schema in schemas:
        if type(schema.get("pattern")) is str:
            yield from _USUAL
            yield from filter(_SENSIBLE.fullmatch, _matching(schema["pattern"], schemas))


def _matching(pattern: str, schemas: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield texts that a pattern matches, of ordinary length first."""
    least = max((int(one.get("minLength", 0)) for one in schemas), default=0)
    most = min((int(one["maxLength"]) for one in schemas if "maxLength" in one), default=_LONGEST)
    if least > _LONGEST:
        return
    maker = TextPattern(pattern)
    random = Random(pattern)  # noqa: S311  # the same example each time
    for attempt in range(_TRIES):
        below = random.randrange if attempt < _TRIES - 1 else _simplest
        text = maker.make(below, max(least, min(4, most)) if attempt < 2 else least, most)
        if text is not None:
            yield text


def _simplest(limit: int) -> int:
    return 0
