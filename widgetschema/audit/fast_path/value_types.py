"""The parts of a type: one kind of value each, and what is left to check of it."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, NewType, Union

import msgspec

from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.tree import Node

Check = Callable[[Any], bool]


class Inexpressible(Exception):
    """A value_type of a schema has no type."""


class TooDeep(Inexpressible):
    """A recursive schema has been followed into itself as often as is worth it."""


class ValueType(NamedTuple):
    """One kind of value: its type, the Python classes of what is decoded, and what is left to
    check of it; `plain` if the engine checks all of it.
    """

    type: Any
    classes: tuple[type, ...]
    check: Check | None = None
    plain: bool = False


ValueTypes = dict[str, ValueType]  # by kind


def pinned(value_type: ValueType, text: str | None) -> ValueType:
    """Return the type of a string that must be one text."""
    if text is None:
        return value_type
    if not is_text(text):
        raise Inexpressible
    if value_type.type is str and value_type.check is None:
        return ValueType(Literal[text], (str,))
    return value_type._replace(check=all_of(text.__eq__, value_type.check))


def non_empty(value_types: ValueTypes) -> ValueTypes:
    """Return the types, or raise `Inexpressible` if there are none."""
    if not value_types:
        raise Inexpressible
    return value_types


def union(value_types: ValueTypes) -> Any:
    """Return the union of the types of all kinds."""
    return any_of([value_type.type for value_type in value_types.values()])


def any_of(types: Sequence[Any]) -> Any:
    """Return the union of some types."""
    return Union[tuple(types)]  # noqa: UP007 - their number is not known


def anything(levels: int) -> ValueTypes:
    """Any value, nested at most so many levels deep."""
    scalars = {kind: ValueType(*PLAIN[kind]) for kind in ("string", "number", "boolean", "null")}
    if levels <= 0:
        return scalars
    inner = _nested(levels - 1)
    return {
        **scalars,
        "array": ValueType(types.GenericAlias(list, inner), (list,)),
        "object": ValueType(types.GenericAlias(dict, (str, inner)), (dict,)),
    }


@cache
def _nested(levels: int) -> Any:
    """Return the type of any value. It has a name, or msgspec would expand it for each member."""
    return NewType("Anything", union(anything(levels)))


def is_text(text: str) -> bool:
    """Return whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_name(name: str) -> bool:
    """Return whether msgspec takes the name of a member: nothing in it needs an escape."""
    return is_text(name) and not any(one < " " or one in '"\\' for one in name)


# What is left to check, composed


def check_of(value_types: ValueTypes) -> Check | None:
    """Return the check that remains for a value of any of these kinds."""
    if len(value_types) == 1:
        return next(iter(value_types.values())).check
    table = {
        kind: value_type.check
        for value_type in value_types.values()
        if value_type.check is not None
        for kind in value_type.classes
    }
    return by_class(table) if table else None


def by_class(table: Mapping[type, Check]) -> Check:
    """Return the check that remains for a value, by its class."""

    def check(value: Any) -> bool:
        inner = table.get(type(value))
        return inner is None or inner(value)

    return check


def attributes(checks: list[tuple[str, Check]]) -> Check:
    """Return the check of some attributes of a class."""
    unset = msgspec.UNSET

    def check(value: Any) -> bool:
        for attribute, inner in checks:
            member = getattr(value, attribute)
            if member is not unset and not inner(member):
                return False
        return True

    return check


def all_of(one: Check | None, other: Check | None) -> Check | None:
    """Return the check that both checks pass."""
    if one is None or other is None:
        return one or other
    return lambda value: one(value) and other(value)


def each(check: Check) -> Check:
    """Return the check of every item."""
    return lambda items: all(map(check, items))


def each_member(check: Check) -> Check:
    """Return the check of every member of a map."""
    return lambda members: all(map(check, members.values()))


_EXACT: Final = 2**53  # bounds up to here are the same for integers and doubles
_SAID_OF_STRINGS: Final = ("pattern", "format", "contentEncoding", "contentMediaType")
_SAID_OF_SCALARS: Final = (
    *_SAID_OF_STRINGS,
    *("type", "minLength", "maxLength", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)

TEXT: Final = ValueType(str, (str,))
NUMBER: Final = ValueType(int | float, (int, float))
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
        """Return the values of `enum` and `const` that satisfy all else that is said of scalars."""
        values, decide = node.values or (), self._residual_check(node, _SAID_OF_SCALARS)
        return tuple(value for value in values if decide is None or decide(value))

    def of_values(self, node: Node) -> ValueTypes:
        """Return the scalars of `enum` and `const`."""
        values = self.values(node)
        value_types: ValueTypes = {}
        texts = tuple(value for value in values if type(value) is str and is_text(value))
        if texts:
            value_types["string"] = ValueType(Literal[texts], (str,))
        integers = tuple(v for v in values if type(v) is int and abs(v) < _EXACT)
        if integers:
            value_types["number"] = ValueType(Literal[integers], (int,))
        truths = {value for value in values if type(value) is bool}
        if truths:
            check = None if len(truths) == 2 else truths.__contains__
            value_types["boolean"] = ValueType(bool, (bool,), check)
        if None in values:
            value_types["null"] = ValueType(None, (type(None),))
        return value_types

    def string(self, node: Node) -> ValueType:
        """Return the type of a string."""
        plain = sized(str, node.least("minLength"), node.most("maxLength"))
        return ValueType(plain, (str,), self._residual_check(node, _SAID_OF_STRINGS))

    def number(self, node: Node) -> ValueType:
        """Return the type of a number."""
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
        return ValueType(any_of(made), (int, float), self._residual_check(node, left))

    def _residual_check(self, node: Node, keywords: Sequence[str]) -> Check | None:
        """Return the engine's answer to these keywords; None if no schema has them."""
        said = []
        for _, schema in node.schemas:
            if type(schema) is dict:
                residual = {word: schema[word] for word in keywords if word in schema}
                if not self._formats or residual.get("format") not in FORMATS:
                    residual.pop("format", None)
                if not self._formats:
                    residual.pop("contentEncoding", None)
                    residual.pop("contentMediaType", None)
                if residual and residual not in said:
                    said.append(residual)
        if not said:
            return None
        return self._leaf(said[0] if len(said) == 1 else {"allOf": said})


def sized(plain: Any, least: int, most: int | None) -> Any:
    """Return a type with a least and a greatest length."""
    bounds: dict[str, Any] = {}
    if least:
        bounds["min_length"] = least
    if most is not None:
        bounds["max_length"] = most
    if any(bound >= _EXACT for bound in bounds.values()):
        raise Inexpressible
    return Annotated[plain, msgspec.Meta(**bounds)] if bounds else plain
