"""`drop`: removes members and items, and keeps what they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from widgetschema.evolution.migrate.steps.step import Run, Step


@dataclass(frozen=True, kw_only=True)
class Drop(Step):
    """Removes members and items. What is removed is kept in `Outcome.lost`.

    Args:
        if_empty: Only empty objects, arrays and strings, and null.
    """

    if_empty: bool = False

    kind = "drop"
    summary = "Remove a member or an item; what is lost is kept."
    options: ClassVar[Mapping[str, Any]] = {
        "if-empty": {
            "description": 'Remove only what is empty: {}, [], "" and null.',
            "type": "boolean",
        }
    }

    def apply(self, run: Run) -> None:
        """Remove the values, inner and later ones first, so that places stay right."""
        for place in reversed(self.places(run)):
            if place.parent is None or (self.if_empty and not _is_empty(place.node.value)):
                continue
            run.lose(place)
            place.parent.remove(place.token)
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether there is something to remove."""
        return not self.if_empty or _is_empty(value)

    @property
    def loses(self) -> str | None:
        """The values themselves."""
        return "empty values" if self.if_empty else "the values"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """The whole data."""
        if not [one for one in self.tokens if one != "**"]:
            yield "at", "this is the whole data: write the JSON Pointer of a member"


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (dict, list, str)) and not value)
