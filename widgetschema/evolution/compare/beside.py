"""Two linked schemas side by side in one, so that one tree has the nodes of both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from widgetschema.schema.linking import LinkedSchema, subschemas

OLD: Final = "old:"  # no JSON Pointer begins like this: no name clashes
NEW: Final = "new:"
_MADE: Final = "made:"


def beside(old: LinkedSchema, new: LinkedSchema) -> LinkedSchema:
    """Both schemas in one: the pointers of the older begin with `OLD`, of the newer with `NEW`.

    The root is that of the older.
    """
    at: dict[str, Any] = {}
    references: dict[str, str] = {}
    for prefix, linked in ((OLD, old), (NEW, new)):
        at.update((prefix + pointer, schema) for pointer, schema in linked.at.items())
        references.update((prefix + a, prefix + b) for a, b in linked.references.items())
    root = OLD + old.root
    return LinkedSchema(old.id, at[root], at, references, root=root)


def own_pointer(pointer: str) -> str:
    """A pointer into both as one into the schema it is of.

    What was put together for a member (`data#…`) stands nowhere: that is the root.
    """
    pointer = pointer.removeprefix(OLD).removeprefix(NEW)
    return pointer if pointer.startswith("/") else ""


def with_schema(linked: LinkedSchema, schema: Any) -> LinkedSchema:
    """A schema of our own that refers to pointers into both, with what it needs of both."""
    at: dict[str, Any] = {}
    references: dict[str, str] = {}
    todo = [(_MADE, schema)]
    while todo:
        pointer, one = todo.pop()
        if pointer in at:
            continue
        at[pointer] = one
        target = linked.references.get(pointer)
        if pointer.startswith(_MADE) and type(one) is dict and "$ref" in one:
            target = one["$ref"].removeprefix("#")
        if target is not None:
            references[pointer] = target
            todo.append((target, linked.at[target]))
            continue
        places = subschemas(one, pointer)
        todo.extend((place, below) for word, place, below in places if word != "definitions")
    return replace(linked, schema=schema, at=at, references=references, root=_MADE)


def reference(pointer: str) -> dict[str, str]:
    """A schema that refers to a pointer into both."""
    return {"$ref": f"#{pointer}"}
