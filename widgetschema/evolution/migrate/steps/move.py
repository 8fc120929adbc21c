"""`move`: takes a value to another place, also in another object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from widgetschema.evolution.migrate.draft import Node, Place
from widgetschema.evolution.migrate.steps.destination import (
    container_at,
    destination_faults,
    filled,
    path_tokens,
)
from widgetschema.evolution.migrate.steps.step import POINTER, WILD, Run, Step, fail
from widgetschema.pointers import ANY_DEPTH, display_pointer, format_pointer, parse_pattern


@dataclass(frozen=True, kw_only=True)
class Move(Step):
    """Takes a value to another place. Objects on the way are made where they are missing.

    A value can go into an object in its own place (`/title` to `/title/text`), and out of one that
    holds nothing else (`/title/text` to `/title`).

    Args:
        to: The pattern of the destination; its `*` stand for what those of `at` stood for.
    """

    to: str

    kind = "move"
    summary = "Take a value to another place; objects on the way are made."
    options: ClassVar[Mapping[str, Any]] = {
        "to": {
            "description": "The JSON Pointer of the destination; each * and ** in it stands for "
            "what that of `at` stood for.",
            **POINTER,
        }
    }
    required = ("to",)

    def apply(self, run: Run) -> None:
        """Move the values, the inner ones first."""
        to = parse_pattern(self.to)
        for place in reversed(self.places(run)):
            if place.parent is None or place.parent.kind != "object":
                continue
            path = path_tokens(place.path)
            target = filled(self.tokens, to, path)
            if target == path:  # a `*` or `**` of `at` leads to the destination, too
                continue
            if target[: len(path)] == path:
                _wrap(place, target[len(path) :])
            elif path[: len(target)] == target:
                _unwrap(run.root, place, path, target)
            else:
                _move(run.root, place, target)
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a member."""
        return type(parent) is dict

    @property
    def destinations(self) -> tuple[str, ...]:
        """The destination."""
        return (self.to,)

    @property
    def is_idempotent(self) -> bool:
        """False if what was moved may be at a place that it is moved from."""
        one, other = f"{self.at}/", f"{self.to}/"
        if one.startswith(other) or other.startswith(one):
            return False
        return ANY_DEPTH not in self.tokens or self.tokens[-1] not in parse_pattern(self.to)

    @property
    def reversed(self) -> Step | None:
        """The way back; None if `at` has a `*` that `to` does not have."""
        to = parse_pattern(self.to)
        if [one for one in to if one in WILD] != [one for one in self.tokens if one in WILD]:
            return None
        return replace(self, at=self.to, to=self.at)

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A destination that cannot be filled, or is where the value is."""
        if not self.tokens or self.tokens[-1] in WILD:
            yield "at", "write the JSON Pointer of a member, which ends with its name"
        yield from destination_faults(self, self.to)
        if self.at == self.to:
            yield "to", "it is there already"


def _wrap(place: Place, names: list[str]) -> None:
    """Put a value into an object in its place, or into one in another."""
    assert place.parent is not None
    outer = inner = Node.of_text("{}")
    for name in names[:-1]:
        below = Node.of_text("{}")
        inner.add(name, below)
        inner = below
    place.parent.replace(place.token, outer)
    inner.add(names[-1], place.node)


def _unwrap(root: Node, place: Place, path: list[str], target: list[str]) -> None:
    """Put a value in the place of the object around it, which must hold nothing else."""
    holder = root
    for token in target[:-1]:
        child = holder.child(token)
        assert child is not None
        holder = child
    node = holder.child(target[-1])
    for token in path[len(target) :]:
        assert node is not None
        if node.kind == "array" or len(node.members) > 1:
            fail(
                place.pointer,
                f"it cannot take the place of {display_pointer(format_pointer(target))}, which "
                "holds other values",
                "move or drop the others in an earlier step",
            )
        node = node.child(token)
    holder.replace(target[-1], place.node)


def _move(root: Node, place: Place, target: list[str]) -> None:
    assert place.parent is not None
    holder = container_at(root, target[:-1])
    if target[-1] in holder.members:
        fail(
            place.pointer,
            f"it cannot be moved: there is a value at {display_pointer(format_pointer(target))} "
            "already",
            "move or drop that in an earlier step",
        )
    holder.add(target[-1], place.parent.remove(place.token))
