"""What a schema tree says, as a type of `msgspec`: never more than the schema accepts.

A place becomes the first of these that will do:

- a type: scalars, lists, maps, tuples without further items, objects as classes of their own;
  alternatives between kinds, and between objects that a required member with a text of its own
  tells apart, if texts have that member first; recursion, some levels deep;
- a type, and a check behind the decoder: the engine is asked about a scalar (`pattern`, `format`,
  `not` …), about some members of an object (`if`, `not`, `dependencies`, `anyOf` and `oneOf`, if
  these name the members that they look at, else about all), or about names (`propertyNames`);
- anything of the right kind, and the engine's answer about all of it: whatever else there is. An
  array or a map of such is one.

A type may refuse what the schema accepts: members whose names would have to be escaped, members
without a value, levels beyond those that recursion is followed, values nested deep where the
schema says nothing. What must be there and cannot be said leads to the next in the list above;
at the root to none at all: `Inexpressible`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final

import msgspec

from widgetschema.schema.tree import Choice, Node
from widgetschema.validation.fast_path.nodes import (
    Pins,
    Tag,
    at_once,
    class_of,
    counted,
    field_of,
    says_nothing,
    texts_of,
)
from widgetschema.validation.fast_path.parts import (
    Check,
    Inexpressible,
    Part,
    Parts,
    TooDeep,
    any_of,
    anything,
    attributes,
    both,
    by_class,
    check_of,
    each,
    each_in_turn,
    each_member,
    is_name,
    pinned,
    some,
    union,
)
from widgetschema.validation.fast_path.rests import Engine, Rest, shallow, some_members
from widgetschema.validation.fast_path.scalars import NUMBER, PLAIN, TEXT, Scalars, sized

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
_NO_ITEMS: Final = Part(Annotated[list[None], msgspec.Meta(max_length=0)], (list,))
_NO_MEMBERS: Final = Part(Annotated[dict[str, None], msgspec.Meta(max_length=0)], (dict,))


class TypeBuilder:
    """Makes one type. `leaf` compiles a schema about scalars; `places` (afterwards) are the paths
    of the objects whose members have an order, and `deep` says whether anything may be nested
    without end, but for its check.
    """

    def __init__(
        self,
        leaf: Callable[[Any], Check],
        engine: Engine,
        order: Order,
        *,
        formats: bool,
        max_depth: int,
        pins: Pins | None = None,
    ) -> None:
        self.places: set[Path] = set()
        self.deep = False
        self._leaf = leaf
        self._scalars = Scalars(leaf, formats=formats)
        self._engine = engine
        self._order = order
        self._max_depth = max_depth
        self._pins = pins
        self._again, self._left = _ATTEMPTS[0]
        self._classes = 0  # made so far: no engine knows what these decode
        self._open: list[Node] = []

    def build(self, root: Node) -> tuple[Any, Check | None]:
        """The type of a node, and what is left to check. Raises `Inexpressible`."""
        node = root if self._pins is None else root.of_kind("object")
        parts: Parts = {}
        for self._again, self._left in _ATTEMPTS:
            self.places.clear()
            self.deep = False
            parts = self._parts(node, (), 0)
            if self._left >= 0:
                break
        if all(part.plain for part in parts.values()):
            raise Inexpressible  # that is what the long way does, in the same time
        return union(parts), check_of(parts)

    def _parts(self, node: Node, path: Path, depth: int) -> Parts:
        self._left -= 1
        if says_nothing(node) and not (self._pins is not None and path == ()):
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

    def _plain(self, node: Node, path: Path, depth: int) -> Parts:
        """The types that decode anything of the right kind, of which the engine decides."""
        if self._pins is not None and path == ():
            raise Inexpressible  # nobody would look at the pins
        levels = self._max_depth - depth
        parts: Parts = {}
        for kind in node.kinds:
            decide, (type_, classes) = self._engine.whole(node), PLAIN[kind]
            if kind in _CONTAINERS:
                if levels <= 0:
                    continue
                decide = shallow(decide, levels)
                self.deep = True
            parts[kind] = Part(type_, classes, decide, plain=True)
        return some(parts)

    # `anyOf`, `oneOf`, and what is left of an object when its members have a type

    def _awkward(self, node: Node, path: Path, depth: int) -> Parts:
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

    def _chosen(self, node: Node, choice: Choice, path: Path, depth: int) -> Parts:
        decided = node.key.decided | {choice.place}
        if choice.keyword == "anyOf":
            places = [place for branch in choice.branches for place in branch.pointers]
            if any(says_nothing(node.tree.node([place])) for place in places):
                return self._parts(node.narrowed(decided=decided), path, depth)
        branches = [node.narrowed(one.pointers, decided=decided) for one in choice.branches]
        branches = [branch for branch in branches if branch.kinds]
        if all(branch.kinds == ("object",) for branch in branches) and len(branches) > 1:
            return {"object": self._tagged(branches, path, depth)}
        if choice.keyword == "oneOf":
            kinds = [kind for branch in branches for kind in branch.kinds]
            if len(kinds) != len(set(kinds)):
                raise Inexpressible  # a value could match two branches
        merged: Parts = {}
        for branch in branches:
            for kind, part in self._followed(branch, path, depth).items():
                known = merged.get(kind)
                if known is None or part in (TEXT, NUMBER):
                    merged[kind] = part
                elif known not in (TEXT, NUMBER, part):
                    if kind in _CONTAINERS:
                        raise Inexpressible
                    plain, classes = PLAIN[kind]
                    merged[kind] = Part(plain, classes, self._engine.whole(node), plain=True)
        if not merged:
            raise TooDeep
        return merged

    def _followed(self, node: Node, path: Path, depth: int) -> Parts:
        """The types of a node; none where a recursive schema is not followed further."""
        try:
            return self._parts(node, path, depth)
        except TooDeep:
            return {}

    def _tagged(self, branches: list[Node], path: Path, depth: int) -> Part:
        """Objects that a member tells apart; the library writes it first, so it must be so."""
        made: dict[str, Part] = {}
        for name in branches[0].required:
            tags = [texts_of(branch, name) for branch in branches]
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
        if not made or any(part.plain for part in made.values()):
            raise Inexpressible
        checks = {part.classes[0]: part.check for part in made.values() if part.check is not None}
        types_ = tuple(part.classes[0] for part in made.values())
        return Part(any_of(types_), types_, by_class(checks) if checks else None)

    # By kind

    def _enumerated(self, node: Node, path: Path, depth: int) -> Parts:
        """The scalars of `enum` and `const`; of objects and arrays the engine decides."""
        parts = self._scalars.of_values(node)
        if any(type(value) in (dict, list) for value in node.values or ()):
            plain = self._plain(node, path, depth)
            parts |= {kind: plain[kind] for kind in _CONTAINERS if kind in plain}
        return some(parts)

    def _kinds(self, node: Node, path: Path, depth: int) -> Parts:
        parts: Parts = {}
        for kind in node.kinds:
            if kind == "string":
                parts[kind] = self._scalars.string(node)
            elif kind == "number":
                parts[kind] = self._scalars.number(node)
            elif kind == "boolean":
                parts[kind] = Part(bool, (bool,))
            elif kind == "null":
                parts[kind] = Part(None, (type(None),))
            elif depth < self._max_depth:
                build = self._array if kind == "array" else self._object
                try:
                    parts[kind] = build(node, path, depth)
                except TooDeep:
                    if len(node.kinds) == 1:
                        raise
        return some(parts)

    # Containers

    def _array(self, node: Node, path: Path, depth: int) -> Part:
        most = node.most("maxItems")
        if node.contains:
            raise Inexpressible
        if node.tuple_length:
            return self._tuple(node, path, depth)
        item = node.item(0)
        if not item.kinds:
            if node.least("minItems"):
                raise Inexpressible
            return _NO_ITEMS
        parts = self._followed(item, (*path, ITEM), depth + 1)
        if not parts and not node.least("minItems"):
            return _NO_ITEMS
        at_once(parts)
        unique = None
        if node.unique and (most is None or most > 1):
            parts = some({kind: parts[kind] for kind in parts if kind not in _CONTAINERS})
            unique = self._leaf({"uniqueItems": True})
        check = check_of(parts)
        made = sized(types.GenericAlias(list, union(parts)), node, "minItems", "maxItems")
        return Part(made, (list,), both(unique, None if check is None else each(check)))

    def _tuple(self, node: Node, path: Path, depth: int) -> Part:
        """An array of as many items as are described one by one, if there are no others."""
        length, most = node.tuple_length, node.most("maxItems")
        most = length if most is None and not node.item(length).kinds else most
        if node.unique or most != length or node.least("minItems") > length:
            raise Inexpressible
        items = [self._parts(node.item(n), (*path, ITEM), depth + 1) for n in range(length)]
        if all(part.plain for parts in items for part in parts.values()):
            raise Inexpressible
        self._classes += 1
        made = types.GenericAlias(tuple, tuple(map(union, items)))
        return Part(made, (tuple,), each_in_turn([check_of(parts) for parts in items]))

    def _object(self, node: Node, path: Path, depth: int, tag: Tag | None = None) -> Part:
        pins = self._pins if self._pins is not None and path == () else Pins()
        named = list(dict.fromkeys((*node.properties, *node.required, *pins.texts, *pins.present)))
        rest = self._engine.rest(node)
        if named or node.patterns or tag:
            return self._struct(node, path, depth, named, pins, tag, rest)
        if rest is not None:
            raise Inexpressible
        if node.closed:
            if node.least("minProperties"):
                raise Inexpressible
            return _NO_MEMBERS
        parts = self._followed(node.other, (*path, MEMBER), depth + 1)
        if not parts and not node.least("minProperties"):
            return _NO_MEMBERS
        at_once(parts)
        check = check_of(parts)
        made = sized(
            types.GenericAlias(dict, (str, union(parts))), node, "minProperties", "maxProperties"
        )
        inner = None if check is None else each_member(check)
        if any(True for _ in node.said("propertyNames")):
            inner = both(each(self._name(node)), inner)
        return Part(made, (dict,), inner)

    def _name(self, node: Node) -> Check:
        return self._engine.whole(node.names)

    def _struct(
        self,
        node: Node,
        path: Path,
        depth: int,
        named: list[str],
        pins: Pins,
        tag: Tag | None,
        rest: Rest | None,
    ) -> Part:
        """An object with named members, as a class of its own; its fields are in order."""
        order = self._order(path, named, not node.closed or bool(node.patterns))
        if order is None or (tag is not None and order[:1] != [tag.name]):
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
        for name in order[tag is not None :]:
            is_asked = rest is not None and (rest.names is None or name in rest.names)
            try:
                if name in node.absent or not (allowed is None or allowed(name)):
                    raise Inexpressible
                parts = self._member(node, path, depth, name, pins, is_asked)
            except Inexpressible:
                if name in required:
                    raise
                continue
            attribute, check = f"m{len(fields)}", check_of(parts)
            fields.append(field_of(attribute, name, union(parts), name in required))
            if check is not None:
                checks.append((attribute, check))
            if is_asked:
                asked[attribute] = name
        made = class_of(fields, tag)
        found = both(
            counted(node, len(fields), len(required), tag), attributes(checks) if checks else None
        )
        if rest is not None:
            found = both(
                found, some_members(asked, {tag.name: tag.text} if tag else {}, rest.decide)
            )
        return Part(made, (made,), found)

    def _member(
        self, node: Node, path: Path, depth: int, name: str, pins: Pins, is_asked: bool
    ) -> Parts:
        """The types of a member; plain ones, if the engine is to be asked about it."""
        child = node.child(name)
        if not is_name(name) or not child.kinds:
            raise Inexpressible
        places, classes = set(self.places), self._classes
        parts = self._parts(child, (*path, name), depth + 1)
        if is_asked and self._classes != classes:
            self.places = places
            parts = self._plain(child, (*path, name), depth + 1)
        if name not in pins.texts:
            return parts
        if "string" not in parts:
            raise Inexpressible
        return {"string": pinned(parts["string"], pins.texts[name])}
