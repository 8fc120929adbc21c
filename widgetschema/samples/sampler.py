"""`Sampler`: valid data, where each item depends only on a seed and an index.

The validator has accepted every value that is returned. If a stream of numbers leads to no valid
data, the next stream of the same item is tried, a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from widgetschema.errors import CannotGenerate
from widgetschema.jsontext.values import is_shallow
from widgetschema.samples.choosers import (
    DEFAULT_DEPTH,
    DEFAULT_FULL_DEPTH,
    DEFAULT_ITEMS,
    LeastChooser,
    MaximalChooser,
    StreamChooser,
)
from widgetschema.samples.model import (
    DEFAULT_FILL,
    MAX_CONTAINERS,
    MAX_EFFORT,
    Chooser,
    DeadEnd,
    size_of,
)
from widgetschema.samples.overrides import Overrides
from widgetschema.samples.plan import Plan
from widgetschema.samples.values.horizon import days_later
from widgetschema.validation import Validator

# Changes whenever any sample changes: with the same version, item i of a seed is the same.
ALGORITHM: Final = 2
_MAX_TRIES: Final = 100
MAX_TOTAL_EFFORT: Final = 3 * MAX_EFFORT  # in all attempts together, before sampling fails
MAX_DEPTH: Final = 100  # also of items: deeper data would exceed Python's own stack
_EXTREME_TRIES: Final = 24  # values from which the smallest, or the largest, is taken
_MAX_EXAMINED: Final = 10_000  # members and items in all these values together
_MAX_MADE: Final = 4_000  # arrays and objects made for them, discarded ones as well

Seed = int | str


class Sampler:
    """Valid data of one schema.

    `overrides` (JSON Pointer pattern → values, or a callable) replace what would have been
    made: see `Overrides`. `fill` is how likely an optional member is, from 0 to 1; `max_depth` how
    many recursive arrays and objects are inside each other at most, `max_items` how many items
    an array or a map has, unless the schema asks for more.

    Raises `ValueError` for a `fill` outside 0 to 1, a negative number or an override that leads
    nowhere.
    """

    def __init__(
        self,
        plan: Plan,
        validator: Validator,
        *,
        fill: float = DEFAULT_FILL,
        overrides: Mapping[str, Any] | None = None,
        max_depth: int = DEFAULT_DEPTH,
        max_items: int = DEFAULT_ITEMS,
    ) -> None:
        check_reach(max_depth, max_items)
        if not isinstance(fill, (int, float)) or not 0 <= fill <= 1:
            raise ValueError(f"fill is a share of optional properties, from 0 to 1, not {fill!r}")
        self.plan = plan
        self.validator = validator
        self._settings = fill, max_depth, max_items
        self._make, self._is_valid = plan.root.make, validator.is_valid
        # A plan makes plain JSON, which the engine takes without a guard, unless it may be nested
        # too deeply: with more containers than half of the allowed levels, or if the values that
        # the schema lists may have as many.
        half = validator.limits.max_depth // 2
        listed_are_shallow = is_shallow(validator.linked.schema, half)
        self._decides = validator.decides if listed_are_shallow else validator.is_valid
        self._few_containers = MAX_CONTAINERS - half + 1
        self._overrides = Overrides(overrides, plan) if overrides else None

    def sample(self, seed: Seed = 0, index: int = 0) -> Any:
        """Return item `index` of a seed. Raises `CannotGenerate`."""
        if type(index) is not int or index < 0 or type(seed) not in (int, str):
            _refuse(seed, index)
        if self._overrides is None:
            key = f"{ALGORITHM}/{seed}/{index}/0"
            chooser = StreamChooser(key, *self._settings, days_later(seed))
            try:
                value = self._make(chooser, ())
                few = chooser.budget > self._few_containers
                if self._decides(value) if few else self._is_valid(value):
                    return value
            except (DeadEnd, RecursionError):
                pass
        # If few streams lead to valid data, all items share the last ones.
        key = f"{ALGORITHM}/{seed}/{index}"
        keys = [*(f"{key}/{turn}" for turn in range(_MAX_TRIES)), *map(str, range(_MAX_TRIES))]
        settings = *self._settings, days_later(seed)
        return self._first_valid(lambda turn: StreamChooser(keys[turn], *settings), len(keys))

    def samples(self, n: int, seed: Seed = 0, start: int = 0) -> Iterator[Any]:
        """Yield items `start` to `start + n - 1` of a seed. Raises `CannotGenerate`."""
        if type(n) is not int or n < 0:
            raise ValueError(f"a number of samples is an int, 0 or more, not {n!r}")
        _refuse(seed, start)
        return (self.sample(seed, index) for index in range(start, start + n))

    def minimal(self) -> Any:
        """Return the smallest data: required members only, each with its simplest value."""
        return min(self._candidates(_least), key=size_of)

    def maximal(self, *, max_depth: int = DEFAULT_FULL_DEPTH, max_items: int | None = None) -> Any:
        """Return data with every member, each realistic; recursion ends soon. Raises
        `ValueError` for a negative number.
        """
        check_reach(max_depth, max_items)

        def chooser_for(turn: int) -> Chooser:
            """Return the chooser of an attempt to make maximal data."""
            if turn < _MAX_TRIES // 2:
                return MaximalChooser(f"maximal/{turn}", max_depth=max_depth, max_items=max_items)
            items = DEFAULT_ITEMS if max_items is None else max_items
            return StreamChooser(f"maximal/{turn}", 1 - turn % 3 / 2, max_depth, items)

        return max(self._candidates(chooser_for), key=size_of)

    def _candidates(self, chooser_for: Callable[[int], Chooser]) -> list[Any]:
        """Return several valid values: the first choice of a branch may not be the best."""
        effort = _Effort()
        some = [self._first_valid(chooser_for, effort=effort)]
        looked_at = size_of(some[0])
        for turn in range(1, _EXTREME_TRIES):
            if effort.is_spent or looked_at > _MAX_EXAMINED or effort.made > _MAX_MADE:
                break
            try:
                one = self._first_valid(lambda _, turn=turn: chooser_for(turn), 1, effort)  # type: ignore[misc]
            except CannotGenerate:
                continue
            some.append(one)
            looked_at += size_of(one)
        return some

    def _first_valid(
        self,
        chooser_for: Callable[[int], Chooser],
        tries: int = _MAX_TRIES,
        effort: _Effort | None = None,
    ) -> Any:
        """Return the first of several attempts that is valid."""
        stuck: DeadEnd | None = None
        refused: Any = None
        effort = effort or _Effort()
        for turn in range(tries):
            if effort.is_spent:
                tries = turn
                break
            chooser = chooser_for(turn)
            try:
                value = self._make(chooser, ())
            except DeadEnd as error:
                stuck = error
                continue
            except RecursionError:
                pointer = self.plan.tree.root.pointer
                stuck = DeadEnd(pointer, "the data would be deeper than Python's own stack")
                continue
            finally:
                effort.left -= chooser.effort_spent
                effort.made += MAX_CONTAINERS - chooser.budget
            if self._overrides is not None:
                value = self._overrides.apply(value, chooser)
            if self._is_valid(value):
                return value
            refused = (value,)
        raise self._failure(stuck, refused, tries, is_spent=effort.is_spent)

    def _failure(
        self, stuck: DeadEnd | None, refused: Any, tries: int, *, is_spent: bool
    ) -> CannotGenerate:
        name = self.validator.linked.id or "schema"
        if refused is None and stuck is not None:
            given_up = f"; gave up after {MAX_TOTAL_EFFORT:,} attempts" if is_spent else ""
            return CannotGenerate(name, stuck.pointer, stuck.reason + given_up)
        finding = next(iter(self.validator.check(refused[0])))
        tried = "in 1 try" if tries == 1 else f"in {tries:,} tries"
        given = ", with the overrides," if self._overrides is not None else ""
        reason = f"what was made{given} was not valid {tried}; the last time: {finding.headline}"
        return CannotGenerate(name, finding.schema_path, reason)


def check_reach(max_depth: int | None, max_items: int | None) -> None:
    """Raise `ValueError` for an invalid number of levels or items; None is no bound."""
    for name, number in (("max_depth", max_depth), ("max_items", max_items)):
        if number is not None and (type(number) is not int or not 0 <= number <= MAX_DEPTH):
            raise ValueError(f"{name} is an int from 0 to {MAX_DEPTH}, not {number!r}")


class _Effort:
    """The effort that is left to all attempts together, counted in steps, and the arrays and
    objects that were made.
    """

    def __init__(self) -> None:
        self.left = MAX_TOTAL_EFFORT
        self.made = 0

    @property
    def is_spent(self) -> bool:
        """True if no effort is left."""
        return self.left < 0


def _refuse(seed: Any, index: Any) -> None:
    """Raise `ValueError` for an invalid seed or index."""
    if type(index) is not int or index < 0:
        raise ValueError(f"an index is an int, 0 or more, not {index!r}")
    if type(seed) not in (int, str):
        raise ValueError(f"a seed is an int or a text, not {seed!r}")


def _least(turn: int) -> Chooser:
    """Return the chooser of an attempt to make minimal data."""
    if turn < _MAX_TRIES // 2:
        return LeastChooser(f"minimal/{turn}") if turn else Chooser()
    return StreamChooser(f"minimal/{turn}", turn % 3 / 2)
