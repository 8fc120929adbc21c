"""Classes of equivalent subschemas: two are in one class only if they assert the same.

References are followed and annotations are ignored, so a renamed definition is in the class of the
old one. Initial classes are those of a schema's own keywords. They are refined by the classes of
the subschemas until they are stable (partition refinement), which also works for recursive schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from widgetschema.jsontext.decimals import decimal_value
from widgetschema.jsontext.equality import canonical
from widgetschema.pointers import escape_token
from widgetschema.schema.keywords import FORMATS, KEYWORDS
from widgetschema.schema.linking import LinkedSchema, is_schema, subschemas

_MAX_VISITS: Final = 3_000_000  # of subschemas in all rounds; beyond, none are equivalent
_EMPTY: Final[Mapping[str, Any]] = {
    "uniqueItems": False,
    "minLength": 0,
    "minItems": 0,
    "minProperties": 0,
    "required": [],
}
_PLAIN: Final = frozenset(
    code
    for code, one in KEYWORDS.items()
    if one.instance and one.value in ("boolean", "count", "number", "string")
)

Asserts = Callable[[str], bool]  # returns True if formats are asserted at a pointer


class Equivalence:
    """The classes of all subschemas that are reachable from some roots."""

    def __init__(self, linked: LinkedSchema, roots: Iterable[str], asserts: Asserts) -> None:
        self.linked = linked
        self.asserts = asserts
        self._below: dict[str, list[tuple[Any, str]]] = {}
        self._classes = self._start(roots)
        effort = _MAX_VISITS
        while effort > 0:
            effort -= len(self._classes)
            refined = self._refine()
            settled = len(set(refined.values())) == len(set(self._classes.values()))
            self._classes = refined
            if settled:
                return
        self._classes = {}

    def class_of(self, pointer: str) -> int | None:
        """Return the class of a subschema; None for one that is equivalent to no other."""
        if pointer not in self.linked.at:
            return None
        return self._classes.get(self.linked.target(pointer))

    def classes_of(self, pointers: Iterable[str]) -> frozenset[int]:
        """Return the classes of some subschemas."""
        found = (self.class_of(pointer) for pointer in pointers)
        return frozenset(one for one in found if one is not None)

    def _start(self, roots: Iterable[str]) -> dict[str, int]:
        known: dict[Any, int] = {}
        classes: dict[str, int] = {}
        todo = [self.linked.target(root) for root in roots]
        while todo:
            pointer = todo.pop()
            if pointer in classes:
                continue
            schema = self.linked.at[pointer]
            below = self._labelled_subschemas(pointer, schema)
            self._below[pointer] = below
            said = self._own_assertions(pointer, schema)
            classes[pointer] = known.setdefault(said, len(known))
            todo.extend(place for _, place in below)
        return classes

    def _refine(self) -> dict[str, int]:
        known: dict[Any, int] = {}
        refined: dict[str, int] = {}
        for pointer, one in self._classes.items():
            parts: dict[Any, Any] = {}
            for label, place in self._below[pointer]:
                parts.setdefault(label, []).append(self._classes[place])
            # The order of branches does not matter; repeated branches only matter in `oneOf`.
            below = frozenset(
                (label, tuple(sorted(some if label == "oneOf" else set(some))))
                for label, some in parts.items()
            )
            refined[pointer] = known.setdefault((one, below), len(known))
        return refined

    def _labelled_subschemas(self, pointer: str, schema: Any) -> list[tuple[Any, str]]:
        """Return the subschemas that matter, each with a label that says how."""
        found: list[tuple[Any, str]] = []
        for keyword, place, _ in subschemas(schema, pointer):
            if keyword == "definitions" or (keyword in ("then", "else") and "if" not in schema):
                continue
            if keyword == "additionalItems" and type(schema.get("items")) is not list:
                continue
            label: Any = keyword
            if keyword in ("properties", "patternProperties", "dependencies") or (
                keyword == "items" and type(schema["items"]) is list
            ):
                label = (keyword, place.removeprefix(f"{pointer}/{keyword}/"))
            found.append((label, self.linked.target(place)))
        return found

    def _own_assertions(self, pointer: str, schema: Any) -> Any:
        """Return the own assertions of a schema, without subschemas; hashable."""
        if type(schema) is not dict:
            return "anything" if schema else "nothing"
        said: list[Any] = []
        for keyword, value in schema.items():
            if keyword in _EMPTY and canonical(_EMPTY[keyword]) == canonical(value):
                continue
            if keyword in ("format", "contentEncoding", "contentMediaType"):
                if not self.asserts(pointer) or (keyword == "format" and value not in FORMATS):
                    continue
            if keyword == "type":
                said.append((keyword, frozenset([value] if type(value) is str else value)))
            elif keyword == "enum":
                said.append((keyword, frozenset(map(canonical, value))))
            elif keyword == "const":
                said.append(("enum", frozenset([canonical(value)]), "const" * ("enum" in schema)))
            elif keyword == "multipleOf":
                said.append((keyword, decimal_value(value)))
            elif keyword == "required":
                said.append((keyword, frozenset(value)))
            elif keyword in _PLAIN:
                said.append((keyword, canonical(value)))
            elif keyword == "items" and type(value) is list:
                said.append((keyword, len(value)))
            elif keyword == "dependencies":
                said += [
                    (keyword, escape_token(name), frozenset(needed))
                    for name, needed in value.items()
                    if not is_schema(needed)
                ]
        return frozenset(said) if said else "anything"
