"""Parts of a typed lane's types: one kind of value each, and what is left to check of it."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, NewType, Union

import msgspec

Check = Callable[[Any], bool]


class Inexpressible(Exception):
    """A part of a schema has no type."""


class TooDeep(Inexpressible):
    """A recursive schema has been followed into itself as often as is worth it."""


class Part(NamedTuple):
    """One kind of value: its type, the Python classes of what is decoded, and what is left to
    check of it; `plain` if the engine checks all of it.
    """

    type: Any
    classes: tuple[type, ...]
    check: Check | None = None
    plain: bool = False


Parts = dict[str, Part]  # by kind


def pinned(part: Part, text: str | None) -> Part:
    """The part of a kind of text that leaves one text."""
    if text is None:
        return part
    if not is_text(text):
        raise Inexpressible
    if part.type is str and part.check is None:
        return Part(Literal[text], (str,))
    return part._replace(check=both(text.__eq__, part.check))


def some(parts: Parts) -> Parts:
    if not parts:
        raise Inexpressible
    return parts


def union(parts: Parts) -> Any:
    return any_of([part.type for part in parts.values()])


def any_of(types: Sequence[Any]) -> Any:
    return Union[tuple(types)]  # noqa: UP007 - their number is not known


def anything(levels: int) -> Parts:
    """Any value, nested at most so many levels deep."""
    scalars: Parts = {
        "string": Part(str, (str,)),
        "number": Part(int | float, (int, float)),
        "boolean": Part(bool, (bool,)),
        "null": Part(None, (type(None),)),
    }
    if levels <= 0:
        return scalars
    inner = _nested(levels - 1)
    return {
        **scalars,
        "array": Part(types.GenericAlias(list, inner), (list,)),
        "object": Part(types.GenericAlias(dict, (str, inner)), (dict,)),
    }


@cache
def _nested(levels: int) -> Any:
    """The type of any value. It has a name, since what has none is taken apart for each member."""
    return NewType("Anything", union(anything(levels)))


def is_text(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_name(name: str) -> bool:
    """Whether the library takes the name of a member: as long as nothing in it is escaped."""
    return is_text(name) and not any(one < " " or one in '"\\' for one in name)


# What is left to check, composed


def check_of(parts: Parts) -> Check | None:
    """What is left to check of a value of any of these kinds."""
    if len(parts) == 1:
        return next(iter(parts.values())).check
    table = {
        kind: part.check
        for part in parts.values()
        if part.check is not None
        for kind in part.classes
    }
    return by_class(table) if table else None


def by_class(table: Mapping[type, Check]) -> Check:
    """What is left to check of a value, by its class; nothing of those that are not there."""

    def check(value: Any) -> bool:
        inner = table.get(type(value))
        return inner is None or inner(value)

    return check


def attributes(checks: list[tuple[str, Check]]) -> Check:
    unset = msgspec.UNSET

    def check(value: Any) -> bool:
        for attribute, inner in checks:
            member = getattr(value, attribute)
            if member is not unset and not inner(member):
                return False
        return True

    return check


def both(one: Check | None, other: Check | None) -> Check | None:
    if one is None or other is None:
        return one or other
    return lambda value: one(value) and other(value)


def each(check: Check) -> Check:
    return lambda items: all(map(check, items))


def each_in_turn(checks: Sequence[Check | None]) -> Check | None:
    """What is left to check of the items of a tuple."""
    asked = [(index, check) for index, check in enumerate(checks) if check is not None]
    if not asked:
        return None
    return lambda items: all(check(items[index]) for index, check in asked)


def each_member(check: Check) -> Check:
    return lambda members: all(map(check, members.values()))
