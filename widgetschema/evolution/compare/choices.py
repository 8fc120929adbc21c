"""Requirements that are choices (`anyOf`, `oneOf`, `if`) or negations (`not`).

Draft-07 validation specification, sections 6.6 and 6.7. A choice of the right schema is met if one
branch accepts all data of the left node. If different data needs different branches, the prover
first splits the left node by its own choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, Final

from widgetschema.evolution.compare.joined import reference
from widgetschema.evolution.compare.obstacles import Obstacle, Prover
from widgetschema.schema.tree import Node

CHOICES: Final = ("anyOf", "oneOf", "if")
_MAX_DETAILS: Final = 3  # obstacles of a branch; with more, it is not the corresponding branch
_MAX_COVERED: Final = 8  # branches of a choice, one of which may accept what the others reject


def choice_obstacles(
    prover: Prover, keyword: str, pointer: str, schema: dict[str, Any], left: Node
) -> list[Obstacle]:
    """Return the obstacles of one choice, of `CHOICES`."""
    if keyword == "if":
        return _condition(prover, left, pointer, schema)
    place = f"{pointer}/{keyword}"
    if prover.deferred(left, place):
        leaf = {"not": _list(keyword, place, len(schema[keyword]))}
        return [_changed_choice(prover, keyword, place, left, leaf)]
    some = _any_of if keyword == "anyOf" else _one_of
    return some(prover, left, place, len(schema[keyword]))


def refusal_obstacles(prover: Prover, left: Node, refused: str) -> list[Obstacle]:
    """Return the obstacle of a schema that must not match, unless the left node never does."""
    if prover.disjoint(left, refused):
        return []
    place = prover.tree.place(refused)
    return [_changed_choice(prover, "not", place, left, reference(place))]


def changed(keyword: str, place: str, left: Node, leaf: Any) -> Obstacle:
    """Return the obstacle of a subschema as a whole."""
    return Obstacle((), keyword, keyword, place, left.place(keyword), leaf=leaf)


def _changed_choice(prover: Prover, keyword: str, place: str, left: Node, leaf: Any) -> Obstacle:
    rigid = None if keyword == "anyOf" or prover.yielding(left) else 0
    return changed(keyword, place, left, leaf)._replace(rigid=rigid)


def _rigid(prover: Prover, left: Node, found: Iterable[Obstacle]) -> list[Obstacle]:
    """Return obstacles of a choice that may refuse more where one of them is loosened."""
    if prover.yielding(left):
        return [*found]
    return [one._replace(rigid=len(one.path)) for one in found]


def _any_of(prover: Prover, left: Node, place: str, size: int) -> list[Obstacle]:
    trials = []
    for index in prover.likely(left, place, size):
        branch = f"{place}/{index}"
        found = prover.contained(left, prover.tree.node([branch]))
        if not found:
            return []
        trials.append((branch, found))
    if any(_covers(prover, left, place, size, branch) for branch in _promising(trials, size)):
        return []
    whole = changed("anyOf", place, left, {"not": _list("anyOf", place, size)})
    return _reported(prover, trials, left, whole)


def _one_of(prover: Prover, left: Node, place: str, size: int) -> list[Obstacle]:
    trials = []
    every = [f"{place}/{index}" for index in range(size)]
    for index in prover.likely(left, place, size):
        found = prover.contained(left, prover.tree.node([every[index]]))
        if found:
            trials.append((every[index], tuple(_rigid(prover, left, found))))
        elif all(prover.disjoint(left, other) for other in every if other != every[index]):
            return []
    if any(
        _covers(prover, left, place, size, branch) for branch in _promising(trials, size)
    ) and _apart(prover, left, every):
        return []
    leaf = {"not": _list("oneOf", place, size)}
    whole = _changed_choice(prover, "oneOf", place, left, leaf)
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
    return _rigid(prover, left, found)


def _promising(trials: list[tuple[str, tuple[Obstacle, ...]]], size: int) -> list[str]:
    """Return the branches that may well be met by all that meets no other one."""
    if size > _MAX_COVERED:
        return []
    return [branch for branch, found in trials if len(found) <= _MAX_DETAILS]


def _covers(prover: Prover, left: Node, place: str, size: int, branch: str) -> bool:
    """Return True if all of the left node that meets no other branch surely meets this one."""
    others = tuple(f"{place}/{index}" for index in range(size) if f"{place}/{index}" != branch)
    rest = left.narrowed(refused=others)
    return not prover.contained(rest, prover.tree.node([branch]))


def _apart(prover: Prover, left: Node, branches: list[str]) -> bool:
    """Return True if certainly no data of the left node meets two of the branches."""
    return all(
        prover.disjoint(left.narrowed((one,)), other) for one, other in combinations(branches, 2)
    )


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
    best = min(others, default=None, key=lambda found: (_is_of_another_type(found), len(found)))
    if best is not None and len(best) <= _MAX_DETAILS:
        return [one._replace(against=((len(one.path), whole.leaf), *one.against)) for one in best]
    removed = taken and all(map(_is_of_another_type, others))
    return [whole._replace(subject="branch" if removed else None)]


def _is_of_another_type(found: tuple[Obstacle, ...]) -> bool:
    """Return True if a branch is not what became of another: it does not allow its type."""
    return any(one.fact == "type" and not one.path for one in found)


def _list(keyword: str, place: str, size: int) -> dict[str, Any]:
    return {keyword: [reference(f"{place}/{index}") for index in range(size)]}
