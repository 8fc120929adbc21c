"""Requirements of the content of arrays and objects (validation specification, 6.4 and 6.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from widgetschema.evolution.compare.assertions import plain
from widgetschema.evolution.compare.automata import find_text
from widgetschema.evolution.compare.choices import changed
from widgetschema.evolution.compare.joined import reference
from widgetschema.evolution.compare.obstacles import Obstacle, Prover, Token
from widgetschema.pointers import escape_token
from widgetschema.samples.choosers import StreamChooser
from widgetschema.samples.objects import closure
from widgetschema.samples.values.regular import TextPattern
from widgetschema.schema.keywords import FORMATS
from widgetschema.schema.linking import ANNOTATIONS, is_schema
from widgetschema.schema.tree import Node
from widgetschema.validation import Validator

_NAMES: Final = ("other", "more", "any", "o", "other member", "0", "_", "x-other")
_TRIES: Final = 20
_OF_NAMES: Final = frozenset(("type", "pattern", "minLength", "maxLength"))


def member_obstacles(
    prover: Prover, left: Node, right: Node, without: str | None
) -> Iterator[Obstacle]:
    """Members by name, by pattern, and all others (6.5.4 to 6.5.6); `without` is left out."""
    if "object" not in left.kinds or left.most("maxProperties") == 0:
        return
    names = dict.fromkeys((*left.properties, *right.properties))
    for name in names:
        if name == without or name in left.absent:
            continue
        yield from _member(prover, left.child(name), right.child(name), left, name)
    yield from _other_members(prover, left, right, frozenset(names))


def _member(prover: Prover, left: Node, right: Node, around: Node, name: str) -> Iterator[Obstacle]:
    if prover.empty(left):
        return
    token = Token(name, name)
    if any(schema is False for _, schema in right.schemas):
        place = next(pointer for pointer, schema in right.schemas if schema is False)
        where = around.place("properties")
        where = next((p for p, _ in left.schemas), where)
        gone = Obstacle((), place.rpartition("/")[2], "member", place, where, name, leaf=True)
        if gone.keyword != "additionalProperties":
            gone = gone._replace(keyword="properties")
        yield gone._replace(left_node=left, right_node=right).under(token, around)
        return
    for obstacle in prover.inside(left, right):
        yield obstacle.under(token, around)


def _other_members(
    prover: Prover, left: Node, right: Node, names: frozenset[str]
) -> Iterator[Obstacle]:
    """Yield the obstacles of members that `properties` does not name.

    Several patterns may match a name. Since it is unknown which ones do, each pattern of the left
    node is compared with each requirement of the right one that may apply.
    """
    every = _by_pattern(left)
    groups: dict[str | None, Node] = {p: left.tree.node(places) for p, places in every.items()}
    groups[None] = left.other
    for pattern, places in _by_pattern(right).items():
        asked = right.tree.node(places)
        fit = [pattern] if pattern in groups else [*groups]
        for one in fit:
            # What no pattern of the left describes may be described by this one of the right.
            if _is_name(left, [pattern, one], [*every] if one is None else []):
                yield from _others(prover, left, groups[one], asked, pattern, names)
    for pointer, schema in right.schemas:
        if type(schema) is dict and "additionalProperties" in schema:
            asked = right.tree.node([f"{pointer}/additionalProperties"])
            described = schema.get("patternProperties", ())
            for one, node in groups.items():
                if _is_name(left, [one], [*described, *(every if one is None else ())]):
                    yield from _others(prover, left, node, asked, one, names)


def _is_name(node: Node, matched: list[str | None], missed: list[str]) -> bool:
    """Return False if certainly no member has a name with some patterns and without others."""
    patterns = {one for one in matched if one is not None}
    if not patterns.isdisjoint(missed):
        return False
    named = patterns.union(node.names.texts("pattern"))
    return not find_text(frozenset(named), frozenset(missed)).none


def _by_pattern(node: Node) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place, value in node.said("patternProperties"):
        for pattern in value:
            found.setdefault(pattern, []).append(f"{place}/{escape_token(pattern)}")
    return found


def _others(
    prover: Prover,
    around: Node,
    left: Node,
    right: Node,
    pattern: str | None,
    names: frozenset[str],
) -> Iterator[Obstacle]:
    if prover.empty(left):
        return
    found = prover.inside(left, right)
    if not found:
        return
    token = Token("*", _example(around, pattern, names))
    if any(schema is False for _, schema in right.schemas):
        place = next(pointer for pointer, schema in right.schemas if schema is False)
        keyword = "additionalProperties" if pattern is None else "patternProperties"
        gone = Obstacle((), keyword, "others", place, "", pattern, leaf=True)
        yield gone._replace(left_node=left, right_node=right).under(token, around)
        return
    for obstacle in found:
        yield obstacle.under(token, around)


def _example(node: Node, pattern: str | None, names: frozenset[str]) -> str:
    """Return a name that only this describes, as far as one is found."""
    if pattern is not None:
        maker = TextPattern(pattern)
        for turn in range(_TRIES):
            made = maker.make(StreamChooser(f"name/{turn}").randbelow)
            if made is not None and made not in names:
                return made
    if node.place("propertyNames"):
        allowed = Validator.from_linked(
            node.tree.linked.conjunction(node.names.key.pointers)
        ).is_valid
        listed = [name for name in node.names.values or () if name not in names]
        makers = [TextPattern(one) for one in node.names.texts("pattern")]
        texts = (
            m.make(StreamChooser(f"name/{turn}").randbelow)
            for m in makers
            for turn in range(_TRIES)
        )
        for one in (*_NAMES, *listed, *texts):
            if type(one) is str and one not in names and allowed(one):
                return one
    fits = [name for name in _NAMES if name not in names]
    return next((name for name in fits if node.child(name).kinds), (fits or ["other"])[0])


def object_obstacles(
    prover: Prover, left: Node, pointer: str, schema: dict[str, Any]
) -> Iterator[Obstacle]:
    """Yield the obstacles of required members, dependencies and names (6.5.3, 6.5.7, 6.5.8)."""
    if "object" not in left.kinds:
        return
    there = closure(left.required, left.dependencies)
    for name in schema.get("required", ()):
        if name not in there:
            leaf = {"type": "object", "not": {"required": [name]}}
            yield Obstacle(
                (), "required", "required", f"{pointer}/required", left.place("required"),
                name, None, schema["required"], leaf,
            )  # fmt: skip
    for name, needed in schema.get("dependencies", {}).items():
        yield from _dependency(prover, left, pointer, name, needed)
    if "propertyNames" in schema:
        asked = left.tree.node([f"{pointer}/propertyNames"])
        if not _names_fit(prover, left, asked):
            leaf = {"type": "object", "not": {"propertyNames": reference(asked.pointer)}}
            place = f"{pointer}/propertyNames"
            yield changed("propertyNames", place, left, leaf)


def _names_fit(prover: Prover, left: Node, asked: Node) -> bool:
    if not prover.inside(left.names, asked):
        return True
    if not prover.empty(left.other):
        return False
    fits = prover.checker(asked)
    return all(fits(name) or prover.empty(left.child(name)) for name in left.properties) and all(
        _pattern_fits(left, pattern, asked) for pattern in left.patterns
    )


def _pattern_fits(left: Node, pattern: str, asked: Node) -> bool:
    """Return True if all names that match a pattern certainly fit the patterns and lengths."""
    said = [item for _, schema in asked.schemas if type(schema) is dict for item in schema.items()]
    words = {word for word, value in said if word != "format" or value in FORMATS}
    if asked.key.refused or not words - ANNOTATIONS <= _OF_NAMES or "string" not in asked.kinds:
        return False
    named = frozenset({pattern, *left.names.texts("pattern")})
    short, most = asked.least("minLength"), asked.most("maxLength")
    wrong = [find_text(named, frozenset({one})) for one in asked.texts("pattern")]
    wrong += [find_text(named, frozenset(), 0, short - 1)] if short else []
    wrong += [find_text(named, frozenset(), most + 1)] if most is not None else []
    return all(one.none for one in wrong)


def _dependency(
    prover: Prover, left: Node, pointer: str, name: str, needed: Any
) -> Iterator[Obstacle]:
    if prover.empty(left.child(name)) or name in left.absent:
        return
    place = f"{pointer}/dependencies/{escape_token(name)}"
    if is_schema(needed):
        with_it = left.narrowed(kind="object", present=(*left.key.present, name))
        yield from prover.contained(with_it, left.tree.node([place]))
        return
    there = closure((*left.required, name), left.dependencies)
    for other in needed:
        if other not in there:
            leaf = {"type": "object", "required": [name], "not": {"required": [other]}}
            yield Obstacle(
                (), "dependencies", "dependency", place, left.place("dependencies"),
                [name, other], None, needed, leaf,
            )  # fmt: skip


def item_obstacles(prover: Prover, left: Node, right: Node) -> Iterator[Obstacle]:
    """Items, by index and all others (section 6.4.1 and 6.4.2)."""
    most = left.most("maxItems")
    if "array" not in left.kinds or most == 0:
        return
    described = max(left.tuple_length, right.tuple_length)
    for index in range(described + 1):
        if most is not None and index >= most:
            return
        inner = left.item(index)
        if prover.empty(inner):  # so there are no items after it, either
            return
        token = Token(str(index) if index < described else "*", index)
        asked = right.item(index)
        nothing = [place for place, schema in asked.schemas if schema is False]
        if nothing:
            gone = Obstacle((), "items", "items", nothing[0], "", index, leaf=True)
            yield gone._replace(left_node=inner, right_node=asked).under(token, left)
            continue
        for obstacle in prover.inside(inner, asked):
            yield obstacle.under(token, left)


def contains_obstacles(prover: Prover, left: Node, place: str) -> Iterator[Obstacle]:
    """Section 6.4.6."""
    if "array" not in left.kinds:
        return
    asked = left.tree.node([place])
    for other in left.contains:
        if not prover.inside(left.tree.node([other]), asked):
            return
    some = left.least("minItems") >= 1 or left.contains
    if some and not left.tuple_length and not prover.inside(left.item(0), asked):
        return
    leaf = {"type": "array", "not": {"contains": reference(place)}}
    value = left.tree.linked.at[place]
    yield plain(left, "", "contains", value)._replace(right_place=place, leaf=leaf)
