"""The gate of an audit: how many records may be invalid before the command fails."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

_GATE: Final = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,12}))? ?(%?)", re.ASCII)


class Gate(NamedTuple):
    """The most records that may be invalid: a number of them, or a share of all.

    `text` is the gate as it was given.
    """

    text: str
    number: Fraction
    is_share: bool

    def admits(self, invalid: int, records: int) -> bool:
        """Return whether no more records are invalid than may be."""
        limit = self.number * records if self.is_share else self.number
        return invalid <= limit


def parse_gate(text: str) -> Gate | None:
    """Return the gate that a text such as `0.1%` or `10` means; None if it is none."""
    match = _GATE.fullmatch(text.strip())
    if match is None:
        return None
    whole, decimals, percent = match.groups()
    number = Fraction(f"{whole}.{decimals or 0}")
    if percent:
        return Gate(text.strip(), number / 100, True) if number <= 100 else None
    return Gate(text.strip(), number, False) if decimals is None else None
