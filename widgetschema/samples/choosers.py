"""Who decides: a plan asks, and a chooser answers. What is made depends on nothing else.

A `Step` of the plan knows what is possible; a `Chooser` says which of it is made: drawn from a
stream of numbers (samples), always the least, always the most, as it was told (coverage), or by
Hypothesis (strategies).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from hashlib import shake_128
from itertools import chain
from struct import unpack
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from widgetschema.samples.containers import Items
    from widgetschema.samples.numbers import Number
    from widgetschema.samples.objects import Member, Record
    from widgetschema.samples.step import Pick, Step
    from widgetschema.samples.texts import Text

Below = Callable[[int], int]
Path = tuple[Any, ...]  # (path of what is around it, token); the root is ()

DEFAULT_FILL: Final = 0.75
# How many recursive schemas may be inside each other, and how many of them, or how many arrays
# and objects there may be in all, before only what must be there is made.
MAX_LEVEL: Final = 5
MAX_CONTAINERS: Final = 1_000
RECURSIVE: Final = 8  # arrays and objects that a recursive one counts for
_LITTLE: Final = sys.byteorder == "little"
MAX_EFFORT: Final = 2_000  # tries that may be in vain, before no more are made
# Arrays and objects that must be there once recursion has ended, before it is given up; and how
# many of them are as much effort as a try in vain.
MOST_REQUIRED: Final = 50_000
_PER_EFFORT: Final = 20


class Lane(NamedTuple):
    """A stream as the plain steps of samples use it: most of the time is spent with these.

    `draw` gives the next number, of 16 bits; an optional member is made if it is below
    `threshold`.
    """

    draw: Callable[[], int]
    below: Below
    threshold: int


class Stuck(Exception):
    """What was chosen leads to nothing valid; `pointer` and `reason` say where and why."""

    def __init__(self, pointer: str, reason: str) -> None:
        super().__init__(pointer, reason)
        self.pointer = pointer
        self.reason = reason


class Chooser:
    """The questions that a plan asks, answered with the least: the simplest valid data.

    `level` is how many recursive schemas are around; `budget` how many more may be entered;
    `effort` how many more tries may fail.
    """

    max_level = 0
    realistic = True

    def __init__(self) -> None:
        self.level = 0
        self.budget = MAX_CONTAINERS
        self.effort = MAX_EFFORT

    def below(self, n: int) -> int:
        """A number in range(n): 0 is the simplest."""
        return 0

    def lane(self) -> Lane | None:
        """What plain steps draw from without asking; None if they have to ask."""
        return None

    def option(self, step: Pick, path: Path) -> int:
        """Which of the step's options, an index."""
        return step.shallow[0]

    def value(self, step: Pick, path: Path) -> int:
        """Which of the values that are listed, an index."""
        return self.option(step, path)

    def members(self, step: Record, path: Path) -> Iterable[Member]:
        """Which members of an object; the required ones are always among them.

        Each is made before the next one is asked for.
        """
        return step.required

    def count(self, step: Items, path: Path) -> int:
        """How many items of an array, or how many more members of an object."""
        return step.low

    def indices(self, step: Items, path: Path) -> Iterable[int]:
        """The indices of the items of an array; each is made before the next one is asked for."""
        return range(self.count(step, path))

    def name(self) -> int:
        """A number out of which the name of a member is made, if the schema gives none."""
        return self.below(4096)

    def number(self, step: Number, path: Path) -> int | float:
        """A number."""
        return step.simplest

    def text(self, step: Text, path: Path) -> str:
        """A text."""
        return step.simplest(self.below)

    def made(self, step: Step, path: Path, value: Any) -> None:
        """Told of each value of a step that others may look at, once it is there."""

    def took(self, step: Pick, path: Path, index: int) -> None:
        """Told that another option was made than the one asked for, which led to nothing."""

    def forget(self, path: Path) -> None:
        """Told that what was made at a path is thrown away."""

    @property
    def spent(self) -> int:
        """The effort so far: tries in vain, and arrays and objects beyond the usual number."""
        return MAX_EFFORT - self.effort + max(0, -self.budget) // _PER_EFFORT

    @property
    def must_end(self) -> bool:
        """Whether recursion has gone far enough."""
        return self.level > self.max_level or self.budget < 0


class Least(Chooser):
    """The least, as `Chooser`, but with variety where the simplest values will not do."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.below = Stream(key).below  # type: ignore[method-assign]

    def option(self, step: Pick, path: Path) -> int:
        order = step.shallow if self.must_end else step.in_order
        return order[self.below(len(order))]

    def value(self, step: Pick, path: Path) -> int:
        return step.shallow[0]


class Stream(Chooser):
    """Realistic data, drawn from an endless stream of 16-bit numbers made of a key.

    The stream is SHAKE-128 (FIPS 202) of the key and a block number: the same on every machine
    and in every version of Python.
    """

    max_level = MAX_LEVEL

    def __init__(self, key: str, fill: float = DEFAULT_FILL) -> None:
        self.level = 0
        self.budget = MAX_CONTAINERS
        self.effort = MAX_EFFORT
        self._draw = draw = chain.from_iterable(_blocks(key)).__next__
        self._threshold = round(fill * 65536)

        def below(n: int) -> int:  # a function of its own: it is called for everything there is
            if n <= 65536:
                return draw() * n >> 16
            number, size = 0, 1
            while size < n << 16:
                number, size = number << 16 | draw(), size << 16
            return number * n // size

        self.below = below  # type: ignore[method-assign]
        self._lane = Lane(draw, below, self._threshold)

    def lane(self) -> Lane | None:
        if not self.level and self.budget >= 0:
            return self._lane
        return Lane(self._draw, self.below, self._deep_threshold())

    def _deep_threshold(self) -> int:
        """The deeper, the less; and in the end nothing but what must be there."""
        return 0 if self.must_end else self._threshold >> max(0, self.level - 1)

    def option(self, step: Pick, path: Path) -> int:
        weighted = step.weighted
        if self.must_end or (self.level > 1 and self._draw() & 1):
            weighted = step.shallow  # the deeper, the sooner it ends
        return weighted[self._draw() * len(weighted) >> 16]

    def value(self, step: Pick, path: Path) -> int:
        return self._draw() * len(step.weighted) >> 16

    def members(self, step: Record, path: Path) -> Iterable[Member]:
        draw, threshold = self._draw, self._deep_threshold()
        return [one for one in step.members if one.required or draw() < threshold]

    def count(self, step: Items, path: Path) -> int:
        if self.must_end:
            return step.low
        low, high = step.usual
        return low + self.below(high - low + 1)

    def number(self, step: Number, path: Path) -> int | float:
        return step.draw(self.below)

    def text(self, step: Text, path: Path) -> str:
        return step.draw(self.below)


def _blocks(key: str) -> Iterator[Iterable[int]]:
    """The stream, 168 numbers at a time: two blocks of SHAKE-128."""
    number = 0
    while True:
        digest = shake_128(f"{key}/{number}".encode(errors="surrogatepass")).digest(336)
        yield memoryview(digest).cast("H") if _LITTLE else unpack("<168H", digest)
        number += 1


class Maximal(Stream):
    """Realistic data with every member there, and several items in each array."""

    max_level = 2

    def _deep_threshold(self) -> int:
        return 0 if self.must_end else 1 << 16

    def members(self, step: Record, path: Path) -> Iterable[Member]:
        return step.required if self.must_end else step.members

    def count(self, step: Items, path: Path) -> int:
        return step.low if self.must_end else step.usual[1]
