"""`map`: replaces values by a table of old and new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from widgetschema.cached import cached_property
from widgetschema.errors import UnreadableDocument
from widgetschema.evolution.migrate.draft import CONTAINERS, Node
from widgetschema.evolution.migrate.steps.step import JSON_TEXT, Run, Step
from widgetschema.jsontext import dump, preview, read
from widgetschema.jsontext.equality import canonical

_BEYOND_FLOATS: Final = 2**53


@dataclass(frozen=True, kw_only=True)
class Map(Step):
    """Replaces values: the old ones are names of a table, the new ones their values.

    Values that the table does not name stay. Where several old values become the same new one, what
    was there is kept in `Outcome.lost`.

    Args:
        values: New values by old ones that are strings.
        json_values: New values by old ones, both as JSON text: for numbers, booleans and null.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    json_values: Mapping[str, str] = field(default_factory=dict)

    kind = "map"
    summary = "Replace values by a table of old and new ones; other values stay."
    options: ClassVar[Mapping[str, Any]] = {
        "values": {
            "description": "New values by old ones that are strings.",
            "type": "object",
            "minProperties": 1,
        },
        "json-values": {
            "description": "New values by old ones, both as JSON text, such as 1 and null.",
            "type": "object",
            "minProperties": 1,
            "additionalProperties": JSON_TEXT,
        },
    }

    @cached_property
    def _table(self) -> dict[Any, str]:
        """The JSON texts of the new values, by the old ones."""
        table = {old: dump(new, indent=False) for old, new in self.values.items()}
        for old, new in self.json_values.items():
            table[canonical(read(old))] = new
        return table

    @cached_property
    def _merged(self) -> frozenset[str]:
        """The JSON texts of the new values that several old ones become."""
        texts = Counter(canonical(read(text)) for text in self._table.values())
        return frozenset(text for text in self._table.values() if texts[canonical(read(text))] > 1)

    @cached_property
    def _names_containers(self) -> bool:
        return any(isinstance(read(old), (dict, list)) for old in self.json_values)

    def apply(self, run: Run) -> None:
        """Replace the values."""
        for place in reversed(self.places(run)):  # inner ones first
            if place.node.kind in CONTAINERS and not self._names_containers:
                continue
            new = self._table.get(canonical(place.node.value))
            if new is None or place.node.text == new:
                continue
            if new in self._merged:
                run.lose(place)
            run.put(place, Node.of_text(new))
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether the table names the value."""
        if isinstance(value, (dict, list)) and not self._names_containers:
            return False
        if type(value) is float and abs(value) >= _BEYOND_FLOATS:
            return True  # it may be an integer of more digits
        return canonical(value) in self._table

    @property
    def is_idempotent(self) -> bool:
        """True if no new value is an old one of another."""
        return all(
            self._table.get(new := canonical(read(text)), text) == text or new == old
            for old, text in self._table.items()
        )

    @property
    def makes(self) -> tuple[Any, ...] | None:
        """The new values."""
        return tuple(new for _, new in self._pairs())

    @property
    def needles(self) -> frozenset[str] | None:
        """The old values if they are strings: one of them has to be there."""
        if self.json_values:
            return super().needles
        return frozenset(dump(old, indent=False) for old in self.values)

    @property
    def reversed(self) -> Step | None:
        """The table the other way round; None if two old values have the same new one."""
        texts = [canonical(read(text)) for text in self._table.values()]
        if len(set(texts)) < len(texts):
            return None
        back = {dump(new, indent=False): dump(old, indent=False) for old, new in self._pairs()}
        return replace(self, values={}, json_values=back)

    def _pairs(self) -> Iterator[tuple[Any, Any]]:
        yield from self.values.items()
        for old, new in self.json_values.items():
            yield read(old), read(new)

    @property
    def loses(self) -> str | None:
        """The old values that become the same new one."""
        return None if self.reversed else "which of several old values it was"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """No table, texts that are not JSON, and old values that are named twice."""
        if not self.values and not self.json_values:
            yield "", "values or json-values is missing"
        known = set(self.values)
        for old, new in self.json_values.items():
            for text in (old, new):
                try:
                    read(text)
                except UnreadableDocument:
                    hint = ": write strings with double quotes"
                    yield "json-values", f"{preview(text, 60)} is not JSON{hint}"
                    return
            if canonical(read(old)) in known:
                yield "json-values", f"{preview(old, 60)} is named twice"
            known.add(canonical(read(old)))
