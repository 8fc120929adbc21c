"""Demands that are choices: `anyOf`, `oneOf`, `if`, and what is refused (`not`).

Draft-07 validation specification, sections 6.6 and 6.7. A choice of the right schema is met if
all that the left node allows meets one branch; where it takes different branches for different
data, `Prover` splits the left node by its own choices first, and asks again.
"""

from __future__ import annotations

from typing import Any, Final

from widgetschema.evolution.compare.joined import reference
from widgetschema.evolution.compare.obstacles import Obstacle, Prover
from widgetschema.schema.tree import Node

CHOICES: Final = ("anyOf", "oneOf", "if")
_LIKE: Final = 3  # obstacles of one branch that are told one by one: more, and it is another branch


def choice_obstacles(
    prover: Prover, keyword: str, pointer: str, schema: dict[str, Any], left: Node
) -> list[Obstacle]:
    """Return the obstacles of one choice, of `CHOICES`."""
    if keyword == "if":
        return _condition(prover, left, pointer, schema)
    place = f"{pointer}/{keyword}"
    if prover.deferred(left, place):
        return [changed(keyword, place, left, {"not": _list(keyword, place, len(schema[keyword]))})]
    some = _any_of if keyword == "anyOf" else _one_of
    return some(prover, left, place, len(schema[keyword]))


def refusal_obstacles(prover: Prover, left: Node, refused: str) -> list[Obstacle]:
    """Return the obstacle of a schema that must not match, unless the left node never does."""
    if prover.disjoint(left, refused):
        return []
    place = prover.tree.place(refused)
    return [changed("not", place, left, reference(place))]


def changed(keyword: str, place: str, left: Node, leaf: Any) -> Obstacle:
    """Return the obstacle of a choice as a whole."""
    monotone = keyword in ("anyOf", "dependencies", "contains")
    return Obstacle((), keyword, keyword, place, left.place(keyword), leaf=leaf, monotone=monotone)


def _any_of(prover: Prover, left: Node, place: str, size: int) -> list[Obstacle]:
    trials = []
    for index in prover.likely(left, place, size):
        branch = f"{place}/{index}"
        found = prover.contained(left, prover.tree.node([branch]))
        if not found:
            return []
        trials.append((branch, found))
    whole = changed("anyOf", place, left, {"not": _list("anyOf", place, size)})
    return _reported(prover, trials, left, whole)


def _one_of(prover: Prover, left: Node, place: str, size: int) -> list[Obstacle]:
    trials = []
    every = [f"{place}/{index}" for index in range(size)]
    for index in prover.likely(left, place, size):
        found = prover.contained(left, prover.tree.node([every[index]]))
        if found:
            trials.append((every[index], tuple(one._replace(monotone=False) for one in found)))
        elif all(prover.disjoint(left, other) for other in every if other != every[index]):
            return []
    whole = changed("oneOf", place, left, {"not": _list("oneOf", place, size)})
    if len(trials) < size:  # one fits, but others may fit, too
        return [whole]
    return _reported(prover, trials, left, whole)


def _condition(prover: Prover, left: Node, pointer: str, schema: dict[str, Any]) -> list[Obstacle]:
    """Return the obstacles with `if` matched and with `if` refused (section 6.6)."""
    condition = f"{pointer}/if"
    found: list[Obstacle] = []
    if "then" in schema:
        node = left.narrowed((condition,))
        found += prover.contained(node, prover.tree.node([f"{pointer}/then"]))
    if "else" in schema:
        node = left.narrowed(refused=(condition,))
        found += prover.contained(node, prover.tree.node([f"{pointer}/else"]))
    return [one._replace(monotone=False) for one in found]


def _reported(
    prover: Prover,
    trials: list[tuple[str, tuple[Obstacle, ...]]],
    left: Node,
    whole: Obstacle,
) -> list[Obstacle]:
    """Return the obstacles of the most likely branch, or that of the choice as a whole.

    While the left node has choices, too, these are to be made first. A branch that is one of
    the left schema's other branches is not what became of this one.
    """
    if any(choice.keyword != "not" for choice in left.choices):
        return [whole]
    taken = prover.taken(left)
    others = [found for branch, found in trials if prover.same.class_of(branch) not in taken]
    best = min(others, default=None, key=len)
    if best is not None and len(best) <= _LIKE:
        return [one._replace(against=((len(one.path), whole.leaf), *one.against)) for one in best]
    return [whole._replace(subject="branch" if taken else None)]


def _list(keyword: str, place: str, size: int) -> dict[str, Any]:
    return {keyword: [reference(f"{place}/{index}") for index in range(size)]}
