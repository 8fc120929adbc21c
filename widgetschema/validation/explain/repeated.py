"""Mistakes that are made again and again: found by one decision of the engine, without a walk.

After a schema has changed, all records lack the same new member. Once a mistake was found some
times, a schema is compiled that asks for all but what it violates. If that accepts an instance that
is invalid, the instance has this mistake and no other, so it is what a walk would find.

Which mistakes these can be follows from the schema alone. Their keyword is asserted of one place in
the instance, by one way, which leads through members and `allOf`: no alternative, condition or
negation depends on it. And a walk certainly ends before its effort does: no more than a few schemas
apply to any value, and alternatives and conditions say nothing of members and items.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

from widgetschema.pointers import unescape_token
from widgetschema.schema.linking import IN_PLACE, LinkedSchema, subschemas
from widgetschema.validation.engines import Decide, Engine, engine_form
from widgetschema.validation.explain.violations import Path, Violation, tokens

# Keywords that say the same of a value whatever else is wrong, and the same of all values.
_KEYWORDS: Final = frozenset(
    {"const", "enum", "exclusiveMaximum", "exclusiveMinimum", "maximum", "maxItems", "maxLength"}
    | {"minimum", "minItems", "minLength", "required", "type"}
)
_OFTEN: Final = 8  # times that a mistake is found before a schema is compiled for it, …
_LATELY: Final = 64  # … among so many mistakes: each of the schemas that are tried has to pay
_MOST: Final = 4  # schemas that are tried in turn
_MOST_AT_ONCE: Final = 16  # schemas that apply to one value; its walk may take 20 steps for each
_MOST_GROUPS: Final = 2_000
_DESCRIBING: Final = frozenset(
    {"additionalItems", "additionalProperties", "items", "patternProperties", "properties"}
)
_BY_INNER_WALKS: Final = (IN_PLACE | {"contains", "propertyNames"}) - {"allOf"}


class _Way(NamedTuple):
    """The way to a subschema: that of which it is one, the keyword, and the name of a member."""

    parent: str
    keyword: str
    name: str


class _Repeated(NamedTuple):
    """A mistake, the members that lead to it, and the decision about everything else."""

    violation: Violation
    names: tuple[str, ...]
    accepts_the_rest: Decide


class RepeatedMistakes:
    """The mistakes of the instances of one schema that are found often."""

    def __init__(self, linked: LinkedSchema, engine: Engine, formats: bool) -> None:
        self._linked = linked
        self._engine = engine
        self._formats = formats
        self._ways: dict[str, list[_Way]] = {}
        self._is_simple = False
        self._noted = 0
        self._times: dict[tuple[str, Any], int] = {}  # lately
        self._repeated: list[_Repeated] = []  # the last one that was found is the first one

    def violation(self, instance: Any, is_valid: Decide | None = None) -> Violation | None:
        """Return the only violation of an instance, if it is a known one.

        Without `is_valid`, the instance is known to be invalid.
        """
        for repeated in self._repeated:
            keyword, _, place, _, detail, _, _ = repeated.violation
            value, path = _at(instance, repeated.names)
            if keyword == "required":
                if type(value) is not dict or detail in value:
                    continue
            elif is_valid is not None and is_valid(instance):
                return None
            if repeated.accepts_the_rest(instance):
                if repeated is not self._repeated[0]:
                    others = [one for one in self._repeated if one is not repeated]
                    self._repeated = [repeated, *others]
                return Violation(keyword, path, place, value, detail)
        return None

    def note(self, violation: Violation) -> None:
        """Note the violation of an instance that has no other."""
        keyword, path, place, _, detail, because, guessed = violation
        if keyword not in _KEYWORDS or because or guessed or not self._engine.is_quick:
            return
        if self._noted % _LATELY == 0:
            self._times.clear()
        self._noted += 1
        key = (place, detail if keyword == "required" else None)
        times = self._times[key] = self._times.get(key, 0) + 1
        if times != _OFTEN:
            return
        pointer = place.rpartition("/")[0]
        names = self._names(pointer)
        if names is None or [*names] != tokens(path):
            return
        at = {**self._linked.at, pointer: _without(self._linked.at[pointer], keyword, detail)}
        form = engine_form(replace(self._linked, at=at), self._formats)
        repeated = _Repeated(violation, names, self._engine.decider(form, self._formats))
        self._repeated = [repeated, *self._repeated][:_MOST]

    def _names(self, pointer: str) -> tuple[str, ...] | None:
        """Return the members that lead to the only place of a subschema, if it has only one."""
        root = self._linked.target(self._linked.root)
        if not self._ways:
            self._ways = _ways(self._linked, root)
            self._is_simple = _walks_are_short(self._linked, self._ways, root)
        if not self._is_simple or self._ways[root]:
            return None
        names: list[str] = []
        while pointer != root:
            ways = self._ways[pointer]
            if len(ways) != 1 or ways[0].keyword not in ("allOf", "properties"):
                return None
            if ways[0].keyword == "properties":
                names.append(ways[0].name)
            pointer = ways[0].parent
        return tuple(reversed(names))


def _at(instance: Any, names: tuple[str, ...]) -> tuple[Any, Path]:
    """Return the value to which members lead, and its path; None if they do not lead anywhere."""
    value: Any = instance
    path: Path = ()
    for name in names:
        value = value.get(name) if type(value) is dict else None
        path = (path, name)
    return value, path


def _without(schema: dict[str, Any], keyword: str, detail: Any) -> dict[str, Any]:
    """Return a schema that does not ask for what a violation is about."""
    if keyword == "required":
        return {**schema, keyword: [name for name in schema[keyword] if name != detail]}
    return {name: value for name, value in schema.items() if name != keyword}


def _ways(linked: LinkedSchema, root: str) -> dict[str, list[_Way]]:
    """Return all ways to each subschema that is in use, but for those that begin at no root."""
    ways: dict[str, list[_Way]] = {root: []}
    for pointer, below in linked.reachable():
        for keyword, place, target in below:
            way = _Way(pointer, keyword, unescape_token(place.rpartition("/")[2]))
            ways.setdefault(target, []).append(way)
    return ways


def _walks_are_short(linked: LinkedSchema, ways: dict[str, list[_Way]], root: str) -> bool:
    """Return whether a walk certainly comes to each value only a few times.

    Then it ends before its effort does. The inner walks, which try alternatives and conditions,
    must not come to members and items at all.
    """
    for pointer, known in ways.items():
        if any(way.keyword in _BY_INNER_WALKS for way in known):
            inner = _in_place(linked, (pointer,), IN_PLACE)
            if len(inner) > _MOST_AT_ONCE or any(_describes(linked.at[one]) for one in inner):
                return False
    todo: list[tuple[str, ...]] = [(root,)]  # schemas that apply to one value, as often as they do
    seen = {*todo}
    for group in todo:  # grows while it is gone through
        if len(group) > _MOST_AT_ONCE or len(todo) > _MOST_GROUPS:
            return False
        below = _groups_below(linked, _in_place(linked, group, frozenset({"allOf"})))
        if below is None:
            return False
        for targets in below:
            other = tuple(sorted(targets))
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return True


def _groups_below(linked: LinkedSchema, pointers: list[str]) -> list[list[str]] | None:
    """Return the schemas that apply together to a member or an item of a value, for each of those.

    None if that depends on patterns.
    """
    members: dict[str, list[str]] = {}
    others: list[tuple[Any, str]] = []  # for the members that these names do not include
    items: list[str] = []
    for pointer in pointers:
        schema = linked.at[pointer]
        if type(schema) is dict and "patternProperties" in schema:
            return None
        for keyword, place, _ in subschemas(schema, pointer):
            target = linked.target(place)
            if keyword == "properties":
                members.setdefault(unescape_token(place.rpartition("/")[2]), []).append(target)
            elif keyword == "additionalProperties":
                others.append((schema.get("properties", ()), target))
            elif keyword in ("items", "additionalItems"):
                items.append(target)
    for name, targets in members.items():
        targets += [target for names, target in others if name not in names]
    return [*members.values(), [target for _, target in others], items]


def _in_place(linked: LinkedSchema, group: tuple[str, ...], keywords: frozenset[str]) -> list[str]:
    """Return some schemas, and those that apply to the same value by these keywords."""
    found = dict.fromkeys(group)
    todo = [*found]
    for pointer in todo:  # grows while it is gone through
        for keyword, place, _ in subschemas(linked.at[pointer], pointer):
            target = linked.target(place)
            if keyword in keywords and target not in found:
                found[target] = None
                todo.append(target)
    return todo


def _describes(schema: Any) -> bool:
    return type(schema) is dict and not _DESCRIBING.isdisjoint(schema)
