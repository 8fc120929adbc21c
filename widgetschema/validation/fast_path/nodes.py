"""What a typed lane sees of a node at a glance, and the classes that objects are decoded to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from widgetschema.schema.tree import Node
from widgetschema.validation.fast_path.parts import Check, Inexpressible, Parts, any_of
from widgetschema.validation.fast_path.rests import count_members

_SAYING_NOTHING: Final = frozenset(
    "$id $schema $comment title description default examples readOnly definitions".split()
)


class Pins(NamedTuple):
    """What the root object must have: members with a text (any, if None), members at all."""

    texts: Mapping[str, str | None] = {}
    present: Collection[str] = ()


class Tag(NamedTuple):
    """The member, and its text, that tells the objects of one branch from those of others."""

    name: str
    text: str


def field_of(attribute: str, name: str, type_: Any, required: bool) -> tuple[str, Any, Any]:
    """A member, as a field of a class."""
    if required:
        return attribute, type_, msgspec.field(name=name)
    field = msgspec.field(name=name, default=msgspec.UNSET)
    return attribute, any_of([type_, msgspec.UnsetType]), field


def class_of(fields: list[tuple[str, Any, Any]], tag: Tag | None) -> type:
    """A class of its own for objects that have these members, in this order, and no others."""
    return msgspec.defstruct(
        "Members",
        fields,
        forbid_unknown_fields=True,
        gc=False,
        kw_only=True,
        tag_field=tag and tag.name,
        tag=tag and tag.text,
    )


def says_nothing(node: Node) -> bool:
    """Whether a node accepts everything, on the face of it."""
    return not node.key.refused and all(
        schema is True or (type(schema) is dict and schema.keys() <= _SAYING_NOTHING)
        for _, schema in node.schemas
    )


def texts_of(node: Node, name: str) -> tuple[str, ...]:
    """The texts, and nothing else, that a member must have; none if it is not as simple as that."""
    child = node.child(name)
    if node.values is not None:
        return ()
    if name not in node.required or child.choices or child.key.refused or name in node.absent:
        return ()
    values = child.values or ()
    return tuple(dict.fromkeys(values)) if all(type(value) is str for value in values) else ()


def at_once(parts: Parts) -> None:
    """Raises `Inexpressible` if the engine decides about each: it better does about all at once."""
    if all(part.plain for part in parts.values()):
        raise Inexpressible


def counted(node: Node, fields: int, required: int, tag: Tag | None) -> Check | None:
    """What `minProperties` and `maxProperties` leave to check of a class."""
    least, most = node.least("minProperties"), node.most("maxProperties")
    if tag is not None:
        least, most, required = least - 1, None if most is None else most - 1, required - 1
    fields_most = most is not None and most < fields
    if least <= required and not fields_most:
        return None
    return count_members(fields, least, most if fields_most else None)


def names_of(root: Node, pins: Pins | None) -> frozenset[str] | None:
    """All names that the root object can have; None if it need not be an object, or may have
    others.
    """
    if pins is None and set(root.kinds) != {"object"}:
        return None
    if root.patterns or not root.closed or root.choices:
        return None
    return frozenset((*root.properties, *root.required))
