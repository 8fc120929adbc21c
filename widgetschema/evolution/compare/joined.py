"""Join two linked schemas in one, with a schema tree that counts its effort."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, Final

from widgetschema.samples.model import DeadEnd
from widgetschema.schema.linking import LinkedSchema, subschemas
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.schema.tree.tree import Key

OLD: Final = "old:"  # no JSON Pointer begins like this: no name clashes
NEW: Final = "new:"
_MADE: Final = "made:"
_NEGATION_COST: Final = 4  # the cost of a schema in `not`, which has to be negated


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
    """Return a new schema that refers to pointers into both, with the definitions that it needs."""
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
    """A tree that adds the size of each requested node to `effort_spent`.

    Beyond `limit`, it raises `DeadEnd`.
    """

    effort_spent = 0
    limit: float = inf

    def node_of(self, key: Key) -> Node:
        """Return the node of a key. Raises `DeadEnd`."""
        self.spend(1 + len(key.pointers) + _NEGATION_COST * len(key.refused))
        return super().node_of(key)

    def spend(self, effort: int) -> None:
        """Count effort. Raises `DeadEnd`."""
        self.effort_spent += effort
        if self.effort_spent > self.limit:
            raise DeadEnd("", "it would take too long")

    @property
    def is_exhausted(self) -> bool:
        """True if more effort than the limit was spent."""
        return self.effort_spent > self.limit
