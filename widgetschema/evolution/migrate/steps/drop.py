"""`drop`: removes members and items, and keeps what they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from widgetschema.cached import cached_property
from widgetschema.errors import SchemaError, UnreadableDocument
from widgetschema.evolution.migrate.steps.step import JSON_TEXT, Run, Step
from widgetschema.jsontext import read
from widgetschema.validation import Validator


@dataclass(frozen=True, kw_only=True)
class Drop(Step):
    """Removes members and items. What is removed is kept in `Outcome.lost`.

    Args:
        if_empty: Only empty objects, arrays and strings, and null.
        unless: Only values that this schema does not allow, a JSON Schema as JSON text.
        unless_name: Only members whose names this schema does not allow, as JSON text.
    """

    if_empty: bool = False
    unless: str | None = None
    unless_name: str | None = None

    kind = "drop"
    summary = "Remove a member or an item; what is lost is kept."
    options: ClassVar[Mapping[str, Any]] = {
        "if-empty": {
            "description": 'Remove only what is empty: {}, [], "" and null.',
            "type": "boolean",
        },
        "unless": {
            "description": "Remove only values that this JSON Schema does not allow. It is JSON "
            """text, such as '{"type": "string"}'.""",
            **JSON_TEXT,
        },
        "unless-name": {
            "description": "Remove only members whose names this JSON Schema does not allow. It "
            """is JSON text, such as '{"enum": ["title", "text"]}'.""",
            **JSON_TEXT,
        },
    }

    def apply(self, run: Run) -> None:
        """Remove the values, inner and later ones first, so that places stay right."""
        for place in reversed(self.places(run)):
            parent, node = place.parent, place.node
            if parent is None:
                continue
            if self.unless_name is not None and parent.kind != "object":
                continue
            if self._goes(place.token, node.value):
                run.lose(place)
                parent.remove(place.token)
                run.applied += 1

    @property
    def results(self) -> tuple[str, ...]:
        """None: it only removes."""
        return ()

    @property
    def is_idempotent(self) -> bool:
        """False for one item of a list: after it, another one is in its place."""
        return not self.tokens[-1].isdigit()

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether there is something to remove."""
        if self.unless_name is not None and type(parent) is not dict:
            return False
        return self._goes(token, value)

    def _goes(self, name: str, value: Any) -> bool:
        """Return whether a value is to be removed."""
        return (
            not (self.if_empty and not _is_empty(value))
            and not (self._names is not None and self._names.is_valid(name))
            and not (self._values is not None and self._values.is_valid(value))
        )

    @cached_property
    def _values(self) -> Validator | None:
        return None if self.unless is None else Validator(read(self.unless))

    @cached_property
    def _names(self) -> Validator | None:
        return None if self.unless_name is None else Validator(read(self.unless_name))

    @property
    def loses(self) -> str | None:
        """The values themselves."""
        if self.if_empty:
            return "empty values"
        if self.unless is not None:
            return "the values that `unless` does not allow"
        return "the values"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """The whole data, and schemas that are none."""
        if not [one for one in self.tokens if one != "**"]:
            yield "at", "this is the whole data: write the JSON Pointer of a member"
        for name in ("unless", "unless_name"):
            text = getattr(self, name)
            if text is None:
                continue
            try:
                Validator(read(text))
            except UnreadableDocument:
                yield name.replace("_", "-"), "this is no JSON text"
            except SchemaError as error:
                yield name.replace("_", "-"), f"this is no JSON Schema: {error}"


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, (dict, list, str)) and not value)
