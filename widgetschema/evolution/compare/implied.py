"""The normal form of what a value may be: all that the keywords of a node imply together.

Keywords that say the same in other words are the same here: an excluded value next to a bound
moves it, several divisors and the type integer are one step, few possible members and
`minProperties` make these required, and if few values are left, they are listed. Each answer holds
for all data of a node; there may be data for which less holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, Final, NamedTuple

from widgetschema.evolution.compare.joined import BudgetedTree
from widgetschema.jsontext.decimals import decimal_value
from widgetschema.samples.objects import closure
from widgetschema.samples.values.automata import Answer, find_text, list_texts
from widgetschema.schema.linking import ANNOTATIONS
from widgetschema.schema.tree import Limit, Node
from widgetschema.schema.tree.tree import Key

_EXACT_BELOW: Final = 2**53  # from here on doubles are farther apart than integers
_MOST_VALUES: Final = 100  # that are listed of one node
_MOST_ITEMS: Final = 16  # of arrays that are listed
_MAX_DEPTH: Final = 12  # of values that are listed
_MAX_DIVISORS: Final = 30  # of one node
_MAX_EXCLUDED: Final = 1_000  # values that are passed over at a bound
_STEPS_PER_EFFORT: Final = 100  # of searches for texts
_EMPTY: Final[dict[str, Any]] = {"minLength": "", "minItems": [], "minProperties": {}}
_ESCAPED: Final = str.maketrans({character: f"\\{character}" for character in "^$\\.*+?()[]{}|/"})


class Members(NamedTuple):
    """The names that an object must have, and all that it may have; None if these are many.

    With `contradict`, there is no such object.
    """

    required: frozenset[str]
    possible: frozenset[str] | None
    contradict: bool

    def may_have(self, name: str) -> bool:
        """Return False if the object certainly has no member with this name."""
        return self.possible is None or name in self.possible


# Numbers (section 6.2)


def step_of(node: Node) -> Fraction | None:
    """Return a number of which all numbers of a node are multiples, as decimals."""
    units = [decimal_value(value) for value in node.multiples[:_MAX_DIVISORS]]
    units += [Fraction(1)] * node.integer
    if not units:
        return None
    return Fraction(
        math.lcm(*(unit.numerator for unit in units)),
        math.gcd(*(unit.denominator for unit in units)),
    )


def lowest(node: Node) -> Limit | None:
    """Return the lower bound of numbers, as narrow as divisors and excluded values make it."""
    return None if node.minimum is None else _tightened(node, node.minimum, 1)


def highest(node: Node) -> Limit | None:
    """Return the upper bound of numbers, as narrow as divisors and excluded values make it."""
    return None if node.maximum is None else _tightened(node, node.maximum, -1)


def _tightened(node: Node, limit: Limit, sign: int) -> Limit:
    unit = step_of(node)
    if unit is None:
        excluded = limit.excluded or _is_excluded(node, limit.value)
        return limit._replace(excluded=excluded)
    if abs(limit.value) < _EXACT_BELOW:
        bound = decimal_value(limit.value)
    elif unit.denominator == 1:  # all numbers are integers, as which they are compared
        bound, unit = Fraction(limit.value), Fraction(1)
    else:
        return limit
    times = math.ceil(sign * bound / unit)
    if limit.excluded and times * unit == sign * bound:
        times += 1
    for _ in range(_MAX_EXCLUDED):
        if not _is_excluded(node, _number(sign * times * unit)):
            break
        times += 1
    value = _number(sign * times * unit)
    is_exact = decimal_value(value) == sign * times * unit
    return Limit(value, False, limit.place) if is_exact else limit


def _is_excluded(node: Node, value: Any) -> bool:
    return any(value in values for values in node.excluded)


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


# Texts and counts (sections 6.3 to 6.5)


def least(node: Node, keyword: str) -> int:
    """Return the greatest of `minLength`, `minItems` or `minProperties`, or 1 if the empty value is
    excluded.
    """
    return max(node.least(keyword), _is_excluded(node, _EMPTY[keyword]))


def texts_of(
    node: Node, *, missed: tuple[str, ...] = (), low: int = 0, high: int | None = None
) -> Answer:
    """Return a text by the patterns and lengths of a node, in which other patterns match nowhere.

    The text may be refused for other reasons; if there is none, nothing of the node is a text.
    """
    asked = _texts_asked_for(node, (), missed)
    most = min((limit for limit in (high, asked.high) if limit is not None), default=None)
    answer = find_text(asked.matched, asked.missed, max(low, asked.low), most)
    _spend(node, answer.steps)
    return answer


def _few_texts(node: Node, *matched: str) -> list[str] | None:
    """Return the texts by the patterns and lengths of a node, and by further patterns."""
    asked = _texts_asked_for(node, matched, ())
    if not asked.matched and asked.high != 0:
        return None
    found, steps = list_texts(*asked, _MOST_VALUES)
    _spend(node, steps)
    return None if found is None else [*found]


class _Texts(NamedTuple):
    """Arguments of `find_text`."""

    matched: frozenset[str]
    missed: frozenset[str]
    low: int
    high: int | None


def _texts_asked_for(node: Node, matched: tuple[str, ...], missed: tuple[str, ...]) -> _Texts:
    refused = (node.tree.linked.at.get(pointer) for pointer in node.key.refused)
    gone = [schema["pattern"] for schema in refused if schema and _is_pattern(schema)]
    gone += [pattern_of(values.texts) for values in node.excluded if values.texts]
    patterns = frozenset((*matched, *node.texts("pattern")))
    lengths = least(node, "minLength"), node.most("maxLength")
    return _Texts(patterns, frozenset((*missed, *gone)), *lengths)


def _spend(node: Node, steps: int) -> None:
    assert isinstance(node.tree, BudgetedTree)
    node.tree.effort_spent += steps // _STEPS_PER_EFFORT


def pattern_of(texts: frozenset[str]) -> str:
    """Return a pattern that matches some texts and no others."""
    return f"^(?:{'|'.join(text.translate(_ESCAPED) for text in sorted(texts))})$"


def _is_pattern(schema: Any) -> bool:
    """Return True if a schema only rejects texts that do not match its pattern."""
    if type(schema) is not dict or "pattern" not in schema or "$ref" in schema:
        return False
    type_word = schema.get("type", "string")
    return schema.keys() - ANNOTATIONS <= {"type", "pattern"} and (
        type_word == "string" or "string" in type_word
    )


class Implied:
    """The values and members that the nodes of one tree imply, found once for each.

    `checker` returns, for a node, a function that says if a value satisfies it.
    """

    def __init__(self, checker: Callable[[Node], Callable[[Any], bool]]) -> None:
        self._checker = checker
        self._values: dict[Key, list[Any] | None] = {}
        self._by_kind: dict[Key, dict[str, list[Any] | None]] = {}
        self._members: dict[Key, Members] = {}
        self._depth = 0

    def few_values(self, node: Node) -> list[Any] | None:
        """Return values among which all of a node are; None if there may be many."""
        if node.key not in self._values:
            self._values[node.key] = None  # also while it is sought: it may contain itself
            if self._depth < _MAX_DEPTH:
                self._depth += 1
                self._values[node.key] = self._few(node)
                self._depth -= 1
        return self._values[node.key]

    def _few(self, node: Node) -> list[Any] | None:
        if node.values is not None:
            return [*node.values] if len(node.values) <= _MOST_VALUES else None
        found: list[Any] = []
        for some in self._few_by_kind(node).values():
            if some is None or len(found) + len(some) > _MOST_VALUES:
                return None
            found += some
        return found

    def kinds(self, node: Node) -> list[str]:
        """Return the types of a node that have any value, as far as can be told."""
        if node.values is not None or len(node.kinds) < 2:
            return [*node.kinds]
        return [kind for kind, some in self._few_by_kind(node).items() if some != []]

    def _few_by_kind(self, node: Node) -> dict[str, list[Any] | None]:
        if node.key not in self._by_kind:
            self._by_kind[node.key] = dict.fromkeys(node.kinds)  # while they are sought
            found: dict[str, list[Any] | None] = {}
            for kind in node.kinds:
                few = self._of_kind(node, kind)
                kept = None if few is None else [v for v in few if not _is_excluded(node, v)]
                found[kind] = kept
            self._by_kind[node.key] = found
        return self._by_kind[node.key]

    def _of_kind(self, node: Node, kind: str) -> list[Any] | None:
        match kind:
            case "null":
                return [None]
            case "boolean":
                return [False, True]
            case "number":
                return _few_numbers(node)
            case "string":
                return _few_texts(node)
            case "array":
                return self._few_arrays(node)
            case _:
                return self._few_objects(node.of_kind("object"))

    def _few_arrays(self, node: Node) -> list[Any] | None:
        shortest, longest = least(node, "minItems"), self.longest(node)
        if longest is not None and shortest > longest:
            return []
        items: list[list[Any]] = []
        while longest is None or len(items) < longest:
            some = self.few_values(node.item(len(items)))
            if some is None or len(items) == _MOST_ITEMS:
                return None
            if not some:
                break
            items.append(some)
        found: list[Any] = []
        for length in range(shortest, len(items) + 1):
            if len(found) + math.prod(map(len, items[:length])) > _MOST_VALUES:
                return None
            found += map(list, product(*items[:length]))
        return found

    def _few_objects(self, node: Node) -> list[Any] | None:
        members = self.members(node)
        if members.contradict:
            return []
        if any(self.few_values(node.child(name)) is None for name in node.required):
            return None
        if members.possible is None or len(members.possible) > _MOST_VALUES:
            return None
        found: list[dict[str, Any]] = [{}]
        for name in sorted(members.possible):
            some = self.few_values(node.child(name))
            ways = 0 if some is None else len(some) + (name not in members.required)
            if some is None or len(found) * ways > _MOST_VALUES:
                return None
            kept = [] if name in members.required else found
            found = kept + [{**one, name: value} for one in found for value in some]
        return found

    def longest(self, node: Node) -> int | None:
        """Return the greatest number of items in arrays."""
        limits = [node.most("maxItems")]
        size = node.tuple_length
        limits += [index for index in range(size + 1) if not node.item(index).kinds][:1]
        few = self.few_values(node.item(0)) if node.unique and not size else None
        limits.append(None if few is None else len(few))
        return min((limit for limit in limits if limit is not None), default=None)

    def members(self, node: Node) -> Members:
        """Return the names of the members of objects."""
        if node.key not in self._members:
            self._members[node.key] = self._names_of_members(node)
        return self._members[node.key]

    def _names_of_members(self, node: Node) -> Members:
        required = frozenset(closure(node.required, node.dependencies))
        possible = self._possible(node)
        fewest, most = least(node, "minProperties"), node.most("maxProperties")
        contradict = most is not None and fewest > most
        if possible is not None:
            contradict |= fewest > len(possible) or not required <= possible
            required = possible if fewest == len(possible) else required
        if most is not None and len(required) >= most:
            contradict |= len(required) > most
            possible = required
        return Members(required, possible, contradict)

    def _possible(self, node: Node) -> frozenset[str] | None:
        """Return the names that members can have; None if these are many."""
        names = node.names
        every = self.few_values(names)
        if every is None and node.closed:
            matched = [_few_texts(names, pattern) for pattern in node.patterns]
            every = [*node.properties]
            for some in matched:
                if some is None:
                    return None
                every += some
        if every is None:
            return None
        fits = self._checker(names) if names.key.pointers else None
        found = frozenset(
            name
            for name in every
            if name not in node.absent
            and (fits is None or fits(name))
            and (node.properties.get(name) or node.child(name)).kinds
        )
        return frozenset(
            name for name in found if found.issuperset(closure((name,), node.dependencies))
        )


def _few_numbers(node: Node) -> list[Any] | None:
    low, high = lowest(node), highest(node)
    if low is None or high is None:
        return None
    if low.value > high.value or (low.value == high.value and (low.excluded or high.excluded)):
        return []
    if low.value == high.value:
        return [low.value]
    unit = step_of(node)
    if unit is None or max(abs(low.value), abs(high.value)) >= _EXACT_BELOW:
        return None
    first, last = (decimal_value(limit.value) / unit for limit in (low, high))
    if last - first >= _MOST_VALUES:
        return None
    return [_number(times * unit) for times in range(int(first), int(last) + 1)]
