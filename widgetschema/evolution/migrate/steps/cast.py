"""`cast`: makes a number of a string, or the other way round, where that is certain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from widgetschema.evolution.migrate.draft import CONTAINERS, Node
from widgetschema.evolution.migrate.steps.step import Run, Step
from widgetschema.jsontext import dump
from widgetschema.jsontext.tokens import NUMBER

_TYPES: Final = ("string", "number", "integer", "boolean")


@dataclass(frozen=True, kw_only=True)
class Cast(Step):
    """Makes a string a number, an integer or a boolean, or one of these a string.

    A string becomes a number only if it is the JSON text of one: "5", "1.10", not " 5", "05" or
    "5 px"; the number is written as it was. Other values stay, and are counted as skipped.

    Args:
        to: The type: `string`, `number`, `integer` or `boolean`.
    """

    to: str

    kind = "cast"
    summary = "Make a string a number or a boolean, or the other way round, where that is certain."
    options: ClassVar[Mapping[str, Any]] = {
        "to": {"description": "The new type.", "enum": [*_TYPES]}
    }
    required = ("to",)

    def apply(self, run: Run) -> None:
        """Replace the values that are of another type."""
        for place in self.places(run):
            if _has_type(place.node.kind, place.node.element.raw, self.to):
                continue
            new = self._cast(place.node)
            if new is None:
                run.skipped += 1
                continue
            run.put(place, Node.of_text(new))
            run.applied += 1

    def _cast(self, node: Node) -> str | None:
        """Return the JSON text of the new value; None if it is not certain."""
        if self.to == "string":
            if node.kind in CONTAINERS or node.kind == "null":
                return None
            return dump(node.element.raw, indent=False)
        if node.kind != "string":
            return None
        text = str(node.element.value)
        if self.to == "boolean":
            return text if text in ("true", "false") else None
        if NUMBER.fullmatch(text) is None or math.isinf(float(text)):
            return None
        return text if _has_type("number", text, self.to) else None

    @property
    def reversed(self) -> Step | None:
        """The step that makes strings again; None for the way from strings."""
        return None if self.to == "string" else Cast(at=self.at, to="string")

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether the value has another type."""
        if self.to == "string":
            return type(value) is not str
        if self.to == "boolean":
            return type(value) is not bool
        if self.to == "integer":
            return type(value) is not int
        return type(value) is not int and type(value) is not float


def _has_type(kind: str, raw: str, wanted: str) -> bool:
    """Return whether a value has a type of JSON Schema: 5.0 is an integer."""
    if wanted != "integer":
        return kind == wanted
    return kind == "number" and (raw.lstrip("-").isdigit() or float(raw).is_integer())
