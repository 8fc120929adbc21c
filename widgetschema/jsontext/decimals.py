"""The decimal that a number is written as, for what divides numbers.

Limits and equality compare doubles by their exact value (see `equality`). That 0.3 is a multiple of
0.1 is true only of decimals.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


def decimal_value(number: float) -> Fraction:
    """Return the shortest decimal that denotes a number: a tenth for 0.1."""
    from fractions import Fraction  # checks need no more than `multiples_of`

    return Fraction(number) if type(number) is int else Fraction(repr(number))


@lru_cache(maxsize=256, typed=True)  # 2**64 and the double next to it are equal, and other decimals
def multiples_of(divisor: float) -> Callable[[float], bool]:
    """Return the test whether a number is a multiple of another (validation, section 6.2.1)."""
    unit, of_unit = _parts(divisor)

    def is_multiple(number: float) -> bool:
        digits, power = _parts(number)
        if power < of_unit:
            return not digits % (unit * 10 ** (of_unit - power))
        return not digits * 10 ** (power - of_unit) % unit

    return is_multiple


def _parts(number: float) -> tuple[int, int]:
    """Return the digits of a decimal as an integer, and the power of ten to multiply it with."""
    if type(number) is int:
        return number, 0
    digits, _, power = repr(number).partition("e")
    whole, _, fraction = digits.partition(".")
    return int(whole + fraction), int(power or 0) - len(fraction)
