"""The decimal that a number is written as, for what divides numbers.

Limits and equality compare doubles by their exact value (see `equality`). That 0.3 is a multiple of
0.1 is true only of decimals.
"""

from __future__ import annotations

from fractions import Fraction


def decimal_value(number: float) -> Fraction:
    """Return the shortest decimal that denotes a number: a tenth for 0.1."""
    return Fraction(number) if type(number) is int else Fraction(repr(number))
