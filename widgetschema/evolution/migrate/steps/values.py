"""Steps for single values: map, cast, clamp and round."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any, Final

from widgetschema.cached import cached_property
from widgetschema.errors import UnreadableDocument
from widgetschema.evolution.migrate.steps.step import JSON_TEXT, Run, Step, option
from widgetschema.jsontext import dump, preview, read
from widgetschema.jsontext.draft import CONTAINERS, Node
from widgetschema.jsontext.equality import canonical
from widgetschema.jsontext.tokens import NUMBER

_BEYOND_FLOATS: Final = 2**53
_PYTHON: Final = {"string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float)}


@dataclass(frozen=True, kw_only=True)
class Map(Step):
    """Replaces values: the old ones are names of a table, the new ones their values.

    Values that the table does not name stay. Where several old values become the same new one, what
    was there is kept in `Outcome.lost`.
    """

    values: Mapping[str, Any] = field(
        default_factory=dict,
        metadata=option("New values by old ones that are strings.", type="object", minProperties=1),
    )
    json_values: Mapping[str, str] = field(
        default_factory=dict,
        metadata=option(
            "New values by old ones, both as JSON text, such as 1 and null.",
            type="object",
            minProperties=1,
            additionalProperties=JSON_TEXT,
        ),
    )

    kind = "map"
    summary = "Replace values by a table of old and new ones; other values stay."

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


@dataclass(frozen=True, kw_only=True)
class Cast(Step):
    """Makes a string a number, an integer or a boolean, or one of these a string.

    A string becomes a number only if it is the JSON text of one: "5", "1.10", not " 5", "05" or
    "5 px"; the number is written as it was. Other values stay, and are counted as skipped.
    """

    to: str = field(
        metadata=option("The new type.", enum=["string", "number", "integer", "boolean"])
    )

    kind = "cast"
    summary = "Make a string a number or a boolean, or the other way round, where that is certain."

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
        return type(value) not in _PYTHON[self.to]


def _has_type(kind: str, raw: str, wanted: str) -> bool:
    """Return whether a value has a type of JSON Schema: 5.0 is an integer."""
    if wanted != "integer":
        return kind == wanted
    return kind == "number" and (raw.lstrip("-").isdigit() or float(raw).is_integer())


@dataclass(frozen=True, kw_only=True)
class Clamp(Step):
    """Brings numbers within bounds, and cuts strings and arrays. What was there is kept."""

    minimum: float | None = field(default=None, metadata=option("The least number.", type="number"))
    maximum: float | None = field(
        default=None, metadata=option("The largest number.", type="number")
    )
    max_length: int | None = field(
        default=None,
        metadata=option("The characters of a string; the rest is cut.", type="integer", minimum=0),
    )
    max_items: int | None = field(
        default=None,
        metadata=option("The items of an array; the rest is cut.", type="integer", minimum=0),
    )

    kind = "clamp"
    summary = "Bring numbers within bounds, and cut strings and arrays; what was there is kept."

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


_MODES: Final = {"nearest": ROUND_HALF_UP, "down": ROUND_FLOOR, "up": ROUND_CEILING}
_LONGEST: Final = 400  # characters of a number that is rounded
_PRECISION: Final = Context(prec=1000)


@dataclass(frozen=True, kw_only=True)
class Round(Step):
    """Rounds numbers to multiples of a number. What was there is kept."""

    multiple_of: float = field(
        default=1,
        metadata=option(
            "Round to multiples of this number. Default: 1.", type="number", exclusiveMinimum=0
        ),
    )
    mode: str = field(
        default="nearest",
        metadata=option(
            "To the nearest multiple (halves away from zero), or always down or up.",
            enum=[*_MODES],
        ),
    )

    kind = "round"
    summary = "Round numbers to multiples of a number; what was there is kept."

    def apply(self, run: Run) -> None:
        """Round the numbers that are no multiples."""
        unit = Decimal(str(self.multiple_of))
        for place in self.places(run):
            if place.node.kind != "number":
                continue
            raw = place.node.element.raw
            if raw.lstrip("-").isdigit() and unit == 1:
                continue
            if len(raw) > _LONGEST:
                run.skipped += 1
                continue
            value = _decimal(raw)
            quotient = _PRECISION.divide(value, unit)
            rounded = quotient.to_integral_value(_MODES[self.mode])
            new = _PRECISION.multiply(rounded, unit)
            if new == value:
                continue
            run.lose(place)
            run.put(place, Node.of_text(_text(new)))
            run.applied += 1

    def may_apply(self, parent: Any, token: str, value: Any) -> bool:
        """Return whether it is a number that may be no multiple."""
        if type(value) is int:
            return self.multiple_of != 1
        return type(value) is float

    @property
    def loses(self) -> str | None:
        """The digits."""
        return "the numbers as they were"

    @property
    def faults(self) -> Iterator[tuple[str, str]]:
        """A multiple that is no finite number."""
        if not Decimal(str(self.multiple_of)).is_finite():
            yield "multiple-of", "this is not a number"


def _text(number: Decimal) -> str:
    """Return a number as JSON text, without an exponent and trailing zeros."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _decimal(raw: str) -> Decimal:
    """Return the number that a JSON text says; 0 where its exponent is less than any decimal's."""
    try:
        return Decimal(raw)
    except InvalidOperation:  # as in 1e-99999999999999999999, which a double holds as 0
        return Decimal(float(raw))
