"""A property that is computed once, without a lock."""

from __future__ import annotations

import os
from dataclasses import dataclass
from threading import Event, Thread

import pytest

from tests.forking import exit_code_of_fork
from tests.terminal import HANG
from widgetschema.cached import Recent, cached_property


@dataclass(frozen=True)
class Circle:
    radius: int
    computed: list[int]

    @cached_property
    def area(self) -> list[int]:
        """The area."""
        self.computed.append(self.radius)
        return [3 * self.radius**2]


class Sphere(Circle):
    pass


@pytest.mark.parametrize("shape", [Circle, Sphere])
def test_a_value_is_computed_once_for_each_object(shape: type[Circle]) -> None:
    one, other = shape(1, []), shape(2, [])
    assert one.area == [3]
    assert one.area is one.area
    assert other.area == [12]
    assert (one.computed, other.computed) == ([1], [2])


def test_a_value_that_is_none_is_kept() -> None:
    computed = []

    class Empty:
        @cached_property
        def nothing(self) -> None:
            computed.append(self)

    empty = Empty()
    assert (empty.nothing, empty.nothing) == (None, None)
    assert computed == [empty]


def test_a_value_that_cannot_be_computed_is_computed_again() -> None:
    divisors = [1, 0]

    class Quotient:
        @cached_property
        def value(self) -> float:
            return 1 / divisors.pop()

    quotient = Quotient()
    with pytest.raises(ZeroDivisionError):
        quotient.value  # noqa: B018
    assert quotient.value == 1


def test_a_class_has_the_property_itself_with_its_documentation() -> None:
    assert isinstance(Circle.area, cached_property)
    assert Circle.area.__doc__ == "The area."


class Slow:
    """Computes a value as long as `go_on` is not set, in the first thread alone."""

    def __init__(self) -> None:
        self.reached, self.go_on = Event(), Event()

    @cached_property
    def value(self) -> object:
        if not self.reached.is_set():
            self.reached.set()
            assert self.go_on.wait(HANG)
        return object()


def test_all_threads_get_the_value_that_was_kept_first() -> None:
    slow = Slow()
    values: list[object] = []
    thread = Thread(target=lambda: values.append(slow.value))
    thread.start()
    assert slow.reached.wait(HANG)
    value = slow.value  # does not wait for the thread
    slow.go_on.set()
    thread.join(HANG)
    assert values == [value]
    assert slow.value is value


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_process_does_not_wait_for_a_thread_of_its_parent() -> None:
    slow = Slow()
    thread = Thread(target=lambda: slow.value)
    thread.start()
    assert slow.reached.wait(HANG)

    def read() -> int:
        other = Slow()
        other.reached.set()
        return 7 if other.value is other.value else 1

    try:
        assert exit_code_of_fork(read) == 7
    finally:
        slow.go_on.set()
        thread.join(HANG)


def test_texts_are_forgotten_when_there_are_many() -> None:
    texts = Recent[int, str](most=2, most_size=10, size_of=len)
    texts.keep(1, "one")
    texts.keep(2, "two")
    assert (texts.get(1), texts.get(2)) == ("one", "two")
    texts.get(1)
    texts.keep(3, "three")
    assert texts.get(2) is None
    texts.keep(4, "a long text")
    assert texts.get(1) is None
    assert texts.get(4) == "a long text"
    texts.keep(4, "short")
    texts.keep(5, "again")
    assert (texts.get(4), texts.get(5)) == ("short", "again")


def test_the_last_value_alone_may_be_kept() -> None:
    texts = Recent[int, str](most=1)
    texts.keep(1, "one")
    texts.keep(2, "two")
    assert (texts.get(1), texts.get(2)) == (None, "two")
