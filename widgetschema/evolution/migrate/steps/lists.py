"""`wrap` and `unwrap`: a value in a list of one, and out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from widgetschema.evolution.migrate.draft import Node
from widgetschema.evolution.migrate.steps.step import Run, Step, leads_to_items


@dataclass(frozen=True, kw_only=True)
class Wrap(Step):
    """Puts a value into a list of one; a list stays as it is."""

    kind = "wrap"
    summary = "Put a value into a list of one; a list stays."

    def apply(self, run: Run) -> None:
        """Wrap the values that are no lists, the inner ones first."""
        for place in reversed(self.places(run)):
            if place.node.kind == "array":
                continue
            around = Node.of_text("[]")
            run.put(place, around)
            around.append(place.node)
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is no list."""
        return type(value) is not list

    @property
    def is_idempotent(self) -> bool:
        """False if its pattern leads to the value in the list as well."""
        return not leads_to_items(self.tokens)

    @property
    def reversed(self) -> Step | None:
        """The step that takes it out again."""
        return Unwrap(at=self.at)


@dataclass(frozen=True, kw_only=True)
class Unwrap(Step):
    """Takes a value out of a list of one; other lists stay, and are counted as skipped."""

    kind = "unwrap"
    summary = "Take a value out of a list of one; other lists stay, and are counted."

    def apply(self, run: Run) -> None:
        """Unwrap lists of one, the inner ones first."""
        for place in reversed(self.places(run)):
            if place.node.kind != "array":
                continue
            if len(place.node.items) != 1:
                run.skipped += 1
                continue
            run.put(place, place.node.items[0])
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a list."""
        return type(value) is list

    @property
    def is_idempotent(self) -> bool:
        """False: the value may be a list of one itself."""
        return False

    @property
    def reversed(self) -> Step | None:
        """The step that puts it back."""
        return Wrap(at=self.at)
