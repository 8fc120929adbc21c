"""Plans that change their own results: whether a step may do its work twice.

Each step may be harmless by itself, and the plan is not: after `/title` was dropped and `/heading`
renamed to `/title`, the same plan drops what it has renamed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from widgetschema.evolution.migrate.steps.step import WILD, Step
from widgetschema.pointers import ANY, ANY_DEPTH, parse_pattern

# Kinds that leave values alone that another one of them has made at the same place.
_SETTLING: Final = frozenset({"cast", "clamp", "round", "wrap", "default"})
_MOST_PAIRS: Final = 1_000_000


def repeating(steps: Sequence[Step], most_pairs: int = _MOST_PAIRS) -> Step | None:
    """Return a step that may do its work twice if the steps are carried out twice, or None.

    None is certain as far as patterns say it; a step that is returned may be harmless.

    Args:
        steps: The steps of a plan, in their order.
        most_pairs: Of steps that are compared; beyond, a step may do its work twice.
    """
    pairs = 0
    for number, later in enumerate(steps):
        if not later.is_idempotent:
            return later
        pairs += number
        if pairs > most_pairs:
            return later
        results = [(*parse_pattern(one),) for one in later.results]
        for earlier in steps[:number]:
            if any(_wakes(later, result, earlier) for result in results):
                return earlier
    return None


def _wakes(later: Step, result: tuple[str, ...], earlier: Step) -> bool:
    """Return whether what a step makes at a place may be work for one before it."""
    for source in earlier.sources:
        tokens = (*parse_pattern(source),)
        if tokens == result and earlier.kind == "default":
            continue
        if _may_meet(tokens, result) and _may_change(earlier, tokens, later, result):
            return True
    return False


def _may_change(
    earlier: Step, source: tuple[str, ...], later: Step, result: tuple[str, ...]
) -> bool:
    """Return whether a step may change a value that another one made, or a part of it."""
    is_same = len(source) == len(result) and ANY_DEPTH not in (*source, *result)
    if later.makes is not None:
        if is_same:
            name = result[-1]
            return any(earlier.may_apply({name: one}, name, one) for one in later.makes)
        if len(source) > len(result) and not any(map(_has_parts, later.makes)):
            return False
    settles = later.kind in _SETTLING and earlier.kind in _SETTLING
    return not (settles and (is_same or later.kind not in ("wrap", "default")))


def _has_parts(value: object) -> bool:
    return isinstance(value, (dict, list)) and bool(value)


def _may_meet(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return False if no place of a pattern is one of the other, inside of it, or around it."""
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if ANY_DEPTH in (left, right):
            return index > 0 or _may_meet_deep(one, other)
        if left != right and ANY not in (left, right):
            return False
    return True


def _may_meet_deep(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return False if nothing that a pattern ends with is a name in the other.

    One of them is about all places at any depth, also those inside of what was moved.
    """
    last, result = one[-1], other[-1]
    return last in WILD or result in WILD or last == result or result in one
