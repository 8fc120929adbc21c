"""What a schema tree says, as a type of `msgspec`: never more than the schema accepts.

A type may refuse what the schema accepts: a member that cannot be expressed is left out, so texts
that have it are refused, and so are the branches and kinds of value that are too difficult. What a
type cannot say of a scalar (`pattern`, `format` …) is checked behind the decoder, by the engine.
Only what must be there and cannot be expressed switches a whole type off: `Inexpressible`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from widgetschema.schema_tree import Choice, Node
from widgetschema.validator.engines import FORMATS
from widgetschema.validator.lane_parts import (
    Check,
    Inexpressible,
    Part,
    Parts,
    any_of,
    anything,
    attributes,
    both,
    check_of,
    each,
    each_member,
    is_name,
    is_text,
    pinned,
    some,
    union,
)

Path = tuple[Any, ...]  # names of members, ITEM for any item, MEMBER for any member
Order = Callable[[Path, Sequence[str], bool], list[str]]
"""Names of the members of the object at a path, in the order of the texts, given those that the
schema names, and whether it may have others."""

ITEM: Final = 0
MEMBER: Final = 1
_BUDGET: Final = 4000  # nodes of one type: beyond that, what is left is inexpressible
_AGAIN: Final = 3  # how often a recursive schema is followed into itself
_LEVELS: Final = 4  # how deep a value may be nested that the schema says nothing of
_EXACT: Final = 2**53  # bounds up to here are the same for integers and doubles
_CONTAINERS: Final = ("array", "object")
_SAID_OF_STRINGS: Final = ("pattern", "format", "contentEncoding", "contentMediaType")
_SAID_OF_SCALARS: Final = (
    *_SAID_OF_STRINGS,
    *("type", "minLength", "maxLength", "multipleOf"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
)
_SAYING_NOTHING: Final = frozenset(
    "$id $schema $comment title description default examples readOnly definitions".split()
)


class Pins(NamedTuple):
    """What the root object must have: members with a text (any, if None), members at all."""

    texts: Mapping[str, str | None] = {}
    present: Collection[str] = ()


class TypeBuilder:
    """Makes one type. `leaf` compiles a schema about scalars; `places` (afterwards) are the paths
    of the objects whose members have an order.
    """

    def __init__(
        self,
        leaf: Callable[[Any], Check],
        order: Order,
        *,
        formats: bool,
        max_depth: int,
        pins: Pins | None = None,
    ) -> None:
        self.places: set[Path] = set()
        self._leaf = leaf
        self._order = order
        self._formats = formats
        self._max_depth = max_depth
        self._pins = pins
        self._left = _BUDGET
        self._open: list[Node] = []

    def build(self, root: Node) -> tuple[Any, Check | None]:
        """The type of a node, and what is left to check. Raises `Inexpressible`."""
        if self._pins is not None:
            parts = self._parts(root.of_kind("object"), (), 0)
        else:
            parts = self._parts(root, (), 0)
        return union(parts), check_of(parts)

    def _parts(self, node: Node, path: Path, depth: int) -> Parts:
        self._left -= 1
        if self._left < 0 or node.key.refused or self._open.count(node) >= _AGAIN:
            raise Inexpressible
        if says_nothing(node) and not (self._pins is not None and path == ()):
            return anything(min(_LEVELS, self._max_depth - depth))
        self._open.append(node)
        try:
            for choice in node.choices:
                return self._chosen(node, choice, path, depth)
            if node.values is not None:
                return self._enumerated(node)
            return self._kinds(node, path, depth)
        finally:
            self._open.pop()

    # `anyOf` and `oneOf`

    def _chosen(self, node: Node, choice: Choice, path: Path, depth: int) -> Parts:
        if choice.keyword not in ("anyOf", "oneOf"):
            raise Inexpressible
        decided = node.key.decided | {choice.place}
        if choice.keyword == "anyOf":
            places = [place for branch in choice.branches for place in branch.pointers]
            if any(says_nothing(node.tree.node([place])) for place in places):
                return self._parts(node.narrowed(decided=decided), path, depth)
        branches = [node.narrowed(one.pointers, decided=decided) for one in choice.branches]
        if choice.keyword == "oneOf":
            kinds = [kind for branch in branches for kind in branch.kinds]
            if len(kinds) != len(set(kinds)):
                raise Inexpressible  # a value could match two branches
        merged: Parts = {}
        for branch in branches:
            try:
                parts = self._parts(branch, path, depth)
            except Inexpressible:
                continue
            for kind, part in parts.items():
                known = merged.get(kind)
                if known is None or (known.check is not None and part.check is None):
                    merged[kind] = part
        return some(merged)

    # Scalars

    def _enumerated(self, node: Node) -> Parts:
        """The scalars of `enum` and `const`; objects and arrays are left out."""
        values = node.values or ()
        decide = self._rest(node, _SAID_OF_SCALARS)
        values = tuple(value for value in values if decide is None or decide(value))
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
        return some(parts)

    def _kinds(self, node: Node, path: Path, depth: int) -> Parts:
        parts: Parts = {}
        for kind in node.kinds:
            if kind == "string":
                parts[kind] = self._string(node)
            elif kind == "number":
                parts[kind] = self._number(node)
            elif kind == "boolean":
                parts[kind] = Part(bool, (bool,))
            elif kind == "null":
                parts[kind] = Part(None, (type(None),))
            elif depth < self._max_depth:
                build = self._array if kind == "array" else self._object
                try:
                    parts[kind] = build(node, path, depth)
                except Inexpressible:
                    continue
        return some(parts)

    def _string(self, node: Node) -> Part:
        plain = _sized(str, node, "minLength", "maxLength")
        return Part(plain, (str,), self._rest(node, _SAID_OF_STRINGS))

    def _number(self, node: Node) -> Part:
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

    # Containers

    def _array(self, node: Node, path: Path, depth: int) -> Part:
        most = node.most("maxItems")
        if node.contains or node.tuple_length:
            raise Inexpressible
        item = node.item(0)
        if not item.kinds:
            if node.least("minItems"):
                raise Inexpressible
            return Part(Annotated[list[None], msgspec.Meta(max_length=0)], (list,))
        parts = self._parts(item, (*path, ITEM), depth + 1)
        unique = None
        if node.unique and (most is None or most > 1):
            parts = some({kind: parts[kind] for kind in parts if kind not in _CONTAINERS})
            unique = self._leaf({"uniqueItems": True})
        check = check_of(parts)
        made = _sized(types.GenericAlias(list, union(parts)), node, "minItems", "maxItems")
        return Part(made, (list,), both(unique, None if check is None else each(check)))

    def _object(self, node: Node, path: Path, depth: int) -> Part:
        said = ("propertyNames", "dependencies")
        if node.absent or any(True for keyword in said for _ in node.said(keyword)):
            raise Inexpressible
        pins = self._pins if self._pins is not None and path == () else Pins()
        named = list(dict.fromkeys((*node.properties, *node.required, *pins.texts, *pins.present)))
        if named or node.patterns:
            return self._struct(node, path, depth, named, pins)
        if node.closed:
            if node.least("minProperties"):
                raise Inexpressible
            return Part(Annotated[dict[str, None], msgspec.Meta(max_length=0)], (dict,))
        parts = self._parts(node.other, (*path, MEMBER), depth + 1)
        check = check_of(parts)
        made = _sized(
            types.GenericAlias(dict, (str, union(parts))), node, "minProperties", "maxProperties"
        )
        return Part(made, (dict,), None if check is None else each_member(check))

    def _struct(self, node: Node, path: Path, depth: int, named: list[str], pins: Pins) -> Part:
        """An object with named members, as a class of its own; its fields are in order."""
        self.places.add(path)
        required = {*node.required, *pins.texts, *pins.present}
        fields: list[tuple[str, Any, Any]] = []
        checks: list[tuple[str, Check]] = []
        for name in self._order(path, named, not node.closed or bool(node.patterns)):
            try:
                parts = self._member(node, path, depth, name, pins)
            except Inexpressible:
                if name in required:
                    raise
                continue
            attribute, type_ = f"m{len(fields)}", union(parts)
            if name in required:
                field = msgspec.field(name=name)
            else:
                field = msgspec.field(name=name, default=msgspec.UNSET)
                type_ = any_of([type_, msgspec.UnsetType])
            fields.append((attribute, type_, field))
            check = check_of(parts)
            if check is not None:
                checks.append((attribute, check))
        most = node.most("maxProperties")
        if node.least("minProperties") > len(required) or (most is not None and most < len(fields)):
            raise Inexpressible
        made = msgspec.defstruct(
            "Members", fields, forbid_unknown_fields=True, gc=False, kw_only=True
        )
        return Part(made, (made,), attributes(checks) if checks else None)

    def _member(self, node: Node, path: Path, depth: int, name: str, pins: Pins) -> Parts:
        child = node.child(name)
        if not is_name(name) or not child.kinds:
            raise Inexpressible
        parts = self._parts(child, (*path, name), depth + 1)
        if name not in pins.texts:
            return parts
        if "string" not in parts:
            raise Inexpressible
        return {"string": pinned(parts["string"], pins.texts[name])}


def says_nothing(node: Node) -> bool:
    """Whether a node accepts everything, on the face of it."""
    return not node.key.refused and all(
        schema is True or (type(schema) is dict and schema.keys() <= _SAYING_NOTHING)
        for _, schema in node.schemas
    )


def _sized(plain: Any, node: Node, least: str, most: str) -> Any:
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


def names_of(root: Node, pins: Pins | None) -> frozenset[str] | None:
    """All names that the root object can have; None if it need not be an object, or may have
    others.
    """
    if pins is None and set(root.kinds) != {"object"}:
        return None
    if root.patterns or not root.closed or root.choices:
        return None
    return frozenset((*root.properties, *root.required))
