"""Types of `msgspec` that say what a schema tree says: never more than the schema accepts.

A place becomes the first of these that will do:

- a type: scalars, lists, maps, objects as classes of their own; alternatives between kinds, and
  between objects that a required member with a text of its own tells apart; recursion, some levels
  deep;
- a type, and a check behind the decoder: the engine is asked about a scalar (`pattern`, `format`,
  `not` …), about some members of an object (`if`, `not`, `dependencies`, `anyOf` and `oneOf`, if
  these name the members that they look at, else about all), or about names (`propertyNames`);
- anything of the right kind, and the engine's answer about all of it: whatever else there is. An
  array or a map of such is one.

An array whose items are described one by one is a list if they are all alike, else the last of
these. It is never a `tuple` of a fixed length: `msgspec` (0.22.0) takes that length, and the bounds
of another type in the same union, for each other, and reads memory that is not its own.

A type may refuse what the schema accepts: members whose names would have to be escaped, members
without a value, levels beyond those that recursion is followed, values nested deep where the
schema says nothing. What must be there and cannot be said leads to the next in the list above;
at the root to none at all: `Inexpressible`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from widgetschema.audit.fast_path.residual_checks import (
    ResidualCheck,
    ResidualChecks,
    count_members,
    shallow,
    some_members,
)
from widgetschema.audit.fast_path.value_types import (
    NUMBER,
    PLAIN,
    TEXT,
    Check,
    Inexpressible,
    Scalars,
    TooDeep,
    ValueType,
    ValueTypes,
    all_of,
    any_of,
    anything,
    attributes,
    by_class,
    check_of,
    each,
    each_member,
    is_name,
    non_empty,
    pinned,
    sized,
    union,
)
from widgetschema.schema.tree import Choice, Node

Path = tuple[Any, ...]  # names of members, ITEM for any item, MEMBER for any member
Order = Callable[[Path, Sequence[str], bool], list[str] | None]
"""Names of the members of the object at a path, in the order of the texts, given those that the
schema names, and whether it may have others; None if no text has the same."""

ITEM: Final = 0
MEMBER: Final = 1
# How often a recursive schema is followed into itself, if all is said in so many nodes.
_ATTEMPTS: Final = ((8, 1000), (2, 4000))
_LEVELS: Final = 4  # how deep a value may be nested that the schema says nothing of
_CONTAINERS: Final = ("array", "object")
_NO_ITEMS: Final = ValueType(Annotated[list[None], msgspec.Meta(max_length=0)], (list,))
_NO_MEMBERS: Final = ValueType(Annotated[dict[str, None], msgspec.Meta(max_length=0)], (dict,))


class TypeBuilder:
    """Makes one type. `leaf` compiles a schema about scalars; `places` (afterwards) are the paths
    of the objects whose members have an order.
    """

    def __init__(
        self,
        leaf: Callable[[Any], Check],
        residual: ResidualChecks,
        order: Order,
        *,
        formats: bool,
        max_depth: int,
        pins: Pins | None = None,
    ) -> None:
        self.places: set[Path] = set()
        self._leaf = leaf
        self._scalars = Scalars(leaf, formats=formats)
        self._residual = residual
        self._order = order
        self._max_depth = max_depth
        self._pins = pins
        self._again, self._left = _ATTEMPTS[0]
        self._classes = 0  # made so far: no engine knows what these decode
        self._open: list[Node] = []

    def build(self, root: Node) -> tuple[Any, Check | None]:
        """Return the type of a node, and what is left to check. Raises `Inexpressible`."""
        node = root if self._pins is None else root.of_kind("object")
        value_types: ValueTypes = {}
        for self._again, self._left in _ATTEMPTS:
            self.places.clear()
            value_types = self._value_types(node, (), 0)
            if self._left >= 0:
                break
        if all(value_type.plain for value_type in value_types.values()):
            raise Inexpressible  # that is what the long way does, in the same time
        return union(value_types), check_of(value_types)

    def _value_types(self, node: Node, path: Path, depth: int) -> ValueTypes:
        self._left -= 1
        if accepts_anything(node) and not (self._pins is not None and path == ()):
            return anything(min(_LEVELS, self._max_depth - depth))
        if self._open.count(node) >= self._again:
            raise TooDeep
        if self._left < 0:
            return self._plain(node, path, depth)
        self._open.append(node)
        places = set(self.places)
        try:
            if node.choices or node.key.refused:
                return self._awkward(node, path, depth)
            if node.values is not None:
                return self._enumerated(node, path, depth)
            return self._kinds(node, path, depth)
        except TooDeep:
            raise
        except Inexpressible:
            self.places = places
            return self._plain(node, path, depth)
        finally:
            self._open.pop()

    def _plain(self, node: Node, path: Path, depth: int) -> ValueTypes:
        """Return the types that decode anything of the right kind, of which the engine decides."""
        if self._pins is not None and path == ():
            raise Inexpressible  # the pins would not be checked
        levels = self._max_depth - depth
        value_types: ValueTypes = {}
        for kind in node.kinds:
            decide, (type_, classes) = self._residual.whole(node), PLAIN[kind]
            if kind in _CONTAINERS:
                if levels <= 0:
                    continue
                decide = shallow(decide, levels)
            value_types[kind] = ValueType(type_, classes, decide, plain=True)
        return non_empty(value_types)

    # `anyOf`, `oneOf`, and what is left of an object when its members have a type

    def _awkward(self, node: Node, path: Path, depth: int) -> ValueTypes:
        choice = next(iter(node.choices), None)
        if choice is not None and choice.keyword in ("anyOf", "oneOf"):
            places = set(self.places)
            try:
                return self._chosen(node, choice, path, depth)
            except TooDeep:
                raise
            except Inexpressible:
                self.places = places
        if node.kinds != ("object",) or node.values is not None or depth >= self._max_depth:
            raise Inexpressible
        return {"object": self._object(node, path, depth)}

    def _chosen(self, node: Node, choice: Choice, path: Path, depth: int) -> ValueTypes:
        decided = node.key.decided | {choice.place}
        if choice.keyword == "anyOf":
            places = [place for branch in choice.branches for place in branch.pointers]
            if any(accepts_anything(node.tree.node([place])) for place in places):
                return self._value_types(node.narrowed(decided=decided), path, depth)
        branches = [node.narrowed(one.pointers, decided=decided) for one in choice.branches]
        branches = [branch for branch in branches if branch.kinds]
        if all(branch.kinds == ("object",) for branch in branches) and len(branches) > 1:
            return {"object": self._tagged(branches, path, depth)}
        if choice.keyword == "oneOf":
            kinds = [kind for branch in branches for kind in branch.kinds]
            if len(kinds) != len(set(kinds)):
                raise Inexpressible  # a value could match two branches
        merged: ValueTypes = {}
        for branch in branches:
            for kind, value_type in self._followed(branch, path, depth).items():
                known = merged.get(kind)
                if known is None or value_type in (TEXT, NUMBER):
                    merged[kind] = value_type
                elif known not in (TEXT, NUMBER, value_type):
                    if kind in _CONTAINERS:
                        raise Inexpressible
                    plain, classes = PLAIN[kind]
                    merged[kind] = ValueType(plain, classes, self._residual.whole(node), plain=True)
        if not merged:
            raise TooDeep
        return merged

    def _followed(self, node: Node, path: Path, depth: int) -> ValueTypes:
        """Return the types of a node; none where a recursive schema is not followed further."""
        try:
            return self._value_types(node, path, depth)
        except TooDeep:
            return {}

    def _tagged(self, branches: list[Node], path: Path, depth: int) -> ValueType:
        """Objects that a member tells apart."""
        made: dict[str, ValueType] = {}
        for name in branches[0].required:
            tags = [tag_texts(branch, name) for branch in branches]
            texts = [text for one in tags for text in one]
            if all(tags) and len(texts) == len(set(texts)) and is_name(name):
                break
        else:
            raise Inexpressible
        if depth >= self._max_depth or not all(map(is_name, texts)):
            raise Inexpressible
        pin = self._pins.texts.get(name) if self._pins is not None and path == () else None
        for branch, mine in zip(branches, tags, strict=True):
            allowed = self._scalars.values(branch.child(name))
            for text in mine:
                if text in allowed and pin in (None, text):
                    with suppress(TooDeep):
                        made[text] = self._object(branch, path, depth, Tag(name, text))
        if not made or any(value_type.plain for value_type in made.values()):
            raise Inexpressible
        if len(made) == 1:  # the decoder asks for a tag only where it tells classes apart
            [text] = made
            never = class_of([], Tag(name, f"{text}'"))
            made[f"{text}'"] = ValueType(never, (never,), lambda value: False)
        checks = {
            value_type.classes[0]: value_type.check
            for value_type in made.values()
            if value_type.check is not None
        }
        types_ = tuple(value_type.classes[0] for value_type in made.values())
        return ValueType(any_of(types_), types_, by_class(checks) if checks else None)

    # By kind

    def _enumerated(self, node: Node, path: Path, depth: int) -> ValueTypes:
        """Return the scalars of `enum` and `const`; the engine decides about objects and arrays."""
        value_types = self._scalars.of_values(node)
        if any(type(value) in (dict, list) for value in node.values or ()):
            plain = self._plain(node, path, depth)
            value_types |= {kind: plain[kind] for kind in _CONTAINERS if kind in plain}
        return non_empty(value_types)

    def _kinds(self, node: Node, path: Path, depth: int) -> ValueTypes:
        value_types: ValueTypes = {}
        for kind in node.kinds:
            if kind == "string":
                value_types[kind] = self._scalars.string(node)
            elif kind == "number":
                value_types[kind] = self._scalars.number(node)
            elif kind == "boolean":
                value_types[kind] = ValueType(bool, (bool,))
            elif kind == "null":
                value_types[kind] = ValueType(None, (type(None),))
            elif depth < self._max_depth:
                build = self._array if kind == "array" else self._object
                try:
                    value_types[kind] = build(node, path, depth)
                except TooDeep:
                    if len(node.kinds) == 1:
                        raise
        return non_empty(value_types)

    # Containers

    def _array(self, node: Node, path: Path, depth: int) -> ValueType:
        if node.contains:
            raise Inexpressible
        least, most, described = node.least("minItems"), node.most("maxItems"), node.tuple_length
        item = node.item(0)
        if not item.kinds:
            if least:
                raise Inexpressible
            return _NO_ITEMS
        if described and not node.item(described).kinds:
            most = described if most is None else min(most, described)
        value_types = self._followed(item, (*path, ITEM), depth + 1)
        if not value_types and not least:
            return _NO_ITEMS
        for index in range(1, described + 1 if most is None else min(most, described + 1)):
            if self._value_types(node.item(index), (*path, ITEM), depth + 1) != value_types:
                raise Inexpressible
        require_typed(value_types)
        unique = None
        if node.unique and (most is None or most > 1):
            value_types = non_empty(
                {kind: value_types[kind] for kind in value_types if kind not in _CONTAINERS}
            )
            unique = self._leaf({"uniqueItems": True})
        check = check_of(value_types)
        made = sized(types.GenericAlias(list, union(value_types)), least, most)
        return ValueType(made, (list,), all_of(unique, None if check is None else each(check)))

    def _object(self, node: Node, path: Path, depth: int, tag: Tag | None = None) -> ValueType:
        pins = self._pins if self._pins is not None and path == () else Pins()
        named = list(dict.fromkeys((*node.properties, *node.required, *pins.texts, *pins.present)))
        residual = self._residual.of_members(node)
        if named or node.patterns or tag or pins.absent:
            return self._struct(node, path, depth, named, pins, tag, residual)
        if residual is not None:
            raise Inexpressible
        if node.closed:
            if node.least("minProperties"):
                raise Inexpressible
            return _NO_MEMBERS
        value_types = self._followed(node.other, (*path, MEMBER), depth + 1)
        if not value_types and not node.least("minProperties"):
            return _NO_MEMBERS
        require_typed(value_types)
        check = check_of(value_types)
        made = sized(
            types.GenericAlias(dict, (str, union(value_types))),
            node.least("minProperties"),
            node.most("maxProperties"),
        )
        inner = None if check is None else each_member(check)
        if any(True for _ in node.said("propertyNames")):
            inner = all_of(each(self._name(node)), inner)
        return ValueType(made, (dict,), inner)

    def _name(self, node: Node) -> Check:
        return self._residual.whole(node.names)

    def _struct(
        self,
        node: Node,
        path: Path,
        depth: int,
        named: list[str],
        pins: Pins,
        tag: Tag | None,
        residual: ResidualCheck | None,
    ) -> ValueType:
        """Return an object with named members as a class, with its fields in order."""
        order = self._order(path, named, not node.closed or bool(node.patterns))
        if order is None:
            raise Inexpressible
        self.places.add(path)
        self._classes += 1
        required = {*node.required, *pins.texts, *pins.present}
        allowed = self._name(node) if any(True for _ in node.said("propertyNames")) else None
        fields: list[tuple[str, Any, Any]] = []
        checks: list[tuple[str, Check]] = []
        asked: dict[str, str] = {}
        if tag is not None and allowed is not None and not allowed(tag.name):
            raise Inexpressible
        for name in order:
            if (tag is not None and name == tag.name) or name in pins.absent:
                continue
            needs_check = residual is not None and (
                residual.names is None or name in residual.names
            )
            try:
                if name in node.absent or not (allowed is None or allowed(name)):
                    raise Inexpressible
                value_types = self._member(node, path, depth, name, pins, needs_check)
            except Inexpressible:
                if name in required:
                    raise
                continue
            attribute, check = f"m{len(fields)}", check_of(value_types)
            fields.append(field_of(attribute, name, union(value_types), name in required))
            if check is not None:
                checks.append((attribute, check))
            if needs_check:
                asked[attribute] = name
        made = class_of(fields, tag)
        found = all_of(
            size_check(node, len(fields), len(required), tag),
            attributes(checks) if checks else None,
        )
        if residual is not None:
            found = all_of(
                found, some_members(asked, {tag.name: tag.text} if tag else {}, residual.decide)
            )
        return ValueType(made, (made,), found)

    def _member(
        self, node: Node, path: Path, depth: int, name: str, pins: Pins, needs_check: bool
    ) -> ValueTypes:
        """Return the types of a member; plain ones, if the engine decides about it."""
        child = node.child(name)
        if not is_name(name) or not child.kinds:
            raise Inexpressible
        places, classes = set(self.places), self._classes
        value_types = self._value_types(child, (*path, name), depth + 1)
        if needs_check and self._classes != classes:
            self.places = places
            value_types = self._plain(child, (*path, name), depth + 1)
        if name not in pins.texts:
            return value_types
        if "string" not in value_types:
            raise Inexpressible
        return {"string": pinned(value_types["string"], pins.texts[name])}


_ANNOTATIONS: Final = frozenset(
    "$id $schema $comment title description default examples readOnly definitions".split()
)


class Pins(NamedTuple):
    """The members that the root object must have: with a text (any, if None), or at all; and
    those that it must not have.
    """

    texts: Mapping[str, str | None] = {}
    present: Collection[str] = ()
    absent: Collection[str] = ()


class Tag(NamedTuple):
    """The member, and its text, that tells the objects of one branch from those of others."""

    name: str
    text: str


def field_of(attribute: str, name: str, type_: Any, required: bool) -> tuple[str, Any, Any]:
    """Return a member as a field of a class."""
    if required:
        return attribute, type_, msgspec.field(name=name)
    field = msgspec.field(name=name, default=msgspec.UNSET)
    return attribute, any_of([type_, msgspec.UnsetType]), field


def class_of(fields: list[tuple[str, Any, Any]], tag: Tag | None) -> type:
    """Return a class for objects that have these members, in this order, and no others."""
    return msgspec.defstruct(
        "Members",
        fields,
        forbid_unknown_fields=True,
        gc=False,
        kw_only=True,
        tag_field=tag and tag.name,
        tag=tag and tag.text,
    )


def accepts_anything(node: Node) -> bool:
    """Return whether a node obviously accepts everything."""
    return not node.key.refused and all(
        schema is True or (type(schema) is dict and schema.keys() <= _ANNOTATIONS)
        for _, schema in node.schemas
    )


def tag_texts(node: Node, name: str) -> tuple[str, ...]:
    """Return the texts that a member must have; none if it may have other values."""
    child = node.child(name)
    if node.values is not None:
        return ()
    if name not in node.required or child.choices or child.key.refused or name in node.absent:
        return ()
    values = child.values or ()
    return tuple(dict.fromkeys(values)) if all(type(value) is str for value in values) else ()


def require_typed(value_types: ValueTypes) -> None:
    """Raise `Inexpressible` if no value type is checked here: the engine does all at once
    faster.
    """
    if all(value_type.plain for value_type in value_types.values()):
        raise Inexpressible


def size_check(node: Node, fields: int, required: int, tag: Tag | None) -> Check | None:
    """Return the check of a class that `minProperties` and `maxProperties` require, if any."""
    least, most = node.least("minProperties"), node.most("maxProperties")
    if tag is not None:
        least, most, required = least - 1, None if most is None else most - 1, required - 1
    fields_most = most is not None and most < fields
    if least <= required and not fields_most:
        return None
    return count_members(fields, least, most if fields_most else None)
