"""Mistakes that are made again and again: found by one decision of the engine, without a walk.

After a schema has changed, all records lack the same new member. Once a mistake was found some
times, a schema is compiled that asks for all but what it violates. If that accepts an instance that
is invalid, the instance has this mistake and no other, so it is what a walk would find.

Which mistakes these can be follows from the schema alone. Their keyword is asserted of one place in
the instance, by one way, which leads through members and `allOf`: no alternative, condition or
negation depends on it. And the schema describes no object or array in several ways at once, so that
a walk certainly ends before its effort does.
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
            self._is_simple = _describes_in_one_way(self._linked, self._ways)
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
    todo = [root]
    for pointer in todo:  # grows while it is gone through
        for keyword, place, _ in subschemas(linked.at[pointer], pointer):
            target = linked.target(place)
            if keyword == "definitions":
                continue
            if target not in ways:
                ways[target] = []
                todo.append(target)
            ways[target].append(_Way(pointer, keyword, unescape_token(place.rpartition("/")[2])))
    return ways


def _describes_in_one_way(linked: LinkedSchema, ways: dict[str, list[_Way]]) -> bool:
    """Return whether only one schema says anything about the members and items of a value.

    Then a walk comes to each value once, and inner walks come to no members and items at all.
    """
    describing = {
        pointer
        for pointer in ways
        if type(schema := linked.at[pointer]) is dict and not _DESCRIBING.isdisjoint(schema)
    }
    if any("patternProperties" in linked.at[pointer] for pointer in describing):
        return False
    claimed: set[str] = set()  # schemas of values that one of them describes
    for pointer in describing:
        todo, seen = [pointer], {pointer}
        while todo:
            here = todo.pop()
            if here in claimed:
                return False
            for way in ways[here]:
                if way.keyword in _BY_INNER_WALKS:
                    return False
                if way.keyword == "allOf" and way.parent not in seen:
                    seen.add(way.parent)
                    todo.append(way.parent)
        claimed |= seen
    return True
