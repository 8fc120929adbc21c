"""Values that are kept: properties that are computed once, and the last ones of many.

`functools.cached_property` does the same, but in Python 3.11 it holds one lock for all objects of a
class while it computes: threads wait for each other, and a child of a process that forks in that
moment waits for ever.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Key = TypeVar("Key")
Value = TypeVar("Value")


class cached_property(Generic[Value]):  # noqa: N801  # a decorator, named like that of Python
    """Compute a property when it is first read, and keep its value in the object.

    Threads that read it at the same moment may all compute it; every one of them gets the value
    that was kept first.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        """Return the value, which later reads find in the object: a lookup there comes first."""
        if instance is None:
            return self
        kept: Value = vars(instance).setdefault(self._name, self._compute(instance))
        return kept


class Recent(Generic[Key, Value]):
    """The values that were used last, by keys; not to be shared among threads.

    There are at most `most` of them, and all but the last have at most `most_size` together.
    """

    def __init__(
        self,
        most: int = sys.maxsize,
        most_size: int = sys.maxsize,
        size_of: Callable[[Value], int] = lambda value: 0,
    ) -> None:
        self._most, self._most_size, self._size_of = most, most_size, size_of
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._size = 0

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value, in place of the one before, and forget those that are too many."""
        self._size += self._size_of(value) - self._kept.pop(key, (value, 0))[1]
        self._kept[key] = value, self._size_of(value)
        while len(self._kept) > 1 and (
            len(self._kept) > self._most or self._size > self._most_size
        ):
            _, (_, size) = self._kept.popitem(last=False)
            self._size -= size

    def get(self, key: Key) -> Value | None:
        """Return the value of a key; None if it was forgotten, or never kept."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]
