"""`default`: adds a member where it is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from widgetschema.errors import UnreadableDocument
from widgetschema.evolution.migrate.draft import Node
from widgetschema.evolution.migrate.steps.step import (
    JSON_TEXT,
    Run,
    Step,
    names_member,
    parent_pattern,
)
from widgetschema.jsontext import dump, preview, read
from widgetschema.pointers import ANY_DEPTH


@dataclass(frozen=True, kw_only=True)
class Default(Step):
    """Adds a member to each object that lacks it, as the last one.

    Args:
        value: Its value.
        json: Its value as JSON text, which is written as it is: `null`, `1.10`.
    """

    value: Any = None
    json: str | None = None

    kind = "default"
    summary = "Add a member where it is missing."
    options: ClassVar[Mapping[str, Any]] = {
        "value": {"description": "The value of the member."},
        "json": {
            "description": "The value as JSON text, which is written as it is: null, 1.10.",
            **JSON_TEXT,
        },
    }

    @property
    def text(self) -> str:
        """The JSON text of the value."""
        return dump(self.value, indent=False) if self.json is None else self.json

    @property
    def seen_at(self) -> str:
        """The objects that may lack the member."""
        return parent_pattern(self.tokens)

    @property
    def needles(self) -> frozenset[str] | None:
        """None: it applies where something is not there."""
        return None

    def apply(self, run: Run) -> None:
        """Add the member to the objects that lack it."""
        name = self.tokens[-1]
        for place in self.places(run):
            if place.node.kind == "object" and name not in place.node.members:
                place.node.add(name, Node.of_text(self.text))
                run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether the object lacks the member."""
        return type(value) is dict and self.tokens[-1] not in value

    @property
    def is_idempotent(self) -> bool:
        """False if the member is missing in its own value as well."""
        return ANY_DEPTH not in self.tokens or not isinstance(read(self.text), (dict, list))

    @property
    def makes(self) -> tuple[Any, ...] | None:
        """The value."""
        return (read(self.text),)

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """No value, two of them, and a text that is not JSON."""
        yield from names_member(self)
        if self.json is None:
            if self.value is None:
                yield "", "value or json is missing"
        elif self.value is not None:
            yield "json", "there is a value already"
        else:
            try:
                read(self.json)
            except UnreadableDocument:
                yield "json", f"{preview(self.json, 60)} is not JSON"
