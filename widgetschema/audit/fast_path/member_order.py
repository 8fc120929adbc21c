"""In which order texts have the members of their objects, learned from texts.

A class writes its fields in one order, so a text in another order is not proved to be the same.
Nothing here decides about texts: an order that is wrong costs time, and that is all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any, Final

from widgetschema.audit.fast_path.types import ITEM, MEMBER, Path

_MOST_NAMES: Final = 256  # of one object: more are no members, but keys
_LONGEST: Final = 256  # characters of a name
_TEXTS: Final = 8  # before the names of members can look endless …
_RARE: Final = 8  # … since one in so many texts has one that no other has
_FEW: Final = 2  # in so many texts a name must be that the schema does not name


class MemberOrder:
    """The order of members that texts have shown: for each object, which follows which."""

    def __init__(self) -> None:
        self.texts = 0
        self._follows: dict[Path, Counter[tuple[str, str]]] = {}
        self._seen: dict[Path, Counter[str]] = {}

    def learn(self, value: Any, places: Collection[Path], about: Collection[Path]) -> None:
        """Look at some objects of a value; `places` are the paths of all that have an order."""
        self.texts += 1
        around = {path[:length] for path in about for length in range(len(path) + 1)}
        todo: list[tuple[Any, Path]] = [(value, ())]
        while todo:
            inner, path = todo.pop()
            if path not in around:
                continue
            if type(inner) is list:
                todo += [(item, (*path, ITEM)) for item in inner]
            elif type(inner) is dict and path in places:
                if path in about:
                    self._see(path, [name for name in inner if len(name) <= _LONGEST])
                todo += [(item, (*path, name)) for name, item in inner.items()]
            elif type(inner) is dict:
                todo += [(item, (*path, MEMBER)) for item in inner.values()]

    def _see(self, path: Path, names: list[str]) -> None:
        seen = self._seen.setdefault(path, Counter())
        if len(seen) + len(names) > 2 * _MOST_NAMES:
            names = [name for name in names if name in seen]
        seen.update(names)
        follows = self._follows.setdefault(path, Counter())
        follows.update(pairwise(names))

    def order(self, path: Path, named: Sequence[str], others: bool) -> list[str] | None:
        """Return the names of the members of the object at a path, in the order of the texts.

        `named` are those of the schema, in its order; `others` says whether it may have more.
        None if there is always another one.
        """
        seen = self._seen.get(path)
        if seen is None:
            return list(named)
        known = set(named)
        if others and self._is_endless(seen, known):
            return None
        least = min(_FEW, self.texts)
        names = [name for name in named if name in seen]
        if others:
            more = (name for name, count in seen.most_common() if count >= least)
            names += [name for name in more if name not in known][:_MOST_NAMES]
        ordered = _sorted(names, self._follows[path])
        before = ""
        for name in named:  # those that no text had stand behind the one that the schema has before
            if name not in seen:
                ordered.insert(ordered.index(before) + 1 if before in ordered else 0, name)
            before = name
        return ordered

    def _is_endless(self, seen: Counter[str], known: set[str]) -> bool:
        # As many names as were seen once, so likely is the next text to have another one.
        once = sum(count == 1 for name, count in seen.items() if name not in known)
        return len(seen) - len(known) > _MOST_NAMES or (
            self.texts >= _TEXTS and once * _RARE > self.texts
        )


def _sorted(names: list[str], follows: Counter[tuple[str, str]]) -> list[str]:
    """Return the names, so that few follow where most texts have them before."""
    left = dict.fromkeys(names)
    before: dict[str, set[str]] = {name: set() for name in names}
    for (first, second), count in follows.items():
        if first in left and second in left and count > follows.get((second, first), 0):
            before[second].add(first)
    ordered: list[str] = []
    while left:
        # In a circle, the name with the fewest before it is next.
        least = min(left, key=lambda name: len(before[name]))
        ordered.append(least)
        del left[least]
        for name in left:
            before[name].discard(least)
    return ordered
