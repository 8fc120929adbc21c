"""`clamp`: brings numbers, strings and arrays within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from widgetschema.evolution.migrate.draft import Node
from widgetschema.evolution.migrate.steps.step import Run, Step
from widgetschema.jsontext import dump


@dataclass(frozen=True, kw_only=True)
class Clamp(Step):
    """Brings numbers within bounds, and cuts strings and arrays. What was there is kept.

    Args:
        minimum: The least number.
        maximum: The largest number.
        max_length: The characters of a string; the rest is cut.
        max_items: The items of an array; the rest is cut.
    """

    minimum: float | None = None
    maximum: float | None = None
    max_length: int | None = None
    max_items: int | None = None

    kind = "clamp"
    summary = "Bring numbers within bounds, and cut strings and arrays; what was there is kept."
    options: ClassVar[Mapping[str, Any]] = {
        "minimum": {"description": "The least number.", "type": "number"},
        "maximum": {"description": "The largest number.", "type": "number"},
        "max-length": {
            "description": "The characters of a string; the rest is cut.",
            "type": "integer",
            "minimum": 0,
        },
        "max-items": {
            "description": "The items of an array; the rest is cut.",
            "type": "integer",
            "minimum": 0,
        },
    }

    def apply(self, run: Run) -> None:
        """Change what is out of bounds, the inner values first."""
        for place in reversed(self.places(run)):
            node = place.node
            if node.kind == "array" and self.max_items is not None:
                if len(node.items) > self.max_items:
                    run.lose(place)
                    node.cut(self.max_items)
                    run.applied += 1
                continue
            new = self._clamped(node)
            if new is not None:
                run.lose(place)
                run.put(place, Node.of_text(new))
                run.applied += 1

    def _clamped(self, node: Node) -> str | None:
        """Return the JSON text of a value within bounds; None if it stays."""
        if node.kind == "number":
            value = node.element.value
            if self.minimum is not None and value < self.minimum:
                return dump(self.minimum, indent=False)
            if self.maximum is not None and value > self.maximum:
                return dump(self.maximum, indent=False)
        elif node.kind == "string" and self.max_length is not None:
            text = node.element.value
            if len(text) > self.max_length:
                return dump(text[: self.max_length], indent=False)
        return None

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether the value may be out of bounds."""
        if isinstance(value, (list, str)):
            most = self.max_items if isinstance(value, list) else self.max_length
            return most is not None and len(value) > most
        return isinstance(value, (int, float)) and type(value) is not bool

    @property
    def loses(self) -> str | None:
        """The values out of bounds."""
        return "values out of bounds"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """No bounds, or bounds without a number between them."""
        bounds = (self.minimum, self.maximum, self.max_length, self.max_items)
        if all(one is None for one in bounds):
            yield "", "a bound is missing: minimum, maximum, max-length or max-items"
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            yield "maximum", "it is less than minimum"
