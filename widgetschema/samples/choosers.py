"""Choosers that draw from a stream of numbers: realistic, least and maximal data."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from hashlib import shake_128
from itertools import chain
from struct import unpack
from typing import Any, Final

from widgetschema.samples.model import (
    DEFAULT_FILL,
    IDENTIFYING_FILL,
    Chooser,
    CountedStep,
    DrawSource,
    Member,
    ObjectStep,
    Path,
    PickStep,
    ScalarStep,
)

DEFAULT_DEPTH: Final = 10  # recursive arrays and objects inside each other
DEFAULT_ITEMS: Final = 12
# What has everything is kept small: of several members that lead back, each level multiplies.
DEFAULT_FULL_DEPTH: Final = 2
_LITTLE_ENDIAN: Final = sys.byteorder == "little"


class LeastChooser(Chooser):
    """The least, as `Chooser`, but with variety where the simplest values will not do."""

    def __init__(self, key: str) -> None:
        self.randbelow = StreamChooser(key).randbelow  # type: ignore[method-assign]

    def option(self, step: PickStep, path: Path) -> int:
        """Return one of the options, those that end soonest first."""
        order = step.shallow if self.must_end else step.in_order
        return order[self.randbelow(len(order))]

    def value(self, step: PickStep, path: Path) -> int:
        """Return the first value."""
        return step.shallow[0]


class StreamChooser(Chooser):
    """Realistic data, drawn from an endless stream of 16-bit numbers made of a key.

    The stream is SHAKE-128 (FIPS 202) of the key and a block number: the same on every machine
    and in every version of Python.
    """

    max_level = DEFAULT_DEPTH
    is_plain = True
    _free: int | None = None  # levels on which as much is made as on the first one

    def __init__(
        self,
        key: str,
        fill: float = DEFAULT_FILL,
        max_depth: int | None = None,
        max_items: int = DEFAULT_ITEMS,
        days_later: int = 0,
    ) -> None:
        if max_depth is not None:
            self.max_level = max_depth
        self.max_items = max_items
        self._draw = draw = chain.from_iterable(_blocks(key)).__next__
        self._threshold = round(fill * 65536)

        def randbelow(n: int) -> int:  # a closure: it is called very often
            """Return a number in range(n), drawn from the stream."""
            if n <= 65536:
                return draw() * n >> 16
            number, size = 0, 1
            while size < n << 16:
                number, size = number << 16 | draw(), size << 16
            return number * n // size

        randbelow.days_later = days_later  # type: ignore[attr-defined]  # see `horizon.later`
        self.randbelow = randbelow  # type: ignore[method-assign]
        self._draw_source: DrawSource = draw, self._threshold, {}

    def draw_source(self) -> DrawSource | None:
        """Return the stream for plain steps, with fewer optional members on deeper levels."""
        if not self.level and self.budget >= 0:
            return self._draw_source
        draw, _, rows = self._draw_source
        return draw, self._deep_threshold(), rows

    def _deep_threshold(self) -> int:
        """Return the threshold of optional members: lower on each level, 0 at the end."""
        return 0 if self.must_end else self._threshold >> max(0, self.level - self._free_levels())

    def _free_levels(self) -> int:
        """Return the number of levels that are filled like the first one: mostly few."""
        if not self.level:
            return 1
        if self._free is None:
            most = max(1, self.max_level)
            self._free = 1 + min(self.randbelow(most), self.randbelow(most))
        return self._free

    def option(self, step: PickStep, path: Path) -> int:
        """Return a drawn option; on deep levels a low one."""
        weighted = step.weighted
        if (self.level or self.budget < 0) and (
            self.must_end or (self.level > self._free_levels() and self._draw() & 1)
        ):
            weighted = step.shallow  # deeper levels end sooner
        return weighted[self._draw() * len(weighted) >> 16]

    def value(self, step: PickStep, path: Path) -> int:
        """Return the index of a drawn value."""
        return self._draw() * len(step.weighted) >> 16

    def takes_example(self, one_in: int, *, whole: bool) -> bool:
        """Return True for one in `one_in` values."""
        return not self.randbelow(one_in)

    def members(self, step: ObjectStep, path: Path) -> Iterable[Member]:
        """Return the required members and some of the others."""
        draw, threshold = self._draw, self._deep_threshold()
        usual = threshold >= IDENTIFYING_FILL
        return [
            member
            for member in step.members
            if member.required or (usual and member.identifies) or draw() < threshold
        ]

    def count(self, step: CountedStep, path: Path) -> int:
        """Return one of the usual numbers of items."""
        if self.level > self.max_level or self.budget < 0:  # `must_end`, without a call
            return step.low
        low, high = step.usual
        number = low + self.randbelow(high - low + 1)
        if high - low > 1:  # a free number: sometimes many
            most, highest = self.max_items, step.high
            if highest is not None and highest < most:
                most = highest
            if number == high < most and self.level < 2 and not self._draw() & 3:
                number += self.randbelow(most - high + 1)
            elif number > most:
                number = max(step.low, most)
        return number

    def scalar(self, step: ScalarStep, path: Path) -> Any:
        """Return a likely number, or a realistic text."""
        return step.draw(self.randbelow)


def _blocks(key: str) -> Iterator[Iterable[int]]:
    """Yield the stream, 168 numbers at a time: two blocks of SHAKE-128."""
    number = 0
    while True:
        digest = shake_128(f"{key}/{number}".encode("utf-8", "surrogatepass")).digest(336)
        yield memoryview(digest).cast("H") if _LITTLE_ENDIAN else unpack("<168H", digest)
        number += 1


class MaximalChooser(StreamChooser):
    """Makes realistic data with every member, and several items in each array: the largest usual
    number, or up to `max_items`.
    """

    wants_most = True

    def __init__(
        self, key: str, *, max_depth: int = DEFAULT_FULL_DEPTH, max_items: int | None = None
    ) -> None:
        super().__init__(key, 1, max_depth)
        self._most_items = max_items

    def _free_levels(self) -> int:
        return 1

    def _deep_threshold(self) -> int:
        return 0 if self.must_end else 1 << 16

    def takes_example(self, one_in: int, *, whole: bool) -> bool:
        """Return True for one in `one_in` texts and numbers; whole examples may lack members."""
        return not whole and super().takes_example(one_in, whole=whole)

    def members(self, step: ObjectStep, path: Path) -> Iterable[Member]:
        """Return all members, until recursion has to end."""
        return step.required if self.must_end else step.members

    def count(self, step: CountedStep, path: Path) -> int:
        """Return the largest number of items, until recursion has to end."""
        if self.must_end:
            return step.low
        low, high = step.usual
        if self._most_items is None:
            return high
        most = self._most_items if step.high is None else min(step.high, self._most_items)
        # One or two are a settled number: of members that nothing is said of, or of a pair.
        return max(step.low, most if high - low > 1 else min(high, most))
