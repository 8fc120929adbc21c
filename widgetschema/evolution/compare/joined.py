"""Two linked schemas joined in one, and a schema tree of them that counts what is asked of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from widgetschema.samples.model import DeadEnd
from widgetschema.schema.linking import LinkedSchema, subschemas
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.schema.tree.tree import Key

OLD: Final = "old:"  # no JSON Pointer begins like this: no name clashes
NEW: Final = "new:"
_MADE: Final = "made:"
_REFUSED: Final = 4  # what a refused schema costs, which has to be turned around


def join_schemas(old: LinkedSchema, new: LinkedSchema) -> LinkedSchema:
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
    """Return a pointer into the joined schema as one into the schema it is of.

    What was put together for a member (`data#…`) stands nowhere: that is the root.
    """
    pointer = pointer.removeprefix(OLD).removeprefix(NEW)
    return pointer if pointer.startswith("/") else ""


def with_schema(linked: LinkedSchema, schema: Any) -> LinkedSchema:
    """Return a schema of our own that refers to pointers into both, with what it needs of both."""
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
    """Return a schema that refers to a pointer into both."""
    return {"$ref": f"#{pointer}"}


class BudgetedTree(SchemaTree):
    """A tree whose nodes cost what they hold; `effort_spent` is the sum of all requests.

    Past `limit`, if there is one, `DeadEnd` is raised: then nothing more is made.
    """

    effort_spent = 0
    limit: int | None = None

    def node_of(self, key: Key) -> Node:
        """Return the node that says what the key says. Raises `DeadEnd`."""
        self.effort_spent += 1 + len(key.pointers) + _REFUSED * len(key.refused)
        if self.limit is not None and self.effort_spent > self.limit:
            raise DeadEnd("", "it would take too long")
        return super().node_of(key)
