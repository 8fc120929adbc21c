"""Steps that make one value of several, or several of one: wrap, unwrap, split and join."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from widgetschema.evolution.migrate.steps.step import (
    Run,
    Step,
    below,
    fail,
    leads_to_items,
    names_member,
    option,
    parent_pattern,
)
from widgetschema.jsontext import dump, preview
from widgetschema.jsontext.draft import Node


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
            around.insert(0, place.node)
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


_SEPARATOR: Final = "The text between the parts."
_NAMES: Final[Mapping[str, Any]] = {
    "type": "array",
    "minItems": 2,
    "uniqueItems": True,
    "items": {"type": "string"},
}


@dataclass(frozen=True, kw_only=True)
class Split(Step):
    """Splits a string into members beside it, or in its place into a list of strings.

    A string that does not have as many parts as there are members stays, and is counted as skipped.
    """

    separator: str = field(metadata=option(_SEPARATOR, type="string", minLength=1))
    to: list[str] | None = field(
        default=None,
        metadata=option(
            "The names of the new properties; without it, a list takes the place of the string.",
            **_NAMES,
        ),
    )

    kind = "split"
    summary = "Split a string into properties beside it, or into a list in its place."

    def apply(self, run: Run) -> None:
        """Split the strings, the inner ones first."""
        for place in reversed(self.places(run)):
            if place.node.kind != "string":
                continue
            text = place.node.element.value
            parts = text.split(self.separator) if text else []
            if self.to is None:
                run.put(place, Node.of_text(dump(parts, indent=False)))
            elif place.parent is None or place.parent.kind != "object":
                continue
            elif len(parts) != len(self.to):
                run.skipped += 1
                continue
            else:
                place.parent.remove(place.token)
                for name, part in zip(self.to, parts, strict=True):
                    if name in place.parent.members:
                        message = f"it cannot be split: there is already a property {preview(name)}"
                        fail(place.pointer, message)
                    place.parent.add(name, Node.of_text(dump(part, indent=False)))
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a string."""
        return type(value) is str

    @property
    def destinations(self) -> tuple[str, ...]:
        """The new members."""
        around = parent_pattern(self.tokens)
        return tuple(below(around, name) for name in self.to or ())

    @property
    def is_idempotent(self) -> bool:
        """True unless a new member has the name of the string, or its parts are found again."""
        if self.to is None:
            return not leads_to_items(self.tokens)
        return self.tokens[-1] not in self.to

    @property
    def reversed(self) -> Step | None:
        """The step that joins the parts."""
        return Join(at=self.at, separator=self.separator, members=self.to)

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A pattern that ends with no name, if there are to be members."""
        if self.to is not None:
            yield from names_member(self)


@dataclass(frozen=True, kw_only=True)
class Join(Step):
    """Joins members to a new one, or a list of strings in its place to a string.

    Where a member is missing or no string, or an item is none, all stay, and are counted as
    skipped. Where a part has the separator in it, the parts are kept in `Outcome.lost`.
    """

    separator: str = field(metadata=option(_SEPARATOR, type="string", minLength=0))
    members: list[str] | None = field(
        default=None,
        metadata=option(
            "The names of the properties that are joined, which are beside the new one; without "
            "it, a string takes the place of the list.",
            **_NAMES,
        ),
    )

    kind = "join"
    summary = "Join properties into a new one, or a list of strings into a string."

    @property
    def seen_at(self) -> str:
        """The objects that have the members, or the lists."""
        return self.at if self.members is None else parent_pattern(self.tokens)

    @property
    def needles(self) -> frozenset[str] | None:
        """The name of the list, or that of one of the members."""
        if self.members is None:
            return super().needles
        return frozenset({dump(self.members[0], indent=False)})

    def apply(self, run: Run) -> None:
        """Join the members, or the items."""
        for place in reversed(self.places(run)):
            node = place.node
            if self.members is None:
                if node.kind != "array":
                    continue
                parts = node.items
            else:
                found = [node.child(name) for name in self.members]
                parts = [one for one in found if one is not None]
                if node.kind != "object" or not parts:
                    continue
                if len(parts) < len(found):
                    run.skipped += 1
                    continue
            if any(part.kind != "string" for part in parts):
                run.skipped += 1
                continue
            texts = [str(part.element.value) for part in parts]
            if self.separator == "" or any(self.separator in text for text in texts):
                run.lose(place)
            joined = Node.of_text(dump(self.separator.join(texts), indent=False))
            if self.members is None:
                run.put(place, joined)
            else:
                for name in self.members:
                    node.remove(name)
                if self.tokens[-1] in node.members:
                    new = below(place.pointer, self.tokens[-1])
                    fail(new, "properties cannot be joined here: there is already a value")
                node.add(self.tokens[-1], joined)
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether there is a list, or one of the members."""
        if self.members is None:
            return type(value) is list
        return type(value) is dict and not value.keys().isdisjoint(self.members)

    @property
    def destinations(self) -> tuple[str, ...]:
        """The new member."""
        return () if self.members is None else (self.at,)

    @property
    def sources(self) -> tuple[str, ...]:
        """The members, or the list."""
        if self.members is None:
            return super().sources
        around = parent_pattern(self.tokens)
        return tuple(below(around, name) for name in self.members)

    @property
    def is_idempotent(self) -> bool:
        """True unless the new member is one of those that are joined."""
        return self.members is None or self.tokens[-1] not in self.members

    @property
    def reversed(self) -> Step | None:
        """The step that splits them; None without a separator."""
        if not self.separator:
            return None
        return Split(at=self.at, separator=self.separator, to=self.members)

    @property
    def loses(self) -> str | None:
        """The ends of parts that have the separator in them."""
        return "where parts end that have the separator in them"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A pattern that ends with no name, if members are joined."""
        if self.members is not None:
            yield from names_member(self)
