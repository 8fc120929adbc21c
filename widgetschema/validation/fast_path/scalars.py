"""Texts, numbers and listed values, as types; what these cannot say is left to the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from widgetschema.schema.tree import Node
from widgetschema.validation.engines.engine import FORMATS
from widgetschema.validation.fast_path.parts import (
    Check,
    Inexpressible,
    Part,
    Parts,
    any_of,
    is_text,
)

_EXACT: Final = 2**53  # bounds up to here are the same for integers and doubles
_SAID_OF_STRINGS: Final = ("pattern", "format", "contentEncoding", "contentMediaType")
_SAID_OF_SCALARS: Final = (
    *_SAID_OF_STRINGS,
    *("type", "minLength", "maxLength", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)

TEXT: Final = Part(str, (str,))
NUMBER: Final = Part(int | float, (int, float))
PLAIN: Final[dict[str, tuple[Any, tuple[type, ...]]]] = {
    "string": (str, (str,)),
    "number": (int | float, (int, float)),
    "boolean": (bool, (bool,)),
    "null": (None, (type(None),)),
    "array": (list[Any], (list,)),
    "object": (dict[str, Any], (dict,)),
}
"""By kind: the type that takes all of it, and the classes of what is decoded."""


class Scalars:
    """The types of scalars. `leaf` compiles a schema about these."""

    def __init__(self, leaf: Callable[[Any], Check], *, formats: bool) -> None:
        self._leaf = leaf
        self._formats = formats

    def values(self, node: Node) -> tuple[Any, ...]:
        """The values of `enum` and `const` that are what else is said of scalars."""
        values, decide = node.values or (), self._rest(node, _SAID_OF_SCALARS)
        return tuple(value for value in values if decide is None or decide(value))

    def of_values(self, node: Node) -> Parts:
        """The scalars of `enum` and `const`."""
        values = self.values(node)
        parts: Parts = {}
        texts = tuple(value for value in values if type(value) is str and is_text(value))
        if texts:
            parts["string"] = Part(Literal[texts], (str,))
        integers = tuple(v for v in values if type(v) is int and abs(v) < _EXACT)
        if integers:
            parts["number"] = Part(Literal[integers], (int,))
        truths = {value for value in values if type(value) is bool}
        if truths:
            check = None if len(truths) == 2 else truths.__contains__
            parts["boolean"] = Part(bool, (bool,), check)
        if None in values:
            parts["null"] = Part(None, (type(None),))
        return parts

    def string(self, node: Node) -> Part:
        plain = sized(str, node, "minLength", "maxLength")
        return Part(plain, (str,), self._rest(node, _SAID_OF_STRINGS))

    def number(self, node: Node) -> Part:
        bounds: dict[str, Any] = {}
        left = ["multipleOf"]
        for limit, words in (
            (node.minimum, ("ge", "gt", "minimum", "exclusiveMinimum")),
            (node.maximum, ("le", "lt", "maximum", "exclusiveMaximum")),
        ):
            if limit is None:
                continue
            if abs(limit.value) <= _EXACT and limit.value == int(limit.value):
                bounds[words[1] if limit.excluded else words[0]] = int(limit.value)
            else:
                left += words[2:]
        plain = [int] if node.integer else [int, float]
        made = [Annotated[one, msgspec.Meta(**bounds)] if bounds else one for one in plain]
        return Part(any_of(made), (int, float), self._rest(node, left))

    def _rest(self, node: Node, keywords: Sequence[str]) -> Check | None:
        """The engine's answer to these keywords; None if nothing is said under them."""
        said = []
        for _, schema in node.schemas:
            if type(schema) is dict:
                rest = {word: schema[word] for word in keywords if word in schema}
                if not self._formats or rest.get("format") not in FORMATS:
                    rest.pop("format", None)
                if not self._formats:
                    rest.pop("contentEncoding", None)
                    rest.pop("contentMediaType", None)
                if rest and rest not in said:
                    said.append(rest)
        if not said:
            return None
        return self._leaf(said[0] if len(said) == 1 else {"allOf": said})


def sized(plain: Any, node: Node, least: str, most: str) -> Any:
    """A type with a least and a greatest length."""
    bounds: dict[str, Any] = {}
    if node.least(least):
        bounds["min_length"] = node.least(least)
    limit = node.most(most)
    if limit is not None:
        bounds["max_length"] = limit
    if any(bound >= _EXACT for bound in bounds.values()):
        raise Inexpressible
    return Annotated[plain, msgspec.Meta(**bounds)] if bounds else plain
