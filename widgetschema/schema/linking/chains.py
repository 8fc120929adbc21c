"""References that lead back to themselves, or too far, are refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from widgetschema.errors import ReferenceLoop
from widgetschema.schema.linking.schemas import IN_PLACE, subschemas

# References in a row without moving on in the instance: people need about 10; an engine
# spends stack on each, at each of the levels that a document may have.
MAX_CHAIN: Final = 64


def check_chains(name: str, at: Mapping[str, Any], references: Mapping[str, str]) -> None:
    """Refuse references that lead back to themselves at the same place of the instance.

    Such a schema says nothing, and an engine may never come back from it. Long chains
    are refused for the same reason.
    """
    length: dict[str, int] = {}  # pointer → schemas in the longest chain from it
    for start in at:
        way: dict[str, None] = {}  # the pointers being walked, in order, from `start` down
        todo = [(start, False)]
        while todo:
            pointer, done = todo.pop()
            if done:
                del way[pointer]
                ahead = [length[place] for place in _in_place(at, references, pointer)]
                length[pointer] = 1 + max(ahead, default=0)
                if length[pointer] + len(way) > MAX_CHAIN:
                    reason = f"more than {MAX_CHAIN} schemas apply to one place, one by one"
                    raise ReferenceLoop(name, [*way, pointer], reason)
                continue
            if pointer in length:
                continue
            if pointer in way:
                reason = "a reference leads back to itself without reaching any data"
                loop = list(way)
                raise ReferenceLoop(name, [*loop[loop.index(pointer) :], pointer], reason)
            way[pointer] = None
            todo.append((pointer, True))
            todo.extend((place, False) for place in _in_place(at, references, pointer))


def _in_place(at: Mapping[str, Any], references: Mapping[str, str], pointer: str) -> list[str]:
    if pointer in references:
        return [references[pointer]]
    schema = at[pointer]
    if type(schema) is not dict or not (IN_PLACE & schema.keys()):
        return []
    return [place for keyword, place, _ in subschemas(schema, pointer) if keyword in IN_PLACE]
