"""Properties that are computed once.

`functools.cached_property` does the same, but in Python 3.11 it holds one lock for all objects of a
class while it computes: threads wait for each other, and a child of a process that forks in that
moment waits for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

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
