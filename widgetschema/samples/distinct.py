"""Other values like one that is there already, for items that have to be different."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from widgetschema.samples.numbers import Number, plain
from widgetschema.samples.step import Step, Values

MOST: Final = 10_000  # values that are thought of


def distinct(step: Step, value: Any) -> Iterator[Any]:
    """Values like this one, each another; some of them may break what the step asks for."""
    if isinstance(step, Values):
        yield from step.values
    elif isinstance(step, Number):
        unit, first = step.unit or Fraction(1), Fraction(value)
        if step.low is not None and step.high is not None:
            first = -(-step.low // unit) * unit  # all there are, from the least on
        for times in range(MOST):
            yield plain(first + times * unit)
            yield plain(first - times * unit)
    elif type(value) is str:
        for number in range(MOST):
            yield f"{value} {number}"
            yield value[: -len(str(number))] + str(number)
            yield spelt(number, len(value))
    else:
        for number in range(1, MOST):
            yield _varied(value, number)


def _varied(value: Any, number: int) -> Any:
    """A copy in which the first text or number is another."""
    if type(value) is str:
        return f"{value} {number}"
    if type(value) in (int, float):
        return value + number
    if type(value) is list and value:
        return [_varied(value[0], number), *value[1:]]
    if type(value) is dict:
        for name, item in value.items():
            varied = _varied(item, number)
            if varied is not item:
                return {**value, name: varied}
    return value


def spelt(number: int, length: int) -> str:
    """A number in letters and digits, at least so many."""
    text = ""
    while number or len(text) < length:
        number, digit = divmod(number, 36)
        text = "abcdefghijklmnopqrstuvwxyz0123456789"[digit] + text
    return text
