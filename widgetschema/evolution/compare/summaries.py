"""Single changes summed up as people see them: listed values together, renames as one change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

from widgetschema.evolution.compare.changes import KINDS, Change, Guess, Pair
from widgetschema.evolution.compare.obstacles import Obstacle
from widgetschema.evolution.compare.renames import (
    Found,
    Match,
    Shown,
    are_clear,
    covers,
    reason_text,
    value_pairs,
)
from widgetschema.evolution.compare.sentences import listed, sides
from widgetschema.jsontext import preview
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import format_pointer
from widgetschema.schema.keywords import texts

Differences = Callable[[Match], tuple[Change, ...]]


class Single(NamedTuple):
    """One change with the obstacle that it is of, in the newer schema (`narrows`) or the older."""

    obstacle: Obstacle
    narrows: bool
    change: Change


def summed_up(
    singles: Sequence[Single],
    guesses: Iterable[Found],
    described: Iterable[Shown],
    differences: Differences,
) -> list[Change]:
    """Return the changes, with those that belong together combined."""
    left = dict(enumerate(singles))
    about: dict[tuple[str, ...], list[int]] = {}  # by what is at or around the place
    for index, (obstacle, _, _) in left.items():
        shown = obstacle.shown
        paths = [shown[:size] for size in range(len(shown) + 1)]
        for path in [*paths, (*shown, obstacle.subject)] if obstacle.fact == "required" else paths:
            about.setdefault(path, []).append(index)

    def at(*paths: tuple[str, ...]) -> list[int]:
        """Return what is left at some paths, in order."""
        return sorted({index for path in paths for index in about.get(path, ()) if index in left})

    found: list[Change] = []
    for guess in guesses:
        nearby = at(*(member.top for match in guess.matches for member in match[:2]))
        every = [(n, left[n]) for n in nearby]
        parts = [n for n, one in every if covers(guess, one.obstacle, narrows=one.narrows)]
        if parts:
            changes = [left.pop(n).change for n in parts]
            found.append(_renamed(guess, changes, differences))
    for path in described:
        parts = [n for n in at(path) if left[n].obstacle.shown[: len(path)] == path]
        if any(left[n].narrows for n in parts):
            found.append(_described(path, [left.pop(n).change for n in parts]))
    return found + _listed([*left.values()])


def _described(path: Shown, parts: Sequence[Change]) -> Change:
    message = texts()["member.described"](subject=preview(path[-1]))
    worst = min(parts, key=lambda one: KINDS.index(one.kind))
    message += worst.message[worst.message.find(";") :] if worst.kind == "unknown" else ""
    change = _united(parts, format_pointer(path), message)
    return replace(change, keyword="properties", old=None, new=None, subjects=path[-1:])


def _renamed(found: Found, parts: Sequence[Change], differences: Differences) -> Change:
    matches = found.matches
    members = [(match.old, match.new) for match in matches]
    guess = Guess(
        found.kind,
        tuple(Pair(format_pointer(old.path), format_pointer(new.path)) for old, new in members),
        reason_text([id for match in matches for id in match.reasons]),
        all(match.likely for match in matches),
        all(match.sure for match in matches),
        tuple(
            difference for match in matches if not match.same for difference in differences(match)
        ),
    )
    names = [Pair(old.name, new.name) for old, new in members]
    places = zip(*(member.path[:-1] for pair in members for member in pair), strict=False)
    shared = sum(1 for _ in takewhile(lambda tokens: len({*tokens}) == 1, places))
    below = [Pair(*(format_pointer(member.path[shared:]) for member in pair)) for pair in members]
    message = _sentence(guess, names if found.kind == "rename" else below)
    if guess.differences:
        message += f"; then {guess.differences[0].message}"
    change = _united(parts, guess.pairs[0].old, message)
    subjects = tuple(name for pair in names for name in pair)
    return replace(change, keyword="properties", old=None, new=None, guess=guess, subjects=subjects)


def _sentence(guess: Guess, pairs: Sequence[Pair]) -> str:
    say = texts()
    return say["guess.one" if len(pairs) == 1 else "guess.many"](
        old=listed([pair.old for pair in pairs]),
        new=listed([pair.new for pair in pairs]),
        reason=guess.reason,
        guess=say[f"guess.{guess.kind}{'' if guess.likely else '-perhaps'}"](),
    )


def _united(parts: Sequence[Change], path: str, message: str) -> Change:
    """Return several changes as one, of the worst of their kinds."""
    worst = min(parts, key=lambda one: KINDS.index(one.kind))
    narrows = any(part.narrows for part in parts)
    return replace(
        worst, path=path, message=message, narrows=narrows, parts=tuple(parts), guess=None
    )


def _listed(singles: Sequence[Single]) -> list[Change]:
    """Return the changes in order; values of one list are one change for each kind."""
    found: dict[Any, list[Single]] = {}
    for index, one in enumerate(singles):
        is_value = one.obstacle.fact == "value"
        place = one.change.path, one.change.pointer, one.change.keyword
        found.setdefault(("value", *place) if is_value else index, []).append(one)
    changes: list[Change] = []
    for key, some in found.items():
        changes += [one.change for one in some] if type(key) is int else _values(some)
    return changes


def _values(singles: Sequence[Single]) -> list[Change]:
    """Return the changes of the values of one list: those with another spelling, then others."""
    gone, added, every = _gone_and_new(singles)
    pairs, reason = value_pairs(gone, added)
    old, new = ({canonical(pair[side]) for pair in pairs} for side in (0, 1))
    renamed = [
        single
        for single in singles
        if canonical(single.obstacle.subject) in (old if single.narrows else new)
    ]
    found: list[Change] = []
    groups: dict[Any, list[Single]] = {}
    if any(one.narrows for one in renamed):
        guess = Guess("value", pairs, reason_text([reason]), reason != "value.only",
            sure=reason == "value.letters" and are_clear(pairs, *every),
        )  # fmt: skip
        parts = [one.change for one in renamed]
        change = _united(parts, parts[0].path, _sentence(guess, pairs))
        subjects = tuple(value for pair in pairs for value in pair)
        found.append(replace(change, guess=guess, subjects=subjects))
    else:
        renamed = []
    for single in singles:
        if single not in renamed:
            groups.setdefault((single.narrows, single.change.kind), []).append(single)
    return found + [_value_list(some) for some in groups.values()]


def _gone_and_new(singles: Sequence[Single]) -> tuple[list[Any], list[Any], tuple[list[Any], ...]]:
    """Return the removed and the added values of a list, and all values before and after."""
    first = singles[0]
    was, now = sides(first.obstacle, narrows=first.narrows)
    if type(was) is list and type(now) is list:  # all of them: some have no change of their own
        return _without(was, now), _without(now, was), (was, now)
    gone, new = (
        [single.obstacle.subject for single in singles if single.narrows is side]
        for side in (True, False)
    )
    return gone, new, (gone, new)


def _without(values: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    known = set(map(canonical, others))
    return [value for value in values if canonical(value) not in known]


def _value_list(singles: Sequence[Single]) -> Change:
    changes = [single.change for single in singles]
    if len(changes) == 1:
        return changes[0]
    values = [single.obstacle.subject for single in singles]
    id = "value list.narrower" if singles[0].narrows else "value list.wider"
    message = texts()[id](subjects=listed(values))
    _, semicolon, doubt = changes[0].message.partition(";")  # the same of all
    change = _united(changes, changes[0].path, f"{message}{semicolon}{doubt}")
    return replace(change, subjects=tuple(values))
