"""A schema tree that counts what is asked of it, so that effort can be bounded on any machine."""

from __future__ import annotations

from typing import Final

from widgetschema.samples.model import DeadEnd
from widgetschema.schema.tree import Node, SchemaTree
from widgetschema.schema.tree.tree import Key

_REFUSED: Final = 4  # what a refused schema costs, which has to be turned around


class CountedTree(SchemaTree):
    """A tree whose nodes cost what they hold; `spent` is the sum, over all that was asked for.

    Past `limit`, if there is one, `DeadEnd` is raised: then nothing more is made.
    """

    spent = 0
    limit: int | None = None

    def keyed(self, key: Key) -> Node:
        """The node that says what the key says. Raises `DeadEnd`."""
        self.spent += 1 + len(key.pointers) + _REFUSED * len(key.refused)
        if self.limit is not None and self.spent > self.limit:
            raise DeadEnd("", "it would take too long")
        return super().keyed(key)
