"""`compare`: from two widget types' schemas to the changes, each with its kind.

All that was valid is valid now, if there is no obstacle on the way from the older schema to the
newer: then what changed only widens. Else each obstacle is breaking if there is a witness of it,
and unknown if there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from widgetschema.evolution.compare.annotations import annotation_changes
from widgetschema.evolution.compare.changes import (
    KINDS,
    Change,
    Comparison,
    Kind,
    Scope,
    Version,
    Witness,
)
from widgetschema.evolution.compare.equivalence import Equivalence
from widgetschema.evolution.compare.joined import NEW, OLD, BudgetedTree, join_schemas, own_pointer
from widgetschema.evolution.compare.obstacles import COARSE, EFFORT, Obstacle
from widgetschema.evolution.compare.proof import ContainmentProver
from widgetschema.evolution.compare.sentences import sentence, sides
from widgetschema.evolution.compare.witnesses import Witnesses, is_near
from widgetschema.validation import Validator


class Subject(NamedTuple):
    """One side of a comparison: a widget type, as its two validators.

    `data` is of the member `data`, `document` of the whole widget document;
    `matches(pattern, name)` decides `patternProperties` as the engine does.
    """

    version: Version
    data: Validator
    document: Validator
    matches: Callable[[str, str], bool]


def compare(old: Subject, new: Subject) -> Comparison:
    """Return what changed from `old` to `new`, and whom it breaks."""
    if (
        old.version.linked_digest == new.version.linked_digest
        and old.document.linked.root == new.document.linked.root  # of documents, or of data
        and old.data.formats == new.data.formats
    ):
        return Comparison(old.version, new.version)
    changes = _SchemaComparison(old.data, new.data, old.matches, "data").changes()
    changes += _SchemaComparison(old.document, new.document, old.matches, "document").changes(
        "data"
    )
    ordered = sorted(changes, key=lambda change: KINDS.index(change.kind))
    return Comparison(old.version, new.version, tuple(ordered))


class _SchemaComparison:
    """The comparison of two schemas for one value, of data or of documents."""

    def __init__(
        self, old: Validator, new: Validator, matches: Callable[[str, str], bool], scope: Scope
    ) -> None:
        self.old = old
        self.new = new
        self.scope = scope
        self.both = join_schemas(old.linked, new.linked)
        self.new_root = NEW + new.linked.root
        self.tree = BudgetedTree(self.both, matches)
        self.same = Equivalence(self.both, [self.both.root, self.new_root], self._asserts)
        self.witnesses = Witnesses(old, new, self.both, matches)

    def _asserts(self, pointer: str) -> bool:
        """Return True if formats are checked where a pointer is."""
        return self.old.formats if pointer.startswith(OLD) else self.new.formats

    def changes(self, without: str | None = None) -> list[Change]:
        """Return all changes; of a member `without` only what depends on choices made elsewhere."""
        old, new = self.tree.root, self.tree.node([self.new_root])
        every = self._prover().obstacles(old, new, without)
        narrower, known = _one_doubt(every), {one.about for one in every}
        coarse = {one.shown for one in every if one.fact in COARSE}
        wider = _one_doubt(
            one for one in self._prover().obstacles(new, old, without) if one.about not in known
        )
        found = self._narrowing(narrower)
        for one in wider:
            # Below what was not told in detail, the same place may refuse more as well.
            told = all(one.shown[:size] not in coarse for size in range(len(one.shown) + 1))
            sure = not narrower or (one.monotone and told)
            found.append(self._widening(one, sure=sure))
        for change in annotation_changes(old, new, self._asserts):
            inside = change.path == f"/{without}" or change.path.startswith(f"/{without}/")
            if without is None or not inside:
                found.append(replace(change, scope=self.scope))
        return found

    def _prover(self) -> ContainmentProver:
        return ContainmentProver(self.tree, self.same, self._asserts, self.old.engine)

    def _narrowing(self, obstacles: tuple[Obstacle, ...]) -> list[Change]:
        """Return the changes of what may be refused now."""
        witnesses = self.witnesses.find(obstacles)
        general: Witness | None = None
        if obstacles and not any(witnesses):
            general = self.witnesses.anything(self.new_root)
            near = (at for at, one in enumerate(obstacles) if general and is_near(general, one))
            if (index := next(near, None)) is not None:
                witnesses[index], general = general, None
        found = [self._change(*pair) for pair in zip(obstacles, witnesses, strict=True)]
        if general is not None:
            first = general.findings[0]
            message = "some data that was valid no longer is"
            found.append(
                Change(
                    "breaking",
                    first.path,
                    first.schema_path,
                    first.keyword,
                    message,
                    witness=general,
                    scope=self.scope,
                )
            )
        return found

    def _change(self, obstacle: Obstacle, witness: Witness | None) -> Change:
        kind: Kind = "unknown" if witness is None else "breaking"
        message = sentence(obstacle, narrows=True, sure=witness is not None)
        if witness is None:
            message += "; no data was found that this breaks, nor is it certain that there is none"
        was, now = sides(obstacle, narrows=True)
        pointer = own_pointer(obstacle.right_place)
        keyword, path = obstacle.keyword, obstacle.shown_path
        return Change(kind, path, pointer, keyword, message, was, now, witness, self.scope)

    def _widening(self, obstacle: Obstacle, *, sure: bool) -> Change:
        message = sentence(obstacle, narrows=False, sure=sure)
        if obstacle.fact == EFFORT and sure:
            message += "; all that was valid is valid still, but more may be"
        elif not sure:
            message += "; whether it refuses anything as well is not certain"
        was, now = sides(obstacle, narrows=False)
        place = obstacle.left_place or obstacle.right_place
        kind: Kind = "widening" if sure else "unknown"
        path = obstacle.shown_path
        return Change(
            kind, path, own_pointer(place), obstacle.keyword, message, was, now, None, self.scope
        )


def _one_doubt(obstacles: Iterable[Obstacle]) -> tuple[Obstacle, ...]:
    """Return the obstacles with only one that says the proof was given up."""
    every = tuple(obstacles)
    doubts = [one for one in every if one.fact == EFFORT]
    return tuple(one for one in every if one.fact != EFFORT or one is doubts[0])
