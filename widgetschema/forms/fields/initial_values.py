"""The value that a new document, row or group begins with: what its schema declares, and no more.

A place begins with its `default`; else with the only value that it allows; else, if it is an
object, with its required members that begin with anything. All else has no value: `examples` are
never used, and none is made up. A default that its own schema refuses is none; in draft-07, one
beside a `$ref` is ignored, as all that stands there (core specification, section 8.3).

A condition counts once no further member can change it. It brings no empty or incomplete object,
which would be invalid once the condition no longer holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from widgetschema.forms.fields.presentation import Presentation, presentation
from widgetschema.schema.tree import Node
from widgetschema.schema.tree.negation import PYTHON

ABSENT: Final[Any] = object()  # no value at all
_MOST_MEMBERS: Final = 2_000  # of a value, of all levels: required members can be endless
MAX_LEVELS: Final = 24  # of fields inside each other
_MOST_ROUNDS: Final = 4  # until conditions require no more members

Fits = Callable[[str, Any], bool]
Decide = Callable[[Node, Any], Node]


def default_of(node: Node, shown: Node, fits: Fits) -> Any:
    """Return the first `default` that all schemas of a place accept; `ABSENT` if there is none.

    `shown` is the node that a form shows, such as the only alternative beside null.
    `fits(pointer, value)` decides whether the schema at a JSON Pointer accepts a value.
    """
    for place in dict.fromkeys((node, shown)):
        for _, value in place.said("default"):
            if PYTHON[type(value)] in place.kinds:
                if all(fits(pointer, value) for pointer in place.key.pointers):
                    return value
    return ABSENT


def is_complete(node: Node, value: Any, fits: Fits) -> bool:
    """Return True if the schemas of a place accept a value, and it is no empty object or array."""
    return value not in ({}, []) and all(fits(pointer, value) for pointer in node.key.pointers)


def initial_value(node: Node, fits: Fits, decide: Decide) -> Any:
    """Return the value that a place begins with; `ABSENT` if it has none.

    `decide(node, value)` decides the conditions of a node by a value.
    """
    return _Making(fits, decide).value(node, ())


class _Making:
    """One value in the making."""

    def __init__(self, fits: Fits, decide: Decide) -> None:
        self.fits = fits
        self.decide = decide
        self.left = _MOST_MEMBERS

    def value(self, node: Node, around: tuple[Node, ...]) -> Any:
        """Return the value of a place; `around` are the places around it."""
        shown = presentation(node)
        base = shown.strict or shown.node
        if shown.options:  # which a member may tell apart
            shown, base = presentation(self.decide(node, {})), node
        default = default_of(node, shown.node, self.fits)
        if default is not ABSENT:
            return default
        if shown.values is not None or not shown.kinds:
            values = [value for value, _ in shown.values or ()]
            values += [None] if shown.nullable else []
            return values[0] if len(values) == 1 else ABSENT
        if shown.options or shown.nullable or node in around or len(around) >= MAX_LEVELS:
            return ABSENT
        if shown.kinds == ("object",):
            return self._object(base, (*around, node))
        if shown.kinds == ("array",):
            return self._tuple(shown, (*around, node))
        return ABSENT

    def _object(self, base: Node, around: tuple[Node, ...]) -> dict[str, Any]:
        """Return an object of the required members that begin with anything.

        The conditions of `base` are decided by the object itself.
        """
        made: dict[str, Any] = {}
        for _ in range(_MOST_ROUNDS):
            node = self.decide(base, made)
            needed = [*node.required]
            needed += [one for name in made for one in node.dependencies.get(name, ())]
            before = len(made)
            for name in dict.fromkeys(needed):
                self.left -= 1
                if name in made or self.left < 0:
                    continue
                child = node.child(name)
                value = self.value(child, around)
                if value is ABSENT:
                    continue
                if name in base.required or is_complete(child, value, self.fits):
                    made[name] = value
            if len(made) == before:
                break
        return {name: made[name] for name in (*node.properties, *made) if name in made}

    def _tuple(self, shown: Presentation, around: tuple[Node, ...]) -> Any:
        """Return the required items of a tuple, if each begins with a value."""
        least = (shown.strict or shown.node).least("minItems")
        if not 0 < least <= shown.node.tuple_length:
            return ABSENT
        self.left -= least
        items = [
            ABSENT if self.left < 0 else self.value(shown.node.item(at), around)
            for at in range(least)
        ]
        return ABSENT if ABSENT in items else items
