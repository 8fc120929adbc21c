"""`round`: rounds numbers to multiples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any, ClassVar, Final

from widgetschema.evolution.migrate.draft import Node
from widgetschema.evolution.migrate.steps.step import Run, Step

_MODES: Final = {"nearest": ROUND_HALF_UP, "down": ROUND_FLOOR, "up": ROUND_CEILING}
_LONGEST: Final = 400  # characters of a number that is rounded
_PRECISION: Final = Context(prec=1000)


@dataclass(frozen=True, kw_only=True)
class Round(Step):
    """Rounds numbers to multiples of a number. What was there is kept.

    Args:
        multiple_of: The number; 1 makes integers.
        mode: `nearest` (halves away from zero), `down` or `up`.
    """

    multiple_of: float = 1
    mode: str = "nearest"

    kind = "round"
    summary = "Round numbers to multiples of a number; what was there is kept."
    options: ClassVar[Mapping[str, Any]] = {
        "multiple-of": {
            "description": "Round to multiples of this number. Default: 1.",
            "type": "number",
            "exclusiveMinimum": 0,
        },
        "mode": {
            "description": "To the nearest multiple (halves away from zero), or always down or up.",
            "enum": [*_MODES],
        },
    }

    def apply(self, run: Run) -> None:
        """Round the numbers that are no multiples."""
        unit = Decimal(str(self.multiple_of))
        for place in self.places(run):
            if place.node.kind != "number":
                continue
            raw = place.node.element.raw
            if raw.lstrip("-").isdigit() and unit == 1:
                continue
            if len(raw) > _LONGEST:
                run.skipped += 1
                continue
            value = _decimal(raw)
            quotient = _PRECISION.divide(value, unit)
            rounded = quotient.to_integral_value(_MODES[self.mode])
            new = _PRECISION.multiply(rounded, unit)
            if new == value:
                continue
            run.lose(place)
            run.put(place, Node.of_text(_text(new)))
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a number that may be no multiple."""
        if type(value) is int:
            return self.multiple_of != 1
        return type(value) is float

    @property
    def loses(self) -> str | None:
        """The digits."""
        return "the numbers as they were"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A multiple that is no finite number."""
        if not Decimal(str(self.multiple_of)).is_finite():
            yield "multiple-of", "this is no number"


def _text(number: Decimal) -> str:
    """Return a number as JSON text, without an exponent and trailing zeros."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _decimal(raw: str) -> Decimal:
    """Return the number that a JSON text says; 0 where its exponent is less than any decimal's."""
    try:
        return Decimal(raw)
    except InvalidOperation:  # as in 1e-99999999999999999999, which a double holds as 0
        return Decimal(float(raw))
