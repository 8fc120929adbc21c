"""The lines to which a step of a migration may apply, if they are valid by the new schema.

Most records of a migration that was begun before need no change, so they must cost no more than an
audit of them. A step is ruled out for all of them if the new schema leaves it nothing to do: a
member that has no place, values that are others, a member that is required. Of the other steps,
most need a name or a value that can be looked for in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import orjson

from widgetschema.audit.fast_path import value_probe
from widgetschema.evolution.migrate.steps.members import Default
from widgetschema.evolution.migrate.steps.values import Cast
from widgetschema.pointers import ANY, ANY_DEPTH, parse_pattern

if TYPE_CHECKING:
    from widgetschema.evolution.migrate import Migration, Step
    from widgetschema.schema.tree import Node

_VERSION: Final = "/modelVersion"


class Triggers:
    """Tells which lines are to be read; `root` is the node of the data by the new schema."""

    def __init__(self, migration: Migration, root: Node) -> None:
        steps = [step for step in migration.steps if not is_settled(step, root)]
        needles = [step.needles for step in steps]
        known = [needle for one in needles for needle in one or ()]
        self._are_known = None not in needles
        self._needles = [needle.encode() for needle in dict.fromkeys(known)]
        self._escaped = _escaped(known)
        version = migration.plan.model_version
        self._new = None if version is None else version.new
        self._version_of = None if version is None else value_probe([_VERSION])

    def changing(self, lines: Sequence[bytes]) -> Sequence[int]:
        """Return the indices of the lines to which a step may apply, in order."""
        if not self._are_known:
            return range(len(lines))
        if self._version_of is None:
            if not self._needles or not self._may_apply(b"\n".join(lines)):
                return ()
        return [
            index
            for index, line in enumerate(lines)
            if self._may_apply(line) or not self._has_new_version(line)
        ]

    def _may_apply(self, text: bytes) -> bool:
        for needle in self._needles:
            if needle in text:
                return True
        escaped = self._escaped
        return escaped is not None and b"\\" in text and escaped.search(text) is not None

    def _has_new_version(self, line: bytes) -> bool:
        """Return whether a document has the new model version, or versions do not matter."""
        if self._version_of is None:
            return True
        values = self._version_of(line)
        return values is not None and values[0] == self._new and type(values[0]) is not bool


def _escaped(needles: Sequence[str]) -> re.Pattern[bytes] | None:
    """Return a pattern of texts that may hold one of these strings in another spelling."""
    characters = {one for needle in needles for one in _content(needle)}
    if not characters:
        return None
    if any(one > "\x7f" for one in characters):
        return re.compile(rb"\\u")
    codes = sorted(f"{ord(one):02x}" for one in characters)
    also = "|/" if "/" in characters else ""
    return re.compile(rf"\\(?:u00(?:{'|'.join(codes)}){also})".encode(), re.IGNORECASE)


def _content(needle: str) -> str:
    value = orjson.loads(needle)
    return value if isinstance(value, str) else ""


def is_settled(step: Step, root: Node) -> bool:
    """Return whether a step certainly changes nothing in data that a schema accepts."""
    place = root
    for token in parse_pattern(step.seen_at):
        if token in (ANY, ANY_DEPTH) or token.isdigit():
            return False
        if "object" not in place.kinds:
            return True
        place = place.of_kind("object").child(token)
    if not place.kinds:  # nothing can be there
        return True
    if isinstance(step, Default):
        name = step.tokens[-1]
        return "object" not in place.kinds or name in place.of_kind("object").required
    if isinstance(step, Cast):
        kind = "number" if step.to == "integer" and place.integer else step.to
        return place.kinds == (kind,)
    last = step.tokens[-1] if step.tokens else ""
    values = place.values
    return values is not None and not any(step.may_apply({}, last, value) for value in values)
