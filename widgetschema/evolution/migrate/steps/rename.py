"""`rename`: gives a member another name, in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from widgetschema.evolution.migrate.steps.step import Run, Step, below, fail, names_member
from widgetschema.jsontext import preview
from widgetschema.pointers import format_pointer, pointer_of


@dataclass(frozen=True, kw_only=True)
class Rename(Step):
    """Gives a member another name. It keeps its place, and its value every byte.

    Args:
        to: The new name.
    """

    to: str

    kind = "rename"
    summary = "Give a member another name, in its place."
    options: ClassVar[Mapping[str, Any]] = {
        "to": {"description": "The new name of the member.", "type": "string"}
    }
    required = ("to",)

    def apply(self, run: Run) -> None:
        """Rename the members; one of the new name beside it makes the migration fail."""
        for place in self.places(run):
            parent = place.parent
            if parent is None or parent.kind != "object":
                continue
            if self.to in parent.members:
                around = pointer_of(place.path[0])
                fail(
                    place.pointer,
                    f"it cannot be renamed: the object has a member {preview(self.to, 60)} already",
                    f"drop or move {below(around, self.to)} in an earlier step",
                )
            parent.rename(place.token, self.to)
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a member."""
        return type(parent) is dict

    @property
    def is_idempotent(self) -> bool:
        """False if its pattern may lead through the new name to another member."""
        return self.to not in self.tokens[:-1]

    @property
    def destinations(self) -> tuple[str, ...]:
        """The member with the new name."""
        return (format_pointer([*self.tokens[:-1], self.to]),)

    @property
    def reversed(self) -> Step | None:
        """The step that gives back the old name."""
        return replace(self, at=self.destinations[0], to=self.tokens[-1])

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A pattern that ends with no name, and the name that it has already."""
        yield from names_member(self)
        if self.tokens[-1:] == [self.to]:
            yield "to", "this is the name that it has already"
